"""Games written in Python, behind the same C operations as native ones.

A state is one owned reference to an object that is never changed: `play` returns a new one, and copying a state only
counts a reference. Every adapter takes the GIL, calls its method, and stores the first exception of its thread. After
that the adapters return harmless values to this thread until the loop that called them asks `failed`, and the
exception is raised.
"""

from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.number cimport PyNumber_Index
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF, Py_XINCREF
from libc.stdint cimport uint64_t

from typing import Any

from aiplay._core.contract cimport (
    ABI_VERSION, ADVISE_EVALUATE, ADVISE_NONE, ADVISE_NOTHING, PERCEIVE_HIDDEN, GameOps, pick_outcome,
)
from aiplay._core.game cimport Game, Position
from aiplay._core.rng cimport Rng
from aiplay._core.stream cimport RandomStream
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, TERMINAL, move_t, seat_t

from aiplay.errors import ContractError, InvalidStateError


cdef extern from *:
    """
    #if defined(_MSC_VER)
    #define AIPLAY_THREAD_LOCAL __declspec(thread)
    #else
    #define AIPLAY_THREAD_LOCAL _Thread_local
    #endif
    static AIPLAY_THREAD_LOCAL PyObject *failure = NULL;
    """
    # The exception that a method raised in this thread, an owned reference, until it is raised again. Threads that
    # search the same game must not take each other's: one that goes on would find harmless values mixed with true ones.
    PyObject* failure


cdef enum:
    MOST_MOVE = 0x7FFFFFFF      # moves are smaller

cdef double ROUNDING = 1e-6     # by which sums and bounds may be missed


cdef inline PythonGameCore owner(const void* rules):
    return <PythonGameCore>(<const PythonRules*>rules).game


cdef inline object value_of(const void* s):
    return <object>(<const PythonState*>s).value


cdef inline void replace(void* s, object value):
    """Store another value in a state."""
    cdef PyObject* old = (<PythonState*>s).value
    Py_INCREF(value)
    (<PythonState*>s).value = <PyObject*>value
    Py_XDECREF(old)


cdef void note_failure(object exception) noexcept:
    """Store an exception for `raise_failure`, unless the thread has one already."""
    global failure
    if failure == NULL:
        Py_INCREF(exception)
        failure = <PyObject*>exception


cdef object checked_state(object value, str method):
    """The state that a method returned; TypeError if it forgot to return one."""
    if value is None:
        raise TypeError(f"{method} returned None, not the new state (states are never changed in place)")
    return value


cdef void write_values(
    PythonGameCore game, const void* s, str method, double low, double high, double* out
) noexcept:
    """Call a method that returns a number from low to high for every seat, and write the numbers; `low` or 0.5 after a
    failure.
    """
    cdef double value
    cdef int seat
    for seat in range(game.ops.seats):
        out[seat] = low if method == "returns" else 0.5
    if failure != NULL:
        return
    try:
        numbers = list(getattr(game, method)(value_of(s)))
        if len(numbers) != game.ops.seats:
            raise ContractError(
                f"{method} returned {len(numbers)} numbers, one for each of the {game.ops.seats} seats is needed"
            )
        for seat in range(game.ops.seats):
            value = numbers[seat]
            if not low - ROUNDING <= value <= high + ROUNDING:      # also if it is not a number
                bounds = " (min_return to max_return)" if method == "returns" else ""
                raise ContractError(f"{method} returned {value!r} for seat {seat}; allowed: {low} to {high}{bounds}")
            out[seat] = value
    except BaseException as exception:
        note_failure(exception)


cdef list sorted_options(PythonGameCore game, object given, str method, str noun):
    """Moves or outcomes in ascending order; ContractError if there are none or too many."""
    options = sorted(given)
    if not 1 <= len(options) <= game.ops.max_moves:
        raise ContractError(
            f"{method} returned {len(options)} {noun}; allowed: 1 to max_moves = {game.ops.max_moves}"
        )
    return options


cdef move_t checked_move(object given, move_t last, str method, str noun) except -1:
    """A move or an outcome as a number; `last` is the one before it, or -1."""
    cdef int is_beyond = 0
    cdef long long number = PyLong_AsLongLongAndOverflow(PyNumber_Index(given), &is_beyond)
    if is_beyond or not 0 <= number < MOST_MOVE:
        raise ContractError(f"{method} returned {given!r}; allowed: whole numbers from 0 to {MOST_MOVE - 1}")
    if number == last:
        raise ContractError(f"{method} returned {given!r} twice; allowed: different {noun}")
    return <move_t>number


cdef int write_outcomes(PythonGameCore game, const void* s, move_t* out, double* p) except -1:
    """Write the outcomes of chance, ascending, and their probabilities; return their number."""
    cdef move_t last = -1
    cdef double total = 0.0
    cdef int i
    outcomes = sorted_options(game, game.chance_outcomes(value_of(s)), "chance_outcomes", "outcomes")
    for i in range(len(outcomes)):
        move, p[i] = outcomes[i]
        out[i] = last = checked_move(move, last, "chance_outcomes", "outcomes")
        if not 0 < p[i] <= 1 + ROUNDING:
            raise ContractError(f"chance_outcomes gave outcome {move} the probability {p[i]}; allowed: above 0, to 1")
        total += p[i]
    if not 1 - ROUNDING <= total <= 1 + ROUNDING:
        raise ContractError(f"the probabilities of chance_outcomes have the sum {total}; needed: 1")
    return <int>len(outcomes)


