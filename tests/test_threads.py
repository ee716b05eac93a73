"""Threads: the same results on any number of them, and trees that exchange statistics without counting them twice."""

import math
import os
import random
import threading

import pytest
from toy_games import Bidding, Matches
from toys import Kuhn

import aiplay
from aiplay._core.search.common.control import StopFlag
from aiplay.limit import Limit
from aiplay.players.base import finish
from aiplay.players.mcts.run import Run

GAMES = ["connect_four", "pig", "leduc_poker", "illusio", "levitation", "magic_rabbit", "three_magicians"]


def view_of(name, seed=1, moves=6):
    """A view after some random moves."""
    source = random.Random(seed)
    while True:
        table = aiplay.Table(aiplay.load_game(name), seed=source.getrandbits(32))
        for _ in range(moves):
            if not table.over:
                table.play(source.choice(table.view(table.to_move).legal_moves()))
        if not table.over and len(table.view(table.to_move).legal_moves()) > 1:
            return table.view(table.to_move)


def found(spec, view, limit=None, **options):
    analysis = aiplay.make_player(spec, seed=5).analyse(view, limit, **options)
    return analysis.moves, analysis.line, analysis.odds, analysis.iterations, analysis.nodes


def searched(view, spec, iterations):
    """The trees of a search, after it."""
    player = aiplay.make_player(f"mcts:{spec}", seed=5)
    plan = player._plan(view, iterations)
    run = Run(
        plan,
        Limit(iterations=iterations),
        started=0.0,
        threads=player.options["threads"],
        stop=StopFlag(),
        is_choosing=False,
        report=None,
    )
    finish(run.slices())
    return run


# ---- mcts: trees that exchange statistics --------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_number_of_threads_does_not_change_the_result(name):
    view = view_of(name)
    results = [found(f"mcts:iterations=3000,trees=3,threads={threads}", view) for threads in (1, 2, 3)]
    assert results[0] == results[1] == results[2]


@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="the system cannot restrict a process to a core"
)
@pytest.mark.parametrize("spec", ["mcts:iterations=3000,threads=2", "expectimax:depth=5,threads=2"])
def test_a_single_core_gives_the_same_result(spec):
    view = view_of("connect_four")
    expected = found(spec, view)
    cores = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(cores)})
        assert found(spec, view) == expected
    finally:
        os.sched_setaffinity(0, cores)


def test_progress_reports_do_not_change_the_result():
    view, reports = view_of("connect_four"), []
    expected = found("mcts:iterations=60000,threads=2", view)
    assert found("mcts:iterations=60000,threads=2", view, progress=reports.append, every=0.005) == expected
    for report in reports:
        assert sum(move.visits for move in report.moves) == report.iterations


@pytest.mark.parametrize("spec", ["trees=2", "trees=5,threads=2", "threads=3"])
@pytest.mark.parametrize("name", GAMES)
def test_every_iteration_is_counted_once_at_the_root(name, spec):
    analysis = aiplay.make_player(f"mcts:iterations=2000,{spec}", seed=5).analyse(view_of(name))
    assert analysis.iterations == 2000 or analysis.moves[0].proven
    assert sum(move.visits for move in analysis.moves) == analysis.iterations


@pytest.mark.parametrize("name", ["connect_four", "pig", "leduc_poker"])
def test_after_the_last_exchange_every_tree_has_all_iterations_once(name):
    run = searched(view_of(name), "trees=3,solver=no", 3000)
    own = [search.iterations for search in run.kept]
    assert own == [1000, 1000, 1000]
    for search in run.kept:
        assert sum(visits for _, visits, _ in search.moves_after()) == 3000
    first, *others = [search.moves_after() for search in run.kept]
    for other in others:
        assert [(move, visits) for move, visits, _ in other] == [(move, visits) for move, visits, _ in first]
        for (_, _, value), (_, _, expected) in zip(other, first, strict=True):
            assert math.isclose(value, expected, rel_tol=1e-9)


def test_lower_nodes_are_exchanged_and_never_have_more_visits_than_the_move_above():
    run = searched(view_of("connect_four"), "trees=2,solver=no", 8000)
    first, second = run.kept
    shared = 0
    for move, visits, _ in first.moves_after():
        below = [sum(found for _, found, _ in search.moves_after((move,))) for search in (first, second)]
        # The first visit of a node in each tree takes none of its moves.
        assert all(count < visits for count in below)
        shared += min(below) > 0.9 * visits
    assert shared >= 3


def test_trees_without_exchange_would_have_their_own_iterations_only():
    """The worlds of pimc are different positions: they exchange nothing."""
    run = searched(view_of("leduc_poker", moves=1), "mode=pimc,worlds=2", 400)
    assert [sum(visits for _, visits, _ in search.moves_after()) for search in run.kept] == [200]


