"""A person at a terminal."""

from __future__ import annotations

import re
import shutil
import string
import sys
from collections import Counter
from itertools import islice, product
from typing import TYPE_CHECKING

from aiplay.errors import PlayerSpecError
from aiplay.players.base import Player, moves_to_choose_from

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.limit import Limit

__all__ = ["HumanPlayer", "find_moves", "list_moves", "move_labels"]

LIST_ROWS = 10  # rows of a list of moves; folded groups are shown when their first word is typed
NUMBERS = re.compile(r"[\d+ ]+")  # a move that is only numbers, but for its verb: "keep 1+2"


class HumanPlayer(Player):
    """A person who sees the view of a seat and types moves: a label of the list, the notation, or its beginning.

    All input and output goes through `show`, `say` and `ask`; `obey` handles words that are not moves. A front end in
    the terminal overrides them.
    """

    name = "human"

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """Return the move that is typed, asking until it is clear; a person is given no limit."""
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
                self.say(list_moves(view, found, rows=1000))
            else:
                verbs = {verb.words.partition(" ")[0] for verb in view.game.VERBS.values()} - {""}
                is_move = typed.casefold().partition(" ")[0] in verbs
                problem = f"{typed!r} is not possible now" if is_move else f"no move is {typed!r}"
                self.say(f"{problem}: type {_labels_text(view)}the beginning of a move")

    def show(self, view: View) -> None:
        """Draw the position and list the moves."""
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise PlayerSpecError("player 'human' needs a terminal: input or output is not one")
        self.say(f"{view}\n\n{list_moves(view)}")

    def say(self, text: str) -> None:
        """Write a text."""
        print(text)

    def ask(self, view: View) -> str:
        """Return what is typed, with single spaces between words."""
        return " ".join(input(f"seat {view.seat}> ").split())

    def obey(self, typed: str, view: View) -> bool:
        """Do what was typed if it is not a move; return True if it was done."""
        return False


def find_moves(view: View, typed: str) -> list[int]:
    """Return the moves that fit a text: the label in the list, the notation, or beginnings of its words."""
    wanted = " ".join(typed.casefold().split())
    texts = {move: view.move_text(move).casefold() for move in view.legal_moves()}
    exact = [move for move, text in texts.items() if text == wanted]
    if exact:
        return exact
    labels = move_labels(view)
    labelled = [move for move, label in labels.items() if label == wanted]
    if labelled or (wanted.isdecimal() and all(map(str.isdecimal, labels.values()))):
        return labelled
    words = wanted.split()
    return [move for move, text in texts.items() if text.startswith(wanted)] or [
        move for move, text in texts.items() if _abbreviates(words, text.split())
    ]


def list_moves(view: View, moves: list[int] | None = None, width: int = 0, rows: int = LIST_ROWS) -> str:
    """Return the moves with their labels, grouped by their first words; long groups are folded to fit `rows`."""
    width = width or shutil.get_terminal_size().columns
    labels = move_labels(view)
    groups = {
        verb: [(labels.get(move, ""), rest) for move, rest in group.items()]
        for verb, group in _groups(view, view.legal_moves() if moves is None else moves).items()
    }
    margin = max(len(verb) for verb in groups) + 4 if len(groups) > 1 or "" not in groups else 2
    size = max(len(label) for cells in groups.values() for label, _ in cells)
    blocks = {verb: _columns(cells, width - margin, size) for verb, cells in groups.items()}
    for verb in sorted(blocks, key=lambda verb: -len(blocks[verb])):
        if sum(map(len, blocks.values())) > rows and verb and len(blocks[verb]) > 1:
            blocks[verb] = [_folded(verb, groups[verb])]
    listed = []
    for verb, block in blocks.items():
        listed += [f"{('' if i else '  ' + verb).ljust(margin)}{row}".rstrip() for i, row in enumerate(block)]
    return "\n".join(listed)


def move_labels(view: View) -> dict[int, str]:
    """Return the label of every move in the list: its number, or letters if verbs are followed by numbers.

    There are none if a move is just a number: the move itself is typed then.
    """
    groups = _groups(view, view.legal_moves())
    listed = [move for group in groups.values() for move in group]
    if any(view.move_text(move).isdecimal() for move in listed):
        return {}
    if any(NUMBERS.fullmatch(rest) for group in groups.values() for rest in group.values()):
        return dict(zip(listed, _letters(len(listed)), strict=True))
    return {move: str(number) for number, move in enumerate(listed, 1)}


def _letters(n: int) -> list[str]:
    """Return a, b, c ...; aa, ab, ac ... if there are more than letters."""
    size = 1
    while len(string.ascii_lowercase) ** size < n:
        size += 1
    return ["".join(letters) for letters in islice(product(string.ascii_lowercase, repeat=size), n)]


def _labels_text(view: View) -> str:
    """Return the labels that can be typed, for a message."""
    labels = [*move_labels(view).values()]
    if not labels:
        return ""
    return f"a {'number' if labels[0].isdecimal() else 'letter'} ({labels[0]} to {labels[-1]}) or "


def _abbreviates(words: list[str], text: list[str]) -> bool:
    """Return True if every typed word begins a word of the text, in order: "place dove sph", "place dove on Sphinx"."""
    rest = iter(text)
    return all(any(word.startswith(typed) for word in rest) for typed in words)


def _groups(view: View, moves: list[int]) -> dict[str, dict[int, str]]:
    """Return the moves with their texts by verb; under "", last, those that share it with no other.

    Moves that end something come last, so that the first move of a list never does.
    """
    game, texts = view.game, {move: view.move_text(move) for move in moves}
    words = {move: text.partition(" ")[0] if " " in text else "" for move, text in texts.items()}
    if game.VERBS:
        verbs = {move: game.VERBS[str(view.move_parts(move)["verb"])] for move in moves}
        words = {move: verb.words if verb.names else "" for move, verb in verbs.items()}
        texts = {move: texts[move] for move in sorted(moves, key=lambda move: verbs[move].ends)}
    shared = Counter(words.values())
    groups: dict[str, dict[int, str]] = {}
    for move, text in texts.items():
        verb = words[move] if shared[words[move]] > 1 else ""
        groups.setdefault(verb, {})[move] = text[len(verb) :].strip()
    if "" in groups:
        groups[""] = groups.pop("")
    return groups


def _columns(cells: list[tuple[str, str]], width: int, label_size: int) -> list[str]:
    """Return rows of cells side by side, at most `width` wide unless a single cell is wider."""
    texts = [f"{label:>{label_size}}) {text}" if label else text for label, text in cells]
    size = max(map(len, texts)) + 3
    n = max((width + 3) // size, 1)
    return ["".join(text.ljust(size) for text in texts[i : i + n]).rstrip() for i in range(0, len(texts), n)]


def _folded(verb: str, cells: list[tuple[str, str]]) -> str:
    first, last = cells[0][0], cells[-1][0]
    numbers = f"{first}-{last}) " if first else ""
    return f'{numbers}{len(cells)} moves like "{verb} {cells[0][1]}"; type {verb} to see them'
