"""Levitation for front ends: scenes, moves with parts, the catalogue, and the drawing for a terminal."""

import copy
import json
import random
import re
from pathlib import Path

import msgspec
import pytest
from levitation_positions import after, game_of, play, position, sample_states

import aiplay
from aiplay._core.games.levitation.state import N_EFFECTS
from aiplay.errors import InvalidStateError
from aiplay.games.data_file import own_file
from aiplay.games.levitation.catalogue import SHORT, TEXTS, short_text
from aiplay.games.levitation.render import HEIGHT, WIDTH

SEATS = [2, 3, 4, 5]


def plain(scene):
    """Return a scene as plain data, for instance to be changed."""
    return msgspec.to_builtins(scene)


# ---- Scenes ------------------------------------------------------------------------------------------------

BOARD = [  # name, row, colour, points, flair, cubes
    ("New York", "top", "red", 8, 0, 0),
    ("London", "top", "green", 10, 0, 0),
    ("Paris", "top", "blue", 9, 0, 0),
    ("Vienna", "top", "yellow", 8, 0, 0),
    ("Saint Petersburg", "top", "black", 9, 0, 0),
    ("Boston", "middle", "yellow", 0, 1, 0),
    ("Berlin", "middle", "red", 0, 2, 0),
    ("Tokyo", "middle", "black", 0, 1, 0),
    ("Istanbul", "middle", "green", 0, 1, 0),
    ("Cairo", "middle", "blue", 0, 2, 0),
    ("Liverpool", "bottom", "blue", 0, 0, 1),
    ("Lisbon", "bottom", "black", 0, 0, 1),
    ("Naples", "bottom", "red", 0, 0, 2),
    ("Mumbai", "bottom", "yellow", 0, 0, 2),
    ("Sydney", "bottom", "green", 0, 0, 1),
]
COLOURS = ["blue", "red", "yellow", "black", "green"]
SPACES = [*COLOURS, "mouse", "rabbit", "dog", "horse", "elephant", "flair", "tickets", "cubes"]


def card(name, flair=0, used=False, disabled=False):
    return {"name": name, "flair": flair, "is_used": used, "is_disabled": disabled}


def example():
    """Return a position in the middle of an action: seat 0 moves a ticket from Liverpool."""
    state = position(owned={0: ["She"], 1: ["Psycho"]}, flair={"She": 2}, cities={"Paris": "Asrah"},
                     tickets={0: ["Liverpool"], 1: ["Tokyo"]}, hand={1: 3}, spaces={"cubes": 1}, cubes={0: 5},
                     die="green Kellar", scores={0: 7}, disabled=["Psycho"])  # fmt: skip
    return play(state, "use She", "from Liverpool")


def test_the_scene_of_a_position_in_full():
    state = example()
    owners = {"Liverpool": [0], "Tokyo": [1]}
    in_play = {"She", "Psycho", "Asrah"}
    seat = {"tickets_in_hand": 0, "tokens": [2, 3, 4], "revealed": 1}
    die = {"colour": "green", "master": "Kellar"}
    use = {"card": "She", "effect": {"name": "move a ticket", "colours": []}, "chosen": "Liverpool"}
    assert plain(state.view(0).scene()) == {
        "phase": "target",
        "round": 1,
        "turn": 1,
        "to_move": 0,
        "order": [0, 1],
        "acting_first": [],
        "action": {
            "seat": 0,
            "has_rolled": False,
            "die": die,
            "has_acted": False,
            "committed": 2,
            "free_cubes": 3,
            "path_bonus": 0,
            "use": use,
            "flair": None,
            "claiming": None,
            "claimed": None,
        },
        "seats": [
            {**seat, "score": 7, "cubes": 5, "cards": [card("She", 2, used=True)], "tickets_unused": 9},
            {
                **seat,
                "score": 0,
                "cubes": 2,
                "cards": [card("Psycho", disabled=True)],
                "tickets_in_hand": 3,
                "tickets_unused": 5,
            },
        ],
        "cities": [
            {
                "name": name,
                "card": card("Asrah") if name == "Paris" else None,
                "tickets": owners.get(name, []),
                "is_open": name not in ("Paris", "Liverpool", "Tokyo"),
                "row": row,
                "colours": [colour],
                "points": points,
                "flair": flair,
                "cubes": cubes,
            }
            for name, row, colour, points, flair, cubes in BOARD
        ],
        "spaces": [{"name": name, "seat": 1 if name == "cubes" else None} for name in SPACES],
        "masters": [
            {"name": "Herrmann", "dice": COLOURS},
            {"name": "Thurston", "dice": COLOURS},
            {
                "name": "Kellar",
                "dice": ["blue", "blue", "red", "red", "yellow", "yellow", "black", "black", "green"],
            },
        ],
        "dice_off_board": ["green"],
        "deck": [name for name in state.game.labels["card"] if name not in in_play],
        "supply": {"cubes": 43, "flair": 48},
        "winners": [],
    }


