"""Limits, stop, Ctrl-C, progress, errors, memory and options of mcts."""

import contextlib
import math
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import toys

import aiplay
from aiplay.errors import IllegalMoveError, PlayerSpecError

LONG = 600  # seconds; a search with this limit that is over sooner was ended by something else


def start_view(name: str = "connect_four") -> aiplay.View:
    table = aiplay.Table(aiplay.load_game(name), seed=1)
    return table.view(table.to_move)


# ---- Limits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["connect_four", "pig", "leduc_poker"])
@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_the_time_limit_is_kept(name, seconds):
    player = aiplay.make_player(f"mcts:time={seconds},early_stop=no", seed=1)
    started = time.perf_counter()
    analysis = player.analyse(start_view(name))
    passed = time.perf_counter() - started
    assert seconds <= analysis.seconds <= passed  # how late it may end: test_time_limits.py
    assert analysis.iterations >= 1
    assert analysis.best in start_view(name).legal_moves()


@pytest.mark.parametrize("spec", ["", ",trees=3", ",mode=pimc", ",trees=4,threads=2"])
@pytest.mark.parametrize("iterations", [1, 2, 37, 500])
@pytest.mark.parametrize("name", ["connect_four", "leduc_poker"])
def test_the_number_of_iterations_is_exact(name, iterations, spec):
    player = aiplay.make_player(f"mcts:iterations={iterations}{spec}", seed=1)
    analysis = player.analyse(start_view(name))
    assert analysis.iterations == iterations


@pytest.mark.parametrize("name", ["connect_four", "pig", "leduc_poker"])
@pytest.mark.parametrize("spec", ["", ",trees=2", ",mode=several"])
def test_the_node_limit_is_kept(name, spec):
    for nodes in (1, 100, 3000):
        analysis = aiplay.make_player(f"mcts:nodes={nodes}{spec}", seed=1).analyse(start_view(name))
        assert analysis.iterations <= nodes + 1
        # The last iteration of each tree may add a node for every move between two decisions.
        assert analysis.nodes <= nodes + 20


def test_a_search_with_a_node_limit_ends_even_if_the_tree_stays_small():
    table = aiplay.Table(toys.Kuhn(), seed=1)
    analysis = aiplay.make_player("mcts:nodes=2000", seed=1).analyse(table.view(0))
    assert analysis.nodes < 100
    assert analysis.iterations == 2000


def test_the_first_limit_reached_ends_the_search():
    player = aiplay.make_player("mcts:time=60,iterations=50", seed=1)
    assert player.analyse(start_view()).iterations == 50
    limit = aiplay.Limit(iterations=10**9, time=0.02)
    assert 1 <= player.analyse(start_view(), limit).iterations < 10**9


def test_a_caller_can_give_a_limit_for_one_move():
    player = aiplay.make_player("mcts:iterations=50", seed=1)
    assert player.analyse(start_view(), aiplay.Limit(iterations=70)).iterations == 70
    assert player.analyse(start_view()).iterations == 50


# ---- Stop --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [f"time={LONG}", "iterations=10000000000", f"time={LONG},threads=2", f"time={LONG},mode=pimc"],
)
def test_stop_ends_a_search_from_another_thread(spec):
    player = aiplay.make_player(f"mcts:{spec},early_stop=no", seed=1)
    view = start_view("leduc_poker" if "pimc" in spec else "connect_four")
    timer = threading.Timer(0.1, player.stop)
    timer.start()
    started = time.perf_counter()
    move = player.choose(view)
    assert time.perf_counter() - started < LONG
    assert move in view.legal_moves()


class StopsAtOnce(toys.Kuhn):
    """Stops its player from within its first call, before the first iteration."""

    player = None

    def legal_moves(self, state):
        if self.player is not None:
            self.player.stop()
            self.player = None
        return super().legal_moves(state)


@pytest.mark.parametrize("spec", ["", ",threads=2", ",mode=pimc"])
def test_stop_before_the_first_iteration_still_gives_a_move(spec):
    game = StopsAtOnce()
    view = aiplay.Table(game, seed=1).view(0)
    game.player = aiplay.make_player(f"mcts:time={LONG}{spec}", seed=1)
    analysis = game.player.analyse(view)
    assert analysis.seconds < LONG
    assert analysis.best in (0, 1)
    assert len(analysis.moves) == 2
    assert analysis.line[0] == analysis.moves[0].text


