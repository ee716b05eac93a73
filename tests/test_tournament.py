"""Tournaments: who meets whom on which deal, contests and standings."""

from collections import Counter
from itertools import combinations

import pytest

from aiplay import load_game
from aiplay.errors import OptionError, PlayerSpecError, StoreError
from aiplay.match import Duel, GameResult, ProcessPool, ScheduledGame, Store, Tournament, load_match
from aiplay.match.contests import contests, points_by_deal
from aiplay.match.schedule import meetings, schedule_tournament, seatings
from aiplay.match.standings import Overall, Standings

PIG = load_game("pig", players=3, target=20)
RABBIT = load_game("magic_rabbit")
PLAYERS = ["random", "greedy", "mcts:iterations=5"]


def schedule_of(game, n_players, n_games, seed=1):
    return list(schedule_tournament([game], [f"player {n}" for n in range(n_players)], n_games, seed))


def deals_of(schedule):
    deals = {}
    for scheduled in schedule:
        deals.setdefault(scheduled.deal, []).append(scheduled)
    return list(deals.values())


# ---- Who meets whom ------------------------------------------------------------------------------------------


def test_at_two_seats_every_two_players_meet_equally_often_with_both_orders_on_each_deal():
    found = schedule_of(load_game("connect_four"), 4, 6)
    assert Counter(scheduled.seating for scheduled in found) == dict.fromkeys(
        [(i, j) for i in range(4) for j in range(4) if i != j], 3
    )
    for deal in deals_of(found):
        assert len(deal) == 2
        assert deal[0].seating == deal[1].seating[::-1]
        assert deal[0].seed == deal[1].seed


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_at_more_seats_all_have_every_seat_equally_often_on_each_deal(n_players):
    for deal in deals_of(schedule_of(PIG, n_players, 12)):
        seated = {player for scheduled in deal for player in scheduled.seating}
        assert len(seated) == min(n_players, 3)
        for seat in range(3):
            there = Counter(scheduled.seating[seat] for scheduled in deal)
            assert there == dict.fromkeys(seated, len(deal) // len(seated))


def test_with_more_players_than_seats_every_combination_sits_down_equally_often():
    tables = Counter(frozenset(scheduled.seating) for scheduled in schedule_of(PIG, 5, 6))
    assert tables == {frozenset(players): 6 for players in combinations(range(5), 3)}


def test_neighbours_change_from_deal_to_deal():
    right = Counter(
        (scheduled.seating[seat], scheduled.seating[(seat + 1) % 3])
        for scheduled in schedule_of(PIG, 3, 300)
        for seat in range(3)
    )
    assert len(right) == 6
    assert min(right.values()) > 0.35 * max(right.values())


def test_teams_of_a_cooperative_game_play_the_same_deals_one_after_the_other():
    found = schedule_of(RABBIT, 3, 10)
    assert len(found) == 3 * 5  # any two of them share ten games
    for deal in deals_of(found):
        assert [scheduled.seating for scheduled in deal] == [(0, 0), (1, 1), (2, 2)]
        assert len({scheduled.seed for scheduled in deal}) == 1


def test_deals_differ_and_games_are_numbered():
    found = list(schedule_tournament([PIG, RABBIT], PLAYERS, 9, 4))
    assert [scheduled.number for scheduled in found] == list(range(len(found)))
    assert (
        len({scheduled.seed for scheduled in found}) == len({scheduled.deal for scheduled in found}) == 3 + 5
    )


def test_an_unfinished_tournament_is_balanced():
    games = [load_game("connect_four"), load_game("leduc_poker")]
    found = list(schedule_tournament(games, PLAYERS, 8, 4))
    first_round = Counter((scheduled.game.name, frozenset(scheduled.seating)) for scheduled in found[:12])
    assert len(first_round) == 6
    assert set(first_round.values()) == {2}


def test_a_longer_tournament_begins_with_the_games_of_a_shorter_one():
    short, long = schedule_of(PIG, 4, 9), schedule_of(PIG, 4, 30)
    assert long[: len(short)] == short
    assert schedule_of(PIG, 4, 9, seed=2) != short


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_two_players_of_a_tournament_have_the_seatings_of_a_duel(seats):
    game = load_game("pig", players=seats)
    assert [scheduled.seating for scheduled in schedule_of(game, 2, 1)] == seatings(game)
    assert meetings(game, 2) == [(0, 1)]


# ---- Contests ------------------------------------------------------------------------------------------------


def result(game, number, deal, seating, returns, moves=1, seconds=0.5, iterations=None):
    specs = tuple(f"player {player}" for player in seating)
    scheduled = ScheduledGame(number, deal, 7, game, specs, seating)
    seats = len(seating)
    return GameResult(scheduled, returns, (moves,) * seats, (seconds,) * seats, (iterations,) * seats, ())


def test_any_two_players_at_a_table_have_a_contest_that_the_higher_return_wins():
    deal = [result(PIG, 0, 0, (2, 0, 1), (5.0, 3.0, 3.0))]
    assert contests(deal) == [(0, 1, 0.5), (0, 2, 0.0), (1, 2, 0.0)]


def test_a_player_with_several_seats_is_compared_by_their_mean():
    deal = [result(PIG, 0, 0, (0, 1, 0), (1.0, 0.4, 0.0)), result(PIG, 1, 0, (0, 1, 0), (0.5, 0.5, 0.5))]
    assert contests(deal) == [(0, 1, 1.0), (0, 1, 0.5)]


def test_teams_have_a_contest_on_each_deal_they_both_played():
    deal = [
        result(RABBIT, number, 0, (number,) * 2, (got,) * 2) for number, got in enumerate((1.0, 0.0, 1.0))
    ]
    assert contests(deal) == [(0, 1, 1.0), (0, 2, 0.5), (1, 2, 0.0)]


def test_all_contests_of_a_player_on_a_deal_count_1_together():
    deals = [
        [result(PIG, n, 0, (2, 0, 1), (5.0, 3.0, 3.0)) for n in range(3)],
        [
            result(load_game("leduc_poker"), 3, 1, (0, 1), (1.0, -1.0)),
            result(PIG, 4, 1, (1, 0, 1), (1, 0, 1)),
        ],
    ]
    points = points_by_deal(deals, 3)
    weight = points + points.transpose(0, 2, 1)
    assert weight[0].sum(axis=1) == pytest.approx([1, 1, 1])
    assert weight[1].sum(axis=1) == pytest.approx([1, 1, 0])
    assert points[0].ravel().tolist() == pytest.approx([0, 0.25, 0, 0.25, 0, 0, 0.5, 0.5, 0])
    assert points[1, 0, 1] == points[1, 1, 0] == 0.5


def test_only_complete_deals_count_in_the_order_of_the_match():
    match = Tournament(["leduc_poker"], ["random", "greedy", "mcts:iterations=1"], games=4, seed=1)
    for number in (3, 0, 1, 4):
        scheduled = match.schedule[number]
        match.count(GameResult(scheduled, (1.0, -1.0), (1, 1), (0.5, 0.5), (None, None), ()))
    assert [[game.scheduled.number for game in deal] for deal in match.complete_deals()] == [[0, 1]]
    match.count(GameResult(match.schedule[2], (1.0, -1.0), (1, 1), (0.5, 0.5), (None, None), ()))
    assert [[game.scheduled.number for game in deal] for deal in match.complete_deals()] == [[0, 1], [2, 3]]


# ---- Standings -----------------------------------------------------------------------------------------------


def test_standings_by_hand():
    """Player 1 beats player 0 twice on one deal; each wins a game of the other. Player 2 never plays."""
    game = load_game("leduc_poker")
    deals = [
        [
            result(game, 0, 0, (0, 1), (-3.0, 3.0), moves=2, iterations=40),
            result(game, 1, 0, (1, 0), (1.0, -1.0), moves=2, iterations=20),
        ],
        [result(game, 2, 1, (0, 1), (1.0, -1.0)), result(game, 3, 1, (1, 0), (1.0, -1.0), iterations=0)],
    ]
    standings = Standings.of(game, ["a", "b", "c"], deals)
    assert (standings.games, standings.deals) == (4, 2)
    best, idle, last = standings.players
    assert (best.spec, idle.spec, last.spec) == ("b", "c", "a")
    assert (best.total.wins, best.total.draws, best.total.losses) == (3, 0, 1)
    assert (best.games, best.moves, best.mean_return) == (4, 6, 1.0)
    assert (best.score, last.score) == (0.75, 0.25)
    assert best.seconds_per_move == pytest.approx(4 * 0.5 / 6)
    assert best.iterations_per_move == pytest.approx(60 / 6)
    assert standings.cell(best, last).score == 0.75
    assert standings.cell(best, idle).contests == idle.games == idle.moves == 0
    assert idle.iterations_per_move is None
    assert idle.rating.high - idle.rating.low > 600


def test_every_game_counts_the_same_overall():
    """One wins all deals of a game, the other all deals of a second game, which has ten times as many."""
    first = [result(PIG, n, n, (0, 0, 1), (1.0, 1.0, 0.0)) for n in range(3)]
    second = [result(RABBIT, n, n // 2, (n % 2,) * 2, (float(n % 2),) * 2) for n in range(60)]
    standings = [
        Standings.of(PIG, ["a", "b"], [[game] for game in first]),
        Standings.of(RABBIT, ["a", "b"], [second[n : n + 2] for n in range(0, 60, 2)]),
    ]
    overall = Overall.of(standings)
    assert overall.games == ("pig", "magic_rabbit")
    for player in overall.players:
        assert player.mean_score == 0.5
        assert player.rating.rating == pytest.approx(0, abs=0.01)
    assert {player.spec: player.scores for player in overall.players} == {"a": (1.0, 0.0), "b": (0.0, 1.0)}
    unplayed = Standings.of(PIG, ["a", "b"], [])
    assert Overall.of([*standings, unplayed]) == overall
    assert Overall.of([standings[0], unplayed]) is None


# ---- Tournaments ---------------------------------------------------------------------------------------------


def test_a_tournament_finds_the_order_of_strength():
    tournament = Tournament(["connect_four"], ["random", "mcts:iterations=100", "greedy"], games=10, seed=1)
    (standings,) = tournament.play()
    assert [player.spec for player in standings.players] == ["mcts:iterations=100", "greedy", "random"]
    assert standings.players[0].rating.above[0] > 0.99
    assert [spec for spec, _ in tournament.leaders()] == [player.spec for player in standings.players]
    for spec, score in tournament.leaders():
        (player,) = (player for player in standings.players if player.spec == spec)
        assert score == pytest.approx(player.score)


def test_games_played_in_other_processes_count_for_the_same_game():
    def standings(executor):
        return Tournament([PIG, RABBIT], ["random", "greedy"], games=6, seed=3).play(executor)

    with ProcessPool(2) as pool:
        assert [game.cross for game in standings(pool)] == [game.cross for game in standings(None)]


def test_a_saved_tournament_goes_on_and_ends_like_an_unbroken_one(tmp_path):
    def make():
        return Tournament([PIG, RABBIT], PLAYERS, games=6, seed=3)

    with Store.create(tmp_path / "t.db", make().description()) as store:
        for number, _ in enumerate(make().play_games(store=store)):
            if number == 7:
                break
    with Store.resume(tmp_path / "t.db") as store:
        tournament = Tournament.of(store)
        assert len(tournament.results) == 8
        assert not tournament.is_finished
        broken = tournament.play(store=store)
        assert tournament.is_finished
    unbroken = make().play()
    assert [game.cross for game in broken] == [game.cross for game in unbroken]
    assert [p.rating for game in broken for p in game.players] == [
        p.rating for g in unbroken for p in g.players
    ]


def test_a_duel_has_standings_too():
    duel = Duel("pig", "greedy", "random", games=10, seed=1)
    summary = duel.play()
    (standings,) = duel.standings()
    best = standings.players[0]
    assert (best.spec, best.score) == ("greedy", summary.a_score)
    assert (best.score_low, best.score_high) == (summary.a_score_low, summary.a_score_high)
    assert best.total.wins == summary.a_wins


def test_the_standings_of_a_settled_duel_count_the_deals_up_to_the_verdict():
    duel = Duel("pig", "greedy", "random", games=200, seed=1, sprt=(0, 100))
    summary = duel.play()
    assert duel.standings()[0].games == summary.games < 200
    assert duel.is_finished


def test_a_file_of_another_kind_is_refused(tmp_path):
    what = Duel("pig", "greedy", "random").description()
    kinds = pytest.raises(StoreError, match="this is a duel, not a tournament")
    with Store.create(tmp_path / "d.db", what) as store, kinds:
        Tournament.of(store)


def test_a_saved_match_of_any_kind_is_loaded(tmp_path):
    matches = {
        "duel.db": Duel("pig", "greedy", "random", games=2, seed=1),
        "tournament.db": Tournament(["pig"], ["greedy", "random"], games=2, seed=1),
    }
    for name, match in matches.items():
        with Store.create(tmp_path / name, match.description()) as store:
            match.play(store=store)
        found = load_match(tmp_path / name)
        assert type(found) is type(match)
        assert found.results == match.results


def test_a_file_of_an_unknown_kind_says_which_are_allowed(tmp_path):
    Store.create(tmp_path / "x.db", {"kind": "league"}).close()
    with pytest.raises(StoreError, match=r"x\.db: .* kind 'league'; allowed: duel or tournament"):
        load_match(tmp_path / "x.db")


@pytest.mark.parametrize(
    ("games", "players", "n", "error", "message"),
    [
        ([], PLAYERS, 2, OptionError, "at least one"),
        (["pig"], PLAYERS, 0, OptionError, "at least 1"),
        (["pig"], ["random"], 2, PlayerSpecError, "at least 2"),
        (["pig"], ["random", "nobody"], 2, PlayerSpecError, "the players are"),
        (["pig"], ["mcts:time=0.5", "random", "mcts:time=.5"], 2, PlayerSpecError, "same player"),
    ],
)
def test_mistakes_are_reported_before_the_first_game(games, players, n, error, message):
    with pytest.raises(error, match=message):
        Tournament(games, players, games=n)
