"""The options that may make a player better in a game, with the values to try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from aiplay.errors import OptionError, PlayerSpecError
from aiplay.limit import LIMIT_OPTIONS, Limit
from aiplay.options import did_you_mean
from aiplay.players.human import HumanPlayer
from aiplay.players.mcts import DEFAULTS, chosen_mode
from aiplay.registry import make_player, split_spec
from aiplay.speed import middle_of_a_game

if TYPE_CHECKING:
    from aiplay._core.game import Game, View
    from aiplay.options import Option
    from aiplay.players.base import Player

__all__ = ["Dimension", "Value", "space_of", "with_options"]

Value = str | int | float | bool

# Values worth trying of the options of our players; of others, see `_usual`.
VALUES: dict[str, tuple[Value, ...]] = {
    "cutoff": (-1, 0, 4, 10, 20),
    "epsilon": (0.0, 0.3),
    "exploration": (0.2, 0.35, 0.5, 0.7, 1.0, 1.4),
    "fpu": (0.5,),
    "prior_visits": (1, 3, 8),
    "prior_weight": (0.5, 1.0, 2.0, 4.0, 8.0),
    "root_exploration": (0.0, 0.1, 0.2, 0.4),
    "samples": (16, 64, 256),
    "widening": (0.0, 0.5, 1.0, 2.0),
    "width": (4, 8, 16, 32),
    "worlds": (8, 32, 64, 128),
}
# Options that decide how a search is run, not how it plays, or that make it weaker on purpose.
FIXED = {
    "blur",
    "cache",
    "early_stop",
    "file",
    "level",
    "memory",
    "ordering",
    "positions",
    "pruning",
    "reuse",
    "solver",
}
FIXED |= {"threads", "trees", "value"}
FIXED |= {option.name for option in LIMIT_OPTIONS}
MULTIPLES = (0.25, 0.5, 1, 2, 4)  # of the default, for other numbers


class Dimension(NamedTuple):
    """An option and its values. The first is None: leave it as it is."""

    name: str
    values: tuple[Value | None, ...]


def space_of(
    game: Game, player: str, vary: Mapping[str, Sequence[str]] | None = None
) -> tuple[Dimension, ...]:
    """Return the options of a player to vary in a game; `vary` names them, with values (none: the usual ones)."""
    made = make_player(player)
    if isinstance(made, HumanPlayer):
        raise PlayerSpecError(f"player {player!r} has nothing to tune; allowed: the other players")
    options = {option.name: option for option in made.OPTIONS}
    given = split_spec(player)[1]
    if vary:
        _check_names(made, vary)
    else:
        vary = {name: () for name in options if name not in FIXED and name not in given}
    found, state = [], middle_of_a_game(game)
    view = state.view(state.to_move)
    for name, texts in vary.items():
        values = _parsed(made, options[name], texts) if texts else _usual(made, options[name], game)
        others = [value for value in dict.fromkeys(values) if not _is_set(made, game, name, value)]
        if not texts:
            others = [value for value in others if _plays(with_options(player, {name: value}), view)]
        if others:
            found.append(Dimension(name, (None, *others)))
    if not found:
        raise OptionError(f"player {player!r} has no option that matters in {game.name}")
    return tuple(found)


def with_options(spec: str, options: Mapping[str, Value]) -> str:
    """Return a specification with other options.

    >>> with_options("mcts:time=0.2,prior=game", {"prior": "none", "cutoff": 0})
    'mcts:time=0.2,prior=none,cutoff=0'
    """
    name, given = split_spec(spec)
    texts = {**given, **{key: _text(value) for key, value in options.items()}}
    return name + (":" + ",".join(f"{key}={text}" for key, text in texts.items()) if texts else "")


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _check_names(made: Player, names: Mapping[str, object]) -> None:
    known = [option.name for option in made.OPTIONS if option not in LIMIT_OPTIONS]
    for name in names:
        if name not in known:
            near = did_you_mean(name, known)
            raise OptionError(
                f"player {made.name!r} has no option {name!r} to vary{near}; allowed: {', '.join(known) or 'none'}"
            )


def _parsed(made: Player, option: Option, texts: Sequence[str]) -> list[Value]:
    try:
        return [option.parse(text) for text in texts]
    except ValueError as problem:
        raise OptionError(f"player {made.name!r}: {problem}") from None


def _is_set(made: Player, game: Game, name: str, value: Value) -> bool:
    """True if a player plays with this value anyway."""
    present = made.options[name]
    return bool((_chosen(name, game) if present in (None, "auto") else present) == value)


def _chosen(name: str, game: Game) -> Value | None:
    """Return the value that mcts takes by itself; None if it is not known here."""
    if name in game.advice:
        advised: Value = game.advice[name]
        return advised
    if name == "prior":
        return "game" if game.offers("priors") else "evaluate" if game.offers("evaluate") else "none"
    if name == "playout":
        return "game" if game.offers("playout_move") else "random"
    return chosen_mode(game, "auto") if name == "mode" else DEFAULTS.get(name)


# ---- Values that matter in a game ----------------------------------------------------------------------------


def _usual(made: Player, option: Option, game: Game) -> Sequence[Value]:
    """Return the usual values of an option; none if it does not matter in the game."""
    if not _matters(option.name, game) or (made.name, option.name) == ("mcts", "worlds"):
        return ()  # mcts has worlds in one of its modes only
    if option.name in VALUES:
        return [value for value in VALUES[option.name] if option.low <= float(value) <= option.high]
    if option.choices:
        unfit = {"auto", "own"} if game.is_cooperative else {"auto", "own", "team"}  # own: needs a value file
        return [choice for choice in option.choices if choice not in unfit]
    if option.type is bool:
        return (True, False)
    if option.type in (int, float) and option.default is not None:
        values = [option.type(option.default * multiple) for multiple in MULTIPLES]
        return [value for value in values if option.low <= value <= option.high]
    return ()


def _matters(name: str, game: Game) -> bool:
    """Return False for an option of our players that changes nothing in a game."""
    if name in ("mode", "worlds"):
        return game.has_hidden and game.seats > 1
    if name in ("samples", "widening", "width"):
        return game.has_chance
    if name == "opponents":
        return game.seats > 2 and not game.is_cooperative
    if name in ("cutoff", "scale"):
        return game.offers("evaluate")
    if name in ("prior_visits", "prior_weight"):
        return _chosen("prior", game) != "none"
    if name == "fpu":
        return _chosen("prior", game) == "none"
    return name != "epsilon" or game.offers("playout_move")


def _plays(spec: str, view: View) -> bool:
    """Return False for a player that refuses a game: an option needs a function which the game does not have."""
    player = make_player(spec, seed=0)
    limits = [option.name for option in player.OPTIONS if option in LIMIT_OPTIONS and option.name != "time"]
    try:
        player.choose(view, Limit(**{limits[0]: 1}) if limits else None)
    except PlayerSpecError:
        return False
    return True
