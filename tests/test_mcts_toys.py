"""The modes of mcts on toy games with known values, and checks of the toys themselves."""

from fractions import Fraction
from itertools import permutations

import pytest
import toys

import aiplay
from aiplay.testing import check_game

ALL = [
    toys.LookOrGuess(),
    toys.SafeOrGuess(),
    toys.OthersGuess(),
    toys.LookElsewhere(),
    toys.Pennies(),
    toys.Kuhn(),
    toys.BestOfThree(),
    toys.ThreeSeats(),
    toys.Kingmaker(),
    toys.Together(),
    toys.RandomTree(seed=3),
]


def analyse(game: aiplay.Game, spec: str, seed: int = 1) -> aiplay.Analysis:
    table = aiplay.Table(game, seed=1)
    return aiplay.make_player(f"mcts:{spec}", seed=seed).analyse(table.view(table.to_move))


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_the_toy_is_a_correct_game(game):
    check_game(game, games=10)


# ---- Hidden cards ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mode", ["auto", "single", "several"])
def test_looking_is_worth_its_price(mode, seed):
    analysis = analyse(toys.LookOrGuess(), f"iterations=2000,mode={mode}", seed)
    assert analysis.best == toys.LookOrGuess.LOOK
    assert analysis.moves[0].value == pytest.approx(0.9, abs=0.02)
    for guess in analysis.moves[1:]:
        assert abs(guess.value - 0.5) < 4 * 0.5 / guess.visits**0.5  # as a coin that was tossed so often


@pytest.mark.parametrize("seed", range(3))
def test_pimc_never_pays_to_look(seed):
    analysis = analyse(toys.LookOrGuess(), "iterations=2000,mode=pimc", seed)
    assert analysis.best != toys.LookOrGuess.LOOK
    assert analysis.moves[0].value > 0.9  # as if it knew the card
    assert analysis.worlds == 32


@pytest.mark.parametrize("seed", range(3))
def test_a_guess_is_not_a_plan_except_for_pimc(seed):
    sound = analyse(toys.SafeOrGuess(), "iterations=2000", seed)
    assert sound.best == 0
    assert sound.moves[0].value == pytest.approx(0.7)
    fused = analyse(toys.SafeOrGuess(), "iterations=2000,mode=pimc", seed)
    assert fused.best == 1
    assert fused.moves[0].value > 0.9


def test_pimc_proves_nothing():
    """Every world has a sure win, by different guesses; together they prove nothing."""
    analysis = analyse(toys.SafeOrGuess(), "iterations=640,mode=pimc")
    assert not any(move.proven for move in analysis.moves)
    assert analysis.iterations == sum(move.visits for move in analysis.moves) == 640


# ---- Hidden moves ------------------------------------------------------------------------------------------


def coin_values(mode):
    """The odds of seat 0 for several seeds: two bandits against each other may lock into a rhythm."""
    return [analyse(toys.Pennies(), f"iterations=1000,mode={mode}", seed).odds[0] for seed in range(8)]


@pytest.mark.parametrize("mode", ["several", "auto"])
def test_a_hidden_coin_is_worth_a_half_with_a_tree_for_each_seat(mode):
    values = coin_values(mode)
    assert all(abs(value - 0.5) < 0.2 for value in values)
    assert abs(sum(values) / len(values) - 0.5) < 0.1


@pytest.mark.parametrize("mode", ["single", "pimc"])
def test_a_single_tree_plays_as_if_the_opponent_saw_the_coin(mode):
    assert all(value < 0.2 for value in coin_values(mode))


def test_auto_is_several_if_moves_are_hidden_or_seats_have_few_views():
    for game, mode in ((toys.Pennies(), "several"), (toys.Kuhn(), "several"), (toys.LookOrGuess(), "single")):
        assert analyse(game, "iterations=500").moves == analyse(game, f"iterations=500,mode={mode}").moves
    assert (
        analyse(toys.Pennies(), "iterations=500").moves
        != analyse(toys.Pennies(), "iterations=500,mode=single").moves
    )


# ---- Open games --------------------------------------------------------------------------------------------


def test_three_seats_play_for_themselves():
    game = toys.ThreeSeats()
    assert tuple(toys.exact_values(game.TREE)) == game.VALUES
    analysis = analyse(game, "iterations=1000")
    assert analysis.odds == game.VALUES
    assert analysis.line == ("1", "0", "0")
    assert [(move.move, move.value, move.proven) for move in analysis.moves] == [
        (1, 0.4, True),
        (0, 0.3, True),
    ]
    averaged = analyse(game, "iterations=4000,solver=no")
    assert averaged.best == 1
    assert averaged.odds == pytest.approx(game.VALUES, abs=0.05)
    assert not any(move.proven for move in averaged.moves)


def test_nothing_is_proven_if_a_loser_chooses_the_winner():
    gamble, safe = sorted(analyse(toys.Kingmaker(), "iterations=1000").moves, key=lambda move: move.move)
    assert not gamble.proven
    assert gamble.value == pytest.approx(0.5, abs=0.1)
    assert safe.proven
    assert safe.value == 0.4


def test_seats_that_win_together_find_the_common_best():
    analysis = analyse(toys.Together(), "iterations=1000")
    assert analysis.line == ("2", "3")
    assert analysis.odds == (1.0, 1.0)
    averaged = analyse(toys.Together(), "iterations=4000,solver=no")
    assert averaged.best == 2
    assert averaged.moves[0].value == pytest.approx(1.0, abs=0.05)


def test_one_seat_keeps_and_rolls_correctly():
    game = toys.BestOfThree()
    for rolls_left, least_kept in ((2, 5), (1, 4)):
        for face in range(1, 7):
            state = game.state_from_json(
                game.new_state().to_json().replace("[0,2,true]", f"[{face},{rolls_left},false]")
            )
            analysis = aiplay.make_player("mcts:iterations=3000", seed=face).analyse(state.view(0))
            assert analysis.best == (game.KEEP if face >= least_kept else game.ROLL), (rolls_left, face)
            roll = next(move for move in analysis.moves if move.move == game.ROLL)
            worth = 3.5 if rolls_left == 1 else 4.25
            if face == 6:  # nothing is better than a six, which needs no roll to know
                assert analysis.moves[0].proven
                continue
            assert abs(6 * roll.value - worth) < max(0.2, 4 * 6 * roll.error)


# ---- The toy of Kuhn poker has the known value -------------------------------------------------------------


def equilibrium(card: int, bets: tuple[int, ...]) -> Fraction:
    """The probability of a bet (or call) in the equilibrium in which seat 0 never bluffs (Kuhn 1950, alpha = 0)."""
    jack, queen, king = {
        (): (0, 0, 0),
        (0,): (Fraction(1, 3), 0, 1),
        (1,): (0, Fraction(1, 3), 1),
        (0, 1): (0, Fraction(1, 3), 1),
    }[bets]
    return Fraction((jack, queen, king)[card])


def value_for_seat_0(state: aiplay.State) -> Fraction:
    if state.is_over:
        return Fraction(state.returns()[0])
    cards, bets = state.fields
    p = equilibrium(cards[state.to_move], bets)
    total = Fraction(0)
    for move, weight in ((0, 1 - p), (1, p)):
        if weight:
            child = state.copy()
            child.play(move)
            total += weight * value_for_seat_0(child)
    return total


def test_kuhn_poker_is_worth_minus_one_eighteenth():
    total = Fraction(0)
    for first, second in permutations(range(3), 2):
        state = toys.Kuhn().new_state()
        state.play(first)
        state.play(second)
        total += value_for_seat_0(state)
    assert total / 6 == Fraction(-1, 18)
