"""The heuristic of The Three Magicians: a race against the clock of everybody else.

For every seat the turns that it would still need alone at the table are known (see
three_magicians_solve.pyx). In the middle of a turn the best way to finish it counts, on magic symbols the
best use of them, in a duel both ends with the chances of best play. An Apprentice where a rival's Magician
may come is worth a little less. The chance to win falls with a power of the turns to go; near the turn cap
the cards at hand count more and more.
"""

from libc.math cimport exp, pow
from libc.string cimport memcpy

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.three_magicians_rules cimport (
    ALL_CARDS, DUEL_KEEP, DUEL_THROW, FIRST, LABYRINTH, MAGIC, MOVE, N_TAROT, OFFER, OVER, STAR,
    STEAL, SYMBOL_ARROW, SYMBOL_EMPTY, SYMBOL_STAR, THROW, TIE, MagiciansRules, MagiciansState, end_duel,
    jump_ends, solo_turns, steal, thrower, walk_ends,
)
from aiplay._core.games.three_magicians_solve cimport keep_value
from aiplay._core.typedefs cimport uint64_t

cdef double FAR = 1e9           # turns to what cannot be reached

# Fitted to games of greedy players: the chance to win goes with (turns + HEAD_START) ** -STEEPNESS.
cdef double HEAD_START = 8.0
cdef double STEEPNESS = 1.7
cdef double WARINESS = 0.2      # how often a rival's Magician banishes the Apprentice that it can reach
cdef double CARD_EDGE = 2.0     # near the turn cap: what one card more is worth, as a logarithm of odds


cdef struct Outlook:            # a position as one seat sees it
    const MagiciansRules* r
    const MagiciansState* s
    int seat
    int missing                 # cards that it lacks
    int power                   # whether it has the Power token
    uint64_t jumps              # where its Magician can still jump in this turn without a duel
    uint64_t blocked            # tarot places with a rival's Magician
    double danger[7]            # chance that a rival's Magician comes to a place before the seat's next turn


# ---- What a seat sees --------------------------------------------------------------------------------------

cdef void add_danger(Outlook* o, int rival) noexcept nogil:
    cdef const MagiciansRules* r = o.r
    cdef const MagiciansState* s = o.s
    cdef const uint64_t* jumps = r.jumps[s.magicians[rival]]
    cdef double p
    cdef int place, n
    for n in range(1, 3):
        p = r.notch_p[n]
        if rival == s.seat and s.phase != THROW:
            p = 1.0 if n == s.jump else 0.0     # it has thrown
        for place in range(N_TAROT):
            if jumps[n] >> place & 1:
                o.danger[place] += p


cdef void look(Outlook* o, const MagiciansRules* r, const MagiciansState* s, int seat) noexcept nogil:
    cdef int turns_away = (seat - s.seat + r.seats) % r.seats
    cdef int rival, place
    o.r = r
    o.s = s
    o.seat = seat
    o.missing = ALL_CARDS & ~s.cards[seat]
    o.power = s.powers[seat]
    o.blocked = 0
    for place in range(N_TAROT):
        o.danger[place] = 0.0
    for rival in range(r.seats):
        place = s.magicians[rival]
        if rival == seat or place == LABYRINTH:
            continue
        if place < N_TAROT:
            o.blocked |= <uint64_t>1 << place
        if turns_away == 0 or (rival - s.seat + r.seats) % r.seats < turns_away:
            add_danger(o, rival)
    o.jumps = jump_ends(r, s) & ~o.blocked if turns_away == 0 else 0


# ---- Turns to go -------------------------------------------------------------------------------------------

cdef inline double stand(
    const Outlook* o, int missing, int power, int magician, int apprentice
) noexcept nogil:
    """Turns to go at the end of a turn with the figures at these spots."""
    cdef double turns = solo_turns(o.r, missing, power, magician, apprentice)
    if apprentice < N_TAROT and o.danger[apprentice] > 0.0:
        turns += WARINESS * o.danger[apprentice] * (solo_turns(o.r, missing, 0, magician, LABYRINTH) - turns)
    return turns


cdef inline int without(int missing, int magician, int apprentice) noexcept nogil:
    """What is missing after one of the figures has arrived."""
    return missing & ~(1 << magician) if magician == apprentice else missing


cdef double arrive(const Outlook* o, int spot) noexcept nogil:
    """The best end of the turn after the Apprentice has come to a spot."""
    cdef int magician = o.s.magicians[o.seat]
    cdef int missing = without(o.missing, magician, spot)
    cdef double best = stand(o, missing, o.power, magician, spot)
    cdef uint64_t jumps = o.jumps
    while jumps:
        magician = lowest_bit(jumps)
        jumps &= jumps - 1
        best = min(best, stand(o, without(missing, magician, spot), o.power, magician, spot))
    return best


