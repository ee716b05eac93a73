"""A test for OpenSpiel's samplers: do they leak the true state?

``resample_from_infostate`` is a method of the true state, but must not depend on it: for two true states that look the
same to a seat, the same random numbers have to give the same sample. Some of OpenSpiel's samplers fail (they leave
undealt cards in place, or deal them in their true order), and would show a player hidden cards. They are found by
changing the history where the seat cannot tell the difference, for example by another card in the same place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aiplay import RandomStream
from aiplay.errors import InvalidStateError

if TYPE_CHECKING:
    from aiplay.interop.openspiel.theirs import HiddenOpenSpielGame

__all__ = ["fault_of_sampler"]

GAMES = 6  # random games to try
POSITIONS = 6  # per game
CHANGES = 20  # changed histories per position
MAX_LENGTH = 300  # moves of a game


def fault_of_sampler(game: HiddenOpenSpielGame) -> str | None:
    """Return what is wrong with the sampler of a game, or None if random games show no fault."""
    stream = RandomStream(0)
    for _ in range(GAMES):
        decisions = [state for state in _random_game(game.spiel, stream) if not state.is_chance_node()]
        for state in stream.shuffled(decisions)[:POSITIONS]:
            for seat in range(game.seats):
                try:
                    fault = _fault_at(game, state, seat, stream)
                except Exception as problem:
                    fault = str(problem).rstrip(".")
                if fault:
                    return fault
    return None


def _random_game(spiel: Any, stream: RandomStream) -> Iterator[Any]:
    state = spiel.new_initial_state()
    for _ in range(MAX_LENGTH):
        if state.is_terminal():
            return
        yield state.clone()
        if state.is_simultaneous_node():
            state.apply_actions([stream.choice(state.legal_actions(p)) for p in range(spiel.num_players())])
        else:
            state.apply_action(stream.choice(state.legal_actions()))


def _fault_at(game: HiddenOpenSpielGame, state: Any, seat: int, stream: RandomStream) -> str | None:
    truth = game.past_of(state)
    view = game.conceal(truth, seat)
    if game.knows(view, seat) != game.knows(truth, seat):
        return "its samples do not fit the information state"
    try:
        game.replayed(view.history)
    except InvalidStateError as problem:
        return f"its samples are not legal games ({problem})"
    for history in _changed(game, state, stream):
        try:
            other = game.past_of(game.replayed(history))
        except Exception:  # an impossible history
            continue
        if game.knows(other, seat) == game.knows(truth, seat) and game.conceal(other, seat) != view:
            return "its samples depend on what is hidden"
    return None


def _changed(game: HiddenOpenSpielGame, state: Any, stream: RandomStream) -> Iterator[Sequence[int]]:
    """Yield the history with one action changed; a card that was dealt elsewhere swaps places with the old one."""
    past = state.full_history()
    for _ in range(CHANGES if past else 0):
        history = [entry.action for entry in past]
        place = stream.below(len(history))
        before = game.replayed(history[:place])
        old, new = history[place], stream.choice(before.legal_actions(past[place].player) or [0])
        if past[place].player < 0:
            history = [old if entry.player < 0 and entry.action == new else entry.action for entry in past]
        history[place] = new
        yield history
