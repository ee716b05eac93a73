"""Games written in Python, for every player and tool of this library."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from aiplay._core.contract import PLAY_TO_THE_END
from aiplay._core.game import Position
from aiplay._core.python_game import PythonGameCore
from aiplay._core.stream import RandomStream
from aiplay._core.typedefs import CHANCE, TERMINAL

__all__ = ["PythonGame"]


class PythonGame(PythonGameCore):
    """Base class of games written in Python; every player plays them.

    A state is any immutable object: a number, a tuple, a ``NamedTuple``, a frozen dataclass. ``play`` returns a new
    one. Annotate the return type of ``setup`` with the type of the states, so that they can be read from JSON.

    Required methods: ``setup``, ``to_move``, ``legal_moves``, ``play``, ``returns``. With dice or shuffled cards also
    ``chance_outcomes``; with hidden information also ``perceive``, ``conceal`` and ``determinise``. Recommended:
    ``evaluate`` (for better search), ``move_text`` and ``render`` (for people). The last two get a position, which is
    a ``State`` or a ``View``; its state is ``position.fields``.

    Bounds are attributes of the class, which no game may exceed (defaults in brackets):

    =========== ====================================================================
    seats       number of seats (2)
    max_moves   most legal moves, or outcomes of chance, in one position (256)
    max_depth   most moves of a game, those of chance included (1000)
    min_return  smallest number in ``returns`` (0.0)
    max_return  largest number in ``returns`` (1.0)
    cooperative True if all seats win or lose together (False)
    =========== ====================================================================

    For front ends, all optional: ``VERBS`` and ``move_parts`` take moves apart by names, and then make their notation
    instead of ``move_text``; ``scene_type``, ``scene_of`` and ``fields_of_scene`` show a position by names (without
    them the scene is the state as plain data); ``learned`` tells what a move showed a seat, for events; ``things``
    lists what the game has, for the catalogue. Import ``Verb`` from ``aiplay.parts``, ``Scene`` from ``aiplay.scene``
    and ``Entry`` from ``aiplay.catalogue``. The rules are a Markdown file beside the module, with its name:
    ``my_game.md`` for ``my_game.py``.

    For `aiplay learn`, both optional: ``features(state, seat)`` returns numbers from 0 to 1, always as many, that tell
    how good the position is for ``seat``, who decides next; without it, the state as plain data is used.
    ``VALUE_FILES`` are paths of value files that come with the game.

    A parameter of the rules is an ``Option`` in ``OPTIONS``; its value is ``self.options[name]``. Bounds that depend
    on it are set in ``configure``. A game does not define ``__init__``.

    >>> from aiplay.options import Option
    >>> class Countdown(PythonGame):
    ...     '''Take one or two matches; the seat that takes the last one wins.'''
    ...     name = "countdown"
    ...     OPTIONS = (Option("matches", 7, "matches at the start", low=1, high=1000),)
    ...     seats, max_moves = 2, 2
    ...     def configure(self):
    ...         self.max_depth = self.options["matches"]
    ...     def setup(self) -> tuple[int, int]:  # matches left, seat to move
    ...         return (self.options["matches"], 0)
    ...     def to_move(self, state):
    ...         return state[1] if state[0] else self.TERMINAL
    ...     def legal_moves(self, state):
    ...         return range(1, min(state[0], 2) + 1)
    ...     def play(self, state, move):
    ...         return (state[0] - move, 1 - state[1])
    ...     def returns(self, state):
    ...         return [state[1], 1 - state[1]]
    ...     def render(self, position):
    ...         return f"{position.fields[0]} left"
    >>> state = Countdown(matches=12).new_state()
    >>> state.play(2); state.to_move, state.legal_moves()
    2
    (1, [1, 2])
    >>> print(state)
    10 left
    """

    CHANCE = CHANCE
    TERMINAL = TERMINAL
    PLAY_TO_THE_END = PLAY_TO_THE_END

    seats: int = 2
    max_moves: int = 256
    move_space: int = 0  # moves of seats are below this; 0: unknown
    chance_space: int = 0  # chance outcomes are below this; 0: unknown
    max_depth: int = 1000
    min_return: float = 0.0
    max_return: float = 1.0
    cooperative: bool = False
    playout_depth: int = 0  # moves of a playout before `evaluate` is called, or PLAY_TO_THE_END
    # Options of mcts that suit the game better than its defaults: exploration, root_exploration, prior ("none",
    # "evaluate"), prior_visits
    ADVICE: ClassVar[Mapping[str, Any]] = {}

    def configure(self) -> None:
        """Set ``self.seats`` and other bounds that depend on ``self.options``."""

    def setup(self) -> Any:
        """Return the state before the first decision."""
        raise NotImplementedError(f"{type(self).__name__}.setup")

    def to_move(self, state: Any) -> int:
        """Return the seat to move, ``self.CHANCE`` or ``self.TERMINAL``. Reads only what every seat sees."""
        raise NotImplementedError(f"{type(self).__name__}.to_move")

    def legal_moves(self, state: Any) -> Iterable[int]:
        """Return the moves of the seat to move, whole numbers >= 0. Reads only what that seat sees."""
        raise NotImplementedError(f"{type(self).__name__}.legal_moves")

    def play(self, state: Any, move: int) -> Any:
        """Return the new state after a legal move or a chance outcome."""
        raise NotImplementedError(f"{type(self).__name__}.play")

    def returns(self, state: Any) -> Sequence[float]:
        """Return the returns of every seat, when the game is over."""
        raise NotImplementedError(f"{type(self).__name__}.returns")

    def chance_outcomes(self, state: Any) -> Iterable[tuple[int, float]]:
        """Return the possible outcomes of chance, as (move, probability)."""
        raise NotImplementedError(f"{type(self).__name__}.chance_outcomes")

    def perceive(self, state: Any, move: int, seat: int) -> int | None:
        """Return a key for what a seat notices of a move made in ``state``: moves with equal keys look the same to it.

        By convention the move itself if the seat sees all of it, ``None`` if it only sees that a move was made.
        """
        raise NotImplementedError(f"{type(self).__name__}.perceive")

    def conceal(self, state: Any, seat: int) -> Any:
        """Return the state with everything that the seat cannot know replaced by a fixed blank."""
        raise NotImplementedError(f"{type(self).__name__}.conceal")

    def determinise(self, view: Any, seat: int, stream: RandomStream) -> Any:
        """Return the concealed state with every blank filled by a random possible value."""
        raise NotImplementedError(f"{type(self).__name__}.determinise")

    def evaluate(self, state: Any) -> Sequence[float]:
        """Return an estimate of the returns of every seat, mapped to 0 .. 1, while the game is not over."""
        raise NotImplementedError(f"{type(self).__name__}.evaluate")

    def move_text(self, position: Position, move: int) -> str:
        """Return the notation of a legal move, or of an outcome if ``position.to_move`` is CHANCE.

        It has to be unique in a position. The state is ``position.fields``. By default it is made from ``move_parts``
        if the game has ``VERBS``, and otherwise the number of the move.
        """
        return super().move_text(position, move)

    def render(self, position: Position) -> str:
        """Return a compact drawing of a state or a view as text; the state is ``position.fields``."""
        return str(position.fields)

    @property
    def scene_schema(self) -> dict[str, Any]:
        """The JSON Schema of a scene; without ``scene_type``, of a state as plain data."""
        import msgspec

        return msgspec.json.schema(self.scene_type() or self._state_type())

    # ---- For the native half -------------------------------------------------------------------------------

    @property
    def _bounds(self) -> dict[str, Any]:
        names = (
            "seats",
            "max_moves",
            "move_space",
            "chance_space",
            "max_depth",
            "min_return",
            "max_return",
            "cooperative",
            "playout_depth",
        )
        return {name: getattr(self, name) for name in names}

    def _overrides(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(PythonGame, method)

    def _hides(self) -> bool:
        methods = ("perceive", "conceal", "determinise")
        missing = [method for method in methods if not self._overrides(method)]
        if 0 < len(missing) < len(methods):
            raise TypeError(
                f"{type(self).__name__}: a game with hidden information also needs {', '.join(missing)}"
            )
        return not missing

    def _state_type(self) -> Any:
        return typing.get_type_hints(type(self).setup).get("return", Any)
