"""Which positions of Levitation can be: conservation first, then the marks of the phase, then what is to be decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from aiplay.errors import InvalidStateError
from aiplay.games.levitation.data import CHAINS, EFFECTS

if TYPE_CHECKING:
    from aiplay.games.levitation import Levitation

__all__ = ["PHASES", "check_levitation"]

# What is to be decided, as the core numbers it.
PHASES = (
    "deal", "tokens", "dice", "refill", "over", "path", "start", "main", "copy", "amount", "target", "flair",
)  # fmt: skip
ALL_CARDS = 2**48 - 1
NAMES = tuple(EFFECTS)
COPYING = ("duplicate another's card", "duplicate an own card")
POINTS = NAMES[:4]
TWO_STEP = ("trade tickets", "move a ticket", "trade a card", "move a card")
ONE_STEP = ("gain card", "place on a point space", "place on a city", "disable a card", "change colour")
ENTERING = ("gain flair", "place on a city", "trade tickets", "move a ticket", *COPYING)
HERRMANN, THURSTON, KELLAR = 0, 1, 2


def _fail(field: str, problem: str) -> NoReturn:
    raise InvalidStateError(f"field {field!r}: {problem}")


@dataclass
class _Check:
    """One position being checked, its fields as plain Python numbers."""

    game: Levitation
    f: dict[str, Any]
    data: bytes

    def __post_init__(self) -> None:
        self.seats: int = self.game.seats
        self.phase: str = PHASES[self.f["phase"]]
        self.cards = self.game.data.cards
        self.effects = [NAMES[card.effect] for card in self.cards]

    def where(self, seat: int) -> set[int]:
        """The cities with a ticket of a seat."""
        return {city for city in range(15) if self.f["tickets"][seat] >> 2 * city & 3}

    def having(self, *effects: str) -> int:
        """The cards with one of these effects, as a set of bits."""
        return sum(1 << card for card, effect in enumerate(self.effects) if effect in effects)

    def all_owned(self) -> int:
        return sum(self.f["owned"])


def check_levitation(game: Levitation, fields: Any) -> None:
    """InvalidStateError, naming the field, unless a game can be in this position (as far as can be told cheaply)."""
    position = _Check(game, {name: fields[name].tolist() for name in fields.dtype.names}, fields.tobytes())
    _check_seats(position)
    _check_cards(position)
    _check_pieces(position)
    if position.phase == "deal":
        _check_deal(position)
        return
    _check_tokens(position)
    _check_order(position)
    _check_first(position)
    if position.phase in ("tokens", "over"):
        _check_registers(position, ())
        _check_paths(position)
        return
    if position.phase in ("start", "dice"):
        _check_before_draft(position)
    else:
        _check_after_draft(position)
    _check_paths(position)
    if game.count_moves(position.data) < 1:
        _fail("phase", f"{position.phase}, but there is nothing to choose")


# ---- Conservation ------------------------------------------------------------------------------------------


def _check_seats(position: _Check) -> None:
    """Seats that do not play have nothing."""
    for name in ("owned", "tickets", "scores", "unused", "hand", "cubes", "tokens", "revealed", "first"):
        if any(position.f[name][position.seats :]):
            _fail(name, f"seats that do not play have some; seats: {position.seats}")
    for name, low in (("space_seats", 0), ("path_seat", 0)):
        values = position.f[name] if isinstance(position.f[name], list) else [position.f[name]]
        if any(value >= position.seats for value in values if value >= low):
            _fail(name, f"a seat that does not play; seats: {position.seats}")


def _check_cards(position: _Check) -> None:
    """Every card is in one place, and flair lies on owned cards with room."""
    f = position.f
    places = [f["deck"], *f["owned"], *(1 << card for card in f["city_cards"] if card >= 0)]
    union = 0
    for place in places:
        if union & place:
            _fail("owned", "a card is in two places (owned, city_cards, deck)")
        union |= place
    if union != ALL_CARDS:
        _fail("deck", "a card is nowhere (owned, city_cards, deck)")
    for card, n in enumerate(f["flair"]):
        if n > position.cards[card].flair or (n and not position.all_owned() >> card & 1):
            _fail("flair", f"{n} tokens on card {card}, which nobody owns or which takes fewer")
    if sum(f["flair"]) + f["n_flair"] > 50:
        _fail("flair", "more than 50 tokens")
    if f["disabled"] & f["deck"] or f["used"] & f["deck"]:
        _fail("disabled", "a used or disabled card is in the deck")


def _check_pieces(position: _Check) -> None:
    """Tickets, cubes and dice."""
    f, seats = position.f, position.seats
    for city in range(15):
        n = sum(tickets >> 2 * city & 3 for tickets in f["tickets"])
        if n > f["round"] + 1 or (n and f["city_cards"][city] >= 0):
            _fail("tickets", f"{n} in city {city}, which has a card or room for fewer in this round")
    for seat in range(seats):
        in_cities = sum(f["tickets"][seat] >> 2 * city & 3 for city in range(15))
        total = in_cities + f["hand"][seat] + f["unused"][seat] + f["space_seats"].count(seat)
        if total != 10:
            _fail("tickets", f"seat {seat} has {total} tickets; allowed: 10")
        if f["cubes"][seat] < 2:
            _fail("cubes", f"seat {seat} has {f['cubes'][seat]}; a seat never has fewer than 2")
    if sum(f["cubes"]) > 50:
        _fail("cubes", f"{sum(f['cubes'])} in all; allowed: at most 50")
    for colour in range(5):
        if sum(f["dice"][colour::5]) > 4:
            _fail("dice", f"more than 4 of colour {colour}")


def _check_deal(position: _Check) -> None:
    """Nothing but cards in the first cities."""
    f, step = position.f, position.f["step"]
    if any((card >= 0) != (city < step) for city, card in enumerate(f["city_cards"])):
        _fail("city_cards", f"cards are dealt to the first {step} cities only")
    fresh = position.game.new_state().fields
    for name in fresh.dtype.names:
        if name not in ("deck", "city_cards", "step") and f[name] != fresh[name].tolist():
            _fail(name, "not as it is while the cities are dealt")


def _check_paths(position: _Check) -> None:
    """Paths are claimed at once: none stands but while a ticket's entering is settled."""
    if position.phase in ("flair", "path", "refill"):
        return
    points = {city for city in range(5) if position.game.data.cities[city].reward == 0}
    for seat in range(position.seats):
        cities = position.where(seat)
        for middle in range(5, 10):
            top = cities & points & {middle - 6, middle - 5, middle - 4} & set(range(5))
            bottom = cities & {middle + 4, middle + 5, middle + 6} & set(range(10, 15))
            if middle in cities and top and bottom:
                _fail("tickets", f"seat {seat} has a path that is not claimed")