@pytest.mark.parametrize("players", SEATS)
def test_in_every_phase_the_scene_determines_the_position(players):
    game = game_of(players)
    states = sample_states(players)
    assert {state.scene().phase for state in states} == {*game.labels["phase"]}
    for state in states:
        text = msgspec.json.encode(state.scene())
        assert game.state_from_scene(json.loads(text)) == state
        assert game.view_from_scene(json.loads(text), 1) == state.view(1)


def test_a_scene_has_only_the_seats_that_play():
    assert [len(game_of(players).new_state().scene().seats) for players in SEATS] == SEATS


def test_the_entries_of_a_scene_may_be_in_any_order():
    chooser = random.Random(3)
    for state in sample_states(3):
        scene = plain(state.scene())
        for entries in (scene["cities"], scene["spaces"], scene["masters"], scene["deck"]):
            chooser.shuffle(entries)
        for entry in (*scene["seats"], *scene["masters"], *scene["cities"]):
            for name in ("cards", "tokens", "dice", "tickets"):
                chooser.shuffle(entry.get(name, []))
        assert state.game.state_from_scene(scene) == state


def test_what_follows_from_other_entries_may_be_left_out():
    for state in sample_states(2):
        scene = plain(state.scene())
        for name in ("to_move", "dice_off_board", "deck", "supply", "winners"):
            del scene[name]
        for seat in scene["seats"]:
            del seat["tickets_unused"]
        scene["cities"] = [
            {name: city[name] for name in ("name", "card", "tickets")} for city in scene["cities"]
        ]
        if scene["action"] is not None:
            del scene["action"]["free_cubes"]
        assert state.game.state_from_scene(scene) == state


def test_the_winners_are_those_with_the_most_points():
    over = [state for state in sample_states(2) if state.is_over]
    assert over
    for state in over:
        best = [seat for seat, result in enumerate(state.returns()) if result]
        assert state.scene().winners == best


def message():
    """Return a made-up message of a server that has its own rules and its own order of cities."""
    tickets = {"Tokyo": [1], "Naples": [1], "Boston": [0]}
    cards = {"London": "Psycho", "Paris": "The Egg Bag"}
    return {
        "phase": "main",
        "round": 2,
        "turn": 2,
        "order": [1, 0],
        "action": {"seat": 1, "die": {"colour": "green", "master": "Kellar"}, "committed": 1},
        "seats": [
            {"cubes": 3, "tokens": [1, 2], "revealed": 3, "tickets_in_hand": 2, "cards": [{"name": "She"}]},
            {
                "cubes": 4,
                "tokens": [3, 4],
                "revealed": 2,
                "score": 11,
                "tickets_in_hand": 1,
                "cards": [{"name": "Metamorphosis"}, {"name": "Asrah", "flair": 1, "is_used": True}],
            },
        ],
        "cities": [
            {
                "name": name,
                "tickets": tickets.get(name, []),
                "card": {"name": cards[name]} if name in cards else None,
            }
            for name, *_ in reversed(BOARD)
        ],
        "spaces": [{"name": name, "seat": 0 if name == "red" else None} for name in SPACES],
        "masters": [
            {"name": "Kellar", "dice": ["blue", "green", "green"]},
            {"name": "Herrmann", "dice": ["yellow"]},
            {"name": "Thurston", "dice": ["red", "red"]},
        ],
    }


