"""`aiplay explain`: a decision, done again from its token."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.analyse import shown_analysis
from aiplay.cli.options import Json, folder_option

if TYPE_CHECKING:
    from aiplay.decision import Decision, Explanation

__all__ = ["explain"]


def explain(
    token: Annotated[str, typer.Argument(metavar="TOKEN", help="A token; - reads it from standard input.")],
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=256,
            help="Threads of mcts; they change only the time.",
            show_default="1",
        ),
    ] = None,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Number of moves to show.")] = 12,
    data_dir: Annotated[
        Path | None, folder_option("--data-dir", "The folder of the game's data file, if it has one.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Repeat the search behind a decision, and show what the player knew and thought.

    `analyse --json` and the engine print tokens; in Python, `analysis.token` and `player.token`. Exit code 1: the
    answer is another one now, or the token is damaged.

    Example: aiplay explain aiplay1-...
    """
    from aiplay.cli.show import console, fit
    from aiplay.decision import read_decision, search_again

    text = sys.stdin.read() if token == "-" else token
    decision = read_decision(text, data_dir=None if data_dir is None else str(data_dir))
    if decision.has_other_version:
        typer.echo(f"aiplay: {_version_note(decision)}", err=True)
    out = console()
    if not as_json:  # before the search, which may take long
        out.print(fit(str(decision.view), out.width), soft_wrap=True)
    found = search_again(decision, threads)
    if as_json:
        typer.echo(json.dumps(_document(found)))
    else:
        heading = f"{decision.view.game.name}, seat {decision.view.seat}, {decision.player}"
        out.print(shown_analysis(found.analysis, heading, out, top), crop=False)
        out.print(_verdict(found), soft_wrap=True)
    raise typer.Exit(0 if found.is_same else 1)


def _version_note(decision: Decision) -> str:
    from aiplay import __version__

    return f"the token was made by aiplay {decision.version}, this is {__version__}: the search may differ"


def _verdict(found: Explanation) -> str:
    """Return a sentence that compares the answer with that of the token."""
    decision = found.decision
    then = f"{decision.view.move_text(decision.move)} ({decision.move})"
    earlier = len(decision.steps) - 1
    after = f", after {earlier} earlier search{'es' * (earlier > 1)} of the same player" if earlier else ""
    if found.is_same:
        return f"the same as in the token: {then}{after}"
    if found.move == decision.move:
        return f"NOT the same as in the token: the move is {then}, but visits or values differ{after}"
    now = f"{decision.view.move_text(found.move)} ({found.move})"
    return f"NOT the same as in the token: it was {then}, now it is {now}{after}"


def _document(found: Explanation) -> dict[str, object]:
    decision = found.decision
    return {
        "same": found.is_same,
        "version": decision.version,
        "game": decision.view.game.name,
        "options": dict(decision.view.game.options),
        "player": decision.player,
        "view": decision.view.to_fields(),
        "searches": len(decision.steps),
        "token_move": decision.move,
        "move": found.move,
        "analysis": {**dataclasses.asdict(found.analysis)},
    }
