"""Moves of Levitation: their verbs, and the parts of every move and of every outcome of chance."""

from __future__ import annotations

from typing import Any

from aiplay._core.games.levitation.state import (
    EFFECT_DISABLE,
    EFFECT_GAIN_CARD,
    EFFECT_MOVE_CARD,
    EFFECT_PLACE_CITY,
    EFFECT_TRADE_CARD,
    MASTER_TICKETS,
    MOVE_AMOUNT,
    MOVE_CARD,
    MOVE_CITY,
    MOVE_COLOUR,
    MOVE_DICE,
    MOVE_DISCARD,
    MOVE_DRAFT,
    MOVE_END,
    MOVE_PARTNER,
    MOVE_PATH,
    MOVE_ROLL,
    MOVE_SPACE,
    MOVE_TICKETS,
    MOVE_TOKEN,
    N_CITIES,
    N_COLOURS,
    N_DICE,
    NONE,
    PHASE_COPY,
    PHASE_DEAL,
    PHASE_DICE,
    PHASE_FLAIR,
    PHASE_MAIN,
    PHASE_REFILL,
    PHASE_TARGET,
    PHASE_TOKENS,
    THURSTON,
)
from aiplay.games.levitation.data import COLOURS, MASTERS, LevitationData
from aiplay.parts import Verb

__all__ = ["VERBS", "move_parts"]

VERBS = {
    "roll": Verb("roll", "Throw all twenty dice before you draft one; possible if a master has no dice."),
    "draft": Verb(
        "draft {die} from {from}",
        "Take a die from a master, who gives you your main action; its colour says which of your cards you can use, "
        "which card Thurston and which city Kellar can give you. The die is off the board until the next roll.",
    ),
    "tickets": Verb(
        "tickets", f"Main action of Herrmann: move {MASTER_TICKETS} of your unused tickets to your hand."
    ),
    "take": Verb(
        "take {card}",
        "Take a card from a city: Thurston's main action, with an icon in the colour of your die, or by a card.",
    ),
    "place": Verb(
        "place {city}",
        "Put a ticket from your hand in a city and gain its reward: Kellar's main action, or by a card.",
    ),
    "space": Verb(
        "space {space}",
        "Put a ticket from your hand on a point space for good; it scores at the end of the game.",
    ),
    "use": Verb(
        "use {card}",
        "Use one of your cards: commit cubes for its cost, carry out its effect, and score its flair tokens.",
    ),
    "copy": Verb("copy {card}", "Choose the card whose effect your card duplicates."),
    "points": Verb("points {points}", "Choose the number of points of an X card; each of them takes a cube."),
    "disable": Verb(
        "disable {card}",
        "Choose the card of another seat that can be neither used nor copied until the turn ends.",
    ),
    "give": Verb("give {card}", "Choose your card to trade for a card in a city; its flair is lost."),
    "move": Verb("move {card}", "Choose the card to move from its city to an empty one."),
    "from": Verb("from {city}", "Choose the city whose ticket of yours is moved or traded."),
    "to": Verb("to {city}", "Choose the city to which the ticket or the card goes."),
    "with": Verb("with seat {seat} in {city}", "Choose the ticket of another seat to trade places with."),
    "colour": Verb("{colour}", "Choose the colour that your die has from now on in this action."),
    "flair": Verb(
        "flair on {card}",
        "Put a flair token on one of your cards; it scores a point at each use of the card.",
    ),
    "discard": Verb("discard", "Return a flair token to the supply for a point."),
    "claim": Verb(
        "claim {bottom}-{middle}-{top}",
        "Score a path of your tickets from the bottom row to the top row; its three tickets become unused.",
    ),
    "end": Verb("end", "End your action: your cubes come back, and the next seat acts.", ends=True),
    "deal": Verb("deal {card}", "Chance: a card is drawn from the deck and put in a city."),
    "token": Verb("token {token}", "Chance: a seat reveals a turn token; the smallest number acts first."),
    "throw": Verb(
        "{die} " + "-".join(f"{{{master}}}" for master in MASTERS),
        "Chance: the four dice of a colour fall on the masters; the numbers are the dice on "
        + f"{', '.join(MASTERS[:-1])} and {MASTERS[-1]}.",
    ),
}

Parts = dict[str, Any]

# Moves of one meaning without a choice
PLAIN: dict[int, Parts] = {
    MOVE_END: {"verb": "end"},
    MOVE_ROLL: {"verb": "roll"},
    MOVE_TICKETS: {"verb": "tickets"},
    MOVE_DISCARD: {"verb": "discard"},
}
# Dice on each master after throwing the four of a colour, in the order of the core's numbers
ROLLS = tuple(
    (first, second, N_DICE - first - second)
    for first in range(N_DICE + 1)
    for second in range(N_DICE + 1 - first)
)