def test_a_late_stop_does_not_end_the_next_search():
    player = aiplay.make_player("mcts:iterations=100", seed=1)
    player.choose(start_view())
    player.stop()
    assert player.analyse(start_view()).iterations == 100


# ---- Ctrl-C ------------------------------------------------------------------------------------------------

INTERRUPTED = """
import aiplay
game = aiplay.load_game("connect_four")
player = aiplay.make_player({spec!r}, seed=1)
try:
    print("ready", flush=True)
    player.choose(game.new_state().view(0))
except KeyboardInterrupt:
    import threading
    print("interrupted", threading.active_count(), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("spec", ["mcts:time=100000", "mcts:iterations=100000000000,threads=2"])
def test_ctrl_c_ends_a_search(spec):
    code = INTERRUPTED.format(spec=spec)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        answer, _ = process.communicate(timeout=LONG)
    assert answer == "interrupted 1\n"  # and no thread is left behind
    assert process.returncode == 0


# ---- Progress ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["", ",threads=2", ",trees=4,threads=2"])
def test_progress_reports_the_analysis_so_far(spec):
    seen = []
    player = aiplay.make_player(f"mcts:time={LONG}{spec}", seed=1)

    def look(analysis):
        seen.append(analysis)
        if len(seen) == 4:
            player.stop()

    final = player.analyse(start_view(), progress=look, every=0.05)
    assert len(seen) >= 4
    assert not any(analysis.is_final for analysis in seen)
    assert final.is_final
    counts = [analysis.iterations for analysis in seen]
    assert counts == sorted(counts)
    assert 0 < counts[-1] <= final.iterations
    assert {len(analysis.moves) for analysis in seen} == {7}
    seconds = [analysis.seconds for analysis in seen]
    assert seconds == sorted(seconds)
    assert seconds[-1] <= final.seconds


def test_progress_does_not_change_the_result():
    answers = []
    for progress, every in ((None, 0.5), (lambda analysis: None, 0.0005), (lambda analysis: None, 0.01)):
        player = aiplay.make_player("mcts:iterations=30000", seed=5)
        answers.append(player.analyse(start_view(), progress=progress, every=every).moves)
    assert answers[0] == answers[1] == answers[2]


def test_progress_may_stop_the_search():
    player = aiplay.make_player(f"mcts:time={LONG}", seed=1)
    analysis = player.analyse(start_view(), progress=lambda analysis: player.stop(), every=0.02)
    assert analysis.seconds < LONG
    assert analysis.is_final


@pytest.mark.parametrize("every", [0, -1, math.nan])
def test_progress_needs_a_positive_interval(every):
    with pytest.raises(ValueError, match="every"):
        aiplay.make_player("mcts:time=1").analyse(start_view(), progress=print, every=every)


# ---- Errors in callbacks and games -----------------------------------------------------------------------------


def is_quiet() -> bool:
    """True if no thread of a search is left (other libraries may keep threads)."""
    return not any(thread.name.startswith("mcts-") for thread in threading.enumerate())


@pytest.mark.parametrize("spec", ["", ",threads=2"])
def test_an_error_in_a_callback_ends_the_search(spec):
    player = aiplay.make_player(f"mcts:time=60{spec}", seed=1)

    def fail(analysis):
        raise ZeroDivisionError("in the callback")

    with pytest.raises(ZeroDivisionError, match="in the callback"):
        player.analyse(start_view(), progress=fail, every=0.01)
    assert is_quiet()
    assert player.analyse(start_view(), aiplay.Limit(iterations=10)).iterations == 10


METHODS = ("to_move", "legal_moves", "play", "returns", "perceive", "determinise", "conceal")


class FailsLater(toys.Kuhn):
    """Counts the calls of one method, `watched`, which raises after `allowed` calls."""

    watched, calls, allowed = "", 0, math.inf

    def watch(self, method, allowed):
        self.watched, self.calls, self.allowed = method, 0, allowed

    def called(self, method, *args):
        if method == self.watched:
            self.calls += 1
            if self.calls > self.allowed:
                raise ArithmeticError(f"{method} is broken")
        return getattr(toys.Kuhn, method)(self, *args)


for _method in METHODS:
    setattr(FailsLater, _method, lambda self, *args, _method=_method: self.called(_method, *args))


@pytest.mark.parametrize("spec", ["", ",threads=2", ",mode=several", ",mode=pimc", ",cutoff=1"])
@pytest.mark.parametrize("method", METHODS)
def test_an_error_in_a_game_is_raised(method, spec):
    game = FailsLater()
    view = aiplay.Table(game, seed=1).view(0)
    spec = f"mcts:iterations=300{spec}"
    for _ in range(2):  # facts about the game are cached, so the second search counts
        game.watch(method, math.inf)
        aiplay.make_player(spec, seed=1).analyse(view)
    n_calls = game.calls
    assert n_calls > 0 or (method == "perceive" and "pimc" in spec) or method == "conceal"
    for allowed in {0, 1, 7, n_calls // 2, n_calls - 1 - 20 * ("threads" in spec)}:
        if not 0 <= allowed < n_calls:
            continue
        game.watch(method, allowed)
        player = aiplay.make_player(spec, seed=1)
        with pytest.raises(ArithmeticError, match=f"{method} is broken"):
            player.analyse(view)
        assert is_quiet()
        game.watch(method, math.inf)
        assert player.analyse(view).iterations == 300


def test_an_error_stays_in_its_thread():
    """A thread that goes on after another's error must not be given harmless values in place of true ones."""
    interval = sys.getswitchinterval()
    game = FailsLater()
    view = aiplay.Table(game, seed=1).view(0)
    try:
        sys.setswitchinterval(1e-6)
        for allowed in range(30, 430):
            game.watch("legal_moves", allowed)
            with contextlib.suppress(ArithmeticError):  # any other error comes from a value that was not true
                aiplay.make_player("mcts:iterations=300,threads=2", seed=1).analyse(view)
    finally:
        sys.setswitchinterval(interval)


