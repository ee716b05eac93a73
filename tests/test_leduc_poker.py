"""Leduc poker, rule by rule; test_against_openspiel.py compares its whole tree with OpenSpiel's."""

from collections import Counter

import pytest

import aiplay
from aiplay.fields import encode_json
from aiplay.testing import check_game

GAME = aiplay.load_game("leduc_poker")
CARDS = ["Js", "Jh", "Qs", "Qh", "Ks", "Kh"]


def play(moves):
    """The state after these moves: a card, fold, call or raise."""
    state = GAME.new_state()
    for move in moves.split():
        state.play(move)
    return state


def chips(state):
    return state.fields["chips"].tolist()


def texts(state):
    return [state.move_text(move) for move in state.legal_moves()]


def test_the_game_keeps_the_contract():
    check_game(GAME, games=100)


# ---- Dealing -----------------------------------------------------------------------------------------------


def test_each_seat_gets_one_of_six_cards():
    state = GAME.new_state()
    assert state.to_move == aiplay.CHANCE
    assert texts(state) == CARDS
    assert [p for _, p in state.chance_outcomes()] == [pytest.approx(1 / 6)] * 6


def test_no_card_is_dealt_twice():
    assert texts(play("Qs")) == ["Js", "Jh", "Qh", "Ks", "Kh"]
    assert texts(play("Qs Kh call call")) == ["Js", "Jh", "Qh", "Ks"]


def test_the_public_card_comes_after_the_first_round():
    assert play("Js Kh call").to_move == 1
    assert play("Js Kh call call").to_move == aiplay.CHANCE
    assert play("Js Kh call call Qs").to_move == 0


# ---- Betting -----------------------------------------------------------------------------------------------


def test_the_ante_is_one():
    assert chips(play("Js Kh")) == [1, 1]


def test_raises_are_two_in_the_first_round():
    assert chips(play("Js Kh raise")) == [3, 1]
    assert chips(play("Js Kh raise raise")) == [3, 5]


def test_raises_are_four_in_the_second_round():
    assert chips(play("Js Kh call call Qs raise")) == [5, 1]
    assert chips(play("Js Kh call call Qs raise raise")) == [5, 9]


def test_a_seat_bets_at_most_thirteen_chips():
    assert chips(play("Js Kh raise raise call Qs raise raise call")) == [13, 13]


def test_a_round_has_at_most_two_raises():
    assert texts(play("Js Kh raise raise")) == ["fold", "call"]
    assert texts(play("Js Kh raise raise call Qs")) == ["call", "raise"]


def test_folding_is_legal_only_against_a_bet():
    assert texts(play("Js Kh")) == ["call", "raise"]
    assert texts(play("Js Kh call")) == ["call", "raise"]
    assert texts(play("Js Kh raise")) == ["fold", "call", "raise"]


def test_a_call_matches_the_bet():
    assert chips(play("Js Kh raise call")) == [3, 3]


def test_a_round_goes_on_until_both_seats_have_acted():
    assert play("Js Kh call").to_move == 1
    assert play("Js Kh call raise").to_move == 0
    assert play("Js Kh call raise call").to_move == aiplay.CHANCE


def test_seat_0_begins_both_rounds():
    assert play("Js Kh raise raise call Qs").to_move == 0


# ---- The end -----------------------------------------------------------------------------------------------


def test_a_seat_that_folds_loses_its_chips():
    assert play("Kh Js raise fold").returns() == [1.0, -1.0]
    assert play("Kh Js raise raise fold").returns() == [-3.0, 3.0]
    assert play("Kh Js call call Qs raise fold").returns() == [1.0, -1.0]


def test_the_higher_card_wins():
    assert play("Ks Jh raise call Qs call call").returns() == [3.0, -3.0]
    assert play("Js Qh call call Ks raise call").returns() == [-5.0, 5.0]


def test_a_pair_with_the_public_card_beats_the_higher_card():
    assert play("Js Kh call call Jh call call").returns() == [1.0, -1.0]
    assert play("Ks Qh call call Qs call call").returns() == [-1.0, 1.0]


def test_equal_cards_share():
    assert play("Js Jh raise call Ks raise call").returns() == [0.0, 0.0]


# ---- Hidden cards ------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_card_and_the_public_one():
    state = play("Js Kh call call Qs")
    assert str(state.view(0)) == "seat 0: Js 1 chips  seat 1: ?? 1 chips  board: Qs"
    assert str(state.view(1)) == "seat 0: ?? 1 chips  seat 1: Kh 1 chips  board: Qs"


def test_a_card_that_is_not_dealt_is_not_drawn_as_hidden():
    assert str(play("Js").view(0)) == "seat 0: Js 1 chips  seat 1: -- 1 chips  board: --"
    assert str(play("Js").view(1)) == "seat 0: ?? 1 chips  seat 1: -- 1 chips  board: --"


