"""Pictures of standings, as SVG to stand within a page. They take their colours from the page: light or dark.

Needs matplotlib, the extra `aiplay[report]`.
"""

from __future__ import annotations

import functools
import html
import io
import math
import re
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec

from aiplay.errors import PackageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from aiplay.match.ratings import Rating
    from aiplay.match.standings import Standing, Standings

__all__ = ["cross_table", "need_matplotlib", "rating_intervals", "score_against_time"]

P = ParamSpec("P")

# Stand-ins for colours of the page, which a picture within it can use by name.
INK, QUIET, ACCENT = "#010203", "#040506", "#070809"
PAGE_COLOURS = {INK: "currentColor", QUIET: "var(--quiet)", ACCENT: "var(--accent)"}

LOSS, EVEN, WIN = (
    (0.80, 0.36, 0.12),
    (0.93, 0.92, 0.90),
    (0.13, 0.43, 0.71),
)  # told apart by the colour-blind, too
DARK, LIGHT = "#16181d", "#ffffff"
WIDTH = 8.2  # inches of all pictures
ROW = 0.42  # inches for each player
STYLE: Any = {
    "svg.fonttype": "path",  # looks the same everywhere
    "text.parse_math": False,  # a name is a name, whatever signs it has
    **dict.fromkeys(("text.color", "xtick.labelcolor", "ytick.labelcolor", "axes.labelcolor"), INK),
    **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), QUIET),
}
LINE = 32  # characters of a player's name in a line of a picture, which has two; the tables have all of it


def need_matplotlib() -> None:
    """Say what to install if there is no matplotlib."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise PackageError("pictures need matplotlib: pip install 'aiplay[report]'") from None


def _styled(draw: Callable[P, str]) -> Callable[P, str]:
    """Colours and letters of all pictures."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> str:
        import matplotlib

        with matplotlib.rc_context(STYLE), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of signs that the font does not have
            return draw(*args, **kwargs)

    return drawn


@_styled
def cross_table(standings: Standings) -> str:
    """Who got how much against whom: a coloured cell for every two players."""
    players = standings.players
    n = len(players)
    figure = _figure(WIDTH, 0.75 + max(ROW, min(0.62, 5 / n)) * n)
    axes = figure.subplots()
    cells = [[standings.cell(one, other).score for other in players] for one in players]
    colours = [[_score_colour(score) for score in row] for row in cells]
    axes.imshow(colours, aspect="auto")
    for row, scores in enumerate(cells):
        for column, score in enumerate(scores):
            if not math.isnan(score):
                ink = DARK if _brightness(colours[row][column]) > 0.45 else LIGHT
                axes.text(column, row, f"{100 * score:.0f}", ha="center", va="center", color=ink, fontsize=10)
    _name_rows(axes, [f"{place}  {_short(player.spec)}" for place, player in enumerate(players, 1)])
    axes.set_xticks(range(n), [str(place) for place in range(1, n + 1)])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    told = "; ".join(
        f"{one.spec} against {other.spec} {100 * standings.cell(one, other).score:.0f} %"
        for place, one in enumerate(players)
        for other in players[place + 1 :]
        if standings.cell(one, other).contests
    )
    return _svg(figure, f"Cross table: per cent of the points against each player. {told}.")


@_styled
def rating_intervals(named: Sequence[tuple[str, Rating]]) -> str:
    """A dot for every rating and a line for its interval, one player below the other."""
    figure = _figure(WIDTH, 0.75 + ROW * len(named))
    axes = figure.subplots()
    rows = range(len(named))
    ratings = [rating for _, rating in named]
    axes.hlines(rows, [r.low for r in ratings], [r.high for r in ratings], color=ACCENT, linewidth=2)
    axes.plot([r.rating for r in ratings], rows, "o", color=ACCENT, markersize=8)
    for row, rating in zip(rows, ratings, strict=True):
        axes.annotate(
            f"{rating.rating:+.0f}",
            (rating.rating, row),
            (0, 7),
            textcoords="offset points",
            ha="center",
            fontsize=9,
            color=INK,
        )
    axes.axvline(0, color=QUIET, linewidth=0.8, zorder=0)
    _name_rows(axes, [_short(name) for name, _ in named])
    axes.set_ylim(len(named) - 0.4, -0.7)
    axes.set_xlabel("Elo, with 95 % interval")
    _quiet_frame(axes)
    told = "; ".join(f"{name} {r.rating:+.0f} ({r.low:+.0f} to {r.high:+.0f})" for name, r in named)
    return _svg(figure, f"Ratings with 95 % intervals: {told}.")


