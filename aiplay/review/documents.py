"""A review as plain data, ready for JSON."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiplay.review.accounts import Account
    from aiplay.review.judge import Decision
    from aiplay.review.result import Review

__all__ = ["document"]


def document(review: Review) -> dict[str, Any]:
    """Return a review as plain data; docs/review.md lists the keys."""
    return {
        "game": review.game.name,
        "options": dict(review.game.options),
        "moves": len(review.record.moves),
        "over": review.returns is not None,
        "player": review.player,
        "seed": review.seed,
        "seconds": review.seconds,
        "seats": [_seat(review, one) for one in review.seats],
        "decisions": [_decision(review, one) for one in review.decisions],
        "events": [{"ply": one.ply, "text": one.text, "luck": list(one.luck)} for one in review.events],
        "odds": [list(odds) for odds in review.odds],
        "retry": [{"ply": one.ply, "seat": one.seat} for one in review.mistakes()],
    }


def _seat(review: Review, one: Account) -> dict[str, Any]:
    decisions = review.decisions_of(one.seat)
    players = review.record.players
    return {
        **dataclasses.asdict(one),
        "player": players[one.seat] if one.seat < len(players) else None,
        "return": None if review.returns is None else review.returns[one.seat],
        "adjusted": one.adjusted,
        "hidden_luck": review.hidden_luck(one.seat),
        "decisions": len(decisions),
        "loss": review.loss_of(one.seat),
        "loss_per_decision": review.loss_of(one.seat) / max(len(decisions), 1),
        "verdicts": review.verdicts_of(one.seat),
    }


def _decision(review: Review, one: Decision) -> dict[str, Any]:
    change = review.changes[one.ply]
    return {**dataclasses.asdict(one), "luck": list(change.luck), "decided": list(change.decided)}
