"""The value of a position by a small trained network; see value.pxd for the formula."""

from array import array

from libc.math cimport sqrt
from libc.stdint cimport int16_t, int32_t, int64_t
from libc.string cimport memcpy, memset

from aiplay._core.contract cimport MAX_FEATURES, GameOps
from aiplay._core.features cimport FULL, MAX_ACTIVE, MAX_INPUTS, Active, FieldFeatures, write_active
from aiplay._core.game cimport Game, State
from aiplay._core.python_game cimport PythonState, note_failure
from aiplay._core.typedefs cimport MAX_SEATS, TERMINAL, seat_t

cdef enum:
    UNIT_BITS = WEIGHT_BITS + AMOUNT_BITS       # a hidden unit of 1, when it is summed up
    OUTPUT_BITS = WEIGHT_BITS + HIDDEN_BITS     # x of 1
    MAX_DENSE = MAX_FEATURES + MAX_SEATS + 1    # inputs of a game with `features`
    PADDING = 16                                # zeros after them: 8 pairs are read at once

cdef int64_t MOST_OUTPUT = <int64_t>1 << 30     # |x| beyond 64 counts as 64; its square fits into 64 bits
cdef int64_t MOST_SUM = <int64_t>1 << 31        # sums of the first layer stay below this


cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__linux__)
    #include <immintrin.h>

    static int aiplay_has_pairs(void) { return __builtin_cpu_supports("avx2"); }

    /* The pairs that are not two zeros, one bit each: `inputs` has zeros up to a whole number of 8 pairs. */
    __attribute__((target("avx2"))) static inline void aiplay_find_pairs(
        const int16_t* inputs, int n_pairs, uint64_t* found
    ) {
        for (int pair = 0; pair < n_pairs; pair += 8) {
            __m256i eight = _mm256_loadu_si256((const __m256i*)(inputs + 2 * pair));
            __m256i zeros = _mm256_cmpeq_epi32(eight, _mm256_setzero_si256());
            uint64_t bits = ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(zeros)) & 0xFF;
            if (pair % 64 == 0) found[pair / 64] = 0;
            found[pair / 64] |= bits << pair % 64;
        }
    }

    /* 8 * n hidden units from `weights` and `bias` on. With n known to the compiler, the sums stay in registers. */
    __attribute__((target("avx2"), always_inline)) static inline void aiplay_pair_units(
        const int16_t* weights, const int32_t* bias, const int16_t* inputs, const uint64_t* found, int n_pairs,
        int n_hidden, int n, int unit_bits, int shift, __m128i* out
    ) {
        const __m256i least = _mm256_setzero_si256(), most = _mm256_set1_epi32(1 << unit_bits);
        __m256i sums[8];
        for (int i = 0; i < n; i++) sums[i] = _mm256_loadu_si256((const __m256i*)(bias + 8 * i));
        for (int start = 0; start < n_pairs; start += 64) {
            for (uint64_t left = found[start / 64]; left; left &= left - 1) {
                int pair = start + __builtin_ctzll(left);
                const __m256i* row = (const __m256i*)(weights + (size_t)pair * 2 * n_hidden);
                int32_t both;
                memcpy(&both, inputs + 2 * pair, sizeof both);
                for (int i = 0; i < n; i++) {
                    __m256i products = _mm256_madd_epi16(_mm256_set1_epi32(both), _mm256_loadu_si256(row + i));
                    sums[i] = _mm256_add_epi32(sums[i], products);
                }
            }
        }
        for (int i = 0; i < n; i++) {
            __m256i units = _mm256_srai_epi32(_mm256_min_epi32(_mm256_max_epi32(sums[i], least), most), shift);
            out[i] = _mm_packs_epi32(_mm256_castsi256_si128(units), _mm256_extracti128_si256(units, 1));
        }
    }

    __attribute__((target("avx2"))) static void aiplay_pair_outputs(
        const int16_t* pairs, const int32_t* first_bias, const int16_t* second, const int32_t* second_bias,
        const int16_t* inputs, int n_pairs, int n_hidden, int n_outputs, int unit_bits, int shift, int64_t* out
    ) {
        uint64_t found[8];          /* MAX_DENSE inputs are fewer than 8 * 64 pairs */
        __m128i hidden[16];         /* MAX_HIDDEN units of 16 bits: a unit of 1 is 1 << HIDDEN_BITS */
        int unit = 0;
        aiplay_find_pairs(inputs, n_pairs, found);
        #define UNITS(n) aiplay_pair_units( \\
            pairs + 2 * unit, first_bias + unit, inputs, found, n_pairs, n_hidden, n, unit_bits, shift, \\
            hidden + unit / 8)
        for (; unit + 64 <= n_hidden; unit += 64) UNITS(8);
        for (; unit + 32 <= n_hidden; unit += 32) UNITS(4);
        for (; unit < n_hidden; unit += 8) UNITS(1);
        #undef UNITS
        for (int output = 0; output < n_outputs; output++, second += n_hidden) {
            __m256i sums = _mm256_setzero_si256();
            int64_t parts[4];
            for (int i = 0; i < n_hidden / 8; i++) {
                __m128i weights = _mm_loadu_si128((const __m128i*)(second + 8 * i));
                sums = _mm256_add_epi64(sums, _mm256_cvtepi32_epi64(_mm_madd_epi16(hidden[i], weights)));
            }
            _mm256_storeu_si256((__m256i*)parts, sums);
            out[output] = second_bias[output] + parts[0] + parts[1] + parts[2] + parts[3];
        }
    }
    #else
    static int aiplay_has_pairs(void) { return 0; }

    static void aiplay_pair_outputs(
        const int16_t* pairs, const int32_t* first_bias, const int16_t* second, const int32_t* second_bias,
        const int16_t* inputs, int n_pairs, int n_hidden, int n_outputs, int unit_bits, int shift, int64_t* out
    ) {}
    #endif
    """
    # True if the processor multiplies and adds up pairs of numbers of 16 bits, 8 pairs at once (AVX2).
    bint has_pairs "aiplay_has_pairs" () noexcept nogil
    # x of every output, for such processors only.
    void pair_outputs "aiplay_pair_outputs" (
        const int16_t* pairs, const int32_t* first_bias, const int16_t* second, const int32_t* second_bias,
        const int16_t* inputs, int n_pairs, int n_hidden, int n_outputs, int unit_bits, int shift, int64_t* out
    ) noexcept nogil


cdef int python_active(
    const NetworkData* net, const void* s, seat_t first, bint is_chance, Active* out
) noexcept with gil:
    """The active inputs of a state of a game written in Python; none after a failure."""
    cdef Network network = <Network>net.source
    cdef int n = 0
    try:
        for number, amount in network.features.active(<object>(<const PythonState*>s).value, first, is_chance):
            if not 0 <= number < network.n_inputs or not 0 < amount <= FULL or n == MAX_ACTIVE:
                raise ValueError(f"input {number} with amount {amount}; allowed: below {network.n_inputs}, to {FULL}")
            out[n].input, out[n].amount = number, amount
            n += 1
    except BaseException as exception:
        note_failure(exception)
        n = 0
    return n


cdef inline void native_inputs(
    const GameOps* ops, const void* s, seat_t first, bint is_chance, int16_t* out
) noexcept nogil:
    """All inputs of a game with `features`: who decides, and chance, then the features."""
    memset(out, 0, (ops.seats + 1) * sizeof(int16_t))
    out[first] = FULL
    out[ops.seats] = FULL * is_chance
    ops.features(ops.rules, s, first, out + ops.seats + 1)


cdef int native_active(
    const GameOps* ops, const void* s, seat_t first, bint is_chance, Active* out
) noexcept nogil:
    """The active inputs of a game with `features`."""
    cdef int16_t inputs[MAX_DENSE]
    cdef int i, n = 0
    native_inputs(ops, s, first, is_chance, inputs)
    for i in range(ops.seats + 1 + ops.n_features):
        if inputs[i]:
            out[n].input, out[n].amount = i, inputs[i]
            n += 1
    return n


cdef inline int active_inputs(
    const NetworkData* net, const GameOps* ops, const void* s, seat_t first, bint is_chance, Active* out
) noexcept nogil:
    if net.source != NULL:
        return python_active(net, s, first, is_chance, out)
    if net.is_native:
        return native_active(ops, s, first, is_chance, out)
    return write_active(&net.plan, <const unsigned char*>s, first, is_chance, out)


cdef inline void add_full(int32_t* sums, const int32_t* products, int n) noexcept nogil:
    """Most inputs are 0 or 1: no product has to be computed."""
    cdef int i
    for i in range(n):
        sums[i] += products[i]


cdef inline void add_column(int32_t* sums, const int16_t* weights, int32_t amount, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        sums[i] += amount * <int32_t>weights[i]


cdef void hidden_units(const NetworkData* net, const Active* active, int n, int32_t* out) noexcept nogil:
    """The hidden units, 0 .. 1 << HIDDEN_BITS."""
    cdef int32_t sums[MAX_HIDDEN]
    cdef int32_t row
    cdef int i
    memcpy(sums, net.first_bias, net.n_hidden * sizeof(int32_t))
    for i in range(n):
        row = net.rows[active[i].input]
        if row < 0:
            continue
        if active[i].amount == FULL:
            add_full(sums, net.full + <size_t>row * net.n_hidden, net.n_hidden)
        else:
            add_column(sums, net.first + <size_t>row * net.n_hidden, active[i].amount, net.n_hidden)
    for i in range(net.n_hidden):
        out[i] = min(max(sums[i], 0), 1 << UNIT_BITS) >> (UNIT_BITS - HIDDEN_BITS)


cdef void sparse_outputs(
    const NetworkData* net, const GameOps* ops, const void* s, seat_t first, bint is_chance, int64_t* out
) noexcept nogil:
    """x of every output, from the active inputs."""
    cdef Active active[MAX_ACTIVE]
    cdef int32_t hidden[MAX_HIDDEN]
    cdef int i, k
    hidden_units(net, active, active_inputs(net, ops, s, first, is_chance, active), hidden)
    for k in range(net.n_outputs):
        out[k] = net.second_bias[k]
        for i in range(net.n_hidden):
            out[k] += <int64_t>hidden[i] * net.second[k * net.n_hidden + i]


cdef void dense_outputs(
    const NetworkData* net, const GameOps* ops, const void* s, seat_t first, bint is_chance, int64_t* out
) noexcept nogil:
    """x of every output, from all inputs of a game with `features`."""
    cdef int16_t inputs[MAX_DENSE + PADDING]
    memset(inputs + net.n_inputs, 0, PADDING * sizeof(int16_t))
    native_inputs(ops, s, first, is_chance, inputs)
    pair_outputs(
        net.pairs, net.first_bias, net.second, net.second_bias, inputs, (net.n_inputs + 1) // 2, net.n_hidden,
        net.n_outputs, UNIT_BITS, UNIT_BITS - HIDDEN_BITS, out,
    )


cdef inline double squashed(int64_t x) noexcept nogil:
    """(1 + x / sqrt(1 + x * x)) / 2 of x in units of OUTPUT_BITS: every step is exact, or rounded as IEEE 754 says."""
    x = min(max(x, -MOST_OUTPUT), MOST_OUTPUT)
    return 0.5 + 0.5 * (<double>x / sqrt(<double>(x * x + (<int64_t>1 << (2 * OUTPUT_BITS)))))


cdef void network_values(
    const void* context, const GameOps* ops, const void* s, seat_t to_move, double* out
) noexcept nogil:
    """The value of every seat, while the game is not over."""
    cdef const NetworkData* net = <const NetworkData*>context
    cdef int64_t x[MAX_SEATS]
    cdef seat_t first = to_move if to_move >= 0 else 0
    cdef int k, seat
    if net.pairs != NULL:
        dense_outputs(net, ops, s, first, to_move < 0, x)
    else:
        sparse_outputs(net, ops, s, first, to_move < 0, x)
    for k in range(net.n_outputs):
        seat = first + k if first + k < ops.seats else first + k - ops.seats
        out[seat] = squashed(x[k])
    if net.n_outputs == 1:
        for seat in range(ops.seats):
            out[seat] = out[first]


cdef class NativeFeatures:
    """The inputs of a native game with the function `features`."""

    def __init__(self, Game game not None):
        """ValueError if the game has no such function."""
        if game.ops.features == NULL:
            raise ValueError(f"{game.name} has no function features")
        self.size = game.ops.seats + 1 + game.ops.n_features


cdef class Network:
    """A network with its weights, bound to one game; many searches may share it."""

    def __init__(self, Game game not None, features, kept, int hidden, first, first_bias, second, second_bias):
        """Take the weights as buffers of 16-bit numbers and the biases as buffers of 32-bit ones.

        `features`: FieldFeatures or NativeFeatures, or for a game written in Python an object with `size` and `active`;
        `kept`: the inputs that the network uses, ascending. ValueError if sizes do not fit, or if sums could overflow.
        """
        cdef const int16_t[::1] first_view = first
        cdef const int16_t[::1] second_view = second
        cdef const int32_t[::1] full_view
        cdef const int32_t[::1] first_bias_view = first_bias
        cdef const int32_t[::1] second_bias_view = second_bias
        self.game, self.features, self.n_inputs = game, features, features.size
        self.data.n_hidden = hidden
        self._number_rows(kept)
        self.data.n_outputs = 1 if game.ops.is_cooperative else game.ops.seats
        self._check_sizes(len(first_view), len(first_bias_view), len(second_view), len(second_bias_view))
        self.data.first, self.data.first_bias = &first_view[0], &first_bias_view[0]
        self.data.second, self.data.second_bias = &second_view[0], &second_bias_view[0]
        full_view = array("i", [FULL * int(weight) for weight in first_view])
        self.data.full = &full_view[0]
        self.arrays += (full_view, first_view, first_bias_view, second_view, second_bias_view)
        self._check_sums()
        if isinstance(features, FieldFeatures):
            self.data.plan = (<FieldFeatures>features).plan
        elif isinstance(features, NativeFeatures):
            self.data.is_native = True
            if has_pairs():
                self._pair()
        else:
            self.data.source = <void*>self
        self.judge.function, self.judge.context = network_values, &self.data

    cdef int _number_rows(self, object kept) except -1:
        """Give every input that is kept a row of the first layer."""
        cdef int32_t[::1] rows
        cdef int number
        if not 1 <= self.n_inputs <= MAX_INPUTS:
            raise ValueError(f"{self.n_inputs} inputs; allowed: 1 to {MAX_INPUTS}")
        rows = array("i", [-1]) * self.n_inputs
        for number in kept:
            if not 0 <= number < self.n_inputs:
                raise ValueError(f"input {number}; allowed: below {self.n_inputs}")
            rows[number] = self.data.n_rows
            self.data.n_rows += 1
        self.data.rows, self.arrays = &rows[0], (rows,)
        return 0

    cdef int _pair(self) except -1:
        """Lay the weights of two inputs to the same unit side by side: 0 for inputs without a row."""
        cdef int hidden = self.data.n_hidden
        cdef int16_t[::1] pairs = array("h", [0]) * ((self.n_inputs + 1) // 2 * 2 * hidden)
        cdef int i, k, row
        for k in range(self.n_inputs):
            row = self.data.rows[k]
            if row < 0:
                continue
            for i in range(hidden):
                pairs[(k // 2 * hidden + i) * 2 + k % 2] = self.data.first[row * hidden + i]
        self.data.pairs, self.data.n_inputs = &pairs[0], self.n_inputs
        self.arrays += (pairs,)
        return 0

    def _check_sizes(self, *sizes):
        cdef int hidden = self.data.n_hidden
        if hidden % 8 or not 8 <= hidden <= MAX_HIDDEN:
            raise ValueError(f"{hidden} hidden units; allowed: 8 to {MAX_HIDDEN}, a multiple of 8")
        needed = (self.data.n_rows * hidden, hidden, self.data.n_outputs * hidden, self.data.n_outputs)
        if sizes != needed:
            raise ValueError(f"the layers have {sizes} numbers; needed are {needed}")

    cdef int _check_sums(self) except -1:
        """Raise ValueError if a sum of the first layer could leave 32 bits."""
        cdef int64_t total
        cdef int i, k
        for i in range(self.data.n_hidden):
            total = abs(<int64_t>self.data.first_bias[i])
            for k in range(self.data.n_rows):
                total += FULL * abs(<int64_t>self.data.first[k * self.data.n_hidden + i])
            if total >= MOST_SUM:
                raise ValueError(f"the weights of hidden unit {i} are too large")
        return 0

    def values(self, State state not None):
        """Return the value of every seat in a state of the game that is not over."""
        cdef double out[MAX_SEATS]
        cdef const GameOps* ops = &self.game.ops
        cdef seat_t to_move = ops.to_move(ops.rules, state.data)
        cdef int seat
        if state.game != self.game or to_move == TERMINAL:
            raise ValueError(f"{state!r} is not a position of {self.game!r} in which somebody decides")
        with nogil:
            network_values(&self.data, ops, state.data, to_move, out)
        self.game.raise_failure()
        return [out[seat] for seat in range(ops.seats)]

    def active(self, State state not None):
        """Return the active inputs of a state, as (input, amount), and the seat that comes first."""
        return active_of(self.features, state)


def active_of(features, State state not None):
    """Return the active inputs of a state as (input, amount), and the seat that comes first: who decides, or seat 0."""
    cdef Active active[MAX_ACTIVE]
    cdef const GameOps* ops = &state.game.ops
    cdef seat_t to_move = ops.to_move(ops.rules, state.data)
    cdef seat_t first = to_move if to_move >= 0 else 0
    cdef int i, n
    if isinstance(features, NativeFeatures):
        n = native_active(ops, state.data, first, to_move < 0, active)
    elif not isinstance(features, FieldFeatures):
        return list(features.active(state.fields, first, to_move < 0)), first
    else:
        n = write_active(&(<FieldFeatures>features).plan, <const unsigned char*>state.data, first, to_move < 0, active)
    return [(active[i].input, active[i].amount) for i in range(n)], first


def features_of(State state not None, seat):
    """Return what a trained value sees of a state of a game with `features`, with `seat` first: numbers from 0 to 1."""
    cdef int16_t out[MAX_FEATURES]
    cdef const GameOps* ops = &state.game.ops
    cdef int first = seat, i
    if not 0 <= first < ops.seats or ops.features == NULL or ops.to_move(ops.rules, state.data) == TERMINAL:
        raise ValueError(f"{state!r} and seat {seat} have no features")
    ops.features(ops.rules, state.data, first, out)
    return [out[i] / <double>FULL for i in range(ops.n_features)]


def write_inputs(features, State state not None, int16_t[::1] out not None):
    """Write the inputs of a state, 0 to FULL each, into a row of all of them; return the seat that comes first."""
    cdef const GameOps* ops = &state.game.ops
    cdef seat_t to_move = ops.to_move(ops.rules, state.data)
    cdef seat_t first = to_move if to_move >= 0 else 0
    cdef int number, amount
    if len(out) != features.size:
        raise ValueError(f"a row of {len(out)} numbers for {features.size} inputs")
    if isinstance(features, NativeFeatures):
        native_inputs(ops, state.data, first, to_move < 0, &out[0])
        return first
    memset(&out[0], 0, len(out) * sizeof(int16_t))
    for number, amount in active_of(features, state)[0]:
        out[number] = amount
    return first
