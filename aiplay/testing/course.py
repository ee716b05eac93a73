"""A random game, with the checks that are fast enough for every position."""

from __future__ import annotations

import math
from collections.abc import Sequence

from aiplay._core.game import State
from aiplay._core.search.common.value import features_of
from aiplay._core.stream import RandomStream
from aiplay._core.typedefs import CHANCE
from aiplay.testing.trial import Trial

__all__ = ["check_evaluate", "check_features", "check_options", "play_trial", "some"]


def play_trial(trial: Trial) -> None:
    """Play a random game, with the checks that are fast enough for every position."""
    game, stream = trial.game, RandomStream(trial.seed)
    state = game.new_state()
    trial.remember(state)
    while not state.is_over:
        trial.require(
            len(trial.moves) < game.max_depth,
            f"the game is not over after max_depth = {game.max_depth} moves",
        )
        options = check_options(trial, state)
        if state.to_move == CHANCE:
            move = state.play_chance(stream)
            trial.require(
                move in options, f"chance sampled {move}, which is not one of the outcomes {options}"
            )
        else:
            move = stream.choice(options)
            state.play(move)
        trial.moves.append(move)
        trial.remember(state)


def check_options(trial: Trial, state: State) -> list[int]:
    """Check and return the legal moves or chance outcomes of a state that is not over."""
    options: list[int] = state.legal_moves()
    limit = trial.game.max_moves
    kind = "chance outcomes" if state.to_move == CHANCE else "legal moves"
    if not options:
        trial.fail(f"no {kind}, but the game is not over")
    if options != sorted(set(options)):
        trial.fail(f"{kind} {options} are not ascending and unique")
    if options[0] < 0:
        trial.fail(f"{kind} {options} are not all at least 0")
    space = trial.game.chance_space if state.to_move == CHANCE else trial.game.move_space
    if space and options[-1] >= space:
        trial.fail(f"{kind} {options} are not all below {space}, as the game says")
    if len(options) > limit:
        trial.fail(f"{len(options)} {kind}, more than max_moves = {limit}")
    if state.to_move == CHANCE:
        _check_probabilities(trial, state.chance_outcomes(), options)
    return options


def _check_probabilities(trial: Trial, outcomes: list[tuple[int, float]], options: list[int]) -> None:
    trial.require(
        [move for move, _ in outcomes] == options, "chance_outcomes and legal_moves list different moves"
    )
    if not all(p > 0 for _, p in outcomes):
        trial.fail(f"chance probabilities are not all positive: {outcomes}")
    total = math.fsum(p for _, p in outcomes)
    if not abs(total - 1) < 1e-9:
        trial.fail(f"chance probabilities sum to {total}, not to 1")


def check_evaluate(trial: Trial, state: State) -> None:
    """Check that the evaluation of every seat is between 0 and 1."""
    values = state.evaluate()
    if len(values) != trial.game.seats:
        trial.fail(f"{len(values)} evaluations for {trial.game.seats} seats")
    if not all(0 <= value <= 1 for value in values):
        trial.fail(f"evaluations {values} are not within 0 .. 1")


def check_features(trial: Trial, state: State) -> None:
    """Check that the features of every seat are between 0 and 1."""
    for seat in range(trial.game.seats if trial.game.offers("features") else 0):
        features = features_of(state, seat)
        if not all(0 <= feature <= 1 for feature in features):
            trial.fail(f"features {features} of seat {seat} are not within 0 .. 1")


def some(items: Sequence[int], n: int, chooser: RandomStream) -> list[int]:
    """Return up to n items in order, always with the first and the last."""
    if len(items) <= n:
        return list(items)
    inner: list[int] = chooser.shuffled(items[1:-1])
    return [items[0], *sorted(inner[: n - 2]), items[-1]]
