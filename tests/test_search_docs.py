"""docs/search.md lists every option of every searching player, as declared."""

from pathlib import Path

import pytest

from aiplay.options import Option
from aiplay.players.expectimax import ExpectimaxPlayer
from aiplay.players.greedy import GreedyPlayer
from aiplay.players.mcts import MctsPlayer

PAGE = Path(__file__).parents[1] / "docs" / "search.md"


def row(option: Option) -> str:
    default = "-" if option.default is None else option.default
    if isinstance(default, bool):
        default = "yes" if default else "no"
    allowed = option.allowed.replace("a whole number", "whole").replace("a number", "number")
    return f"| `{option.name}` | {default} | {allowed} | {option.doc} |"


def table_of(player) -> str:
    head = ["| option | default | allowed | meaning |", "| --- | --- | --- | --- |"]
    return "\n".join(head + [row(option) for option in player.OPTIONS])


@pytest.mark.parametrize("player", [MctsPlayer, ExpectimaxPlayer, GreedyPlayer])
def test_the_table_of_options_is_what_is_declared(player):
    page = PAGE.read_text(encoding="utf-8")
    start = page.split(f"<!-- options of {player.name} -->\n")
    assert len(start) == 2
    assert start[1].split("\n<!-- end -->")[0] == table_of(player)
