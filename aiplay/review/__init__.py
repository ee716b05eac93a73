"""Reviews: what was luck in a game, and what was skill?

>>> import aiplay
>>> table = aiplay.Table(aiplay.load_game("pig", target=20), seed=1)
>>> _ = aiplay.play_game(table, [aiplay.make_player("random", seed=seat) for seat in range(2)])
>>> found = aiplay.review.review_game(table.record, player="greedy")
>>> one = found.seats[0]
>>> abs(one.final - one.initial - one.luck - one.skill - one.others) < 1e-12
True

`text`, `document` and `page` show a review. docs/review.md says what the figures mean.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from aiplay._core.stream import check_seed
from aiplay._core.typedefs import CHANCE
from aiplay.limit import Limit
from aiplay.players.search import SearchPlayer
from aiplay.record import Record
from aiplay.registry import make_player
from aiplay.review.accounts import Account, Change, accounts_of, changes
from aiplay.review.documents import document
from aiplay.review.grids import text
from aiplay.review.judge import VERDICTS, Decision, Judge
from aiplay.review.pages import page
from aiplay.review.result import ChanceEvent, Review
from aiplay.review.values import Leaf, Referee, by_evaluation, by_playouts
from aiplay.story import positions
from aiplay.table import replay

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = [
    "VERDICTS",
    "Account",
    "ChanceEvent",
    "Change",
    "Decision",
    "Review",
    "accounts",
    "document",
    "page",
    "review_game",
    "text",
]

PLAYER = "mcts"
ITERATIONS = 2000  # per position, for players that search without a limit of their own
PLAYOUTS = 256  # per true position of a game that hides something


def review_game(
    record: Record | str | bytes,
    player: str = PLAYER,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    game: Game | None = None,
    value: Leaf | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Return the review of a record.

    `player` analyses every decision within `limit` (default: 2,000 iterations). `value`: the referee's value of the
    true positions at decisions (default: the odds of the analysis; in games that hide something, playouts by the game's
    policy). `progress` is called with the moves reviewed and all moves. `game`: for games that `load_game` does not
    know. The same seed gives the same review, unless the limit is a time.
    """
    started = time.perf_counter()
    table = replay(record, game=game)
    record = Record.from_json(record) if not isinstance(record, Record) else record
    seed = check_seed(seed)
    judge = Judge(player, _chosen_limit(player, limit), seed)
    referee = Referee(table.game, value or _default_value(table.game, judge, seed), seed)
    start = referee.value(table.game.new_state())
    found, decisions, events = list[Change](), list[Decision](), list[ChanceEvent]()
    every_change = changes(table.game, record.moves, referee, judge.best)
    for change, state in zip(every_change, positions(table.game, record.moves), strict=False):
        found.append(change)
        if change.seat == CHANCE:
            if len(state.chance_outcomes()) > 1:
                events.append(ChanceEvent(change.ply, state.move_text(change.move), change.luck))
        elif len(state.legal_moves()) > 1:
            decisions.append(judge.decision(state, change.move, change.ply))
        if progress is not None:
            progress(len(found), len(record.moves))
    return Review(
        record=record,
        game=table.game,
        seats=accounts_of(table.game, found, start),
        decisions=tuple(decisions),
        events=tuple(events),
        changes=tuple(found),
        returns=tuple(table.returns()) if table.over else None,
        player=judge.spec,
        seed=seed,
        seconds=time.perf_counter() - started,
    )


def accounts(record: Record, value: Leaf = by_evaluation, *, game: Game | None = None) -> tuple[Account, ...]:
    """Return the account of every seat by a quick value, without judging decisions (for many games).

    All that a decision changes is the mover's, also in games that hide something.
    """
    table = replay(record, game=game)
    referee = Referee(table.game, value)
    found = changes(table.game, record.moves, referee)
    return accounts_of(table.game, found, referee.value(table.game.new_state()))


def _chosen_limit(player: str, limit: Limit | None) -> Limit | None:
    """Return the limit of an analysis: the one given, the player's own, or the default; None if it does not search."""
    one = make_player(player)
    if limit is not None or not isinstance(one, SearchPlayer):
        return limit
    return Limit(iterations=ITERATIONS) if one.limit == one.DEFAULT_LIMIT else one.limit


def _default_value(game: Game, judge: Judge, seed: int) -> Leaf:
    return by_playouts(game, PLAYOUTS, seed) if game.has_hidden else judge.odds
