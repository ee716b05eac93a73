# Levitation: the state, the rules of a loaded game, and the numbers of phases, effects, moves and weights.
# Python imports the numbers from here, too. The rules in words are in aiplay/games/levitation/rules.md.
#
# A set of cards is a word with bit `card`, a set of cities a word with bit 2 * `city`: tickets take two bits a city.

from aiplay._core.typedefs cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t

cpdef enum:
    N_SEATS = 5             # most seats
    N_CARDS = 48
    N_ROWS = 3              # rows of cities; a path has a city in each
    N_CITIES = 15           # most cities; numbered from the top left, row by row
    N_SPACES = 13           # point spaces
    N_COLOURS = 5           # blue, red, yellow, black, green
    N_SIZES = 5             # mouse, rabbit, dog, horse, elephant
    N_MASTERS = 3
    N_DICE = 4              # of each colour
    N_TICKETS = 10          # of each seat
    N_CUBES = 50            # in the whole game
    N_FLAIR = 50            # in the whole game
    N_TOKENS = 4            # turn tokens of each seat
    N_ROUNDS = 3
    N_TURNS = 4             # in a round
    N_PATHS = 125           # most paths: three rows of five cities that all touch
    N_ROLLS = 15            # numbers of dice on the masters after throwing the four of a colour
    N_THROWS = 81           # equally likely throws of four dice on three masters
    FIRST_CUBES = 2         # cubes of a seat at the start
    MASTER_TICKETS = 3      # tickets from Herrmann
    PATH_BONUS = 3          # points from the path bonus
    COUNTED_CARDS = 4       # an icon or size space counts no more cards
    COUNTED_PIECES = 10     # a flair, ticket or cube space counts no more pieces
    N_HORIZONS = N_ROUNDS * N_TURNS + 1     # numbers of actions that a seat can have left
    NONE = -1

# Masters, in the order of the dice
cpdef enum:
    HERRMANN = 0
    THURSTON = 1
    KELLAR = 2

# Decisions. Chance makes the first four, `path_seat` makes PHASE_PATH, the acting seat makes the rest.
cpdef enum:
    PHASE_DEAL = 0          # the card of city `step`
    PHASE_TOKENS = 1        # the turn token of seat `step`
    PHASE_DICE = 2          # the four dice of colour `step`
    PHASE_REFILL = 3        # the new card of the top, middle or bottom city (`step`) of the claimed `path`
    PHASE_OVER = 4          # none: the game is over
    PHASE_PATH = 5          # the path to claim
    PHASE_START = 6         # before the draft: roll, re-roll or draft
    PHASE_MAIN = 7          # main action, activation or end
    PHASE_COPY = 8          # the text that the duplicating card `active` copies
    PHASE_AMOUNT = 9        # the number of cubes on the X card
    PHASE_TARGET = 10       # the target of the effect of `source`; `target` is the first of two
    PHASE_FLAIR = 11        # the place of one of `n_flair` tokens

# Effects of cards. The first four give points: for a fixed cost, or on an X card one for each cube.
cpdef enum:
    EFFECT_POINTS_DICE = 0      # for dice of a colour off the board
    EFFECT_POINTS_BOARD = 1     # for own tickets on the board
    EFFECT_POINTS_HAND = 2      # for tickets in hand
    EFFECT_POINTS_CARDS = 3     # for own cards with an icon
    EFFECT_GAIN_FLAIR = 4
    EFFECT_GAIN_TICKET = 5
    EFFECT_GAIN_CUBE = 6
    EFFECT_GAIN_TICKETS = 7     # one for each die of a colour off the board
    EFFECT_GAIN_CARD = 8        # one with an icon, from a city
    EFFECT_PLACE_SPACE = 9
    EFFECT_PLACE_CITY = 10      # of one or two colours
    EFFECT_COPY_OTHER = 11      # duplicate the card of another seat
    EFFECT_COPY_OWN = 12
    EFFECT_DISABLE = 13
    EFFECT_FIRST = 14           # first action of the next turn
    EFFECT_TRADE_TICKETS = 15
    EFFECT_MOVE_TICKET = 16
    EFFECT_TRADE_CARD = 17
    EFFECT_REROLL = 18
    EFFECT_BONUS = 19           # PATH_BONUS on the next path
    EFFECT_MOVE_CARD = 20
    EFFECT_COLOUR = 21          # change the die's colour
    N_EFFECTS = 22
    N_KINDS = 7                 # kinds of effects: points, gains, cards, point spaces, cities, copies, tricks

# Things that point spaces count
cpdef enum:
    SPACE_ICON = 0          # own cards with the icon `space_items`
    SPACE_SIZE = 1          # own cards of the size `space_items`
    SPACE_FLAIR = 2
    SPACE_TICKETS = 3
    SPACE_CUBES = 4

