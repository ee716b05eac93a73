"""`aiplay play`: a game against bots, in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.options import (
    GameName,
    GameOptions,
    Seats,
    Seed,
    chosen_game,
    complete_player,
)

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.table import Table

__all__ = ["play"]

BOT = "mcts"
GAME = "illusio"


def play(
    game: GameName = GAME,
    seat: Annotated[
        int | None,
        typer.Option("--seat", metavar="N", min=0, help="Your seat; the first one is 0.", show_default="0"),
    ] = None,
    vs: Annotated[
        list[str] | None,
        typer.Option(
            "--vs",
            metavar="SPEC",
            help="A bot for all other seats; or repeat it, one for each of them in order.",
            show_default=BOT,
            autocompletion=complete_player,
        ),
    ] = None,
    players: Seats = None,
    option: GameOptions = None,
    seed: Seed = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE", help="A new file to keep the game in.", show_default=False),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume",
            metavar="FILE",
            help="Go on with a game that was saved, in its file.",
            show_default=False,
        ),
    ] = None,
    hint: Annotated[
        str | None,
        typer.Option(
            "--hint",
            metavar="SPEC",
            help="Who gives hints.",
            show_default="the first bot that thinks",
            autocompletion=complete_player,
        ),
    ] = None,
) -> None:
    """Play against bots in the terminal.

    You see what your seat sees, and so do they. Type the number of a move, the move itself, or its beginning; `help`
    lists the rest: hint, undo, save, quit.

    Example: aiplay play --game connect_four --vs mcts:time=1
    """
    from aiplay.cli.session import Session
    from aiplay.table import Table

    if resume is not None:
        _refuse_with_resume(resume, {"--players": players, "--option": option, "--seed": seed})
        table, names = _resumed(resume)
        if game not in (GAME, table.game.name):
            _refuse_with_resume(resume, {"--game": game})
    else:
        _refuse_to_overwrite(save)
        table, names = Table(chosen_game(game, players, option), seed=seed), []
    names, seat = _seated(table.game, names, seat, vs)
    file = resume if save is None else save
    raise typer.Exit(Session(table, seat, names, hint=hint or _adviser(names), file=file).run())


def _adviser(names: list[str]) -> str:
    """The first bot that can tell good moves from bad ones."""
    return next((name for name in names if name.partition(":")[0] not in ("human", "random")), BOT)


def _resumed(path: str) -> tuple[Table, list[str]]:
    """The table of a saved game, and who sat at it."""
    from aiplay.cli.files import read_table
    from aiplay.errors import RecordError

    record, table = read_table(path)
    table.deal()
    if len(record.players) not in (0, table.game.seats):
        seats = f"the game has {table.game.seats} seats"
        raise RecordError(f"{path}: players has {len(record.players)} entries; {seats}")
    return table, list(record.players)


def _refuse_with_resume(path: str, given: dict[str, object]) -> None:
    for name, value in given.items():
        if value is not None and value != []:
            raise typer.BadParameter(f"{path} says what is played; leave out {name}", param_hint="--resume")


def _refuse_to_overwrite(path: str | None) -> None:
    if path is not None and Path(path).exists():
        raise typer.BadParameter(
            f"{path} exists; go on with it by --resume {path}, or give a new name", param_hint="--save"
        )


def _seated(game: Game, names: list[str], seat: int | None, vs: list[str] | None) -> tuple[list[str], int]:
    """The player of every seat, and the seat of the human: as given, as saved, or by default."""
    if seat is None:
        seat = names.index("human") if "human" in names else 0
    if seat >= game.seats:
        raise typer.BadParameter(f"{seat}; {game.name} has seats 0 to {game.seats - 1}", param_hint="--seat")
    others = game.seats - 1
    if vs is None:
        saved = [name for place, name in enumerate(names) if place != seat]
        bots = [BOT if name == "human" else name for name in saved] or [BOT] * others
    elif len(vs) in (1, others):
        bots = vs * others if len(vs) == 1 else vs
    else:
        raise typer.BadParameter(
            f"{len(vs)} bots; allowed: 1 for all other seats, or {others} for one each", param_hint="--vs"
        )
    return [*bots[:seat], "human", *bots[seat:]], seat
