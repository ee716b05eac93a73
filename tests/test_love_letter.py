"""examples/love_letter.py: one test for each clause of examples/love_letter.md."""

import importlib.util
import sys
from pathlib import Path

import pytest

import aiplay
from aiplay.errors import InvalidStateError
from aiplay.testing import check_game

FILE = Path(__file__).parents[1] / "examples" / "love_letter.py"
SPEC = importlib.util.spec_from_file_location("love_letter", FILE)
rules = sys.modules["love_letter"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(rules)

GAME = rules.LoveLetter()
NUMBER = {name: number for number, name in enumerate(rules.NAMES)}


def dealt(first, second, drawn, aside="Guard", shown=("Guard", "Guard", "Priest")):
    """A state in the first turn of seat 0: the cards of both seats, and what seat 0 has drawn."""
    state = GAME.new_state()
    for name in (aside, *shown, first, second, drawn):
        state.play(NUMBER[name])
    return state


def texts(state):
    return [state.move_text(move) for move in state.legal_moves()]


def test_the_game_keeps_its_contract():
    check_game(GAME, games=30)


def test_the_game_keeps_its_secrets():
    assert aiplay.audit.audit_player(GAME, "random", games=10).broken == ()


def test_sixteen_cards():
    assert sum(rules.COPIES.values()) == 16
    state = GAME.new_state()
    assert dict(state.chance_outcomes())[NUMBER["Guard"]] == 5 / 16


def test_three_cards_are_face_up_and_one_is_hidden():
    state = dealt("Priest", "Baron", "King")
    assert state.view(0).scene().face_up == ["Guard", "Guard", "Priest"]
    assert state.scene().aside == "Guard"
    assert state.view(0).scene().aside is state.view(1).scene().aside is None


def test_guard_that_guesses_right_wins():
    state = dealt("Guard", "King", "Baron")
    state.play("Guard: King")
    assert state.returns() == [1.0, 0.0]


def test_guard_that_guesses_wrong_rules_the_card_out():
    state = dealt("Guard", "King", "Baron")
    state.play("Guard: Countess")
    assert state.to_move == aiplay.CHANCE
    view = state.view(0)
    worlds = {view.sample_world(seed).fields.hands[1][0] for seed in range(200)}
    assert NUMBER["Countess"] not in worlds
    assert NUMBER["King"] in worlds


def test_guard_may_not_name_a_guard():
    assert "Guard: Guard" not in texts(dealt("Guard", "King", "Baron"))


def test_priest_shows_the_hand_to_one_seat_only():
    state = dealt("Priest", "King", "Baron", shown=("Guard", "Guard", "Guard"))
    state.play("Priest")
    assert state.view(0).scene().hands[1] == ["King"]
    assert state.view(1).scene().hands[0] == [None]


def test_baron_lets_the_lower_card_go_out():
    for mine, theirs, returns in (("King", "Priest", [1.0, 0.0]), ("Priest", "King", [0.0, 1.0])):
        state = dealt("Baron", theirs, mine, shown=("Guard", "Guard", "Guard"))
        state.play("Baron")
        assert state.returns() == returns


def test_baron_with_equal_cards_shows_both():
    state = dealt("Baron", "Priest", "Priest", shown=("Guard", "Guard", "Guard"))
    state.play("Baron")
    assert not state.is_over
    assert state.view(0).scene().hands[1] == state.view(1).scene().hands[0] == ["Priest"]


def test_handmaid_protects_until_the_next_turn():
    state = dealt("Handmaid", "Guard", "King")
    state.play("Handmaid")
    state.play(NUMBER["Prince"])
    assert texts(state) == ["Guard", "Prince: self"]  # no guess, no other target
    state.play("Guard")
    assert not state.is_over
    state.play(NUMBER["Baron"])
    assert state.scene().safe == [False, False]


def test_prince_makes_a_seat_discard_and_draw():
    state = dealt("Prince", "King", "Baron")
    state.play("Prince: other")
    assert state.scene().played == [["Prince"], ["King"]]
    assert state.to_move == aiplay.CHANCE
    state.play(NUMBER["Handmaid"])
    assert state.scene().hands[1] == ["Handmaid"]


def test_prince_on_the_princess_wins():
    state = dealt("Prince", "Princess", "Baron")
    state.play("Prince: other")
    assert state.returns() == [1.0, 0.0]


def test_prince_rules_out_the_countess():
    state = dealt("Prince", "King", "Baron")
    state.play("Prince: other")
    worlds = {state.view(1).sample_world(seed).fields.hands[0][0] for seed in range(200)}
    assert NUMBER["Countess"] not in worlds


def test_king_exchanges_hands_and_both_know():
    state = dealt("King", "Baron", "Handmaid")
    state.play("King")
    assert state.scene().hands == [["Baron"], ["Handmaid"]]
    assert state.view(0).scene().hands == state.view(1).scene().hands == state.scene().hands


@pytest.mark.parametrize("other", ["King", "Prince"])
def test_countess_has_to_be_played_with_the_king_or_a_prince(other):
    assert texts(dealt("Countess", "Baron", other)) == ["Countess"]


def test_countess_may_stay_with_other_cards():
    assert texts(dealt("Countess", "Baron", "Handmaid")) == ["Handmaid", "Countess"]


def test_playing_the_princess_loses():
    state = dealt("Princess", "Baron", "Handmaid")
    state.play("Princess")
    assert state.returns() == [0.0, 1.0]


def last_turn(mine, theirs, played):
    """A state of seat 0's last turn: the deck is empty, the cards played are `played`."""
    scene = {
        "deck": 0,
        "face_up": ["Guard", "Guard", "Priest"],
        "hands": [mine, theirs],
        "played": played,
        "turn": 0,
        "safe": [False, False],
        "aside": "Handmaid",
    }
    return GAME.state_from_scene(scene)


def test_the_higher_card_wins_when_the_deck_is_empty():
    state = last_turn(["Handmaid", "Baron"], ["King"], [["Guard"], ["Guard"]])
    state.play("Handmaid")
    assert state.returns() == [0.0, 1.0]


def test_equal_cards_are_decided_by_the_cards_played():
    state = last_turn(["Guard", "Baron"], ["Baron"], [["Prince"], ["Guard"]])
    state.play("Guard: Princess")
    assert state.returns() == [1.0, 0.0]


def test_equal_in_everything_is_a_draw():
    state = last_turn(["Guard", "Baron"], ["Baron"], [[], ["Guard"]])
    state.play("Guard: Princess")
    assert state.returns() == [0.5, 0.5]


def test_prince_with_an_empty_deck_takes_the_card_set_aside():
    state = last_turn(["Prince", "Baron"], ["King"], [["Guard"], ["Guard"]])
    state.play("Prince: other")
    assert state.scene().hands[1] == ["Handmaid"]
    assert state.returns() == [0.0, 1.0]


def test_scenes_of_decisions_give_the_view_back():
    players = [aiplay.make_player("random", seed=seat) for seat in range(2)]
    for seed in range(20):
        table = aiplay.Table(GAME, seed=seed)
        while not table.over:
            view = table.view(table.to_move)
            assert GAME.view_from_scene(view.scene(), view.seat) == view
            table.play(players[view.seat].choose(view))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"face_up": ["Jester"]}, "no card is called 'Jester'"),
        ({"face_up": ["King", "King", "Guard"]}, "2 times King; allowed: 1"),
    ],
)
def test_an_impossible_scene_is_refused(change, message):
    scene = dealt("Priest", "Baron", "Handmaid").scene()
    for name, value in change.items():
        setattr(scene, name, value)
    with pytest.raises(InvalidStateError, match=message):
        GAME.state_from_scene(scene)


def test_the_rules_lie_beside_the_game():
    assert GAME.rules.startswith("# Love Letter")


def test_search_beats_random_play():
    found = aiplay.match.Duel(GAME, "mcts:iterations=50", "random", games=60, seed=1).play()
    assert found.a_score_low > 0.5
