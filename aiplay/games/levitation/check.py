"""Check that a position of Levitation is possible: first the pieces, then the marks of the phase, then the choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

from aiplay._core.games.levitation.state import (
    EFFECT_BONUS,
    EFFECT_COLOUR,
    EFFECT_COPY_OTHER,
    EFFECT_COPY_OWN,
    EFFECT_DISABLE,
    EFFECT_GAIN_CARD,
    EFFECT_GAIN_FLAIR,
    EFFECT_MOVE_CARD,
    EFFECT_MOVE_TICKET,
    EFFECT_PLACE_CITY,
    EFFECT_PLACE_SPACE,
    EFFECT_REROLL,
    EFFECT_TRADE_CARD,
    EFFECT_TRADE_TICKETS,
    FIRST_CUBES,
    KELLAR,
    N_CARDS,
    N_CITIES,
    N_COLOURS,
    N_CUBES,
    N_DICE,
    N_FLAIR,
    N_ROUNDS,
    N_ROWS,
    N_TICKETS,
    N_TOKENS,
    N_TURNS,
    NONE,
    PATH_BONUS,
    PHASE_AMOUNT,
    PHASE_COPY,
    PHASE_DEAL,
    PHASE_DICE,
    PHASE_FLAIR,
    PHASE_MAIN,
    PHASE_OVER,
    PHASE_PATH,
    PHASE_REFILL,
    PHASE_START,
    PHASE_TARGET,
    PHASE_TOKENS,
)
from aiplay.errors import InvalidStateError
from aiplay.fields import decode_fields

if TYPE_CHECKING:
    from aiplay.games.levitation import Levitation

__all__ = ["ALL_CARDS", "COPYING", "PHASES", "Phase", "check_levitation"]

# Names of the phases, in the order of PHASE_*
Phase = Literal[
    "deal", "tokens", "dice", "refill", "over", "path", "start", "main", "copy", "amount", "target", "flair"
]
PHASES: tuple[Phase, ...] = get_args(Phase)
ALL_CARDS = 2**N_CARDS - 1
ALL_DICE = N_COLOURS * N_DICE
COPYING = (EFFECT_COPY_OTHER, EFFECT_COPY_OWN)
TWO_TARGETS = (EFFECT_TRADE_TICKETS, EFFECT_MOVE_TICKET, EFFECT_TRADE_CARD, EFFECT_MOVE_CARD)
ONE_TARGET = (EFFECT_GAIN_CARD, EFFECT_PLACE_SPACE, EFFECT_PLACE_CITY, EFFECT_DISABLE, EFFECT_COLOUR)
# Effects that can lead to flair to place or to a path
ENTERING = (EFFECT_GAIN_FLAIR, EFFECT_PLACE_CITY, EFFECT_TRADE_TICKETS, EFFECT_MOVE_TICKET, *COPYING)
SETTLING = (PHASE_FLAIR, PHASE_PATH, PHASE_REFILL)


def _fail(field: str, problem: str) -> NoReturn:
    raise InvalidStateError(f"field {field!r}: {problem}")


class _Check:
    """A position to check, its fields as plain Python numbers."""

    def __init__(self, game: Levitation, f: dict[str, Any], data: bytes) -> None:
        self.game, self.f, self.data = game, f, data
        self.seats: int = game.seats
        self.phase: int = f["phase"]
        self.cards = game.data.cards
        self.cities = game.data.cities

    @property
    def phase_name(self) -> str:
        return PHASES[self.phase]

    def acting(self) -> int:
        """Return the seat whose action it is."""
        seat: int = self.f["order"][self.f["n_acted"]]
        return seat

    def where(self, seat: int) -> set[int]:
        """Return the cities with a ticket of a seat."""
        return {city for city in range(N_CITIES) if self.tickets(seat, city)}

    def tickets(self, seat: int, city: int) -> int:
        """Return how many tickets of a seat are in a city."""
        n: int = self.f["tickets"][seat] >> 2 * city & 3
        return n

    def having(self, *effects: int) -> int:
        """Return the cards with one of these effects, as a set of bits."""
        return sum(1 << number for number, card in enumerate(self.cards) if card.effect in effects)

    def all_owned(self) -> int:
        """Return the cards of all seats, as a set of bits."""
        return sum(self.f["owned"])


def check_levitation(game: Levitation, fields: Any) -> None:
    """Raise InvalidStateError, naming the field, if no game can be in this position (as far as is cheap to tell)."""
    assert game.layout is not None  # a C struct has one
    position = _Check(game, fields, decode_fields(game.layout, game.FIELDS, fields))
    _check_seats(position)
    _check_cards(position)
    _check_pieces(position)
    if position.phase == PHASE_DEAL:
        _check_deal(position)
        return
    _check_tokens(position)
    _check_order(position)
    _check_first(position)
    if position.phase in (PHASE_TOKENS, PHASE_OVER):
        _check_marks(position, ())
        _check_paths(position)
        return
    if position.phase in (PHASE_START, PHASE_DICE):
        _check_before_draft(position)
    else:
        _check_after_draft(position)
    _check_paths(position)
    if game.count_moves(position.data) < 1:
        _fail("phase", f"{position.phase_name}, but there is nothing to choose")


# ---- Pieces ------------------------------------------------------------------------------------------------


def _check_seats(position: _Check) -> None:
    """Seats that do not play have nothing."""
    f, seats = position.f, position.seats
    for name in ("owned", "tickets", "scores", "unused", "hand", "cubes", "tokens", "revealed", "first"):
        if any(f[name][seats:]):
            _fail(name, f"not 0 for a seat that does not play; seats: {seats}")
    for name, highest in (("space_seats", max(f["space_seats"])), ("path_seat", f["path_seat"])):
        if highest >= seats:
            _fail(name, f"seat {highest} does not play; seats: {seats}")


def _check_cards(position: _Check) -> None:
    """Every card is in one place, and flair is on owned cards with room."""
    f = position.f
    places = [f["deck"], *f["owned"], *(1 << card for card in f["city_cards"] if card != NONE)]
    union = 0
    for place in places:
        if union & place:
            _fail("owned", "a card is in two places (owned, city_cards, deck)")
        union |= place
    if union != ALL_CARDS:
        _fail("deck", "a card is missing (owned, city_cards, deck)")
    for card, n in enumerate(f["flair"]):
        if n > position.cards[card].flair or (n and not position.all_owned() >> card & 1):
            _fail("flair", f"{n} tokens on card {card}, which has no owner or takes fewer")
    if sum(f["flair"]) + f["n_flair"] > N_FLAIR:
        _fail("flair", f"more than {N_FLAIR} tokens")
    if f["disabled"] & f["deck"] or f["used"] & f["deck"]:
        _fail("disabled", "a used or disabled card is in the deck")


def _check_pieces(position: _Check) -> None:
    """Tickets, cubes and dice are all there."""
    f, seats = position.f, range(position.seats)
    for city in range(len(position.cities), N_CITIES):
        if f["city_cards"][city] != NONE or any(position.tickets(seat, city) for seat in seats):
            _fail(
                "city_cards", f"a card or a ticket in city {city}; allowed: 0 to {len(position.cities) - 1}"
            )
    for city in range(N_CITIES):
        n = sum(position.tickets(seat, city) for seat in seats)
        if n > f["round"] + 1 or (n and f["city_cards"][city] != NONE):
            _fail("tickets", f"{n} in city {city}, which has a card or room for fewer in this round")
    for seat in seats:
        in_cities = sum(position.tickets(seat, city) for city in range(N_CITIES))
        total = in_cities + f["hand"][seat] + f["unused"][seat] + f["space_seats"].count(seat)
        if total != N_TICKETS:
            _fail("tickets", f"seat {seat} has {total} tickets; allowed: {N_TICKETS}")
        if f["cubes"][seat] < FIRST_CUBES:
            _fail("cubes", f"seat {seat} has {f['cubes'][seat]}; allowed: at least {FIRST_CUBES}")
    if sum(f["cubes"]) > N_CUBES:
        _fail("cubes", f"{sum(f['cubes'])} in all; allowed: at most {N_CUBES}")
    for colour in range(N_COLOURS):
        if sum(f["dice"][colour::N_COLOURS]) > N_DICE:
            _fail("dice", f"more than {N_DICE} of colour {colour}")


def _check_deal(position: _Check) -> None:
    """Nothing has happened but cards dealt to the first cities."""
    f, step = position.f, position.f["step"]
    if step >= len(position.cities):
        _fail("step", f"{step}; allowed: a city, 0 to {len(position.cities) - 1}")
    if any((card != NONE) != (city < step) for city, card in enumerate(f["city_cards"])):
        _fail("city_cards", f"cards are dealt to the first {step} cities only")
    fresh = position.game.new_state().to_fields()
    for name in fresh:
        if name not in ("deck", "city_cards", "step") and f[name] != fresh[name]:
            _fail(name, f"{f[name]} while the cities are dealt; allowed: {fresh[name]}")


def _check_paths(position: _Check) -> None:
    """Paths are claimed at once: a complete one is left only while its last ticket is settled."""
    if position.phase in SETTLING:
        return
    for seat in range(position.seats):
        cities = position.where(seat)
        if any(cities.issuperset(path) for path in position.game.data.paths):
            _fail("tickets", f"seat {seat} has a path that is not claimed")


# ---- The order of turns ------------------------------------------------------------------------------------


def _check_tokens(position: _Check) -> None:
    """The number of tokens left fits the turn."""
    f, is_revealing = position.f, position.phase == PHASE_TOKENS
    if is_revealing and f["step"] >= position.seats:
        _fail("step", f"{f['step']}; allowed: a seat, 0 to {position.seats - 1}")
    for seat in range(position.seats):
        is_revealed = not is_revealing or seat < f["step"]
        if (f["revealed"][seat] > 0) != is_revealed:
            _fail("revealed", f"seat {seat} has revealed a token too early or too late")
        if f["tokens"][seat].bit_count() != N_TOKENS - f["turn"] - is_revealed:
            _fail("tokens", f"seat {seat} has a wrong number of tokens left")
        if is_revealed and f["tokens"][seat] >> (f["revealed"][seat] - 1) & 1:
            _fail("tokens", f"seat {seat} still has the token that it revealed")


def _check_order(position: _Check) -> None:
    """The order has every seat once, follows the tokens in the first turn, and has a seat to act."""
    f, seats = position.f, position.seats
    if position.phase == PHASE_TOKENS:
        if any(seat != NONE for seat in f["order"]) or f["n_acted"]:
            _fail("order", "there is none while tokens are revealed")
        return
    if sorted(f["order"][:seats]) != list(range(seats)) or any(seat != NONE for seat in f["order"][seats:]):
        _fail("order", f"not the seats 0 to {seats - 1} in some order")
    if position.phase == PHASE_OVER:
        if (f["round"], f["turn"], f["n_acted"]) != (N_ROUNDS - 1, N_TURNS - 1, seats):
            _fail("phase", "over before the last action")
    elif f["n_acted"] >= seats:
        _fail("n_acted", f"{f['n_acted']}; allowed: 0 to {seats - 1}")
    if f["round"] == f["turn"] == 0:
        ties = position.game.data.ties
        keys = [(f["revealed"][seat], ties[f["revealed"][seat] - 1][seat]) for seat in f["order"][:seats]]
        if keys != sorted(keys):
            _fail("order", "not the order of the revealed tokens")


def _check_first(position: _Check) -> None:
    """The ranks are 1, 2, ... and belong to seats that have acted or are acting."""
    f = position.f
    ranks = sorted(rank for rank in f["first"] if rank)
    if ranks != list(range(1, len(ranks) + 1)):
        _fail("first", f"the ranks are {ranks}; allowed: 1, 2 and so on, each once")
    if position.phase == PHASE_TOKENS:
        allowed = set() if f["round"] == f["turn"] == 0 else set(range(position.seats))
    elif position.phase == PHASE_OVER:
        allowed = set()
    else:
        allowed = set(f["order"][: f["n_acted"] + 1])
    if any(rank and seat not in allowed for seat, rank in enumerate(f["first"])):
        _fail("first", "a seat that has not acted in this turn, or at the wrong time of the game")


# ---- The action --------------------------------------------------------------------------------------------

BLANKS = {
    "used": 0, "disabled": 0, "step": 0, "has_rolled": 0, "master": NONE, "colour": NONE, "has_acted": 0,
    "committed": 0, "bonus": 0, "active": NONE, "source": NONE, "target": NONE, "n_flair": 0, "flair_from": 0,
    "path_seat": NONE, "path": NONE,
}  # fmt: skip


def _check_marks(position: _Check, in_use: tuple[str, ...]) -> None:
    """Every mark of an action that the phase does not use is blank."""
    for name, blank in BLANKS.items():
        if name == "step" and position.phase == PHASE_TOKENS:
            continue
        if name not in in_use and position.f[name] != blank:
            _fail(name, f"{position.f[name]} in phase {position.phase_name}; allowed: {blank}")


def _check_before_draft(position: _Check) -> None:
    """Only re-rolls have been used, and all dice are on the masters after a roll."""
    f = position.f
    in_use = ("used", "disabled", "has_rolled", "committed")
    _check_marks(position, (*in_use, "step") if position.phase == PHASE_DICE else in_use)
    seat = position.acting()
    if f["used"] & ~(f["owned"][seat] & position.having(EFFECT_REROLL)):
        _fail("used", "before the draft only own cards that re-roll can be used")
    _check_committed(position, seat)
    has_thrown = bool(f["has_rolled"] or f["used"])
    if position.phase == PHASE_START:
        if has_thrown and sum(f["dice"]) != ALL_DICE:
            _fail("dice", f"{sum(f['dice'])} after a roll; allowed: {ALL_DICE}")
        return
    if not has_thrown:
        _fail("phase", "dice are thrown, but no seat rolls")
    counts = [sum(f["dice"][colour::N_COLOURS]) for colour in range(N_COLOURS)]
    if f["step"] >= N_COLOURS or counts != [N_DICE * (colour < f["step"]) for colour in range(N_COLOURS)]:
        _fail("dice", "colours are thrown one after the other")


def _check_committed(position: _Check, seat: int) -> None:
    """The used cards hold the cubes that they cost; more only if X cards or duplicates are among them."""
    f = position.f
    used = [card for number, card in enumerate(position.cards) if f["used"] >> number & 1]
    least = sum(card.cost or 1 for card in used)
    is_open = any(card.cost == 0 or card.effect in COPYING for card in used)
    if position.phase == PHASE_AMOUNT and f["active"] != NONE:
        least -= position.cards[f["active"]].cost == 0  # its cubes are not chosen yet
    most = f["cubes"][seat] if is_open else min(least, f["cubes"][seat])
    if not least <= f["committed"] <= most:
        _fail(
            "committed", f"{f['committed']}; the used cards need {least}, seat {seat} has {f['cubes'][seat]}"
        )


MARKS: dict[int, tuple[str, ...]] = {  # used by each phase after the draft
    PHASE_MAIN: (),
    PHASE_COPY: ("active",),
    PHASE_AMOUNT: ("active", "source"),
    PHASE_TARGET: ("active", "source", "target"),
    PHASE_FLAIR: ("active", "n_flair", "flair_from"),
    PHASE_PATH: ("active", "path_seat"),
    PHASE_REFILL: ("active", "path", "step"),
}


def _check_after_draft(position: _Check) -> None:
    f, phase = position.f, position.phase
    always = ("used", "disabled", "has_rolled", "master", "colour", "has_acted", "committed", "bonus")
    _check_marks(position, always + MARKS[phase])
    seat = position.acting()
    if f["master"] == NONE or f["colour"] == NONE or sum(f["dice"]) == ALL_DICE:
        _fail("master", "a die has been drafted: it has a master and a colour, and is off the board")
    in_cities = sum(1 << card for card in f["city_cards"] if card != NONE)
    if f["used"] & ~(f["owned"][seat] | in_cities):
        _fail("used", "a card that the acting seat neither owns nor has traded")
    _check_committed(position, seat)
    n_bonus = (f["used"] & position.having(EFFECT_BONUS, *COPYING)).bit_count()
    if f["bonus"] % PATH_BONUS or f["bonus"] > PATH_BONUS * n_bonus:
        _fail("bonus", f"{f['bonus']}; allowed: {PATH_BONUS} for each use of a path bonus")
    if f["active"] != NONE and not f["used"] & f["owned"][seat] & 1 << f["active"]:
        _fail("active", "not an own card that is in use")
    if phase in (PHASE_COPY, PHASE_AMOUNT, PHASE_TARGET):
        _check_use(position, seat)
    elif phase in SETTLING:
        _check_settling(position, seat)


def _check_use(position: _Check, seat: int) -> None:
    """A card is in use, with a text that it has or copies."""
    f, phase = position.f, position.phase
    if f["active"] == NONE:
        _fail("active", f"none in phase {position.phase_name}")
    effect = position.cards[f["active"]].effect
    if phase == PHASE_COPY:
        if effect not in COPYING:
            _fail("active", "a card that does not duplicate")
        return
    texts = position.game.data.texts
    if f["source"] == NONE or texts[f["source"]] != f["source"]:
        _fail("source", "not the lowest card with a text")
    if effect in COPYING:
        own = f["owned"][seat]
        cards = own if effect == EFFECT_COPY_OWN else position.all_owned() & ~own
        cards &= ~f["disabled"] & ~position.having(EFFECT_REROLL, *COPYING)
        if not any(cards >> card & 1 and text == f["source"] for card, text in enumerate(texts)):
            _fail("source", "a text that cannot be duplicated")
    elif texts[f["active"]] != f["source"]:
        _fail("source", "not the text of the card in use")
    source = position.cards[f["source"]]
    fits = source.cost == 0 if phase == PHASE_AMOUNT else source.effect in ONE_TARGET + TWO_TARGETS
    if not fits:
        _fail("source", f"an effect without a choice in phase {position.phase_name}")
    if f["target"] != NONE:
        _check_target(position, seat)


def _check_target(position: _Check, seat: int) -> None:
    """The first of two targets is still there."""
    f, target = position.f, position.f["target"]
    effect = position.cards[f["source"]].effect
    if effect == EFFECT_TRADE_CARD:
        given = f["owned"][seat] & ~position.having(EFFECT_TRADE_CARD)
        fits = bool(given >> target & 1) and target != f["active"]
    elif effect == EFFECT_MOVE_CARD:
        fits = target < N_CITIES and f["city_cards"][target] != NONE
    else:
        fits = effect in TWO_TARGETS and target in position.where(seat)
    if not fits:
        _fail("target", f"{target} cannot be chosen")


def _check_settling(position: _Check, seat: int) -> None:
    """A ticket has entered a city or flair was gained, through Kellar or a card with such an effect."""
    f, phase = position.f, position.phase
    if f["active"] == NONE:
        if not f["has_acted"] or f["master"] != KELLAR:
            _fail("active", f"nothing leads to phase {position.phase_name}")
    elif position.cards[f["active"]].effect not in ENTERING:
        _fail("active", f"its effect does not lead to phase {position.phase_name}")
    if phase == PHASE_FLAIR:
        placed = f["flair_from"]
        if not f["n_flair"]:
            _fail("n_flair", "nothing to place")
        if 0 < placed < N_CARDS and not (f["owned"][seat] >> placed & 1 and f["flair"][placed]):
            _fail("flair_from", "not a card that has just got flair")
    elif phase == PHASE_PATH:
        if f["path_seat"] == NONE:
            _fail("path_seat", "no seat claims a path")
    else:
        _check_refill(position)


def _check_refill(position: _Check) -> None:
    """The cities of the claimed path get cards from top to bottom."""
    f = position.f
    paths = position.game.data.paths
    if not 0 <= f["path"] < len(paths):
        _fail("path", f"{f['path']}; allowed: 0 to {len(paths) - 1}")
    if f["step"] >= N_ROWS or not f["deck"]:
        _fail("path", "no card can be drawn for it")
    for number, city in enumerate(paths[f["path"]]):
        has_ticket = any(position.tickets(seat, city) for seat in range(position.seats))
        if has_ticket or (f["city_cards"][city] != NONE) != (number < f["step"]):
            _fail(
                "city_cards",
                f"city {city} of the claimed path has a ticket, or its card too early or too late",
            )
