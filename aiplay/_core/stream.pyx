"""Random streams for Python code: the generator that games and searches use."""

from libc.stdint cimport uint64_t

from aiplay._core.rng cimport derive_seed, rng_below, rng_double, rng_from_seed, rng_next


def check_seed(seed, what="seed"):
    """The seed as a 64-bit number; a random one for None."""
    if seed is None:
        import secrets  # here, not above: it brings hashlib and more

        return secrets.randbits(53)  # exact in JavaScript, too
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= seed.__index__() < 2**64:
        raise ValueError(f"{what} is {seed!r}; allowed: a whole number from 0 to 2**64 - 1, or None")
    return seed.__index__()


def seed_below(seed, index):
    """Seed number `index` derived from `seed`, for independent streams (games of a match, players of a game)."""
    return derive_seed(<uint64_t>check_seed(seed), <uint64_t>index)


cdef class RandomStream:
    """A reproducible stream of random numbers."""

    def __init__(self, seed=None):
        self.rng = rng_from_seed(<uint64_t>check_seed(seed))

    def below(self, n):
        """A whole number, exactly uniform on 0 .. n - 1."""
        if not 1 <= n < 2**32:
            raise ValueError(f"n is {n!r}; allowed: a whole number from 1 to 2**32 - 1")
        return rng_below(&self.rng, n)

    def random(self):
        """A number in [0, 1)."""
        return rng_double(&self.rng)

    def bits(self):
        """64 random bits, for example for a seed."""
        return rng_next(&self.rng)

    def choice(self, items):
        """One item of a sequence, all equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items):
        """A new list with the items in random order, every order equally likely."""
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result

    @property
    def state(self):
        """The position in the stream; assign an earlier value to go back to it."""
        return self.rng.state

    @state.setter
    def state(self, value):
        self.rng.state = value

    def __reduce__(self):
        return _restore_stream, (self.state,)


def _restore_stream(state):
    cdef RandomStream stream = RandomStream(0)
    stream.rng.state = state
    return stream
