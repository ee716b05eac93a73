# Illusio: the state, the tables of a loaded game, and the numbers of its moves. The rules are in docs/rules/illusio.md.
#
# Cards are kinds, not individuals: 15 kinds of components (0 .. 14) and 6 of special actions (15 .. 20). A hand is a
# sorted list of kinds, the deck and the discards are counts. Only components on the table are individuals, because
# talents and Transform change them: card i of 64 has a printed kind that never changes (`IllusioRules.kind_of`).

from aiplay._core.typedefs cimport uint8_t, uint16_t

cdef enum:
    # ---- Kinds of cards ----
    N_TYPES = 13            # kinds 0 .. 12 are types of the four typed groups
    AUDIENCE = 13           # group and kind in one
    FORMULA = 14            # group and kind in one
    N_COMPONENT_KINDS = 15
    TRANSFORM = 15          # special actions
    TAKE = 16
    ENCORE = 17
    SUCCESS = 18
    DEJA_VU = 19
    GRAND = 20
    N_KINDS = 21
    HIDDEN = 21             # in a view: a card of another hand that the seat does not know
    NO_CARD = 22            # an unused place of a hand

    # ---- Sizes ----
    ILLUSIO_SEATS = 6
    HAND_SIZE = 14          # 8 kept, 5 recalled to it by the others, 1 drawn: no hand grows beyond that
    N_CARDS = 90
    N_COMPONENTS = 64
    N_OBJECTIVES = 32
    N_MAGICIANS = 10
    NO_MAGICIAN = 10        # a seat whose magician is not drawn yet, or that does not play
    N_GROUPS = 6
    N_TYPED_GROUPS = 4
    N_DOMAINS = 4
    N_NEEDS = 4             # most requirements of an objective
    CONTEST_SIZE = 4
    KEEP_LIMIT = 8          # cards that may be kept at the end of a turn
    MAX_COUNT = 15          # most cards of one kind: numbers of cards on a trick or a component fit four bits

    # ---- IllusioState.place: where a component is ----
    OFF_TABLE = 0           # in the deck, the discards or a hand
    BACKSTAGE = 1           # + seat
    PLACED = 8              # + 4 * objective + requirement

    # ---- IllusioState.objectives: where an objective is ----
    IN_DECK = 0
    IN_DISCARDS = 1
    IN_CONTEST = 2
    KEPT = 3                # + seat
    REALISING = 9           # + seat
    DISPLAYED = 15          # + seat

    # ---- IllusioState.encores ----
    UNSPENT = 16            # flag: the last Encore on the trick has not bought its round yet
    COUNT_BITS = 15         # the number of Encores on it

    # ---- IllusioState.phase: what is decided now, and what `pending`, `focus` and `mark` mean then ----
    PHASE_FIRST = 0         # chance: the seat that begins
    PHASE_MAGICIAN = 1      # chance: the magician of `seat`
    PHASE_CONTEST = 2       # chance: an objective of the first Contest
    PHASE_DEAL = 3          # chance: a card for `seat`; pending: cards to deal to it
    PHASE_VALIDATE = 4      # step 0: which trick is validated next
    PHASE_DRAW = 5          # chance: a card for `seat`; pending: cards to draw
    PHASE_ACT = 6           # step 2: an action, a talent, or the end
    PHASE_TAKE = 7          # chance: a card from the hand of seat `focus`
    PHASE_EXCHANGE = 8      # action C; pending: cards thrown so far; mark: no kind below may be thrown
    PHASE_CLAIM = 9         # action D; focus: the objective; mark: no requirement below may be filled
    PHASE_REFILL = 10       # chance: an objective for the Contest, after action D or F
    PHASE_TRANSFORM = 11    # what component `focus` becomes, by the card
    PHASE_MORPH = 12        # what component `focus` becomes, by a talent
    PHASE_SWAP = 13         # what own component `focus` is exchanged for
    PHASE_DISCARD = 14      # step 3; pending: cards still to discard; mark: no kind below may be discarded
    PHASE_OVER = 15

    # ---- Talents ----
    TALENT_BONUS = 0        # passive: points for some tricks (`IllusioRules.bonus`)
    TALENT_MORPH = 1        # on the group `talent_group`
    TALENT_SWAP = 2
    TALENT_RECALL = 3
    TALENT_REDRAW = 4

    # ---- Moves of a seat; those of chance are the plain number of the seat, magician, objective or kind ----
    MOVE_END = 0
    MOVE_DONE = 1           # no more cards to throw
    MOVE_STOP = 2           # no more components to place
    MOVE_TAKE = 16          # + seat
    MOVE_BACK = 64          # + kind: action A
    MOVE_THROW = 128        # + kind: action C, the first card and every further one
    MOVE_DISCARD = 192      # + kind: step 3
    MOVE_CLAIM = 256        # + objective: action D
    MOVE_GIVE_UP = 320      # + objective: action F
    MOVE_VALIDATE = 384     # + objective: step 0
    MOVE_ENCORE = 448       # + objective: action B, as are the next four
    MOVE_SUCCESS = 512      # + objective
    MOVE_DEJA_VU = 576      # + objective
    MOVE_GRAND = 640        # + objective
    MOVE_TRANSFORM = 704    # + component
    MOVE_BECOME = 768       # + kind: after Transform or a morphing talent
    MOVE_REDRAW = 832       # + kind: a talent, as are the next four
    MOVE_MORPH = 896        # + component
    MOVE_SWAP = 960         # + own component
    MOVE_RECALL = 1024      # + component
    MOVE_SWAP_WITH = 1088   # + other component
    MOVE_PLACE_HAND = 4096  # + 16 * (4 * objective + requirement) + kind: action E from hand
    MOVE_PLACE = 8192       # + 64 * (4 * objective + requirement) + component: from the Backstage

    # ---- IllusioRules.weights: what `evaluate` makes of a position, in prestige unless it says otherwise ----
    W_DISPLAY = 0           # share of the points of a displayed trick that its owner will get
    W_ENCORE = 1            # the same under an unspent Encore
    W_DISCOUNT = 2          # share that remains of points that are one action away
    W_MISSING = 3           # actions to come by a component that the seat does not have
    W_RARE = 4              # more of them, the fewer cards its group has
    W_EXACT_CHANCE = 5      # chance that it will be the exact one
    W_MORPH = 6             # worth of the talent to make a component exact
    W_CONTEST = 7           # share of the best objective of the Contest
    W_CONTEST_2 = 8         # share of the next best
    W_SLACK = 9             # points beyond the goal that still count
    W_BACKSTAGE = 10        # a component in the Backstage
    W_HAND = 11             # a component in the hand
    W_DRAW = 12             # a card about to be drawn
    W_TEMPO = 13            # a turn
    W_SCALE = 14            # how much a point weighs in the chances to win: W_SCALE / sqrt(W_SPREAD + points
    W_SPREAD = 15           # that the leader needs)
    W_SPECIAL = 16          # six special actions in the hand
    W_NEXT_DRAW = 22        # what a seat will draw at its next turn
    N_WEIGHTS = 23
    DISCOUNTS = 64          # entries of the table of discounts, one for each quarter of an action


