"""The Three Magicians: how the players that use the game's guess fare."""

import pytest

import aiplay
from aiplay.match import Duel


@pytest.mark.parametrize("players", [2, 3])
def test_greedy_beats_random(players):
    game = aiplay.load_game("three_magicians", players=players)
    assert Duel(game, "greedy", "random", games=24, seed=1).play().a_score > 0.9


def test_greedy_ends_the_race_long_before_the_turn_cap():
    game = aiplay.load_game("three_magicians", players=2)
    duel = Duel(game, "greedy", "greedy", games=10, seed=1)
    duel.play()
    assert (
        max(sum(result.moves) for result in duel.results) < 700
    )  # random games take 1,600 moves: to the cap
