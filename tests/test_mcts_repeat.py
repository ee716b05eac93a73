"""Repeated searches of mcts: reproducible, fair, reusing the last tree, without leaks."""

import gc
import math
import os
import time
from pathlib import Path

import pytest
import toys

import aiplay
from aiplay._core.search.common.control import StopFlag
from aiplay._core.search.mcts.core import TreeSearch
from aiplay.players.mcts import MctsPlayer

GAMES = ("connect_four", "pig", "leduc_poker")


def positions(name: str, count: int, seed: int = 0) -> list[aiplay.State]:
    """Decisions with a choice, from random games."""
    stream, found = aiplay.RandomStream(seed), []
    while len(found) < count:
        table = aiplay.Table(aiplay.load_game(name), seed=stream.bits())
        for _ in range(stream.below(30)):
            if not table.over:
                table.play(stream.choice(table.legal_moves()))
        if len(table.legal_moves()) > 1:
            found.append(table.state)
    return found


def view_of(state: aiplay.State) -> aiplay.View:
    return state.view(state.to_move)


def analyse(spec: str, view: aiplay.View, seed: int = 1, **options) -> aiplay.Analysis:
    return aiplay.make_player(f"mcts:{spec}", seed=seed).analyse(view, **options)


def facts(analysis: aiplay.Analysis) -> tuple:
    """Everything in an analysis except the time."""
    return (
        analysis.moves,
        analysis.line,
        analysis.odds,
        analysis.iterations,
        analysis.nodes,
        analysis.worlds,
    )


# ---- Reproducible ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["", ",trees=3", ",mode=several", ",mode=pimc"])
@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_visits(name, spec):
    for state in positions(name, 3):
        answers = [facts(analyse(f"iterations=700{spec}", view_of(state))) for _ in range(2)]
        assert answers[0] == answers[1]
        assert answers[0] != facts(analyse(f"iterations=700{spec}", view_of(state), seed=2))


@pytest.mark.parametrize("trees", [2, 4, 5])
@pytest.mark.parametrize("name", GAMES)
def test_threads_do_not_change_the_result(name, trees):
    for state in positions(name, 3):
        alone = analyse(f"iterations=3000,trees={trees},threads=1", view_of(state))
        shared = analyse(f"iterations=3000,trees={trees},threads=2", view_of(state))
        assert facts(alone) == facts(shared)


def test_trees_do_change_the_result():
    view = view_of(positions("connect_four", 1)[0])
    assert analyse("iterations=3000,trees=1", view).moves != analyse("iterations=3000,trees=2", view).moves


def params_of(game: aiplay.Game, mode: str, **options) -> dict:
    return MctsPlayer(seed=1, **options)._params(game, mode)


def tree_search(view: aiplay.View, seed: int = 5, **options) -> TreeSearch:
    mode = "single" if view.game.has_hidden else "open"
    params = params_of(view.game, mode, **options)
    return TreeSearch(view, is_one_world=False, seed=seed, trees=1, memory=2**24, **params)


@pytest.mark.parametrize("name", GAMES)
def test_slices_do_not_change_the_result(name):
    view = view_of(positions(name, 1)[0])
    answers = []
    for step in (1, 7, 100, 1000):
        search = tree_search(view)
        for goal in range(step, 1001, step):
            search.run(StopFlag(), math.inf, math.inf, goal, 10**9, False)
        search.run(StopFlag(), math.inf, math.inf, 1000, 10**9, False)
        answers.append((search.iterations, search.nodes, search.root_moves().ranked()))
    assert all(answer == answers[0] for answer in answers)
    # A pause only returns to Python for a moment.
    search = tree_search(view)
    while search.run(StopFlag(), math.inf, 0.0, 1000, 10**9, False):
        pass
    assert (search.iterations, search.nodes, search.root_moves().ranked()) == answers[0]


@pytest.mark.parametrize("spec", ["", ",mode=several", ",mode=pimc", ",trees=2", ",cutoff=2,playout=greedy"])
def test_hidden_cards_do_not_influence_the_result(spec):
    game = aiplay.load_game("leduc_poker")
    answers = []
    for other in (0, 3, 4, 5):
        player = aiplay.make_player(f"mcts:iterations=400{spec}", seed=5)
        state = game.new_state()
        for move in (2, other, 1, 2):
            state.play(move)
        first = player.analyse(state.view(0))
        for move in (1, 1, 1):  # seat 0 calls, the board is the other jack, seat 0 checks
            state.play(move)
        state.play(2)
        answers.append((facts(first), facts(player.analyse(state.view(0)))))
    assert all(answer == answers[0] for answer in answers)


