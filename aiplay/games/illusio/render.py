"""Positions and components of Illusio as text."""

from __future__ import annotations

from typing import Any

from aiplay._core.games.illusio.state import (
    BACKSTAGE,
    COUNT_BITS,
    COUNT_STRIDE,
    DISPLAYED,
    HIDDEN,
    IN_CONTEST,
    KEPT,
    N_NEEDS,
    NO_CARD,
    NO_MAGICIAN,
    PHASE_OVER,
    PLACED,
    REALISING,
    TRAIL,
    TRAIL_STRIDE,
    UNSPENT,
)
from aiplay.games.illusio.data import KINDS, PHASES, IllusioData
from aiplay.games.illusio.moves import component_text

__all__ = ["draw"]


def draw(cards: IllusioData, seats: int, fields: Any) -> str:
    """The Contest, then every seat with prestige, tricks, Backstage and hand (? is hidden)."""
    objectives = fields["objectives"].tolist()
    lines = [_turn_text(fields)]
    lines += [
        f"  {_objective_text(cards, fields, o)}" for o, where in enumerate(objectives) if where == IN_CONTEST
    ]
    for seat in range(seats):
        lines += _seat_lines(cards, fields, objectives, seat)
        lines += _memory_lines(fields, seat)
    return "\n".join(lines)


def _turn_text(fields: Any) -> str:
    left = f"deck {fields['n_deck']}, discards {int(fields['discards'].sum())}"
    if fields["phase"] == PHASE_OVER:
        return f"over after {fields['turn']} turns; {left}"
    turn = f"turn {fields['turn'] + 1}, seat {fields['seat']}, {PHASES[fields['phase']]}"
    return f"{turn}, actions {fields['actions']}; {left}; Contest:"


def _objective_text(cards: IllusioData, fields: Any, o: int) -> str:
    """Name, domain and level, every need with the component on it, and the special actions."""
    objective, needs = cards.objectives[o], []
    for slot, need in enumerate(objective.needs):
        there = (fields["place"] == PLACED + N_NEEDS * o + slot).nonzero()[0]
        needs.append(f"{need}: {component_text(cards, fields, int(there[0]))}" if len(there) else need)
    encores, is_unspent = int(fields["encores"][o]) & COUNT_BITS, bool(fields["encores"][o] & UNSPENT)
    grands, deja_vus = divmod(int(fields["marks"][o]), COUNT_STRIDE)
    extras = [
        *["encore (unspent)"] * is_unspent,
        *["encore"] * (encores - is_unspent),
        *["deja vu"] * deja_vus,
        *["grand"] * grands,
    ]
    text = f"{objective.name} ({objective.domain} {objective.level}) [{', '.join(needs)}]"
    return " + ".join([text, *extras])


def _memory_lines(fields: Any, seat: int) -> list[str]:
    """The Take that a seat remembers: cards that it knew in the robbed hand may be with the taker."""
    if not fields["trail"][seat]:
        return []
    victim, taker = divmod(int(fields["trail"][seat]) - TRAIL, TRAIL_STRIDE)
    kind = int(fields["trail_kind"][seat])
    if taker == seat:
        return [f"  took {KINDS[kind]} from {victim}: the one it knew, or another"]
    card = "" if kind == NO_CARD else f", or {KINDS[kind]}"
    return [f"  saw {taker} take a card from {victim}: one that it knew there{card}, or another"]


def _seat_lines(cards: IllusioData, fields: Any, objectives: list[int], seat: int) -> list[str]:
    magician = int(fields["magicians"][seat])
    name = "nobody" if magician == NO_MAGICIAN else cards.magicians[magician].name
    lines = [f"seat {seat}: {name}, prestige {fields['scores'][seat]}"]
    kept = [cards.objectives[o] for o, where in enumerate(objectives) if where == KEPT + seat]
    if kept:
        lines.append("  keeps " + ", ".join(f"{trick.name} ({trick.domain})" for trick in kept))
    for o, where in enumerate(objectives):
        if where in (REALISING + seat, DISPLAYED + seat):
            verb = "displays" if where == DISPLAYED + seat else "prepares"
            lines.append(f"  {verb} {_objective_text(cards, fields, o)}")
    components = (fields["place"] == BACKSTAGE + seat).nonzero()[0]
    if len(components):
        lines.append("  backstage " + ", ".join(component_text(cards, fields, int(i)) for i in components))
    hand = fields["hands"][seat][: fields["n_hand"][seat]].tolist()
    lines.append("  hand " + (", ".join("?" if card == HIDDEN else KINDS[card] for card in hand) or "empty"))
    return lines
