"""How much luck a win takes in The Three Magicians: ``python bench/three_magicians_luck.py greedy mcts``.

One player plays against two greedy ones, in groups of three games with the player on every seat in turn: by the rules,
and with help that no skill can give. Either a triple 0 does not count and the player throws again, or it owns some
cards from the start. The gain from the help shows how much the throws decide.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import aiplay
from aiplay._core.games.three_magicians.state import N_TAROT
from aiplay._core.stream import RandomStream, seed_below
from aiplay.match.statistics import score_interval

RIVAL = "greedy"
TRIPLE_0 = "throw 0+0+0"


@dataclass(frozen=True)
class Help:
    """An advantage of the player over its rivals."""

    name: str
    throws_again: bool = False  # instead of going to the Labyrinth with a triple 0
    cards: int = 0  # owned from the start, of random places


HELPS = (
    Help("none"),
    Help("throws again after a triple 0", throws_again=True),
    *(Help(f"owns {n} of {N_TAROT} cards from the start", cards=n) for n in range(1, 5)),
)


def head_start(state: aiplay.State, seat: int, cards: int, stream: RandomStream) -> aiplay.State:
    """Return the position with some cards given to a seat, as if each had taken a turn."""
    document = json.loads(state.to_json())
    document["state"]["cards"][seat] = sum(1 << place for place in stream.shuffled(range(N_TAROT))[:cards])
    document["state"]["n_turns"] = cards
    return state.game.state_from_json(json.dumps(document))


def thrown(state: aiplay.State, stream: RandomStream, helped: int | None) -> aiplay.State:
    """Return the state after a chance decision; the helped seat throws again after a triple 0."""
    while True:
        after = state.copy()
        move = after.play_chance(stream)
        if state.fields["seat"] != helped or state.move_text(move) != TRIPLE_0:
            return after


def play_group(spec: str, given: Help, seed: int) -> float:
    """Return the player's mean result of three games, one on each seat; a third for a player of equal strength."""
    game = aiplay.load_game("three_magicians", players=3)
    got = 0.0
    for seat in range(game.seats):
        stream = RandomStream(seed)
        players = [
            aiplay.make_player(spec if at == seat else RIVAL, seed=seed_below(seed, at))
            for at in range(game.seats)
        ]
        state = game.new_state()
        state.play_chance(stream)  # who begins
        state = head_start(state, seat, given.cards, stream)
        while not state.is_over:
            if state.to_move == aiplay.CHANCE:
                state = thrown(state, stream, seat if given.throws_again else None)
            else:
                state.play(players[state.to_move].choose(state.view(state.to_move)))
        got += state.returns()[seat]
    return got / game.seats


def measure(pool: ProcessPoolExecutor, spec: str, given: Help, seeds: list[int]) -> str:
    """Return one row of the result."""
    scores = []
    for score in pool.map(partial(play_group, spec, given), seeds, chunksize=5):
        scores.append(score)
        if sys.stderr.isatty():
            print(f"\r{len(scores)} of {len(seeds)} groups", end="\r", file=sys.stderr, flush=True)
    low, high = score_interval(scores)
    mean = sum(scores) / len(scores)
    return f"| `{spec}` | {given.name} | {mean:.1%} | {low:.1%} to {high:.1%} | {3 * len(scores)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="+", help="player specifications, each against two greedy players")
    parser.add_argument("--groups", type=int, default=200, help="groups of three games for each row (200)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the throws (1)")
    args = parser.parse_args()
    if args.groups < 1:
        parser.error(f"--groups is {args.groups}; at least 1")
    seeds = [seed_below(args.seed, group) for group in range(args.groups)]
    print("| player | help | wins | 95 % interval | games |\n| --- | --- | --- | --- | --- |")
    with ProcessPoolExecutor(args.jobs) as pool:
        for spec in args.players:
            for given in HELPS:
                print(measure(pool, spec, given, seeds), flush=True)


if __name__ == "__main__":
    main()
