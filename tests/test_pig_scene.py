"""Scenes, parts and catalogue of Pig."""

import msgspec
import pytest

import aiplay
from aiplay.errors import InvalidStateError

GAME = aiplay.load_game("pig", players=3, target=20)


def position(*moves):
    """Return the state after these moves, rolls included."""
    state = GAME.new_state()
    for move in moves:
        state.play(move)
    return state


def test_a_scene_has_the_seats_that_play_and_the_points_at_risk():
    state = position("roll", "5", "hold", "roll", "1", "roll", "3")
    assert msgspec.to_builtins(state.view(0).scene()) == {
        "seats": [{"score": 5}, {"score": 0}, {"score": 0}],
        "turn": 2,
        "at_risk": 3,
        "decisions": 4,
        "is_rolling": False,
        "to_move": 2,
        "winner": None,
    }


def test_a_servers_message_becomes_a_view_without_what_follows_from_it():
    scene = {"seats": [{"score": 5}, {"score": 0}, {"score": 0}], "turn": 2, "at_risk": 3, "decisions": 4}
    assert GAME.view_from_scene(scene, 2) == position("roll", "5", "hold", "roll", "1", "roll", "3").view(2)


def test_the_winner_follows_from_the_scores():
    state = position(*["roll", "6"] * 4, "hold")
    scene = state.scene()
    assert (scene.winner, scene.to_move) == (0, None)
    scene.winner = scene.to_move = msgspec.UNSET
    assert GAME.state_from_scene(scene) == state


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seats": [{"score": 5}] * 2}, "the scene: seats has 2 entries; allowed: 3"),
        ({"seats": [{"score": -5}] * 3}, r"the scene: seats\[0\].score is -5"),
        ({"seats": [{"points": 5}] * 3}, r"the scene: .*`points` - at `\$.seats\[0\]`"),
        ({"turn": 3}, "the scene: turn is 3; allowed: 0 to 2"),
        ({"at_risk": 500}, "the scene does not fit together: .*'turn_total'"),
        ({"winner": 1}, "the scene: winner is 1; the other entries make it None"),
        ({"is_rolling": True}, "the scene: to_move is 0; the other entries make it None"),
    ],
)
def test_a_wrong_entry_is_named(changes, message):
    scene = msgspec.to_builtins(position("roll", "5").scene())
    with pytest.raises(InvalidStateError, match=message):
        GAME.state_from_scene({**scene, **changes})


def test_parts_name_the_verb_and_the_face_of_the_die():
    state = GAME.new_state()
    assert state.find_move({"verb": "hold"}) == state.parse_move("hold")
    state.play("roll")
    assert state.move_parts(3) == {"verb": "show", "die": 4}
    assert state.move_text(3) == "4"


def test_the_catalogue_tells_what_every_face_does():
    faces = {entry.name: entry.about for entry in GAME.catalogue["die"]}
    assert [*faces] == ["1", "2", "3", "4", "5", "6"]
    assert "Loses" in faces["1"]
    assert "Adds 4 points" in faces["4"]
