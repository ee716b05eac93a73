# Levitation: how promising a move looks, by the same outlook that the guess of levitation_value.pxd takes, but without
# making the move. Playouts take the best one.

from aiplay._core.games.levitation.state cimport *
from aiplay._core.games.levitation.board cimport *
from aiplay._core.games.levitation.value cimport (
    Outlook, begin_outlook, card_worth, effect_yield, look_around, look_at_uses, main_worth, space_worth, use_worth,
)
from aiplay._core.typedefs cimport move_t, uint64_t


cdef inline double start_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, move_t move
) noexcept nogil:
    """A die, or a throw of all of them."""
    cdef int die = move - MOVE_DRAFT
    if move < MOVE_DRAFT:
        return r.weights[W_ROLL]
    return main_worth(r, s, o, seat, die // N_COLOURS, die % N_COLOURS) + o.uses[die % N_COLOURS]


cdef inline double city_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int city
) noexcept nogil:
    """A city to take a card from, or to send a ticket to."""
    cdef int card = s.city_cards[city]
    return card_worth(r, s, o, seat, card) if card >= 0 else o.city[city]


cdef inline double card_target_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int card
) noexcept nogil:
    """A card of another to disable, or an own one to give away: the best and the worst."""
    cdef double worth = effect_yield(r, s, o, seat, card) + s.flair[card]
    return worth if r.effects[s.source] == EFFECT_DISABLE else -worth


cdef inline double colour_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int colour
) noexcept nogil:
    """What the die is good for in another colour."""
    return o.uses[colour] + (0.0 if s.has_acted else main_worth(r, s, o, seat, s.master, colour))


cdef inline double move_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, move_t move
) noexcept nogil:
    """Points that a move may bring; 0 for ending the action."""
    cdef int phase = s.phase
    if phase == PHASE_START:
        return start_worth(r, s, o, seat, move)
    if phase == PHASE_PATH:
        return r.amounts[r.paths[move - MOVE_PATH][0]]
    if move >= MOVE_PARTNER:
        return o.city[(move - MOVE_PARTNER) % N_CITIES]
    if move >= MOVE_AMOUNT:
        return move - MOVE_AMOUNT
    if move >= MOVE_COLOUR:
        return colour_worth(r, s, o, seat, move - MOVE_COLOUR)
    if move >= MOVE_CARD:
        if phase == PHASE_FLAIR:
            return o.flair + 0.01 * effect_yield(r, s, o, seat, move - MOVE_CARD)
        if phase == PHASE_TARGET:
            return card_target_worth(r, s, o, seat, move - MOVE_CARD)
        return use_worth(r, s, o, seat, move - MOVE_CARD, free_cubes(s, seat)) + s.flair[move - MOVE_CARD]
    if move >= MOVE_SPACE:
        return space_worth(r, s, seat, move - MOVE_SPACE, o.left) - o.last_ticket
    if move >= MOVE_CITY:
        return city_worth(r, s, o, seat, move - MOVE_CITY)
    if move == MOVE_TICKETS:
        return main_worth(r, s, o, seat, HERRMANN, s.colour)
    return 1.0 if move == MOVE_DISCARD else 0.0


cdef inline move_t best_move(
    const LevitationRules* r, const LevitationState* s, int seat, const move_t* moves, int n
) noexcept nogil:
    """The most promising of n moves, the last of equals: ending an action comes first."""
    cdef Outlook o
    cdef double worth, best_worth = -1e9
    cdef move_t best = moves[0]
    cdef int i
    begin_outlook(r, s, &o, seat, open_cities(s))
    look_around(r, s, &o, seat)
    if s.phase == PHASE_START or s.phase == PHASE_TARGET:
        look_at_uses(r, s, &o, seat, ~<uint64_t>0)
    for i in range(n):
        worth = move_worth(r, s, &o, seat, moves[i])
        if worth >= best_worth:
            best_worth = worth
            best = moves[i]
    return best
