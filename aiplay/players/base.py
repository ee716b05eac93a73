"""The base class of all players."""

from __future__ import annotations

import functools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias, TypeVar

from aiplay._core.game import View
from aiplay._core.stream import RandomStream, check_seed, seed_below
from aiplay.errors import IllegalMoveError, PlayerSpecError
from aiplay.limit import Limit
from aiplay.options import Option, resolve_options

if TYPE_CHECKING:
    from aiplay.analysis import Analysis

__all__ = ["Effort", "Player", "Progress", "Slices", "Step", "finish"]

Found = TypeVar("Found")
Progress: TypeAlias = "Callable[[Analysis], object]"
Slices: TypeAlias = Generator[
    None, None, Found
]  # pauses after every slice of a search, and returns what it found

STREAM = int.from_bytes(
    b"player", "big"
)  # keeps the stream of a player apart from that of a table with its seed


class Effort(NamedTuple):
    """The work of a search, in numbers that do not depend on time: enough to do it again."""

    counts: tuple[int, ...] = ()  # iterations of every tree, for example
    is_cut: bool = False  # True: ended early, by its time or by `stop`
    tried: tuple[int, ...] = ()  # the part of its last pass that it had finished then
    method: str = ""  # the way that the player took, if it has several
    seed: int = 0  # of that way


class Step(NamedTuple):
    """A search of a player: what it got, what it did, and what it answered."""

    view: View
    seed: int  # the state of the player's random stream
    effort: Effort | None  # None: the player did not search
    is_choosing: bool  # True: `choose`, False: `analyse`
    move: int
    digest: int = 0  # of the analysis


