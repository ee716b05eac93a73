"""Checks of a game with hidden information: nothing tells a seat what it cannot see.

A failure names the promise of the game that is broken (`GameCheckError.promise`).
"""

from __future__ import annotations

import math

from aiplay._core.game import State, View
from aiplay._core.measure import perceptions
from aiplay._core.stream import RandomStream
from aiplay.errors import AiplayError
from aiplay.testing.course import check_evaluate, check_features, check_options, some
from aiplay.testing.trial import Trial

__all__ = ["WORLDS", "check_hidden"]

PLIES = 8  # positions of a game whose worlds are checked
REPLAYS = 3  # alternative histories to try, for each seat of a game
WORLDS = 4  # worlds for each view
WORLD_MOVES = 100  # moves to play on from a world
DRAWS = 500  # equal worlds after which a sampler counts as stuck
OFTEN = 8  # in a replay, worlds are compared at about one ply of so many


def check_hidden(trial: Trial, chooser: RandomStream) -> None:
    """Check a game that was played: the worlds at some positions, and histories that look the same to a seat."""
    for ply in some(range(len(trial.states)), PLIES, chooser):
        trial.at = ply
        for seat in range(trial.game.seats):
            _check_worlds(trial, trial.states[ply], seat, chooser)
    for seat in range(trial.game.seats):
        for _ in range(REPLAYS):
            _check_other_history(trial, seat, chooser)


# ---- Worlds, through the game's own sampler ----------------------------------------------------------------


def _check_worlds(trial: Trial, state: State, seat: int, chooser: RandomStream) -> None:
    """Check both kinds of worlds: sampled by `determinise`, and by `believe` if the game has it."""
    _check_sampler(trial, state, seat, chooser, believed=False)
    if trial.game.offers("believe"):
        _check_sampler(trial, state, seat, chooser, believed=True)


def _check_sampler(trial: Trial, state: State, seat: int, chooser: RandomStream, believed: bool) -> None:
    """Check that worlds fit the view, are complete, and depend only on the view and the seed."""
    view = state.view(seat)
    before = view.to_bytes()
    for _ in range(WORLDS):
        seed = chooser.bits()
        trial.n_worlds += 1
        world = view.sample_world(seed, believed)
        trial.aside = f"view({seat}).sample_world({seed}, {believed})"
        trial.require(
            view.to_bytes() == before, f"sampling a world changed the view of seat {seat}", "worlds"
        )
        trial.require(
            view.sample_world(seed, believed) == world,
            f"the same seed gives seat {seat} a different world",
            "worlds",
        )
        _check_fit(trial, state, view, world)
        # A sampler that leaks the truth (through a cache, for example) would now leak this world instead.
        trial.require(
            world.view(seat).sample_world(seed, believed) == world,
            f"the worlds of seat {seat} depend on the truth: the same view and seed give a different one",
            "worlds",
        )
    _play_on(trial, world, trial.aside, chooser)


def _check_fit(trial: Trial, state: State, view: View, world: State) -> None:
    seat = view.seat
    again = world.view(seat)
    if again != view or again.to_bytes() != view.to_bytes():
        trial.fail(
            f"a world of seat {seat} does not fit its view: concealed again, it is "
            f"{again.to_json()}, not {view.to_json()}",
            "worlds",
        )
    trial.require(world.to_move == view.to_move, f"to_move differs in a world of seat {seat}", "to_move")
    try:
        trial.game.state_from_bytes(world.to_bytes())
    except AiplayError as problem:
        trial.fail(f"a world of seat {seat} is not a complete state: {problem} {world.to_json()}", "worlds")
    if view.to_move == seat:
        _check_same_choice(trial, state, world, "in a world")


def _check_same_choice(trial: Trial, state: State, other: State, where: str) -> None:
    """Check that the seat to move has the same choice in two states that look the same to it."""
    seat = state.to_move
    trial.require(
        other.legal_moves() == state.legal_moves(),
        f"the legal moves of seat {seat} differ {where}: they depend on what the seat cannot see",
        "legal_moves",
    )
    here, there = [weight for _, weight in state.priors()], [weight for _, weight in other.priors()]
    same = all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(here, there, strict=True))
    trial.require(
        same, f"the priors of seat {seat} differ {where}: they depend on what the seat cannot see", "priors"
    )
    for seed in range(WORLDS):
        moves = [s.playout_move(RandomStream(seed)) for s in (state, other)]
        trial.require(
            moves[0] == moves[1],
            f"playout_move of seat {seat} differs {where}: it depends on what the seat cannot see",
            "playout_move",
        )


