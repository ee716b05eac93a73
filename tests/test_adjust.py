"""Matches without luck: the correction has mean zero whatever the value function, and intervals cover."""

import numpy as np
import pytest
from toys import BestOfThree

from aiplay import load_game
from aiplay._core.search.luck import game_luck
from aiplay.errors import OptionError
from aiplay.match import Duel, Store, Tournament, load_match
from aiplay.match.adjust import AdjustedSprt, adjusted
from aiplay.report import document, duel_document, duel_text


class BadlyValued(BestOfThree):
    """Its evaluation is nonsense on purpose."""

    name = "badly_valued"

    def evaluate(self, state):
        return [((state[0] * 7 + state[1] * 5 + state[2] * 3) % 11) / 11]


def games(state, probability=1.0, moves=()):
    """Yield (probability, moves) of every game in which seat 0 rolls again below 5, over all outcomes of chance."""
    if state.is_over:
        yield probability, moves
        return
    if state.to_move < 0:
        branches = state.chance_outcomes()
    else:
        legal = state.legal_moves()
        branches = [(legal[-1] if len(moves) < 3 and moves[0] < 4 else legal[0], 1.0)]
    for move, p in branches:
        after = state.copy()
        after.play(move)
        yield from games(after, probability * p, (*moves, move))


def test_the_correction_has_mean_zero_with_a_bad_value_function():
    game = BadlyValued()
    found = [(p, game_luck(game, moves)) for p, moves in games(game.new_state())]
    assert sum(p for p, _ in found) == pytest.approx(1)
    for kind in range(2):
        assert sum(p * luck[kind][0] for p, luck in found) == pytest.approx(0, abs=1e-14)
        assert max(abs(luck[kind][0]) for _, luck in found) > 0.1


def test_a_game_without_luck_has_none():
    assert game_luck(load_game("connect_four"), [3, 3, 3]) == ((0.0, 0.0), (0.0, 0.0))
    with pytest.raises(OptionError, match="chance"):
        Duel("connect_four", "random", "greedy", games=2, adjust=True)


def simulated(rng, n):
    """Scores of n deals, half of whose variance is luck; the second kind of luck means nothing."""
    luck = rng.normal(0, 0.15, (n, 2))
    return np.clip(0.5 + luck[:, 0] + rng.normal(0, 0.15, n), 0, 1).tolist(), luck.tolist()


def test_95_per_cent_intervals_cover_the_mean():
    rng = np.random.default_rng(1)
    found = [adjusted(*simulated(rng, 40)) for _ in range(400)]
    assert 0.92 <= np.mean([one.low <= 0.5 <= one.high for one in found]) <= 0.98
    assert 1.5 < np.median([one.games_saved for one in found]) < 2.5


def test_the_sequential_test_on_adjusted_scores_decides():
    rng = np.random.default_rng(2)
    test = AdjustedSprt(-100, 100)
    for score, luck in zip(*simulated(rng, 300), strict=True):
        test.add_adjusted(min(1.0, score + 0.15), luck)
    assert test.verdict == 100


def test_pig_needs_fewer_than_half_the_games():
    found = duel_document(Duel("pig", "greedy", "greedy:samples=3", games=600, seed=3, adjust=True))
    assert found["adjusted_score"] == 0.5  # nothing is played yet
    duel = Duel("pig", "greedy", "greedy:samples=3", games=600, seed=3, adjust=True)
    duel.play()
    found = duel_document(duel)
    assert found["games_saved"] > 2
    assert found["adjusted_score_low"] < found["adjusted_score"] < found["adjusted_score_high"]
    width = found["adjusted_score_high"] - found["adjusted_score_low"]
    assert width < 0.75 * (found["a_score_high"] - found["a_score_low"])


def test_a_saved_match_keeps_its_adjustment(tmp_path):
    duel = Duel("pig", "greedy", "random", games=60, seed=1, adjust=True)
    with Store.create(tmp_path / "duel.db", duel.description()) as store:
        duel.play(store=store)
    again = load_match(tmp_path / "duel.db")
    assert duel_document(again) == {**duel_document(duel), "seconds": again.seconds}
    assert "score without luck" in duel_text(again)


def test_a_tournament_shows_both_scores():
    tournament = Tournament(["pig"], ["greedy", "random"], games=60, seed=1, adjust=True)
    tournament.play()
    best = document(tournament)["standings"][0]["players"][0]
    assert {"score", "adjusted_score", "adjusted_score_low", "adjusted_score_high", "games_saved"} <= set(
        best
    )