class Player(ABC):
    """Chooses moves from views. The same seed and the same views in the same order give the same moves."""

    name: ClassVar[str]
    OPTIONS: ClassVar[Sequence[Option]] = ()

    def __init__(self, *, seed: int | None = None, **options: object) -> None:
        self.options: dict[str, Any] = resolve_options(
            f"player {self.name!r}", self.OPTIONS, options, PlayerSpecError
        )
        self.seed: int = check_seed(seed)
        self.stream = RandomStream(seed_below(self.seed, STREAM))
        self._steps: tuple[Step, ...] = ()  # the last search, after those that it went on from
        self.iterations_spent: int | None = None  # on all choices so far; None: this player does not search

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let callers pass a limit to every player, also to one whose ``choose`` takes nothing but a view."""
        super().__init_subclass__(**kwargs)
        if "choose" in vars(cls) and not _takes_limit(cls.choose):
            cls.choose = _ignoring_limit(cls.choose)  # type: ignore[assignment, method-assign]

    @abstractmethod
    def choose(self, view: View, limit: Limit | None = None) -> int:
        """Return the move to make; the view has to be of the seat whose turn it is.

        `limit` bounds what a player that searches may spend on this move. Other players ignore it.
        """

    @property
    def token(self) -> str:
        """The token of the last answer, with which `aiplay.explain` repeats it; empty if that is impossible."""
        from aiplay.token import token_of  # here, not above: choosing a move needs none

        return token_of(self.repeatable_spec, self._steps) if self._steps else ""

    @property
    def repeatable_spec(self) -> str:
        """The specification in tokens: without options that decide only how fast a search is."""
        return self.spec

    def use_threads(self, threads: int) -> None:  # noqa: B027
        """Search with another number of threads, if that changes nothing but the time."""

    def repeat(self, step: Step) -> tuple[int, Analysis]:
        """Do a search again, right after those that it went on from; return the choice and all results.

        A player that can do so appends a step to its `_steps` at every search.
        """
        raise PlayerSpecError(f"player {self.name!r} cannot repeat a search")

    def _signed(self, analysis: Analysis) -> Analysis:
        """Return an analysis, the result of the last search, with its token."""
        from dataclasses import replace

        from aiplay.token import digest_of

        *past, last = self._steps
        self._steps = (*past, last._replace(digest=digest_of(analysis)))
        return replace(analysis, token=self.token)

    def policy(self, view: View, limit: Limit | None = None) -> dict[int, float]:
        """Return how often the player makes each move: for a player that does not mix, all of its choice."""
        return {self.choose(view, limit): 1.0}

    def stop(self) -> None:  # noqa: B027
        """End the search that is going on, from any thread; a player that does not search ignores it."""

    def forget(self) -> None:
        """Free the memory that is kept for the next move, and for the token of the last one."""
        self._steps = ()

    @property
    def kept_bytes(self) -> int:
        """The memory that is kept for the next move: what `forget` frees."""
        return 0

    def analyse(
        self, view: View, limit: Limit | None = None, *, progress: Progress | None = None, every: float = 0.5
    ) -> Analysis:
        """Return every move of the position with its value, best first.

        `limit` and `progress` (called `every` seconds with the analysis so far) are for players that search. A player
        without values of moves shows its choice first and gives all moves the same value.
        """
        from aiplay.analysis import Analysis, MoveAnalysis  # here, not above: choosing a move needs none

        moves_to_choose_from(view, limit)
        started = time.perf_counter()
        best = self.choose(view, limit)
        others = [move for move in view.legal_moves() if move != best]
        moves = tuple(MoveAnalysis(move, view.move_text(move), 0, 0.5) for move in (best, *others))
        return Analysis(
            seat=view.seat,
            moves=moves,
            line=(moves[0].text,),
            odds=(0.5,) * view.game.seats,
            iterations=0,
            seconds=time.perf_counter() - started,
            worlds=0,
            token=self.token,
        )

    def choose_in_slices(self, view: View, limit: Limit | None = None) -> Slices[int]:
        """Choose as ``choose`` does, and pause every now and then, if the search can: for programs without threads."""
        yield
        return self.choose(view) if limit is None else self.choose(view, limit)

    def analyse_in_slices(
        self, view: View, limit: Limit | None = None, *, progress: Progress | None = None, every: float = 0.5
    ) -> Slices[Analysis]:
        """Analyse as ``analyse`` does, and pause every now and then, if the search can."""
        yield
        return self.analyse(view, limit, progress=progress, every=every)

    @property
    def spec(self) -> str:
        """The specification that makes this player again (with its seed)."""
        return self._spec_of(self.options)

    def _spec_of(self, options: dict[str, Any]) -> str:
        defaults = {option.name: option.default for option in self.OPTIONS}
        changed = [f"{name}={value}" for name, value in options.items() if value != defaults[name]]
        return self.name + (":" + ",".join(changed) if changed else "")

    def __repr__(self) -> str:
        return f"make_player({self.spec!r}, seed={self.seed})"


def _takes_limit(choose: Callable[..., int]) -> bool:
    code = getattr(choose, "__code__", None)
    if code is not None and code.co_varnames[: code.co_argcount] == ("self", "view", "limit"):
        return True
    import inspect  # here, not above: takes long to import, and is needed for other signatures only

    try:
        inspect.signature(choose).bind("self", "view", "limit")
    except TypeError:
        return False
    return True


def _ignoring_limit(choose: Callable[[Any, View], int]) -> Callable[[Any, View, Limit | None], int]:
    @functools.wraps(choose)
    def choose_without_limit(self: Player, view: View, limit: Limit | None = None) -> int:
        return choose(self, view)

    return choose_without_limit


def finish(slices: Slices[Found]) -> Found:
    """Run a search to its end, without pauses; return what it found."""
    while True:
        try:
            next(slices)
        except StopIteration as end:
            found: Found = end.value
            return found


def moves_to_choose_from(view: View, limit: Limit | None = None) -> list[int]:
    """Return the legal moves of a view whose seat is to move; raise a clear error for any other view or limit."""
    if not isinstance(view, View):
        raise TypeError(f"view is {view!r}; allowed: a view, as table.view(seat) returns it")
    if limit is not None and not isinstance(limit, Limit):
        raise TypeError(f"limit is {limit!r}; allowed: None, or a limit such as Limit(time=1.0)")
    moves = view.legal_moves()
    if not moves:
        other = "chance" if view.to_move < 0 else f"seat {view.to_move}"
        turn = "the game is over" if view.is_over else f"it is the turn of {other}"
        raise IllegalMoveError(f"seat {view.seat} has nothing to choose: {turn}")
    return moves
