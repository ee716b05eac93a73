"""OpenSpiel's games as games of this library.

A position is the sequence of actions that led to it, together with OpenSpiel's state. Seats that decide simultaneously
move one after the other, without seeing the choices before theirs.

Hidden information uses OpenSpiel's information states and its sampler, ``resample_from_infostate``. The sampler starts
from the true state, which a view must not hold. A view therefore holds a *stand-in*: the one state that the sampler
draws with a seed derived from the information state. Two true states with the same information state have the same
stand-in if the sampler is honest, which ``aiplay.testing.check_game`` checks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from aiplay import PythonGame, RandomStream
from aiplay._core.game import Game, Position, View
from aiplay._core.typedefs import MAX_MOVES, MAX_SEATS
from aiplay.errors import AiplayError, InvalidStateError, OptionError
from aiplay.interop.needs import needed
from aiplay.interop.openspiel.honesty import fault_of_sampler
from aiplay.options import Option

pyspiel: Any = needed("pyspiel", "openspiel")

__all__ = ["OpenSpielError", "OpenSpielGame", "from_openspiel"]

HIDDEN = -1  # in a view: the simultaneous choice of another seat
ATTEMPTS = 1000  # to find a world at a chance node, where OpenSpiel has no sampler


class OpenSpielError(AiplayError, ValueError):
    """A game of OpenSpiel cannot be played here."""


@dataclass(frozen=True)
class ActionHistory:
    """A position: all actions so far, simultaneous ones seat by seat."""

    history: tuple[int, ...]

    def __reduce__(self) -> tuple[type[ActionHistory], tuple[tuple[int, ...]]]:
        return ActionHistory, (self.history,)  # without the cached state of OpenSpiel


class OpenSpielGame(PythonGame):
    """A game of OpenSpiel in which every seat sees everything."""

    name = "openspiel"
    OPTIONS = (
        Option("game", "", "what pyspiel.load_game takes", kind=str),
        Option("show_all", False, "show hidden information to every seat"),
    )

    def configure(self) -> None:
        """Copy the bounds from OpenSpiel."""
        self.spiel = _load(self.options["game"])
        self.is_simultaneous = self.spiel.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        self.seats = self.spiel.num_players()
        self.move_space = self.spiel.num_distinct_actions()
        self.chance_space = self.spiel.max_chance_outcomes()
        self.max_moves = min(max(self.move_space, self.chance_space), MAX_MOVES)
        decisions = self.spiel.max_game_length() * (self.seats if self.is_simultaneous else 1)
        self.max_depth = decisions + self.spiel.max_chance_nodes_in_history()
        self.min_return, self.max_return = self.spiel.min_utility(), self.spiel.max_utility()
        self.cooperative = self.spiel.get_type().utility == pyspiel.GameType.Utility.IDENTICAL

    def setup(self) -> ActionHistory:
        """Return the empty history."""
        return ActionHistory(())

    def to_move(self, past: ActionHistory) -> int:
        """Return the seat to move; in a simultaneous decision, the first that has not chosen."""
        state, pending = self.at(past)
        return len(pending) if state.is_simultaneous_node() else int(state.current_player())

    def legal_moves(self, past: ActionHistory) -> list[int]:
        """Return OpenSpiel's legal actions."""
        state, _ = self.at(past)
        return list(state.legal_actions(self.to_move(past)))

    def chance_outcomes(self, past: ActionHistory) -> list[tuple[int, float]]:
        """Return OpenSpiel's outcomes, without those of probability 0."""
        return [(move, p) for move, p in self.at(past)[0].chance_outcomes() if p > 0]

    def play(self, past: ActionHistory, move: int) -> ActionHistory:
        """Apply an action; simultaneous ones when all seats have chosen."""
        state, pending = self.at(past)
        return self.remember(ActionHistory((*past.history, move)), *_advance(state, pending, move))

    def returns(self, past: ActionHistory) -> Sequence[float]:
        """Return OpenSpiel's returns."""
        return list(self.at(past)[0].returns())

    def check(self, past: ActionHistory, seat: int | None) -> None:
        """Raise InvalidStateError if the actions cannot be played in this order."""
        try:
            _, pending = self.at(past)
        except InvalidStateError:
            raise
        except Exception as problem:
            raise InvalidStateError(f"history {list(past.history)} cannot be played: {problem}") from None
        if HIDDEN in pending and (seat is None or not self.has_hidden):
            raise InvalidStateError("history: a choice is missing, which only a view may hide")

    # ---- The state of OpenSpiel for a history --------------------------------------------------------------

    def at(self, past: ActionHistory) -> tuple[Any, tuple[int, ...]]:
        """Return OpenSpiel's state, and the choices made since in a simultaneous decision."""
        found: tuple[Any, tuple[int, ...]] | None = past.__dict__.get("spiel")
        if found is None:  # from JSON, or from another process
            found = self._replay(past.history)
            self.remember(past, *found)
        return found

    def remember(self, past: ActionHistory, state: Any, pending: tuple[int, ...]) -> ActionHistory:
        """Cache OpenSpiel's state with the actions that lead to it."""
        past.__dict__["spiel"] = (state, pending)
        return past

    def past_of(self, state: Any, pending: tuple[int, ...] = ()) -> ActionHistory:
        """Return a state of OpenSpiel as a position."""
        return self.remember(ActionHistory((*state.history(), *pending)), state, pending)

    def replayed(self, history: Sequence[int]) -> Any:
        """Return OpenSpiel's state after these actions; InvalidStateError if they are not legal."""
        return self._replay(tuple(history))[0]

    def _replay(self, history: tuple[int, ...]) -> tuple[Any, tuple[int, ...]]:
        state, pending = self.spiel.new_initial_state(), tuple[int, ...]()
        for number, move in enumerate(history):
            seat = len(pending) if state.is_simultaneous_node() else state.current_player()
            allowed = [] if state.is_terminal() else list(state.legal_actions(seat)) or [0]
            is_hidden = move == HIDDEN and state.is_simultaneous_node() and len(pending) < self.seats - 1
            if move not in allowed and not is_hidden:
                raise InvalidStateError(f"history: action {number} is {move}; allowed: {allowed[:20]}")
            state, pending = _advance(state, pending, move)
        return state, pending

    # ---- For people ----------------------------------------------------------------------------------------

    def move_text(self, position: Position, move: int) -> str:
        """Return OpenSpiel's name of the action, with its number if several have the same name."""
        past: ActionHistory = position.fields
        texts = past.__dict__.get("texts")
        if texts is None:
            texts = past.__dict__["texts"] = self._texts(past)
        return str(texts[move])

    def _texts(self, past: ActionHistory) -> dict[int, str]:
        state, seat = self.at(past)[0], self.to_move(past)
        names = {
            move: " ".join(state.action_to_string(seat, move).split()) for move in state.legal_actions(seat)
        }
        spelled = [name.casefold() for name in names.values()]
        return {
            move: name if name and spelled.count(name.casefold()) == 1 else f"{name} #{move}".strip()
            for move, name in names.items()
        }

    def render(self, position: Position) -> str:
        """Return OpenSpiel's own drawing."""
        return str(self.at(position.fields)[0])

    def __repr__(self) -> str:
        shown = ", show_all=True" if self.options["show_all"] else ""
        return f"from_openspiel({self.options['game']!r}{shown})"


