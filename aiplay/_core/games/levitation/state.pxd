# Levitation: the state, the tables that its data file fills, and the numbers of phases, effects and moves.
# The rules are in docs/rules/levitation.md; the functions are in levitation_board.pxd (counting and gaining),
# levitation_effects.pxd (the texts of the cards), levitation_value.pxd (guesses for search) and levitation.pyx.

from aiplay._core.typedefs cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t

cdef enum:
    SEATS = 5               # most seats
    CARDS = 48
    CITIES = 15             # three rows of five, numbered from the top left
    COLUMNS = 5
    SPACES = 13             # point spaces
    COLOURS = 5             # blue, red, yellow, black, green
    SIZES = 5               # mouse, rabbit, dog, horse, elephant
    MASTERS = 3
    DICE = 4                # of each colour
    TICKETS = 10            # of each seat
    CUBES = 50              # in the whole game
    FLAIR = 50
    TOKENS = 4              # turn tokens of each seat
    ROUNDS = 3
    TURNS = 4
    FIRST_CUBES = 2         # what a seat begins with
    MASTER_TICKETS = 3      # what Herrmann gives
    PATH_BONUS = 3          # what the +3 card adds
    PATHS = 35              # chains of three neighbouring cities, one in each row
    ROLLS = 15              # ways in which the four dice of a colour fall on three masters
    TOKEN_LIMIT = 10        # most points of a space that counts flair, tickets or cubes
    NONE = -1

# Masters, in the order of the dice
cdef enum:
    HERRMANN = 0
    THURSTON = 1
    KELLAR = 2

# What the game waits for. The first four are chance's, PATH is the path's owner's, the rest the acting seat's.
cdef enum:
    PHASE_DEAL = 0          # a card for city `step`
    PHASE_TOKENS = 1        # the turn token of seat `step`
    PHASE_DICE = 2          # the four dice of colour `step`
    PHASE_REFILL = 3        # a card for the top, middle or bottom city (`step`) of the claimed `path`
    PHASE_OVER = 4
    PHASE_PATH = 5          # which path `path_seat` claims
    PHASE_START = 6         # before the draft: roll, re-roll, draft
    PHASE_MAIN = 7          # main action, activations, end
    PHASE_COPY = 8          # which text the duplicating card `active` copies
    PHASE_AMOUNT = 9        # how many cubes go on the X card
    PHASE_TARGET = 10       # what the effect of `source` is used on; `target` is the first of two choices
    PHASE_FLAIR = 11        # where one of `n_flair` tokens goes

# What a card does. The first four are X cards: one cube for each point.
cdef enum:
    EFFECT_POINTS_DICE = 0      # points for dice of a colour off the board
    EFFECT_POINTS_BOARD = 1     # points for own tickets on the board
    EFFECT_POINTS_HAND = 2      # points for tickets in hand
    EFFECT_POINTS_CARDS = 3     # points for own cards with an icon
    EFFECT_GAIN_FLAIR = 4
    EFFECT_GAIN_TICKET = 5
    EFFECT_GAIN_CUBE = 6
    EFFECT_GAIN_TICKETS = 7     # one for each die of a colour off the board
    EFFECT_GAIN_CARD = 8        # one with an icon, from a city
    EFFECT_PLACE_SPACE = 9
    EFFECT_PLACE_CITY = 10      # of one of two colours
    EFFECT_COPY_OTHER = 11
    EFFECT_COPY_OWN = 12
    EFFECT_DISABLE = 13
    EFFECT_FIRST = 14           # first action of the next turn
    EFFECT_TRADE_TICKETS = 15
    EFFECT_MOVE_TICKET = 16
    EFFECT_TRADE_CARD = 17
    EFFECT_REROLL = 18
    EFFECT_BONUS = 19           # +3 on the next path
    EFFECT_MOVE_CARD = 20
    EFFECT_COLOUR = 21          # change the die's colour
    EFFECTS = 22

