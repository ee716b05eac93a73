"""Magic Rabbit: the chance of a perfect team, which no team can beat, and the lifts that it makes."""

import itertools
import math

import pytest
from test_magic_rabbit import GAME, deal, play
from test_magic_rabbit_team import by_formula, cycles

import aiplay

PILES = 6
ORDERS = list(itertools.permutations(range(PILES)))


def naive(hats, turns, lifted=()):
    """The chance of a team of one mind without doves, by trying every way to lift and every guess.

    `lifted` are pairs of a pile and its rabbit. A guess is right in one of the orders that fit, and only in one that
    the turns left are enough for.
    """
    switches = {order: by_formula(hats, order) for order in ORDERS}
    cache: dict[frozenset[tuple[int, int]], float] = {}

    def chance(known, fitting):
        if known not in cache:
            left = turns + len(lifted) - len(known)
            best = any(switches[order] <= left for order in fitting) / len(fitting)
            for pile in set(range(PILES)) - {pile for pile, _ in known} if best and left else ():
                after = [
                    chance(known | {(pile, rabbit)}, orders)
                    for rabbit, orders in by_rabbit(fitting, pile).items()
                ]
                best = max(best, sum(after) / len(after))
            cache[known] = best
        return cache[known]

    fitting = [order for order in ORDERS if all(order[pile] == rabbit for pile, rabbit in lifted)]
    return chance(frozenset(lifted), fitting)


def by_rabbit(orders, pile):
    """Sort orders by the rabbit of a pile."""
    sorted_orders: dict[int, list[tuple[int, ...]]] = {}
    for order in orders:
        sorted_orders.setdefault(order[pile], []).append(order)
    return sorted_orders


@pytest.mark.parametrize(("hats", "turns"), [("123456", 8), ("231456", 11), ("214365", 12), ("234561", 11)])
def test_the_chance_of_a_perfect_team_is_that_of_trying_everything(hats, turns):
    game = aiplay.load_game("magic_rabbit", players=1, piles=PILES, doves=False, turns=turns)
    numbers = [int(hat) - 1 for hat in hats]
    state = deal(hats, "354162", game=game)
    assert game.best_chance(state) == pytest.approx(naive(numbers, turns), abs=1e-6)
    play(state, "lift B", "stay", "lift E", "stay")
    assert game.best_chance(state) == pytest.approx(naive(numbers, turns - 2, [(1, 4), (4, 5)]), abs=1e-6)


def classes(n, longest):
    """The lengths of cycles of permutations of n, in descending order."""
    if n == 0:
        yield ()
    for length in range(min(n, longest), 0, -1):
        for rest in classes(n - length, length):
            yield (length, *rest)


def permutation(lengths):
    """A permutation with cycles of these lengths."""
    order: list[int] = []
    for length in lengths:
        order += [len(order) + (i + 1) % length for i in range(length)]
    return order


def count_class(lengths):
    """The number of permutations with cycles of these lengths."""
    repeated = math.prod(math.factorial(lengths.count(length)) for length in set(lengths))
    return math.factorial(sum(lengths)) // (math.prod(lengths) * repeated)


@pytest.mark.parametrize(("turns", "share"), [(20, 66.4), (21, 83.2), (22, 94.3), (24, 100.0)])
def test_no_team_succeeds_in_more_than_these_deals(turns, share):
    """The hats of the deal matter only by their cycles, and all rabbits are equally likely."""
    game = aiplay.load_game("magic_rabbit", turns=turns)
    total = 0.0
    for lengths in classes(9, 9):
        hats = permutation(lengths)
        assert cycles(hats) == len(lengths)
        state = deal("".join(str(hat + 1) for hat in hats), "123456789", game=game)
        total += count_class(lengths) * game.best_chance(state)
    assert round(100 * total / math.factorial(9), 1) == share


def test_doves_and_the_owner_of_knowledge_make_no_difference_to_a_perfect_team():
    alone = aiplay.load_game("magic_rabbit", players=1, doves=False)
    team = aiplay.load_game("magic_rabbit", players=4)
    chances = [
        game.best_chance(play(deal("231564897", "123456789", game=game), "lift B", "stay", "lift D", "stay"))
        for game in (alone, team)
    ]
    assert chances[0] == chances[1]


def test_a_wasted_turn_costs_a_perfect_team_a_turn():
    state = deal("231564897", "231564897", game=GAME)
    shorter = aiplay.load_game("magic_rabbit", turns=19)
    expected = shorter.best_chance(play(deal("231564897", "231564897", game=shorter), "lift B", "stay"))
    assert GAME.best_chance(play(state, "lift B", "stay", "lift B", "stay")) == expected


def test_chances_are_those_of_dealt_states_only():
    with pytest.raises(ValueError, match="not a dealt state"):
        GAME.best_chance(GAME.new_state())


def expected_loss(state, pile):
    """Return what lifting a fresh pile costs a perfect team, over all rabbits that may be there."""
    fields, chances = state.to_fields(), []
    for other in range(9):
        if not any(fields["lifted"][other]):
            rabbits = list(fields["rabbits"])
            rabbits[pile], rabbits[other] = rabbits[other], rabbits[pile]
            after = state.game.state_from_fields({**fields, "rabbits": rabbits})
            after.play(f"lift {'ABCDEFGHI'[pile]}")
            chances.append(state.game.best_chance(after))
    return state.game.best_chance(state) - sum(chances) / len(chances)


def test_a_policy_team_of_one_seat_without_doves_is_perfect():
    """Every lift is a best one, and every switch leaves one switch fewer."""
    game = aiplay.load_game("magic_rabbit", players=1, doves=False)
    for seed in range(30):
        state, stream = aiplay.Table(game, seed=seed).state, aiplay.RandomStream(seed)
        while not state.is_over:
            before, move = game.best_chance(state), state.playout_move(stream)
            text = state.move_text(move)
            pile = "ABCDEFGHI".find(text[-1])
            if text.startswith("lift") and not any(state.to_fields()["lifted"][pile]) and before > 0:
                assert expected_loss(state, pile) < 0.002
                state.play(move)
            else:
                state.play(move)
                assert state.is_over or game.best_chance(state) >= before - 1e-6
