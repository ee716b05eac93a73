"""docs/search.md lists the options of every searching player, docs/search_figures.md results of search_options.py."""

import importlib
import re
from pathlib import Path

import pytest

import aiplay
from aiplay.cli.options import TIME
from aiplay.options import Option
from aiplay.players.expectimax import ExpectimaxPlayer
from aiplay.players.greedy import GreedyPlayer
from aiplay.players.mcts import MctsPlayer
from aiplay.players.search import SearchPlayer

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "search.md"
FIGURES = ROOT / "docs" / "search_figures.md"
SEARCHING = [MctsPlayer, ExpectimaxPlayer, GreedyPlayer]


def row(option: Option) -> str:
    default = "-" if option.default is None else option.default
    if isinstance(default, bool):
        default = "yes" if default else "no"
    allowed = option.allowed.replace("a whole number", "whole").replace("a number", "number")
    return f"| `{option.name}` | {default} | {allowed} | {option.doc} |"


def grid_of(player) -> str:
    head = ["| option | default | allowed | meaning |", "| --- | --- | --- | --- |"]
    return "\n".join(head + [row(option) for option in player.OPTIONS])


def part(title: str, page: Path = PAGE) -> str:
    """The text between two comments of a page."""
    start = page.read_text(encoding="utf-8").split(f"<!-- {title} -->\n")
    assert len(start) == 2
    return start[1].split("\n<!-- end -->")[0]


@pytest.fixture
def bench(monkeypatch):
    """bench/search_options.py as a module."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    return importlib.import_module("search_options")


@pytest.mark.parametrize("player", SEARCHING)
def test_the_listed_options_are_the_declared_ones(player):
    assert part(f"options of {player.name}") == grid_of(player)


def test_the_page_gives_the_default_limits():
    assert f"{SearchPlayer.DEFAULT_LIMIT.time} s per move from `make_player" in PAGE.read_text(
        encoding="utf-8"
    )
    assert f"; {TIME} s in duels and tournaments" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("player", SEARCHING)
def test_every_option_is_measured_on_every_reference_game(player, bench):
    plan = bench.PLANS[player.name]
    head, _, *rows = [line.split(" | ") for line in part(f"worth of {player.name}", FIGURES).splitlines()]
    assert [row[0].removeprefix("| ") for row in rows] == [
        change.title(plan.limit) for change in plan.changes
    ]
    assert re.findall(r"(\w+): ", " | ".join(head)) == ["connect_four", "pig", "leduc_poker"]
    for row in rows:
        assert len(row) == len(head)
        assert all(re.fullmatch(r"[+-]?\d+\.\d+( ± \d+\.\d+)?|=|-", cell.strip(" |")) for cell in row[1:]), (
            row
        )
    measured = set(re.findall(r"(\w+)=", " ".join(change.option for change in plan.changes)))
    # What a value is worth depends on its file: docs/learn.md. Levels, which blur, are measured in docs/levels.md.
    assert measured | {plan.limit, "time", "value", "level", "blur"} >= {
        option.name for option in player.OPTIONS
    }


@pytest.mark.parametrize(
    ("game", "change", "is_same"),
    [
        ("connect_four", "mode=pimc", True),
        ("connect_four", "cutoff=0", False),
        ("leduc_poker", "solver=no", True),
        ("leduc_poker", "exploration=100", False),
    ],
)
def test_a_change_without_effect_is_recognised(game, change, is_same, bench):
    plain = bench.spec("mcts", 50)
    score = bench.duel(aiplay.load_game(game), bench.spec("mcts", 50, change), plain, 10)
    assert score.is_same == is_same
    assert (str(score) == "=") == is_same
    assert score.error > 0


def test_results_are_per_cent_above_an_equal_share(bench):
    for players, dominated in ((2, 50), (3, (200 / 3 + 50 / 3) / 2)):
        game = aiplay.load_game("pig", players=players, target=2)
        score = bench.duel(game, "greedy", "random", 50)
        assert 0 < score.mean < dominated


@pytest.mark.parametrize(("name", "has_priors"), [("pig", True), ("leduc_poker", False)])
def test_pig_has_no_policy_and_leduc_poker_no_priors_either(name, has_priors):
    """The page lists the values of options that they refuse."""
    game = aiplay.load_game(name)
    assert game.offers("priors") == has_priors
    assert not game.offers("playout_move")
    view = aiplay.Table(game, seed=1).view(0)
    hidden = ["prior=game", "mode=team"] if game.has_hidden else []
    for change in ("playout=game", *hidden):
        with pytest.raises(aiplay.PlayerSpecError, match="has no"):
            aiplay.make_player(f"mcts:iterations=1,{change}").choose(view)
