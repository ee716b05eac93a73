"""Magic Rabbit for front ends: scenes, moves with parts, the catalogue, the size of drawings."""

import json
from pathlib import Path

import msgspec
import pytest
from test_magic_rabbit import GAME, UNTIMED, deal, mixed, play

import aiplay
from aiplay.catalogue import find_entries
from aiplay.errors import IllegalMoveError, InvalidStateError
from aiplay.games.data_file import own_file

SIX = aiplay.load_game("magic_rabbit", piles=6)


def plain(position):
    return json.loads(msgspec.json.encode(position.scene()))


def parts(position, text):
    return position.move_parts(position.parse_move(text))


def six():
    """Six piles: seat 0 has lifted B, its pile went to D, and seat 0 is about to move a dove."""
    state = deal("123456", "654321", game=SIX)
    return play(state, "lift B", "dove A to C", "piles B D", "stay", "hats A E")


# ---- Scenes ------------------------------------------------------------------------------------------------


def test_the_scene_of_a_view_in_full():
    def pile(name, hat, rabbit=None, *, dove=False, lifted=(), hat_since=None, here_since=None):
        return {
            "name": name,
            "hat": hat,
            "rabbit": rabbit,
            "dove": dove,
            "lifted": [*lifted],
            "hat_since": hat_since,
            "here_since": here_since,
        }

    assert plain(six().view(0)) == {
        "piles": [
            pile("A", 5, hat_since=3),
            pile("B", 4, here_since=2),
            pile("C", 3, dove=True),
            pile("D", 2, 5, lifted=[{"seat": 0, "turn": 1}], here_since=2),
            pile("E", 1, hat_since=3),
            pile("F", 6, dove=True),
        ],
        "phase": "to move a dove",
        "first_seat": 0,
        "turns_played": 2,
        "log": [
            {
                "turn": 1,
                "seat": 0,
                "action": {"verb": "lift", "pile": "B"},
                "dove": {"verb": "dove", "from": "A", "to": "C"},
            },
            {
                "turn": 2,
                "seat": 1,
                "action": {"verb": "piles", "pile": "B", "with": "D"},
                "dove": {"verb": "stay"},
            },
            {"turn": 3, "seat": 0, "action": {"verb": "hats", "pile": "A", "with": "E"}, "dove": None},
        ],
        "rabbits_dealt": 6,
        "to_move": 0,
        "turns_left": 18,
        "seats": [{"has_seen": ["D"]}, {"has_seen": []}],
        "hats_hidden": False,
        "succeeded": None,
    }


def test_other_seats_see_another_rabbit_or_none():
    assert [pile["rabbit"] for pile in plain(six().view(1))["piles"]] == [None] * 6
    assert [pile["rabbit"] for pile in plain(six())["piles"]] == [6, 3, 4, 5, 2, 1]


def test_the_deal_has_no_seat_to_move_and_no_rabbits_in_views():
    state = SIX.new_state()
    for text in ("hat 3", "hat 2"):
        state.play(text)
    scene = state.scene()
    assert (scene.phase, scene.first_seat, scene.to_move) == ("deal", None, None)
    assert [pile.hat for pile in scene.piles] == [3, 2, None, None, None, None]
    for text in ("hat 1", "hat 4", "hat 5", "hat 6", "rabbit 2", "rabbit 4"):
        state.play(text)
    view = state.view(0)
    assert view.scene().rabbits_dealt == 2
    assert all(pile.rabbit is None for pile in view.scene().piles)
    assert SIX.view_from_scene(plain(view), 0) == view
    short = plain(state)
    del short["rabbits_dealt"]
    assert SIX.state_from_scene(short) == state


