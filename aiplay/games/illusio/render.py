"""Positions of Illusio as text, for a terminal of 80 columns."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from aiplay._core.games.illusio.state import (
    BACKSTAGE,
    COUNT_BITS,
    COUNT_STRIDE,
    DISPLAYED,
    HIDDEN,
    IN_CONTEST,
    KEPT,
    KIND_STRIDE,
    N_NEEDS,
    NO_CARD,
    NO_MAGICIAN,
    NOT_IN_PLAY,
    PHASE_ACT,
    PHASE_CLAIM,
    PHASE_DEAL,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_MORPH,
    PHASE_OVER,
    PHASE_REFILL,
    PHASE_SWAP,
    PHASE_TAKE,
    PHASE_TRANSFORM,
    PHASE_VALIDATE,
    PLACED,
    REALISING,
    TRAIL,
    TRAIL_STRIDE,
    UNSPENT,
)
from aiplay.games.illusio.data import ANY, GROUP_OF, KINDS, PHASES, TYPED_GROUPS, TYPES, IllusioData, Magician
from aiplay.games.illusio.moves import component_text

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["draw"]

WIDTH, HEIGHT = 80, 24
LABEL = 13  # width of the labels of rows
EFFECTS = {  # of special actions, in short
    "transform": "change a component in your Backstage",
    "take": "get a random card of another hand",
    "encore": "a trick stays on display a round longer",
    "immediate success": "a trick on display is scored now",
    "deja vu": "a trick on display pays 1 less",
    "grand": "a trick on display pays 2 more",
}
TALENTS = {
    "swap": "swap with another Backstage",
    "recall": "a rival's component to hand",
    "steal": "steal a Backstage component",
    "redraw": "redraw a card",
}


def draw(cards: IllusioData, seats: int, goal: int, position: Position) -> str:
    """Return the Contest, then every seat with its cards and tricks, then a legend as far as there is room."""
    return _Drawing(cards, seats, goal, position).text()


class _Drawing:
    def __init__(self, cards: IllusioData, seats: int, goal: int, position: Position) -> None:
        self.cards, self.seats, self.goal = cards, seats, goal
        self.f: Any = position.to_fields()
        self.viewer: int | None = getattr(position, "seat", None)
        self.objectives: list[int] = self.f["objectives"]
        self.place: list[int] = self.f["place"]

    def text(self) -> str:
        lines = [*_wrapped(self.heading(), "", "  "), *self.contest()]
        for seat in range(self.seats):
            lines += self.seat(seat)
        for more in (self.special_actions(), self.changes(), self.owners(), self.groups()):
            if len(lines) + len(more) <= HEIGHT:
                lines += more
        return "\n".join(lines)

    # ---- The turn ------------------------------------------------------------------------------------------

    def heading(self) -> str:
        f = self.f
        left = f"goal {self.goal}; deck {f['n_deck']}, discards {sum(f['discards'])}"
        if f["phase"] == PHASE_OVER:
            return f"over after {f['turn']} turns; {left}"
        if f["phase"] <= PHASE_DEAL:
            return f"set-up: {PHASES[f['phase']]}; {left}"
        return f"turn {f['turn'] + 1}, seat {f['seat']} {self.doing()}; {left}"

    def doing(self) -> str:
        """The present step of the turn, after the name of the seat."""
        phase, focus, pending = (int(self.f[name]) for name in ("phase", "focus", "pending"))
        if phase == PHASE_ACT:
            return f"has {self.left()}"
        if phase == PHASE_CLAIM:
            return f"claims {self.cards.objectives[focus].name}"
        if phase in (PHASE_TRANSFORM, PHASE_MORPH, PHASE_SWAP):
            verb = "swaps" if phase == PHASE_SWAP else "changes"
            return f"{verb} {component_text(self.cards, self.f, focus)}"
        return {
            PHASE_VALIDATE: "scores its tricks on display",
            PHASE_DRAW: f"draws {_cards(pending)}",
            PHASE_TAKE: f"takes a card from seat {focus}",
            PHASE_EXCHANGE: f"has thrown {_cards(pending)}",
            PHASE_REFILL: "has taken an objective",
            PHASE_DISCARD: f"discards {_cards(pending)}",
        }[phase]

    def left(self) -> str:
        """Actions and talent that are left in the turn."""
        actions = int(self.f["actions"])
        text = f"{actions} action{'' if actions == 1 else 's'}"
        talent = self.cards.magicians[int(self.f["magicians"][self.f["seat"]])].talent
        is_free = talent != "bonus" and not self.f["talent_used"]
        return f"{text} and its talent" if is_free else text

    # ---- Objectives ----------------------------------------------------------------------------------------

    def at(self, where: int) -> list[int]:
        """The objectives that are somewhere."""
        return [o for o, place in enumerate(self.objectives) if place == where]

    def contest(self) -> list[str]:
        there = [self.cards.objectives[o] for o in self.at(IN_CONTEST)]
        rows = [("Contest", "domain", "pays", "needs (any of the group; exact +1)")]
        rows += [
            (f"  {trick.name}", trick.domain, self.printed(o), ", ".join(trick.needs))
            for o, trick in zip(self.at(IN_CONTEST), there, strict=True)
        ]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        indent = " " * min(sum(widths) + 6, WIDTH // 2)
        return [
            line
            for row in rows
            for line in _wrapped("  ".join([*map(str.ljust, row[:3], widths), row[3]]), "", indent)
        ]

    def printed(self, number: int) -> str:
        """The points of an objective: its level, and with every component exact."""
        objective = self.cards.objectives[number]
        return _span(objective.level, sum(need in TYPES for need in objective.needs))

    def domains(self, owner: int) -> set[str]:
        """The domains of the tricks that a seat has scored."""
        return {self.cards.objectives[o].domain for o in self.at(KEPT + owner)}

    def under_way(self, number: int, owner: int) -> str:
        """A trick under way: what it can still pay its owner, and its components."""
        objective, filled = self.cards.objectives[number], int(self.f["filled"][number])
        n_exact, magician = (filled >> N_NEEDS).bit_count(), int(self.f["magicians"][owner])
        least = self.cards.points(number, magician, self.domains(owner), n_exact, deja_vus=0, grands=0)
        n_open = sum(need in TYPES and not filled >> slot & 1 for slot, need in enumerate(objective.needs))
        return f"{objective.name}, {objective.domain}, pays {_span(least, n_open)} ({self.needs(number)})"

    def needs(self, number: int) -> str:
        """Every need with the component on it."""
        texts = []
        for slot, need in enumerate(self.cards.objectives[number].needs):
            place = PLACED + N_NEEDS * number + slot
            there = (
                component_text(self.cards, self.f, self.place.index(place)) if place in self.place else "-"
            )
            texts.append(f"{need}: {there}")
        return ", ".join(texts)

    def displayed(self, number: int, owner: int) -> str:
        """A trick on display: what it pays, its components, and the special actions on it."""
        objective, encores = self.cards.objectives[number], int(self.f["encores"][number])
        grands, deja_vus = divmod(int(self.f["marks"][number]), COUNT_STRIDE)
        n_exact = (int(self.f["filled"][number]) >> N_NEEDS).bit_count()
        magician = int(self.f["magicians"][owner])
        points = self.cards.points(number, magician, self.domains(owner), n_exact, deja_vus, grands)
        marks = [
            *["encore (stays a round)"] * bool(encores & UNSPENT),
            *["encore"] * ((encores & COUNT_BITS) - bool(encores & UNSPENT)),
            *["deja vu"] * deja_vus,
            *["grand"] * grands,
        ]
        text = f"{objective.name}, {objective.domain}, pays {points} ({self.needs(number)})"
        return " + ".join([text, *marks])

    # ---- Seats ---------------------------------------------------------------------------------------------

    def seat(self, seat: int) -> list[str]:
        magician = int(self.f["magicians"][seat])
        who = "no magician yet"
        if magician != NO_MAGICIAN:
            who = f"{self.cards.magicians[magician].name} ({_talent(self.cards.magicians[magician])})"
        lines = _wrapped(f"seat {seat}: {int(self.f['scores'][seat])} prestige, {who}", "", "  ")
        lines += _row("hand", self.hand(seat))
        there = [i for i, place in enumerate(self.place) if place == BACKSTAGE + seat]
        lines += _row("Backstage", _counted(component_text(self.cards, self.f, i) for i in there))
        for o in self.at(REALISING + seat):
            lines += _row("under way", self.under_way(o, seat))
        for o in self.at(DISPLAYED + seat):
            lines += _row("on display", self.displayed(o, seat))
        return lines + _row("scored", self.scored(seat)) + self.memory(seat)

    def scored(self, seat: int) -> str:
        """The domains of the scored tricks, and what they are good for."""
        kept = _counted(self.cards.objectives[o].domain for o in self.at(KEPT + seat))
        which = "this domain" if len(self.domains(seat)) == 1 else "these domains"
        return f"{kept} (+1 for tricks of {which})" if kept else ""

    def hand(self, owner: int) -> str:
        """The cards that are known, and the number of the others."""
        hand = self.f["hands"][owner][: self.f["n_hand"][owner]]
        trail = int(self.f["trail"][self.viewer]) if self.viewer is not None else 0
        if (
            trail
            and (trail - TRAIL) // TRAIL_STRIDE == owner
            and (trail - TRAIL) % TRAIL_STRIDE != self.viewer
        ):
            hand = [HIDDEN] * len(hand)  # each of the known cards may have been taken: see the memory
        known = [KINDS[card] for card in hand if card != HIDDEN]
        n_hidden = len(hand) - len(known)
        hidden = [f"{_cards(n_hidden)} hidden"] if n_hidden else []
        return ", ".join([text for text in (_counted(known),) if text] + hidden) or "no cards"

    def memory(self, seat: int) -> list[str]:
        """The Take that a seat remembers."""
        if not self.f["trail"][seat]:
            return []
        victim, taker = divmod(int(self.f["trail"][seat]) - TRAIL, TRAIL_STRIDE)
        kind = int(self.f["trail_kind"][seat])
        if taker == seat:
            text = f"it took {KINDS[kind]} from seat {victim}: the one that it knew there, or another"
            return _row("remembers", text)
        cards = zip(self.f["hands"][victim], self.f["known"][victim], strict=True)
        suspects = sorted([card for card, observers in cards if observers >> seat & 1] + [kind])
        names = _counted(KINDS[card] for card in suspects if card != NO_CARD)
        return _row("remembers", f"seat {taker} took a card from seat {victim}: one of {names}, or another")

    # ---- The legend ----------------------------------------------------------------------------------------

    def special_actions(self) -> list[str]:
        """The effects of the special actions that can be seen in hands."""
        hands = {KINDS[card] for hand in self.f["hands"] for card in hand if card < HIDDEN}
        effects = [f"{name} = {effect}" for name, effect in EFFECTS.items() if name in hands]
        return _wrapped("; ".join(effects), "1 action each: ", "  ") if effects else []

    def changes(self) -> list[str]:
        """The notation of changed components, if there are any."""
        numbers = enumerate(zip(self.cards.printed, self.place, self.f["now"], strict=False))
        changed = [
            (i, kind, now) for i, (kind, place, now) in numbers if place != NOT_IN_PLAY and now != kind
        ]
        if not changed:
            return []
        i, printed, now = changed[0]
        text = f"{component_text(self.cards, self.f, i)} = now {KINDS[now % KIND_STRIDE]}, printed {KINDS[printed]}"
        stars = "; each * is a card transform" * any(now >= KIND_STRIDE for _, _, now in changed)
        return _wrapped(text + stars, "", "  ")

    def owners(self) -> list[str]:
        """The notation of components in Backstages, if the talent of the seat is about any of them."""
        phase, magician = int(self.f["phase"]), int(self.f["magicians"][self.f["seat"]])
        if magician == NO_MAGICIAN or phase not in (PHASE_ACT, PHASE_SWAP):
            return []
        talent, group = self.cards.magicians[magician].talent, self.cards.magicians[magician].group
        is_about = talent in ("morph", "swap", "recall", "steal")
        is_used = self.f["talent_used"] and phase == PHASE_ACT
        there = [(place - BACKSTAGE, i) for i, place in enumerate(self.place) if BACKSTAGE <= place < PLACED]
        if talent == "morph":
            groups = TYPED_GROUPS if group == ANY else (group,)
            there = [(seat, i) for seat, i in there if self.group(i) in groups]
        if not there or is_used or not is_about:
            return []
        seat, i = max(there, key=lambda found: (found[0] != self.f["seat"], found))
        name = component_text(self.cards, self.f, i)
        return _wrapped(f"{seat}:{name} = {name} in the Backstage of seat {seat}", "", "  ")

    def group(self, component: int) -> str:
        """The group of a component as it is now."""
        return GROUP_OF[KINDS[int(self.f["now"][component]) % KIND_STRIDE]]

    def groups(self) -> list[str]:
        """The types that can stand in for each other."""
        names = "; ".join(f"{group} = {', '.join(types)}" for group, types in TYPED_GROUPS.items())
        return _wrapped(names, "groups: ", "  ")


# ---- Words -------------------------------------------------------------------------------------------------


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def _row(label: str, text: str) -> list[str]:
    """The lines of a labelled row; none without a text."""
    return _wrapped(text, f"  {label:{LABEL - 2}}", " " * LABEL) if text else []


def _counted(names: Iterable[str]) -> str:
    """Names in order, equal ones together.

    >>> _counted(["dove", "tiger", "dove"])
    'dove x2, tiger'
    """
    return ", ".join(name if n == 1 else f"{name} x{n}" for name, n in Counter(names).items())


def _span(least: int, more: int) -> str:
    """A number of points that can still grow.

    >>> _span(3, 2), _span(3, 0)
    ('3-5', '3')
    """
    return f"{least}-{least + more}" if more else f"{least}"


def _cards(n: int) -> str:
    return f"{n} card" if n == 1 else f"{n} cards"


def _talent(magician: Magician) -> str:
    if magician.talent == "morph":
        what = "a component" if magician.group == ANY else f"one of {magician.group}"
        return f"once a turn: change {what}"
    if magician.talent != "bonus":
        return f"once a turn: {TALENTS[magician.talent]}"
    conditions = [f"of {magician.domain}"] * bool(magician.domain)
    conditions += [f"of level {magician.level}"] * bool(magician.level)
    conditions += [f"that need {magician.group}"] * bool(magician.group)
    return f"+{magician.points} for tricks {' '.join(conditions)}"
