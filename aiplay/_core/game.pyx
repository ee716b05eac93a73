"""Games, states and views for Python. Every call is checked here, once; the C functions trust their arguments."""

cimport cython
from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_FillInfo
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from aiplay._core.contract cimport (
    GameOps, imagine_world, perceive_move, sample_outcome, state_copy, state_drop, state_hash,
)
from aiplay._core.observe cimport Scaler
from aiplay._core.playout cimport add_playouts
from aiplay._core.rng cimport derive_seed, rng_below
from aiplay._core.stream cimport RandomStream
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, TERMINAL, move_t, seat_t

from aiplay._core.stream import check_seed
from aiplay.errors import IllegalMoveError, InvalidStateError
from aiplay.fields import decode_bytes, decode_fields, decode_json, encode_json
from aiplay.lazy import numpy as np


# Keeps the stream of a sampled world apart from that of a table with its seed.
cdef uint64_t WORLD_STREAM = int.from_bytes(b"world", "big")

# Argument of `__new__` that only this module has: any use of a position without a game would crash.
cdef tuple MAKING = (object(),)


cdef State make_state(Game game):
    cdef State state = State.__new__(State, *MAKING)
    state.reserve(game)
    return state


cdef View make_view(Game game, seat_t seat):
    cdef View view = View.__new__(View, *MAKING)
    view.reserve(game)
    view.seat = seat
    return view


