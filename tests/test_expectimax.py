"""The expectimax player: limits, control, analysis, endings, bad input; its values are in test_expectimax_values.py."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from search_reference import RandomGraph, lead_of, plain_value, random_positions

import aiplay
from aiplay import Analysis, Limit
from aiplay.errors import IllegalMoveError, OptionError, PlayerSpecError

LONG = 600  # seconds; a search with this limit that is over sooner was ended by something else


def position(name: str, moves: str, **options: object) -> aiplay.State:
    state = aiplay.load_game(name, **options).new_state()
    for move in moves.split():
        state.play(move)
    return state


def connect_four(columns: str) -> aiplay.State:
    """The position after stones in these columns, numbered from 1."""
    return position("connect_four", " ".join(columns))


def facts(analysis: Analysis) -> tuple[object, ...]:
    """Everything in an analysis except the time."""
    return analysis.moves, analysis.line, analysis.odds, analysis.iterations, analysis.nodes, analysis.depth


# ---- Playing well ------------------------------------------------------------------------------------------


def test_it_takes_a_win() -> None:
    analysis = aiplay.make_player("expectimax:depth=1", seed=1).analyse(connect_four("414141").view(0))
    assert analysis.moves[0].text == "4"
    assert analysis.moves[0].value == 1.0
    assert analysis.moves[0].proven
    assert analysis.odds == (1.0, 0.0)


def test_it_blocks_a_threat() -> None:
    state = connect_four("41414")
    for depth in (2, 5):
        analysis = aiplay.make_player(f"expectimax:depth={depth}", seed=1).analyse(state.view(1))
        assert analysis.moves[0].text == "4"
        assert all(move.value == 0.0 and move.proven for move in analysis.moves[1:])


def test_it_sees_the_open_three_in_time() -> None:
    """Two stones in the bottom row with room on both sides: an opponent who allows a third has lost."""
    analysis = aiplay.make_player("expectimax:depth=4", seed=1).analyse(connect_four("374").view(1))
    saved = {move.text for move in analysis.moves if move.value > 0.0}
    assert saved == {"2", "5"}


def late_position(n_stones: int, n_moves: int) -> aiplay.State:
    """An undecided position of connect four with n_stones stones and n_moves open columns."""
    stream, game = aiplay.RandomStream(6), aiplay.load_game("connect_four")
    while True:
        state = game.new_state()
        while not state.is_over and state.fields["n_stones"] < n_stones:
            state.play(stream.choice(state.legal_moves()))
        if not state.is_over and len(state.legal_moves()) == n_moves:
            return state


def solve(state: aiplay.State, known: dict[bytes, float]) -> float:
    """The result of best play for seat 0, by brute force."""
    key = state.to_bytes()
    if key not in known:
        known[key] = (
            plain_value(state, 100, lead_of(0), frozenset([0])) if state.is_over else _best(state, known)
        )
    return known[key]


def _best(state: aiplay.State, known: dict[bytes, float]) -> float:
    results = []
    for move in state.legal_moves():
        child = state.copy()
        child.play(move)
        results.append(solve(child, known))
    return max(results) if state.to_move == 0 else min(results)


def test_endings_of_connect_four_are_proven_and_right() -> None:
    stream, game = aiplay.RandomStream(5), aiplay.load_game("connect_four")
    n = 0
    while n < 25:
        state = game.new_state()
        while not state.is_over and state.fields["n_stones"] < 33:
            state.play(stream.choice(state.legal_moves()))
        if state.is_over or len(state.legal_moves()) < 2:
            continue
        n += 1
        hero, known = state.to_move, {}
        analysis = aiplay.make_player("expectimax", seed=n).analyse(state.view(hero), Limit(depth=42))
        for move in analysis.moves:
            child = state.copy()
            child.play(move.move)
            result = solve(child, known)
            assert move.value == (result if hero == 0 else 1 - result)
            assert move.proven


def test_it_stops_when_everything_is_proven() -> None:
    state = late_position(n_stones=34, n_moves=2)
    analysis = aiplay.make_player("expectimax", seed=1).analyse(state.view(state.to_move), Limit(time=LONG))
    assert analysis.seconds < LONG
    assert all(move.proven for move in analysis.moves)


def test_it_beats_greedy_at_connect_four_and_pig() -> None:
    for name, depth, n, wanted in (("connect_four", 5, 40, 0.7), ("pig", 4, 60, 0.0)):
        game = aiplay.load_game(name)
        score = 0.0
        for seed in range(n):
            hero, other = (
                aiplay.make_player(f"expectimax:depth={depth}", seed=seed),
                aiplay.make_player("greedy", seed=seed),
            )
            players = [hero, other] if seed % 2 else [other, hero]
            score += aiplay.play_game(aiplay.Table(game, seed=seed // 2), players)[seed % 2 == 0]
        assert score / n > wanted, name


# ---- Analysis ----------------------------------------------------------------------------------------------


def test_the_best_line_can_be_played_and_ends_at_chance() -> None:
    state = connect_four("4444")
    analysis = aiplay.make_player("expectimax:depth=6,cache=0", seed=1).analyse(state.view(0))
    assert len(analysis.line) == 6
    assert analysis.line[0] == analysis.moves[0].text
    for text in analysis.line:
        state.play(text)
    # The value of the best move comes from the leaf of the line.
    assert state.evaluate()[0] == pytest.approx(analysis.moves[0].value)
    rolling = aiplay.make_player("expectimax:depth=4", seed=1).analyse(position("pig", "").view(0))
    assert rolling.line == ("roll",)


def test_errors_and_worlds_are_reported_if_information_is_hidden() -> None:
    state = aiplay.load_game("leduc_poker").new_state()
    for move in (4, 1):
        state.play(move)
    analysis = aiplay.make_player("expectimax:worlds=20,depth=9", seed=1).analyse(state.view(0))
    assert analysis.worlds == 20
    assert any(move.error > 0 for move in analysis.moves)
    assert not any(move.proven for move in analysis.moves)
    assert sum(analysis.odds) == pytest.approx(1)


def test_it_uses_nothing_but_the_view() -> None:
    answers = set()
    for other in (0, 3, 4, 5):
        state = aiplay.load_game("leduc_poker").new_state()
        for move in (2, other, 1, 2):
            state.play(move)
        answers.add(facts(aiplay.make_player("expectimax:depth=9", seed=5).analyse(state.view(0))))
    assert len(answers) == 1


def test_odds_of_three_seats_add_up() -> None:
    view = position("pig", "", players=3, target=30).view(0)
    for opponents in ("maxn", "paranoid"):
        analysis = aiplay.make_player(f"expectimax:depth=3,opponents={opponents}", seed=1).analyse(view)
        assert len(analysis.odds) == 3
        assert sum(analysis.odds) == pytest.approx(1.5)  # returns sum to 0, so half the seats
        assert analysis.odds[0] == analysis.moves[0].value


def test_progress_is_reported_during_the_search() -> None:
    reports: list[Analysis] = []
    final = aiplay.make_player("expectimax", seed=1).analyse(
        connect_four("").view(0), Limit(time=0.5), progress=reports.append, every=0.1
    )
    assert 2 <= len(reports) <= 5
    assert not any(report.is_final for report in reports)
    assert final.is_final
    depths = [report.depth for report in reports] + [final.depth]
    assert depths == sorted(depths)
    assert all(len(report.moves) == 7 for report in reports)


def test_an_error_in_progress_ends_the_search() -> None:
    def fail(analysis: Analysis) -> None:
        raise RuntimeError("the front end is gone")

    with pytest.raises(RuntimeError, match="the front end is gone"):
        aiplay.make_player("expectimax", seed=1).analyse(
            connect_four("").view(0), Limit(time=20), progress=fail, every=0.1
        )


# ---- Limits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["depth=6", "nodes=20000", "nodes=777", "nodes=1", "depth=5,nodes=3000,cache=1"]
)
@pytest.mark.parametrize("name", ["connect_four", "pig", "leduc_poker"])
def test_a_seed_reproduces_everything(spec: str, name: str) -> None:
    for state in random_positions(aiplay.load_game(name), 5, seed=3):
        found = set()
        for _ in range(3):
            player = aiplay.make_player(f"expectimax:{spec}", seed=9)
            view = state.view(state.to_move)
            found.add((facts(player.analyse(view)), player.choose(view)))
        assert len(found) == 1


def test_the_node_limit_is_kept() -> None:
    for nodes in (1, 10, 1000, 12_345):
        analysis = aiplay.make_player(f"expectimax:nodes={nodes}", seed=1).analyse(connect_four("").view(0))
        assert nodes <= analysis.nodes <= nodes + 1
        assert len(analysis.moves) == 7


def test_the_depth_limit_is_kept() -> None:
    for depth in (1, 2, 5):
        analysis = aiplay.make_player(f"expectimax:depth={depth}", seed=1).analyse(connect_four("").view(0))
        assert analysis.depth == depth


def test_forced_moves_and_chance_cost_no_depth() -> None:
    class Corridor(RandomGraph):
        """A choice, ten forced moves and a coin, then another choice; or an end that is worth 0.6."""

        def configure(self) -> None:
            super().configure()
            self.max_depth = 20
            self.nodes = [(0, [1, 2], (), [0.5, 0.5])]
            self.nodes += [(0, [3], (), [0.5, 0.5]), (-4, (), (), [0.6, 0.4])]
            for i in range(3, 12):
                self.nodes.append((i % 2, [i + 1], (), [0.5, 0.5]))
            self.nodes += [
                (-1, [13, 14], [0.5, 0.5], [0.5, 0.5]),
                (0, [15, 16], (), [0.4, 0.6]),
                (-4, (), (), [0.7, 0.3]),
                (-4, (), (), [0.0, 1.0]),
                (-4, (), (), [1.0, 0.0]),
            ]

    view = Corridor().new_state().view(0)
    values = {}
    for depth in (1, 2):
        analysis = aiplay.make_player(f"expectimax:depth={depth}", seed=1).analyse(view)
        values[depth] = {move.move: move.value for move in analysis.moves}
    assert values[1] == pytest.approx({0: 0.5, 1: 0.6})  # the evaluation at the first forced move
    assert values[2] == pytest.approx({0: (1.0 + 0.7) / 2, 1: 0.6})  # beyond all of them, and the coin


@pytest.mark.parametrize("seconds", [0.02, 0.2])
def test_the_time_limit_is_used(seconds: float) -> None:
    """A search with a large cache ends a little earlier, to free it. How late it may end: test_time_limits.py."""
    player = aiplay.make_player("expectimax:cache=0", seed=1)
    assert player.analyse(connect_four("").view(0), Limit(time=seconds)).seconds >= seconds


def test_no_time_at_all_still_gives_a_legal_move() -> None:
    for state in (connect_four(""), position("pig", "")):
        analysis = aiplay.make_player("expectimax", seed=1).analyse(state.view(0), Limit(time=0))
        assert {move.move for move in analysis.moves} == set(state.legal_moves())


def test_the_default_limit_is_half_a_second() -> None:
    player = aiplay.make_player("expectimax:cache=0", seed=1)
    assert player.limit == Limit(time=0.5)
    assert player.analyse(connect_four("").view(0)).seconds >= 0.5


def test_stop_ends_it_from_another_thread() -> None:
    player = aiplay.make_player("expectimax", seed=1)
    timer = threading.Timer(0.2, player.stop)
    timer.start()
    analysis = player.analyse(connect_four("").view(0), Limit(time=LONG))
    assert analysis.seconds < LONG
    assert analysis.best in range(7)
    timer.join()
    assert player.choose(connect_four("").view(0), Limit(depth=3)) in range(7)  # and it can search again


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_control_c_ends_it() -> None:
    player = aiplay.make_player("expectimax", seed=1)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    started = time.perf_counter()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        player.choose(connect_four("").view(0), Limit(time=LONG))
    assert time.perf_counter() - started < LONG
    timer.join()


def test_the_gil_is_free_during_the_search() -> None:
    player = aiplay.make_player("expectimax", seed=1)
    thread = threading.Thread(target=player.choose, args=(connect_four("").view(0), Limit(time=20)))
    thread.start()
    for _ in range(1000):  # 50 s, if the search let others run only when it looks for signals
        time.sleep(1e-4)
    assert thread.is_alive()
    while thread.is_alive():
        player.stop()
        thread.join(0.05)


# ---- Memory ------------------------------------------------------------------------------------------------


def resident() -> int:
    """Peak memory of the process, in kilobytes."""
    resource = pytest.importorskip("resource")
    unit = 1024 if sys.platform == "darwin" else 1  # macOS counts bytes
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit


def test_ten_thousand_searches_leak_nothing() -> None:
    views = [connect_four("").view(0), position("leduc_poker", "Js Qs").view(0)]
    player = aiplay.make_player("expectimax:nodes=60,worlds=4", seed=1)
    for _ in range(1000):
        for view in views:
            player.choose(view)
    before = resident()
    for _ in range(5000):
        for view in views:
            player.choose(view)
    assert resident() - before < 2000


def test_states_of_python_games_are_freed() -> None:
    class Node(int):
        alive = 0

        def __new__(cls, value: int) -> Node:
            cls.alive += 1
            return super().__new__(cls, value)

        def __del__(self) -> None:
            Node.alive -= 1

    class Counted(RandomGraph):
        def setup(self) -> Node:
            return Node(0)

        def play(self, state: int, move: int) -> Node:
            return Node(super().play(state, move))

    view = Counted(seed=2).new_state().view(Counted(seed=2).new_state().to_move)
    for spec in ("expectimax:depth=6", "expectimax:nodes=100", "expectimax:depth=6,opponents=maxn"):
        aiplay.make_player(spec, seed=1).analyse(view)
    gc.collect()
    assert Node.alive == 1


# ---- Games written in Python -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method", ["to_move", "legal_moves", "chance_outcomes", "play", "returns", "evaluate"]
)
@pytest.mark.parametrize("opponents", ["auto", "maxn"])
def test_an_error_of_a_python_game_is_raised(method: str, opponents: str) -> None:
    class Fails(RandomGraph):
        countdown = 0

    def fail(self: Fails, state: int, *args: int) -> object:
        Fails.countdown -= 1
        if Fails.countdown < 0:
            raise ZeroDivisionError(f"{method} is broken")
        return getattr(RandomGraph, method)(self, state, *args)

    setattr(Fails, method, fail)
    for after_calls in (0, 1, 2, 5, 12):
        Fails.countdown = 1000
        game = Fails(seed=8)
        view = game.new_state().view(0)
        player = aiplay.make_player(f"expectimax:depth=6,opponents={opponents}", seed=1)
        Fails.countdown = 4 + after_calls if method == "to_move" else 1 + after_calls
        with pytest.raises(ZeroDivisionError, match="is broken"):
            player.analyse(view)


def test_a_game_that_never_ends_is_cut_off() -> None:
    class Endless(aiplay.PythonGame):
        name = "endless"
        seats, max_moves, max_depth = 2, 2, 10

        def setup(self) -> int:
            return 0

        def to_move(self, state: int) -> int:
            return 0 if state == 0 else 1

        def legal_moves(self, state: int) -> range:
            return range(2 if state == 0 else 1)

        def play(self, state: int, move: int) -> int:
            return 1

        def returns(self, state: int) -> list[float]:
            return [0, 0]

    analysis = aiplay.make_player("expectimax", seed=1).analyse(Endless().new_state().view(0), Limit(depth=2))
    assert [move.value for move in analysis.moves] == [0.5, 0.5]


# ---- No choice, and bad input ------------------------------------------------------------------------------


def test_one_legal_move_is_answered_at_once() -> None:
    state = late_position(n_stones=38, n_moves=1)
    player = aiplay.make_player(f"expectimax:time={LONG}", seed=1)
    assert [player.choose(state.view(state.to_move))] == state.legal_moves()
    analysis = player.analyse(state.view(state.to_move))
    assert [analysis.best] == state.legal_moves()
    assert (player.iterations_spent, analysis.nodes) == (0, 0)


def test_a_view_without_a_choice_is_an_error() -> None:
    state = connect_four("414141")
    player = aiplay.make_player("expectimax")
    with pytest.raises(IllegalMoveError, match="it is the turn of seat 0"):
        player.choose(state.view(1))
    state.play("4")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        player.analyse(state.view(1))


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("time=-1", "time"),
        ("time=nan", "time"),
        ("nodes=0", "nodes"),
        ("nodes=-5", "nodes"),
        ("nodes=nan", "nodes"),
        ("depth=0", "depth"),
        ("depth=1.5", "depth"),
        ("worlds=0", "worlds"),
        ("width=-1", "width"),
        ("width=nan", "width"),
        ("cache=-1", "cache"),
        ("cache=0.5", "cache"),
        ("pruning=star3", "pruning"),
        ("ordering=perhaps", "ordering"),
        ("opponents=kind", "opponents"),
        ("iterations=5", "iterations"),
        ("opponents=maxn,pruning=star2", "pruning"),
    ],
)
def test_bad_options_are_named(spec: str, name: str) -> None:
    with pytest.raises(PlayerSpecError, match=name):
        aiplay.make_player(f"expectimax:{spec}")


def test_bad_limits_are_named() -> None:
    for name in ("time", "nodes", "depth"):
        for value in (-1, float("nan")):
            with pytest.raises(OptionError, match=name):
                Limit(**{name: value})
    player = aiplay.make_player("expectimax")
    with pytest.raises(PlayerSpecError, match="iterations"):
        player.choose(connect_four("").view(0), Limit(iterations=5))
    with pytest.raises(PlayerSpecError, match="needs a limit"):
        player.choose(connect_four("").view(0), Limit())


def test_a_team_cannot_be_paranoid() -> None:
    view = RandomGraph(kind="team", seed=8).new_state().view(0)
    with pytest.raises(PlayerSpecError, match="opponents=paranoid"):
        aiplay.make_player("expectimax:opponents=paranoid,depth=2").choose(view)


def test_the_cache_may_be_allowed_more_memory_than_there_is() -> None:
    """It grows only as needed."""
    player = aiplay.make_player("expectimax:cache=1048576,depth=4", seed=1)
    assert player.choose(connect_four("").view(0)) in range(7)


def test_a_full_cache_changes_no_value() -> None:
    small = aiplay.make_player("expectimax:cache=1,depth=9", seed=1).analyse(connect_four("").view(0))
    large = aiplay.make_player("expectimax:cache=64,depth=9", seed=1).analyse(connect_four("").view(0))
    assert small.nodes > large.nodes
    assert [move.value for move in small.moves] == pytest.approx([move.value for move in large.moves])


# ---- The old name of an option -----------------------------------------------------------------------------


def test_the_cache_is_still_known_by_its_old_name() -> None:
    with pytest.warns(
        FutureWarning, match="option 'table' is now 'cache'; the old name will be removed in version 0.2"
    ) as caught:
        player = aiplay.make_player("expectimax:depth=3,table=2")
    assert {warning.filename for warning in caught} == {__file__}
    assert player.options["cache"] == 2
    assert player.spec == "expectimax:depth=3,cache=2"
    with pytest.raises(PlayerSpecError, match="'table' is the old name of 'cache'"):
        aiplay.make_player("expectimax:table=2,cache=2")


def test_a_command_notes_the_old_name_in_one_line() -> None:
    words = [
        "duel",
        "-g",
        "pig",
        "--a",
        "expectimax:depth=1,table=1",
        "--b",
        "random",
        "--games",
        "2",
        "-j",
        "1",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "aiplay", *words], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == (
        "aiplay: player 'expectimax': option 'table' is now 'cache'; the old name will be removed in version 0.2\n"
    )
