"""The Three Magicians."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

from aiplay._core.games.three_magicians.core import ThreeMagiciansCore
from aiplay._core.games.three_magicians.state import (
    ALL_CARDS,
    LABYRINTH,
    MAX_KEPT,
    MAX_PLAYERS,
    MAX_POINTS,
    MAX_SPOTS,
    N_NOTCHES,
    N_WANDS,
    OVER,
)
from aiplay.fields import Field
from aiplay.games.data_file import DATA_OPTION
from aiplay.games.three_magicians.check import Phase, PositionCheck
from aiplay.games.three_magicians.data import SYMBOLS, Board, load_board
from aiplay.games.three_magicians.moves import VERBS, parts_of
from aiplay.games.three_magicians.render import draw
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position
    from aiplay.catalogue import Entry
    from aiplay.games.three_magicians.scene import ThreeMagiciansScene

__all__ = ["ThreeMagicians"]

MAX_TURN_CAP = 10_000
TURN_MOVES = 9  # of a turn: throw, jump, walk, magic or not, its throw, symbol and place, whom to rob, end
ROUND_MOVES = 12  # of a duel until it starts over: six throws and six decisions
RARE = 1e-9  # probability of a game longer than max_depth


class ThreeMagicians(ThreeMagiciansCore):
    """The Three Magicians: bring your Magician and Apprentice together to take tarot cards; all seven win."""

    name = "three_magicians"
    VERBS = VERBS
    returns_sum = 1.0
    OPTIONS = (
        Option("players", 3, "seats", low=2, high=MAX_PLAYERS),
        Option("labyrinth_exit", "2", "triplets that lead out of the Labyrinth", choices=("2", "1or2")),
        Option("fate_on_tie", False, "a tie of three empty and three others is empty"),
        Option("apprentice_must_move", False, "an Apprentice that can walk has to walk"),
        Option(
            "turn_cap",
            600,
            "throws of a turn, after which the most tarot cards win",
            low=1,
            high=MAX_TURN_CAP,
        ),
        Option(
            "cards_per_place",
            None,
            "tarot cards of each place; by default one fewer than seats",
            low=1,
            high=MAX_PLAYERS,
            kind=int,
        ),
        DATA_OPTION,
    )
    FIELDS = {
        "cards": Field(
            0, ALL_CARDS, "the tarot cards of each seat: bits 0-6, one for every place", bits=1, seat_axis=0
        ),
        "n_turns": Field(0, MAX_TURN_CAP, "throws of a turn so far"),
        "magicians": Field(
            0, LABYRINTH, "the place of each Magician: 0-6 with tarot cards, 7 Life, 8 Labyrinth", seat_axis=0
        ),
        "apprentices": Field(
            0,
            MAX_SPOTS - 1,
            "the spot of each Apprentice: a place, or a stone in the order of the links",
            seat_axis=0,
        ),
        "powers": Field(0, 1, "1 for an Apprentice with the Power token", seat_axis=0),
        "phase": Field(0, OVER, "the phase: who decides what"),
        "seat": Field(0, MAX_PLAYERS - 1, "whose turn it is", seats_at=(0,)),
        "jump": Field(0, N_NOTCHES - 1, "jumps left for its Magician; 0 after jumping, or if it cannot"),
        "walk": Field(0, MAX_POINTS, "steps left for its Apprentice; 0 after walking, or if it cannot"),
        "is_again": Field(0, 1, "1 after a triplet: another turn follows"),
        "tied": Field(
            0, sum(SYMBOLS.values()), "symbols to choose from: 1 star, 2 arrow, 4 empty, added up", bits=1
        ),
        "rival": Field(
            0, MAX_PLAYERS - 1, "duel: the seat whose Magician was challenged; else 0", seats_at=(0,)
        ),
        "is_reversed": Field(0, 1, "duel: 1 if the rival throws first"),
        "is_second": Field(0, 1, "duel: 1 while the second thrower throws"),
        "n_throws": Field(0, N_WANDS, "duel: throws that the thrower has made"),
        "n_kept": Field(0, N_WANDS - 1, "duel: wands that it has kept"),
        "kept": Field(0, MAX_KEPT, "duel: their points"),
        "thrown": Field(0, N_WANDS, "duel: how many of the wands just thrown show 0, 1 and 2"),
        "goal": Field(0, MAX_POINTS, "duel, second thrower: points of the first"),
        "goal_throws": Field(0, N_WANDS, "duel, second thrower: throws of the first"),
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
        """Tarot cards of each place at the start of the game."""
        given: int | None = self.options["cards_per_place"]
        players: int = self.options["players"]
        return given or players - 1

    @property
    def _exits(self) -> tuple[int, ...]:
        """The triplets that lead out of the Labyrinth."""
        return (1, 2) if self.options["labyrinth_exit"] == "1or2" else (2,)

    def _facts(self) -> dict[str, Any]:
        """Return the options as checks, drawings and the catalogue need them."""
        return {
            "players": self.seats,
            "turn_cap": self.options["turn_cap"],
            "cards_per_place": self.cards_per_place,
            "exits": self._exits,
            "has_fate": self.options["fate_on_tie"],
            "must_walk": self.options["apprentice_must_move"],
        }

    def _board_data(self) -> dict[str, Any]:
        """Return the board and the wands as plain numbers, for the core."""
        board, walks, jumps = self.board, self.board.walks, self.board.jumps
        most_walks = max((row[n] | row[2 * n]).bit_count() for row in walks for n in range(1, MAX_POINTS + 1))
        most_jumps = max(ends.bit_count() for row in jumps for ends in row)
        return {
            "walks": walks,
            "jumps": jumps,
            "notches": board.notches,
            "magic": sum(1 << spot for spot in board.magic),
            "throws": board.throws(),
            "magics": board.magic_throws(has_fate=self.options["fate_on_tie"]),
            "duels": [board.duel_throws(n) for n in range(1, N_WANDS + 1)],
            "cards_per_place": self.cards_per_place,
            "exits": sum(1 << notches for notches in self._exits),
            "max_moves": 1 + most_jumps + most_walks,
            "max_depth": self._longest(),
        }

    def _longest(self) -> int:
        """Return a number of moves that a game exceeds with a probability below RARE, whoever plays.

        Only duels can go on for ever. A duel starts over only if the last wands of the second thrower show exactly
        the missing points, which is at most as likely as the likeliest side of one wand. Every duel sends a
        Magician to the Labyrinth, which it leaves only by certain triplets, so there are no more duels than seats
        and such triplets together. Chernoff's inequality bounds the rounds of all duels.
        """
        notches = self.board.notches
        players: int = self.options["players"]
        turns: int = self.options["turn_cap"]
        again = max(notches.count(side) for side in range(N_NOTCHES)) / len(notches)
        leave = sum((notches.count(side) / len(notches)) ** N_WANDS for side in self._exits)

        def rounds(point: float) -> float:
            grow = point * (1 - again) / (1 - again * point)  # generating function of the rounds of a duel
            logarithm = players * math.log(grow) + turns * math.log1p(leave * (grow - 1))
            return (logarithm - math.log(RARE)) / math.log(point)

        points = [1 + (1 / again - 1) * step / 100 for step in range(1, 100)]
        return 1 + TURN_MOVES * turns + ROUND_MOVES * math.ceil(min(map(rounds, points)))

    def check(self, fields: Any, seat: int | None) -> None:
        """Cards, figures, throw, magic and duel fit each other and the phase."""
        throws = self.board.magic_throws(has_fate=self.options["fate_on_tie"])
        rules = {**self._facts(), "ties": sorted({seen for seen in throws if seen.bit_count() > 1})}
        PositionCheck(self.board, rules, fields).run()

    def move_parts(self, position: Position, move: int) -> dict[str, Any]:
        """``throw 2+1`` (own wand and the sum of the others), ``jump Mill``, ``walk Life-Mill 2``, ``keep 2 1``."""
        return parts_of(self.board, position.to_fields(), move)

    def scene_type(self) -> type[ThreeMagiciansScene]:
        """Figures, cards, the turn, the duel."""
        from aiplay.games.three_magicians.scene import ThreeMagiciansScene

        return ThreeMagiciansScene

    def scene_of(self, position: Position) -> ThreeMagiciansScene:
        """Figures, cards, the turn, the duel."""
        from aiplay.games.three_magicians.scene import scene_of

        return scene_of(position, self.board, self.cards_per_place)

    def fields_of_scene(self, scene: ThreeMagiciansScene, seat: int | None) -> dict[str, Any]:
        """Places, cards and symbols as numbers and bits."""
        from aiplay.games.three_magicians.scene import fields_of

        return fields_of(scene, self, self.board)

    def things(self) -> dict[str, list[Entry]]:
        """Places, stones, cards, figures, the Power token, wands and symbols."""
        from aiplay.games.three_magicians.catalogue import things

        return things(self.board, self._facts())

    def render(self, position: Position) -> str:
        """The board with its figures, the cards of every seat, and the current decision."""
        return draw(self.board, self._facts(), position.to_fields())