# ---- The order of turns ------------------------------------------------------------------------------------


def _check_tokens(position: _Check) -> None:
    """As many tokens are left as the turn says."""
    f, revealing = position.f, position.phase == "tokens"
    if revealing and f["step"] >= position.seats:
        _fail("step", f"{f['step']}; allowed: a seat")
    for seat in range(position.seats):
        is_revealed = not revealing or seat < f["step"]
        if (f["revealed"][seat] > 0) != is_revealed:
            _fail("revealed", f"seat {seat} has revealed a token too early or too late")
        if f["tokens"][seat].bit_count() != 4 - f["turn"] - is_revealed:
            _fail("tokens", f"seat {seat} has a wrong number of tokens left")
        if is_revealed and f["tokens"][seat] >> (f["revealed"][seat] - 1) & 1:
            _fail("tokens", f"seat {seat} has the token that it revealed")


def _check_order(position: _Check) -> None:
    """The order is one of the seats, in the first turn that of the tokens, and somebody is to act in it."""
    f, seats = position.f, position.seats
    if position.phase == "tokens":
        if any(seat != -1 for seat in f["order"]) or f["n_acted"]:
            _fail("order", "there is none while tokens are revealed")
        return
    if sorted(f["order"][:seats]) != list(range(seats)) or any(seat != -1 for seat in f["order"][seats:]):
        _fail("order", f"not the seats 0 to {seats - 1} in some order")
    if position.phase == "over":
        if (f["round"], f["turn"], f["n_acted"]) != (2, 3, seats):
            _fail("phase", "over before the last action")
    elif f["n_acted"] >= seats:
        _fail("n_acted", f"{f['n_acted']}; allowed: 0 to {seats - 1}")
    if f["round"] == f["turn"] == 0:
        ties = position.game.data.ties
        keys = [(f["revealed"][seat], ties[f["revealed"][seat] - 1][seat]) for seat in f["order"][:seats]]
        if keys != sorted(keys):
            _fail("order", "not that of the revealed tokens")


