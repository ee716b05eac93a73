"""What several commands show."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table

if TYPE_CHECKING:
    from aiplay.analysis import Analysis, MoveAnalysis
    from aiplay.story import Event

__all__ = [
    "analysis_table",
    "bar",
    "console",
    "events_text",
    "fit",
    "fitted",
    "is_live",
    "odds_text",
    "print_table",
]

BAR = 16  # letters of a bar
NARROWEST = 40  # letters in a line of the narrowest terminal that is fitted; in a narrower one lines wrap
WIDTH_UNKNOWN = 80  # letters in a line where COLUMNS is 0


def console(*, stderr: bool = False) -> Console:
    """A console that shows texts as they are; with NO_COLOR, also nothing but them."""
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    out = Console(stderr=stderr, highlight=False, markup=False, emoji=False, color_system=colours)
    out.width = max(out.width or WIDTH_UNKNOWN, NARROWEST)
    return out


def is_live(out: Console) -> bool:
    """Whether what is shown may change while one looks at it: not in files, not with NO_COLOR."""
    return out.is_terminal and not out.is_dumb_terminal and out.color_system is not None


def bar(share: float, width: int = BAR, *, ascii_only: bool = False) -> str:
    """A share of 0 to 1 as a bar."""
    full, empty = ("#", ".") if ascii_only else ("█", "░")
    n = round(min(max(share, 0.0), 1.0) * width)
    return full * n + empty * (width - n)


def fit(text: str, width: int) -> str:
    """A text with its long lines broken, at bars if there are any, else between words."""
    width, lines = max(width, 20), list[str]()
    for line in text.splitlines():
        is_long = len(line) > width
        for part in line.split(" | ") if is_long else [line]:
            indent = part[: len(part) - len(part.lstrip())] + "    "
            wrapped = textwrap.wrap(part, width, subsequent_indent=indent, break_on_hyphens=False)
            lines += wrapped if len(part) > width else [part]
    return "\n".join(lines)


def print_table(out: Console, table: Table) -> None:
    """Print a table as narrow as the terminal, or wider where a figure would be cut."""
    out.print(fitted(table, out), crop=False)


def fitted(table: Table, out: Console) -> Table:
    """The table with the widest columns made narrower until it fits; cells fold where `min_width` allows it.

    Other cells stay in one line. Where that is still too wide, the table is wider than the terminal.
    """
    widths = [_whole_width(column) for column in table.columns]
    least = [_least_width(column) for column in table.columns]
    for column in table.columns:
        column.min_width = None  # it is no reason to be wider than what is in it
    table.width = out.measure(table, options=out.options.update(width=sum(widths) + 10 * len(widths))).maximum
    while table.width > out.width:
        shrinking = [n for n, width in enumerate(widths) if width > least[n]]
        if not shrinking:
            break
        widths[max(shrinking, key=widths.__getitem__)] -= 1
        table.width -= 1
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    return table


def _whole_width(column: Column) -> int:
    """Of the longest line in a column."""
    return max(cell_len(line) for cell in (column.header, *column.cells) for line in str(cell).split("\n"))


def _least_width(column: Column) -> int:
    """As narrow as the column may be: the words of its heading and every cell are whole, or `min_width` is said."""
    if column.min_width is not None:
        return min(column.min_width, _whole_width(column))
    return max(cell_len(text) for text in ("", *str(column.header).split(), *map(str, column.cells)))


def events_text(events: Iterable[Event], names: dict[int, str], width: int) -> str:
    """Who did what, a line for each turn; what happens several times in a row is counted."""
    lines = []
    for seat, group in groupby(events, key=lambda event: event.seat):
        texts = []
        for text, same in groupby(event.text for event in group):
            n = len(list(same))
            texts.append(text if n == 1 else f"{text} x{n}")
        lines.append(fit(f"  {names[seat]}: {', '.join(texts)}", width))
    return "\n".join(lines)


def analysis_table(
    analysis: Analysis, out: Console, top: int, labels: Mapping[int, str] | None = None
) -> Table:
    """The best moves with their values as bars; in front their rank, or the labels of the moves."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column("move", overflow="fold", min_width=8)
    if bar_width := _bar_width(out):
        table.add_column("value")
    for heading in ("" if bar_width else "value", "error", "visits"):
        table.add_column(heading, justify="right")
    for number, move in enumerate(analysis.moves[:top], 1):
        shown = [bar(move.value, bar_width, ascii_only=out.options.ascii_only)] if bar_width else []
        label = str(number) if labels is None else labels.get(move.move, "")
        table.add_row(label, move.text, *shown, *_figures(move, out), style="bold" * (number == 1))
    hidden = len(analysis.moves) - top
    if hidden > 0:
        table.add_row("", f"and {hidden} more", style="dim")
    return fitted(table, out)


def _bar_width(out: Console) -> int:
    """Bars are short in narrow terminals, and left out where figures need the room."""
    return BAR if out.width >= 64 else BAR // 4 if out.width >= 50 else 0


def _figures(move: MoveAnalysis, out: Console) -> tuple[str, str, str]:
    sign = "+-" if out.options.ascii_only else "±"
    error = "proven" if move.proven else f"{sign} {100 * move.error:.1f}" if move.error else "-"
    return f"{100 * move.value:.1f} %", error, f"{move.visits:,}" if move.visits else "-"


def odds_text(analysis: Analysis, names: dict[int, str]) -> str:
    """What every seat can expect."""
    return "   ".join(f"{names[seat]} {100 * odds:.1f} %" for seat, odds in enumerate(analysis.odds))
