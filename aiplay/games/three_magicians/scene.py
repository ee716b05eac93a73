"""Scenes of The Three Magicians: figures, cards, the turn, the duel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, Struct, UnsetType

from aiplay._core.games.three_magicians.state import (
    ALL_CARDS,
    MAX_KEPT,
    MAX_PLAYERS,
    MAX_POINTS,
    N_NOTCHES,
    N_PLACES,
    N_TAROT,
    N_WANDS,
)
from aiplay.errors import InvalidStateError
from aiplay.games.three_magicians.check import IN_DUEL, Phase
from aiplay.games.three_magicians.data import SYMBOLS
from aiplay.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from aiplay._core.game import Game, Position
    from aiplay.games.three_magicians.data import Board

__all__ = ["Duel", "Goal", "Place", "Seat", "Stone", "ThreeMagiciansScene", "Turn", "fields_of", "scene_of"]


class Part(Struct, forbid_unknown_fields=True):
    """A part of the scene."""


class Seat(Part, kw_only=True):
    """The figures and the cards of a seat."""

    magician: str  # its place
    apprentice: str  # its place or stone
    power: bool = False  # True: its Apprentice has the Power token
    cards: list[str]  # its tarot cards, by their places


class Turn(Part, kw_only=True):
    """The turn and what is left of its throw."""

    number: int  # throws of a turn so far, this one included
    seat: int | None  # whose turn it is; None: nobody has begun
    jump: int = 0  # jumps of its Magician; 0 after jumping, or if it cannot
    walk: int = 0  # steps of its Apprentice, without the Power token; 0 after walking, or if it cannot
    another: bool = False  # True: a triplet was thrown, the same seat takes another turn
    left: int | UnsetType = UNSET  # throws of a turn until the game is over


class Goal(Part, kw_only=True):
    """The result of the first thrower of a duel."""

    points: int
    throws: int


class Duel(Part, kw_only=True):
    """Two Magicians on one place. The rival is the one that was there."""

    challenger: int | UnsetType = UNSET  # whose turn it is
    rival: int
    place: str | UnsetType = UNSET
    first_thrower: int
    thrower: int  # who throws now
    throws: int = 0  # that the thrower has made
    kept_wands: int = 0  # that it keeps from earlier throws
    kept_points: int = 0  # their notches
    thrown: list[int] = []  # the notches of the wands just thrown, which it may keep; none before a throw
    goal: Goal | None = None  # None: the first thrower throws


class Place(Part, kw_only=True):
    """A place of the board."""

    name: str
    cards_left: int  # tarot cards that nobody owns
    magicians: list[int]  # the seats whose Magician stands here
    apprentices: list[int]


class Stone(Part, kw_only=True):
    """A stepping stone on which somebody stands."""

    name: str
    apprentices: list[int]


class ThreeMagiciansScene(Scene, kw_only=True):
    """The Three Magicians: figures, cards, the turn, the duel."""

    phase: Literal[
        "first",  # chance: who begins
        "throw",  # chance: the wands of a turn
        "move",  # the seat moves a figure or ends its turn
        "offer",  # the seat throws for magic, or not
        "magic",  # chance: the wands, thrown for magic
        "tie",  # the seat chooses a symbol
        "star",  # the seat chooses a place for its Apprentice
        "steal",  # the seat chooses from whom it takes a card
        "duel throw",  # chance: the wands of a duel
        "duel keep",  # the thrower keeps wands, or stops
        "over",
    ]
    turn: Turn
    seats: list[Seat]
    symbols: list[str] = []  # to choose from, in the phase "tie"
    duel: Duel | None = None
    to_move: int | UnsetType | None = UNSET  # None: chance, or the game is over
    places: list[Place] | UnsetType = UNSET  # as in the catalogue
    stones: list[Stone] | UnsetType = UNSET  # those on which somebody stands
    winners: list[int] | UnsetType | None = UNSET  # several after the last turn; None: the game is not over


# ---- From a position ---------------------------------------------------------------------------------------


def scene_of(position: Position, board: Board, cards_per_place: int) -> ThreeMagiciansScene:
    """Return the scene of a position."""
    values = position.to_fields()
    seats, phase = range(position.game.seats), Phase(values["phase"])
    counts = [mine.bit_count() for mine in values["cards"]]
    return ThreeMagiciansScene(
        phase=_name(Phase.OVER if position.is_over else phase),
        turn=Turn(
            number=values["n_turns"],
            seat=None if phase == Phase.FIRST else values["seat"],
            jump=values["jump"],
            walk=values["walk"],
            another=bool(values["is_again"]),
            left=position.game.options["turn_cap"] - values["n_turns"],
        ),
        seats=[_seat(values, seat, board) for seat in seats],
        symbols=[symbol for symbol, bit in SYMBOLS.items() if values["tied"] & bit],
        duel=_duel(values, board) if phase in IN_DUEL else None,
        to_move=position.to_move if position.to_move >= 0 else None,
        places=[_place(values, place, board, seats, cards_per_place) for place in range(N_PLACES)],
        stones=[
            Stone(name=board.spot_name(spot), apprentices=_standing(values["apprentices"], spot, seats))
            for spot in range(N_PLACES, board.n_spots)
            if spot in values["apprentices"]
        ],
        winners=[seat for seat in seats if counts[seat] == max(counts)] if position.is_over else None,
    )


def _name(phase: Phase) -> Any:
    return phase.name.lower().replace("_", " ")


def _seat(values: dict[str, Any], seat: int, board: Board) -> Seat:
    return Seat(
        magician=board.names[values["magicians"][seat]],
        apprentice=board.spot_name(values["apprentices"][seat]),
        power=bool(values["powers"][seat]),
        cards=[board.names[place] for place in range(N_TAROT) if values["cards"][seat] >> place & 1],
    )


def _place(
    values: dict[str, Any], place: int, board: Board, seats: Sequence[int], cards_per_place: int
) -> Place:
    owners = sum(mine >> place & 1 for mine in values["cards"])
    return Place(
        name=board.names[place],
        cards_left=cards_per_place - owners if place < N_TAROT else 0,
        magicians=_standing(values["magicians"], place, seats),
        apprentices=_standing(values["apprentices"], place, seats),
    )


def _standing(figures: Sequence[int], spot: int, seats: Iterable[int]) -> list[int]:
    return [seat for seat in seats if figures[seat] == spot]


def _duel(values: dict[str, Any], board: Board) -> Duel:
    throwers = (values["seat"], values["rival"])
    first, second = throwers[:: -1 if values["is_reversed"] else 1]
    return Duel(
        challenger=values["seat"],
        rival=values["rival"],
        place=board.names[values["magicians"][values["seat"]]],
        first_thrower=first,
        thrower=second if values["is_second"] else first,
        throws=values["n_throws"],
        kept_wands=values["n_kept"],
        kept_points=values["kept"],
        thrown=[side for side in reversed(range(N_NOTCHES)) for _ in range(values["thrown"][side])],
        goal=Goal(points=values["goal"], throws=values["goal_throws"]) if values["is_second"] else None,
    )


# ---- To a position -----------------------------------------------------------------------------------------


def fields_of(scene: ThreeMagiciansScene, game: Game, board: Board) -> dict[str, Any]:
    """Return the fields of the position with a scene."""
    if len(scene.seats) != game.seats:
        raise InvalidStateError(f"the scene: seats has {len(scene.seats)} entries; allowed: {game.seats}")
    spots = {board.spot_name(spot): spot for spot in range(board.n_spots)}
    places = {name: spots[name] for name in board.names}
    tarot = {name: spots[name] for name in board.names[:N_TAROT]}
    cards, magicians, apprentices = [0] * MAX_PLAYERS, [0] * MAX_PLAYERS, [0] * MAX_PLAYERS
    for i, seat in enumerate(scene.seats):
        magicians[i] = _find(f"seats[{i}].magician", seat.magician, places)
        apprentices[i] = _find(f"seats[{i}].apprentice", seat.apprentice, spots)
        cards[i] = _set(f"seats[{i}].cards", seat.cards, {name: 1 << bit for name, bit in tarot.items()})
    return {
        "cards": cards,
        "magicians": magicians,
        "apprentices": apprentices,
        "powers": [int(seat.power) for seat in scene.seats] + [0] * (MAX_PLAYERS - game.seats),
        "phase": int(_phase(scene.phase, cards)),
        **_turn_fields(scene, game),
        "tied": _set("symbols", scene.symbols, SYMBOLS),
        **_duel_fields(scene, game),
    }


def _phase(name: str, cards: Sequence[int]) -> Phase:
    """The phase of a name; a game that is over without all cards in one hand has had its last turn."""
    phase = Phase[name.upper().replace(" ", "_")]
    return Phase.THROW if phase == Phase.OVER and ALL_CARDS not in cards else phase


def _turn_fields(scene: ThreeMagiciansScene, game: Game) -> dict[str, Any]:
    turn = scene.turn
    _require("turn.number", turn.number, 0, game.options["turn_cap"])
    _require("turn.jump", turn.jump, 0, N_NOTCHES - 1)
    _require("turn.walk", turn.walk, 0, MAX_POINTS)
    if scene.phase != "first":
        _require("turn.seat", turn.seat, 0, game.seats - 1)
    elif turn.seat is not None:
        raise InvalidStateError(
            f"the scene: turn.seat is {turn.seat}; allowed before anybody has begun: None"
        )
    return {
        "n_turns": turn.number,
        "seat": turn.seat or 0,
        "jump": turn.jump,
        "walk": turn.walk,
        "is_again": int(turn.another),
    }


def _duel_fields(scene: ThreeMagiciansScene, game: Game) -> dict[str, Any]:
    duel, is_duel = scene.duel, scene.phase in map(_name, IN_DUEL)
    if (duel is not None) != is_duel:
        allowed = "a duel" if is_duel else "None"
        raise InvalidStateError(f"the scene: duel is {duel}; allowed in the phase {scene.phase!r}: {allowed}")
    if duel is None:
        return dict.fromkeys(("rival", "is_reversed", "is_second", "n_throws", "n_kept", "kept"), 0) | {
            "thrown": [0] * N_NOTCHES,
            "goal": 0,
            "goal_throws": 0,
        }
    _require("duel.rival", duel.rival, 0, game.seats - 1)
    fighters = (scene.turn.seat, duel.rival)
    for name in ("first_thrower", "thrower"):
        if getattr(duel, name) not in fighters:
            raise InvalidStateError(
                f"the scene: duel.{name} is {getattr(duel, name)}; allowed: {fighters[0]} or {fighters[1]}"
            )
    for name, high in (("throws", N_WANDS), ("kept_wands", N_WANDS - 1), ("kept_points", MAX_KEPT)):
        _require(f"duel.{name}", getattr(duel, name), 0, high)
    for i, side in enumerate(duel.thrown):
        _require(f"duel.thrown[{i}]", side, 0, N_NOTCHES - 1)
    is_second = duel.thrower != duel.first_thrower
    if is_second != (duel.goal is not None):
        allowed = "points and throws of the first thrower" if is_second else "None for the first thrower"
        raise InvalidStateError(f"the scene: duel.goal is {duel.goal}; allowed: {allowed}")
    goal = duel.goal or Goal(points=0, throws=0)
    _require("duel.goal.points", goal.points, 0, MAX_POINTS)
    _require("duel.goal.throws", goal.throws, int(is_second), N_WANDS)
    return {
        "rival": duel.rival,
        "is_reversed": int(duel.first_thrower == duel.rival),
        "is_second": int(is_second),
        "n_throws": duel.throws,
        "n_kept": duel.kept_wands,
        "kept": duel.kept_points,
        "thrown": [duel.thrown.count(side) for side in range(N_NOTCHES)],
        "goal": goal.points,
        "goal_throws": goal.throws,
    }


def _require(entry: str, value: int | None, low: int, high: int) -> None:
    if value is None or not low <= value <= high:
        raise InvalidStateError(f"the scene: {entry} is {value}; allowed: {low} to {high}")


def _find(entry: str, name: str, numbers: dict[str, int]) -> int:
    if name not in numbers:
        raise InvalidStateError(f"the scene: {entry} is {name!r}; allowed: {', '.join(numbers)}")
    return numbers[name]


def _set(entry: str, names: Sequence[str], bits: dict[str, int]) -> int:
    """The bits of different names."""
    found = 0
    for i, name in enumerate(names):
        bit = _find(f"{entry}[{i}]", name, bits)
        if found & bit:
            raise InvalidStateError(f"the scene: {entry}[{i}] is {name!r}, which is there twice")
        found |= bit
    return found
