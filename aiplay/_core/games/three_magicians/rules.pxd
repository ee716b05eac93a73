# The Three Magicians: the state, the tables of a board, and the C functions that play by the rules.
#
# Places are numbered 0-6 (with tarot cards), 7 (Life), 8 (Labyrinth). Spots, where an Apprentice can stand,
# are the places followed by the stepping stones.

from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport int8_t, int16_t, move_t, seat_t, uint8_t, uint16_t, uint64_t

cdef enum:
    N_TAROT = 7             # places with tarot cards; the bit of a card is its place
    ALL_CARDS = 0x7F        # who owns them all wins
    LIFE = 7
    LABYRINTH = 8
    N_PLACES = 9
    MAX_SPOTS = 64
    MAX_WALK = 12           # twice the highest throw
    MAX_PLAYERS = 3
    N_WANDS = 3
    MAX_OUTCOMES = 16       # of a chance decision: a throw of a turn
    MAX_SAMPLES = 216       # three wands of at most six sides

cdef enum Phase:
    FIRST = 0               # chance: who begins
    THROW = 1               # chance: the wands of a turn; the game is over here when the turns are used up
    MOVE = 2                # the seat moves a figure or ends its turn
    OFFER = 3               # the seat's Apprentice stands on magic symbols: throw or not
    MAGIC = 4               # chance: the wands, thrown for magic
    TIE = 5                 # the seat chooses among the symbols seen most
    STAR = 6                # the seat chooses the place where its Apprentice goes
    STEAL = 7               # the seat chooses from whom it takes the card
    DUEL_THROW = 8          # chance: the wands of a duel
    DUEL_KEEP = 9           # the seat that threw stops, or keeps some of the wands just thrown
    OVER = 10               # a seat owns all cards

cdef enum Symbol:           # bits: a throw for magic is the set of the symbols seen most
    SYMBOL_STAR = 1
    SYMBOL_ARROW = 2
    SYMBOL_EMPTY = 4

cdef enum Throw:            # 5 x own wand + sum of the others: all that matters of the 27 results, and
    TRIPLE_0 = 0
    TRIPLE_2 = 14
    TRIPLE_1 = 15           # apart from 1 + (0 + 2), which is 7

cdef enum Move:             # what is no plain number of a seat, a place or a symbol
    END = 0                 # MOVE: end the turn
    JUMP = 1                # MOVE: + place, the Magician
    WALK = 16               # MOVE: + spot, the Apprentice
    DECLINE = 0             # OFFER: no magic
    CAST = 1                # OFFER: throw the wands
    STOP = 0                # DUEL_KEEP; any other move there keeps: how many zeros + 4 x ones + 16 x twos


ctypedef struct MagiciansState:
    uint16_t cards[3]       # the tarot cards of each seat, a bit for every place
    int16_t n_turns         # throws of a turn so far; the game is over at the cap
    int8_t magicians[3]     # the place of each Magician; 0 for a seat that does not play
    int8_t apprentices[3]   # the spot of each Apprentice; 0 for a seat that does not play
    int8_t powers[3]        # 1 for an Apprentice with the Power token
    int8_t phase            # who decides what: see Phase
    int8_t seat             # whose turn it is
    int8_t jump             # places that its Magician may still jump; 0 when it has, or cannot
    int8_t walk             # steps that its Apprentice may still walk; 0 when it has, or cannot
    int8_t is_again         # 1 after a triplet: another turn follows
    int8_t tied             # TIE: bits of the symbols to choose from, else 0
    int8_t rival            # duel: the seat whose Magician stood there first, else 0; the other is `seat`
    int8_t is_reversed      # duel: 1 when the rival throws first, after an odd number of restarts
    int8_t is_second        # duel: 1 when the one who answers throws
    int8_t n_throws         # duel: throws that the thrower has made
    int8_t n_kept           # duel: wands that it has kept
    int8_t kept             # duel: their points
    int8_t thrown[3]        # DUEL_KEEP: how many of the wands just thrown show 0, 1 and 2
    int8_t goal             # duel, second thrower: the points of the first
    int8_t goal_throws      # duel, second thrower: the throws of the first


