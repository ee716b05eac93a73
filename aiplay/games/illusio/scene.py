"""Scenes of Illusio: what they hold, and the scene of a position. `pack` goes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from aiplay._core.games.illusio.state import (
    BACKSTAGE,
    COUNT_BITS,
    COUNT_STRIDE,
    DISPLAYED,
    HAND_SIZE,
    HIDDEN,
    ILLUSIO_SEATS,
    IN_CONTEST,
    IN_DECK,
    IN_DISCARDS,
    KEPT,
    KIND_STRIDE,
    MAX_COUNT,
    MAX_WEIGHT,
    N_ACTIONS,
    N_NEEDS,
    NO_CARD,
    NO_MAGICIAN,
    NOT_IN_PLAY,
    NUMBER_STRIDE,
    PHASE_CLAIM,
    PHASE_DEAL,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_MORPH,
    PHASE_OVER,
    PHASE_SWAP,
    PHASE_TAKE,
    PHASE_TRANSFORM,
    PLACED,
    REALISING,
    TRAIL,
    TRAIL_STRIDE,
    UNSPENT,
    WEIGHT_UNIT,
)
from aiplay.games.illusio.data import KINDS, PHASES, IllusioData, component_name
from aiplay.scene import Scene

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = [
    "Component",
    "DisplayedTrick",
    "IllusioScene",
    "Known",
    "Need",
    "OwnTake",
    "Pending",
    "SeatScene",
    "SeenTake",
    "Trick",
    "scene_of",
]

Count = Annotated[int, Meta(ge=0, le=MAX_COUNT)]
Prestige = Annotated[int, Meta(ge=0, le=255)]
SeatNumber = Annotated[int, Meta(ge=0, lt=ILLUSIO_SEATS)]


class Part(Struct, kw_only=True, forbid_unknown_fields=True):
    """A part of a scene."""


class Component(Part):
    """A component in a Backstage or on a trick."""

    kind: str  # its present kind
    printed: str | UnsetType = UNSET  # the kind printed on it; left out: the present one
    transforms: Count = 0  # Transform cards on it
    component: str | UnsetType = (
        UNSET  # its name in moves: dove~rabbit* is a rabbit that a Transform made a dove
    )


class Need(Part):
    """A need of a trick, and the component on it."""

    need: str  # a type or a group
    component: Component | None = None  # None: still open
    is_exact: bool | UnsetType = UNSET  # the component is of the type that is needed: one more prestige


class Trick(Part):
    """A trick under way."""

    objective: str
    needs: list[Need]  # open ones may be left out


class DisplayedTrick(Trick):
    """A trick on display: complete, waiting to be scored."""

    encores: Count = 0  # Encore cards on it
    is_encore_unspent: bool = False  # the last Encore has not bought its round yet
    deja_vus: Count = 0
    grands: Count = 0
    prestige: Prestige | UnsetType = UNSET  # that it pays its owner, as things are


class Known(Part):
    """Cards of another hand that a seat knows."""

    seat: SeatNumber  # whose hand it is
    cards: list[str]


class OwnTake(Part):
    """A card that the seat took: one that it knew in the robbed hand, or another of the same kind."""

    robbed: SeatNumber
    card: str
    n_known: Annotated[
        int, Meta(ge=1, lt=NUMBER_STRIDE)
    ]  # cards of this kind that it knew in that hand before
    n_hidden: Annotated[int, Meta(ge=1, le=HAND_SIZE)]  # cards of that hand that it did not know


class SeenTake(Part):
    """A Take by another seat, of a card that the seat did not see."""

    taker: SeatNumber
    robbed: SeatNumber
    suspects: list[str]  # cards that the seat knew in the robbed hand: one of them may be with the taker now
    other_weight: Annotated[
        float, Meta(ge=0, le=MAX_WEIGHT / WEIGHT_UNIT)
    ]  # of any other card; a suspect's is 1


class SeatScene(Part):
    """A seat: its magician and everything that it has."""

    magician: str | None = None  # None: not drawn yet
    talent: str | UnsetType | None = UNSET
    prestige: Prestige = 0
    hand: list[str | None] = []  # None: hidden from the seat of the view
    backstage: list[Component] = []
    under_way: list[Trick] = []
    displayed: list[DisplayedTrick] = []
    kept: list[str] = []  # objectives of the tricks that it has scored
    # What the seat remembers. In a view only of its own seat; with two seats, also what the other one knows.
    knows: list[Known] | UnsetType | None = UNSET  # certain knowledge of other hands; None: hidden
    own_take: OwnTake | None = None  # the Take that it remembers: its own, or
    seen_take: SeenTake | None = (
        None  # another's; the cards of that hand are then hidden, and its suspects here
    )


class Pending(Part):
    """An unfinished decision; its entries depend on the phase."""

    cards: Annotated[int, Meta(ge=0, le=HAND_SIZE)] | UnsetType = UNSET
    # deal, draw: cards to come; exchange: thrown so far; discard: still to discard
    lowest_kind: str | UnsetType = (
        UNSET  # exchange, discard: cards go in the order of kinds, from this one on
    )
    seat: SeatNumber | UnsetType = UNSET  # take: the robbed seat; transform, morph, swap: whose Backstage
    component: Component | UnsetType = UNSET  # transform, morph, swap: the component that was chosen
    objective: str | UnsetType = UNSET  # claim


class IllusioScene(Scene):
    """Illusio: what lies on the table, and what every seat has."""

    turn: Annotated[int, Meta(ge=0, lt=2**16)]  # turns completed
    phase: str  # the decision to be made: see the catalogue
    seat: SeatNumber  # whose turn it is, or who gets the next magician or card of the deal
    seats: list[SeatScene]
    contest: list[str]  # objectives that can be claimed
    actions: Annotated[int, Meta(ge=0, le=N_ACTIONS)] = 0  # left in this turn
    talent_used: bool = False  # in this turn
    pending: Pending | UnsetType | None = UNSET
    discards: dict[str, int] = {}  # cards of each kind
    objective_discards: list[str] = []
    objective_deck: list[str] | UnsetType = UNSET  # in any order
    deck: int | UnsetType = UNSET  # number of cards
    unseen: dict[str, int] | UnsetType = (
        UNSET  # cards of each kind in the deck and, in a view, hidden in hands
    )
    to_move: int | UnsetType | None = UNSET  # None: chance decides, or the game is over
    winners: list[int] | UnsetType | None = UNSET  # None: the game goes on


# ---- The scene of a position --------------------------------------------------------------------------------


def scene_of(cards: IllusioData, seats: int, position: Position) -> IllusioScene:
    """Return the scene of a state or a view."""
    return _Reader(cards, seats, position.to_fields(), getattr(position, "seat", None)).read(position)


class _Reader:
    """The fields of a position, read by names."""

    def __init__(self, cards: IllusioData, seats: int, fields: dict[str, Any], viewer: int | None) -> None:
        self.cards, self.seats, self.f, self.viewer = cards, seats, fields, viewer
        self.there: dict[int, list[int]] = {}  # components at each place
        self.at: dict[int, list[int]] = {}  # objectives at each place
        for i, place in enumerate(fields["place"]):
            if place != NOT_IN_PLAY:
                self.there.setdefault(place, []).append(i)
        for o, where in enumerate(fields["objectives"]):
            self.at.setdefault(where, []).append(o)

    def read(self, position: Position) -> IllusioScene:
        f = self.f
        scores = f["scores"][: self.seats]
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        return IllusioScene(
            turn=f["turn"],
            phase=PHASES[f["phase"]],
            seat=f["seat"],
            seats=[self.seat(seat) for seat in range(self.seats)],
            contest=self.objectives(IN_CONTEST),
            actions=f["actions"],
            talent_used=bool(f["talent_used"]),
            pending=self.pending(),
            discards=_counted(f["discards"]),
            objective_discards=self.objectives(IN_DISCARDS),
            objective_deck=self.objectives(IN_DECK),
            deck=f["n_deck"],
            unseen=_counted(f["deck"]),
            to_move=position.to_move if position.to_move >= 0 else None,
            winners=winners if f["phase"] == PHASE_OVER else None,
        )

    def numbers(self, where: int) -> list[int]:
        """The objectives that are somewhere."""
        return self.at.get(where, [])

    def objectives(self, where: int) -> list[str]:
        return [self.cards.objectives[o].name for o in self.numbers(where)]

    def component(self, number: int) -> Component:
        transforms, kind = divmod(self.f["now"][number], KIND_STRIDE)
        printed = KINDS[self.cards.printed[number]]
        name = component_name(KINDS[kind], printed, transforms)
        return Component(kind=KINDS[kind], printed=printed, transforms=transforms, component=name)

    # ---- Seats ---------------------------------------------------------------------------------------------

    def seat(self, seat: int) -> SeatScene:
        magician = self.f["magicians"][seat]
        is_there = magician != NO_MAGICIAN
        return SeatScene(
            magician=self.cards.magicians[magician].name if is_there else None,
            talent=self.cards.magicians[magician].talent if is_there else None,
            prestige=self.f["scores"][seat],
            hand=self.hand(seat),
            backstage=[self.component(i) for i in self.there.get(BACKSTAGE + seat, [])],
            under_way=[self.trick(o) for o in self.numbers(REALISING + seat)],
            displayed=[self.displayed(o, seat) for o in self.numbers(DISPLAYED + seat)],
            kept=self.objectives(KEPT + seat),
            knows=self.knows(seat),
            own_take=self.own_take(seat),
            seen_take=self.seen_take(seat),
        )

    def hand(self, owner: int) -> list[str | None]:
        """The names of the cards; in a view, suspects of a Take are hidden: one of them may be somewhere else."""
        hand = self.f["hands"][owner][: self.f["n_hand"][owner]]
        if self.viewer is not None and self.robbed(self.viewer) == owner:
            return [None] * len(hand)
        return [None if card == HIDDEN else KINDS[card] for card in hand]

    def robbed(self, observer: int) -> int | None:
        """The hand from which the observer saw another seat take a card."""
        trail = self.f["trail"][observer]
        victim, taker = divmod(trail - TRAIL, TRAIL_STRIDE)
        return victim if trail and taker != observer else None

    def marked(self, observer: int, owner: int) -> list[str]:
        """The cards of a hand that an observer knows or suspects."""
        cards = zip(self.f["hands"][owner], self.f["known"][owner], strict=True)
        return [KINDS[card] for card, observers in cards if observers >> observer & 1]

    def knows(self, observer: int) -> list[Known] | None:
        if self.viewer not in (None, observer) and self.seats > 2:
            return None
        others = [owner for owner in range(self.seats) if owner not in (observer, self.robbed(observer))]
        known = [Known(seat=owner, cards=self.marked(observer, owner)) for owner in others]
        return [entry for entry in known if entry.cards]

    def own_take(self, seat: int) -> OwnTake | None:
        trail, kind = self.f["trail"][seat], self.f["trail_kind"][seat]
        if not trail or self.robbed(seat) is not None:
            return None
        n_hidden, n_known = divmod(self.f["trail_weight"][seat], NUMBER_STRIDE)
        robbed = (trail - TRAIL) // TRAIL_STRIDE
        return OwnTake(robbed=robbed, card=KINDS[kind], n_known=n_known, n_hidden=n_hidden)

    def seen_take(self, seat: int) -> SeenTake | None:
        robbed, stray = self.robbed(seat), self.f["trail_kind"][seat]
        if robbed is None:
            return None
        suspects = self.marked(seat, robbed) + ([] if stray == NO_CARD else [KINDS[stray]])
        return SeenTake(
            taker=(self.f["trail"][seat] - TRAIL) % TRAIL_STRIDE,
            robbed=robbed,
            suspects=sorted(suspects, key=KINDS.index),
            other_weight=self.f["trail_weight"][seat] / WEIGHT_UNIT,
        )

    # ---- Tricks --------------------------------------------------------------------------------------------

    def needs(self, number: int) -> list[Need]:
        needs, filled = [], self.f["filled"][number]
        for slot, need in enumerate(self.cards.objectives[number].needs):
            there = self.there.get(PLACED + N_NEEDS * number + slot)
            component = self.component(there[0]) if there else None
            is_exact = bool(filled >> (N_NEEDS + slot) & 1)
            needs.append(Need(need=need, component=component, is_exact=is_exact))
        return needs

    def trick(self, number: int) -> Trick:
        return Trick(objective=self.cards.objectives[number].name, needs=self.needs(number))

    def displayed(self, number: int, owner: int) -> DisplayedTrick:
        encores = self.f["encores"][number]
        grands, deja_vus = divmod(self.f["marks"][number], COUNT_STRIDE)
        domains = {self.cards.objectives[o].domain for o in self.numbers(KEPT + owner)}
        n_exact = (self.f["filled"][number] >> N_NEEDS).bit_count()
        magician = self.f["magicians"][owner]
        return DisplayedTrick(
            objective=self.cards.objectives[number].name,
            needs=self.needs(number),
            encores=encores & COUNT_BITS,
            is_encore_unspent=bool(encores & UNSPENT),
            deja_vus=deja_vus,
            grands=grands,
            prestige=self.cards.points(number, magician, domains, n_exact, deja_vus, grands),
        )

    # ---- The phase -----------------------------------------------------------------------------------------

    def pending(self) -> Pending | None:
        phase, focus, mark, n = (self.f[name] for name in ("phase", "focus", "mark", "pending"))
        if phase in (PHASE_DEAL, PHASE_DRAW):
            return Pending(cards=n)
        if phase in (PHASE_EXCHANGE, PHASE_DISCARD):
            return Pending(cards=n, lowest_kind=KINDS[mark])
        if phase == PHASE_TAKE:
            return Pending(seat=focus)
        if phase == PHASE_CLAIM:
            return Pending(objective=self.cards.objectives[focus].name)
        if phase in (PHASE_TRANSFORM, PHASE_MORPH, PHASE_SWAP):
            return Pending(seat=self.f["place"][focus] - BACKSTAGE, component=self.component(focus))
        return None


def _counted(counts: Sequence[int]) -> dict[str, int]:
    return {KINDS[kind]: n for kind, n in enumerate(counts) if n}
