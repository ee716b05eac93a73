"""Equal seeds: what a player or a sampled world does with a seed is independent of what a table does with it."""

from collections import Counter, defaultdict

import pytest

import aiplay
from aiplay._core.stream import RandomStream

SEEDS = 1000
PLAYERS = ["random", "greedy:worlds=1,samples=1", "expectimax:depth=1,worlds=1,width=1", "mcts:iterations=2"]
GAMES = [
    aiplay.load_game("pig"),
    aiplay.load_game("pig", players=3, target=20),
    aiplay.load_game("leduc_poker"),
    aiplay.load_game("three_magicians", players=2),
]


def dependence(pairs):
    """Return how far pairs are from independence: the chi-square statistic in standard deviations from its mean.

    `pairs` are lists of (choice, outcome) by context; outcomes may depend on the context.
    """
    statistic = freedom = 0.0
    for found in pairs.values():
        choices, outcomes = (Counter(pair[side] for pair in found) for side in (0, 1))
        both, n = Counter(found), len(found)
        for choice, n_choice in choices.items():
            for outcome, n_outcome in outcomes.items():
                expected = n_choice * n_outcome / n
                statistic += (both[choice, outcome] - expected) ** 2 / expected
        freedom += (len(choices) - 1) * (len(outcomes) - 1)
    return (statistic - freedom) / max(2 * freedom, 1) ** 0.5


def choice_and_luck(game, spec, seed):
    """Return the first view of a table, the choice of a player with the same seed, and the next outcome of chance."""
    table, player = aiplay.Table(game, seed=seed), aiplay.make_player(spec, seed=seed)
    view = table.view(table.to_move)
    choice, n_moves = player.choose(view), len(table.moves) + 1
    table.play(choice)
    while len(table.moves) == n_moves:
        table.play("call" if game.name == "leduc_poker" else table.legal_moves()[0])
        n_moves += 1
    return view, choice, table.moves[n_moves]


def test_dependent_pairs_are_noticed():
    dice = RandomStream(1)
    same = [(roll, roll) for roll in (dice.below(6) for _ in range(SEEDS))]
    half = [(roll, roll // 3) for roll in (dice.below(6) for _ in range(SEEDS))]
    free = [(dice.below(2), dice.below(6)) for _ in range(SEEDS)]
    assert dependence({"": same}) > 100
    assert dependence({"": half}) > 100
    assert dependence({"": free}) < 5


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("spec", PLAYERS)
def test_choices_do_not_tell_what_a_table_with_the_same_seed_deals(game, spec):
    pairs = defaultdict(list)
    for seed in range(SEEDS):
        view, choice, luck = choice_and_luck(game, spec, seed)
        pairs[view.to_json()].append((choice, luck))
    assert dependence(pairs) < 6


@pytest.mark.parametrize("spec", PLAYERS)
def test_a_player_draws_other_numbers_than_a_table_with_the_same_seed(spec):
    pairs = []
    for seed in range(SEEDS):
        drawn = aiplay.make_player(spec, seed=seed).stream.below(6)
        pairs.append((drawn, RandomStream(seed).below(6)))
    assert dependence({"": pairs}) < 6


def test_a_random_player_with_the_seed_of_the_table_rolls_every_face():
    game = aiplay.load_game("pig")
    rolled = Counter(choice_and_luck(game, "random", seed)[2] for seed in range(200))
    assert set(rolled) == set(range(6))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_sampled_world_does_not_tell_what_a_table_with_the_same_seed_has_dealt(seat):
    pairs = defaultdict(list)
    for seed in range(SEEDS):
        table = aiplay.Table(aiplay.load_game("leduc_poker"), seed=seed)
        view = table.view(seat)
        hands = (
            position.fields["hands"].tolist() for position in (view.sample_world(seed=seed), table.state)
        )
        pairs[view.to_json()].append(tuple(cards[1 - seat] for cards in hands))
    assert dependence(pairs) < 6
