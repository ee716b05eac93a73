"""The games of this library as games of OpenSpiel, for all its algorithms.

Every game of :func:`aiplay.load_game` can be loaded by ``pyspiel.load_game("aiplay_NAME(option=value)")``. Actions and
outcomes keep their numbers. All that a player of OpenSpiel learns comes from the view of its seat:

=====================  =================================================================================
observation            the view, as JSON and as the numbers of ``view.observation()``
information state      the bytes of the view, and a digest of everything that the seat has noticed so far
resample_from_...      a world sampled from the view (``view.sample_world``), with an empty history
=====================  =================================================================================
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np

import aiplay
from aiplay._core.game import Game, State
from aiplay.interop.needs import needed
from aiplay.interop.openspiel.theirs import OpenSpielError, OpenSpielGame
from aiplay.options import Option

pyspiel: Any = needed("pyspiel", "openspiel")

__all__ = ["register", "to_openspiel"]

PREFIX = "aiplay_"
NEEDS_QUOTES = re.compile(r"[-+.\d]+(e[-+]?\d+)?|true|false|none", re.IGNORECASE)
UNSET = "none"  # the value of an option that is not set: parameters of OpenSpiel always have a value


def register() -> list[str]:
    """Register every game of this library with ``pyspiel.load_game``; return the names."""
    return [_register(name) for name in aiplay.game_names()]


@functools.cache
def _register(name: str) -> str:
    """Register one game, once."""

    def make(params: dict[str, Any]) -> AiplayGame:
        return AiplayGame(aiplay.load_game(name, **_options(params)), params)

    # OpenSpiel frees its registry after the interpreter has ended: the function must never be freed.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))
    pyspiel.register_game(_game_type(aiplay.load_game(name)), make)
    return PREFIX + name


def to_openspiel(game: Game | str, /, **options: object) -> Any:
    """Return a game of this library, given by name (with its options) or loaded, as ``pyspiel.Game``."""
    if isinstance(game, str):
        game = aiplay.load_game(game, **options)
    elif options:
        raise TypeError(f"{game!r} is loaded already; options {sorted(options)} need a name")
    if isinstance(game, OpenSpielGame):
        return game.spiel
    if not game.move_space or (game.has_chance and not game.chance_space):
        raise OpenSpielError(
            f"{game.name} has no bound on the numbers of its moves, which OpenSpiel needs: "
            "set move_space (and chance_space)"
        )
    params = {option.name: _parameter(option, game.options[option.name]) for option in game.OPTIONS}
    if game.name in aiplay.game_names() and aiplay.load_game(game.name, **game.options) == game:
        return pyspiel.load_game(_register(game.name), params)
    return AiplayGame(game, params)


def _parameter(option: Option, value: Any) -> Any:
    """Return an option as a parameter of OpenSpiel; text that looks like a number or a bool is quoted."""
    if option.default is None and value is not None:
        value = str(value)  # a parameter has one type, and UNSET is text
    if isinstance(value, str) and NEEDS_QUOTES.fullmatch(value):
        return f"'{value}'"
    return UNSET if value is None else value


def _options(params: dict[str, Any]) -> dict[str, Any]:
    """Return parameters of OpenSpiel as options: the inverse of `_parameter`."""
    return {
        name: None if value == UNSET else value.strip("'") if isinstance(value, str) else value
        for name, value in params.items()
    }


def _game_type(game: Game) -> Any:
    """Return what OpenSpiel has to know about a game before it is loaded."""
    kinds = pyspiel.GameType
    low, high = game.seat_range
    hidden, chance = kinds.Information.IMPERFECT_INFORMATION, kinds.ChanceMode.EXPLICIT_STOCHASTIC
    return kinds(
        short_name=PREFIX + game.name,
        long_name=f"{game.name} of aiplay",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=chance if game.has_chance else kinds.ChanceMode.DETERMINISTIC,
        information=hidden if game.has_hidden else kinds.Information.PERFECT_INFORMATION,
        utility=_utility(game),
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=False,  # everything a seat noticed: no fixed length
        provides_observation_string=True,
        provides_observation_tensor=game.dtype is not None,
        parameter_specification={option.name: _parameter(option, option.default) for option in game.OPTIONS},
    )


def _utility(game: Game) -> Any:
    utility = pyspiel.GameType.Utility
    if game.is_cooperative:
        return utility.IDENTICAL
    if game.returns_sum is None:
        return utility.GENERAL_SUM
    return utility.CONSTANT_SUM if game.returns_sum else utility.ZERO_SUM


class AiplayGame(pyspiel.Game):  # type: ignore[misc]
    """A game of this library, as OpenSpiel sees it; ``game`` is the game itself."""

    def __init__(self, game: Game, params: dict[str, Any]) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=game.move_space,
            max_chance_outcomes=game.chance_space,
            num_players=game.seats,
            min_utility=game.min_return,
            max_utility=game.max_return,
            utility_sum=game.returns_sum,
            max_game_length=game.max_depth,
        )
        super().__init__(_game_type(game), info, params)
        self.game = game

    def new_initial_state(self) -> AiplayState:
        """Return the state before the first decision."""
        return AiplayState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound: the most moves of a game."""
        return self.game.max_depth if self.game.has_chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ViewObserver:
        """Return an observer, which turns a state into what one seat knows of it."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params or not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError(f"{kind} with {params}; allowed: public and private information of one player")
        return ViewObserver(self.game, kind.perfect_recall)


class AiplayState(pyspiel.State):  # type: ignore[misc]
    """The true state, and for every seat a digest of what it has noticed so far."""

    def __init__(self, game: AiplayGame) -> None:
        super().__init__(game)
        self.position: State = game.game.new_state()
        self.noticed = (b"",) * game.game.seats if game.game.has_hidden else (b"",)

    def current_player(self) -> int:
        """Return the seat to move, or CHANCE or TERMINAL, which have the same numbers in OpenSpiel."""
        return self.position.to_move

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """Return the returns of every seat; zeros before the end."""
        return self.position.returns() if self.position.is_over else [0.0] * self.position.game.seats

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes of chance."""
        return self.position.chance_outcomes()

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> AiplayState:
        """Return another state that looks the same to the player; its history is empty, to reveal nothing hidden."""
        view = self.position.view(player)
        world: AiplayState = self.get_game().new_initial_state()
        world.position = view.sample_world(int(probability_sampler() * 2**53))
        if view.game.has_hidden:
            unknown = _digest(self.noticed[player], b"resampled")  # nor what the others noticed
            world.noticed = tuple(own if seat == player else unknown for seat, own in enumerate(self.noticed))
        else:
            world.noticed = self.noticed
        return world

    def noticed_by(self, player: int) -> bytes:
        """Return a digest of what the player has noticed since the start."""
        return self.noticed[player if len(self.noticed) > 1 else 0]

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_moves()

    def _apply_action(self, action: int) -> None:
        position, game = self.position, self.position.game
        if game.has_hidden:
            keys = [position.perceive(action, seat) for seat in range(game.seats)]
        else:
            keys = [action]
        self.noticed = tuple(
            _digest(before, key.to_bytes(8)) for before, key in zip(self.noticed, keys, strict=True)
        )
        position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        try:
            return self.position.move_text(action)
        except aiplay.IllegalMoveError:
            return str(action)  # OpenSpiel also asks for actions of other states

    def __str__(self) -> str:
        return str(self.position)


def _digest(before: bytes, key: bytes) -> bytes:
    return hashlib.blake2b(before + key, digest_size=16).digest()


class ViewObserver:
    """The view of one seat, as text and as numbers."""

    def __init__(self, game: Game, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        has_tensor = game.dtype is not None and not perfect_recall
        self.tensor = np.zeros(_size(game), np.float32) if has_tensor else None
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: AiplayState, player: int) -> None:
        """Write the numbers of the player's view into ``tensor``."""
        if self.tensor is None:
            raise ValueError("information states exist as text only: they have no fixed length")
        self.tensor[:] = state.position.view(player).observation()

    def string_from(self, state: AiplayState, player: int) -> str:
        """Return the player's view; with perfect recall, also a digest of what it has noticed."""
        view = state.position.view(player)
        if not self.perfect_recall:
            return view.to_json()
        return f"seat {player}: {view.to_bytes().hex()} after {state.noticed_by(player).hex()}"


def _size(game: Game) -> int:
    return max(part.stop for part in game.observation_layout.values())