# ---- Reuse of the last tree --------------------------------------------------------------------------------


def two_decisions(
    name: str, seed: int, spec: str
) -> tuple[aiplay.View, aiplay.View, MctsPlayer, aiplay.Analysis]:
    """A decision of seat 0, its next one after a random answer, the player, and its first analysis."""
    while True:
        table = aiplay.Table(aiplay.load_game(name), seed=seed)
        player = aiplay.make_player(f"mcts:{spec}", seed=seed)
        first = table.view(0)
        analysis = player.analyse(first)
        table.play(analysis.best)
        stream = aiplay.RandomStream(seed)
        while not table.over and table.to_move != 0:
            table.play(stream.choice(table.legal_moves()))
        if not table.over and len(table.legal_moves()) > 1:
            return first, table.view(0), player, analysis
        seed += 1000


@pytest.mark.parametrize("spec", ["", ",trees=2"])
@pytest.mark.parametrize("name", GAMES)
def test_the_next_search_starts_with_the_last_tree(name, spec):
    for seed in range(5):
        _, view, player, _ = two_decisions(name, seed, f"iterations=5000{spec}")
        analysis = player.analyse(view, aiplay.Limit(iterations=10))
        assert analysis.iterations == 10
        assert sum(move.visits for move in analysis.moves) > 10
        player.forget()
        analysis = player.analyse(view, aiplay.Limit(iterations=10))
        assert sum(move.visits for move in analysis.moves) == 10


@pytest.mark.parametrize("name", GAMES)
def test_reuse_can_be_turned_off(name):
    _, view, player, _ = two_decisions(name, 1, "iterations=5000,reuse=no")
    assert sum(move.visits for move in player.analyse(view, aiplay.Limit(iterations=10)).moves) == 10


@pytest.mark.parametrize("name", GAMES)
def test_the_adopted_part_equals_that_of_the_old_tree(name):
    def steps_of(moves):
        """The moves of seats, each with the outcomes of chance that follow it."""
        state, steps = table.game.new_state(), []
        for move in moves:
            if state.to_move == aiplay.CHANCE and steps:
                steps[-1].append(move)
            elif state.to_move != aiplay.CHANCE:
                steps.append([move])
            state.play(move)
        return steps

    n_adopted = 0
    for seed in range(8):
        table = aiplay.Table(aiplay.load_game(name), seed=seed)
        old = tree_search(table.view(0), reuse=True)
        old.run(StopFlag(), math.inf, math.inf, 4000, 10**9, False)
        stream = aiplay.RandomStream(seed)
        n_before = len(steps_of(table.moves))
        table.play(stream.choice(table.legal_moves()))
        while not table.over and table.to_move != 0:
            table.play(stream.choice(table.legal_moves()))
        if table.over:
            continue
        new = tree_search(table.view(0), reuse=True)
        way = steps_of(table.moves)[n_before:]
        there = old.moves_after(*way)
        steps = [
            step
            for move in table.legal_moves()
            for step in ((move,), *((move, outcome) for outcome in range(7)))
        ]
        below = [old.moves_after(*way, step) for step in steps]
        is_adopted = new.adopt(old)
        assert old.moves_after() == []  # it has given its tree away
        adopted = new.moves_after()
        if name == "pig" and adopted != there:  # the same points by other rolls, with more visits
            assert sum(visits for _, visits, _ in adopted) > sum(visits for _, visits, _ in there)
            continue
        assert is_adopted == bool(there)
        assert adopted == there
        assert [new.moves_after(step) for step in steps] == below
        n_adopted += sum(visits for _, visits, _ in there)
    assert n_adopted > 100


def test_trees_of_other_seats_games_and_positions_are_not_adopted():
    state = positions("connect_four", 1)[0]
    old = tree_search(view_of(state))
    old.run(StopFlag(), math.inf, math.inf, 2000, 10**9, False)
    assert not tree_search(view_of(state)).adopt(old)  # the position itself is not a next decision
    state.play(state.legal_moves()[0])
    assert not tree_search(view_of(state)).adopt(old)
    assert not tree_search(view_of(positions("pig", 1)[0])).adopt(old)


