# The checked Python face over a `GameOps`: what every game, state and view can do.

from aiplay._core.facts cimport GameFacts
from aiplay._core.observe cimport Scaler
from aiplay._core.typedefs cimport move_t, seat_t


cdef class Game(GameFacts):
    cdef Scaler scaler                  # made when the first observation is asked for

    # How a state becomes Python objects and back; overridden where a state is not plain bytes.
    cdef object dump(self, const void* s)                           # for pickle
    cdef int load(self, object dumped, void* s) except -1           # the reverse, trusted
    cdef object encode(self, Position position)                     # for JSON
    cdef int decode(self, object values, void* s) except -1         # the reverse, checked field by field
    cdef bint same(self, const void* a, const void* b) except -1    # equality
    cdef object fields_of(self, Position position)                  # what `Position.fields` gives

    cdef Scaler get_scaler(self)            # TypeError for a game written in Python
    cdef int raise_failure(self) except -1  # raise what a game written in Python raised, if it did


cdef class Position:
    cdef readonly Game game
    cdef void* data                     # state_size bytes, owned

    cdef int reserve(self, Game game) except -1                     # room for a state, zeroed
    cdef int options_now(self, move_t* moves) except -1             # legal moves or chance outcomes
    cdef int require(self, move_t* moves, int n, move_t move) except -1


cdef class State(Position):
    pass


cdef class View(Position):
    cdef readonly seat_t seat           # whose view it is
