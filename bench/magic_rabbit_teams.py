"""How often teams of Magic Rabbit succeed: ``python bench/magic_rabbit_teams.py convention greedy mcts:time=0.2``.

Every team plays the same deals, with one player for each seat, and is compared with the first team deal by deal. A team
is a player specification, or ``convention``: the game's ``playout_move``, which uses only what the seat can see.

With luck of the deal most teams differ by less than chance does. So every action is also compared with a perfect team
(``game.best_chance``): ``lost`` is the sum of what the actions of a deal cost on average, and a perfect team's chance
at the start less ``lost`` is the share of deals that the team wins in the long run.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time

import aiplay
from aiplay._core.games.magic_rabbit.state import ACTION, LIFT
from aiplay._core.stream import RandomStream, seed_below


class Convention:
    """Plays `playout_move` in a world of the view; which world makes no difference."""

    def __init__(self, seed: int) -> None:
        self.stream = RandomStream(seed)

    def choose(self, view):
        return view.sample_world(0).playout_move(self.stream)


def make(spec, seed):
    return Convention(seed) if spec == "convention" else aiplay.make_player(spec, seed=seed)


def outcomes(state, move):
    """Yield the states after a move for every rabbit that may be under a pile that nobody has lifted."""
    fields = state.to_fields()
    fresh = [pile for pile in range(state.game.options["piles"]) if not any(fields["lifted"][pile])]
    pile = move - LIFT - 1
    if pile not in fresh:  # a rabbit that somebody knows, or a switch: nothing is found out
        pile, fresh = 0, [0]
    for place in fresh:
        rabbits = list(fields["rabbits"])
        rabbits[pile], rabbits[place] = rabbits[place], rabbits[pile]
        after = state.game.state_from_fields({**fields, "rabbits": rabbits})
        after.play(move)
        yield after


def lost(state, move):
    """Return what an action costs a perfect team; moves of doves cost it nothing."""
    best = state.game.best_chance
    if state.fields["phase"] != ACTION:
        return 0.0
    return best(state) - statistics.fmean(best(after) for after in outcomes(state, move))


def play_deal(game, spec, seed, pace, losses):
    """Return True if the team succeeds with a deal; collect the seconds of every decision, and what it costs."""
    table = aiplay.Table(game, seed=seed)
    losses.append(0.0)
    players = [make(spec, seed_below(seed, seat + 1)) for seat in range(game.seats)]
    while not table.over:
        view = table.view(table.to_move)
        started = time.perf_counter()
        move = players[table.to_move].choose(view)
        pace.append(time.perf_counter() - started)
        losses[-1] += lost(table.state, move)
        table.play(move)
    return table.returns()[0] == 1


def interval(wins, n):
    """Return Wilson's 95 % interval of a share."""
    z = 1.96
    centre = (wins + z * z / 2) / (n + z * z)
    half = z * math.sqrt(wins * (n - wins) / n + z * z / 4) / (n + z * z)
    return centre - half, centre + half


def spread(values):
    """Return a mean with its 95 % interval."""
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values))
    mean = statistics.mean(values)
    return f"{mean:.2%} ({mean - half:.2%} to {mean + half:.2%})"


def compared(results, others):
    """Return how many more of the same deals a team wins than another, with its 95 % interval."""
    differences = [mine - theirs for mine, theirs in zip(results, others, strict=True)]
    half = 1.96 * statistics.stdev(differences) / math.sqrt(len(differences))
    mean = statistics.mean(differences)
    return f"{mean:+.1%} ({mean - half:+.1%} to {mean + half:+.1%}) against the first"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teams", nargs="+", help="player specifications, or convention")
    parser.add_argument("--deals", type=int, default=100, help="number of deals, at least 2 (100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first deal; the others follow (1)")
    parser.add_argument("--seats", type=int, default=2, help="seats of the team (2)")
    parser.add_argument("--piles", type=int, default=9, help="hats and rabbits (9)")
    parser.add_argument(
        "--turns", type=int, default=20, help="turns of all seats together; 0: no hourglass (20)"
    )
    parser.add_argument("--no-doves", action="store_true", help="play without doves")
    args = parser.parse_args()
    if args.deals < 2:
        parser.error(f"--deals is {args.deals}; at least 2")
    game = aiplay.load_game(
        "magic_rabbit", players=args.seats, piles=args.piles, turns=args.turns, doves=not args.no_doves
    )
    print(game, f"deals {args.seed} to {args.seed + args.deals - 1}")
    first: list[bool] = []
    for spec in args.teams:
        pace: list[float] = []
        losses: list[float] = []
        results = [play_deal(game, spec, args.seed + deal, pace, losses) for deal in range(args.deals)]
        first = first or results
        wins = sum(results)
        low, high = interval(wins, args.deals)
        print(
            f"{spec}: {wins} of {args.deals}, {wins / args.deals:.1%} ({low:.1%} to {high:.1%}), "
            f"{1000 * statistics.mean(pace):.2f} ms per decision, lost {spread(losses)}"
            + (f", {compared(results, first)}" if results is not first else ""),
            flush=True,
        )


if __name__ == "__main__":
    main()
