"""Scenes, parts and catalogue of Leduc poker."""

import msgspec
import pytest

import aiplay
from aiplay.errors import InvalidStateError

GAME = aiplay.load_game("leduc_poker")


def position(*moves):
    """Return the state after these moves, cards included."""
    state = GAME.new_state()
    for move in moves:
        state.play(move)
    return state


def test_the_scene_of_a_seat_hides_the_card_of_the_other():
    state = position("Ks", "Qh", "call", "raise", "call", "Js", "raise")
    assert msgspec.to_builtins(state.view(1).scene()) == {
        "seats": [
            {"card": None, "chips": 7, "has_card": True},
            {"card": "Qh", "chips": 3, "has_card": True},
        ],
        "board": "Js",
        "round": "second",
        "turn": 1,
        "raises": 1,
        "decisions": 1,
        "folded": None,
        "opener": 1,
        "to_move": 1,
    }


@pytest.mark.parametrize(
    "bets", ["raise", "call raise", "raise fold", "call raise raise fold", "call call Qs raise"]
)
def test_a_scene_without_its_opener_is_read_where_the_bets_tell(bets):
    state = position("Ks", "Qh", *bets.split())
    scene = msgspec.to_builtins(state.scene())
    del scene["opener"]
    assert GAME.state_from_scene(scene) == state


def test_a_scene_of_the_second_round_without_an_opener_takes_seat_0():
    first, second = (position("Ks", "Qh", *bets.split(), "Js") for bets in ("raise call", "call raise call"))
    for state in (first, second):
        scene = msgspec.to_builtins(state.scene())
        del scene["opener"]
        assert GAME.state_from_scene(scene) == first


def test_a_card_that_is_not_dealt_is_not_a_hidden_card():
    first, second = position("Ks").view(1).scene().seats
    assert (first.card, first.has_card) == (None, True)
    assert (second.card, second.has_card) == (None, False)


def test_a_servers_message_becomes_a_view_without_what_follows_from_it():
    message = {"hand": "Ks", "pot": [3, 1], "raises": 1}
    scene = {
        "seats": [{"card": None, "chips": message["pot"][0]}, {"card": "Ks", "chips": message["pot"][1]}],
        "board": None,
        "round": "first",
        "turn": 1,
        "raises": message["raises"],
    }
    assert GAME.view_from_scene(scene, 1) == position("Qh", "Ks", "raise").view(1)


@pytest.mark.parametrize("moves", [[], ["call"], ["raise"], ["call", "raise"], ["raise", "fold"]])
@pytest.mark.parametrize("start", [["Qh", "Ks"], ["Qh", "Ks", "call", "call", "Js"]])
def test_the_number_of_decisions_follows_from_raises_and_turn(start, moves):
    state = position(*start, *moves)
    scene = msgspec.to_builtins(state.scene())
    del scene["decisions"], scene["to_move"]
    assert GAME.state_from_scene(scene) == state


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"board": "Jx"}, "the scene: board is 'Jx'; allowed: Js, Jh, Qs, Qh, Ks, Kh"),
        ({"board": "Ks"}, "the scene does not fit together: .* a card is in two places"),
        ({"seats": []}, "the scene: seats has 0 entries; allowed: 2"),
        ({"turn": 2}, "the scene: turn is 2; allowed: 0 or 1"),
        ({"folded": -1}, "the scene: folded is -1; allowed: 0 or 1"),
        ({"round": "third"}, r"the scene: .*'third' - at `\$.round`"),
        ({"to_move": 0}, "the scene: to_move is 0; the other entries make it 1"),
        ({"decisions": 2}, "the scene does not fit together: .* no sequence of bets"),
    ],
)
def test_a_wrong_entry_is_named(changes, message):
    scene = msgspec.to_builtins(position("Ks", "Qh", "raise").view(0).scene())
    with pytest.raises(InvalidStateError, match=message):
        GAME.view_from_scene({**scene, **changes}, 0)


def test_the_card_of_seat_0_is_dealt_first():
    scene = msgspec.to_builtins(position("Ks").scene())
    scene["seats"][0]["has_card"], scene["seats"][1]["has_card"] = False, True
    with pytest.raises(InvalidStateError, match=r"seats\[1\].has_card"):
        GAME.state_from_scene(scene)


def test_a_seat_cannot_name_a_card_that_it_does_not_see():
    scene = msgspec.to_builtins(position("Ks", "Qh").scene())
    with pytest.raises(InvalidStateError, match="the card of seat 1"):
        GAME.view_from_scene(scene, 0)


def test_parts_name_verb_card_and_seat():
    state, told = GAME.new_state(), []
    for text in ("Ks", "Qh", "call", "raise", "call", "Js", "raise", "fold"):
        move = state.parse_move(text)
        told.append(state.move_parts(move))
        state.play(move)
    assert told == [
        {"verb": "deal", "card": "Ks", "to": 0},
        {"verb": "deal", "card": "Qh", "to": 1},
        {"verb": "call"},
        {"verb": "raise"},
        {"verb": "call"},
        {"verb": "reveal", "card": "Js"},
        {"verb": "raise"},
        {"verb": "fold"},
    ]
    assert {parts["verb"] for parts in told} == GAME.VERBS.keys()


def test_the_catalogue_has_every_card():
    cards = {entry.name: dict(entry.facts) for entry in GAME.catalogue["card"]}
    assert [*cards] == [*GAME.labels["card"]]
    assert cards["Qh"] == {"rank": "queen", "suit": "hearts"}