# What a city gives to a ticket that enters it
cdef enum:
    REWARD_POINTS = 0       # nothing: the points are for a path
    REWARD_FLAIR = 1
    REWARD_CUBES = 2

# What a point space counts
cdef enum:
    SPACE_ICON = 0          # own cards with icon `space_item`
    SPACE_SIZE = 1          # own cards of size `space_item`
    SPACE_FLAIR = 2
    SPACE_TICKETS = 3
    SPACE_CUBES = 4

# Moves. Each number means one thing wherever it may be played, but for cards and cities, whose meaning is the phase's.
cdef enum:
    MOVE_END = 0            # end the action
    MOVE_ROLL = 1           # roll all dice
    MOVE_TICKETS = 2        # Herrmann's tickets
    MOVE_DISCARD = 3        # a flair token for a point
    MOVE_CITY = 16          # + city
    MOVE_SPACE = 32         # + point space
    MOVE_CARD = 48          # + card
    MOVE_DRAFT = 96         # + 5 * master + colour
    MOVE_COLOUR = 112       # + colour
    MOVE_AMOUNT = 128       # + cubes, 1 .. 50
    MOVE_PARTNER = 192      # + 15 * seat + city: the other's ticket in a trade
    MOVE_PATH = 272         # + path
    MOVE_TOKEN = 308        # chance: + large number - 1
    MOVE_DICE = 312         # chance: + way in which four dice fall
    MAX_OPTIONS = 80        # most moves of a state: Kellar's 15 cities and 13 spaces, 48 cards, end

# Weights of the guess in levitation_value.pxd
cdef enum:
    W_MORE_ICONS = 0        # cards with a wanted icon that an action to come brings
    W_MORE_SIZES = 1
    W_MORE_FLAIR = 2        # and flair, tickets, cubes
    W_MORE_TICKETS = 3
    W_MORE_CUBES = 4
    W_TICKET = 5            # points for the first ticket in hand
    W_TICKET_FADES = 6      # each further one is worth this part of the one before
    W_PLACINGS = 7          # tickets that can be placed in an action
    W_CITY_TICKET = 8       # points for a ticket in a city, besides its path
    W_PATH_ONE = 9          # part of a path's points for one ticket of three
    W_PATH_TWO = 10
    W_PATH_BLOCKED = 11     # times this when a city on the way is closed
    W_PATH_SOON = 12        # part of the tickets on the way that an action to come can bring
    W_CUBE = 13             # points that a cube earns in an action
    W_FLAIR = 14            # points that a flair token earns in an action to come, over the one for discarding it
    W_CARD = 15             # points for a card
    W_CARD_USE = 16         # how often an action to come uses a card
    W_FREE_SPACE = 17       # how much a space counts that is still free
    W_ENGINE = 18           # part of what the cards could yield in an action to come
    W_BEST_COLOUR = 19      # weight of the best colour against the mean of all
    W_ACTION = 20           # points of an action to come, besides the engine
    W_PLAN = 21             # part of what the rest of an action offers
    W_SPREAD = 22           # points that make odds of e : 1 at the end
    W_SPREAD_LEFT = 23      # and more for each action to come
    W_GROWTH = 24           # how much what grows (cubes, cards, flair) yields more early than late: 0 not, 1 in step
    W_CARD_ROOM = 25        # points of each flair token that a card can take
    W_ROLL = 26             # points of the action under way while dice are in the air
    W_EFFECTS = 27          # what each effect yields in an action to come: 22 of them
    W_USES = 49             # what the effects from COPY_OTHER on are worth now: 11 of them
    WEIGHTS = 60


