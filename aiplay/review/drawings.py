"""Charts of a review: odds over the game with its mistakes, and luck beside skill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiplay.report.drawings import (
    ACCENT,
    INK,
    QUIET,
    SEAT_COLOURS,
    WIDTH,
    Chart,
    finished_chart,
    new_figure,
    quiet_frame,
    styled,
)
from aiplay.review.judge import WRONG

if TYPE_CHECKING:
    from aiplay.review.result import Review

__all__ = ["luck_and_skill", "odds_over_the_game"]

BAR = 0.26  # height of a bar; the seats are 1 apart
MARKS = dict(zip(WRONG, ("v", "X"), strict=True))  # of verdicts, in matplotlib


@styled
def odds_over_the_game(review: Review) -> Chart:
    """Draw the value of every position for every seat, with a mark on every mistake."""
    figure = new_figure(WIDTH, 3.6)
    axes = figure.subplots()
    for seat, name in enumerate(review.names()):
        height = [100 * odds[seat] for odds in review.odds]
        axes.plot(height, color=SEAT_COLOURS[seat], linewidth=1.6, label=name)
    for verdict, mark in MARKS.items():
        found = [one for one in review.decisions if one.verdict == verdict]
        heights = [100 * review.odds[one.ply][one.seat] for one in found]
        colours = [SEAT_COLOURS[one.seat] for one in found]
        axes.scatter(
            [one.ply for one in found], heights, c=colours, marker=mark, s=64, zorder=3, edgecolors=INK
        )
        axes.scatter([], [], c=QUIET, marker=mark, s=64, edgecolors=INK, label=verdict)
    axes.set_ylim(-4, 104)
    axes.set_xlabel("ply")
    axes.set_ylabel("value in %")
    quiet_frame(axes)
    axes.legend(loc="upper left", fontsize=8, frameon=False, ncols=2)
    words = "; ".join(
        f"{name} from {100 * one.initial:.0f} % to {100 * one.final:.0f} %"
        for name, one in zip(review.names(), review.seats, strict=True)
    )
    caption = "The referee's value of every position: what each seat can expect, all cards known."
    return finished_chart(figure, review.game.name, "Odds", caption, f"Odds over the game: {words}.")


@styled
def luck_and_skill(review: Review) -> Chart:
    """Draw luck, skill and what other seats did as bars, for every seat."""
    figure = new_figure(WIDTH, 0.8 + 0.95 * len(review.seats))
    axes = figure.subplots()
    parts = {"luck": QUIET, "skill": ACCENT, "others": SEAT_COLOURS[1]}
    for row, (part, colour) in enumerate(parts.items()):
        sizes = [100 * getattr(one, part) for one in review.seats]
        places = [seat + (row - 1) * BAR for seat in range(len(sizes))]
        bars = axes.barh(places, sizes, height=0.9 * BAR, color=colour, label=part)
        axes.bar_label(bars, [f"{size:+.1f}" for size in sizes], padding=3, fontsize=8, color=INK)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    axes.set_yticks(range(len(review.seats)), review.names())
    axes.set_ylim(len(review.seats) - 0.5, -0.5)
    axes.margins(x=0.15)
    axes.set_xlabel("change of value in %")
    quiet_frame(axes)
    axes.legend(loc="best", fontsize=8, frameon=False)
    words = "; ".join(
        f"{name}: luck {100 * one.luck:+.1f}, skill {100 * one.skill:+.1f}, others {100 * one.others:+.1f}"
        for name, one in zip(review.names(), review.seats, strict=True)
    )
    caption = "The three bars of a seat add up to its final value minus its initial one."
    return finished_chart(figure, review.game.name, "Luck and skill", caption, f"{words}.")
