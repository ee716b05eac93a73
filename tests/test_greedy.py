"""The greedy player against the same sums computed through the Python face."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import aiplay
from aiplay.errors import IllegalMoveError, PlayerSpecError


def value_after(state: aiplay.State, seat: int) -> float:
    """The value of a position for a seat, chance enumerated: the definition of the values that greedy compares."""
    game = state.game
    if state.is_over:
        return (state.returns()[seat] - game.min_return) / (game.max_return - game.min_return)
    if state.to_move >= 0:
        return state.evaluate()[seat]
    total = 0.0
    for move, p in state.chance_outcomes():
        child = state.copy()
        child.play(move)
        total += p * value_after(child, seat)
    return total


def reference_values(state: aiplay.State) -> dict[int, float]:
    seat = state.to_move
    values = {}
    for move in state.legal_moves():
        child = state.copy()
        child.play(move)
        values[move] = value_after(child, seat)
    return values


def random_state(game: aiplay.Game, seed: int, n_moves: int) -> aiplay.State | None:
    """A decision of a seat after about n_moves random moves, or None if the game ended before."""
    stream, state = aiplay.RandomStream(seed), game.new_state()
    while not state.is_over:
        if state.to_move >= 0 and n_moves <= 0:
            return state
        n_moves -= 1
        if state.to_move == aiplay.CHANCE:
            state.play_chance(stream)
        else:
            state.play(stream.choice(state.legal_moves()))
    return None


@pytest.mark.parametrize("name", ["pig", "connect_four"])
def test_values_of_open_games_are_the_exact_means(name: str) -> None:
    game = aiplay.load_game(name)
    player = aiplay.make_player("greedy", seed=1)
    n_checked = 0
    for seed in range(60):
        state = random_state(game, seed, seed % 30)
        if state is None:
            continue
        expected = reference_values(state)
        analysis = player.analyse(state.view(state.to_move))
        assert {move.move: move.value for move in analysis.moves} == pytest.approx(expected, abs=1e-12)
        assert analysis.moves[0].value == pytest.approx(max(expected.values()), abs=1e-12)
        assert analysis.worlds == 1
        n_checked += 1
    assert n_checked > 30


def test_hidden_cards_are_averaged_over_their_possible_values() -> None:
    game = aiplay.load_game("leduc_poker")
    state = game.new_state()
    for move in (4, 1, 2):  # a king, a jack, seat 0 raises
        state.play(move)
    view = state.view(1)
    expected = dict.fromkeys(view.legal_moves(), 0.0)
    for card in (0, 2, 3, 4, 5):
        twin = game.new_state()
        for move in (card, 1, 2):
            twin.play(move)
        for move, value in reference_values(twin).items():
            expected[move] += value / 5
    analysis = aiplay.make_player("greedy:worlds=4000", seed=3).analyse(view)
    assert analysis.worlds == 4000
    for move in analysis.moves:
        assert abs(move.value - expected[move.move]) < 5 * move.error + 1e-9
        assert move.error < 0.01


def test_it_uses_nothing_but_the_view() -> None:
    game = aiplay.load_game("leduc_poker")
    answers = set()
    for other in (0, 3, 4, 5):
        state = game.new_state()
        for move in (2, other, 1, 2):
            state.play(move)
        analysis = aiplay.make_player("greedy", seed=5).analyse(state.view(0))
        answers.add(tuple(tuple(move) for move in analysis.moves))
    assert len(answers) == 1


def test_it_takes_a_win() -> None:
    state = aiplay.load_game("connect_four").new_state()
    for column in (3, 0, 3, 0, 3, 0):
        state.play(column)
    analysis = aiplay.make_player("greedy", seed=1).analyse(state.view(0))
    assert analysis.best == 3
    assert analysis.moves[0].value == 1.0
    assert analysis.odds == (1.0, 0.0)


def test_it_beats_random_at_connect_four() -> None:
    game = aiplay.load_game("connect_four")
    score = 0.0
    for seed in range(100):
        greedy, other = aiplay.make_player("greedy", seed=seed), aiplay.make_player("random", seed=seed)
        players = [greedy, other] if seed % 2 else [other, greedy]
        score += aiplay.play_game(aiplay.Table(game, seed=seed), players)[seed % 2 == 0]
    assert score / 100 > 0.8


class Wheel(aiplay.PythonGame):
    """Bet on one of four wheels of `SIZE` numbers, which are the pay; wheels 2 and 3 pay the same, and most."""

    name = "wheel"
    SIZE = 200
    seats, max_moves, max_depth, max_return = 1, 256, 3, 1.0
    fails = False

    def setup(self) -> tuple[int, int, int]:  # wheel, number, decisions made
        return (0, 0, 0)

    def to_move(self, state: tuple[int, int, int]) -> int:
        return (0, self.CHANCE, self.TERMINAL)[state[2]]

    def legal_moves(self, state: tuple[int, int, int]) -> range:
        return range(4)

    def chance_outcomes(self, state: tuple[int, int, int]) -> list[tuple[int, float]]:
        if self.fails:
            raise RuntimeError("the wheel is stuck")
        return [(number, 1 / self.SIZE) for number in range(self.SIZE)]

    def play(self, state: tuple[int, int, int], move: int) -> tuple[int, int, int]:
        return (move, 0, 1) if state[2] == 0 else (state[0], move, 2)

    def returns(self, state: tuple[int, int, int]) -> list[float]:
        return [min(state[0], 2) / 2 * state[1] / (self.SIZE - 1)]


def test_wide_chance_is_sampled_and_narrow_chance_enumerated() -> None:
    view = Wheel().new_state().view(0)
    exact = aiplay.make_player("greedy:samples=200", seed=1).analyse(view)
    assert exact.iterations == 4 * 200
    assert {move.move: move.value for move in exact.moves} == pytest.approx({0: 0, 1: 0.25, 2: 0.5, 3: 0.5})
    sampled = aiplay.make_player("greedy:samples=50", seed=1).analyse(view)
    assert sampled.iterations == 4 * 50
    # Evenly spread samples: 50 of 200 numbers, one of every four neighbours, are off by less than one step.
    assert abs(sampled.moves[0].value - 0.5) < 4 / 199


def test_samples_follow_the_probabilities() -> None:
    class Loaded(Wheel):
        def chance_outcomes(self, state: tuple[int, int, int]) -> list[tuple[int, float]]:
            return [(0, 0.5), (1, 0.125), (self.SIZE - 1, 0.375)]

    view = Loaded().new_state().view(0)
    player = aiplay.make_player("greedy:samples=2", seed=9)
    n, total = 2000, 0.0
    for _ in range(n):
        total += max(move.value for move in player.analyse(view).moves)
    expected = Fraction(3, 8) + Fraction(1, 8) / 199
    assert abs(total / n - float(expected)) < 4 * 0.5 / math.sqrt(2 * n)


def test_ties_are_broken_by_the_seed() -> None:
    view = Wheel().new_state().view(0)
    choices = [aiplay.make_player("greedy:samples=200", seed=seed).choose(view) for seed in range(200)]
    assert set(choices) == {2, 3}
    assert 60 < choices.count(2) < 140
    again = [aiplay.make_player("greedy:samples=200", seed=seed).choose(view) for seed in range(200)]
    assert again == choices


def test_an_error_of_a_python_game_is_raised() -> None:
    class Stuck(Wheel):
        fails = True

    with pytest.raises(RuntimeError, match="the wheel is stuck"):
        aiplay.make_player("greedy").choose(Stuck().new_state().view(0))


def test_endless_chance_does_not_hang() -> None:
    class Endless(Wheel):
        def to_move(self, state: tuple[int, int, int]) -> int:
            return self.CHANCE if state[2] else 0

        def play(self, state: tuple[int, int, int], move: int) -> tuple[int, int, int]:
            return (move, 0, 1)

    assert aiplay.make_player("greedy").choose(Endless().new_state().view(0)) in range(4)


def test_one_legal_move_is_answered_at_once() -> None:
    class Only(Wheel):
        fails = True

        def legal_moves(self, state: tuple[int, int, int]) -> range:
            return range(1)

    assert aiplay.make_player("greedy").choose(Only().new_state().view(0)) == 0


def test_a_view_without_a_choice_is_an_error() -> None:
    state = aiplay.load_game("connect_four").new_state()
    with pytest.raises(IllegalMoveError, match="it is the turn of seat 0"):
        aiplay.make_player("greedy").choose(state.view(1))
    for column in (0, 1, 0, 1, 0, 1, 0):
        state.play(column)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        aiplay.make_player("greedy").analyse(state.view(1))


@pytest.mark.parametrize(
    ("spec", "name"),
    [("worlds=0", "worlds"), ("samples=0", "samples"), ("worlds=nan", "worlds"), ("time=1", "time")],
)
def test_bad_options_are_named(spec: str, name: str) -> None:
    with pytest.raises(PlayerSpecError, match=name):
        aiplay.make_player(f"greedy:{spec}")
