"""Profiles: figures of games that are known otherwise, the rules of the recommendation, the command."""

import dataclasses
import json

import pytest
from terminal import run, run_here
from toys import BestOfThree, Kuhn, Pennies, TreeGame

import aiplay
from aiplay import profile
from aiplay.errors import OptionError
from aiplay.match import Duel
from aiplay.profile.advice import DEEP
from aiplay.profile.result import spread_of
from aiplay.profile.sampling import _estimate, facts_of


def facts_in(game, games=20, player="random"):
    match = Duel(game, player, player, games=games, seed=1)
    match.play()
    return facts_of(match, seed=1)


# ---- Figures -------------------------------------------------------------------------------------------------


def test_connect_four_has_seven_columns_and_no_luck():
    facts = facts_in("connect_four")
    assert facts.choices.most == 7
    assert facts.choices.low >= 2
    assert facts.moves.most <= 42
    assert facts.outcomes is None
    assert facts.between is None
    assert facts.worlds is None
    assert not facts.hides_moves
    assert facts.luck == pytest.approx(0)


def test_pig_is_rolling_or_holding_with_one_die():
    facts = facts_in("pig", games=6)
    assert dataclasses.astuple(facts.choices) == (2, 2, 2, 2, 2)
    assert dataclasses.astuple(facts.outcomes) == (6, 6, 6, 6, 6)
    assert facts.between.mean == 6  # a choice before every roll
    assert 0 < facts.luck < 1


def test_leduc_deals_two_of_six_cards_and_then_one_of_four():
    facts = facts_in("leduc_poker", games=60)
    assert (facts.outcomes.most, facts.outcomes.low) == (6, 4)
    assert (facts.between.most, facts.between.low) == (30, 4)
    assert facts.choices.most == 3  # fold, call, raise
    assert facts.decisions.most <= 8
    assert (facts.worlds.low, facts.worlds.high) == (4, 5)  # the other card
    assert not facts.hides_moves


SIXTH = [1 / 6] * 6


class TwoDice(TreeGame):
    """Two dice, then a choice that changes nothing: luck decides everything."""

    name = "two_dice"
    max_moves, max_depth = 6, 3
    TREE = (
        -1,
        [(-1, [(0, [[float(a > b), float(a <= b)]] * 2) for b in range(6)], SIXTH) for a in range(6)],
        SIXTH,
    )


def test_two_dice_are_36_outcomes_between_choices_and_all_of_it_is_luck():
    facts = facts_in(TwoDice())
    assert facts.outcomes.most == 6
    assert facts.between.low == facts.between.most == 36
    assert facts.decisions.most == 1
    assert facts.moves.mean == 3
    assert facts.luck == pytest.approx(1)


def test_forced_moves_are_not_choices():
    """Of the three decisions at most, only that after the last roll is forced."""
    facts = facts_in(BestOfThree(), games=40)
    assert facts.choices.most == 2
    assert 0 < facts.forced < 1


