"""All commands. They import what they need when they run, so that `aiplay --help` is quick."""

from __future__ import annotations

from typing import Annotated

import typer

from aiplay import __version__
from aiplay.cli.analyse import analyse
from aiplay.cli.audit import audit
from aiplay.cli.balance import balance
from aiplay.cli.bench import bench
from aiplay.cli.duel import duel
from aiplay.cli.engine import engine
from aiplay.cli.explain import explain
from aiplay.cli.exploit import exploit
from aiplay.cli.games import games
from aiplay.cli.learn import learn
from aiplay.cli.play import play
from aiplay.cli.players import players
from aiplay.cli.profile import profile
from aiplay.cli.replay import replay
from aiplay.cli.report import report
from aiplay.cli.review import review
from aiplay.cli.serve import serve
from aiplay.cli.site import site
from aiplay.cli.tournament import tournament
from aiplay.cli.tune import tune

__all__ = ["app"]

app = typer.Typer(
    help="AI opponents for tabletop games with dice, hidden cards and one to six seats.",
    rich_markup_mode=None,  # plain help: rich takes longer to load than everything else together
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(analyse)
app.command()(audit)
app.command()(balance)
app.command()(bench)
app.command()(duel)
app.command()(engine)
app.command()(explain)
app.command()(exploit)
app.command()(games)
app.command()(learn)
app.command()(play)
app.command()(players)
app.command()(profile)
app.command()(replay)
app.command()(report)
app.command()(review)
app.command()(serve)
app.command()(site)
app.command()(tournament)
app.command()(tune)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"aiplay {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    pass
