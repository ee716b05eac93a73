"""Scenes of Levitation: a position by names, and back to the packed fields."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from msgspec import UNSET, Meta, Struct, UnsetType

from aiplay._core.games.levitation.state import (
    EFFECT_TRADE_CARD,
    N_CARDS,
    N_CITIES,
    N_COLOURS,
    N_CUBES,
    N_DICE,
    N_FLAIR,
    N_ROUNDS,
    N_SEATS,
    N_SPACES,
    N_TICKETS,
    N_TOKENS,
    N_TURNS,
    NONE,
    PHASE_AMOUNT,
    PHASE_DEAL,
    PHASE_DICE,
    PHASE_OVER,
    PHASE_REFILL,
    PHASE_TARGET,
    PHASE_TOKENS,
)
from aiplay.errors import InvalidStateError
from aiplay.games.levitation.check import COPYING, PHASES, Phase
from aiplay.games.levitation.data import COLOURS, EFFECTS, MASTERS, ROWS, Colour, LevitationData, Master, Row
from aiplay.scene import Scene

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["LevitationScene", "fields_of", "scene_of"]

Number = Annotated[int, Meta(ge=0)]
SeatNumber = Annotated[int, Meta(ge=0, le=N_SEATS - 1)]
TokenNumber = Annotated[int, Meta(ge=1, le=N_TOKENS)]

NO_ACTION = (PHASE_DEAL, PHASE_TOKENS, PHASE_OVER)
MANY_NAMES = 20  # an error does not list more names than this


# ---- Parts of a scene --------------------------------------------------------------------------------------


class Part(Struct, forbid_unknown_fields=True):
    """A part of a scene."""


class CardScene(Part):
    """A card of a seat, or in a city. The catalogue tells what it does."""

    name: str
    flair: Number = 0  # tokens on it; only on cards of seats
    is_used: bool = False  # in the action under way
    is_disabled: bool = False  # until all seats have acted


class SeatScene(Part, kw_only=True):
    """The pieces of a seat."""

    score: Number = 0  # the points of the point spaces are added at the end
    cubes: Number  # committed ones included
    cards: list[CardScene] = []
    tickets_in_hand: Number = 0
    tickets_unused: Number | UnsetType = UNSET  # neither in hand, nor in a city, nor on a point space
    tokens: list[TokenNumber]  # turn tokens left in this round
    revealed: TokenNumber | None = None  # the turn token of this turn


class CityScene(Part):
    """A city: its card, or the tickets in it. From `row` on, what is printed on the board."""

    name: str
    card: CardScene | None = None
    tickets: list[SeatNumber] = []  # the owner of every ticket
    is_open: bool | UnsetType = UNSET  # True if a ticket may enter
    row: Row | UnsetType = UNSET
    colours: list[Colour] | UnsetType = UNSET
    points: int | UnsetType = UNSET  # for a path
    flair: int | UnsetType = UNSET  # for a ticket that enters, like cubes
    cubes: int | UnsetType = UNSET


class SpaceScene(Part):
    """A point space."""

    name: str
    seat: SeatNumber | None = None  # the owner of the ticket on it


class MasterScene(Part):
    """A master: the colours of the dice on him."""

    name: Master
    dice: list[Colour] = []


class DieScene(Part):
    """The drafted die of the acting seat."""

    colour: Colour  # as it counts now: a card may have changed it
    master: Master


class EffectScene(Part):
    """The effect that is carried out: printed on the card in use, or duplicated by it."""

    name: str  # as in the data file
    colours: list[Colour] = []


class UseScene(Part):
    """The card in use, while its effect is unfinished."""

    card: str
    # None: not chosen yet, or done but for flair and paths. Follows from the card, unless the card duplicates.
    effect: EffectScene | UnsetType | None = UNSET
    chosen: str | None = (
        None  # the first of two targets: the card to give, or the city of the ticket or card to move
    )


class FlairScene(Part):
    """Flair tokens that wait to be placed; they go on cards in the order of the catalogue, discards last."""

    left: Annotated[int, Meta(ge=1)]
    last_card: str | None = None  # the last card that got one; None also for the first card of the catalogue
    is_discarding: bool = False  # True after a discard: the rest are discarded too


class ActionScene(Part):
    """The action under way."""

    seat: SeatNumber
    has_rolled: bool = False  # the free roll
    die: DieScene | None = None  # None before the draft
    has_acted: bool = False  # True after the main action
    committed: Number = 0  # cubes
    free_cubes: Number | UnsetType = UNSET
    path_bonus: Number = 0  # extra points for the next path of the seat in this action
    use: UseScene | None = None
    flair: FlairScene | None = None
    claiming: SeatNumber | None = None  # the seat that chooses one of its paths
    claimed: list[str] | None = None  # the cities of a claimed path, while they get new cards; bottom first


class SupplyScene(Part):
    """Pieces that nobody has."""

    cubes: int
    flair: int


class LevitationScene(Scene, kw_only=True):
    """Levitation: the board, the seats, and the action under way. Nothing is hidden."""

    phase: Phase  # the catalogue explains them
    round: Annotated[int, Meta(ge=1, le=N_ROUNDS)]
    turn: Annotated[int, Meta(ge=1, le=N_TURNS)]
    to_move: SeatNumber | UnsetType | None = UNSET  # None: chance, or the game is over
    order: list[SeatNumber] = []  # of this turn; empty while tokens are revealed
    acting_first: list[SeatNumber] = []  # in the next turn, by a card; in phase "tokens": in this turn
    action: ActionScene | None = None
    seats: list[SeatScene]
    cities: list[CityScene]
    spaces: list[SpaceScene]
    masters: list[MasterScene]
    dice_off_board: list[Colour] | UnsetType = UNSET  # drafted, or in phase "dice" not thrown yet
    deck: list[str] | UnsetType = UNSET  # cards not yet drawn, in no order
    supply: SupplyScene | UnsetType = UNSET
    winners: list[SeatNumber] | UnsetType = UNSET  # empty until the game is over


# ---- From a position to its scene --------------------------------------------------------------------------


def scene_of(data: LevitationData, position: Position) -> LevitationScene:
    """Return the scene of a position."""
    f = position.to_fields()
    seats, to_move = range(position.game.seats), position.to_move
    dice = _dice_by_colour(f)
    best = max(f["scores"])
    ranks = {rank: seat for seat, rank in enumerate(f["first"]) if rank}
    return LevitationScene(
        phase=PHASES[f["phase"]],
        round=f["round"] + 1,
        turn=f["turn"] + 1,
        to_move=to_move if to_move >= 0 else None,
        order=[seat for seat in f["order"] if seat != NONE],
        acting_first=[ranks[rank] for rank in sorted(ranks)],
        action=None if f["phase"] in NO_ACTION else _action(data, f),
        seats=[_seat(data, f, seat) for seat in seats],
        cities=[_city(data, f, city) for city in range(len(data.cities))],
        spaces=[
            SpaceScene(name=name, seat=None if seat == NONE else seat)
            for name, seat in zip(data.spaces, f["space_seats"], strict=True)
        ],
        masters=[MasterScene(name=name, dice=_named(dice[m])) for m, name in enumerate(MASTERS)],
        dice_off_board=_named([N_DICE - sum(counts) for counts in zip(*dice, strict=True)]),
        deck=_names(data, f["deck"]),
        supply=SupplyScene(cubes=N_CUBES - sum(f["cubes"]), flair=N_FLAIR - sum(f["flair"]) - f["n_flair"]),
        winners=[seat for seat in seats if f["scores"][seat] == best] if position.is_over else [],
    )


def _dice_by_colour(f: dict[str, Any]) -> list[list[int]]:
    """Return the number of dice of each colour on each master."""
    return [f["dice"][first : first + N_COLOURS] for first in range(0, len(f["dice"]), N_COLOURS)]


def _named(counts: Sequence[int]) -> list[Colour]:
    """Return the colour of every die."""
    return [COLOURS[colour] for colour, n in enumerate(counts) for _ in range(n)]


def _names(data: LevitationData, cards: int) -> list[str]:
    return [card.name for number, card in enumerate(data.cards) if cards >> number & 1]


def _card(data: LevitationData, f: dict[str, Any], card: int) -> CardScene:
    return CardScene(
        name=data.cards[card].name,
        flair=f["flair"][card],
        is_used=bool(f["used"] >> card & 1),
        is_disabled=bool(f["disabled"] >> card & 1),
    )


def _seat(data: LevitationData, f: dict[str, Any], seat: int) -> SeatScene:
    return SeatScene(
        score=f["scores"][seat],
        cubes=f["cubes"][seat],
        cards=[_card(data, f, card) for card in range(N_CARDS) if f["owned"][seat] >> card & 1],
        tickets_in_hand=f["hand"][seat],
        tickets_unused=f["unused"][seat],
        tokens=[bit + 1 for bit in range(N_TOKENS) if f["tokens"][seat] >> bit & 1],
        revealed=f["revealed"][seat] or None,
    )


def _city(data: LevitationData, f: dict[str, Any], number: int) -> CityScene:
    city, card = data.cities[number], f["city_cards"][number]
    tickets = [
        seat for seat, packed in enumerate(f["tickets"]) for _ in range(packed >> 2 * number & N_ROUNDS)
    ]
    return CityScene(
        name=city.name,
        card=None if card == NONE else _card(data, f, card),
        tickets=tickets,
        is_open=card == NONE and len(tickets) <= f["round"],
        row=ROWS[city.row],
        colours=[COLOURS[colour] for colour in city.colours],
        points=city.points,
        flair=city.flair,
        cubes=city.cubes,
    )


def _action(data: LevitationData, f: dict[str, Any]) -> ActionScene:
    seat, path = f["order"][f["n_acted"]], f["path"]
    die = None
    if f["master"] != NONE:
        die = DieScene(colour=COLOURS[f["colour"]], master=MASTERS[f["master"]])
    return ActionScene(
        seat=seat,
        has_rolled=bool(f["has_rolled"]),
        die=die,
        has_acted=bool(f["has_acted"]),
        committed=f["committed"],
        free_cubes=f["cubes"][seat] - f["committed"],
        path_bonus=f["bonus"],
        use=None if f["active"] == NONE else _use(data, f),
        flair=_flair(data, f) if f["n_flair"] else None,
        claiming=None if f["path_seat"] == NONE else f["path_seat"],
        claimed=None if path == NONE else [data.cities[city].name for city in reversed(data.paths[path])],
    )


def _use(data: LevitationData, f: dict[str, Any]) -> UseScene:
    effect, chosen = None, None
    if f["source"] != NONE:
        source = data.cards[f["source"]]
        colours = [COLOURS[colour] for colour in source.colours]
        effect = EffectScene(name=tuple(EFFECTS)[source.effect], colours=colours)
        if f["target"] != NONE:
            named = data.cards if source.effect == EFFECT_TRADE_CARD else data.cities
            chosen = named[f["target"]].name
    return UseScene(card=data.cards[f["active"]].name, effect=effect, chosen=chosen)


def _flair(data: LevitationData, f: dict[str, Any]) -> FlairScene:
    last = f["flair_from"]
    return FlairScene(
        left=f["n_flair"],
        last_card=data.cards[last].name if 0 < last < N_CARDS else None,
        is_discarding=last == N_CARDS,
    )


# ---- From a scene to the fields ----------------------------------------------------------------------------


def fields_of(data: LevitationData, n_seats: int, scene: LevitationScene) -> dict[str, Any]:
    """Return the fields of the position with a scene, whose lists are put in the order of the catalogue."""
    return _Reader(data, n_seats, scene).read()


def _fail(entry: str, given: object, allowed: str) -> NoReturn:
    raise InvalidStateError(f"the scene: {entry} is {given!r}; allowed: {allowed}")


def _index(name: str, names: Sequence[str], entry: str) -> int:
    """Return the number of a name."""
    if name in names:
        return names.index(name)
    if len(names) <= MANY_NAMES:
        _fail(entry, name, ", ".join(names))
    near = difflib.get_close_matches(name, names, 3, 0) or names[:3]
    _fail(entry, name, f"the names of the catalogue, for instance {', '.join(near)}")


def _numbered(entries: Sequence[Any], names: Sequence[str], path: str) -> list[tuple[int, Any]]:
    """Return the entries with the numbers of their names; every name has one entry."""
    numbers = [_index(entry.name, names, f"{path}[{place}].name") for place, entry in enumerate(entries)]
    for place, number in enumerate(numbers):
        if number in numbers[:place]:
            _fail(f"{path}[{place}].name", names[number], f"each name once, and {path} has it before")
    missing = [name for number, name in enumerate(names) if number not in numbers]
    if missing:
        raise InvalidStateError(f"the scene: {path} has no entry for {', '.join(missing)}")
    return list(zip(numbers, entries, strict=True))


class _Reader:
    """A scene that is turned into fields; everything that a scene does not mention is blank."""

    def __init__(self, data: LevitationData, n_seats: int, scene: LevitationScene) -> None:
        self.data, self.n_seats, self.scene = data, n_seats, scene
        self.phase = PHASES.index(scene.phase)
        self.card_names = [card.name for card in data.cards]
        self.city_names = [city.name for city in data.cities]
        self.places: dict[int, str] = {}  # entries of the cards that have been read
        self.f: dict[str, Any] = {
            name: [0] * N_SEATS
            for name in (
                "owned",
                "tickets",
                "scores",
                "unused",
                "hand",
                "cubes",
                "tokens",
                "revealed",
                "first",
            )
        }
        self.f |= dict.fromkeys(
            (
                "used",
                "disabled",
                "n_acted",
                "step",
                "has_rolled",
                "has_acted",
                "committed",
                "bonus",
                "n_flair",
            ),
            0,
        )
        self.f |= dict.fromkeys(("master", "colour", "active", "source", "target", "path_seat", "path"), NONE)
        self.f |= {"flair": [0] * N_CARDS, "flair_from": 0, "city_cards": [NONE] * N_CITIES}

    def read(self) -> dict[str, Any]:
        scene, f = self.scene, self.f
        if len(scene.seats) != self.n_seats:
            _fail("the number of seats", len(scene.seats), str(self.n_seats))
        f |= {"phase": self.phase, "round": scene.round - 1, "turn": scene.turn - 1}
        self._read_cities()
        self._read_spaces()
        self._read_masters()
        for number in range(self.n_seats):
            self._read_seat(number)
        f["deck"] = sum(1 << card for card in range(N_CARDS) if card not in self.places)
        self._read_order()
        if self.phase not in NO_ACTION:
            self._read_action()
        elif scene.action is not None:
            _fail("action", "given", f"none in phase {scene.phase}")
        f["step"] = self._step()
        return f

    # ---- Pieces --------------------------------------------------------------------------------------------

    def _read_card(self, card: CardScene, entry: str) -> int:
        """Return the number of a card, with its marks noted."""
        number = _index(card.name, self.card_names, f"{entry}.name")
        if number in self.places:
            _fail(f"{entry}.name", card.name, f"each card once; {self.places[number]} is the same")
        self.places[number] = entry
        most = self.data.cards[number].flair
        if card.flair > most:
            _fail(f"{entry}.flair", card.flair, f"0 to {most}")
        self.f["flair"][number] = card.flair
        self.f["used"] |= card.is_used << number
        self.f["disabled"] |= card.is_disabled << number
        return number

    def _require_seat(self, seat: int, entry: str) -> int:
        if seat >= self.n_seats:
            _fail(entry, seat, f"0 to {self.n_seats - 1}")
        return seat

    def _read_cities(self) -> None:
        scene, f = self.scene, self.f
        for place, (number, city) in enumerate(_numbered(scene.cities, self.city_names, "cities")):
            entry = f"cities[{place}]"
            if city.card is not None:
                f["city_cards"][number] = self._read_card(city.card, f"{entry}.card")
            if len(city.tickets) > scene.round:
                _fail(f"{entry}.tickets", city.tickets, f"at most {scene.round}, the number of the round")
            for owner in city.tickets:
                f["tickets"][self._require_seat(owner, f"{entry}.tickets")] += 1 << 2 * number
        scene.cities.sort(key=lambda city: self.city_names.index(city.name))

    def _read_spaces(self) -> None:
        spaces = self.scene.spaces
        self.f["space_seats"] = [NONE] * N_SPACES
        for place, (number, space) in enumerate(_numbered(spaces, self.data.spaces, "spaces")):
            if space.seat is not None:
                self.f["space_seats"][number] = self._require_seat(space.seat, f"spaces[{place}].seat")
        spaces.sort(key=lambda space: self.data.spaces.index(space.name))

    def _read_masters(self) -> None:
        masters = self.scene.masters
        _numbered(masters, MASTERS, "masters")
        masters.sort(key=lambda master: MASTERS.index(master.name))
        self.f["dice"] = [master.dice.count(colour) for master in masters for colour in COLOURS]
        for colour, name in enumerate(COLOURS):
            if (n := sum(self.f["dice"][colour::N_COLOURS])) > N_DICE:
                raise InvalidStateError(f"the scene: masters has {n} {name} dice; allowed: {N_DICE}")

    def _read_seat(self, number: int) -> None:
        seat, f, entry = self.scene.seats[number], self.f, f"seats[{number}]"
        for place, card in enumerate(seat.cards):
            f["owned"][number] |= 1 << self._read_card(card, f"{entry}.cards[{place}]")
        seat.cards.sort(key=lambda card: self.card_names.index(card.name))
        if len({*seat.tokens}) != len(seat.tokens):
            _fail(f"{entry}.tokens", seat.tokens, "each number once")
        f["scores"][number], f["cubes"][number] = seat.score, seat.cubes
        f["tokens"][number] = sum(1 << token - 1 for token in seat.tokens)
        f["revealed"][number] = seat.revealed or 0
        in_cities = sum(city.tickets.count(number) for city in self.scene.cities)
        out = in_cities + f["space_seats"].count(number)
        if out + seat.tickets_in_hand > N_TICKETS:
            most = N_TICKETS - out
            _fail(f"{entry}.tickets_in_hand", seat.tickets_in_hand, f"0 to {most}, with {out} on the board")
        f["hand"][number] = seat.tickets_in_hand
        f["unused"][number] = N_TICKETS - out - seat.tickets_in_hand

    def _read_order(self) -> None:
        scene, f = self.scene, self.f
        for entry, seats in (("order", scene.order), ("acting_first", scene.acting_first)):
            if len({*seats}) != len(seats) or any(seat >= self.n_seats for seat in seats):
                _fail(entry, seats, f"seats from 0 to {self.n_seats - 1}, each once")
        f["order"] = scene.order + [NONE] * (N_SEATS - len(scene.order))
        for rank, seat in enumerate(scene.acting_first, 1):
            f["first"][seat] = rank
        if self.phase == PHASE_OVER:
            f["n_acted"] = self.n_seats

    def _step(self) -> int:
        """Return the progress of a phase of chance."""
        f = self.f
        if self.phase == PHASE_DEAL:
            return sum(card != NONE for card in f["city_cards"])
        if self.phase == PHASE_TOKENS:
            return sum(token > 0 for token in f["revealed"])
        if self.phase == PHASE_DICE:
            return sum(any(f["dice"][colour::N_COLOURS]) for colour in range(N_COLOURS))
        if self.phase == PHASE_REFILL and f["path"] != NONE:
            return sum(f["city_cards"][city] != NONE for city in self.data.paths[f["path"]])
        return 0

    # ---- The action ----------------------------------------------------------------------------------------

    def _read_action(self) -> None:
        scene, f, action = self.scene, self.f, self.scene.action
        if action is None:
            _fail("action", None, f"the action under way, in phase {scene.phase}")
        if action.seat not in scene.order:
            _fail("action.seat", action.seat, f"a seat of the order, {scene.order}")
        f["n_acted"] = scene.order.index(action.seat)
        f["has_rolled"], f["has_acted"] = int(action.has_rolled), int(action.has_acted)
        f["committed"], f["bonus"] = action.committed, action.path_bonus
        if action.die is not None:
            f["master"], f["colour"] = MASTERS.index(action.die.master), COLOURS.index(action.die.colour)
        if action.use is not None:
            self._read_use(action.use)
        if action.flair is not None:
            self._read_flair(action.flair)
        if action.claiming is not None:
            f["path_seat"] = self._require_seat(action.claiming, "action.claiming")
        if action.claimed is not None:
            f["path"] = self._path(action.claimed)

    def _path(self, names: list[str]) -> int:
        cities = sorted(_index(name, self.city_names, "action.claimed") for name in names)
        if tuple(cities) not in self.data.paths:
            _fail(
                "action.claimed", names, "three touching cities, one in each row, with points in one of them"
            )
        return self.data.paths.index(tuple(cities))

    def _read_use(self, use: UseScene) -> None:
        f = self.f
        f["active"] = _index(use.card, self.card_names, "action.use.card")
        if use.effect is UNSET and self.phase in (PHASE_AMOUNT, PHASE_TARGET):
            if self.data.cards[f["active"]].effect in COPYING:
                raise InvalidStateError(
                    f"the scene: action.use.effect is missing: {use.card} duplicates the effect of another card"
                )
            f["source"] = self.data.texts[f["active"]]
        elif isinstance(use.effect, EffectScene):
            f["source"] = self._source(use.effect)
        if use.chosen is not None:
            if f["source"] == NONE:
                _fail("action.use.chosen", use.chosen, "none without an effect")
            is_card = self.data.cards[f["source"]].effect == EFFECT_TRADE_CARD
            names = self.card_names if is_card else self.city_names
            f["target"] = _index(use.chosen, names, "action.use.chosen")

    def _source(self, effect: EffectScene) -> int:
        """Return the lowest card with this effect; in phase "amount" an X card."""
        kind = _index(effect.name, tuple(EFFECTS), "action.use.effect.name")
        for number, card in enumerate(self.data.cards):
            is_same = {COLOURS[colour] for colour in card.colours} == {*effect.colours}
            if card.effect == kind and is_same and (card.cost == 0) == (self.phase == PHASE_AMOUNT):
                return number
        _fail("action.use.effect", f"{effect.name} {effect.colours}", "an effect of a card, with its colours")

    def _read_flair(self, flair: FlairScene) -> None:
        f = self.f
        f["n_flair"] = flair.left
        if flair.last_card is not None:
            f["flair_from"] = _index(flair.last_card, self.card_names, "action.flair.last_card")
            if f["flair_from"] == 0:
                flair.last_card = None  # every card comes after the first one
        if flair.is_discarding:
            f["flair_from"] = N_CARDS
