"""Positions of Levitation for tests, set up by names and checked by the game as any JSON is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import aiplay
from aiplay.games.levitation.check import PHASES
from aiplay.games.levitation.data import COLOURS

MASTERS = ("Herrmann", "Thurston", "Kellar")
ALL_CARDS = 2**48 - 1


@cache
def game_of(players: int) -> aiplay.Game:
    return aiplay.load_game("levitation", players=players)


def card_number(name: str) -> int:
    return [card.name for card in game_of(2).data.cards].index(name)


def city_number(name: str) -> int:
    return [city.name for city in game_of(2).data.cities].index(name)


def card_set(names: Iterable[str]) -> int:
    return sum(1 << card_number(name) for name in names)


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
    **registers: Any,
) -> aiplay.State:
    """A state in which `seat` begins its action, or has drafted `die` ("green Kellar") already.

    Seats act in the order 0, 1, ... `at` is round and turn, from 1. Cities are empty but for the given cards, all other
    cards are the deck; a number cuts the deck short, and what is left over is then the last seat's. Tickets not given
    in cities, hand or spaces are unused. Of every colour one die is on Herrmann, one on Thurston, two on Kellar, unless
    `dice` says otherwise.
    """
    game = game_of(players)
    fields = game.new_state().fields
    values = {name: fields[name].tolist() for name in fields.dtype.names}
    _set_cards(values, owned or {}, cities or {}, flair or {}, disabled)
    _set_deck(values, deck, players)
    _set_tickets(values, players, tickets or {}, spaces or {}, hand or {})
    for name, changes in (("cubes", cubes), ("scores", scores)):
        for owner, number in (changes or {}).items():
            values[name][owner] = number
    _set_dice(values, dice)
    values["round"], values["turn"] = at[0] - 1, at[1] - 1
    values["revealed"] = [1] * players + [0] * (5 - players)
    values["tokens"] = [[14, 12, 8, 0][at[1] - 1]] * players + [0] * (5 - players)
    values["order"] = [*range(players), *[-1] * (5 - players)]
    values["n_acted"] = seat
    values["phase"] = PHASES.index("start")
    if die is not None:
        colour, master = die.split()
        values["master"], values["colour"] = MASTERS.index(master), COLOURS.index(colour)
        values["dice"][5 * values["master"] + values["colour"]] -= 1
        values["phase"] = PHASES.index("main")
    values.update(registers)
    return from_fields(game, values)


def _set_cards(
    values: dict[str, Any],
    owned: Mapping[int, Iterable[str]],
    cities: Mapping[str, str],
    flair: Mapping[str, int],
    disabled: Iterable[str],
) -> None:
    for owner, names in owned.items():
        values["owned"][owner] = card_set(names)
    for city, card in cities.items():
        values["city_cards"][city_number(city)] = card_number(card)
    for name, number in flair.items():
        values["flair"][card_number(name)] = number
    values["disabled"] = card_set(disabled)


def _set_tickets(
    values: dict[str, Any],
    players: int,
    tickets: Mapping[int, Iterable[str]],
    spaces: Mapping[str, int],
    hand: Mapping[int, int],
) -> None:
    for name, owner in spaces.items():
        values["space_seats"][game_of(players).data.spaces.index(name)] = owner
    for owner in range(players):
        placed = list(tickets.get(owner, ()))
        values["tickets"][owner] = sum(1 << 2 * city_number(name) for name in placed)
        values["hand"][owner] = hand.get(owner, 0)
        values["unused"][owner] = 10 - hand.get(owner, 0) - len(placed) - list(spaces.values()).count(owner)


def _set_dice(values: dict[str, Any], dice: Mapping[str, tuple[int, int, int]] | None) -> None:
    for number, colour in enumerate(COLOURS):
        counts = (1, 1, 2) if dice is None else dice.get(colour, (0, 0, 0))
        for master in range(3):
            values["dice"][5 * master + number] = counts[master]


def _set_deck(values: dict[str, Any], deck: int | Iterable[str] | None, players: int) -> None:
    on_table = sum(values["owned"]) | sum(1 << card for card in values["city_cards"] if card >= 0)
    rest = [card for card in range(48) if not on_table >> card & 1]
    if deck is None:
        kept = rest
    elif isinstance(deck, int):
        kept = rest[:deck]
    else:
        kept = [card_number(name) for name in deck]
    values["deck"] = sum(1 << card for card in kept)
    values["owned"][players - 1] |= ALL_CARDS & ~on_table & ~values["deck"]


def from_fields(game: aiplay.Game, values: Mapping[str, Any]) -> aiplay.State:
    document = {"game": game.name, "options": dict(game.options), "state": values}
    return game.state_from_json(json.dumps(document))


def to_fields(state: aiplay.State) -> dict[str, Any]:
    return json.loads(state.to_json())["state"]


def texts(state: aiplay.State) -> list[str]:
    return [state.move_text(move) for move in state.legal_moves()]


def play(state: aiplay.State, *moves: str) -> aiplay.State:
    """Play moves by their notation; the state itself, for chains."""
    for move in moves:
        state.play(move)
    return state


def after(state: aiplay.State, *moves: str) -> aiplay.State:
    """The same on a copy."""
    return play(state.copy(), *moves)


def choose_chance(state: aiplay.State) -> aiplay.State:
    """Let chance take its first outcome until a seat has to decide."""
    while state.to_move == -1:
        state.play(state.legal_moves()[0])
    return state


def score(state: aiplay.State, seat: int) -> int:
    return int(state.fields["scores"][seat])


def cards_of(state: aiplay.State, seat: int) -> set[str]:
    owned = int(state.fields["owned"][seat])
    return {card.name for number, card in enumerate(state.game.data.cards) if owned >> number & 1}


def card_in(state: aiplay.State, city: str) -> str | None:
    card = state.fields["city_cards"][city_number(city)]
    return state.game.data.cards[card].name if card >= 0 else None


def tickets_in(state: aiplay.State, city: str) -> list[int]:
    """Tickets of every seat in a city."""
    number = city_number(city)
    return [int(tickets) >> 2 * number & 3 for tickets in state.fields["tickets"][: state.game.seats]]


def flair_on(state: aiplay.State, card: str) -> int:
    return int(state.fields["flair"][card_number(card)])


def phase_of(state: aiplay.State) -> str:
    return PHASES[state.fields["phase"]]
