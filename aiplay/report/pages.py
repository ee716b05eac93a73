"""A match as one HTML page without links to other files, in light or dark colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiplay.match.schedule import compares_teams
from aiplay.match.standings import Overall
from aiplay.options import titled
from aiplay.report.drawings import charts_of, check_matplotlib, overall_ratings
from aiplay.report.elements import escape, figure, grid, whole_page
from aiplay.report.figures import elo, elo_interval, milliseconds, percent, played
from aiplay.report.grids import adjustment

if TYPE_CHECKING:
    from aiplay.match.match import Match
    from aiplay.match.ratings import Rating
    from aiplay.match.standings import Standings
    from aiplay.report.drawings import Chart

__all__ = ["page"]


def page(match: Match) -> str:
    """Return the page of a match, finished or not."""
    check_matplotlib()
    standings = match.standings()
    sections = [_section(game) for game in standings]
    if (overall := Overall.of(standings)) is not None:
        sections.insert(0, _overall(overall))
    title = f"{match.kind.capitalize()}: {', '.join(game.game.name for game in standings)}"
    return whole_page(title, _facts(match), sections)


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
    return "\n".join(["<section>\n<h2>All games</h2>", grid(headings, rows), chart, "</section>"])


def _section(standings: Standings) -> str:
    title = escape(titled(standings.game.name, standings.game.options))
    heading = f'<section>\n<h2>{title}</h2>\n<p class="quiet">{played(standings.games, standings.deals)}</p>'
    if not standings.deals:  # without a deal, charts would look like a result
        return f"{heading}\n</section>"
    charts = map(_figure, charts_of(standings))
    note = f'<p class="note">{escape(text)}</p>' if (text := adjustment(standings)) else ""
    return "\n".join([heading, _players(standings), note, *charts, "</section>"])


def _players(standings: Standings) -> str:
    is_team = compares_teams(standings.game)  # then returns matter, not only who got more
    results = ["games", "wins", "draws", "losses", "score", "Elo to average", "95 % interval"]
    headings = ["player", *results, "ms/move", "iterations", *["mean return"] * is_team]
    has_luck = any(player.adjusted is not None for player in standings.players)
    headings += ["score without luck", "95 % interval", "games saved"] * has_luck
    rows = []
    for player in standings.players:
        total, iterations = player.total, player.iterations_per_move
        row = [player.spec, *map(str, (player.games, total.wins, total.draws, total.losses))]
        row += [percent(player.score), *_rating(player.rating), milliseconds(player.seconds_per_move)]
        row += ["-" if iterations is None else f"{iterations:.0f}", *[f"{player.mean_return:.3f}"] * is_team]
        if (found := player.adjusted) is not None:
            row += [percent(found.score), f"{100 * found.low:.1f} .. {percent(found.high)}"]
            row += [f"x {found.games_saved:.2f}"]
        rows.append(row)
    return grid(headings, rows)


def _rating(rating: Rating) -> tuple[str, str]:
    return elo(rating.rating), elo_interval(rating.low, rating.high)


def _figure(chart: Chart) -> str:
    return figure(chart.title, chart.element, chart.caption)
