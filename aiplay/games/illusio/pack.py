"""From a scene of Illusio to the fields of its position: sorted, packed, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from msgspec import UNSET, to_builtins

from aiplay._core.games.illusio.state import (
    ALL_NEEDS,
    BACKSTAGE,
    COUNT_STRIDE,
    DEJA_VU,
    DISPLAYED,
    ENCORE,
    GRAND,
    HAND_SIZE,
    HIDDEN,
    ILLUSIO_SEATS,
    IN_CONTEST,
    IN_DECK,
    IN_DISCARDS,
    KEEP_LIMIT,
    KEPT,
    KIND_STRIDE,
    N_COMPONENTS,
    N_NEEDS,
    N_OBJECTIVES,
    NO_CARD,
    NO_MAGICIAN,
    NOT_IN_GAME,
    NOT_IN_PLAY,
    NUMBER_STRIDE,
    PHASE_CLAIM,
    PHASE_DEAL,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_MORPH,
    PHASE_SWAP,
    PHASE_TAKE,
    PHASE_TRANSFORM,
    PLACED,
    REALISING,
    START_HAND,
    TRAIL,
    TRAIL_STRIDE,
    TRANSFORM,
    UNSPENT,
    WEIGHT_UNIT,
)
from aiplay.errors import InvalidStateError
from aiplay.games.illusio.data import COMPONENTS, KINDS, PHASES, TYPES, IllusioData, component_name
from aiplay.games.illusio.scene import (
    Component,
    DisplayedTrick,
    IllusioScene,
    Known,
    Need,
    OwnTake,
    Pending,
    SeatScene,
    SeenTake,
    Trick,
)

__all__ = ["fields_of"]


def fields_of(cards: IllusioData, seats: int, scene: IllusioScene, viewer: int | None) -> dict[str, Any]:
    """Return the fields of the position with a scene, whose lists are put in order.

    `viewer` is the seat of a view, None for a state.
    """
    return _Packer(cards, seats, scene, viewer).pack()


def _fail(path: str, value: Any, allowed: Any) -> NoReturn:
    if not isinstance(allowed, str):
        allowed = ", ".join(map(str, allowed))
    raise InvalidStateError(f"the scene: {path} is {to_builtins(value)!r}; allowed: {allowed}")


def _number(path: str, name: Any, names: Sequence[str]) -> int:
    """The number of a name; InvalidStateError if there is no such name."""
    if name not in names:
        _fail(path, name, names)
    return names.index(name)


class _Packer:
    """The fields of a position, packed from a scene."""

    def __init__(self, cards: IllusioData, seats: int, scene: IllusioScene, viewer: int | None) -> None:
        self.cards, self.seats, self.scene, self.viewer = cards, seats, scene, viewer
        self.names = [objective.name for objective in cards.objectives]
        n_unused = N_OBJECTIVES - len(self.names)
        self.objectives = [IN_DECK] * len(self.names) + [NOT_IN_GAME] * n_unused
        self.encores, self.marks, self.filled = ([0] * N_OBJECTIVES for _ in range(3))
        self.paths: dict[int, str] = {}  # of the objectives that have a place
        # Place and `now` of the components in play, by printed kind.
        self.in_play: list[list[tuple[int, int]]] = [[] for _ in COMPONENTS]
        self.hands = [[NO_CARD] * HAND_SIZE for _ in range(ILLUSIO_SEATS)]
        self.n_hand = [0] * ILLUSIO_SEATS
        self.known = [[0] * HAND_SIZE for _ in range(ILLUSIO_SEATS)]
        self.trail, self.trail_kind, self.trail_weight = ([0] * ILLUSIO_SEATS for _ in range(3))
        self.held: Counter[int] = Counter()  # cards that are neither in the deck nor hidden
        self.has_stray = False  # in a view: the suspects of a Take do not fit into the robbed hand

    def pack(self) -> dict[str, Any]:
        scene = self.scene
        if len(scene.seats) != self.seats:
            raise InvalidStateError(
                f"the scene: seats has {len(scene.seats)} entries; the game has {self.seats} seats"
            )
        self.own("seat", scene.seat)
        for owner, seat in enumerate(scene.seats):
            self.pack_seat(owner, seat, f"seats[{owner}]")
        self.pack_objectives(scene.contest, IN_CONTEST, "contest")
        self.pack_objectives(scene.objective_discards, IN_DISCARDS, "objective_discards")
        for observer, seat in enumerate(scene.seats):
            self.pack_memory(observer, seat, f"seats[{observer}]")
        discards = self.pack_discards()
        deck, n_deck = self.pack_deck()
        magicians = [self.magician(seat, f"seats[{owner}]") for owner, seat in enumerate(scene.seats)]
        unused = ILLUSIO_SEATS - self.seats
        place, now = self.pack_components()
        return {
            "turn": scene.turn,
            "phase": _number("phase", scene.phase, PHASES),
            "seat": scene.seat,
            "actions": scene.actions,
            "talent_used": int(scene.talent_used),
            **self.pack_pending(place, now),
            "n_deck": n_deck,
            "scores": [seat.prestige for seat in scene.seats] + [0] * unused,
            "magicians": magicians + [NO_MAGICIAN] * unused,
            "deck": deck,
            "discards": discards,
            "place": place,
            "now": now,
            "n_hand": self.n_hand,
            "hands": self.hands,
            "known": self.known,
            "objectives": self.objectives,
            "encores": self.encores,
            "marks": self.marks,
            "filled": self.filled,
            "trail": self.trail,
            "trail_kind": self.trail_kind,
            "trail_weight": self.trail_weight,
        }

    def own(self, path: str, seat: int) -> int:
        """A seat that plays."""
        if seat >= self.seats:
            _fail(path, seat, range(self.seats))
        return seat

    # ---- Seats ---------------------------------------------------------------------------------------------

    def pack_seat(self, owner: int, seat: SeatScene, path: str) -> None:
        self.pack_hand(owner, seat, path)
        for i, component in enumerate(seat.backstage):
            self.put(component, BACKSTAGE + owner, f"{path}.backstage[{i}]")
        for i, trick in enumerate(seat.under_way):
            self.pack_trick(trick, REALISING + owner, f"{path}.under_way[{i}]")
        for i, trick in enumerate(seat.displayed):
            self.pack_trick(trick, DISPLAYED + owner, f"{path}.displayed[{i}]")
        seat.backstage.sort(key=self.key)
        seat.under_way.sort(key=lambda trick: self.names.index(trick.objective))
        seat.displayed.sort(key=lambda trick: self.names.index(trick.objective))
        self.pack_objectives(seat.kept, KEPT + owner, f"{path}.kept")

    def magician(self, seat: SeatScene, path: str) -> int:
        if seat.magician is None:
            return NO_MAGICIAN
        return _number(f"{path}.magician", seat.magician, [m.name for m in self.cards.magicians])

    def pack_hand(self, owner: int, seat: SeatScene, path: str) -> None:
        if len(seat.hand) > HAND_SIZE:
            raise InvalidStateError(
                f"the scene: {path}.hand has {len(seat.hand)} cards; allowed: at most {HAND_SIZE}"
            )
        numbers = []
        for i, card in enumerate(seat.hand):
            if card is None and self.viewer in (None, owner):
                _fail(f"{path}.hand[{i}]", card, KINDS)
            numbers.append(HIDDEN if card is None else _number(f"{path}.hand[{i}]", card, KINDS))
        numbers.sort()
        self.n_hand[owner] = len(numbers)
        self.hands[owner][: len(numbers)] = numbers

    # ---- Components and objectives -------------------------------------------------------------------------

    def key(self, component: Component, path: str = "") -> tuple[int, int]:
        """Printed kind and `now` of a component: the order of components in one place."""
        kind = _number(f"{path}.kind", component.kind, COMPONENTS)
        if component.printed is UNSET:
            return kind, kind + KIND_STRIDE * component.transforms
        printed = _number(f"{path}.printed", component.printed, COMPONENTS)
        return printed, kind + KIND_STRIDE * component.transforms

    def put(self, component: Component, place: int, path: str) -> None:
        printed, now = self.key(component, path)
        self.in_play[printed].append((place, now))
        self.held[printed] += 1
        self.held[TRANSFORM] += component.transforms

    def pack_components(self) -> tuple[list[int], list[int]]:
        """Place and `now` of every component, equal printed kinds sorted."""
        rows: list[tuple[int, int]] = []
        for kind, there in enumerate(self.in_play):
            rows += [(NOT_IN_PLAY, 0)] * (self.cards.counts[kind] - len(there)) + sorted(there)
        rows += [(NOT_IN_PLAY, 0)] * (N_COMPONENTS - len(rows))
        return [place for place, _ in rows], [now for _, now in rows]

    def pack_objectives(self, names: list[str], where: int, path: str) -> None:
        for i, name in enumerate(names):
            self.pack_objective(name, where, f"{path}[{i}]")

    def pack_objective(self, name: str, where: int, path: str) -> int:
        number = _number(path, name, self.names)
        if number in self.paths:
            raise InvalidStateError(f"the scene: {path} is {name!r}, which is also {self.paths[number]}")
        self.paths[number] = path
        self.objectives[number] = where
        return number

    def pack_trick(self, trick: Trick, where: int, path: str) -> None:
        number = self.pack_objective(trick.objective, where, f"{path}.objective")
        self.complete(trick, number, path)
        for slot, entry in enumerate(trick.needs):
            if entry.component is not None:
                place = PLACED + N_NEEDS * number + slot
                self.put(entry.component, place, f"{path}.needs[{slot}].component")
                is_exact = entry.component.kind == entry.need and entry.need in TYPES
                self.filled[number] |= 1 << slot | is_exact << (N_NEEDS + slot)
        if isinstance(trick, DisplayedTrick):
            self.encores[number] = trick.encores + UNSPENT * trick.is_encore_unspent
            self.marks[number] = trick.deja_vus + COUNT_STRIDE * trick.grands
            self.held.update({ENCORE: trick.encores, DEJA_VU: trick.deja_vus, GRAND: trick.grands})

    def complete(self, trick: Trick, number: int, path: str) -> None:
        """Put the needs of a trick in order, with those that were left out: of equal needs, the first are filled."""
        needs, left = self.cards.objectives[number].needs, Counter(self.cards.objectives[number].needs)
        for i, entry in enumerate(trick.needs):
            if not left[entry.need]:
                _fail(f"{path}.needs[{i}].need", entry.need, f"once each of {', '.join(needs)}")
            left[entry.need] -= 1
            if entry.component is not None:
                self.key(entry.component, f"{path}.needs[{i}].component")
        trick.needs += [Need(need=need) for need in left.elements()]
        trick.needs.sort(
            key=lambda entry: (
                needs.index(entry.need),
                entry.component is None,
                (0, 0) if entry.component is None else self.key(entry.component),
            )
        )

    # ---- Who knows what ------------------------------------------------------------------------------------

    def pack_memory(self, observer: int, seat: SeatScene, path: str) -> None:
        """Mark the cards that a seat knows, and the Take that it remembers."""
        is_viewer = observer == self.viewer
        if seat.knows:
            seat.knows = sorted((entry for entry in seat.knows if entry.cards), key=lambda entry: entry.seat)
        if is_viewer:
            for owner in range(self.seats):
                visible = [card for card in self.hands[owner] if card < HIDDEN]
                self.mark(observer, owner, visible if owner != observer else [])
        elif seat.knows and (self.viewer is None or self.seats == 2):
            for i, entry in enumerate(seat.knows):
                self.pack_known(observer, entry, f"{path}.knows[{i}]")
        if self.viewer is None or is_viewer:
            if seat.own_take is not None and seat.seen_take is not None:
                _fail(f"{path}.seen_take", seat.seen_take, "None beside own_take")
            if seat.own_take is not None:
                self.pack_own_take(observer, seat.own_take, f"{path}.own_take")
            elif seat.seen_take is not None:
                self.pack_seen_take(observer, seat.seen_take, f"{path}.seen_take")

    def pack_known(self, observer: int, entry: Known, path: str) -> None:
        owner = self.own(f"{path}.seat", entry.seat)
        cards = [_number(f"{path}.cards[{i}]", card, KINDS) for i, card in enumerate(entry.cards)]
        if owner == observer or Counter(cards) - Counter(self.hands[owner]):
            _fail(f"{path}.cards", entry.cards, f"cards of the hand of seat {owner}, another one")
        self.mark(observer, owner, cards)

    def mark(self, observer: int, owner: int, cards: Iterable[int]) -> None:
        """Let an observer know cards of a hand: by convention, the first of each kind."""
        for kind, n in Counter(cards).items():
            start = self.hands[owner].index(kind)
            for i in range(start, start + n):
                self.known[owner][i] |= 1 << observer

    def remember(self, observer: int, robbed: int, taker: int, kind: int, weight: int) -> None:
        self.trail[observer] = TRAIL + TRAIL_STRIDE * robbed + taker
        self.trail_kind[observer], self.trail_weight[observer] = kind, weight

    def pack_own_take(self, observer: int, take: OwnTake, path: str) -> None:
        robbed = self.own(f"{path}.robbed", take.robbed)
        kind = _number(f"{path}.card", take.card, KINDS)
        self.remember(observer, robbed, observer, kind, take.n_known + NUMBER_STRIDE * take.n_hidden)

    def pack_seen_take(self, observer: int, take: SeenTake, path: str) -> None:
        """Mark the suspects in the robbed hand; at most one of them is somewhere else."""
        robbed, taker = self.own(f"{path}.robbed", take.robbed), self.own(f"{path}.taker", take.taker)
        if observer in (robbed, taker) or robbed == taker:
            _fail(path, take, f"two different seats other than {observer}")
        suspects = [_number(f"{path}.suspects[{i}]", card, KINDS) for i, card in enumerate(take.suspects)]
        suspects.sort()
        there, n = self.hands[robbed], self.n_hand[robbed]
        if self.viewer is None:
            found = Counter(suspects) & Counter(there[:n])
        elif any(card != HIDDEN for card in there[:n]):
            _fail(f"seats[{robbed}].hand", self.scene.seats[robbed].hand, f"None for each card: see {path}")
        else:
            found = Counter(suspects[:n])
            there[:n] = suspects[:n] + [HIDDEN] * (n - len(suspects))
        strays = list((Counter(suspects) - found).elements())
        if len(strays) > 1:
            _fail(f"{path}.suspects", take.suspects, "cards of the robbed hand, and at most one other")
        self.has_stray = bool(strays) and self.viewer is not None
        self.held.update(strays if self.has_stray else [])
        self.mark(observer, robbed, found.elements())
        weight = round(take.other_weight * WEIGHT_UNIT)
        self.remember(observer, robbed, taker, strays[0] if strays else NO_CARD, weight)

    # ---- Decks and the phase -------------------------------------------------------------------------------

    def pack_discards(self) -> list[int]:
        found = {name: n for name, n in self.scene.discards.items() if n}
        for name, n in found.items():
            if not 0 <= n <= self.cards.counts[_number("discards", name, KINDS)]:
                _fail(f"discards[{name!r}]", n, f"0 to {self.cards.counts[KINDS.index(name)]}")
        self.scene.discards = found
        return [found.get(name, 0) for name in KINDS]

    def pack_deck(self) -> tuple[list[int], int]:
        """The cards that are nowhere else, by kind; and how many of them are in the deck."""
        hands = Counter(card for hand in self.hands for card in hand)
        deck = []
        for kind, total in enumerate(self.cards.counts):
            found = self.held[kind] + hands[kind] + self.scene.discards.get(KINDS[kind], 0)
            if found > total:
                raise InvalidStateError(
                    f"the scene: hands, tricks, Backstages and discards have {found} cards of kind {KINDS[kind]!r}; "
                    f"the game has {total}"
                )
            deck.append(total - found)
        n_deck = sum(deck) - hands[HIDDEN] + self.has_stray
        if n_deck < 0:
            raise InvalidStateError(f"the scene: {hands[HIDDEN]} cards are hidden; only {sum(deck)} are left")
        return deck, n_deck

    def pack_pending(self, place: list[int], now: list[int]) -> dict[str, int]:
        """`pending`, `focus` and `mark`: their meaning depends on the phase."""
        phase = _number("phase", self.scene.phase, PHASES)
        entries = self.entries(phase)
        pending = self.scene.pending or Pending()
        for name in Pending.__struct_fields__:
            value = getattr(pending, name)
            if name not in entries and value is not UNSET:
                _fail(f"pending.{name}", value, f"nothing in the phase {self.scene.phase!r}")
            if name in entries and value is UNSET:
                if entries[name] is None:
                    raise InvalidStateError(
                        f"the scene: pending.{name} is missing in the phase {self.scene.phase!r}"
                    )
                setattr(pending, name, entries[name])
        if entries:
            self.scene.pending = pending
        return {
            "pending": pending.cards or 0,
            "focus": self.focus(phase, pending, place, now),
            "mark": self.lowest(phase, pending),
        }

    def entries(self, phase: int) -> dict[str, Any]:
        """The entries of `pending` in a phase, with what they are if they are left out."""
        seat = self.scene.seat
        chosen = {"seat": seat, "component": None}
        entries: dict[int, dict[str, Any]] = {
            PHASE_DEAL: {"cards": START_HAND - self.n_hand[seat]},
            PHASE_DRAW: {"cards": None},
            PHASE_EXCHANGE: {"cards": None, "lowest_kind": None},
            PHASE_DISCARD: {"cards": self.n_hand[seat] - KEEP_LIMIT, "lowest_kind": KINDS[0]},
            PHASE_TAKE: {"seat": None},
            PHASE_CLAIM: {"objective": None},
            PHASE_TRANSFORM: chosen,
            PHASE_MORPH: chosen,
            PHASE_SWAP: chosen,
        }
        return entries.get(phase, {})

    def focus(self, phase: int, pending: Pending, place: list[int], now: list[int]) -> int:
        """The component, objective or seat that the phase is about."""
        if isinstance(pending.component, Component):
            seat = self.own("pending.seat", int(pending.seat or 0))
            printed, kind = self.key(pending.component, "pending.component")
            rows = zip(self.cards.printed, place, now, strict=False)
            wanted = (printed, BACKSTAGE + seat, kind)
            found = [i for i, row in enumerate(rows) if row == wanted]
            if not found:
                self.fail_to_choose(seat, pending.component)
            return found[0]
        if isinstance(pending.objective, str):
            return _number("pending.objective", pending.objective, self.names)
        return self.own("pending.seat", pending.seat) if isinstance(pending.seat, int) else 0

    def fail_to_choose(self, seat: int, component: Component) -> NoReturn:
        there = [self.name(mine) for mine in self.scene.seats[seat].backstage]
        raise InvalidStateError(
            f"the scene: pending.component is {self.name(component)!r}; allowed in the Backstage of seat {seat}: "
            f"{', '.join(there) or 'nothing'}"
        )

    def name(self, component: Component) -> str:
        printed, now = self.key(component)
        return component_name(component.kind, KINDS[printed], now // KIND_STRIDE)

    def lowest(self, phase: int, pending: Pending) -> int:
        """The lowest kind that may be chosen; in a claim, the lowest need that may be filled."""
        if phase == PHASE_CLAIM and isinstance(pending.objective, str):
            return (self.filled[self.names.index(pending.objective)] & ALL_NEEDS).bit_length()
        if isinstance(pending.lowest_kind, str):
            return _number("pending.lowest_kind", pending.lowest_kind, KINDS)
        return 0
