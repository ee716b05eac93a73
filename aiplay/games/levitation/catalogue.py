"""The catalogue of Levitation: everything that a scene or a move names, with its effect in words.

All texts are made from the data file, so another file gets its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aiplay._core.games.levitation.core import CARD_POINTS
from aiplay._core.games.levitation.state import (
    COUNTED_CARDS,
    COUNTED_PIECES,
    EFFECT_BONUS,
    EFFECT_COLOUR,
    EFFECT_COPY_OTHER,
    EFFECT_COPY_OWN,
    EFFECT_DISABLE,
    EFFECT_FIRST,
    EFFECT_GAIN_CARD,
    EFFECT_GAIN_CUBE,
    EFFECT_GAIN_FLAIR,
    EFFECT_GAIN_TICKET,
    EFFECT_GAIN_TICKETS,
    EFFECT_MOVE_CARD,
    EFFECT_MOVE_TICKET,
    EFFECT_PLACE_CITY,
    EFFECT_PLACE_SPACE,
    EFFECT_POINTS_BOARD,
    EFFECT_POINTS_CARDS,
    EFFECT_POINTS_DICE,
    EFFECT_POINTS_HAND,
    EFFECT_REROLL,
    EFFECT_TRADE_CARD,
    EFFECT_TRADE_TICKETS,
    FIRST_CUBES,
    HERRMANN,
    KELLAR,
    MASTER_TICKETS,
    N_COLOURS,
    N_CUBES,
    N_DICE,
    N_FLAIR,
    N_ROUNDS,
    N_TICKETS,
    N_TOKENS,
    N_TURNS,
    PATH_BONUS,
    THURSTON,
)
from aiplay.catalogue import Entry
from aiplay.games.levitation.check import PHASES
from aiplay.games.levitation.data import COLOURS, EFFECTS, MASTERS, ROWS, SIZES, Card, City, LevitationData

__all__ = ["LETTERS", "PHASE_TEXTS", "card_text", "joined", "short_text", "things"]

ICONS = ("gadget", "camouflage", "sleight of hand", "technology", "accomplice")  # of the colours
LETTERS = ("B", "R", "Y", "K", "G")  # of the colours, in drawings
OFF_BOARD = "off the board (drafted since the last roll, yours included)"
FACES = ("1 or 2", "3 or 4", "5 or 6")  # of the dice on each master

# Effects in words; {one} is the first colour in the text, {any} are all of them.
TEXTS = {
    EFFECT_POINTS_DICE: f"Score a point for each {{one}} die {OFF_BOARD}.",
    EFFECT_POINTS_BOARD: "Score a point for each of your tickets in cities and on point spaces.",
    EFFECT_POINTS_HAND: "Score a point for each ticket in your hand.",
    EFFECT_POINTS_CARDS: "Score a point for each of your cards with a {one} icon.",
    EFFECT_GAIN_FLAIR: "Gain a flair token: put it on one of your cards with room, or discard it for a point.",
    EFFECT_GAIN_TICKET: "Gain a ticket: one of your unused tickets goes to your hand.",
    EFFECT_GAIN_CUBE: "Gain a cube; you may commit it at once.",
    EFFECT_GAIN_TICKETS: f"Gain a ticket for each {{one}} die {OFF_BOARD}.",
    EFFECT_GAIN_CARD: "Take a card with a {one} icon from a city.",
    EFFECT_PLACE_SPACE: "Put a ticket from your hand on a free point space.",
    EFFECT_PLACE_CITY: "Put a ticket from your hand in an open {any} city, and gain the reward of the city.",
    EFFECT_COPY_OTHER: "Carry out the effect of a card of another seat as if it were printed here; "
    "not of one that duplicates or re-rolls.",
    EFFECT_COPY_OWN: "Carry out the effect of another of your cards as if it were printed here; "
    "not of one that duplicates or re-rolls.",
    EFFECT_DISABLE: "Choose a card of another seat: it can be neither used nor copied until all seats have acted.",
    EFFECT_FIRST: "You act first in the next turn.",
    EFFECT_TRADE_TICKETS: "Exchange one of your tickets with a ticket of another seat in a different city; "
    "you gain the reward of your new city.",
    EFFECT_MOVE_TICKET: "Move one of your tickets to another open city of any colour, and gain the reward of the city.",
    EFFECT_TRADE_CARD: "Put one of your other cards, without its flair, in a city, and take the card that is there.",
    EFFECT_REROLL: "Only before the draft, and without regard to colour: throw all dice again.",
    EFFECT_BONUS: f"Your next path in this action scores {PATH_BONUS} points more.",
    EFFECT_MOVE_CARD: "Move a card from a city to a city with neither a card nor a ticket.",
    EFFECT_COLOUR: "Change the colour of your die until your action ends.",
}
# The same for drawings, in up to 18 characters; {letters} are the letters of all colours.
SHORT = {
    EFFECT_POINTS_DICE: "1p/{one} die off",
    EFFECT_POINTS_BOARD: "1p/ticket on board",
    EFFECT_POINTS_HAND: "1p/ticket in hand",
    EFFECT_POINTS_CARDS: "1p/{one} card",
    EFFECT_GAIN_FLAIR: "gain 1 flair",
    EFFECT_GAIN_TICKET: "gain 1 ticket",
    EFFECT_GAIN_CUBE: "gain 1 cube",
    EFFECT_GAIN_TICKETS: "1t/{one} die off",
    EFFECT_GAIN_CARD: "take {one} card",
    EFFECT_PLACE_SPACE: "ticket to a space",
    EFFECT_PLACE_CITY: "ticket to {letters} city",
    EFFECT_COPY_OTHER: "copy other's card",
    EFFECT_COPY_OWN: "copy own card",
    EFFECT_DISABLE: "disable a card",
    EFFECT_FIRST: "go first next turn",
    EFFECT_TRADE_TICKETS: "trade tickets",
    EFFECT_MOVE_TICKET: "move a ticket",
    EFFECT_TRADE_CARD: "trade a card",
    EFFECT_REROLL: "re-roll all dice",
    EFFECT_BONUS: f"+{PATH_BONUS}p on next path",
    EFFECT_MOVE_CARD: "move a city's card",
    EFFECT_COLOUR: "change die colour",
}
X_TEXT = "Each point takes a cube; you choose how many."
PHASE_TEXTS = {
    "deal": "The cities get their first cards.",
    "tokens": "Every seat reveals a turn token; the smallest number acts first.",
    "dice": "The dice are thrown, colour by colour.",
    "refill": "The cities of a claimed path get new cards.",
    "over": "The game is over.",
    "path": "A seat claims one of its paths.",
    "start": "The acting seat drafts a die; before that it may roll, or use a card that re-rolls.",
    "main": "The acting seat carries out its main action, uses a card, or ends its action.",
    "copy": "The acting seat chooses the card whose effect is duplicated.",
    "amount": "The acting seat chooses the points of an X card, and commits as many cubes.",
    "target": "The acting seat chooses what the card in use is used on.",
    "flair": "The acting seat puts a flair token on one of its cards, or discards it for a point.",
}


def joined(names: Iterable[str], last: str = "or") -> str:
    """Return names as text: "blue", "blue or red", "blue, red or green"."""
    *first, final = names
    return f"{', '.join(first)} {last} {final}" if first else final


def _counted(n: int, thing: str) -> str:
    return f"{n} {thing}{'s' * (n != 1)}"


def _with_colours(template: str, colours: Sequence[int]) -> str:
    names = [COLOURS[colour] for colour in colours]
    letters = "/".join(LETTERS[colour] for colour in colours)
    return template.format(one=names[0] if names else "", any=joined(names) if names else "", letters=letters)


def card_text(card: Card) -> str:
    """Return the effect of a card in words."""
    text = _with_colours(TEXTS[card.effect], card.colours)
    return text if card.cost else f"{text} {X_TEXT}"


def short_text(card: Card) -> str:
    """Return the effect of a card in a few words, for drawings."""
    return _with_colours(SHORT[card.effect], card.colours)


def things(data: LevitationData) -> dict[str, list[Entry]]:
    """Return the entries of the catalogue by kind."""
    return {
        "card": [_card(card) for card in data.cards],
        "city": [_city(data, number) for number in range(len(data.cities))],
        "space": [_space(name) for name in data.spaces],
        "master": [_master(number) for number in range(len(MASTERS))],
        "die": [_die(number) for number in range(N_COLOURS)],
        "piece": _pieces(data),
        "phase": [Entry(name=name, about=PHASE_TEXTS[name]) for name in PHASES],
    }


def _card(card: Card) -> Entry:
    facts = {
        "icons": [COLOURS[icon] for icon in card.icons],
        "size": SIZES[card.size],
        "cost": card.cost or "X",
        "most flair": card.flair,
        "effect": tuple(EFFECTS)[card.effect],
        "colours": [COLOURS[colour] for colour in card.colours],
    }
    return Entry(name=card.name, about=card_text(card), facts=facts)


def _city(data: LevitationData, number: int) -> Entry:
    city = data.cities[number]
    neighbours = {*city.touches, *(i for i, other in enumerate(data.cities) if number in other.touches)}
    facts = {
        "row": ROWS[city.row],
        "colours": [COLOURS[colour] for colour in city.colours],
        "points": city.points,
        "flair": city.flair,
        "cubes": city.cubes,
        "neighbours": [data.cities[other].name for other in sorted(neighbours)],
    }
    return Entry(name=city.name, about=_city_text(city), facts=facts)


def _city_text(city: City) -> str:
    text = f"A {joined(COLOURS[colour] for colour in city.colours)} city in the {ROWS[city.row]} row."
    gains = [_counted(city.cubes, "cube")] if city.cubes else []
    gains += [_counted(city.flair, "flair token")] if city.flair else []
    if gains:
        text += f" A ticket that enters gains {joined(gains, 'and')}."
    if city.points:
        text += f" A path through it scores {_counted(city.points, 'point')}."
    return text


def _space(name: str) -> Entry:
    if name in COLOURS or name in SIZES:
        kind = "icon" if name in COLOURS else "size"
        points = joined(map(str, CARD_POINTS[1:]))
        numbers = joined([*map(str, range(1, COUNTED_CARDS)), f"at least {COUNTED_CARDS}"])
        cards = f"with a {name} icon" if kind == "icon" else f"of size {name}"
        about = f"At the end a ticket here scores {points} points for {numbers} of its owner's cards {cards}."
    else:
        kind, most = name, COUNTED_PIECES
        what = {
            "flair": "flair token on its owner's cards",
            "tickets": "ticket of its owner, in hand or on the board",
            "cubes": "cube of its owner",
        }[name]
        about = f"At the end a ticket here scores a point for each {what}, at most {most}."
    return Entry(name=name, about=about, facts={"counts": kind})


def _master(number: int) -> Entry:
    action = {
        HERRMANN: f"gain {MASTER_TICKETS} tickets, or all that are unused",
        THURSTON: "take a card with an icon in the colour of the die from a city",
        KELLAR: "put a ticket from your hand in an open city of the colour of the die, or on a free point space",
    }[number]
    about = f"The main action with a die from {MASTERS[number]}: {action}."
    return Entry(name=MASTERS[number], about=about, facts={"dice that show": FACES[number]})


def _die(colour: int) -> Entry:
    name = COLOURS[colour]
    about = (
        f"As your die it lets you use your cards with a {name} icon, take such a card by {MASTERS[THURSTON]}, "
        f"and place a ticket in a {name} city by {MASTERS[KELLAR]}."
    )
    return Entry(name=name, about=about, facts={"icon": ICONS[colour], "number": N_DICE})


def _pieces(data: LevitationData) -> list[Entry]:
    """Return the pieces that have no names of their own."""
    ties = {str(number): list(ties) for number, ties in enumerate(data.ties, 1)}
    return [
        Entry(
            name="ticket",
            about="Is unused, in hand, in a city or on a point space. Three in touching cities, one in each row, "
            "are a path, if one of the cities has points. A city is open to a ticket if it has no card and fewer "
            "tickets than the number of the round.",
            facts={"each seat": N_TICKETS},
        ),
        Entry(
            name="cube",
            about="Pays for cards: committed cubes come back when the action ends.",
            facts={"number": N_CUBES, "each seat at the start": FIRST_CUBES},
        ),
        Entry(
            name="flair token",
            about="Lies on a card and scores a point at each use of the card.",
            facts={"number": N_FLAIR},
        ),
        Entry(
            name="turn token",
            about=f"Every seat reveals one of its {N_TOKENS} in each of the {N_TURNS} turns of a round; the smallest "
            "number acts first, and a small number breaks ties. All come back for the next round.",
            facts={"each seat": N_TOKENS, "rounds": N_ROUNDS, "small numbers of the seats": ties},
        ),
    ]
