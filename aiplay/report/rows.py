"""The finished games of a match as CSV, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiplay.match import Match

__all__ = ["games_csv"]

COLUMNS = (  # docs/tournament.md explains them
    *("game_number", "deal", "counts", "game", "options", "seed"),
    *("seat", "player", "return", "moves", "seconds", "iterations"),
)


def games_csv(match: Match) -> str:
    """Return every finished game, a row for each seat."""
    counted = {result.scheduled.number for deal in match.complete_deals() for result in deal}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for result in sorted(match.results, key=lambda result: result.scheduled.number):
        scheduled = result.scheduled
        options = json.dumps(dict(scheduled.game.options), separators=(",", ":"))
        counts = "yes" if scheduled.number in counted else "no"
        game = [scheduled.number, scheduled.deal, counts, scheduled.game.name, options, scheduled.seed]
        seats: Sequence[tuple[Any, ...]] = list(
            zip(scheduled.specs, result.returns, result.moves, result.seconds, result.iterations, strict=True)
        )
        writer.writerows([*game, seat, *figures] for seat, figures in enumerate(seats))
    return buffer.getvalue()
