"""The same searches in WebAssembly and natively: visits and choices are equal, in every game and mode."""

import contextlib
import io
import json

import pytest
from wasm import PythonInNode

from aiplay.registry import GAMES

# Runs in both worlds and prints what it finds. A mode that a game does not have is an error in both.
PROGRAM = """
import json
import aiplay
from aiplay.errors import AiplayError

SPECS = [
    "mcts:iterations=400", "mcts:iterations=400,mode=single", "mcts:iterations=400,mode=several",
    "mcts:iterations=400,mode=team", "mcts:iterations=400,mode=pimc,worlds=8", "mcts:iterations=600,trees=3",
    "mcts:iterations=400,playout=random,prior=none,cutoff=-1", "expectimax:depth=2,worlds=4",
    "expectimax:nodes=3000,worlds=8,threads=2", "greedy:worlds=4",
    "mixed:iterations=200", "random",
]

def view_of(name, moves):
    table, player = aiplay.Table(aiplay.load_game(name), seed=moves), aiplay.make_player("random", seed=moves)
    while not table.over and (moves > 0 or len(table.legal_moves()) < 2):
        table.play(player.choose(table.view(table.to_move)))
        moves -= 1
    return None if table.over else table.view(table.to_move)

def searched(view, spec):
    try:
        analysis = aiplay.make_player(spec, seed=7).analyse(view)
    except AiplayError as problem:
        return str(problem)
    return [[move.text, move.visits, round(move.value, 9)] for move in analysis.moves] + [analysis.nodes]

found = {{}}
for name in {games!r}:
    for moves in (0, 5):
        view = view_of(name, moves)
        for spec in SPECS if view is not None else ():
            found[f"{{name}}, {{moves}} moves, {{spec}}"] = searched(view, spec)
    table = aiplay.Table(aiplay.load_game(name), seed=3)
    players = [aiplay.make_player("mcts:iterations=20", seed=seat) for seat in range(table.game.seats)]
    while not table.over and len(table.moves) < 200:
        table.play(players[table.to_move].choose(table.view(table.to_move)))
    found[f"{{name}}, a game"] = [table.moves, table.state.to_fields()]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    return PythonInNode(tmp_path_factory.mktemp("node"))


def test_searches_and_games_are_the_same_as_native(python):
    program = PROGRAM.format(games=list(GAMES))
    there, output = python.run(program), io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(program, "program", "exec"), {})
    here = json.loads(output.getvalue())
    assert len(here) > 8 * len(GAMES)
    assert {name: each for name, each in there.items() if each != here[name]} == {}
    assert there.keys() == here.keys()


def test_numpy_is_not_there_and_arrays_say_so(python):
    told = python.run(
        """
import json, aiplay
table = aiplay.Table(aiplay.load_game("pig"), seed=1)
try:
    table.state.fields
except aiplay.PackageError as problem:
    print(json.dumps(str(problem)))
"""
    )
    assert "need numpy" in told


def test_threads_that_are_not_there_change_nothing(python):
    program = """
import json, aiplay
view = aiplay.Table(aiplay.load_game("connect_four"), seed=1).view(0)
found = []
for spec in ("mcts:iterations=500,trees=3", "expectimax:depth=6"):
    each = [aiplay.make_player(f"{spec},threads={n}", seed=1).analyse(view) for n in (1, 3)]
    found.append([[(move.text, move.visits, move.value) for move in analysis.moves] for analysis in each])
print(json.dumps(found))
"""
    for one, three in python.run(program):
        assert one == three