ctypedef struct IllusioState:
    uint16_t turn               # turns completed
    uint8_t phase               # PHASE_*
    uint8_t seat                # whose turn it is, or who gets the next magician or card of the deal
    uint8_t actions             # actions left in step 2
    uint8_t talent_used         # 1 when the talent of `seat` has been used this turn
    uint8_t pending             # by phase, else 0
    uint8_t focus               # by phase, else 0
    uint8_t mark                # by phase, else 0
    uint8_t n_deck              # cards in the deck; public
    uint8_t scores[6]           # prestige
    uint8_t magicians[6]        # the magician of each seat
    uint8_t n_hand[6]           # cards in each hand; public
    uint8_t hands[6][14]        # kinds in each hand, ascending, then NO_CARD; in a view unknown ones are HIDDEN
    uint8_t known[6][14]        # for each of those cards: the other seats that know of it, bit = seat. Knowledge is a
                                # number of cards per kind, so among equal cards the first ones are known
    uint8_t deck[21]            # cards of each kind in the deck; in a view also those that are HIDDEN
    uint8_t discards[21]        # cards of each kind in the discards
    uint8_t place[64]           # where each component is; equal printed kinds are sorted by (place, now)
    uint8_t now[64]             # present kind + 16 * Transforms on it; 0 off the table
    uint8_t objectives[32]      # where each objective is
    uint8_t encores[32]         # Encores on a displayed trick, and UNSPENT
    uint8_t marks[32]           # Deja vus + 16 * Grands on a displayed trick
    uint8_t filled[32]          # requirements with a component (bits 0-3) and with the exact one (bits 4-7)


ctypedef struct IllusioRules:
    int seats                       # 2 .. 6
    int goal                        # prestige that wins
    int max_turns                   # turns of the whole table after which the game ends
    uint8_t total[21]               # cards of each kind in the game
    uint8_t first[16]               # first component of each printed kind; first[15] is 64
    uint8_t kind_of[64]             # printed kind of each component
    uint8_t group_of[15]            # group of each component kind
    uint16_t kinds_in[6]            # kinds of each group, one bit each
    uint8_t level[32]               # points of each objective, and number of its requirements
    uint8_t half[32]                # components needed to claim it
    uint8_t domain[32]
    uint8_t need[32][4]             # requirements, ascending: a kind, or N_COMPONENT_KINDS + group for a whole group
    uint8_t need_group[32][4]       # group of each requirement
    uint8_t n_exact[32]             # requirements of an exact type
    uint8_t talent[11]              # talent of each magician, TALENT_*; the last one is nobody's
    uint8_t talent_group[11]        # the group that it changes
    uint8_t bonus[11][32]           # points that it adds to each trick
    double weights[23]              # of `evaluate`, W_*
    double discount[64]             # W_DISCOUNT to the power of so many quarters of an action
    uint8_t missing_cost[6]         # quarters of an action to come by a component of each group