def test_views_with_the_same_hash_are_distinguished_by_their_moves():
    """In Python -1 and -2 have the same hash."""

    class Twins(toys.TreeGame):
        name = "twins"
        seats, max_depth = 1, 3

        def setup(self):
            return 0

        def to_move(self, state):
            return self.TERMINAL if state > 4 else 0

        def legal_moves(self, state):
            return {0: [1, 2], -1: [5, 6], -2: [7, 8]}[state]

        def play(self, state, move):
            return -move if move < 5 else move

        def returns(self, state):
            return [state / 8]

    game = Twins()
    assert hash(-1) == hash(-2)
    for first in (1, 2):
        player = aiplay.make_player("mcts:iterations=50,solver=no", seed=1)
        state = game.new_state()
        player.analyse(state.view(0))
        state.play(first)
        assert player.choose(state.view(0)) in state.legal_moves()


@pytest.mark.parametrize("cutoff", [-1, 0])  # with a cutoff of 0 trees grow deep and are proven early
def test_a_whole_game_can_be_played_with_little_memory(cutoff):
    table = aiplay.Table(aiplay.load_game("connect_four"), seed=1)
    spec = f"mcts:iterations=20000,memory=1,cutoff={cutoff}"
    players = [aiplay.make_player(spec, seed=seat) for seat in (0, 1)]
    assert sorted(aiplay.play_game(table, players)) in ([-1.0, 1.0], [0.0, 0.0])


# ---- Early stop --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_early_stop_hardly_ever_changes_the_choice(name):
    n_stopped, losses = 0, []
    for number, state in enumerate(positions(name, 60, seed=7)):
        view = view_of(state)
        full = analyse("iterations=1500,solver=no", view, seed=number)
        player = aiplay.make_player("mcts:iterations=1500,solver=no", seed=number)
        choice = player.choose(view)
        if choice != full.best:  # visited most of late, when the other one would have stopped
            losses += [full.moves[0].value - move.value for move in full.moves if move.move == choice]
        n_stopped += player._previous[0].iterations < 1500
    assert n_stopped > 20
    assert len(losses) <= 2
    assert max(losses, default=0.0) < 0.05


def test_with_the_solver_an_early_stop_costs_no_proven_win():
    for number, state in enumerate(positions("connect_four", 60, seed=8)):
        view = view_of(state)
        full = analyse("iterations=1500", view, seed=number)
        choice = aiplay.make_player("mcts:iterations=1500", seed=number).choose(view)
        proven = {move.move: move.value for move in full.moves if move.proven}
        if full.moves[0].proven and full.moves[0].value == 1:
            assert proven.get(choice, 0.5) > 0
        elif choice != full.best:
            assert proven.get(choice, 0.5) <= full.moves[0].value


def test_an_early_stop_needs_half_the_time_at_least():
    state = aiplay.load_game("connect_four").new_state()
    for column in (3, 0, 3, 0, 3, 1):  # a win in one move
        state.play(column)
    player = aiplay.make_player("mcts:time=0.4,solver=no", seed=1)
    started = time.perf_counter()
    assert player.choose(view_of(state)) == 3
    assert time.perf_counter() - started > 0.2  # that it stops early: test_time_limits.py


def test_a_proof_ends_a_search():
    for state in positions("connect_four", 100, seed=8):
        if len(state.legal_moves()) < 4:
            analysis = analyse("time=600", view_of(state))
            assert analysis.seconds < 600
            assert analysis.moves[0].proven
            return


def test_a_proof_that_is_adopted_ends_the_next_search():
    state = aiplay.load_game("connect_four").new_state()
    for column in (2, 2, 3, 3):  # a third stone would be open on both sides: a win
        state.play(column)
    player = aiplay.make_player("mcts:iterations=20000", seed=1)
    first = player.analyse(view_of(state))
    assert (first.moves[0].proven, first.moves[0].value) == (True, 1.0)
    state.play(first.best)
    state.play(5 if first.best == 4 else 0)
    analysis = player.analyse(view_of(state), aiplay.Limit(time=60))
    assert (analysis.moves[0].proven, analysis.moves[0].value) == (True, 1.0)
    assert analysis.seconds < 60


