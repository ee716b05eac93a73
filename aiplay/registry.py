"""Games and players by name: built in, or added by the entry points of other packages."""

from __future__ import annotations

import importlib
import warnings
from typing import TYPE_CHECKING, Any

from aiplay._core.game import Game
from aiplay.errors import PackageError, PlayerSpecError, UnknownGameError
from aiplay.limit import LIMIT_OPTIONS
from aiplay.options import did_you_mean, resolve_options
from aiplay.players.base import Player

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "game_names",
    "limited_spec",
    "load_game",
    "make_player",
    "player_class",
    "player_names",
    "split_spec",
]

GAMES = {
    "connect_four": "aiplay.games.connect_four:ConnectFour",
    "illusio": "aiplay.games.illusio:Illusio",
    "leduc_poker": "aiplay.games.leduc_poker:LeducPoker",
    "levitation": "aiplay.games.levitation:Levitation",
    "magic_rabbit": "aiplay.games.magic_rabbit:MagicRabbit",
    "pig": "aiplay.games.pig:Pig",
    "three_magicians": "aiplay.games.three_magicians:ThreeMagicians",
}
PLAYERS = {
    "expectimax": "aiplay.players.expectimax:ExpectimaxPlayer",
    "greedy": "aiplay.players.greedy:GreedyPlayer",
    "human": "aiplay.players.human:HumanPlayer",
    "mcts": "aiplay.players.mcts:MctsPlayer",
    "mixed": "aiplay.players.mixed:MixedPlayer",
    "random": "aiplay.players.random:RandomPlayer",
    "strategy": "aiplay.players.strategy:StrategyPlayer",
}


def game_names() -> list[str]:
    """Return the names of all games that can be loaded."""
    return sorted({*GAMES, *_entry_points("aiplay.games")})


def load_game(name: str, /, **options: object) -> Game:
    """Return the game of that name with these options: ``load_game("pig", players=3)``."""
    cls = _find(name, GAMES, "aiplay.games")
    if cls is None:
        names = game_names()
        near = did_you_mean(name, names)
        raise UnknownGameError(f"no game is called {name!r}{near}; the games are {', '.join(names)}")
    game = cls(**options)
    assert isinstance(game, Game)
    return game


def player_names() -> list[str]:
    """Return the names of all kinds of players."""
    return sorted({*PLAYERS, *_entry_points("aiplay.players")})


def player_class(name: str) -> type[Player] | None:
    """Return the class of players of that name, or None."""
    cls: type[Player] | None = _find(name, PLAYERS, "aiplay.players")
    return cls


def make_player(spec: str, seed: int | None = None) -> Player:
    """Make a player from its specification: ``"random"``, ``"mcts:time=0.2,threads=2"``."""
    name, options = split_spec(spec)
    cls = player_class(name)
    if cls is None:
        names = player_names()
        near = did_you_mean(name, names)
        raise PlayerSpecError(f"no player is called {name!r}{near}; the players are {', '.join(names)}")
    resolve_options(f"player {name!r}", cls.OPTIONS, options, PlayerSpecError)  # refuses "seed=1"
    player = cls(seed=seed, **options)
    assert isinstance(player, Player)
    return player


def limited_spec(spec: str, limit: str) -> str:
    """Add a limit (``time=0.1``) to a specification, if its player takes one and it has none yet."""
    player = make_player(spec)
    limits = [option for option in player.OPTIONS if option in LIMIT_OPTIONS]
    wanted = limit.partition("=")[0]
    own = (*(option.name for option in limits), "level")  # a level is a limit, too
    if not limits or any(player.options.get(name) is not None for name in own):
        return spec
    if wanted not in {option.name for option in limits}:
        known = ", ".join(option.name for option in limits)
        raise PlayerSpecError(f"player {player.name!r} has no limit {wanted!r}; its limits: {known}")
    spec = spec.strip() + ("," if ":" in spec else ":") + limit
    make_player(spec)
    return spec


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Split ``"name:key=value,key=value"`` into name and options."""
    if not isinstance(spec, str):
        raise PlayerSpecError(f"a player is given as text like 'random' or 'mcts:time=0.2', not {spec!r}")
    name, colon, rest = spec.strip().partition(":")
    options: dict[str, str] = {}
    for part in rest.split(",") if colon else []:
        key, equals, value = (text.strip() for text in part.partition("="))
        if not key or not equals or not value:
            raise PlayerSpecError(f"{spec!r}: {part!r} is not key=value; write name:key=value,key=value")
        if key in options:
            raise PlayerSpecError(f"{spec!r} gives {key!r} twice")
        options[key] = value
    return name.strip(), options


def _entry_points(group: str) -> dict[str, EntryPoint]:
    from importlib.metadata import (
        entry_points,
    )  # takes long to import, and is not needed for what is built in

    return {point.name: point for point in entry_points(group=group)}


def _find(name: str, built_in: dict[str, str], group: str) -> Any:
    """Return the class behind a name, or None."""
    if name in built_in:
        module, _, attribute = built_in[name].partition(":")
        return getattr(importlib.import_module(module), attribute)
    point = _entry_points(group).get(name)
    if point is None:
        return None
    try:
        with warnings.catch_warnings():
            # Cython only warns if a class has another size; the first call would then write to the wrong place.
            warnings.filterwarnings("error", ".*size changed, may indicate binary incompatibility")
            return point.load()
    except Exception as problem:  # any error of the other package
        package = point.dist.name if point.dist else "unknown"
        hint = ": compile it again for this aiplay" if "size changed" in str(problem) else ""
        raise PackageError(
            f"{name!r} of the package {package} cannot be loaded: {problem}{hint}"
        ) from problem