cdef double stay(const Outlook* o) noexcept nogil:
    """The best end of the turn when the Apprentice stays."""
    cdef int spot = o.s.apprentices[o.seat]
    cdef double best = stand(o, o.missing, o.power, o.s.magicians[o.seat], spot)
    cdef uint64_t jumps = o.jumps
    cdef int magician
    while jumps:
        magician = lowest_bit(jumps)
        jumps &= jumps - 1
        best = min(best, stand(o, without(o.missing, magician, spot), o.power, magician, spot))
    return best


cdef double move_turns(const Outlook* o) noexcept nogil:
    """The best end of the turn in the middle of it."""
    cdef int spot = o.s.apprentices[o.seat]
    cdef int rest = <int>(<uint64_t>o.missing & ~(<uint64_t>1 << spot))     # the spot may be a stone
    cdef uint64_t all_walks = walk_ends(o.r, o.s)
    cdef uint64_t walks = all_walks & ~o.blocked
    cdef double best = FAR
    cdef bint meets_first = o.jumps >> spot & 1
    if not all_walks or not o.r.must_walk:
        best = stay(o)
    elif not walks:                             # every way ends at a rival's Magician
        return stand(o, o.missing, 0, o.s.magicians[o.seat], LABYRINTH)
    while walks:
        best = min(best, arrive(o, lowest_bit(walks)))
        if meets_first:                         # the Magician comes to the Apprentice, which then walks on
            best = min(best, stand(o, rest, o.power, spot, lowest_bit(walks)))
        walks &= walks - 1
    return best


cdef double star_turns(const Outlook* o) noexcept nogil:
    cdef double best = FAR
    cdef int place
    for place in range(LABYRINTH):
        if not o.blocked >> place & 1:
            best = min(best, arrive(o, place))
    return best


cdef double symbol_turns(const Outlook* o, int seen, double star) noexcept nogil:
    """The best of the symbols seen most."""
    cdef int magician = o.s.magicians[o.seat]
    cdef double best = FAR
    if o.r.has_fate and popcount(seen) == 2 and seen & SYMBOL_EMPTY:
        seen = SYMBOL_EMPTY
    if seen & SYMBOL_STAR:
        best = star
    if seen & SYMBOL_ARROW:
        best = min(best, stand(o, o.missing, 1, magician, o.s.apprentices[o.seat]))
    if seen & SYMBOL_EMPTY:
        best = min(best, stand(o, o.missing, 0, magician, LABYRINTH))
    return best


cdef double seat_turns(const Outlook* o) noexcept nogil:
    """Turns to go after this one; a seat whose turn has not begun needs one turn more for the same."""
    cdef const MagiciansState* s = o.s
    if o.seat != s.seat or s.phase == THROW:
        return stand(o, o.missing, o.power, s.magicians[o.seat], s.apprentices[o.seat]) - 1.0
    if s.phase == MOVE:
        return move_turns(o)
    if s.phase == TIE:
        return symbol_turns(o, s.tied, star_turns(o))
    if s.phase == STAR:
        return star_turns(o)
    return stay(o)


# ---- Chances to win ----------------------------------------------------------------------------------------

cdef void mix_cards(
    const MagiciansRules* r, const MagiciansState* s, const double* turns, double fastest, double* out
) noexcept nogil:
    """Near the turn cap: mix in the chances to have the most cards then."""
    cdef double left = <double>(r.turn_cap - s.n_turns) / r.seats
    cdef double finishes = 1.0 - exp(-(left / fastest) * (left / fastest))
    cdef double edge = CARD_EDGE + 6.0 / (1.0 + left)
    cdef double odds[3]
    cdef double total = 0.0
    cdef int seat, missing
    for seat in range(r.seats):
        missing = N_TAROT - popcount(s.cards[seat])
        odds[seat] = exp(edge * (missing * min(left / (turns[seat] + 1.0), 1.0) - missing))
        total += odds[seat]
    for seat in range(r.seats):
        out[seat] = finishes * out[seat] + (1.0 - finishes) * odds[seat] / total


