"""Audits: is a player fair, and does its game keep its secrets?

>>> import aiplay
>>> found = aiplay.audit.audit_player(aiplay.load_game("leduc_poker"), "greedy", games=10)
>>> found.is_fair, found.broken
(True, ())

`text`, `document` and `page` show an audit like a certificate: what was tried, how often, and what would have been
noticed with a probability of 99 %. docs/fairness.md explains the parts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from aiplay import __version__
from aiplay._core.game import Game
from aiplay._core.stream import check_seed, seed_below
from aiplay.audit.cases import cases_of
from aiplay.audit.certificates import document, page, text
from aiplay.audit.closeness import check_closeness
from aiplay.audit.foresight import check_foresight
from aiplay.audit.guessing import check_cards, check_dice
from aiplay.audit.invariance import check_invariance, check_repeatable
from aiplay.audit.result import PROMISES, Audit, Breach, Part
from aiplay.audit.secrets import check_secrets
from aiplay.audit.subject import Subject, subject_of
from aiplay.audit.worlds import check_worlds
from aiplay.errors import AuditError

__all__ = ["PROMISES", "Audit", "Breach", "Part", "audit_player", "audit_players", "document", "page", "text"]

GAMES = 100  # games of an audit by default
BROKEN_GAME = "not tried: the game breaks a promise of its own, and every player of it may know too much"


def audit_player(game: Game, player: Any, *, games: int = GAMES, seed: int = 0) -> Audit:
    """Return the audit of a player in a game.

    `player`: a specification (``"mcts"``), an object with ``choose(view)``, or a function that makes one from a seed.
    `games`: games of each part; cheaters are usually found in a few. The same seed gives the same audit.

    Raises AuditError for a player that cannot be audited: a person, or one that gives another answer every time.
    """
    return next(audit_players([game], [player], games=games, seed=seed))


def audit_players(
    all_games: Iterable[Game], players: Iterable[Any], *, games: int = GAMES, seed: int = 0
) -> Iterator[Audit]:
    """Yield the audit of every player in every game. What concerns a game or a player alone is done once."""
    seed = check_seed(seed)
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise AuditError(f"games is {games!r}; allowed: a whole number, 1 or more")
    subjects = [subject_of(player) for player in players]
    guesses = [tuple[Part, ...]()] * len(subjects)
    for game in all_games:
        started = time.perf_counter()
        secrets = _audit_game(game, games, seed)
        for number, subject in enumerate(subjects):
            guesses[number] = guesses[number] or _audit_guesses(subject, games, seed)
            parts = (*_audit_choices(game, subject, games, seed, secrets), *secrets, *guesses[number])
            seconds = time.perf_counter() - started
            yield Audit(
                game.name,
                dict(game.options),
                subject.name,
                subject.note,
                games,
                seed,
                seconds,
                __version__,
                parts,
            )
            started = time.perf_counter()


def _audit_game(game: Game, games: int, seed: int) -> tuple[Part, ...]:
    """Return the parts that concern the game alone."""
    if not isinstance(game, Game):
        raise AuditError(f"game is {game!r}; allowed: a game, as load_game(name) makes one")
    secrets = check_secrets(game, games, seed_below(seed, 1))
    if secrets.breaches:
        return secrets, Part("frequencies of worlds", BROKEN_GAME), Part("worlds near the truth", BROKEN_GAME)
    return (
        secrets,
        check_worlds(game, games, seed_below(seed, 2)),
        check_closeness(game, games, seed_below(seed, 8)),
    )


def _audit_choices(
    game: Game, subject: Subject, games: int, seed: int, secrets: Iterable[Part]
) -> tuple[Part, ...]:
    """Return the parts that concern the player in this game."""
    if any(part.breaches for part in secrets):
        return Part("other truths", BROKEN_GAME), Part("other futures", BROKEN_GAME)
    cases = list(cases_of(game, subject, games, seed_below(seed, 3)))
    check_repeatable(cases, subject)
    return (
        check_invariance(game, cases, subject, seed_below(seed, 4)),
        check_foresight(game, cases, subject, seed_below(seed, 5)),
    )


def _audit_guesses(subject: Subject, games: int, seed: int) -> tuple[Part, ...]:
    """Return the parts that concern the player alone."""
    return check_dice(subject, games, seed_below(seed, 6)), check_cards(subject, games, seed_below(seed, 7))
