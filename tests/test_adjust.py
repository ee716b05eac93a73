"""Matches without luck: the correction has mean zero whatever the value function, and intervals cover."""

import numpy as np
import pytest
from test_expectimax_pig import solution
from toys import BestOfThree
from value_files import random_value

from aiplay import Table, load_game, make_player, play_game
from aiplay._core.search.luck import game_luck
from aiplay.errors import OptionError, ValueFileError
from aiplay.match import Duel, Store, Tournament, load_match
from aiplay.match.adjust import AdjustedSprt, adjusted, deal_luck, luck_by, luck_in
from aiplay.report import document, duel_document, duel_text, text


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


def test_the_sequential_test_is_seldom_wrong():
    """With equal players, 5 % of the tests may decide for elo1; so many are wrong by chance only in 1 of 1,000 runs."""
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(200):
        test = AdjustedSprt(0, 60)
        for score, luck in zip(*simulated(rng, 400), strict=True):
            test.add_adjusted(score, luck)
            if test.verdict is not None:
                break
        wrong += test.verdict == 60
    assert wrong <= 21


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


def nonsense(state):
    """A value that has nothing to do with the game."""
    scores = state.fields["scores"].tolist()
    return [(31 * scores[0] + 17 * scores[1] + 7 * int(state.fields["turn_total"])) % 23 / 23, 0.3]


@pytest.fixture(scope="module")
def many():
    """A long duel, as scores and luck of its deals: by the evaluation, and by nonsense."""
    players = ["mcts:iterations=4,blur=0.8", "mcts:iterations=4,blur=0.9"]  # they err: not all is luck
    duel = Duel(load_game("pig", target=30), *players, games=2000, seed=1, adjust=True)
    duel.play()
    deals = duel.complete_deals()
    scores = [
        sum(result.returns[result.scheduled.seating.index(0)] > 0 for result in deal) / 2 for deal in deals
    ]
    by_nonsense = []
    for deal in deals:
        luck = [luck_by(duel.game, result.record, nonsense) for result in deal]
        seats = [result.scheduled.seating.index(0) for result in deal]
        by_nonsense.append(
            [sum((one[0][seat] - one[0][1 - seat]) / 2 for one, seat in zip(luck, seats, strict=True)) / 2]
        )
    return scores, [deal_luck(deal, 0) for deal in deals], by_nonsense


@pytest.mark.parametrize("kind", [1, 2], ids=["evaluation", "nonsense"])
def test_adjusted_scores_of_played_games_are_unbiased_and_their_intervals_cover(many, kind):
    """40 matches of 25 deals: their mean is that of all deals, and about 95 % of their intervals hold it."""
    scores, lucks = many[0], many[kind]
    mean = np.mean(scores)
    found = [
        adjusted(scores[start : start + 25], lucks[start : start + 25]) for start in range(0, len(scores), 25)
    ]
    error = np.std([one.score for one in found]) / len(found) ** 0.5
    assert abs(np.mean([one.score for one in found]) - mean) < 3.5 * error
    assert np.mean([one.low <= mean <= one.high for one in found]) >= 0.85


def exact(state):
    """The chance to win of both seats if both play on perfectly, from the table of all positions."""
    if state.is_over:
        return [(got + 1) / 2 for got in state.returns()]
    roll, hold = solution()
    mover, at_risk = state.to_move, int(state.fields["turn_total"])
    mine, theirs = (int(state.fields["scores"][seat]) for seat in (mover, 1 - mover))
    won = (
        1.0 if mine + at_risk >= 100 else float(max(roll[at_risk, mine, theirs], hold[at_risk, mine, theirs]))
    )
    return [won, 1 - won] if mover == 0 else [1 - won, won]


def test_pig_needs_a_quarter_of_the_games_with_its_exact_values():
    duel = Duel("pig", "mcts:iterations=60", "mcts:iterations=120", games=200, seed=3, adjust=exact)
    duel.play()
    found = duel_document(duel)
    assert found["games_saved"] > 4
    assert found["adjusted_elo_low"] < found["adjusted_elo"] < found["adjusted_elo_high"]
    with pytest.raises(OptionError, match="cannot be saved"):
        duel.description()


def test_a_trained_value_is_another_kind_of_luck(tmp_path):
    """By any value: luck is the value of what fell minus the mean over all outcomes."""
    game = load_game("pig", target=20)
    value = random_value(game, seed=1)
    table = Table(game, seed=3)
    play_game(table, [make_player("random", seed=seat) for seat in range(2)])
    network = value.bind(game)
    by_hand = luck_by(game, table.moves, network.values)
    found = game_luck(game, table.moves, network)
    assert found[:2] == game_luck(game, table.moves)
    assert found[2] == pytest.approx(by_hand[0])
    value.write(tmp_path / "pig.json")
    assert luck_in(game, table.moves, str(tmp_path / "pig.json")) == found
    assert luck_in(game, table.moves, True) == luck_in(game, table.moves, "game") == found[:2]


def test_a_match_keeps_the_value_that_it_is_adjusted_by(tmp_path):
    game, file = load_game("pig", target=20), str(tmp_path / "pig.json")
    random_value(game, seed=1).write(file)
    duel = Duel(game, "greedy", "random", games=60, seed=1, adjust=file)
    with Store.create(tmp_path / "duel.db", duel.description()) as store:
        duel.play(store=store)
    again = load_match(tmp_path / "duel.db")
    assert len(again.results[0].luck) == 3
    assert duel_document(again) == {**duel_document(duel), "seconds": again.seconds}
    with pytest.raises(ValueFileError, match="not for leduc_poker"):
        Duel("leduc_poker", "greedy", "random", games=2, adjust=file)


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
    assert "ratings are without luck" in text(tournament)


def test_ratings_without_luck_have_narrower_intervals():
    def width(adjust):
        tournament = Tournament(["pig"], ["greedy", "greedy:samples=3"], games=400, seed=2, adjust=adjust)
        tournament.play()
        (first, _) = tournament.standings()[0].players
        return first.rating.high - first.rating.low

    assert width(True) < 0.75 * width(False)


def test_where_it_does_not_pay_the_report_says_so():
    """In a game whose luck has nothing to do with the result there is nothing to gain."""
    duel = Duel("pig", "greedy", "greedy:samples=3", games=100, seed=1, adjust=nonsense)
    duel.play()
    assert "does not pay" in duel_text(duel)
    tournament = Tournament(["pig"], ["greedy", "greedy:samples=3"], games=100, seed=1, adjust=nonsense)
    tournament.play()
    assert "does not pay in this game" in text(tournament)
