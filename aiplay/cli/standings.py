"""Standings of a match on a terminal, and as JSON and CSV for programs."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from aiplay.cli.show import console, print_table
from aiplay.match.schedule import compares_teams
from aiplay.match.standings import Overall, percent

if TYPE_CHECKING:
    from aiplay.match import Match
    from aiplay.match.ratings import Rating
    from aiplay.match.standings import Standing, Standings

__all__ = ["games_csv", "show_match", "standings_document"]

WIDE = 160  # letters in a line of a file
CSV_COLUMNS = (  # docs/tournament.md explains them
    *("game_number", "deal", "counts", "game", "options", "seed"),
    *("seat", "player", "return", "moves", "seconds", "iterations"),
)


def show_match(match: Match) -> None:
    """Print where the players stand, in each game and overall."""
    standings = match.standings()
    out = console()
    if not out.is_terminal:
        out.width = max(out.width, WIDE)
    for game in standings:
        out.print(f"{game.title}: {game.played}", soft_wrap=True)
        if game.deals:  # else a table would look as if something were known
            print_table(out, _ratings(game))
            print_table(out, _cross_table(game))
    if (overall := Overall.of(standings)) is not None:
        which = "All" if len(overall.games) == len(standings) else "These"
        out.print(f"{which} games, each counting the same")
        print_table(out, _overall(overall))
        print_table(out, _scores_by_game(overall))
    played = f"{len(match.results)} of {len(match.schedule)} games"
    unfinished = "" if match.is_finished else f"; not finished: {played}"
    out.print(f"{match.seconds:.1f} s; seed {match.seed}{unfinished}", soft_wrap=True)


# ---- Tables --------------------------------------------------------------------------------------------------


def _table(*heads: str) -> Table:
    """A table of players: their place and name, then figures."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", justify="right")
    table.add_column("player", overflow="fold", min_width=12)
    for head in heads:
        table.add_column(head, justify="right")
    return table


def _ratings(standings: Standings) -> Table:
    is_team = compares_teams(standings.game)
    heads = ["Elo", "95 % interval", "> next", "score", "ms/move"]
    table = _table(*heads, *["return"] * is_team)
    followers: list[Standing | None] = [*standings.players[1:], None]
    for place, (player, follower) in enumerate(zip(standings.players, followers, strict=True), 1):
        if not player.games:
            table.add_row(str(place), player.spec, *["-"] * len(table.columns[2:]))
            continue
        figures = [
            *player.rating.texts,
            "" if follower is None else f"{100 * player.rating.above[follower.number]:.0f} %",
            percent(player.score),
            f"{1000 * player.seconds_per_move:.3g}",
        ]
        table.add_row(str(place), player.spec, *figures, *[f"{player.mean_return:.3f}"] * is_team)
    return table


def _cross_table(standings: Standings) -> Table:
    players = standings.players
    table = _table(*(str(place) for place in range(1, len(players) + 1)), "won-drawn-lost")
    for place, player in enumerate(players, 1):
        scores = [standings.cell(player, other).score for other in players]
        cells = ["" if math.isnan(score) else f"{100 * score:.0f}" for score in scores]
        total = player.total
        table.add_row(str(place), player.spec, *cells, f"{total.wins}-{total.draws}-{total.losses}")
    return table


def _overall(overall: Overall) -> Table:
    table = _table("Elo", "95 % interval", "mean score")
    for place, player in enumerate(overall.players, 1):
        table.add_row(str(place), player.spec, *player.rating.texts, percent(player.mean_score))
    return table


def _scores_by_game(overall: Overall) -> Table:
    places = [str(place) for place in range(1, len(overall.players) + 1)]
    table = Table("game", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place in places:
        table.add_column(place, justify="right")
    for number, name in enumerate(overall.games):
        table.add_row(name, *(f"{100 * player.scores[number]:.0f}" for player in overall.players))
    return table


# ---- For programs --------------------------------------------------------------------------------------------


def standings_document(match: Match) -> dict[str, Any]:
    """The standings as plain JSON."""
    standings = match.standings()
    overall = Overall.of(standings)
    return {
        "kind": match.kind,
        "seed": match.seed,
        "finished": match.is_finished,
        "games_played": len(match.results),
        "games_planned": len(match.schedule),
        "seconds": match.seconds,
        "standings": [_game_document(game) for game in standings],
        "overall": None if overall is None else _overall_document(overall),
    }


def _game_document(standings: Standings) -> dict[str, Any]:
    players = standings.players
    cross = [[standings.cell(player, other).score for other in players] for player in players]
    return {
        "game": standings.game.name,
        "options": dict(standings.game.options),
        "games": standings.games,
        "deals": standings.deals,
        "players": [_player_document(player) for player in players],
        "cross_table": [[None if math.isnan(score) else score for score in row] for row in cross],
    }


def _player_document(player: Standing) -> dict[str, Any]:
    same = ("spec", "games", "score", "score_low", "score_high", "moves", "seconds_per_move")
    return {
        **{name: getattr(player, name) for name in same},
        "iterations_per_move": player.iterations_per_move,
        "mean_return": player.mean_return,
        "wins": player.total.wins,
        "draws": player.total.draws,
        "losses": player.total.losses,
        **_rating_document(player.rating),
    }


def _overall_document(overall: Overall) -> list[dict[str, Any]]:
    return [
        {"spec": player.spec, "mean_score": player.mean_score, **_rating_document(player.rating)}
        for player in overall.players
    ]


def _rating_document(rating: Rating) -> dict[str, float]:
    return {"elo": rating.rating, "elo_low": rating.low, "elo_high": rating.high}


def games_csv(match: Match) -> str:
    """Every finished game as CSV, a row for each seat."""
    counted = {result.scheduled.number for deal in match.complete_deals() for result in deal}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for result in sorted(match.results, key=lambda result: result.scheduled.number):
        scheduled = result.scheduled
        options = json.dumps(dict(scheduled.game.options), separators=(",", ":"))
        counts = "yes" if scheduled.number in counted else "no"
        begin = [scheduled.number, scheduled.deal, counts, scheduled.game.name, options, scheduled.seed]
        seats: Sequence[tuple[Any, ...]] = list(
            zip(scheduled.specs, result.returns, result.moves, result.seconds, result.iterations, strict=True)
        )
        writer.writerows([*begin, seat, *figures] for seat, figures in enumerate(seats))
    return buffer.getvalue()
