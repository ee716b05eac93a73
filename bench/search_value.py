"""Train a value on what searches say: ``python bench/search_value.py --game levitation --games 2000 --out value.json``.

`aiplay learn` takes one position of a game at a time. This takes more out of each search, for games with native
features (docs/learn.md):

- A target looks ahead: what the search expected at the decisions that followed, each with less weight than the one
  before it, and at last the result (TD(lambda), Sutton 1988). It stops at a random move.
- The moves that were tried but not chosen are positions, too: their targets differ from that of the chosen one by as
  much as the search says.
- If the game counts points (a field `scores`), half of the result is the lead, squashed.

The games are kept in a file beside the value, one per line, and a run goes on with those that are there. Prints the
errors of the value and of the game's own evaluation in games that were not learned from: of the targets, and of the
results (0 to 1).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import aiplay
from aiplay import State
from aiplay._core.features import FULL
from aiplay._core.search.common.value import active_of
from aiplay._core.stream import seed_below
from aiplay.learn.network import Trainer, quantised
from aiplay.value import Value, bound_features, kept_text

OPENING = 6  # most random moves at the start, in half of the games
LEAST_VISITS = 8  # of a move that was not chosen
LEAD = 5.0  # points that make odds of e : 1
CHECK_EVERY = 12  # games


class Dense:
    """Positions as rows of inputs, with the values of all seats; what `Trainer` needs of `Samples`."""

    def __init__(self, inputs: np.ndarray, targets: np.ndarray) -> None:
        self.inputs, self.targets = inputs, targets

    def __len__(self) -> int:
        return len(self.targets)

    def batch(self, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.inputs[order].astype(np.float32) / np.float32(FULL), self.targets[order]


# ---- Games -----------------------------------------------------------------------------------------------------


def play(game: aiplay.Game, spec: str, seed: int) -> dict[str, Any]:
    """Return a game of a player against itself: all moves, and the moves that each search looked at."""
    player = aiplay.make_player(spec, seed=seed_below(seed, 1))
    stream = aiplay.RandomStream(seed_below(seed, 2))
    opening = stream.below(OPENING + 1) if stream.random() < 0.5 else 0
    odd, state = opening + stream.below(90), game.new_state()  # one later decision is random, too
    moves: list[int] = []
    searched: list[list[list[float]] | None] = []
    randoms: list[int] = []
    n_decisions = 0
    while not state.is_over:
        found = None
        if state.to_move == aiplay.CHANCE:
            moves.append(state.play_chance(stream))
        else:
            analysis = player.analyse(state.view(state.to_move)) if n_decisions >= opening else None
            if analysis is not None and analysis.iterations:
                found = [[row.move, row.visits, round(row.value, 4)] for row in analysis.moves]
            if analysis is None or n_decisions == odd:
                randoms.append(len(moves))
                moves.append(state.play(stream.choice(state.legal_moves())))
            else:
                moves.append(state.play(analysis.best))
            n_decisions += 1
        searched.append(found)
    return {
        "moves": moves,
        "searched": searched,
        "randoms": randoms,
        "result": result_of(game, state),
        "returns": state.returns(),
    }


def result_of(game: aiplay.Game, state: aiplay.State) -> list[float]:
    """Return the result of every seat, 0 to 1; with points in two seats, half of it is the lead."""
    span = game.max_return - game.min_return
    result = [(value - game.min_return) / span for value in state.returns()]
    if "scores" not in game.FIELDS or game.seats != 2:
        return result
    lead = int(state.fields["scores"][0]) - int(state.fields["scores"][1])
    share = 1 / (1 + math.exp(-lead / LEAD))
    return [(result[0] + share) / 2, (result[1] + 1 - share) / 2]


def games_in(path: Path, game: aiplay.Game, spec: str, seed: int, count: int) -> list[dict[str, Any]]:
    """Return the games of the file, and as many new ones as are missing."""
    played = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    with path.open("a") as file:
        while len(played) < count:
            played.append(play(game, spec, seed_below(seed, len(played))))
            file.write(json.dumps(played[-1]) + "\n")
            file.flush()
    return played[:count]


# ---- Targets ---------------------------------------------------------------------------------------------------


def best_of(found: list[list[float]], seat: int, seats: int) -> np.ndarray:
    """Return what a search expects of its most visited move; the other seats share the rest."""
    value = max(found, key=lambda row: row[1])[2]
    return spread(value, seat, seats)


def spread(value: float, seat: int, seats: int) -> np.ndarray:
    return np.array([value if k == seat else (1 - value) / (seats - 1) for k in range(seats)])


def targets_of(game: aiplay.Game, one: dict[str, Any], states: list[aiplay.State], trust: float) -> list[Any]:
    """Return the target of every position, None if it is unknown; `trust` is the weight of what comes later."""
    later: np.ndarray | None = np.array(one["result"])
    targets: list[Any] = [None] * len(states)
    for i in range(len(states) - 1, -1, -1):
        found, seat = one["searched"][i], states[i].to_move
        now = None if found is None else best_of(found, seat, game.seats)
        if i in one["randoms"] or later is None:
            later = now
        elif now is not None:
            later = trust * later + (1 - trust) * now
        targets[i] = later
    return targets


def positions(
    game: aiplay.Game, one: dict[str, Any], trust: float
) -> Iterator[tuple[aiplay.State, np.ndarray, bool]]:
    """Yield the positions of a game and those after moves that were not chosen, with their targets.

    The last entry is True if the result of the game is due to the position: no random move came later.
    """
    states, state = [], game.new_state()
    for move in one["moves"]:
        states.append(state.copy())
        state.play(move)
    last = max(one["randoms"], default=-1)
    for i, target in enumerate(targets_of(game, one, states, trust)):
        if target is None:
            continue
        yield states[i], target, i > last
        found, seat = one["searched"][i] or [], states[i].to_move
        for move, visits, value in found:
            if visits < LEAST_VISITS or (move == one["moves"][i] and i not in one["randoms"]):
                continue
            after = states[i].copy()
            after.play(move)
            if not after.is_over:
                best = best_of(found, seat, game.seats)
                yield after, np.clip(target + spread(value, seat, game.seats) - best, 0, 1), False


def dense(game: aiplay.Game, games: list[dict[str, Any]], trust: float) -> Dense:
    """Return the positions of games, the seat that decides first."""
    features = bound_features(game, {"kind": "function", "count": game.n_features})
    inputs, targets = [], []
    for one in games:
        for state, target, _ in positions(game, one, trust):
            pairs, first = active_of(features, state)
            row = np.zeros(features.size, np.int16)
            for number, amount in pairs:
                row[number] = amount
            inputs.append(row)
            targets.append(np.roll(target, -first))
    return Dense(np.array(inputs), np.array(targets, np.float32))


def print_errors(game: aiplay.Game, games: list[dict[str, Any]], trust: float, value: Value) -> None:
    """Print how far a value and the game's own evaluation are from targets and from results."""
    network = value.bind(game)
    for name, valued in (("value", network.values), ("evaluation", State.evaluate)):
        of_targets, of_results = [], []
        for one in games:
            for state, target, is_due in positions(game, one, trust):
                found = np.array(valued(state))
                of_targets.append(found - target)
                if is_due:
                    of_results.append(found - np.array(one["returns"]))
        errors = [float((np.array(rows) ** 2).mean() ** 0.5) for rows in (of_targets, of_results)]
        print(f"error of the {name}: {errors[0]:.4f} of targets, {errors[1]:.4f} of results")