# ---- Analysis ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["", ",mode=several", ",mode=pimc", ",trees=3"])
@pytest.mark.parametrize("name", GAMES)
def test_the_numbers_of_an_analysis_are_consistent(name, spec):
    for state in positions(name, 4, seed=3):
        view = view_of(state)
        analysis = analyse(f"iterations=900{spec}", view)
        assert analysis.seat == view.seat
        assert sorted(move.move for move in analysis.moves) == view.legal_moves()
        assert all(move.text == view.move_text(move.move) for move in analysis.moves)
        assert sum(move.visits for move in analysis.moves) == analysis.iterations <= 900
        assert all(0 <= move.value <= 1 and move.error >= 0 for move in analysis.moves)
        assert analysis.best == analysis.moves[0].move
        assert analysis.line[0] == analysis.moves[0].text
        assert sum(analysis.odds) == pytest.approx(1)
        assert analysis.odds[view.seat] == pytest.approx(analysis.moves[0].value)
        assert analysis.nodes >= 1
        assert analysis.iterations_per_second == pytest.approx(analysis.iterations / analysis.seconds)
        if not view.game.has_hidden:
            assert analysis.worlds == 1
        else:
            assert analysis.worlds == (32 if "pimc" in spec else analysis.iterations)
        if not any(move.proven for move in analysis.moves):
            visits = [move.visits for move in analysis.moves]
            assert visits == sorted(visits, reverse=True)


@pytest.mark.parametrize("name", GAMES)
def test_the_line_can_be_played(name):
    for state in positions(name, 5, seed=4):
        analysis = analyse("iterations=2000", view_of(state))
        for text in analysis.line[:1]:
            state.play(text)
        if state.game.has_hidden:
            continue
        for text in analysis.line[1:]:
            state.play(text)


def test_the_error_shrinks_with_the_square_root_of_the_iterations():
    game = toys.BestOfThree()
    state = game.state_from_json(game.new_state().to_json().replace("[0,2,true]", "[1,1,false]"))
    errors = [analyse(f"iterations={n}", view_of(state)).moves[0].error for n in (100, 1600, 25_600)]
    for more, fewer in zip(errors[1:], errors, strict=False):
        assert more / fewer == pytest.approx(1 / 4, rel=0.2)


# ---- Leaks -------------------------------------------------------------------------------------------------


def resident_pages() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1])


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize("spec", ["iterations=8", "iterations=4,trees=2,threads=2"])
def test_ten_thousand_searches_leak_nothing(spec):
    states = positions("connect_four", 10) + positions("leduc_poker", 10)
    player = aiplay.make_player(f"mcts:{spec}", seed=1)
    count = 10_000 if "threads" not in spec else 2000

    def search(times):
        for number in range(times):
            player.choose(view_of(states[number % len(states)]))

    search(1000)
    before = resident_pages()
    search(count)
    assert (resident_pages() - before) * os.sysconf("SC_PAGE_SIZE") < 2**20


class Token:
    """A state that can be counted."""

    alive = 0

    def __init__(self, path):
        self.path = path
        Token.alive += 1

    def __del__(self):
        Token.alive -= 1

    def __hash__(self):
        return hash(self.path)


class Counted(toys.RandomTree):
    """States are tokens; one method can be made to fail."""

    name = "counted"
    fails_at = -1

    def setup(self):
        return Token(())

    def at(self, state):
        return super().at(state.path)

    def play(self, state, move):
        self.fails_at -= 1
        if self.fails_at == 0:
            raise RuntimeError("broken")
        return Token((*state.path, move))


@pytest.mark.parametrize("spec", ["", ",trees=2,threads=2", ",reuse=no"])
def test_states_of_python_games_are_freed(spec):
    game = Counted(seed=5)
    Token.alive = 0
    player = aiplay.make_player(f"mcts:iterations=200{spec}", seed=1)
    state = game.new_state()
    view = state.view(0)
    for _ in range(5):
        player.analyse(view)
    game.fails_at = 150
    with pytest.raises(RuntimeError):
        player.analyse(view)
    player.forget()
    gc.collect()
    assert Token.alive == 1  # the state and its view share one
    del state, view
    assert Token.alive == 0
