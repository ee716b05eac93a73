# The checked Python face of a `GameOps`: games, states and views.

from aiplay._core.scenes cimport GameScenes
from aiplay._core.typedefs cimport move_t, seat_t


cdef class Game(GameScenes):
    # Conversion of a state from and to Python objects; overridden where a state is not plain bytes.
    cdef object dump(self, const void* s)                           # for pickle
    cdef int load(self, object dumped, void* s) except -1           # from `dump`; the fields are not checked
    cdef object encode(self, Position position)                     # plain data: fields, JSON
    cdef int decode(self, object values, void* s) except -1         # from plain data or bytes, each field checked
    cdef bint same(self, const void* a, const void* b) except -1    # True if both states are equal
    cdef object fields_of(self, Position position)                  # the object behind `Position.fields`

    cdef int raise_failure(self) except -1  # raises what a method of a game written in Python raised, if any


cdef class Position:
    cdef readonly Game game
    cdef void* data                     # state_size bytes, owned

    cdef int reserve(self, Game game) except -1                     # allocates a zeroed state
    cdef int options_now(self, move_t* moves) except -1             # writes legal moves or outcomes; their number
    cdef int require(self, move_t* moves, int n, move_t move) except -1     # IllegalMoveError if not among n moves


cdef class State(Position):
    pass


cdef class View(Position):
    cdef readonly seat_t seat           # the seat whose view it is


# A zeroed state or view. Nobody else may make one.
cdef State make_state(Game game)
cdef View make_view(Game game, seat_t seat)
