"""Every game with the smallest and the largest value of every option: its own positions pass its own checks."""

import pytest

import aiplay
from aiplay import RandomStream

MOVES = 20_000  # most moves of a game; some caps allow far more
POSITIONS = 25  # of a game that are checked


def extremes(option):
    """Return the smallest and the largest value of an option, all values of a text or a switch."""
    if option.type is bool:
        return [False, True]
    return list(option.choices) if option.choices else [option.low, option.high]


def settings():
    """Yield (game, options): each option alone at its extremes, all at the smallest and all at the largest values."""
    for name in aiplay.game_names():
        options = [option for option in aiplay.load_game(name).OPTIONS if option.name != "data"]
        alone = [{option.name: value} for option in options for value in extremes(option)]
        together = [{option.name: extremes(option)[end] for option in options} for end in (0, -1)]
        yield from ((name, chosen) for chosen in [*alone, *together] if chosen)


def play(game, seed):
    """Yield every position of a random game."""
    stream, state = RandomStream(seed), game.new_state()
    for _ in range(MOVES):
        yield state
        if state.is_over:
            return
        if state.to_move == aiplay.CHANCE:
            state.play_chance(stream)
        else:
            state.play(stream.choice(state.legal_moves()))


def positions(game, seed):
    """Return some positions of a random game, evenly spread, and the last one."""
    n = sum(1 for _ in play(game, seed))
    chosen = {i * (n - 1) // POSITIONS for i in range(POSITIONS + 1)}
    return [state.copy() for ply, state in enumerate(play(game, seed)) if ply in chosen]


@pytest.mark.parametrize(("name", "options"), list(settings()), ids=str)
def test_positions_at_the_extremes_of_options_pass_the_checks_of_the_game(name, options):
    game = aiplay.load_game(name, **options)
    for state in positions(game, seed=1):
        assert game.state_from_json(state.to_json()) == state
        for seat in range(game.seats):
            view = state.view(seat)
            assert game.view_from_json(view.to_json()) == view
