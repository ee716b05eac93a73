# Illusio: the state, the rules of a loaded game, and the numbers of its moves. The rules in words are in
# aiplay/games/illusio/rules.md.
#
# Cards are kinds, not individuals: 15 kinds of components (0 .. 14) and 6 of special actions (15 .. 20). A hand is a
# sorted list of kinds; the deck and the discards are counts. Only components in play are individuals, because
# talents and Transform change them: each has a printed kind that never changes (`IllusioRules.kind_of`).
#
# In the code a *slot* is the number of a need within its objective.

from aiplay._core.typedefs cimport uint8_t, uint16_t, uint64_t

cpdef enum:
    # ---- Kinds of cards ----
    N_TYPES = 13            # kinds 0 .. 12 are the types of the four typed groups; 13 and 14: audience, formula
    N_COMPONENT_KINDS = 15
    ALL_COMPONENTS = (1 << N_COMPONENT_KINDS) - 1   # the set of all component kinds
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
    ILLUSIO_SEATS = 6       # most seats
    HAND_SIZE = 14          # most cards in a hand: 8 kept, 5 recalled to it by the others, 1 drawn
    MAX_COUNT = 15          # most cards of one kind
    N_COMPONENTS = 64       # most components, objectives and magicians: a data file may have fewer
    N_OBJECTIVES = 32
    N_MAGICIANS = 10
    N_CARDS = N_COMPONENTS + (N_KINDS - N_COMPONENT_KINDS) * MAX_COUNT      # most components and special actions
    NO_MAGICIAN = 10        # of a seat whose magician is not drawn yet, or that does not play
    N_GROUPS = 6
    N_NEEDS = 4             # most needs of an objective
    ALL_NEEDS = (1 << N_NEEDS) - 1      # the set of all slots
    MAX_LEVEL = 4           # highest level of an objective
    MAX_BONUS = 100         # most points that a talent adds to a trick
    ANY_GROUP = N_GROUPS    # of a talent that morphs components of every group

    # ---- Numbers of the rules ----
    CONTEST_SIZE = 4        # objectives in the Contest
    START_HAND = 4          # cards dealt to every seat
    DRAW_BELOW = 4          # with fewer cards than this, step 1 draws
    DRAW_UP_TO = 5          # up to this; else one card
    N_ACTIONS = 2           # actions of a turn
    MAX_REALISING = 2       # objectives that a seat may have under realisation
    KEEP_LIMIT = 8          # cards that may be kept at the end of a turn

    # ---- IllusioState.place: where a component is ----
    NOT_IN_PLAY = 0           # in the deck, the discards or a hand
    BACKSTAGE = 1           # + seat
    PLACED = 8              # + N_NEEDS * objective + slot

    # ---- IllusioState.objectives: where an objective is ----
    IN_DECK = 0
    IN_DISCARDS = 1
    IN_CONTEST = 2
    KEPT = 3                # + seat
    REALISING = KEPT + ILLUSIO_SEATS        # + seat
    DISPLAYED = REALISING + ILLUSIO_SEATS   # + seat
    NOT_IN_GAME = DISPLAYED + ILLUSIO_SEATS # unused, because the data file has fewer objectives

    # ---- Two numbers in a byte ----
    KIND_STRIDE = 16        # IllusioState.now: present kind + KIND_STRIDE * Transforms
    COUNT_STRIDE = 16       # IllusioState.marks: Deja vus + COUNT_STRIDE * Grands
    UNSPENT = 16            # IllusioState.encores, flag: the last Encore has not bought its round yet
    COUNT_BITS = 15         # IllusioState.encores, mask: the number of Encores
    TRAIL = 64              # IllusioState.trail: TRAIL + TRAIL_STRIDE * victim + taker
    TRAIL_STRIDE = 8
    NUMBER_STRIDE = 16      # IllusioState.trail_weight of an own Take: known cards + NUMBER_STRIDE * hidden cards
    WEIGHT_UNIT = 16        # IllusioState.trail_weight of another Take: the weight of a known card
    MAX_WEIGHT = 255        # most weight of a trail

    # ---- IllusioState.phase: the decision to be made, and the meaning of `pending`, `focus` and `mark` ----
    PHASE_FIRST = 0         # chance: the seat that begins
    PHASE_MAGICIAN = 1      # chance: the magician of `seat`
    PHASE_CONTEST = 2       # chance: an objective of the first Contest
    PHASE_DEAL = 3          # chance: a card for `seat`; pending: cards to deal to it
    PHASE_VALIDATE = 4      # step 0: the trick to validate next
    PHASE_DRAW = 5          # chance: a card for `seat`; pending: cards to draw
    PHASE_ACT = 6           # step 2: an action, a talent, or the end
    PHASE_TAKE = 7          # chance: a card from the hand of seat `focus`
    PHASE_EXCHANGE = 8      # action C; pending: cards thrown so far; mark: lowest kind that may be thrown
    PHASE_CLAIM = 9         # action D; focus: the objective; mark: lowest slot that may be filled
    PHASE_REFILL = 10       # chance: an objective for the Contest, after action D or F
    PHASE_TRANSFORM = 11    # new kind of component `focus`, by the card
    PHASE_MORPH = 12        # new kind of component `focus`, by a talent
    PHASE_SWAP = 13         # component to swap the own component `focus` for
    PHASE_DISCARD = 14      # step 3; pending: cards still to discard; mark: lowest kind that may be discarded
    PHASE_OVER = 15

    # ---- Talents ----
    TALENT_BONUS = 0        # passive: points for some tricks (`IllusioRules.bonus`)
    TALENT_MORPH = 1        # of the group `talent_group`, or ANY_GROUP
    TALENT_SWAP = 2
    TALENT_RECALL = 3
    TALENT_REDRAW = 4
    TALENT_STEAL = 5

    # ---- Moves of a seat; a move of chance is the plain number of the seat, magician, objective or kind ----
    MOVE_END = 0
    MOVE_DONE = 1           # no more cards to throw
    MOVE_STOP = 2           # no more components to place
    MOVE_TAKE = 16          # + seat
    VERB_STRIDE = 64        # distance of the verbs from MOVE_BACK to MOVE_STEAL, multiples of it
    MOVE_BACK = 64          # + kind: action A
    MOVE_THROW = 128        # + kind: action C, the first card and every further one
    MOVE_DISCARD = 192      # + kind: step 3
    MOVE_CLAIM = 256        # + objective: action D
    MOVE_GIVE_UP = 320      # + objective: action F
    MOVE_VALIDATE = 384     # + objective: step 0
    MOVE_ENCORE = 448       # + objective: action B
    MOVE_SUCCESS = 512      # + objective: action B
    MOVE_DEJA_VU = 576      # + objective: action B
    MOVE_GRAND = 640        # + objective: action B
    MOVE_TRANSFORM = 704    # + component: action B
    MOVE_BECOME = 768       # + kind: after MOVE_TRANSFORM or MOVE_MORPH
    MOVE_REDRAW = 832       # + kind: talent
    MOVE_MORPH = 896        # + component: talent
    MOVE_SWAP = 960         # + own component: talent
    MOVE_RECALL = 1024      # + component: talent
    MOVE_SWAP_WITH = 1088   # + other component: after MOVE_SWAP
    MOVE_STEAL = 1152       # + other component: talent
    MOVE_PLACE_HAND = 4096  # + KIND_STRIDE * (N_NEEDS * objective + slot) + kind: action E from the hand
    MOVE_PLACE = 8192       # + N_COMPONENTS * (N_NEEDS * objective + slot) + component: from the Backstage