cdef class Game(GameScenes):
    """The rules of a game with its options: immutable, and shared by everything that plays it.

    Games are made by :func:`aiplay.load_game`. A native game is a subclass in ``aiplay._core.games`` that fills the C
    operations, and a Python face in ``aiplay.games`` that adds name, options, notation and drawing.
    """

    # ---- Positions -----------------------------------------------------------------------------------------

    def new_state(self):
        """The state before the first decision (often one of chance: the deal)."""
        cdef State state = make_state(self)
        self.ops.setup(self.ops.rules, state.data)
        self.raise_failure()
        return state

    def state_from_json(self, text):
        """The state that `State.to_json` wrote; InvalidStateError if this game has no such state."""
        document = decode_json(text, ("game", "options", "state"))
        self._check_origin(document)
        return self._checked(make_state(self), document["state"], None)

    def view_from_json(self, text):
        """The view that `View.to_json` wrote; InvalidStateError if this game has no such view."""
        document = decode_json(text, ("game", "options", "seat", "view"))
        self._check_origin(document)
        return self._checked_view(document["view"], document["seat"])

    def state_from_fields(self, fields):
        """The state with these fields, given as `to_fields` writes them: a dictionary of numbers and lists.

        Every field is checked: InvalidStateError if this game has no such state.
        """
        return self._checked(make_state(self), _refuse_bytes(fields), None)

    def view_from_fields(self, fields, seat):
        """The view of `seat` with these fields, given and checked as in `state_from_fields`."""
        return self._checked_view(_refuse_bytes(fields), seat)

    def state_from_bytes(self, data):
        """The state that `State.to_bytes` wrote, checked in the same way as JSON."""
        return self._checked(make_state(self), bytes(data), None)

    def view_from_bytes(self, data, seat):
        """The view of `seat` that `View.to_bytes` wrote, checked in the same way as JSON."""
        return self._checked_view(bytes(data), seat)

    def _seat_of_view(self, seat):
        """The seat of a view that comes from outside."""
        try:
            return self._check_seat(seat)
        except ValueError as problem:
            raise InvalidStateError(str(problem)) from None

    def _checked_view(self, values, seat):
        """The view of a seat with these fields or bytes, checked completely."""
        number = self._seat_of_view(seat)
        return self._checked(make_view(self, number), values, number)

    def _checked(self, Position position not None, values, seat):
        """Fill a new position from fields or bytes, and check it completely."""
        self.decode(values, position.data)
        return self._approved(position, seat)

    def _restored(self, Position position not None, dumped, seat):
        """Fill a new position from a pickle, and check it like one from JSON."""
        if self.layout is not None:
            return self._checked(position, bytes(dumped), seat)
        self.load(dumped, position.data)
        return self._approved(position, seat)

    def _approved(self, Position position not None, seat):
        self.check(position.fields if self.layout is None else position.to_fields(), seat)
        if seat is not None:
            self._check_concealed(position, seat)
        return position

    def _check_concealed(self, View view not None, seat_t seat):
        """Make sure that a view holds nothing that its seat cannot see: concealing it again changes nothing."""
        cdef View again
        if self.ops.conceal == NULL:
            return
        again = view._concealed()
        if self.same(view.data, again.data):
            return
        wanted, given = self.encode(again), self.encode(view)
        if isinstance(wanted, dict) and isinstance(given, dict):
            for name in wanted:
                if wanted[name] != given.get(name):
                    raise InvalidStateError(f"field {name!r} holds what seat {seat} cannot see, or a wrong blank")
        raise InvalidStateError(f"the view holds what seat {seat} cannot see")

    # ---- Lists of states, for `GameArrays` -----------------------------------------------------------------

    def _play_states(self, states, long games, uint64_t base):
        """Mean returns of playouts from a list of states."""
        cdef Py_ssize_t i
        cdef State state, scratch
        cdef uint64_t family
        means = np.zeros((len(states), self.seats))
        cdef double[:, ::1] sums = means
        for i, entry in enumerate(states):
            self._check_own(i, entry)
            state = entry
            scratch, family = state.copy(), derive_seed(base, i)
            with nogil:
                add_playouts(&self.ops, state.data, scratch.data, games, family, &sums[i, 0])
            self.raise_failure()
        means /= games
        return means

    def _check_own(self, number, position):
        """Raise an error if entry `number` of a list is not a position of this game."""
        if not isinstance(position, Position):
            raise TypeError(f"entry {number} is {position!r}; allowed: a position of {self!r}")
        if position.game != self:
            raise ValueError(f"state {number} is of {position.game!r}, not of {self!r}")

    # ---- Overridden by games -------------------------------------------------------------------------------

    def check(self, fields, seat):
        """Raise InvalidStateError if fields within their ranges contradict each other.

        `fields` are numbers and lists by name, as `to_fields` returns them; of a game written in Python, its state.
        `seat` is None for a state, and the seat of a view. A position that passes has to be safe to play, to conceal
        and to determinise.
        """

    # ---- Overridden where states are not plain bytes -------------------------------------------------------

    cdef object dump(self, const void* s):
        return (<const unsigned char*>s)[:self.ops.state_size]

    cdef int load(self, object dumped, void* s) except -1:
        cdef const unsigned char[::1] data = dumped
        memcpy(s, &data[0], self.ops.state_size)
        return 0

    cdef object encode(self, Position position):
        return self.layout.unpack(self.dump(position.data))

    cdef int decode(self, object values, void* s) except -1:
        if isinstance(values, bytes):
            if <size_t>len(values) != self.ops.state_size:
                raise InvalidStateError(
                    f"{len(values)} bytes; a state of {self.name} has {self.ops.state_size}"
                )
            values = decode_bytes(self.layout, self.FIELDS, values)
        else:
            values = decode_fields(self.layout, self.FIELDS, values)
        return self.load(values, s)

    cdef bint same(self, const void* a, const void* b) except -1:
        return memcmp(a, b, self.ops.state_size) == 0

    cdef object fields_of(self, Position position):
        return np.frombuffer(position, self.layout.dtype)[0]

    cdef int raise_failure(self) except -1:
        return 0


cdef object _refuse_bytes(fields):
    """The fields themselves; InvalidStateError for bytes, which would be taken for those of `to_bytes`."""
    if isinstance(fields, bytes):
        raise InvalidStateError("the fields are bytes; read them with state_from_bytes or view_from_bytes")
    return fields


