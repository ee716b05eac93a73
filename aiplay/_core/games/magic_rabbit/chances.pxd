# Magic Rabbit: the rabbits that are not known, and the chance to sort them in time. The .pyx has the reasoning.

from aiplay._core.games.magic_rabbit.insight cimport Insight
from aiplay._core.games.magic_rabbit.state cimport MAX_PILES, MagicRabbitRules, MagicRabbitState
from aiplay._core.typedefs cimport int8_t

cdef enum:
    MAX_GUESSED = 5         # unknown rabbits whose arrangements are tried one by one: 120
    MAX_LOSS = 99           # losses are counted in thousandths, up to this


ctypedef struct Unknowns:               # the rabbits that are not known, and the known ones between them
    int n
    int least                           # the fewest switches of any arrangement
    int kind                            # names the lengths of the cycles below among those of n rabbits
    int8_t piles[MAX_PILES]             # piles with an unknown rabbit, ascending
    int8_t numbers[MAX_PILES]           # unknown rabbits, ascending
    int8_t home[MAX_PILES]              # homes of all rabbits, with numbers[i] on piles[i]
    int8_t after_number[MAX_PILES]      # index of the first unknown pile, going from numbers[i] along known homes
    int8_t after_pile[MAX_PILES]        # index of the first unknown number, going from piles[i] along known hats
    int8_t lengths[MAX_PILES]           # length of the cycle of piles[i] in after_number * after_pile


# Reduces the two permutations of `fewest_switches` to the rabbits that are UNKNOWN in `k.home`; there may be none.
cdef void reduce(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Unknowns* u
) noexcept nogil

# The chance of a perfect team that has `slack` turns more than the fewest switches; between whole numbers a mixture.
cdef double chance_of(const Unknowns* u, double slack) noexcept nogil

# What it costs to lift piles[i] instead of the best one, in thousandths, at most MAX_LOSS.
cdef int loss_of_lift(const Unknowns* u, int i, int slack) noexcept nogil

# Counts the arrangements that need at most so many switches. Before: 1 .. MAX_GUESSED are unknown.
cdef int count_within(const Unknowns* u, int switches) noexcept nogil

# Arranges the unknown rabbits in `home` so that they need the fewest switches. Before: 1 .. MAX_GUESSED are unknown.
cdef void guess(Unknowns* u) noexcept nogil