def test_a_view_is_built_from_the_message_of_a_server():
    view = game_of(2).view_from_scene(message(), 1)
    assert view.to_move == 1
    scene = view.scene()
    assert scene.seats[0].tickets_unused == 10 - 2 - 1 - 1
    assert scene.dice_off_board.count("green") == 2
    assert {"verb": "place", "city": "Sydney"} in [view.move_parts(move) for move in view.legal_moves()]
    assert view.find_move({"verb": "use", "card": "Metamorphosis"}) in view.legal_moves()
    assert aiplay.make_player("greedy", seed=1).choose(view) in view.legal_moves()


def test_the_effect_that_a_card_duplicates_is_read():
    state = position(owned={0: ["The Linking Rings", "The Ethereal Suspension"]}, die="blue Kellar",
                     cities={"Paris": "Psycho"})  # fmt: skip
    play(state, "use The Linking Rings", "copy The Ethereal Suspension")
    scene = plain(state.scene())
    assert scene["action"]["use"]["effect"] == {"name": "gain card", "colours": ["black"]}
    assert state.game.state_from_scene(scene) == state
    del scene["action"]["use"]["effect"]
    with pytest.raises(
        InvalidStateError, match=r"action\.use\.effect is missing: The Linking Rings duplicates"
    ):
        state.game.state_from_scene(scene)


def test_the_effect_of_the_card_in_use_follows_from_the_card():
    scene = plain(example().scene())
    del scene["action"]["use"]["effect"]
    assert game_of(2).state_from_scene(scene) == example()


def test_flair_that_waits_says_which_card_got_the_last_token():
    cards = ["Multiplying Billiard Balls", "She", "Asrah"]
    start = position(owned={0: cards}, tickets={}, hand={0: 1}, die="red Kellar")
    first = after(start, "place Berlin", "flair on Multiplying Billiard Balls")
    second = after(start, "place Berlin", "flair on Asrah")
    last = after(start, "place Berlin", "discard")
    flair = [plain(state.scene().action.flair) for state in (first, second, last)]
    assert flair == [
        {"left": 1, "last_card": None, "is_discarding": False},
        {"left": 1, "last_card": "Asrah", "is_discarding": False},
        {"left": 1, "last_card": None, "is_discarding": True},
    ]
    scene = plain(first.scene())
    scene["action"]["flair"]["last_card"] = cards[0]
    assert first.game.state_from_scene(scene) == first


# ---- Wrong entries -----------------------------------------------------------------------------------------


def change(scene, path, value):
    """Set the entry at a path, such as "seats 1 cubes"."""
    *steps, last = [int(step) if step.isdecimal() else step for step in path.split()]
    for step in steps:
        scene = scene[step]
    scene[last] = value


