"""Positions of The Three Magicians for tests, given by names and checked like any JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import aiplay
from aiplay._core.games.three_magicians.state import MAX_PLAYERS, THROW

TAROT = ("Forest", "Magician", "Tower", "Castle", "Sun", "Mill", "Moon")


@cache
def game_of(**options: Any) -> aiplay.Game:
    return aiplay.load_game("three_magicians", **options)


def spot_number(game: aiplay.Game, name: str) -> int:
    names = [game.board.spot_name(spot) for spot in range(game.board.n_spots)]
    return names.index(name)


def from_fields(game: aiplay.Game, fields: Mapping[str, Any]) -> aiplay.State:
    document = json.loads(game.new_state().to_json())
    document["state"].update(fields)
    return game.state_from_json(json.dumps(document))


def position(
    throw: str | None = None,
    *,
    magicians: Sequence[str] = (),
    apprentices: Sequence[str] = (),
    cards: Mapping[int, Iterable[str]] | None = None,
    power: Iterable[int] = (),
    seat: int = 0,
    n_turns: int = 30,
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> aiplay.State:
    """A state before a throw of `seat`, or after the given one ("2+0+1", the own wand first).

    Figures that are not given stand on Life.
    """
    game = game_of(**(options or {}))
    spots = [
        [spot_number(game, name) for name in (*names, *["Life"] * MAX_PLAYERS)[: game.seats]]
        + [0] * (MAX_PLAYERS - game.seats)
        for names in (magicians, apprentices)
    ]
    owned = [
        sum(1 << TAROT.index(name) for name in (cards or {}).get(owner, ())) for owner in range(MAX_PLAYERS)
    ]
    state = from_fields(
        game,
        {
            "magicians": spots[0],
            "apprentices": spots[1],
            "cards": owned,
            "powers": [int(owner in set(power)) for owner in range(MAX_PLAYERS)],
            "seat": seat,
            "n_turns": n_turns,
            "phase": THROW,
            **fields,
        },
    )
    return play(state, throw_text(throw)) if throw else state


def throw_text(wands: str) -> str:
    """The notation of a throw: triplets in full, others as the own wand (given first) and the sum of the rest."""
    own, *others = (int(notches) for notches in wands.split("+"))
    return f"throw {wands}" if {own} == {*others} else f"throw {own}+{sum(others)}"


def play(state: aiplay.State, *moves: str) -> aiplay.State:
    """Play moves by their notation; a throw may name all three wands ("throw 2+0+1")."""
    for move in moves:
        wands = move.removeprefix("throw ")
        state.play(throw_text(wands) if wands.count("+") == 2 else move)
    return state


def texts(state: aiplay.State, start: str = "") -> list[str]:
    """The notation of the legal moves that start with this text."""
    found = [state.move_text(move) for move in state.legal_moves()]
    return [text for text in found if text.startswith(start)]


def magician(state: aiplay.State, seat: int) -> str:
    return state.game.board.names[state.fields["magicians"][seat]]


def apprentice(state: aiplay.State, seat: int) -> str:
    return state.game.board.spot_name(int(state.fields["apprentices"][seat]))


def owned(state: aiplay.State, seat: int) -> list[str]:
    return [name for bit, name in enumerate(TAROT) if state.fields["cards"][seat] >> bit & 1]


def everybody(state: aiplay.State) -> list[str]:
    """Places of all figures, Magicians first."""
    seats = range(state.game.seats)
    return [magician(state, seat) for seat in seats] + [apprentice(state, seat) for seat in seats]


def duel(options: Mapping[str, Any] | None = None, **more: Any) -> aiplay.State:
    """Seat 0 challenges seat 1 on the Mill and is about to throw."""
    given = {"magicians": ["Life", "Mill", "Life"], "apprentices": ["Castle", "Castle", "Life"], **more}
    return play(position("1+0+2", options=options, **given), "jump Mill")
