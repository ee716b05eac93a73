"""Balance: what matches of strong players say about a game, for its designers.

>>> from aiplay import balance
>>> from aiplay.match import Duel
>>> match = Duel("leduc_poker", "greedy", "greedy", games=40, seed=1)
>>> _ = match.play()
>>> found = balance.balance_match(match)
>>> found.games, [one.name for one in found.seats]
(40, ['seat 0', 'seat 1'])

`text`, `document` and `page` show it. docs/review.md says what the figures mean.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from aiplay.balance.counts import course_of, shares, usages
from aiplay.balance.documents import document
from aiplay.balance.grids import text
from aiplay.balance.pages import page
from aiplay.balance.played import Played, take_apart
from aiplay.balance.result import Balance, Course, Share, Usage
from aiplay.errors import MatchError
from aiplay.match import load_match
from aiplay.review.values import by_evaluation, by_playouts

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.match import Match
    from aiplay.match.scheduled import GameResult

__all__ = ["Balance", "Course", "Share", "Usage", "balance_match", "document", "page", "text"]


def balance_match(
    match: Match | str | os.PathLike[str],
    game: str | None = None,
    *,
    playouts: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> Balance:
    """Return the balance of a game, from the complete deals of a match or of a saved one.

    `game`: its name, if the match has several games. `playouts`: value positions by so many playouts of the game's
    policy instead of its evaluation. `progress` is called with the games done and all games.
    """
    started = time.perf_counter()
    match = load_match(match) if isinstance(match, (str, os.PathLike)) else match
    results = _results(match, game)
    found = results[0].scheduled.game
    value = by_playouts(found, playouts, seed=0) if playouts else by_evaluation
    played = list[Played]()
    for number, result in enumerate(results, 1):
        deal = result.scheduled.deal
        played.append(take_apart(found, result.record, result.returns, deal, value))
        if progress is not None:
            progress(number, len(results))
    return _balance(found, match.specs, played, playouts, started)


def _balance(
    game: Game, specs: Sequence[str], played: Sequence[Played], playouts: int, started: float
) -> Balance:
    seats = range(game.seats)
    return Balance(
        game=game,
        players=tuple(dict.fromkeys(specs)),
        games=len(played),
        deals=len({one.deal for one in played}),
        value=f"{playouts} playouts" if playouts else "evaluation",
        seats=shares(played, [f"seat {seat}" for seat in seats], lambda one, seat: seat),
        order=shares(played, [f"decides {seat + 1}." for seat in seats], _by_order),
        course=course_of(played),
        usages=usages(played),
        seconds=time.perf_counter() - started,
    )


def _by_order(one: Played, place: int) -> int | None:
    """Return the seat that was the first to decide, the second ...; None if fewer seats ever did."""
    return one.order[place] if place < len(one.order) else None


def _results(match: Match, name: str | None) -> list[GameResult]:
    """Return the games of the complete deals, of the game with this name."""
    deals = match.complete_deals()
    names = list(dict.fromkeys(scheduled.game.name for scheduled in match.schedule))
    if name is None and len(names) == 1:
        name = names[0]
    if name not in names:
        raise MatchError(f"the match has the games {', '.join(names)}; choose one of them, not {name!r}")
    results = [result for deal in deals for result in deal if result.scheduled.game.name == name]
    if not results:
        raise MatchError(f"no deal of {name} is complete yet")
    return results
