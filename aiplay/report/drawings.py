"""Charts, drawn as SVG by matplotlib, the extra `aiplay[report]`: those of standings, and parts of all."""

from __future__ import annotations

import functools
import html
import io
import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ParamSpec

from aiplay.errors import PackageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from aiplay.match.ratings import Rating
    from aiplay.match.standings import Overall, Standings

__all__ = [
    "ACCENT",
    "INK",
    "QUIET",
    "SEAT_COLOURS",
    "WIDTH",
    "Chart",
    "charts_of",
    "check_matplotlib",
    "finished_chart",
    "new_figure",
    "overall_ratings",
    "quiet_frame",
    "styled",
]

P = ParamSpec("P")

# Placeholders in a drawing: replaced by the colours of the page, or in a separate file by those of a light page.
INK, QUIET, ACCENT = "#010203", "#040506", "#070809"
PAGE_COLOURS = {INK: "currentColor", QUIET: "var(--quiet)", ACCENT: "var(--accent)"}
FILE_COLOURS = {INK: "#1b1e24", QUIET: "#6b7280", ACCENT: "#2563ab"}

LOSS, EVEN, WIN = (0.80, 0.36, 0.12), (0.93, 0.92, 0.90), (0.13, 0.43, 0.71)  # also for the colour-blind
# By seat, also for the colour-blind (M. Okabe and K. Ito, Color Universal Design, 2008).
SEAT_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
DARK, LIGHT = "#16181d", "#ffffff"
WIDTH = 8.2  # inches, of every chart
ROW_HEIGHT = 0.42  # inches for each player
STYLE: Any = {
    "svg.fonttype": "path",  # looks the same everywhere
    "text.parse_math": False,  # a name may contain any character
    **dict.fromkeys(("text.color", "xtick.labelcolor", "ytick.labelcolor", "axes.labelcolor"), INK),
    **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), QUIET),
}
LETTERS = 32  # of a name in one row of a chart; a name has at most two rows there


@dataclass(frozen=True)
class Chart:
    """A picture of standings, or of a reviewed game."""

    game: str  # name of the game, or "all games"
    title: str  # "Ratings", "Cross table" ...
    caption: str
    description: str  # the figures in words, for readers who cannot see the picture
    drawing: str = field(repr=False)  # SVG element with placeholders for colours

    @property
    def svg(self) -> str:
        """The content of an SVG file."""
        names = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
        begin = f'<svg xmlns="{names[0]}" xmlns:xlink="{names[1]}" style="background: {LIGHT}"'
        return self._coloured(FILE_COLOURS).replace("<svg", begin, 1)

    @property
    def element(self) -> str:
        """The picture as an element of a page, in the colours of that page."""
        return self._coloured(PAGE_COLOURS)

    def _coloured(self, colours: dict[str, str]) -> str:
        drawing = self.drawing
        for placeholder, colour in colours.items():
            drawing = drawing.replace(placeholder, colour)
        return drawing.replace("<svg", f'<svg role="img" aria-label="{html.escape(self.description)}"', 1)


