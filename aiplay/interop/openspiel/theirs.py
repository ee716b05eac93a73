"""OpenSpiel's games as games of this library.

A position is the sequence of actions that led to it, with OpenSpiel's state beside it. Seats that decide at the same
time move one after the other, and none sees what those before it chose.

Hidden information comes from OpenSpiel's information states and from its sampler, ``resample_from_infostate``. That
sampler starts from the truth, which a view must not hold. So a view holds a *stand-in* instead: the one position that
the sampler draws with a seed made from the information state. Two truths with the same information state have the same
stand-in, provided that the sampler is honest; ``aiplay.testing.check_game`` finds out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from aiplay import PythonGame, RandomStream
from aiplay._core.game import Game, Position, View
from aiplay.errors import AiplayError, InvalidStateError, OptionError
from aiplay.interop.needs import needed
from aiplay.interop.openspiel.honesty import fault_of_sampler
from aiplay.options import Option

pyspiel: Any = needed("pyspiel", "openspiel")

__all__ = ["OpenSpielError", "OpenSpielGame", "from_openspiel"]

HIDDEN = -1  # in a view: what another seat chose at the same time
MAX_MOVES = 1024  # of the contract
ATTEMPTS = 1000  # to find a world, where OpenSpiel's sampler cannot be asked


class OpenSpielError(AiplayError, ValueError):
    """A game of OpenSpiel that cannot be played here."""


@dataclass(frozen=True)
class Line:
    """A position: every action so far, those of a simultaneous decision seat by seat."""

    history: tuple[int, ...]

    def __reduce__(self) -> tuple[type[Line], tuple[tuple[int, ...]]]:
        return Line, (self.history,)  # not what is remembered beside it


class OpenSpielGame(PythonGame):
    """A game of OpenSpiel in which every seat sees everything."""

    name = "openspiel"
    OPTIONS = (
        Option("game", "", "what pyspiel.load_game takes", kind=str),
        Option("show_all", False, "whether hidden information is shown to everybody"),
    )

    def configure(self) -> None:
        """Take the bounds over from OpenSpiel."""
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

    def setup(self) -> Line:
        """Nothing has happened yet."""
        return Line(())

    def to_move(self, line: Line) -> int:
        """The seat that decides; of several at once, the first that has not."""
        state, pending = self.at(line)
        return len(pending) if state.is_simultaneous_node() else int(state.current_player())

    def legal_moves(self, line: Line) -> list[int]:
        """OpenSpiel's actions."""
        state, _ = self.at(line)
        return list(state.legal_actions(self.to_move(line)))

    def chance_outcomes(self, line: Line) -> list[tuple[int, float]]:
        """OpenSpiel's outcomes, without those that cannot happen."""
        return [(move, p) for move, p in self.at(line)[0].chance_outcomes() if p > 0]

    def play(self, line: Line, move: int) -> Line:
        """Apply an action; of several at once, when all have chosen."""
        state, pending = self.at(line)
        return self.remember(Line((*line.history, move)), *_advance(state, pending, move))

    def returns(self, line: Line) -> Sequence[float]:
        """OpenSpiel's returns."""
        return list(self.at(line)[0].returns())

    def check(self, line: Line, seat: int | None) -> None:
        """The actions can be played one after the other."""
        try:
            _, pending = self.at(line)
        except InvalidStateError:
            raise
        except Exception as problem:
            raise InvalidStateError(f"history {list(line.history)} cannot be played: {problem}") from None
        if HIDDEN in pending and (seat is None or not self.has_hidden):
            raise InvalidStateError("history: a choice is missing, which only a view may hide")

    # ---- OpenSpiel's state, beside ours --------------------------------------------------------------------

    def at(self, line: Line) -> tuple[Any, tuple[int, ...]]:
        """OpenSpiel's state, and what seats have chosen since, where several decide at once."""
        found: tuple[Any, tuple[int, ...]] | None = line.__dict__.get("spiel")
        if found is None:  # it comes from a file, or from another process
            found = self._replay(line.history)
            self.remember(line, *found)
        return found

    def remember(self, line: Line, state: Any, pending: tuple[int, ...]) -> Line:
        """Keep OpenSpiel's state beside the actions that lead to it."""
        line.__dict__["spiel"] = (state, pending)
        return line

    def line_of(self, state: Any, pending: tuple[int, ...] = ()) -> Line:
        """A state of OpenSpiel as a position."""
        return self.remember(Line((*state.history(), *pending)), state, pending)

    def replayed(self, history: Sequence[int]) -> Any:
        """OpenSpiel's state after these actions; InvalidStateError if they are not legal."""
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
        """OpenSpiel's name of the action; with its number, where several have the same."""
        line: Line = position.fields
        texts = line.__dict__.get("texts")
        if texts is None:
            texts = line.__dict__["texts"] = self._texts(line)
        return str(texts[move])

    def _texts(self, line: Line) -> dict[int, str]:
        state, seat = self.at(line)[0], self.to_move(line)
        names = {
            move: " ".join(state.action_to_string(seat, move).split()) for move in state.legal_actions(seat)
        }
        spelled = [name.casefold() for name in names.values()]
        return {
            move: name if name and spelled.count(name.casefold()) == 1 else f"{name} #{move}".strip()
            for move, name in names.items()
        }

    def render(self, position: Position) -> str:
        """OpenSpiel's own drawing."""
        return str(self.at(position.fields)[0])

    def __repr__(self) -> str:
        shown = ", show_all=True" if self.options["show_all"] else ""
        return f"from_openspiel({self.options['game']!r}{shown})"


