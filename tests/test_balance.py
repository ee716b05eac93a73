"""Balance: shares of wins over deals, usage of choices and things, the course of games."""

import json

import pytest
from terminal import run_here
from test_review import Reader

import aiplay
from aiplay import balance
from aiplay.balance.counts import course_of
from aiplay.balance.played import Played, wins
from aiplay.balance.result import share_of
from aiplay.errors import MatchError
from aiplay.match import Duel, Store, Tournament
from aiplay.review.accounts import Account


@pytest.fixture(scope="module")
def match():
    duel = Duel("illusio", "greedy:worlds=2", "greedy:worlds=2", games=10, seed=1)
    duel.play()
    return duel


@pytest.fixture(scope="module")
def found(match):
    return balance.balance_match(match)


def test_the_shares_of_all_seats_are_one(found):
    assert found.games == 10
    assert sum(one.score for one in found.seats) == pytest.approx(1)
    assert sum(one.score for one in found.order) == pytest.approx(1)
    assert all(one.low <= one.score <= one.high for one in (*found.seats, *found.order))


def test_the_share_of_a_seat_is_that_of_the_match(match, found):
    got = sum(result.returns[0] for result in match.results) / len(match.results)
    assert found.seats[0].score == pytest.approx(got)


def test_every_talent_is_dealt_as_often_as_the_records_say(match, found):
    dealt = {}
    for result in match.results:
        table = aiplay.replay(result.to_record())
        names = table.game.labels["magician"]
        for seat, number in enumerate(table.state.fields["magicians"][:2].tolist()):
            dealt.setdefault(names[number], []).append(result.returns[seat])
    usages = {one.name: one for one in found.usages if one.verb == "magician"}
    assert {name: len(got) for name, got in dealt.items()} == {
        name: one.share.games for name, one in usages.items()
    }
    assert all(one.is_dealt and one.kind == "magician" for one in usages.values())


def test_what_is_chosen_was_offered(found):
    chosen = [one for one in found.usages if not one.is_dealt]
    assert chosen
    for one in chosen:
        assert 0 <= one.chosen <= one.offered
        assert (one.share is None) == (one.chosen == 0)
    assert all(one.chosen == 0 and one.offered >= 20 for one in found.unused())


def test_luck_and_decisions_share_the_variance(found):
    assert found.course.luck + found.course.skill == pytest.approx(1)


def played(final, luck, odds, scores=(1.0, 0.0)):
    """A game of two seats whose accounts are known."""
    accounts = tuple(
        Account(seat, 0.5, 0.5 + sign * final, sign * luck, sign * (final - luck), 0.0)
        for seat, sign in enumerate((1, -1))
    )
    return Played(0, scores, accounts, [(value, 1 - value) for value in odds], len(odds) - 1)


def test_a_game_of_luck_alone_is_all_luck():
    assert course_of([played(0.5, 0.5, [0.5, 1.0]), played(0.3, 0.3, [0.5, 1.0])]).luck == pytest.approx(1)
    assert course_of([played(0.5, 0.0, [0.5, 1.0]), played(0.3, 0.0, [0.5, 1.0])]).luck == pytest.approx(0)
    assert course_of([played(0.5, 0.25, [0.5, 1.0])]).luck == pytest.approx(0.5)


def test_lead_changes_and_when_a_game_is_decided():
    """Seat 0 leads, seat 1, seat 0 again: two changes; decided after the third of four moves."""
    course = course_of([played(0.5, 0.0, [0.6, 0.4, 0.3, 0.7, 1.0])])
    assert (course.lead_changes, course.decided, course.halfway) == (2, 0.75, 0.0)


def test_a_shared_win_counts_in_parts_and_a_team_by_its_result():
    pig, rabbit = aiplay.load_game("pig", players=3), aiplay.load_game("magic_rabbit")
    assert wins(pig, (1.0, -0.5, -0.5)) == (1, 0, 0)
    assert wins(pig, (0.0, 0.0, 0.0)) == (1 / 3, 1 / 3, 1 / 3)
    assert wins(rabbit, (1.0, 1.0)) == (1, 1)


def test_intervals_are_over_deals():
    share = share_of("x", [[1.0, 1.0], [0.0, 0.0], []])
    assert (share.games, share.score) == (4, 0.5)
    assert share_of("x", []) is None


def test_a_tournament_of_several_games_needs_a_name():
    match = Tournament(["leduc_poker", "pig"], ["greedy", "random"], games=4, seed=1)
    with pytest.raises(MatchError, match="leduc_poker, pig"):
        balance.balance_match(match)
    with pytest.raises(MatchError, match="no deal"):
        balance.balance_match(match, "pig")
    match.play()
    assert balance.balance_match(match, "pig").game.name == "pig"


@pytest.mark.parametrize("name", ["connect_four", "magic_rabbit", "levitation", "pig"])
def test_every_kind_of_game_has_a_balance(name):
    match = Duel(name, "random", "random", games=2, seed=2)
    match.play()
    found = balance.balance_match(match)
    assert found.course.moves[0] > 0
    assert found.equal > 0 or found.game.is_cooperative
    assert balance.text(found)
    assert json.dumps(balance.document(found), allow_nan=False)


def test_a_saved_match_gives_the_same_balance(match, found, tmp_path):
    with Store.create(tmp_path / "match.db", match.description()) as store:
        match_again = Duel.of(store)
        match_again.play(store=store)
    done = run_here("balance", tmp_path / "match.db", "--json")
    document, expected = json.loads(done.stdout), json.loads(json.dumps(balance.document(found)))
    for one in (document, expected):
        del one["seconds"]
    assert document == expected
    refused = run_here("balance", tmp_path / "match.db", "--games", 5)
    assert (refused.returncode, "leave out --games" in refused.stderr) == (2, True)


def test_a_verb_that_does_not_exist_is_refused():
    done = run_here(
        "balance", "--game", "pig", "--player", "greedy", "--games", 2, "--jobs", 1, "--verb", "rol"
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "aiplay: Invalid value for --verb: 'rol'; the verbs of these games are hold, roll\n"


def test_the_terminal_and_the_page_show_seats_and_cards(tmp_path):
    pytest.importorskip("matplotlib")
    page = tmp_path / "balance.html"
    arguments = ("--game", "leduc_poker", "--player", "random", "--games", 20, "--seed", 1, "--jobs", 1)
    done = run_here("balance", *arguments, "--verb", "deal", "--html", page)
    assert done.returncode == 0
    for text in ("decides 1.", "luck", "half-time", "deal: card", f"wrote {page}"):
        assert text in done.stdout
    tags = Reader(page.read_text()).tags
    assert {"script", "link", "a"}.isdisjoint(tags)
    assert tags.count("svg") == 2


def test_playouts_value_positions_instead_of_the_evaluation(match):
    few = Duel("illusio", "random", "random", games=2, seed=1)
    few.play()
    by_playouts = balance.balance_match(few, playouts=4)
    assert by_playouts.value == "4 playouts"
    assert by_playouts.course.luck != balance.balance_match(few).course.luck
