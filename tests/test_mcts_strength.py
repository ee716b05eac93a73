"""mcts against weak players of small poker games: chips per game, with a standard error."""

import math
from collections.abc import Callable, Sequence
from itertools import permutations
from statistics import fmean, stdev

import pytest
import toys

import aiplay

# ---- Leduc poker: the same deals, seats exchanged --------------------------------------------------------------

FOLD, CALL, RAISE = range(3)
Choice = Callable[[aiplay.View], int]


def calling(view: aiplay.View) -> int:
    return CALL


def raising(view: aiplay.View) -> int:
    return RAISE if RAISE in view.legal_moves() else CALL


def folding(view: aiplay.View) -> int:
    return FOLD if FOLD in view.legal_moves() else CALL


def chips_of_first(game: aiplay.Game, seed: int, choices: Sequence[Choice], seat: int) -> float:
    """The chips that the first of two players wins in this seat."""
    table = aiplay.Table(game, seed=seed)
    while not table.over:
        choose = choices[table.to_move == 1 - seat]
        table.play(choose(table.view(table.to_move)))
    return table.returns()[seat]


def margin(spec: str, opponent: Callable[[int], Choice], deals: int) -> tuple[float, float]:
    """Chips per game over deals that are played in both seats, and the standard error."""
    game = aiplay.load_game("leduc_poker")
    results = []
    for seed in range(deals):
        choices = aiplay.make_player(spec, seed=seed).choose, opponent(seed)
        results.append(fmean(chips_of_first(game, seed, choices, seat) for seat in (0, 1)))
    return fmean(results), stdev(results) / math.sqrt(deals)


@pytest.mark.parametrize(
    ("name", "opponent", "chips"),
    [
        ("random", lambda seed: aiplay.make_player("random", seed=seed + 1000).choose, 0.5),
        ("calling", lambda seed: calling, 0.6),
        ("raising", lambda seed: raising, 0.5),
        ("folding", lambda seed: folding, 0.1),
    ],
)
def test_it_wins_chips_at_leduc_poker(name, opponent, chips):
    mean, error = margin("mcts:iterations=1000", opponent, 150)
    assert mean - 3 * error > chips, f"{mean:.2f} +- {error:.2f} against {name}"


# ---- Kuhn poker: exact values of its strategies ----------------------------------------------------------------

Strategy = dict[tuple[int, tuple[int, ...]], float]  # (card, bets so far) -> probability of a bet
SITUATIONS = [(card, bets) for card in range(3) for bets in ((), (0,), (1,), (0, 1))]


def dealt(cards: tuple[int, int], bets: tuple[int, ...] = ()) -> aiplay.State:
    state = toys.Kuhn().new_state()
    for move in (*cards, *bets):
        state.play(move)
    return state


def strategy_of_mcts(seeds: range) -> Strategy:
    """The share of seeds with which it bets, for every situation."""
    strategy = {}
    for card, bets in SITUATIONS:
        seat = len(bets) % 2
        other = (card + 1) % 3
        view = dealt((card, other) if seat == 0 else (other, card), bets).view(seat)
        choices = [aiplay.make_player("mcts:iterations=300", seed=seed).choose(view) for seed in seeds]
        strategy[card, bets] = fmean(choices)
    return strategy


def value(state: aiplay.State, strategies: Sequence[Strategy]) -> float:
    """The chips that seat 0 wins on average."""
    if state.is_over:
        return state.returns()[0]
    cards, bets = state.fields
    p = strategies[state.to_move][cards[state.to_move], bets]
    total = 0.0
    for move, weight in ((0, 1 - p), (1, p)):
        if weight:
            child = state.copy()
            child.play(move)
            total += weight * value(child, strategies)
    return total


def margin_of(first: Strategy, second: Strategy) -> float:
    """The chips per game that the first strategy wins from the second, over all deals and both seats."""
    deals = [dealt(cards) for cards in permutations(range(3), 2)]
    return fmean(value(deal, (first, second)) - value(deal, (second, first)) for deal in deals) / 2


@pytest.mark.parametrize(
    ("name", "opponent", "chips"),
    [
        ("random", dict.fromkeys(SITUATIONS, 0.5), 0.2),
        ("always betting", dict.fromkeys(SITUATIONS, 1.0), 0.3),
        ("always passing", dict.fromkeys(SITUATIONS, 0.0), 0.0),
        ("upside down", {(card, bets): float(card == 0) for card, bets in SITUATIONS}, 0.3),
    ],
)
def test_it_wins_chips_at_kuhn_poker(name, opponent, chips, strategies):
    results = [margin_of(strategy, opponent) for strategy in strategies]
    mean, error = fmean(results), stdev(results) / math.sqrt(len(results))
    assert mean - 3 * error > chips, f"{mean:.3f} +- {error:.3f} against {name}"


@pytest.fixture(scope="module")
def strategies() -> list[Strategy]:
    return [strategy_of_mcts(range(8 * batch, 8 * batch + 8)) for batch in range(8)]


def test_it_never_folds_the_king_and_never_calls_with_the_jack(strategies):
    for strategy in strategies:
        for bets in ((1,), (0, 1)):
            assert strategy[2, bets] == 1.0
            assert strategy[0, bets] == 0.0