WRONG = [
    ("phase", "lunch", r"lunch.*\$\.phase"),
    ("round", 4, r"<= 3.*\$\.round"),
    ("seats 1 cubes", -1, r">= 0.*seats.*cubes"),
    ("seats", [], "the number of seats is 0; allowed: 2"),
    (
        "seats 1 cards 1 name",
        "Asra",
        r"seats\[1\]\.cards\[1\]\.name is 'Asra'; allowed: .*for instance Asrah",
    ),
    ("seats 1 cards 1 name", "She", r"seats\[1\]\.cards\[1\]\.name is 'She'; .*seats\[0\]\.cards\[0\] is"),
    ("seats 1 cards 1 flair", 3, r"seats\[1\]\.cards\[1\]\.flair is 3; allowed: 0 to 2"),
    ("seats 0 tickets_in_hand", 9, r"seats\[0\]\.tickets_in_hand is 9; allowed: 0 to 8, with 2 on the board"),
    ("seats 0 tickets_unused", 9, r"seats\[0\]\.tickets_unused is 9; the other entries make it 6"),
    ("seats 0 tokens", [1, 1], r"seats\[0\]\.tokens is \[1, 1\]; allowed: each number once"),
    ("seats 0 tokens", [1], "does not fit together: .*'tokens'"),
    ("cities 0 name", "Rome", r"cities\[0\]\.name is 'Rome'; allowed: New York, London"),
    ("cities 0 name", "London", r"cities\[13\]\.name is 'London'; allowed: each name once"),
    ("cities 0 tickets", [0, 0, 1], r"cities\[0\]\.tickets is \[0, 0, 1\]; allowed: at most 2"),
    ("cities 0 tickets", [2], r"cities\[0\]\.tickets is 2; allowed: 0 to 1"),
    ("cities 0 card", {"name": "Psycho"}, r"'Psycho'; allowed: each card once; cities\[0\]\.card is"),
    ("cities 0 points", 5, r"cities\[14\]\.points is 5; the other entries make it 0"),
    ("spaces", [], "spaces has no entry for blue, red"),
    ("spaces 0 seat", 3, r"spaces\[0\]\.seat is 3; allowed: 0 to 1"),
    ("masters 0 dice", ["pink"], "pink.*masters"),
    ("masters 0 dice", ["red"] * 3, "masters has 5 red dice; allowed: 4"),
    ("order", [0, 0], r"order is \[0, 0\]; allowed: seats from 0 to 1, each once"),
    ("order", [0], r"action\.seat is 1; allowed: a seat of the order, \[0\]"),
    ("action", None, "action is None; allowed: the action under way, in phase main"),
    ("action free_cubes", 1, r"action\.free_cubes is 1; the other entries make it 3"),
    ("action use", {"card": "Dog"}, r"action\.use\.card is 'Dog'"),
    ("action claimed", ["London", "Cairo", "Sydney"], r"action\.claimed is .*three touching cities"),
    ("deck", ["She"], r"deck is \['She'\]; the other entries make it"),
    ("to_move", 0, "to_move is 0; the other entries make it 1"),
    ("colour", "blue", "colour"),
]


@pytest.mark.parametrize(("path", "value", "problem"), WRONG, ids=lambda value: str(value)[:20])
def test_a_wrong_entry_of_a_scene_is_named(path, value, problem):
    scene = copy.deepcopy(message())
    change(scene, path, value)
    with pytest.raises(InvalidStateError, match=problem):
        game_of(2).view_from_scene(scene, 1)


def test_an_action_is_refused_between_the_actions():
    state = next(state for state in sample_states(2) if state.scene().phase == "tokens")
    scene = {**plain(state.scene()), "action": message()["action"]}
    with pytest.raises(InvalidStateError, match="action is 'given'; allowed: none in phase tokens"):
        state.game.state_from_scene(scene)


# ---- Moves -------------------------------------------------------------------------------------------------


def parts_of(state, text):
    return state.move_parts(state.parse_move(text))


def test_parts_of_the_moves_of_an_action():
    start = position(dice={"green": (1, 0, 3)}, hand={0: 1}, owned={0: ["The Sliding Die Box"]})
    assert parts_of(start, "roll") == {"verb": "roll"}
    assert parts_of(start, "use The Sliding Die Box") == {"verb": "use", "card": "The Sliding Die Box"}
    assert parts_of(start, "draft green from Kellar") == {"verb": "draft", "die": "green", "from": "Kellar"}
    state = after(start, "draft green from Kellar")
    assert parts_of(state, "end") == {"verb": "end"}
    assert parts_of(state, "place London") == {"verb": "place", "city": "London"}
    assert parts_of(state, "space cubes") == {"verb": "space", "space": "cubes"}
    assert parts_of(position(die="green Herrmann"), "tickets") == {"verb": "tickets"}
    state = position(die="green Thurston", cities={"Paris": "She"})
    assert parts_of(state, "take She") == {"verb": "take", "card": "She", "from": "Paris"}


