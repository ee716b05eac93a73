"""Loops over the C functions of any game, for benchmarks, surveys and soak tests."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from aiplay._core.contract cimport GameOps, perceive_move, state_copy, state_drop
from aiplay._core.game cimport Game, State
from aiplay._core.playout cimport random_playout
from aiplay._core.rng cimport Rng, derive_seed, rng_from_seed
from aiplay._core.stream cimport RandomStream
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, TERMINAL, move_t, seat_t

from aiplay._core.stream import check_seed

cdef extern from *:
    """
    #define AIPLAY_TEXT(x) #x
    #define AIPLAY_NUMBER(x) AIPLAY_TEXT(x)
    #if defined(__clang__)
    #define AIPLAY_COMPILER "clang " __clang_version__
    #elif defined(__GNUC__)
    #define AIPLAY_COMPILER "gcc " __VERSION__
    #elif defined(_MSC_VER)
    #define AIPLAY_COMPILER "MSVC " AIPLAY_NUMBER(_MSC_VER)
    #else
    #define AIPLAY_COMPILER "unknown"
    #endif
    #if defined(CYTHON_TRACE) && CYTHON_TRACE
    #define AIPLAY_PROFILE "trace"
    #elif defined(NDEBUG)
    #define AIPLAY_PROFILE "release"
    #else
    #define AIPLAY_PROFILE "debug"
    #endif
    """
    const char* AIPLAY_COMPILER
    const char* AIPLAY_PROFILE
    const unsigned long CYTHON_HEX_VERSION


def build_facts():
    """Compiler, build profile and Cython version of this module."""
    cdef unsigned long cython = CYTHON_HEX_VERSION
    return {
        "compiler": (<bytes>AIPLAY_COMPILER).decode(errors="replace").strip(),
        "build": (<bytes>AIPLAY_PROFILE).decode(),
        "cython": f"{cython >> 24}.{cython >> 16 & 255}.{cython >> 8 & 255}",
    }


cdef class _Scratch:
    """Memory for one state of a game, freed even after an exception."""
    cdef Game game
    cdef void* data
    cdef bint is_state      # True if `data` holds a state

    def __cinit__(self, Game game not None):
        self.game = game
        self.data = malloc(game.ops.state_size)
        if self.data == NULL:
            raise MemoryError()

    def __dealloc__(self):
        if self.is_state:
            state_drop(&self.game.ops, self.data)
        free(self.data)


def copy_states(State state not None, long n):
    """Copy a state n times."""
    cdef GameOps* ops = &state.game.ops
    cdef _Scratch scratch = _Scratch(state.game)
    cdef long _i
    with nogil:
        for _i in range(n):
            state_copy(ops, scratch.data, state.data)
            state_drop(ops, scratch.data)


def generate_moves(State state not None, long n):
    """List the legal moves of a decision n times; return the number of moves listed."""
    cdef GameOps* ops = &state.game.ops
    cdef move_t moves[MAX_MOVES]
    cdef long total = 0
    cdef long _i
    if state.to_move < 0:
        raise ValueError("no seat is to move here")
    with nogil:
        for _i in range(n):
            total += ops.legal_moves(ops.rules, state.data, moves)
    state.game.raise_failure()
    return total


def sample_worlds(view, long n, seed=0):
    """Determinise a view n times."""
    cdef Game game = view.game
    cdef State source = view.sample_world(seed)
    cdef GameOps* ops = &game.ops
    cdef _Scratch scratch = _Scratch(game)
    cdef Rng rng = rng_from_seed(check_seed(seed))
    cdef seat_t seat = view.seat
    cdef long _i
    if ops.determinise == NULL:
        raise ValueError(f"{game.name} hides nothing")
    ops.conceal(ops.rules, source.data, seat)
    with nogil:
        for _i in range(n):
            state_copy(ops, scratch.data, source.data)
            ops.determinise(ops.rules, scratch.data, seat, &rng)
            state_drop(ops, scratch.data)
    game.raise_failure()


def perceptions(State state not None, seat):
    """The key that `seat` would get from `perceive` for every legal move: a list of (move, key)."""
    cdef GameOps* ops = &state.game.ops
    cdef move_t moves[MAX_MOVES]
    cdef int n = state.options_now(moves)
    cdef seat_t number = state.game._check_seat(seat)
    cdef int i
    keys = [perceive_move(ops, state.data, moves[i], number) for i in range(n)]
    state.game.raise_failure()
    return [(moves[i], keys[i]) for i in range(n)]


def play_out(State state, RandomStream stream not None):
    """Play random moves in place until the game is over (or max_depth is reached); return their number."""
    cdef GameOps* ops = &state.game.ops
    cdef int n_played
    with nogil:
        n_played = random_playout(ops, state.data, &stream.rng, ops.max_depth)
    state.game.raise_failure()
    return n_played


def play_by_policy(State state, RandomStream stream not None, int limit):
    """Play on in place by the game's `policy_playout`, at most `limit` moves; return their number."""
    cdef GameOps* ops = &state.game.ops
    cdef int n_played
    if ops.policy_playout == NULL:
        raise ValueError(f"{state.game.name} has no policy_playout")
    with nogil:
        n_played = ops.policy_playout(ops.rules, state.data, &stream.rng, limit)
    return n_played


