"""Breakthrough (Dan Troyka, 2000), written in Python: pawns that capture diagonally, and a race to the other side.

Each seat begins with pawns on its first two rows. A pawn steps one square forward, straight or diagonally, onto an
empty square; diagonally it may also capture. Who reaches the last row, or captures all pawns, wins. There are no draws.

The game has no `evaluate`. `aiplay learn` finds one: see the README beside this file.
"""

from typing import NamedTuple

import aiplay
from aiplay.options import Option

SHIFTS = (-1, 0, 1)  # columns of a step


class Board(NamedTuple):
    """A set of squares for each seat, bit `row * size + column`; seat 0 begins at row 0 and moves up."""

    pawns: tuple[int, int]
    seat: int  # to move


class Breakthrough(aiplay.PythonGame):
    """Pawns that race to the other side."""

    name = "breakthrough"
    OPTIONS = (Option("size", 6, "rows and columns of the board", low=4, high=8),)
    returns_sum = 1.0

    def configure(self):
        size = self.size = self.options["size"]
        self.max_moves = 6 * size  # three for each pawn
        self.move_space = 3 * size * size
        self.max_depth = 2 * 2 * size * (size - 2)  # every move takes a pawn one row further
        rows = (1 << 2 * size) - 1
        self.start = Board((rows, rows << size * (size - 2)), 0)
        row = (1 << size) - 1
        self.last_rows = (row << size * (size - 1), row)

    def setup(self) -> Board:
        return self.start

    def to_move(self, state):
        other = 1 - state.seat  # only who has just moved can have won
        is_won = state.pawns[other] & self.last_rows[other] or not state.pawns[state.seat]
        return self.TERMINAL if is_won else state.seat

    def returns(self, state):
        return [float(state.seat == 1), float(state.seat == 0)]

    def target(self, seat, move):
        """The square that a move leads to, or None beyond the edge."""
        square, shift = move // 3, SHIFTS[move % 3]
        if not 0 <= square % self.size + shift < self.size:
            return None
        return square + shift + (self.size if seat == 0 else -self.size)

    def legal_moves(self, state):
        own, other = state.pawns[state.seat], state.pawns[1 - state.seat]
        moves = []
        for square in range(self.size * self.size):
            if own >> square & 1:
                for step in range(3):
                    to = self.target(state.seat, 3 * square + step)
                    if to is not None and not (own if step != 1 else own | other) >> to & 1:
                        moves.append(3 * square + step)
        return moves

    def play(self, state, move):
        seat, to = state.seat, 1 << self.target(state.seat, move)
        pawns = list(state.pawns)
        pawns[seat] = pawns[seat] & ~(1 << move // 3) | to
        pawns[1 - seat] &= ~to
        return Board((pawns[0], pawns[1]), 1 - seat)

    def features(self, state, seat):
        """The pawns of `seat`, then those of the other, as seen from behind the own ones."""
        squares = range(self.size * self.size)
        if seat == 1:
            squares = squares[::-1]
        return [float(state.pawns[at] >> square & 1) for at in (seat, 1 - seat) for square in squares]

    def square_text(self, square):
        return "abcdefgh"[square % self.size] + str(square // self.size + 1)

    def move_text(self, position, move):
        to = self.target(position.fields.seat, move)
        return f"{self.square_text(move // 3)}-{self.square_text(to)}"

    def render(self, position):
        pawns = position.fields.pawns
        signs = {(0, 0): ".", (1, 0): "x", (0, 1): "o"}
        rows = []
        for row in reversed(range(self.size)):
            squares = range(row * self.size, (row + 1) * self.size)
            line = [signs[pawns[0] >> square & 1, pawns[1] >> square & 1] for square in squares]
            rows.append(f"{row + 1} {' '.join(line)}")
        return "\n".join([*rows, "  " + " ".join("abcdefgh"[: self.size])])


if __name__ == "__main__":
    table = aiplay.Table(Breakthrough(), seed=1)
    players = [aiplay.make_player("mcts:iterations=200", seed=seat) for seat in range(2)]
    aiplay.play_game(table, players)
    print(table)
    print("winner:", "xo"[table.returns().index(1.0)])
