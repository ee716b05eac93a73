"""A match as one page of HTML: complete in itself, readable in light and dark."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from aiplay.match.schedule import compares_teams
from aiplay.match.standings import Overall, percent
from aiplay.report.charts import cross_table, need_matplotlib, rating_intervals, score_against_time

if TYPE_CHECKING:
    from aiplay.match.match import Match
    from aiplay.match.standings import Standings

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
    """The page of a match, finished or not."""
    need_matplotlib()
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
    played = f"{len(match.results)} of {len(match.schedule)} games"
    facts = (
        f'<p class="quiet">{len(match.specs)} players, {played}, {match.seconds:.1f} s, seed {match.seed}</p>'
    )
    if match.is_finished:
        return facts
    return facts + f'\n<p class="note">Not finished yet: {played} are played.</p>'


def _overall(overall: Overall) -> str:
    rows = [
        [player.spec, *map(percent, player.scores), percent(player.mean_score), *player.rating.texts]
        for player in overall.players
    ]
    chart = rating_intervals([(player.spec, player.rating) for player in overall.players])
    return "\n".join(
        [
            "<section>\n<h2>All games</h2>",
            _table(["player", *overall.games, "mean score", "Elo", "95 % interval"], rows),
            _figure("Ratings", chart, "Every game counts the same."),
            "</section>",
        ]
    )


def _section(standings: Standings) -> str:
    heading = f'<section>\n<h2>{_escape(standings.title)}</h2>\n<p class="quiet">{standings.played}</p>'
    if not standings.deals:  # pictures would look as if something were known
        return f"{heading}\n</section>"
    parts = [
        heading,
        _players(standings),
        _figure(
            "Ratings",
            rating_intervals([(player.spec, player.rating) for player in standings.players]),
            "0 is the average of the players, each weighted by how well its strength is known.",
        ),
        _figure(
            "Cross table", cross_table(standings), "Per cent of the points that the player in the row got."
        ),
        _figure("Score against time", score_against_time(standings.players), "Further left is quicker."),
        "</section>",
    ]
    return "\n".join(parts)


def _players(standings: Standings) -> str:
    is_team = compares_teams(standings.game)  # then what they get matters, not only who got more
    heads = [
        "player",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "Elo",
        "95 % interval",
        "ms/move",
        "iterations",
    ]
    rows = []
    for player in standings.players:
        total, iterations = player.total, player.iterations_per_move
        row = [player.spec, str(player.games), *map(str, (total.wins, total.draws, total.losses))]
        row += [percent(player.score), *player.rating.texts, f"{1000 * player.seconds_per_move:.3g}"]
        row.append("-" if iterations is None else f"{iterations:.0f}")
        rows.append([*row, f"{player.mean_return:.3f}"] if is_team else row)
    return _table([*heads, "mean return"] if is_team else heads, rows)


# ---- Elements ------------------------------------------------------------------------------------------------


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{_escape(text)}</th>' for text in heads)
    lines = [
        f'<tr><th scope="row">{_escape(first)}</th>'
        + "".join(f"<td>{_escape(text)}</td>" for text in rest)
        + "</tr>"
        for first, *rest in rows
    ]
    body = "\n".join(lines)
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _figure(title: str, picture: str, caption: str) -> str:
    return f"<h3>{title}</h3>\n<figure>{picture}<figcaption>{caption}</figcaption></figure>"


def _escape(text: str) -> str:
    """Specifications and options are what a user wrote: nothing in them may act as HTML."""
    return html.escape(text)