def _check_first(position: _Check) -> None:
    """Ranks 1, 2, ... of seats that have acted, or act."""
    f = position.f
    ranks = sorted(rank for rank in f["first"] if rank)
    if ranks != list(range(1, len(ranks) + 1)):
        _fail("first", f"the ranks are {ranks}; allowed: 1, 2 and so on, each once")
    if position.phase == "tokens":
        allowed = set() if f["round"] == f["turn"] == 0 else set(range(position.seats))
    elif position.phase == "over":
        allowed = set()
    else:
        allowed = set(f["order"][: f["n_acted"] + 1])
    if any(rank and seat not in allowed for seat, rank in enumerate(f["first"])):
        _fail("first", "a seat that has not acted in this turn, or too early or late in the game")


# ---- The action --------------------------------------------------------------------------------------------

BLANKS = {
    "used": 0, "disabled": 0, "step": 0, "has_rolled": 0, "master": -1, "colour": -1, "has_acted": 0, "committed": 0,
    "bonus": 0, "active": -1, "source": -1, "target": -1, "n_flair": 0, "flair_from": 0, "path_seat": -1, "path": -1,
}  # fmt: skip


def _check_registers(position: _Check, in_use: tuple[str, ...]) -> None:
    """Every mark of an action that the phase does not use is blank."""
    for name, blank in BLANKS.items():
        if name == "step" and position.phase == "tokens":
            continue
        if name not in in_use and position.f[name] != blank:
            _fail(name, f"{position.f[name]} in phase {position.phase}; allowed: {blank}")


def _check_before_draft(position: _Check) -> None:
    """Nothing used but re-rolls, and all dice on the masters after a roll."""
    f = position.f
    in_use = ("used", "disabled", "has_rolled", "committed")
    _check_registers(position, (*in_use, "step") if position.phase == "dice" else in_use)
    seat = f["order"][f["n_acted"]]
    if f["used"] & ~(f["owned"][seat] & position.having("re-roll")):
        _fail("used", "before the draft only own cards that re-roll can be used")
    _check_committed(position, seat)
    has_thrown = bool(f["has_rolled"] or f["used"])
    if position.phase == "start":
        if has_thrown and sum(f["dice"]) != 20:
            _fail("dice", "not 20 after a roll")
        return
    if not has_thrown:
        _fail("phase", "dice are thrown, but nobody rolls")
    if f["step"] > 4 or any(
        sum(f["dice"][colour::5]) != (4 if colour < f["step"] else 0) for colour in range(5)
    ):
        _fail("dice", "colours are thrown one after the other")


def _check_committed(position: _Check, seat: int) -> None:
    """Cubes on the used cards: their costs, and more only where X cards or duplicates are among them."""
    f = position.f
    used = [card for card in range(48) if f["used"] >> card & 1]
    least = sum(position.cards[card].cost or 1 for card in used)
    is_open = any(position.effects[card] in (*POINTS, *COPYING) for card in used)
    if position.phase == "amount" and f["active"] >= 0 and position.effects[f["active"]] in POINTS:
        least -= 1
    if (
        f["committed"] > f["cubes"][seat]
        or f["committed"] < least
        or (f["committed"] > least and not is_open)
    ):
        _fail(
            "committed", f"{f['committed']}; the used cards need {least}, seat {seat} has {f['cubes'][seat]}"
        )


PHASE_REGISTERS: dict[str, tuple[str, ...]] = {
    "main": (),
    "copy": ("active",),
    "amount": ("active", "source"),
    "target": ("active", "source", "target"),
    "flair": ("active", "n_flair", "flair_from"),
    "path": ("active", "path_seat"),
    "refill": ("active", "path", "step"),
}