cdef enum:
    # ---- IllusioRules.weights: weights of `evaluate`, in prestige unless stated otherwise ----
    W_DISPLAY = 0           # share of the points of a displayed trick that its owner will get
    W_ENCORE = 1            # the same under an unspent Encore
    W_DISCOUNT = 2          # factor for points that are one action away
    W_MISSING = 3           # actions to get a component that the seat does not have
    W_RARE = 4              # further actions if its group has few cards
    W_EXACT_CHANCE = 5      # chance that it will be the exact one
    W_MORPH = 6             # the talent to make a component exact
    W_CONTEST = 7           # share of the best objective of the Contest
    W_CONTEST_2 = 8         # share of the next best
    W_SLACK = 9             # points beyond the goal that still count
    W_BACKSTAGE = 10        # a component in the Backstage
    W_HAND = 11             # a component in the hand
    W_DRAW = 12             # a card about to be drawn
    W_TEMPO = 13            # a turn
    W_SCALE = 14            # a point weighs W_SCALE / sqrt(W_SPREAD + points that the leader needs) in the odds
    W_SPREAD = 15           # see W_SCALE
    W_SPECIAL = 16          # + kind - TRANSFORM: a special action in the hand
    W_NEXT_DRAW = 22        # the cards that a seat will draw at its next turn
    N_WEIGHTS = 23

    # ---- Where a component for a need could come from: a set, of which the first is used ----
    EXACT_BACK = 1
    EXACT_HAND = 2
    GROUP_BACK = 4
    GROUP_HAND = 8
    N_SOURCES = 16

    # ---- Needs, by the points that an exact component adds ----
    CLASS_PLAIN = 0         # none
    CLASS_TYPED = 1         # one
    CLASS_MORPHED = 2       # one, and the talent of the magician makes a component of its group exact
    N_CLASSES = 3

    ACTION = 4              # costs are counted in quarters of an action
    N_DISCOUNTS = 64        # costs that have a discount of their own


