"""Advice of a game: options of mcts that suit it better than the usual defaults."""

import json

import pytest
from terminal import run_here
from toy_games import Matches

import aiplay
from aiplay.players.mcts import MctsPlayer
from aiplay.speed import middle_of_a_game


def visits(view, spec):
    analysis = aiplay.make_player(f"mcts:iterations=300,{spec}", seed=4).analyse(view)
    return [(move.move, move.visits, move.value) for move in analysis.moves]


def first_view(game):
    table = aiplay.Table(game, seed=1)
    return table.view(table.to_move)


class Evaluated(Matches):
    """Matches with an evaluation, so that there is something to advise."""

    playout_depth = -1

    def evaluate(self, state):
        return [0.3, 0.7]


class Advised(Evaluated):
    ADVICE = {"exploration": 3.0, "root_exploration": 4.0, "prior": "none", "prior_visits": 5}  # noqa: RUF012


def test_connect_four_advises_to_search_without_priors():
    assert aiplay.load_game("connect_four").advice == {"prior": "none", "cutoff": -1}


def test_leduc_advises_to_evaluate_at_once():
    assert aiplay.load_game("leduc_poker").advice == {"cutoff": 0}


def test_levitation_advises_to_explore_more_at_the_root():
    assert aiplay.load_game("levitation").advice == {"root_exploration": 0.2, "cutoff": 1}


def test_more_exploration_at_the_root_visits_the_other_moves_more_often():
    state = middle_of_a_game(aiplay.load_game("levitation"))
    view = state.view(state.to_move)
    of_best = [max(n for _, n, _ in visits(view, f"root_exploration={c}")) for c in (0, 0.5, 2)]
    assert of_best[0] > of_best[1] > of_best[2]


def test_a_game_without_evaluation_advises_nothing():
    assert Matches().advice == {}


def test_mcts_follows_the_advice_of_a_native_game():
    view = first_view(aiplay.load_game("connect_four"))
    assert visits(view, "prior=auto") == visits(view, "prior=none") != visits(view, "prior=evaluate")


def test_mcts_follows_the_advice_of_a_game_in_python():
    plain, advised = first_view(Evaluated()), first_view(Advised())
    assert visits(advised, "trees=1") == visits(
        plain, "exploration=3,root_exploration=4,prior=none,prior_visits=5"
    )
    assert visits(advised, "trees=1") != visits(plain, "trees=1")


@pytest.mark.parametrize(
    "given", ["exploration=0.1", "root_exploration=2", "prior=evaluate,prior_visits=1", "prior=evaluate"]
)
def test_an_option_that_is_given_wins(given):
    defaults = Advised.ADVICE
    options = dict(part.split("=") for part in given.split(","))
    merged = ",".join(f"{name}={value}" for name, value in {**defaults, **options}.items())
    assert visits(first_view(Advised()), given) == visits(first_view(Evaluated()), merged)


def test_without_advice_the_usual_defaults_hold():
    view = first_view(Evaluated())
    assert visits(view, "trees=1") == visits(
        view, "exploration=0.7,root_exploration=0,prior=evaluate,prior_visits=1"
    )


@pytest.mark.parametrize(
    ("advice", "message"),
    [
        ({"fpu": 1}, "ADVICE has 'fpu'; allowed: exploration, prior, prior_visits, root_exploration"),
        ({"prior": "game"}, "the advised prior is 'game'; allowed: 'none' or 'evaluate'"),
        ({"exploration": -1}, "the advised exploration is -1.0; allowed: 0"),
        ({"exploration": float("nan")}, "the advised exploration is nan; allowed: 0"),
        ({"root_exploration": -1}, "the advised root_exploration is -1.0; allowed: 0"),
        ({"prior_visits": -1}, "the advised prior_visits are -1; allowed: 0"),
    ],
    ids=str,
)
def test_impossible_advice_is_refused(advice, message):
    with pytest.raises(TypeError, match=message):
        type("Wrong", (Evaluated,), {"ADVICE": advice})()


def test_advice_to_evaluate_needs_an_evaluation():
    with pytest.raises(TypeError, match="advises prior=evaluate, but has no evaluate"):
        type("Wrong", (Matches,), {"ADVICE": {"prior": "evaluate"}})()


def test_every_advised_option_is_one_of_mcts():
    known = {option.name: option for option in MctsPlayer.OPTIONS}
    for name in aiplay.game_names():
        for option, value in aiplay.load_game(name).advice.items():
            known[option].parse(value)


def test_aiplay_games_shows_the_advice():
    assert "advice   prior=none, cutoff=-1" in run_here("games", "connect_four").stdout
    facts = json.loads(run_here("games", "leduc_poker", "--json").stdout)
    assert facts["games"][0]["advice"] == {"cutoff": 0}