def _play_on(trial: Trial, world: State, origin: str, chooser: RandomStream) -> None:
    """Check that a world can be evaluated and played on like any state."""
    state, moves = world.copy(), list[int]()
    for _ in range(WORLD_MOVES):
        trial.aside = f"{origin}, and in it {moves}"
        if state.is_over:
            break
        options = check_options(trial, state)
        check_evaluate(trial, state)
        check_features(trial, state)
        moves.append(state.play(chooser.choice(options)))
    trial.aside = ""


def _check_variety(trial: Trial, state: State, other: State, seat: int, chooser: RandomStream) -> None:
    """Check the worlds of a view that two truths share: they vary, and do not depend on which truth it was."""
    seeds = [chooser.bits() for _ in range(WORLDS)]
    theirs = [other.view(seat).sample_world(seed) for seed in seeds]
    ours = [state.view(seat).sample_world(seed) for seed in seeds]
    trial.require(
        ours == theirs,
        f"the worlds of seat {seat} depend on the truth: the same view and seed give a different one",
        "worlds",
    )
    view = state.view(seat)
    if any(world != ours[0] for world in ours) or any(
        view.sample_world(chooser.bits()) != ours[0] for _ in range(DRAWS)
    ):
        return
    truth = "the true state" if ours[0] == state else "one of several possible states"
    trial.fail(f"the worlds of seat {seat} never vary: {DRAWS} samples are all {truth}", "worlds")


# ---- Other histories, through perceive alone ---------------------------------------------------------------


def _check_other_history(trial: Trial, seat: int, chooser: RandomStream) -> None:
    """Replay the game with other moves that look the same to `seat`: it must not see a difference.

    From a random ply on, a move is replaced by another one with the same key. Later moves are kept if they are legal
    and look the same, and replaced otherwise. If neither is possible, the replay ends.
    """
    if not trial.moves:
        return
    start = chooser.below(len(trial.moves))
    eager = chooser.below(2) == 1  # replace every move that can be, or as few as possible
    state, deviated, met = trial.states[start].copy(), False, False
    for ply in range(start, len(trial.moves)):
        trial.at, move = ply + 1, trial.moves[ply]
        truth = trial.states[ply]
        key = dict(perceptions(truth, seat))[move]
        same = [m for m, k in perceptions(state, seat) if k == key]
        if not same:
            return
        other = [m for m in same if m != move]
        if other and (eager or not deviated):
            move, deviated = chooser.choice(other), True
        elif move not in same:
            move = chooser.choice(same)
        _check_forgotten(trial, state, seat, move, key)
        state.play(move)
        if deviated:
            met = _compare_histories(trial, trial.states[ply + 1], state, seat, chooser, met)


def _compare_histories(
    trial: Trial, truth: State, other: State, seat: int, chooser: RandomStream, met: bool
) -> bool:
    """Check that two states look the same to `seat`; return True if worlds have been compared in this replay.

    A view may show everything once the game is over: no decision is left.
    """
    trial.require(
        truth.to_move == other.to_move,
        f"to_move reveals to seat {seat} what perceive hides from it",
        "to_move",
    )
    if truth.is_over:
        return met
    trial.n_pairs += 1
    ours, theirs = truth.view(seat), other.view(seat)
    if ours != theirs or ours.to_bytes() != theirs.to_bytes():
        trial.fail(
            f"the view of seat {seat} reveals what perceive hides: it is {ours.to_json()}, "
            f"but after moves that look the same {theirs.to_json()}",
            "conceal",
        )
    if truth.to_move == seat:
        _check_same_choice(trial, truth, other, "after a history that looks the same")
    if truth != other and (not met or chooser.below(OFTEN) == 0):
        _check_variety(trial, truth, other, seat, chooser)
        return True
    return met


def _check_forgotten(trial: Trial, state: State, seat: int, move: int, key: int) -> None:
    """Check that a view shows what its seat noticed: moves with different keys lead to different views."""
    if state.to_move == seat:
        return
    other = next((m for m, k in perceptions(state, seat) if k != key), None)
    if other is None:
        return
    trial.n_pairs += 1
    first, second = state.copy(), state.copy()
    first.play(move)
    second.play(other)
    trial.require(
        first == second or first.is_over or second.is_over or first.view(seat) != second.view(seat),
        f"seat {seat} perceives moves {move} and {other} differently, but its view is the same after both",
        "perceive",
    )
