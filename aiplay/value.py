"""Value files: a small trained network that says how good a position is for every seat.

`aiplay learn` writes them, and the option ``value=FILE`` of greedy, mcts and expectimax uses them. A file is JSON of at
most 64 kB: a description (the game, its options, how the value was made and what it gained), what the network sees of a
position (`aiplay.features`), and its weights as whole numbers. It is data, and checked when it is read.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import sys
from array import array
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiplay._core.features import FieldFeatures
from aiplay._core.search.common.value import NativeFeatures, Network
from aiplay.errors import GameDataError, ValueFileError
from aiplay.features import Feature, FunctionFeatures, PlainFeatures, field_tables
from aiplay.files import read_file, write_file
from aiplay.options import Option, titled

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = [
    "MAX_BYTES",
    "VALUE_OPTION",
    "Value",
    "ValueChoice",
    "bound_features",
    "kept_inputs",
    "kept_text",
    "shipped_value",
]

FORMAT = "aiplay value"
VERSION = 1  # of the file
MAX_BYTES = 64_000  # of a file
LAYERS = {"first": "h", "first_bias": "i", "second": "h", "second_bias": "i"}  # codes of `array`
DESCRIBED = {
    "format": str,
    "version": int,
    "game": str,
    "options": dict,
    "layout": str,
    "features": dict,
    "hidden": int,
    "cutoff": int,
    "weights": dict,
    "made": dict,
}
VALUE_OPTION = Option(
    "value",
    "auto",
    "what values positions: game (its evaluation), a file that `aiplay learn` wrote, "
    "or auto: the file that comes with the game, if there is one, else game",
)


class Value:
    """A trained value: `description` says what it is for and how it was made."""

    def __init__(self, description: Mapping[str, Any], layers: Mapping[str, array[int]]) -> None:
        self.description, self.layers = dict(description), dict(layers)
        self._bound: Network | None = None

    @property
    def cutoff(self) -> int:
        """Moves of a playout before the value decides."""
        cutoff: int = self.description["cutoff"]
        return cutoff

    @property
    def prior_weight(self) -> float | None:
        """Visits that the value counts for as a prior, if the file says so."""
        weight: float | None = self.description.get("prior_weight")
        return weight

    @property
    def prior(self) -> str:
        """Advice on the option ``prior`` of mcts: own (the game's evaluation ranks moves, which is faster) or auto."""
        prior: str = self.description.get("prior", "auto")
        return prior

    @classmethod
    def of_game(
        cls,
        game: Game,
        features: Mapping[str, Any],
        hidden: int,
        layers: Mapping[str, array[int]],
        made: Mapping[str, Any],
        cutoff: int = 0,
        prior_weight: float | None = None,
        *,
        prior: str = "auto",
    ) -> Value:
        """Return a new value; `made` says how it was learned, the last three are options of mcts that suit it."""
        description = {
            "format": FORMAT,
            "version": VERSION,
            "game": game.name,
            "options": dict(game.options),
            "layout": layout_digest(game),
            "features": dict(features),
            "hidden": hidden,
            "cutoff": cutoff,
            "made": dict(made),
        }
        if prior_weight is not None:
            description["prior_weight"] = prior_weight
        if prior != "auto":
            description["prior"] = prior
        return cls(description, layers)

    def fits(self, game: Game) -> bool:
        """True if the value is for this game and its options."""
        known = self.description
        return bool(known["game"] == game.name and known["options"] == dict(game.options))

    def bind(self, game: Game) -> Network:
        """Return the network for a game; ValueFileError if it was learned for another one."""
        if self._bound is not None and self._bound.game == game:
            return self._bound
        known = self.description
        learned = f"the value was learned for {titled(known['game'], known['options'])}"
        if not self.fits(game):
            raise ValueFileError(f"{learned}, not for {titled(game.name, game.options)}")
        if known["layout"] != layout_digest(game):
            raise ValueFileError(f"{learned} with other fields than this version has: learn it again")
        try:
            features = bound_features(game, known["features"])
            kept = kept_inputs(features.size, known["features"])
            layers = [self.layers[name] for name in LAYERS]
            self._bound = Network(game, features, kept, known["hidden"], *layers)
        except (ValueError, TypeError, KeyError, OverflowError) as problem:
            raise ValueFileError(f"the value does not fit {game.name}: {problem}") from None
        return self._bound

    # ---- Files -----------------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """Return the content of the file; ValueFileError if it is too large."""
        weights = {name: _packed(numbers) for name, numbers in self.layers.items()}
        text = json.dumps({**self.description, "weights": weights}) + "\n"
        if len(text) > MAX_BYTES:
            raise ValueFileError(
                f"the file would have {len(text)} bytes; allowed: {MAX_BYTES}. Use fewer hidden units"
            )
        return text

    def write(self, path: str | Path) -> None:
        """Write the file, completely or not at all."""
        write_file(path, self.to_json())

    @classmethod
    def read(cls, path: str | Path) -> Value:
        """Return the value of a file; ValueFileError if it is none, or of another version."""
        try:
            return _parsed(read_file(os.fspath(path), MAX_BYTES))
        except GameDataError:  # refused
            raise
        except OSError as problem:
            raise ValueFileError(f"{path}: {problem.strerror}") from None
        except (ValueError, RecursionError) as problem:
            reason = str(problem) if type(problem) is ValueError else "it is not JSON"
            raise ValueFileError(
                f"{path} is not a value file, as `aiplay learn` writes it: {reason}"
            ) from None


class ValueChoice:
    """The option ``value`` of a player: the network for each game, or None for the game's own evaluation."""

    def __init__(self, given: str) -> None:
        self._is_auto = given == "auto"
        self._value = None if given in ("auto", "game") else Value.read(given)

    def of(self, game: Game) -> Network | None:
        """Return the network for a game."""
        value = self._of(game)
        return None if value is None else value.bind(game)

    def cutoff(self, game: Game) -> int | None:
        """Return the moves of a playout before the value decides; None without a file."""
        value = self._of(game)
        return None if value is None else value.cutoff

    def prior_weight(self, game: Game) -> float | None:
        """Return the visits that the value counts for as a prior; None if no file says so."""
        value = self._of(game)
        return None if value is None else value.prior_weight

    def prior(self, game: Game) -> str:
        """Return the advice of the file on the option ``prior`` of mcts; auto without one."""
        value = self._of(game)
        return "auto" if value is None else value.prior

    def _of(self, game: Game) -> Value | None:
        return shipped_value(game) if self._is_auto else self._value


def _values_of(game: Game) -> tuple[str, ...]:
    """Return the paths of the files that come with a game."""
    values: tuple[str, ...] = getattr(game, "VALUE_FILES", ())
    return values


def shipped_value(game: Game) -> Value | None:
    """Return the value that comes with a game: the first of its ``VALUE_FILES`` that is for its options."""
    return _shipped(game) if _values_of(game) else None


@lru_cache(maxsize=64)
def _shipped(game: Game) -> Value | None:
    for path in _values_of(game):
        value = _parsed(Path(path).read_bytes())
        if value.fits(game):
            return value
    return None


# ---- Content of a file -----------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _parsed(content: bytes) -> Value:
    """Return the value of a file's content; ValueError if something is wrong with it."""
    document = json.loads(content)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"an object of the format {FORMAT!r} is expected")
    if document.get("version") != VERSION:
        raise ValueError(f"its version is not {VERSION}: learn it again, or use another version of aiplay")
    for name, kind in DESCRIBED.items():
        if type(document.get(name)) is not kind:
            raise ValueError(f"the entry {name!r} is missing or of another type")
    if not -1 <= document["cutoff"] <= 1_000_000:
        raise ValueError("the entry 'cutoff' is not a number of moves")
    weight = document.get("prior_weight", 0)
    if type(weight) not in (int, float) or not 0 <= weight <= 1_000_000:
        raise ValueError("the entry 'prior_weight' is not a number of visits")
    if document.get("prior", "auto") not in ("auto", "own"):
        raise ValueError("the entry 'prior' is neither 'auto' nor 'own'")
    weights = document.pop("weights")
    return Value(document, {name: _unpacked(name, code, weights.get(name)) for name, code in LAYERS.items()})


