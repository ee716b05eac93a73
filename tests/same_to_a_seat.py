"""Find games that one seat cannot tell from the one that was played."""

from aiplay._core.measure import perceptions
from aiplay._core.stream import RandomStream


def other_truth(game, moves, seat, seed=0):
    """Return the moves of another game that looks the same to `seat`; AssertionError if none is found."""
    for attempt in range(200):
        found = _attempt(game, moves, seat, RandomStream(1000 * seed + attempt), rarely=attempt % 10)
        if found is not None and found != tuple(moves):
            return found
    raise AssertionError(f"no other game found that looks the same to seat {seat}")


def _attempt(game, moves, seat, stream, rarely):
    """Replace hidden moves with probability 1 / (rarely + 1); None if a later move cannot be made any more."""
    state, twin, found = game.new_state(), game.new_state(), []
    for move in moves:
        key = state.perceive(move, seat)
        alike = [other for other, its_key in perceptions(twin, seat) if its_key == key]
        if not alike:
            return None
        keeps = move in alike and stream.below(rarely + 1) > 0
        found.append(move if keeps else stream.choice(alike))
        state.play(move)
        twin.play(found[-1])
    assert twin.view(seat) == state.view(seat)
    return tuple(found)
