"""Connect four."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiplay._core.games.connect_four import CELLS, COLUMN_BITS, COLUMNS, ROWS, SEATS, ConnectFourCore
from aiplay.errors import InvalidStateError
from aiplay.fields import Field
from aiplay.parts import Verb

if TYPE_CHECKING:
    from aiplay._core.game import Position
    from aiplay.catalogue import Entry
    from aiplay.games.connect_four_scene import ConnectFourScene

__all__ = ["ConnectFour"]

# Bits from a cell to its neighbour above, diagonally down, to the right, diagonally up.
STEPS = (1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1)


class ConnectFour(ConnectFourCore):
    """Connect four: drop stones into seven columns of six; four in a row win. Notation: the column, 1-7."""

    name = "connect_four"
    returns_sum = 0.0
    VERBS = {"drop": Verb("{column}", "Drop a stone into a column; it falls onto the stones that are there.")}
    FIELDS = {
        "stones": Field(
            0,
            2 ** (COLUMN_BITS * COLUMNS - 1) - 1,
            "a bit for every stone of each seat: bit 7 * column + row, row 0 at the bottom",
            bits=1,
            seat_axis=0,
        ),
        "n_stones": Field(0, CELLS, "stones on the board"),
        "winner": Field(0, SEATS, "1 + the seat that has four in a row, 0 for nobody", seats_at=(1,)),
    }

    def check(self, fields: Any, seat: int | None) -> None:
        """No stone floats, seats alternate, and only the last seat to move can have four in a row."""
        stones, n_stones = fields["stones"], fields["n_stones"]
        if stones[0] & stones[1]:
            raise InvalidStateError("field 'stones': both seats have a stone on one cell")
        for column in range(COLUMNS):
            pile = (stones[0] | stones[1]) >> COLUMN_BITS * column & (1 << COLUMN_BITS) - 1
            if pile & (pile + 1) or pile >> ROWS:
                raise InvalidStateError(f"field 'stones': column {column + 1} has a gap or too many stones")
        if [bits.bit_count() for bits in stones] != [(n_stones + 1) // 2, n_stones // 2]:
            counts = " and ".join(str(bits.bit_count()) for bits in stones)
            raise InvalidStateError(f"field 'n_stones' is {n_stones}; the seats have {counts} stones")
        fours = [owner for owner in range(SEATS) if _has_four(stones[owner])]
        winner = int(fields["winner"])
        if fours != ([winner - 1] if winner else []) or (winner and (n_stones - 1) % 2 != winner - 1):
            raise InvalidStateError(f"field 'winner' is {winner}; it does not fit the stones")

    def move_parts(self, position: Position, move: int) -> dict[str, Any]:
        """The column, 1-7 from the left."""
        return {"verb": "drop", "column": move + 1}

    def scene_type(self) -> type[ConnectFourScene]:
        """The stones of every column, the seat to move, the winner."""
        from aiplay.games.connect_four_scene import ConnectFourScene

        return ConnectFourScene

    def scene_of(self, position: Position) -> ConnectFourScene:
        """The stones of every column, the seat to move, the winner."""
        from aiplay.games.connect_four_scene import scene_of

        return scene_of(position)

    def fields_of_scene(self, scene: ConnectFourScene, seat: int | None) -> dict[str, Any]:
        """The stones as bits."""
        from aiplay.games.connect_four_scene import fields_of

        fields = fields_of(scene)
        winners = [owner + 1 for owner, stones in enumerate(fields["stones"]) if _has_four(stones)]
        return {**fields, "winner": winners[0] if winners else 0}

    def things(self) -> dict[str, list[Entry]]:
        """The stones."""
        from aiplay.catalogue import Entry

        about = "Lies where it fell; four of one seat in a row, a column or a diagonal win."
        return {"stone": [Entry(name="stone", about=about, facts={"each seat": CELLS // SEATS})]}

    def render(self, position: Position) -> str:
        """The board: x is seat 0, o is seat 1."""
        first, second = position.to_fields()["stones"]
        rows = [
            " ".join(
                "x" if first >> bit & 1 else "o" if second >> bit & 1 else "."
                for bit in range(row, COLUMN_BITS * COLUMNS, COLUMN_BITS)
            )
            for row in reversed(range(ROWS))
        ]
        return "\n".join([*rows, " ".join(str(column + 1) for column in range(COLUMNS))])


def _has_four(stones: int) -> bool:
    return any(stones & stones >> step & stones >> 2 * step & stones >> 3 * step for step in STEPS)
