"""`aiplay duel`: results, files, Ctrl-C, errors."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import Future

import pytest
from terminal import Terminal, kill_after_a_game, run_here, wait_for_a_game
from value_files import random_value

import aiplay.cli.match
import aiplay.match.runner
from aiplay.match import Duel, ProcessPool, Store

COMMAND = [sys.executable, "-m", "aiplay.cli", "duel"]
PIG = ("--game", "pig", "--a", "mcts", "--iterations", "30", "--b", "greedy", "--seed", "5")
KEYS = (
    "game, options, seed, games, deals, pairs, a, b, a_wins, b_wins, draws, a_score, a_score_low, a_score_high, "
    "elo, elo_low, elo_high, seconds"
)
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and pseudo-terminals")


def duel(*arguments, **more):
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, **more
    )


@pytest.fixture
def refused(capsys):
    """Runs the command within this process; it has to fail with one line on stderr."""

    def run(*arguments):
        code = aiplay.cli.run(["duel", *arguments])
        shown = capsys.readouterr()
        assert shown.out == ""
        assert re.fullmatch(r"aiplay: .+\n", shown.err)
        return code, shown.err

    return run


def result(*arguments):
    """Return the JSON object that a duel prints, without the times."""
    done = run_here("duel", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document.pop("seconds") > 0
    for side in ("a", "b"):
        assert document[side].pop("seconds_per_move") > 0
    return document


# ---- Results ---------------------------------------------------------------------------------------------------------


def test_without_a_terminal_the_output_has_no_control_characters():
    done = duel("--game", "pig", "--a", "random", "--b", "greedy", "--games", "6", "--seed", "7")
    assert (done.returncode, done.stderr) == (0, "")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", done.stdout)
    assert "6 games on 3 deals" in done.stdout
    assert "--seed 7" in done.stdout
    for row in (
        "wins",
        "draws",
        "losses",
        "score",
        "Elo difference",
        "moves",
        "ms per move",
        "iterations per move",
    ):
        assert re.search(rf"│ {row} +│", done.stdout)


def test_json_has_the_documented_keys_and_infinite_elo_is_null():
    document = json.loads(
        run_here(
            "duel", "-g", "pig", "--a", "greedy", "--b", "random", "-n", "16", "-s", "3", "--json"
        ).stdout
    )
    assert ", ".join(document) == KEYS
    assert list(document["a"]) == ["spec", "seconds_per_move", "iterations_per_move"]
    assert (document["a_score"], document["elo"], document["elo_high"]) == (1.0, None, None)
    assert document["elo_low"] > 0
    assert document["deals"] == document["pairs"] == 8  # the old name stays for one version
    assert document["a"]["iterations_per_move"] is None


def test_a_seed_and_iterations_give_the_same_result_on_any_number_of_processes():
    one = result(*PIG, "--games", "12", "--jobs", "1")
    assert one == result(*PIG, "--games", "12", "--jobs", "2")
    assert one["a"]["spec"] == "mcts:iterations=30"
    assert 20 < one["a"]["iterations_per_move"] <= 30


def test_an_old_name_of_an_option_causes_one_warning_however_many_processes_play():
    options = (
        "--game",
        "pig",
        "--a",
        "expectimax:depth=1,table=1",
        "--b",
        "random",
        "--games",
        "8",
        "-j",
        "2",
    )
    done = duel(*options)
    assert done.returncode == 0
    assert done.stderr == (
        "aiplay: player 'expectimax': option 'table' is now 'cache'; the old name will be removed in version 0.2\n"
    )


@pytest.mark.parametrize(
    ("arguments", "has_workers"),
    [
        (("--a", "greedy", "--b", "random"), False),
        (("--a", "greedy", "--b", "random", "--jobs", "2"), True),
        (("--a", "mcts:iterations=2", "--b", "random"), True),
    ],
)
def test_a_match_that_ends_within_the_head_start_needs_no_workers(arguments, has_workers, monkeypatch):
    calls = []

    def submit(pool, function, *values):
        calls.append(function)
        future = Future()
        future.set_result(function(*values))
        return future

    monkeypatch.setattr(ProcessPool, "submit", submit)
    monkeypatch.setattr(aiplay.match, "n_cores", lambda: 2)
    monkeypatch.setattr(aiplay.cli.match, "HEAD_START", 60.0)
    done = run_here("duel", "--game", "pig", "--games", "4", "--seed", "1", *arguments)
    assert done.returncode == 0
    assert bool(calls) == has_workers


def test_a_match_goes_on_with_workers_after_the_head_start(monkeypatch):
    monkeypatch.setattr(aiplay.match, "n_cores", lambda: 2)
    monkeypatch.setattr(aiplay.cli.match, "HEAD_START", 1e-9)
    here, calls = aiplay.match.runner._play_here, []

    def count(scheduled):
        calls.append(scheduled)
        return here(scheduled)

    monkeypatch.setattr(aiplay.match.runner, "_play_here", count)
    arguments = (
        "duel",
        "--game",
        "pig",
        "--a",
        "greedy",
        "--b",
        "random",
        "--games",
        "8",
        "--seed",
        "1",
        "--json",
    )
    done = run_here(*arguments)
    assert len(calls) == 1
    alone, both = (json.loads(found.stdout) for found in (run_here(*arguments, "--jobs", "1"), done))
    assert [alone[key] for key in ("games", "a_wins", "b_wins")] == [
        both[key] for key in ("games", "a_wins", "b_wins")
    ]


def test_the_verdict_of_an_sprt_does_not_depend_on_the_number_of_processes():
    test = ("-g", "pig", "--a", "greedy", "--b", "random", "-s", "2", "--sprt", "0,100")
    one, two = result(*test, "--jobs", "1"), result(*test, "--jobs", "2")
    assert one == two
    assert one["sprt"]["verdict"] == 100
    assert one["games"] < 100
    assert "Elo 100 rather than 0" in run_here("duel", *test, "--jobs", "1").stdout


# ---- Files -----------------------------------------------------------------------------------------------------------


def saved_games(path):
    with Store.read(path) as store:
        return len(Duel.of(store).results)


@pytest.fixture(scope="module")
def unbroken():
    """Forty games of `PIG`."""
    return result(*PIG, "--games", "40", "--jobs", "1")


@on_posix
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_duel_that_is_killed_repeatedly_ends_like_an_unbroken_one(tmp_path, jobs, unbroken):
    file = str(tmp_path / "duel.db")
    kill_after_a_game(["duel", *PIG, "--games", "40", "--save", file, "--jobs", jobs], tmp_path / "duel.db")
    for _ in range(2):
        kill_after_a_game(["duel", "--resume", file, "--jobs", jobs], tmp_path / "duel.db")
    shutil.copytree(tmp_path, tmp_path / "copy")
    assert 0 < saved_games(tmp_path / "copy" / "duel.db") < 40
    assert result("--resume", file, "--jobs", jobs) == unbroken
    assert saved_games(file) == 40
    assert sorted(os.listdir(tmp_path)) == ["copy", "duel.db"]


@on_posix
def test_the_file_of_a_running_duel_is_refused_to_others(tmp_path):
    """The duel is stopped meanwhile: however slow the machine is, it cannot end before the others have tried."""
    file = tmp_path / "duel.db"
    command = [*COMMAND, *PIG, "--games", "20000", "--jobs", "1", "--save", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            wait_for_a_game(process, file)
            process.send_signal(signal.SIGSTOP)
            for arguments in (("--resume", file), (*PIG, "--save", file)):
                refused = run_here("duel", *arguments)
                assert (refused.returncode, refused.stdout) == (1, "")
                assert re.fullmatch(r"aiplay: .*duel\.db: another run is using this file.*\n", refused.stderr)
            process.send_signal(signal.SIGCONT)
            process.send_signal(signal.SIGINT)
            output, messages = (text.decode() for text in process.communicate(timeout=60))
        finally:
            process.kill()
    assert process.returncode == 130
    # A duel without a terminal reports its progress every ten seconds, so other messages may come first.
    assert messages.splitlines()[-1] == "aiplay: interrupted; these are the results so far"
    assert re.search(r"\d+ games on \d+ deals?\n|no deal is complete\n", output)
    assert output.endswith(f"go on: aiplay duel --resume {file}\n")
    assert saved_games(file) > 0


def test_an_interrupted_duel_with_json_says_on_stderr_how_to_go_on(tmp_path, monkeypatch):
    def interrupted(self, executor, store):
        raise KeyboardInterrupt

    monkeypatch.setattr(Duel, "play_games", interrupted)
    done = run_here("duel", *PIG, "--save", tmp_path / "duel.db", "--jobs", "1", "--json")
    assert done.returncode == 130
    assert json.loads(done.stdout)["games"] == 0
    assert done.stderr == (
        "aiplay: interrupted; these are the results so far\n"
        f"go on: aiplay duel --resume {tmp_path / 'duel.db'}\n"
    )


def test_a_finished_duel_is_not_played_again_and_not_overwritten(tmp_path, unbroken):
    file = str(tmp_path / "duel.db")
    assert result(*PIG, "--games", "40", "--save", file, "--jobs", "1") == unbroken
    assert result("--resume", file, "--jobs", "1") == unbroken
    content = (tmp_path / "duel.db").read_bytes()
    again = run_here("duel", *PIG, "--save", file)
    assert (again.returncode, again.stdout) == (1, "")
    assert f"--resume {file}" in again.stderr
    assert (tmp_path / "duel.db").read_bytes() == content


@pytest.mark.parametrize(
    "arguments",
    [
        ("--games", "50"),
        ("--seed", "6"),
        ("--a", "random"),
        ("--b", "mcts"),
        ("--a", "mcts", "--iterations", "31"),
        ("--time", "1"),
        ("--game", "connect_four"),
        ("--seats", "3"),
        ("--option", "target=50"),
        ("--sprt", "0,10"),
        ("--save", "other.db"),
    ],
)
def test_options_that_contradict_the_file_are_refused(tmp_path, arguments, small_file, refused, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, message = refused("--resume", small_file, *arguments)
    assert code == 2
    assert message.startswith("aiplay: Invalid value for --resume: ")
    assert arguments[-2] in message
    assert os.listdir(tmp_path) == []


@pytest.fixture(scope="module")
def small_file(tmp_path_factory):
    file = str(tmp_path_factory.mktemp("small") / "duel.db")
    result(*PIG, "--games", "2", "--save", file, "--option", "target=20", "--jobs", "1")
    return file


def test_options_that_repeat_the_file_are_accepted(small_file):
    result("--resume", small_file, *PIG, "--seats", "2", "-o", "target=20", "--games", "2", "--jobs", "1")


def test_continuing_a_duel_of_another_version_prints_a_warning(tmp_path, capsys, monkeypatch):
    file = tmp_path / "duel.db"
    match = Duel("pig", "random", "random", games=2, seed=1)
    with monkeypatch.context() as patch:
        patch.setattr("aiplay.__version__", "0.0.1")
        Store.create(file, match.description()).close()
    assert aiplay.cli.run(["duel", "--resume", str(file), "--jobs", "1"]) == 0
    shown = capsys.readouterr()
    assert "2 games on 1 deal\n" in shown.out
    assert re.fullmatch(r"aiplay: begun with aiplay 0\.0\.1, continued with aiplay .*\n", shown.err)


# ---- A terminal, Ctrl-C ----------------------------------------------------------------------------------------------


@on_posix
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_on_a_terminal_there_is_a_progress_bar_and_control_c_shows_the_results_so_far(jobs):
    options = ("-g", "connect_four", "-n", "50000", "--a", "random", "--b", "random", "-j", jobs)
    with Terminal("duel", *options, columns=120) as terminal:
        terminal.wait_for(r"/50000 a \d+\.\d % \(\d+ \.\. \d+\)")
        terminal.interrupt()
        terminal.wait_for("interrupted; these are the results so far")
        terminal.wait_for(r"[1-9]\d* games on [1-9]\d* deals")
        assert terminal.end() == 130
    assert "Traceback" not in terminal.text


@on_posix
def test_progress_is_shown_before_the_first_game_ends_and_control_c_ends_long_games_at_once():
    options = ("-g", "connect_four", "--a", "mcts", "--b", "mcts", "--time", "100", "-j", "2")
    with Terminal("duel", *options, columns=120) as terminal:
        terminal.wait_for(r"0/80 no deal finished yet 0:\d\d:\d*[1-9]")
        terminal.interrupt()
        terminal.wait_for("no deal is complete")
        assert terminal.end(30) == 130  # the games would have taken hours
    assert "Traceback" not in terminal.text
    assert "score" not in terminal.text


# ---- Mistakes and failures -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (("--a", "nobody", "--b", "random"), "random"),
        (("--a", "random:x=1", "--b", "random"), "options"),
        (("--a", "random", "--b", "random", "--game", "nothing"), "connect_four"),
        (("--a", "random", "--b", "random", "--option", "x"), "KEY=VALUE"),
        (("--a", "random", "--b", "random", "-g", "pig", "--seats", "9"), "2 to 6"),
        (("--a", "random", "--b", "random", "--games", "0"), "1; it is '0'"),
        (("--a", "random", "--b", "random", "--game", ""), "the games are"),
        (("--a", "random", "--b", "random", "-o", "goal=3", "-o", "goal=4"), "'goal' is given twice"),
        (("--a", "random", "--b", "random", "--seats", "2", "-o", "players=3"), "'players' is given twice"),
        (("--a", "random", "--b", "random", "--seats", "2", "--players", "2"), "give --seats only"),
        (("--a", "random", "--b", "random", "--time", "nan"), "from 0 to"),
        (("--a", "random", "--b", "random", "--iterations", "0"), "1 to"),
        (("--a", "random", "--b", "random", "--seed", "-1"), "0"),
        (("--a", "random", "--b", "random", "--jobs", "0"), "1"),
        (("--a", "random", "--b", "random", "--sprt", "5"), "ELO0,ELO1"),
        (("--a", "random", "--b", "random", "--sprt", "5,0"), "the first smaller"),
        (("--a", "mcts", "--b", "mcts", "--time", "1", "--iterations", "1"), "either"),
        (("--a", "mcts", "--b", "mcts", "--jobs", "1", "--dask", "tcp://localhost:1"), "either"),
        (("--a", "random", "--b", "expectimax", "--iterations", "5"), "time, nodes, depth"),
        (("--a", "random", "--b", "human"), "random, strategy (`aiplay play`"),
        (("--a", "random"), "--b"),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_is_allowed(arguments, allowed, refused):
    code, message = refused(*arguments)
    assert code == 2
    assert allowed in message


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:9", "127.0.0.1", "nonsense://", "tcp://127.0.0.1:99999"]
)
def test_a_cluster_that_does_not_answer_is_reported_in_one_line(tmp_path, address, refused):
    pytest.importorskip("distributed")
    file = str(tmp_path / "duel.db")
    code, message = refused("--a", "random", "--b", "random", "--dask", address, "--save", file)
    assert code == 1
    assert message.startswith(f"aiplay: no Dask scheduler answers at '{address}'")
    assert os.listdir(tmp_path) == []


@on_posix
@pytest.mark.parametrize(("size", "some"), [(0, False), (8_192, False), (30_000, True)])
def test_a_full_disk_is_reported_in_one_line_and_keeps_the_finished_games(tmp_path, size, some):
    """A limit on the size of files stands in for the disk."""

    def limit():
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    file = tmp_path / "duel.db"
    done = duel(*PIG, "--games", "100", "--jobs", "1", "--save", str(file), preexec_fn=limit)
    assert done.returncode == 1
    assert re.fullmatch(r"aiplay: .*duel\.db: cannot be written.*\n", done.stderr)
    if some:
        (games,) = re.findall(r"(\d+) games on", done.stdout)
        assert saved_games(file) - int(games) in (0, 1)  # only complete deals are shown
        assert result("--resume", str(file), "--jobs", "1")["games"] == 100
    else:
        assert done.stdout == ""
        assert os.listdir(tmp_path) == []


def test_scores_without_luck_by_a_trained_value(tmp_path):
    file = tmp_path / "pig.json"
    random_value(aiplay.load_game("pig"), seed=1).write(file)
    players = (
        "--game",
        "pig",
        "--a",
        "greedy",
        "--b",
        "random",
        "--games",
        "60",
        "--seed",
        "1",
        "--jobs",
        "1",
    )
    done = run_here("duel", *players, "--adjust-value", file, "--json")
    assert {"adjusted_score", "games_saved"} <= set(json.loads(done.stdout))
