"""The evaluation of The Three Magicians: a race of the seats.

`solve` gives the turns that every seat would still need alone. A position is evaluated as if the turn ended here;
finding the best way to finish a turn is left to search. Only open decisions are looked into: a theft takes the best
victim, and a duel is the mean of both results with the chances of best play. An Apprentice that a rival's Magician can
reach is worth a little less. The chance to win falls with a power of the turns to go; near the turn cap the cards
that a seat owns count more and more.
"""

from libc.math cimport exp, pow
from libc.string cimport memcpy

from aiplay._core.bits cimport popcount
from aiplay._core.games.three_magicians.rules cimport end_duel, steal
from aiplay._core.games.three_magicians.solve cimport keep_value
from aiplay._core.games.three_magicians.state cimport (
    ALL_CARDS, DUEL_KEEP, DUEL_THROW, FIRST, LABYRINTH, MAX_PLAYERS, N_NOTCHES, N_TAROT, OVER, STEAL, THROW,
    ThreeMagiciansRules, ThreeMagiciansState, solo_turns, thrower,
)
from aiplay._core.typedefs cimport uint64_t

cdef double FAR = 1e9           # turns to something that cannot be reached

# Fitted to games of greedy players. The chance to win is proportional to (turns + HEAD_START) ** -STEEPNESS.
cdef double HEAD_START = 8.0
cdef double STEEPNESS = 1.7
cdef double WARINESS = 0.2      # chance that a rival's Magician banishes an Apprentice that it can reach
cdef double CARD_EDGE = 2.0     # near the turn cap: log odds of one more card


# ---- Turns to go -------------------------------------------------------------------------------------------

cdef double reach(const ThreeMagiciansRules* r, const ThreeMagiciansState* s, int rival, int place) noexcept nogil:
    """The chance that a rival's next throw takes its Magician to a place."""
    cdef const uint64_t* jumps = r.jumps[s.magicians[rival]]
    cdef double p = 0.0
    cdef int n
    for n in range(1, N_NOTCHES):
        if jumps[n] >> place & 1:
            if rival == s.seat and s.phase != THROW:
                p += n == s.jump                # it has already thrown
            else:
                p += r.notch_p[n]
    return p


cdef double danger(const ThreeMagiciansRules* r, const ThreeMagiciansState* s, int seat, int place) noexcept nogil:
    """Expected number of rivals whose Magician can reach a place before the seat's next turn."""
    cdef int turns_away = (seat - s.seat + r.seats) % r.seats
    cdef double total = 0.0
    cdef int rival
    for rival in range(r.seats):
        if rival == seat or s.magicians[rival] == LABYRINTH:
            continue
        if turns_away == 0 or (rival - s.seat + r.seats) % r.seats < turns_away:
            total += reach(r, s, rival, place)
    return total


cdef double seat_turns(const ThreeMagiciansRules* r, const ThreeMagiciansState* s, int seat) noexcept nogil:
    """Turns to go after the seat's current or next turn, if the current turn ended here."""
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
    const ThreeMagiciansRules* r, const ThreeMagiciansState* s, const double* turns, double fastest, double* out
) noexcept nogil:
    """Near the turn cap: mix in the chances to have the most cards at the end."""
    cdef double left = <double>(r.turn_cap - s.n_turns) / r.seats
    cdef double finishes = 1.0 - exp(-(left / fastest) * (left / fastest))
    cdef double edge = CARD_EDGE + 6.0 / (1.0 + left)
    cdef double odds[MAX_PLAYERS]
    cdef double total = 0.0
    cdef int seat, missing
    for seat in range(r.seats):
        missing = N_TAROT - popcount(s.cards[seat])
        odds[seat] = exp(edge * (missing * min(left / (turns[seat] + 1.0), 1.0) - missing))
        total += odds[seat]
    for seat in range(r.seats):
        out[seat] = finishes * out[seat] + (1.0 - finishes) * odds[seat] / total


cdef void share(
    const ThreeMagiciansRules* r, const ThreeMagiciansState* s, const double* turns, double* out
) noexcept nogil:
    """The chances to win, given the turns to go of every seat."""
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


cdef void race(const ThreeMagiciansRules* r, const ThreeMagiciansState* s, double* out) noexcept nogil:
    """The chances to win if there is no duel and no theft."""
    cdef double turns[MAX_PLAYERS]
    cdef int seat, away
    for away in range(r.seats):
        seat = (s.seat + away) % r.seats
        turns[seat] = seat_turns(r, s, seat) + <double>away / r.seats
    share(r, s, turns, out)


cdef double duel_chance(const ThreeMagiciansRules* r, const ThreeMagiciansState* s) noexcept nogil:
    """The chance that the seat whose turn it is wins the duel."""
    cdef double p
    cdef int thrown[N_NOTCHES]
    cdef int i
    if s.phase == DUEL_KEEP:
        for i in range(N_NOTCHES):
            thrown[i] = s.thrown[i]
        p = keep_value(r, s.goal, s.goal_throws, s.n_throws, s.n_kept, s.kept, thrown)
    elif s.is_second:
        p = r.second_wins[s.goal][s.goal_throws][s.n_throws][s.n_kept][s.kept]
    else:
        p = r.first_wins[s.n_throws][s.n_kept][s.kept]
    return p if thrower(s) == s.seat else 1.0 - p


cdef void value_after(const ThreeMagiciansRules* r, const ThreeMagiciansState* s, double* out) noexcept nogil:
    """The chances to win after a duel or a theft; the game may be over."""
    cdef int seat
    if s.phase != OVER:
        race(r, s, out)
        return
    for seat in range(r.seats):
        out[seat] = 1.0 if s.cards[seat] == ALL_CARDS else 0.0


cdef void choose_victim(const ThreeMagiciansRules* r, const ThreeMagiciansState* s, double* out) noexcept nogil:
    """The chances to win after the theft that is best for the thief."""
    cdef ThreeMagiciansState after
    cdef double values[MAX_PLAYERS]
    cdef int victim
    out[s.seat] = -1.0
    for victim in range(r.seats):
        if s.cards[victim] >> s.magicians[s.seat] & 1:
            after = s[0]
            steal(&after, victim)
            value_after(r, &after, values)
            if values[s.seat] > out[s.seat]:
                memcpy(out, values, r.seats * sizeof(double))


cdef void fight(const ThreeMagiciansRules* r, const ThreeMagiciansState* s, double* out) noexcept nogil:
    """The chances to win in a duel: the mean of both results, weighted by the chances of best play."""
    cdef ThreeMagiciansState won = s[0], lost = s[0]
    cdef double p = duel_chance(r, s)
    cdef double values[MAX_PLAYERS]
    cdef int seat
    end_duel(r, &won, s.seat)
    end_duel(r, &lost, s.rival)
    value_after(r, &won, out)
    value_after(r, &lost, values)
    for seat in range(r.seats):
        out[seat] = p * out[seat] + (1.0 - p) * values[seat]


cdef void three_magicians_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    cdef const ThreeMagiciansRules* r = <const ThreeMagiciansRules*>rules
    cdef const ThreeMagiciansState* s = <const ThreeMagiciansState*>state
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
