"""Kuhn poker: the contract, the rules, and values computed by hand."""

import pytest

import aiplay
import aiplay.audit
import aiplay.learn
from aiplay.testing import check_damaged, check_game


@pytest.mark.parametrize("cards", [3, 4, 13])
def test_it_keeps_the_contract(cards):
    game = aiplay.load_game("kuhn_poker", cards=cards)
    check_game(game)
    check_damaged(game)


@pytest.mark.parametrize("player", ["greedy", "mcts:iterations=50", "mixed:iterations=20"])
def test_it_keeps_its_secrets_from_every_player(player):
    found = aiplay.audit.audit_player(aiplay.load_game("kuhn_poker"), player, games=20)
    assert found.is_fair, aiplay.audit.text([found])
    assert {part.name for part in found.parts if part.count} >= {"other truths", "frequencies of worlds"}


def value(state):
    """Expected return of seat 0 if both seats pass or bet with probability 1/2."""
    if state.is_over:
        return state.returns()[0]
    ways = state.chance_outcomes() or [(move, 0.5) for move in state.legal_moves()]
    total = 0.0
    for move, probability in ways:
        child = state.copy()
        child.play(move)
        total += probability * value(child)
    return total


def test_the_first_seat_wins_an_eighth_if_both_play_at_random():
    # Showdowns cancel out. Bet, pass: +1 in 1/4 of the games. Pass, bet, pass: -1 in 1/8 of them.
    assert value(aiplay.load_game("kuhn_poker").new_state()) == pytest.approx(1 / 8)


@pytest.mark.parametrize(
    ("moves", "returns"),
    [
        (["pass", "pass"], [-1, 1]),
        (["bet", "pass"], [1, -1]),
        (["bet", "bet"], [-2, 2]),
        (["pass", "bet", "pass"], [-1, 1]),
        (["pass", "bet", "bet"], [-2, 2]),
    ],
)
def test_the_higher_card_wins_unless_it_folds(moves, returns):
    state = aiplay.load_game("kuhn_poker").new_state()
    for move in (1, 2, *moves):  # seat 0 has the lower card
        state.play(move)
    assert state.is_over
    assert state.returns() == returns


def test_an_equilibrium_is_learned_in_which_the_first_seat_loses_an_eighteenth():
    learned = aiplay.learn.learn_equilibrium(aiplay.load_game("kuhn_poker"), minutes=None).description
    assert learned["exploitability"] < 0.005
    assert learned["returns"][0] == pytest.approx(-1 / 18, abs=0.005)


@pytest.mark.parametrize(("card", "answer"), [(1, "pass"), (3, "bet")])
def test_mcts_folds_the_lowest_card_and_calls_with_the_highest(card, answer):
    state = aiplay.load_game("kuhn_poker").new_state()
    for move in (2, card, "bet"):
        state.play(move)
    view = state.view(1)
    chosen = aiplay.make_player("mcts:iterations=500", seed=1).choose(view)
    assert view.move_text(chosen) == answer