def random_games(State state not None, long n, seed=0):
    """Play n random games from a state; return the number of moves, chance included."""
    cdef GameOps* ops = &state.game.ops
    cdef _Scratch scratch = _Scratch(state.game)
    cdef Rng rng
    cdef uint64_t base = check_seed(seed)
    cdef long total = 0
    cdef long i
    with nogil:
        for i in range(n):
            rng = rng_from_seed(derive_seed(base, i))
            state_copy(ops, scratch.data, state.data)
            total += random_playout(ops, scratch.data, &rng, ops.max_depth)
            state_drop(ops, scratch.data)
            if ops.failed != NULL and ops.failed(ops.rules):
                break
    state.game.raise_failure()
    return total


def survey(State state not None, long n, seed=0):
    """Play n random games from a state and return statistics about them, as a dictionary.

    games, unfinished (stopped at max_depth), moves and decisions per game, longest (moves), branching (mean number of
    legal moves of a decision), widest (most legal moves), returns (mean of every seat over the finished games).
    """
    cdef GameOps* ops = &state.game.ops
    cdef _Scratch scratch = _Scratch(state.game)
    cdef move_t moves[MAX_MOVES]
    cdef double out[MAX_SEATS]
    cdef double sums[MAX_SEATS]
    cdef Rng rng
    cdef uint64_t base = check_seed(seed)
    cdef long n_moves = 0, n_decisions = 0, n_options = 0, n_finished = 0, longest = 0, widest = 0, depth
    cdef long i
    cdef int k, n_legal
    cdef seat_t seat
    for k in range(MAX_SEATS):
        sums[k] = 0.0
    for i in range(n):
        rng = rng_from_seed(derive_seed(base, i))
        state_copy(ops, scratch.data, state.data)
        scratch.is_state = True
        depth = 0
        while depth < ops.max_depth:
            seat = ops.to_move(ops.rules, scratch.data)
            state.game.raise_failure()
            if seat == TERMINAL:
                break
            if seat >= 0:
                n_legal = ops.legal_moves(ops.rules, scratch.data, moves)
                n_decisions += 1
                n_options += n_legal
                widest = max(widest, n_legal)
            depth += random_playout(ops, scratch.data, &rng, 1)
        if ops.to_move(ops.rules, scratch.data) == TERMINAL:
            n_finished += 1
            ops.returns(ops.rules, scratch.data, out)
            for k in range(ops.seats):
                sums[k] += out[k]
        n_moves += depth
        longest = max(longest, depth)
        state_drop(ops, scratch.data)
        scratch.is_state = False
        state.game.raise_failure()
    return {
        "games": n,
        "unfinished": n - n_finished,
        "moves": <double>n_moves / n,
        "decisions": <double>n_decisions / n,
        "longest": longest,
        "branching": <double>n_options / n_decisions if n_decisions else 0.0,
        "widest": widest,
        "returns": [sums[k] / max(n_finished, 1) for k in range(ops.seats)],
    }


def perft(State state not None, int depth):
    """Number of sequences of `depth` moves from a state, chance included; 0 if the game is over."""
    cdef long long total
    if depth < 0:
        raise ValueError(f"depth is {depth}; allowed: 0 or more")
    if depth == 0:
        return 1
    with nogil:
        total = count_sequences(&state.game.ops, state.data, depth)
    state.game.raise_failure()
    if total < 0:
        raise MemoryError()
    return total


cdef long long count_sequences(const GameOps* ops, const void* s, int depth) noexcept nogil:
    """perft for depth >= 1; -1 if memory runs out."""
    cdef move_t moves[MAX_MOVES]
    cdef double p[MAX_MOVES]
    cdef void* child
    cdef long long total = 0, below
    cdef int i, n
    cdef seat_t seat = ops.to_move(ops.rules, s)
    if seat == TERMINAL:
        return 0
    if seat == CHANCE:
        n = ops.chance_outcomes(ops.rules, s, moves, p)
    else:
        n = ops.legal_moves(ops.rules, s, moves)
    if depth == 1:
        return n
    child = malloc(ops.state_size)
    if child == NULL:
        return -1
    for i in range(n):
        state_copy(ops, child, s)
        ops.play(ops.rules, child, moves[i])
        below = count_sequences(ops, child, depth - 1)
        state_drop(ops, child)
        total += below
        if below < 0:
            total = -1
            break
    free(child)
    return total
