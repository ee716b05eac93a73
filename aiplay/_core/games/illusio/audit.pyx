"""Illusio: games played at full speed with every card counted after every move. For soak tests."""

from libc.string cimport memset

from aiplay._core.contract cimport GameOps
from aiplay._core.game cimport State
from aiplay._core.games.illusio.state cimport (
    DEJA_VU, DISPLAYED, ENCORE, GRAND, HAND_SIZE, N_COMPONENT_KINDS, N_COMPONENTS, N_KINDS, N_OBJECTIVES, NO_CARD,
    REALISING, TRANSFORM, IllusioRules, IllusioState,
)
from aiplay._core.rng cimport Rng, derive_seed, rng_below, rng_from_seed
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, TERMINAL, move_t, seat_t, uint64_t

from aiplay._core.stream import check_seed


cdef int find_lost_card(const IllusioRules* r, const IllusioState* s) noexcept nogil:
    """The first kind of card that is not somewhere exactly as often as the game has it, or -1."""
    cdef int counts[N_KINDS + 2]
    cdef int seat, i, kind
    memset(counts, 0, sizeof(counts))
    for kind in range(N_KINDS):
        counts[kind] = s.deck[kind] + s.discards[kind]
    for seat in range(r.seats):
        for i in range(HAND_SIZE):
            counts[s.hands[seat][i]] += 1
    for i in range(N_COMPONENTS):
        counts[r.kind_of[i]] += s.place[i] != 0
        counts[TRANSFORM] += s.now[i] >> 4
    for i in range(N_OBJECTIVES):
        counts[ENCORE] += s.encores[i] & 15
        counts[DEJA_VU] += s.marks[i] & 15
        counts[GRAND] += s.marks[i] >> 4
    for kind in range(N_KINDS):
        if counts[kind] != r.total[kind]:
            return kind
    return -1


cdef bint is_canonical(const IllusioRules* r, const IllusioState* s) noexcept nogil:
    """Hands and components are sorted, the first of equal cards are the known ones, needs match components."""
    cdef int seat, i, n_placed = 0, n_filled = 0
    for seat in range(r.seats):
        for i in range(1, HAND_SIZE):
            if s.hands[seat][i - 1] > s.hands[seat][i] or (i >= s.n_hand[seat]) != (s.hands[seat][i] == NO_CARD):
                return False
            if s.hands[seat][i - 1] == s.hands[seat][i] and s.known[seat][i] & ~s.known[seat][i - 1]:
                return False
    for i in range(N_COMPONENTS):
        n_placed += s.place[i] >= 8
        if i and r.kind_of[i] == r.kind_of[i - 1]:
            if (s.place[i - 1] << 8 | s.now[i - 1]) > (s.place[i] << 8 | s.now[i]):
                return False
        if s.place[i] and (s.now[i] & 15) >= N_COMPONENT_KINDS:
            return False
    for i in range(N_OBJECTIVES):
        for seat in range(4):
            n_filled += s.filled[i] >> seat & 1
        if s.filled[i] and s.objectives[i] < REALISING:
            return False
        if (s.objectives[i] >= DISPLAYED) != ((s.filled[i] & 15) == (1 << r.level[i]) - 1):
            return False
    return n_placed == n_filled


def audit_games(State state not None, long games, int eager, seed=0):
    """Play games on from a state of Illusio; return how many moves that were, every card counted after each of them.

    Of 16 moves `eager` are the game's own choice for playouts, the others are random. ValueError tells the game, the
    move and the card if one is ever lost.
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
                raise ValueError(f"game {game}, move {depth} ({move}): wrong number of cards of kind {lost}")
            seat = ops.to_move(r, &s)
        total += depth
    return total
