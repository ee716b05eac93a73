"""Strategy files: how often to make each move, for everything that a seat can know in a game.

A file is JSON. Its description says for which game it was learned, and how; ``strategies`` has the shares of the legal
moves of every information set, by a digest of the view of the seat to move.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from aiplay._core.game import Game, View
from aiplay._core.stream import RandomStream, seed_below
from aiplay._core.typedefs import CHANCE
from aiplay.errors import StrategyError
from aiplay.files import allowed_path, read_file, write_file
from aiplay.options import titled

__all__ = ["Strategy", "fingerprint", "key_of"]

FORMAT = 1  # of the file
MAX_BYTES = 2**29  # of a file
DIGITS = 6  # of shares
SAMPLE = 16  # random games that tell two versions of a game apart
KEY_BYTES, PRINT_BYTES = 8, 8
DESCRIBED = {"format": int, "game": str, "options": dict, "fingerprint": str, "strategies": dict}


class Strategy:
    """The strategy of a file: `description` says how it was made, `policy` how often to make each move of a view."""

    def __init__(self, description: Mapping[str, Any], shares: Mapping[str, tuple[float, ...]]) -> None:
        self.description, self.shares = dict(description), shares
        self._known: Game | None = None  # the last game that it fits

    @classmethod
    def of_game(cls, game: Game, shares: Mapping[str, tuple[float, ...]], **made: object) -> Strategy:
        """Return a new strategy; `made` says how it was learned."""
        origin = {"game": game.name, "options": dict(game.options), "fingerprint": fingerprint(game)}
        return cls({"format": FORMAT, **origin, **made}, shares)

    def policy(self, view: View) -> dict[int, float] | None:
        """Return how often to make each legal move of a view whose seat is to move; None if the file does not know."""
        self.require(view.game)
        shares, moves = self.shares.get(key_of(view)), view.legal_moves()
        return dict(zip(moves, shares, strict=True)) if shares and len(shares) == len(moves) else None

    def require(self, game: Game) -> None:
        """Raise StrategyError if the strategy was learned for another game, other options, or another version."""
        if self._known is not None and self._known == game:
            return
        known = self.description
        learned = f"the strategy was learned for {titled(known['game'], known['options'])}"
        if (known["game"], known["options"]) != (game.name, dict(game.options)):
            raise StrategyError(f"{learned}, not for {titled(game.name, game.options)}")
        if known["fingerprint"] != fingerprint(game):
            raise StrategyError(f"{learned} with other rules than this version has: learn it again")
        self._known = game

    def write(self, path: str | Path) -> None:
        """Write the file, completely or not at all."""
        rounded = {key: [round(one, DIGITS) for one in shares] for key, shares in sorted(self.shares.items())}
        write_file(path, json.dumps({**self.description, "strategies": rounded}, indent=None) + "\n")

    @classmethod
    def read(cls, path: str | Path) -> Strategy:
        """Return the strategy of a file; StrategyError if it is none, or of another format."""
        found = allowed_path(os.fspath(path))
        try:
            facts = os.stat(found)
            return _read(found, facts.st_mtime_ns, facts.st_size)
        except OSError as problem:
            raise StrategyError(f"{path}: {problem.strerror}") from None


@lru_cache(maxsize=8)
def _read(path: str, changed: int, size: int) -> Strategy:
    try:
        document = json.loads(read_file(path, MAX_BYTES))
    except (ValueError, RecursionError):
        raise StrategyError(f"{path} is not a strategy file, as `aiplay learn` writes it") from None
    try:
        _check(document)
        shares = {key: _normalised(weights) for key, weights in document.pop("strategies").items()}
    except (TypeError, ValueError) as problem:
        raise StrategyError(f"{path} is not a strategy file: {problem}") from None
    return Strategy(document, shares)


def _check(document: Any) -> None:
    if not isinstance(document, dict):
        raise ValueError("an object is expected")
    for name, kind in DESCRIBED.items():
        if type(document.get(name)) is not kind:
            raise ValueError(f"the entry {name!r} is missing or of another type")
    if document["format"] != FORMAT:
        raise ValueError(f"its format is {document['format']}; allowed: {FORMAT}")


def _normalised(weights: list[float]) -> tuple[float, ...]:
    """Return shares with sum 1; ValueError if they are none."""
    if not all(type(one) in (int, float) and 0 <= one <= 1 for one in weights):
        raise ValueError("a share is not a number from 0 to 1")
    total = math.fsum(weights)
    if not 0.99 < total < 1.01:
        raise ValueError(f"the shares of an information set add up to {total}; allowed: 1")
    return tuple(one / total for one in weights)


def key_of(view: View) -> str:
    """Return the key of a view: the same in every process and on every machine."""
    return hashlib.blake2b(bytes([view.seat]) + view.to_bytes(), digest_size=KEY_BYTES).hexdigest()


@lru_cache(maxsize=64)
def fingerprint(game: Game) -> str:
    """Return a digest of random games: it changes if the rules or the views of a game change."""
    digest = hashlib.blake2b(digest_size=PRINT_BYTES)
    for number in range(SAMPLE):
        for view in _random_game(game, seed_below(0, number)):
            digest.update(key_of(view).encode() + repr(view.legal_moves()).encode())
    return digest.hexdigest()


def _random_game(game: Game, seed: int) -> Iterator[View]:
    """Yield the views of the seats to move in a random game, 200 moves at most."""
    stream, state = RandomStream(seed), game.new_state()
    for _ in range(200):
        if state.is_over:
            break
        if state.to_move == CHANCE:
            state.play_chance(stream)
            continue
        yield state.view(state.to_move)
        state.play(stream.choice(state.legal_moves()))
