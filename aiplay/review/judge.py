"""Decisions, judged by what the seat knew: loss, verdict, the better move and its line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiplay.errors import PlayerSpecError
from aiplay.limit import Limit
from aiplay.players.base import Player
from aiplay.registry import make_player, player_class, player_names, split_spec

if TYPE_CHECKING:
    from aiplay._core.game import State, View
    from aiplay.analysis import Analysis, MoveAnalysis

__all__ = ["VERDICTS", "Decision", "Judge", "verdict_of"]

# Verdicts with the loss from which on they are given, in value (0 .. 1). The loss is reduced by the standard errors.
VERDICTS = {"best": 0.0, "fine": 0.005, "doubtful": 0.02, "mistake": 0.05, "blunder": 0.1}
WRONG = ("mistake", "blunder")  # verdicts that are worth another try
FEWEST = 50  # visits of a move for a verdict on it
LONGER = (4, 16, 64)  # times the limit, for moves with fewer visits


@dataclass(frozen=True)
class Decision:
    """One choice of a seat, judged by what the seat knew then."""

    ply: int
    seat: int
    text: str  # notation of the move made
    value: float  # of that move, for the seat
    best: str  # notation of the best move
    best_value: float
    loss: float  # best_value - value; 0 for the best move
    error: float  # standard error of the loss, at most
    verdict: str  # one of VERDICTS
    line: tuple[str, ...]  # the expected line after the best move

    @property
    def is_wrong(self) -> bool:
        """True for a mistake or a blunder."""
        return self.verdict in WRONG


def verdict_of(loss: float, error: float, is_best: bool) -> str:
    """Return the verdict on a move that loses this much.

    >>> verdict_of(0.08, 0.01, False), verdict_of(0.08, 0.07, False)
    ('mistake', 'fine')
    """
    if is_best:
        return "best"
    certain = loss - error
    return [name for name, least in VERDICTS.items() if certain >= least or least == 0.0][-1]


class Judge:
    """Analyses views with a player, each only once. Every analysis begins anew with the same seed."""

    def __init__(self, spec: str, limit: Limit | None, seed: int) -> None:
        _check(spec)
        self.spec = make_player(spec).spec
        self._limit = limit
        self._seed = seed
        self._known: dict[View, Analysis] = {}
        self._studied: dict[tuple[View, int], Analysis] = {}

    def odds(self, state: State) -> tuple[float, ...]:
        """Return the value of a decision for every seat."""
        return self._analysis(state.view(state.to_move)).odds

    def best(self, state: State, move: int) -> int:
        """Return the best move by what the seat to move knows, in the analysis that judges `move`."""
        return self.studied(state, move).best

    def studied(self, state: State, move: int) -> Analysis:
        """Return an analysis that has tried a move often enough: one with few visits is searched for longer."""
        view = state.view(state.to_move)
        if (found := self._studied.get((view, move))) is None:
            found = self._analysis(view)
            for factor in LONGER:
                if not 0 < _entry(found, move).visits < FEWEST or self._limit is None:
                    break
                found = self._search(view, _times(self._limit, factor))
            self._studied[view, move] = found
        return found

    def decision(self, state: State, move: int, ply: int) -> Decision:
        """Return the verdict on a move."""
        analysis = self.studied(state, move)
        best, made = analysis.moves[0], _entry(analysis, move)
        loss = max(0.0, best.value - made.value)
        error = 0.0 if made is best else best.error + made.error
        return Decision(
            ply=ply,
            seat=analysis.seat,
            text=made.text,
            value=made.value,
            best=best.text,
            best_value=best.value,
            loss=loss,
            error=error,
            verdict=verdict_of(loss, error, made is best),
            line=analysis.line,
        )

    def _analysis(self, view: View) -> Analysis:
        if (found := self._known.get(view)) is None:
            found = self._known[view] = self._search(view, self._limit)
        return found

    def _search(self, view: View, limit: Limit | None) -> Analysis:
        return make_player(self.spec, seed=self._seed).analyse(view, limit)


def _times(limit: Limit, factor: int) -> Limit:
    """Return a limit of so many times the time, iterations and nodes."""
    return Limit(
        time=None if limit.time is None else limit.time * factor,
        iterations=None if limit.iterations is None else limit.iterations * factor,
        nodes=None if limit.nodes is None else limit.nodes * factor,
        depth=limit.depth,
    )


def _entry(analysis: Analysis, move: int) -> MoveAnalysis:
    return next(entry for entry in analysis.moves if entry.move == move)


def _check(spec: str) -> None:
    """Refuse a player that cannot tell good moves from bad ones."""
    make_player(spec)  # refuses what is not a player

    def can_analyse(name: str) -> bool:
        kind = player_class(name)
        return kind is not None and kind.analyse is not Player.analyse

    if not can_analyse(split_spec(spec)[0]):
        able = ", ".join(filter(can_analyse, player_names()))
        raise PlayerSpecError(f"player {spec!r} cannot review a game; allowed: {able}")
