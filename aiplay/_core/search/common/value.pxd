# A trained value: a small network with whole numbers, so that every machine computes exactly the same.
#
#     hidden = clip(first_bias + sum of amount * first[input], 0, 1)      over the active inputs only
#     x      = second_bias + sum of hidden * second
#     value  = (1 + x / sqrt(1 + x * x)) / 2
#
# One run gives the value of every seat: the seat that decides comes first, and output k is for the k-th seat from it.
# In a cooperative game there is one output for all.

from libc.stdint cimport int16_t, int32_t

from aiplay._core.features cimport FeaturePlan, FieldFeatures
from aiplay._core.game cimport Game
from aiplay._core.search.common.leaf cimport Judge

cpdef enum:
    MAX_HIDDEN = 128        # hidden units; their number is a multiple of 8
    WEIGHT_BITS = 10        # a weight of 1 is 1 << WEIGHT_BITS
    AMOUNT_BITS = 8         # an amount of 1 is 1 << AMOUNT_BITS: FULL
    HIDDEN_BITS = 14        # a hidden unit of 1 is 1 << HIDDEN_BITS, when it meets the second layer


ctypedef struct NetworkData:
    FeaturePlan plan        # unless `source` or `is_native` is set
    void* source            # the Network of a game written in Python, else NULL; a borrowed reference
    bint is_native          # True: the game writes its inputs itself (`features`)
    const int16_t* pairs    # [input / 2][hidden][2]: `first` in pairs, for such a game on a processor that likes them
    int n_rows              # inputs that the network uses
    int n_inputs            # with `pairs`: all inputs of the game, those without a row included
    const int32_t* rows     # [input]: its row in `first`, or -1 if the network does not use it
    int n_hidden
    int n_outputs           # seats, or 1 for all of them
    const int16_t* first    # [row][hidden]
    const int32_t* full     # [row][hidden]: the same for an input that is 1, the product with its amount
    const int32_t* first_bias           # [hidden], in units of both bits
    const int16_t* second   # [output][hidden]
    const int32_t* second_bias          # [output], in units of WEIGHT_BITS + HIDDEN_BITS


# The inputs of a game with the function `features`: who decides, and chance, then the features.
cdef class NativeFeatures:
    cdef readonly int size  # number of inputs


cdef class Network:
    cdef NetworkData data
    cdef Judge judge        # for searches: points to `data`
    cdef readonly Game game
    cdef object features    # FieldFeatures, NativeFeatures or an object with `active(state, seat, is_chance)`
    cdef int n_inputs       # of the features
    cdef tuple arrays       # keep the memory alive that `data` points to

    cdef int _number_rows(self, object kept) except -1
    cdef int _pair(self) except -1
    cdef int _check_sums(self) except -1
