"""Pig to 100 against figures from outside: Neller and Presser, Optimal Play of the Dice Game Pig (2004).

They give the first of two optimal players 0.530592. Value iteration over our rules, with transitions taken from played
states, has to find the same; its decisions then judge the expectimax player.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

import aiplay
from aiplay import Limit

TARGET = 100
LATE = 400  # decisions made so far: enough for any score, far from the horizon
ROLL, HOLD = 0, 1


@lru_cache(None)
def pig() -> aiplay.Game:
    return aiplay.load_game("pig", horizon=30_000)


def pig_state(mine: int, theirs: int, turn_total: int) -> aiplay.State:
    """Seat 0 to decide, with these scores and turn_total points at risk."""
    fields = np.zeros(1, pig().dtype)
    fields["scores"][0, :2] = mine, theirs
    fields["turn_total"], fields["n_decisions"] = turn_total, LATE
    return pig().state_from_bytes(fields.tobytes())


def outcome(state: aiplay.State) -> tuple[str, int, int, int]:
    """The result of a move: who decides next (or who won), both scores, points at risk."""
    fields = state.fields
    scores = fields["scores"].tolist()[:2]
    if state.is_over:
        return "won" if state.returns()[0] == 1 else "lost", *scores, 0
    return ("mine", "theirs")[state.to_move], *scores, int(fields["turn_total"])


def played(mine: int, theirs: int, turn_total: int, *moves: int) -> tuple[str, int, int, int]:
    state = pig_state(mine, theirs, turn_total)
    for move in moves:
        state.play(move)
    return outcome(state)


@lru_cache(None)
def effect_of_a_roll() -> tuple[int | None, ...]:
    """The points at risk that each face of the die adds; None for a face that loses them and the turn.

    Found by playing. Checks on many states that it is always the same, and that holding banks the points.
    """
    stream = aiplay.RandomStream(4)
    effects = set()
    for _ in range(600):
        mine, theirs = stream.below(TARGET), stream.below(TARGET)
        k = stream.below(TARGET - mine)
        assert played(mine, theirs, k, HOLD) == ("theirs", mine + k, theirs, 0)
        winning = TARGET - mine + stream.below(6)
        assert played(mine, theirs, winning, HOLD)[0] == "won"
        effect = []
        for face in range(6):
            who, *scores, risk = played(mine, theirs, k, ROLL, face)
            assert scores == [mine, theirs]
            assert who == "mine" or risk == 0
            effect.append(risk - k if who == "mine" else None)
        effects.add(tuple(effect))
    assert len(effects) == 1
    return effects.pop()


@lru_cache(None)
def solution() -> tuple[np.ndarray, np.ndarray]:
    """The chance to win after rolling and after holding, [at risk, mine, theirs].

    Scores never fall, so positions are solved by the sum of both scores, from the end backwards. Two positions that
    differ only in who is to move depend on each other: Newton's method, with the slope of each in the other.
    """
    gains = [gain for gain in effect_of_a_roll() if gain is not None]
    p_lost = 1 - len(gains) / 6
    start = np.full((TARGET, TARGET), 0.5)  # before the first roll of a turn, [mine, theirs]
    roll, hold = np.ones((2, TARGET, TARGET, TARGET))
    for total in range(2 * TARGET - 2, -1, -1):
        mine = np.arange(max(0, total - TARGET + 1), min(total, TARGET - 1) + 1)
        theirs = total - mine
        banked = mine + np.arange(TARGET)[:, None]
        held = np.where(banked < TARGET, 1 - start[theirs, np.minimum(banked, TARGET - 1)], 1.0)
        x = start[mine, theirs]
        while True:
            held[0] = 1 - x[::-1]
            rows = np.ones((TARGET + 6, len(mine)))  # with enough at risk, hold and win
            slopes = np.zeros_like(rows)
            rolled = np.ones((TARGET, len(mine)))
            for k in range(TARGET - 1 - mine[0], -1, -1):
                rolled[k] = p_lost * held[0] + sum(rows[k + gain] for gain in gains) / 6
                slope = sum(slopes[k + gain] for gain in gains) / 6 - p_lost
                is_roll = (rolled[k] > held[k]) & (banked[k] < TARGET)
                rows[k] = np.where(is_roll, rolled[k], held[k])
                slopes[k] = np.where(is_roll, slope, 0.0 if k else -1.0)
            error, s = rows[0] - x, slopes[0]
            if np.abs(error).max() < 1e-11:
                break
            x = x + (error + s * error[::-1]) / (1 - s * s[::-1])
        start[mine, theirs] = x
        roll[:, mine, theirs], hold[:, mine, theirs] = rolled, held
    return roll, hold


def test_the_first_of_two_optimal_players_wins_with_probability_0_530592() -> None:
    roll, hold = solution()
    assert 0.530592 <= max(roll[0, 0, 0], hold[0, 0, 0]) < 0.530593


def test_the_first_turn_is_held_at_21() -> None:
    """The hold value of equal scores that Neller and Presser (2010) give for their practical strategy."""
    roll, hold = solution()
    assert [k for k in range(2, 60) if hold[k, 0, 0] > roll[k, 0, 0]] == list(range(21, 60))


def test_the_evaluation_is_near_the_exact_chances() -> None:
    """Within 0.02 (root mean square), at the beginning of a turn and within it."""
    roll, hold = solution()
    stream = aiplay.RandomStream(9)
    for most_at_risk in (0, 40):
        errors = []
        while len(errors) < 1000:
            mine, theirs = stream.below(TARGET), stream.below(TARGET)
            k = stream.below(most_at_risk + 1)
            if k != 1 and mine + k < TARGET:
                right = max(roll[k, mine, theirs], hold[k, mine, theirs])
                errors.append(pig_state(mine, theirs, k).evaluate()[0] - right)
        assert np.sqrt(np.mean(np.square(errors))) < 0.02
        assert np.abs(errors).max() < 0.08


def test_greedy_plays_nearly_as_optimal_play_does() -> None:
    """Its moves cost 0.02 % of a win on average, and never more than 4 %, with up to 40 points at risk."""
    roll, hold = solution()
    stream = aiplay.RandomStream(10)
    player = aiplay.make_player("greedy", seed=1)
    losses = []
    while len(losses) < 1000:
        mine, theirs, k = stream.below(TARGET), stream.below(TARGET), 2 + stream.below(39)
        if mine + k < TARGET:
            values = roll[k, mine, theirs], hold[k, mine, theirs]
            losses.append(max(values) - values[player.choose(pig_state(mine, theirs, k).view(0))])
    assert np.mean(losses) < 0.0002
    assert max(losses) < 0.04


def test_expectimax_makes_clear_decisions_as_optimal_play_does() -> None:
    """Six decisions ahead with the game's evaluation; clear: the wrong move costs 5 % or more.

    More than 30 points at risk are left out: sensible play hardly gets there.
    """
    roll, hold = solution()
    stream = aiplay.RandomStream(8)
    player = aiplay.make_player("expectimax:depth=6", seed=1)
    n = 0
    while n < 150:
        mine, theirs = stream.below(TARGET), stream.below(TARGET)
        k = stream.below(min(TARGET - mine, 31))
        gain = roll[k, mine, theirs] - hold[k, mine, theirs]
        if abs(gain) > 0.05:
            n += 1
            move = player.choose(pig_state(mine, theirs, k).view(0))
            assert (move == ROLL) == (gain > 0), (mine, theirs, k)


def test_holding_wins_with_enough_points() -> None:
    analysis = aiplay.make_player("expectimax", seed=1).analyse(pig_state(90, 95, 12).view(0), Limit(depth=3))
    assert analysis.best == HOLD
    assert analysis.moves[0].value == 1.0
    assert analysis.moves[0].proven


def test_the_end_of_a_race_is_searched_to_the_end() -> None:
    """98 to 98: any roll but a 1 wins; the evaluation after 12 decisions hardly counts."""
    roll, _ = solution()
    analysis = aiplay.make_player("expectimax", seed=1).analyse(pig_state(98, 98, 0).view(0), Limit(depth=12))
    assert analysis.best == ROLL
    assert analysis.moves[0].value == pytest.approx(roll[0, 98, 98], abs=1e-4)