@cython.no_gc
cdef class Position:
    """A position of a game: the base of states and views."""

    def __cinit__(self, *key, **_):
        if key != MAKING:
            raise TypeError("positions come from games: game.new_state(), state.view(seat), game.state_from_json()")

    def __dealloc__(self):
        if self.data != NULL:
            state_drop(&self.game.ops, self.data)
            free(self.data)

    cdef int reserve(self, Game game) except -1:
        if game.ops.setup == NULL:
            raise TypeError(
                f"{type(game).__name__} has an __init__ that does not call super().__init__(**options): a game needs "
                "none; its parameters are OPTIONS, and configure() sets what follows from them"
            )
        self.game = game
        self.data = calloc(1, game.ops.state_size)
        if self.data == NULL:
            raise MemoryError()
        return 0

    @property
    def to_move(self):
        """The seat that decides now, CHANCE (-1), or TERMINAL (-4)."""
        cdef seat_t seat = self.game.ops.to_move(self.game.ops.rules, self.data)
        self.game.raise_failure()
        return seat

    @property
    def is_over(self):
        """True if the game is over."""
        return self.to_move == TERMINAL

    def legal_moves(self):
        """The moves of the seat to move, or the outcomes of chance, ascending.

        A view lists the moves of its own seat only, and none while it is not that seat's turn.
        """
        cdef move_t moves[MAX_MOVES]
        cdef int n = self.options_now(moves)
        return [moves[i] for i in range(n)]

    def move_text(self, move):
        """The notation of a legal move."""
        cdef move_t moves[MAX_MOVES]
        cdef int n = self.options_now(moves)
        self.require(moves, n, _as_move(move))
        return self.game.move_text(self, move)

    def parse_move(self, text):
        """The legal move with this notation."""
        if not isinstance(text, str):
            raise IllegalMoveError(f"a notation is text, not {text!r}")
        wanted = " ".join(text.split()).casefold()
        for move in self.legal_moves():
            if self.game.move_text(self, move).casefold() == wanted:
                return move
        raise IllegalMoveError(f"no legal move reads {text!r}; {self._allowed()}")

    def move_parts(self, move):
        """The parts of a legal move by names: `{"verb": "place", "card": "dove", "on": "Sphinx"}`."""
        cdef move_t moves[MAX_MOVES]
        cdef int n = self.options_now(moves)
        self.require(moves, n, _as_move(move))
        return self.game.move_parts(self, move)

    def find_move(self, parts):
        """The legal move with these parts; some of them are enough if only one move has them."""
        return self.game._find_move(self, parts)

    def scene(self):
        """The position by names, for front ends; `game.scene_schema` describes it."""
        return self.game.scene_of(self)

    @property
    def fields(self):
        """The position as a read-only numpy record that shares its memory: `state.fields["score"]`."""
        return self.game.fields_of(self)

    def to_fields(self):
        """The position as plain data, for `game.state_from_fields` or `game.view_from_fields`.

        Numbers and nested lists by the name of their field; for a game written in Python, the state as msgspec encodes
        its type.
        """
        return self.game.encode(self)

    def to_bytes(self):
        """The position as bytes, for `game.state_from_bytes` or `game.view_from_bytes`."""
        dumped = self.game.dump(self.data)
        return dumped if isinstance(dumped, bytes) else encode_json(self.to_fields()).encode()

    def copy(self):
        """An independent copy."""
        cdef Position twin = _new_like(self)
        state_copy(&self.game.ops, twin.data, self.data)
        return twin

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __str__(self):
        try:
            return self.game.render(self)
        except RecursionError:
            pass  # raised below, without the traceback of hundreds of calls
        raise RecursionError(
            f"render of {type(self.game).__name__} does not end: its argument is a position, and str(position) calls "
            "render again; the state to draw is position.fields"
        )

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        cdef Position twin = other
        return (
            self.game == twin.game
            and (not isinstance(self, View) or (<View>self).seat == (<View>twin).seat)
            and self.game.same(self.data, twin.data)
        )

    def __hash__(self):
        cdef uint64_t h = state_hash(&self.game.ops, self.data)
        self.game.raise_failure()
        return hash(h)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        if flags & PyBUF_WRITABLE:
            raise BufferError(
                "positions are read-only: change them with play, or make one with state_from_json"
            )
        if self.game.layout is None:
            raise BufferError(f"a state of {self.game.name} is a Python object")
        PyBuffer_FillInfo(buffer, self, self.data, self.game.ops.state_size, 1, flags)

    cdef int options_now(self, move_t* moves) except -1:
        cdef GameOps* ops = &self.game.ops
        cdef double p[MAX_MOVES]
        cdef seat_t seat = ops.to_move(ops.rules, self.data)
        cdef int n
        if isinstance(self, View) and seat != (<View>self).seat:
            n = 0                               # the fields of other seats are blank: they yield no moves
        elif seat >= 0:
            n = ops.legal_moves(ops.rules, self.data, moves)
        elif seat == CHANCE:
            n = ops.chance_outcomes(ops.rules, self.data, moves, p)
        else:
            n = 0
        self.game.raise_failure()
        return n

    cdef int require(self, move_t* moves, int n, move_t move) except -1:
        """Raise IllegalMoveError unless `move` is among the n given ones."""
        cdef int i
        for i in range(n):
            if moves[i] == move:
                return 0
        raise IllegalMoveError(f"move {move} is not legal; {self._allowed()}")

    def _allowed(self):
        """The legal moves, or why there are none, for messages."""
        if self.is_over:
            return "the game is over"
        moves = self.legal_moves()
        if not moves:
            return "chance is to move" if self.to_move == CHANCE else f"seat {self.to_move} is to move"
        shown = ", ".join(f"{move} ({self.game.move_text(self, move)})" for move in moves[:20])
        return f"legal moves: {shown}" + (f" and {len(moves) - 20} more" if len(moves) > 20 else "")


