"""Illusio for front ends: scenes by hand, and the drawing."""

import json
import random

import msgspec
import pytest
from illusio_positions import hand, load, play, position, texts
from test_illusio_data import PRINTED, TEXT, as_toml

import aiplay
from aiplay.errors import InvalidStateError


def plain(found):
    """A scene as it is sent to a front end."""
    return json.loads(msgspec.json.encode(found.scene()))


# ---- Scenes ------------------------------------------------------------------------------------------------

CONTEST = [
    "Ambitious Card",
    "Pepper's Ghost",
    "Davenport Rope Tie",
    "Book Test",
]  # in the order of the data file


def middle():
    """A position with something in every place."""
    return position(
        hands=[["dove", "take"], ["rabbit", "grand", "cage"]],
        known={(0, 1, "rabbit"): 1, (1, 0, "dove"): 1},
        backstage=[["dove~rabbit*", "audience"], ["cage"]],
        realising=[(1, "Dove Pan", ["tiger", None])],
        displayed=[(0, "Sphinx", ["mirrors", "cage"], {"encores": 1, "unspent": True, "grand": 1})],
        kept=[(0, "Blue Room"), (1, "Second Sight")],
        scores=[3, 2],
        discards=["take", "take", "rope"],
        objective_discards=["Rising Cards"],
        talents=["animals", "illusion"],
        turn=8,
        actions=1,
        talent_used=1,
    )


RABBIT = {"kind": "dove", "printed": "rabbit", "transforms": 1, "component": "dove~rabbit*"}


def component(kind):
    return {"kind": kind, "printed": kind, "transforms": 0, "component": kind}


SEAT_0 = {
    "magician": "The Menagerist",
    "talent": "morph",
    "prestige": 3,
    "hand": ["dove", "take"],
    "backstage": [RABBIT, component("audience")],
    "under_way": [],
    "displayed": [
        {
            "objective": "Sphinx",
            "needs": [
                {"need": "mirrors", "component": component("mirrors"), "is_exact": True},
                {"need": "case", "component": component("cage"), "is_exact": False},
            ],
            "encores": 1,
            "is_encore_unspent": True,
            "deja_vus": 0,
            "grands": 1,
            "prestige": 2 + 1 + 1 + 2,  # level, exact mirrors, a kept trick of illusion, Grand
        }
    ],
    "kept": ["Blue Room"],
    "knows": [{"seat": 1, "cards": ["rabbit"]}],
    "own_take": None,
    "seen_take": None,
}
SEAT_1 = {
    "magician": "The Phantasmagorist",
    "talent": "bonus",
    "prestige": 2,
    "hand": ["rabbit", None, None],
    "backstage": [component("cage")],
    "under_way": [
        {
            "objective": "Dove Pan",
            "needs": [
                {"need": "dove", "component": component("tiger"), "is_exact": False},
                {"need": "boxes", "component": None, "is_exact": False},
            ],
        }
    ],
    "displayed": [],
    "kept": ["Second Sight"],
    "knows": [{"seat": 0, "cards": ["dove"]}],
    "own_take": None,
    "seen_take": None,
}


def test_the_scene_of_a_view_in_full():
    scene = plain(middle().view(0))
    assert scene.pop("seats") == [SEAT_0, SEAT_1]
    unseen, rest = scene.pop("unseen"), scene.pop("objective_deck")
    assert scene == {
        "turn": 8,
        "phase": "act",
        "seat": 0,
        "contest": CONTEST,
        "actions": 1,
        "talent_used": True,
        "pending": None,
        "discards": {"rope": 1, "take": 2},
        "objective_discards": ["Rising Cards"],
        "deck": 90
        - 5
        - 3
        - 1
        - 3
        - 2
        - 3,  # hands, Backstages, Transform, on tricks, Encore and Grand, discards
        "to_move": 0,
        "winners": None,
    }
    assert (unseen["cage"], unseen["grand"], unseen["take"]) == (4 - 2, 4 - 1, 5 - 3)
    assert sum(unseen.values()) == scene["deck"] + 2
    assert len(rest) == 32 - len(CONTEST) - 5
    assert not {"Sphinx", *CONTEST} & {*rest}


