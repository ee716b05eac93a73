"""docs/cli.md: what it shows is what the commands print, and every command and option on it exists."""

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
import typer
from terminal import run, run_here

from aiplay.cli.app import app

PAGE = (Path(__file__).parents[1] / "docs" / "cli.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands
SECTIONS = dict(re.findall(r"^## `aiplay (\w+)`\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))
EXAMPLES = re.findall(r"^```console\n\$ (?:printf '(.*)' \| )?aiplay (.*)\n([^$]*?)```$", PAGE, re.M)

NEEDED = {  # what has to be run before an example: it makes the file that the example is about
    "replay": "play --game leduc_poker --vs random --seed 2 --save game.json",
    "report": "tournament --game pig --seed 1 --games 10 --jobs 1 --save pig.db"
    " --players greedy random expectimax:depth=1",
}


def test_the_page_has_examples():
    assert len(EXAMPLES) >= 5


def options_of(name):
    return {option for parameter in COMMANDS[name].params for option in parameter.opts} | {"--help", "-h"}


def test_every_command_has_a_section():
    assert sorted(SECTIONS) == sorted(COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_help_of_a_command_has_an_example(name):
    assert re.search(rf"Example: .*\baiplay {name}\b", COMMANDS[name].help)


@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_the_section_of_a_command_names_only_options_that_it_has(name):
    said = re.sub(r"(?s)```console\n(\$ [^\n]*)\n.*?```", r"\1", SECTIONS[name])  # not what is printed
    assert {*re.findall(r"(?<![\w-])--[a-z][\w-]*", said)} <= options_of(name)


def shape(text):
    """The lines of an output in any order, without what differs from machine to machine: figures, and its name."""
    text = re.sub(r"(?ms)^(line  |cpu ).*?(?=^\w|\Z)", "", text)
    text = re.sub("[━─]+", "-", text)
    lines = (
        re.sub(r"[█░]+", "=", re.sub(r"[+-]?\d[\d.,]*(?: [kMG]\b)?", "0", line)) for line in text.splitlines()
    )
    return Counter(" ".join(line.split()) for line in lines if line.strip())


@pytest.mark.parametrize(
    ("typed", "command", "output"), EXAMPLES, ids=[command for _, command, _ in EXAMPLES]
)
def test_an_example_prints_what_the_page_shows(typed, command, output, tmp_path):
    if first := NEEDED.get(command.split()[0]):
        run_here(*first.split(), text="call\ncall\n", cwd=tmp_path)
    done = run(*shlex.split(command), text=typed.replace("\\n", "\n"), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert shape(done.stdout) == shape(output)