@_styled
def score_against_time(players: Sequence[Standing]) -> str:
    """What every player scores, against the time it takes for a move."""
    figure = _figure(WIDTH, 4.2)
    axes = figure.subplots()
    shown = [player for player in players if player.moves]
    times = [1000 * max(player.seconds_per_move, 1e-8) for player in shown]
    for player, time in zip(shown, times, strict=True):
        axes.vlines(time, 100 * player.score_low, 100 * player.score_high, color=QUIET, linewidth=1.5)
    axes.plot(times, [100 * player.score for player in shown], "o", color=ACCENT, markersize=8)
    axes.set_xscale("log")
    axes.set_xlim(min(times, default=0.1) / 3, max(times, default=10) * 3)
    axes.set_ylim(-4, 104)
    _name_dots(
        axes, [(time, 100 * player.score, player.spec) for time, player in zip(times, shown, strict=True)]
    )
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel("milliseconds per move")
    axes.set_ylabel("score in %, with 95 % interval")
    _quiet_frame(axes)
    told = "; ".join(
        f"{player.spec} {100 * player.score:.0f} % at {time:.3g} ms"
        for player, time in zip(shown, times, strict=True)
    )
    return _svg(figure, f"Score against time per move: {told}.")


# ---- Parts of pictures ---------------------------------------------------------------------------------------


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)


def _name_dots(axes: Axes, dots: Sequence[tuple[float, float, str]]) -> None:
    """Write a name at each dot, on the side with more room; names that would cover each other move up or down."""
    low, high = (math.log(limit) for limit in axes.get_xlim())
    taken: list[tuple[bool, float, float]] = []
    for time, score, name in sorted(dots, key=lambda dot: dot[1]):
        is_right = math.log(time) < (low + high) / 2
        height = score
        for other_right, other_time, other_height in taken:
            if other_right == is_right and abs(math.log(other_time / time)) < (high - low) / 3:
                height = max(height, other_height + 6)
        taken.append((is_right, time, height))
        axes.annotate(
            _short(name),
            (time, height),
            (9 if is_right else -9, 0),
            textcoords="offset points",
            ha="left" if is_right else "right",
            va="center",
            color=INK,
            fontsize=10,
        )


def _quiet_frame(axes: Axes) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(color=QUIET, alpha=0.25, linewidth=0.8)
    axes.set_axisbelow(True)


def _short(name: str) -> str:
    """A name in at most two lines."""
    lines = [name[start : start + LINE] for start in range(0, len(name), LINE)]
    return "\n".join(lines[:2]) + "…" * (len(lines) > 2)


def _score_colour(score: float) -> tuple[float, float, float, float]:
    """From all lost over even to all won; nothing where there was no contest."""
    if math.isnan(score):
        return (0.5, 0.5, 0.5, 0.12)
    end, share = (WIN, 2 * score - 1) if score >= 0.5 else (LOSS, 1 - 2 * score)
    red, green, blue = (even + share * (full - even) for even, full in zip(EVEN, end, strict=True))
    return (red, green, blue, 1.0)


def _brightness(colour: Sequence[float]) -> float:
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


# ---- From matplotlib to the page -----------------------------------------------------------------------------


def _svg(figure: Figure, told: str) -> str:
    """The picture as an element of a page, told in words for those who do not see it."""
    import matplotlib

    buffer = io.StringIO()
    no_metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    salt: Any = {
        "svg.hashsalt": told
    }  # the same picture is the same text, and no name occurs twice on a page
    with matplotlib.rc_context(salt):
        figure.savefig(buffer, format="svg", transparent=True, metadata=no_metadata)
    text = buffer.getvalue()
    text = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.S)
    text = re.sub(r' xmlns(:xlink)?="[^"]*"', "", text)  # known within a page
    for colour, name in PAGE_COLOURS.items():
        text = text.replace(colour, name)
    return text.replace("<svg", f'<svg role="img" aria-label="{html.escape(told)}"', 1)
