"""Somebody at a terminal."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from typing import TYPE_CHECKING

from aiplay.errors import PlayerSpecError
from aiplay.players.base import Player, moves_to_choose_from

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.limit import Limit

__all__ = ["HumanPlayer", "find_moves", "list_moves", "move_numbers"]

LINES = 10  # lines for a list of moves; what does not fit is shown when its beginning is typed


class HumanPlayer(Player):
    """Somebody who sees the view of a seat, and types moves: their number, notation, or its beginning.

    What is shown and asked goes through `show`, `say` and `ask`; `obey` is for words that are no moves. A front end
    in the terminal overrides them.
    """

    name = "human"

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """The move that is typed, asked for until it is clear."""
        moves_to_choose_from(view, limit)
        self.show(view)
        while True:
            typed = self.ask(view)
            if not typed or self.obey(typed, view):
                continue
            found = find_moves(view, typed)
            if len(found) == 1:
                text = view.move_text(found[0])
                if text.casefold() != typed.casefold():
                    self.say(f"  you: {text}")
                return found[0]
            if found:
                self.say(list_moves(view, found, lines=1000))
            else:
                numbers = f"a number (1 to {len(view.legal_moves())}) or " if move_numbers(view) else ""
                self.say(f"no move is {typed!r}: type {numbers}the beginning of a move")

    def show(self, view: View) -> None:
        """Draw the position and list the moves."""
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise PlayerSpecError("player 'human' needs a terminal: here input or output is none")
        self.say(f"{view}\n\n{list_moves(view)}")

    def say(self, text: str) -> None:
        """Write something."""
        print(text)

    def ask(self, view: View) -> str:
        """Read a line; words are separated by single spaces."""
        return " ".join(input(f"seat {view.seat}> ").split())

    def obey(self, typed: str, view: View) -> bool:
        """Do what was typed, if it is no move; whether it was done."""
        return False


def find_moves(view: View, typed: str) -> list[int]:
    """The moves that somebody may mean: by number in the list, notation, its beginning, or beginnings of its words."""
    wanted = " ".join(typed.casefold().split())
    texts = {move: view.move_text(move).casefold() for move in view.legal_moves()}
    exact = [move for move, text in texts.items() if text == wanted]
    if exact:
        return exact
    if wanted.isdecimal():
        return [move for move, number in move_numbers(view).items() if number == wanted]
    words = wanted.split()
    return [move for move, text in texts.items() if text.startswith(wanted)] or [
        move for move, text in texts.items() if _abbreviates(words, text.split())
    ]


def list_moves(view: View, moves: list[int] | None = None, width: int = 0, lines: int = LINES) -> str:
    """The moves with their numbers, grouped by their first words; of long groups only the first move if need be."""
    width = width or shutil.get_terminal_size().columns
    numbers = move_numbers(view)
    groups = {
        verb: [(numbers.get(move, ""), rest) for move, rest in group.items()]
        for verb, group in _groups(view, view.legal_moves() if moves is None else moves).items()
    }
    margin = max(len(verb) for verb in groups) + 4 if len(groups) > 1 or "" not in groups else 2
    blocks = {verb: _columns(cells, width - margin) for verb, cells in groups.items()}
    for verb in sorted(blocks, key=lambda verb: -len(blocks[verb])):
        if sum(map(len, blocks.values())) > lines and verb and len(blocks[verb]) > 1:
            blocks[verb] = [_folded(verb, groups[verb])]
    rows = []
    for verb, block in blocks.items():
        rows += [
            f"{('  ' + verb if first else '').ljust(margin)}{line}".rstrip()
            for first, line in zip((True, *(False,) * len(block)), block, strict=False)
        ]
    return "\n".join(rows)


def move_numbers(view: View) -> dict[int, str]:
    """The number of every move, in the order of the list; none where the moves are numbers themselves."""
    groups = _groups(view, view.legal_moves())
    listed = [move for group in groups.values() for move in group]
    if any(view.move_text(move).isdecimal() for move in listed):
        return {}
    return {move: str(number) for number, move in enumerate(listed, 1)}


def _abbreviates(words: list[str], text: list[str]) -> bool:
    """Whether every typed word begins a word of the text, in order: "place dove sph" for "place dove on Sphinx"."""
    rest = iter(text)
    return all(any(word.startswith(typed) for word in rest) for typed in words)


def _groups(view: View, moves: list[int]) -> dict[str, dict[int, str]]:
    """The moves with their texts, by their first word; last, under "", those that share it with no other."""
    texts = {move: view.move_text(move) for move in moves}
    verbs = Counter(text.partition(" ")[0] for text in texts.values() if " " in text)
    groups: dict[str, dict[int, str]] = {}
    for move, text in texts.items():
        verb, _, rest = text.partition(" ")
        if not rest or verbs[verb] < 2:
            verb, rest = "", text
        groups.setdefault(verb, {})[move] = rest
    if "" in groups:
        groups[""] = groups.pop("")
    return groups


def _columns(cells: list[tuple[str, str]], width: int) -> list[str]:
    """Cells side by side, as many as fit, in lines of at most `width` (if a cell alone is not longer)."""
    digits = max(len(label) for label, _ in cells)
    texts = [f"{label:>{digits}}) {text}" if label else text for label, text in cells]
    size = max(map(len, texts)) + 3
    n = max((width + 3) // size, 1)
    return ["".join(text.ljust(size) for text in texts[i : i + n]).rstrip() for i in range(0, len(texts), n)]


def _folded(verb: str, cells: list[tuple[str, str]]) -> str:
    first, last = cells[0][0], cells[-1][0]
    numbers = f"{first}-{last}) " if first else ""
    return f'{numbers}{len(cells)} moves like "{verb} {cells[0][1]}"; type {verb} to see them'
