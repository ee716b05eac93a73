"""Everything that scenes and moves of The Three Magicians name, with its effect in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aiplay._core.games.three_magicians.state import LABYRINTH, LIFE, N_PLACES, N_TAROT, N_WANDS
from aiplay.catalogue import Entry
from aiplay.games.three_magicians.data import SYMBOLS

if TYPE_CHECKING:
    from aiplay.games.three_magicians.data import Board, Link

__all__ = ["things"]


def things(board: Board, rules: dict[str, Any]) -> dict[str, list[Entry]]:
    """Return the entries of the catalogue.

    `rules` are the number of seats (`players`), `cards_per_place`, `exits`, `has_fate` and `must_walk`.
    """
    return {
        "place": [_place(board, place, rules) for place in range(N_PLACES)],
        "stone": [_stone(board, link, i) for link in board.links for i in range(len(link.stones))],
        "card": [_card(board.names[place], rules["cards_per_place"]) for place in range(N_TAROT)],
        "figure": _figures(board, rules),
        "token": [_token(board)],
        "wand": [_wand(board, i, rules["players"]) for i in range(N_WANDS)],
        "symbol": _symbols(board, rules),
    }


def _place(board: Board, place: int, rules: dict[str, Any]) -> Entry:
    links = [
        board.names[link.second if link.first == place else link.first]
        for link in board.links
        if place in (link.first, link.second)
    ]
    row, column = board.cells[place]
    cards = rules["cards_per_place"] if place < N_TAROT else 0
    return Entry(
        name=board.names[place],
        about=_place_text(board, place, rules),
        facts={"cards": cards, "row": row, "column": column, "linked with": links},
    )


def _place_text(board: Board, place: int, rules: dict[str, Any]) -> str:
    if place == LIFE:
        return "All figures start here. Nobody fights here, and there are no tarot cards."
    if place == LABYRINTH:
        triplets = _listed([f"a triple {notches}" for notches in rules["exits"]])
        return (
            "Banished figures come here: both of a seat that throws a triple 0, the Magician that loses a duel, an "
            "Apprentice that meets another seat's Magician or throws empty for magic; no move leads in. A throw of "
            f"{triplets} frees all figures of the seat, which then move by that throw."
        )
    return (
        f"Has {_plural(rules['cards_per_place'], 'tarot card')}. A seat whose Magician and Apprentice meet here takes "
        "one, or that of another seat if none is left. A Magician that arrives at another one starts a duel."
    )


def _stone(board: Board, link: Link, index: int) -> Entry:
    first, second, n = board.names[link.first], board.names[link.second], len(link.stones)
    spot = link.stones[index]
    is_magic = spot in board.magic
    magic = " An Apprentice that ends its walk here may throw the wands for magic." if is_magic else ""
    return Entry(
        name=board.spot_name(spot),
        about=f"Stepping stone {index + 1} of {n} on the way from {first} to {second}, for Apprentices only.{magic}",
        facts={
            "first place": first,
            "second place": second,
            "number": index + 1,
            "magic": is_magic,
            "next to": [board.spot_name(near) for near in board.neighbours[spot]],
        },
    )


def _card(place: str, count: int) -> Entry:
    return Entry(
        name=place,
        about=f"A tarot card: taken where the two figures of a seat meet on {place}, or won there in a duel. All "
        f"{N_TAROT} different cards win the game.",
        facts={"place": place, "count": count},
    )


def _figures(board: Board, rules: dict[str, Any]) -> list[Entry]:
    labyrinth = f"the {board.names[LABYRINTH]}"
    duty = "It has to walk if it can." if rules["must_walk"] else "It may stay."
    return [
        Entry(
            name="Magician",
            about="Stands on places only. It may jump along links, exactly as often as the wand of its seat shows, but "
            "not end where it began. It starts a duel where it arrives at another Magician, and banishes Apprentices "
            f"of other seats to {labyrinth}.",
            facts={"each seat": 1},
        ),
        Entry(
            name="Apprentice",
            about="Walks on places and stones, exactly as many steps as all wands show together, and never turns back. "
            f"{duty} If it meets another seat's Magician, it goes to {labyrinth} and loses its Power token.",
            facts={"each seat": 1},
        ),
    ]


def _token(board: Board) -> Entry:
    return Entry(
        name="Power token",
        about="Gained by the arrow of a throw for magic: the Apprentice may walk twice as far, in every walk, until it "
        f"goes to the {board.names[LABYRINTH]}.",
        facts={"each seat": 1},
    )


def _wand(board: Board, index: int, players: int) -> Entry:
    sides = [_listed(side, "and") for side in board.symbols[index]]
    owner = f"the wand of seat {index}" if index < players else "belongs to no seat"
    return Entry(
        name=f"wand {index + 1}",
        about=f"One of three, {owner}. Shows {_listed(board.notches)} notches, all equally likely; thrown for magic, "
        f"{_listed(sides)}.",
        facts={
            "seat": index if index < players else None,
            "notches": [*board.notches],
            "symbols": [[*side] for side in board.symbols[index]],
        },
    )


def _symbols(board: Board, rules: dict[str, Any]) -> list[Entry]:
    throws = board.magic_throws(has_fate=rules["has_fate"])
    labyrinth = f"the {board.names[LABYRINTH]}"
    fate = " It also wins a tie with one other symbol." if rules["has_fate"] else ""
    texts = {
        "star": f"The Apprentice may go to any place but {labyrinth}, and arrives there; or it stays.",
        "arrow": "The Apprentice gains the Power token.",
        "empty": f"The Apprentice goes to {labyrinth} and loses its Power token.{fate}",
    }
    return [
        Entry(
            name=symbol,
            about=f"Seen most often in a throw for magic: {texts[symbol][0].lower()}{texts[symbol][1:]}",
            facts={"alone in": f"{throws.count(bit)} of {len(throws)} throws"},
        )
        for symbol, bit in SYMBOLS.items()
    ]


def _listed(words: Sequence[object], last: str = "or") -> str:
    """Words with commas, and `last` before the last one.

    >>> _listed([0, 1, 2])
    '0, 1 or 2'
    """
    *first, final = map(str, words)
    return f"{', '.join(first)} {last} {final}" if first else final


def _plural(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
