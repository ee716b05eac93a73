"""The Three Magicians."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

from aiplay._core.games.three_magicians.core import ThreeMagiciansCore
from aiplay.fields import Field
from aiplay.games.data_file import DATA_OPTION
from aiplay.games.three_magicians.check import Phase, PositionCheck
from aiplay.games.three_magicians.data import SYMBOLS, TRIPLETS, Board, load_board
from aiplay.games.three_magicians.render import draw
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["ThreeMagicians"]

JUMP, WALK = 1, 16  # moves are numbered from here
TURN_MOVES = 9  # throw, jump, walk, magic or not, its throw, its symbol, its place, whom to rob, end
ROUND_MOVES = 12  # six throws and six decisions of a duel until it starts over
RARE = 1e-9  # how likely a game may be longer than max_depth


class ThreeMagicians(ThreeMagiciansCore):
    """The Three Magicians: a race for seven tarot cards, with wands, duels and a labyrinth."""

    name = "three_magicians"
    returns_sum = 1.0
    OPTIONS = (
        Option("players", 3, "seats", low=2, high=3),
        Option("labyrinth_exit", "2", "which triplets lead out of the Labyrinth", choices=("2", "1or2")),
        Option("fate_on_tie", False, "a tie of three empty and three others counts as empty"),
        Option("apprentice_must_move", True, "an Apprentice that can walk has to"),
        Option("turn_cap", 600, "throws of a turn after which the most tarot cards win", low=1, high=10_000),
        Option(
            "cards_per_place",
            None,
            "tarot cards of each place; one fewer than there are seats if not set",
            low=1,
            high=3,
            kind=int,
        ),
        DATA_OPTION,
    )
    FIELDS = {
        "cards": Field(0, 127, "the tarot cards of each seat: bit 0-6 for every place"),
        "n_turns": Field(0, 10_000, "throws of a turn so far"),
        "magicians": Field(0, 8, "the place of each Magician: 0-6 with tarot cards, 7 Life, 8 Labyrinth"),
        "apprentices": Field(
            0, 63, "the spot of each Apprentice: a place, or a stone in the order of the links"
        ),
        "powers": Field(0, 1, "1 for an Apprentice with the Power token"),
        "phase": Field(0, 10, "who decides what: a phase"),
        "seat": Field(0, 2, "whose turn it is"),
        "jump": Field(0, 2, "places that its Magician may still jump; 0 when it has, or cannot"),
        "walk": Field(0, 6, "steps that its Apprentice may still walk; 0 when it has, or cannot"),
        "is_again": Field(0, 1, "1 after a triplet: another turn follows"),
        "tied": Field(0, 7, "symbols to choose from: 1 star, 2 arrow, 4 empty, added up"),
        "rival": Field(0, 2, "duel: the seat whose Magician stood there first; else 0"),
        "is_reversed": Field(0, 1, "duel: 1 when the rival throws first"),
        "is_second": Field(0, 1, "duel: 1 when the one who answers throws"),
        "n_throws": Field(0, 3, "duel: throws that the thrower has made"),
        "n_kept": Field(0, 2, "duel: wands that it has kept"),
        "kept": Field(0, 4, "duel: their points"),
        "thrown": Field(0, 3, "duel: how many of the wands just thrown show 0, 1 and 2"),
        "goal": Field(0, 6, "duel, second thrower: the points of the first"),
        "goal_throws": Field(0, 3, "duel, second thrower: the throws of the first"),
    }

    @functools.cached_property
    def board(self) -> Board:
        """The board and the wands."""
        return load_board(self.options["data"])

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Names of phases, places and spots."""
        return {
            "phase": tuple(phase.name.lower().replace("_", " ") for phase in Phase),
            "place": self.board.names,
            "spot": tuple(self.board.spot_name(spot) for spot in range(self.board.n_spots)),
        }

    @property
    def cards_per_place(self) -> int:
        """Tarot cards of each place at the start."""
        given: int | None = self.options["cards_per_place"]
        players: int = self.options["players"]
        return given or players - 1

    @property
    def _exits(self) -> tuple[int, ...]:
        """The triplets that lead out of the Labyrinth."""
        return (1, 2) if self.options["labyrinth_exit"] == "1or2" else (2,)

    def _tables(self) -> dict[str, Any]:
        """What the native rules need to know of the board, as plain numbers."""
        board, walks, jumps = self.board, self.board.walks, self.board.jumps
        most_walks = max((row[n] | row[2 * n]).bit_count() for row in walks for n in range(1, 7))
        most_jumps = max(ends.bit_count() for row in jumps for ends in row)
        return {
            "walks": walks,
            "jumps": jumps,
            "magic": sum(1 << spot for spot in board.magic),
            "throws": board.throws(),
            "magics": board.magic_throws(has_fate=self.options["fate_on_tie"]),
            "duels": [board.duel_throws(n) for n in (1, 2, 3)],
            "cards_per_place": self.cards_per_place,
            "exits": sum(1 << notches for notches in self._exits),
            "max_moves": 1 + most_jumps + most_walks,
            "max_depth": self._longest(),
        }

    def _longest(self) -> int:
        """Moves that a game exceeds with a probability below RARE, whoever plays it.

        Only duels are without end. A duel starts over only if the last wands of the second thrower show
        exactly what is missing, which is at most as likely as the likeliest side of one wand. Every duel
        sends a Magician to the Labyrinth, which it leaves by one triplet only, so there are no more duels
        than seats and such triplets. The bound on the rounds of all duels is Chernoff's, at the best of
        some points.
        """
        notches = self.board.notches
        players: int = self.options["players"]
        turns: int = self.options["turn_cap"]
        again = max(notches.count(side) for side in (0, 1, 2)) / len(notches)
        leave = sum((notches.count(side) / len(notches)) ** 3 for side in self._exits)

        def rounds(point: float) -> float:
            grow = point * (1 - again) / (1 - again * point)  # a duel's generating function of its rounds
            logarithm = players * math.log(grow) + turns * math.log1p(leave * (grow - 1))
            return (logarithm - math.log(RARE)) / math.log(point)

        points = [1 + (1 / again - 1) * step / 100 for step in range(1, 100)]
        return 1 + TURN_MOVES * turns + ROUND_MOVES * math.ceil(min(map(rounds, points)))

    def check(self, fields: Any, seat: int | None) -> None:
        """Cards, figures, throw, magic and duel fit each other and the phase."""
        throws = self.board.magic_throws(has_fate=self.options["fate_on_tie"])
        rules = {
            "players": self.seats,
            "turn_cap": self.options["turn_cap"],
            "cards_per_place": self.cards_per_place,
            "exits": self._exits,
            "ties": sorted({seen for seen in throws if seen.bit_count() > 1}),
        }
        PositionCheck(self.board, rules, fields).run()

    def move_text(self, position: Position, move: int) -> str:
        """``throw 2+1`` (own wand and the sum of the others), ``jump Mill``, ``walk Life-Mill 2``, ``keep 2 1``."""
        match Phase(position.fields["phase"]):
            case Phase.FIRST:
                return f"seat {move} begins"
            case Phase.THROW:
                return "throw " + (TRIPLETS.get(move) or f"{move // 5}+{move % 5}")
            case Phase.MOVE:
                return self._figure_text(move)
            case Phase.OFFER:
                return ("no magic", "magic")[move]
            case Phase.MAGIC | Phase.TIE:
                return " and ".join(symbol for bit, symbol in enumerate(SYMBOLS) if move >> bit & 1)
            case Phase.STAR:
                return f"go {self.board.names[move]}"
            case Phase.STEAL:
                return f"take from seat {move}"
            case Phase.DUEL_THROW:
                ones, twos = move & 3, move >> 2
                zeros = 3 - int(position.fields["n_kept"]) - ones - twos
                return "throw " + _wands(zeros, ones, twos)
        return "stop" if move == 0 else "keep " + _wands(move & 3, move >> 2 & 3, move >> 4)

    def _figure_text(self, move: int) -> str:
        if move == 0:
            return "end"
        if move < WALK:
            return f"jump {self.board.names[move - JUMP]}"
        return f"walk {self.board.spot_name(move - WALK)}"

    def render(self, position: Position) -> str:
        """The board with its figures, the cards of every seat, and what is to be decided."""
        return draw(self.board, self.seats, self.cards_per_place, self.options["turn_cap"], position.fields)


def _wands(zeros: int, ones: int, twos: int) -> str:
    """Wands by their notches, the best first."""
    return " ".join(["2"] * twos + ["1"] * ones + ["0"] * zeros)
