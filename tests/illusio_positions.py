"""Positions of Illusio in words; cards that are not mentioned are in the deck."""

import functools
import json
import math
from collections import Counter

import aiplay
from aiplay._core.games.illusio import state as core
from aiplay.games.illusio.data import COMPONENTS, KINDS, TYPES, load_cards
from aiplay.games.illusio.moves import component_text

# The magicians, by the group, domain or verb of their talents.
TALENTS = {m.group or m.domain or m.talent: number for number, m in enumerate(load_cards(None).magicians)}
QUIET = (
    "audience",
    "formula",
    "illusion",
    "redraw",
    "recall",
    "swap",
)  # seats without a given talent get these first
CONTEST = ("Ambitious Card", "Pepper's Ghost", "Book Test", "Davenport Rope Tie")


def kind(name):
    return KINDS.index(name)


def split(component):
    """Printed kind and `now` of a component: "dove~rabbit*" is a rabbit turned into a dove by one Transform."""
    name, stars = component.rstrip("*"), component.count("*")
    present, _, printed = name.partition("~")
    return kind(printed or present), kind(present) + core.KIND_STRIDE * stars


class Builder:
    """Fields of a state, filled step by step."""

    def __init__(self, game):
        self.game = game
        cards = game.cards
        self.left = list(cards.counts)
        self.names = [objective.name for objective in cards.objectives]
        self.objectives = cards.objectives
        self.in_play = []  # (printed, place, now)
        self.f = {name: [0] * core.N_OBJECTIVES for name in ("objectives", "encores", "marks", "filled")}
        self.f["objectives"][len(self.names) :] = [core.NOT_IN_GAME] * (core.N_OBJECTIVES - len(self.names))

    def spend(self, number, count=1):
        self.left[number] -= count
        assert self.left[number] >= 0, f"too many {KINDS[number]}"

    def put(self, component, place):
        printed, now = split(component)
        self.spend(printed)
        self.spend(core.TRANSFORM, now // core.KIND_STRIDE)
        self.in_play.append((printed, place, now))
        return now % core.KIND_STRIDE

    def trick(self, seat, name, components, where, encores=0, unspent=False, deja_vu=0, grand=0):
        """A trick with its components in the order of its needs; None leaves one open."""
        o = self.names.index(name)
        needs = self.objectives[o].needs
        assert len(components) == len(needs)
        self.f["objectives"][o] = where + seat
        for slot, component in enumerate(components):
            if component is not None:
                present = self.put(component, core.PLACED + core.N_NEEDS * o + slot)
                is_exact = KINDS[present] == needs[slot] and needs[slot] in TYPES
                self.f["filled"][o] |= 1 << slot | is_exact << (core.N_NEEDS + slot)
        self.f["encores"][o] = encores + core.UNSPENT * unspent
        self.f["marks"][o] = deja_vu + core.COUNT_STRIDE * grand
        for number, n in ((core.ENCORE, encores), (core.DEJA_VU, deja_vu), (core.GRAND, grand)):
            self.spend(number, n)

    def move_objectives(self, names, place):
        for name in names:
            self.f["objectives"][self.names.index(name)] = place

    def keep_the_rest(self, deck):
        """Let the last seat keep all objectives that have no place yet, except those in `deck`."""
        for o, name in enumerate(self.names):
            if self.f["objectives"][o] == core.IN_DECK and name not in deck:
                self.f["objectives"][o] = core.KEPT + self.game.seats - 1

    def deal(self, hands, known):
        """Set the hands, and what others know of them: (observer, owner, name) -> number."""
        seats = range(core.ILLUSIO_SEATS)
        self.f |= {
            "n_hand": [0 for _ in seats],
            "hands": [[core.NO_CARD] * core.HAND_SIZE for _ in seats],
            "known": [[0] * core.HAND_SIZE for _ in seats],
            "trail": [0 for _ in seats],
            "trail_kind": [0 for _ in seats],
            "trail_weight": [0 for _ in seats],
        }
        for owner, cards in enumerate(hands):
            numbers = sorted(kind(card) for card in cards)
            for number in numbers:
                self.spend(number)
            self.f["hands"][owner][: len(numbers)] = numbers
            self.f["n_hand"][owner] = len(numbers)
        for (observer, owner, card), n in known.items():
            start = self.f["hands"][owner].index(kind(card))
            for i in range(start, start + n):
                assert self.f["hands"][owner][i] == kind(card)
                self.f["known"][owner][i] |= 1 << observer

    def divide(self, discards, deck):
        """Set deck and discards: the cards left go to the deck or, if that is given, to the discards."""
        thrown = [discards.count(name) for name in KINDS]
        for number, n in enumerate(thrown):
            self.spend(number, n)
        drawable = list(self.left)
        if deck is not None:
            drawable = [deck.count(name) for name in KINDS]
            thrown = [t + left - d for t, left, d in zip(thrown, self.left, drawable, strict=True)]
            assert min(thrown) >= 0
        self.f |= {"n_deck": sum(drawable), "deck": drawable, "discards": thrown}

    def lay_out(self):
        """Set place and kind of the components, sorted."""
        self.f |= {"place": [], "now": []}
        for number, count in enumerate(self.game.cards.counts[: len(COMPONENTS)]):
            there = sorted((p, n) for printed, p, n in self.in_play if printed == number)
            for place, now in [(core.NOT_IN_PLAY, 0)] * (count - len(there)) + there:
                self.f["place"].append(place)
                self.f["now"].append(now)
        unused = [0] * (core.N_COMPONENTS - len(self.f["place"]))
        self.f["place"] += unused
        self.f["now"] += unused

    def cast(self, talents):
        """Give the seats magicians with these talents, then others."""
        names = [*talents, *(name for name in (*QUIET, *TALENTS) if name not in talents)]
        drawn = [TALENTS[name] for name in names][: self.game.seats]
        self.f["magicians"] = drawn + [core.NO_MAGICIAN] * (core.ILLUSIO_SEATS - self.game.seats)


DEFAULTS = {
    "seat": 0,
    "actions": core.N_ACTIONS,
    "talent_used": 0,
    "pending": 0,
    "focus": 0,
    "mark": 0,
    "turn": 0,
}


def fields_of(
    game,
    *,
    hands=(),
    known=None,
    backstage=(),
    realising=(),
    displayed=(),
    kept=(),
    contest=CONTEST,
    objective_discards=(),
    objective_deck=None,
    discards=(),
    deck=None,
    scores=(),
    talents=(),
    phase="act",
    **numbers,
):
    """The fields of a state, as in JSON."""
    b = Builder(game)
    for owner, components in enumerate(backstage):
        for component in components:
            b.put(component, core.BACKSTAGE + owner)
    for owner, name, components, *rest in displayed:
        b.trick(owner, name, components, core.DISPLAYED, **(rest[0] if rest else {}))
    for owner, name, components in realising:
        b.trick(owner, name, components, core.REALISING)
    for owner, name in kept:
        b.move_objectives([name], core.KEPT + owner)
    b.move_objectives(contest, core.IN_CONTEST)
    b.move_objectives(objective_discards, core.IN_DISCARDS)
    if objective_deck is not None:
        b.keep_the_rest(objective_deck)
    b.deal(hands, known or {})
    b.divide(list(discards), deck)
    b.lay_out()
    b.cast(talents)
    scores = [*scores, *[0] * (core.ILLUSIO_SEATS - len(scores))]
    return DEFAULTS | numbers | b.f | {"scores": scores, "phase": getattr(core, f"PHASE_{phase.upper()}")}


def state_of(game, fields):
    """The state with these fields, checked like any other."""
    document = {"game": game.name, "options": dict(game.options), "state": fields}
    return game.state_from_json(json.dumps(document))


@functools.cache
def load(players):
    """The game with default options; games are immutable and can be shared."""
    return aiplay.load_game("illusio", players=players)


def position(players=2, game=None, **words):
    """A state in words; by default seat 0 is about to act, nothing is in play, and the Contest is of level 1."""
    game = game or load(players)
    return state_of(game, fields_of(game, **words))


def texts(state):
    """The legal moves, in words."""
    return [state.move_text(move) for move in state.legal_moves()]


def play(state, *moves):
    """The state after these moves."""
    state = state.copy()
    for move in moves:
        state.play(move)
    return state


def hand(state, seat):
    row = state.fields["hands"][seat][: state.fields["n_hand"][seat]]
    return ["?" if card == core.HIDDEN else KINDS[card] for card in row]


def backstage(state, seat):
    there = (state.fields["place"] == core.BACKSTAGE + seat).nonzero()[0]
    return sorted(component_text(state.game.cards, state.fields, int(i)) for i in there)


def counts(state, field):
    """The cards in the deck or the discards: name -> number."""
    return {KINDS[i]: int(n) for i, n in enumerate(state.fields[field]) if n}


def where(state, name):
    """Where an objective is: a word, with the seat if it belongs to one."""
    number = [objective.name for objective in state.game.cards.objectives].index(name)
    place = int(state.fields["objectives"][number])
    common = {core.IN_DECK: "deck", core.IN_DISCARDS: "discards", core.IN_CONTEST: "contest"}
    if place in common:
        return common[place]
    word, seat = divmod(place - core.KEPT, core.ILLUSIO_SEATS)
    return ("kept", "realising", "displayed")[word], seat


def knowledge(position, observer, owner):
    """The cards of a hand that an observer knows: name -> number."""
    found = {}
    row = position.fields["hands"][owner][: position.fields["n_hand"][owner]]
    for card, seats in zip(row, position.fields["known"][owner], strict=False):
        if seats >> observer & 1:
            found[KINDS[card]] = found.get(KINDS[card], 0) + 1
    return found


def assert_distributed(found, wanted):
    """A chi-square test that fails by chance once in 100,000 times (bound: Wilson and Hilferty 1931)."""
    n = sum(found.values())
    assert set(found) <= set(wanted)
    statistic = sum((found[key] - n * p) ** 2 / (n * p) for key, p in wanted.items())
    df = len(wanted) - 1
    assert statistic < df * (1 - 2 / (9 * df) + 4.26 * math.sqrt(2 / (9 * df))) ** 3


def sampled(view, owners, n=6000):
    return Counter(
        tuple(tuple(hand(world, owner)) for owner in owners)
        for world in (view.sample_world(seed) for seed in range(n))
    )