def test_parts_of_what_cards_are_used_on():
    own = ["She", "The Spirit Cabinet", "Metamorphosis", "Walking Through a Wall", "Asrah", "Second Sight"]
    state = position(die="green Kellar", owned={0: own, 1: ["Psycho", "The Talking Skull", "The Milk Can Escape"]},
                     cities={"Paris": "Cups and Balls"}, tickets={0: ["Liverpool"], 1: ["Tokyo"]}, hand={0: 2},
                     cubes={0: 9})  # fmt: skip
    skull = after(state, "use The Spirit Cabinet")
    assert parts_of(skull, "copy The Talking Skull") == {
        "verb": "copy",
        "card": "The Talking Skull",
        "seat": 1,
    }
    play(skull, "copy The Talking Skull")
    assert parts_of(skull, "disable Psycho") == {"verb": "disable", "card": "Psycho", "seat": 1}
    can = after(state, "use The Spirit Cabinet", "copy The Milk Can Escape")
    assert parts_of(can, "move Cups and Balls") == {"verb": "move", "card": "Cups and Balls", "from": "Paris"}
    play(can, "move Cups and Balls")
    assert parts_of(can, "to London") == {"verb": "to", "card": "Cups and Balls", "city": "London"}
    she = after(state, "use She")
    assert parts_of(she, "from Liverpool") == {"verb": "from", "city": "Liverpool"}
    assert parts_of(play(she, "from Liverpool"), "to Naples") == {
        "verb": "to",
        "from": "Liverpool",
        "city": "Naples",
    }
    wall = after(state, "use Walking Through a Wall", "from Liverpool")
    assert parts_of(wall, "with seat 1 in Tokyo") == {
        "verb": "with",
        "from": "Liverpool",
        "seat": 1,
        "city": "Tokyo",
    }
    assert parts_of(after(state, "use Metamorphosis"), "points 3") == {"verb": "points", "points": 3}


def test_parts_of_trades_colours_flair_and_paths():
    own = ["The Light and Heavy Chest", "The Dyeing Tube", "She"]
    state = position(die="blue Kellar", owned={0: own}, cities={"Paris": "Psycho"}, hand={0: 1}, cubes={0: 9})
    chest = after(state, "use The Light and Heavy Chest")
    assert parts_of(chest, "give She") == {"verb": "give", "card": "She"}
    assert parts_of(play(chest, "give She"), "take Psycho") == {
        "verb": "take",
        "card": "Psycho",
        "from": "Paris",
    }
    tube = after(position(die="red Kellar", owned={0: own}), "use The Dyeing Tube")
    assert parts_of(tube, "green") == {"verb": "colour", "colour": "green"}
    cairo = after(state, "place Cairo")
    assert parts_of(cairo, "flair on She") == {"verb": "flair", "card": "She"}
    assert parts_of(cairo, "discard") == {"verb": "discard"}
    path = position(die="green Kellar", tickets={0: ["Naples", "Tokyo"]}, hand={0: 1})
    play(path, "place London")
    assert parts_of(path, "claim Naples-Tokyo-London") == {
        "verb": "claim",
        "bottom": "Naples",
        "middle": "Tokyo",
        "top": "London",
    }
    play(path, "claim Naples-Tokyo-London")
    assert parts_of(path, "deal Psycho") == {"verb": "deal", "card": "Psycho", "city": "London"}


def test_parts_of_chance():
    state = game_of(2).new_state()
    assert parts_of(state, "deal Psycho") == {"verb": "deal", "card": "Psycho", "city": "New York"}
    while state.scene().phase == "deal":
        state.play(state.legal_moves()[0])
    play(state, "token 3")
    assert parts_of(state, "token 2") == {"verb": "token", "seat": 1, "token": 2}
    play(state, "token 2", "roll")
    play(state, "blue 2-1-1")
    assert parts_of(state, "red 4-0-0") == {
        "verb": "throw",
        "die": "red",
        "Herrmann": 4,
        "Thurston": 0,
        "Kellar": 0,
    }


