"""Players that draw their moves from a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from aiplay._core.search.common.control import now
from aiplay.players.base import Effort, Step, finish, moves_to_choose_from
from aiplay.players.search import SearchPlayer, analysed

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay._core.search.common.control import StopFlag
    from aiplay._core.stream import RandomStream
    from aiplay.analysis import Analysis
    from aiplay.limit import Limit

__all__ = ["MixingPlayer", "Mixture", "Solver"]


class Solver(Protocol):
    """A search that improves a strategy."""

    @property
    def iterations(self) -> int:
        """Iterations so far."""

    def solve(self, stop: StopFlag, deadline: float, pause: float, iterations: int) -> bool:
        """Improve until `iterations` are made in all, the deadline or a stop; return True if a pause ended it."""


class Mixture:
    """A strategy for one view; the move is drawn from it once."""

    def __init__(self, view: View, started: float, stream: RandomStream) -> None:
        self.view, self.started, self.stream = view, started, stream
        self.drawn: int | None = None

    @property
    def scale(self) -> int:
        """Visits of all moves together, in an analysis."""
        return self.iterations

    @property
    def iterations(self) -> int:
        """Iterations so far, those of earlier moves included."""
        raise NotImplementedError

    @property
    def solvers(self) -> tuple[Solver, ...]:
        """The searches that improve the strategy."""
        return ()

    @property
    def effort(self) -> Effort:
        """The iterations that each of them has made: all that the strategy depends on, besides the seed."""
        return Effort(tuple(solver.iterations for solver in self.solvers), method=self.method)

    def look(self) -> None:
        """Note how large the search is now."""

    def improve(self, stop: StopFlag, deadline: float, pause: float, iterations: int) -> bool:
        """Search on; return False at the end."""
        return False

    def shares(self) -> list[float]:
        """Return how often each legal move is made."""
        raise NotImplementedError

    def values(self) -> tuple[list[float], tuple[float, ...]]:
        """Return the value of each legal move for the seat, and of the position for every seat."""
        raise NotImplementedError

    def policy(self) -> dict[int, float]:
        """Return how often each legal move is made, by move."""
        return dict(zip(self.view.legal_moves(), self.shares(), strict=True))

    def best(self) -> int:
        """Return a move, drawn from the strategy."""
        if self.drawn is None:
            left = self.stream.random()
            for move, share in self.policy().items():
                self.drawn = move if share > 0 else self.drawn
                left -= share
                if left < 0 and share > 0:
                    break
        assert self.drawn is not None
        return self.drawn

    def analysis(self, *, is_final: bool = True) -> Analysis:
        """Return the moves, most frequent first; the visits of a move are its share of the iterations."""
        from aiplay.analysis import Analysis

        values, odds = self.values()
        rows = zip(self.view.legal_moves(), self.shares(), values, strict=True)
        ranked = sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))
        moves = analysed(
            self.view,
            [(move, round(share * self.scale), value, 0.0, False) for move, share, value in ranked],
        )
        return Analysis(
            seat=self.view.seat,
            moves=moves,
            line=(moves[0].text,) if is_final else (),
            odds=odds,
            iterations=self.iterations,
            seconds=now() - self.started,
            nodes=self.size,
            worlds=self.worlds,
            is_final=is_final,
        )

    method = ""  # how the strategy was found
    goes_on = False  # what earlier moves have found is found again from the beginning
    size = 0  # positions or information sets in memory
    worlds = 1  # worlds sampled


class MixingPlayer(SearchPlayer):
    """A player that can tell how often it makes each move."""

    def policy(self, view: View, limit: Limit | None = None) -> dict[int, float]:
        """Return how often it makes each legal move."""
        self._stop.clear()
        moves = moves_to_choose_from(view, limit)
        if len(moves) == 1:
            return {moves[0]: 1.0}
        seed = self.stream.state
        found = finish(self._search(view, self._checked_limit(limit, view.game), None, 0.0, is_choosing=True))
        shares = found.policy() if isinstance(found, Mixture) else {found.best(): 1.0}
        self._note(Step(view, seed, found.effort, False, max(shares, key=lambda move: shares[move])), found)
        return shares
