"""The command `aiplay`, run as a process."""

import contextlib
import re
import subprocess
import sys

import pytest

import aiplay


def run(*arguments, **more):
    command = [sys.executable, "-m", "aiplay.cli", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, **more
    )


def test_version():
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"aiplay {aiplay.__version__}\n", "")


def test_help_lists_the_commands():
    done = run("--help")
    assert done.returncode == 0
    assert re.search(r"^  duel ", done.stdout, re.M)
    assert re.search(r"^  games ", done.stdout, re.M)


def test_help_loads_neither_numpy_nor_rich():
    code = (
        "import sys; from aiplay.cli import run; run(['--help']); print(*{'numpy', 'rich'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_games_lists_every_game():
    done = run("games")
    assert done.returncode == 0
    for name in aiplay.game_names():
        assert re.search(rf"\b{name}\b", done.stdout)


def test_duel_without_a_terminal_has_no_control_characters():
    done = run("duel", "--game", "pig", "--a", "random", "--b", "greedy", "--games", "6", "--seed", "7")
    assert done.returncode == 0
    assert done.stderr == ""
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", done.stdout)
    assert "6 games in 3 pairs" in done.stdout
    assert "--seed 7" in done.stdout


def test_duel_repeats_with_its_seed():
    arguments = (
        "duel",
        "--game",
        "leduc_poker",
        "--a",
        "random",
        "--b",
        "random",
        "--games",
        "50",
        "--seed",
        "3",
    )
    rows = [
        re.findall(r"│ [ab] │ random │ +(\d+) │ +(\d+) │ +(\d+)", run(*arguments).stdout) for _ in range(2)
    ]
    assert len(rows[0]) == 2
    assert rows[0] == rows[1]


def test_game_options_reach_the_game():
    done = run("duel", "-g", "pig", "-p", "3", "-o", "target=20", "--a", "random", "--b", "random", "-n", "6")
    assert done.returncode == 0
    assert "players=3 target=20" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (("duel", "--a", "nobody", "--b", "random"), "random"),
        (("duel", "--a", "random:x=1", "--b", "random"), "options"),
        (("duel", "--a", "random", "--b", "random", "--game", "nothing"), "connect_four"),
        (("duel", "--a", "random", "--b", "random", "--option", "x"), "KEY=VALUE"),
        (("duel", "--a", "random", "--b", "random", "-g", "pig", "-p", "9"), "2 to 6"),
        (("duel", "--a", "random", "--b", "random", "--games", "0"), "1"),
        (("duel", "--a", "random", "--b", "random", "--seed", "-1"), "0"),
        (("duel", "--a", "random"), "--b"),
        (("nothing",), "duel, engine, games"),
        (("--nothing",), "--nothing"),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_is_allowed(arguments, allowed):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"aiplay: .+\n", done.stderr)
    assert allowed in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_there_is_a_progress_bar_and_control_c_shows_what_is_known():
    import os
    import pty
    import signal
    import threading

    control, terminal = pty.openpty()
    command = [sys.executable, "-m", "aiplay.cli", "duel", "--game", "connect_four", "--games", "50000"]
    command += ["--a", "random", "--b", "random"]
    seen = bytearray()
    scored = threading.Event()

    def watch() -> None:
        """Read what the terminal shows until it is closed, so that the command never waits for its reader."""
        with contextlib.suppress(OSError):
            while data := os.read(control, 10_000):
                seen.extend(data)
                if re.search(rb"a scores \d", seen):
                    scored.set()

    with subprocess.Popen(command, stdin=terminal, stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        assert scored.wait(60)
        process.send_signal(signal.SIGINT)
        output = process.stdout.read().decode()
    watcher.join(10)
    os.close(control)
    assert process.returncode == 130
    assert b"50000" in seen
    assert re.search(r"[1-9]\d* games in [1-9]\d* pairs", output)