def test_a_game_without_choices_has_no_profile():
    class Coin(TreeGame):
        name = "coin"
        TREE = (-1, [[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5])

    with pytest.raises(OptionError, match="coin has no choices"):
        facts_in(Coin(), games=2)


def test_quantiles():
    assert spread_of([]) is None
    assert dataclasses.astuple(spread_of(range(11))) == (5, 1, 5, 9, 10)


# ---- Worlds --------------------------------------------------------------------------------------------------


def test_chao1_by_hand():
    """Three kinds found, two of them once and one twice: 3 + 2 * 1 / (2 * 2)."""
    assert _estimate(3, 2, 1) == 3.5
    assert _estimate(5, 0, 0) == 5


@pytest.mark.parametrize(("moves", "worlds"), [([2, 4], 5), ([2, 4, 1, 1, 0], 4)])
def test_the_worlds_of_leduc_are_the_cards_that_the_other_seat_may_have(moves, worlds):
    state = aiplay.load_game("leduc_poker").new_state()
    for move in moves:
        state.play(move)
    assert profile.estimated_worlds(state.view(state.to_move), seed=1) == worlds


class Secret(Kuhn):
    """The other seat's card is one of 1,000."""

    name = "secret"

    def determinise(self, view, seat, stream):
        return view._replace(cards=tuple(stream.below(1000) for _ in view.cards[:1]) * 2)


def test_worlds_that_were_not_sampled_are_estimated():
    view = aiplay.Table(Secret(), seed=1).view(0)
    assert profile.estimated_worlds(view, seed=1, samples=400) == pytest.approx(1000, rel=0.25)


# ---- The recommendation --------------------------------------------------------------------------------------

FOUR, RABBIT, LEDUC, ILLUSIO = (
    aiplay.load_game(name) for name in ("connect_four", "magic_rabbit", "leduc_poker", "illusio")
)
FACTS = profile.Facts(
    player="random",
    games=1,
    choices=spread_of([2]),
    forced=0.0,
    outcomes=None,
    between=None,
    decisions=spread_of([100]),
    moves=spread_of([100]),
    worlds=None,
    most_worlds=20100,
    hides_moves=False,
    luck=0.0,
)
SHORT = {"worlds": spread_of([5]), "decisions": spread_of([8])}
LONG = {"worlds": spread_of([5])}


@pytest.mark.parametrize(
    ("game", "change", "depth", "players"),
    [
        (RABBIT, LONG, 1, ("mcts", "greedy")),
        (LEDUC, SHORT, 1, ("mixed", "mcts")),
        (ILLUSIO, LONG, 1, ("mcts", "mcts:mode=several")),
        (Pennies(), LONG, 1, ("mcts", "mcts:mode=single")),  # hides a move
        (aiplay.load_game("pig"), {}, DEEP, ("expectimax", "mcts")),
        (aiplay.load_game("pig"), {}, DEEP - 1, ("mcts", "expectimax")),
        (FOUR, {}, DEEP, ("mcts", "expectimax")),  # with a policy for playouts
        (TwoDice(), {}, DEEP, ("mcts", "expectimax")),  # without an evaluation
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_rule_for_each_kind_of_game(game, change, depth, players):
    effort = profile.Effort(0.05, 1000, depth)
    advice = profile.advise(game, dataclasses.replace(FACTS, **change), effort)
    assert (advice.player, advice.runner_up) == players


def test_the_mode_of_mcts_is_the_one_that_it_takes():
    effort = profile.Effort(0.05, 1000, 1)
    modes = [profile.advise(game, FACTS, effort).mode for game in (FOUR, RABBIT, Pennies(), ILLUSIO)]
    assert modes == ["open", "team", "several", "auto"]


def step(budget, low):
    a, b = f"mcts:iterations={4 * budget}", f"mcts:iterations={budget}"
    return profile.Score(a, b, 40, 0.6, low, 0.7)


@pytest.mark.parametrize(
    ("lows", "enough"), [((0.51, 0.51), None), ((0.51, 0.49), 100), ((0.49, 0.51), None), ((0.49, 0.49), 25)]
)
def test_iterations_are_enough_after_the_last_certain_gain(lows, enough):
    growth = [step(budget, low) for budget, low in zip((25, 100), lows, strict=True)]
    assert profile.advise(FOUR, FACTS, profile.Effort(0.05, 1000, 1), growth).iterations == enough


def test_the_check_can_refute_the_recommendation():
    found = profile.profile_game(FOUR, games=2, budgets=(), seed=1, time=0.001)
    advice = found.advice
    for low, high, player in (
        (0.6, 0.8, advice.player),
        (0.4, 0.6, advice.player),
        (0.1, 0.4, advice.runner_up),
    ):
        score = profile.Score(advice.player, advice.runner_up, 40, (low + high) / 2, low, high)
        assert dataclasses.replace(found, check=score).player == player


# ---- All of it -----------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_figures():
    pig = aiplay.load_game("pig", target=20)
    seen = []
    one, other = (
        profile.profile_game(
            pig,
            games=8,
            budgets=(5,),
            check=True,
            seed=3,
            time=0.0005,
            progress=lambda *news: seen.append(news),
        )
        for _ in range(2)
    )
    assert (one.facts, one.growth) == (other.facts, other.growth)
    assert one.growth[0].a == "mcts:iterations=20"
    assert one.check.games == 8
    assert seen[:2] == [("sampling games", 0, 8), ("sampling games", 1, 8)]


def test_large_numbers_are_short_and_a_deal_of_all_cards_decides_no_mean():
    facts = dataclasses.replace(FACTS, outcomes=spread_of([6.0]), between=spread_of([6.0, 6.0, 1e30]))
    found = profile.profile_game(LEDUC, games=2, budgets=(), seed=1, time=0.001)
    shown = profile.text(dataclasses.replace(found, facts=facts))
    assert "6 (6 .. 8.0e+29, at most 1.0e+30) between two choices" in shown


def test_the_command_prints_one_object():
    options = "-g leduc_poker --games 4 --time 0.001 --seed 1 --jobs 1 --check --json"
    found = json.loads(run_here("profile", *options.split()).stdout)
    assert found["player"] in ("mixed", "mcts")
    assert found["facts"]["outcomes"]["most"] == 6
    assert found["advice"]["options"] == {"cutoff": 0}
    assert len(found["growth"]) == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [(("--time", "-1"), "time is -1"), (("--games", "0"), "--games"), (("-g", "pigs"), "'pig'")],
)
def test_mistakes_are_said_before_the_first_game(options, said):
    done = run("profile", *options)
    assert done.returncode == 2
    assert said in done.stderr
