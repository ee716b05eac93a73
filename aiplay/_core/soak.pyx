"""Random games of native games, in which the promises of the contract are checked at every move, without the GIL."""

from libc.math cimport fabs, isfinite
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from aiplay._core.contract cimport GameOps, perceive_move, pick_outcome, sample_outcome, state_hash
from aiplay._core.game cimport Game
from aiplay._core.rng cimport Rng, derive_seed, rng_below, rng_from_seed
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, TERMINAL, move_t, seat_t

from aiplay._core.stream import check_seed

ctypedef const char* Problem    # the promise that is broken, in words; NULL if all are kept


cdef class _Soak:
    """One game at a time, and what is compared at each of its positions."""
    cdef Game game
    cdef GameOps own                # the operations of the game, with the bounds to check
    cdef GameOps* ops               # `own`
    cdef char* memory               # the five states below
    cdef void* truth                # the position
    cdef void* after                # the position after the next move
    cdef void* view                 # what one seat sees of the truth
    cdef void* world                # a world of that view
    cdef void* spare                # compared with one of the others
    cdef move_t* played             # the moves of the game so far
    cdef int n_played
    cdef move_t moves[MAX_MOVES]    # options of the truth
    cdef double p[MAX_MOVES]        # their probabilities, if chance decides
    cdef int n_moves
    cdef move_t others[MAX_MOVES]   # options of a view or a world
    cdef double numbers[MAX_MOVES]  # probabilities, weights or values
    cdef seat_t to_move
    cdef Rng rng
    cdef long long n_worlds         # worlds checked, over all games

    def __cinit__(self, Game game not None, bounds):
        self.game, self.own, self.ops = game, game.ops, &self.own
        self.ops.max_depth = bounds.get("max_depth", self.ops.max_depth)
        self.ops.max_moves = bounds.get("max_moves", self.ops.max_moves)
        self.ops.max_return = bounds.get("max_return", self.ops.max_return)
        cdef size_t size = (self.ops.state_size + 63) // 64 * 64
        self.memory = <char*>malloc(5 * size)
        self.played = <move_t*>malloc((self.ops.max_depth + 1) * sizeof(move_t))
        if self.memory == NULL or self.played == NULL:
            raise MemoryError()
        self.truth, self.after = <void*>self.memory, <void*>(self.memory + size)
        self.view, self.world = <void*>(self.memory + 2 * size), <void*>(self.memory + 3 * size)
        self.spare = <void*>(self.memory + 4 * size)

    def __dealloc__(self):
        free(self.memory)
        free(self.played)

    cdef bint same(self, const void* a, const void* b) noexcept nogil:
        return memcmp(a, b, self.ops.state_size) == 0

    cdef void copy(self, void* target, const void* source) noexcept nogil:
        memcpy(target, source, self.ops.state_size)

    # ---- One game ------------------------------------------------------------------------------------------

    cdef Problem play_game(self, Rng rng) noexcept nogil:
        """Play one random game to its end."""
        cdef Problem problem
        cdef move_t move
        self.rng, self.n_played = rng, 0
        memset(self.truth, 0, self.ops.state_size)
        self.ops.setup(self.ops.rules, self.truth)
        while True:
            problem = self.check_position()
            if problem != NULL or self.to_move == TERMINAL:
                return problem
            if self.n_played == self.ops.max_depth:
                return "the game is not over within max_depth"
            move = self.choose()
            if not contains(self.moves, self.n_moves, move):
                return "sample_chance gave an outcome that chance_outcomes does not list"
            self.copy(self.after, self.truth)
            self.ops.play(self.ops.rules, self.after, move)
            problem = self.check_seats(move)
            if problem != NULL:
                return problem
            self.played[self.n_played] = move
            self.n_played += 1
            self.copy(self.truth, self.after)

    cdef move_t choose(self) noexcept nogil:
        """A random move; of chance, in half of the cases by its own sampler."""
        if self.to_move != CHANCE:
            return self.moves[rng_below(&self.rng, self.n_moves)]
        if rng_below(&self.rng, 2):
            return pick_outcome(self.moves, self.p, self.n_moves, &self.rng)
        return sample_outcome(self.ops, self.truth, &self.rng, self.others, self.numbers)

    # ---- The truth -----------------------------------------------------------------------------------------

    cdef Problem check_position(self) noexcept nogil:
        """Check the moves and values of a position, and that nothing but `play` changes it."""
        cdef Problem problem
        cdef uint64_t before = state_hash(self.ops, self.truth)
        self.copy(self.spare, self.truth)
        self.to_move = self.ops.to_move(self.ops.rules, self.truth)
        if self.to_move == TERMINAL:
            problem = self.check_returns()
        elif self.to_move == CHANCE or 0 <= self.to_move < self.ops.seats:
            problem = self.check_options(self.truth, self.to_move, self.moves, self.p, &self.n_moves)
            if problem == NULL:
                problem = self.check_values(self.truth)
            if problem == NULL and self.to_move >= 0:
                problem = self.check_policy()
        else:
            problem = "to_move is neither a seat, CHANCE nor TERMINAL"
        if problem != NULL:
            return problem
        if not self.same(self.spare, self.truth):
            return "a function other than play changed the state"
        if state_hash(self.ops, self.spare) != before:
            return "equal states have different hashes"
        return NULL

    cdef Problem check_options(
        self, const void* s, seat_t seat, move_t* out, double* p, int* n_out
    ) noexcept nogil:
        """List the moves of a seat or of chance: ascending, in their range, with probabilities that add up."""
        cdef int i, n
        cdef int space = self.ops.chance_space if seat == CHANCE else self.ops.move_space
        cdef double total = 0.0
        if seat == CHANCE:
            n = self.ops.chance_outcomes(self.ops.rules, s, out, p)
        else:
            n = self.ops.legal_moves(self.ops.rules, s, out)
        n_out[0] = n
        if n < 1 or n > self.ops.max_moves:
            return "the number of moves is not between 1 and max_moves"
        for i in range(n):
            if out[i] < 0 or (space and out[i] >= space) or (i and out[i] <= out[i - 1]):
                return "moves are not ascending, or not below move_space or chance_space"
            if seat == CHANCE:
                if not p[i] > 0.0:
                    return "a probability is not positive"
                total += p[i]
        if seat == CHANCE and not fabs(total - 1.0) < 1e-9:
            return "the probabilities do not add up to 1"
        return NULL

    cdef Problem check_values(self, const void* s) noexcept nogil:
        cdef int k
        if self.ops.evaluate == NULL:
            return NULL
        self.ops.evaluate(self.ops.rules, s, self.numbers)
        for k in range(self.ops.seats):
            if not 0.0 <= self.numbers[k] <= 1.0:
                return "an evaluation is not within 0 .. 1"
        return NULL

    cdef Problem check_policy(self) noexcept nogil:
        """Check the priors and the playout move of the seat to move."""
        cdef double total = 0.0
        cdef int i
        if self.ops.playout_move != NULL and not contains(
            self.moves, self.n_moves, self.ops.playout_move(self.ops.rules, self.truth, &self.rng)
        ):
            return "playout_move is not a legal move"
        if self.ops.evaluate_moves != NULL and not self.has_move_values():
            return "evaluate_moves differs from evaluate"
        if self.ops.priors == NULL:
            return NULL
        self.ops.priors(self.ops.rules, self.truth, self.moves, self.n_moves, self.numbers)
        for i in range(self.n_moves):
            if not self.numbers[i] >= 0.0:
                return "a prior is negative"
            total += self.numbers[i]
        if not (total > 0.0 and isfinite(total)):
            return "the priors are all 0, or not finite"
        return NULL

    cdef bint has_move_values(self) noexcept nogil:
        """True if the values of all moves at once are those of one move after the other."""
        cdef double values[MAX_SEATS]
        cdef double least = self.ops.min_return, span = self.ops.max_return - least
        cdef int i
        self.ops.evaluate_moves(
            self.ops.rules, self.truth, self.moves, self.n_moves, self.to_move, self.numbers
        )
        for i in range(self.n_moves):
            self.copy(self.after, self.truth)
            self.ops.play(self.ops.rules, self.after, self.moves[i])
            if self.ops.to_move(self.ops.rules, self.after) == TERMINAL:
                self.ops.returns(self.ops.rules, self.after, values)
                values[self.to_move] = (values[self.to_move] - least) / span
            else:
                self.ops.evaluate(self.ops.rules, self.after, values)
            if values[self.to_move] != self.numbers[i]:
                return False
        return True

    cdef Problem check_returns(self) noexcept nogil:
        cdef int k
        self.ops.returns(self.ops.rules, self.truth, self.numbers)
        for k in range(self.ops.seats):
            if not self.ops.min_return <= self.numbers[k] <= self.ops.max_return:
                return "returns are not within min_return .. max_return"
            if self.ops.is_cooperative and self.numbers[k] != self.numbers[0]:
                return "the seats of a cooperative game get different returns"
        return NULL

    # ---- Views and worlds ----------------------------------------------------------------------------------

    cdef Problem check_seats(self, move_t move) noexcept nogil:
        """Check the view of every seat, and a world of each: sampled, and believed if the game can."""
        cdef Problem problem = NULL
        cdef seat_t seat
        if self.ops.conceal == NULL or self.ops.determinise == NULL:
            return NULL
        for seat in range(self.ops.seats):
            problem = self.check_view(seat)
            if problem == NULL:
                problem = self.check_world(seat, move, False)
            if problem == NULL and self.ops.believe != NULL:
                problem = self.check_world(seat, move, True)
            if problem != NULL:
                return problem
        return NULL

    cdef Problem check_view(self, seat_t seat) noexcept nogil:
        self.copy(self.view, self.truth)
        self.ops.conceal(self.ops.rules, self.view, seat)
        self.copy(self.spare, self.view)
        self.ops.conceal(self.ops.rules, self.spare, seat)
        if not self.same(self.spare, self.view):
            return "concealing a view again changes it"
        return self.check_choice(self.view, seat)

    cdef Problem check_choice(self, const void* s, seat_t seat) noexcept nogil:
        """Check that a view or a world has the turn and, for the seat to move, the moves of the truth."""
        cdef Problem problem
        cdef int n = 0
        if self.ops.to_move(self.ops.rules, s) != self.to_move:
            return "to_move is another one in a view or a world"
        if seat != self.to_move:
            return NULL
        problem = self.check_options(s, seat, self.others, self.numbers, &n)
        if problem != NULL:
            return problem
        if n != self.n_moves or memcmp(self.moves, self.others, n * sizeof(move_t)) != 0:
            return "the legal moves are others in a view or a world"
        return NULL

    cdef Problem check_world(self, seat_t seat, move_t move, bint believed) noexcept nogil:
        """Sample a world of the view: it fits, can be valued, and goes on like the truth as far as the seat sees."""
        cdef Problem problem
        self.n_worlds += 1
        self.copy(self.world, self.view)
        if believed:
            self.ops.believe(self.ops.rules, self.world, seat, &self.rng)
        else:
            self.ops.determinise(self.ops.rules, self.world, seat, &self.rng)
        self.copy(self.spare, self.world)
        self.ops.conceal(self.ops.rules, self.spare, seat)
        if not self.same(self.spare, self.view):
            return "a world, concealed again, is not the view that it was made from"
        problem = self.check_choice(self.world, seat)
        if problem == NULL:
            problem = self.check_values(self.world)
        if problem == NULL:
            problem = self.check_next(seat, move)
        return problem

    cdef Problem check_next(self, seat_t seat, move_t move) noexcept nogil:
        """Make the move in the world, if it is possible there and looks the same: so does the position after it."""
        cdef Problem problem
        cdef int n = 0
        problem = self.check_options(self.world, self.to_move, self.others, self.numbers, &n)
        if problem != NULL or not contains(self.others, n, move):
            return problem
        if perceive_move(self.ops, self.world, move, seat) != perceive_move(
            self.ops, self.truth, move, seat
        ):
            return NULL
        self.ops.play(self.ops.rules, self.world, move)
        if self.ops.to_move(self.ops.rules, self.world) != self.ops.to_move(self.ops.rules, self.after):
            return "to_move reveals what perceive hides"
        if self.ops.to_move(self.ops.rules, self.after) == TERMINAL:
            return NULL     # a view may show everything once the game is over
        self.ops.conceal(self.ops.rules, self.world, seat)
        self.copy(self.spare, self.after)
        self.ops.conceal(self.ops.rules, self.spare, seat)
        if not self.same(self.world, self.spare):
            return "a view reveals what perceive hides"
        return NULL


