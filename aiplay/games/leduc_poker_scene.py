"""Scenes of Leduc poker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, Struct, UnsetType

from aiplay._core.games.leduc_poker import (
    ANTE,
    BEFORE_BOARD,
    MAX_CHIPS,
    SEATS,
    SECOND_RAISE,
    SHOWDOWN,
    UNKNOWN,
)
from aiplay.errors import InvalidStateError
from aiplay.scene import Scene

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["LeducPokerScene", "LeducPokerSeat", "fields_of", "scene_of"]

ROUNDS: tuple[Literal["first", "second", "showdown"], ...] = ("first", "second", "showdown")


class LeducPokerSeat(Struct, kw_only=True, forbid_unknown_fields=True):
    """A seat of Leduc poker."""

    card: str | None  # None: hidden, or not dealt
    chips: int  # what it has put into the pot
    has_card: bool = True  # False: its card is not dealt


class LeducPokerScene(Scene):
    """Leduc poker: cards, chips, and the round of betting."""

    seats: list[LeducPokerSeat]
    board: str | None  # the public card; None: not dealt
    round: Literal["first", "second", "showdown"]  # of betting; second: from the end of the first on
    turn: int  # the seat that bets next, or that folded
    raises: int  # in this round
    decisions: int | UnsetType = UNSET  # in this round
    folded: int | None = None  # the seat that folded
    opener: int | UnsetType | None = (
        UNSET  # raised first before the public card; if left out, the seat to begin
    )
    to_move: int | UnsetType | None = UNSET  # None: a card is dealt, or the game is over


def scene_of(position: Position, cards: Sequence[str]) -> LeducPokerScene:
    """Return the scene of a position; `cards` are the names of the cards."""
    fields, to_move = position.to_fields(), position.to_move

    def name(card: int) -> str | None:
        return None if card == UNKNOWN else cards[card]

    return LeducPokerScene(
        seats=[
            LeducPokerSeat(
                card=name(fields["hands"][seat]),
                chips=int(fields["chips"][seat]),
                has_card=seat < int(fields["n_dealt"]),
            )
            for seat in range(SEATS)
        ],
        board=name(fields["board"]),
        round=ROUNDS[fields["betting"]],
        turn=int(fields["seat"]),
        raises=int(fields["n_raises"]),
        decisions=int(fields["n_actions"]),
        folded=int(fields["folded"]) - 1 if fields["folded"] else None,
        opener=int(fields["opener"]) - 1 if fields["opener"] else None,
        to_move=to_move if to_move >= 0 else None,
    )


def fields_of(scene: LeducPokerScene, cards: Sequence[str]) -> dict[str, Any]:
    """Return the fields of the position with a scene."""
    if len(scene.seats) != SEATS:
        raise InvalidStateError(f"the scene: seats has {len(scene.seats)} entries; allowed: {SEATS}")
    for entry in ("turn", "folded", "opener"):
        seat = getattr(scene, entry)
        if seat is not None and seat is not UNSET and seat not in range(SEATS):
            raise InvalidStateError(f"the scene: {entry} is {seat}; allowed: 0 or 1")
    if scene.seats[1].has_card and not scene.seats[0].has_card:
        raise InvalidStateError("the scene: seats[1].has_card is true; the card of seat 0 is dealt first")
    hands = [_number(cards, seat.card, f"seats[{place}].card") for place, seat in enumerate(scene.seats)]
    return {
        "hands": hands,
        "board": _number(cards, scene.board, "board"),
        "betting": ROUNDS.index(scene.round),
        "seat": scene.turn,
        "n_raises": scene.raises,
        "n_actions": _decisions(scene),
        "folded": 0 if scene.folded is None else scene.folded + 1,
        "n_dealt": sum(seat.has_card for seat in scene.seats),
        "chips": [seat.chips for seat in scene.seats],
        "opener": _opener(scene),
    }


def _number(cards: Sequence[str], card: str | None, entry: str) -> int:
    if card is None:
        return UNKNOWN
    if card not in cards:
        raise InvalidStateError(f"the scene: {entry} is {card!r}; allowed: {', '.join(cards)}")
    return cards.index(card)


def _decisions(scene: LeducPokerScene) -> int:
    """Return the decisions of this round: the raises, and a call before them if the other seat has to begin."""
    if scene.decisions is not UNSET:
        return scene.decisions
    if ROUNDS.index(scene.round) == SHOWDOWN:
        return 0
    return scene.raises + (scene.raises + scene.turn) % 2 + (scene.folded is not None)


def _opener(scene: LeducPokerScene) -> int:
    """Return 1 + the seat that raised first before the public card; 0 if nobody did."""
    if scene.opener is not UNSET:
        return 0 if scene.opener is None else scene.opener + 1
    if ROUNDS.index(scene.round) == BEFORE_BOARD and scene.raises:
        return 1 + (_decisions(scene) - (scene.folded is not None) - scene.raises) % SEATS
    before = (
        max(seat.chips for seat in scene.seats) - SECOND_RAISE * scene.raises
    )  # the second round's raises
    if (
        ROUNDS.index(scene.round) == SHOWDOWN
    ):  # they are forgotten: as few bets before the public card as possible
        return int((before - ANTE) % SECOND_RAISE != 0 or before == MAX_CHIPS)
    return int(before > ANTE)
