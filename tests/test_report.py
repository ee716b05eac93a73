"""Reports from Python: text, plain data and CSV of a match or of its file."""

import csv
import io
import json
import subprocess
import sys

import pytest

import aiplay
from aiplay import report
from aiplay.errors import StoreError
from aiplay.match import Duel, Store, Tournament
from aiplay.report.figures import elo, elo_interval


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """A tournament in two games: the match, and its file."""
    match = Tournament(["pig", "magic_rabbit"], ["random", "greedy", "mcts:iterations=5"], games=6, seed=1)
    return match, kept(match, tmp_path_factory.mktemp("tournament") / "match.db")


@pytest.fixture(scope="module")
def duel(tmp_path_factory):
    """A duel: the match, and its file."""
    match = Duel("pig", "greedy", "random", games=20, seed=1)
    return match, kept(match, tmp_path_factory.mktemp("duel") / "duel.db")


def kept(match, path):
    """Play a match, keep it in a file, and return the path."""
    with Store.create(path, match.description()) as store:
        match.play(store=store)
    return path


def test_the_package_has_the_module_without_another_import():
    code = "import aiplay; print(aiplay.report.text.__module__, aiplay.match.Duel.kind)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "aiplay.report duel\n"


def test_every_public_name_exists_and_is_documented():
    for name in report.__all__:
        assert getattr(report, name).__doc__
    assert sorted(report.__all__) == report.__all__


@pytest.mark.parametrize("make", [report.text, report.document, report.csv])
def test_a_report_of_a_file_is_that_of_the_match(make, tournament, duel):
    for match, path in (tournament, duel):
        saved = Duel if match.kind == "duel" else Tournament
        with Store.read(path) as store:
            assert make(path) == make(str(path)) == make(saved.of(store))


def test_the_text_has_the_standings_of_every_game(tournament):
    match, _ = tournament
    text = report.text(match)
    for standings in match.standings():
        assert f"{standings.games} games on {standings.deals} deals\n" in text
        for player in standings.players:
            assert elo_interval(player.rating.low, player.rating.high) in text
    assert "All games, each counting the same" in text
    assert text.endswith(f"{match.seconds:.1f} s; seed 1\n")
    assert "\x1b" not in text


def test_in_a_narrow_text_names_fold_and_figures_stay_whole(tournament):
    match, _ = tournament
    wide, narrow = (report.text(match, width=width) for width in (160, 60))
    assert 0 < narrow.count("mcts:iterations=5") < wide.count("mcts:iterations=5")
    for player in match.standings()[0].players:
        assert elo_interval(player.rating.low, player.rating.high) in narrow


def test_the_document_is_json_and_in_order_of_strength(tournament):
    match, _ = tournament
    document = report.document(match)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert [game["game"] for game in document["standings"]] == ["pig", "magic_rabbit"]
    for game, standings in zip(document["standings"], match.standings(), strict=True):
        assert [player["spec"] for player in game["players"]] == [p.spec for p in standings.players]
        assert [player["elo"] for player in game["players"]] == [p.rating.rating for p in standings.players]
    assert len(document["overall"]) == 3


def test_csv_says_which_games_count():
    """A deal of pig has two games; the third game of the match is the first of its deal."""
    match = Tournament(["pig"], ["greedy", "random"], games=4, seed=1)
    for number, _ in enumerate(match.play_games()):
        if number == 2:
            break
    rows = list(csv.DictReader(io.StringIO(report.csv(match))))
    assert [(row["game_number"], row["deal"], row["counts"], row["seat"]) for row in rows] == [
        ("0", "0", "yes", "0"),
        ("0", "0", "yes", "1"),
        ("1", "0", "yes", "0"),
        ("1", "0", "yes", "1"),
        ("2", "1", "no", "0"),
        ("2", "1", "no", "1"),
    ]


def test_a_duel_has_a_text_and_a_document_of_its_own(duel):
    match, path = duel
    summary = match.summary()
    text, document = report.duel_text(match), report.duel_document(match)
    assert f"{summary.games} games on {summary.deals} deals\n" in text
    assert f" {summary.a_wins} " in text
    assert document["a_score"] == summary.a_score
    assert document["a"]["spec"] == "greedy"
    assert report.duel_document(path)["a_wins"] == summary.a_wins
    assert report.duel_text(str(path)).splitlines()[0] == text.splitlines()[0]


def test_the_report_of_a_duel_shows_the_difference_between_its_players(duel):
    match, _ = duel
    text = report.text(match)
    assert text.startswith(report.duel_text(match))
    assert "Elo difference" in text
    assert "Elo to average" not in text


def test_the_text_of_a_duel_without_a_complete_deal_has_no_figures():
    text = report.duel_text(Duel("pig", "greedy", "random", games=2, seed=1))
    assert text == "pig players=2 target=100 horizon=1000: no deal is complete\n"


def test_a_tournament_is_not_a_duel(tournament):
    with pytest.raises(StoreError, match="this is a tournament, not a duel"):
        report.duel_text(tournament[1])


def test_a_file_that_does_not_exist_is_a_store_error(tmp_path):
    with pytest.raises(StoreError, match="there is no such file"):
        report.text(tmp_path / "nothing.db")


def test_no_elo_is_minus_zero():
    assert elo(-1e-9) == "+0"
    assert elo_interval(-0.4, 0.4) == "+0 .. +0"
    assert elo_interval(-float("inf"), 12.6) == "-inf .. +13"


def test_without_matplotlib_pages_and_charts_name_the_extra(duel):
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from aiplay import PackageError, report\n"
        "for make in (report.page, report.charts):\n"
        "    try: make(sys.argv[1])\n"
        "    except PackageError as problem: print(problem)"
    )
    command = [sys.executable, "-c", code, str(duel[1])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == 2 * "charts need matplotlib: pip install 'aiplay[report]'\n"


def test_a_broken_match_of_another_game_is_an_error_of_this_library(tmp_path):
    Store.create(
        tmp_path / "x.db",
        {
            "kind": "duel",
            "game": "nothing",
            "options": {},
            "a": "random",
            "b": "greedy",
            "games": 2,
            "seed": 1,
            "sprt": None,
        },
    ).close()
    with pytest.raises(aiplay.AiplayError, match="nothing"):
        report.text(tmp_path / "x.db")
