"""The example Liar's Dice: its rules, OpenSpiel's version of it, and players that can be read."""

import math
import runpy
import sys
from array import array
from pathlib import Path

import pytest

import aiplay
from aiplay._core.search.common.control import StopFlag
from aiplay._core.search.regret.gametree import GameTree
from aiplay.exploit.exact import gains
from aiplay.testing import check_game

FOLDER = Path(__file__).parents[1] / "examples" / "liars_dice"


@pytest.fixture(scope="module")
def liars_dice():
    sys.path.insert(0, str(FOLDER))
    try:
        import liars_dice

        yield liars_dice.LiarsDice
    finally:
        sys.path.remove(str(FOLDER))
        sys.modules.pop("liars_dice", None)


def played(game, *moves):
    state = game.new_state()
    for move in moves:
        state.play(f"roll {move}" if isinstance(move, int) else move)
    return state


@pytest.mark.parametrize("options", [{}, {"players": 4, "dice": 1}, {"dice": 5, "wild": False}, {"faces": 2}])
def test_it_keeps_the_contract(liars_dice, options):
    check_game(liars_dice(**options), games=10)


def test_bids_rise(liars_dice):
    state = played(liars_dice(dice=1, faces=3), 1, 3)
    assert state.to_move == 0
    assert [state.move_text(move) for move in state.legal_moves()] == [
        "1x1",
        "1x2",
        "1x3",
        "2x1",
        "2x2",
        "2x3",
    ]
    state.play("2x1")
    assert [state.move_text(move) for move in state.legal_moves()] == ["2x2", "2x3", "liar"]


def test_after_the_highest_bid_one_can_only_call(liars_dice):
    state = played(liars_dice(dice=1, faces=3), 1, 3, "2x3")
    assert [state.move_text(move) for move in state.legal_moves()] == ["liar"]


@pytest.mark.parametrize(
    ("wild", "bid", "returns"),
    [
        (True, "2x1", [1, -1]),  # a one, and a three that counts as a one
        (False, "2x1", [-1, 1]),
        (True, "1x3", [1, -1]),
        (True, "2x3", [-1, 1]),  # only the highest face counts for itself
        (True, "2x2", [-1, 1]),
    ],
)
def test_a_lie_loses_and_so_does_a_wrong_call(liars_dice, wild, bid, returns):
    state = played(liars_dice(dice=1, faces=3, wild=wild), 1, 3, bid, "liar")
    assert state.is_over
    assert state.returns() == returns


def test_with_more_seats_the_others_share_the_win(liars_dice):
    state = played(liars_dice(players=3, dice=1), 1, 1, 1, "2x1", "3x2", "liar")
    assert state.returns() == [0.5, -1, 0.5]


def test_a_seat_sees_its_own_dice_only(liars_dice):
    view = played(liars_dice(), 5, 2, 3, 3).view(0)
    assert str(view) == "dice 25 | ??  bids -"


def test_openspiel_finds_random_play_as_exploitable(liars_dice):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("liars_dice", {"numdice": 1, "dice_sides": 3})
    known = pyspiel.exploitability(theirs, pyspiel.UniformRandomPolicy(theirs))
    tree = GameTree(liars_dice(dice=1, faces=3), max_nodes=10_000, stop=StopFlag())
    uniform = array("d")
    for place in range(tree.n_infosets):
        n = len(tree.moves_of(place))
        uniform.extend([1 / n] * n)
    assert tree.n_merged == 0
    assert gains(tree, uniform).value == pytest.approx(known)


def test_a_solved_game_cannot_be_read_but_mcts_can(liars_dice):
    game = liars_dice(dice=1, faces=3)
    tree = GameTree(game, max_nodes=10_000, stop=StopFlag())
    tree.solve(StopFlag(), math.inf, math.inf, 300)
    strategies = {"mixed": array("d"), "mcts": array("d")}
    for place in range(tree.n_infosets):
        strategies["mixed"].extend(tree.average(place))
        policy = aiplay.make_player("mcts:iterations=200", seed=1).policy(tree.view(place))
        strategies["mcts"].extend(policy.get(move, 0.0) for move in tree.moves_of(place))
    assert gains(tree, strategies["mixed"]).value < 0.005
    assert gains(tree, strategies["mcts"]).value > 0.1


def test_the_example_plays_a_game(capsys):
    runpy.run_path(str(FOLDER / "liars_dice.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "liar" in printed
    assert "returns:" in printed
