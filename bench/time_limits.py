"""Precision of time limits: ``python bench/time_limits.py --player mcts --game pig --busy 1``.

99 of 100 searches may end late by at most 5 ms or 2 % of the limit, whichever is more. Ending early is allowed if
everything is settled or only one move is legal. ``--busy`` starts processes that compute at the same time.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import time

import aiplay
from aiplay import Limit, RandomStream


def compute_for_ever() -> None:
    while True:
        math.sqrt(2.0)


def some_views(game: aiplay.Game, n: int, seed: int) -> list[aiplay.View]:
    """Return decisions with at least two moves from random games, early and late ones."""
    stream, views = RandomStream(seed), []
    while len(views) < n:
        state, wait = game.new_state(), stream.below(20)
        while not state.is_over:
            if state.to_move == aiplay.CHANCE:
                state.play_chance(stream)
                continue
            moves = state.legal_moves()
            if wait <= 0 and len(moves) > 1:
                views.append(state.view(state.to_move))
                break
            wait -= 1
            state.play(stream.choice(moves))
    return views


def lateness(spec: str, view: aiplay.View, seconds: float, seed: int) -> float:
    """Return the seconds between the limit and the answer."""
    player = aiplay.make_player(spec, seed=seed)
    started = time.perf_counter()
    player.choose(view, Limit(time=seconds))
    return time.perf_counter() - started - seconds


def report(spec: str, game: aiplay.Game, seconds: float, n: int) -> bool:
    late = sorted(lateness(spec, view, seconds, i) for i, view in enumerate(some_views(game, n, seed=1)))
    allowed = max(0.005, 0.02 * seconds)
    share = sum(x <= allowed for x in late) / n
    middle, high = late[n // 2], late[min(n - 1, math.ceil(0.99 * n) - 1)]
    print(
        f"{game.name:16} {seconds:6.3f} s  {n:5} searches  allowed {1e3 * allowed:6.1f} ms  median {1e3 * middle:7.2f}"
        f"  99 % {1e3 * high:7.2f}  worst {1e3 * late[-1]:7.2f}  in time {100 * share:5.1f} %",
        flush=True,
    )
    return share >= 0.99


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--player", default="expectimax", help="specification of a player that takes a time limit"
    )
    parser.add_argument("--game", action="append", help="one or more; default: the three reference games")
    parser.add_argument("--times", default="0.01,0.03,0.1,0.3,1", help="limits in seconds, with commas")
    parser.add_argument("--busy", type=int, default=0, help="other processes that compute at the same time")
    parser.add_argument("--seconds", type=float, default=20, help="approximate time to measure each limit")
    args = parser.parse_args()
    others = [multiprocessing.Process(target=compute_for_ever, daemon=True) for _ in range(args.busy)]
    for other in others:
        other.start()
    load = f", load average {os.getloadavg()[0]:.1f} of {os.cpu_count()}" if hasattr(os, "getloadavg") else ""
    print(f"{args.player}, {args.busy} busy processes beside it{load}")
    good = True
    for name in args.game or ("connect_four", "pig", "leduc_poker"):
        for seconds in map(float, args.times.split(",")):
            n = max(10, min(500, int(args.seconds / seconds)))
            good &= report(args.player, aiplay.load_game(name), seconds, n)
    for other in others:
        other.terminate()
        other.join()
    raise SystemExit(0 if good else "more than 1 % of the searches ended too late")


if __name__ == "__main__":
    main()