cdef object explained(PythonGameCore game, object state, move_t move, object exception):
    """The exception that `play` raised; a ContractError instead if the move is not legal in the state."""
    try:
        if game.to_move(state) == CHANCE:
            known = [outcome for outcome, _ in game.chance_outcomes(state)]
        else:
            known = list(game.legal_moves(state))
    except Exception:
        return exception
    if move in known or not isinstance(exception, Exception):
        return exception
    error = ContractError(
        f"{game.name}: move {move} was legal, and in a position that looks the same it is not (play raised "
        f"{type(exception).__name__}: {exception}). Either legal_moves or to_move depend on what the seat cannot see, "
        "or they, play or chance_outcomes do not give the same result for the same state"
    )
    error.__cause__ = exception
    return error


# ---- The adapters ------------------------------------------------------------------------------------------
# Each calls its method by name inside its own `try`: a shared body would have to make a bound method for every call,
# which costs a playout 5 %.

cdef void python_setup(const void* rules, void* s) noexcept with gil:
    cdef PythonGameCore game = owner(rules)
    try:
        replace(s, checked_state(game.setup(), "setup"))
    except BaseException as exception:
        note_failure(exception)


cdef seat_t python_to_move(const void* rules, const void* s) noexcept with gil:
    cdef PythonGameCore game = owner(rules)
    if failure != NULL:
        return TERMINAL
    try:
        seat = PyNumber_Index(game.to_move(value_of(s)))
        if seat == CHANCE and game.ops.chance_outcomes == NULL:
            raise TypeError(f"to_move returned CHANCE, but {type(game).__name__} has no chance_outcomes")
        if seat != CHANCE and seat != TERMINAL and not 0 <= seat < game.ops.seats:
            raise ContractError(
                f"to_move returned {seat!r}; allowed: 0 to {game.ops.seats - 1}, CHANCE, TERMINAL"
            )
        return seat
    except BaseException as exception:
        note_failure(exception)
    return TERMINAL


cdef int python_legal_moves(const void* rules, const void* s, move_t* out) noexcept with gil:
    cdef PythonGameCore game = owner(rules)
    cdef move_t last = -1
    cdef int i
    if failure != NULL:
        return 0
    try:
        moves = sorted_options(game, game.legal_moves(value_of(s)), "legal_moves", "moves")
        for i in range(len(moves)):
            out[i] = last = checked_move(moves[i], last, "legal_moves", "moves")
        return <int>len(moves)
    except BaseException as exception:
        note_failure(exception)
    return 0


cdef int python_chance_outcomes(const void* rules, const void* s, move_t* out, double* p) noexcept with gil:
    if failure != NULL:
        return 0
    try:
        return write_outcomes(owner(rules), s, out, p)
    except BaseException as exception:
        note_failure(exception)
    return 0


cdef move_t python_sample_chance(const void* rules, const void* s, Rng* rng) noexcept with gil:
    cdef move_t outcomes[MAX_MOVES]
    cdef double p[MAX_MOVES]
    if failure != NULL:
        return 0
    try:
        return pick_outcome(outcomes, p, write_outcomes(owner(rules), s, outcomes, p), rng)
    except BaseException as exception:
        note_failure(exception)
    return 0


cdef void python_play(const void* rules, void* s, move_t move) noexcept with gil:
    cdef PythonGameCore game = owner(rules)
    if failure != NULL:
        return
    try:
        replace(s, checked_state(game.play(value_of(s), move), "play"))
    except BaseException as exception:
        note_failure(explained(game, value_of(s), move, exception))


cdef void python_returns(const void* rules, const void* s, double* out) noexcept with gil:
    cdef PythonGameCore game = owner(rules)
    write_values(game, s, "returns", game.ops.min_return, game.ops.max_return, out)


cdef void python_evaluate(const void* rules, const void* s, double* out) noexcept with gil:
    write_values(owner(rules), s, "evaluate", 0.0, 1.0, out)


cdef uint64_t python_perceive(const void* rules, const void* s, move_t move, seat_t seat) noexcept with gil:
    cdef PythonGameCore game = owner(rules)
    if failure != NULL:
        return 0
    try:
        key = game.perceive(value_of(s), move, seat)
        return PERCEIVE_HIDDEN if key is None else <uint64_t>(key & 0xFFFFFFFFFFFFFFFF)
    except BaseException as exception:
        note_failure(exception)
    return 0


cdef void python_conceal(const void* rules, void* s, seat_t seat) noexcept with gil:
    cdef PythonGameCore game = owner(rules)
    if failure != NULL:
        return
    try:
        replace(s, checked_state(game.conceal(value_of(s), seat), "conceal"))
    except BaseException as exception:
        note_failure(exception)


