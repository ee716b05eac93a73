"""Levitation: the evaluation of positions, and the strength of the players that use it."""

import pytest
from levitation_positions import choose_chance, game_of, play, position, score

import aiplay
from aiplay.table import play_game


def wins(a: str, b: str, deals: int, players: int = 2) -> float:
    """Return the share of games that `a` wins; each deal is played twice, with seats exchanged."""
    game, total = game_of(players), 0.0
    for seed in range(deals):
        for shift in range(2):
            seated = [
                aiplay.make_player(b if (seat + shift) % 2 else a, seed=seat) for seat in range(players)
            ]
            returns = play_game(aiplay.Table(game, seed=seed), seated)
            total += sum(value for seat, value in enumerate(returns) if (seat + shift) % 2 == 0)
    return total / (2 * deals)


# ---- The evaluation ----------------------------------------------------------------------------------------


def chance_of(state, seat: int = 0) -> float:
    return state.evaluate()[seat]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_evaluation_is_a_chance_to_win(players):
    values = position(players, scores={0: 5}).evaluate()
    assert sum(values) == pytest.approx(1)
    assert all(0 < value < 1 for value in values)


def test_the_evaluation_rises_with_points_cubes_tickets_and_cards():
    plain = chance_of(position(seat=1, at=(2, 1)))
    assert chance_of(position(seat=1, at=(2, 1), scores={0: 1})) > plain
    assert chance_of(position(seat=1, at=(2, 1), cubes={0: 3})) > plain
    assert chance_of(position(seat=1, at=(2, 1), hand={0: 1})) > plain
    assert chance_of(position(seat=1, at=(2, 1), owned={0: ["The Orange Tree"]})) > plain
    assert chance_of(position(seat=1, at=(2, 1), spaces={"tickets": 0})) > plain


def test_the_evaluation_prefers_a_path_under_way_to_scattered_tickets():
    near = position(seat=1, at=(2, 1), tickets={0: ["Naples", "Tokyo"]})
    apart = position(seat=1, at=(2, 1), tickets={0: ["Naples", "Boston"]})
    assert chance_of(near) > chance_of(apart)


def test_the_evaluation_trusts_a_lead_more_at_the_end():
    early, late = (position(seat=1, at=at, scores={0: 10}) for at in ((1, 1), (3, 4)))
    assert chance_of(early) < chance_of(late)
    assert chance_of(late) > 0.9


def test_the_evaluation_works_while_chance_decides():
    state = play(position(dice={}), "roll")
    assert 0 < chance_of(state) < 1
    assert 0 < chance_of(game_of(2).new_state()) < 1


# ---- Players -----------------------------------------------------------------------------------------------


def test_greedy_takes_a_path_within_reach():
    """A green die from Kellar ends a path in London."""
    state = position(
        tickets={0: ["Naples", "Tokyo"]},
        hand={0: 2},
        scores={0: 20, 1: 20},
        at=(3, 3),
        dice={"green": (0, 0, 1), "red": (1, 0, 0), "blue": (0, 1, 0)},
    )
    player = aiplay.make_player("greedy:value=game", seed=1)
    while state.to_move == 0 and state.fields["n_acted"] == 0:
        state.play(player.choose(state.view(0)))
        choose_chance(state)
    assert score(state, 0) == 30


def test_greedy_beats_random():
    """It wins nearly every game, by 40 points or more."""
    assert wins("greedy", "random", 25) >= 0.98


def test_greedy_scores_about_50():
    """By the game's evaluation, which counts points; a trained value cares for the win alone."""
    game, scores = game_of(2), []
    for seed in range(30):
        table = aiplay.Table(game, seed=seed)
        play_game(table, [aiplay.make_player(spec, seed=seed) for spec in ("greedy:value=game", "random")])
        scores.append(score(table.state, 0))
    assert sum(scores) / len(scores) == pytest.approx(50, abs=8)


@pytest.mark.parametrize("players", [3, 5])
def test_greedy_beats_random_with_more_seats(players):
    assert wins("greedy", "random", 4, players) >= 0.98


def test_expectimax_beats_greedy():
    assert wins("expectimax:nodes=3000", "greedy", 4) > 0.5


def test_mcts_beats_greedy():
    assert wins("mcts:iterations=1500", "greedy", 4) > 0.5


def test_mcts_uses_the_playout_policy():
    state = position(owned={0: ["The Orange Tree", "She"]}, tickets={0: ["Naples"]}, hand={0: 2})
    player = aiplay.make_player("mcts:iterations=200,playout=game,cutoff=-1,epsilon=0", seed=1)
    assert player.choose(state.view(0)) in state.legal_moves()
