"""docs/cli.md: its examples print what it shows, and it names only commands and options that exist."""

import re
import shlex
from pathlib import Path

import pytest
import typer
from terminal import run_here

from aiplay.cli.app import app
from aiplay.cli.options import TIME
from aiplay.players.search import SearchPlayer

PAGE = (Path(__file__).parents[1] / "docs" / "cli.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands
SECTIONS = dict(re.findall(r"^## `aiplay (\w+)`\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))
EXAMPLES = re.findall(r"^```console\n\$ (?:printf '(.*)' \| )?aiplay (.*)\n([^$]*?)```$", PAGE, re.M)

NEEDED = {  # commands that make the file which an example reads
    "replay": "play --game leduc_poker --vs random --seed 2 --save game.json",
    "review": "play --game leduc_poker --vs random --seed 2 --save game.json",
    "report": "tournament --game pig --seed 1 --games 10 --jobs 1 --save pig.db"
    " --players mcts:iterations=10 greedy random",
}


def test_the_page_has_examples():
    assert len(EXAMPLES) >= 5


def options_of(name):
    return {option for parameter in COMMANDS[name].params for option in parameter.opts} | {"--help", "-h"}


def test_every_command_has_a_section():
    assert sorted(SECTIONS) == sorted(COMMANDS)


def test_the_page_says_the_time_of_a_player_without_a_limit():
    seconds = f"{SearchPlayer.DEFAULT_LIMIT.time} s"
    assert f"{seconds} per move in `play` and `analyse`, {TIME} s in `duel` and `tournament`" in PAGE
    assert f"as its options say, else for {seconds}." in " ".join(SECTIONS["analyse"].split())


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_help_of_a_command_has_an_example(name):
    assert re.search(rf"Example: .*\baiplay {name}\b", COMMANDS[name].help)


@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_the_section_of_a_command_names_only_options_that_it_has(name):
    said = re.sub(r"(?s)```console\n(\$ [^\n]*)\n.*?```", r"\1", SECTIONS[name])  # without the output
    assert {*re.findall(r"(?<![\w-])--[a-z][\w-]*", said)} <= options_of(name)


NUMBER = r"\d[\d.,]*(?:e-\d+)?"
CLOCK = [  # times and speeds; everything else has to be as the page shows it
    rf"^cost .* in ({NUMBER}) s \(({NUMBER})/s\)",  # analyse
    rf"^│ ms per move *│ *({NUMBER}) │ *({NUMBER}) │",  # duel
    rf"^ *\d+  \S+ .* % +({NUMBER}) *$",  # ms/move of tournaments and reports
    rf"^({NUMBER}) s; ",
    rf"^in 0.05 s   ({NUMBER}) iterations of mcts, expectimax ({NUMBER}) decisions ahead",  # profile
    rf"^│ pig  │ +20 │ *({NUMBER} M) │ +- │ *({NUMBER} M) │ *({NUMBER} [kM]) │ *({NUMBER} [kM]) │ *({NUMBER} M) │",
    rf"^per second of processor time; this process got ({NUMBER}) % of a core",
]


def without_clock(text):
    """Return the lines of an output without times, the machine, and the width of columns."""
    text = re.sub(r"(?ms)^cpu .*\Z", "", text)
    lines = []
    for line in text.splitlines():
        for pattern in CLOCK:
            if found := re.match(pattern, line):
                for start, end in sorted(map(found.span, range(1, len(found.groups()) + 1)), reverse=True):
                    line = f"{line[:start]}0{line[end:]}"
        lines.append(re.sub("[━─]+", "-", " ".join(line.split())))
    return [line for line in lines if line]


def test_only_times_may_differ():
    lines = [
        "cost  20,000 iterations in 0.09 s (223,948/s), tree 25,323",
        "│ ms per move         │               0.276 │         0.0118 │",
        " 3  random              -422  -1178 .. -188           0.0 %  0.000677",
        "1.1 s; repeat with --seed 7",
        "│ wins                │                  61 │             19 │",
    ]
    assert without_clock("\n".join(lines)) == [
        "cost 20,000 iterations in 0 s (0/s), tree 25,323",
        "│ ms per move │ 0 │ 0 │",
        "3 random -422 -1178 .. -188 0.0 % 0",
        "0 s; repeat with --seed 7",
        "│ wins │ 61 │ 19 │",
    ]


@pytest.mark.parametrize(
    ("typed", "command", "output"), EXAMPLES, ids=[command for _, command, _ in EXAMPLES]
)
def test_an_example_prints_what_the_page_shows(typed, command, output, tmp_path):
    if first := NEEDED.get(command.split()[0]):
        run_here(*first.split(), text="call\ncall\n", cwd=tmp_path)
    done = run_here(*shlex.split(command), text=typed.replace("\\n", "\n"), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert without_clock(done.stdout) == without_clock(output)
