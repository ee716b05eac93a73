"""Whole games on the page, through clicks, in a real browser."""

from __future__ import annotations

import random

import pytest

GAMES = {
    "connect_four": {},
    "pig": {"target": 20},
    "leduc_poker": {},
    "illusio": {"goal": 2, "turn_cap": 6},
    "levitation": {},
    "magic_rabbit": {"turns": 4, "piles": 6},
    "three_magicians": {"players": 2, "turn_cap": 10},
}
SLOW = {"illusio", "levitation", "three_magicians"}


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.slow] if game in SLOW else []) for game in GAMES]
)
def test_a_whole_game_through_clicks(served, person, game):
    player = person().visit().open(game, GAMES[game], {1: "bot:level 1"})
    moves = player.play_to_the_end(random.Random(1))
    assert moves > 0
    room = served.host.rooms.find(player.room)
    assert room.table.over
    assert player.page.locator(".result .returns li").count() == room.table.game.seats
    assert player.page.locator(".log li").count() > moves / 2