def _as_move(move):
    """A move as an int for the C functions; numpy integers are accepted too."""
    if isinstance(move, bool) or not hasattr(move, "__index__"):
        raise IllegalMoveError(f"a move is a whole number or its notation, not {move!r}")
    number = move.__index__()
    if not 0 <= number < 2**31:
        raise IllegalMoveError(f"move {number} is not legal; moves are whole numbers from 0 to 2**31 - 1")
    return number


cdef Position _new_like(Position position):
    """An empty position of the same kind."""
    if isinstance(position, View):
        return make_view(position.game, (<View>position).seat)
    return make_state(position.game)


@cython.no_gc
cdef class State(Position):
    """The truth about a position, for referees. A player gets a :class:`View` of it and nothing else."""

    def play(self, move):
        """Make a move, given as a number or as its notation; return its number."""
        cdef move_t moves[MAX_MOVES]
        cdef GameOps* ops = &self.game.ops
        cdef move_t number
        if isinstance(move, str):
            number = self.parse_move(move)
        else:
            number = _as_move(move)
            self.require(moves, self.options_now(moves), number)
        ops.play(ops.rules, self.data, number)
        self.game.raise_failure()
        return number

    def play_chance(self, RandomStream stream not None):
        """Let chance decide, by a random stream; return the outcome."""
        cdef move_t moves[MAX_MOVES]
        cdef double p[MAX_MOVES]
        cdef GameOps* ops = &self.game.ops
        cdef move_t move
        if self.to_move != CHANCE:
            raise IllegalMoveError(f"chance is not to move; {self._allowed()}")
        move = sample_outcome(ops, self.data, &stream.rng, moves, p)
        ops.play(ops.rules, self.data, move)
        self.game.raise_failure()
        return move

    def chance_outcomes(self):
        """The possible outcomes of chance, a list of (move, probability); empty if chance is not to move."""
        cdef move_t moves[MAX_MOVES]
        cdef double p[MAX_MOVES]
        cdef GameOps* ops = &self.game.ops
        cdef int n = 0
        if self.to_move == CHANCE:
            n = ops.chance_outcomes(ops.rules, self.data, moves, p)
            self.game.raise_failure()
        return [(moves[i], p[i]) for i in range(n)]

    def returns(self):
        """The returns of every seat; ValueError while the game is not over."""
        cdef double out[MAX_SEATS]
        if not self.is_over:
            raise ValueError("the game is not over: there are no returns yet")
        self.game.ops.returns(self.game.ops.rules, self.data, out)
        self.game.raise_failure()
        return [out[i] for i in range(self.game.ops.seats)]

    def view(self, seat):
        """The view of `seat`: what it knows of this state."""
        cdef View view = make_view(self.game, self.game._check_seat(seat))
        state_copy(&self.game.ops, view.data, self.data)
        if self.game.ops.conceal != NULL:
            self.game.ops.conceal(self.game.ops.rules, view.data, view.seat)
            self.game.raise_failure()
        return view

    def evaluate(self):
        """The game's own evaluation: a value from 0 to 1 for every seat, without search."""
        cdef double out[MAX_SEATS]
        cdef int i
        if self.is_over:
            raise ValueError("the game is over: ask returns() for the result")
        for i in range(self.game.ops.seats):
            out[i] = 0.5
        if self.game.ops.evaluate != NULL:
            self.game.ops.evaluate(self.game.ops.rules, self.data, out)
            self.game.raise_failure()
        return [out[i] for i in range(self.game.ops.seats)]

    def perceive(self, move, seat):
        """A key for what `seat` notices of `move`: moves that look the same to it have equal keys."""
        cdef move_t moves[MAX_MOVES]
        cdef GameOps* ops = &self.game.ops
        cdef move_t number = _as_move(move)
        cdef seat_t observer = self.game._check_seat(seat)
        cdef uint64_t key
        self.require(moves, self.options_now(moves), number)
        key = perceive_move(ops, self.data, number, observer)
        self.game.raise_failure()
        return key

    def priors(self):
        """The legal moves with the game's priors (how promising each one looks): a list of (move, weight)."""
        cdef move_t moves[MAX_MOVES]
        cdef double weights[MAX_MOVES]
        cdef GameOps* ops = &self.game.ops
        cdef int n = self.options_now(moves)
        cdef int i
        for i in range(n):
            weights[i] = 1.0
        if ops.priors != NULL and self.to_move >= 0:
            ops.priors(ops.rules, self.data, moves, n, weights)
            self.game.raise_failure()
        return [(moves[i], weights[i]) for i in range(n)]

    def playout_move(self, RandomStream stream not None):
        """A legal move, chosen by the game's playout policy; uniformly random if it has none."""
        cdef move_t moves[MAX_MOVES]
        cdef GameOps* ops = &self.game.ops
        cdef int n
        cdef move_t move
        if self.to_move < 0:
            raise ValueError("no seat is to move here")
        if ops.playout_move == NULL:
            n = self.options_now(moves)
            return moves[rng_below(&stream.rng, n)]
        move = ops.playout_move(ops.rules, self.data, &stream.rng)
        self.game.raise_failure()
        return move

    def to_json(self):
        """The state as JSON, for `game.state_from_json`."""
        options = dict(self.game.options)
        return encode_json({"game": self.game.name, "options": options, "state": self.to_fields()})

    def __repr__(self):
        return f"<State of {self.game.name}, {_turn(self)}>"

    def __reduce__(self):
        return _restore_state, (self.game, self.game.dump(self.data))