def _advance(state: Any, pending: tuple[int, ...], move: int) -> tuple[Any, tuple[int, ...]]:
    """Return OpenSpiel's state and the pending choices after one more move; the arguments do not change."""
    if not state.is_simultaneous_node():
        return state.child(move), ()
    pending = (*pending, move)
    while len(pending) < state.num_players() and not state.legal_actions(len(pending)):
        pending = (*pending, 0)  # a seat without a choice
    if len(pending) < state.num_players():
        return state, pending
    following = state.clone()
    following.apply_actions(list(pending))
    return following, ()


class HiddenOpenSpielGame(OpenSpielGame):
    """A game of OpenSpiel in which seats do not see everything."""

    def configure(self) -> None:
        """Find out if OpenSpiel hides anything besides simultaneous choices."""
        super().configure()
        self.is_open = self.spiel.get_type().information != pyspiel.GameType.Information.IMPERFECT_INFORMATION

    def knows(self, past: ActionHistory, seat: int) -> str:
        """Return all that a seat knows: its information state, and its own choice in a simultaneous decision."""
        state, pending = self.at(past)
        known = str(state.history()) if self.is_open else state.information_state_string(seat)
        return f"{known}|{state.current_player()}|{_own(pending, seat)}"

    def perceive(self, past: ActionHistory, move: int, seat: int) -> int | None:
        """Return a number for the information state after the move; None during the deal."""
        after = self.play(past, move)
        if self._is_deal(after):
            return None
        own = move if self.to_move(past) == seat else None
        return _digest(f"{self.knows(after, seat)}|{own}")

    def conceal(self, past: ActionHistory, seat: int) -> ActionHistory:
        """Return the stand-in of all states that look the same to the seat; the end of a game shows everything."""
        state, pending = self.at(past)
        if state.is_terminal():
            return past
        if self._is_deal(past):
            return self._deal(len(past.history), min)
        if not self.is_open:
            state = self._sample(state, seat, RandomStream(_digest(self.knows(past, seat))))
        return self.past_of(state, _own(pending, seat))

    def determinise(self, past: ActionHistory, seat: int, stream: RandomStream) -> ActionHistory:
        """Return a world for a view."""
        state, pending = self.at(past)
        if state.is_terminal():
            return past
        if self._is_deal(past):
            return self._deal(len(past.history), stream.choice)
        if not self.is_open:
            state = self._sample(state, seat, stream)
        filled = (
            stream.choice(state.legal_actions(other)) if move == HIDDEN else move
            for other, move in enumerate(pending)
        )
        return self.past_of(state, tuple(filled))

    def _is_deal(self, past: ActionHistory) -> bool:
        """True while chance moves before the first decision: information states can only be sampled after it."""
        state, _ = self.at(past)
        if self.is_open or not state.is_chance_node():
            return False
        return all(entry.player == pyspiel.PlayerId.CHANCE for entry in state.full_history())

    def _deal(self, n: int, choose: Callable[[list[int]], int]) -> ActionHistory:
        """Return the first n outcomes of chance, chosen one by one."""
        past = self.setup()
        for _ in range(n):
            outcomes = [move for move, _ in self.chance_outcomes(past)]
            if not outcomes:
                raise OpenSpielError(f"{self.options['game']}: no view during a deal of variable length")
            past = self.play(past, choose(outcomes))
        return past

    def _sample(self, state: Any, seat: int, stream: RandomStream) -> Any:
        """Return another state with the same information state of the seat."""
        if not state.is_chance_node():
            return state.resample_from_infostate(seat, stream.random)
        # OpenSpiel samples only at decisions of a seat: go back to the last one, sample, and replay from there.
        decision, *later = self._since_decision(state)
        for _ in range(ATTEMPTS):
            world = decision.resample_from_infostate(seat, stream.random)
            for wanted in later:
                world = world and _lookalike(world, wanted, seat, stream)
            if world:
                return world
        raise OpenSpielError(
            f"{self.options['game']}: found no state like that of seat {seat} at a chance node"
        )

    def _since_decision(self, state: Any) -> list[Any]:
        """Return the last state in which a seat had to decide, and the states after it."""
        replayed, pending, states = self.spiel.new_initial_state(), tuple[int, ...](), []
        for action in state.history():
            if not replayed.is_chance_node():
                states = [replayed]
            replayed, pending = _advance(replayed, pending, action)
            if not pending:
                states.append(replayed)
        return states

    def render(self, position: Position) -> str:
        """Return OpenSpiel's own drawing; for a view, only what the seat knows."""
        if isinstance(position, View) and not position.is_over:
            state, pending = self.at(position.fields)
            drawn = str(state) if self.is_open else str(state.information_state_string(position.seat))
            return f"{drawn}\nchosen so far: {list(pending)}" if pending else drawn
        return super().render(position)