def test_a_view_without_a_choice_is_an_error():
    state = aiplay.load_game("connect_four").new_state()
    player = aiplay.make_player("mcts:iterations=10")
    for call in (player.choose, player.analyse):
        with pytest.raises(IllegalMoveError, match="it is the turn of seat 0"):
            call(state.view(1))
    for column in (0, 1, 0, 1, 0, 1, 0):
        state.play(column)
    for call in (player.choose, player.analyse):
        for seat in (0, 1):
            with pytest.raises(IllegalMoveError, match="the game is over"):
                call(state.view(seat))


def test_one_legal_move_is_answered_at_once():
    game = aiplay.load_game("pig")
    state = aiplay.Table(game, seed=1).state
    text = (
        state.to_json()
        .replace('"turn_total":0', '"turn_total":100')
        .replace('"n_decisions":0', '"n_decisions":50')
    )
    view = game.state_from_json(text).view(0)
    assert len(view.legal_moves()) == 1
    player = aiplay.make_player(f"mcts:time={LONG}")
    assert player.choose(view) == view.legal_moves()[0]
    analysis = player.analyse(view)
    assert player.iterations_spent == analysis.iterations == 0
    assert analysis.best == view.legal_moves()[0]
    assert len(analysis.line) == 1


# ---- Memory ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["connect_four", "pig", "leduc_poker"])
@pytest.mark.parametrize("spec", ["", ",trees=3", ",mode=several", ",mode=pimc"])
def test_memory_is_a_cap_and_the_search_goes_on(name, spec):
    view = start_view(name)
    sizes = []
    for iterations in (30_000, 60_000) if name == "connect_four" else (15_000, 30_000):
        player = aiplay.make_player(f"mcts:memory=1,iterations={iterations}{spec}", seed=1)
        analysis = player.analyse(view)
        sizes.append(analysis.nodes)
        assert analysis.iterations == iterations
        assert analysis.best in view.legal_moves()
    smallest = 32  # bytes of a node without edges
    assert sizes[1] * smallest <= 2**20 * (32 if "pimc" in spec else 1)
    if name == "connect_four":
        assert sizes[0] == sizes[1]  # full
        assert sizes[0] < 15_000


