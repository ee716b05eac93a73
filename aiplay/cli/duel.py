"""`aiplay duel`: which of two players is better."""

from __future__ import annotations

import contextlib
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aiplay.cli.match import chosen_executor, play_with_progress
from aiplay.cli.options import (
    TIME,
    Dask,
    GameOptions,
    Iterations,
    Jobs,
    Json,
    Resume,
    Save,
    Seats,
    Seconds,
    Seed,
    chosen_game,
    complete_game,
    complete_player,
    limit_text,
)

if TYPE_CHECKING:
    from rich.table import Table

    from aiplay.match import Duel, SideSummary, Sprt, Store, Summary

__all__ = ["duel"]

GAME = "illusio"
GAMES = 80
GAMES_SPRT = 20_000  # the test ends long before, unless the players are between its bounds


def duel(
    a: Annotated[
        str | None,
        typer.Option(
            "--a",
            metavar="SPEC",
            help="A player: random, greedy, mcts:time=0.2 ...",
            show_default=False,
            autocompletion=complete_player,
        ),
    ] = None,
    b: Annotated[
        str | None,
        typer.Option(
            "--b",
            metavar="SPEC",
            help="The player to compare it with.",
            show_default=False,
            autocompletion=complete_player,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            help="The game; `aiplay games` lists them.",
            show_default=GAME,
            autocompletion=complete_game,
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            min=1,
            help="How many games, in pairs.",
            show_default=f"{GAMES}; {GAMES_SPRT} with --sprt",
        ),
    ] = None,
    players: Seats = None,
    option: GameOptions = None,
    seed: Seed = None,
    jobs: Jobs = None,
    seconds: Seconds = None,
    iterations: Iterations = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop as soon as it is clear which of the two a is nearer to (5 % errors).",
            show_default=False,
        ),
    ] = None,
    save: Save = None,
    resume: Resume = None,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Let two players meet in pairs of games: the same deal and dice, seats exchanged.

    Example: aiplay duel --game pig --a mcts:iterations=200 --b greedy
    """
    from aiplay.errors import MatchError
    from aiplay.match import Store

    given = {
        "a": a,
        "b": b,
        "game": game,
        "games": games,
        "players": players,
        "options": option,
        "seed": seed,
        "limit": limit_text(seconds, iterations),
        "sprt": _bounds(sprt),
    }
    if save is not None and resume is not None:
        raise typer.BadParameter("give either --save or --resume", param_hint="--resume")
    with contextlib.ExitStack() as stack:
        match, store = _new_duel(given) if resume is None else _saved_duel(given, resume, stack)
        executor = stack.enter_context(chosen_executor(jobs, dask, match.specs))
        if save is not None:  # nothing is left behind when there is nowhere to play
            description = {**match.description(), "limit": _limit_or_default(given)}
            store = stack.enter_context(Store.create(save, description))
        try:
            play_with_progress(match, match.game.name, executor, store, lambda: _news(match.summary()))
        except KeyboardInterrupt:
            again = f"; --resume {store.path} goes on" if store else ""
            typer.echo(f"aiplay: interrupted; these are the results so far{again}", err=True)
            _show(match, as_json)
            raise typer.Exit(130) from None
        except MatchError:
            if match.results:
                _show(match, as_json)
            raise
        _show(match, as_json)


# ---- What to play ------------------------------------------------------------------------------------------------


def _bounds(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        message = f"{text!r} is not ELO0,ELO1: two numbers like 0,30"
        raise typer.BadParameter(message, param_hint="--sprt") from None
    return low, high


def _limit_or_default(given: dict[str, Any]) -> str:
    return given["limit"] or f"time={TIME}"


def _new_duel(given: dict[str, Any]) -> tuple[Duel, None]:
    from aiplay.match import Duel
    from aiplay.registry import limited_spec

    for side in ("a", "b"):
        if given[side] is None:
            message = "missing; give --a SPEC and --b SPEC, or --resume FILE"
            raise typer.BadParameter(message, param_hint=f"--{side}")
    game = chosen_game(GAME if given["game"] is None else given["game"], given["players"], given["options"])
    a, b = (limited_spec(given[side], _limit_or_default(given)) for side in ("a", "b"))
    games = given["games"] or (GAMES if given["sprt"] is None else GAMES_SPRT)
    return Duel(game, a, b, games, given["seed"], given["sprt"]), None


def _saved_duel(given: dict[str, Any], path: Path, stack: contextlib.ExitStack) -> tuple[Duel, Store]:
    """A duel to go on with, as it was begun."""
    from aiplay.match import Duel, Store

    store = stack.enter_context(Store.resume(path))
    match = Duel.of(store)
    _refuse_contradictions(given, store)
    return match, store


def _refuse_contradictions(given: dict[str, Any], store: Store) -> None:
    """A match goes on as it was begun: what is on the command line has to be what is in its file."""
    saved = store.description
    wanted = {name: given[name] for name in ("game", "games", "seed", "limit") if given[name] is not None}
    if given["sprt"] is not None:
        wanted["sprt"] = list(given["sprt"])
    for side in ("a", "b"):
        if given[side] is not None:
            wanted[side] = _same_or_given(given[side], saved[side], given["limit"] or saved.get("limit"))
    for name, value in wanted.items():
        if value != saved.get(name):
            _refuse(name, value, saved.get(name), store.path)
    named = [text.partition("=")[0] for text in given["options"] or ()]
    named += [] if given["players"] is None else ["players"]
    game = chosen_game(saved["game"], given["players"], given["options"]) if named else None
    for name in named:
        if game is not None and game.options[name] != saved["options"][name]:
            _refuse(name, game.options[name], saved["options"][name], store.path)


def _same_or_given(spec: str, saved: str, limit: str | None) -> str:
    """The saved specification, if this one means the same; else this one."""
    from aiplay.registry import limited_spec, make_player

    spec = limited_spec(spec, limit or f"time={TIME}")
    return saved if make_player(spec).spec == make_player(saved).spec else spec


def _refuse(name: str, value: object, saved: object, path: Path) -> None:
    raise typer.BadParameter(
        f"{name} is {value}, but the match in {path} has {saved}; leave it out to go on",
        param_hint="--resume",
    )


# ---- What came of it ---------------------------------------------------------------------------------------------


def _news(summary: Summary) -> str:
    score = (
        f"a {_percent(summary.a_score)} ({_interval(summary)})" if summary.deals else "no pair finished yet"
    )
    return score if summary.sprt is None else f"{score} {_llr(summary.sprt)}"


def _show(match: Duel, as_json: bool) -> None:
    from aiplay.cli.show import console, print_table
    from aiplay.match.standings import counted

    summary = match.summary()
    if as_json:
        typer.echo(json.dumps(_document(match, summary), allow_nan=False))
    else:
        from aiplay.options import titled

        title = titled(match.game.name, match.game.options)
        typer.echo(f"{title}: {counted(summary.games, 'game')} in {counted(summary.deals, 'pair')}")
        if summary.deals:  # else a table would look as if something were known
            print_table(console(), _table(summary))
        typer.echo(f"{summary.seconds:.1f} s; repeat with --seed {summary.seed}")


def _document(match: Duel, summary: Summary) -> dict[str, Any]:
    """The result for programs. An infinite Elo (all won or all lost) is null."""
    sides = {
        name: {
            "spec": side.spec,
            "seconds_per_move": side.seconds_per_move,
            "iterations_per_move": side.iterations_per_move,
        }
        for name, side in (("a", summary.a), ("b", summary.b))
    }
    names = (
        "a_wins",
        "b_wins",
        "draws",
        "a_score",
        "a_score_low",
        "a_score_high",
        "elo",
        "elo_low",
        "elo_high",
    )
    numbers = {name: getattr(summary, name) for name in (*names, "seconds")}
    document = {
        "game": match.game.name,
        "options": dict(match.game.options),
        "seed": summary.seed,
        "games": summary.games,
        "pairs": summary.deals,
        **sides,
        **{name: value if math.isfinite(value) else None for name, value in numbers.items()},
    }
    if summary.sprt is not None:
        test = summary.sprt
        document["sprt"] = {"elo0": test.elo0, "elo1": test.elo1, "llr": test.llr, "verdict": test.verdict}
    return document


def _table(summary: Summary) -> Table:
    from rich.table import Table

    figures = _figures(summary)
    table = Table()
    table.add_column("")
    for number, name in enumerate("ab", 1):  # names may fold, figures not
        table.add_column(
            name, justify="right", overflow="fold", min_width=max(len(row[number]) for row in figures)
        )
    table.add_row("player", summary.a.spec, summary.b.spec)
    for row in figures:
        table.add_row(*row)
    if summary.sprt is not None:
        table.add_section()
        table.add_row("SPRT", _verdict(summary.sprt), _llr(summary.sprt))
    return table


def _figures(summary: Summary) -> list[tuple[str, str, str]]:
    """What is counted, of a and of b. What one gets of a pair the other does not: b's figures are a's, mirrored."""
    a, b = summary.a, summary.b
    low, high = summary.a_score_low, summary.a_score_high
    elo_low, elo_high = summary.elo_low, summary.elo_high
    return [
        ("wins", str(summary.a_wins), str(summary.b_wins)),
        ("draws", str(summary.draws), str(summary.draws)),
        ("losses", str(summary.b_wins), str(summary.a_wins)),
        ("score", _percent(summary.a_score), _percent(1 - summary.a_score)),
        ("  95 % interval", _range(low, high), _range(1 - high, 1 - low)),
        ("Elo", _elo(summary.elo), _elo(-summary.elo)),
        (
            "  95 % interval",
            f"{_elo(elo_low)} .. {_elo(elo_high)}",
            f"{_elo(-elo_high)} .. {_elo(-elo_low)}",
        ),
        ("moves", f"{a.moves:,}", f"{b.moves:,}"),
        ("ms per move", _ms(a), _ms(b)),
        ("iterations per move", _count(a.iterations_per_move), _count(b.iterations_per_move)),
    ]


def _ms(side: SideSummary) -> str:
    return f"{1000 * side.seconds_per_move:.3g}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _range(low: float, high: float) -> str:
    return f"{100 * low:.1f} .. {_percent(high)}"


def _interval(summary: Summary) -> str:
    return f"{100 * summary.a_score_low:.0f} .. {100 * summary.a_score_high:.0f}"


def _elo(difference: float) -> str:
    return f"{round(difference):+d}" if math.isfinite(difference) else f"{difference:+}"


def _count(iterations: float | None) -> str:
    return "-" if iterations is None else f"{iterations:,.0f}"


def _llr(test: Sprt) -> str:
    return f"llr {test.llr:+.2f} ({test.lower:.2f} .. {test.upper:.2f})"


def _verdict(test: Sprt) -> str:
    if test.verdict is None:
        return f"open: Elo {test.elo0:g} or {test.elo1:g}?"
    return f"Elo {test.verdict:g} rather than {test.elo0 if test.verdict == test.elo1 else test.elo1:g}"
