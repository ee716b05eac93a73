"""The answers of the protocol as types, and the functions that make them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from aiplay._core.game import Game, View
from aiplay.analysis import Analysis, MoveAnalysis
from aiplay.catalogue import Catalogue
from aiplay.engine import messages
from aiplay.engine.messages import Id
from aiplay.options import Option
from aiplay.parts import Parts
from aiplay.rating import PersonRating
from aiplay.story import Event
from aiplay.table import Table

__all__ = [
    "ANSWERS",
    "SHOWN",
    "AnalyseAnswer",
    "Answer",
    "ChooseAnswer",
    "CloseAnswer",
    "ErrorAnswer",
    "EventsAnswer",
    "ForgetAnswer",
    "GamesAnswer",
    "HintAnswer",
    "LegalMovesAnswer",
    "MoveFields",
    "NewTableAnswer",
    "NextLevelAnswer",
    "PlayAnswer",
    "RecordAnswer",
    "TerminateAnswer",
    "UndoAnswer",
    "VersionAnswer",
    "ViewAnswer",
    "WarningAnswer",
    "analyse_answer",
    "explain_answer",
    "game_fields",
    "hint_answer",
    "move_fields",
    "next_level_answer",
    "shorten",
    "turn_fields",
]

SHOWN = 80  # characters of a client's value that a message repeats
GOOD = 0.1  # a hint has no move whose value is further below that of the best one


class Answer(Struct, kw_only=True):
    """An answer: the id of its query (null if the line had none), and false if it failed."""

    id: Id | None = None
    ok: bool = True


class ErrorAnswer(Answer, kw_only=True):
    """A query cannot be answered: what is wrong, what is allowed, and in which field."""

    ok: bool = False
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
    low: float | None  # of a number
    high: float | None
    choices: list[str]  # of a text; empty: any
    allowed: str  # the same in words
    about: str


class SeatsFields(Struct, kw_only=True):
    """The numbers of seats that a game can have, and the number with these options."""

    low: int
    high: int
    now: int


class GameFields(Struct, kw_only=True):
    """A game with its options."""

    name: str
    about: str
    seats: SeatsFields
    chance: bool
    hidden: bool
    cooperative: bool
    options: list[OptionFields]
    labels: dict[str, list[str]]  # names of cards, places, phases ... in the order of their numbers in a view
    catalogue: Catalogue | None  # null: not asked for
    rules: str | None
    scene_schema: dict[str, Any] | None


class GamesAnswer(Answer, kw_only=True):
    """The games that can be played."""

    games: list[GameFields]


class TurnAnswer(Answer, kw_only=True):
    """The seat to move (-4: the game is over), the moves so far, and the returns at the end."""

    to_move: int
    over: bool
    returns: list[float] | None
    ply: int  # moves so far, those of chance included


class NewTableAnswer(TurnAnswer, kw_only=True):
    """The new table."""

    table: str
    game: str
    options: dict[str, Any]
    seed: int
    seats: int


class ViewAnswer(Answer, kw_only=True):
    """The view of a seat: as fields, as a scene and as text, and the seat to move."""

    view: messages.ViewFields
    scene: Any
    text: str
    to_move: int
    ply: int


class MoveFields(Struct, kw_only=True):
    """A move: number, notation and parts."""

    move: int
    text: str
    parts: Parts


class LegalMovesAnswer(Answer, kw_only=True):
    """The legal moves of the seat; none if it is not its turn."""

    seat: int
    to_move: int
    moves: list[MoveFields]


class EventsAnswer(Answer, kw_only=True):
    """The events at a table; seat -1 is chance."""

    events: Sequence[Event]
    ply: int  # for the next query: `since`


class PlayAnswer(TurnAnswer, kw_only=True):
    """The move that was made, and what an observer noticed of it and of what chance decided after it."""

    move: int
    text: str
    parts: Parts
    events: Sequence[Event] | None  # null: for nobody


class UndoAnswer(TurnAnswer, kw_only=True):
    """The move that was taken back."""

    undone: int


class RecordAnswer(Answer, kw_only=True):
    """The record of a table."""

    record: messages.RecordFields


class ChooseAnswer(Answer, kw_only=True):
    """The move that a player chose, and the token that repeats its search (empty if it cannot be repeated)."""

    move: int
    text: str
    parts: Parts
    seconds: float
    token: str


class MoveValue(MoveFields, kw_only=True):
    """A move with its value."""

    visits: int
    value: float
    margin: float  # the standard error of the value; 0 if it is exact or unknown
    proven: bool


class AnalyseAnswer(Answer, kw_only=True):
    """Every move with its value, best first; `partial` while the search is running."""

    partial: bool
    seat: int
    move: int
    moves: list[MoveValue]
    line: Sequence[str]
    odds: Sequence[float]
    iterations: int
    nodes: int
    worlds: int
    depth: int
    seconds: float
    token: str  # repeats the search; empty if it cannot be repeated, and in partial answers


class ExplainAnswer(Answer, kw_only=True):
    """One move compared with the others."""

    move: int
    text: str
    parts: Parts
    rank: int
    of: int
    value: float
    margin: float
    visits: int
    best: MoveValue
    loss: float
    line: Sequence[str]
    verdict: str
    seconds: float


class HintAnswer(Answer, kw_only=True):
    """A few good moves, in the order of their numbers."""

    seat: int
    moves: list[MoveFields]
    seconds: float


class ForgetAnswer(Answer, kw_only=True):
    """The player that was forgotten."""

    forgotten: str


class NextLevelAnswer(Answer, kw_only=True):
    """The level that gives a person an even chance, and the rating behind it, on the Elo scale of the game's levels."""

    level: int
    rating: float
    margin: float  # the standard error of the rating
    chances: list[float]  # the expected score against each level, from level 1 on


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
    messages.Events: EventsAnswer,
    messages.Undo: UndoAnswer,
    messages.Record: RecordAnswer,
    messages.Choose: ChooseAnswer,
    messages.Analyse: AnalyseAnswer,
    messages.Explain: ExplainAnswer,
    messages.Hint: HintAnswer,
    messages.Forget: ForgetAnswer,
    messages.NextLevel: NextLevelAnswer,
    messages.Close: CloseAnswer,
    messages.Terminate: TerminateAnswer,
}