cdef bint contains(const move_t* moves, int n, move_t move) noexcept nogil:
    """True if a move is among n ascending ones."""
    cdef int low = 0, high = n, middle
    while low < high:
        middle = (low + high) // 2
        if moves[middle] < move:
            low = middle + 1
        else:
            high = middle
    return low < n and moves[low] == move


def soak(Game game not None, long long n, seed=0, **bounds):
    """Play whole random games until n moves are made; return games, moves, worlds, and the problem, if there is one.

    The problem is None, or a broken promise in words; `played` then holds the moves that lead there. `bounds`
    (max_depth, max_moves, max_return) are tighter ones than those of the game, to see what happens if it breaks them.
    """
    if game.ops.copy != NULL:
        raise ValueError(f"{game.name} is written in Python: only states of plain bytes can be compared here")
    cdef _Soak run = _Soak(game, bounds)
    cdef uint64_t base = check_seed(seed)
    cdef long long n_moves = 0, n_games = 0
    cdef Problem problem = NULL
    while n_moves < n and problem == NULL:
        with nogil:     # one game at a time, so that Ctrl-C is heard
            problem = run.play_game(rng_from_seed(derive_seed(base, n_games)))
        n_games += 1
        n_moves += run.n_played
    return {
        "games": n_games,
        "moves": n_moves,
        "worlds": run.n_worlds,
        "problem": None if problem == NULL else (<bytes>problem).decode(),
        "played": [] if problem == NULL else [run.played[i] for i in range(run.n_played)],
    }
