"""Checks of states and views of Illusio: safe to play, conceal and determinise, every card in exactly one place."""

from __future__ import annotations

from collections import Counter
from typing import Any

from aiplay._core.games.illusio.state import (
    ALL_NEEDS,
    BACKSTAGE,
    CONTEST_SIZE,
    COUNT_BITS,
    COUNT_STRIDE,
    DEJA_VU,
    DISPLAYED,
    ENCORE,
    GRAND,
    HIDDEN,
    ILLUSIO_SEATS,
    IN_CONTEST,
    IN_DECK,
    IN_DISCARDS,
    KEEP_LIMIT,
    KEPT,
    KIND_STRIDE,
    MAX_REALISING,
    N_ACTIONS,
    N_NEEDS,
    NO_CARD,
    NO_MAGICIAN,
    NOT_IN_GAME,
    NOT_IN_PLAY,
    NUMBER_STRIDE,
    PHASE_ACT,
    PHASE_CLAIM,
    PHASE_CONTEST,
    PHASE_DEAL,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_FIRST,
    PHASE_MAGICIAN,
    PHASE_MORPH,
    PHASE_OVER,
    PHASE_REFILL,
    PHASE_SWAP,
    PHASE_TAKE,
    PHASE_TRANSFORM,
    PHASE_VALIDATE,
    PLACED,
    REALISING,
    START_HAND,
    TRAIL,
    TRAIL_STRIDE,
    TRANSFORM,
    UNSPENT,
)
from aiplay.errors import InvalidStateError
from aiplay.games.illusio.data import (
    ANY,
    COMPONENTS,
    GROUP_OF,
    GROUPS,
    KINDS,
    TYPED_GROUPS,
    TYPES,
    IllusioData,
)

__all__ = ["check_position"]


def check_position(
    cards: IllusioData, seats: int, goal: int, max_turns: int, fields: Any, seat: int | None
) -> None:
    """Raise InvalidStateError for the first contradiction; `seat` is the seat of a view, None for a state."""
    position = _Position(cards, seats, goal, max_turns, fields, seat)
    position.check_seats()
    position.check_hands()
    position.check_trails()
    position.check_components()
    position.check_objectives()
    position.check_cards()
    if position.phase <= PHASE_DEAL:
        position.check_setup()
    else:
        position.check_scores()
        position.check_turn()


def _fail(field: str, problem: str) -> None:
    raise InvalidStateError(f"field {field!r}: {problem}")


