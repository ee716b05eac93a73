"""Cases: two decisions of one seat in a game, asked again behind other truths and before other futures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from aiplay._core.game import Game, View
from aiplay._core.stream import RandomStream, seed_below
from aiplay.audit.subject import Answer, Subject
from aiplay.record import Record
from aiplay.table import Table, replay

__all__ = ["Case", "ask", "cases_of"]

LATEST = 400  # a case begins before this ply: a longer game takes long to replay


class Case(NamedTuple):
    """Two decisions of a seat, the second after an earlier search, and what the player answered.

    The player has the seed of the table: one that makes use of it has every chance to.
    """

    game: Game
    seat: int
    seed: int  # of the table and of the player
    moves: tuple[int, ...]  # up to the last decision
    plies: tuple[int, ...]  # of the decisions
    answers: tuple[Answer, ...]

    def place(self, number: int) -> str:
        """Return a decision for messages."""
        return f"seat {self.seat} after {self.plies[number]} moves of the table with seed {self.seed}"


def cases_of(game: Game, subject: Subject, games: int, seed: int) -> Iterator[Case]:
    """Yield a case for each game in which a seat has a choice: random moves up to there, then the player's."""
    for number in range(games):
        case = _case(game, subject, seed_below(seed, number))
        if case is not None:
            yield case


def _case(game: Game, subject: Subject, seed: int) -> Case | None:
    stream = RandomStream(seed_below(seed, 1))
    moves = _begin(game, seed, stream)
    if moves is None:
        return None
    table = _table(game, moves, seed)
    seat, player = table.to_move, subject.make(seed)
    plies, answers = [len(table.moves)], [_first_answer(subject, player, seed, table.view(seat))]
    table.play(answers[0][0])
    while not table.over and (table.to_move != seat or len(table.legal_moves()) == 1):
        table.play(stream.choice(table.legal_moves()))
    if not table.over:
        plies.append(len(table.moves))
        answers.append(subject.analysis(player, table.view(seat)))
    return Case(game, seat, seed, table.moves[: plies[-1]], tuple(plies), tuple(answers))


def _begin(game: Game, seed: int, stream: RandomStream) -> tuple[int, ...] | None:
    """Return the moves of a random game up to one of its decisions with a choice, or None if there is none."""
    table = Table(game, seed=seed)
    choices = []
    while not table.over and len(table.moves) < LATEST:
        moves = table.legal_moves()
        if len(moves) > 1:
            choices.append(len(table.moves))
        table.play(stream.choice(moves))
    return table.moves[: stream.choice(choices)] if choices else None


def ask(case: Case, subject: Subject, moves: Sequence[int], seed: int) -> tuple[Answer, ...]:
    """Return the answers of a new player with the seed of the case, at a table with other moves or another seed.

    There is one table at a time, and it holds the truth: a player that finds it can read it.
    """
    player = subject.make(case.seed)
    answers = []
    for number, ply in enumerate(case.plies):
        table = _table(case.game, moves[:ply], seed)
        view = table.view(case.seat)
        if number == 0:
            answers.append(_first_answer(subject, player, case.seed, view))
        else:
            answers.append(subject.analysis(player, view))
        del table
    return tuple(answers)


def _first_answer(subject: Subject, player: Any, seed: int, view: View) -> Answer:
    """Return what a player chooses, and what a new one with the same seed thinks of every move."""
    return (*subject.choice(player, view), *subject.analysis(subject.make(seed), view))


def _table(game: Game, moves: Sequence[int], seed: int) -> Table:
    return replay(Record(game.name, dict(game.options), seed, tuple(moves)), game=game)
