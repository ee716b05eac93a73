"""The most games that a perfect value could save: ``python bench/chance_share.py --game levitation``.

`aiplay duel --adjust` takes the luck of dice and cards out of scores. What is left, even with a perfect value, is the
luck of the players' own choices: bots that search choose at random between moves of much the same worth. This script
estimates both parts of the variance of results, for a player against itself with two seats:

- At every run of chance events of a game, some other outcomes are drawn, and from each of them some games are played
  out. The variance between outcomes, less what the few games say by accident, is the part of this run (analysis of
  variance; unbiased, also with two games). The sum over the runs of a game is the part of chance.
- Deals are played twice, with seats exchanged, as in a duel. The variance of the mean of both games is what a duel has
  to average away; it is smaller than half of that of one game if both seats get the same luck.

The choices of the two games of a deal are independent, so no adjustment for chance leaves less than half of the part
of choices. The bound is the variance of a deal divided by that.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from statistics import fmean, stdev, variance

import aiplay
from aiplay._core.stream import seed_below


class Club:
    """Plays games of one player against itself, each with new seeds."""

    def __init__(self, game: aiplay.Game, spec: str, seed: int) -> None:
        self.game, self.spec, self.seed = game, spec, seed
        self.stream = aiplay.RandomStream(seed_below(seed, 0))
        self.games = 0

    def finish(self, state: aiplay.State) -> float:
        """Play a game to its end; return the result of seat 0, from 0 to 1."""
        for _ in self.positions(state):
            pass
        span = self.game.max_return - self.game.min_return
        return (state.returns()[0] - self.game.min_return) / span

    def positions(self, state: aiplay.State) -> Iterator[aiplay.State]:
        """Play a game to its end, and yield the positions before its runs of chance events."""
        self.games += 1
        seed = seed_below(self.seed, self.games)
        players = [aiplay.make_player(self.spec, seed=seed_below(seed, seat)) for seat in range(2)]
        while not state.is_over:
            if state.to_move == aiplay.CHANCE:
                yield state.copy()
                self.throw(state)
            else:
                state.play(players[state.to_move].choose(state.view(state.to_move)))

    def throw(self, state: aiplay.State) -> None:
        """Let chance decide until a seat decides."""
        while not state.is_over and state.to_move == aiplay.CHANCE:
            state.play_chance(self.stream)


def part_of_run(club: Club, before: aiplay.State, outcomes: int, games: int) -> float:
    """Return an unbiased estimate of the variance of the odds between the outcomes of a run of chance events."""
    means, within = [], []
    for _ in range(outcomes):
        after = before.copy()
        club.throw(after)
        results = [club.finish(after.copy()) for _ in range(games)]
        means.append(fmean(results))
        within.append(variance(results))
    return variance(means) - fmean(within) / games


def score_of_deal(game: aiplay.Game, spec: str, deal: int) -> tuple[float, float]:
    """Return the results of the first player in both games of a deal."""
    found = []
    for seat in range(2):
        players = [aiplay.make_player(spec, seed=seed_below(deal, 2 * seat + k)) for k in range(2)]
        returns = aiplay.play_game(aiplay.Table(game, seed=deal), players)
        found.append((returns[seat] - game.min_return) / (game.max_return - game.min_return))
    return found[0], found[1]


def shown(name: str, values: list[float]) -> float:
    """Print a mean with its standard error, and return it."""
    mean = fmean(values)
    print(f"{name:48} {mean:.4f} ± {stdev(values) / math.sqrt(len(values)):.4f}")
    return mean


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="levitation")
    parser.add_argument("--player", default="mcts:iterations=100")
    parser.add_argument("--games", type=int, default=30, help="games whose chance events are looked at (30)")
    parser.add_argument("--outcomes", type=int, default=6, help="of each run of chance events (6)")
    parser.add_argument("--continued", type=int, default=6, help="games from each outcome (6)")
    parser.add_argument("--deals", type=int, default=1000, help="deals for the variance of a duel (1000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = aiplay.load_game(given.game)
    club = Club(game, given.player, given.seed)
    parts = []
    for number in range(given.games):
        runs = list(club.positions(game.new_state()))
        parts.append(sum(part_of_run(club, run, given.outcomes, given.continued) for run in runs))
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {given.games} games ", end="", file=sys.stderr, flush=True)
    deals = [
        score_of_deal(game, given.player, seed_below(seed_below(given.seed, 1), k))
        for k in range(given.deals)
    ]
    single = variance([score for deal in deals for score in deal])
    paired = [fmean(deal) for deal in deals]
    middle = fmean(paired)
    chance = shown("variance of results that chance decides", parts)
    print(f"{'variance of the result of a game':48} {single:.4f}")
    of_deal = shown("variance of the score of a deal of two games", [(one - middle) ** 2 for one in paired])
    choices = single - chance
    print(f"{'share of chance in a game':48} {chance / single:.0%}")
    print(f"{'most games saved, single games':48} {single / choices:.2f}")
    print(f"{'most games saved, deals of two games':48} {of_deal / (choices / 2):.2f}")


if __name__ == "__main__":
    main()
