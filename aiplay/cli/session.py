"""A game between a human in the terminal and bots: what `aiplay play` runs."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rich.rule import Rule
from rich.text import Text

from aiplay._core.stream import seed_below
from aiplay.cli.files import write_text
from aiplay.cli.show import analysis_table, console, events_text, fit, is_live, odds_text
from aiplay.options import titled
from aiplay.players.human import HumanPlayer, list_moves
from aiplay.players.search import SearchPlayer
from aiplay.registry import make_player
from aiplay.story import story

if TYPE_CHECKING:
    from aiplay._core.game import Game, Position, View
    from aiplay.players.base import Player
    from aiplay.table import Table

__all__ = ["Session"]

CHANCE = -1
PLAYER_SEEDS = 1000  # bots get their seeds from here on, below that of the table
HINTS = 5  # moves that a hint shows
HELP = """\
  a move       its number, its text, or as much of its text as makes it clear
  moves        list all moves
  hint         the best moves, as {hint} sees them from your seat
  undo         back to your last decision; chance falls the same way again
  save [FILE]  keep the game, to go on with: aiplay play --resume FILE
  quit         leave (so does Ctrl-D); what has a file is saved"""


class _UndoError(Exception):
    """The human takes the last decision back instead of making one."""


class Session:
    """One game at a table, until it is over or the human leaves."""

    def __init__(self, table: Table, seat: int, names: list[str], *, hint: str, file: str | None) -> None:
        self.table, self.seat, self.names, self.file = table, seat, names, file
        self.out = console()
        self.hint = hint
        self.adviser = make_player(hint, seed=seed_below(table.seed, PLAYER_SEEDS - 1))
        self.bots: dict[int, Player] = {
            place: make_player(name, seed=seed_below(table.seed, PLAYER_SEEDS + place))
            for place, name in enumerate(names)
            if place != seat
        }
        self.human = _Terminal(self)

    def run(self) -> int:
        """Play; the exit code of the command."""
        if self.file is not None:
            self.save(self.file)  # a file that cannot be written shows before the game
        self._greet()
        try:
            while not self.table.over:
                self._turn()
                self._keep()
        except EOFError:
            return self._leave(0)
        except KeyboardInterrupt:
            self.out.print()
            return self._leave(130)
        self._show_end()
        return 0

    # ---- Turns -----------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        seat, moves = self.table.to_move, self.table.legal_moves()
        view = self.table.view(seat)
        if seat != self.seat:
            bot = self.bots[seat]
            with self.waiting(self.called(seat)) if isinstance(bot, SearchPlayer) else nullcontext():
                move = bot.choose(view)
        elif len(moves) == 1:
            move = moves[0]
        else:
            try:
                move = self.human.choose(view)
            except _UndoError:
                self._undo()
                return
        self.table.play(move)

    def _decisions(self) -> list[int]:
        """The plies at which the human had a choice."""
        state, plies = self.table.game.new_state(), []
        for ply, move in enumerate(self.table.moves):
            if state.to_move == self.seat and len(state.legal_moves()) > 1:
                plies.append(ply)
            state.play(move)
        return plies

    def _undo(self) -> None:
        decisions = self._decisions()
        if not decisions:
            self.say("there is nothing to take back: you have not decided anything yet")
            return
        while len(self.table.moves) > decisions[-1]:
            self.table.undo()
        self.say("back to your last decision")

    # ---- Files -----------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """Save, if there is a file; should that fail, the game goes on without it."""
        if self.file is None:
            return
        try:
            self.save(self.file)
        except OSError as problem:
            self.say(f"not saved any more: {self.file}: {problem.strerror}; the game goes on", "bold")
            self.file = None

    def save(self, file: str) -> None:
        """Write the record of the game so far, with who sits where."""
        record = dataclasses.replace(self.table.record, players=tuple(self.names))
        write_text(file, record.to_json() + "\n")

    def _leave(self, code: int) -> int:
        self._keep()
        if self.file is None:
            self.say(f"the game is not saved (it began with --seed {self.table.seed})")
        else:
            self.say(f"saved; go on with: aiplay play --resume {self.file}")
        return code

    # ---- What the human sees -----------------------------------------------------------------------------------

    def say(self, text: str, style: str = "") -> None:
        """Write some lines as they are: commands in them can be copied."""
        self.out.print(text, style=style or None, soft_wrap=True)

    def called(self, seat: int) -> str:
        """What a seat is called."""
        if seat == CHANCE:
            return "chance"
        return "you" if seat == self.seat else f"seat {seat} ({self.names[seat]})"

    def called_all(self) -> dict[int, str]:
        """What everybody is called."""
        return {seat: self.called(seat) for seat in range(CHANCE, self.table.game.seats)}

    def _greet(self) -> None:
        game = self.table.game
        others = [self.called(seat) for seat in range(game.seats) if seat != self.seat]
        with_whom = ("together with " if game.is_cooperative else "against ") + ", ".join(others)
        heading = f"{titled(game.name, game.options)}, seed {self.table.seed}"
        welcome = f"You are seat {self.seat}, {with_whom if others else 'alone'}. Type help for help."
        self.say(fit(heading, self.out.width), "bold")
        self.say(fit(welcome, self.out.width))

    def show_news(self) -> None:
        """What has happened since the human decided something, as its seat perceives it."""
        start = self._decisions()[-1:]
        moves = self.table.moves
        events = story(self.table.game, moves, self.seat, start[0] + 1 if start else 0)
        news = events_text(events, self.called_all(), self.out.width)
        if news:
            self.out.print(news, style="dim", soft_wrap=True)

    def show_position(self, position: Position) -> None:
        """The news and the position."""
        self.out.print(Rule(style="dim", characters="-" if self.out.options.ascii_only else "─"))
        self.show_news()
        self.say("")
        self.say(fit(str(position), self.out.width))
        self.say("")

    def show_hint(self, view: View) -> None:
        """What the adviser thinks of the position that the human sees."""
        with self.waiting(self.hint):
            analysis = self.adviser.analyse(view)
        self.out.print(analysis_table(analysis, self.out, HINTS))
        self.say(f"odds: {odds_text(analysis, self.called_all())}", "dim")

    @contextmanager
    def waiting(self, name: str) -> Iterator[None]:
        """Show on a terminal who makes us wait."""
        if not is_live(self.out):
            yield
            return
        spinner = "line" if self.out.options.ascii_only else "dots"
        with self.out.status(f"{name} is thinking", spinner=spinner):
            yield

    def _show_end(self) -> None:
        table = self.table
        self.show_position(table.state)  # nothing is hidden any more
        returns = table.returns()
        self.say(_verdict(table.game, returns, self.seat), "bold")
        for seat, result in enumerate(returns):
            self.say(f"  {self.called(seat)}: {result:.3g}")
        if self.file is not None:
            self.say(f"saved; look at it again with: aiplay replay {self.file}")


def _verdict(game: Game, returns: list[float], seat: int) -> str:
    """How the game ended, in a word."""
    best = max(returns)
    winners = [place for place, result in enumerate(returns) if result == best]
    if game.is_cooperative:
        ends = {game.max_return: "wins", game.min_return: "loses"}
        return f"The team {ends.get(best, f'gets {best:.3g} of {game.max_return:.3g}')}."
    if seat not in winners:
        return "You lose."
    return "You win." if len(winners) == 1 else "A draw."


class _Terminal(HumanPlayer):
    """The human of a session."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        if is_live(session.out):
            with suppress(ImportError):  # not everywhere; it lets one edit what one types
                import readline  # noqa: F401

    def show(self, view: View) -> None:
        self.session.show_position(view)
        self._list(view, max(self.session.out.height - len(str(view).splitlines()) - 8, 6))

    def say(self, text: str) -> None:
        self.session.say(text)

    def ask(self, view: View) -> str:
        typed = " ".join(self.session.out.input("your move> ").split())
        if not sys.stdin.isatty():
            self.say(typed)  # as if it had been typed here
        return typed

    def obey(self, typed: str, view: View) -> bool:
        """Do what a word says, unless it is the text of a move."""
        word, _, rest = typed.partition(" ")
        session = self.session
        actions: dict[str, Callable[[], None]] = {
            "help": self._help,
            "?": self._help,
            "moves": lambda: self._list(view, 1000),
            "hint": lambda: session.show_hint(view),
            "undo": lambda: _raise(_UndoError),
            "save": lambda: self._save(rest),
            "quit": lambda: _raise(EOFError),
        }
        if (
            word not in actions
            or (rest and word != "save")
            or typed in map(view.move_text, view.legal_moves())
        ):
            return False
        actions[word]()
        return True

    def _list(self, view: View, lines: int) -> None:
        text = Text(list_moves(view, width=self.session.out.width, lines=lines))
        text.highlight_regex(r"\b[0-9-]+\)", "cyan")
        self.session.out.print(text, soft_wrap=True)

    def _help(self) -> None:
        self.say(HELP.format(hint=self.session.hint))

    def _save(self, name: str) -> None:
        session = self.session
        file = name or session.file
        if file is None:
            self.say("say where: save FILE")
            return
        if file != session.file and Path(file).exists():
            self.say(f"{file} exists: give a new name")
            return
        try:
            session.save(file)
        except OSError as problem:  # the game goes on
            self.say(f"not saved: {file}: {problem.strerror}")
            return
        session.file = file
        self.say(f"saved in {file}, from now on after every move")


def _raise(problem: type[Exception]) -> NoReturn:
    raise problem
