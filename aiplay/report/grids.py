"""Results of a match as grids of text, on a terminal or anywhere else."""

from __future__ import annotations

import io
import math
import statistics
from typing import TYPE_CHECKING, cast

from rich.box import SIMPLE_HEAD
from rich.console import Console

from aiplay.grid import Grid, print_grid
from aiplay.match.schedule import compares_teams
from aiplay.match.standings import Overall
from aiplay.options import titled
from aiplay.report.figures import elo, elo_interval, llr, milliseconds, percent, played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiplay.match import Duel, Match, Sprt, Summary
    from aiplay.match.standings import Standing, Standings

__all__ = ["WIDE", "adjustment", "plain_console", "print_duel", "print_standings"]

PAYS = 1.05  # the least factor of games saved at which an adjustment pays
WIDE = 160  # characters of a row in files and pipes


def plain_console(width: int) -> Console:
    """Return a console that only lays out text: no colours, no terminal."""
    return Console(
        file=io.StringIO(),
        width=width,
        color_system=None,
        force_jupyter=False,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )


def print_standings(match: Match, out: Console) -> None:
    """Print the standings in each game and overall; the result of a duel side by side."""
    if match.kind == "duel":
        print_duel(cast("Duel", match), out)
    else:
        _print_games(match.standings(), out)
    progress = f"{len(match.results)} of {len(match.schedule)} games"
    unfinished = "" if match.is_finished else f"; not finished: {progress}"
    out.print(f"{match.seconds:.1f} s; seed {match.seed}{unfinished}", soft_wrap=True)


def _print_games(standings: Sequence[Standings], out: Console) -> None:
    for game in standings:
        title = titled(game.game.name, game.game.options)
        out.print(f"{title}: {played(game.games, game.deals)}", soft_wrap=True)
        if game.deals:  # without a deal, a grid would look like a result
            print_grid(out, _ratings(game))
            if note := adjustment(game):
                out.print(note, soft_wrap=True)
            print_grid(out, _cross_table(game))
    if (overall := Overall.of(standings)) is not None:
        which = "All" if len(overall.games) == len(standings) else "These"
        out.print(f"{which} games, each counting the same")
        print_grid(out, _overall(overall))
        print_grid(out, _scores_by_game(overall))


def adjustment(standings: Standings) -> str:
    """Return a note on the factor of games saved, and whether adjusting pays; empty if it was not asked for."""
    saved = [player.adjusted.games_saved for player in standings.players if player.adjusted is not None]
    if not saved:
        return ""
    middle = statistics.median(saved)
    if middle < PAYS:
        return f"ratings are without luck; that does not pay in this game (games saved: x {middle:.2f})"
    return f"ratings are without luck, which is worth x {middle:.2f} games"


def print_duel(duel: Duel, out: Console) -> None:
    """Print the result of a duel, side by side."""
    summary = duel.summary()
    title = titled(duel.game.name, duel.game.options)
    out.print(f"{title}: {played(summary.games, summary.deals)}", soft_wrap=True)
    if summary.deals:
        print_grid(out, _sides(summary))


# ---- Standings -----------------------------------------------------------------------------------------------


def _players_grid(*headings: str) -> Grid:
    """Return an empty grid of players: place, name and figures."""
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    grid.add_column("", justify="right")
    grid.add_column("player", overflow="fold", min_width=12)
    for heading in headings:
        grid.add_column(heading, justify="right")
    return grid


def _ratings(standings: Standings) -> Grid:
    is_team = compares_teams(standings.game)
    headings = ["Elo to average", "95 % interval", "> next", "score", "ms/move"]
    has_luck = any(player.adjusted is not None for player in standings.players)
    more = ["return"] * is_team + ["without luck", "games saved"] * has_luck
    grid = _players_grid(*headings, *more)
    followers: list[Standing | None] = [*standings.players[1:], None]
    for place, (player, follower) in enumerate(zip(standings.players, followers, strict=True), 1):
        if not player.games:
            grid.add_row(str(place), player.spec, *["-"] * len(grid.columns[2:]))
            continue
        figures = [
            elo(player.rating.rating),
            elo_interval(player.rating.low, player.rating.high),
            "" if follower is None else f"{100 * player.rating.above[follower.number]:.0f} %",
            percent(player.score),
            milliseconds(player.seconds_per_move),
        ]
        figures += [f"{player.mean_return:.3f}"] * is_team
        if player.adjusted is not None:
            figures += [percent(player.adjusted.score), f"x {player.adjusted.games_saved:.2f}"]
        grid.add_row(str(place), player.spec, *figures)
    return grid