def test_every_verb_is_used_and_explained():
    states = [state for players in SEATS for state in sample_states(players)]
    used = {state.move_parts(move)["verb"] for state in states for move in state.legal_moves()}
    game = game_of(2)
    assert used <= {*game.VERBS}
    assert {*game.VERBS} - used <= {"disable", "give"}  # both are rare; the tests above have them
    assert [entry.name for entry in game.catalogue["verb"]] == list(game.VERBS)


# ---- The catalogue -----------------------------------------------------------------------------------------


def entry_of(game, kind, name):
    return next(entry for entry in game.catalogue[kind] if entry.name == name)


def test_the_catalogue_names_everything_that_has_a_name():
    game = game_of(2)
    for kind, label in [
        ("card",) * 2,
        ("city",) * 2,
        ("space",) * 2,
        ("master",) * 2,
        ("phase",) * 2,
        ("die", "colour"),
    ]:
        assert [entry.name for entry in game.catalogue[kind]] == list(game.labels[label])
    assert [entry.name for entry in game.catalogue["piece"]] == [
        "ticket",
        "cube",
        "flair token",
        "turn token",
    ]


def test_every_effect_has_a_text_and_a_short_one_for_drawings():
    assert {*TEXTS} == {*SHORT} == {*range(N_EFFECTS)}
    assert max(len(short_text(card)) for card in game_of(2).data.cards) <= 18


def test_the_catalogue_tells_what_a_card_does_and_costs():
    queen = entry_of(game_of(2), "card", "Queen of Flowers")
    assert queen.about == (
        "Put a ticket from your hand in an open yellow or blue city, and gain the reward of the city."
    )
    assert queen.facts == {
        "icons": ["green"],
        "size": "dog",
        "cost": 3,
        "most flair": 2,
        "effect": "place on a city",
        "colours": ["yellow", "blue"],
    }
    psycho = entry_of(game_of(2), "card", "Psycho")
    assert psycho.facts["cost"] == "X"
    assert psycho.about.endswith("Each point takes a cube; you choose how many.")


def test_the_catalogue_tells_the_rewards_and_neighbours_of_a_city():
    tokyo = entry_of(game_of(2), "city", "Tokyo")
    assert tokyo.about == "A black city in the middle row. A ticket that enters gains 1 flair token."
    assert tokyo.facts["neighbours"] == ["London", "Paris", "Vienna", "Lisbon", "Naples", "Mumbai"]
    assert entry_of(game_of(2), "city", "London").about == (
        "A green city in the top row. A path through it scores 10 points."
    )


def test_the_catalogue_tells_the_points_of_a_space():
    game = game_of(2)
    assert entry_of(game, "space", "dog").about == (
        "At the end a ticket here scores 1, 3, 6 or 10 points for 1, 2, 3 or at least 4 of its owner's cards "
        "of size dog."
    )
    assert "a point for each cube of its owner, at most 10" in entry_of(game, "space", "cubes").about


@pytest.fixture(scope="module")
def other_edition(tmp_path_factory):
    """Return a game with the board and the card of the example on the rules page."""
    own = Path(own_file("levitation")).read_text(encoding="utf-8")
    example = re.search(r"```toml\n(.*?)```", game_of(2).rules, re.DOTALL)[1]
    board, new_card = example[: example.index("[[cards]]")], example[example.index("[[cards]]") :]
    cards = re.split(r"(?=\[\[cards\]\])", own[own.index("[[cards]]") :])
    cards = [new_card if 'name = "Psycho"' in text else text for text in cards]
    start, end = own.index("[cities]"), own.index("[spaces]")
    path = tmp_path_factory.mktemp("edition") / "other.toml"
    spaces = own[end : own.index("[[cards]]")]
    path.write_text(own[:start] + board + spaces + "\n".join(cards), encoding="utf-8")
    return aiplay.load_game("levitation", data=str(path))


