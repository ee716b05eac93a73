"""`aiplay review`: was it luck or skill?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.files import check_targets, read_table, read_table_of_match, write_text
from aiplay.cli.options import (
    GameNumber,
    Json,
    file_option,
    iterations_option,
    limit_text,
    spec_option,
    time_option,
)

if TYPE_CHECKING:
    from aiplay.limit import Limit
    from aiplay.record import Record
    from aiplay.review import Review
    from aiplay.table import Table

__all__ = ["review"]


def review(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="A saved game, or a saved match; - is standard input.")
    ],
    game_number: GameNumber = None,
    player: Annotated[str, spec_option("--player", "The player that reviews.", True)] = "mcts",
    seconds: Annotated[float | None, time_option("Seconds per position.", "--iterations 2000")] = None,
    iterations: Annotated[int | None, iterations_option("Iterations per position.")] = None,
    seed: Annotated[
        int, typer.Option("--seed", "-s", metavar="N", min=0, max=2**64 - 1, help="Another search.")
    ] = 0,
    html: Annotated[Path | None, file_option("--html", "Write a page (needs aiplay[report]).")] = None,
    retry: Annotated[
        Path | None,
        typer.Option(
            "--retry",
            metavar="FOLDER",
            help="Write the position of every mistake there, for `aiplay play --position`.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Review a game: the loss of every decision, the luck of every outcome, and what made the result.

    A decision is judged by what the seat knew then.

    Example: aiplay review game.json --html review.html
    """
    from aiplay import review
    from aiplay.cli.show import wide_console
    from aiplay.review.grids import print_review

    check_targets(None if record == "-" else Path(record), html)
    found, table = read_table(record) if game_number is None else read_table_of_match(record, game_number)
    reviewed = _reviewed(found, table, player, _limit(player, seconds, iterations), seed)
    notes = []
    if html is not None:
        write_text(html, review.page(reviewed, record if game_number is None else "RECORD"))
        notes.append(f"wrote {html}")
    if retry is not None:
        notes += _write_positions(reviewed, retry)
    if as_json:
        typer.echo(json.dumps(review.document(reviewed), allow_nan=False))
        return
    print_review(reviewed, wide_console())
    if retry is None and game_number is None and record != "-":
        notes += [f"retry: aiplay play --position {record} --ply {one.ply}" for one in reviewed.mistakes()]
    for note in notes:
        typer.echo(note)


def _limit(player: str, seconds: float | None, iterations: int | None) -> Limit | None:
    from aiplay.limit import Limit
    from aiplay.registry import limited_spec, make_player

    if (given := limit_text(seconds, iterations)) is None:
        return None
    limited_spec(make_player(player).name, given)  # refuses a limit that the player does not have
    return Limit(time=seconds, iterations=iterations)


def _reviewed(record: Record, table: Table, player: str, limit: Limit | None, seed: int) -> Review:
    """Review a game, with a progress bar on a terminal."""
    from rich.progress import Progress

    from aiplay.cli.show import console
    from aiplay.review import review_game

    out = console(stderr=True)
    with Progress(console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task(f"reviewing {record.game}", total=len(record.moves))
        return review_game(
            record,
            player,
            limit,
            seed=seed,
            game=table.game,
            progress=lambda done, _: bar.update(task, completed=done),
        )


def _write_positions(reviewed: Review, folder: Path) -> list[str]:
    """Write a record up to each mistake; return the commands that open them, or a note that there are none."""
    import dataclasses

    folder.mkdir(parents=True, exist_ok=True)
    commands = []
    for one in reviewed.mistakes():
        file = folder / f"ply-{one.ply}.json"
        record = dataclasses.replace(reviewed.record, moves=reviewed.record.moves[: one.ply], players=())
        write_text(file, record.to_json() + "\n")
        commands.append(f"retry: aiplay play --position {file}")
    return commands or ["retry: there are no mistakes, so no position was written"]