# Moves. The phase decides what is done with a card or a city; every other move has one meaning. The last outcomes of
# chance share their numbers with paths.
cpdef enum:
    MOVE_END = 0            # end the action
    MOVE_ROLL = 1           # roll all dice
    MOVE_TICKETS = 2        # take Herrmann's tickets
    MOVE_DISCARD = 3        # discard a flair token for a point
    MOVE_CITY = 16          # + city
    MOVE_SPACE = 32         # + point space
    MOVE_CARD = 48          # + card
    MOVE_DRAFT = 96         # + N_COLOURS * master + colour
    MOVE_COLOUR = 112       # + colour
    MOVE_AMOUNT = 128       # + cubes, 1 .. N_CUBES
    MOVE_PARTNER = 192      # + N_CITIES * seat + city: the other ticket of a trade
    MOVE_PATH = 272         # + path
    MOVE_TOKEN = 308        # chance: + large number - 1
    MOVE_DICE = 312         # chance: + roll
    MAX_OPTIONS = 80        # most moves of a state: Kellar's 15 cities and 13 spaces, 48 cards, end

# Weights of the evaluation (value.pyx), in points unless they say otherwise
cpdef enum:
    W_MORE_ICONS = 0        # cards with a wanted icon gained in each future action
    W_MORE_SIZES = 1        # cards of a wanted size gained in each future action
    W_MORE_FLAIR = 2        # flair tokens gained in each future action
    W_MORE_TICKETS = 3      # tickets gained in each future action
    W_MORE_CUBES = 4        # cubes gained in each future action
    W_TICKET = 5            # the first ticket in hand
    W_TICKET_FADES = 6      # factor for each further ticket in hand
    W_PLACINGS = 7          # tickets that can be placed in an action
    W_CITY_TICKET = 8       # a ticket in a city, besides its path
    W_PATH_ONE = 9          # share of a path's points for one ticket of three
    W_PATH_TWO = 10         # share of a path's points for two tickets of three
    W_PATH_BLOCKED = 11     # factor for each city on the path that is closed
    W_PATH_SOON = 12        # share of the missing tickets that a future action can bring
    W_CUBE = 13             # a cube, in each action
    W_FLAIR = 14            # a flair token, in each future action, besides the point for discarding it
    W_CARD = 15             # a card
    W_CARD_USE = 16         # uses of a card in each future action
    W_FREE_SPACE = 17       # factor for a point space that is still free
    W_ENGINE = 18           # share of the yield of all cards that a future action gets
    W_BEST_COLOUR = 19      # weight of the best colour; the mean of all has the rest
    W_ACTION = 20           # a future action, besides the engine
    W_PLAN = 21             # share of the offers of the action under way that it gets
    W_SPREAD = 22           # lead that makes odds of e : 1 at the end
    W_SPREAD_LEFT = 23      # added to W_SPREAD for each future action
    W_GROWTH = 24           # bonus for early growth (0 none, 1 proportional)
    W_CARD_ROOM = 25        # room for a flair token on a card
    W_ROLL = 26             # the action under way while dice are thrown
    W_EFFECTS = 27          # + effect: one use in a future action
    W_USES = 49             # + effect - EFFECT_COPY_OTHER: one use now
    N_WEIGHTS = 60


ctypedef struct LevitationState:
    uint64_t owned[N_SEATS]         # cards of each seat
    uint64_t deck                   # cards not yet drawn: a set, since the order is decided by drawing
    uint64_t used                   # cards used in this action, wherever they are now
    uint64_t disabled               # cards disabled until the turn ends, wherever they are now
    uint32_t tickets[N_SEATS]       # tickets of each seat in the cities: two bits for each city, city 0 lowest
    int32_t scores[N_SEATS]         # points; those of the point spaces are added at the end
    int8_t flair[N_CARDS]           # flair tokens on each card
    int8_t city_cards[N_CITIES]     # the card in each city, or NONE
    int8_t space_seats[N_SPACES]    # the seat whose ticket is on each point space, or NONE
    int8_t unused[N_SEATS]          # tickets that each seat can still gain
    int8_t hand[N_SEATS]            # tickets in hand
    int8_t cubes[N_SEATS]           # acclaim cubes, committed ones included
    int8_t dice[N_MASTERS * N_COLOURS]  # dice on the masters: entry N_COLOURS * master + colour
    int8_t tokens[N_SEATS]          # turn tokens left in this round: bit (number - 1)
    int8_t revealed[N_SEATS]        # number of the token revealed in this turn; 0 none yet
    int8_t order[N_SEATS]           # seats in the order of this turn; NONE while tokens are revealed
    int8_t first[N_SEATS]           # rank among the seats that act first in the next turn: 1, 2 ...; 0 none
    int8_t phase                    # PHASE_*
    int8_t round                    # 0 .. N_ROUNDS - 1
    int8_t turn                     # 0 .. N_TURNS - 1
    int8_t n_acted                  # seats that have acted in this turn: order[n_acted] acts now
    int8_t step                     # progress of a chance phase, 0 elsewhere
    int8_t has_rolled               # 1 after the free roll of this action
    int8_t master                   # master of the drafted die, NONE before the draft
    int8_t colour                   # colour of the die as it counts now, NONE before the draft
    int8_t has_acted                # 1 after the main action
    int8_t committed                # cubes committed in this action
    uint8_t bonus                   # extra points for the acting seat's next path in this action
    int8_t active                   # the card in use, or NONE
    int8_t source                   # lowest card with the text in use, printed on `active` or copied, or NONE
    int8_t target                   # first of two targets (a city or a card), or NONE
    int8_t n_flair                  # flair tokens still to be placed
    int8_t flair_from               # lowest card that may take the next token: ascending order, discards last
    int8_t path_seat                # the seat that claims a path, NONE outside PHASE_PATH
    int8_t path                     # the claimed path while its cities are refilled, or NONE


