"""Tuning: the bandit finds planted values, a player its planted option, and nothing is made up if there is none."""

import json
import random

import pytest
from terminal import run, run_here
from toy_games import Bidding, Matches
from toys import Pennies

import aiplay
from aiplay import registry, tune
from aiplay.errors import OptionError, PlayerSpecError, StoreError
from aiplay.match import ProcessPool
from aiplay.options import Option
from aiplay.players.base import Player
from aiplay.tune.bandit import TupleBandit
from aiplay.tune.space import with_options

# ---- The bandit ----------------------------------------------------------------------------------------------

SIZES = (4, 3, 5, 2)
EFFECTS = ((0, -0.1, 0.2, 0), (0, 0, -0.1), (0, -0.2, 0, 0, 0.15), (0, -0.1))  # best: 2, then 0 or 1, 4, 0


def trained(seed, deals=200):
    """A bandit after deals of two games whose chances are known."""
    bandit, source = TupleBandit(SIZES, seed), random.Random(seed)
    while len(bandit.scores) < deals:
        for point in bandit.propose(8):
            chance = 0.5 + sum(effects[value] for effects, value in zip(EFFECTS, point, strict=True))
            bandit.add(point, sum(source.random() < chance for _ in range(2)) / 2)
    return bandit


@pytest.mark.parametrize("seed", range(5))
def test_the_bandit_finds_the_values_that_add_most(seed):
    first, _, third, fourth = trained(seed).winner()
    assert (first, third, fourth) == (2, 4, 0)


def test_effects_are_estimated_with_their_errors():
    found = trained(1, deals=800).effects()
    for dimension, effects in enumerate(EFFECTS):
        for value, effect in list(enumerate(effects))[1:]:
            estimate, error = found[dimension, value]
            assert abs(estimate - effect) < 4 * error + 0.02


def test_the_same_seed_proposes_the_same_points():
    assert trained(3).scores == trained(3).scores != trained(4).scores


def test_the_player_as_given_is_never_proposed():
    assert not any(point == (0, 0, 0, 0) for point, _ in trained(2).scores)


def test_the_estimate_by_hand():
    """Two dimensions: the tuples are each of them, and both. A score of 1 counts like two scores of 1/2."""
    bandit = TupleBandit((2, 2), seed=1)
    assert bandit.estimate((1, 1)) == 0.5
    bandit.add((1, 0), 1.0)
    assert bandit.estimate((1, 0)) == pytest.approx(2 / 3)
    assert bandit.estimate((1, 1)) == pytest.approx((2 / 3 + 1 / 2 + 1 / 2) / 3)


# ---- The options that are varied -----------------------------------------------------------------------------


def names(game, player="mcts", vary=None):
    return dict(tune.space_of(game, player, vary))


def test_only_options_that_matter_in_the_game_are_varied():
    four, pig, leduc = map(aiplay.load_game, ("connect_four", "pig", "leduc_poker"))
    assert {"mode", "widening", "prior_weight"}.isdisjoint(
        names(four)
    )  # no chance, nothing hidden, prior=none
    assert "widening" in names(pig)
    assert names(leduc)["mode"] == (None, "single", "several", "pimc")
    assert "opponents" not in names(pig, "expectimax")
    assert "opponents" in names(aiplay.load_game("pig", players=3), "expectimax")
    assert {"prior", "cutoff"}.isdisjoint(names(Pennies()))  # no evaluation
    assert {"time", "threads", "memory", "value"}.isdisjoint(names(pig))


def test_a_value_that_is_in_use_anyway_is_not_tried():
    assert 0.7 not in names(aiplay.load_game("pig"))["exploration"]
    assert 0.7 in names(aiplay.load_game("pig"), "mcts:exploration=1.4", {"exploration": ()})["exploration"]
    assert 0 not in names(aiplay.load_game("pig"))["cutoff"]  # the game's advice
    assert "none" not in names(aiplay.load_game("connect_four"))["prior"]


def test_options_in_the_specification_stay():
    assert "cutoff" not in names(aiplay.load_game("pig"), "mcts:cutoff=4")


def test_options_and_values_can_be_chosen():
    pig = aiplay.load_game("pig")
    assert names(pig, vary={"cutoff": ["4", "8"]}) == {"cutoff": (None, 4, 8)}
    assert [*names(pig, vary={"exploration": ()})] == ["exploration"]


@pytest.mark.parametrize(
    ("player", "vary", "error", "said"),
    [
        ("mcts", {"cutof": ()}, OptionError, "did you mean 'cutoff'"),
        ("mcts", {"time": ()}, OptionError, "'time' to vary"),
        ("mcts", {"cutoff": ["often"]}, OptionError, "cutoff is 'often'"),
        ("random", None, OptionError, "no option that matters in pig"),
        ("human", None, PlayerSpecError, "nothing to tune"),
    ],
)
def test_mistakes_say_what_is_allowed(player, vary, error, said):
    with pytest.raises(error, match=said):
        tune.space_of(aiplay.load_game("pig"), player, vary)


@pytest.mark.parametrize("name", aiplay.game_names())
@pytest.mark.parametrize("player", ["mcts:iterations=2", "expectimax:nodes=2", "greedy:worlds=1"])
def test_every_value_can_be_played(name, player):
    game = aiplay.load_game(name)
    table = aiplay.Table(game, seed=1)
    if player.startswith("greedy") and not (game.has_hidden or game.has_chance):
        return
    for option, values in tune.space_of(game, player):
        for value in values[1:]:
            made = aiplay.make_player(with_options(player, {option: value}), seed=1)
            assert made.choose(table.view(table.to_move)) in table.legal_moves()


