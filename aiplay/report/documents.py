"""Results of a match as plain data, ready for JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from aiplay.match.standings import Overall

if TYPE_CHECKING:
    from aiplay.match import Duel, Match
    from aiplay.match.adjust import Adjusted
    from aiplay.match.ratings import Rating
    from aiplay.match.standings import Standing, Standings

__all__ = ["duel_document", "standings_document"]


def standings_document(match: Match) -> dict[str, Any]:
    """Return the standings of a match."""
    standings = match.standings()
    overall = Overall.of(standings)
    return {
        "kind": match.kind,
        "seed": match.seed,
        "finished": match.is_finished,
        "games_played": len(match.results),
        "games_planned": len(match.schedule),
        "seconds": match.seconds,
        "standings": [_game(game) for game in standings],
        "overall": None if overall is None else _overall(overall),
    }


def duel_document(duel: Duel) -> dict[str, Any]:
    """Return the result of a duel. An infinite Elo (all won or all lost) is None."""
    summary = duel.summary()
    sides = {
        name: {
            "spec": side.spec,
            "seconds_per_move": side.seconds_per_move,
            "iterations_per_move": side.iterations_per_move,
        }
        for name, side in (("a", summary.a), ("b", summary.b))
    }
    counts = ("a_wins", "b_wins", "draws", "a_score", "a_score_low", "a_score_high")
    numbers = {name: getattr(summary, name) for name in (*counts, "elo", "elo_low", "elo_high", "seconds")}
    document = {
        "game": duel.game.name,
        "options": dict(duel.game.options),
        "seed": summary.seed,
        "games": summary.games,
        "deals": summary.deals,
        "pairs": summary.deals,  # the old name of deals; will be removed in version 0.2
        **sides,
        **{name: value if math.isfinite(value) else None for name, value in numbers.items()},
    }
    if summary.adjusted is not None:
        document |= _adjusted(summary.adjusted)
    if summary.sprt is not None:
        test = summary.sprt
        document["sprt"] = {"elo0": test.elo0, "elo1": test.elo1, "llr": test.llr, "verdict": test.verdict}
    return document


def _game(standings: Standings) -> dict[str, Any]:
    players = standings.players
    cross = [[standings.cell(player, other).score for other in players] for player in players]
    return {
        "game": standings.game.name,
        "options": dict(standings.game.options),
        "games": standings.games,
        "deals": standings.deals,
        "players": [_player(player) for player in players],
        "cross_table": [[None if math.isnan(score) else score for score in row] for row in cross],
    }


def _player(player: Standing) -> dict[str, Any]:
    same = ("spec", "games", "score", "score_low", "score_high", "moves", "seconds_per_move")
    return {
        **{name: getattr(player, name) for name in same},
        "iterations_per_move": player.iterations_per_move,
        "mean_return": player.mean_return,
        "wins": player.total.wins,
        "draws": player.total.draws,
        "losses": player.total.losses,
        **_rating(player.rating),
        **({} if player.adjusted is None else _adjusted(player.adjusted)),
    }


def _adjusted(found: Adjusted) -> dict[str, float | None]:
    scores = dict(
        zip(("score", "score_low", "score_high"), (found.score, found.low, found.high), strict=True)
    )
    elos = dict(zip(("elo", "elo_low", "elo_high"), found.elo, strict=True))
    figures = {name: value if math.isfinite(value) else None for name, value in (scores | elos).items()}
    return {f"adjusted_{name}": figure for name, figure in figures.items()} | {
        "games_saved": found.games_saved
    }


def _overall(overall: Overall) -> list[dict[str, Any]]:
    return [
        {"spec": player.spec, "mean_score": player.mean_score, **_rating(player.rating)}
        for player in overall.players
    ]


def _rating(rating: Rating) -> dict[str, float]:
    return {"elo": rating.rating, "elo_low": rating.low, "elo_high": rating.high}