ctypedef struct IllusioState:
    uint16_t turn                               # turns completed
    uint8_t phase                               # PHASE_*
    uint8_t seat                                # whose turn it is, or who gets the next magician or card of the deal
    uint8_t actions                             # actions left in step 2
    uint8_t talent_used                         # 1 if the talent of `seat` has been used this turn
    uint8_t pending                             # by phase, else 0
    uint8_t focus                               # by phase, else 0
    uint8_t mark                                # by phase, else 0
    uint8_t n_deck                              # cards in the deck; public
    uint8_t scores[ILLUSIO_SEATS]               # prestige
    uint8_t magicians[ILLUSIO_SEATS]            # the magician of each seat
    uint8_t n_hand[ILLUSIO_SEATS]               # cards in each hand; public
    uint8_t hands[ILLUSIO_SEATS][HAND_SIZE]     # kinds, ascending, then NO_CARD; unknown ones of a view are HIDDEN
    uint8_t known[ILLUSIO_SEATS][HAND_SIZE]     # other seats that know of the card, one bit each; see below
    uint8_t deck[N_KINDS]                       # cards of each kind in the deck; in a view also the HIDDEN ones
    uint8_t discards[N_KINDS]                   # cards of each kind in the discards
    uint8_t place[N_COMPONENTS]                 # where each component is; equal printed kinds sorted by (place, now)
    uint8_t now[N_COMPONENTS]                   # present kind and Transforms; 0 if not in play
    uint8_t objectives[N_OBJECTIVES]            # where each objective is
    uint8_t encores[N_OBJECTIVES]               # Encores on a displayed trick, and UNSPENT
    uint8_t marks[N_OBJECTIVES]                 # Deja vus and Grands on a displayed trick
    uint8_t filled[N_OBJECTIVES]                # slots with a component (bits 0-3), with the exact one (bits 4-7)
    uint8_t trail[ILLUSIO_SEATS]                # Take that each seat remembers, TRAIL + ..., or 0: see memory.pyx
    uint8_t trail_kind[ILLUSIO_SEATS]           # kind of that Take, or NO_CARD: see memory.pyx
    uint8_t trail_weight[ILLUSIO_SEATS]         # odds of that Take: see memory.pyx

# `known`: a seat knows a number of cards of a kind, not which of them. By convention, the first of equal cards are the
# known ones. If the seat remembers a Take by another seat, one of those in the robbed hand may be with the taker.


ctypedef struct IllusioProspect:                        # what to expect of a need
    double points                                       # besides those of its objective
    int cost


ctypedef struct IllusioRules:
    int seats                                           # 2 .. 6
    int goal                                            # prestige that wins
    int max_turns                                       # turns of all seats together after which the game ends
    int n_cards                                         # components and special actions in the game
    int n_objectives                                    # 4 .. 32
    int n_magicians                                     # at least one for every seat, at most 10
    uint8_t total[N_KINDS]                              # cards of each kind in the game
    int most                                            # cards of the most frequent kind
    uint8_t first[N_COMPONENT_KINDS + 1]                # first component of each printed kind; the last entry: all
    uint8_t kind_of[N_COMPONENTS]                       # printed kind of each component
    uint8_t group_of[N_COMPONENT_KINDS]                 # group of each component kind
    uint16_t kinds_in[N_GROUPS]                         # kinds of each group, one bit each
    uint8_t level[N_OBJECTIVES]                         # points of each objective
    uint8_t n_needs[N_OBJECTIVES]                       # number of its needs
    uint8_t all_needs[N_OBJECTIVES]                     # the set of its slots
    uint8_t half[N_OBJECTIVES]                          # components needed to claim it
    uint8_t domain[N_OBJECTIVES]
    uint8_t need[N_OBJECTIVES][N_NEEDS]                 # ascending: a kind, or N_COMPONENT_KINDS + group
    uint8_t need_group[N_OBJECTIVES][N_NEEDS]           # group of each need
    uint8_t talent[N_MAGICIANS + 1]                     # talent of each magician, TALENT_*; the last is nobody's
    uint8_t talent_group[N_MAGICIANS + 1]               # the group that it morphs
    uint8_t bonus[N_MAGICIANS + 1][N_OBJECTIVES]        # points that it adds to each trick
    double weights[N_WEIGHTS]                           # of `evaluate`, W_*
    double discount[N_DISCOUNTS]                        # W_DISCOUNT ** (cost / ACTION) for each cost
    uint8_t missing_cost[N_GROUPS]                      # cost of getting a component of each group
    # Tables of the value of objectives
    uint8_t need_shift[N_OBJECTIVES][N_NEEDS]           # place of each need's kind in the words of a Stock (value.pxd)
    uint8_t need_row[N_MAGICIANS + 1][N_OBJECTIVES][N_NEEDS]    # row of `prospects` of each need for each magician
    uint8_t shared[N_OBJECTIVES]                        # groups that several needs of an objective are of, one bit each
    uint8_t wanted[N_OBJECTIVES]                        # groups of all its needs, one bit each
    uint64_t group_kinds[N_GROUPS]                      # the places of each group's kinds in the words of a Stock
    IllusioProspect prospects[2][N_CLASSES * N_GROUPS + 1][N_SOURCES]   # [1]: each component is placed by an action;
                                                        # the last row, all 0, is for needs that do not exist
    double hand_values[HAND_SIZE + 1]                   # value of that many components in the hand
