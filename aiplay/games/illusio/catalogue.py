"""The catalogue of Illusio: every card, group, domain, magician and phase in words, from the data file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aiplay._core.games.illusio.state import (
    CONTEST_SIZE,
    DRAW_BELOW,
    DRAW_UP_TO,
    KEEP_LIMIT,
    MAX_REALISING,
    N_ACTIONS,
    START_HAND,
)
from aiplay.catalogue import Entry
from aiplay.games.illusio.data import (
    ANY,
    COMPONENTS,
    DEJA_VU_POINTS,
    DOMAINS,
    GRAND_POINTS,
    GROUP_OF,
    KINDS,
    PHASES,
    SPECIAL_ACTIONS,
    TYPED_GROUPS,
    TYPES,
    IllusioData,
    Magician,
    Objective,
)

__all__ = ["things"]

SPECIAL_TEXTS = {
    "transform": "One action: a component in your Backstage becomes any other kind of component. The card stays on it.",
    "take": "One action: you get a random card from the hand of another seat.",
    "encore": "One action, on any trick on display: it is scored one round later, so that more cards can be played on "
    "it. Only one Encore at a time.",
    "immediate success": "One action, on any trick on display: its owner scores it now.",
    "deja vu": f"One action, on any trick on display: it pays {-DEJA_VU_POINTS} prestige less, but never less than 0.",
    "grand": f"One action, on any trick on display: it pays {GRAND_POINTS} prestige more.",
}
TALENT_TEXTS = {
    "swap": "exchange a component of your Backstage for a different one of another Backstage.",
    "recall": "a component of another Backstage that holds two or more goes back to its owner's hand, as printed.",
    "steal": "a component of another Backstage moves to yours, with the Transforms on it.",
    "redraw": "discard a card of your hand and draw another.",
}
PLACE_TEXTS = {
    "Contest": f"{CONTEST_SIZE} objectives, open to all seats: each can be claimed, and becomes a trick of the seat. "
    "Another from the deck takes its place.",
    "Backstage": "The open row of components in front of a seat, from which it claims tricks and goes on with them.",
    "under way": "A trick that is claimed, with needs that are not met yet. A seat can have "
    f"{MAX_REALISING} of them; with both, it cannot claim.",
    "on display": "A trick with all its needs met. Its owner scores it at the start of the next turn of its own; until "
    "then all seats can play encore, immediate success, deja vu and grand on it.",
}
PHASE_TEXTS = {
    "first seat": "Chance: a random seat has the first turn.",
    "magicians": "Chance: every seat gets a random magician, face up.",
    "contest": f"Chance: the first {CONTEST_SIZE} objectives are laid out in the Contest.",
    "deal": f"Chance: every seat is dealt {START_HAND} cards.",
    "validate": "Step 0 of a turn: the seat scores its tricks on display, one by one; an unspent Encore keeps a trick "
    "on display instead.",
    "draw": f"Chance: a card from the deck. In step 1, a seat with fewer than {DRAW_BELOW} cards draws up to "
    f"{DRAW_UP_TO}, any other draws one.",
    "act": f"Step 2 of a turn: up to {N_ACTIONS} actions and, once, the talent.",
    "take": "Chance: a random card of the robbed hand.",
    "exchange": "Cards are thrown for as many from the deck, in the order of kinds: from left to right.",
    "claim": "Components are placed on the objective that is being claimed, until at least half of its needs are met.",
    "refill": "Chance: an objective from the deck for the Contest.",
    "transform": "The seat chooses what a component becomes, by the card transform.",
    "morph": "The seat chooses what a component becomes, by its talent.",
    "swap": "The seat chooses the component of another Backstage that it gets, by its talent.",
    "discard": f"Step 3 of a turn: the seat discards down to {KEEP_LIMIT} cards, from left to right.",
    "over": "The game is over: a seat has reached the goal, or all turns are used up and the most prestige wins.",
}


def things(cards: IllusioData) -> dict[str, list[Entry]]:
    """Return the entries of the catalogue by kind."""
    return {
        "component": [_component(cards, name) for name in COMPONENTS],
        "group": [_group(cards, name) for name in TYPED_GROUPS],
        "special action": [_special_action(cards, name) for name in SPECIAL_ACTIONS],
        "objective": [_objective(objective) for objective in cards.objectives],
        "domain": [_domain(cards, name) for name in DOMAINS],
        "magician": [_magician(magician) for magician in cards.magicians],
        "place": [Entry(name=name, about=about) for name, about in PLACE_TEXTS.items()],
        "phase": [Entry(name=name, about=PHASE_TEXTS[name]) for name in PHASES],
    }


# ---- Cards -------------------------------------------------------------------------------------------------


def _count(cards: IllusioData, kinds: Iterable[str]) -> int:
    return sum(cards.counts[KINDS.index(kind)] for kind in kinds)


def _component(cards: IllusioData, name: str) -> Entry:
    """A component: the needs that it meets, and the objectives that ask for it by name."""
    group = GROUP_OF[name]
    if name in TYPES:
        others = [kind for kind in TYPED_GROUPS[group] if kind != name]
        needs = _listed([f"{name} (1 more prestige)", *others, group], "or")
        about = f"A component of {group}. It meets a need for {needs}."
    else:
        about = f"A component without types. It meets a need for {name}."
    asking = [objective.name for objective in cards.objectives if name in objective.needs]
    return Entry(
        name=name, about=about, facts={"group": group, "cards": _count(cards, [name]), "needed by": asking}
    )


def _group(cards: IllusioData, name: str) -> Entry:
    types = TYPED_GROUPS[name]
    about = f"The components {_listed(types, 'and')}. A need for {name} is met by any of them, without extra prestige."
    return Entry(name=name, about=about, facts={"types": list(types), "cards": _count(cards, types)})


def _special_action(cards: IllusioData, name: str) -> Entry:
    return Entry(name=name, about=SPECIAL_TEXTS[name], facts={"cards": _count(cards, [name])})


# ---- Objectives --------------------------------------------------------------------------------------------


def _objective(objective: Objective) -> Entry:
    """An objective: what it needs, what it pays, and what it takes to claim it."""
    n, level = len(objective.needs), objective.level
    exact = [need for need in objective.needs if need in TYPES]
    needs = [f"any of {need}" if need in TYPED_GROUPS else need for need in objective.needs]
    about = f"A trick of {objective.domain}. It needs {_listed(needs, 'and')}"
    if exact:
        about += (
            "; another component of the same group will do"
            if n == 1
            else "; others of the same groups will do"
        )
    about += f". It pays {level} prestige"
    if exact:
        which = f"exactly {exact[0]}" if len(exact) == 1 else f"each of {_listed(exact, 'and')} that is exact"
        about += f", and 1 more for {which}"
    about += f". Claim it by placing {(n + 1) // 2} of {n} or more from your Backstage."
    facts: dict[str, Any] = {
        "domain": objective.domain,
        "level": level,
        "needs": list(objective.needs),
        "needed to claim": (n + 1) // 2,
        "prestige if exact": level + len(exact),
    }
    return Entry(name=objective.name, about=about, facts=facts)


def _domain(cards: IllusioData, name: str) -> Entry:
    found = [objective.name for objective in cards.objectives if objective.domain == name]
    about = f"Tricks of {name}: each pays 1 more prestige if you have already scored a trick of this domain."
    return Entry(name=name, about=about, facts={"objectives": found})


# ---- Magicians ---------------------------------------------------------------------------------------------


def _magician(magician: Magician) -> Entry:
    facts: dict[str, Any] = {"talent": magician.talent}
    for name in ("group", "domain", "level", "points"):
        if getattr(magician, name):
            facts[name] = getattr(magician, name)
    return Entry(name=magician.name, about=_talent(magician), facts=facts)


def _talent(magician: Magician) -> str:
    if magician.talent == "bonus":
        return f"Always: {magician.points} more prestige for {_conditions(magician)}."
    free = "Once in each of your turns, for free: "
    if magician.talent == "morph":
        if magician.group == ANY:
            return f"{free}a component with a type, in any Backstage, becomes another type of its group."
        types = _listed(TYPED_GROUPS[magician.group], "or")
        return f"{free}a component of {magician.group} in any Backstage becomes another of them ({types})."
    return free + TALENT_TEXTS[magician.talent]


def _conditions(magician: Magician) -> str:
    """The tricks that a bonus is paid for."""
    text = "each of your tricks"
    if magician.domain:
        text += f" of {magician.domain}"
    if magician.level:
        text += f" of level {magician.level}"
    if magician.group:
        text += f" that needs {magician.group}"
        if magician.group in TYPED_GROUPS:
            text += " or a type of them"
    return text


def _listed(names: Iterable[str], word: str) -> str:
    """Names in a sentence.

    >>> _listed(["rabbit", "dove", "tiger"], "or")
    'rabbit, dove or tiger'
    """
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last
