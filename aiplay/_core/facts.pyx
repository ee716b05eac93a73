"""The half of a game that needs no positions: options, bounds, and the checks of its operations."""

import functools
import os
from types import MappingProxyType

from aiplay._core.contract cimport (
    ABI_VERSION, ADVISE_EVALUATE, ADVISE_GAME, ADVISE_NONE, ADVISE_NOTHING, MAX_FEATURES, PLAY_TO_THE_END,
    GameOps,
)
from aiplay._core.typedefs cimport MAX_MOVES, MAX_SEATS

from aiplay.errors import InvalidStateError, OptionError, PackageError
from aiplay.fields import check_fields
from aiplay.options import resolve_options

cdef dict PRIOR_NAMES = {ADVISE_NONE: "none", ADVISE_GAME: "game", ADVISE_EVALUATE: "evaluate"}


cdef class GameFacts:
    """The half of :class:`Game` that needs no positions."""

    name = ""           # the name that load_game knows
    OPTIONS = ()        # options of the game: a tuple of aiplay.options.Option
    FIELDS = {}         # range and meaning of every field of a state: name -> aiplay.fields.Field
    returns_sum = None  # sum of the returns of all seats, if it is always the same

    def __cinit__(self, *arguments, **options):
        self.options = MappingProxyType({})  # until __init__, which a subclass may forget to call

    def __init__(self, **options):
        if self.ops.setup != NULL:
            raise TypeError("a game is immutable: make another one")
        self.options = MappingProxyType(resolve_options(self.name, self.OPTIONS, options))
        self._prepare()
        self._check_operations()

    def _prepare(self):
        """Fill `ops` and `layout` from `options`; overridden by every game."""
        raise TypeError(f"{type(self).__name__} is not a complete game: load one with aiplay.load_game")

    def _check_operations(self):
        cdef GameOps* ops = &self.ops
        if ops.abi_version != ABI_VERSION:
            raise PackageError(
                f"{self.name} was compiled for version {ops.abi_version} of the game contract, this is "
                f"version {ABI_VERSION}: compile it again"
            )
        if not 1 <= ops.seats <= MAX_SEATS:
            raise TypeError(f"{self.name}: {ops.seats} seats; allowed: 1 to {MAX_SEATS}")
        if not 1 <= ops.max_moves <= MAX_MOVES:
            raise TypeError(f"{self.name}: max_moves is {ops.max_moves}; allowed: 1 to {MAX_MOVES}")
        if ops.move_space < 0 or ops.chance_space < 0:
            raise TypeError(f"{self.name}: move_space and chance_space have to be at least 0")
        if ops.max_depth < 1 or not ops.min_return < ops.max_return:
            raise TypeError(f"{self.name}: max_depth has to be positive and min_return below max_return")
        if ops.playout_depth < PLAY_TO_THE_END:
            raise TypeError(
                f"{self.name}: playout_depth is {ops.playout_depth}; allowed: {PLAY_TO_THE_END} (to the end) or more"
            )
        if not 0 <= ops.n_features <= MAX_FEATURES or (ops.n_features > 0) != (ops.features != NULL):
            raise TypeError(
                f"{self.name}: n_features is {ops.n_features}; allowed: 1 to {MAX_FEATURES} with the function "
                "features, else 0"
            )
        self._check_advice()
        if self.layout is not None:
            if <size_t>self.layout.size != ops.state_size:
                raise TypeError(
                    f"{self.name}: the layout has {self.layout.size} bytes, a state {ops.state_size}"
                )
            check_fields(self.name, self.layout, self.FIELDS)

    def _check_advice(self):
        cdef GameOps* ops = &self.ops
        for name, value in (
            ("exploration", ops.advice.exploration), ("root_exploration", ops.advice.root_exploration),
        ):
            if not 0 <= value <= 100:       # false for NaN
                raise TypeError(f"{self.name}: the advised {name} is {value}; allowed: 0 (no advice) to 100")
        if ops.advice.prior_visits < 0:
            raise TypeError(
                f"{self.name}: the advised prior_visits are {ops.advice.prior_visits}; allowed: 0 (no advice) or more"
            )
        if ops.advice.prior != ADVISE_NOTHING and ops.advice.prior not in PRIOR_NAMES:
            raise TypeError(f"{self.name}: the advised prior is {ops.advice.prior}; allowed: one of ADVISE_*")
        for source, function in ((ADVISE_GAME, "priors"), (ADVISE_EVALUATE, "evaluate")):
            if ops.advice.prior == source and not self.offers(function):
                raise TypeError(f"{self.name} advises prior={PRIOR_NAMES[source]}, but has no {function}")

    # ---- Bounds and abilities ------------------------------------------------------------------------------

    @property
    def dtype(self):
        """The numpy dtype of a state; None for a game written in Python."""
        return None if self.layout is None else self.layout.dtype

    @property
    def labels(self):
        """Names for the numbers in fields, by the word that FIELDS uses: `labels["phase"][0]`."""
        return {}

    @property
    def seats(self):
        """Number of seats."""
        return self.ops.seats

    @property
    def seat_range(self):
        """The smallest and the largest number of seats, from the option `players`; `seats` without that option."""
        for option in self.OPTIONS:
            if option.name == "players":
                return int(option.low), int(option.high)
        return self.seats, self.seats

    @property
    def max_moves(self):
        """The most legal moves (or chance outcomes) of any state."""
        return self.ops.max_moves

    @property
    def move_space(self):
        """Moves of seats are below this, though not every smaller number is a move; 0: unknown."""
        return self.ops.move_space

    @property
    def chance_space(self):
        """Chance outcomes are below this; 0: unknown, or there is no chance."""
        return self.ops.chance_space

    @property
    def max_depth(self):
        """The most moves of a game, chance included."""
        return self.ops.max_depth

    @property
    def min_return(self):
        """The lowest possible return of a seat."""
        return self.ops.min_return

    @property
    def max_return(self):
        """The highest possible return of a seat."""
        return self.ops.max_return

    @property
    def n_features(self):
        """Numbers that a trained value sees by the game's own `features`; 0 without that function."""
        return self.ops.n_features

    @property
    def state_size(self):
        """Bytes of a state."""
        return self.ops.state_size

    @property
    def has_chance(self):
        """True if dice or shuffled cards decide something."""
        return self.ops.chance_outcomes != NULL

    @property
    def has_hidden(self):
        """True if seats do not see everything."""
        return self.ops.conceal != NULL

    @property
    def is_cooperative(self):
        """True if all seats win or lose together."""
        return bool(self.ops.is_cooperative)

    @property
    def playout_depth(self):
        """Moves of a playout before the game is asked for an evaluation; -1: playouts run to the end."""
        return self.ops.playout_depth

    @property
    def advice(self):
        """Options of `mcts` that suit this game better than the usual defaults, by name."""
        cdef GameOps* ops = &self.ops
        found = {}
        if ops.advice.exploration > 0:
            found["exploration"] = ops.advice.exploration
        if ops.advice.root_exploration > 0:
            found["root_exploration"] = ops.advice.root_exploration
        if ops.advice.prior != ADVISE_NOTHING:
            found["prior"] = PRIOR_NAMES[ops.advice.prior]
        if ops.advice.prior_visits > 0:
            found["prior_visits"] = ops.advice.prior_visits
        if ops.evaluate != NULL:
            found["cutoff"] = ops.playout_depth
        return MappingProxyType(found)

    def offers(self, function):
        """True if the game has this optional function: evaluate, priors, playout_move, policy_playout, believe or
        features.
        """
        has = {
            "evaluate": self.ops.evaluate != NULL,
            "priors": self.ops.priors != NULL,
            "playout_move": self.ops.playout_move != NULL,
            "policy_playout": self.ops.policy_playout != NULL,
            "believe": self.ops.believe != NULL,
            "features": self.ops.features != NULL,
        }
        if function not in has:
            raise ValueError(f"{function!r} is not optional; allowed: {', '.join(has)}")
        return has[function]

    # ---- Identity ------------------------------------------------------------------------------------------

    def __repr__(self):
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"load_game({self.name!r}{options})"

    def __eq__(self, other):
        if not isinstance(other, GameFacts):
            return NotImplemented
        return self is other or (type(self) is type(other) and self.options == other.options)

    def __hash__(self):
        return hash((type(self), tuple(self.options.items())))

    def __reduce__(self):
        return _restore_game, (type(self), tuple(self.options.items()))

    # ---- Arguments of the methods of a game ----------------------------------------------------------------

    def _check_seat(self, seat):
        """The seat as an int; ValueError if the game has no such seat."""
        if isinstance(seat, bool) or not hasattr(seat, "__index__") or not 0 <= seat.__index__() < self.seats:
            raise ValueError(f"seat is {seat!r}; allowed: 0 to {self.seats - 1}")
        return seat.__index__()

    def _check_origin(self, document):
        """Raise InvalidStateError if a JSON document is of another game or has other options."""
        if document["game"] != self.name:
            raise InvalidStateError(f"game is {document['game']!r}; this is {self.name!r}")
        if document["options"] != self.options:
            raise InvalidStateError(
                f"options are {document['options']!r}; this game has {dict(self.options)!r}"
            )


def _restore_game(cls, options):
    """Make the game of a pickle; one for all pickles with equal options and an unchanged data file."""
    if not (isinstance(cls, type) and issubclass(cls, GameFacts)):
        raise OptionError(f"a pickle has {cls!r} for a game; allowed: a class of games")
    if not (isinstance(options, tuple) and all(map(_is_option, options))):
        raise OptionError(f"a pickle has {options!r} for options; allowed: pairs of a name and a value")
    return _restored_game(cls, options, _file_stamp(dict(options).get("data")))


def _is_option(pair):
    """True for a name with a value that an option can have."""
    if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str)):
        return False
    return pair[1] is None or isinstance(pair[1], (bool, int, float, str))


@functools.lru_cache(maxsize=64)
def _restored_game(cls, options, stamp):
    return cls(**dict(options))


def _file_stamp(path):
    """Something that changes when a file does; None without a file."""
    try:
        found = os.stat(path) if isinstance(path, str) else None
    except (OSError, ValueError):  # making the game says so
        return None
    return found and (found.st_mtime_ns, found.st_size)