def test_a_seat_notices_everything_but_the_other_seats_card():
    first, second = GAME.new_state(), play("Js")
    assert [first.perceive(card, 0) for card in range(6)] == list(range(6))
    assert len({first.perceive(card, 1) for card in range(6)}) == 1
    assert len({second.perceive(card, 0) for card in range(1, 6)}) == 1
    assert [second.perceive(card, 1) for card in range(1, 6)] == [1, 2, 3, 4, 5]
    public = play("Js Kh call call")
    for state in (play("Js Kh"), public):
        for seat in (0, 1):
            assert [state.perceive(move, seat) for move in state.legal_moves()] == state.legal_moves()


# Values of chi-square that chance exceeds once in a million times, by degrees of freedom.
CHI_SQUARE = {3: 30.66, 4: 33.38, 5: 35.89}


@pytest.mark.parametrize(
    ("moves", "seat", "unseen"),
    [
        ("Js", 1, ["Js", "Jh", "Qs", "Qh", "Ks", "Kh"]),
        ("Js Kh", 0, ["Jh", "Qs", "Qh", "Ks", "Kh"]),
        ("Js Kh raise", 1, ["Js", "Jh", "Qs", "Qh", "Ks"]),
        ("Js Kh call call Qs raise", 1, ["Js", "Jh", "Qh", "Ks"]),
        ("Js Kh call call Qs", 0, ["Jh", "Qh", "Ks", "Kh"]),
    ],
)
def test_worlds_are_uniform_over_the_cards_that_a_seat_cannot_see(moves, seat, unseen):
    view = play(moves).view(seat)
    n = 12_000
    counts = Counter(CARDS[view.sample_world(seed).fields["hands"][1 - seat]] for seed in range(n))
    assert sorted(counts) == sorted(unseen)
    expected = n / len(unseen)
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < CHI_SQUARE[len(unseen) - 1]


def test_a_card_that_is_not_dealt_is_not_sampled():
    state = GAME.new_state()
    assert all(state.view(seat).sample_world(7) == state for seat in (0, 1))
    assert play("Js").view(0).sample_world(7) == play("Js")


def test_evaluate_knows_the_odds_of_a_showdown():
    """Ks against Js before the public card: of the four cards left, only Jh lets it lose."""
    edge = (3 - 1) / 4
    assert play("Ks Js").evaluate()[0] == pytest.approx(0.5 + 0.5 * edge * 1 / 13)
    assert play("Ks Js raise call").evaluate()[0] == pytest.approx(0.5 + 0.5 * edge * 3 / 13)
    assert play("Ks Js call call Jh").evaluate()[0] == pytest.approx(0.5 - 0.5 * 1 / 13)


def test_a_view_tells_every_bet_so_far():
    def view(bets):
        return play(f"Js Kh {bets} Qs").view(0)

    assert view("raise call") != view("call raise call")
    assert view("raise raise call") != view("call raise raise call")
    assert [int(view(bets).fields["opener"]) for bets in ("call call", "raise call", "call raise call")] == [
        0,
        1,
        2,
    ]


# ---- Impossible positions ----------------------------------------------------------------------------------

START = {
    "hands": [0, 5], "board": -1, "betting": 0, "seat": 0, "n_raises": 0, "n_actions": 0, "folded": 0,
    "n_dealt": 2, "chips": [1, 1], "opener": 0,
}  # fmt: skip


def read(changes, seat=None):
    kind = {"state": START | changes} if seat is None else {"seat": seat, "view": START | changes}
    document = encode_json({"game": "leduc_poker", "options": {}} | kind)
    return GAME.state_from_json(document) if seat is None else GAME.view_from_json(document)


def test_the_position_that_the_next_tests_change_is_accepted():
    assert read({}) == play("Js Kh")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"hands": [3, 3]}, "hands"),
        ({"hands": [0, 2], "board": 2, "betting": 1}, "hands"),
        ({"hands": [-1, 5]}, "hands"),
        ({"n_dealt": 1}, "hands"),
        ({"chips": [3, 3]}, "chips"),
        ({"chips": [1, 2]}, "chips"),
        ({"n_raises": 2}, "chips"),
        ({"board": 3}, "chips"),
        ({"betting": 2}, "chips"),
        ({"folded": 1}, "chips"),
        ({"seat": 1}, "chips"),
        ({"opener": 1}, "chips"),
    ],
    ids=str,
)
def test_contradictions_are_refused(changes, field):
    with pytest.raises(aiplay.InvalidStateError, match=f"field '{field}'"):
        read(changes)


def test_a_view_with_the_other_seats_card_is_refused():
    with pytest.raises(aiplay.InvalidStateError, match="field 'hands'"):
        read({}, seat=0)
    assert read({"hands": [0, -1]}, seat=0) == play("Js Kh").view(0)
    with pytest.raises(aiplay.InvalidStateError, match="field 'hands'"):
        read({"hands": [0, -1]}, seat=1)