@pytest.mark.parametrize(("rabbits", "success"), [("123456789", True), ("132456789", False)])
def test_the_end_is_over_whether_the_turns_ran_out_or_a_seat_said_done(rabbits, success):
    timed = aiplay.load_game("magic_rabbit", turns=1)
    for game, last in ((UNTIMED, "done"), (timed, None)):
        state = play(deal("123456789", rabbits, game=game), "lift D", "stay")
        if last:
            state.play(last)
        scene = state.view(1).scene()
        assert (scene.phase, scene.to_move, scene.succeeded) == ("over", None, success)
        assert [str(pile.rabbit) for pile in scene.piles] == [*rabbits]
        assert game.view_from_scene(plain(state.view(1)), 1) == state.view(1)


def test_scenes_say_how_many_turns_are_left():
    assert mixed().scene().turns_left == 20
    assert play(mixed(), "lift D", "stay", "lift E").scene().turns_left == 19
    assert mixed(game=UNTIMED).scene().turns_left is None


def test_scenes_say_when_drawings_hide_the_hats_under_doves():
    game = aiplay.load_game("magic_rabbit", hats_hidden=True, turns=1)
    assert not game.new_state().scene().hats_hidden
    state = mixed(game=game)
    assert state.view(0).scene().hats_hidden
    assert not play(state, "lift D", "stay").view(0).scene().hats_hidden


def test_a_view_is_built_from_the_message_of_a_server():
    """Piles, log and turn are enough: the memory of the piles follows from the log."""
    message = {
        "piles": [
            {"hat": 5, "rabbit": None, "dove": False},
            {"hat": 4, "rabbit": None, "dove": False},
            {"hat": 3, "rabbit": None, "dove": True},
            {"hat": 2, "rabbit": 5, "dove": False},
            {"hat": 1, "rabbit": None, "dove": False},
            {"hat": 6, "rabbit": None, "dove": True},
        ],
        "phase": "to move a dove",
        "first_seat": 0,
        "turns_played": 2,
        "log": [
            {"action": {"verb": "lift", "pile": "B"}, "dove": {"verb": "dove", "to": "C", "from": "A"}},
            {"action": {"verb": "piles", "pile": "D", "with": "B"}, "dove": {"verb": "stay"}},
            {"action": {"verb": "hats", "pile": "A", "with": "E"}, "dove": None},
        ],
    }
    assert SIX.view_from_scene(message, 0) == six().view(0)


def test_the_log_may_be_that_of_the_whole_game():
    game = aiplay.load_game("magic_rabbit", turns=60, piles=6)
    state, stream, whole = deal("654321", "123456", game=game), aiplay.RandomStream(3), []
    for _ in range(50):
        whole.append({})
        for name in ("action", "dove"):
            move = stream.choice(state.legal_moves())
            whole[-1][name] = state.move_parts(move)
            state.play(move)
    scene = plain(state.view(1))
    assert len(scene["log"]) == 32
    assert scene["log"][0]["turn"] == 19
    assert game.view_from_scene(scene, 1) == state.view(1)
    short = {**scene, "log": whole}
    for pile in short["piles"]:
        for name in ("lifted", "hat_since", "here_since"):
            del pile[name]
    assert game.view_from_scene(short, 1) == state.view(1)
    with pytest.raises(InvalidStateError, match=r"piles\[0\]\.lifted is missing; .* a log of all 50 turns"):
        game.view_from_scene({**short, "log": whole[-32:]}, 1)


@pytest.mark.parametrize("game", [GAME, UNTIMED, SIX], ids=["nine", "untimed", "six"])
def test_lifts_may_be_given_in_any_order(game):
    tiles = "".join(map(str, range(1, game.options["piles"] + 1)))
    state = play(deal(tiles, tiles, game=game), "lift D", "stay", "lift D", "stay")
    scene = plain(state)
    scene["piles"][3]["lifted"].reverse()
    assert game.state_from_scene(scene) == state


def changed(scene, path, value):
    """The scene with another value at a path like ("piles", 0, "hat")."""
    target = scene
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    return scene


