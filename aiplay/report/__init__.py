"""Reports of a match: text, plain data, CSV, charts and a page.

>>> from aiplay import report
>>> from aiplay.match import Tournament
>>> match = Tournament(["pig"], ["greedy", "random"], games=10, seed=1)
>>> _ = match.play()
>>> print(report.text(match).splitlines()[0])
pig players=2 target=100 horizon=1000: 10 games on 5 deals
>>> report.document(match)["standings"][0]["players"][0]["spec"]
'greedy'

Every function takes a match, finished or not, or the path of a saved one. `charts` and `page` need matplotlib (the
extra `aiplay[report]`).
"""

from __future__ import annotations

import os
from typing import Any

from aiplay.match import Duel, Match, Store, load_match
from aiplay.match.standings import Overall
from aiplay.report import documents, drawings, grids, pages, rows
from aiplay.report.drawings import Chart
from aiplay.report.grids import WIDE

__all__ = ["Chart", "charts", "csv", "document", "duel_document", "duel_text", "page", "text"]

Path = str | os.PathLike[str]


def text(match: Match | Path, width: int = WIDE) -> str:
    """Return the standings as text, as `aiplay report` prints them. Figures are never cut; a row may be wider."""
    out = grids.plain_console(width)
    with out.capture() as capture:
        grids.print_standings(_loaded(match), out)
    return capture.get()


def document(match: Match | Path) -> dict[str, Any]:
    """Return the standings as plain data, ready for `json.dumps`; docs/tournament.md lists the keys."""
    return documents.standings_document(_loaded(match))


def csv(match: Match | Path) -> str:
    """Return every finished game as CSV, a row for each seat; docs/tournament.md lists the columns."""
    return rows.games_csv(_loaded(match))


def charts(match: Match | Path) -> list[Chart]:
    """Return the charts of a match, game by game: ratings, cross table, score against time."""
    standings = _loaded(match).standings()
    overall = Overall.of(standings)
    summed = [] if overall is None else [drawings.overall_ratings(overall)]
    return summed + [chart for game in standings if game.deals for chart in drawings.charts_of(game)]


def page(match: Match | Path) -> str:
    """Return an HTML page with grids and charts: one file without links to others, in light or dark colours."""
    return pages.page(_loaded(match))


def duel_text(duel: Duel | Path, width: int = WIDE) -> str:
    """Return the result of a duel as text, side by side, as `aiplay duel` prints it."""
    out = grids.plain_console(width)
    with out.capture() as capture:
        grids.print_duel(_loaded_duel(duel), out)
    return capture.get()


def duel_document(duel: Duel | Path) -> dict[str, Any]:
    """Return the result of a duel as plain data, as `aiplay duel --json` prints it; docs/cli.md lists the keys."""
    return documents.duel_document(_loaded_duel(duel))


def _loaded(match: Match | Path) -> Match:
    return match if isinstance(match, Match) else load_match(match)


def _loaded_duel(duel: Duel | Path) -> Duel:
    if isinstance(duel, Duel):
        return duel
    with Store.read(duel) as store:
        return Duel.of(store)
