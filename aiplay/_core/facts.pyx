"""What a game says about itself: its options, and the numbers of its C table, checked once when it is made."""

from types import MappingProxyType

from aiplay._core.contract cimport ABI_VERSION, PLAY_TO_THE_END, GameOps
from aiplay._core.typedefs cimport MAX_MOVES, MAX_SEATS

from aiplay.errors import PackageError
from aiplay.fields import check_fields
from aiplay.options import resolve_options


cdef class GameFacts:
    """The half of :class:`Game` that knows no positions."""

    name = ""           # the name load_game knows it by
    OPTIONS = ()        # the options it takes: a tuple of aiplay.options.Option
    FIELDS = {}         # range and meaning of every field of its state: name -> aiplay.fields.Field
    returns_sum = None  # what the returns of all seats add up to, where that is always the same

    def __cinit__(self, *arguments, **options):
        self.options = MappingProxyType({})  # until __init__, which a subclass may forget to call

    def __init__(self, **options):
        if self.ops.setup != NULL:
            raise TypeError("a game is immutable: make another one")
        self.options = MappingProxyType(resolve_options(self.name, self.OPTIONS, options))
        self._prepare()
        self._check_table()

    def _prepare(self):
        """Fill `ops` and `dtype` from `options`; every game does."""
        raise TypeError(f"{type(self).__name__} is not a complete game: load one with aiplay.load_game")

    def _check_table(self):
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
            raise TypeError(f"{self.name}: playout_depth is {ops.playout_depth}; allowed: -1 (to the end) or more")
        if self.dtype is not None:
            if self.dtype.itemsize != ops.state_size:
                raise TypeError(
                    f"{self.name}: the dtype has {self.dtype.itemsize} bytes, a state {ops.state_size}"
                )
            check_fields(self.name, self.dtype, self.FIELDS)

    @property
    def labels(self):
        """Names of what numbers in the fields stand for, by the word that FIELDS has for it: `labels["phase"][0]`."""
        return {}

    @property
    def seats(self):
        """How many seats play."""
        return self.ops.seats

    @property
    def max_moves(self):
        """The most legal moves (or chance outcomes) that any state offers."""
        return self.ops.max_moves

    @property
    def move_space(self):
        """The moves of seats are numbers below this, though not every one of them is a move; 0: not known."""
        return self.ops.move_space

    @property
    def chance_space(self):
        """The outcomes of chance are numbers below this; 0: not known, or there is no chance."""
        return self.ops.chance_space

    @property
    def max_depth(self):
        """The most moves that a game can take, chance included."""
        return self.ops.max_depth

    @property
    def min_return(self):
        """The least that a seat can get."""
        return self.ops.min_return

    @property
    def max_return(self):
        """The most that a seat can get."""
        return self.ops.max_return

    @property
    def state_size(self):
        """Bytes of a state."""
        return self.ops.state_size

    @property
    def has_chance(self):
        """Whether dice or shuffled cards decide anything."""
        return self.ops.chance_outcomes != NULL

    @property
    def has_hidden(self):
        """Whether a seat may not see everything."""
        return self.ops.conceal != NULL

    @property
    def is_cooperative(self):
        """Whether all seats win or lose together."""
        return bool(self.ops.is_cooperative)

    @property
    def playout_depth(self):
        """Moves that a search plays on from a new position before it evaluates; -1: it plays to the end."""
        return self.ops.playout_depth

    def offers(self, function):
        """Whether the game has this optional function: evaluate, priors, playout_move or believe."""
        if function == "evaluate":
            return self.ops.evaluate != NULL
        if function == "priors":
            return self.ops.priors != NULL
        if function == "playout_move":
            return self.ops.playout_move != NULL
        if function == "believe":
            return self.ops.believe != NULL
        raise ValueError(f"{function!r} is not optional; allowed: evaluate, priors, playout_move, believe")