# ---- A planted option ----------------------------------------------------------------------------------------


class Planted(Player):
    """Takes the right number of matches with brain=good, else any; the other options change nothing."""

    name = "planted"
    OPTIONS = (
        Option("brain", "bad", "how it plays", choices=("bad", "good", "other")),
        Option("decoy", 8, "nothing", low=1, high=100),
        Option("flag", False, "nothing"),
    )

    def choose(self, view):
        moves = view.legal_moves()
        right = [move for move in moves if (view.fields[0] - move) % 3 == 0]
        return right[0] if right and self.options["brain"] == "good" else self.stream.choice(moves)


@pytest.fixture
def planted(monkeypatch):
    monkeypatch.setitem(registry.PLAYERS, "planted", f"{__name__}:Planted")


def test_a_planted_option_is_found(planted):
    assert names(Matches(), "planted")["decoy"] == (None, 2, 4, 16, 32)
    found = tune.tune_player(Matches(), "planted", games=120, final=200, seed=1)
    assert found.is_better
    assert found.changes["brain"] == "good"
    assert found.final.score > 0.6
    assert aiplay.make_player(found.spec).options["brain"] == "good"
    (good,) = (one for one in found.values if one.value == "good")
    assert good.effect > good.error


def test_nothing_better_is_found_where_nothing_is(planted):
    found = tune.tune_player(Matches(), "planted", games=40, final=40, vary={"decoy": (), "flag": ()}, seed=1)
    assert not found.is_better
    assert found.spec == "planted"
    assert "nothing better was found: keep planted" in tune.text(found)


def test_the_result_does_not_depend_on_processes():
    game, options = aiplay.load_game("pig", target=15), {"games": 24, "final": 12, "seed": 5}
    here = tune.tune_player(game, "mcts:iterations=5", **options)
    with ProcessPool(2) as pool:
        there = tune.tune_player(game, "mcts:iterations=5", executor=pool, **options)
    assert (here.values, here.best, here.final) == (there.values, there.best, there.final)


# ---- Files ---------------------------------------------------------------------------------------------------


def test_a_killed_run_goes_on(tmp_path):
    file, game = tmp_path / "tuning.json", aiplay.load_game("pig", target=15)
    options = {"games": 48, "final": 12, "seed": 5}
    whole = tune.tune_player(game, "mcts:iterations=5", **options)

    def stop(what, done, total):
        if done >= 24:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune.tune_player(game, "mcts:iterations=5", save=file, progress=stop, **options)
    again, plan, scores = tune.read_plan(file)
    assert (again, len(scores)) == (game, 8)  # a round
    found = tune.Tuner(again, plan, scores, save=file).run()
    assert (found.values, found.best, found.final) == (whole.values, whole.best, whole.final)
    assert len(tune.read_plan(file)[2]) == 24


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 2}, "its format is 2"),
        ({"game": "pigs"}, "no game is called"),
        ({"scores": [2]}, "damaged"),
        ({"plan": {}}, "damaged"),
        (
            {"plan": {"player": "mcts", "seed": 1, "space": [["cutoff", [None, -9]]]}},
            "cutoff is '-9'",
        ),
        ({"plan": {"player": "mcts", "seed": 1, "space": [["cutoff", [4]]]}}, "null, then at least one"),
        ({"plan": {"player": "mcts", "seed": 1, "space": []}}, "missing"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, change, said):
    file, game = tmp_path / "tuning.json", aiplay.load_game("pig")
    plan = tune.plan_tuning(game, "mcts:iterations=5", seed=1)
    tune.saved.write_plan(file, game, plan, [0.5])
    assert tune.read_plan(file) == (game, plan, [0.5])
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(StoreError, match=said):
        tune.read_plan(file)


def test_a_file_that_is_none_is_refused(tmp_path):
    with pytest.raises(StoreError, match="No such file"):
        tune.read_plan(tmp_path / "none.json")


# ---- The command ---------------------------------------------------------------------------------------------

QUICK = "-g pig -o target=15 --iterations 5 --games 12 --final 4 --seed 1 --jobs 1"


def test_the_command_prints_one_object_and_goes_on_with_a_file(tmp_path):
    done = run_here("tune", *QUICK.split(), "--save", "t.json", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert found["player"] == "mcts:iterations=5"
    assert found["spec"] == (found["best"] if found["is_better"] else found["player"])
    again = json.loads(run_here("tune", "--resume", "t.json", "--jobs", "1", "--json", cwd=tmp_path).stdout)
    assert {**again, "seconds": 0} == {**found, "seconds": 0}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--vary", "=3"), "NAME=VALUE"),
        (("--vary", "cutoff=4,,8"), "NAME=VALUE"),
        (("--resume", "t.json", "--games", "3"), "leave out --games"),
        (("--time", "1", "--iterations", "2"), "either --time or --iterations"),
    ],
)
def test_wrong_usage(options, said):
    done = run("tune", *options)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_team_is_tuned_by_the_same_deals():
    found = tune.tune_player(
        aiplay.load_game("magic_rabbit"), "greedy", games=8, final=4, vary={"worlds": ["1"]}, seed=1
    )
    assert (found.games, found.variants, found.best) == (8, 1, "greedy:worlds=1")


def test_a_game_with_hidden_cards_written_in_python_is_tuned():
    found = tune.tune_player(Bidding(), "mcts:iterations=3", games=16, final=4, seed=1)
    assert found.variants > 4
