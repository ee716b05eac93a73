"""The balance of a game as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD

from aiplay.grid import Grid, print_grid
from aiplay.options import titled
from aiplay.report.figures import percent, played
from aiplay.report.grids import WIDE, plain_console

if TYPE_CHECKING:
    from rich.console import Console

    from aiplay.balance.result import Balance, Share, Usage

__all__ = ["facts", "interval", "print_balance", "text", "times_equal"]

SHOWN = 6  # rows of a verb with many things: the best and the worst half of them
FEWEST = 10  # seats that had a thing, for a row; the page and JSON have all
UNUSED = 20  # choices that nobody made


def text(balance: Balance, width: int = WIDE) -> str:
    """Return the balance of a game as text, as `aiplay balance` prints it."""
    out = plain_console(width)
    with out.capture() as capture:
        print_balance(balance, out)
    return capture.get()


def print_balance(balance: Balance, out: Console, verb: str | None = None) -> None:
    """Print the balance of a game; of a verb with many things only some, unless it is asked for."""
    title = titled(balance.game.name, balance.game.options)
    out.print(
        f"{title}: {played(balance.games, balance.deals)} of {', '.join(balance.players)}", soft_wrap=True
    )
    print_grid(out, _shares(balance))
    for name, fact in facts(balance):
        out.print(f"{name:<10} {fact}", soft_wrap=True)
    for group, usages in balance.used().items():
        shown = [one for one in usages if one.games >= FEWEST or verb is not None]
        if shown and verb in (None, usages[0].verb):
            print_grid(out, _usages(balance, group, shown, SHOWN if verb is None else len(shown)))
    if verb is None and (unused := balance.unused()):
        names = ", ".join(f"{one.title} ({one.offered:,})" for one in unused[:UNUSED])
        more = f" and {len(unused) - UNUSED} more" if len(unused) > UNUSED else ""
        out.print(f"choices that nobody made (how often offered): {names}{more}", soft_wrap=True)
    out.print("* an equal share lies outside the 95 % interval", soft_wrap=True)


def facts(balance: Balance) -> list[tuple[str, str]]:
    """Return the course of the games in words."""
    course = balance.course
    found = [
        (
            "luck",
            f"{percent(course.luck)} of the result, decisions {percent(course.skill)} (by {balance.value})",
        ),
        ("length", f"{_quantiles(course.decisions)} decisions, {_quantiles(course.moves)} moves with chance"),
    ]
    if balance.game.seats > 1 and not balance.game.is_cooperative:
        found += [
            ("lead", f"changes {course.lead_changes:.1f} times in a game"),
            ("decided", f"after {percent(course.decided)} of the game the winner leads until the end"),
            ("half-time", f"the leader wins {percent(course.halfway)} of the games"),
        ]
    return found


def interval(share: Share) -> str:
    """Return the 95 % interval of a share."""
    return f"{100 * share.low:.1f} .. {percent(share.high)}"


def times_equal(balance: Balance, share: Share) -> str:
    """Return a share as a multiple of an equal one, marked if that lies outside the interval."""
    mark = "*" if share.differs(balance.equal) else " "
    return f"{share.score / balance.equal:.2f}{mark}" if balance.equal else "-"


def _quantiles(found: tuple[float, float, float]) -> str:
    low, middle, high = found
    return f"{middle:.0f} ({low:.0f} .. {high:.0f})"


def _empty(*headings: str) -> Grid:
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for number, heading in enumerate(headings):
        grid.add_column(heading, justify="right" if number else "left")
    return grid


def _row(balance: Balance, share: Share) -> list[str]:
    return [f"{share.games:,}", percent(share.score), interval(share), times_equal(balance, share)]


def _shares(balance: Balance) -> Grid:
    grid = _empty("who", "games", "wins", "95 % interval", "equal shares")
    for share in (*balance.seats, *balance.order):
        grid.add_row(share.name, *_row(balance, share))
    return grid


def _usages(balance: Balance, verb: str, usages: Sequence[Usage], shown: int) -> Grid:
    is_dealt = usages[0].is_dealt
    grid = _empty(verb, "dealt" if is_dealt else "chosen", "seats", "wins", "95 % interval", "equal shares")
    grid.columns[0].overflow, grid.columns[0].min_width = "fold", 12
    half = shown // 2
    parts = [usages] if len(usages) <= shown else [usages[:half], usages[-half:]]
    for number, part in enumerate(parts):
        if number:
            grid.add_row(f"... {len(usages) - 2 * half} more ...")
        for one in part:
            if one.share is not None:
                grid.add_row(one.name or "(all)", chosen(one), *_row(balance, one.share))
    return grid


def chosen(one: Usage) -> str:
    """Return how often a thing was chosen, of the decisions that offered it; how often it was dealt."""
    return f"{one.chosen:,}" if one.is_dealt else f"{percent(one.chosen / max(one.offered, 1))}"
