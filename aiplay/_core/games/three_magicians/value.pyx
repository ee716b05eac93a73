"""The heuristic of The Three Magicians: a race against the clock of everybody else.

For every seat the turns that it would still need alone at the table are known (see
three_magicians_solve.pyx). A position counts as it stands, as if the turn ended here: to find the best way to
finish a turn is what searching is for. Only what has to be settled first is looked into: the victim of a theft,
and in a duel both ends with the chances of best play. An Apprentice where a rival's Magician may come is worth
a little less. The chance to win falls with a power of the turns to go; near the turn cap the cards at hand
count more and more.
"""

from libc.math cimport exp, pow
from libc.string cimport memcpy

from aiplay._core.bits cimport popcount
from aiplay._core.games.three_magicians.rules cimport (
    ALL_CARDS, DUEL_KEEP, DUEL_THROW, FIRST, LABYRINTH, N_TAROT, OVER, STEAL, THROW, MagiciansRules,
    MagiciansState, end_duel, solo_turns, steal, thrower,
)
from aiplay._core.games.three_magicians.solve cimport keep_value
from aiplay._core.typedefs cimport uint64_t

cdef double FAR = 1e9           # turns to what cannot be reached

# Fitted to games of greedy players: the chance to win goes with (turns + HEAD_START) ** -STEEPNESS.
cdef double HEAD_START = 8.0
cdef double STEEPNESS = 1.7
cdef double WARINESS = 0.2      # how often a rival's Magician banishes the Apprentice that it can reach
cdef double CARD_EDGE = 2.0     # near the turn cap: what one card more is worth, as a logarithm of odds


# ---- Turns to go -------------------------------------------------------------------------------------------

cdef double reach(const MagiciansRules* r, const MagiciansState* s, int rival, int place) noexcept nogil:
    """The chance that a rival's next throw takes its Magician to a place."""
    cdef const uint64_t* jumps = r.jumps[s.magicians[rival]]
    cdef double p = 0.0
    cdef int n
    for n in range(1, 3):
        if jumps[n] >> place & 1:
            if rival == s.seat and s.phase != THROW:
                p += n == s.jump                # it has thrown
            else:
                p += r.notch_p[n]
    return p


cdef double danger(const MagiciansRules* r, const MagiciansState* s, int seat, int place) noexcept nogil:
    """How many rivals' Magicians may be expected at a place before the seat's next turn, if they want to come."""
    cdef int turns_away = (seat - s.seat + r.seats) % r.seats
    cdef double total = 0.0
    cdef int rival
    for rival in range(r.seats):
        if rival == seat or s.magicians[rival] == LABYRINTH:
            continue
        if turns_away == 0 or (rival - s.seat + r.seats) % r.seats < turns_away:
            total += reach(r, s, rival, place)
    return total


cdef double seat_turns(const MagiciansRules* r, const MagiciansState* s, int seat) noexcept nogil:
    """Turns to go if the turn ended here; a seat whose turn has not begun needs one turn more for the same."""
    cdef int missing = ALL_CARDS & ~s.cards[seat]
    cdef int magician = s.magicians[seat], apprentice = s.apprentices[seat]
    cdef double turns = solo_turns(r, missing, s.powers[seat], magician, apprentice)
    cdef double banished
    if apprentice < N_TAROT:
        banished = solo_turns(r, missing, 0, magician, LABYRINTH)
        turns += WARINESS * danger(r, s, seat, apprentice) * (banished - turns)
    if seat != s.seat or s.phase == THROW:
        turns -= 1.0
    return max(turns, 0.0)


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


cdef void race(const MagiciansRules* r, const MagiciansState* s, double* out) noexcept nogil:
    """The chances to win when no duel and no theft is going on."""
    cdef double turns[3]
    cdef int seat, away
    for away in range(r.seats):
        seat = (s.seat + away) % r.seats
        turns[seat] = seat_turns(r, s, seat) + <double>away / r.seats
    share(r, s, turns, out)


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
