"""A game that breaks its contract gets an error that names the promise, from every player; never a crash."""

import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
from broken_games import Card, LuckyPlay, MovesOfTheCard, OneMoveMore, OverByTheCard, TurnOfTheCard

import aiplay
from aiplay._core.search.common.control import StopFlag
from aiplay._core.search.regret.gametree import GameTree

SPECS = (
    "mcts:iterations=400,mode=single",
    "mcts:iterations=400,mode=several",
    "mcts:iterations=400,mode=pimc",
    "mcts:iterations=400,mode=pimc,threads=2",
    "mcts:iterations=400,mode=auto,threads=2",
    "mcts:iterations=400,mode=several,trees=4,threads=2",
    "greedy:worlds=64",
    "expectimax:depth=2,worlds=32",
    "expectimax:depth=2,worlds=32,threads=2",
)
BROKEN = (MovesOfTheCard, OneMoveMore, TurnOfTheCard, OverByTheCard)


def view_of(game):
    state = game.new_state()
    if state.to_move == aiplay.CHANCE:
        state.play(3)
    return state.view(state.to_move)


def run_apart(program: str) -> str:
    """The output of a program in a process of its own, which a crash would end."""
    path = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=path,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.name)
def test_moves_that_depend_on_what_is_hidden_are_an_error(kind, spec):
    for ask in ("choose", "analyse"):
        player = aiplay.make_player(spec, seed=1)
        with pytest.raises(aiplay.ContractError, match="may depend only on what that seat sees"):
            getattr(player, ask)(view_of(kind()))


@pytest.mark.parametrize("method", ["whole", "start", "here"])
def test_a_move_more_by_what_is_hidden_is_an_error_in_searches_by_regret(method):
    player = aiplay.make_player(f"mixed:method={method},iterations=400", seed=1)
    with pytest.raises(aiplay.ContractError, match="may depend only on what that seat sees"):
        player.choose(view_of(OneMoveMore()))


def test_walks_through_a_very_long_game_do_not_use_up_the_stack():
    program = """
        import threading
        import aiplay

        class Long(aiplay.PythonGame):
            name, seats, max_moves, max_depth = "long", 2, 2, 1_000_000
            def setup(self):
                return 0
            def to_move(self, state):
                return self.TERMINAL if state == 500_000 else state % 2
            def legal_moves(self, state):
                return [0, 1]
            def play(self, state, move):
                return state + 1
            def returns(self, state):
                return [0, 1]

        def search():
            player = aiplay.make_player("mixed:method=start,iterations=4", seed=1)
            print(player.choose(Long().new_state().view(0)) in (0, 1))

        thread = threading.Thread(target=search)
        thread.start()
        thread.join()
    """
    assert run_apart(program) == "True"


def test_a_tree_takes_no_regrets_of_a_view_that_the_game_does_not_have():
    class Longer(Card):
        LENGTH = 6

    longer = Longer().new_state()
    for move in (3, 0, 0, 0, 0):
        longer.play(move)
    tree = GameTree(Card(), max_nodes=10_000, stop=StopFlag())
    with pytest.raises(ValueError, match="no such view"):
        tree.restore(longer.view(0), [0.0] * 3, [0.0] * 3)


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_that_keeps_its_promises_is_searched(spec):
    assert aiplay.make_player(spec, seed=1).choose(view_of(Card())) in (0, 1, 2)


def test_more_edges_at_a_node_than_a_position_has_moves():
    """Trees exchange nodes of another seat whose moves differ from world to world: more in all than max_moves."""
    program = """
        import aiplay
        from broken_games import Card, Deal

        class ManyHands(Card):
            name, max_moves = "many_hands", 2
            def chance_outcomes(self, state):
                return [(0, 0.5), (1, 0.5)]
            def legal_moves(self, state):  # seat 1 sees the card, one of thousands
                return [0, 1] if len(state.moves) % 2 == 0 else [2 * state.card + 20, 2 * state.card + 21]
            def conceal(self, state, seat):
                return state if seat == 1 else super().conceal(state, seat)
            def determinise(self, view, seat, stream):
                return Deal(100 + stream.below(3000), view.moves) if seat == 0 else view

        game = ManyHands()
        state = game.new_state()
        state.play(1)
        player = aiplay.make_player("mcts:iterations=12000,trees=4,mode=single", seed=1)
        for _ in range(2):
            print(player.choose(state.view(0)) in (0, 1))
    """
    assert run_apart(program) == "True\nTrue"


@pytest.mark.parametrize(
    "spec", ["mcts:iterations=2000", "mcts:iterations=2000,threads=2", "expectimax:depth=4"]
)
def test_a_play_that_is_not_a_function_is_named(spec):
    view = view_of(LuckyPlay())

    def search_often():
        for seed in range(50):
            aiplay.make_player(spec, seed=seed).analyse(view)

    with pytest.raises(aiplay.ContractError, match=r"lucky_play: .*the same result for the same state"):
        search_often()


def test_the_own_error_of_a_game_is_not_replaced():
    class Fails(Card):
        def play(self, state, move):
            if len(state.moves) == 2:
                raise KeyError("mine")
            return super().play(state, move)

    with pytest.raises(KeyError, match="mine"):
        aiplay.make_player("mcts:iterations=2000", seed=1).analyse(view_of(Fails()))


@pytest.mark.parametrize(
    "spec", ["mcts:iterations=300", "mcts:iterations=300,threads=2", "expectimax:depth=3"]
)
def test_searches_side_by_side_have_their_own_exceptions(spec):
    """Threads that search the same game: one fails again and again, the others neither fail nor find anything else."""

    class Fussy(Card):
        def play(self, state, move):
            if len(state.moves) == 2 and threading.current_thread().name.startswith("fails"):
                raise KeyError("mine")
            return super().play(state, move)

    game, found, raised = Fussy(), [], []
    view = view_of(game)
    is_inside = "threads" not in spec  # helpers of a search have names of their own

    def search(number):
        player = aiplay.make_player(spec, seed=1)
        for _ in range(20):
            player.forget()
            player.stream.state = 7
            try:
                found.append(player.analyse(view).moves)
            except KeyError as problem:
                raised.append((threading.current_thread().name, problem.args))

    names = ["works", "fails", "works", "fails"]
    threads = [threading.Thread(target=search, args=(n,), name=f"{names[n]}-{n}") for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {name.partition("-")[0] for name, _ in raised} == {"fails"}
    assert {args for _, args in raised} == {("mine",)}
    assert len(raised) == 40 or not is_inside
    assert len(found) >= 40
    assert all(moves == found[0] for moves in found)
