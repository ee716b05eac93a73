"""`aiplay tournament`: how strong each of several players is."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aiplay.cli.files import check_targets, write_text
from aiplay.cli.match import MatchCommand
from aiplay.cli.options import (
    GAME,
    Adjust,
    AdjustValue,
    Csv,
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
    complete_player,
    game_option,
    games_option,
    limit_text,
)

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.match import Store, Tournament

__all__ = ["tournament"]

GAMES = 20
SPECS_HELP = "Two players or more: --players mcts greedy random; may be repeated."


def tournament(
    players: Annotated[
        list[str] | None,
        typer.Option("--players", "-p", metavar="SPEC...", help=SPECS_HELP, autocompletion=complete_player),
    ] = None,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[SPEC]...", hidden=True, autocompletion=complete_player)
    ] = None,  # all specifications after --players but the first
    game: Annotated[list[str] | None, game_option("A game, or all; may be repeated.", GAME)] = None,
    games: Annotated[int | None, games_option("Number of games for every meeting.", str(GAMES))] = None,
    seats: Seats = None,
    option: GameOptions = None,
    seed: Seed = None,
    jobs: Jobs = None,
    seconds: Seconds = None,
    iterations: Iterations = None,
    save: Save = None,
    resume: Resume = None,
    dask: Dask = None,
    csv: Csv = None,
    adjust: Adjust = False,
    adjust_value: AdjustValue = None,
    as_json: Json = False,
) -> None:
    """Let everyone play against everyone, and rate them.

    Example: aiplay tournament --game pig --players mcts expectimax greedy random
    """
    if csv is not None:
        check_targets(save or resume, csv)
    _TournamentCommand(
        specs=[*(players or ()), *(more or ())],
        game=game,
        games=games,
        seats=seats,
        options=option,
        seed=seed,
        limit=limit_text(seconds, iterations),
        csv=csv,
        jobs=jobs,
        dask=dask,
        save=save,
        resume=resume,
        adjust=adjust_value or adjust,
        as_json=as_json,
    ).run()


@dataclass(frozen=True, kw_only=True)
class _TournamentCommand(MatchCommand["Tournament"]):
    specs: list[str]
    game: list[str] | None
    csv: Path | None

    def begin(self) -> Tournament:
        from aiplay.match import Tournament

        if not self.specs:
            message = "missing; give --players SPEC SPEC ..., or --resume FILE"
            raise typer.BadParameter(message, param_hint="--players")
        for spec in self.specs:
            if spec.isdecimal():
                message = f"{spec!r} is not a player; the number of seats is given as --seats {spec}"
                raise typer.BadParameter(message, param_hint="--players")
        specs = [self.limited(spec) for spec in self.specs]
        games = _chosen_games(self.game or [GAME], self.seats, self.options)
        return Tournament(games, specs, self.games or GAMES, self.seed, self.adjust)

    def reopen(self, store: Store) -> Tournament:
        from aiplay.match import Tournament

        given = {
            "--players": self.specs or None,
            "--game": self.game,
            "--games": self.games,
            "--seats": self.seats,
            "--option": self.options,
            "--seed": self.seed,
            "--time or --iterations": self.limit,
            "--adjust": self.adjust or None,
        }
        for name, value in given.items():
            if value is not None:
                message = f"{store.path} says what is played; leave out {name}"
                raise typer.BadParameter(message, param_hint="--resume")
        return Tournament.of(store)

    def file(self) -> Path:
        """Return where the tournament is kept; without --save a temporary file, so that no game is ever lost."""
        return self.save or Path(tempfile.mkdtemp(prefix="aiplay-")) / "tournament.db"

    def document(self, match: Tournament, store: Store | None) -> dict[str, Any]:
        from aiplay import report

        return {**report.document(match), "file": None if store is None else str(store.path)}

    def show(self, match: Tournament) -> None:
        from aiplay.cli.show import wide_console
        from aiplay.report.grids import print_standings

        print_standings(match, wide_console())

    def finish(self, match: Tournament, store: Store | None) -> None:
        super().finish(match, store)
        if self.csv is not None:  # last, as it may fail
            from aiplay import report

            write_text(self.csv, report.csv(match))


def _chosen_games(names: list[str], seats: int | None, options: list[str] | None) -> list[Game]:
    """Return the games by name; for "all", those that allow the seats and options."""
    from aiplay.errors import AiplayError, OptionError
    from aiplay.registry import game_names

    if "all" not in names:
        return [chosen_game(name, seats, options) for name in dict.fromkeys(names)]
    fitting, others = [], []
    for name in game_names():
        try:
            fitting.append(chosen_game(name, seats, options))
        except AiplayError as problem:
            others.append((name, problem))
    if not fitting:
        why = "; ".join(str(problem) for _, problem in others)
        raise OptionError(f"no game allows these seats and options: {why}")
    if others:
        left_out = ", ".join(name for name, _ in others)
        typer.echo(f"aiplay: left out, as they do not allow these seats or options: {left_out}", err=True)
    return fitting