def _check_after_draft(position: _Check) -> None:
    f, phase = position.f, position.phase
    always = ("used", "disabled", "has_rolled", "master", "colour", "has_acted", "committed", "bonus")
    _check_registers(position, always + PHASE_REGISTERS[phase])
    seat = f["order"][f["n_acted"]]
    if f["master"] < 0 or f["colour"] < 0 or sum(f["dice"]) > 19:
        _fail("master", "a die has been drafted: it has a master and a colour, and is off the board")
    in_cities = sum(1 << card for card in f["city_cards"] if card >= 0)
    if f["used"] & ~(f["owned"][seat] | in_cities):
        _fail("used", "a card that the acting seat neither owns nor has traded")
    _check_committed(position, seat)
    n_bonus = (f["used"] & position.having("path bonus", *COPYING)).bit_count()
    if f["bonus"] % 3 or f["bonus"] > 3 * n_bonus:
        _fail("bonus", f"{f['bonus']}; allowed: 3 for each use of such a card")
    if f["active"] >= 0 and not f["used"] & f["owned"][seat] & 1 << f["active"]:
        _fail("active", "not an own card that is in use")
    if phase in ("copy", "amount", "target"):
        _check_use(position, seat)
    elif phase in ("flair", "path", "refill"):
        _check_settling(position, seat)


def _check_use(position: _Check, seat: int) -> None:
    """A card in use, and the text that it has or copies."""
    f, phase = position.f, position.phase
    if f["active"] < 0:
        _fail("active", f"none in phase {phase}")
    effect = position.effects[f["active"]]
    if phase == "copy":
        if effect not in COPYING:
            _fail("active", "a card that does not duplicate")
        return
    texts = position.game.data.texts
    if f["source"] < 0 or texts[f["source"]] != f["source"]:
        _fail("source", "not the lowest card with a text")
    if effect in COPYING:
        cards = f["owned"][seat] if effect == COPYING[1] else position.all_owned() & ~f["owned"][seat]
        cards &= ~f["disabled"] & ~position.having("re-roll", *COPYING)
        if not any(cards >> card & 1 and text == f["source"] for card, text in enumerate(texts)):
            _fail("source", "a text that cannot be duplicated")
    elif texts[f["active"]] != f["source"]:
        _fail("source", "not the text of the card in use")
    allowed = POINTS if phase == "amount" else ONE_STEP + TWO_STEP
    if position.effects[f["source"]] not in allowed:
        _fail("source", f"an effect that asks nothing in phase {phase}")
    if f["target"] >= 0:
        _check_target(position, seat)


def _check_target(position: _Check, seat: int) -> None:
    """The first of two choices is still there."""
    f, target = position.f, position.f["target"]
    effect = position.effects[f["source"]]
    if effect == "trade a card":
        given = f["owned"][seat] & ~position.having("trade a card")
        fits = bool(given >> target & 1) and target != f["active"]
    elif effect == "move a card":
        fits = target < 15 and f["city_cards"][target] >= 0
    else:
        fits = effect in TWO_STEP and target in position.where(seat)
    if not fits:
        _fail("target", f"{target} cannot be chosen")


def _check_settling(position: _Check, seat: int) -> None:
    """A ticket has entered a city, or flair was gained: by Kellar or by a card that does such a thing."""
    f, phase = position.f, position.phase
    if f["active"] < 0:
        if not f["has_acted"] or f["master"] != KELLAR:
            _fail("active", f"nothing leads to phase {phase}")
    elif position.effects[f["active"]] not in ENTERING:
        _fail("active", f"its effect does not lead to phase {phase}")
    if phase == "flair":
        placed = f["flair_from"]
        if not f["n_flair"]:
            _fail("n_flair", "nothing to place")
        if 0 < placed < 48 and not (f["owned"][seat] >> placed & 1 and f["flair"][placed]):
            _fail("flair_from", "not a card that has just got flair")
    elif phase == "path":
        if f["path_seat"] < 0:
            _fail("path_seat", "nobody claims")
    else:
        _check_refill(position)


def _check_refill(position: _Check) -> None:
    """The cities of the claimed path get cards from top to bottom."""
    f = position.f
    if f["path"] < 0 or f["step"] > 2 or not f["deck"]:
        _fail("path", "no card can be drawn for it")
    for number, city in enumerate(CHAINS[f["path"]]):
        has_ticket = any(tickets >> 2 * city & 3 for tickets in f["tickets"])
        if has_ticket or (f["city_cards"][city] >= 0) != (number < f["step"]):
            _fail(
                "city_cards",
                f"city {city} of the claimed path has a ticket, or its card too early or too late",
            )
