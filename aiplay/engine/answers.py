"""The answers of the protocol as types, and the functions that make them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

import aiplay
from aiplay.analysis import Analysis, MoveAnalysis
from aiplay.engine import messages
from aiplay.engine.messages import Id
from aiplay.table import Table

__all__ = [
    "ANSWERS",
    "SHOWN",
    "AnalyseAnswer",
    "Answer",
    "ChooseAnswer",
    "CloseAnswer",
    "ErrorAnswer",
    "GamesAnswer",
    "LegalMovesAnswer",
    "MoveFields",
    "NewTableAnswer",
    "PlayAnswer",
    "TerminateAnswer",
    "UndoAnswer",
    "VersionAnswer",
    "ViewAnswer",
    "WarningAnswer",
    "analyse_answer",
    "explain_answer",
    "game_fields",
    "shorten",
    "turn_fields",
]

SHOWN = 80  # characters of a client's value that a message repeats


class Answer(Struct, kw_only=True):
    """An answer: the id of its query, null if the line had none."""

    id: Id | None = None


class ErrorAnswer(Answer, kw_only=True):
    """A query cannot be answered: what is wrong, what is allowed, and in which field."""

    error: str
    field: str | None = None


class WarningAnswer(Answer, kw_only=True):
    """A query is answered, but one of its fields is suspicious."""

    warning: str
    field: str


class VersionAnswer(Answer, kw_only=True):
    """The versions of aiplay and of the protocol."""

    version: str
    protocol: int


class OptionFields(Struct, kw_only=True):
    """An option of a game."""

    name: str
    default: Any
    allowed: str
    about: str


class GameFields(Struct, kw_only=True):
    """A game with its default options."""

    name: str
    seats: int
    chance: bool
    hidden: bool
    cooperative: bool
    options: list[OptionFields]


class GamesAnswer(Answer, kw_only=True):
    """The games that can be played."""

    games: list[GameFields]


class TurnAnswer(Answer, kw_only=True):
    """The seat to move (-4: the game is over), and the returns at the end."""

    to_move: int
    over: bool
    returns: list[float] | None


class NewTableAnswer(TurnAnswer, kw_only=True):
    """The new table."""

    table: str
    seed: int
    seats: int


class ViewAnswer(Answer, kw_only=True):
    """The view of a seat, as fields and as text, and the seat to move."""

    view: messages.ViewFields
    text: str
    to_move: int


class MoveFields(Struct, kw_only=True):
    """A move: number and notation."""

    move: int
    text: str


class LegalMovesAnswer(Answer, kw_only=True):
    """The legal moves of the seat; none if it is not its turn."""

    seat: int
    to_move: int
    moves: list[MoveFields]


class PlayAnswer(TurnAnswer, kw_only=True):
    """The move that was made."""

    move: int
    text: str


class UndoAnswer(TurnAnswer, kw_only=True):
    """The move that was taken back."""

    undone: int


class ChooseAnswer(Answer, kw_only=True):
    """The move that a player chose."""

    move: int
    text: str
    seconds: float


class AnalyseAnswer(Answer, kw_only=True):
    """Every move with its value, best first; `partial` while the search is running."""

    partial: bool
    seat: int
    move: int
    moves: Sequence[MoveAnalysis]
    line: Sequence[str]
    odds: Sequence[float]
    iterations: int
    nodes: int
    worlds: int
    depth: int
    seconds: float


class ExplainAnswer(Answer, kw_only=True):
    """One move compared with the others."""

    move: int
    text: str
    rank: int
    of: int
    value: float
    error: float
    visits: int
    best: MoveAnalysis
    loss: float
    line: Sequence[str]
    verdict: str
    seconds: float


class CloseAnswer(Answer, kw_only=True):
    """The table that was closed."""

    closed: str


class TerminateAnswer(Answer, kw_only=True):
    """The queries that were still running or waiting."""

    terminated: list[Id]


ANSWERS: dict[type[messages.Query], type[Answer]] = {
    messages.Version: VersionAnswer,
    messages.Games: GamesAnswer,
    messages.NewTable: NewTableAnswer,
    messages.View: ViewAnswer,
    messages.LegalMoves: LegalMovesAnswer,
    messages.Play: PlayAnswer,
    messages.Undo: UndoAnswer,
    messages.Choose: ChooseAnswer,
    messages.Analyse: AnalyseAnswer,
    messages.Explain: ExplainAnswer,
    messages.Close: CloseAnswer,
    messages.Terminate: TerminateAnswer,
}


def shorten(value: object) -> str:
    """Return a value that a client sent for a message, shortened if it is long."""
    text = repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def turn_fields(table: Table) -> dict[str, Any]:
    """Return the fields of a `TurnAnswer`."""
    over = table.over
    return {"to_move": table.to_move, "over": over, "returns": table.returns() if over else None}


def game_fields(name: str) -> GameFields:
    """Describe a game and its options."""
    game = aiplay.load_game(name)
    return GameFields(
        name=name,
        seats=game.seats,
        chance=game.has_chance,
        hidden=game.has_hidden,
        cooperative=game.is_cooperative,
        options=[
            OptionFields(name=option.name, default=option.default, allowed=option.allowed, about=option.doc)
            for option in game.OPTIONS
        ],
    )


def analyse_answer(analysis: Analysis, *, is_partial: bool) -> AnalyseAnswer:
    """Return an analysis as an answer."""
    return AnalyseAnswer(
        partial=is_partial,
        seat=analysis.seat,
        move=analysis.best,
        moves=analysis.moves,
        line=analysis.line,
        odds=analysis.odds,
        iterations=analysis.iterations,
        nodes=analysis.nodes,
        worlds=analysis.worlds,
        depth=analysis.depth,
        seconds=analysis.seconds,
    )


def explain_answer(analysis: Analysis, move: int) -> ExplainAnswer:
    """Compare one legal move with the best one of an analysis."""
    place = next(index for index, entry in enumerate(analysis.moves) if entry.move == move)
    this, best = analysis.moves[place], analysis.moves[0]
    verdict = (
        f"{this.text} is the best move: {this.value:.1%}"
        if place == 0
        else f"{this.text} is number {place + 1} of {len(analysis.moves)}: {this.value:.1%}, "
        f"{best.text} is better with {best.value:.1%}"
    )
    return ExplainAnswer(
        move=move,
        text=this.text,
        rank=place + 1,
        of=len(analysis.moves),
        value=this.value,
        error=this.error,
        visits=this.visits,
        best=best,
        loss=best.value - this.value,
        line=analysis.line if place == 0 else (),
        verdict=verdict,
        seconds=analysis.seconds,
    )