def _advance(state: Any, pending: tuple[int, ...], move: int) -> tuple[Any, tuple[int, ...]]:
    """OpenSpiel's state and the pending choices after one more move; both arguments stay as they are."""
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
        """See what OpenSpiel hides: more than choices at the same time, or only these."""
        super().configure()
        self.is_open = self.spiel.get_type().information != pyspiel.GameType.Information.IMPERFECT_INFORMATION

    def knows(self, line: Line, seat: int) -> str:
        """All that a seat knows: its information state, and its own choice if others still think."""
        state, pending = self.at(line)
        known = str(state.history()) if self.is_open else state.information_state_string(seat)
        return f"{known}|{state.current_player()}|{_own(pending, seat)}"

    def perceive(self, line: Line, move: int, seat: int) -> int | None:
        """A number for the information state that the move leads to; nobody looks at cards while they are dealt."""
        after = self.play(line, move)
        if self._is_deal(after):
            return None
        own = move if self.to_move(line) == seat else None
        return _digest(f"{self.knows(after, seat)}|{own}")

    def conceal(self, line: Line, seat: int) -> Line:
        """The stand-in of everything that looks the same to the seat. An end shows all."""
        state, pending = self.at(line)
        if state.is_terminal():
            return line
        if self._is_deal(line):
            return self._deal(len(line.history), min)
        if not self.is_open:
            state = self._sample(state, seat, RandomStream(_digest(self.knows(line, seat))))
        return self.line_of(state, _own(pending, seat))

    def determinise(self, line: Line, seat: int, stream: RandomStream) -> Line:
        """A world for a view."""
        state, pending = self.at(line)
        if state.is_terminal():
            return line
        if self._is_deal(line):
            return self._deal(len(line.history), stream.choice)
        if not self.is_open:
            state = self._sample(state, seat, stream)
        filled = (
            stream.choice(state.legal_actions(other)) if move == HIDDEN else move
            for other, move in enumerate(pending)
        )
        return self.line_of(state, tuple(filled))

    def _is_deal(self, line: Line) -> bool:
        """Whether chance has to decide before anybody has: information states would need a whole deal to sample."""
        state, _ = self.at(line)
        if self.is_open or not state.is_chance_node():
            return False
        return all(entry.player == pyspiel.PlayerId.CHANCE for entry in state.full_history())

    def _deal(self, n: int, choose: Callable[[list[int]], int]) -> Line:
        """The first outcomes of chance, chosen one by one."""
        line = self.setup()
        for _ in range(n):
            outcomes = [move for move, _ in self.chance_outcomes(line)]
            if not outcomes:
                raise OpenSpielError(
                    f"{self.options['game']}: no view before the deal is over, whose length varies"
                )
            line = self.play(line, choose(outcomes))
        return line

    def _sample(self, state: Any, seat: int, stream: RandomStream) -> Any:
        """Another state with the same information state of the seat."""
        if not state.is_chance_node():
            return state.resample_from_infostate(seat, stream.random)
        # OpenSpiel samples only where somebody decides: go back to the last such place, and on again.
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
        """The last state in which a seat had to decide, and the states after it."""
        past, pending, states = self.spiel.new_initial_state(), tuple[int, ...](), []
        for action in state.history():
            if not past.is_chance_node():
                states = [past]
            past, pending = _advance(past, pending, action)
            if not pending:
                states.append(past)
        return states

    def render(self, position: Position) -> str:
        """OpenSpiel's own drawing; of a view, only what the seat knows."""
        if isinstance(position, View) and not position.is_over:
            state, pending = self.at(position.fields)
            drawn = str(state) if self.is_open else str(state.information_state_string(position.seat))
            return f"{drawn}\nchosen so far: {list(pending)}" if pending else drawn
        return super().render(position)