cdef void python_determinise(const void* rules, void* s, seat_t seat, Rng* rng) noexcept with gil:
    cdef PythonGameCore game = owner(rules)
    cdef RandomStream stream
    if failure != NULL:
        return
    try:
        stream = RandomStream.__new__(RandomStream)
        stream.rng = rng[0]
        replace(s, checked_state(game.determinise(value_of(s), seat, stream), "determinise"))
        rng[0] = stream.rng
    except BaseException as exception:
        note_failure(exception)


cdef uint64_t python_hash(const void* rules, const void* s) noexcept with gil:
    if failure != NULL:
        return 0
    try:
        return <uint64_t><Py_ssize_t>hash(value_of(s))
    except BaseException as exception:
        note_failure(exception)
    return 0


cdef void python_copy(const void* rules, void* target, const void* source) noexcept with gil:
    (<PythonState*>target).value = (<const PythonState*>source).value
    Py_XINCREF((<PythonState*>target).value)


cdef void python_drop(const void* rules, void* s) noexcept with gil:
    cdef PyObject* value = (<PythonState*>s).value
    (<PythonState*>s).value = NULL
    Py_XDECREF(value)


cdef int python_failed(const void* rules) noexcept nogil:
    return failure != NULL


cdef class PythonGameCore(Game):
    """The native half of :class:`aiplay.PythonGame`."""

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        self.configure()
        self.rules = PythonRules(<PyObject*>self)
        ops.abi_version = ABI_VERSION
        ops.is_cooperative = self._bounds["cooperative"]
        ops.rules = &self.rules
        ops.state_size = sizeof(PythonState)
        ops.max_moves = self._bounds["max_moves"]
        ops.move_space = self._bounds["move_space"]
        ops.chance_space = self._bounds["chance_space"]
        ops.max_depth = self._bounds["max_depth"]
        ops.seats = self._bounds["seats"]
        ops.min_return = self._bounds["min_return"]
        ops.max_return = self._bounds["max_return"]
        ops.playout_depth = self._bounds["playout_depth"]
        self._fill_advice()
        ops.setup = python_setup
        ops.to_move = python_to_move
        ops.legal_moves = python_legal_moves
        ops.play = python_play
        ops.returns = python_returns
        ops.hash = python_hash
        ops.copy = python_copy
        ops.drop = python_drop
        ops.failed = python_failed
        if self._overrides("chance_outcomes"):
            ops.chance_outcomes = python_chance_outcomes
            ops.sample_chance = python_sample_chance
        if self._overrides("evaluate"):
            ops.evaluate = python_evaluate
        if self._hides():
            ops.perceive = python_perceive
            ops.conceal = python_conceal
            ops.determinise = python_determinise

    def _fill_advice(self):
        cdef GameOps* ops = &self.ops
        allowed = {"exploration", "prior", "prior_visits", "root_exploration"}
        priors = {None: ADVISE_NOTHING, "none": ADVISE_NONE, "evaluate": ADVISE_EVALUATE}
        for name in self.ADVICE:
            if name not in allowed:
                raise TypeError(f"{self.name}: ADVICE has {name!r}; allowed: {', '.join(sorted(allowed))}")
        if self.ADVICE.get("prior") not in priors:
            raise TypeError(
                f"{self.name}: the advised prior is {self.ADVICE['prior']!r}; allowed: 'none' or 'evaluate'"
            )
        ops.advice.exploration = self.ADVICE.get("exploration", 0)
        ops.advice.root_exploration = self.ADVICE.get("root_exploration", 0)
        ops.advice.prior = priors[self.ADVICE.get("prior")]
        ops.advice.prior_visits = self.ADVICE.get("prior_visits", 0)

    cdef int raise_failure(self) except -1:
        global failure
        cdef PyObject* exception = failure
        if exception != NULL:
            failure = NULL
            raised = <object>exception
            Py_XDECREF(exception)
            raise raised
        return 0

    cdef object dump(self, const void* s):
        return value_of(s)

    cdef int load(self, object dumped, void* s) except -1:
        import msgspec      # here, not above: few programs need it

        kind = self._state_type()
        try:
            if kind is not Any:
                dumped = msgspec.convert(msgspec.to_builtins(dumped), kind)
        except (msgspec.ValidationError, RecursionError) as problem:
            raise InvalidStateError(f"not a state of {self.name}: {problem}") from None
        except TypeError:
            pass        # states that cannot be written as JSON
        replace(s, checked_state(dumped, "a pickle"))
        return 0

    cdef object encode(self, Position position):
        import msgspec

        return msgspec.to_builtins(value_of(position.data))

    cdef int decode(self, object values, void* s) except -1:
        import msgspec

        try:
            if isinstance(values, bytes):
                values = msgspec.json.decode(values)
            value = msgspec.convert(values, self._state_type())
        except (msgspec.ValidationError, msgspec.DecodeError, RecursionError, UnicodeError) as problem:
            raise InvalidStateError(f"not a state of {self.name}: {problem}") from None
        replace(s, value)
        return 0

    cdef bint same(self, const void* a, const void* b) except -1:
        return value_of(a) == value_of(b)

    cdef object fields_of(self, Position position):
        return value_of(position.data)
