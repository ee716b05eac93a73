"""Bots for front ends that have their own rules: they pass what a seat knows, and get a move.

Two small games stand for yours. Their rules do not use aiplay; the two functions `*_scene` are all that a bot needs.
`python examples/own_rules.py` plays a game of each; tests/test_embedding.py compares the rules with ours move by move.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import aiplay

# ---- Connect four: a board of text, as on a terminal -------------------------------------------------------


@dataclass
class Board:
    """Rows from the top, "." is empty, seat 0 plays "x" and seat 1 "o"."""

    rows: list[list[str]] = field(default_factory=lambda: [["."] * 7 for _ in range(6)])
    winner: str | None = None

    @property
    def turn(self) -> int:
        """The seat that drops the next stone."""
        return sum(stone != "." for row in self.rows for stone in row) % 2

    @property
    def is_over(self) -> bool:
        return self.winner is not None or not self.moves()

    def moves(self) -> list[str]:
        """The columns that are not full, counted from 1."""
        return [str(column + 1) for column in range(7) if self.rows[0][column] == "."]

    def drop(self, move: str) -> None:
        stone, column = "xo"[self.turn], int(move) - 1
        row = max(row for row in range(6) if self.rows[row][column] == ".")
        self.rows[row][column] = stone
        starts = ((row, column, *step) for row in range(6) for column in range(7) for step in STEPS)
        if any(self._is_four(stone, *start) for start in starts):
            self.winner = stone

    def _is_four(self, stone: str, row: int, column: int, down: int, right: int) -> bool:
        cells = [(row + i * down, column + i * right) for i in range(4)]
        return all(0 <= y < 6 and 0 <= x < 7 and self.rows[y][x] == stone for y, x in cells)


STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def board_scene(board: Board) -> dict[str, Any]:
    """The scene of the board in aiplay: the stones of every column from the bottom, by their seats."""
    columns = zip(*reversed(board.rows), strict=True)
    return {"columns": [["xo".index(stone) for stone in column if stone != "."] for column in columns]}


# ---- Leduc poker: a server that knows all cards, and the messages it sends to each seat --------------------

DECK = ["Js", "Jh", "Qs", "Qh", "Ks", "Kh"]


@dataclass
class Poker:
    """The server's own state."""

    deck: list[str]
    hands: list[str] = field(init=False)
    board: str | None = None
    street: int = 0  # 0 before the board, 1 after it, 2 showdown
    bets: list[int] = field(default_factory=lambda: [1, 1])
    raises: int = 0
    actions: int = 0
    turn: int = 0
    folded: int | None = None
    opener: int | None = None  # raised first before the board

    def __post_init__(self) -> None:
        self.hands = [self.deck.pop(), self.deck.pop()]

    @property
    def is_over(self) -> bool:
        return self.folded is not None or self.street == 2

    def moves(self) -> list[str]:
        fold = ["fold"] if self.bets[self.turn] < self.bets[1 - self.turn] else []
        return [*fold, "call", *(["raise"] if self.raises < 2 else [])]

    def act(self, move: str) -> None:
        seat, other = self.turn, 1 - self.turn
        self.actions += 1
        if move == "fold":
            self.folded = seat
            return
        self.bets[seat], self.turn = self.bets[other], other
        if move == "raise":
            self.bets[seat] += (2, 4)[self.street]
            self.raises += 1
            if self.street == 0 and self.opener is None:
                self.opener = seat
        elif self.actions > 1:
            self.street, self.raises, self.actions, self.turn = self.street + 1, 0, 0, 0
            self.board = self.board or self.deck.pop()

    def seen_by(self, seat: int) -> dict[str, Any]:
        """The message that the server sends to a seat: all that its client, or a bot, may know."""
        public = ("board", "street", "bets", "raises", "actions", "turn", "folded", "opener")
        return {"you": seat, "hand": self.hands[seat], **{name: getattr(self, name) for name in public}}


def poker_scene(message: dict[str, Any]) -> dict[str, Any]:
    """The scene of a seat's message in aiplay: None for a card that the seat does not know."""
    return {
        "seats": [
            {"card": message["hand"] if seat == message["you"] else None, "chips": chips}
            for seat, chips in enumerate(message["bets"])
        ],
        "board": message["board"],
        "round": ("first", "second", "showdown")[message["street"]],
        "turn": message["turn"],
        "raises": message["raises"],
        "folded": message["folded"],
        "opener": message["opener"],
    }


# ---- The bot -----------------------------------------------------------------------------------------------


class Bot:
    """Gets what a seat knows and answers with a move in aiplay's notation."""

    def __init__(self, game: str, spec: str = "mcts:iterations=1000", seed: int | None = None) -> None:
        self.game, self.player = aiplay.load_game(game), aiplay.make_player(spec, seed)

    def answer(self, scene: dict[str, Any], seat: int) -> str:
        """Choose a move; aiplay.InvalidStateError says which entry of the scene is wrong."""
        view = self.game.view_from_scene(scene, seat)
        return view.move_text(self.player.choose(view))


def play_connect_four(seed: int) -> Board:
    """Play a game of a person (here: random moves) against the bot."""
    person, bot, board = random.Random(seed), Bot("connect_four", seed=seed), Board()
    while not board.is_over:
        board.drop(person.choice(board.moves()) if board.turn == 0 else bot.answer(board_scene(board), 1))
    return board


def play_poker(seed: int) -> Poker:
    """The same for poker; the bot gets the messages of its seat and never sees the server's state."""
    person, bot = random.Random(seed), Bot("leduc_poker", seed=seed)
    poker = Poker(person.sample(DECK, len(DECK)))
    while not poker.is_over:
        scene = poker_scene(poker.seen_by(poker.turn))
        poker.act(person.choice(poker.moves()) if poker.turn == 0 else bot.answer(scene, 1))
    return poker


if __name__ == "__main__":
    for row in play_connect_four(seed=1).rows:
        print(*row)
    print(play_poker(seed=1))
