"""`aiplay duel`: which of two players is better."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aiplay.cli.match import MatchCommand
from aiplay.cli.options import (
    GAME,
    Adjust,
    AdjustValue,
    Dask,
    GameName,
    GameOptions,
    Iterations,
    Jobs,
    Json,
    OldSeats,
    Resume,
    Save,
    Seats,
    Seconds,
    Seed,
    chosen_game,
    chosen_seats,
    games_option,
    limit_text,
    spec_option,
)

if TYPE_CHECKING:
    from aiplay.match import Duel, Store

__all__ = ["duel"]

GAMES = 80
GAMES_SPRT = 20_000  # the test ends long before, unless the difference lies between its bounds


def duel(
    a: Annotated[str | None, spec_option("--a", "A player: random, greedy, mcts:time=0.2 ...")] = None,
    b: Annotated[str | None, spec_option("--b", "The player to compare it with.")] = None,
    game: GameName = None,
    games: Annotated[
        int | None,
        games_option("Number of games; the last deal is completed.", f"{GAMES}; {GAMES_SPRT} with --sprt"),
    ] = None,
    seats: Seats = None,
    option: GameOptions = None,
    seed: Seed = None,
    jobs: Jobs = None,
    seconds: Seconds = None,
    iterations: Iterations = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Stop as soon as it is clear whether a is better by ELO0 or by ELO1 (5 % errors).",
            show_default=False,
        ),
    ] = None,
    opening: Annotated[
        int,
        typer.Option(
            "--opening",
            metavar="N",
            min=0,
            max=1000,
            help="Random moves at the start of every deal, so that games without chance differ.",
        ),
    ] = 0,
    save: Save = None,
    resume: Resume = None,
    dask: Dask = None,
    adjust: Adjust = False,
    adjust_value: AdjustValue = None,
    as_json: Json = False,
    players: OldSeats = None,
) -> None:
    """Compare two players. Every deal is played with the seats exchanged.

    Example: aiplay duel --game pig --a mcts:iterations=200 --b greedy
    """
    _DuelCommand(
        a=a,
        b=b,
        game=game,
        games=games,
        seats=chosen_seats(seats, players),
        options=option,
        seed=seed,
        limit=limit_text(seconds, iterations),
        sprt=_bounds(sprt),
        jobs=jobs,
        dask=dask,
        save=save,
        resume=resume,
        adjust=adjust_value or adjust,
        opening=opening,
        as_json=as_json,
    ).run()


def _bounds(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        message = f"{text!r} is not ELO0,ELO1: two numbers like 0,30"
        raise typer.BadParameter(message, param_hint="--sprt") from None
    return low, high


@dataclass(frozen=True, kw_only=True)
class _DuelCommand(MatchCommand["Duel"]):
    a: str | None
    b: str | None
    game: str | None
    sprt: tuple[float, float] | None
    opening: int

    def begin(self) -> Duel:
        from aiplay.match import Duel

        specs = []
        for name, spec in (("--a", self.a), ("--b", self.b)):
            if spec is None:
                message = "missing; give --a SPEC and --b SPEC, or --resume FILE"
                raise typer.BadParameter(message, param_hint=name)
            specs.append(spec)
        game = chosen_game(GAME if self.game is None else self.game, self.seats, self.options)
        a, b = map(self.limited, specs)
        games = self.games or (GAMES if self.sprt is None else GAMES_SPRT)
        return Duel(game, a, b, games, self.seed, self.sprt, self.adjust, self.opening)

    def description(self, match: Duel) -> dict[str, Any]:
        return {**match.description(), "limit": self.chosen_limit}

    def document(self, match: Duel, store: Store | None) -> dict[str, Any]:
        from aiplay import report

        return report.duel_document(match)

    def show(self, match: Duel) -> None:
        from aiplay.cli.show import console
        from aiplay.report.grids import print_duel

        print_duel(match, console())
        typer.echo(f"{match.seconds:.1f} s; repeat with --seed {match.seed}")

    # ---- Going on with a saved duel --------------------------------------------------------------------------

    def reopen(self, store: Store) -> Duel:
        from aiplay.match import Duel

        match = Duel.of(store)
        self._refuse_contradictions(store.description, store.path)
        return match

    def _refuse_contradictions(self, saved: dict[str, Any], path: Path) -> None:
        """Refuse options that are not those of the saved duel; the same ones may be repeated."""
        limit = self.limit or saved.get("limit") or self.chosen_limit
        given = {
            "game": self.game,
            "games": self.games,
            "seed": self.seed,
            "limit": self.limit,
            "sprt": None if self.sprt is None else list(self.sprt),
            "adjust": self.adjust or None,
            "opening": self.opening or None,
            "a": None if self.a is None else _same_or_given(self.a, saved["a"], limit),
            "b": None if self.b is None else _same_or_given(self.b, saved["b"], limit),
        }
        for name, value in given.items():
            if value is not None and value != saved.get(name):
                _refuse("--time or --iterations" if name == "limit" else f"--{name}", saved.get(name), path)
        named = {text.partition("=")[0]: f"--option {text}" for text in self.options or ()}
        if self.seats is not None:
            named["players"] = f"--seats {self.seats}"
        game = chosen_game(saved["game"], self.seats, self.options) if named else None
        for name, option in named.items():
            if game is not None and game.options[name] != saved["options"][name]:
                _refuse(option, saved["options"][name], path)


def _same_or_given(spec: str, saved: str, limit: str) -> str:
    """Return the saved specification if the given one means the same, else the given one."""
    from aiplay.registry import limited_spec, make_player

    spec = limited_spec(spec, limit)
    return saved if make_player(spec).spec == make_player(saved).spec else spec


def _refuse(option: str, saved: object, path: Path) -> None:
    raise typer.BadParameter(
        f"{option} contradicts the match in {path}, which has {saved}; leave it out to go on",
        param_hint="--resume",
    )
