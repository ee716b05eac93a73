"""A fresh process: what it imports before its first move. (bench/first_move.py measures how long that takes.)"""

import subprocess
import sys

import pytest

from aiplay.registry import GAMES

# Each of these takes as long to import as everything else together, and is needed by few programs.
HEAVY = {"dataclasses", "importlib.metadata", "inspect", "msgspec", "numpy", "rich", "typer"}

PLAY = """
import sys, aiplay
game = aiplay.load_game({game!r})
table = aiplay.Table(game, seed=1)
for spec in ("mcts:iterations=50", "mcts:iterations=50,threads=2", "expectimax:depth=1", "greedy:worlds=2", "random"):
    if table.over:
        break
    view = table.view(table.to_move)
    assert view.legal_moves() == table.legal_moves()
    player = aiplay.make_player(spec, seed=1)
    table.play(player.choose(view))
{more}
print(*sorted(sys.modules))
"""


def modules_after(game, more=""):
    code = PLAY.format(game=game, more=more)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("game", GAMES)
def test_a_table_and_every_player_need_no_heavy_module(game):
    modules = modules_after(game)
    assert f"aiplay.games.{game}" in modules
    assert not HEAVY & modules


@pytest.mark.parametrize(
    "more",
    [
        "table.state.fields",
        "game.dtype",
        "table.view(0).observation()",
        "game.to_array([table.state])",
        "game.playouts([table.state])",
    ],
)
def test_numpy_is_imported_by_what_returns_numpy(more):
    assert "numpy" in modules_after("pig", more)


def test_plain_fields_need_no_numpy():
    assert "numpy" not in modules_after("pig", "table.state.to_fields()")


def test_entry_points_are_read_for_names_that_are_not_built_in():
    assert "importlib.metadata" in modules_after("pig", "aiplay.game_names()")
