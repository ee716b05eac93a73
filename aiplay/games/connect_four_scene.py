"""Scenes of connect four."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType

from aiplay._core.games.connect_four import COLUMN_BITS, COLUMNS, ROWS, SEATS
from aiplay.errors import InvalidStateError
from aiplay.scene import Scene

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["ConnectFourScene", "fields_of", "scene_of"]


class ConnectFourScene(Scene):
    """Connect four: the stones of every column."""

    columns: list[list[int]]  # from the left; the seats of its stones, from the bottom
    to_move: int | UnsetType | None = UNSET  # None: the game is over
    winner: int | UnsetType | None = UNSET


def scene_of(position: Position) -> ConnectFourScene:
    """Return the scene of a position."""
    fields = position.to_fields()
    stones, winner = fields["stones"], fields["winner"]
    columns: list[list[int]] = [[] for _ in range(COLUMNS)]
    for column in range(COLUMNS):
        for row in range(ROWS):
            bit = COLUMN_BITS * column + row
            columns[column] += [owner for owner in range(SEATS) if stones[owner] >> bit & 1]
    return ConnectFourScene(
        columns=columns,
        to_move=None if position.is_over else position.to_move,
        winner=winner - 1 if winner else None,
    )


def fields_of(scene: ConnectFourScene) -> dict[str, Any]:
    """Return the fields of the position with a scene, but for the winner."""
    if len(scene.columns) != COLUMNS:
        raise InvalidStateError(f"the scene: columns has {len(scene.columns)} entries; allowed: {COLUMNS}")
    stones = [0] * SEATS
    for column, owners in enumerate(scene.columns):
        for row, owner in enumerate(owners):
            if owner not in range(SEATS) or row >= ROWS:
                raise InvalidStateError(
                    f"the scene: columns[{column}] is {owners}; allowed: up to {ROWS} times 0 or 1"
                )
            stones[owner] |= 1 << COLUMN_BITS * column + row
    n_stones = sum(len(owners) for owners in scene.columns)
    return {"stones": stones, "n_stones": n_stones}
