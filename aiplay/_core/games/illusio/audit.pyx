"""Illusio: games at full speed with every card counted after every move, for soak tests."""

from libc.string cimport memset

from aiplay._core.contract cimport GameOps
from aiplay._core.game cimport State
from aiplay._core.games.illusio.components cimport n_filled, present_kind
from aiplay._core.games.illusio.state cimport (
    ALL_NEEDS, COUNT_BITS, COUNT_STRIDE, DEJA_VU, DISPLAYED, ENCORE, GRAND, HAND_SIZE, KIND_STRIDE, NOT_IN_GAME,
    NOT_IN_PLAY, NO_CARD, N_COMPONENTS, N_COMPONENT_KINDS, N_KINDS, N_OBJECTIVES, PLACED, REALISING, TRANSFORM,
    IllusioRules, IllusioState,
)
from aiplay._core.rng cimport Rng, derive_seed, rng_below, rng_from_seed
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, TERMINAL, move_t, seat_t, uint64_t

from aiplay._core.stream import check_seed


cdef int find_lost_card(const IllusioRules* r, const IllusioState* s) noexcept nogil:
    """The first kind whose cards do not add up to the number in the game, or -1."""
    cdef int counts[NO_CARD + 1]
    cdef int seat, i, kind
    memset(counts, 0, sizeof(counts))
    for kind in range(N_KINDS):
        counts[kind] = s.deck[kind] + s.discards[kind]
    for seat in range(r.seats):
        for i in range(HAND_SIZE):
            counts[s.hands[seat][i]] += 1
    for i in range(N_COMPONENTS):
        counts[r.kind_of[i]] += s.place[i] != NOT_IN_PLAY
        counts[TRANSFORM] += s.now[i] // KIND_STRIDE
    for i in range(N_OBJECTIVES):
        counts[ENCORE] += s.encores[i] & COUNT_BITS
        counts[DEJA_VU] += s.marks[i] % COUNT_STRIDE
        counts[GRAND] += s.marks[i] // COUNT_STRIDE
    for kind in range(N_KINDS):
        if counts[kind] != r.total[kind]:
            return kind
    return -1


cdef bint is_canonical(const IllusioRules* r, const IllusioState* s) noexcept nogil:
    """True if hands and components are sorted, the first of equal cards are known, and filled needs have components."""
    cdef int seat, i, n_placed = 0, n_slots = 0
    for seat in range(r.seats):
        for i in range(1, HAND_SIZE):
            if s.hands[seat][i - 1] > s.hands[seat][i] or (i >= s.n_hand[seat]) != (s.hands[seat][i] == NO_CARD):
                return False
            if s.hands[seat][i - 1] == s.hands[seat][i] and s.known[seat][i] & ~s.known[seat][i - 1]:
                return False
    for i in range(N_COMPONENTS):
        n_placed += s.place[i] >= PLACED
        if i and r.kind_of[i] == r.kind_of[i - 1]:
            if (s.place[i - 1] << 8 | s.now[i - 1]) > (s.place[i] << 8 | s.now[i]):
                return False
        if s.place[i] != NOT_IN_PLAY and present_kind(s, i) >= N_COMPONENT_KINDS:
            return False
    for i in range(N_OBJECTIVES):
        n_slots += n_filled(s, i)
        if s.filled[i] and s.objectives[i] < REALISING:
            return False
        if s.objectives[i] == NOT_IN_GAME:
            continue
        if (s.objectives[i] >= DISPLAYED) != ((s.filled[i] & ALL_NEEDS) == (1 << r.n_needs[i]) - 1):
            return False
    return n_placed == n_slots


def audit_games(State state not None, long games, int eager, seed=0):
    """Play games on from a state of Illusio and count every card after every move; return the number of moves.

    Of 16 moves, on average, `eager` come from the game's playout policy; the others are random. If the cards ever
    differ from those of the game, ValueError names the game, the move and the kind; it is also raised for a state that
    is not canonical and for a game longer than `max_depth`.
    """
    cdef const GameOps* ops = &state.game.ops
    cdef const IllusioRules* r = <const IllusioRules*>ops.rules
    cdef IllusioState s
    cdef move_t moves[MAX_MOVES]
    cdef Rng rng
    cdef uint64_t base = check_seed(seed)
    cdef seat_t seat
    cdef long game, total = 0, depth
    cdef int lost
    cdef move_t move
    for game in range(games):
        rng = rng_from_seed(derive_seed(base, game))
        s = (<const IllusioState*>state.data)[0]
        depth = 0
        seat = ops.to_move(r, &s)
        while seat != TERMINAL:
            if seat == CHANCE:
                move = ops.sample_chance(r, &s, &rng)
            elif <int>rng_below(&rng, 16) < eager:
                move = ops.playout_move(r, &s, &rng)
            else:
                move = moves[rng_below(&rng, ops.legal_moves(r, &s, moves))]
            ops.play(r, &s, move)
            depth += 1
            lost = find_lost_card(r, &s)
            if lost >= 0 or not is_canonical(r, &s) or depth > ops.max_depth:
                problem = f"wrong number of cards of kind {lost}" if lost >= 0 else "not canonical, or too long"
                raise ValueError(f"game {game}, move {depth} ({move}): {problem}")
            seat = ops.to_move(r, &s)
        total += depth
    return total
