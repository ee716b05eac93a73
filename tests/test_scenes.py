"""Scenes, moves with parts, the catalogue and the rules of every game."""

import json

import msgspec
import pytest

import aiplay
from aiplay.errors import IllegalMoveError, InvalidStateError
from aiplay.registry import GAMES

SEEDS = range(3)


def tables(name):
    """Tables of a game with every number of seats."""
    low, high = aiplay.load_game(name).seat_range
    for count in range(low, high + 1):
        game = aiplay.load_game(name, players=count) if low < high else aiplay.load_game(name)
        for seed in SEEDS:
            yield aiplay.Table(game, seed=seed)


def positions(table, every=5):
    """Some positions of a random game."""
    player = aiplay.make_player("random", seed=table.seed + 1)
    ply = 0
    while not table.over and ply < 300:
        if ply % every == 0:
            yield table.state
        table.play(player.choose(table.view(table.to_move)))
        ply += 1
    yield table.state


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_scene_of_a_view_determines_the_view(name):
    for table in tables(name):
        game, seen = table.game, {}
        for state in positions(table):
            assert game.state_from_scene(json.loads(msgspec.json.encode(state.scene()))) == state
            for seat in range(game.seats):
                view = state.view(seat)
                text = msgspec.json.encode(view.scene())
                assert seen.setdefault((seat, text), view) == view
                assert game.view_from_scene(json.loads(text), seat) == view


@pytest.mark.parametrize("name", sorted(GAMES))
def test_equal_views_have_equal_scenes(name):
    for table in tables(name):
        for state in positions(table, every=20):
            for seat in range(table.game.seats):
                view = state.view(seat)
                world = view.sample_world(seed=1)
                assert world.view(seat).scene() == view.scene()


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_legal_move_is_found_by_its_parts(name):
    for table in tables(name):
        for state in positions(table):
            for move in state.legal_moves():
                parts = state.move_parts(move)
                assert parts["verb"] in table.game.VERBS
                assert state.find_move(parts) == move
                json.dumps(parts)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_scenes_fit_their_schema(name):
    jsonschema = pytest.importorskip("jsonschema")
    for table in tables(name):
        validator = jsonschema.Draft202012Validator(table.game.scene_schema)
        for state in positions(table, every=20):
            validator.validate(msgspec.to_builtins(state.scene()))


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_catalogue_has_an_effect_for_everything(name):
    catalogue = aiplay.load_game(name).catalogue
    json.dumps(msgspec.to_builtins(catalogue))
    for kind, entries in catalogue.items():
        names = [entry.name for entry in entries]
        assert len({*names}) == len(names) > 0, kind
        for entry in entries:
            assert entry.about.endswith((".", "!")), (kind, entry)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_rules_are_shipped(name):
    assert aiplay.load_game(name).rules.startswith("# ")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_has_scenes_of_its_own(name):
    game = aiplay.load_game(name)
    assert game.scene_type() is not None
    assert game.VERBS


def test_a_wrong_entry_of_a_scene_is_named():
    game = aiplay.load_game("connect_four")
    scene = {"columns": [[0], [], [], [], [], [], []], "to_move": 0}
    with pytest.raises(InvalidStateError, match="to_move is 0; the other entries make it 1"):
        game.view_from_scene(scene, 1)
    for columns in ([], [[]] * 8, [[2], *[[]] * 6], [["x"], *[[]] * 6]):
        with pytest.raises(InvalidStateError, match=r"the scene: .*columns"):
            game.view_from_scene({"columns": columns}, 0)
    with pytest.raises(InvalidStateError, match="colums"):
        game.view_from_scene({"colums": []}, 0)


def test_parts_that_no_move_or_several_moves_have():
    view = aiplay.Table(aiplay.load_game("connect_four"), seed=1).view(0)
    assert view.find_move({"column": 3}) == 2
    with pytest.raises(IllegalMoveError, match="no legal move has the parts"):
        view.find_move({"column": 9})
    with pytest.raises(IllegalMoveError, match="7 legal moves have the parts"):
        view.find_move({"verb": "drop"})
    with pytest.raises(IllegalMoveError, match="dictionary"):
        view.find_move("3")