def _own(pending: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the simultaneous choices so far as a seat knows them."""
    return tuple(move if other == seat else HIDDEN for other, move in enumerate(pending))


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _lookalike(state: Any, wanted: Any, seat: int, stream: RandomStream) -> Any:
    """Return a successor of `state` that looks like `wanted` to the seat, sampled by its probability, or None."""
    key, mover = wanted.information_state_string(seat), wanted.current_player()
    odds = dict(state.chance_outcomes()) if state.is_chance_node() else {}
    fitting = [
        (child, odds.get(action, 1.0))
        for action, child in ((action, state.child(action)) for action in state.legal_actions())
        if child.current_player() == mover and child.information_state_string(seat) == key
    ]
    left = stream.random() * sum(weight for _, weight in fitting)
    for child, weight in fitting:
        left -= weight
        if left < 0:
            return child
    return None


# ---- From OpenSpiel ----------------------------------------------------------------------------------------


def from_openspiel(game: Any, /, show_all: bool = False, **params: object) -> Game:
    """Return a game of OpenSpiel, given by name (with its parameters) or as ``pyspiel.Game``, for all players here.

    Supports sequential and simultaneous games, with chance, and with hidden information that OpenSpiel can sample.
    Otherwise raises :class:`OpenSpielError`; with ``show_all=True`` such a game is played with everything visible to
    all seats, so results say nothing about fair play.
    """
    spec = _spec(game, params)
    spiel = _load(spec)
    if isinstance(getattr(spiel, "game", None), Game):  # one of ours, made by to_openspiel
        return cast(Game, spiel.game)
    hides = spiel.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    chooses = spiel.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    if show_all or not (hides or chooses):
        return OpenSpielGame(game=spec, show_all=show_all and (hides or chooses))
    hidden = HiddenOpenSpielGame(game=spec)
    if hides:
        _require_sampler(hidden)
    return hidden


def _spec(game: Any, params: dict[str, object]) -> str:
    """Return the text from which pyspiel.load_game makes the game again."""
    if isinstance(game, str):
        try:
            return str(pyspiel.load_game(game, params) if params else pyspiel.load_game(game))
        except Exception as problem:
            reason = " ".join(str(problem).split())  # OpenSpiel lists its games on separate lines
            raise OpenSpielError(f"OpenSpiel cannot load {game!r} with {params}: {reason}") from None
    if not isinstance(game, pyspiel.Game):
        raise TypeError(f"expected a name or a pyspiel.Game, not {game!r}")
    if params:
        raise OptionError(f"{game} is loaded already; parameters {sorted(params)} need a name")
    return str(game)


def _load(spec: str) -> Any:
    """Return OpenSpiel's game; OpenSpielError if it cannot be played here."""
    game = pyspiel.load_game(spec)
    kind = game.get_type()
    reasons: dict[str, Callable[[], bool]] = {
        "it is a mean field game": lambda: kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD,
        "its chance cannot be listed (sampled stochastic)": lambda: (
            kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        ),
        "its actions are not numbers": lambda: game.num_distinct_actions() < 1,
        f"it has {game.num_players()} seats; allowed: 1 to {MAX_SEATS}": lambda: (
            not 1 <= game.num_players() <= MAX_SEATS
        ),
        "all its returns are the same": lambda: not game.min_utility() < game.max_utility(),
    }
    for reason, applies in reasons.items():
        if applies():
            raise OpenSpielError(f"{spec} cannot be played here: {reason}")
    return game


def _require_sampler(game: HiddenOpenSpielGame) -> None:
    """Raise OpenSpielError if OpenSpiel cannot sample hidden information, or its samples leak the true state."""
    fault = fault_of_sampler(game)
    if fault:
        raise OpenSpielError(
            f"{game.options['game']} hides information, and OpenSpiel cannot sample it fairly: {fault}. "
            "show_all=True plays with everything visible to all seats"
        )
