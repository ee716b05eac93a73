"""The player that is audited: made afresh for every game, and limited in iterations instead of time."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from aiplay._core.game import View
from aiplay.errors import AuditError
from aiplay.limit import LIMIT_OPTIONS, Limit
from aiplay.players.base import Player
from aiplay.players.human import HumanPlayer
from aiplay.registry import make_player

__all__ = ["Answer", "Subject", "subject_of"]

# Limits that give the same answer on every machine, the first that a player has; enough for a choice with reasons.
LIMITS = {"iterations": 100, "nodes": 1000, "depth": 1}

Answer = tuple[Any, ...]  # everything in an answer but the time


class Subject(NamedTuple):
    """A player to audit."""

    name: str
    make: Callable[[int], Any]  # a new player, from a seed
    limit: Limit | None  # for each move; None: its own
    note: str

    def choice(self, player: Any, view: View) -> Answer:
        """Return what a player chooses."""
        return (player.choose(view) if self.limit is None else player.choose(view, self.limit),)

    def analysis(self, player: Any, view: View) -> Answer:
        """Return what a player thinks of every move; its choice, if it cannot say."""
        if not callable(getattr(player, "analyse", None)):
            return self.choice(player, view)
        found = player.analyse(view, self.limit)
        moves = tuple((m.move, m.visits, m.value, m.error, m.proven) for m in found.moves)
        return (
            found.best,
            moves,
            found.line,
            found.odds,
            found.iterations,
            found.nodes,
            found.worlds,
            found.depth,
        )


def subject_of(player: Any) -> Subject:
    """Return the subject for a specification, an object with ``choose``, or a function that makes one from a seed."""
    if isinstance(player, str):
        return _subject(player, lambda seed: make_player(player, seed=seed))
    if callable(getattr(player, "choose", None)) and not isinstance(player, type):
        return _subject(_name_of(player), lambda seed: _copied(player))
    if callable(player):
        return _subject(_name_of(player), lambda seed: _called(player, seed))
    raise AuditError(
        f"player is {player!r}; allowed: a specification such as 'mcts', an object with choose(view), "
        "or a function of a seed that returns one"
    )


def _subject(name: str, make: Callable[[int], Any]) -> Subject:
    first = make(0)
    if not callable(getattr(first, "choose", None)):
        raise AuditError(f"player {name!r} makes {first!r}, which has no method choose(view)")
    if isinstance(first, HumanPlayer):
        raise AuditError("player 'human' cannot be audited: a person gives another answer every time")
    limit = _limit_of(first)
    if limit is None:
        return Subject(name, make, None, "")
    given = next(f"{value} {what}" for what, value in limit._asdict().items() if value is not None)
    return Subject(name, make, limit, f"limited to {given} per move, because time is not repeatable")


def _limit_of(player: Any) -> Limit | None:
    """Return the limit to audit a player with; None if its own is repeatable, or if it has none."""
    options = getattr(player, "options", {})
    names = [option.name for option in getattr(player, "OPTIONS", ()) if option in LIMIT_OPTIONS]
    given = [name for name in names if options.get(name) is not None]
    usual = next((name for name in LIMITS if name in names), None)
    if usual is None or (given and "time" not in given):
        return None
    return Limit(**{usual: LIMITS[usual]})


def _name_of(player: Any) -> str:
    spec = getattr(player, "spec", None) if isinstance(player, Player) else getattr(player, "__name__", None)
    return str(spec or type(player).__name__)


def _copied(player: Any) -> Any:
    """Return a copy of an object, as fresh as it was given."""
    try:
        return copy.deepcopy(player)
    except Exception as problem:
        raise AuditError(
            f"player {_name_of(player)!r} cannot be copied ({problem}); give a function of a seed that makes it"
        ) from problem


def _called(factory: Callable[..., Any], seed: int) -> Any:
    """Call a factory with a seed: by name if it has that parameter, else as its only one, else without."""
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):
        return factory(seed)
    if any(p.name == "seed" or p.kind is p.VAR_KEYWORD for p in parameters):
        return factory(seed=seed)
    needed = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_POSITIONAL]
    return factory(seed) if needed else factory()
