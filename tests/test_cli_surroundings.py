"""The command `aiplay` in pipes, simple and narrow terminals, shells, and called by programs."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from terminal import COMMAND, Terminal, run, run_here

import aiplay
from aiplay.cli.options import complete_player

NEEDS_TERMINAL = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
NEEDS_SHELL = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")


# ---- For programs ------------------------------------------------------------------------------------------


def test_games_json_has_the_facts_of_every_game():
    found = json.loads(run_here("games", "--json").stdout)["games"]
    assert [facts["name"] for facts in found] == aiplay.game_names()
    for facts in found:
        game = aiplay.load_game(facts["name"])
        assert (facts["hidden"], facts["chance"]) == (game.has_hidden, game.has_chance)
        assert facts["state_bytes"] == game.state_size
        assert facts["min_seats"] <= game.seats <= facts["max_seats"]
        assert [option["name"] for option in facts["options"]] == [option.name for option in game.OPTIONS]
        assert 1 < facts["branching"] <= facts["widest"] <= game.max_moves
        assert facts["about"]


def test_games_fits_eighty_columns():
    assert max(map(len, run("games").stdout.splitlines())) <= 80


@pytest.fixture
def short_rounds(monkeypatch):
    """Measure for a tenth of the time: tests do not look at the speeds."""
    monkeypatch.setattr("aiplay.speed.ROUND", 0.01)
    monkeypatch.setattr("aiplay.speed.SEARCH", 0.05)


@pytest.mark.usefixtures("short_rounds")
def test_bench_json_has_speeds_and_the_machine():
    found = json.loads(run_here("bench", "-g", "leduc_poker", "--json").stdout)
    (speed,) = found["games"]
    assert speed["game"] == "leduc_poker"
    assert speed["state_bytes"] == aiplay.load_game("leduc_poker").state_size
    assert 0 < speed["playouts"] < speed["moves"]
    assert min(speed[key] for key in ("copies", "worlds", "share")) > 0
    assert [(each["player"], each["unit"]) for each in speed["players"]] == [
        ("mcts", "iterations"),
        ("expectimax", "nodes"),
    ]
    assert min(each["per_second"] for each in speed["players"]) > 0
    machine = found["machine"]
    assert machine["cores"] >= 1
    assert machine["build"] in ("release", "debug", "trace")
    assert re.match(r"(gcc|clang|MSVC) \d", machine["compiler"])
    assert machine["python"].endswith(".".join(map(str, sys.version_info[:3])))


@pytest.mark.usefixtures("short_rounds")
def test_bench_measures_the_players_that_are_named():
    specs = ("mcts:iterations=20", "greedy:worlds=2", "expectimax:depth=1")
    options = [word for spec in specs for word in ("--player", spec)]
    (speed,) = json.loads(run_here("bench", "-g", "pig", "--json", *options).stdout)["games"]
    units = {each["player"]: each["unit"] for each in speed["players"]}
    assert units == dict(zip(specs, ("iterations", "choices", "nodes"), strict=True))
    done = run_here("bench", "-g", "pig", "--player", "human")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "aiplay: player 'human' has no speed; allowed: the other players\n"


# ---- Pipes and terminals -----------------------------------------------------------------------------------


@NEEDS_SHELL
def test_closing_a_pipe_early_is_not_an_error(tmp_path):
    table = aiplay.Table(aiplay.load_game("three_magicians"), seed=1)
    bot = aiplay.make_player("random", seed=1)
    while not table.over:
        table.play(bot.choose(table.view(table.to_move)))
    (tmp_path / "long.json").write_text(
        table.record.to_json()
    )  # a megabyte of positions: more than a pipe holds
    script = f"{' '.join(COMMAND)} replay long.json | head -1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.stdout.startswith("three_magicians")
    assert done.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [("games",), ("analyse", "-g", "connect_four", "--player", "mcts:iterations=100"), ("play", "-g", "pig")],
    ids=lambda arguments: arguments[0],
)
def test_a_terminal_without_unicode_gets_ascii(arguments):
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    done = run(*arguments, env=environment, text="hint\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert "?" * 5 not in done.stdout


@NEEDS_TERMINAL
@pytest.mark.parametrize(
    "arguments", [("analyse", "-g", "pig", "--time", "0.5"), ("play", "-g", "pig", "--seat", "1")]
)
def test_with_no_color_a_terminal_gets_plain_text(arguments):
    with Terminal(*arguments, colours=False) as terminal:
        if arguments[0] == "play":
            terminal.wait_for("your move> $")
            terminal.type("quit")
        assert terminal.end() == 0
    assert not re.search(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]", terminal.raw)


@NEEDS_TERMINAL
def test_control_c_shows_the_figures_so_far():
    with Terminal("bench") as terminal:
        terminal.wait_for("1/")
        terminal.interrupt()
        assert terminal.end(20) == 130
    assert "interrupted; these are the figures so far" in terminal.text
    assert re.search(r"│ connect_four +│", terminal.text)


# ---- Narrow terminals --------------------------------------------------------------------------------------

LONG = "mcts:iterations=2,exploration=0.5,playout={}"


def figures(text):
    """Return the figures of a text, in order."""
    return re.findall(r"\d[\d.,]*", text)


@pytest.mark.parametrize("columns", [0, 20, 40, 60])
@pytest.mark.parametrize(
    "arguments",
    [
        ("games",),
        ("analyse", "-g", "levitation", "--player", "mcts:iterations=3000", "--seed", "3", "--top", "3"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_no_figure_is_cut_in_a_narrow_terminal(arguments, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    wide = re.sub(r"(?ms)^(cost|line).*", "", run_here(*arguments).stdout)  # seconds differ
    monkeypatch.setenv("COLUMNS", str(columns))
    narrow = re.sub(r"(?ms)^(cost|line).*", "", run_here(*arguments).stdout)
    assert figures(narrow) == figures(wide)
    assert len(figures(wide)) > 10


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_players_with_long_names_can_be_told_apart(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    names = [LONG.format(playout) for playout in ("random", "greedy")]
    shown = run_here("duel", "-g", "pig", "-n", "2", "-j", "1", "--a", names[0], "--b", names[1]).stdout
    cells = [line.split("│")[2:4] for line in shown.splitlines() if "│" in line]
    for number, name in enumerate(names):
        column = "".join(cell[number].strip() for cell in cells)
        assert column.startswith(name)
        assert re.search(r"\d \.\. \d", column)  # an interval is in one line


@NEEDS_TERMINAL
@pytest.mark.parametrize("columns", [30, 60])
def test_no_figure_of_a_tournament_is_cut(columns, tmp_path):
    file = tmp_path / "pig.db"
    run_here(
        "tournament", "-g", "pig", "-n", "2", "-j", "1", "--save", file, "-p", LONG.format("auto"), "greedy"
    )
    wide = run_here("report", file).stdout
    with Terminal("report", file, columns=columns) as terminal:
        assert terminal.end() == 0
    shown = " ".join(terminal.text.split())
    rows = re.findall(r"^ [12]  \S+ +(.*\S)", wide, re.M)
    assert len(rows) == 4
    for row in rows:
        assert " ".join(row.split()) in shown


def test_a_heading_folds_before_a_grid_is_too_wide():
    from rich.console import Console

    from aiplay.grid import Grid, print_grid

    grid = Grid("player", "95 % interval", "score")
    grid.columns[0].min_width, grid.columns[0].overflow = 6, "fold"
    grid.add_row("mcts:time=1", "-5 .. +5", "100.0 %")
    out = Console(width=36)
    with out.capture() as capture:
        print_grid(out, grid)
    assert max(map(len, capture.get().splitlines())) == 36
    assert re.search(r"-5 \.\. \+5 +│ +100\.0 % │", capture.get())


# ---- Shells ------------------------------------------------------------------------------------------------


def complete(*words):
    """Return the completions that bash offers for the last word."""
    environment = {
        **os.environ,
        "_AIPLAY_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(("aiplay", *words)),
        "COMP_CWORD": str(len(words)),
    }
    return run(env=environment).stdout.split()


def test_shells_complete_commands_games_and_their_options():
    assert complete("re")[:1] == ["replay"]
    assert complete("play", "--game", "le") == ["leduc_poker", "levitation"]
    assert complete("play", "--game", "pig", "--option", "tar") == ["target="]
    assert complete("play", "--game", "nothing", "--option", "") == []


def test_shells_complete_players_and_their_options():
    assert complete("analyse", "--player", "e") == ["expectimax"]
    assert complete_player("mcts:it") == ["mcts:iterations="]
    assert complete_player("mcts:time=1,th") == ["mcts:time=1,threads="]
    assert complete_player("nobody:x") == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_accepts_the_completion_script():
    script = f'eval "$({" ".join(COMMAND)} --show-completion)" && complete -p aiplay'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert re.fullmatch(r"complete .*_aiplay_completion aiplay\n", done.stdout)
