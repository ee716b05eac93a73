"""The referee: a state, a random stream that deals and rolls, and a record of the moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aiplay._core.game import Game, State, View
from aiplay._core.stream import RandomStream, check_seed
from aiplay._core.typedefs import CHANCE, TERMINAL
from aiplay.errors import AiplayError, IllegalMoveError, RecordError
from aiplay.players.base import Player
from aiplay.registry import load_game

if TYPE_CHECKING:
    from aiplay.record import Record
    from aiplay.story import Event

__all__ = ["Table", "play_game", "replay"]


class Table:
    """A game in progress: deals and rolls by itself, checks every move, and shows a seat only its view.

    >>> table = Table(load_game("leduc_poker"), seed=7)
    >>> table.play("call")
    1
    >>> table.to_move, table.over
    (1, False)
    """

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = _check_game(game)
        self.seed: int = check_seed(seed)
        self._stream = RandomStream(self.seed)
        self._state = game.new_state()
        self._moves: list[int] = []
        self.deal()

    @property
    def to_move(self) -> int:
        """The seat whose turn it is, or TERMINAL (-4)."""
        return self._state.to_move

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return self._state.to_move == TERMINAL

    @property
    def state(self) -> State:
        """A copy of the truth, for the referee only, never for a player."""
        return self._state.copy()

    def view(self, seat: int) -> View:
        """Return the view of `seat`: what it knows."""
        return self._state.view(seat)

    def legal_moves(self) -> list[int]:
        """Return the moves of the seat whose turn it is."""
        return self._state.legal_moves()

    def returns(self) -> list[float]:
        """Return the returns of every seat, when the game is over."""
        return self._state.returns()

    def play(self, move: int | str) -> int:
        """Make a move for the seat whose turn it is (number or notation), then let chance decide."""
        if self._state.to_move == CHANCE:  # only after `replay` to a ply at which chance is to move
            self.deal()
        played = self._state.play(move)
        self._moves.append(played)
        self.deal()
        return played

    def events(self, seat: int | None = None, since: int = 0) -> list[Event]:
        """Return what happened from ply `since` on, as `seat` noticed it (by default, as the referee did).

        The outcomes of chance are events too. Parts of a move that the seat does not know are None.

        >>> table = Table(load_game("pig"), seed=3)
        >>> ply = len(table.moves)
        >>> _ = table.play("roll")
        >>> [event.parts for event in table.events(seat=1, since=ply)]
        [{'verb': 'roll'}, {'verb': 'show', 'die': 1}]
        """
        if since < 0:
            raise ValueError(f"since is {since}; allowed: 0 or more")
        if seat is not None:
            self.view(seat)  # raises ValueError for a seat that the game does not have
        from aiplay.story import story

        return list(story(self.game, self._moves, seat, since))

    def undo(self) -> int:
        """Take back the last decision of a seat and all chance outcomes after it; return the move.

        Dice and cards fall the same way again, so undoing a move never buys another roll.
        """
        table, last = _begin(self.game, self.seed), -1
        for ply, move in enumerate(self._moves):
            if table._state.to_move != CHANCE:
                last = ply
            table._follow(move)
        if last < 0:
            raise IllegalMoveError("there is nothing to take back: no seat has moved yet")
        undone, kept = self._moves[last], self._moves[:last]
        table = _begin(self.game, self.seed)
        for move in kept:
            table._follow(move)
        self._state, self._stream, self._moves = table._state, table._stream, kept
        return undone

    @property
    def moves(self) -> tuple[int, ...]:
        """All moves so far, including those of chance."""
        return tuple(self._moves)

    @property
    def record(self) -> Record:
        """The record of the game so far."""
        from aiplay.record import Record  # here, not above: most tables are never recorded

        return Record(self.game.name, dict(self.game.options), self.seed, tuple(self._moves))

    def deal(self) -> None:
        """Let chance decide until a seat is to move; only needed after `replay` to a ply at which chance is to move."""
        state = self._state
        while state.to_move == CHANCE:
            self._moves.append(state.play_chance(self._stream))

    def _follow(self, move: int) -> None:
        """Make a recorded move, of a seat or of chance, and advance the random stream as the game did."""
        if self._state.to_move == CHANCE:
            self._state.copy().play_chance(self._stream)
        self._state.play(move)
        self._moves.append(move)

    def __str__(self) -> str:
        return str(self._state)

    def __repr__(self) -> str:
        return f"<Table {self.game.name}, seed {self.seed}, {len(self._moves)} moves>"


def _check_game(game: Game) -> Game:
    if not isinstance(game, Game):
        raise TypeError(f"game is {game!r}; allowed: a game, as load_game(name) makes one")
    return game


def _begin(game: Game, seed: int) -> Table:
    """Return a table before the first move, even of chance."""
    table = Table.__new__(Table)
    table.game, table.seed = game, seed
    table._stream, table._state, table._moves = RandomStream(seed), game.new_state(), []
    return table


def replay(record: Record | str | bytes, ply: int | None = None, game: Game | None = None) -> Table:
    """Return the table after `ply` moves of a record (by default, all of them).

    `game` is needed for games that `load_game` does not know by name. Up to `ply` the outcomes of chance are those of
    the record, and after it those that the recorded table would have had.
    """
    from aiplay.record import Record

    if not isinstance(record, Record):
        record = Record.from_json(record)
    if ply is not None and not 0 <= ply <= len(record.moves):
        raise RecordError(f"ply is {ply}; the record has 0 to {len(record.moves)}")
    table = _begin(_game_of(record, game), _seed_of(record))
    for number, move in enumerate(record.moves[:ply]):
        try:
            table._follow(move)
        except AiplayError as problem:
            raise RecordError(f"move {number} of the record: {problem}") from None
    return table


def _game_of(record: Record, game: Game | None) -> Game:
    """Return the game of a record; RecordError if `game` is given and is another one."""
    if game is None:
        try:
            return load_game(record.game, **record.options)
        except (AiplayError, TypeError) as problem:  # TypeError: an option name that is not allowed
            raise RecordError(f"the game of the record: {problem}") from None
    _check_game(game)
    if (game.name, dict(game.options)) != (record.game, dict(record.options)):
        raise RecordError(
            f"the record is of {record.game!r} with options {dict(record.options)}, not of {game!r}"
        )
    return game


def _seed_of(record: Record) -> int:
    try:
        return check_seed(record.seed)
    except ValueError as problem:
        raise RecordError(f"the seed of the record: {problem}") from None


def play_game(table: Table, players: Sequence[Player]) -> list[float]:
    """Let players, one for each seat, play a table to its end; return the returns of every seat."""
    if not isinstance(table, Table):
        raise TypeError(f"table is {table!r}; allowed: a table, as Table(game) makes one")
    for player in players:
        if not callable(getattr(player, "choose", None)):
            raise TypeError(f"player is {player!r}; allowed: a player, as make_player(spec) makes one")
    if len(players) != table.game.seats:
        raise ValueError(f"{table.game.name} has {table.game.seats} seats, {len(players)} players were given")
    while not table.over:
        seat = table.to_move
        table.play(players[seat].choose(table.view(seat)))
    return table.returns()
