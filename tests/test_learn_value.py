"""Learning a value: training, games of a player against itself, rounds, and runs that are interrupted."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from terminal import run_here
from test_value import Knowing

import aiplay
from aiplay._core.features import FULL
from aiplay.learn import Settings, learn_value
from aiplay.learn.ahead import targets_ahead
from aiplay.learn.network import Trainer, quantised
from aiplay.learn.rounds import checkpoint_of
from aiplay.learn.samples import Samples
from aiplay.learn.selfplay import PlayedGame, SelfPlay, play_alone, positions
from aiplay.match import Duel, ProcessPool
from aiplay.value import Value

PIG = aiplay.load_game("pig", target=20)
QUICK = Settings(seed=5, games=24, duel=8, limit="iterations=20", hidden=8)


# ---- Training ----------------------------------------------------------------------------------------------


def random_samples(n=60, inputs=12, outputs=2, seed=1):
    random = np.random.default_rng(seed)
    rows = [
        sorted((int(i), int(random.integers(1, 257))) for i in random.choice(inputs, 4, replace=False))
        for _ in range(n)
    ]
    return rows, random.random((n, outputs)).astype(np.float32)


def test_a_batch_has_the_amounts_at_their_inputs():
    rows = [[(0, 256), (3, 128)], [], [(1, 64)]]
    samples = Samples.of(rows, [[0.1], [0.2], [0.3]], 4)
    inputs, targets = samples.batch(np.array([2, 0]))
    assert inputs.tolist() == [[0, 0.25, 0, 0], [1, 0, 0, 0.5]]
    assert targets.ravel() == pytest.approx([0.3, 0.1])


def test_the_latest_samples_stay():
    first = Samples.of([[(0, 256)], [(1, 256)]], [[0.0], [0.1]], 4)
    later = Samples.of([[(2, 256)], [(3, 256), (0, 1)]], [[0.2], [0.3]], 4)
    joined = first.joined(later, 3)
    inputs, targets = joined.batch(np.arange(3))
    assert targets.ravel() == pytest.approx([0.1, 0.2, 0.3])
    assert inputs.argmax(axis=1).tolist() == [1, 2, 3]
    learned, check = joined.split(3)
    assert (len(learned), len(check)) == (2, 1)
    assert check.batch(np.arange(1))[0].argmax() == 3


def test_gradients_are_those_of_the_error():
    rows, targets = random_samples()
    samples = Samples.of(rows, targets, 12)
    trainer = Trainer.new(12, 8, 2, 4.0, seed=3)
    trainer.weights = {name: layer.astype(np.float64) for name, layer in trainer.weights.items()}
    trainer.weights["first"] *= 0.2  # few units are clipped
    inputs, wanted = samples.batch(np.arange(60))
    found = trainer._gradients(inputs.astype(np.float64), wanted.astype(np.float64))
    sums = inputs @ trainer.weights["first"] + trainer.weights["first_bias"]
    inner = np.flatnonzero(
        ((sums > 1e-3) & (sums < 1 - 1e-3)).all(axis=0)
    )  # without clipping there is no leak

    def loss():
        return float(((trainer.values(inputs.astype(np.float64)) - wanted) ** 2).sum(axis=1).mean())

    assert len(inner) > 0
    for name, places in {
        "first": [(5, unit) for unit in inner],
        "first_bias": [(unit,) for unit in inner],
        "second": [(1, 3)],
        "second_bias": [(0,)],
    }.items():
        for place in places:
            layer, step = trainer.weights[name], 1e-6
            layer[place] += step
            high = loss()
            layer[place] -= 2 * step
            low = loss()
            layer[place] += step
            assert found[name][place] == pytest.approx((high - low) / (2 * step), rel=1e-4, abs=1e-9)


def test_training_learns_what_the_inputs_tell():
    """The target is 0.9 if input 0 is active, else 0.1; nothing else matters."""
    rows, _ = random_samples(400)
    targets = [[0.9 if any(number == 0 for number, _ in row) else 0.1] for row in rows]
    samples = Samples.of([[(number, 256) for number, _ in row] for row in rows], targets, 12)
    learned, check = samples.split(4)
    trainer = Trainer.new(12, 8, 1, 4.0, seed=1)
    before = trainer.error(check)
    trainer.train(learned, 200, seed=1)
    assert trainer.error(check) < 0.01 < before


def test_whole_numbers_are_as_good_as_the_trained_ones(tmp_path):
    """Bound to a game, the rounded network gives the values of the trained one."""
    from value_files import random_value

    game = Knowing()
    made = random_value(game, hidden=8)
    network = made.bind(game)
    trainer = Trainer.new(6, 8, 2, 2.0, seed=4)
    value = Value.of_game(game, made.description["features"], 8, quantised(trainer.weights), {})
    rounded = value.bind(game)
    state = game.new_state()
    while not state.is_over:
        pairs, first = network.active(state)
        inputs, _ = Samples.of([pairs], [[0.0]], 6).batch(np.arange(1))
        wanted = trainer.values(inputs)[0]
        found = rounded.values(state)
        assert [found[first], found[1 - first]] == pytest.approx(list(wanted), abs=2e-3)
        state.play(state.legal_moves()[0])


def test_a_target_mixes_what_the_value_says_next_with_what_comes_later():
    """Half of each: 0.85 = (0.7 + 1) / 2 and 0.725 = (0.6 + 0.85) / 2. The second position has seat 1 first."""
    results = np.array([[1, 0], [0, 1], [1, 0], [0, 1]], np.float32)
    values = np.array([[0.5, 0.5], [0.4, 0.6], [0.7, 0.3], [0.8, 0.2]], np.float32)
    firsts, lasts = np.array([0, 1, 0, 0], np.int8), np.array([False, False, True, False])
    samples = Samples(np.zeros((4, 3), np.int16), results, firsts, lasts)
    found = targets_ahead(samples, values, 0.5)
    assert found == pytest.approx(np.array([[0.725, 0.275], [0.15, 0.85], [1, 0], [0, 1]]))
    assert targets_ahead(samples, values, 1.0) == pytest.approx(results)


def test_targets_that_look_ahead_tell_more_than_a_few_results():
    """A walk of 8 fair steps: 200 results are noise, what the value says a step later is not."""
    random = np.random.default_rng(1)
    steps = random.choice([-1, 1], (200, 8))
    places = np.concatenate([np.zeros((200, 1), int), steps.cumsum(axis=1)[:, :-1]], axis=1).ravel()
    inputs = np.zeros((1600, 17), np.int16)
    inputs[np.arange(1600), places + 8] = FULL
    ends = np.repeat((steps.sum(axis=1) / 16 + 0.5), 8).astype(np.float32)
    lasts = np.tile(np.arange(8) == 7, 200)
    samples = Samples(inputs, ends[:, None], np.zeros(1600, np.int8), lasts)
    true = (places / 16 + 0.5).astype(np.float32)[:, None]
    trainer = Trainer.new(17, 16, 1, 1.0, seed=2)
    trainer.train(samples, 20, seed=1)
    before = float(((trainer.values_of(samples) - true) ** 2).mean())
    for sweep in range(3):
        targets = targets_ahead(samples, trainer.values_of(samples), 0.5)
        trainer.train(samples.with_targets(targets), 20, seed=sweep)
    assert float(((trainer.values_of(samples) - true) ** 2).mean()) < 0.7 * before


# ---- Games -------------------------------------------------------------------------------------------------


def test_a_game_against_itself_depends_on_its_number_only():
    plan = SelfPlay(PIG, "mcts:iterations=20", 7)
    assert play_alone(plan, 3) == play_alone(plan, 3)
    assert play_alone(plan, 3) != play_alone(plan, 4)


def test_the_result_counts_after_the_last_random_move_only():
    """Matches: 0 takes 1 at random, then 1, 0, 1 take one each, and 0 the last: seat 0 wins."""
    game = Knowing(matches=5)
    odds = (None, (0.4, 0.6), (0.7, 0.3), (0.8, 0.2), None)
    random_first = PlayedGame((1, 1, 1, 1, 1), odds, ((),) * 5, (0,), (1.0, 0.0))
    found = [target for _, target in positions(game, random_first)]
    assert np.array(found) == pytest.approx(np.array([(0.7, 0.3), (0.85, 0.15), (0.9, 0.1), (1.0, 0.0)]))
    random_later = PlayedGame((1, 1, 1, 1, 1), odds, ((),) * 5, (0, 2), (1.0, 0.0))
    found = [target for _, target in positions(game, random_later)]
    assert np.array(found) == pytest.approx(np.array([(0.4, 0.6), (0.7, 0.3), (0.9, 0.1), (1.0, 0.0)]))


def test_if_only_results_count_every_position_has_the_result():
    plan = SelfPlay(PIG, "mcts:iterations=20", 7, "results")
    played = play_alone(plan, 3)
    assert played == play_alone(plan, 3)
    targets = {target for _, target in positions(PIG, played)}
    assert targets == {tuple((1 + value) / 2 for value in played.returns)}
    assert len(list(positions(PIG, played))) == len(played.moves)


def test_of_a_run_of_chance_events_only_the_first_is_learned_from():
    game = aiplay.load_game("levitation")
    played = play_alone(SelfPlay(game, "random", 7, "results"), 0)
    chance = [state.to_move == aiplay.CHANCE for state, _ in positions(game, played)]
    state, all_chance = game.new_state(), []
    for move in played.moves:
        all_chance.append(state.to_move == aiplay.CHANCE)
        state.play(move)
    assert len(chance) < len(all_chance)
    assert chance.count(False) == all_chance.count(False)
    assert not any(one and after for one, after in pairwise(chance))


def test_games_for_results_have_few_random_moves():
    """Half of the games begin with up to six; of the other moves about 3 % are random."""
    games = [play_alone(SelfPlay(PIG, "random", 7, "results"), number) for number in range(60)]
    assert any(not one.randoms for one in games)
    later = [index for one in games for index in one.randoms if index > 40]
    moves = sum(max(0, len(one.moves) - 41) for one in games)
    assert 0 < len(later) < 0.08 * moves


def test_rows_hold_what_the_network_sees():
    from value_files import random_value

    from aiplay._core.search.common.value import active_of, write_inputs
    from aiplay.value import bound_features

    for game in (PIG, Knowing(), aiplay.load_game("levitation")):
        features = bound_features(game, random_value(game, hidden=8).description["features"])
        row = np.empty(features.size, np.int16)
        state, stream = game.new_state(), aiplay.RandomStream(3)
        for _ in range(5):
            pairs, first = active_of(features, state)
            assert write_inputs(features, state, row) == first
            assert dict(pairs) == {int(number): int(row[number]) for number in np.flatnonzero(row)}
            if state.to_move >= 0:
                state.play(stream.choice(state.legal_moves()))
            else:
                state.play_chance(stream)
        with pytest.raises(ValueError, match="inputs"):
            write_inputs(features, state, row[1:])


# ---- Rounds ------------------------------------------------------------------------------------------------


def test_a_value_is_learned_from_results_alone(tmp_path):
    settings = Settings.of(PIG, source="results", games=40, duel=8, limit="iterations=20", hidden=8, seed=2)
    assert (settings.window, settings.passes, settings.sweeps) == (10_000_000, 1, 3)
    rounds = []
    learn_value(PIG, tmp_path / "pig.json", rounds=1, settings=settings, progress=rounds.append)
    assert rounds[0].positions > 20 * 40 * 0.9


def test_settings_say_what_a_value_may_be_learned_from():
    with pytest.raises(aiplay.OptionError, match="allowed: searches or results"):
        Settings(source="books").checked()
    with pytest.raises(aiplay.OptionError, match="sweeps is 2; allowed: at least 0, and 0 unless"):
        Settings(sweeps=2).checked()


def learned_layers(file):
    """The arrays of the checkpoint beside a file."""
    with np.load(checkpoint_of(file)) as arrays:
        return {name: arrays[name].tolist() for name in arrays.files if name != "about"}


def test_a_run_that_was_killed_goes_on_as_if_it_were_not(tmp_path):
    rows = []
    learn_value(PIG, tmp_path / "whole.json", rounds=2, settings=QUICK, progress=rows.append)
    learn_value(PIG, tmp_path / "parts.json", rounds=1, settings=QUICK)
    learn_value(PIG, tmp_path / "parts.json", rounds=2, settings=QUICK, resume=True)
    assert learned_layers(tmp_path / "whole.json") == learned_layers(tmp_path / "parts.json")
    assert [row.number for row in rows] == [1, 2]
    assert rows[1].positions > rows[0].positions
    assert not (tmp_path / "whole.json.candidate").exists()


class EightIsBest(Duel):
    """A duel that a value wins if eight moves of a playout come before it."""

    def play(self, executor=None):
        return replace(super().play(executor), a_score=float(",cutoff=8" in self.specs[0]))


def test_if_the_game_has_a_policy_several_lengths_of_playouts_are_tried(tmp_path, monkeypatch):
    monkeypatch.setattr("aiplay.learn.value.Duel", EightIsBest)
    written = []
    write = Value.write
    monkeypatch.setattr(
        Value, "write", lambda value, path: (written.append(value.cutoff), write(value, path))
    )
    game, quick = aiplay.load_game("connect_four"), replace(QUICK, games=4, duel=2, limit="iterations=2")
    learn_value(game, tmp_path / "four.json", rounds=1, settings=quick)
    assert written == [0, 8]  # the one that is tried with each length, and the one for the duel
    learn_value(game, tmp_path / "four.json", rounds=1, settings=replace(quick, cutoff=4))
    assert written[2:] == [4]
    learn_value(
        game, tmp_path / "four.json", rounds=1, settings=replace(quick, limit="iterations=2,cutoff=4")
    )
    assert written[3:] == [0]  # all players follow the limit
    learn_value(PIG, tmp_path / "pig.json", rounds=1, settings=QUICK)
    assert set(written[4:]) == {0}


def test_worker_processes_play_the_same_games(tmp_path):
    learn_value(PIG, tmp_path / "here.json", rounds=1, settings=QUICK)
    with ProcessPool(2) as pool:
        learn_value(PIG, tmp_path / "there.json", rounds=1, settings=QUICK, executor=pool)
    assert learned_layers(tmp_path / "here.json") == learned_layers(tmp_path / "there.json")


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    file = tmp_path / "pig.json"
    with pytest.raises(aiplay.ValueFileError, match="there is no checkpoint"):
        learn_value(PIG, file, rounds=1, settings=QUICK, resume=True)
    learn_value(PIG, file, rounds=1, settings=QUICK)
    with pytest.raises(aiplay.ValueFileError, match="belongs to another run: its settings"):
        learn_value(PIG, file, rounds=2, settings=Settings(seed=6), resume=True)
    checkpoint_of(file).write_bytes(b"nothing")
    with pytest.raises(aiplay.ValueFileError, match="is not a checkpoint"):
        learn_value(PIG, file, rounds=2, settings=QUICK, resume=True)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"games": 0}, "games is 0"),
        ({"hidden": 7}, "hidden is 7; allowed: 8 to 128, a multiple of 8"),
        ({"limit": "iterations=0"}, "iterations"),
        ({"cutoff": -2}, "cutoff"),
        ({"prior_weight": -1.0}, "prior_weight"),
        ({"limit": "5"}, "limit is '5'; allowed: options of mcts, such as iterations=200"),
    ],
)
def test_wrong_settings_are_refused(tmp_path, settings, problem):
    with pytest.raises(aiplay.AiplayError, match=problem):
        learn_value(PIG, tmp_path / "pig.json", settings=Settings(**settings))


def test_a_game_written_in_python_has_shorter_rounds():
    assert Settings.of(PIG, seed=3) == Settings(seed=3)
    usual = Settings.of(Knowing(), hidden=8)
    assert (usual.games, usual.limit, usual.hidden) == (100, "iterations=50", 8)
    assert Settings.of(Knowing(), games=7).games == 7


def test_the_value_of_a_move_is_a_target_for_the_position_after_it(monkeypatch):
    """The other seat of two gets the rest, if the sum of the returns is known."""
    game = Knowing(matches=5)
    tried = (((1, 0.25), (2, 0.75)), (), (), (), ())
    played = PlayedGame((1, 1, 1, 1, 1), (None,) * 5, tried, (4,), (1.0, 0.0))
    monkeypatch.setattr(Knowing, "returns_sum", 1.0)
    found = [(state.fields, target) for state, target in positions(game, played)]
    assert found == [((4, 1), (0.25, 0.75)), ((3, 1), (0.75, 0.25))]
    monkeypatch.setattr(Knowing, "returns_sum", None)
    targets = [target for _, target in positions(game, played)]
    assert [target[0] for target in targets] == [0.25, 0.75]
    assert all(np.isnan(target[1]) for target in targets)


def test_unknown_targets_are_not_learned_from():
    rows, targets = random_samples()
    samples, known = Samples.of(rows, targets, 12), targets.copy()
    known[:, 1] = np.nan
    trainer = Trainer.new(12, 8, 2, 4.0, seed=3)
    inputs, wanted = samples.batch(np.arange(60))
    all_of_it = trainer._gradients(inputs, wanted)
    found = trainer._gradients(inputs, known)
    assert np.allclose(found["second"][0], all_of_it["second"][0])
    assert not found["second"][1].any()
    assert trainer.error(Samples.of(rows, known, 12)) == pytest.approx(
        float(((trainer.values(inputs) - wanted)[:, 0] ** 2).mean()), rel=1e-5
    )


def test_a_path_that_a_specification_cannot_name_is_refused(tmp_path):
    with pytest.raises(aiplay.AiplayError, match="without commas"):
        learn_value(PIG, tmp_path / "a,b.json", rounds=1, settings=QUICK)


def test_a_game_without_evaluation_learns_to_play_perfectly(tmp_path):
    """Taking 1 or 2 of 9 matches: a seat that leaves a multiple of 3 wins. greedy alone finds it by the value."""
    game, file = Knowing(), tmp_path / "matches.json"
    settings = Settings(seed=1, games=60, duel=100, limit="iterations=4", hidden=8)
    value = learn_value(game, file, rounds=3, settings=settings)
    assert value is not None
    gain = value.description["made"]["gain"]
    assert gain["low"] > 0.5
    assert gain["against"] == "value=game"
    assert Value.read(file).description == value.description
    player = aiplay.make_player(f"greedy:value={file}", seed=1)
    for left in (4, 5, 7, 8):
        view = game.state_from_fields((left, 0)).view(0)
        assert (left - player.choose(view)) % 3 == 0
    duel = Duel(game, f"greedy:value={file}", "greedy", games=40, seed=2).play()
    assert duel.a_score > 0.6


# ---- The command -------------------------------------------------------------------------------------------


def test_the_command_shows_the_curve_and_writes_the_file(tmp_path):
    options = ("--game", "pig", "-o", "target=20", "--games", 24, "--limit", "iterations=20", "--jobs", 1)
    done = run_here("learn", *options, "--iterations", 1, "--hidden", 8, "--seed", 5, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["round", "positions", "error", "score", "games"]
    assert lines[1].split()[0] == "1"
    assert (tmp_path / "pig.value.json.checkpoint").exists()
    done = run_here(
        "learn", *options, "--iterations", 2, "--hidden", 8, "--seed", 5, "--resume", "--json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)) == {"file", "made"}


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--target", 0.1), "--target"),
        (("--sampled",), "--sampled"),
        (("--method", "equilibrium", "--hidden", 8), "--hidden"),
        (("--method", "equilibrium", "--jobs", 2), "--jobs"),
    ],
)
def test_an_option_of_the_other_method_is_refused(tmp_path, options, named):
    done = run_here("learn", "--game", "pig", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert named in done.stderr
