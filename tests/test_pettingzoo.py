"""Our games as PettingZoo environments."""

import itertools
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from toy_games import Matches

import aiplay
from aiplay import RandomStream

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, performance_benchmark, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from aiplay.interop.pettingzoo import PettingZooEnv, env

# PettingZoo gives these two warnings for every environment with action masks, except for a list of its own.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]

GAMES = [
    ("connect_four", {}),
    ("illusio", {}),
    ("illusio", {"players": 5}),
    ("leduc_poker", {}),
    ("levitation", {"players": 4}),
    ("magic_rabbit", {"players": 3}),
    ("magic_rabbit", {"players": 1}),
    ("pig", {"players": 3}),
    ("three_magicians", {}),
]


def play(environment, seed):
    """Play a random game; return the total reward of each agent and the number of steps."""
    stream, total, steps = RandomStream(seed), dict.fromkeys(environment.possible_agents, 0.0), 0
    environment.reset(seed=seed)
    for agent in environment.agent_iter():
        seen, reward, over, _, _ = environment.last()
        total[agent] += reward
        steps += not over
        environment.step(None if over else stream.choice(np.flatnonzero(seen["action_mask"])))
    return total, steps


def test_every_game_is_in_the_list():
    assert {name for name, _ in GAMES} == set(aiplay.game_names())


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_api_test_passes(name, options):
    api_test(env(name, **options), num_cycles=100)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_seed_test_passes(name, options):
    seed_test(lambda: env(name, **options), num_cycles=40)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_performance_benchmark_passes(name, options, monkeypatch):
    """The five seconds of the benchmark pass in 200 calls of this clock."""
    clock = itertools.count(0.0, 5 / 200)
    module = sys.modules["pettingzoo.test.performance_benchmark"]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(clock)))
    performance_benchmark(env(name, **options))
    assert next(clock) > 5


@pytest.mark.parametrize(
    ("name", "options"), [("leduc_poker", {}), ("pig", {"players": 3, "target": 20}), ("illusio", {})]
)
def test_the_rewards_of_agents_are_the_returns_of_their_seats(name, options):
    environment = env(name, **options)
    for seed in range(3):
        total, steps = play(environment, seed)
        table = environment.unwrapped.table
        assert list(total.values()) == table.returns()
        chosen = sum(move_by_seat(table))
        assert steps == chosen
        assert environment.agents == []


def move_by_seat(table):
    """Yield True for every move of a table that a seat made, False for those of chance."""
    state = table.game.new_state()
    for move in table.moves:
        yield state.to_move >= 0
        state.play(move)


def test_an_observation_is_the_view_and_the_seat_of_the_agent():
    environment = PettingZooEnv(aiplay.load_game("leduc_poker"))
    environment.reset(seed=3)
    for seat, agent in enumerate(environment.agents):
        seen = environment.observe(agent)
        view = environment.table.view(seat)
        assert np.array_equal(seen["observation"][:-2], view.observation())
        assert seen["observation"][-2:].tolist() == [seat == 0, seat == 1]
        assert np.flatnonzero(seen["action_mask"]).tolist() == view.legal_moves()
    assert not seen["action_mask"].any()  # it is not the turn of the second agent


def test_an_agent_does_not_see_hidden_cards():
    """All deals that give player_0 the same card look the same to it."""
    environment, seen = env("leduc_poker"), {}
    for seed in range(60):
        environment.reset(seed=seed)
        own, hidden = environment.unwrapped.table.moves[:2]  # the deal
        vector = environment.observe("player_0")["observation"].tobytes()
        seen.setdefault(own, {}).setdefault(vector, set()).add(hidden)
    assert all(len(vectors) == 1 for vectors in seen.values())
    assert max(len(hidden) for vectors in seen.values() for hidden in vectors.values()) > 2


def test_a_seed_determines_the_game_and_the_games_after_it():
    first, second = env("pig"), env("pig")
    assert play(first, 7) == play(second, 7)
    first.reset()
    second.reset()
    assert first.unwrapped.table.seed == second.unwrapped.table.seed
    first.reset()
    assert first.unwrapped.table.seed != second.unwrapped.table.seed


def test_an_illegal_action_is_named_and_changes_nothing():
    environment = env("leduc_poker")
    environment.reset(seed=1)
    before = environment.observe("player_0")
    with pytest.raises(
        aiplay.IllegalMoveError, match=r"move 0 is not legal; legal moves: 1 \(call\), 2 \(raise\)"
    ):
        environment.step(0)
    with pytest.raises(aiplay.IllegalMoveError, match="not None"):
        environment.step(None)
    assert all(np.array_equal(before[key], value) for key, value in environment.observe("player_0").items())
    environment.step(np.int64(1))
    assert environment.agent_selection == "player_1"


def test_a_wrapper_turns_an_illegal_action_into_a_loss():
    environment = TerminateIllegalWrapper(PettingZooEnv(aiplay.load_game("leduc_poker")), illegal_reward=-13)
    environment.reset(seed=1)
    environment.last()
    environment.step(0)
    assert environment.rewards == {"player_0": -13, "player_1": 0}


def test_render_shows_the_true_state(capsys):
    environment = env("leduc_poker", render_mode="ansi")
    environment.reset(seed=1)
    assert environment.render() == str(environment.unwrapped.table)
    environment = env("leduc_poker", render_mode="human")
    environment.reset(seed=1)
    environment.step(1)
    assert capsys.readouterr().out == f"{environment.unwrapped.table}\n\n"
    with pytest.raises(ValueError, match="render_mode is 'rgb_array'; allowed: None, human, ansi"):
        env("leduc_poker", render_mode="rgb_array")
    quiet = env("leduc_poker")
    quiet.reset()
    with pytest.raises(ValueError, match="make the environment with a render_mode"):
        quiet.render()


def test_games_without_move_space_or_records_are_refused():
    class Bounded(Matches):
        move_space = 3

    with pytest.raises(TypeError, match="matches has no bound on the numbers of its moves: set move_space"):
        PettingZooEnv(Matches())
    with pytest.raises(TypeError, match="matches is written in Python"):
        PettingZooEnv(Bounded())