class _Position:
    """The fields as plain lists, with the checks."""

    def __init__(
        self, cards: IllusioData, seats: int, goal: int, max_turns: int, fields: Any, seat: int | None
    ) -> None:
        self.cards, self.seats, self.goal, self.max_turns, self.viewer = cards, seats, goal, max_turns, seat
        self.turn: int = fields["turn"]
        self.phase: int = fields["phase"]
        self.seat: int = fields["seat"]
        self.actions: int = fields["actions"]
        self.talent_used: int = fields["talent_used"]
        self.pending: int = fields["pending"]
        self.focus: int = fields["focus"]
        self.mark: int = fields["mark"]
        self.n_deck: int = fields["n_deck"]
        self.scores: list[int] = fields["scores"]
        self.magicians: list[int] = fields["magicians"]
        self.n_hand: list[int] = fields["n_hand"]
        self.hands: list[list[int]] = fields["hands"]
        self.known: list[list[int]] = fields["known"]
        self.deck: list[int] = fields["deck"]
        self.discards: list[int] = fields["discards"]
        self.place: list[int] = fields["place"]
        self.now: list[int] = fields["now"]
        self.objectives: list[int] = fields["objectives"]
        self.encores: list[int] = fields["encores"]
        self.marks: list[int] = fields["marks"]
        self.filled: list[int] = fields["filled"]
        self.trail: list[int] = fields["trail"]
        self.trail_kind: list[int] = fields["trail_kind"]
        self.trail_weight: list[int] = fields["trail_weight"]
        self.there: dict[int, list[int]] = {}  # the components at each place
        for i, place in enumerate(self.place):
            self.there.setdefault(place, []).append(i)

    def key(self, i: int) -> tuple[int, int]:
        """Printed kind and `now` of a component: the order on equal needs; equal for identical components."""
        return self.cards.printed[i], self.now[i]

    def group(self, i: int) -> str:
        """The group of the present kind of a component."""
        return GROUP_OF[COMPONENTS[self.now[i] % KIND_STRIDE]]

    # ---- What the seats have -------------------------------------------------------------------------------

    def check_seats(self) -> None:
        """Check that nothing belongs to a seat that does not play, and that magicians differ."""
        if self.seat >= self.seats:
            _fail("seat", f"{self.seat} does not play; allowed: 0 to {self.seats - 1}")
        for seat in range(self.seats, ILLUSIO_SEATS):
            if self.scores[seat] or self.n_hand[seat] or self.magicians[seat] != NO_MAGICIAN:
                _fail("scores", f"seat {seat} does not play, but has points, cards or a magician")
        drawn = [magician for magician in self.magicians if magician != NO_MAGICIAN]
        if max(drawn, default=0) >= len(self.cards.magicians):
            _fail("magicians", f"{max(drawn)} is not in the game, which has {len(self.cards.magicians)}")
        if len(set(drawn)) != len(drawn):
            _fail("magicians", "two seats have the same magician")
        if self.phase > PHASE_MAGICIAN and len(drawn) != self.seats:
            _fail("magicians", "a seat has no magician")

    def check_hands(self) -> None:
        """Check that hands are sorted, and that others know the first of equal cards."""
        for owner, (hand, known) in enumerate(zip(self.hands, self.known, strict=True)):
            n = self.n_hand[owner]
            if (
                hand[:n] != sorted(hand[:n])
                or NO_CARD in hand[:n]
                or any(card != NO_CARD for card in hand[n:])
            ):
                _fail("hands", f"seat {owner} does not have {n} cards in ascending order, then {NO_CARD}")
            if HIDDEN in hand and self.viewer in (None, owner):
                _fail("hands", f"the cards of seat {owner} cannot be hidden here")
            others = (1 << self.seats) - 1 & ~(1 << owner)
            for i, observers in enumerate(known):
                if observers & ~others or (observers and (i >= n or hand[i] == HIDDEN)):
                    _fail(
                        "known", f"card {i} of seat {owner} cannot be known to the seats of bits {observers}"
                    )
                if self.viewer == owner and observers and self.seats > 2:
                    _fail("known", f"a view of {self.seats} seats does not show what others know of its hand")
                if 0 < i < n and hand[i] == hand[i - 1] and observers & ~known[i - 1]:
                    _fail("known", f"seat {owner}: of equal cards the first ones must be the known ones")

    def check_trails(self) -> None:
        """Check the Takes that the seats remember."""
        for seat, trail in enumerate(self.trail):
            kind, weight = self.trail_kind[seat], self.trail_weight[seat]
            if not trail:
                if kind or weight:
                    _fail("trail_kind", f"seat {seat} remembers no Take, but a kind or weight")
                continue
            victim, taker = divmod(trail - TRAIL, TRAIL_STRIDE)
            is_possible = (
                trail >= TRAIL and victim not in (seat, taker) and max(seat, victim, taker) < self.seats
            )
            if not is_possible or self.viewer not in (None, seat) or self.phase <= PHASE_DEAL:
                _fail("trail", f"seat {seat} cannot remember that seat {taker} robbed seat {victim}")
            if taker == seat:
                self._check_own_take(seat, victim, kind, weight)
            else:
                self._check_other_take(seat, victim, taker)

    def _marked(self, observer: int, owner: int) -> list[int]:
        """The cards of a hand that an observer knows."""
        cards = zip(self.hands[owner], self.known[owner], strict=True)
        return [card for card, observers in cards if observers >> observer & 1]

    def _check_own_take(self, seat: int, victim: int, kind: int, weight: int) -> None:
        n_hidden, n_known = divmod(weight, NUMBER_STRIDE)
        unknown = self.n_hand[victim] - len(self._marked(seat, victim))
        if kind >= len(KINDS) or not n_known or not 1 <= n_hidden <= unknown:
            _fail("trail_weight", f"seat {seat} cannot remember its Take of kind {kind} with weight {weight}")

    def _check_other_take(self, seat: int, victim: int, taker: int) -> None:
        """Check the suspects of a Take by another seat."""
        stray, suspects = self.trail_kind[seat], self._marked(seat, victim)
        unknown = Counter(self.hands[taker][: self.n_hand[taker]])
        unknown.subtract(self._marked(seat, taker))
        if not +unknown:
            _fail("trail", f"seat {seat} knows all cards of seat {taker}, so it knows what was taken")
        if stray != NO_CARD:
            if self.viewer is None:
                ok = unknown[stray] > 0 and self.hands[victim].count(stray) == suspects.count(stray)
            else:
                ok = len(suspects) == self.n_hand[victim] and stray >= max(suspects, default=0)
            if not ok or stray >= len(KINDS):
                _fail("trail_kind", f"seat {seat} cannot remember that kind {stray} may have been taken")
            suspects = [*suspects, stray]
        is_full, weight = len(suspects) > self.n_hand[victim], self.trail_weight[seat]
        if not suspects or (is_full and (weight or len(set(suspects)) == 1)):
            _fail(
                "trail_weight", f"seat {seat} cannot remember {len(suspects)} cards that may have been taken"
            )
        if self.viewer is None and not weight and all(unknown[card] <= 0 for card in suspects):
            _fail("trail_weight", f"seat {seat} is sure of a card that seat {taker} does not have")

    def stray(self) -> int | None:
        """In a view: the card that may have been taken and that no hand shows."""
        if self.viewer is None or not self.trail[self.viewer]:
            return None
        if (self.trail[self.viewer] - TRAIL) % TRAIL_STRIDE == self.viewer:
            return None
        kind = self.trail_kind[self.viewer]
        return None if kind == NO_CARD else kind

    def hidden(self, owner: int) -> int:
        """The number of cards of a hand that a view does not show."""
        return self.hands[owner].count(HIDDEN)

    # ---- Cards in play -------------------------------------------------------------------------------------

    def check_components(self) -> None:
        """Check that components are sorted, and that each has a possible place and kind."""
        morphed = {
            self.cards.magicians[m].group
            for m in self.magicians[: self.seats]
            if m != NO_MAGICIAN and self.cards.magicians[m].talent == "morph"
        }
        n = len(self.cards.printed)
        if any(self.place[n:]) or any(self.now[n:]):
            _fail("place", f"a component from {n} on is in play; the game has {n}")
        for i, (place, now) in enumerate(zip(self.place[:n], self.now[:n], strict=True)):
            number, kind = self.cards.printed[i], now % KIND_STRIDE
            printed = COMPONENTS[number]
            if i and (self.cards.printed[i - 1], self.place[i - 1], self.now[i - 1]) > (number, place, now):
                _fail("place", f"components of kind {printed} are not sorted by (place, now)")
            if place == NOT_IN_PLAY:
                if now:
                    _fail("now", f"component {i} is not in play and has {now}; allowed: 0")
                continue
            end = PLACED + N_NEEDS * len(self.cards.objectives)
            if not (place < BACKSTAGE + self.seats or PLACED <= place < end):
                _fail("place", f"component {i} is at {place}, which is no place of this game")
            if kind >= len(COMPONENTS):
                _fail("now", f"component {i} is of kind {kind}; allowed: 0 to {len(COMPONENTS) - 1}")
            if now < KIND_STRIDE and COMPONENTS[kind] != printed:
                group = GROUP_OF[printed]
                if GROUP_OF[COMPONENTS[kind]] != group or not {group, ANY} & morphed:
                    _fail("now", f"component {i} is {COMPONENTS[kind]}; nothing here makes that of {printed}")

    def check_objectives(self) -> None:
        """Check the owners of objectives, and the special actions and components on them."""
        n = len(self.cards.objectives)
        for o, where in enumerate(self.objectives[n:], n):
            if where != NOT_IN_GAME or self.encores[o] or self.marks[o] or self.filled[o]:
                _fail("objectives", f"objective {o} is in play; the game has {n}")
        for o, where in enumerate(self.objectives[:n]):
            if where == NOT_IN_GAME:
                _fail("objectives", f"objective {o} is not in the game")
            owner = (where - KEPT) % ILLUSIO_SEATS
            if where >= KEPT and owner >= self.seats:
                _fail("objectives", f"{self.cards.named(o)} belongs to seat {owner}, which does not play")
            if where < DISPLAYED and (self.encores[o] or self.marks[o]):
                _fail("encores", f"{self.cards.named(o)} is not on display, but carries special actions")
            if self.encores[o] == UNSPENT:
                _fail("encores", f"{self.cards.named(o)} has an unspent Encore without a card")
            self._check_filled(o, where)
        for seat in range(self.seats):
            if self.objectives.count(REALISING + seat) > MAX_REALISING:
                _fail("objectives", f"seat {seat} has more than {MAX_REALISING} under realisation")

    def _check_filled(self, o: int, where: int) -> None:
        """Check the components on an objective: their groups, order and number."""
        needs, groups = self.cards.objectives[o].needs, self.cards.objectives[o].groups
        filled = 0
        before: tuple[int, int] | None = None
        for slot in range(N_NEEDS):
            there = self.there.get(PLACED + N_NEEDS * o + slot, [])
            is_equal = 0 < slot < len(needs) and needs[slot] == needs[slot - 1]
            if not there:
                before = None
                continue
            if where < REALISING or len(there) > 1 or slot >= len(needs):
                _fail("place", f"{self.cards.named(o)} cannot have {len(there)} components on need {slot}")
            kind = COMPONENTS[self.now[there[0]] % KIND_STRIDE]
            if GROUP_OF[kind] != groups[slot]:
                _fail("place", f"{self.cards.named(o)} cannot have {kind} on need {slot} ({needs[slot]})")
            key = self.key(there[0])
            if is_equal and (before is None or before > key):
                _fail("place", f"{self.cards.named(o)}: the components on equal needs are not in order")
            before = key
            filled |= 1 << slot | (kind == needs[slot] and kind in TYPES) << (N_NEEDS + slot)
        if self.filled[o] != filled:
            _fail("filled", f"{self.cards.named(o)} has {self.filled[o]}; its components make it {filled}")
        n_placed, n_needs = (filled & ALL_NEEDS).bit_count(), len(needs)
        if (where >= DISPLAYED) != (n_placed == n_needs):
            state = "on display" if where >= DISPLAYED else "not on display"
            _fail("objectives", f"{self.cards.named(o)} is {state} with {n_placed} of {n_needs} components")
        is_started = self.phase == PHASE_CLAIM and self.focus == o
        if REALISING <= where < DISPLAYED and n_placed < (n_needs + 1) // 2 and not is_started:
            _fail("objectives", f"{self.cards.named(o)} is under way with less than half of its components")

    def check_cards(self) -> None:
        """Check that every card is in exactly one place."""
        held = Counter(card for hand in self.hands for card in hand)
        held.update(self.cards.printed[i] for i, place in enumerate(self.place) if place != NOT_IN_PLAY)
        stray = self.stray()
        if stray is not None:
            held[stray] += 1
        held[TRANSFORM] += sum(now // KIND_STRIDE for now in self.now)
        held[ENCORE] += sum(encores & COUNT_BITS for encores in self.encores)
        held[DEJA_VU] += sum(marks % COUNT_STRIDE for marks in self.marks)
        held[GRAND] += sum(marks // COUNT_STRIDE for marks in self.marks)
        for kind, total in enumerate(self.cards.counts):
            found = held[kind] + self.deck[kind] + self.discards[kind]
            if found != total:
                _fail("deck", f"{found} cards are {KINDS[kind]}; the game has {total}")
        left = sum(self.deck) - held[HIDDEN] + (stray is not None)
        if self.n_deck != left:
            _fail("n_deck", f"{self.n_deck} cards; the other fields leave {left}")

    def check_scores(self) -> None:
        """Check that the kept tricks can have paid the scores, and that the game ends when it should."""
        for seat in range(self.seats):
            most, domains = 0, set()
            for o, where in enumerate(self.objectives):
                if where == KEPT + seat:
                    objective = self.cards.objectives[o]
                    most += objective.level + sum(need in TYPES for need in objective.needs)
                    most += 2 * self.cards.counts[GRAND] + (objective.domain in domains)
                    most += self.cards.magicians[self.magicians[seat]].bonus(objective)
                    domains.add(objective.domain)
            if self.scores[seat] > most:
                _fail("scores", f"seat {seat} has {self.scores[seat]}; its tricks pay at most {most}")
        n_winners = sum(score >= self.goal for score in self.scores)
        at_cap = self.turn == self.max_turns
        if self.turn > self.max_turns or n_winners > 1 or (n_winners and at_cap):
            _fail("turn", f"{self.turn} turns of {self.max_turns} with {n_winners} seats at the goal")
        if (self.phase == PHASE_OVER) != (n_winners == 1 or at_cap):
            _fail("phase", "the game is over exactly when a seat reached the goal or the turns are used up")

    # ---- The course of the game ----------------------------------------------------------------------------

    def check_setup(self) -> None:
        """Check a position before the first turn: magicians, Contest, then hands, from the first seat on."""
        rest = (self.turn, self.actions, self.talent_used, self.focus, self.mark, *self.scores)
        moved = (
            *self.discards,
            *self.place,
            *(where for where in self.objectives if where not in (IN_CONTEST, NOT_IN_GAME)),
        )
        if any(rest) or any(moved) or any(any(known) for known in self.known):
            _fail("phase", "the first turn has not begun, but something has happened already")
        n_contest = self.objectives.count(IN_CONTEST)
        wanted = {PHASE_CONTEST: range(CONTEST_SIZE), PHASE_DEAL: (CONTEST_SIZE,)}.get(self.phase, (0,))
        if n_contest not in wanted:
            _fail("objectives", f"{n_contest} in the Contest, which does not fit the phase")
        if self.phase == PHASE_FIRST and (self.seat or any(m != NO_MAGICIAN for m in self.magicians)):
            _fail("seat", "the first seat has not been drawn yet")
        if self.phase == PHASE_MAGICIAN:
            self._check_dealt([int(m != NO_MAGICIAN) for m in self.magicians], 1, 0, "magicians")
        if self.phase == PHASE_DEAL:
            self._check_dealt(self.n_hand, START_HAND, START_HAND - self.pending, "n_hand")
        elif self.pending or any(self.n_hand):
            _fail("pending", "no cards are dealt before the Contest is complete")

    def _check_dealt(self, dealt: list[int], full: int, here: int, field: str) -> None:
        """Check a deal in seat order: earlier seats have `full`, this one has `here`, later ones nothing."""
        order = [(self.seat + i) % self.seats for i in range(self.seats)]
        found = [dealt[seat] for seat in order]
        if not 0 <= here < full or found[0] != here or any(n not in (0, full) for n in found[1:]):
            _fail(field, "does not fit the course of the deal")
        if found[1:] != sorted(found[1:]):
            _fail(field, "a seat was left out")

    def check_turn(self) -> None:
        """Check that the fields fit the phase."""
        self._check_contest()
        self._check_hand_limits()
        if self.talent_used and self.talent == "bonus":
            _fail("talent_used", f"the talent of seat {self.seat} is passive")
        if (
            self.phase in (PHASE_TAKE, PHASE_EXCHANGE, PHASE_CLAIM, PHASE_REFILL, PHASE_TRANSFORM)
            and self.actions == N_ACTIONS
        ):
            _fail("actions", f"{self.actions} are left, but one of {N_ACTIONS} is being carried out")
        {
            PHASE_VALIDATE: self._check_validate,
            PHASE_DRAW: self._check_draw,
            PHASE_ACT: self._check_idle,
            PHASE_TAKE: self._check_take,
            PHASE_EXCHANGE: self._check_exchange,
            PHASE_CLAIM: self._check_claim,
            PHASE_REFILL: self._check_idle,
            PHASE_TRANSFORM: self._check_chosen,
            PHASE_MORPH: self._check_chosen,
            PHASE_SWAP: self._check_chosen,
            PHASE_DISCARD: self._check_discard,
            PHASE_OVER: self._check_over,
        }[self.phase]()

    @property
    def talent(self) -> str:
        """The talent of the seat whose turn it is."""
        return self.cards.magicians[self.magicians[self.seat]].talent

    def _require_zero(self, *names: str) -> None:
        for name in names:
            if getattr(self, name):
                _fail(name, f"{getattr(self, name)}; allowed in this phase: 0")

    def _check_contest(self) -> None:
        """Check that the Contest has four objectives, or all that are left; one fewer during a claim."""
        n = self.objectives.count(IN_CONTEST)
        n_deck, n_left = self.objectives.count(IN_DECK), self.objectives.count(IN_DISCARDS)
        if self.phase == PHASE_REFILL:
            ok = n < CONTEST_SIZE and n_deck > 0
        else:
            full = CONTEST_SIZE - (self.phase == PHASE_CLAIM)
            ok = n == full or (n < full and n_deck + n_left == 0)
        if not ok:
            _fail("objectives", f"{n} in the Contest, which does not fit the phase")

    def _check_hand_limits(self) -> None:
        """Check that no hand is too large: 8 cards are kept, plus one drawn and those that others recall."""
        recallers = [
            seat
            for seat in range(self.seats)
            if self.cards.magicians[self.magicians[seat]].talent == "recall"
        ]
        for owner in range(self.seats):
            limit, hand = KEEP_LIMIT, self.n_hand[owner]
            if self.phase == PHASE_OVER or owner == self.seat:
                limit += sum(seat != owner for seat in recallers) + 1
                if self.phase in (PHASE_DRAW, PHASE_EXCHANGE):
                    hand += self.pending
                limit -= self.phase in (PHASE_VALIDATE, PHASE_TAKE)
            else:
                for i in range(1, (self.seat - owner) % self.seats + 1):
                    seat = (owner + i) % self.seats
                    limit += seat in recallers and (seat != self.seat or self.talent_used)
            if hand > limit:
                _fail("n_hand", f"seat {owner} has {hand} cards; at most {limit} are possible now")

    def _check_validate(self) -> None:
        self._require_zero("pending", "focus", "mark", "talent_used")
        due = [o for o, where in enumerate(self.objectives) if where == DISPLAYED + self.seat]
        if self.actions != N_ACTIONS or all(self.encores[o] & UNSPENT for o in due):
            _fail("phase", f"seat {self.seat} has nothing to validate")

    def _check_draw(self) -> None:
        self._require_zero("focus", "mark")
        if not self.pending or not self.n_deck + sum(self.discards):
            _fail("pending", f"{self.pending} cards to draw from {self.n_deck} and {sum(self.discards)}")

    def _check_idle(self) -> None:
        self._require_zero("pending", "focus", "mark")

    def _check_over(self) -> None:
        self._require_zero("actions", "talent_used", "pending", "focus", "mark")

    def _check_take(self) -> None:
        self._require_zero("pending", "mark")
        if self.focus >= self.seats or self.focus == self.seat or not self.n_hand[self.focus]:
            _fail("focus", f"nothing can be taken from seat {self.focus}")

    def _check_exchange(self) -> None:
        self._require_zero("focus")
        if not 1 <= self.pending <= sum(self.discards) or not self.discards[self.mark]:
            _fail(
                "pending",
                f"{self.pending} thrown cards, the last of kind {self.mark}, are not in the discards",
            )

    def _check_discard(self) -> None:
        self._require_zero("focus")
        hand = self.hands[self.seat]
        if self.pending != self.n_hand[self.seat] - KEEP_LIMIT or not self.pending:
            _fail(
                "pending", f"{self.pending} cards to discard; seat {self.seat} has {self.n_hand[self.seat]}"
            )
        if self.mark and not self.discards[self.mark]:
            _fail("mark", f"no card of kind {self.mark} has been discarded")
        found = sum(self.mark <= card < HIDDEN for card in hand)
        cases = [(found + gained, self.hidden(self.seat) + more) for gained, more in self._explanations()]
        if all(n + min(hidden, sum(self.deck[self.mark :])) < self.pending for n, hidden in cases):
            _fail("mark", f"seat {self.seat} cannot have {self.pending} cards of kind {self.mark} or later")

    def _explanations(self) -> list[tuple[int, int]]:
        """Changes of the hand in step 3 by a Take, for each card that it may have been.

        Pairs: additional cards of kind `mark` or later, and additional hidden cards.
        """
        if self.viewer is None or not self.trail[self.viewer]:
            return [(0, 0)]
        victim, taker = divmod(self.trail[self.viewer] - TRAIL, TRAIL_STRIDE)
        if taker == self.viewer:
            return [(0, 0)]
        stray = self.stray()
        cases = [(0, 0)] if self.trail_weight[self.viewer] else []
        for card in {*self._marked(self.viewer, victim), *([] if stray is None else [stray])}:
            is_late = card >= self.mark
            if self.seat == victim:
                gained = (stray is not None and stray >= self.mark) - is_late
                cases.append((gained, int(stray is None)))
            elif self.seat == taker:
                cases.append((int(is_late), -1))
            else:
                cases.append((0, 0))
        return cases

    def _check_chosen(self) -> None:
        """Check the component that Transform or a talent is used on; of equal ones it is the first."""
        self._require_zero("pending", "mark")
        i, place = self.focus, self.place[self.focus]
        if place == NOT_IN_PLAY:
            _fail("focus", f"component {i} is not in play, so it cannot have been chosen")
        is_own, is_backstage = place == BACKSTAGE + self.seat, BACKSTAGE <= place < BACKSTAGE + self.seats
        is_first = i == 0 or (self.place[i - 1], self.key(i - 1)) != (place, self.key(i))
        magician = self.cards.magicians[self.magicians[self.seat]]
        if self.phase == PHASE_TRANSFORM:
            ok = is_own and self.now[i] >= KIND_STRIDE
        elif self.phase == PHASE_MORPH:
            group = self.group(i) if is_backstage else ""
            ok = (
                self.talent_used == 1
                and magician.talent == "morph"
                and magician.group in (group, ANY)
                and group in TYPED_GROUPS
            )
        else:
            ok = self.talent_used == 1 and magician.talent == "swap" and is_own and self._can_swap()
        if not ok or not is_first:
            _fail("focus", f"component {i} ({KINDS[self.key(i)[0]]}) cannot have been chosen")

    def _can_swap(self) -> bool:
        """True if another Backstage holds something different from the chosen component."""
        others = [BACKSTAGE + seat for seat in range(self.seats) if seat != self.seat]
        return any(
            place in others and self.key(i) != self.key(self.focus) for i, place in enumerate(self.place)
        )

    def _check_claim(self) -> None:
        """Check the objective that is being claimed: filled in order so far, and half of it within reach."""
        self._require_zero("pending")
        if self.focus >= len(self.objectives) or self.objectives[self.focus] != REALISING + self.seat:
            _fail("focus", f"seat {self.seat} is not claiming objective {self.focus}")
        placed = self.filled[self.focus] & ALL_NEEDS
        if self.mark != placed.bit_length():
            _fail("mark", f"{self.mark}; the needs are filled up to {placed.bit_length()}")
        if placed.bit_count() + self._reachable() < (len(self.cards.objectives[self.focus].needs) + 1) // 2:
            _fail("focus", f"half of {self.cards.named(self.focus)} cannot be filled")

    def _reachable(self) -> int:
        """The number of needs from `mark` on that the Backstage can fill.

        Needs equal to the last one filled take only components that are not before the one there (see `key`).
        """
        objective = self.cards.objectives[self.focus]
        own = [(self.group(i), self.key(i)) for i in self.there.get(BACKSTAGE + self.seat, [])]
        last = self.place.index(PLACED + N_NEEDS * self.focus + self.mark - 1) if self.mark else None
        reached = 0
        for group in GROUPS:
            free = equal = 0
            for slot in range(self.mark, len(objective.needs)):
                if objective.groups[slot] == group:
                    is_equal = last is not None and objective.needs[slot] == objective.needs[self.mark - 1]
                    equal += is_equal
                    free += not is_equal
            if last is not None:
                least = self.key(last)
                equal = min(equal, sum(g == group and key >= least for g, key in own))
            reached += min(free + equal, sum(g == group for g, _ in own))
        return reached
