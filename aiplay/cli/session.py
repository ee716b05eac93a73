"""A game between people at the terminal and bots, as `aiplay play` runs it."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rich.rule import Rule
from rich.text import Text

from aiplay._core.stream import seed_below
from aiplay._core.typedefs import CHANCE
from aiplay.cli.files import write_text
from aiplay.cli.lookup import names_text, paragraphs, things_text, verbs_text
from aiplay.cli.show import analysis_grid, console, events_text, fit, is_live, odds_text
from aiplay.options import titled
from aiplay.players.human import HumanPlayer, list_moves, move_labels
from aiplay.players.search import SearchPlayer
from aiplay.registry import make_player, split_spec
from aiplay.story import positions, story

if TYPE_CHECKING:
    from aiplay._core.game import Game, Position, View
    from aiplay.players.base import Player
    from aiplay.table import Table

__all__ = ["Session", "seats_of_people"]

PLAYER_SEEDS = 1000  # the bots' seeds are derived from the table's seed, from this number on
HINTS = 5  # moves shown by a hint
LABEL = r"(?<!\S)[0-9a-z]+(-[0-9a-z]+)?\)"  # of a move, or of several, in a list
TAKE_A_NAME = {"card", "what", "save"}  # commands
HELP = {
    "a move": "its label in the list, its text, or the beginning of its text",
    "moves": "all moves that you can make now",
    "board": "the position again, with what led to it",
    "card NAME": "what a card, a place, a verb ... does; card alone lists all names",
    "rules": "the rules of the game, in pages: space goes on, q leaves",
    "hint": "the best moves, as {hint} sees them from your seat",
    "undo": "back to {whose} last decision; the same move gets the same answers",
    "save [FILE]": "keep the game, to go on with: aiplay play --resume FILE",
    "quit": "leave (so does Ctrl-D); a game that has a file is saved",
}


class _UndoError(Exception):
    """The user takes back the last decision instead of making one."""


def seats_of_people(names: Sequence[str]) -> list[int]:
    """Return the seats of human players."""
    return [seat for seat, name in enumerate(names) if split_spec(name)[0] == HumanPlayer.name]


class Session:
    """One game, until it is over or the user leaves. `names` are the players of all seats.

    A record names the players of a whole game. `is_known` is False if the game was begun by players that are not known.
    """

    def __init__(
        self, table: Table, names: list[str], *, hint: str, file: str | None, is_known: bool = True
    ) -> None:
        self.table, self.names, self.file, self.is_known = table, names, file, is_known
        self.people = seats_of_people(names)
        self.out = console()
        self.hint = hint
        self.adviser = make_player(hint, seed=seed_below(table.seed, PLAYER_SEEDS - 1))
        self.bots: dict[int, Player] = {
            place: make_player(name, seed=seed_below(table.seed, PLAYER_SEEDS + place))
            for place, name in enumerate(names)
            if place not in self.people
        }
        self.undone: list[tuple[int, ...]] = []  # moves of the game before each undo
        self.human = _Terminal(self)

    def run(self) -> int:
        """Play, and return the exit code of the command."""
        if self.file is not None:
            self.save(self.file)  # fails before the game if the file cannot be written
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
        seat = self.table.to_move
        try:
            move = self._decision(seat) if seat in self.people else self._answer(seat)
        except _UndoError:
            self._undo()
        else:
            self.table.play(move)

    def _decision(self, seat: int) -> int:
        moves = self.table.legal_moves()
        return moves[0] if len(moves) == 1 else self.human.choose(self.table.view(seat))

    def _answer(self, seat: int) -> int:
        """Return the move of a bot: the same as before, if the game has been in this position before an undo."""
        moves, bot = self.table.moves, self.bots[seat]
        for game in self.undone:
            if len(game) > len(moves) and game[: len(moves)] == moves:
                return game[len(moves)]
        with self.waiting(self.called(seat)) if isinstance(bot, SearchPlayer) else nullcontext():
            return bot.choose(self.table.view(seat))

    def _decisions(self, seats: Sequence[int]) -> list[int]:
        """Return the plies at which one of these seats had a choice."""
        table = self.table
        past = zip(range(len(table.moves)), positions(table.game, table.moves), strict=False)
        return [ply for ply, state in past if state.to_move in seats and len(state.legal_moves()) > 1]

    def _undo(self) -> None:
        decisions = self._decisions(self.people)
        if not decisions:
            self.say("there is nothing to take back: you have not decided anything yet")
            return
        self.undone.append(self.table.moves)
        while len(self.table.moves) > decisions[-1]:
            self.table.undo()
        whose = (
            "your last decision" if self.has_one_human else f"the last decision, of seat {self.table.to_move}"
        )
        self.say(f"back to {whose}")

    # ---- Files -----------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """Save the game, if it has a file. If that fails, the game goes on without it."""
        if self.file is None:
            return
        try:
            self.save(self.file)
        except OSError as problem:
            self.say(f"no longer saved: {self.file}: {problem.strerror}; the game goes on", "bold")
            self.file = None

    def save(self, file: str) -> None:
        """Write the record of the game so far, with its players, if they are known."""
        players = tuple(self.names) if self.is_known else ()
        record = dataclasses.replace(self.table.record, players=players)
        write_text(file, record.to_json() + "\n")

    def _leave(self, code: int) -> int:
        self._keep()
        if self.file is None:
            self.say(f"the game is not saved (it began with --seed {self.table.seed})")
        else:
            self.say(f"saved; go on with: aiplay play --resume {self.file}{self._players_to_give()}")
        return code

    def _players_to_give(self) -> str:
        """Return the options that seat the players as now, if the file does not name them."""
        if self.is_known:
            return ""
        mine = self.people[0]
        others = (f" --vs {name}" for seat, name in enumerate(self.names) if seat != mine)
        return f" --seat {mine}" + "".join(others)

    # ---- Output --------------------------------------------------------------------------------------------

    def say(self, text: str, style: str = "") -> None:
        """Print a text unwrapped, so that commands in it can be copied."""
        self.out.print(text, style=style or None, soft_wrap=True)

    @property
    def has_one_human(self) -> bool:
        """True if there is only one human."""
        return len(self.people) == 1

    def called(self, seat: int, observer: int | None = None) -> str:
        """Return the name of a seat, as the seat `observer` reads it."""
        if seat == CHANCE:
            return "chance"
        return f"seat {seat} ({'you' if seat == observer else self.names[seat]})"

    def called_all(self, observer: int | None) -> dict[int, str]:
        """Return the names of all seats and of chance."""
        return {seat: self.called(seat, observer) for seat in range(CHANCE, self.table.game.seats)}

    def _greet(self) -> None:
        game = self.table.game
        others = ", ".join(self.called(seat) for seat in range(game.seats) if seat not in self.people)
        against = "together with" if game.is_cooperative else "against"
        with_whom = f", {against} {others}" if others else ", alone" if self.has_one_human else ""
        heading = f"{titled(game.name, game.options)}, seed {self.table.seed}"
        rules = " or rules" if game.rules else ""
        welcome = f"You are {_seats_text(self.people)}{with_whom}. Type help{rules}."
        self.say(fit(heading, self.out.width), "bold")
        self.say(fit(welcome, self.out.width))

    def show_news(self, observer: int | None) -> None:
        """Print what a seat perceived since its last decision; for None, everything since the last of any human."""
        mine = self.people if observer is None else [observer]
        last = max(self._decisions(mine), default=-1)
        events = story(self.table.game, self.table.moves, observer, last + 1)
        names = self.called_all(observer)
        for seat in mine:  # after its last decision
            names[seat] = f"{names[seat].removesuffix(')')}, forced)"
        news = events_text(events, names, self.out.width, self.table.game.VERBS)
        if news:
            self.out.print(news, style="dim", soft_wrap=True)

    def show_position(self, position: Position, observer: int | None) -> None:
        """Print the news and the position."""
        self.out.print(Rule(style="dim", characters="-" if self.out.options.ascii_only else "─"))
        self.show_news(observer)
        self.say("")
        self.say(fit(str(position), self.out.width))
        self.say("")

    def show_hint(self, view: View) -> None:
        """Print the adviser's best moves, with the labels to type."""
        with self.waiting(self.hint):
            analysis = self.adviser.analyse(view)
        typed = move_labels(view)
        size = max(map(len, typed.values()), default=0)
        labels = {move: f"{label:>{size}})" for move, label in typed.items()}
        self.out.print(analysis_grid(analysis, self.out, HINTS, labels), crop=False)
        self.say(f"odds: {odds_text(analysis, self.called_all(view.seat))}", "dim")

    @contextmanager
    def waiting(self, name: str) -> Iterator[None]:
        """Show on a terminal which player is thinking."""
        if not is_live(self.out):
            yield
            return
        spinner = "line" if self.out.options.ascii_only else "dots"
        with self.out.status(f"{name} is thinking", spinner=spinner):
            yield

    def _show_end(self) -> None:
        table, game = self.table, self.table.game
        observer = self.people[0] if self.has_one_human else None
        self.show_position(table.state, observer)  # the whole state: the game is over
        returns = table.returns()
        self.say(_verdict(game, returns, self.people), "bold")
        results = "   ".join(
            f"{self.called(seat, observer)} {result:.3g}" for seat, result in enumerate(returns)
        )
        scale = f"from {game.min_return:.3g} to {game.max_return:.3g}"
        self.say(fit(f"results, {scale}: {results}", self.out.width))
        if self.file is not None:
            self.say(f"saved; to see it again: aiplay replay {self.file}")


