"""Positions of real games as the page gives them to a drawing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from aiplay import Table, load_game
from aiplay._core.game import Game

GAMES = {
    "connect_four": (2,),
    "pig": (2,),
    "leduc_poker": (2,),
    "magic_rabbit": (1, 2, 3, 4),
    "three_magicians": (2, 3),
    "illusio": (2, 3, 4, 5, 6),
    "levitation": (2, 3, 4, 5),
}  # and the numbers of seats


def game_of(name: str, seats: int) -> Game:
    """Return the game with a number of seats."""
    return load_game(name, players=seats) if len(GAMES[name]) > 1 else load_game(name)


def game_words(game: Game) -> dict[str, Any]:
    """Return what a drawing gets about a game: its catalogue and labels."""
    words: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(
            {"catalogue": game.catalogue, "labels": {key: list(names) for key, names in game.labels.items()}}
        )
    )
    return words


def drawn(table: Table, seat: int) -> dict[str, Any]:
    """Return a position as a drawing gets it: the scene of the seat, and its legal moves in its turn."""
    view = table.view(seat)
    legal = table.legal_moves() if table.to_move == seat else []
    return {
        "scene": msgspec.to_builtins(view.scene()),
        "seat": seat,
        "seats": [{"seat": i, "kind": "human", "name": f"Seat {i}"} for i in range(table.game.seats)],
        "legal": [
            {"move": move, "text": view.move_text(move), "parts": dict(view.move_parts(move))}
            for move in legal
        ],
    }


def positions(
    game: Game, seed: int, move: Callable[[Table], int] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return the positions of a whole game, each from the seat that is to move; the last from seat 0."""
    table, dice, ply = Table(game, seed=seed), random.Random(seed), 0
    while not table.over:
        yield ply, drawn(table, table.to_move)
        table.play(move(table) if move else dice.choice(table.legal_moves()))
        ply += 1
    yield ply, drawn(table, 0)