def test_a_state_shows_all_hands_and_all_knowledge():
    first, second = plain(middle())["seats"]
    assert first == SEAT_0
    assert second == SEAT_1 | {"hand": ["rabbit", "cage", "grand"]}


def test_with_more_than_two_seats_the_knowledge_of_others_is_hidden():
    state = position(
        players=3, hands=[["dove"], ["rabbit"], []], known={(2, 0, "dove"): 1, (0, 1, "rabbit"): 1}
    )
    assert [seat["knows"] for seat in plain(state.view(0))["seats"]] == [
        [{"seat": 1, "cards": ["rabbit"]}],
        None,
        None,
    ]
    assert plain(state)["seats"][2]["knows"] == [{"seat": 0, "cards": ["dove"]}]


MESSAGE = {  # from a server that has its own rules, for seat 2
    "turn": 7,
    "phase": "act",
    "seat": 2,
    "actions": 2,
    "contest": ["Milk Can Escape", "Spirit Cabinet", "Ambitious Card", "Dove Pan"],
    "discards": {"rope": 1, "take": 1},
    "seats": [
        {"magician": "The Barterer", "hand": [None, "grand", None], "backstage": [{"kind": "smoke"}]},
        {"magician": "The Gambler", "hand": [None] * 5, "prestige": 3, "kept": ["Sphinx"]},
        {
            "magician": "The Incantator",
            "hand": ["smoke", "transform", "formula", "boxes"],
            "backstage": [{"kind": "reservoir"}, {"kind": "dove", "printed": "case", "transforms": 1}],
            "under_way": [
                {"objective": "Materialisation", "needs": [
                    {"need": "formula", "component": {"kind": "formula"}},
                    {"need": "dove", "component": {"kind": "tiger"}},
                ]}
            ],
        },
    ],
}  # fmt: skip


def test_a_view_from_the_message_of_a_server():
    message = json.loads(json.dumps(MESSAGE).replace("boxes", "cage"))
    view = load(3).view_from_scene(message, 2)
    assert hand(view, 2) == ["smoke", "cage", "formula", "transform"]
    assert hand(view, 0) == ["grand", "?", "?"]
    assert {"claim Dove Pan", "claim Milk Can Escape", "play smoke on Materialisation (smoke)"} <= set(
        texts(view)
    )
    scene = view.scene()
    assert (scene.to_move, scene.deck, scene.winners) == (2, 90 - 12 - 3 - 1 - 2 - 2, None)
    assert [need.need for need in scene.seats[2].under_way[0].needs] == ["dove", "smoke", "formula"]
    move = aiplay.make_player("mcts:iterations=50", seed=1).choose(view)
    assert view.find_move(view.move_parts(move)) == move


def changed(path, value, scene=MESSAGE):
    """The message with one entry changed, added or, for an Ellipsis, taken away."""
    scene = json.loads(json.dumps(scene).replace("boxes", "cage"))
    *way, last = path
    there = scene
    for step in way:
        there = there[step]
    if value is ...:
        del there[last]
    else:
        there[last] = value
    return scene


