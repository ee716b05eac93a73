"""Positions of Levitation for tests, set up by names and checked by the game like any JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np

import aiplay
from aiplay import CHANCE, TERMINAL
from aiplay._core.games.levitation.state import (
    MOVE_END,
    N_CARDS,
    N_COLOURS,
    N_SEATS,
    N_TICKETS,
    N_TOKENS,
    NONE,
    PHASE_MAIN,
    PHASE_START,
)
from aiplay._core.stream import RandomStream
from aiplay.games.levitation.check import ALL_CARDS, PHASES
from aiplay.games.levitation.data import COLOURS, MASTERS


@cache
def game_of(players: int) -> aiplay.Game:
    return aiplay.load_game("levitation", players=players)


def card_number(name: str, game: aiplay.Game | None = None) -> int:
    return (game or game_of(2)).labels["card"].index(name)


def city_number(name: str, game: aiplay.Game | None = None) -> int:
    return (game or game_of(2)).labels["city"].index(name)


def card_set(names: Iterable[str], game: aiplay.Game | None = None) -> int:
    return sum(1 << card_number(name, game) for name in names)


def position(
    players: int = 2,
    *,
    seat: int = 0,
    die: str | None = None,
    at: tuple[int, int] = (1, 1),
    owned: Mapping[int, Iterable[str]] | None = None,
    cities: Mapping[str, str] | None = None,
    tickets: Mapping[int, Iterable[str]] | None = None,
    hand: Mapping[int, int] | None = None,
    cubes: Mapping[int, int] | None = None,
    spaces: Mapping[str, int] | None = None,
    flair: Mapping[str, int] | None = None,
    scores: Mapping[int, int] | None = None,
    dice: Mapping[str, tuple[int, int, int]] | None = None,
    deck: int | Iterable[str] | None = None,
    disabled: Iterable[str] = (),
    game: aiplay.Game | None = None,
    **registers: Any,
) -> aiplay.State:
    """Return a state in which `seat` begins its action or, with `die` ("green Kellar"), has drafted that die.

    Seats act in the order 0, 1, ... `at` is round and turn, from 1. Cities have only the given cards; all others are in
    the deck. `deck` limits it to a number of cards or to the named ones, and the last seat owns the rest. Tickets that
    are not given in cities, hand or spaces are unused. Unless `dice` is given, each colour has one die on Herrmann, one
    on Thurston and two on Kellar. `game` has other data, for as many players. `registers` are further fields.
    """
    game = game or game_of(players)
    fields = game.new_state().fields
    values = {name: fields[name].tolist() for name in fields.dtype.names}
    _set_cards(game, values, owned or {}, cities or {}, flair or {}, disabled)
    _set_deck(game, values, deck)
    _set_tickets(game, values, tickets or {}, spaces or {}, hand or {})
    for name, changes in (("cubes", cubes), ("scores", scores)):
        for owner, number in (changes or {}).items():
            values[name][owner] = number
    _set_dice(values, dice)
    values["round"], values["turn"] = at[0] - 1, at[1] - 1
    absent = N_SEATS - players
    values["revealed"] = [1] * players + [0] * absent
    values["tokens"] = [2**N_TOKENS - 2 ** at[1]] * players + [0] * absent  # 1 to the turn's number are gone
    values["order"] = [*range(players), *[NONE] * absent]
    values["n_acted"] = seat
    values["phase"] = PHASE_START
    if die is not None:
        colour, master = die.split()
        values["master"], values["colour"] = MASTERS.index(master), COLOURS.index(colour)
        values["dice"][N_COLOURS * values["master"] + values["colour"]] -= 1
        values["phase"] = PHASE_MAIN
    values.update(registers)
    return from_fields(game, values)


def _set_cards(
    game: aiplay.Game,
    values: dict[str, Any],
    owned: Mapping[int, Iterable[str]],
    cities: Mapping[str, str],
    flair: Mapping[str, int],
    disabled: Iterable[str],
) -> None:
    for owner, names in owned.items():
        values["owned"][owner] = card_set(names, game)
    for city, card in cities.items():
        values["city_cards"][city_number(city, game)] = card_number(card, game)
    for name, number in flair.items():
        values["flair"][card_number(name, game)] = number
    values["disabled"] = card_set(disabled, game)


def _set_tickets(
    game: aiplay.Game,
    values: dict[str, Any],
    tickets: Mapping[int, Iterable[str]],
    spaces: Mapping[str, int],
    hand: Mapping[int, int],
) -> None:
    for name, owner in spaces.items():
        values["space_seats"][game.labels["space"].index(name)] = owner
    for owner in range(game.seats):
        placed = list(tickets.get(owner, ()))
        values["tickets"][owner] = sum(1 << 2 * city_number(name, game) for name in placed)
        values["hand"][owner] = hand.get(owner, 0)
        on_spaces = list(spaces.values()).count(owner)
        values["unused"][owner] = N_TICKETS - hand.get(owner, 0) - len(placed) - on_spaces


def _set_dice(values: dict[str, Any], dice: Mapping[str, tuple[int, int, int]] | None) -> None:
    for number, colour in enumerate(COLOURS):
        counts = (1, 1, 2) if dice is None else dice.get(colour, (0, 0, 0))
        for master, count in enumerate(counts):
            values["dice"][N_COLOURS * master + number] = count


def _set_deck(game: aiplay.Game, values: dict[str, Any], deck: int | Iterable[str] | None) -> None:
    in_play = sum(values["owned"]) | sum(1 << card for card in values["city_cards"] if card != NONE)
    rest = [card for card in range(N_CARDS) if not in_play >> card & 1]
    if deck is None:
        kept = rest
    elif isinstance(deck, int):
        kept = rest[:deck]
    else:
        kept = [card_number(name, game) for name in deck]
    values["deck"] = sum(1 << card for card in kept)
    values["owned"][game.seats - 1] |= ALL_CARDS & ~in_play & ~values["deck"]


def from_fields(game: aiplay.Game, values: Mapping[str, Any]) -> aiplay.State:
    document = {"game": game.name, "options": dict(game.options), "state": values}
    return game.state_from_json(json.dumps(document))


def to_fields(state: aiplay.State) -> dict[str, Any]:
    return json.loads(state.to_json())["state"]


def texts(state: aiplay.State) -> list[str]:
    return [state.move_text(move) for move in state.legal_moves()]


def play(state: aiplay.State, *moves: str) -> aiplay.State:
    """Play moves by their notation, and return the state itself."""
    for move in moves:
        state.play(move)
    return state


def after(state: aiplay.State, *moves: str) -> aiplay.State:
    """Play moves by their notation on a copy, and return it."""
    return play(state.copy(), *moves)


def choose_chance(state: aiplay.State) -> aiplay.State:
    """Play the first outcome of chance until a seat has to decide."""
    while state.to_move == aiplay.CHANCE:
        state.play(state.legal_moves()[0])
    return state


def score(state: aiplay.State, seat: int) -> int:
    return int(state.fields["scores"][seat])


def cards_of(state: aiplay.State, seat: int) -> set[str]:
    owned = int(state.fields["owned"][seat])
    return {card.name for number, card in enumerate(state.game.data.cards) if owned >> number & 1}


def card_in(state: aiplay.State, city: str) -> str | None:
    card = state.fields["city_cards"][city_number(city, state.game)]
    return None if card == NONE else state.game.data.cards[card].name


def tickets_in(state: aiplay.State, city: str) -> list[int]:
    """Return how many tickets every seat has in a city."""
    number = city_number(city, state.game)
    return [int(tickets) >> 2 * number & 3 for tickets in state.fields["tickets"][: state.game.seats]]


def flair_on(state: aiplay.State, card: str) -> int:
    return int(state.fields["flair"][card_number(card, state.game)])


def phase_of(state: aiplay.State) -> str:
    return PHASES[state.fields["phase"]]


# ---- Random games ------------------------------------------------------------------------------------------


def eager(state, stream: RandomStream) -> int:
    """Choose a random move, which ends an action only if there is no other, or once in eight times."""
    moves = state.legal_moves()
    if len(moves) > 1 and moves[0] == MOVE_END and stream.below(8):
        moves = moves[1:]
    return moves[stream.below(len(moves))]


def plain(state, stream: RandomStream) -> int:
    """Choose a random move."""
    moves = state.legal_moves()
    return moves[stream.below(len(moves))]


def states_from(state, policy, stream: RandomStream) -> list[bytes]:
    """Play `state` to its end with one policy for all seats, and return every state as bytes."""
    states = [state.to_bytes()]
    while (seat := state.to_move) != TERMINAL:
        if seat == CHANCE:
            state.play_chance(stream)
        else:
            state.play(policy(state, stream))
        states.append(state.to_bytes())
    return states


def rich_state(players: int, stream: RandomStream):
    """Return a late position with many cards, cubes and tickets, in which everything can happen."""
    game = game_of(players)
    cards = stream.shuffled(range(N_CARDS))
    n_each = 30 // players
    owned = {seat: [game.data.cards[card].name for card in cards[seat * n_each : (seat + 1) * n_each]]
             for seat in range(players)}  # fmt: skip
    cities = stream.shuffled([city.name for city in game.data.cities])
    in_cities = {cities[i]: game.data.cards[cards[-1 - i]].name for i in range(5)}
    tickets = {seat: cities[5 + seat * 2 : 7 + seat * 2] for seat in range(players)}
    return position(
        players,
        owned=owned,
        cities=in_cities,
        tickets=tickets,
        hand=dict.fromkeys(range(players), 4),
        cubes=dict.fromkeys(range(players), 8),
        spaces={"blue": 0, "dog": 1},
        at=(3, 1 + stream.below(3)),
    )


@cache
def sample_states(players: int) -> list:
    """Return a few states of every phase, from new games and rich positions."""
    game, stream = game_of(players), RandomStream(77)
    found: dict[int, list[bytes]] = {phase: [] for phase in range(len(PHASES))}
    starts = [game.new_state() for _ in range(8)] + [rich_state(players, stream) for _ in range(12)]
    for start in starts:
        states = states_from(start, eager, stream)
        for data, phase in zip(states, np.frombuffer(b"".join(states), game.dtype)["phase"], strict=True):
            found[phase].append(data)
    chosen = [data for states in found.values() for data in stream.shuffled(states)[:12]]
    return [game.state_from_bytes(data) for data in chosen]
