"""`aiplay learn --method value`: its progress, its learning curve, and what it says at the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import typer

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.learn.value import Round
    from aiplay.value import Value

__all__ = ["LearnValue", "Status"]

HEADING = "round  positions  error  score  games"


class LearnValue(NamedTuple):
    """The command with its options."""

    game: Game
    file: Path
    minutes: float | None
    rounds: int | None
    settings: dict[str, Any]
    resume: bool
    as_json: bool

    def run(self, jobs: int | None, dask: str | None) -> None:
        """Learn, show every round on the way, and say what came out."""
        from aiplay.cli.match import chosen_executor
        from aiplay.learn.value import MINUTES, Settings, learn_value

        settings = Settings.of(self.game, **self.settings).checked()
        minutes = MINUTES if self.minutes is None and self.rounds is None else self.minutes
        with chosen_executor(jobs, dask, ["mcts"]) as executor, _Curve(self.as_json) as curve:
            value = learn_value(
                self.game,
                self.file,
                minutes=minutes,
                rounds=self.rounds,
                settings=settings,
                resume=self.resume,
                executor=executor,
                progress=curve.add,
                stage=curve.update,
            )
        self._tell(value)

    def _tell(self, value: Value | None) -> None:
        if self.as_json:
            made = None if value is None else value.description["made"]
            typer.echo(json.dumps({"file": None if value is None else str(self.file), "made": made}))
        elif value is None:
            typer.echo(
                f"no value was better than the evaluation of {self.game.name} so far, so no file was written; "
                "--resume with more --minutes or --iterations goes on"
            )
        else:
            gain = value.description["made"]["gain"]
            typer.echo(
                f"wrote {self.file}: scores {gain['score']:.1%} ({gain['low']:.1%} to {gain['high']:.1%}) against "
                f"value=game in {gain['games']} games, {gain['limit']} per move"
            )
            typer.echo(f"play it with --player mcts:value={self.file}")


class Status:
    """A line on the terminal that says what is going on; nothing without a terminal."""

    def __init__(self) -> None:
        from aiplay.cli.show import console, is_live

        out = console(stderr=True)
        self._status: Any = out.status("learning") if is_live(out) else None

    def __enter__(self) -> Self:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def update(self, text: str) -> None:
        """Show another text."""
        if self._status is not None:
            self._status.update(text)


class _Curve(Status):
    """The learning curve, a line for each round."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._is_silent, self._has_heading = as_json, False

    def add(self, row: Round) -> None:
        """Print the line of a round."""
        if self._is_silent:
            return
        if not self._has_heading:
            typer.echo(HEADING)
            self._has_heading = True
        verdict = "kept" if row.is_better else ""
        numbers = f"{row.number:5}  {row.positions:9,}  {row.error:5.3f}  {row.score:5.1%}  {row.games:5}"
        typer.echo(f"{numbers}  {verdict}".rstrip())