def _own(pending: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """What a seat knows of the choices so far."""
    return tuple(move if other == seat else HIDDEN for other, move in enumerate(pending))


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _lookalike(state: Any, wanted: Any, seat: int, stream: RandomStream) -> Any:
    """A state that follows `state` and looks like `wanted` to the seat, or None; as likely as chance makes it."""
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
    """A game of OpenSpiel, by name (with its parameters) or as ``pyspiel.Game``, for every player here.

    Sequential and simultaneous games, with chance and with hidden information where OpenSpiel can sample it.
    Where it cannot, an :class:`OpenSpielError` says so; ``show_all=True`` then plays with everything face up,
    for everybody: players that search see through the backs of cards, and are no measure of fair play.
    """
    spec = _spec(game, params)
    spiel = _load(spec)
    if isinstance(getattr(spiel, "game", None), Game):  # one of ours, that to_openspiel has made
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
    """The text from which pyspiel.load_game makes the game again."""
    if isinstance(game, str):
        try:
            return str(pyspiel.load_game(game, params) if params else pyspiel.load_game(game))
        except Exception as problem:
            reason = " ".join(str(problem).split())  # OpenSpiel lists its games one on a line
            raise OpenSpielError(f"OpenSpiel cannot load {game!r} with {params}: {reason}") from None
    if not isinstance(game, pyspiel.Game):
        raise TypeError(f"expected a name or a pyspiel.Game, not {game!r}")
    if params:
        raise OptionError(f"{game} is loaded already; parameters {sorted(params)} go with a name only")
    return str(game)


def _load(spec: str) -> Any:
    """OpenSpiel's game, if it is of a kind that can be played here."""
    game = pyspiel.load_game(spec)
    kind = game.get_type()
    reasons: dict[str, Callable[[], bool]] = {
        "it is a mean field game": lambda: kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD,
        "its chance cannot be listed (sampled stochastic)": lambda: (
            kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        ),
        "its actions are not numbers": lambda: game.num_distinct_actions() < 1,
        f"it has {game.num_players()} seats; allowed: 1 to 6": lambda: not 1 <= game.num_players() <= 6,
        "all its returns are the same": lambda: not game.min_utility() < game.max_utility(),
    }
    for reason, applies in reasons.items():
        if applies():
            raise OpenSpielError(f"{spec} cannot be played here: {reason}")
    return game


def _require_sampler(game: HiddenOpenSpielGame) -> None:
    """Make sure that OpenSpiel samples what is hidden, and that its samples keep the secret."""
    fault = fault_of_sampler(game)
    if fault:
        raise OpenSpielError(
            f"{game.options['game']} hides information, and OpenSpiel cannot sample it fairly: {fault}. "
            "show_all=True plays with everything face up, for everybody"
        )