@cython.no_gc
cdef class View(Position):
    """The knowledge of one seat about a state: all that a player gets."""

    def observation(self):
        """The view as numbers from 0 to 1, for learning; their order is `game.observation_layout`."""
        cdef Scaler scaler = self.game.get_scaler()
        vector = np.empty(scaler.size, np.float32)
        cdef float[::1] out = vector
        scaler.write(<const unsigned char*>self.data, &out[0])
        return vector

    def sample_world(self, seed=None, believed=False):
        """A world: a full state that fits this view, sampled from what the seat knows.

        `seed`: a number, or a random stream to draw from. `believed`: also weigh what the moves of the other seats
        suggest, if the game does so (`believe`).
        """
        cdef State world = make_state(self.game)
        cdef RandomStream stream
        if isinstance(seed, RandomStream):
            stream = seed
        else:
            stream = RandomStream(derive_seed(<uint64_t>check_seed(seed), WORLD_STREAM))
        state_copy(&self.game.ops, world.data, self.data)
        if believed:
            imagine_world(&self.game.ops, world.data, self.seat, &stream.rng)
        elif self.game.ops.determinise != NULL:
            self.game.ops.determinise(self.game.ops.rules, world.data, self.seat, &stream.rng)
        self.game.raise_failure()
        return world

    def to_json(self):
        """The view as JSON, for `game.view_from_json`."""
        options = dict(self.game.options)
        return encode_json(
            {"game": self.game.name, "options": options, "seat": self.seat, "view": self.to_fields()}
        )

    def _concealed(self):
        """A copy of this view, concealed again."""
        cdef View again = self.copy()
        self.game.ops.conceal(self.game.ops.rules, again.data, again.seat)
        self.game.raise_failure()
        return again

    def __repr__(self):
        return f"<View of {self.game.name} by seat {self.seat}, {_turn(self)}>"

    def __reduce__(self):
        return _restore_view, (self.game, self.game.dump(self.data), self.seat)


def _turn(position):
    """Whose turn it is, for `repr`."""
    seat = position.to_move
    return "over" if seat == TERMINAL else "chance to decide" if seat == CHANCE else f"seat {seat} to move"


def _restore_state(Game game not None, dumped):
    return game._restored(make_state(game), dumped, None)


def _restore_view(Game game not None, dumped, seat):
    number = game._seat_of_view(seat)
    return game._restored(make_view(game, number), dumped, number)
