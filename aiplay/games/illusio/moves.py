"""Moves of Illusio: their verbs, and their parts by names.

| part | meaning |
| --- | --- |
| `card`, `from` | kind of the card that is used, and where it comes from: "hand" or "backstage" |
| `component`, `seat` | name of a component in a Backstage (see `component_name`), and whose Backstage it is |
| `on`, `need` | trick that the card goes on, and its need: a type or a group |
| `objective` | objective that is claimed, given up, validated, or new in the Contest |
| `kind` | kind that a component becomes |
| `seat` | without a component: the seat that is robbed, begins, draws, or gets a magician |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiplay._core.games.illusio.state import (
    BACKSTAGE,
    KEEP_LIMIT,
    KIND_STRIDE,
    MAX_REALISING,
    MOVE_BACK,
    MOVE_BECOME,
    MOVE_CLAIM,
    MOVE_DEJA_VU,
    MOVE_DISCARD,
    MOVE_DONE,
    MOVE_ENCORE,
    MOVE_END,
    MOVE_GIVE_UP,
    MOVE_GRAND,
    MOVE_MORPH,
    MOVE_PLACE,
    MOVE_PLACE_HAND,
    MOVE_RECALL,
    MOVE_REDRAW,
    MOVE_STEAL,
    MOVE_STOP,
    MOVE_SUCCESS,
    MOVE_SWAP,
    MOVE_SWAP_WITH,
    MOVE_TAKE,
    MOVE_THROW,
    MOVE_TRANSFORM,
    MOVE_VALIDATE,
    N_COMPONENTS,
    N_NEEDS,
    PHASE_CONTEST,
    PHASE_FIRST,
    PHASE_MAGICIAN,
    PHASE_REFILL,
    PHASE_TAKE,
    VERB_STRIDE,
)
from aiplay.games.illusio.data import GRAND_POINTS, KINDS, IllusioData, component_name
from aiplay.parts import Verb

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["VERBS", "component_text", "parts_of"]

VERBS = {
    # Actions of a turn
    "back": Verb(
        "back {card}",
        "One action: put a component from your hand into your Backstage, the open row from which tricks are claimed.",
    ),
    "claim": Verb(
        "claim {objective}",
        "One action: make an objective of the Contest your trick, by placing components of your Backstage on at least "
        f"half of its needs, from left to right. At most {MAX_REALISING} of your tricks can be under way.",
    ),
    "place": Verb(
        "place {component} on {on} ({need})",
        "Move a component from your Backstage onto a need of your trick; one action, or part of a claim.",
    ),
    "stop": Verb("stop", "Finish the claim: place no more components on the trick for now.", ends=True),
    "play": Verb(
        "play {card} on {on} ({need})",
        "One action: put a component from your hand straight onto a need of your trick under way.",
    ),
    "give up": Verb(
        "give up {objective}",
        "One action: discard one of your tricks under way; its components go back to your Backstage.",
    ),
    "throw": Verb(
        "throw {card}",
        "Exchange cards of your hand, from left to right, for as many from the deck; all throws are one action.",
    ),
    "done": Verb("done", "Finish the exchange: draw as many cards as you have thrown.", ends=True),
    "end": Verb("end", "End your turn.", ends=True),
    # Special actions
    "transform": Verb(
        "transform {component}",
        "One action: play the card transform on a component of your Backstage; you choose next what it becomes.",
    ),
    "take": Verb(
        "take from {seat}",
        "One action: play the card take to get a random card from the hand of another seat.",
    ),
    "encore": Verb(
        "encore {on}",
        "One action: play the card encore on a trick on display; it is scored one round later, so that more cards can "
        "be played on it.",
    ),
    "success": Verb(
        "success {on}",
        "One action: play the card immediate success on a trick on display; its owner scores it now.",
    ),
    "deja vu": Verb(
        "deja vu {on}", "One action: play the card deja vu on a trick on display; it pays 1 prestige less."
    ),
    "grand": Verb(
        "grand {on}",
        f"One action: play the card grand on a trick on display; it pays {GRAND_POINTS} prestige more.",
    ),
    # Talents
    "morph": Verb(
        "morph {seat}:{component}",
        "Free, once a turn: your talent changes a component of any Backstage into another type of its group, which you "
        "choose next.",
    ),
    "into": Verb("into {kind}", "Choose what the component becomes."),
    "swap": Verb(
        "swap {component}",
        "Free, once a turn: your talent gives away a component of your Backstage for one of another Backstage, which "
        "you choose next.",
    ),
    "for": Verb(
        "for {seat}:{component}", "Choose the component of another Backstage that you get in the swap."
    ),
    "recall": Verb(
        "recall {seat}:{component}",
        "Free, once a turn: your talent sends a component of another Backstage back to its owner's hand.",
    ),
    "steal": Verb(
        "steal {seat}:{component}",
        "Free, once a turn: your talent moves a component of another Backstage to yours.",
    ),
    "redraw": Verb(
        "redraw {card}", "Free, once a turn: your talent discards a card of your hand and draws another."
    ),
    # Before and after the actions
    "validate": Verb(
        "validate {objective}",
        "At the start of your turn, score one of your tricks on display: you get its prestige and keep the objective.",
    ),
    "discard": Verb(
        "discard {card}",
        f"At the end of your turn, discard cards, from left to right, until {KEEP_LIMIT} are left.",
    ),
    # Outcomes of chance
    "begin": Verb("seat {seat} begins", "A random seat has the first turn."),
    "magician": Verb("magician {magician}", "A seat gets a random magician, whose talent it has."),
    "contest": Verb("contest {objective}", "A random objective is laid out in the Contest."),
    "draw": Verb("draw {card}", "A seat draws a card from the deck; the others do not see it."),
    "get": Verb(
        "take {card}", "The random card that a take moves from one hand to another; only both seats see it."
    ),
}

SIMPLE = {MOVE_END: "end", MOVE_DONE: "done", MOVE_STOP: "stop"}
# First number of the moves of a verb -> the verb, and what the rest of the number is.
RANGES = {
    MOVE_BACK: ("back", "card"),
    MOVE_THROW: ("throw", "card"),
    MOVE_DISCARD: ("discard", "card"),
    MOVE_REDRAW: ("redraw", "card"),
    MOVE_CLAIM: ("claim", "objective"),
    MOVE_GIVE_UP: ("give up", "objective"),
    MOVE_VALIDATE: ("validate", "objective"),
    MOVE_ENCORE: ("encore", "on"),
    MOVE_SUCCESS: ("success", "on"),
    MOVE_DEJA_VU: ("deja vu", "on"),
    MOVE_GRAND: ("grand", "on"),
    MOVE_BECOME: ("into", "kind"),
    MOVE_TRANSFORM: ("transform", "component"),
    MOVE_MORPH: ("morph", "component"),
    MOVE_SWAP: ("swap", "component"),
    MOVE_SWAP_WITH: ("for", "component"),
    MOVE_RECALL: ("recall", "component"),
    MOVE_STEAL: ("steal", "component"),
}
PLAYED = {  # special action that a verb plays
    "transform": "transform",
    "take": "take",
    "encore": "encore",
    "success": "immediate success",
    "deja vu": "deja vu",
    "grand": "grand",
}


def component_text(cards: IllusioData, fields: Any, number: int) -> str:
    """Return the name of a component in play."""
    transforms, kind = divmod(int(fields["now"][number]), KIND_STRIDE)
    return component_name(KINDS[kind], KINDS[cards.printed[number]], transforms)


def parts_of(cards: IllusioData, position: Position, move: int) -> dict[str, str | int]:
    """Return the parts of a legal move or of an outcome of chance."""
    if position.to_move < 0:
        return _outcome(cards, position.to_fields(), move)
    if move >= MOVE_PLACE_HAND:
        return _placing(cards, position.to_fields(), move)
    if move in SIMPLE:
        return {"verb": SIMPLE[move]}
    if move < MOVE_BACK:
        return {"verb": "take", "card": PLAYED["take"], "from": "hand", "seat": move - MOVE_TAKE}
    number = move % VERB_STRIDE
    verb, about = RANGES[move - number]
    parts: dict[str, str | int] = {"verb": verb}
    if verb in PLAYED:
        parts |= {"card": PLAYED[verb], "from": "hand"}
    if about == "card":
        return parts | {"card": KINDS[number], "from": "hand"}
    if about == "kind":
        return parts | {"kind": KINDS[number]}
    if about == "component":
        return parts | _component(cards, position.to_fields(), number)
    return parts | {about: cards.objectives[number].name}


def _component(cards: IllusioData, fields: Any, number: int) -> dict[str, str | int]:
    seat = int(fields["place"][number]) - BACKSTAGE
    return {"component": component_text(cards, fields, number), "seat": seat}


def _placing(cards: IllusioData, fields: Any, move: int) -> dict[str, str | int]:
    """The parts of a move that puts a component on a trick, from the hand or the Backstage."""
    if move >= MOVE_PLACE:
        target, number = divmod(move - MOVE_PLACE, N_COMPONENTS)
        kind = KINDS[int(fields["now"][number]) % KIND_STRIDE]
        parts = {"verb": "place", "card": kind, "from": "backstage", **_component(cards, fields, number)}
    else:
        target, number = divmod(move - MOVE_PLACE_HAND, KIND_STRIDE)
        parts = {"verb": "play", "card": KINDS[number], "from": "hand"}
    objective = cards.objectives[target // N_NEEDS]
    return parts | {"on": objective.name, "need": objective.needs[target % N_NEEDS]}


def _outcome(cards: IllusioData, fields: Any, number: int) -> dict[str, str | int]:
    phase, seat = int(fields["phase"]), int(fields["seat"])
    if phase == PHASE_FIRST:
        return {"verb": "begin", "seat": number}
    if phase == PHASE_MAGICIAN:
        return {"verb": "magician", "magician": cards.magicians[number].name, "seat": seat}
    if phase in (PHASE_CONTEST, PHASE_REFILL):
        return {"verb": "contest", "objective": cards.objectives[number].name}
    if phase == PHASE_TAKE:
        return {"verb": "get", "card": KINDS[number], "seat": int(fields["focus"])}
    return {"verb": "draw", "card": KINDS[number], "seat": seat}
