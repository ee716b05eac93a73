"""Many states at once, as numpy arrays: conversion, observations and playouts without the GIL.

`Game` adds what needs positions: `state_from_bytes`, `_check_own` and `_play_states`.
"""

from libc.stdint cimport uint64_t

from aiplay._core.observe cimport Scaler
from aiplay._core.playout cimport add_playouts
from aiplay._core.rng cimport derive_seed

from aiplay._core.stream import check_seed
from aiplay.errors import InvalidStateError
from aiplay.lazy import numpy as np


cdef class GameArrays(GameFacts):
    """The half of :class:`Game` that works on arrays of states."""

    def to_array(self, states):
        """The states as one numpy array of `dtype`: a column for each field."""
        array = np.zeros(len(states), self._array_dtype())
        for i, state in enumerate(states):
            self._check_own(i, state)
            array[i] = state.fields
        return array

    def from_array(self, array):
        """The states of a numpy array that `to_array` made, each one checked."""
        return [self.state_from_bytes(record.tobytes()) for record in self._check_array(array)]

    @property
    def observation_layout(self):
        """The slice of every field in `View.observation`, by name."""
        return dict(self.get_scaler().layout)

    def observations(self, views):
        """The observations of many views (a list, or an array that `to_array` made): one row for each.

        A row has the numbers of `View.observation`, in the order of `observation_layout`.
        """
        cdef Scaler scaler = self.get_scaler()
        array = self._check_array(views if isinstance(views, np.ndarray) else self.to_array(views))
        rows = np.empty((len(array), scaler.size), np.float32)
        cdef const unsigned char[::1] states = array.view(np.uint8)
        cdef float[:, ::1] out = rows
        cdef Py_ssize_t i
        with nogil:
            for i in range(out.shape[0]):
                scaler.write(&states[i * self.ops.state_size], &out[i, 0])
        return rows

    def playouts(self, states, n=1, seed=0, check=True):
        """Play n random games from every state; return the mean returns, an array of shape (states, seats).

        `states` is a list of states, or an array that `to_array` made. Each state has its own random streams, which
        depend on `seed` and its index only. The states of an array are checked first, which takes longer than a
        playout. `check=False` skips that, for arrays whose states come from this game; any others may crash the
        process.
        """
        cdef uint64_t base = check_seed(seed)
        cdef long games = n
        if games < 1:
            raise ValueError(f"n is {n}; allowed: 1 or more")
        if isinstance(states, np.ndarray):
            array = self._check_array(states)
            if not check:
                return self._play_array(array, games, base)
            states = self.from_array(array)
        return self._play_states(states, games, base)

    def _play_array(self, array, long games, uint64_t base):
        """Mean returns of playouts from states that are not checked."""
        cdef Py_ssize_t i
        means = np.zeros((len(array), self.seats))
        cdef const unsigned char[::1] states = array.view(np.uint8)
        cdef unsigned char[::1] scratch = np.zeros(self.ops.state_size, np.uint8)
        cdef double[:, ::1] sums = means
        self.ops.setup(self.ops.rules, &scratch[0])
        with nogil:
            for i in range(sums.shape[0]):
                add_playouts(
                    &self.ops, &states[i * self.ops.state_size], &scratch[0], games, derive_seed(base, i), &sums[i, 0]
                )
        means /= games
        return means

    def _array_dtype(self):
        """`dtype`; TypeError for a game written in Python."""
        if self.layout is None:
            raise TypeError(f"{self.name} is written in Python: its states are objects, not numpy records")
        return self.dtype

    def _check_array(self, array):
        """An array of states in contiguous memory; InvalidStateError if dtype or shape is wrong."""
        if getattr(array, "dtype", None) != self._array_dtype() or array.ndim != 1:
            raise InvalidStateError(
                f"expected a one-dimensional array of {self.name}.dtype, not {getattr(array, 'dtype', array)!r}"
            )
        return np.ascontiguousarray(array)

    cdef Scaler get_scaler(self):
        if self.scaler is None:
            self.scaler = Scaler(self._array_dtype(), self.FIELDS)
        return self.scaler
