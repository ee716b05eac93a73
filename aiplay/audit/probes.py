"""Two games in which there is nothing to do but to guess."""

from __future__ import annotations

from typing import NamedTuple

from aiplay._core.game import Position
from aiplay._core.stream import RandomStream
from aiplay.games.python_game import PythonGame

__all__ = ["FACES", "ROUNDS", "CardGuess", "DieGuess"]

FACES = 6  # of the die, and cards in the pack
ROUNDS = 3  # guesses of a game
HIDDEN = -1


class Guesses(NamedTuple):
    """The state of both games."""

    drawn: tuple[int, ...]  # rolls or cards so far; HIDDEN in a view
    guesses: tuple[int, ...]


class GuessGame(PythonGame):
    """Base of both games: the returns are the share of right guesses."""

    seats, max_moves, max_depth = 1, FACES, 2 * ROUNDS
    move_space = chance_space = FACES

    def setup(self) -> Guesses:
        """Return the state before the first round."""
        return Guesses((), ())

    def legal_moves(self, state: Guesses) -> range:
        """Return the guesses: always all."""
        return range(FACES)

    def chance_outcomes(self, state: Guesses) -> list[tuple[int, float]]:
        """Return the faces, all equally likely."""
        return [(face, 1 / FACES) for face in range(FACES)]

    def play(self, state: Guesses, move: int) -> Guesses:
        """Return the state after a guess or a draw."""
        if self.to_move(state) == self.CHANCE:
            return Guesses((*state.drawn, move), state.guesses)
        return Guesses(state.drawn, (*state.guesses, move))

    def returns(self, state: Guesses) -> list[float]:
        """Return the share of right guesses."""
        pairs = zip(state.drawn, state.guesses, strict=True)
        return [sum(drawn == guess for drawn, guess in pairs) / ROUNDS]

    def move_text(self, position: Position, move: int) -> str:
        """Return the face."""
        return str(move + 1)


class DieGuess(GuessGame):
    """Guess a die before it is rolled, three times."""

    name = "die_guess"

    def to_move(self, state: Guesses) -> int:
        """Return the seat before every roll."""
        if len(state.drawn) == ROUNDS:
            return self.TERMINAL
        return 0 if len(state.guesses) == len(state.drawn) else self.CHANCE


class CardGuess(GuessGame):
    """Guess a card that lies face down, three times; all are turned up at the end."""

    name = "card_guess"

    def to_move(self, state: Guesses) -> int:
        """Return the seat after every card."""
        if len(state.guesses) == ROUNDS:
            return self.TERMINAL
        return 0 if len(state.guesses) < len(state.drawn) else self.CHANCE

    def perceive(self, state: Guesses, move: int, seat: int) -> int | None:
        """Return a guess; a card is not seen."""
        return None if self.to_move(state) == self.CHANCE else move

    def conceal(self, state: Guesses, seat: int) -> Guesses:
        """Return the state with all cards face down."""
        return Guesses((HIDDEN,) * len(state.drawn), state.guesses)

    def determinise(self, view: Guesses, seat: int, stream: RandomStream) -> Guesses:
        """Return the state with any cards."""
        drawn = tuple(stream.below(FACES) if card == HIDDEN else card for card in view.drawn)
        return Guesses(drawn, view.guesses)