@pytest.mark.parametrize("spec", ["", ",trees=3", ",trees=3,threads=3"])
def test_memory_is_a_cap_while_trees_are_reused(spec):
    """The old trees are given back when parts of them are taken over: never two sets of trees."""
    table, player = aiplay.Table(aiplay.load_game("connect_four"), seed=1), None
    player = aiplay.make_player(f"mcts:memory=1,iterations=20000{spec}", seed=1)
    while not table.over:
        before = list(player._previous)
        table.play(player.choose(table.view(table.to_move)))
        alive = {id(search): search.bytes for search in (*before, *player._previous)}
        assert sum(alive.values()) <= 2**20 + 1000 * len(
            before
        )  # a root without moves is left of the old ones
        assert player.kept_bytes <= 2**20


def test_a_search_without_memory_still_finds_the_win():
    state = aiplay.load_game("connect_four").new_state()
    for column in (3, 0, 3, 0, 3, 0):
        state.play(column)
    assert aiplay.make_player("mcts:memory=1,iterations=200000,solver=no", seed=1).choose(state.view(0)) == 3


# ---- Options -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("time=-1", "time"),
        ("time=nan", "time"),
        ("time=inf", "time"),
        ("time=soon", "time"),
        ("iterations=0", "iterations"),
        ("iterations=-5", "iterations"),
        ("iterations=nan", "iterations"),
        ("iterations=1.5", "iterations"),
        ("nodes=0", "nodes"),
        ("nodes=-1", "nodes"),
        ("threads=0", "threads"),
        ("threads=-2", "threads"),
        ("trees=0", "trees"),
        ("trees=2,threads=4", "trees"),
        ("worlds=0", "worlds"),
        ("mode=magic", "mode"),
        ("exploration=-1", "exploration"),
        ("exploration=nan", "exploration"),
        ("fpu=nan", "fpu"),
        ("prior=oracle", "prior"),
        ("prior_weight=-1", "prior_weight"),
        ("prior_visits=0", "prior_visits"),
        ("playout=clever", "playout"),
        ("epsilon=1.5", "epsilon"),
        ("cutoff=-2", "cutoff"),
        ("solver=maybe", "solver"),
        ("reuse=2", "reuse"),
        ("early_stop=", "early_stop"),
        ("memory=0", "memory"),
        ("memory=-1", "memory"),
        ("speed=5", "speed"),
        ("depth=5", "depth"),
    ],
)
def test_a_bad_option_is_named(spec, name):
    with pytest.raises(PlayerSpecError, match=name):
        aiplay.make_player(f"mcts:{spec}")


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("prior=game", "prior=game"),
        ("prior=evaluate", "prior=evaluate"),
        ("playout=game", "playout=game"),
        ("playout=greedy", "playout=greedy"),
        ("mode=team", "mode=team"),
        ("memory=1,trees=1024", None),
        ("memory=1,trees=1024,mode=several", None),
    ],
)
def test_an_option_that_does_not_fit_the_game_is_named(spec, name):
    view = aiplay.Table(toys.Kuhn(), seed=1).view(0)
    player = aiplay.make_player(f"mcts:iterations=2000,{spec}")
    if name is None:
        assert player.analyse(view).iterations == 2000
    else:
        with pytest.raises(PlayerSpecError, match=name):
            player.choose(view)


def test_too_little_memory_is_an_error_that_says_how_much_is_needed():
    class Wide(toys.Pennies):
        name = "wide"
        max_moves = 1000

    player = aiplay.make_player("mcts:memory=1,trees=64,iterations=1000")
    with pytest.raises(PlayerSpecError, match=r"memory=1 .* allowed: at least 12"):
        player.choose(Wide().new_state().view(0))
    assert aiplay.make_player("mcts:memory=12,trees=64,iterations=1000").choose(
        Wide().new_state().view(0)
    ) in (0, 1)


def test_a_limit_that_mcts_does_not_know_is_an_error():
    with pytest.raises(PlayerSpecError, match="depth"):
        aiplay.make_player("mcts").choose(start_view(), aiplay.Limit(depth=3))
    with pytest.raises(PlayerSpecError, match="needs a limit"):
        aiplay.make_player("mcts").choose(start_view(), aiplay.Limit())


@pytest.mark.parametrize("value", [-1, math.nan, math.inf])
def test_a_limit_has_to_be_a_finite_number_of_at_least_0(value):
    with pytest.raises(ValueError, match="time"):
        aiplay.Limit(time=value)