cdef void share(const MagiciansRules* r, const MagiciansState* s, const double* turns, double* out) noexcept nogil:
    """The chances to win, given everybody's turns to go."""
    cdef double total = 0.0, fastest = FAR
    cdef int seat
    for seat in range(r.seats):
        out[seat] = pow(turns[seat] + HEAD_START, -STEEPNESS)
        total += out[seat]
        fastest = min(fastest, turns[seat] + 1.0)
    for seat in range(r.seats):
        out[seat] /= total
    if (r.turn_cap - s.n_turns) < 3 * r.seats * fastest:
        mix_cards(r, s, turns, fastest, out)


cdef void cast(const Outlook* o, double* turns, double* out) noexcept nogil:
    """The chances before a throw for magic: the mean over what the wands may show."""
    cdef const MagiciansRules* r = o.r
    cdef double star = star_turns(o)
    cdef double values[3]
    cdef int i, seat
    for seat in range(r.seats):
        out[seat] = 0.0
    for i in range(r.magics.n):
        turns[o.seat] = symbol_turns(o, r.magics.moves[i], star)
        share(r, o.s, turns, values)
        for seat in range(r.seats):
            out[seat] += r.magics.p[i] * values[seat]


cdef void race(const MagiciansRules* r, const MagiciansState* s, double* out) noexcept nogil:
    """The chances to win when no duel and no theft is going on."""
    cdef Outlook o
    cdef double turns[3]
    cdef double values[3]
    cdef int seat, away
    for away in range(r.seats - 1, -1, -1):     # the seat whose turn it is comes last: `o` is then its outlook
        seat = (s.seat + away) % r.seats
        look(&o, r, s, seat)
        turns[seat] = max(seat_turns(&o), 0.0) + <double>away / r.seats
    share(r, s, turns, out)
    if s.phase == OFFER or s.phase == MAGIC:
        cast(&o, turns, values)
        if s.phase == MAGIC or values[s.seat] > out[s.seat]:
            memcpy(out, values, r.seats * sizeof(double))


cdef double duel_chance(const MagiciansRules* r, const MagiciansState* s) noexcept nogil:
    """The chance that the seat whose turn it is wins the duel."""
    cdef double p
    cdef int thrown[3]
    cdef int i
    if s.phase == DUEL_KEEP:
        for i in range(3):
            thrown[i] = s.thrown[i]
        p = keep_value(r, s.goal, s.goal_throws, s.n_throws, s.n_kept, s.kept, thrown)
    elif s.is_second:
        p = r.second_wins[s.goal][s.goal_throws][s.n_throws][s.n_kept][s.kept]
    else:
        p = r.first_wins[s.n_throws][s.n_kept][s.kept]
    return p if thrower(s) == s.seat else 1.0 - p


cdef void value_after(const MagiciansRules* r, const MagiciansState* s, double* out) noexcept nogil:
    """The chances in a state that may be over, but in which nothing is to be settled first."""
    cdef int seat
    if s.phase != OVER:
        race(r, s, out)
        return
    for seat in range(r.seats):
        out[seat] = 1.0 if s.cards[seat] == ALL_CARDS else 0.0


cdef void choose_victim(const MagiciansRules* r, const MagiciansState* s, double* out) noexcept nogil:
    """The chances after the theft that is best for the thief."""
    cdef MagiciansState after
    cdef double values[3]
    cdef int victim
    out[s.seat] = -1.0
    for victim in range(r.seats):
        if s.cards[victim] >> s.magicians[s.seat] & 1:
            after = s[0]
            steal(&after, victim)
            value_after(r, &after, values)
            if values[s.seat] > out[s.seat]:
                memcpy(out, values, r.seats * sizeof(double))


cdef void fight(const MagiciansRules* r, const MagiciansState* s, double* out) noexcept nogil:
    """The chances in a duel: both ends, with the chances of best play."""
    cdef MagiciansState won = s[0], lost = s[0]
    cdef double p = duel_chance(r, s)
    cdef double values[3]
    cdef int seat
    end_duel(r, &won, s.seat)
    end_duel(r, &lost, s.rival)
    value_after(r, &won, out)
    value_after(r, &lost, values)
    for seat in range(r.seats):
        out[seat] = p * out[seat] + (1.0 - p) * values[seat]


cdef void magicians_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    cdef const MagiciansRules* r = <const MagiciansRules*>rules
    cdef const MagiciansState* s = <const MagiciansState*>state
    cdef int seat
    if s.phase == FIRST:
        for seat in range(r.seats):
            out[seat] = 1.0 / r.seats
    elif s.phase == DUEL_THROW or s.phase == DUEL_KEEP:
        fight(r, s, out)
    elif s.phase == STEAL:
        choose_victim(r, s, out)
    else:
        race(r, s, out)