def _packed(numbers: array[int]) -> str:
    """Return numbers as text, the lowest byte first."""
    numbers = array(numbers.typecode, numbers)
    if sys.byteorder == "big":
        numbers.byteswap()
    return base64.b64encode(numbers.tobytes()).decode()


def _unpacked(name: str, code: str, text: object) -> array[int]:
    numbers = array(code)
    try:
        numbers.frombytes(base64.b64decode(text, validate=True))  # type: ignore[arg-type]
    except (binascii.Error, TypeError, ValueError):
        raise ValueError(f"the layer {name!r} is missing or damaged") from None
    if not numbers:
        raise ValueError(f"the layer {name!r} is empty")
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


# ---- The game --------------------------------------------------------------------------------------------------


def layout_digest(game: Game) -> str:
    """Return a digest of the fields of a state: it changes if the network would see something else."""
    digest = hashlib.blake2b(repr((game.seats, bool(game.is_cooperative))).encode(), digest_size=8)
    if game.layout is not None:
        for name, field in game.FIELDS.items():
            digest.update(repr((name, game.layout.columns[name].shape, _numbers_of(field))).encode())
    return digest.hexdigest()


def _numbers_of(field: Any) -> tuple[Any, ...]:
    """Return what a field means to a network, without the words for people."""
    parts = tuple(tuple(part)[1:] for part in field.parts)
    return (field.low, field.high, field.bits, parts, field.seat_axis, field.seats_at)


def kept_inputs(size: int, features: Mapping[str, Any]) -> list[int]:
    """Return the inputs that a network uses: those whose bit is set in ``kept``, the lowest first."""
    bits = base64.b64decode(features["kept"], validate=True)
    if len(bits) != (size + 7) // 8:
        raise ValueError(f"it knows {len(bits) * 8} inputs, not {size}")
    return [number for number in range(size) if bits[number // 8] >> number % 8 & 1]


def kept_text(size: int, kept: Iterable[int]) -> str:
    """Return the inputs that a network uses as text: the inverse of `kept_inputs`."""
    bits = bytearray((size + 7) // 8)
    for number in kept:
        bits[number // 8] |= 1 << number % 8
    return base64.b64encode(bits).decode()


def bound_features(
    game: Game, features: Mapping[str, Any]
) -> FieldFeatures | NativeFeatures | FunctionFeatures | PlainFeatures:
    """Return what a network sees of the positions of a game; ValueError or TypeError if that does not fit."""
    kind = features["kind"]
    if kind == "fields" and game.layout is not None:
        rows = [Feature(*row) for row in features["fields"]]
        return FieldFeatures(game.seats, *field_tables(game.layout, game.FIELDS, game.seats, rows))
    if kind == "function" and game.n_features == features["count"] != 0:
        return NativeFeatures(game)
    if kind == "function" and hasattr(game, "features"):
        return FunctionFeatures(game.features, game.seats, features["count"])
    if kind == "plain" and game.layout is None:
        import msgspec

        return PlainFeatures(msgspec.to_builtins, game.seats, features["paths"])
    raise ValueError(f"it sees the game in a way ({kind!r}) that {game.name} does not have")
