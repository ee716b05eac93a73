"""Whether a sampler of OpenSpiel keeps the secrets of the state that it is given.

``resample_from_infostate`` is asked of the truth. It has to forget it: for two truths that look the same to a seat, the
same random numbers have to give the same sample. Some of OpenSpiel's samplers do not (they leave undealt cards where
they are, or take them in their true order), and through them a player would see what it should not. They are found by
changing what happened: another card in the same place, where the seat cannot tell the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aiplay import RandomStream
from aiplay.errors import InvalidStateError

if TYPE_CHECKING:
    from aiplay.interop.openspiel.theirs import HiddenOpenSpielGame

__all__ = ["fault_of_sampler"]

GAMES = 6
POSITIONS = 6  # of each game
CHANGES = 20  # for each position
MOST_MOVES = 300


def fault_of_sampler(game: HiddenOpenSpielGame) -> str | None:
    """What is wrong with the sampler of a game, if random games show it."""
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
    for _ in range(MOST_MOVES):
        if state.is_terminal():
            return
        yield state.clone()
        if state.is_simultaneous_node():
            state.apply_actions([stream.choice(state.legal_actions(p)) for p in range(spiel.num_players())])
        else:
            state.apply_action(stream.choice(state.legal_actions()))


def _fault_at(game: HiddenOpenSpielGame, state: Any, seat: int, stream: RandomStream) -> str | None:
    truth = game.line_of(state)
    view = game.conceal(truth, seat)
    if game.knows(view, seat) != game.knows(truth, seat):
        return "its samples do not fit the information state"
    try:
        game.replayed(view.history)
    except InvalidStateError as problem:
        return f"its samples are no legal games ({problem})"
    for history in _changed(game, state, stream):
        try:
            other = game.line_of(game.replayed(history))
        except Exception:  # that cannot have happened
            continue
        if game.knows(other, seat) == game.knows(truth, seat) and game.conceal(other, seat) != view:
            return "its samples depend on what is hidden"
    return None


def _changed(game: HiddenOpenSpielGame, state: Any, stream: RandomStream) -> Iterator[Sequence[int]]:
    """The actions so far, with another one in one place; a card that is dealt elsewhere changes places."""
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