WRONG = [
    (("piles", 1, "hat"), 7, r"piles\[1\]\.hat is 7; allowed: 1 to 6"),
    (("piles", 1, "hat"), None, r"piles\[1\]\.hat is None; allowed: 1 to 6"),
    (("piles", 3, "rabbit"), 0, r"piles\[3\]\.rabbit is 0; allowed: 1 to 6"),
    (("piles", 3, "rabbit"), "white", r"expected .int | null., got .str. - at .\$\.piles\[\.\.\.\]\.rabbit"),
    (
        ("piles", 0, "rabbit"),
        2,
        "does not fit together: .*the rabbit of pile A is visible, but seat 0 cannot know",
    ),
    (("piles", 0, "name"), "B", r"piles\[0\]\.name is 'B'; the other entries make it 'A'"),
    (("piles", 0, "hats"), 1, "unknown field `hats`"),
    (("piles", 3, "lifted", 0, "seat"), 2, r"piles\[3\]\.lifted\[0\]\.seat is 2; allowed: 0 to 1"),
    (("piles", 3, "lifted", 0, "turn"), 0, r"piles\[3\]\.lifted\[0\]\.turn is 0; allowed: 1 to 200"),
    (("piles", 3, "lifted"), [], r"piles\[3\]\.lifted is \[\]; the other entries make it"),
    (("piles", 0, "hat_since"), 2, r"piles\[0\]\.hat_since is 2; the other entries make it 3"),
    (("piles", 1, "here_since"), 201, r"piles\[1\]\.here_since is 201; allowed: 1 to 200"),
    (("piles",), [], "piles has 0 entries; allowed: 6"),
    (("phase",), "dove", "invalid enum value 'dove'|Invalid enum value 'dove'"),
    (("phase",), "to act", "log has 3 turns; allowed: 2, the last ones, or all 2"),
    (("phase",), "deal", r"turns_played is 2; allowed: 0 to 0"),
    (("first_seat",), None, "first_seat is None; allowed: 0 to 1"),
    (("first_seat",), 2, "first_seat is 2; allowed: 0 to 1"),
    (("turns_played",), 21, "turns_played is 21; allowed: 0 to 20"),
    (("to_move",), 1, "to_move is 1; the other entries make it 0"),
    (("turns_left",), 20, "turns_left is 20; the other entries make it 18"),
    (("seats", 1, "has_seen"), ["A"], r"seats\[1\]\.has_seen is \['A'\]; the other entries make it \[\]"),
    (("log", 0, "seat"), 1, r"log\[0\]\.seat is 1; the other entries make it 0"),
    (
        ("log", 0, "action"),
        {"verb": "lift", "pile": "J"},
        r"log\[0\]\.action is .*; allowed: .* lift, hats, piles",
    ),
    (("log", 0, "action"), {"verb": "stay"}, r"log\[0\]\.action is .*; allowed: .* lift, hats, piles"),
    (("log", 1, "dove"), None, r"log\[1\]\.dove is None; allowed: .* dove, stay"),
    (("log", 1, "dove"), {"verb": "dove", "from": "A"}, r"log\[1\]\.dove is .*; allowed: .* dove, stay"),
    (("log", 2, "dove"), {"verb": "stay"}, r"log\[2\]\.dove is .*; allowed: None, it is to be decided"),
]


