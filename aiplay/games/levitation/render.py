"""Positions of Levitation as text."""

from __future__ import annotations

from typing import Any

from aiplay._core.games.levitation.state import (
    N_COLOURS,
    NONE,
    PHASE_DEAL,
    PHASE_OVER,
    PHASE_TOKENS,
)
from aiplay.games.levitation.check import PHASES
from aiplay.games.levitation.data import COLOURS, MASTERS, REWARDS, ROWS, SIZES, LevitationData

__all__ = ["draw"]


def draw(data: LevitationData, seats: int, fields: Any) -> str:
    """Return the phase, the dice, the cities in three rows, the point spaces, and a row for each seat."""
    rows = [_turn(data, fields), _dice(fields)]
    for row in range(len(ROWS)):
        cities = [_city(data, fields, number) for number, city in enumerate(data.cities) if city.row == row]
        rows.append(" | ".join(cities))
    owners = zip(data.spaces, fields["space_seats"], strict=True)
    taken = [f"{name} seat {owner}" for name, owner in owners if owner != NONE]
    rows.append(f"spaces: {', '.join(taken) or 'all free'}")
    rows.extend(_seat(data, fields, seat) for seat in range(seats))
    return "\n".join(rows)


def _turn(data: LevitationData, fields: Any) -> str:
    phase = fields["phase"]
    text = f"round {fields['round'] + 1} turn {fields['turn'] + 1}, {PHASES[phase]}"
    if phase in (PHASE_OVER, PHASE_DEAL, PHASE_TOKENS):
        return text
    text += f", seat {fields['order'][fields['n_acted']]} acts"
    if fields["master"] != NONE:
        text += f" with {COLOURS[fields['colour']]} from {MASTERS[fields['master']]}"
    if fields["active"] != NONE:
        text += f", uses {data.cards[fields['active']].name}"
    if fields["path_seat"] != NONE:
        text += f", seat {fields['path_seat']} claims"
    return text


def _dice(fields: Any) -> str:
    parts = []
    for master, name in enumerate(MASTERS):
        dice = fields["dice"][N_COLOURS * master : N_COLOURS * (master + 1)]
        shown = " ".join(f"{n} {COLOURS[colour]}" for colour, n in enumerate(dice) if n)
        parts.append(f"{name}: {shown or 'none'}")
    return "; ".join(parts)


def _city(data: LevitationData, fields: Any, city: int) -> str:
    entry = data.cities[city]
    colours = "/".join(COLOURS[colour] for colour in entry.colours)
    rewards = " ".join(f"{getattr(entry, name)} {name}" for name in REWARDS if getattr(entry, name))
    text = f"{entry.name} ({colours}, {rewards})"
    if fields["city_cards"][city] != NONE:
        return f"{text} {_card(data, fields['city_cards'][city])}"
    counts = [int(tickets) >> 2 * city & 3 for tickets in fields["tickets"]]
    shown = " ".join(f"seat {seat} x{n}" for seat, n in enumerate(counts) if n)
    return f"{text} {shown or 'empty'}"


def _card(data: LevitationData, card: int) -> str:
    entry = data.cards[card]
    icons = "/".join(COLOURS[icon] for icon in entry.icons)
    return f"[{entry.name}, {icons}, {SIZES[entry.size]}]"


def _seat(data: LevitationData, fields: Any, seat: int) -> str:
    text = (
        f"seat {seat}: {fields['scores'][seat]} points, {fields['cubes'][seat]} cubes, "
        f"tickets {fields['hand'][seat]} in hand {fields['unused'][seat]} unused"
    )
    owned, used, disabled = int(fields["owned"][seat]), int(fields["used"]), int(fields["disabled"])
    for card, entry in enumerate(data.cards):
        if owned >> card & 1:
            marks = ", used" * (used >> card & 1) + ", disabled" * (disabled >> card & 1)
            text += f"; {_card(data, card)} {fields['flair'][card]}/{entry.flair} flair{marks}"
    return text
