"""A small soak, and that it would notice: tests/soak.py does the same with far more moves, games and matches."""

import os
import sqlite3

import pytest
from reliability import endurance

from aiplay.match import Duel, Store


def test_games_of_mcts_are_legal_and_the_same_again():
    rows = list(endurance.mcts_games(44, 1))
    assert sum(row[2] for row in rows) == 44
    assert len(rows) == len(list(endurance.settings())) > 15


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
def test_a_killed_match_is_resumed_without_loss(monkeypatch):
    monkeypatch.setattr(endurance, "MATCHES", [("leduc_poker", "mcts:iterations=3000", "random")])
    ((game, kills),) = endurance.killed_matches(1, seed=2)
    assert game == "leduc_poker"
    assert all(-1 <= kill <= endurance.GAMES_OF_A_MATCH for kill in kills)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("DELETE FROM games WHERE number = 2", "3 games instead of 4"),
        (
            "UPDATE games SET iterations = '[5, null]' WHERE number = 2",
            "other results than an undisturbed run",
        ),
    ],
)
def test_a_lost_or_different_game_is_noticed(tmp_path, monkeypatch, change, message):
    monkeypatch.setattr(endurance, "GAMES_OF_A_MATCH", 4)
    duel, path = Duel("pig", "random", "random", games=4, seed=1), tmp_path / "match.db"
    with Store.create(path, duel.description()) as store:
        Duel("pig", "random", "random", games=4, seed=1).play(store=store)
    endurance._compare(Duel("pig", "random", "random", games=4, seed=1), path)
    connection = sqlite3.connect(path)
    connection.execute(change)
    connection.commit()
    connection.close()
    with pytest.raises(AssertionError, match=message):
        endurance._compare(duel, path)