ctypedef struct ChanceTable:
    int n                                   # different outcomes
    move_t moves[16]                        # ascending
    double p[16]                            # their probabilities
    int n_samples                           # equally likely throws of the wands
    uint8_t samples[216]                    # the outcome of each


ctypedef struct MagiciansRules:
    int seats                               # 2 or 3
    int cards_per_place                     # tarot cards of one place
    int turn_cap                            # throws of a turn after which the most cards win
    int must_walk                           # 1: an Apprentice that can move has to
    int exits                               # bit n: a triple n leads out of the Labyrinth
    int n_spots                             # places and stones
    uint64_t magic                          # spots with magic symbols
    uint64_t walks[64][13]                  # ends of the exact walks from a spot, by length; none of length 0
    uint64_t jumps[9][3]                    # ends of the jumps from a place, by number; none for 0
    ChanceTable first                       # who begins
    ChanceTable throws                      # a turn: see Throw
    ChanceTable magics                      # magic: the set of symbols seen most
    ChanceTable duels[4]                    # a duel, by number of wands: ones + 4 x twos

    # What `evaluate` knows; filled by three_magicians_solve.pyx.
    double notch_p[3]                       # chances of 0, 1 and 2 notches
    double first_wins[3][3][5]              # duel: chance of the first thrower to win, before a throw, by
                                            # throws made, wands kept, their points
    double second_wins[7][4][3][3][5]       # duel: the same of the second, by the first's points and throws
    const float* solo                       # turns to win alone, from the start of a turn: see `solo_turns`


cdef void magicians_setup(const void* rules, void* state) noexcept nogil
cdef seat_t magicians_to_move(const void* rules, const void* state) noexcept nogil
cdef int magicians_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil
cdef int magicians_chance_outcomes(
    const void* rules, const void* state, move_t* out, double* p
) noexcept nogil
cdef move_t magicians_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil
cdef void magicians_play(const void* rules, void* state, move_t move) noexcept nogil
cdef void magicians_returns(const void* rules, const void* state, double* out) noexcept nogil
cdef int magicians_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil

# Ends the duel for `winner`: the loser's Magician to the Labyrinth, the card, the rest of the arrival.
cdef void end_duel(const MagiciansRules* r, MagiciansState* s, int winner) noexcept nogil

# Takes the card of the place where the seat's figures met from another seat.
cdef void steal(MagiciansState* s, int victim) noexcept nogil


cdef inline bint is_triplet(move_t throw) noexcept nogil:
    return throw == TRIPLE_0 or throw >= TRIPLE_2


cdef inline int own_notches(move_t throw) noexcept nogil:
    return 1 if throw == TRIPLE_1 else throw // 5


cdef inline int all_notches(move_t throw) noexcept nogil:
    return 3 if throw == TRIPLE_1 else throw // 5 + throw % 5


cdef inline int thrower(const MagiciansState* s) noexcept nogil:
    """The seat that throws in a duel."""
    return s.rival if s.is_reversed != s.is_second else s.seat


cdef inline int n_owners(const MagiciansRules* r, const MagiciansState* s, int place) noexcept nogil:
    """How many seats own the card of a place."""
    return (s.cards[0] >> place & 1) + (s.cards[1] >> place & 1) + (s.cards[2] >> place & 1)


cdef inline float solo_turns(
    const MagiciansRules* r, int missing, int power, int magician, int apprentice
) noexcept nogil:
    """Own turns that a seat needs on average to get the missing cards, if nobody else were at the table."""
    return r.solo[((missing * 2 + power) * <int>N_PLACES + magician) * r.n_spots + apprentice]


cdef inline uint64_t walk_ends(const MagiciansRules* r, const MagiciansState* s) noexcept nogil:
    """The spots where the Apprentice of the seat can walk."""
    cdef const uint64_t* ends = r.walks[s.apprentices[s.seat]]
    # Rules: with the Power token it may walk double instead
    return ends[s.walk] | ends[2 * s.walk] if s.powers[s.seat] else ends[s.walk]


cdef inline uint64_t jump_ends(const MagiciansRules* r, const MagiciansState* s) noexcept nogil:
    """The places where the Magician of the seat can jump."""
    return r.jumps[s.magicians[s.seat]][s.jump]
