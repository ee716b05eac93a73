"""Output of several commands: consoles, texts that fit, analyses."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console

from aiplay.grid import Grid, fitted

if TYPE_CHECKING:
    from aiplay.analysis import Analysis, MoveAnalysis
    from aiplay.parts import Verb
    from aiplay.story import Event

__all__ = [
    "analysis_grid",
    "console",
    "events_text",
    "fit",
    "is_live",
    "odds_text",
    "options_grid",
    "wide_console",
]

BAR = 16  # characters of a bar
NARROWEST = 40  # columns of the narrowest terminal that text is fitted to; narrower ones wrap it
WIDTH_UNKNOWN = 80  # columns if COLUMNS is 0


def console(*, stderr: bool = False) -> Console:
    """Return a console that prints texts as they are; with NO_COLOR, without colours and styles."""
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    out = Console(stderr=stderr, highlight=False, markup=False, emoji=False, color_system=colours)
    out.width = max(out.width or WIDTH_UNKNOWN, NARROWEST)
    return out


def wide_console() -> Console:
    """Return a console that is wide where there is no terminal: in files and pipes."""
    from aiplay.report.grids import WIDE

    out = console()
    if not out.is_terminal:
        out.width = max(out.width, WIDE)
    return out


def is_live(out: Console) -> bool:
    """True if output can be updated in place: on a terminal, unless NO_COLOR is set."""
    return out.is_terminal and not out.is_dumb_terminal and out.color_system is not None


def options_grid(options: Iterable[Mapping[str, Any]]) -> Grid:
    """Return the options of a game or a player: name, default, allowed values and meaning."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("option", "default"):
        grid.add_column(heading)
    for heading in ("allowed", "meaning"):
        grid.add_column(heading, overflow="fold", min_width=12)
    for option in options:
        value = option["default"]
        shown = "-" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        grid.add_row(option["name"], shown, option["allowed"], option["about"])
    return grid


def _bar(share: float, width: int, ascii_only: bool) -> str:
    """Return a share from 0 to 1 as a bar."""
    full, empty = ("#", ".") if ascii_only else ("█", "░")
    n = round(min(max(share, 0.0), 1.0) * width)
    return full * n + empty * (width - n)


def fit(text: str, width: int) -> str:
    """Return a text with its long rows broken, at " | " if there is one, else between words."""
    width, fitting = max(width, 20), list[str]()
    for row in text.splitlines():
        is_long = len(row) > width
        for part in row.split(" | ") if is_long else [row]:
            indent = part[: len(part) - len(part.lstrip())] + "    "
            wrapped = textwrap.wrap(part, width, subsequent_indent=indent, break_on_hyphens=False)
            fitting += wrapped if len(part) > width else [part]
    return "\n".join(fitting)


def events_text(events: Iterable[Event], names: dict[int, str], width: int, verbs: Mapping[str, Verb]) -> str:
    """Return who did what, a row for each turn. Repeated events are counted: "roll x3"."""
    turns = []
    for seat, group in groupby(events, key=lambda event: event.seat):
        texts = []
        for text, same in groupby(_event_text(event, verbs) for event in group):
            n = len(list(same))
            texts.append(text if n == 1 else f"{text} x{n}")
        turns.append(fit(f"  {names[seat]}: {', '.join(texts)}", width))
    return "\n".join(turns)


def _event_text(event: Event, verbs: Mapping[str, Verb]) -> str:
    """Return the notation of an event, with its verb if the notation leaves that out: "deal Qh"."""
    name = str(event.parts["verb"])
    return f"{name} {event.text}" if name in verbs and not verbs[name].words else event.text


def analysis_grid(
    analysis: Analysis, out: Console, top: int, labels: Mapping[int, str] | None = None
) -> Grid:
    """Return a grid of the best moves with their values as bars. The first column: the rank, or the move's label."""
    grid = Grid(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    grid.add_column("")
    grid.add_column("move", overflow="fold", min_width=8)
    if bar_width := _bar_width(out):
        grid.add_column("value")
    for heading in ("" if bar_width else "value", "error", "visits"):
        grid.add_column(heading, justify="right")
    for number, move in enumerate(analysis.moves[:top], 1):
        bar = [_bar(move.value, bar_width, out.options.ascii_only)] if bar_width else []
        label = str(number) if labels is None else labels.get(move.move, "")
        grid.add_row(label, move.text, *bar, *_figures(move, out), style="bold" * (number == 1))
    hidden = len(analysis.moves) - top
    if hidden > 0:
        grid.add_row("", f"and {hidden} more", style="dim")
    return fitted(grid, out)


def _bar_width(out: Console) -> int:
    """Return the width of bars: short in narrow terminals, 0 if there is only room for figures."""
    return BAR if out.width >= 64 else BAR // 4 if out.width >= 50 else 0


def _figures(move: MoveAnalysis, out: Console) -> tuple[str, str, str]:
    sign = "+-" if out.options.ascii_only else "±"
    error = "proven" if move.proven else f"{sign} {100 * move.error:.1f}" if move.error else "-"
    return f"{100 * move.value:.1f} %", error, f"{move.visits:,}" if move.visits else "-"


def odds_text(analysis: Analysis, names: dict[int, str]) -> str:
    """Return the odds of every seat."""
    return "   ".join(f"{names[seat]} {100 * odds:.1f} %" for seat, odds in enumerate(analysis.odds))
