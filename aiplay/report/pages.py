"""A match as one HTML page without links to other files, in light or dark colours."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from aiplay.match.schedule import compares_teams
from aiplay.match.standings import Overall
from aiplay.options import titled
from aiplay.report.drawings import charts_of, check_matplotlib, overall_ratings
from aiplay.report.figures import elo, elo_interval, milliseconds, percent, played

if TYPE_CHECKING:
    from aiplay.match.match import Match
    from aiplay.match.ratings import Rating
    from aiplay.match.standings import Standings
    from aiplay.report.drawings import Chart

__all__ = ["page"]

STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1e24; --quiet: #6b7280; --line: #e3e5e9;
  --accent: #2563ab }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181d; --ink: #e8eaee; --quiet: #9aa1ad; --line: #30343c; --accent: #6fb0f2 }
}
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 0 auto;
  max-width: 62rem; padding: 2rem 1.25rem 4rem }
h1 { font-size: 1.7rem; margin: 0 } h2 { font-size: 1.3rem; margin: 3rem 0 .5rem }
h3 { font-size: 1rem; margin: 2rem 0 .5rem } p { margin: .5rem 0 } .quiet { color: var(--quiet) }
.note { border-left: 4px solid var(--accent); padding: .25rem .75rem }
.wide { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .5rem; text-align: right; white-space: nowrap }
th { color: var(--quiet); font-size: .85rem; font-weight: 600 }
th[scope=row] { color: var(--ink); font-size: 1rem; font-weight: 400; min-width: 10rem;
  overflow-wrap: anywhere; text-align: left; white-space: normal }
thead th:first-child { text-align: left } figure { margin: 0 } svg { height: auto; width: 100% }
figcaption { color: var(--quiet); font-size: .9rem }
"""


def page(match: Match) -> str:
    """Return the page of a match, finished or not."""
    check_matplotlib()
    standings = match.standings()
    sections = [_section(game) for game in standings]
    if (overall := Overall.of(standings)) is not None:
        sections.insert(0, _overall(overall))
    title = _escape(f"{match.kind.capitalize()}: {', '.join(game.game.name for game in standings)}")
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            f"<header>\n<h1>{title}</h1>\n{_facts(match)}\n</header>\n<main>",
            *sections,
            "</main>\n</body>\n</html>\n",
        ]
    )


def _facts(match: Match) -> str:
    progress = f"{len(match.results)} of {len(match.schedule)} games"
    facts = f"{len(match.specs)} players, {progress}, {match.seconds:.1f} s, seed {match.seed}"
    note = "" if match.is_finished else f'\n<p class="note">Not finished yet: {progress} are played.</p>'
    return f'<p class="quiet">{facts}</p>{note}'


def _overall(overall: Overall) -> str:
    rows = [
        [player.spec, *map(percent, player.scores), percent(player.mean_score), *_rating(player.rating)]
        for player in overall.players
    ]
    headings = ["player", *overall.games, "mean score", "Elo to average", "95 % interval"]
    chart = _figure(overall_ratings(overall))
    return "\n".join(["<section>\n<h2>All games</h2>", _grid(headings, rows), chart, "</section>"])


def _section(standings: Standings) -> str:
    title = _escape(titled(standings.game.name, standings.game.options))
    heading = f'<section>\n<h2>{title}</h2>\n<p class="quiet">{played(standings.games, standings.deals)}</p>'
    if not standings.deals:  # without a deal, charts would look like a result
        return f"{heading}\n</section>"
    charts = map(_figure, charts_of(standings))
    return "\n".join([heading, _players(standings), *charts, "</section>"])


def _players(standings: Standings) -> str:
    is_team = compares_teams(standings.game)  # then returns matter, not only who got more
    results = ["games", "wins", "draws", "losses", "score", "Elo to average", "95 % interval"]
    headings = ["player", *results, "ms/move", "iterations", *["mean return"] * is_team]
    rows = []
    for player in standings.players:
        total, iterations = player.total, player.iterations_per_move
        row = [player.spec, *map(str, (player.games, total.wins, total.draws, total.losses))]
        row += [percent(player.score), *_rating(player.rating), milliseconds(player.seconds_per_move)]
        row += ["-" if iterations is None else f"{iterations:.0f}", *[f"{player.mean_return:.3f}"] * is_team]
        rows.append(row)
    return _grid(headings, rows)


def _rating(rating: Rating) -> tuple[str, str]:
    return elo(rating.rating), elo_interval(rating.low, rating.high)


# ---- Elements ------------------------------------------------------------------------------------------------


def _grid(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{_escape(text)}</th>' for text in headings)
    body = "\n".join(
        f'<tr><th scope="row">{_escape(first)}</th>'
        + "".join(f"<td>{_escape(text)}</td>" for text in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _figure(chart: Chart) -> str:
    caption = f"<figcaption>{chart.caption}</figcaption>"
    return f"<h3>{chart.title}</h3>\n<figure>{chart.element}{caption}</figure>"


def _escape(text: str) -> str:
    """Return the text as HTML. Users write specifications and options: nothing in them may act as HTML."""
    return html.escape(text)
