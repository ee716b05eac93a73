"""Scenes, moves with parts, catalogue and rules of a game written in Python; all of them are optional."""

import importlib.util
import sys
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import pytest

import aiplay
from aiplay.catalogue import Entry
from aiplay.errors import InvalidStateError
from aiplay.parts import Verb
from aiplay.scene import Scene
from aiplay.testing import check_game

PILES = ("left", "right")


class Piles(NamedTuple):
    matches: tuple[int, int] = (2, 3)
    seat: int = 0


class Plain(aiplay.PythonGame):
    """Take matches from one of two piles; whoever takes the last one wins. Nothing for front ends."""

    name = "plain"
    seats, max_moves, max_depth = 2, 5, 5

    def setup(self) -> Piles:
        return Piles()

    def to_move(self, state):
        return state.seat if any(state.matches) else self.TERMINAL

    def legal_moves(self, state):  # 10 * pile + matches
        return [10 * pile + n + 1 for pile in (0, 1) for n in range(state.matches[pile])]

    def play(self, state, move):
        matches = list(state.matches)
        matches[move // 10] -= move % 10
        return Piles(tuple(matches), 1 - state.seat)

    def returns(self, state):
        return [float(seat != state.seat) for seat in (0, 1)]


class PilesScene(Scene):
    """The piles by names."""

    left: int
    right: int
    to_move: int


class Shown(Plain):
    """The same with everything for front ends."""

    VERBS: ClassVar[Mapping[str, Verb]] = {
        "take": Verb("{number} from the {pile}", "Take matches from a pile.")
    }

    def move_parts(self, position, move):
        return {"verb": "take", "pile": PILES[move // 10], "number": move % 10}

    def scene_type(self):
        return PilesScene

    def scene_of(self, position):
        state = position.fields
        return PilesScene(left=state.matches[0], right=state.matches[1], to_move=state.seat)

    def fields_of_scene(self, scene, seat):
        if scene.left < 0:
            raise InvalidStateError(f"the scene: left is {scene.left}; allowed: 0 or more")
        return [[scene.left, scene.right], scene.to_move]

    def things(self):
        return {"pile": [Entry(name=pile, about="A pile of matches.") for pile in PILES]}


@pytest.mark.parametrize("game", [Plain(), Shown()])
def test_a_game_with_and_without_scenes_keeps_the_contract(game):
    check_game(game, games=5)


def test_without_scenes_the_state_is_the_scene_and_the_notation_the_verb():
    state = Plain().new_state()
    assert state.scene() == ((2, 3), 0)
    assert state.game.state_from_scene([[2, 3], 0]) == state  # as JSON gives it
    assert state.game.state_from_scene(state.scene()) == state
    assert state.game.view_from_scene(state.scene(), 0) == state.view(0)
    assert state.move_parts(11) == {"verb": "11"}
    assert state.find_move({"verb": "11"}) == 11
    assert state.game.catalogue == {}
    assert state.game.rules == ""
    assert state.game.scene_schema["$defs"]["Piles"]["type"] == "array"


def test_a_game_can_show_itself_by_names():
    state = Shown().new_state()
    assert state.scene() == PilesScene(left=2, right=3, to_move=0)
    assert state.game.state_from_scene({"left": 2, "right": 3, "to_move": 0}) == state
    with pytest.raises(InvalidStateError, match="left is -1"):
        state.game.view_from_scene({"left": -1, "right": 3, "to_move": 0}, 0)
    assert state.game.scene_schema["$defs"]["PilesScene"]["required"] == ["left", "right", "to_move"]


def test_the_notation_is_made_from_the_parts():
    state = Shown().new_state()
    assert state.move_text(12) == "2 from the right"
    assert state.parse_move("2 from the right") == state.find_move({"pile": "right", "number": 2}) == 12


def test_the_catalogue_has_things_and_verbs():
    catalogue = Shown().catalogue
    assert [entry.name for entry in catalogue["pile"]] == ["left", "right"]
    assert [(entry.name, entry.about) for entry in catalogue["verb"]] == [
        ("take", "Take matches from a pile.")
    ]


def test_verbs_without_parts_get_a_clear_error():
    class Half(Plain):
        VERBS = Shown.VERBS

    with pytest.raises(NotImplementedError, match=r"Half\.move_parts: a game with VERBS needs it"):
        Half().new_state().move_text(11)


def test_the_rules_are_the_page_beside_the_module(tmp_path):
    source = "import aiplay\nclass Mine(aiplay.PythonGame):\n    name = 'mine'\n"
    (tmp_path / "mine.py").write_text(source)
    (tmp_path / "mine.md").write_text("# Mine\n")
    spec = importlib.util.spec_from_file_location("mine", tmp_path / "mine.py")
    sys.modules["mine"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.Mine().rules == "# Mine\n"
    del sys.modules["mine"]
