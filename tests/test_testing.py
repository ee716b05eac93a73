"""check_game: correct games pass, and a failure says how to reproduce it; test_testing_broken.py has broken games."""

import math
import re
from types import SimpleNamespace

import pytest
from toy_games import Bidding, Matches

import aiplay
from aiplay.games.connect_four import ConnectFour
from aiplay.games.leduc_poker import LeducPoker
from aiplay.testing import GameCheckError, check_damaged, check_game, conformance, hidden, soak_game
from aiplay.testing.trial import Trial


@pytest.mark.parametrize("game", [Bidding(), Bidding(most=1), Matches()], ids=repr)
def test_a_correct_game_passes(game):
    check_game(game, games=30)


class RepeatsAMoveOnce(Bidding):
    """Wrong in one late position only."""

    def legal_moves(self, state):
        return [0, 2, 2] if state.bids == (2,) else [0, 1, 2]


class Raises(Matches):
    def play(self, state, move):
        raise ZeroDivisionError("cannot divide matches")


# ---- Messages ----------------------------------------------------------------------------------------------


def test_the_message_has_game_options_seed_and_moves():
    with pytest.raises(GameCheckError) as caught:
        check_game(RepeatsAMoveOnce(most=3), seed=11)
    message = str(caught.value)
    assert "load_game('bidding', most=3)" in message
    assert "check_game(seed=11)" in message
    assert follow(RepeatsAMoveOnce(most=3), message).fields.bids == (2,)  # the faulty position


def follow(game, message):
    """Return the position that a message leads to."""
    state = game.new_state()
    for move in numbers(r"moves: \[(.*)\]", message):
        state.play(move)
    if "then:" in message:
        seat, seed = numbers(r"view\((\d)\)", message) + numbers(r"sample_world\((\d+)", message)
        state = state.view(seat).sample_world(seed)
        for move in numbers(r"in it \[(.*)\]", message):
            state.play(move)
    return state


def numbers(pattern, message):
    return [int(number) for number in re.search(pattern, message)[1].split(",") if number]


@pytest.mark.parametrize("seed", range(8))
def test_the_moves_of_a_message_lead_to_the_fault(seed):
    with pytest.raises(GameCheckError) as caught:
        check_game(RepeatsAMoveOnce(), seed=seed)
    assert follow(RepeatsAMoveOnce(), str(caught.value)).fields.bids == (2,)


def test_the_seed_of_a_failure_reproduces_it():
    messages = []
    for _ in range(2):
        with pytest.raises(GameCheckError) as caught:
            check_game(RepeatsAMoveOnce(), seed=5)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_a_failure_is_an_assertion_and_keeps_its_cause():
    with pytest.raises(AssertionError) as caught:
        check_game(Raises())
    assert isinstance(caught.value, aiplay.AiplayError)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_the_adapter_of_python_games_sorts_moves():
    class Backwards(Matches):
        __module__ = "elsewhere"

        def legal_moves(self, state):
            return reversed(range(1, min(state[0], 2) + 1))

    assert Backwards().new_state().legal_moves() == [1, 2]


# ---- Faults that only native games can have: the checks are called with mock states ------------------------


def trial_of(*states):
    trial = Trial(Matches(), 0, "a test")
    trial.states.extend(states)
    return trial


def decision(**answers):
    base = {"to_move": 0, "legal_moves": lambda: [0, 1], "is_over": False}
    return SimpleNamespace(**base | answers)


@pytest.mark.parametrize("weights", [[0.0, 0.0], [-1.0, 2.0], [math.nan, 1.0], [math.inf, 1.0]])
def test_bad_priors_are_found(weights):
    with pytest.raises(GameCheckError, match="priors"):
        conformance._check_priors(trial_of(), decision(priors=lambda: list(enumerate(weights))))


def test_priors_of_other_moves_are_found():
    with pytest.raises(GameCheckError, match="priors and legal_moves list different moves"):
        conformance._check_priors(trial_of(), decision(priors=lambda: [(0, 1.0)]))


