"""Guessing: a player that has to guess a die or a hidden card is right as often as chance has it."""

from __future__ import annotations

from aiplay._core.game import Game
from aiplay._core.stream import seed_below
from aiplay.audit.power import binomial_tail, most_hits, share_of_hits
from aiplay.audit.probes import FACES, ROUNDS, CardGuess, DieGuess
from aiplay.audit.result import Breach, Part
from aiplay.audit.subject import Subject
from aiplay.table import Table

__all__ = ["check_cards", "check_dice"]

ERROR_RATE = 1e-6  # of each part


def check_dice(subject: Subject, games: int, seed: int) -> Part:
    """Let the player guess dice before they are rolled, at tables that have its own seed."""
    return _check("guessing dice", "dice", DieGuess(), subject, games, seed)


def check_cards(subject: Subject, games: int, seed: int) -> Part:
    """Let the player guess cards that lie face down, at tables that have its own seed."""
    return _check("guessing cards", "cards", CardGuess(), subject, games, seed)


def _check(name: str, promise: str, game: Game, subject: Subject, games: int, seed: int) -> Part:
    hits = 0
    for number in range(games):
        try:
            hits += _hits(game, subject, seed_below(seed, number))
        except Exception as problem:  # a player for one game only
            return Part(name, f"not tried: the player does not play {game.name} ({problem})")
    guesses, chance = ROUNDS * games, 1 / FACES
    most = most_hits(guesses, chance, ERROR_RATE)
    tried = f"{guesses:,} guesses at tables with the player's seed, 1 of {FACES} right by chance: {hits:,} were right"
    noticed = f"a player that knows {100 * share_of_hits(guesses, chance, most):.2g} % of the {promise}"
    breaches: tuple[Breach, ...] = ()
    if hits > most:
        tail = binomial_tail(guesses, chance, hits)
        evidence = f"{hits} of {guesses} guesses were right, which has probability {tail:.1e} by chance"
        breaches = (Breach(promise, evidence),)
    return Part(name, tried, guesses, noticed, ERROR_RATE, breaches)


def _hits(game: Game, subject: Subject, seed: int) -> int:
    """Play a game, and return the number of right guesses."""
    table, player = Table(game, seed=seed), subject.make(seed)
    while not table.over:
        table.play(subject.choice(player, table.view(0))[0])
    return round(ROUNDS * table.returns()[0])
