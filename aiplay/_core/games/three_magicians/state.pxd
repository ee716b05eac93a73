# The Three Magicians: the state, the numbers of its moves, and the rules of one board with its options.
#
# Places are numbered 0-6 (with tarot cards), 7 (Life), 8 (Labyrinth). Spots, where an Apprentice can stand, are
# the places followed by the stepping stones.

from aiplay._core.typedefs cimport int8_t, int16_t, move_t, uint8_t, uint16_t, uint64_t

cpdef enum:
    MAX_PLAYERS = 3
    N_TAROT = 7             # places with tarot cards; the bit of a card is its place
    ALL_CARDS = 0x7F        # the seat that owns them all wins
    LIFE = 7
    LABYRINTH = 8
    N_PLACES = 9
    MAX_SPOTS = 64          # a set of spots is one word
    N_WANDS = 3
    N_NOTCHES = 3           # a wand shows 0, 1 or 2 notches
    MAX_SIDES = 6           # equally likely results of one wand
    MAX_POINTS = 6          # notches on three wands
    MAX_KEPT = 4            # notches on two, which are the most that a duel keeps
    MAX_WALK = 12           # the most points, doubled by the Power token
    MAX_OUTCOMES = 16       # of a chance decision: a throw of a turn
    MAX_SAMPLES = 216       # equally likely throws: MAX_SIDES ** N_WANDS
    N_SETS = 128            # sets of tarot cards

cpdef enum:                 # phases: who decides what
    FIRST = 0               # chance: who begins
    THROW = 1               # chance: the wands of a turn; after the last turn the game is over here
    MOVE = 2                # the seat moves a figure or ends its turn
    OFFER = 3               # the seat throws for magic, or not
    MAGIC = 4               # chance: the wands, thrown for magic
    TIE = 5                 # the seat chooses among the symbols seen most
    STAR = 6                # the seat chooses a place for its Apprentice
    STEAL = 7               # the seat chooses from whom it takes the card
    DUEL_THROW = 8          # chance: the wands of a duel
    DUEL_KEEP = 9           # the seat that threw stops, or keeps some of the wands just thrown
    OVER = 10               # a seat owns all cards

cpdef enum:                 # symbols; a throw for magic is the set of the symbols seen most
    SYMBOL_STAR = 1
    SYMBOL_ARROW = 2
    SYMBOL_EMPTY = 4

cpdef enum:                 # throws of a turn: OWN_WAND * own notches + notches of the others, but for a triple 1
    TRIPLE_0 = 0
    OWN_WAND = 5
    TRIPLE_2 = 14
    TRIPLE_1 = 15           # not 7, which is 1 + (0 + 2)

cpdef enum:                 # moves that are not just the number of a seat, a place or a symbol
    END = 0                 # MOVE: end the turn
    JUMP = 1                # MOVE: + place of the Magician
    WALK = 16               # MOVE: + spot of the Apprentice
    DECLINE = 0             # OFFER: no magic
    CAST = 1                # OFFER: throw the wands
    STAY = 8                # STAR: the Apprentice stays on its stone; smaller numbers are the places
    STOP = 0                # DUEL_KEEP: be content with all wands; other moves keep zeros, ones and twos

cpdef enum:                 # a move of a duel packs counts of wands: ones, twos (thrown), zeros, ones, twos (kept)
    COUNT_BITS = 2          # bits of a count, the lowest ones for the first
    COUNT_MASK = 3


