"""The record of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiplay.errors import RecordError
from aiplay.fields import decode_json, encode_json

__all__ = ["Record"]


@dataclass(frozen=True)
class Record:
    """The moves of a game with its options and seed: enough to replay it exactly."""

    game: str
    options: Mapping[str, Any]
    seed: int
    moves: Sequence[int] = field(repr=False)
    players: Sequence[str] = ()  # specification of the player of every seat, if known

    def to_json(self) -> str:
        """Return the record as JSON."""
        document: dict[str, Any] = {
            "game": self.game,
            "options": dict(self.options),
            "seed": self.seed,
            "moves": list(self.moves),
        }
        if self.players:
            document["players"] = list(self.players)
        return encode_json(document)

    @classmethod
    def from_json(cls, text: str | bytes) -> Record:
        """Return the record that `to_json` wrote; RecordError if the text is not a record."""
        document = decode_json(text, ("game", "options", "seed", "moves"), RecordError, ("players",))
        kinds = {"game": str, "options": dict, "seed": int, "moves": list, "players": list}
        for key, value in document.items():
            if type(value) is not kinds[key]:
                raise RecordError(f"{key} has to be {kinds[key].__name__}, not {type(value).__name__}")
        if any(type(move) is not int for move in document["moves"]):
            raise RecordError("moves has to be a list of whole numbers")
        if any(type(player) is not str for player in document.get("players", ())):
            raise RecordError("players has to be a list of texts")
        return cls(**document)