def shorten(value: object) -> str:
    """Return a value that a client sent for a message, shortened if it is long."""
    text = repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def turn_fields(table: Table) -> dict[str, Any]:
    """Return the fields of a `TurnAnswer`."""
    over, returns = table.over, table.returns() if table.over else None
    return {"to_move": table.to_move, "over": over, "returns": returns, "ply": len(table.moves)}


def game_fields(game: Game, query: messages.Games) -> GameFields:
    """Describe a game and its options, with what the query asks for."""
    low, high = game.seat_range
    return GameFields(
        name=game.name,
        about=(type(game).__doc__ or "").partition("\n")[0],
        seats=SeatsFields(low=low, high=high, now=game.seats),
        chance=game.has_chance,
        hidden=game.has_hidden,
        cooperative=game.is_cooperative,
        options=[_option_fields(option) for option in game.OPTIONS],
        labels={name: list(names) for name, names in game.labels.items()},
        catalogue=game.catalogue if query.catalogue else None,
        rules=game.rules if query.rules else None,
        scene_schema=game.scene_schema if query.scene_schema else None,
    )


def _option_fields(option: Option) -> OptionFields:
    is_number = option.type in (int, float)
    return OptionFields(
        name=option.name,
        default=option.default,
        low=option.low if is_number and math.isfinite(option.low) else None,
        high=option.high if is_number and math.isfinite(option.high) else None,
        choices=list(option.choices),
        allowed=option.allowed,
        about=option.doc,
    )


def move_fields(view: View, move: int) -> MoveFields:
    """Return a legal move with its notation and parts."""
    return MoveFields(move=move, text=view.move_text(move), parts=view.move_parts(move))


def _move_value(view: View, found: MoveAnalysis) -> MoveValue:
    return MoveValue(
        move=found.move,
        text=found.text,
        parts=view.move_parts(found.move),
        visits=found.visits,
        value=found.value,
        margin=found.error,
        proven=found.proven,
    )


def analyse_answer(view: View, analysis: Analysis, *, is_partial: bool) -> AnalyseAnswer:
    """Return an analysis as an answer."""
    return AnalyseAnswer(
        partial=is_partial,
        seat=analysis.seat,
        move=analysis.best,
        moves=[_move_value(view, found) for found in analysis.moves],
        line=analysis.line,
        odds=analysis.odds,
        iterations=analysis.iterations,
        nodes=analysis.nodes,
        worlds=analysis.worlds,
        depth=analysis.depth,
        seconds=analysis.seconds,
        token=analysis.token,
    )


def explain_answer(view: View, analysis: Analysis, move: int) -> ExplainAnswer:
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
        parts=view.move_parts(move),
        rank=place + 1,
        of=len(analysis.moves),
        value=this.value,
        margin=this.error,
        visits=this.visits,
        best=_move_value(view, best),
        loss=best.value - this.value,
        line=analysis.line if place == 0 else (),
        verdict=verdict,
        seconds=analysis.seconds,
    )


def next_level_answer(game: Game, results: Sequence[messages.ResultFields]) -> NextLevelAnswer:
    """Return the level for a person's next game."""
    rating = PersonRating(game, [{"level": result.level, "score": result.score} for result in results])
    return NextLevelAnswer(
        level=rating.next_level, rating=rating.rating, margin=rating.error, chances=rating.chances
    )


def hint_answer(view: View, analysis: Analysis, count: int) -> HintAnswer:
    """Return the best moves of an analysis, without the order and the values that would give away the best one."""
    least = analysis.moves[0].value - GOOD
    good = [found.move for found in analysis.moves[:count] if found.value >= least]
    moves = [move_fields(view, move) for move in sorted(good)]
    return HintAnswer(seat=view.seat, moves=moves, seconds=analysis.seconds)
