"""Games of a player against itself, to learn from.

A game begins with some random moves, so that games differ. Random moves come later, too, so that the value of positions
after a bad move is learned as well. There are two sources to learn from:

    searches    what the search expected, and the result; also the positions after the moves that a search tried often,
                each with the value that the search found for it: what matters is which of them is best
    results     the result alone, for every position: unbiased, but so noisy that it takes tens of thousands of games,
                which are played as quickly as possible
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import TYPE_CHECKING, NamedTuple

from aiplay._core.stream import RandomStream, seed_below
from aiplay._core.typedefs import CHANCE
from aiplay.errors import MatchError
from aiplay.registry import make_player

if TYPE_CHECKING:
    from aiplay._core.game import Game, State
    from aiplay.analysis import Analysis
    from aiplay.players.base import Player

__all__ = [
    "RESULTS",
    "SEARCHES",
    "SOURCES",
    "PlayedGame",
    "SelfPlay",
    "play_alone",
    "played_games",
    "positions",
]

SOURCES = SEARCHES, RESULTS = ("searches", "results")
OPENING = 6  # most random moves at the start of a game
RANDOM_SHARE = 0.2  # of the later moves of every other game
RARE_SHARE = 0.03  # of the later moves, if only results count: a random move adds noise to them
TRIED_SHARE = 1 / 16  # of the visits of a search, for a move to learn from
RESULT_SHARE = 0.5  # weight of the result in a target; the rest is what the search expected
BATCH = 8  # games sent to a worker at once
TRIES = 3  # of a batch whose worker dies
PLAYERS, MOVES = 1, 2  # streams of a game


class SelfPlay(NamedTuple):
    """The games of a round: how to play them."""

    game: Game  # pickles as its class and options
    spec: str
    seed: int
    source: str = SEARCHES


class PlayedGame(NamedTuple):
    """A finished game: all moves, those of chance included."""

    moves: tuple[int, ...]
    odds: tuple[
        tuple[float, ...] | None, ...
    ]  # before each move, as the search saw them; None: it was not asked. Empty if only results count, like `tried`
    tried: tuple[
        tuple[tuple[int, float], ...], ...
    ]  # before each move, those that the search tried often, and their values for the seat
    randoms: tuple[int, ...]  # indices of the random moves of seats
    returns: tuple[float, ...]


def play_alone(plan: SelfPlay, number: int) -> PlayedGame:
    """Play one game; it depends on the plan and its number only."""
    seed = seed_below(plan.seed, number)
    player, stream = (
        make_player(plan.spec, seed=seed_below(seed, PLAYERS)),
        RandomStream(seed_below(seed, MOVES)),
    )
    if plan.source == RESULTS:
        return _play_quickly(plan.game, player, stream)
    state = plan.game.new_state()
    opening, n_decisions = stream.below(OPENING + 1), 0
    share = RANDOM_SHARE * stream.below(2)
    randoms: list[int] = []
    moves: list[int] = []
    odds: list[tuple[float, ...] | None] = []
    tried: list[tuple[tuple[int, float], ...]] = []
    while not state.is_over:
        if state.to_move == CHANCE:
            moves.append(state.play_chance(stream))
            odds.append(None)
            tried.append(())
            continue
        is_random = n_decisions < opening or stream.random() < share
        analysis = None if n_decisions < opening else player.analyse(state.view(state.to_move))
        odds.append(analysis.odds if analysis is not None and analysis.iterations else None)
        tried.append(() if analysis is None else _often_tried(analysis))
        if is_random or analysis is None:
            move = stream.choice(state.legal_moves())
            randoms.append(len(moves))
        else:
            move = analysis.best
        moves.append(state.play(move))
        n_decisions += 1
    return PlayedGame(tuple(moves), tuple(odds), tuple(tried), tuple(randoms), tuple(state.returns()))


def _play_quickly(game: Game, player: Player, stream: RandomStream) -> PlayedGame:
    """Play one game without a look at the searches; half of the games begin with random moves."""
    state, n_decisions = game.new_state(), 0
    opening = stream.below(2) * stream.below(OPENING + 1)
    randoms: list[int] = []
    moves: list[int] = []
    while not state.is_over:
        if state.to_move == CHANCE:
            moves.append(state.play_chance(stream))
            continue
        if n_decisions < opening or stream.random() < RARE_SHARE:
            randoms.append(len(moves))
            move = stream.choice(state.legal_moves())
        else:
            move = player.choose(state.view(state.to_move))
        moves.append(state.play(move))
        n_decisions += 1
    return PlayedGame(tuple(moves), (), (), tuple(randoms), tuple(state.returns()))


def _often_tried(analysis: Analysis) -> tuple[tuple[int, float], ...]:
    """Return the moves with a share of the visits, and their values."""
    least = max(1.0, TRIED_SHARE * sum(move.visits for move in analysis.moves))
    return tuple((move.move, move.value) for move in analysis.moves if move.visits >= least)


def _play_batch(plan: SelfPlay, numbers: range) -> list[PlayedGame]:
    return [play_alone(plan, number) for number in numbers]


def played_games(plan: SelfPlay, games: int, executor: Executor | None) -> Iterator[PlayedGame]:
    """Play games on an executor, or in this process; they come in order, so that a run can be repeated."""
    batches = [range(start, min(start + BATCH, games)) for start in range(0, games, BATCH)]
    if executor is None:
        for numbers in batches:
            yield from _play_batch(plan, numbers)
        return
    futures: dict[int, Future[list[PlayedGame]]] = {}
    try:
        for index, numbers in enumerate(batches):
            for ahead in range(index, min(index + 16, len(batches))):
                if ahead not in futures:
                    futures[ahead] = executor.submit(_play_batch, plan, batches[ahead])
            yield from _result(futures.pop(index), executor, plan, numbers)
    finally:
        for future in futures.values():
            future.cancel()


def _result(
    future: Future[list[PlayedGame]], executor: Executor, plan: SelfPlay, numbers: range
) -> list[PlayedGame]:
    """Return the games of a batch; it is played again if its worker has died."""
    for _ in range(TRIES):
        with contextlib.suppress(BrokenExecutor, CancelledError):
            return future.result()
        renew = getattr(executor, "renew", None)
        if renew is None:
            break
        renew()
        future = executor.submit(_play_batch, plan, numbers)
    raise MatchError(f"workers have died while they played {plan.game.name} with {plan.spec}")


def positions(game: Game, played: PlayedGame) -> Iterator[tuple[State, tuple[float, ...]]]:
    """Yield the positions of a game to learn from, and their targets: the value of every seat, 0 to 1, NaN if unknown.

    If only results count, they do for every position, since random moves are few; but not for those within a run of
    chance events, which no search values. Otherwise the result counts for positions after the last random move. Before
    it, only what the search expected counts, as the result may be due to the random move.
    """
    span = game.max_return - game.min_return
    result = tuple((value - game.min_return) / span for value in played.returns)
    state = game.new_state()
    if not played.odds:
        was_chance = False
        for move in played.moves:
            is_chance = state.to_move == CHANCE
            if not (is_chance and was_chance):
                yield state, result
            was_chance = is_chance
            state.play(move)
        return
    expected = _expected(played)
    for index, (move, odds) in enumerate(zip(played.moves, expected, strict=True)):
        if index > max(played.randoms, default=-1):
            yield state, result if odds is None else _mixed(result, odds)
        elif odds is not None:
            yield state, odds
        for other, value in played.tried[index]:
            after = state.copy()
            after.play(other)
            if not after.is_over:
                yield after, _of_all(game, state.to_move, value)
        state.play(move)


def _of_all(game: Game, seat: int, value: float) -> tuple[float, ...]:
    """Return the values of all seats, as far as the value of one tells them."""
    if game.is_cooperative:
        return (value,) * game.seats
    other = math.nan
    if game.seats == 2 and game.returns_sum is not None:
        other = (game.returns_sum - 2 * game.min_return) / (game.max_return - game.min_return) - value
    return tuple(value if at == seat else other for at in range(game.seats))


def _expected(played: PlayedGame) -> list[tuple[float, ...] | None]:
    """Return what the search expected before each move; without a search there, what it expected next.

    None before a random move: what came next was not expected.
    """
    expected: list[tuple[float, ...] | None] = []
    later: tuple[float, ...] | None = None
    randoms = set(played.randoms)
    for index in range(len(played.moves) - 1, -1, -1):
        later = played.odds[index] or (None if index in randoms else later)
        expected.append(later)
    return expected[::-1]


def _mixed(result: tuple[float, ...], odds: tuple[float, ...]) -> tuple[float, ...]:
    pairs = zip(result, odds, strict=True)
    return tuple(RESULT_SHARE * got + (1 - RESULT_SHARE) * hoped for got, hoped in pairs)