def test_a_data_file_gets_texts_of_its_own(other_edition):
    psycho = entry_of(other_edition, "card", "Psycho")
    assert psycho.facts["cost"] == 2
    assert psycho.about == (
        "Score a point for each black die off the board (drafted since the last roll, yours included)."
    )
    assert entry_of(other_edition, "city", "Rome").about == (
        "A blue or green city in the top row. A ticket that enters gains 1 flair token. "
        "A path through it scores 10 points."
    )
    bern = entry_of(other_edition, "city", "Bern")
    assert bern.about == (
        "A red or black city in the middle row. A ticket that enters gains 1 cube and 2 flair tokens. "
        "A path through it scores 3 points."
    )
    assert bern.facts["neighbours"] == ["Oslo", "Rome", "Bonn", "Pisa"]


def test_a_data_file_has_scenes_and_drawings(other_edition):
    table = aiplay.Table(other_edition, seed=2)
    player = aiplay.make_player("greedy", seed=2)
    while not table.over:
        assert other_edition.state_from_scene(plain(table.state.scene())) == table.state
        table.play(player.choose(table.view(table.to_move)))
    assert "Bern RK3p+2f+1c" in str(other_edition.new_state())
    assert "in cities that touch" in str(other_edition.new_state())


# ---- The drawing -------------------------------------------------------------------------------------------


def test_the_drawing_of_a_position():
    assert str(example()).splitlines() == [
        "Round 1/3, turn 1/4. Seat 0 uses She: move a ticket from Liverpool",
        "Herrmann (tickets) BRYKG, Thurston (card) BRYKG, Kellar (place) BBRRYYKKG off G",
        "B blue R red Y yellow K black G green, p points f flair c cubes, [seat] ticket",
        "top: a New York R8p, b London G10p, d Vienna Y8p, e Saint Petersburg K9p",
        "c Paris B9p Asrah KG hor 1c ticket to B/R city",
        "middle: a Boston Y1f, b Berlin R2f, c Tokyo K1f [1], d Istanbul G1f, e Cairo B2f",
        "bottom: a Liverpool B1c [0], b Lisbon K1c, c Naples R2c, d Mumbai Y2c, e Sydney",
        "    G1c",
        "seat 0: 7 points, 5 cubes (3 free), tickets 0 in hand 9 unused",
        "  She RG hor 2c move a ticket 2/3f used",
        "seat 1: 0 points (2 with spaces), 2 cubes, tickets 3 in hand 5 unused; spaces",
        "    cubes 2p",
        "  Psycho BK dog Xc 1p/black die off 0/1f disabled",
        "Path: your tickets in the 3 rows, each in the same column or the next",
    ]


def test_the_last_row_explains_point_spaces_when_a_ticket_may_go_there():
    state = position(die="green Kellar", hand={0: 1})
    tip = "Spaces score at the end: 1, 3, 6, 10p for 1 to 4 such cards, or 1p a piece"
    assert str(state).splitlines()[-1] == tip
    assert str(play(state, "space dog")).splitlines()[-1].startswith("Path: ")


@pytest.mark.parametrize("seed", range(4))
def test_the_drawing_of_two_seats_fits_a_terminal_and_shows_the_effects_of_own_cards(seed):
    table = aiplay.Table(game_of(2), seed=seed)
    player = aiplay.make_player("greedy", seed=seed)
    while not table.over:
        view = table.view(table.to_move)
        rows = str(view).splitlines()
        assert len(rows) <= HEIGHT == 24
        assert max(map(len, rows)) <= WIDTH == 80
        drawing = " ".join(str(view).split())
        numbers = {entry.name: number for number, entry in enumerate(view.game.data.cards)}
        for owned in view.scene().seats[view.seat].cards:
            assert owned.name in drawing
            assert short_text(view.game.data.cards[numbers[owned.name]]) in drawing
        table.play(player.choose(view))
    assert len(str(table.state).splitlines()) <= HEIGHT


@pytest.mark.parametrize("players", SEATS)
def test_every_phase_is_drawn(players):
    for state in sample_states(players):
        assert max(map(len, str(state).splitlines())) <= WIDTH