def main() -> None:
    """Play, train, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="levitation")
    parser.add_argument("--player", default="mcts:iterations=160,value=game")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--trust", type=float, default=0.96, help="weight of later decisions, for each one")
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="value.json")
    given = parser.parse_args()
    game = aiplay.load_game(given.game)
    games = games_in(Path(f"{given.out}.games"), game, given.player, given.seed, given.games)
    learned = dense(game, [one for i, one in enumerate(games) if i % CHECK_EVERY], given.trust)
    kept = np.flatnonzero(learned.inputs.std(axis=0) > 0)
    learned = Dense(learned.inputs[:, kept], learned.targets)
    active = float((learned.inputs > 0).sum(axis=1).mean())
    trainer = Trainer.new(len(kept), given.hidden, game.seats, active, given.seed)
    trainer.train(learned, given.epochs, given.seed)  # type: ignore[arg-type]
    size = game.seats + 1 + game.n_features
    features = {"kind": "function", "count": game.n_features, "kept": kept_text(size, map(int, kept))}
    made = {"method": "bench/search_value.py", "positions": len(learned), **vars(given)}
    value = Value.of_game(game, features, given.hidden, quantised(trainer.weights), made, prior="own")
    value.write(given.out)
    print_errors(game, games[::CHECK_EVERY], given.trust, value)


if __name__ == "__main__":
    main()
