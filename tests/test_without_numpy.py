"""A process that cannot import numpy, as in a browser: everything but arrays works, and arrays say what is missing."""

import subprocess
import sys

import pytest

from aiplay.registry import GAMES

BLOCKED = """
import sys
sys.modules["numpy"] = None  # as if it were not installed: importing it fails
import json
import aiplay
from aiplay.errors import PackageError
"""

PLAY = """
game = aiplay.load_game({game!r})
table = aiplay.Table(game, seed=1)
specs = ("mcts:iterations=20", "mcts:iterations=20,trees=2,threads=2", "expectimax:depth=1,worlds=2",
         "greedy:worlds=2,samples=2", "mixed:iterations=20", "random")
for spec in specs * 2:
    if table.over:
        break
    view = table.view(table.to_move)
    assert game.view_from_json(view.to_json()) == view
    assert game.view_from_scene(view.scene(), view.seat) == view
    assert game.state_from_json(table.state.to_json()) == table.state
    assert view.to_fields().keys() == game.FIELDS.keys()
    player = aiplay.make_player(spec, seed=1)
    analysis = player.analyse(view)
    move = player.choose(view)
    assert move in view.legal_moves() and len(analysis.moves) == len(view.legal_moves())
    assert view.find_move(view.move_parts(move)) == move
    table.play(move)
assert table.events(0) and game.catalogue and game.rules
assert aiplay.replay(table.record).state == table.state
broken = table.state.to_fields()
broken[next(iter(broken))] = None
try:
    game.state_from_json(json.dumps(broken))
except aiplay.InvalidStateError:
    print("done")
"""

ENGINE = """
import io
from aiplay.engine import serve
queries = [
    {"id": 1, "action": "games", "catalogue": True, "rules": True},
    {"id": 2, "action": "new_table", "game": "illusio", "table": "t", "seed": 1},
    {"id": 3, "action": "view", "table": "t"},
    {"id": 4, "action": "analyse", "table": "t", "player": "mcts:iterations=50"},
]
target = io.BytesIO()
serve(io.BytesIO(b"".join(json.dumps(query).encode() + b"\\n" for query in queries)), target)
answers = [json.loads(line) for line in target.getvalue().splitlines()]
assert [answer["ok"] for answer in answers] == [True] * 4, answers
print("done")
"""

ASKED = """
game = aiplay.load_game("pig")
table = aiplay.Table(game, seed=1)
view = table.view(table.to_move)
try:
    {asked}
except PackageError as problem:
    assert isinstance(problem, ImportError) and problem.name == "numpy"
    print(problem)
"""


def printed(code: str) -> str:
    """Run a program without numpy; return what it prints."""
    done = subprocess.run([sys.executable, "-c", BLOCKED + code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_without_numpy(game):
    assert printed(PLAY.format(game=game)) == "done"


def test_the_engine_answers_without_numpy():
    assert printed(ENGINE) == "done"


def test_the_host_of_the_page_and_matches_are_imported_without_numpy():
    assert printed('import aiplay.serve.host, aiplay.match, aiplay.testing; print("done")') == "done"


@pytest.mark.parametrize(
    "asked",
    [
        "table.state.fields",
        "game.dtype",
        "game.observation_layout",
        "view.observation()",
        "game.observations([view])",
        "game.to_array([table.state])",
        "game.playouts([table.state])",
        "aiplay.match.contests.points_by_deal([], 2)",
    ],
)
def test_what_returns_arrays_says_that_numpy_is_missing(asked):
    told = printed("import aiplay.match.contests\n" + ASKED.format(asked=asked))
    assert "need numpy, which is not installed" in told


def test_a_package_that_cannot_be_imported_is_not_called_missing(tmp_path):
    """The package is there, but a module that it needs is not: its own error is more useful."""
    (tmp_path / "half.py").write_text("import no_such_part")
    code = f"""
sys.path.append({str(tmp_path)!r})
from aiplay.lazy import LazyModule
try:
    LazyModule("half", "arrays").zeros
except ModuleNotFoundError as problem:
    print(problem.name)
"""
    assert printed(code) == "no_such_part"
