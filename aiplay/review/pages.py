"""A review as one HTML page without links to other files, in light or dark colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiplay.options import titled
from aiplay.report.drawings import check_matplotlib
from aiplay.report.elements import escape, figure, grid, whole_page
from aiplay.report.figures import percent
from aiplay.review.drawings import luck_and_skill, odds_over_the_game
from aiplay.review.grids import signed
from aiplay.story import positions

if TYPE_CHECKING:
    from aiplay.review.judge import Decision
    from aiplay.review.result import Review

__all__ = ["page"]

EVENTS = 10  # outcomes of chance in the list of the luckiest
STYLE = """<style>pre { border: 1px solid var(--line); border-radius: 6px; font-size: .8rem; line-height: 1.3;
  overflow-x: auto; padding: .75rem } td, thead th { text-align: left } code { font-size: .9rem }</style>"""


def page(review: Review, file: str = "RECORD") -> str:
    """Return the page of a review; `file`: the record, for the commands that play its positions again."""
    check_matplotlib()
    title = f"Review: {titled(review.game.name, review.game.options)}"
    state = "the game is over" if review.returns is not None else "the game is not over"
    facts = (
        f"{len(review.record.moves)} moves, {state}; reviewed by {review.player} in {review.seconds:.1f} s, "
        f"seed {review.seed}"
    )
    header = f'<p class="quiet">{escape(facts)}</p>{STYLE}'
    sections = [_accounts(review), _events(review), *_mistakes(review, file), _decisions(review)]
    return whole_page(title, header, sections)


def _accounts(review: Review) -> str:
    headings = ["seat", "initial", "luck", "skill", "others", "final", "without luck", "decisions", "lost"]
    rows = []
    for name, one in zip(review.names(), review.seats, strict=True):
        parts = map(signed, (one.luck, one.skill, one.others))
        judged = [str(len(review.decisions_of(one.seat))), percent(review.loss_of(one.seat))]
        rows.append([name, percent(one.initial), *parts, percent(one.final), percent(one.adjusted), *judged])
    charts = [odds_over_the_game(review), luck_and_skill(review)]
    drawn = [figure(chart.title, chart.element, chart.caption) for chart in charts]
    note = "<p>Final minus initial value is luck plus skill plus what the other seats gave or took.</p>"
    return "\n".join(["<section>\n<h2>Luck or skill?</h2>", note, grid(headings, rows), *drawn, "</section>"])


def _events(review: Review) -> str:
    if not review.events:
        return ""
    rows = [[str(one.ply), one.text, *map(signed, one.luck)] for one in review.luckiest(EVENTS)]
    headings = ["ply", "outcome", *(f"seat {one.seat}" for one in review.seats)]
    return f"<section>\n<h2>The greatest luck</h2>\n{grid(headings, rows)}\n</section>"


def _mistakes(review: Review, file: str) -> list[str]:
    """Return a section with the mistakes as positions to play again."""
    mistakes = review.mistakes()
    if not mistakes:
        return ["<section>\n<h2>Retry</h2>\n<p>There is no mistake to retry.</p>\n</section>"]
    drawings = _drawings(review, mistakes)
    shown = [_mistake(review, one, drawings[one.ply], file) for one in mistakes]
    note = "<p>Each command opens the position, as the seat saw it, to play on from there.</p>"
    return ["<section>\n<h2>Retry the mistakes</h2>", note, *shown, "</section>"]


def _drawings(review: Review, decisions: list[Decision]) -> dict[int, str]:
    """Return the positions of decisions as text, as the seat to move saw them."""
    plies = {one.ply for one in decisions}
    states = enumerate(positions(review.game, review.record.moves))
    return {ply: str(state.view(state.to_move)) for ply, state in states if ply in plies}


def _mistake(review: Review, one: Decision, drawing: str, file: str) -> str:
    heading = f"Ply {one.ply}, {review.names()[one.seat]}: {one.verdict}, {percent(one.loss)} lost"
    command = f"aiplay play --position {file} --ply {one.ply}"
    return "\n".join(
        [
            f"<h3>{escape(heading)}</h3>",
            f"<p>Played {escape(one.text)} ({percent(one.value)}); better {escape(one.best)} "
            f"({percent(one.best_value)}): {escape(', '.join(one.line))}</p>",
            f"<pre>{escape(drawing)}</pre>",
            f"<p><code>{escape(command)}</code></p>",
        ]
    )


def _decisions(review: Review) -> str:
    rows = [
        [str(one.ply), str(one.seat), one.verdict, percent(one.loss), one.text, one.best]
        for one in review.decisions
    ]
    headings = ["ply", "seat", "verdict", "loss", "played", "best"]
    return f"<section>\n<h2>All decisions</h2>\n{grid(headings, rows)}\n</section>"
