"""`game.labels`: names for the numbers in fields, the same as in notation and drawings."""

import json
from pathlib import Path

import pytest
from terminal import run_here

import aiplay
from aiplay.games.data_file import own_file

GAMES = ("illusio", "leduc_poker", "levitation", "magic_rabbit", "three_magicians")


@pytest.mark.parametrize("name", GAMES)
def test_every_label_is_mentioned_in_the_fields(name):
    game = aiplay.load_game(name)
    words = " ".join(field.doc for field in game.FIELDS.values()).lower()
    for label, names in game.labels.items():
        assert label in words.replace("cities", "city")
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", sorted(set(GAMES) - {"leduc_poker"}))
def test_every_phase_has_a_name(name):
    game = aiplay.load_game(name)
    assert len(game.labels["phase"]) == game.FIELDS["phase"].high + 1


def test_games_with_plain_numbers_have_no_labels():
    assert aiplay.load_game("pig").labels == {}


def test_labels_are_the_words_of_the_notation():
    table = aiplay.Table(aiplay.load_game("leduc_poker"), seed=11)
    card = int(table.view(0).fields["hands"][0])
    assert f"seat 0: {table.game.labels['card'][card]} " in str(table.view(0))
    state = aiplay.load_game("illusio").new_state()
    assert state.game.labels["phase"][state.fields["phase"]] == "first seat"
    table = aiplay.Table(aiplay.load_game("illusio"), seed=3)
    kinds = table.game.labels["kind"]
    hand = [kinds[kind] for kind in table.view(0).fields["hands"][0] if kind < len(kinds)]
    assert f"hand       {', '.join(hand)}" in str(table.view(0))
    levitation = aiplay.load_game("levitation")
    city = levitation.labels["city"][1]
    assert f" {city} " in str(levitation.new_state())


def test_labels_come_from_the_data_file(tmp_path):
    text = Path(own_file("three_magicians")).read_text(encoding="utf-8")
    path = tmp_path / "board.toml"
    path.write_text(text.replace('"Mill"', '"Wind Mill"'), encoding="utf-8")
    game = aiplay.load_game("three_magicians", data=path)
    assert "Wind Mill" in game.labels["place"]
    state = game.new_state()
    state.play("seat 0 begins")
    state.play("throw 1+2")
    spots = {state.move_text(move).removeprefix("walk ") for move in state.legal_moves()}
    assert {"Life-Wind Mill 3"} <= spots & set(game.labels["spot"])


def test_the_command_line_prints_labels_as_json():
    found = json.loads(run_here("games", "leduc_poker", "--json").stdout)["games"][0]
    assert found["labels"] == {"card": ["Js", "Jh", "Qs", "Qh", "Ks", "Kh"]}
    assert found["fields"]["chips"] == {"low": 1, "high": 13, "about": "what each seat has put into the pot"}