def test_priors_that_depend_on_hidden_cards_are_found():
    states = [
        decision(priors=lambda w=w: [(0, w), (1, 1.0)], playout_move=lambda stream: 0) for w in (1.0, 1.1)
    ]
    with pytest.raises(GameCheckError, match="priors of seat 0 differ in a world"):
        hidden._check_same_choice(trial_of(), *states, "in a world")


def test_a_playout_move_that_is_not_legal_is_found():
    with pytest.raises(GameCheckError, match="playout_move returned 7"):
        conformance._check_playout_move(
            trial_of(), decision(playout_move=lambda stream: 7), aiplay.RandomStream(1)
        )


def test_a_playout_move_that_depends_on_hidden_cards_is_found():
    states = [
        decision(priors=lambda: [(0, 1.0), (1, 1.0)], playout_move=lambda stream, m=m: m) for m in (0, 1)
    ]
    with pytest.raises(GameCheckError, match="playout_move of seat 0 differs"):
        hidden._check_same_choice(trial_of(), *states, "in a world")


@pytest.mark.parametrize(
    ("sample", "problem"),
    [
        (lambda stream: stream.below(5), r"sampled \{4\}, which is not listed"),
        (lambda stream: stream.below(3), "outcome 0 has probability 0.25 but was sampled 6.. times of 2000"),
        (lambda stream: min(3, stream.below(5)), "has probability 0.25 but was sampled"),
    ],
)
def test_chance_that_is_not_sampled_as_listed_is_found(sample, problem):
    chance = SimpleNamespace(
        to_move=aiplay.CHANCE,
        copy=lambda: chance,
        play_chance=sample,
        chance_outcomes=lambda: [(card, 0.25) for card in range(4)],
    )
    with pytest.raises(GameCheckError, match=problem):
        conformance._check_frequencies(trial_of(chance), aiplay.RandomStream(2))
    chance.play_chance = lambda stream: stream.below(4)
    conformance._check_frequencies(trial_of(chance), aiplay.RandomStream(2))


class ObservesStonesAsOneNumber(ConnectFour):
    """A native game whose observations cannot tell all views apart."""

    FIELDS = ConnectFour.FIELDS | {"stones": ConnectFour.FIELDS["stones"]._replace(bits=0)}


def test_a_field_that_observations_cannot_tell_apart_is_found():
    with pytest.raises(
        GameCheckError, match="field 'stones' has 281474976710656 values, too many for one float32"
    ):
        check_game(ObservesStonesAsOneNumber(), games=1)


# ---- Damaged positions -------------------------------------------------------------------------------------


class ChecksNothing(LeducPoker):
    """A native game that accepts every position whose fields are in range."""

    def check(self, fields, seat):
        pass


def test_a_game_that_accepts_damaged_positions_is_found():
    with pytest.raises(GameCheckError, match=r"then: .*damaged and accepted"):
        check_damaged(ChecksNothing())


def test_games_written_in_python_are_not_checked_for_damage():
    with pytest.raises(ValueError, match="matches is written in Python"):
        check_damaged(Matches())


# ---- soak_game ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", aiplay.game_names())
def test_every_promise_is_kept_at_every_move(name):
    game = aiplay.load_game(name)
    games, moves, worlds = soak_game(game, 3000, seed=3)
    assert games > 0
    assert moves >= 3000
    assert (worlds >= moves) == game.has_hidden


@pytest.mark.parametrize(
    ("bound", "problem"),
    [
        ({"max_depth": 3}, "not over within max_depth"),
        ({"max_moves": 2}, "the number of moves is not between 1 and max_moves"),
        ({"max_return": 0.5}, "returns are not within"),
    ],
)
def test_a_soak_names_the_broken_promise_and_the_way_there(bound, problem):
    game = aiplay.load_game("leduc_poker")
    with pytest.raises(GameCheckError, match=problem) as caught:
        soak_game(game, 3000, seed=3, **bound)
    moves = re.search(r"moves: \[([\d, ]*)\]", str(caught.value))[1]
    state = game.new_state()
    for move in filter(None, moves.split(", ")):
        state.play(int(move))


def test_a_soak_is_for_native_games():
    with pytest.raises(ValueError, match="written in Python"):
        soak_game(Matches())
