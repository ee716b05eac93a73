"""Moves of The Three Magicians by names: verbs and parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiplay._core.games.three_magicians.state import (
    CAST,
    COUNT_BITS,
    COUNT_MASK,
    END,
    JUMP,
    N_NOTCHES,
    N_WANDS,
    OWN_WAND,
    STAY,
    STOP,
    TRIPLE_0,
    TRIPLE_1,
    TRIPLE_2,
    WALK,
)
from aiplay.games.three_magicians.check import Phase
from aiplay.games.three_magicians.data import SYMBOLS
from aiplay.parts import Verb

if TYPE_CHECKING:
    from aiplay.games.three_magicians.data import Board

__all__ = ["VERBS", "parts_of"]

TRIPLETS = {TRIPLE_0: 0, TRIPLE_1: 1, TRIPLE_2: 2}  # the notches of each wand
VERBS = {
    "begin": Verb("seat {seat} begins", "Chance draws the seat that takes the first turn."),
    "throw": Verb(
        "throw {own}+{others}",
        "Chance throws the wands of a turn: the first number, from the seat's own wand, is for its Magician's jumps, "
        "the sum of both for its Apprentice's walk. Numbers without + are a throw of a duel.",
    ),
    "triplet": Verb(
        "throw {notches}+{notches}+{notches}",
        "Chance throws three equal wands: three 0 banish both figures of the seat to the Labyrinth, other "
        "triplets give another turn.",
    ),
    "jump": Verb(
        "jump {to}",
        "Your Magician jumps along links, exactly as often as your own wand shows, to this place. Except on Life, it "
        "takes a card if it meets your Apprentice there, and duels if it meets another Magician.",
    ),
    "walk": Verb(
        "walk {to}",
        "Your Apprentice walks exactly the sum of all wands, or twice the sum with the Power token, to this spot. "
        "Except on Life, it takes a card if it meets your Magician there, and is banished if it meets another one.",
    ),
    "end": Verb("end", "End your turn; figures that have not moved stay where they are.", ends=True),
    "magic": Verb(
        "magic", "Throw the wands for magic: the symbol seen most often takes effect, good or bad."
    ),
    "no magic": Verb("no magic", "Do not throw the wands for magic.", ends=True),
    "symbols": Verb(
        "{symbols}", "Chance throws the wands for magic: this symbol, or these, are seen most often."
    ),
    "choose": Verb("{symbol}", "Choose one of the symbols that are seen equally often; it takes effect."),
    "go": Verb("go {to}", "Your Apprentice goes to this place, as the star allows."),
    "stay": Verb("stay", "Your Apprentice stays on its stone, whatever the star allows.", ends=True),
    "take": Verb(
        "take from seat {seat}",
        "Take the tarot card of the place where your figures have met from another seat.",
    ),
    "duel throw": Verb(
        "throw {wands}",
        "Chance throws the wands of a duel that are not kept. A duel is fought where a Magician meets another one: "
        "more points win the card, and the loser's Magician goes to the Labyrinth.",
    ),
    "keep": Verb(
        "keep {wands}",
        "Keep these of the wands just thrown, for good, and throw the others again: more points win the duel.",
    ),
    "stop": Verb(
        "stop",
        "Be content with the points of all your wands in this duel; of equal points, those in fewer throws win.",
        ends=True,
    ),
}


def parts_of(board: Board, fields: Any, move: int) -> dict[str, Any]:
    """Return the parts of a legal move of a position, or of an outcome of chance."""
    seat = int(fields["seat"])
    match Phase(fields["phase"]):
        case Phase.FIRST:
            return {"verb": "begin", "seat": move}
        case Phase.THROW:
            return _throw(move)
        case Phase.MOVE:
            return _figure(board, int(fields["magicians"][seat]), int(fields["apprentices"][seat]), move)
        case Phase.OFFER:
            return {"verb": "magic" if move == CAST else "no magic"}
        case Phase.MAGIC:
            return {"verb": "symbols", "symbols": _symbols(move)}
        case Phase.TIE:
            return {"verb": "choose", "symbol": _symbols(move)}
        case Phase.STAR:
            return {"verb": "stay"} if move == STAY else {"verb": "go", "to": board.names[move]}
        case Phase.STEAL:
            return {"verb": "take", "card": board.names[fields["magicians"][seat]], "seat": move}
        case Phase.DUEL_THROW:
            ones, twos = _counts(move, 2)
            zeros = N_WANDS - int(fields["n_kept"]) - ones - twos
            return {"verb": "duel throw", "wands": _wands(zeros, ones, twos)}
    if move == STOP:
        return {"verb": "stop"}
    return {"verb": "keep", "wands": _wands(*_counts(move, N_NOTCHES))}


def _throw(move: int) -> dict[str, Any]:
    if move in TRIPLETS:
        return {"verb": "triplet", "notches": TRIPLETS[move]}
    own, others = divmod(move, OWN_WAND)
    return {"verb": "throw", "own": own, "others": others}


def _figure(board: Board, magician: int, apprentice: int, move: int) -> dict[str, Any]:
    if move == END:
        return {"verb": "end"}
    if move < WALK:
        return {"verb": "jump", "from": board.names[magician], "to": board.names[move - JUMP]}
    return {"verb": "walk", "from": board.spot_name(apprentice), "to": board.spot_name(move - WALK)}


def _symbols(bits: int) -> str:
    return " and ".join(symbol for symbol, bit in SYMBOLS.items() if bits & bit)


def _counts(move: int, n: int) -> list[int]:
    """The n counts of wands that a move of a duel packs."""
    return [move >> COUNT_BITS * i & COUNT_MASK for i in range(n)]


def _wands(zeros: int, ones: int, twos: int) -> str:
    """Wands by their notches, highest first."""
    return " ".join(["2"] * twos + ["1"] * ones + ["0"] * zeros)
