"""A review as text: the account of every seat, the worst decisions, the greatest luck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD

from aiplay.grid import Grid, print_grid
from aiplay.options import titled
from aiplay.report.figures import percent
from aiplay.report.grids import WIDE, plain_console

if TYPE_CHECKING:
    from rich.console import Console

    from aiplay.review.judge import Decision
    from aiplay.review.result import Review

__all__ = ["print_review", "signed", "text"]

SHOWN = 5  # decisions and events in a list


def text(review: Review, width: int = WIDE) -> str:
    """Return a review as text, as `aiplay review` prints it."""
    out = plain_console(width)
    with out.capture() as capture:
        print_review(review, out)
    return capture.get()


def print_review(review: Review, out: Console, shown: int = SHOWN) -> None:
    """Print a review: seats, verdicts, and the first `shown` of the worst decisions and of the luckiest events."""
    title = titled(review.game.name, review.game.options)
    over = "" if review.returns is not None else "; the game is not over, the final values are estimates"
    out.print(f"{title}: {len(review.record.moves)} moves, reviewed by {review.player}{over}", soft_wrap=True)
    print_grid(out, _seats(review))
    print_grid(out, _verdicts(review))
    if worst := review.worst(shown):
        out.print("the worst decisions, by what the seat knew")
        print_grid(out, _decisions(review, worst))
    if review.events:
        out.print("the greatest luck")
        print_grid(out, _events(review, shown))


def signed(value: float) -> str:
    """Return a change of value in per cent, with its sign.

    >>> signed(0.0312), signed(-0.00001)
    ('+3.1 %', '0.0 %')
    """
    return f"{100 * value:+.1f} %" if abs(value) >= 0.0005 else "0.0 %"


def _empty(*headings: str) -> Grid:
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for number, heading in enumerate(headings):
        grid.add_column(heading, justify="left" if number == 0 else "right")
    return grid


def _seats(review: Review) -> Grid:
    grid = _empty("seat", "initial", "luck", "skill", "others", "final", "without luck")
    for name, one in zip(review.names(), review.seats, strict=True):
        parts = map(signed, (one.luck, one.skill, one.others))
        grid.add_row(name, percent(one.initial), *parts, percent(one.final), percent(one.adjusted))
    return grid


def _verdicts(review: Review) -> Grid:
    verdicts = [review.verdicts_of(one.seat) for one in review.seats]
    grid = _empty("seat", "decisions", "lost", "per decision", *verdicts[0])
    for name, one, counts in zip(review.names(), review.seats, verdicts, strict=True):
        n, loss = sum(counts.values()), review.loss_of(one.seat)
        lost = percent(loss), f"{100 * loss / max(n, 1):.2f} %"
        grid.add_row(name, str(n), *lost, *(str(count) for count in counts.values()))
    return grid


def _decisions(review: Review, worst: list[Decision]) -> Grid:
    grid = _empty("ply", "seat", "loss", "verdict", "played", "better")
    for column in grid.columns[4:]:
        column.justify, column.overflow, column.min_width = "left", "fold", 12
    for one in worst:
        grid.add_row(str(one.ply), str(one.seat), percent(one.loss), one.verdict, one.text, one.best)
    return grid


def _events(review: Review, shown: int) -> Grid:
    grid = _empty("ply", "outcome", *(f"seat {one.seat}" for one in review.seats))
    grid.columns[1].justify, grid.columns[1].overflow, grid.columns[1].min_width = "left", "fold", 12
    for one in review.luckiest(shown):
        grid.add_row(str(one.ply), one.text, *map(signed, one.luck))
    return grid