ctypedef struct ThreeMagiciansState:
    uint16_t cards[MAX_PLAYERS]         # tarot cards of each seat, a bit for every place
    int16_t n_turns                     # throws of a turn so far; the game is over at the cap
    int8_t magicians[MAX_PLAYERS]       # place of each Magician; 0 for a seat that does not play
    int8_t apprentices[MAX_PLAYERS]     # spot of each Apprentice; 0 for a seat that does not play
    int8_t powers[MAX_PLAYERS]          # 1 for an Apprentice with the Power token
    int8_t phase                        # FIRST .. OVER
    int8_t seat                         # whose turn it is
    int8_t jump                         # jumps left for its Magician; 0 after jumping, or if it cannot
    int8_t walk                         # steps left for its Apprentice; 0 after walking, or if it cannot
    int8_t is_again                     # 1 after a triplet: another turn follows
    int8_t tied                         # TIE: the symbols to choose from, else 0
    int8_t rival                        # duel: the seat whose Magician was challenged, else 0; `seat` challenged it
    int8_t is_reversed                  # duel: 1 if the rival throws first, after an odd number of restarts
    int8_t is_second                    # duel: 1 while the second thrower throws
    int8_t n_throws                     # duel: throws that the thrower has made
    int8_t n_kept                       # duel: wands that it has kept
    int8_t kept                         # duel: their points
    int8_t thrown[N_NOTCHES]            # DUEL_KEEP: how many of the wands just thrown show 0, 1 and 2
    int8_t goal                         # duel, second thrower: points of the first
    int8_t goal_throws                  # duel, second thrower: throws of the first


ctypedef struct Chances:                # outcomes of a chance decision
    int n                               # different outcomes
    move_t moves[MAX_OUTCOMES]          # ascending
    double p[MAX_OUTCOMES]              # their probabilities
    int n_samples                       # equally likely throws of the wands
    uint8_t samples[MAX_SAMPLES]        # the outcome of each


ctypedef struct ThreeMagiciansRules:
    int seats                           # 2 or 3
    int cards_per_place                 # tarot cards of one place
    int turn_cap                        # throws of a turn after which the most cards win
    int must_walk                       # 1: an Apprentice that can move has to
    int exits                           # bit n: a triple n leads out of the Labyrinth
    int n_spots                         # places and stones
    uint64_t magic                      # spots with magic symbols
    uint64_t walks[MAX_SPOTS][MAX_WALK + 1]     # ends of the exact walks from a spot, by length; none of length 0
    uint64_t jumps[N_PLACES][N_NOTCHES]         # ends of the jumps from a place, by number; none for 0
    Chances first                       # who begins
    Chances throws                      # the wands of a turn
    Chances magics                      # the wands thrown for magic
    Chances duels[N_WANDS + 1]          # the wands of a duel, by number of wands

    # For `evaluate`, filled by `solve`.
    double notch_p[N_NOTCHES]           # chances of 0, 1 and 2 notches

    # Duel: chances to win of a thrower before a throw, by throws made, wands kept and their points; those of the
    # second thrower also by the points and throws of the first.
    double first_wins[N_WANDS][N_WANDS][MAX_KEPT + 1]
    double second_wins[MAX_POINTS + 1][N_WANDS + 1][N_WANDS][N_WANDS][MAX_KEPT + 1]

    const float* solo                   # turns to win alone, from the start of a turn: see `solo_turns`


cdef inline bint is_triplet(move_t throw) noexcept nogil:
    """True if all wands of a throw show the same."""
    return throw == TRIPLE_0 or throw >= TRIPLE_2


cdef inline int own_notches(move_t throw) noexcept nogil:
    """Notches of the own wand."""
    return 1 if throw == TRIPLE_1 else throw // OWN_WAND


cdef inline int all_notches(move_t throw) noexcept nogil:
    """Notches of all wands."""
    return 3 if throw == TRIPLE_1 else throw // OWN_WAND + throw % OWN_WAND


cdef inline int thrower(const ThreeMagiciansState* s) noexcept nogil:
    """The seat that throws in a duel."""
    return s.rival if s.is_reversed != s.is_second else s.seat


cdef inline float solo_turns(
    const ThreeMagiciansRules* r, int missing, int power, int magician, int apprentice
) noexcept nogil:
    """Own turns that a seat needs on average to get the missing cards if no other seat plays."""
    return r.solo[((missing * 2 + power) * <int>N_PLACES + magician) * r.n_spots + apprentice]
