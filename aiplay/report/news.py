"""The state of a match that is being played, short enough to stand beside a progress bar."""

from __future__ import annotations

from aiplay.match import Duel, Match, Tournament
from aiplay.report.figures import llr, percent

__all__ = ["news", "title"]

ROOM = 36  # characters for the leading players
NOTHING = "no deal finished yet"


def title(match: Match) -> str:
    """Return the name of the game, or the number of games."""
    names = {scheduled.game.name for scheduled in match.schedule}
    return names.pop() if len(names) == 1 else f"{len(names)} games"


def news(match: Match) -> str:
    """Return the score so far: of a in a duel, of the leading players in a tournament."""
    if isinstance(match, Duel):
        return _duel_news(match)
    return _tournament_news(match) if isinstance(match, Tournament) else ""


def _duel_news(duel: Duel) -> str:
    summary = duel.summary()
    interval = f"{100 * summary.a_score_low:.0f} .. {100 * summary.a_score_high:.0f}"
    score = f"a {percent(summary.a_score)} ({interval})" if summary.deals else NOTHING
    return score if summary.sprt is None else f"{score} {llr(summary.sprt)}"


def _tournament_news(tournament: Tournament) -> str:
    kinds = [_kind(spec) for spec in tournament.specs]
    text = ""
    for spec, score in tournament.leaders():
        name = _kind(spec) if kinds.count(_kind(spec)) == 1 else spec
        more = f"{text}, {name} {100 * score:.0f} %" if text else f"{name[: ROOM - 6]} {100 * score:.0f} %"
        if len(more) > ROOM:
            break
        text = more
    return text or NOTHING


def _kind(spec: str) -> str:
    return spec.partition(":")[0]