def check_matplotlib() -> None:
    """Raise an error that says what to install if matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise PackageError("charts need matplotlib: pip install 'aiplay[report]'") from None


def charts_of(standings: Standings) -> list[Chart]:
    """Return the charts of one game."""
    return [ratings(standings), cross_table(standings), score_against_time(standings)]


def styled(draw: Callable[P, Chart]) -> Callable[P, Chart]:
    """Draw with the colours and fonts of all charts."""

    @functools.wraps(draw)
    def draw_styled(*args: P.args, **kwargs: P.kwargs) -> Chart:
        check_matplotlib()
        import matplotlib

        with matplotlib.rc_context(STYLE), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the font may lack some characters of a name
            return draw(*args, **kwargs)

    return draw_styled


# ---- Charts --------------------------------------------------------------------------------------------------


@styled
def ratings(standings: Standings) -> Chart:
    """Draw the ratings in one game."""
    named = [(player.spec, player.rating) for player in standings.players]
    caption = "0 is the average of the players, each weighted by how precisely its strength is known."
    return _rating_intervals(standings.game.name, named, caption)


@styled
def overall_ratings(overall: Overall) -> Chart:
    """Draw the ratings from all games."""
    named = [(player.spec, player.rating) for player in overall.players]
    return _rating_intervals("all games", named, "Every game counts the same.")


def _rating_intervals(game: str, named: Sequence[tuple[str, Rating]], caption: str) -> Chart:
    """Draw a dot for every rating and a bar for its interval, one player below the other."""
    figure = new_figure(WIDTH, 0.75 + ROW_HEIGHT * len(named))
    axes = figure.subplots()
    rows = range(len(named))
    found = [rating for _, rating in named]
    axes.hlines(rows, [r.low for r in found], [r.high for r in found], color=ACCENT, linewidth=2)
    axes.plot([r.rating for r in found], rows, "o", color=ACCENT, markersize=8)
    for row, rating in zip(rows, found, strict=True):
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
    axes.set_xlabel("Elo to the average of all players, with 95 % interval")
    quiet_frame(axes)
    words = "; ".join(f"{name} {r.rating:+.0f} ({r.low:+.0f} to {r.high:+.0f})" for name, r in named)
    return finished_chart(figure, game, "Ratings", caption, f"Ratings with 95 % intervals: {words}.")


@styled
def cross_table(standings: Standings) -> Chart:
    """Draw a coloured cell for every two players: the score of the one in the row."""
    players = standings.players
    n = len(players)
    figure = new_figure(WIDTH, 0.75 + max(ROW_HEIGHT, min(0.62, 5 / n)) * n)
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
    words = "; ".join(
        f"{one.spec} against {other.spec} {100 * standings.cell(one, other).score:.0f} %"
        for place, one in enumerate(players)
        for other in players[place + 1 :]
        if standings.cell(one, other).contests
    )
    description = f"Cross table: per cent of the points against each player. {words}."
    caption = "Per cent of the points that the player in the row got."
    return finished_chart(figure, standings.game.name, "Cross table", caption, description)


@styled
def score_against_time(standings: Standings) -> Chart:
    """Draw the score of every player against the time it takes for a move."""
    figure = new_figure(WIDTH, 4.2)
    axes = figure.subplots()
    shown = [player for player in standings.players if player.moves]
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
    quiet_frame(axes)
    words = "; ".join(
        f"{player.spec} {100 * player.score:.0f} % at {time:.3g} ms"
        for player, time in zip(shown, times, strict=True)
    )
    description = f"Score against time per move: {words}."
    return finished_chart(
        figure, standings.game.name, "Score against time", "Further left is quicker.", description
    )


# ---- Parts of charts -----------------------------------------------------------------------------------------


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure, in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)


def _name_dots(axes: Axes, dots: Sequence[tuple[float, float, str]]) -> None:
    """Write a name beside each dot, on the side with more room; names that would overlap move up."""
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


def quiet_frame(axes: Axes) -> None:
    """Leave of the frame only a faint grid."""
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(color=QUIET, alpha=0.25, linewidth=0.8)
    axes.set_axisbelow(True)


def _short(name: str) -> str:
    """Return a name in at most two rows."""
    rows = [name[start : start + LETTERS] for start in range(0, len(name), LETTERS)]
    return "\n".join(rows[:2]) + "…" * (len(rows) > 2)


def _score_colour(score: float) -> tuple[float, float, float, float]:
    """Return a colour between those of 0, 50 and 100 %; a faint grey where there was no contest."""
    if math.isnan(score):
        return (0.5, 0.5, 0.5, 0.12)
    end, share = (WIN, 2 * score - 1) if score >= 0.5 else (LOSS, 1 - 2 * score)
    red, green, blue = (even + share * (full - even) for even, full in zip(EVEN, end, strict=True))
    return (red, green, blue, 1.0)


def _brightness(colour: Sequence[float]) -> float:
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def finished_chart(figure: Figure, game: str, title: str, caption: str, description: str) -> Chart:
    """Return a figure as a chart."""
    return Chart(game, title, caption, description, _drawing(figure, f"{game}: {description}"))


def _drawing(figure: Figure, salt: str) -> str:
    """Return the figure as an SVG element. The same figure gives the same text; the salt makes its ids unique."""
    import matplotlib

    buffer = io.StringIO()
    no_metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    settings: Any = {"svg.hashsalt": salt}
    with matplotlib.rc_context(settings):
        figure.savefig(buffer, format="svg", transparent=True, metadata=no_metadata)
    text = buffer.getvalue()
    text = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.S)
    return re.sub(r' xmlns(:xlink)?="[^"]*"', "", text)  # not needed in a page