def test_adopted_visits_are_counted_once():
    game = aiplay.load_game("connect_four")
    table = aiplay.Table(game, seed=1)
    player = aiplay.make_player("mcts:iterations=4000,trees=2", seed=3)
    table.play(player.analyse(table.view(0)).best)
    reply = table.view(1).legal_moves()[3]
    table.play(reply)
    analysis = player.analyse(table.view(0))
    visits = sum(move.visits for move in analysis.moves)
    assert 4000 < visits < 4000 + 4000
    one = aiplay.make_player("mcts:iterations=4000,trees=1", seed=3)
    again = aiplay.Table(game, seed=1)
    for move in (one.analyse(again.view(0)).best, reply):
        again.play(move)
    alone = sum(move.visits for move in one.analyse(again.view(0)).moves)
    assert visits < 1.6 * alone  # the same visits in both trees would be 2 times


def test_a_proof_in_one_tree_ends_all():
    state = aiplay.load_game("connect_four").new_state()
    for column in (3, 0, 3, 0, 3, 1):
        state.play(column)
    analysis = aiplay.make_player("mcts:iterations=1000000,trees=4,threads=2", seed=1).analyse(state.view(0))
    assert analysis.best == 3
    assert analysis.moves[0].proven
    assert analysis.iterations < 10_000


def test_choosing_stops_early_when_no_other_move_can_catch_up():
    view = view_of("connect_four", seed=2)
    player = aiplay.make_player("mcts:iterations=20000,threads=2", seed=1)
    best = player.analyse(view).best
    player = aiplay.make_player("mcts:iterations=20000,threads=2", seed=1)
    assert player.choose(view) == best
    assert player.iterations_spent < 20_000


@pytest.mark.parametrize("memory", [1, 2])
def test_little_memory_is_enough_for_trees_that_exchange(memory):
    analysis = aiplay.make_player(f"mcts:iterations=40000,trees=4,memory={memory}", seed=1).analyse(
        view_of("connect_four")
    )
    assert sum(move.visits for move in analysis.moves) == 40_000


@pytest.mark.parametrize("game", [Kuhn, Bidding])
def test_games_in_python_exchange_statistics_too(game):
    view = aiplay.Table(game(), seed=1).view(0)
    results = [found(f"mcts:iterations=400,trees=2,threads={threads}", view) for threads in (1, 2)]
    assert results[0] == results[1]
    assert sum(move.visits for move in results[0][0]) == 400


# ---- expectimax: root moves in lanes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "depth"),
    [("connect_four", 6), ("pig", 4), ("leduc_poker", 5), ("illusio", 1), ("three_magicians", 2)],
)
def test_threads_of_expectimax_find_the_same_values(name, depth):
    view = view_of(name)
    results = []
    for threads in (1, 2, 5):
        spec = f"expectimax:depth={depth},worlds=8,threads={threads}"
        analysis = aiplay.make_player(spec, seed=5).analyse(view)
        results.append(
            (analysis.moves, analysis.odds, analysis.depth, aiplay.make_player(spec, seed=5).choose(view))
        )
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("name", ["connect_four", "leduc_poker", "illusio"])
def test_a_node_limit_gives_the_same_result_every_time(name):
    view = view_of(name)
    results = [found("expectimax:nodes=20000,worlds=8,threads=2", view) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0][-1] <= 20_000 + 2  # each thread ends at the first node too many


def test_an_exception_in_a_thread_of_expectimax_is_raised():
    class BoomError(Exception):
        pass

    class Fragile(Matches):
        max_depth = 60

        def setup(self) -> tuple[int, int]:
            return (60, 0)

        def evaluate(self, state):
            if threading.current_thread().name.startswith("expectimax"):
                raise BoomError
            return [0.5, 0.5]

    table = aiplay.Table(Fragile(), seed=1)
    with pytest.raises(BoomError):
        aiplay.make_player("expectimax:depth=20,threads=2", seed=1).analyse(table.view(table.to_move))
    assert not any(thread.name.startswith("expectimax") for thread in threading.enumerate())


def test_a_stopped_expectimax_leaves_no_thread():
    view = view_of("connect_four", moves=2)
    player = aiplay.make_player("expectimax:time=100,threads=2", seed=1)
    timer = threading.Timer(0.1, player.stop)
    timer.start()
    assert player.choose(view) in view.legal_moves()
    timer.join()
    assert not any(thread.name.startswith("expectimax") for thread in threading.enumerate())


def test_more_threads_than_moves_are_not_used():
    view = view_of("pig")
    assert len(view.legal_moves()) == 2
    assert found("expectimax:depth=3,threads=100", view)[0] == found("expectimax:depth=3", view)[0]