def move_parts(data: LevitationData, fields: Any, move: int) -> Parts:
    """Return the parts of a move or of an outcome of chance."""
    if move in PLAIN:
        return dict(PLAIN[move])
    phase = int(fields["phase"])
    if phase == PHASE_TOKENS:
        return {"verb": "token", "seat": int(fields["step"]), "token": move - MOVE_TOKEN + 1}
    if phase == PHASE_DICE:
        counts = zip(MASTERS, ROLLS[move - MOVE_DICE], strict=True)
        return {"verb": "throw", "die": COLOURS[fields["step"]], **dict(counts)}
    if move < MOVE_SPACE:
        return _city_parts(data, fields, move - MOVE_CITY)
    if move < MOVE_CARD:
        return {"verb": "space", "space": data.spaces[move - MOVE_SPACE]}
    if move < MOVE_DRAFT:
        return _card_parts(data, fields, move - MOVE_CARD)
    return _other_parts(data, fields, move)


def _other_parts(data: LevitationData, fields: Any, move: int) -> Parts:
    """Return the parts of a move that is about neither a single city nor a card."""
    if move >= MOVE_PATH:
        top, middle, bottom = (data.cities[city].name for city in data.paths[move - MOVE_PATH])
        return {"verb": "claim", "bottom": bottom, "middle": middle, "top": top}
    if move >= MOVE_PARTNER:
        seat, city = divmod(move - MOVE_PARTNER, N_CITIES)
        own = data.cities[int(fields["target"])].name
        return {"verb": "with", "from": own, "seat": seat, "city": data.cities[city].name}
    if move >= MOVE_AMOUNT:
        return {"verb": "points", "points": move - MOVE_AMOUNT}
    if move >= MOVE_COLOUR:
        return {"verb": "colour", "colour": COLOURS[move - MOVE_COLOUR]}
    master, colour = divmod(move - MOVE_DRAFT, N_COLOURS)
    return {"verb": "draft", "die": COLOURS[colour], "from": MASTERS[master]}


def _card_parts(data: LevitationData, fields: Any, card: int) -> Parts:
    phase, name = int(fields["phase"]), data.cards[card].name
    if phase in (PHASE_DEAL, PHASE_REFILL):
        step = int(fields["step"])
        city = step if phase == PHASE_DEAL else data.paths[int(fields["path"])][step]
        return {"verb": "deal", "card": name, "city": data.cities[city].name}
    if phase == PHASE_FLAIR:
        return {"verb": "flair", "card": name}
    if phase == PHASE_COPY:
        return {"verb": "copy", "card": name, "seat": _owner(fields, card)}
    if phase == PHASE_TARGET:
        if _effect(data, fields) == EFFECT_DISABLE:
            return {"verb": "disable", "card": name, "seat": _owner(fields, card)}
        return {"verb": "give", "card": name}
    return {"verb": "use", "card": name}


def _city_parts(data: LevitationData, fields: Any, city: int) -> Parts:
    name = data.cities[city].name
    if fields["phase"] == PHASE_MAIN:
        if fields["master"] == THURSTON:
            return {"verb": "take", "card": _card_in(data, fields, city), "from": name}
        return {"verb": "place", "city": name}
    effect, first = _effect(data, fields), int(fields["target"])
    if effect == EFFECT_GAIN_CARD or (effect == EFFECT_TRADE_CARD and first != NONE):
        return {"verb": "take", "card": _card_in(data, fields, city), "from": name}
    if effect == EFFECT_MOVE_CARD and first == NONE:
        return {"verb": "move", "card": _card_in(data, fields, city), "from": name}
    if effect == EFFECT_PLACE_CITY:
        return {"verb": "place", "city": name}
    if first == NONE:
        return {"verb": "from", "city": name}
    if effect == EFFECT_MOVE_CARD:
        return {"verb": "to", "card": _card_in(data, fields, first), "city": name}
    return {"verb": "to", "from": data.cities[first].name, "city": name}


def _effect(data: LevitationData, fields: Any) -> int:
    """Return the effect in use: EFFECT_*."""
    return data.cards[int(fields["source"])].effect


def _card_in(data: LevitationData, fields: Any, city: int) -> str:
    return data.cards[int(fields["city_cards"][city])].name


def _owner(fields: Any, card: int) -> int:
    """Return the seat that owns a card."""
    return next(seat for seat, owned in enumerate(fields["owned"]) if int(owned) >> card & 1)
