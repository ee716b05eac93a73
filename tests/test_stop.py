"""Every player ends its search when it is told to: by stop(), by Ctrl-C, by a time limit."""

import signal
import subprocess
import sys
import threading
import time

import pytest

import aiplay

# Each of these would take hours to come to an end by itself.
LONG = (
    "greedy:worlds=1000000,samples=1000000",
    "mcts:iterations=1000000000000,early_stop=no,solver=no",
    "mcts:iterations=1000000000000,early_stop=no,solver=no,threads=2",
    "mcts:iterations=1000000000000,early_stop=no,mode=pimc,worlds=1000",
    "expectimax:depth=10000",
    "expectimax:depth=10000,threads=2",
    "mixed:method=whole,positions=20000000,iterations=1000000000",
    "mixed:method=start,iterations=1000000000",
    "mixed:method=here,iterations=1000000000",
    "mixed:method=mcts,iterations=1000000000000",
)


def view_of(name, plies=0):
    table = aiplay.Table(aiplay.load_game(name), seed=3)
    stream = aiplay.RandomStream(1)
    while len(table.moves) < plies or len(table.legal_moves()) == 1:
        table.play(stream.choice(table.legal_moves()))
    return table.view(table.to_move)


@pytest.mark.parametrize("game", ["illusio", "levitation"])
@pytest.mark.parametrize("spec", LONG)
def test_stop_ends_every_search(spec, game):
    view, player, found = view_of(game), aiplay.make_player(spec, seed=1), []
    search = threading.Thread(target=lambda: found.append(player.choose(view)), daemon=True)
    search.start()
    search.join(0.1)
    give_up = time.monotonic() + 30
    while search.is_alive() and time.monotonic() < give_up:
        player.stop()  # again and again: a search that is just starting misses the first call
        search.join(0.02)
    assert found[0] in view.legal_moves()


@pytest.mark.parametrize("game", ["illusio", "levitation", "leduc_poker"])
def test_greedy_that_is_stopped_has_a_value_for_every_move(game):
    view = view_of(game, plies=3)
    player = aiplay.make_player("greedy:worlds=1000000,samples=1000000", seed=1)
    for seconds in (0.0, 0.01, 0.1):
        analysis = player.analyse(view, aiplay.Limit(time=seconds))
        assert sorted(move.move for move in analysis.moves) == view.legal_moves()
        assert all(0 <= move.value <= 1 for move in analysis.moves)
        assert analysis.worlds >= 1


def test_greedy_that_is_not_stopped_does_not_depend_on_the_time():
    view = view_of("illusio", plies=3)
    limits = (None, aiplay.Limit(time=1000))
    found = [aiplay.make_player("greedy", seed=1).analyse(view, limit).moves for limit in limits]
    assert found[0] == found[1]


def test_a_stop_does_not_reach_the_next_search():
    player, view = aiplay.make_player("greedy:worlds=32", seed=1), view_of("illusio", plies=3)
    player.stop()
    assert player.analyse(view).worlds == 32


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child")
@pytest.mark.parametrize("spec", LONG)
def test_ctrl_c_ends_every_search(spec):
    game = "levitation" if spec.startswith("expectimax") else "illusio"
    program = f"""
import aiplay
table = aiplay.Table(aiplay.load_game({game!r}), seed=3)
while len(table.legal_moves()) == 1:
    table.play(table.legal_moves()[0])
player = aiplay.make_player({spec!r}, seed=1)
print("ready", flush=True)
try:
    player.choose(table.view(table.to_move))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
        assert child.wait(30) == 0