TRICK = {"objective": "Sphinx", "needs": []}
WRONG = [
    (["phase"], "lunch", r"phase is 'lunch'; allowed: first seat, .*, act, "),
    (["phase"], ..., "phase"),
    (["seat"], 3, "seat is 3; allowed: 0, 1, 2"),
    (["seat"], 6, r"`\$.seat`"),
    (["weather"], 1, "weather"),
    (["actions"], 3, r"<= 2 - at `\$.actions`"),
    (["seats", 2, "hand", 1], "dog", r"seats\[2\].hand\[1\] is 'dog'; allowed: scarf, .*, grand"),
    (["seats", 2, "hand", 1], None, r"seats\[2\].hand\[1\] is None; allowed: scarf"),
    (["seats", 0, "hand"], ["dove"] * 15, r"seats\[0\].hand has 15 cards; allowed: at most 14"),
    (["seats", 0, "hand"], ["dove"] * 6, "6 cards of kind 'dove'; the game has 4"),
    (["seats", 0, "magician"], "Houdini", r"seats\[0\].magician is 'Houdini'; allowed: The Menagerist"),
    (["seats", 0, "talent"], "steal", r"seats\[0\].talent is 'steal'; the other entries make it 'swap'"),
    (["seats", 0, "prestige"], -1, r"`\$.seats\[0\].prestige`"),
    (["seats", 0, "prestige"], 1, "its tricks pay at most 0"),
    (["seats", 0, "backstage", 0, "kind"], "take", r"seats\[0\].backstage\[0\].kind is 'take'; allowed: scarf"),
    (["seats", 0, "backstage", 0, "printed"], "elk", r"seats\[0\].backstage\[0\].printed is 'elk'"),
    (["seats", 2, "backstage", 1, "component"], "dove", "component is 'dove'; .* make it 'dove~case[*]'"),
    (["seats", 0, "kept"], ["Sphinx"], r"seats\[1\].kept\[0\] is 'Sphinx', which is also seats\[0\].kept\[0\]"),
    (["seats", 0, "kept"], ["Dog Trick"], r"seats\[0\].kept\[0\] is 'Dog Trick'; allowed: Ambitious Card"),
    (["seats", 0, "under_way"], [TRICK], r"is also seats\[0\].under_way\[0\].objective"),
    (["seats", 2, "under_way", 0, "needs", 0, "need"], "cage", r"need is 'cage'; allowed: once each of dove"),
    (["seats", 2, "under_way", 0, "needs", 1, "component", "kind"], "rope", "cannot have rope"),
    (["seats", 0, "knows"], [{"seat": 2, "cards": ["dove"]}], r"\[0\].knows is .*; the other entries make it None"),
    (["seats", 2, "knows"], [{"seat": 0, "cards": ["dove"]}], r"seats\[2\].knows"),
    (["contest", 0], "Milk", r"contest\[0\] is 'Milk'; allowed: Ambitious Card"),
    (["contest"], ["Dove Pan"], "does not fit together: .*1 in the Contest"),
    (["discards", "rope"], 5, r"discards\['rope'\] is 5; allowed: 0 to 4"),
    (["discards", "dog"], 1, "discards is 'dog'; allowed: scarf"),
    (["deck"], 80, "deck is 80; the other entries make it 70"),
    (["unseen"], {"dove": 5}, r"unseen\['dove'\] is 5; the other entries make it 4"),
    (["to_move"], 1, "to_move is 1; the other entries make it 2"),
    (["winners"], [0], "winners is"),
    (["pending"], {"cards": 1}, "pending.cards is 1; allowed: nothing in the phase 'act'"),
    (["seats", 0], ..., "seats has 2 entries; the game has 3 seats"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_a_wrong_entry_is_named(path, value, message):
    with pytest.raises(InvalidStateError, match=message):
        load(3).view_from_scene(changed(path, value), 2)


def test_an_entry_may_be_given_if_it_is_right():
    scene = changed(["deck"], 70)
    assert load(3).view_from_scene(scene, 2) == load(3).view_from_scene(
        changed(["deck"], 70) | {"to_move": 2}, 2
    )


def test_the_order_of_entries_makes_no_difference():
    shuffle = random.Random(1).shuffle
    state = middle()
    scene = plain(state)
    shuffle(scene["contest"])
    for seat in scene["seats"]:
        for name in ("hand", "backstage", "displayed", "under_way", "kept"):
            shuffle(seat[name])
        for trick in seat["displayed"] + seat["under_way"]:
            trick["needs"].reverse()
    assert scene != plain(state)
    assert load(2).state_from_scene(scene) == state


# ---- Pending decisions -------------------------------------------------------------------------------------

START = {
    "hands": [["dove", "take", "transform", "cage"], ["rabbit"]],
    "backstage": [["smoke", "rope"], ["cage", "rope"]],
}
SMOKE = component("smoke") | {"transforms": 1, "component": "smoke*"}  # the card lies on it already
PENDING = [  # words of the position, moves, phase, what is pending
    (START, ["take from 1"], "take", {"seat": 1}),
    (START, ["transform smoke"], "transform", {"seat": 0, "component": SMOKE}),
    (START | {"talents": ["boxes"]}, ["morph 1:cage"], "morph", {"seat": 1, "component": component("cage")}),
    (START | {"talents": ["swap"]}, ["swap rope"], "swap", {"seat": 0, "component": component("rope")}),
    (START, ["throw dove"], "exchange", {"cards": 1, "lowest_kind": "dove"}),
    (START, ["throw dove", "throw cage", "done"], "draw", {"cards": 2}),
    (START, ["claim Davenport Rope Tie"], "claim", {"objective": "Davenport Rope Tie"}),
    (START, [], "act", None),
    ({"hands": [["cage"] * 4 + ["dove"] * 4 + ["rope"], []]}, ["end"], "discard", {"cards": 1, "lowest_kind": "scarf"}),
    ({"displayed": [(1, "Book Test", ["formula"])], "contest": ["Sphinx", *CONTEST[:3]]}, ["end"], "validate", None),
]  # fmt: skip


@pytest.mark.parametrize(("words", "moves", "phase", "pending"), PENDING, ids=lambda value: str(value)[:20])
def test_the_decision_that_is_pending(words, moves, phase, pending):
    state = play(position(**words), *moves)
    scene = plain(state)
    assert (scene["phase"], scene["pending"]) == (phase, pending)
    assert state.game.state_from_scene(scene) == state
    assert state.game.view_from_scene(plain(state.view(1)), 1) == state.view(1)


def test_what_is_pending_has_to_be_said_unless_it_follows():
    scene = plain(play(position(**START), "take from 1"))
    with pytest.raises(InvalidStateError, match=r"pending.seat is missing in the phase 'take'"):
        load(2).state_from_scene(scene | {"pending": None})
    with pytest.raises(InvalidStateError, match=r"pending.seat is 2; allowed: 0, 1"):
        load(2).state_from_scene(scene | {"pending": {"seat": 2}})
    state = play(position(**START), "transform smoke")
    wrong = plain(state) | {"pending": {"component": {"kind": "tiger"}}}
    with pytest.raises(InvalidStateError, match=r"allowed in the Backstage of seat 0: rope, smoke\*"):
        load(2).state_from_scene(wrong)
    assert (
        load(2).state_from_scene(wrong | {"pending": {"component": {"kind": "smoke", "transforms": 1}}})
        == state
    )


def test_the_deal_and_the_end():
    state = load(2).new_state()
    assert plain(state)["seats"][0] | {"hand": []} == plain(state)["seats"][1]
    stream = aiplay.RandomStream(1)
    while plain(state)["phase"] != "deal":
        state.play_chance(stream)
    assert plain(state)["pending"] == {"cards": 4}
    assert load(2).state_from_scene(changed(["pending"], ..., plain(state))) == state
    over = play(
        position(displayed=[(0, "Book Test", ["formula"])], contest=["Sphinx", *CONTEST[:3]], scores=[11, 0],
                 kept=[(0, "Lion's Bride"), (0, "Blue Room")], hands=[["immediate success"], []]),
        "success Book Test",
    )  # fmt: skip
    assert (plain(over)["phase"], plain(over)["winners"], plain(over)["to_move"]) == ("over", [0], None)
    assert load(2).state_from_scene(plain(over)) == over


# ---- What a seat remembers of a Take -------------------------------------------------------------------------


def test_after_a_take_by_another_seat_the_known_cards_are_suspects():
    state = position(
        players=3,
        hands=[["take", "rope"], ["rabbit", "dove", "cage"], []],
        known={(2, 1, "rabbit"): 1, (2, 1, "dove"): 1},
    )
    for taken in ("rabbit", "cage"):
        later = play(state, "take from 1", f"take {taken}")
        scene = plain(later.view(2))
        assert scene["seats"][1]["hand"] == [None, None]
        assert scene["seats"][2]["knows"] == []
        assert scene["seats"][2]["seen_take"] == {
            "taker": 0, "robbed": 1, "suspects": ["rabbit", "dove"], "other_weight": 1.0,
        }  # fmt: skip
        assert load(3).view_from_scene(scene, 2) == later.view(2)
        assert load(3).state_from_scene(plain(later)) == later
        assert plain(later.view(1))["seats"][2]["seen_take"] is None


def test_wrong_memories_are_named():
    state = position(players=3, hands=[["take", "rope"], ["rabbit", "dove"], []], known={(2, 1, "rabbit"): 1})
    scene = plain(play(state, "take from 1", "take dove").view(2))
    take = ["seats", 2, "seen_take"]
    for path, value, message in [
        (["seats", 1, "hand"], ["rabbit"], r"seats\[1\].hand is \['rabbit'\]; allowed: None for each card"),
        ([*take, "suspects"], ["rabbit"] * 3, r"suspects is .*; allowed: cards of the robbed hand, and at most one"),
        ([*take, "suspects"], ["dog"], r"seats\[2\].seen_take.suspects\[0\] is 'dog'"),
        ([*take, "taker"], 2, "two different seats other than 2"),
        ([*take, "robbed"], 5, r"seats\[2\].seen_take.robbed is 5; allowed: 0, 1, 2"),
        (["seats", 2, "own_take"], {"robbed": 1, "card": "dove", "n_known": 1, "n_hidden": 1}, "None beside own_take"),
    ]:  # fmt: skip
        with pytest.raises(InvalidStateError, match=message):
            load(3).view_from_scene(changed(path, value, scene), 2)


def test_after_an_own_take_of_a_known_kind_its_odds_are_remembered():
    state = position(hands=[["take"], ["audience", "dove", "cage", "rope"]], known={(0, 1, "audience"): 1})
    state = play(state, "take from 1", "take audience")
    scene = plain(state.view(0))
    assert scene["seats"][0]["own_take"] == {"robbed": 1, "card": "audience", "n_known": 1, "n_hidden": 3}
    assert load(2).view_from_scene(scene, 0) == state.view(0)
    wrong = changed(["seats", 0, "own_take", "card"], "dog", scene)
    with pytest.raises(InvalidStateError, match=r"seats\[0\].own_take.card is 'dog'; allowed: scarf"):
        load(2).view_from_scene(wrong, 0)


# ---- Other data files --------------------------------------------------------------------------------------


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "cards.toml"
    path.write_text(as_toml(PRINTED), encoding="utf-8")
    return aiplay.load_game("illusio", players=3, data=str(path))


def test_scenes_of_another_data_file(game):
    table, bot = aiplay.Table(game, seed=4), aiplay.make_player("random", seed=4)
    while not table.over and len(table.moves) < 250:
        state = table.state
        assert game.state_from_scene(plain(state)) == state
        assert game.view_from_scene(plain(state.view(1)), 1) == state.view(1)
        table.play(bot.choose(table.view(table.to_move)))


def test_components_on_equal_needs_may_be_given_in_any_order(tmp_path):
    path = tmp_path / "cards.toml"
    path.write_text(
        TEXT.replace('needs = ["mirrors", "case"]', 'needs = ["mirrors", "mirrors"]'), encoding="utf-8"
    )
    game = aiplay.load_game("illusio", data=str(path))
    state = position(game=game, realising=[(0, "Sphinx", ["smoke", None])])
    scene = plain(state)
    scene["seats"][0]["under_way"][0]["needs"].reverse()
    assert game.state_from_scene(scene) == state
    full = position(game=game, displayed=[(0, "Sphinx", ["mirrors", "smoke"])])
    scene = plain(full)
    scene["seats"][0]["displayed"][0]["needs"].reverse()
    assert game.state_from_scene(scene) == full


# ---- The points of a trick on display ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "trick"),
    [
        ({}, (0, "Sphinx", ["mirrors", "case"])),
        ({}, (0, "Sphinx", ["smoke", "case"], {"deja_vu": 4})),
        ({"talents": ["illusion"]}, (0, "Sphinx", ["smoke", "cage"], {"grand": 2})),
        ({"kept": [(0, "Blue Room")]}, (0, "Sphinx", ["smoke", "case"], {"encores": 1, "unspent": True})),
        ({"kept": [(1, "Blue Room")]}, (0, "Sphinx", ["mirrors", "case"])),
        ({"talents": ["audience"]}, (0, "Second Sight", ["scarf", "audience"], {"deja_vu": 1})),
    ],
)
def test_a_trick_pays_the_prestige_that_its_scene_says(words, trick):
    state = position(hands=[["immediate success"], []], displayed=[trick], **words)
    said = plain(state)["seats"][0]["displayed"][0]["prestige"]
    paid = plain(play(state, f"success {trick[1]}"))["seats"][0]["prestige"]
    assert said == paid
    assert f"pays {said} (" in str(state)


# ---- The drawing -------------------------------------------------------------------------------------------


def test_the_drawing_in_full():
    assert str(middle().view(0)).splitlines() == [
        "turn 9, seat 0 has 1 action; goal 12; deck 73, discards 3",
        "Contest               domain     pays  needs (any of the group; exact +1)",
        "  Ambitious Card      close-up   1-2   cards",
        "  Pepper's Ghost      illusion   1-2   mirrors",
        "  Davenport Rope Tie  evasion    1-2   rope",
        "  Book Test           mentalism  1     formula",
        "seat 0: 3 prestige, The Menagerist (once a turn: change one of animals)",
        "  hand       dove, take",
        "  Backstage  dove~rabbit*, audience",
        "  on display Sphinx, illusion, pays 6 (mirrors: mirrors, case: cage) + encore",
        "             (stays a round) + grand",
        "  scored     illusion (+1 for tricks of this domain)",
        "seat 1: 2 prestige, The Phantasmagorist (+1 for tricks of illusion)",
        "  hand       rabbit, 2 cards hidden",
        "  Backstage  cage",
        "  under way  Dove Pan, close-up, pays 2 (dove: tiger, boxes: -)",
        "  scored     mentalism (+1 for tricks of this domain)",
        "1 action each: take = get a random card of another hand",
        "dove~rabbit* = now dove, printed rabbit; each * is a card transform",
        "groups: accessories = scarf, rope, cards, blades; animals = rabbit, dove, tiger;",
        "  tricks = curtain, mirrors, smoke; boxes = case, cage, reservoir",
    ]


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_the_drawing_fits_a_terminal_with_two_seats(player):
    for seed in range(6):
        table = aiplay.Table(load(2), seed=seed)
        bots = [aiplay.make_player(player, seed=seed) for _ in range(2)]
        while not table.over:
            view = table.view(table.to_move)
            lines = str(view).splitlines()
            assert len(lines) <= 24
            assert max(map(len, lines)) <= 80
            table.play(bots[table.to_move].choose(view))


def test_the_drawing_tells_what_a_seat_remembers():
    state = position(players=3, hands=[["take"], ["rabbit", "dove", "cage"], []], known={(2, 1, "rabbit"): 1})
    later = play(state, "take from 1", "take cage")
    text = str(later.view(2))
    assert "remembers  seat 0 took a card from seat 1: one of rabbit, or another" in text
    assert "hand       2 cards hidden" in text
    own = position(hands=[["take"], ["audience", "dove", "cage"]], known={(0, 1, "audience"): 1})
    text = " ".join(str(play(own, "take from 1", "take audience").view(0)).split())
    assert "remembers it took audience from seat 1: the one that it knew there, or another" in text


def test_the_drawing_explains_components_of_other_backstages():
    stages = {"backstage": [["cage"], ["rope", "smoke"]], "talents": ["recall", "illusion"]}
    text = "1:smoke = smoke in the Backstage of seat 1"
    assert text in str(position(**stages))
    assert text not in str(position(**stages, seat=1))  # a bonus
    assert text not in str(play(position(**stages), "recall 1:rope"))


def test_the_drawing_explains_only_components_that_the_talent_can_change():
    for component, is_explained in (("cage", True), ("rope", False)):
        state = position(backstage=[[], [component]], talents=["boxes", "illusion"])
        assert (f"morph 1:{component}" in texts(state)) == is_explained
        assert (f"1:{component} = {component} in the Backstage of seat 1" in str(state)) == is_explained


@pytest.mark.parametrize(
    ("components", "kept", "pays"),
    [
        (["mirrors", None], [], "3-4"),
        (["smoke", None], [], "2-3"),
        ([None, "cage"], [], "2-3"),
        (["smoke", None], [(0, "Blue Room")], "3-4"),
    ],
)
def test_a_trick_under_way_tells_what_it_can_still_pay(components, kept, pays):
    state = position(realising=[(0, "Sphinx", components)], kept=kept, talents=["boxes", "audience"])
    assert f"under way  Sphinx, illusion, pays {pays} (" in str(state)


def test_every_phase_can_be_drawn():
    drawn = set()
    for words, moves, phase, _ in PENDING:
        heading = str(play(position(**words), *moves)).splitlines()[0]
        drawn.add(heading)
        assert len(heading) <= 80, phase
    assert len(drawn) == len(PENDING)
    assert str(load(2).new_state()).startswith("set-up: first seat")