def _cross_table(standings: Standings) -> Grid:
    players = standings.players
    grid = _players_grid(*(str(place) for place in range(1, len(players) + 1)), "won-drawn-lost")
    for place, player in enumerate(players, 1):
        scores = [standings.cell(player, other).score for other in players]
        cells = ["" if math.isnan(score) else f"{100 * score:.0f}" for score in scores]
        total = player.total
        grid.add_row(str(place), player.spec, *cells, f"{total.wins}-{total.draws}-{total.losses}")
    return grid


def _overall(overall: Overall) -> Grid:
    grid = _players_grid("Elo to average", "95 % interval", "mean score")
    for place, player in enumerate(overall.players, 1):
        rating, interval = elo(player.rating.rating), elo_interval(player.rating.low, player.rating.high)
        grid.add_row(str(place), player.spec, rating, interval, percent(player.mean_score))
    return grid


def _scores_by_game(overall: Overall) -> Grid:
    places = [str(place) for place in range(1, len(overall.players) + 1)]
    grid = Grid("game", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place in places:
        grid.add_column(place, justify="right")
    for number, name in enumerate(overall.games):
        grid.add_row(name, *(f"{100 * player.scores[number]:.0f}" for player in overall.players))
    return grid


# ---- Duels ---------------------------------------------------------------------------------------------------


def _sides(summary: Summary) -> Grid:
    figures = _figures(summary)
    grid = Grid()
    grid.add_column("")
    for number, name in enumerate("ab", 1):  # specifications may fold, figures must not
        least = max(len(row[number]) for row in figures)
        grid.add_column(name, justify="right", overflow="fold", min_width=least)
    grid.add_row("player", summary.a.spec, summary.b.spec)
    for row in figures:
        grid.add_row(*row)
    if summary.sprt is not None:
        grid.add_section()
        grid.add_row("SPRT", _verdict(summary.sprt), llr(summary.sprt))
    return grid


def _figures(summary: Summary) -> list[tuple[str, str, str]]:
    """Return the rows of the grid: heading, figure of a, figure of b. Scores and Elo of b mirror those of a."""
    a, b = summary.a, summary.b
    low, high = summary.a_score_low, summary.a_score_high
    elo_low, elo_high = summary.elo_low, summary.elo_high
    return [
        ("wins", str(summary.a_wins), str(summary.b_wins)),
        ("draws", str(summary.draws), str(summary.draws)),
        ("losses", str(summary.b_wins), str(summary.a_wins)),
        ("score", percent(summary.a_score), percent(1 - summary.a_score)),
        ("  95 % interval", _range(low, high), _range(1 - high, 1 - low)),
        ("Elo difference", elo(summary.elo), elo(-summary.elo)),
        ("  95 % interval", elo_interval(elo_low, elo_high), elo_interval(-elo_high, -elo_low)),
        *_adjusted_figures(summary),
        ("moves", f"{a.moves:,}", f"{b.moves:,}"),
        ("ms per move", milliseconds(a.seconds_per_move), milliseconds(b.seconds_per_move)),
        ("iterations per move", _count(a.iterations_per_move), _count(b.iterations_per_move)),
    ]


def _adjusted_figures(summary: Summary) -> list[tuple[str, str, str]]:
    """Return the rows of the score without luck, if it was asked for."""
    found = summary.adjusted
    if found is None:
        return []
    low, high = found.low, found.high
    middle, elo_low, elo_high = found.elo
    saved = f"x {found.games_saved:.2f}"
    return [
        ("score without luck", percent(found.score), percent(1 - found.score)),
        ("  95 % interval", _range(low, high), _range(1 - high, 1 - low)),
        ("Elo without luck", elo(middle), elo(-middle)),
        ("  95 % interval", elo_interval(elo_low, elo_high), elo_interval(-elo_high, -elo_low)),
        ("games saved", saved, saved if found.games_saved >= PAYS else "does not pay"),
    ]


def _range(low: float, high: float) -> str:
    return f"{100 * low:.1f} .. {percent(high)}"


def _count(iterations: float | None) -> str:
    return "-" if iterations is None else f"{iterations:,.0f}"


def _verdict(test: Sprt) -> str:
    if test.verdict is None:
        return f"open: Elo {test.elo0:g} or {test.elo1:g}?"
    return f"Elo {test.verdict:g} rather than {test.elo0 if test.verdict == test.elo1 else test.elo1:g}"