def _seats_text(seats: Sequence[int]) -> str:
    *first, last = map(str, seats)
    return f"seats {', '.join(first)} and {last}" if first else f"seat {last}"


def _verdict(game: Game, returns: list[float], people: list[int]) -> str:
    """Return how the game ended, in words."""
    best = max(returns)
    winners = [place for place, result in enumerate(returns) if result == best]
    if game.is_cooperative:
        ends = {game.max_return: "wins", game.min_return: "loses"}
        return f"The team {ends.get(best, f'gets {best:.3g} of {game.max_return:.3g}')}."
    if len(people) > 1:
        who = _seats_text(winners)
        return f"{who.capitalize()} wins." if len(winners) == 1 else f"A draw of {who}."
    if people[0] not in winners:
        return "You lose."
    return "You win." if len(winners) == 1 else "A draw."


class _Terminal(HumanPlayer):
    """The people of a session."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        if is_live(session.out):
            with suppress(ImportError):  # where available, makes input editable
                import readline  # noqa: F401

    def show(self, view: View) -> None:
        self.session.show_position(view, view.seat)
        self._list(view, max(self.session.out.height - len(str(view).splitlines()) - 8, 6))

    def say(self, text: str) -> None:
        self.session.say(text)

    def ask(self, view: View) -> str:
        prompt = "your move> " if self.session.has_one_human else f"seat {view.seat}> "
        typed = " ".join(self.session.out.input(prompt).split())
        if not sys.stdin.isatty():
            self.say(typed)  # a terminal would have shown it
        return typed

    def obey(self, typed: str, view: View) -> bool:
        """Obey a command, unless it is the text of a move. Return True if it was one."""
        word, _, rest = typed.partition(" ")
        session = self.session
        actions: dict[str, Callable[[], None]] = {
            "help": lambda: self._help(view),
            "?": lambda: self._help(view),
            "board": lambda: self.show(view),
            "rules": self._rules,
            "card": lambda: self._look_up(rest),
            "what": lambda: self._look_up(rest),
            "moves": lambda: self._list(view, 1000),
            "hint": lambda: session.show_hint(view),
            "undo": lambda: _raise(_UndoError),
            "save": lambda: self._save(rest),
            "quit": lambda: _raise(EOFError),
        }
        if (
            word not in actions
            or (rest and word not in TAKE_A_NAME)
            or typed in map(view.move_text, view.legal_moves())
        ):
            return False
        actions[word]()
        return True

    def _list(self, view: View, rows: int) -> None:
        text = Text(list_moves(view, width=self.session.out.width, rows=rows))
        text.highlight_regex(LABEL, "cyan")
        self.session.out.print(text, soft_wrap=True)

    def _help(self, view: View) -> None:
        session, width = self.session, self.session.out.width
        game = session.table.game
        about = (type(game).__doc__ or game.name).strip().splitlines()
        self.say(fit(about[0], width))
        verbs = verbs_text(view, width)
        if verbs:
            self.say(f"your moves now:\n{verbs}\nwhat you can type:")
        whose = "your" if session.has_one_human else "the"
        missing = {"rules": not game.rules, "card NAME": not game.catalogue}
        commands = [
            (name, text.format(hint=session.hint, whose=whose))
            for name, text in HELP.items()
            if not missing.get(name)
        ]
        self.say(paragraphs(commands, width))

    def _rules(self) -> None:
        """Show the rules: page by page on a terminal, else all of them as they are."""
        out, rules = self.session.out, self.session.table.game.rules
        if not rules:
            self.say("this game has no page of rules")
        elif is_live(out) and sys.stdin.isatty():
            from rich.markdown import Markdown

            with out.pager():
                out.print(Markdown(rules, hyperlinks=False))
        else:
            self.say(rules.rstrip())

    def _look_up(self, name: str) -> None:
        game, width = self.session.table.game, self.session.out.width
        if not game.catalogue:
            self.say("this game has no catalogue")
        else:
            self.say(things_text(game, name, width) if name else names_text(game, width))

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
        except OSError as problem:
            self.say(f"not saved: {file}: {problem.strerror}")
            return
        session.file = file
        self.say(f"saved in {file}, from now on after every move")


def _raise(problem: type[Exception]) -> NoReturn:
    raise problem
