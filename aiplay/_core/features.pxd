# A state as sparse inputs of a small network: which inputs are active, and how much.
#
# `aiplay.features` makes the tables: all knowledge about fields, seats and rotation is there. This file only follows
# them, entry by entry.

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, int64_t

from aiplay._core.contract cimport FEATURE_ONE
from aiplay._core.typedefs cimport seat_t

cpdef enum:
    MAX_INPUTS = 16384      # inputs of a game, before those that never matter are left out
    MAX_ACTIVE = 2048       # inputs that are active at the same time
    FULL = FEATURE_ONE      # amount of an input that is 1
    KIND_TABLE = 0          # a row of inputs for every value
    KIND_NUMBER = 1         # one input, scaled from the range
    KIND_BITS = 2           # one input for every group of bits

cdef enum:
    MAX_FIELDS = 64         # fields of a plan


ctypedef struct FeatureField:
    size_t offset           # byte offset of the first entry in a state
    int count               # entries of the field
    int size                # bytes of an entry: 1, 2, 4 or 8
    int is_signed           # 1: the entries are signed
    int kind                # KIND_*
    int bits                # bits of a group (KIND_BITS)
    int width               # groups of an entry (KIND_BITS)
    int64_t low             # lowest value; smaller ones count as it
    int64_t range           # highest value - low; larger ones count as it
    const int32_t* bases    # [seat][entry]: first input of an entry as this seat sees it, -1 for none
    const int16_t* rows     # [seat][value][pair]: input and amount (KIND_TABLE); amount 0 ends a row
    int n_pairs             # pairs of a row
    size_t view_rows        # numbers of `rows` for each seat; 0: the same for all seats


ctypedef struct FeaturePlan:
    int n_fields
    int seats               # inputs 0 .. seats - 1: the seat that comes first; input `seats`: chance decides
    FeatureField fields[MAX_FIELDS]


ctypedef struct Active:
    int32_t input
    int32_t amount          # 1 .. FULL


# Writes the active inputs of a state, with the seat `first` first; returns their number, at most
# MAX_ACTIVE.
cdef int write_active(
    const FeaturePlan* plan, const unsigned char* s, seat_t first, bint is_chance, Active* out
) noexcept nogil


cdef class FieldFeatures:
    cdef FeaturePlan plan
    cdef list tables        # keeps the arrays alive that the plan points to
    cdef readonly int size  # number of inputs
