"""`aiplay tournament` and `aiplay report`: results, files, Ctrl-C, errors."""

import csv
import json
import os
import re
import shutil
import sys

import pytest
from terminal import Terminal, kill_after_a_game, run, run_here

import aiplay
from aiplay.match import Store, Tournament

PLAYERS = ("--players", "mcts", "greedy", "random")
PIG = ("tournament", "--game", "pig", *PLAYERS, "--iterations", "20", "--seed", "5")
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and pseudo-terminals")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


@pytest.fixture(autouse=True)
def temporary_files(tmp_path_factory, monkeypatch):
    """Redirects tournaments without --save to a temporary folder."""
    folder = str(tmp_path_factory.mktemp("temporary"))
    monkeypatch.setenv("TMPDIR", folder)
    monkeypatch.setattr("tempfile.tempdir", folder)


def result(*arguments, **more):
    """Return the JSON object that a command prints, without the times and the file."""
    done = run_here(*arguments, "--json", **more)
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document.pop("seconds") > 0
    document.pop("file", None)
    for game in document["standings"]:
        for player in game["players"]:
            assert player.pop("seconds_per_move") > 0
    return document


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A finished tournament: its file, and the JSON object that it printed."""
    file = tmp_path_factory.mktemp("saved") / "pig.db"
    return file, result(*PIG, "--games", "20", "--save", str(file), "--jobs", "1")


# ---- Results -------------------------------------------------------------------------------------------------


def test_without_a_terminal_the_output_has_no_control_characters(tmp_path):
    done = run(*PIG, "--games", "6", "--save", str(tmp_path / "t.db"))
    assert (done.returncode, done.stderr) == (0, "")
    assert not CONTROL.search(done.stdout)
    assert "pig players=2 target=100 horizon=1000: 18 games on 9 deals" in done.stdout
    assert re.search(r"[12] +mcts:iterations=20 +[+-]\d+ +[+-]\d+ \.\. [+-]\d+ ", done.stdout)
    assert "seed 5" in done.stdout
    assert f"aiplay report {tmp_path / 't.db'}" in done.stdout


def test_players_may_follow_one_option_or_several(saved):
    options = ("--game", "pig", "--iterations", "20", "--seed", "5", "--games", "20", "--jobs", "1")
    several = result(
        "tournament", *options, "--players", "mcts", "--players", "greedy", "--players", "random"
    )
    assert several == saved[1]
    assert result("tournament", "-p", "mcts", "greedy", *options, "-p", "random") != {}


def test_json_has_the_figures_of_every_player(saved):
    document = saved[1]
    assert (document["kind"], document["seed"], document["finished"]) == ("tournament", 5, True)
    assert document["games_played"] == document["games_planned"] == 60
    (game,) = document["standings"]
    assert (game["game"], game["games"], game["deals"]) == ("pig", 60, 30)
    assert game["options"]["target"] == 100
    elos = [player["elo"] for player in game["players"]]
    assert elos == sorted(elos, reverse=True)
    for place, player in enumerate(game["players"]):
        assert player["elo_low"] <= player["elo"] <= player["elo_high"]
        assert player["wins"] + player["draws"] + player["losses"] == player["games"] == 40
        assert player["score"] == pytest.approx((player["wins"] + player["draws"] / 2) / 40)
        assert player["score"] == pytest.approx(
            sum(score for score in game["cross_table"][place] if score is not None) / 2
        )
        assert game["cross_table"][place][place] is None
    assert {player["spec"] for player in game["players"]} == {"mcts:iterations=20", "greedy", "random"}


def test_the_result_does_not_depend_on_the_number_of_processes(saved):
    assert result(*PIG, "--games", "20", "--jobs", "2") == saved[1]


def test_all_games_that_allow_the_seats_are_played_and_summed_up():
    done = run_here(
        "tournament", "-g", "all", "--seats", "4", "-p", "random", "greedy", "-n", "2", "--json", "-s", "1"
    )
    document = json.loads(done.stdout)
    names = [game["game"] for game in document["standings"]]
    assert names == ["illusio", "levitation", "magic_rabbit", "pig"]
    assert done.stderr.startswith("aiplay: left out")
    assert "connect_four" in done.stderr
    assert [player["spec"] for player in document["overall"]] == ["greedy", "random"]
    shown = run_here("report", document["file"]).stdout
    assert shown.count(" on 1 deal\n") == 4
    assert re.search(r"^ *pig +\d+ +\d+ *$", shown, re.M)


def test_before_a_deal_is_complete_no_ratings_are_shown(tmp_path):
    """A deal of pig has two games, with seats exchanged."""
    file = tmp_path / "t.db"
    match = Tournament([aiplay.load_game("pig")], ["greedy", "random"], 2, seed=1)
    with Store.create(file, match.description()) as store:
        for _ in match.play_games(None, store):
            break
    shown = run_here("report", file).stdout
    assert "horizon=1000: no deal is complete\n" in shown
    assert "not finished: 1 of 2 games" in shown
    assert "Elo" not in shown


def test_a_player_without_a_complete_deal_has_no_figures(tmp_path):
    file = tmp_path / "t.db"
    match = Tournament([aiplay.load_game("pig")], ["greedy", "random", "expectimax:depth=1"], 2, seed=1)
    with Store.create(file, match.description()) as store:
        for n, _ in enumerate(match.play_games(None, store), 1):
            if n == 2:
                break
    shown = run_here("report", file).stdout
    assert "2 games on 1 deal\n" in shown
    missing = {*match.specs} - {spec for played in match.results for spec in played.scheduled.specs}
    assert len(missing) == 1
    assert re.search(rf"^ \d  {missing.pop()}( +-){{5}} *$", shown, re.M)


def test_without_save_a_tournament_is_kept_in_a_temporary_file(tmp_path):
    done = run(*PIG, "--games", "2", env={**os.environ, "TMPDIR": str(tmp_path)})
    (file,) = tmp_path.glob("aiplay-*/tournament.db")
    assert str(file) in done.stdout
    assert "6 games on 3 deals" in run_here("report", str(file)).stdout


# ---- Files ---------------------------------------------------------------------------------------------------


@on_posix
def test_a_tournament_that_is_killed_repeatedly_ends_like_an_unbroken_one(tmp_path, saved):
    file = tmp_path / "t.db"
    kill_after_a_game([*PIG, "--games", "20", "--save", file, "--jobs", "2"], file)
    kill_after_a_game(["tournament", "--resume", file, "--jobs", "1"], file)
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in tmp_path.glob("t.db*"):
        shutil.copy(path, copy)
    with Store.read(copy / "t.db") as store:
        assert 0 < len(Tournament.of(store).results) < 60
    assert "not finished" in run_here("report", str(copy / "t.db")).stdout
    assert result("tournament", "--resume", file) == saved[1]
    assert sorted(os.listdir(tmp_path)) == ["copy", "t.db"]


def test_a_finished_tournament_is_shown_but_not_played_again(saved):
    assert result("tournament", "--resume", str(saved[0])) == saved[1]
    content = saved[0].read_bytes()
    assert result("report", str(saved[0])) == saved[1]
    assert saved[0].read_bytes() == content


@pytest.mark.parametrize(
    "more",
    [("--games", "3"), ("--seed", "1"), ("-p", "random"), ("--time", "1"), ("--seats", "2"), ("-g", "pig")],
)
def test_a_resumed_tournament_is_played_as_its_file_says(saved, more):
    done = run_here("tournament", "--resume", saved[0], *more)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"aiplay: .* says what is played; leave out --.*\n", done.stderr)


# ---- Reports -------------------------------------------------------------------------------------------------


def test_csv_has_a_row_for_every_seat_of_every_game(saved, tmp_path):
    done = run_here("report", str(saved[0]), "--csv", str(tmp_path / "games.csv"))
    assert (done.returncode, done.stdout) == (0, f"wrote {tmp_path / 'games.csv'}\n")
    with (tmp_path / "games.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 120
    (game,) = saved[1]["standings"]
    for player in game["players"]:
        mine = [row for row in rows if row["player"] == player["spec"]]
        assert len(mine) == player["games"]
        assert sum(float(row["return"]) > 0 for row in mine) == player["wins"]
        assert sum(int(row["moves"]) for row in mine) == player["moves"]
    assert {row["counts"] for row in rows} == {"yes"}
    assert json.loads(rows[0]["options"])["players"] == 2
    assert len({(row["deal"], row["seed"]) for row in rows}) == 30


def test_a_tournament_writes_csv_itself(tmp_path):
    done = run_here(*PIG, "-n", "2", "--csv", "games.csv", "--save", "t.db", cwd=tmp_path)
    assert done.returncode == 0
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 1 + 12


def test_html_is_one_page_with_charts(saved, tmp_path):
    pytest.importorskip("matplotlib")
    page = tmp_path / "report.html"
    page.write_text("before")
    done = run_here("report", str(saved[0]), "--html", str(page))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"wrote {page}\n", "")
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert page.read_text().count("<svg") == 3
    assert os.listdir(tmp_path) == ["report.html"]


DUEL = ("duel", "-g", "pig", "--a", "greedy", "--b", "random", "-n", "4", "-s", "1", "--save", "d.db")


def test_a_saved_duel_has_a_report_too(tmp_path):
    shown = run_here(*DUEL, cwd=tmp_path).stdout
    assert shown.endswith("charts: aiplay report d.db --html report.html\n")
    assert "4 games on 2 deals" in run_here("report", "d.db", cwd=tmp_path).stdout


def test_a_saved_duel_has_a_page_too(tmp_path):
    pytest.importorskip("matplotlib")
    run_here(*DUEL, cwd=tmp_path)
    assert run_here("report", "d.db", "--html", "d.html", cwd=tmp_path).returncode == 0
    assert "<h1>Duel: pig</h1>" in (tmp_path / "d.html").read_text()


@pytest.mark.parametrize("target", ["--html", "--csv"])
def test_a_report_never_overwrites_its_match(saved, target):
    content = saved[0].read_bytes()
    done = run_here("report", saved[0], target, saved[0])
    assert done.returncode == 2
    assert "the match itself" in done.stderr
    assert saved[0].read_bytes() == content


def test_a_tournament_never_overwrites_its_file_with_csv(saved):
    content = saved[0].read_bytes()
    done = run_here("tournament", "--resume", saved[0], "--csv", saved[0])
    assert (done.returncode, done.stdout) == (2, "")
    assert "the match itself" in done.stderr
    assert saved[0].read_bytes() == content


def test_a_report_that_cannot_be_written_leaves_nothing(saved, tmp_path):
    done = run_here("report", saved[0], "--html", tmp_path / "nowhere" / "x.html")
    assert done.returncode == 1
    assert re.fullmatch(r"aiplay: .*nowhere/x\.html: No such file or directory\n", done.stderr)
    assert os.listdir(tmp_path) == []


def test_without_matplotlib_a_page_names_the_extra_and_other_reports_work(saved, tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = run("report", str(saved[0]), "--html", str(tmp_path / "x.html"), env=env)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"aiplay: .*aiplay\[report\].*\n", done.stderr)
    assert not (tmp_path / "x.html").exists()
    assert run("report", str(saved[0]), env=env).returncode == 0


# ---- A terminal, Ctrl-C --------------------------------------------------------------------------------------


@on_posix
def test_a_terminal_shows_who_leads_and_control_c_shows_the_results_so_far(tmp_path):
    file = tmp_path / "t.db"
    with Terminal(*PIG, "--games", "20000", "--save", file, columns=120) as terminal:
        terminal.wait_for(r"pig .* \d+/60000 \w+ \d+ %, \w+ \d+ %, \w+ \d+ %")
        terminal.interrupt()
        terminal.wait_for("interrupted; these are the results so far")
        terminal.wait_for(r"[1-9]\d* games on [1-9]\d* deals")
        terminal.wait_for(rf"aiplay tournament --resume {re.escape(str(file))}")
        assert terminal.end() == 130
    assert "Traceback" not in terminal.text
    with Store.read(file) as store:
        assert Tournament.of(store).results


# ---- Mistakes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "allowed"),
    [
        (("tournament",), 2, "--players SPEC"),
        (("tournament", "-p", "random"), 2, "at least 2"),
        (("tournament", "-p", "random", "nobody"), 2, "greedy"),
        (("tournament", "-p", "random", "random"), 2, "players that differ"),
        (("tournament", "-p", "random", "greedy", "-g", "nothing"), 2, "connect_four"),
        (("tournament", "-p", "random", "greedy", "-g", "pig", "--seats", "9"), 2, "2 to 6"),
        (("tournament", "-p", "random", "greedy", "-g", "all", "-o", "x=1"), 2, "no game allows these"),
        (("tournament", "-p", "random", "mcts", "--time", "1", "--iterations", "5"), 2, "either"),
        (("tournament", "-p", "random", "greedy", "-n", "0"), 2, "1"),
        (("tournament", "-p", "random", "greedy", "--save", "no/where.db"), 1, "folder has to exist"),
        (("tournament", "--resume", "nowhere.db"), 1, "no such file"),
        (
            ("tournament", "-g", "pig", "-p", "3"),
            2,
            "'3' is not a player; the number of seats is given as --seats 3",
        ),
        (("tournament", "-p", "random", "greedy", "--jobs", "2", "--dask", "tcp://x"), 2, "either"),
        (("tournament", "--save", "x.db", "--resume", "y.db"), 2, "either --save or --resume"),
        (("tournament", "-p", "random", "greedy", "--csv", "no/where.csv"), 1, "no/where.csv: No such file"),
        (("tournament", "-p", "random", "greedy", "--csv", "."), 1, "Is a directory"),
        (
            ("tournament", "-p", "random", "greedy", "-g", "all", "--seats", "9"),
            2,
            "pig: players is 9; allowed",
        ),
        (("report", "."), 1, "this is a folder"),
        (("report",), 2, "FILE"),
        (("report", "nowhere.db"), 1, "no such file"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_is_allowed(tmp_path, monkeypatch, arguments, code, allowed):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = run_here(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    assert re.fullmatch(r"aiplay: .+\n", done.stderr)
    assert allowed in done.stderr
    assert os.listdir(tmp_path) == []


def test_a_file_that_is_not_a_match_is_refused(tmp_path):
    (tmp_path / "text.db").write_text("something else")
    for arguments in (("report", "text.db"), ("tournament", "--resume", "text.db")):
        done = run_here(*arguments, cwd=tmp_path)
        assert done.returncode == 1
        assert "not the file of a match" in done.stderr
    assert (tmp_path / "text.db").read_text() == "something else"
