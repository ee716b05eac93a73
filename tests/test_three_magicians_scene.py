"""The Three Magicians for front ends: scenes, moves with parts, the catalogue, the size of drawings."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from test_three_magicians_states import OPTIONS, eager_states, won_by_duel
from three_magicians_positions import TAROT, duel, game_of, play, position

import aiplay
from aiplay._core.games.three_magicians.state import STAR, STEAL, TIE
from aiplay.catalogue import find_entries
from aiplay.errors import IllegalMoveError, InvalidStateError
from aiplay.games.data_file import own_file


def plain(position):
    return json.loads(msgspec.json.encode(position.scene()))


def parts(state, text):
    return state.move_parts(state.parse_move(text))


def fight():
    """Seat 1 throws second in a duel on the Mill: it keeps a 2, and has 1 1 in its second throw."""
    state = play(duel(options={"players": 2}), "throw 2 1 0", "keep 2", "throw 1 1", "keep 1")
    play(state, "throw 1", "stop")
    return play(state, "throw 2 0 0", "keep 2", "throw 1 1")


# ---- Scenes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_phase_has_a_scene_and_comes_back_from_it(options):
    phases = set()
    states = eager_states(options)
    rare = [state for state in states if state.fields["phase"] in (TIE, STAR, STEAL)]
    for state in states[::8] + rare[:40]:
        scene = plain(state)
        phases.add(scene["phase"])
        assert state.game.state_from_scene(scene) == state
        assert state.game.view_from_scene(scene, 1) == state.view(1)
        for move in state.legal_moves():
            assert state.find_move(state.move_parts(move)) == move
    assert phases >= {*game_of().labels["phase"]} - {"over"}


def test_the_scene_of_a_duel_in_full():
    def place(name, cards_left=1, magicians=(), apprentices=()):
        return {
            "name": name,
            "cards_left": cards_left,
            "magicians": [*magicians],
            "apprentices": [*apprentices],
        }

    assert plain(fight()) == {
        "phase": "duel keep",
        "turn": {"number": 31, "seat": 0, "jump": 0, "walk": 3, "another": False, "left": 569},
        "seats": [
            {"magician": "Mill", "apprentice": "Castle", "power": False, "cards": []},
            {"magician": "Mill", "apprentice": "Castle", "power": False, "cards": []},
        ],
        "symbols": [],
        "duel": {
            "challenger": 0,
            "rival": 1,
            "place": "Mill",
            "first_thrower": 0,
            "thrower": 1,
            "throws": 2,
            "kept_wands": 1,
            "kept_points": 2,
            "thrown": [1, 1],
            "goal": {"points": 4, "throws": 3},
        },
        "to_move": 1,
        "places": [
            place("Forest"),
            place("Magician"),
            place("Tower"),
            place("Castle", apprentices=[0, 1]),
            place("Sun"),
            place("Mill", magicians=[0, 1]),
            place("Moon"),
            place("Life", 0),
            place("Labyrinth", 0),
        ],
        "stones": [],
        "winners": None,
    }


def test_scenes_say_who_stands_on_which_stone_and_which_cards_are_left():
    scene = position(
        apprentices=["Life-Mill 2", "Sun-Mill 3", "Sun-Mill 3"], cards={0: ["Moon", "Sun"]}
    ).scene()
    assert [(stone.name, stone.apprentices) for stone in scene.stones] == [
        ("Life-Mill 2", [0]),
        ("Sun-Mill 3", [1, 2]),
    ]
    assert {place.name: place.cards_left for place in scene.places} == {
        **dict.fromkeys(TAROT, 2),
        "Sun": 1,
        "Moon": 1,
        "Life": 0,
        "Labyrinth": 0,
    }
    assert scene.seats[0].cards == ["Sun", "Moon"]


def test_before_the_first_turn_nobody_is_to_move():
    scene = game_of().new_state().scene()
    assert (scene.phase, scene.turn.seat, scene.to_move, scene.winners) == ("first", None, None, None)


def test_a_tie_names_its_symbols():
    state = play(position("1+0+1"), "walk Life-Mill 2", "magic", "star and empty")
    assert (state.scene().phase, state.scene().symbols, state.scene().to_move) == (
        "tie",
        ["star", "empty"],
        0,
    )


def test_the_end_names_its_winners():
    won, tied = won_by_duel(), position(n_turns=600, cards={0: ["Mill"], 2: ["Sun"]})
    assert (won.scene().phase, won.scene().to_move, won.scene().winners) == ("over", None, [0])
    assert (tied.scene().phase, tied.scene().winners) == ("over", [0, 2])
    for state in (won, tied):
        assert state.game.state_from_scene(plain(state)) == state


def test_a_view_is_built_from_the_message_of_a_server():
    message = {
        "phase": "duel keep",
        "turn": {"number": 31, "seat": 0, "walk": 3},
        "seats": [
            {"magician": "Mill", "apprentice": "Castle", "cards": []},
            {"magician": "Mill", "apprentice": "Castle", "cards": []},
        ],
        "duel": {
            "rival": 1,
            "first_thrower": 0,
            "thrower": 1,
            "throws": 2,
            "kept_wands": 1,
            "kept_points": 2,
            "thrown": [1, 1],
            "goal": {"points": 4, "throws": 3},
        },
    }
    game = game_of(players=2)
    view = game.view_from_scene(message, 1)
    assert view == fight().view(1)
    assert view.move_text(view.find_move({"verb": "keep", "wands": "1"})) == "keep 1"


def test_lists_may_be_in_any_order():
    state = position(cards={0: ["Forest", "Sun", "Moon"]}, apprentices=["Life-Mill 2", "Life-Mill 2"])
    scene = plain(state)
    scene["seats"][0]["cards"].reverse()
    scene["stones"][0]["apprentices"].reverse()
    assert state.game.state_from_scene(scene) == state


def changed(scene, path, value):
    """The scene with another value at a path like ("seats", 0, "magician")."""
    target = scene
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    return scene


WRONG = [
    (
        ("seats", 1, "magician"),
        "Life-Mill 2",
        "seats[1].magician is 'Life-Mill 2'; allowed: Forest, Magician, ",
    ),
    (("seats", 1, "apprentice"), "Cave", "seats[1].apprentice is 'Cave'; allowed: Forest, Magician, "),
    (("seats", 0, "cards"), ["Life"], "seats[0].cards[0] is 'Life'; allowed: Forest, Magician, Tower, "),
    (("seats", 0, "cards"), ["Sun", "Sun"], "seats[0].cards[1] is 'Sun', which is there twice"),
    (("seats", 0, "card"), ["Sun"], "unknown field `card`"),
    (("seats",), [], "seats has 0 entries; allowed: 2"),
    (("seats", 1, "magician"), "Sun", "does not fit together: field 'magicians' "),
    (("turn", "number"), 601, "turn.number is 601; allowed: 0 to 600"),
    (("turn", "seat"), 2, "turn.seat is 2; allowed: 0 to 1"),
    (("turn", "seat"), None, "turn.seat is None; allowed: 0 to 1"),
    (("turn", "jump"), 3, "turn.jump is 3; allowed: 0 to 2"),
    (("turn", "walk"), 7, "turn.walk is 7; allowed: 0 to 6"),
    (("turn", "left"), 1, "turn.left is 1; the other entries make it 569"),
    (("phase",), "duel", "Invalid enum value 'duel'"),
    (("phase",), "move", "allowed in the phase 'move': None"),
    (("phase",), "first", "turn.seat is 0; allowed before anybody has begun: None"),
    (("symbols",), ["moon"], "symbols[0] is 'moon'; allowed: star, arrow, empty"),
    (("duel",), None, "duel is None; allowed in the phase 'duel keep': a duel"),
    (("duel", "rival"), 2, "duel.rival is 2; allowed: 0 to 1"),
    (("duel", "thrower"), 2, "duel.thrower is 2; allowed: 0 or 1"),
    (
        ("duel", "first_thrower"),
        1,
        "duel.goal is Goal(points=4, throws=3); allowed: None for the first thrower",
    ),
    (("duel", "goal"), None, "duel.goal is None; allowed: points and throws of the first thrower"),
    (("duel", "goal", "points"), 7, "duel.goal.points is 7; allowed: 0 to 6"),
    (("duel", "goal", "throws"), 0, "duel.goal.throws is 0; allowed: 1 to 3"),
    (("duel", "throws"), 4, "duel.throws is 4; allowed: 0 to 3"),
    (("duel", "kept_wands"), 3, "duel.kept_wands is 3; allowed: 0 to 2"),
    (("duel", "kept_points"), 5, "duel.kept_points is 5; allowed: 0 to 4"),
    (("duel", "thrown"), [1, 3], "duel.thrown[1] is 3; allowed: 0 to 2"),
    (("duel", "thrown"), [1], "does not fit together: field 'thrown' "),
    (("duel", "place"), "Sun", "duel.place is 'Sun'; the other entries make it 'Mill'"),
    (("duel", "challenger"), 1, "duel.challenger is 1; the other entries make it 0"),
    (("to_move",), 0, "to_move is 0; the other entries make it 1"),
    (("winners",), [0], "winners is [0]; the other entries make it None"),
    (("places", 3, "cards_left"), 2, "places[3].cards_left is 2; the other entries make it 1"),
]


@pytest.mark.parametrize(("path", "value", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_a_wrong_entry_is_named(path, value, message):
    with pytest.raises(InvalidStateError, match="the scene.*" + re.escape(message)):
        game_of(players=2).view_from_scene(changed(plain(fight()), path, value), 0)


def test_a_game_is_not_over_before_its_last_turn():
    scene = {**plain(position()), "phase": "over"}
    with pytest.raises(InvalidStateError, match="phase is 'over'; the other entries make it 'throw'"):
        game_of().state_from_scene(scene)


# ---- Moves with parts --------------------------------------------------------------------------------------


def test_the_parts_of_every_verb():
    assert parts(game_of().new_state(), "seat 2 begins") == {"verb": "begin", "seat": 2}
    assert parts(position(), "throw 2+3") == {"verb": "throw", "own": 2, "others": 3}
    assert parts(position(), "throw 1+1+1") == {"verb": "triplet", "notches": 1}
    state = position("1+0+1")
    assert parts(state, "jump Mill") == {"verb": "jump", "from": "Life", "to": "Mill"}
    assert parts(state, "walk Life-Mill 2") == {"verb": "walk", "from": "Life", "to": "Life-Mill 2"}
    assert parts(state, "end") == {"verb": "end"}
    play(state, "walk Life-Mill 2")
    assert parts(state, "magic") == {"verb": "magic"}
    assert parts(state, "no magic") == {"verb": "no magic"}
    play(state, "magic")
    assert parts(state, "star and empty") == {"verb": "symbols", "symbols": "star and empty"}
    assert parts(state, "arrow") == {"verb": "symbols", "symbols": "arrow"}
    play(state, "star and empty")
    assert parts(state, "star") == {"verb": "choose", "symbol": "star"}
    play(state, "star")
    assert parts(state, "go Moon") == {"verb": "go", "to": "Moon"}
    assert parts(state, "stay") == {"verb": "stay"}
    meeting = play(position("1+0+0", apprentices=["Mill"], cards={1: ["Mill"], 2: ["Mill"]}), "jump Mill")
    assert parts(meeting, "take from seat 2") == {"verb": "take", "card": "Mill", "seat": 2}
    assert parts(duel(), "throw 2 1 0") == {"verb": "duel throw", "wands": "2 1 0"}
    assert parts(fight(), "keep 1") == {"verb": "keep", "wands": "1"}
    assert parts(fight(), "stop") == {"verb": "stop"}


def test_a_click_on_a_figure_and_a_spot_finds_the_move():
    view = position("1+0+1").view(0)
    assert view.find_move({"to": "Life-Mill 2"}) == view.parse_move("walk Life-Mill 2")
    with pytest.raises(IllegalMoveError, match="no legal move has the parts"):
        view.find_move({"verb": "jump", "to": "Moon"})
    with pytest.raises(IllegalMoveError, match="legal moves have the parts"):
        view.find_move({"from": "Life"})


# ---- The catalogue -----------------------------------------------------------------------------------------


def about(game, kind, name):
    return next(entry.about for found, entry in find_entries(game.catalogue, name) if found == kind)


def test_the_catalogue_explains_everything_on_the_table():
    game = game_of()
    assert set(game.catalogue) == {"place", "stone", "card", "figure", "token", "wand", "symbol", "verb"}
    assert [entry.name for entry in game.catalogue["place"]] == [*game.labels["place"]]
    assert [entry.name for kind in ("place", "stone") for entry in game.catalogue[kind]] == [
        *game.labels["spot"]
    ]
    assert about(game, "place", "Mill").startswith("Has 2 tarot cards.")
    assert "a triple 2 frees" in about(game, "place", "Labyrinth")
    assert about(game, "stone", "Life-Mill 1") == (
        "Stepping stone 1 of 3 on the way from Life to Mill, for Apprentices only."
    )
    assert about(game, "stone", "Life-Mill 2").endswith("may throw the wands for magic.")
    assert about(game, "symbol", "arrow") == (
        "Seen most often in a throw for magic: the Apprentice gains the Power token."
    )
    assert "or it stays" in about(game, "symbol", "star")
    assert "It may stay." in about(game, "figure", "Apprentice")


def test_the_chances_of_symbols_are_those_of_the_rules_page():
    assert [entry.facts["alone in"] for entry in game_of().catalogue["symbol"]] == ["6 of 27 throws"] * 3
    with_fate = game_of(fate_on_tie=True).catalogue["symbol"]
    assert [entry.facts["alone in"] for entry in with_fate][
        2
    ] == "8 of 27 throws"  # two ties of two, 1/27 each


def test_the_catalogue_follows_the_options():
    game = game_of(players=2, labyrinth_exit="1or2", fate_on_tie=True, apprentice_must_move=True)
    assert about(game, "place", "Mill").startswith("Has 1 tarot card.")
    assert "a triple 1 or a triple 2 frees" in about(game, "place", "Labyrinth")
    assert about(game, "symbol", "empty").endswith("It also wins a tie with one other symbol.")
    assert "It has to walk if it can." in about(game, "figure", "Apprentice")
    assert "belongs to no seat" in about(game, "wand", "wand 3")


@pytest.fixture
def own_game(tmp_path):
    """A game with another name for the Labyrinth and other wands."""
    text = Path(own_file("three_magicians")).read_text(encoding="utf-8")
    text = text.replace('"Labyrinth"', '"Dungeon"').replace("notches = [0, 1, 2]", "notches = [1, 2, 2]")
    text = text.replace('["Life", "Mill", "o*o"]', '["Life", "Mill", "**"]')
    text = re.sub(
        r"symbols = .*?\]\]", 'symbols = [[["star"]], [["arrow"], ["star", "empty"]], [["empty"]]]', text
    )
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    return aiplay.load_game("three_magicians", data=str(path))


def test_the_catalogue_follows_the_data_file(own_game):
    assert "no move leads in" in about(own_game, "place", "Dungeon")
    assert "goes to the Dungeon" in about(own_game, "symbol", "empty")
    assert about(own_game, "stone", "Life-Mill 1") == (
        "Stepping stone 1 of 2 on the way from Life to Mill, for Apprentices only. "
        "An Apprentice that ends its walk here may throw the wands for magic."
    )
    assert about(own_game, "wand", "wand 1") == (
        "One of three, the wand of seat 0. Shows 1, 2 or 2 notches, all equally likely; thrown for magic, star."
    )
    assert about(own_game, "wand", "wand 2").endswith("thrown for magic, arrow or star and empty.")
    assert own_game.catalogue["wand"][1].facts["symbols"] == [["arrow"], ["star", "empty"]]


def test_scenes_follow_the_data_file(own_game):
    scene = plain(own_game.new_state())
    assert scene["places"][-1]["name"] == "Dungeon"
    scene["seats"][0]["magician"] = "Labyrinth"
    with pytest.raises(InvalidStateError, match=r"is 'Labyrinth'; allowed: .*, Dungeon"):
        own_game.state_from_scene(scene)


# ---- Drawings ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_drawings_fit_80_columns_and_leave_room_for_the_moves(options):
    for state in eager_states(options):
        rows = str(state).splitlines()
        assert max(map(len, rows)) <= 80
        assert len(rows) <= 19 + (state.game.seats > 2)


def test_a_wide_board_has_its_legend_below(tmp_path):
    text = Path(own_file("three_magicians")).read_text(encoding="utf-8")
    path = tmp_path / "wide.toml"
    path.write_text(text.replace('"Tower"', '"Tower of all the Winds and Storms"'), encoding="utf-8")
    rows = str(aiplay.load_game("three_magicians", data=str(path)).new_state()).splitlines()
    assert "M0  Magician of seat 0" in rows
