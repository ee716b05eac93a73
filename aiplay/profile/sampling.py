"""The figures of a game, from sampled games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from aiplay._core.search.mcts.core import hides_moves
from aiplay._core.stream import RandomStream, seed_below
from aiplay._core.typedefs import CHANCE
from aiplay.balance import balance_match
from aiplay.errors import OptionError
from aiplay.limit import Limit
from aiplay.profile.result import Effort, Facts, Spread, spread_of
from aiplay.registry import make_player
from aiplay.story import positions

if TYPE_CHECKING:
    from aiplay._core.game import Game, State, View
    from aiplay.match import Duel

__all__ = ["SEARCHES", "WORLDS", "choices_of", "effort_of", "estimated_worlds", "facts_of"]

VIEWS = 40  # choices of all games at which worlds are counted
WORLDS = 200  # sampled at each of them
PLAYOUTS = 32  # that value a position of a game without an evaluation
SEARCHES = 9  # choices of all games that are searched


@dataclass
class _Counts:
    """Counts over games."""

    choices: list[float] = field(default_factory=list)
    outcomes: list[float] = field(default_factory=list)
    between: list[float] = field(default_factory=list)
    decisions: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    n_forced: int = 0

    def add(self, game: Game, moves: Sequence[int]) -> None:
        """Count a game."""
        n_choices, width = len(self.choices), 1
        for state, _ in zip(positions(game, moves), moves, strict=False):
            if state.to_move == CHANCE:
                n = len(state.chance_outcomes())
                width *= n
                if n > 1:
                    self.outcomes.append(n)
            elif (n := len(state.legal_moves())) > 1:
                self.choices.append(n)
                self._end_of_chance(width)
                width = 1
            else:
                self.n_forced += 1
        self._end_of_chance(width)
        self.decisions.append(len(self.choices) - n_choices)
        self.moves.append(len(moves))

    def _end_of_chance(self, width: int) -> None:
        if width > 1:
            self.between.append(float(width))


def facts_of(match: Duel, seed: int) -> Facts:
    """Return the figures of a game, from a finished duel of a player with itself."""
    game, counts = match.game, _Counts()
    for result in match.results:
        counts.add(game, result.record)
    choices, decisions, moves = map(spread_of, (counts.choices, counts.decisions, counts.moves))
    if choices is None or decisions is None or moves is None:
        raise OptionError(
            f"{game.name} has no choices: no seat ever had two moves in {len(match.results)} games"
        )
    return Facts(
        player=match.specs[0],
        games=len(match.results),
        choices=choices,
        forced=counts.n_forced / (counts.n_forced + len(counts.choices)),
        outcomes=spread_of(counts.outcomes),
        between=spread_of(counts.between),
        decisions=decisions,
        moves=moves,
        worlds=_worlds(match, seed) if game.has_hidden else None,
        most_worlds=_estimate(WORLDS, WORLDS, 0),
        hides_moves=game.has_hidden and hides_moves(game),
        luck=balance_match(match, playouts=0 if game.offers("evaluate") else PLAYOUTS).course.luck,
    )


# ---- Worlds --------------------------------------------------------------------------------------------------


def _worlds(match: Duel, seed: int) -> Spread | None:
    views = [state.view(state.to_move) for state in choices_of(match, VIEWS)]
    return spread_of([estimated_worlds(view, seed_below(seed, number)) for number, view in enumerate(views)])


def estimated_worlds(view: View, seed: int, samples: int = WORLDS) -> float:
    """Return about how many worlds fit a view: those found by sampling, and an estimate of those not found."""
    stream = RandomStream(seed)
    times = Counter(view.sample_world(stream) for _ in range(samples))
    found = Counter(times.values())
    return _estimate(len(times), found[1], found[2])


def _estimate(found: int, once: int, twice: int) -> float:
    """Return the estimate Chao1 (Chao 1984, bias-corrected): kinds found, and those found once or twice.

    A lower bound if some kinds are rarer than others.
    """
    return found + once * (once - 1) / (2 * (twice + 1))


# ---- Search --------------------------------------------------------------------------------------------------


def effort_of(match: Duel, seconds: float, seed: int) -> Effort:
    """Return how far searches get in the time for a move."""
    limit, iterations, depths = Limit(time=seconds), [], []
    for state in choices_of(match, SEARCHES):
        view = state.view(state.to_move)
        iterations.append(make_player("mcts", seed=seed).analyse(view, limit).iterations)
        depths.append(make_player("expectimax", seed=seed).analyse(view, limit).depth)
    return Effort(seconds, median(iterations), median(depths))


def choices_of(match: Duel, most: int) -> list[State]:
    """Return states at choices, at equal distances over all games."""
    places = [
        (number, ply)
        for number, result in enumerate(match.results)
        for ply, state in enumerate(positions(match.game, result.record))
        if state.to_move >= 0 and len(state.legal_moves()) > 1
    ]
    step = max(1, len(places) // most)
    wanted = set(places[step // 2 :: step][:most])
    return [
        state.copy()
        for number, result in enumerate(match.results)
        for ply, state in enumerate(positions(match.game, result.record))
        if (number, ply) in wanted
    ]
