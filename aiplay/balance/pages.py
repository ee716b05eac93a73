"""The balance of a game as one HTML page without links to other files, in light or dark colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aiplay.balance.grids import chosen, facts, interval, times_equal
from aiplay.options import titled
from aiplay.report.drawings import (
    ACCENT,
    QUIET,
    WIDTH,
    Chart,
    check_matplotlib,
    finished_chart,
    new_figure,
    quiet_frame,
    styled,
)
from aiplay.report.elements import escape, figure, grid, whole_page
from aiplay.report.figures import percent, played

if TYPE_CHECKING:
    from aiplay.balance.result import Balance, Share, Usage

__all__ = ["page", "share_chart"]

ROWS = 24  # of a chart; a verb with more things has a grid only
ROW_HEIGHT = 0.3  # inches


def page(balance: Balance, verb: str | None = None) -> str:
    """Return the page of the balance of a game; with `verb`, only what concerns that verb."""
    check_matplotlib()
    title = f"Balance: {titled(balance.game.name, balance.game.options)}"
    about = f"{played(balance.games, balance.deals)} of {', '.join(balance.players)}; an equal share is "
    header = f'<p class="quiet">{escape(about + percent(balance.equal))}</p>'
    sections = [_seats(balance), _course(balance)]
    used = balance.used().items()
    sections += [_group(balance, group, usages) for group, usages in used if verb in (None, usages[0].verb)]
    return whole_page(title, header, [*sections, *([_unused(balance)] if verb is None else [])])


def _seats(balance: Balance) -> str:
    shares = [*balance.seats, *balance.order]
    rows = [[one.name, *_figures(balance, one)] for one in shares]
    headings = ["who", "games", "wins", "95 % interval", "equal shares"]
    chart = share_chart(balance, "Seats", shares)
    return "\n".join(["<section>\n<h2>Seats</h2>", grid(headings, rows), _drawn(chart), "</section>"])


def _course(balance: Balance) -> str:
    rows = grid(["course", ""], facts(balance))
    return f"<section>\n<h2>The course of games</h2>\n{rows}\n</section>"


def _group(balance: Balance, group: str, usages: Sequence[Usage]) -> str:
    shares = [one.share for one in usages if one.share is not None]
    used = "dealt" if usages[0].is_dealt else "chosen when offered"
    headings = [group, used, "seats", "wins", "95 % interval", "equal shares"]
    rows = [
        [one.name or "(all)", chosen(one), *_figures(balance, one.share)]
        for one in usages
        if one.share is not None
    ]
    has_chart = 1 < len(shares) <= ROWS
    drawn = [_drawn(share_chart(balance, group, shares))] if has_chart else []
    return "\n".join([f"<section>\n<h2>{escape(group)}</h2>", grid(headings, rows), *drawn, "</section>"])


def _unused(balance: Balance) -> str:
    rows = [[one.title, f"{one.offered:,}"] for one in balance.unused()]
    shown = grid(["choice", "offered"], rows) if rows else "<p>Every choice was made.</p>"
    return f"<section>\n<h2>Choices that nobody made</h2>\n{shown}\n</section>"


def _figures(balance: Balance, share: Share) -> list[str]:
    return [f"{share.games:,}", percent(share.score), interval(share), times_equal(balance, share)]


def _drawn(chart: Chart) -> str:
    return figure(escape(chart.title), chart.element, chart.caption)


@styled
def share_chart(balance: Balance, title: str, shares: Sequence[Share]) -> Chart:
    """Draw a dot for every share of wins and a bar for its interval; a line marks an equal share."""
    drawn = new_figure(WIDTH, 0.8 + ROW_HEIGHT * len(shares))
    axes = drawn.subplots()
    rows = range(len(shares))
    axes.hlines(rows, [100 * one.low for one in shares], [100 * one.high for one in shares], color=ACCENT)
    axes.plot([100 * one.score for one in shares], rows, "o", color=ACCENT, markersize=6)
    axes.axvline(100 * balance.equal, color=QUIET, linewidth=1)
    axes.set_yticks(rows, [one.name for one in shares])
    axes.set_ylim(len(shares) - 0.4, -0.6)
    axes.set_xlabel("wins in %, with 95 % interval")
    quiet_frame(axes)
    words = "; ".join(f"{one.name} {100 * one.score:.0f} %" for one in shares)
    caption = "The line is an equal share."
    return finished_chart(drawn, balance.game.name, title, caption, f"Shares of wins: {words}.")
