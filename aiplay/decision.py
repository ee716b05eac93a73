"""Decisions done again: `explain(token)` repeats the search behind a token, and compares the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiplay.errors import AiplayError, PlayerSpecError, StrategyError, TokenError
from aiplay.files import files_from
from aiplay.players.base import Effort, Step
from aiplay.registry import load_game, make_player
from aiplay.token import Past, Token, digest_of, read_token, this_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiplay._core.game import Game, View
    from aiplay.analysis import Analysis

__all__ = ["Decision", "Explanation", "explain", "read_decision", "search_again"]


@dataclass(frozen=True)
class Decision:
    """The content of a token, checked: everything that is needed to search again."""

    version: str  # the aiplay that made it
    view: View  # what the seat knew
    player: str  # specification; threads do not matter
    steps: tuple[Step, ...]  # the search, after those that it went on from
    data_dir: str | None = None  # the folder of the files that it needs

    @property
    def move(self) -> int:
        """The move that was chosen, or the best one of the analysis."""
        return self.steps[-1].move

    @property
    def has_other_version(self) -> bool:
        """True if another version made the token: it may search in another way."""
        return self.version != this_version()


@dataclass(frozen=True)
class Explanation:
    """A decision that was done again."""

    decision: Decision
    move: int  # what the player chooses now
    analysis: Analysis  # all moves, with the visits and values that the player found then
    is_same: bool  # True if the answer is that of the token


def explain(
    token: str, *, threads: int | None = None, game: Game | None = None, data_dir: str | None = None
) -> Explanation:
    """Repeat the search of a token.

    `threads`: of the search, which changes nothing but the time; `game`: for one that `load_game` does not know;
    `data_dir`: the folder of its data file, if it has one. Raises TokenError if the token is damaged.
    """
    decision = read_decision(token, game=game, data_dir=data_dir)
    return search_again(decision, threads)


def search_again(decision: Decision, threads: int | None = None) -> Explanation:
    """Repeat a decision: the searches that it went on from, then its own."""
    try:
        with files_from(decision.data_dir):
            player = make_player(decision.player)
            if threads is not None:
                player.use_threads(threads)
            for step in decision.steps:
                move, analysis = player.repeat(step)
    except (PlayerSpecError, StrategyError) as problem:
        raise TokenError(f"the token cannot be repeated here: {problem}") from None
    last = decision.steps[-1]
    is_same = move == last.move and last.digest in (0, digest_of(analysis))
    return Explanation(decision, move, analysis, is_same)


def read_decision(token: str, *, game: Game | None = None, data_dir: str | None = None) -> Decision:
    """Return what a token says, without searching; TokenError if something in it is impossible."""
    content = read_token(token)
    try:
        with files_from(data_dir):
            found = _game_of(content, game)
            make_player(content.player)
        if content.seat >= found.seats:
            raise TokenError(f"seat is {content.seat}; {found.name} has {found.seats} seats")
        steps = tuple(_step(found, content.seat, past) for past in content.searches)
    except TokenError:
        raise
    except (AiplayError, TypeError) as problem:
        raise TokenError(f"the token cannot be repeated here: {problem}") from None
    return Decision(content.version, steps[-1].view, content.player, steps, data_dir)


def _game_of(content: Token, game: Game | None) -> Game:
    if game is None:
        return load_game(content.game, **content.options)
    given: Mapping[str, Any] = dict(game.options)
    if (game.name, given) != (content.game, content.options):
        raise TokenError(f"the token is of {content.game!r} with options {content.options}, not of {game!r}")
    return game


def _step(game: Game, seat: int, past: Past) -> Step:
    view = game.view_from_bytes(past.view, seat)
    if past.move not in view.legal_moves():
        raise TokenError(f"move {past.move} is not a legal move of its position")
    work = past.work
    effort = None if work is None else Effort(work.counts, work.is_cut, work.tried, work.method, work.seed)
    return Step(view, past.seed, effort, past.is_choosing, past.move, past.digest)
