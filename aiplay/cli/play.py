"""`aiplay play`: a game against bots, in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.options import (
    GAME,
    GameName,
    GameOptions,
    OldSeats,
    Seats,
    Seed,
    chosen_game,
    chosen_seats,
    file_option,
    ply_option,
    seat_option,
    spec_option,
)

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.table import Table

__all__ = ["play"]

BOT = "mcts"


def play(
    game: GameName = None,
    seat: Annotated[int | None, seat_option("Your seat; the first one is 0.", "0")] = None,
    vs: Annotated[
        list[str] | None,
        spec_option(
            "--vs", "A bot (or `human`) for all other seats; repeat it for one each, in order of seats.", BOT
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            metavar="N",
            help="Strength of all bots, 1 to 10; `adapt`: the level that gives you an even chance.",
            show_default=False,
        ),
    ] = None,
    ratings: Annotated[
        Path | None, file_option("--ratings", "The file of your ratings, for `--level adapt`.")
    ] = None,
    seats: Seats = None,
    option: GameOptions = None,
    seed: Seed = None,
    save: Annotated[str | None, file_option("--save", "Keep the game in a new file.")] = None,
    resume: Annotated[
        str | None, file_option("--resume", "Go on with a saved game, and keep it in its file.")
    ] = None,
    position: Annotated[
        str | None,
        file_option("--position", "Begin at the last decision of this record; the seat to move is yours."),
    ] = None,
    ply: Annotated[int | None, ply_option("Begin after N moves of the record.", "its last decision")] = None,
    hint: Annotated[
        str | None, spec_option("--hint", "The player that gives hints.", "the first bot that can")
    ] = None,
    players: OldSeats = None,
) -> None:
    """Play against bots in the terminal.

    You see what your seat sees, and each bot what its seat sees. Type the label of a move, its text, or the beginning
    of its text. `help` explains your moves and the other commands, `rules` shows the rules, `card NAME` tells what a
    card does.

    Example: aiplay play --game connect_four --level 3
    """
    from aiplay.cli.files import read_decision
    from aiplay.cli.levels import ADAPT, Rated, bot_of, ratings_file
    from aiplay.cli.session import Session
    from aiplay.table import Table

    saved: list[str] = []
    seats = chosen_seats(seats, players)
    if ply is not None and position is None:
        raise typer.BadParameter("it needs a --position", param_hint="--ply")
    rated = None
    _refuse_beside_level(level, {"--vs": vs, "--resume": resume, "--position": level == ADAPT and position})
    if ratings is not None and level != ADAPT:
        raise typer.BadParameter(f"it needs --level {ADAPT}", param_hint="--ratings")
    if position is not None:
        _refuse_with(
            position,
            "--position",
            {"--game": game, "--seats": seats, "--option": option, "--seed": seed, "--resume": resume},
        )
        table = read_decision(position, ply)[0]
        seat = table.to_move if seat is None else seat
    elif resume is not None:
        _refuse_with(resume, "--resume", {"--seats": seats, "--option": option, "--seed": seed})
        table, saved = _resumed(resume)
        if game != table.game.name:
            _refuse_with(resume, "--resume", {"--game": game})
    else:
        table = Table(chosen_game(GAME if game is None else game, seats, option), seed=seed)
    if save != resume:
        _refuse_to_overwrite(save)
    if saved:
        _refuse_other_players(str(resume), table.game, saved, seat, vs)
    if level == ADAPT:
        rated = Rated(table.game, seat or 0, ratings or ratings_file())
    if level is not None:
        vs, hint = [bot_of(level if rated is None else str(rated.level))], BOT if hint is None else hint
    names = saved or _seated(table.game, seat or 0, vs)
    file, is_known = resume if save is None else save, bool(saved) or (resume is None and position is None)
    session = Session(table, names, hint=_adviser(hint, names), file=file, is_known=is_known)
    code = session.run()
    if rated is not None and table.over:
        session.say("a game with undo does not count" if session.undone else rated.count(table))
    raise typer.Exit(code)


def _refuse_beside_level(level: str | None, given: dict[str, object]) -> None:
    """Refuse options that say something else about the bots, or games that cannot count."""
    for name, value in given.items():
        if level is not None and value:
            raise typer.BadParameter(f"give either --level {level} or {name}", param_hint="--level")


def _adviser(hint: str | None, names: list[str]) -> str:
    """Return the player that gives hints: the one asked for, or the first that can."""
    from aiplay.errors import PlayerSpecError
    from aiplay.registry import make_player, player_names

    if hint is None:
        return next((name for name in names if _can_advise(name)), BOT)
    make_player(hint)  # refuses what is not a player
    if not _can_advise(hint):
        advisers = ", ".join(filter(_can_advise, player_names()))
        raise PlayerSpecError(f"player {hint!r} cannot give hints; allowed: {advisers}")
    return hint


def _can_advise(spec: str) -> bool:
    """True if a player can tell good moves from bad ones."""
    from aiplay.errors import PackageError
    from aiplay.players.base import Player
    from aiplay.registry import player_class, split_spec

    try:
        kind = player_class(split_spec(spec)[0])
    except PackageError:  # the player cannot be loaded
        return False
    return kind is not None and kind.analyse is not Player.analyse


def _resumed(path: str) -> tuple[Table, list[str]]:
    """Return the table of a saved game that is not over, and its players, if the file names them."""
    from aiplay.cli.files import read_table
    from aiplay.cli.session import seats_of_people
    from aiplay.errors import RecordError

    record, table = read_table(path)
    if table.over:
        raise typer.BadParameter(
            f"the game in {path} is over; look at it with: aiplay replay {path}", param_hint="--resume"
        )
    table.deal()
    if len(record.players) not in (0, table.game.seats):
        seats = f"the game has {table.game.seats} seats"
        raise RecordError(f"{path}: players has {len(record.players)} entries; {seats}")
    if record.players and not seats_of_people(record.players):
        bots = ", ".join(record.players)
        raise RecordError(f"{path} is a game of bots ({bots}); look at it with: aiplay replay {path}")
    return table, list(record.players)


def _refuse_with(path: str, option: str, given: dict[str, object]) -> None:
    """Refuse options that contradict a file."""
    for name, value in given.items():
        if value is not None and value != []:
            raise typer.BadParameter(f"{path} says what is played; leave out {name}", param_hint=option)


def _refuse_to_overwrite(path: str | None) -> None:
    if path is not None and Path(path).exists():
        raise typer.BadParameter(
            f"{path} exists; go on with --resume {path}, or give a new name", param_hint="--save"
        )


def _refuse_other_players(
    path: str, game: Game, names: list[str], seat: int | None, vs: list[str] | None
) -> None:
    """Refuse players other than those of the record: it names the players of a whole game."""
    from aiplay.cli.session import seats_of_people

    people = seats_of_people(names)
    asked = _seated(game, people[0] if seat is None else seat, vs)
    wrong = {"--seat": seat is not None and seat not in people, "--vs": vs is not None and asked != names}
    for option, is_wrong in wrong.items():
        if is_wrong:
            raise typer.BadParameter(
                f"{path} says who plays ({', '.join(names)}); leave out {option}", param_hint="--resume"
            )


def _seated(game: Game, seat: int, vs: list[str] | None) -> list[str]:
    """Return the player of every seat: a human on one, bots on the others."""
    if seat >= game.seats:
        raise typer.BadParameter(f"{seat}; {game.name} has seats 0 to {game.seats - 1}", param_hint="--seat")
    others = game.seats - 1
    bots = vs or [BOT]
    if len(bots) not in (1, others):
        raise typer.BadParameter(
            f"{len(bots)} bots; allowed: 1 for all other seats, or {others} for one each", param_hint="--vs"
        )
    if len(bots) == 1:
        bots = bots * others
    return [*bots[:seat], "human", *bots[seat:]]