ctypedef struct LevitationState:
    uint64_t owned[5]       # a bit for every card of each seat
    uint64_t deck           # cards not yet drawn: a set, for the order of a deck is not decided before it is drawn
    uint64_t used           # cards used in this action, wherever they are now
    uint64_t disabled       # cards disabled until the turn ends, wherever they are
    uint32_t tickets[5]     # tickets of each seat in the cities: two bits for each city, city 0 lowest
    int32_t scores[5]       # points; those of the point spaces are added at the end
    int8_t flair[48]        # flair tokens on each card
    int8_t city_cards[15]   # the card in each city, or NONE
    int8_t space_seats[13]  # whose ticket is on each point space, or NONE
    int8_t unused[5]        # tickets that each seat has still to gain
    int8_t hand[5]          # tickets in hand
    int8_t cubes[5]         # acclaim cubes, the committed ones included
    int8_t dice[15]         # dice on the masters: entry 5 * master + colour
    int8_t tokens[5]        # turn tokens left in this round: bit (number - 1)
    int8_t revealed[5]      # number of the token revealed in this turn; 0 none yet
    int8_t order[5]         # seats in the order of this turn; NONE while tokens are revealed
    int8_t first[5]         # rank among those who take the first action of the next turn: 1, 2 ...; 0 none
    int8_t phase            # PHASE_*
    int8_t round            # 0 .. 2
    int8_t turn             # 0 .. 3
    int8_t n_acted          # seats that have acted in this turn: order[n_acted] acts now
    int8_t step             # progress of a chance phase, 0 elsewhere
    int8_t has_rolled       # the free roll of this action is used
    int8_t master           # whom the die was taken from, NONE before the draft
    int8_t colour           # colour of the die as it counts now, NONE before the draft
    int8_t has_acted        # the main action is done
    int8_t committed        # cubes committed in this action
    uint8_t bonus           # points on top of the acting seat's next path in this action
    int8_t active           # the card in use, or NONE
    int8_t source           # the lowest card with the text in use (that of `active`, or the copied one), or NONE
    int8_t target           # the first of two choices (a city or a card), or NONE
    int8_t n_flair          # flair tokens still to be placed
    int8_t flair_from       # lowest card that may take the next one: they are placed in ascending order, discards last
    int8_t path_seat        # who claims a path, NONE outside of PHASE_PATH
    int8_t path             # the claimed path while its cities are refilled, or NONE


ctypedef struct LevitationRules:
    int seats
    # ---- Cards ---------------------------------------------------------------------------------------------
    uint64_t icons[5]       # cards with each icon
    uint64_t sizes[5]       # cards of each size
    uint64_t rerolls        # cards that re-roll
    uint64_t uncopied       # cards that cannot be duplicated: duplicates and re-rolls
    uint64_t untraded       # cards that cannot be traded for another: those that trade
    int8_t effects[48]      # EFFECT_*
    int8_t colours[48]      # the colour in the text, or NONE
    uint32_t places[48]     # cities that the card places on: bit 2 * city
    int8_t costs[48]        # cubes; 0 for an X card
    int8_t limits[48]       # most flair
    int8_t texts[48]        # the lowest card with the same text
    int8_t first_icon[48]   # its colours again, for lists by colour
    int8_t second_icon[48]  # COLOURS for a card with one icon
    int8_t card_size[48]
    # ---- Cities --------------------------------------------------------------------------------------------
    int8_t rewards[15]      # REWARD_*
    int8_t amounts[15]      # points, tokens or cubes
    uint32_t colour_cities[5]   # cities of each colour: bit 2 * city
    uint32_t point_cities   # cities of the top row that end a path: bit 2 * city
    # ---- The rest ------------------------------------------------------------------------------------------
    int8_t space_kinds[13]  # SPACE_*
    int8_t space_items[13]  # the icon or the size, 0 for the others
    int8_t ties[4][5]       # small number of each large number and seat
    int8_t card_points[49]  # points for that many cards with an icon or of a size
    int8_t paths[35][3]     # cities of each path: top, middle, bottom
    uint32_t path_masks[35]     # the same as a set: bit 2 * city
    int8_t rolls[15][3]     # each way in which four dice fall: how many on each master
    double roll_odds[15]    # and its probability
    double weights[60]      # W_*
    int8_t roll_of[81]      # the way in which dice fall that go to the masters given by four digits in base 3