# Paths that differ only in the bottom city and have the same points
ctypedef struct LevitationRoute:
    int8_t top
    int8_t middle
    int8_t points
    int8_t is_last                  # 1 if the next route has another middle city or other bottoms
    uint32_t bottoms                # set of bottom cities


# Terms of the evaluation for a number of actions left, in points
ctypedef struct LevitationHorizon:
    double left                     # actions still to come, not counting the one under way
    double cube                     # one more cube
    double flair                    # a flair token
    double city_ticket              # a ticket in a city, besides its path; it fades over the last four actions
    double more_flair               # flair tokens still to be gained
    double more_tickets             # tickets still to be gained
    double more_cubes               # cubes still to be gained
    double shares[N_ROWS + 2]       # of the points of a path, by its number of tickets; one more counts nothing
    double hand[N_TICKETS + 2]      # tickets in hand, by their number
    double card_points[2][COUNTED_CARDS + 1]    # of an icon or a size space, by the number of cards that it counts now
    double card_gains[2][COUNTED_CARDS + 1]     # the same for one more card
    double rewards[N_CITIES]        # flair and cubes for a ticket that enters each city
    double yields[N_CARDS]          # each card in a future action, without its flair; per thing that it counts
    double owning[N_CARDS]          # owning each card, without its points on point spaces; not for `counted` cards


ctypedef struct LevitationRules:
    int seats
    # ---- Cards ---------------------------------------------------------------------------------------------
    uint64_t icons[N_COLOURS]       # cards with each icon
    uint64_t sizes[N_SIZES]         # cards of each size
    uint64_t kinds[N_KINDS]         # cards with each kind of effect
    uint64_t rerolls                # cards that re-roll
    uint64_t uncopied               # cards that cannot be duplicated: duplicates and re-rolls
    uint64_t counted                # cards that give points for tickets or cards of the seat
    uint64_t untraded               # cards that cannot be traded for another: those that trade
    int8_t effects[N_CARDS]         # EFFECT_*
    int8_t colours[N_CARDS]         # first colour in the text, or NONE
    uint32_t places[N_CARDS]        # cities that the card places on
    int8_t costs[N_CARDS]           # cubes; 0 for an X card, which gives points
    int8_t limits[N_CARDS]          # most flair
    int8_t texts[N_CARDS]           # lowest card with the same text; X is part of it
    int8_t first_icon[N_CARDS]      # colour of the first icon
    int8_t second_icon[N_CARDS]     # colour of the second icon, N_COLOURS for a card with one
    int8_t card_size[N_CARDS]       # size of the card
    # ---- Cities --------------------------------------------------------------------------------------------
    int n_cities
    uint32_t cities                 # all cities
    uint32_t colour_cities[N_COLOURS]   # cities with a die of each colour
    int8_t city_flair[N_CITIES]     # flair tokens for a ticket that enters
    int8_t city_cubes[N_CITIES]     # cubes for a ticket that enters
    # ---- Paths: chains of three touching cities, one in each row, with points in at least one of them ------
    int n_paths
    int8_t paths[N_PATHS][N_ROWS]   # cities of each path: top, middle, bottom
    uint32_t path_masks[N_PATHS]    # cities of each path as a set
    int8_t path_points[N_PATHS]     # points of its three cities together
    uint32_t middle                 # cities of the middle row
    uint32_t above[N_CITIES]        # cities of the top row that touch a city of the middle row
    uint32_t below[N_CITIES]        # cities of the bottom row that touch a city of the middle row
    uint32_t paying[N_CITIES]       # cities that make a chain through a city of the middle row a path
    int n_routes
    LevitationRoute routes[N_PATHS] # all paths, by middle city and bottoms
    # ---- The rest ------------------------------------------------------------------------------------------
    int8_t space_kinds[N_SPACES]    # SPACE_*
    int8_t space_items[N_SPACES]    # the icon or the size, 0 for other kinds
    uint64_t space_cards[N_SPACES]  # cards with that icon or of that size, none for other kinds
    uint32_t card_spaces            # spaces that count cards: bit space
    int8_t ties[N_TOKENS][N_SEATS]  # small number of each large number and seat
    int8_t card_points[N_CARDS + 1]     # points for that many cards with an icon or of a size
    int8_t rolls[N_ROLLS][N_MASTERS]    # dice on each master after each roll
    double roll_odds[N_ROLLS]       # probability of each roll
    double weights[N_WEIGHTS]       # W_*
    LevitationHorizon horizons[N_HORIZONS]
    double has_icon[N_CARDS][N_COLOURS + 1]     # 1 for each colour that a card has, else 0; the last entry is 0
    int8_t roll_of[N_THROWS]        # the roll of each throw: its digits in base N_MASTERS are the masters of the dice
