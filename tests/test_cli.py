"""The command `aiplay`: version, help, games, options that all commands share."""

import json
import math
import re
import subprocess
import sys

import pytest
from terminal import run, run_here

import aiplay
from aiplay.registry import player_class


def test_version():
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"aiplay {aiplay.__version__}\n", "")


def test_help_lists_the_commands():
    done = run("--help")
    assert done.returncode == 0
    assert re.search(r"^  duel ", done.stdout, re.M)
    assert re.search(r"^  games ", done.stdout, re.M)
    assert run_here().stdout == done.stdout


def test_help_loads_neither_numpy_nor_rich():
    code = (
        "import sys; from aiplay.cli import run; run(['--help']); print(*{'numpy', 'rich'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_games_lists_every_game():
    done = run_here("games")
    assert done.returncode == 0
    for name in aiplay.game_names():
        assert re.search(rf"\b{name}\b", done.stdout)


@pytest.mark.parametrize("name", aiplay.game_names())
def test_one_game_is_shown_with_all_its_options(name):
    game = aiplay.load_game(name)
    done = run_here("games", name)
    assert (done.returncode, done.stderr) == (0, "")
    shown = " ".join(done.stdout.split())
    assert f"name {name} about {type(game).__doc__.splitlines()[0]} seats " in shown
    for option in game.OPTIONS:
        value = {None: "-", True: "true", False: "false"}.get(option.default, option.default)
        assert re.search(rf"^{option.name} +{value} +{option.allowed.split()[0]}\b", done.stdout, re.M)
    assert ("no options" in shown) == (not game.OPTIONS)
    assert f"rules aiplay games {name} --rules" in shown
    (facts,) = json.loads(run_here("games", name, "--json").stdout)["games"]
    assert facts["name"] == name


def test_players_lists_every_player_with_its_options():
    shown = run_here("players").stdout
    found = json.loads(run_here("players", "--json").stdout)["players"]
    assert [player["name"] for player in found] == aiplay.player_names()
    for player in found:
        assert re.search(rf"^{player['name']}: \S", shown, re.M)
        options = player_class(player["name"]).OPTIONS
        assert [option["name"] for option in player["options"]] == [option.name for option in options]
        for facts, option in zip(player["options"], options, strict=True):
            assert re.search(rf"^{option.name} ", shown, re.M)
            assert (facts["default"], facts["about"]) == (option.default, option.doc)
            assert (facts["allowed"], facts["choices"]) == (option.allowed, list(option.choices))
            assert facts["low"] == (None if math.isinf(option.low) else option.low)
    random = run_here("players", "random").stdout
    assert random.endswith("\nno options\n")
    done = run_here("players", "mtcs")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'mcts'?" in done.stderr


def test_a_misspelt_game_is_answered_with_the_nearest_name():
    done = run_here("games", "three-magician")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'three_magicians'?" in done.stderr


@pytest.mark.parametrize("command", ["play", "duel", "tournament", "analyse"])
def test_illusio_is_the_default_game(command):
    helped = " ".join(run_here(command, "--help").stdout.split())
    assert re.search(r"--game [^\[]*\[default: \(?illusio\)?\]", helped)


def test_game_options_reach_the_game():
    options = "-g pig --seats 3 -o target=20 --a random --b random -n 6"
    done = run_here("duel", *options.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert "players=3 target=20" in done.stdout


SEATED = {  # a command line for each command that takes a number of seats, and what it prints for three
    "duel": ("-g pig --a random --b random -n 2 -j 1", "pig players=3 "),
    "play": ("-g pig --vs random", "against seat 1 (random), seat 2 (random)"),
    "analyse": ("-g pig --player greedy", "   seat 2 "),
    "bench": ("-g leduc_poker", ""),
}


@pytest.mark.parametrize("old", ["--players", "-p"])
@pytest.mark.parametrize("command", ["duel", "play", "analyse"])
def test_the_number_of_seats_may_be_given_by_its_old_name_with_a_note(command, old):
    options, shown = SEATED[command]
    done = run_here(command, *options.split(), old, "3", text="quit\n")
    assert done.returncode == 0
    assert shown in done.stdout
    assert (
        done.stderr == "aiplay: --players N is now --seats N; the old name will be removed in version 0.2\n"
    )
    new = run_here(command, *options.split(), "--seats", "3", text="quit\n")
    assert (new.returncode, new.stderr) == (0, "")
    assert shown in new.stdout


@pytest.mark.parametrize("command", SEATED)
def test_the_number_of_seats_has_the_same_name_in_every_command(command):
    helped = run_here(command, "--help").stdout
    assert re.search(r"^  --seats N +Number of seats\.$", helped, re.M)
    assert "--players" not in helped
    assert "--seats" in run_here("tournament", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (("nothing",), "duel, engine, explain, exploit, games"),
        (("--nothing",), "--nothing"),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_is_allowed(arguments, allowed):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"aiplay: .+\n", done.stderr)
    assert allowed in done.stderr
