"""Random streams: reproducible, exactly uniform, independent of each other."""

import pickle
from collections import Counter
from itertools import pairwise, permutations

import numpy as np
import pytest

from aiplay import RandomStream
from aiplay._core.stream import check_seed, seed_below

# Critical values of chi-square at probability 1e-6, by degrees of freedom.
CRITICAL = {1: 23.93, 2: 27.63, 4: 33.38, 5: 35.89, 6: 38.26, 9: 44.81, 23: 71.07, 99: 182.7, 255: 383.0}


def chi_square(counts, cells, n):
    """Chi-square statistic of the counts of equally likely cells."""
    expected = n / cells
    assert set(counts) <= set(range(cells))
    return sum((counts.get(cell, 0) - expected) ** 2 / expected for cell in range(cells))


def test_the_first_numbers_are_those_of_splitmix64():
    """Compared with the published algorithm (Steele, Lea and Flood 2014), from the same state."""
    stream = RandomStream(12345)
    state, mask = stream.state, 2**64 - 1
    for _ in range(100):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
        assert stream.bits() == z ^ (z >> 31)


def test_known_answers_of_splitmix64():
    """From state 1234567; values from Rosetta Code ("Pseudo-random numbers/Splitmix64")."""
    stream = RandomStream(0)
    stream.state = 1234567
    assert [stream.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 10, 100, 256])
def test_below_is_uniform(n):
    stream, draws = RandomStream(n), 60_000
    assert chi_square(Counter(stream.below(n) for _ in range(draws)), n, draws) < CRITICAL[n - 1]


def test_below_is_uniform_even_for_a_bound_where_multiplication_is_biased():
    """With n = 3 * 2**30, plain multiplication would give the thirds of the range with probability 1/2, 1/4, 1/4."""
    stream, n, draws = RandomStream(3), 3 * 2**30, 30_000
    thirds = Counter(stream.below(n) // 2**30 for _ in range(draws))
    assert chi_square(thirds, 3, draws) < CRITICAL[2]
    # The low digits are uniform, too.
    assert chi_square(Counter(stream.below(n) % 10 for _ in range(draws)), 10, draws) < CRITICAL[9]


def test_below_one_is_zero():
    assert {RandomStream(seed).below(1) for seed in range(50)} == {0}


@pytest.mark.parametrize("n", [0, -1, 2**32, 2**70])
def test_below_is_checked(n):
    with pytest.raises(ValueError, match=r"allowed: a whole number from 1 to 2\*\*32 - 1"):
        RandomStream(1).below(n)


def test_random_is_uniform_in_the_unit_interval():
    stream, draws = RandomStream(9), 50_000
    numbers = [stream.random() for _ in range(draws)]
    assert all(0 <= number < 1 for number in numbers)
    assert chi_square(Counter(int(number * 100) for number in numbers), 100, draws) < CRITICAL[99]


def test_shuffled_gives_every_order_equally_often():
    stream, draws = RandomStream(4), 24_000
    orders = {order: i for i, order in enumerate(permutations(range(4)))}
    counts = Counter(orders[tuple(stream.shuffled(range(4)))] for _ in range(draws))
    assert chi_square(counts, 24, draws) < CRITICAL[23]


def test_shuffled_does_not_change_its_argument():
    items = [1, 2, 3, 4, 5, 6, 7, 8]
    shuffled = RandomStream(4).shuffled(items)
    assert items == sorted(shuffled)
    assert shuffled != items
    assert RandomStream(1).shuffled([]) == []


def test_choice_is_uniform():
    stream, draws = RandomStream(8), 10_000
    assert (
        chi_square(Counter("abcde".index(stream.choice("abcde")) for _ in range(draws)), 5, draws)
        < CRITICAL[4]
    )
    with pytest.raises(ValueError, match="n is 0; allowed"):
        stream.choice([])


def test_the_same_seed_gives_the_same_stream():
    assert [RandomStream(7).bits() for _ in range(3)] == [RandomStream(7).bits()] * 3
    assert RandomStream(7).bits() != RandomStream(8).bits()


def test_streams_without_a_seed_are_different():
    assert len({RandomStream().state for _ in range(50)}) == 50


def test_a_stream_can_be_rewound_and_pickled():
    stream = RandomStream(7)
    stream.bits()
    there = stream.state
    twin = pickle.loads(pickle.dumps(stream))
    ahead = [stream.bits() for _ in range(5)]
    assert [twin.bits() for _ in range(5)] == ahead
    stream.state = there
    assert [stream.bits() for _ in range(5)] == ahead


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, b"1", [1]], ids=repr)
def test_a_seed_is_checked(seed):
    with pytest.raises(
        ValueError, match=r"seed is .*; allowed: a whole number from 0 to 2\*\*64 - 1, or None"
    ):
        RandomStream(seed)


def test_seeds_may_be_numpy_numbers_up_to_64_bits():
    assert check_seed(np.uint64(2**64 - 1)) == 2**64 - 1
    assert RandomStream(np.int32(5)).bits() == RandomStream(5).bits()


# ---- Derived seeds -----------------------------------------------------------------------------------------


def test_derived_seeds_do_not_repeat():
    seeds = {seed_below(seed, index) for seed in range(300) for index in range(300)}
    assert len(seeds) == 90_000


def test_derived_seeds_are_reproducible():
    assert seed_below(5, 3) == seed_below(5, 3)
    assert seed_below(5, 3) != seed_below(3, 5)


@pytest.mark.parametrize("family", [lambda i: seed_below(1, i), lambda i: seed_below(i, 0), lambda i: i])
def test_neighbouring_seeds_give_unrelated_streams(family):
    """Over many streams, the first and last byte are uniform, and neighbours differ in half of their bits."""
    first = [RandomStream(family(index)).bits() for index in range(20_000)]
    assert chi_square(Counter(word >> 56 for word in first), 256, len(first)) < CRITICAL[255]
    assert chi_square(Counter(word & 0xFF for word in first), 256, len(first)) < CRITICAL[255]
    differing = [(a ^ b).bit_count() for a, b in pairwise(first)]
    assert abs(sum(differing) / len(differing) - 32) < 5 * 4 / len(differing) ** 0.5


def test_a_stream_is_unrelated_to_those_derived_from_its_seed():
    own = {word for stream in [RandomStream(1)] for word in (stream.bits() for _ in range(1000))}
    for index in range(100):
        child = RandomStream(seed_below(1, index))
        assert not own & {child.bits() for _ in range(100)}
