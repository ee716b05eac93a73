"""What several commands show."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from aiplay.analysis import Analysis, MoveAnalysis
    from aiplay.story import Event

__all__ = ["analysis_table", "bar", "console", "events_text", "fit", "is_live", "odds_text"]

BAR = 16  # letters of a bar


def console(*, stderr: bool = False) -> Console:
    """A console that shows texts as they are; with NO_COLOR, also nothing but them."""
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, color_system=colours)


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
    table.add_column("move", overflow="fold", min_width=8, max_width=max(out.width - 52, 20))
    table.add_column("value", no_wrap=True)
    for heading in ("", "error", "visits"):
        table.add_column(heading, justify="right", no_wrap=True)
    for number, move in enumerate(analysis.moves[:top], 1):
        shown = bar(move.value, BAR if out.width >= 64 else BAR // 4, ascii_only=out.options.ascii_only)
        label = str(number) if labels is None else labels.get(move.move, "")
        table.add_row(label, move.text, shown, *_figures(move, out), style="bold" * (number == 1))
    hidden = len(analysis.moves) - top
    if hidden > 0:
        table.add_row("", f"and {hidden} more", style="dim")
    return table


def _figures(move: MoveAnalysis, out: Console) -> tuple[str, str, str]:
    sign = "+-" if out.options.ascii_only else "±"
    error = "proven" if move.proven else f"{sign} {100 * move.error:.1f}" if move.error else "-"
    return f"{100 * move.value:.1f} %", error, f"{move.visits:,}" if move.visits else "-"


def odds_text(analysis: Analysis, names: dict[int, str]) -> str:
    """What every seat can expect."""
    return "   ".join(f"{names[seat]} {100 * odds:.1f} %" for seat, odds in enumerate(analysis.odds))
