"""The profile of a game as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD

from aiplay.grid import Grid, print_grid
from aiplay.options import titled
from aiplay.report.figures import percent
from aiplay.report.grids import WIDE, plain_console

if TYPE_CHECKING:
    from rich.console import Console

    from aiplay.profile.result import Advice, Facts, Profile, Score, Spread

__all__ = ["print_profile", "text"]


def text(profile: Profile, width: int = WIDE) -> str:
    """Return the profile of a game as text, as `aiplay profile` prints it."""
    out = plain_console(width)
    with out.capture() as capture:
        print_profile(profile, out)
    return capture.get()


def print_profile(profile: Profile, out: Console) -> None:
    """Print the profile of a game."""
    facts = profile.facts
    title = titled(profile.game.name, profile.game.options)
    out.print(f"{title}: {facts.games} games of {facts.player}", soft_wrap=True)
    for name, fact in _facts(profile):
        out.print(f"{name:<11} {fact}", soft_wrap=True)
    if profile.growth:
        print_grid(out, _growth(profile))
    for name, fact in _advice(profile):
        out.print(f"{name:<11} {fact}", soft_wrap=True)


# ---- Figures -------------------------------------------------------------------------------------------------


def _facts(profile: Profile) -> Iterator[tuple[str, str]]:
    game, facts, effort = profile.game, profile.facts, profile.effort
    together = ", who win or lose together" if game.is_cooperative else ""
    yield "seats", f"{game.seats}{together}"
    yield "choices", f"{_spread(facts.choices)} moves; {percent(facts.forced)} of the moves are forced"
    yield "chance", _chance(facts)
    yield "hidden", _hidden(facts)
    yield "length", f"{_spread(facts.decisions)} choices, {facts.moves.middle:.0f} moves with chance"
    yield "luck", f"{percent(facts.luck)} of the result"
    searched = f"{effort.iterations:,.0f} iterations of mcts, expectimax {effort.depth:.0f} decisions ahead"
    yield f"in {effort.seconds:g} s", searched


def _spread(spread: Spread) -> str:
    """Return a figure: its mean, its 10 % and 90 % quantile, and the highest."""
    return f"{_number(spread.mean)} {_range(spread)}"


def _range(spread: Spread) -> str:
    return f"({_number(spread.low)} .. {_number(spread.high)}, at most {_number(spread.most)})"


def _number(value: float) -> str:
    if value >= 1e7:
        return f"{value:.1e}"
    return f"{value:,.0f}" if value == round(value) or value >= 100 else f"{value:.1f}"


def _chance(facts: Facts) -> str:
    if facts.outcomes is None or facts.between is None:
        return "none"
    # A single deal of all cards would decide the mean of products.
    between = f"{_number(facts.between.middle)} {_range(facts.between)}"
    return f"{_spread(facts.outcomes)} outcomes of an event, {between} between two choices"


def _hidden(facts: Facts) -> str:
    worlds = facts.worlds
    if worlds is None:
        return "nothing"
    is_bound = worlds.middle >= facts.most_worlds
    count = f"{'at least' if is_bound else 'about'} {_number(worlds.middle)}"
    moves = "seats see some moves differently" if facts.hides_moves else "every seat sees every move"
    return f"{count} worlds fit a view; {moves}"


# ---- Strength ------------------------------------------------------------------------------------------------


def _growth(profile: Profile) -> Grid:
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for number, heading in enumerate(
        ("four times the iterations", "against", "games", "score", "95 % interval")
    ):
        grid.add_column(heading, justify="right" if number > 1 else "left")
    for one in profile.growth:
        grid.add_row(one.a, one.b, f"{one.games}", percent(one.score), _interval(one))
    return grid


def _interval(score: Score) -> str:
    return f"{100 * score.low:.1f} .. {percent(score.high)}"


def _advice(profile: Profile) -> Iterator[tuple[str, str]]:
    advice, check = profile.advice, profile.check
    if profile.growth:
        yield "more time", _more_time(advice)
    yield "mcts", f"mode {advice.mode}{_options(profile)}"
    yield "recommended", f"{advice.player}: {advice.reason}"
    yield "runner-up", advice.runner_up
    if check is not None:
        figures = f"{percent(check.score)} ({_interval(check)}) of {check.games} games"
        yield "check", f"{check.a} gets {figures} against {check.b}: {_verdict(check)}"
        yield "take", profile.player


def _more_time(advice: Advice) -> str:
    if advice.iterations is None:
        return "pays: more iterations than were tried may still gain"
    return f"these games show no gain from more than {advice.iterations:,} iterations"


def _options(profile: Profile) -> str:
    """Return the options of mcts that the game advises."""
    found = ", ".join(f"{name}={value}" for name, value in profile.game.advice.items())
    return f"; the game advises {found}, which is the default" if found else ""


def _verdict(check: Score) -> str:
    if check.is_better:
        return "confirmed"
    return "the runner-up is better" if check.is_worse else "no certain difference"
