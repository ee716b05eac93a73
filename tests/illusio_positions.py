"""Positions of Illusio in words: what is not said is in the deck."""

import functools
import json

import aiplay
from aiplay.games.illusio.data import KINDS, TYPES

SETUP_PHASES = ["first", "magician", "contest", "deal"]
TURN_PHASES = ["validate", "draw", "act", "take", "exchange", "claim", "refill", "transform", "morph", "swap"]
PHASES = [*SETUP_PHASES, *TURN_PHASES, "discard", "over"]
TALENTS = {
    "animals": 0,
    "accessories": 1,
    "tricks": 2,
    "boxes": 3,
    "swap": 4,
    "recall": 5,
    "audience": 6,
    "formula": 7,
    "illusion": 8,
    "redraw": 9,
}
CONTEST = ("Ambitious Card", "Pepper's Ghost", "Book Test", "Davenport Rope Tie")


def kind(name):
    return KINDS.index(name)


def split(component):
    """ "dove~rabbit*" is a rabbit that has become a dove by one Transform."""
    name, stars = component.rstrip("*"), component.count("*")
    present, _, printed = name.partition("~")
    return kind(printed or present), kind(present) + 16 * stars


class Builder:
    """Fields of a state, filled step by step."""

    def __init__(self, game):
        self.game = game
        cards = game.cards
        self.left = list(cards.counts)
        self.names = [objective.name for objective in cards.objectives]
        self.objectives = cards.objectives
        self.table = []  # (printed, place, now)
        self.f = {
            name: [0] * n for name, n in (("objectives", 32), ("encores", 32), ("marks", 32), ("filled", 32))
        }

    def spend(self, number, count=1):
        self.left[number] -= count
        assert self.left[number] >= 0, f"too many {KINDS[number]}"

    def put(self, component, place):
        printed, now = split(component)
        self.spend(printed)
        self.spend(kind("transform"), now // 16)
        self.table.append((printed, place, now))
        return now % 16

    def trick(self, seat, name, components, where, encores=0, unspent=False, deja_vu=0, grand=0):
        """A trick with its components in the order of its needs; None leaves one open."""
        o = self.names.index(name)
        needs = self.objectives[o].needs
        assert len(components) == len(needs)
        self.f["objectives"][o] = where + seat
        for slot, component in enumerate(components):
            if component is not None:
                present = self.put(component, 8 + 4 * o + slot)
                is_exact = KINDS[present] == needs[slot] and needs[slot] in TYPES
                self.f["filled"][o] |= 1 << slot | is_exact << (4 + slot)
        self.f["encores"][o] = encores + 16 * unspent
        self.f["marks"][o] = deja_vu + 16 * grand
        for name, n in (("encore", encores), ("deja vu", deja_vu), ("grand", grand)):
            self.spend(kind(name), n)

    def move_objectives(self, names, place):
        for name in names:
            self.f["objectives"][self.names.index(name)] = place

    def keep_the_rest(self, deck):
        """All objectives but those of the deck that are not elsewhere are kept by the last seat."""
        for o, name in enumerate(self.names):
            if self.f["objectives"][o] == 0 and name not in deck:
                self.f["objectives"][o] = 3 + self.game.seats - 1

    def deal(self, hands, known):
        """Hands, and what others know of them: (observer, owner, name) -> number."""
        self.f |= {
            "n_hand": [0] * 6,
            "hands": [[22] * 14 for _ in range(6)],
            "known": [[0] * 14 for _ in range(6)],
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
        """Deck and discards: what is left is in the deck, or, if the deck is given, in the discards."""
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
        """The components on the table, sorted."""
        self.f |= {"place": [], "now": []}
        for number, count in enumerate(self.game.cards.counts[:15]):
            there = sorted((p, n) for printed, p, n in self.table if printed == number)
            for place, now in [(0, 0)] * (count - len(there)) + there:
                self.f["place"].append(place)
                self.f["now"].append(now)

    def cast(self, talents):
        """The magicians with these talents, then others."""
        met = [TALENTS[name] for name in talents]
        met += [m for m in (6, 7, 8, 9, 5, 4, 0, 1, 2, 3) if m not in met]
        self.f["magicians"] = met[: self.game.seats] + [10] * (6 - self.game.seats)


DEFAULTS = {"seat": 0, "actions": 2, "talent_used": 0, "pending": 0, "focus": 0, "mark": 0, "turn": 0}


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
    """The fields of a state as JSON has them."""
    b = Builder(game)
    for owner, components in enumerate(backstage):
        for component in components:
            b.put(component, 1 + owner)
    for owner, name, components, *rest in displayed:
        b.trick(owner, name, components, 15, **(rest[0] if rest else {}))
    for owner, name, components in realising:
        b.trick(owner, name, components, 9)
    for owner, name in kept:
        b.move_objectives([name], 3 + owner)
    b.move_objectives(contest, 2)
    b.move_objectives(objective_discards, 1)
    if objective_deck is not None:
        b.keep_the_rest(objective_deck)
    b.deal(hands, known or {})
    b.divide(list(discards), deck)
    b.lay_out()
    b.cast(talents)
    scores = [*scores, *[0] * (6 - len(scores))]
    return DEFAULTS | numbers | b.f | {"scores": scores, "phase": PHASES.index(phase)}


def state_of(game, fields):
    """The state with these fields, checked like any other."""
    document = {"game": game.name, "options": dict(game.options), "state": fields}
    return game.state_from_json(json.dumps(document))


@functools.cache
def load(players):
    """The game with its default options; games are immutable and may be shared."""
    return aiplay.load_game("illusio", players=players)


def position(players=2, game=None, **words):
    """A state in words; by default seat 0 is about to act, with an empty table and four tricks of level 1."""
    game = game or load(players)
    return state_of(game, fields_of(game, **words))


def texts(state):
    """What can be played, in words."""
    return [state.move_text(move) for move in state.legal_moves()]


def play(state, *moves):
    """The state after these moves."""
    state = state.copy()
    for move in moves:
        state.play(move)
    return state


def hand(state, seat):
    row = state.fields["hands"][seat][: state.fields["n_hand"][seat]]
    return ["?" if card == 21 else KINDS[card] for card in row]


def backstage(state, seat):
    fields = state.fields
    return sorted(
        state.game._component_text(fields, i) for i, place in enumerate(fields["place"]) if place == 1 + seat
    )


def counts(state, field):
    """The deck or the discards: names with numbers."""
    return {KINDS[i]: int(n) for i, n in enumerate(state.fields[field]) if n}


def where(state, name):
    """Where an objective is, in a word and with its seat."""
    number = [objective.name for objective in state.game.cards.objectives].index(name)
    place = int(state.fields["objectives"][number])
    if place < 3:
        return ("deck", "discards", "contest")[place]
    return ("kept", "realising", "displayed")[(place - 3) // 6], (place - 3) % 6


def knowledge(position, observer, owner):
    """What an observer knows of a hand: names with numbers."""
    found = {}
    row = position.fields["hands"][owner][: position.fields["n_hand"][owner]]
    for card, seats in zip(row, position.fields["known"][owner], strict=False):
        if seats >> observer & 1:
            found[KINDS[card]] = found.get(KINDS[card], 0) + 1
    return found