@pytest.mark.parametrize(("path", "value", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_a_wrong_entry_is_named(path, value, message):
    with pytest.raises(InvalidStateError, match="(?i)the scene.*" + message):
        SIX.view_from_scene(changed(plain(six().view(0)), path, value), 0)


def test_a_deal_with_a_first_seat_or_too_many_rabbits_is_refused():
    scene = plain(SIX.new_state())
    with pytest.raises(InvalidStateError, match="first_seat is 1; allowed in the deal: None"):
        SIX.state_from_scene({**scene, "first_seat": 1})
    with pytest.raises(InvalidStateError, match="rabbits_dealt is 1; allowed: 0 to 0"):
        SIX.state_from_scene({**scene, "rabbits_dealt": 1})


# ---- Moves with parts --------------------------------------------------------------------------------------


def test_the_parts_of_every_verb():
    state = SIX.new_state()
    assert parts(state, "hat 3") == {"verb": "hat", "hat": 3, "pile": "A"}
    for tile in "1234563":
        state.play(int(tile))
    assert parts(state, "rabbit 6") == {"verb": "rabbit", "rabbit": 6, "pile": "B"}
    for tile in "12456":
        state.play(int(tile))
    assert parts(state, "first seat 1") == {"verb": "first", "seat": 1}
    state.play("first seat 1")
    assert parts(state, "lift C") == {"verb": "lift", "pile": "C"}
    assert parts(state, "hats B E") == {"verb": "hats", "pile": "B", "with": "E"}
    assert parts(state, "piles B E") == {"verb": "piles", "pile": "B", "with": "E"}
    assert parts(mixed(game=UNTIMED), "done") == {"verb": "done"}
    state.play("lift C")
    assert parts(state, "stay") == {"verb": "stay"}
    assert parts(state, "dove A to D") == {"verb": "dove", "from": "A", "to": "D"}


def test_a_click_on_a_pile_finds_its_moves():
    view = mixed().view(0)
    assert view.find_move({"verb": "lift", "pile": "D"}) == view.parse_move("lift D")
    with pytest.raises(IllegalMoveError, match="no legal move has the parts"):
        view.find_move({"verb": "lift", "pile": "A"})
    with pytest.raises(IllegalMoveError, match="legal moves have the parts"):
        view.find_move({"pile": "D"})


# ---- The catalogue -----------------------------------------------------------------------------------------


def about(game, name):
    return find_entries(game.catalogue, name)[0][1].about


def test_the_catalogue_explains_everything_on_the_table():
    assert set(GAME.catalogue) == {"pile", "hat", "rabbit", "dove", "hourglass", "verb"}
    assert about(GAME, "hat 3") == "Lies face up on a pile; belongs on pile C, with rabbit 3 under it."
    assert about(GAME, "A") == (
        "Place 1 of the row, at the Magician's end: hat 1 and rabbit 1 belong here. A dove stands here at the start."
    )
    assert about(GAME, "dove").endswith("At the start: piles A, C, G and I.")
    assert (
        about(GAME, "hourglass") == "The game is over after 20 turns of all seats together, and not before."
    )
    assert "says that it is done" in about(UNTIMED, "hourglass")
    assert len(SIX.catalogue["pile"]) == len(SIX.catalogue["hat"]) == len(SIX.catalogue["rabbit"]) == 6


def test_the_catalogue_follows_the_data_file(tmp_path):
    text = Path(own_file("magic_rabbit")).read_text(encoding="utf-8")
    path = tmp_path / "doves.toml"
    path.write_text(text.replace("2 = [1, 3, 7, 9]", "2 = [2]"), encoding="utf-8")
    game = aiplay.load_game("magic_rabbit", data=str(path))
    assert about(game, "dove").endswith("At the start: pile B.")
    assert game.catalogue["dove"][0].facts == {"count": 1, "start": ["B"]}
    assert [entry.name for entry in game.catalogue["pile"] if entry.facts["dove at the start"]] == ["B"]


def test_without_doves_the_catalogue_has_none():
    assert "dove" not in aiplay.load_game("magic_rabbit", doves=False).catalogue


# ---- Drawings ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("turns", [0, 20, 200])
def test_drawings_fit_80_columns_and_leave_room_for_the_moves(seats, turns):
    table = aiplay.Table(aiplay.load_game("magic_rabbit", players=seats, turns=turns), seed=1)
    player = aiplay.make_player("random", seed=1)
    while not table.over:
        rows = str(table.view(0)).splitlines()
        assert max(map(len, rows)) <= 80
        assert len(rows) <= 13
        table.play(player.choose(table.view(table.to_move)))
