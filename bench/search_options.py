"""Worth of each option of the searching players: `python bench/search_options.py [--player mcts] [--game pig]`.

Every row is a player with one option changed against the same player without the change, in paired games: the same
opening, deal and dice, seats exchanged. First both have the same number of iterations or nodes. Then the changed player
gets as many as take the same processor time, which does not depend on other work of the machine. Prints Markdown.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from statistics import fmean, stdev

import aiplay
from aiplay.match.schedule import A, B, schedule_duel, seatings
from aiplay.match.scheduled import ScheduledGame
from aiplay.registry import split_spec

DEALS = {"connect_four": 300, "pig": 300, "leduc_poker": 2000}
OPENING = {"connect_four": 4}  # random stones first: without dice and cards all games would be the same
# Players without the advice and the playout policies of the games, for which the options were chosen: the rows show
# what these are worth.
PLAIN = {"mcts": {"connect_four": "prior=evaluate,playout=random", "leduc_poker": "cutoff=-1"}}
SAME = "="  # all games are the same, move for move, as without the change
NOISE = 0.05  # costs that are this close to 1 count as 1
ROUNDS = 7  # of the search for the limit at which a change costs nothing
MOST_TIMES = 100  # times the usual limit, at most


@dataclass(frozen=True)
class Change:
    """The difference between the two players."""

    option: str = ""
    both: str = ""  # options of both players
    more: int = 1  # times the limit of the other player
    longer: int = 1  # times the usual limit, for both
    deals: int | None = None  # instead of the usual number

    def title(self, limit: str) -> str:
        """The first cell of a row."""
        changed = [f"`{self.option.format(limit='N')}`"] if self.option else []
        changed += [f"{self.more} times the {limit}"] if self.more > 1 else []
        both = [f"`{self.both}`"] if self.both else []
        both += [f"{self.longer} times the {limit}"] if self.longer > 1 else []
        return ", ".join(changed) + (f" (both: {', '.join(both)})" if both else "")


@dataclass(frozen=True)
class Plan:
    """The measurements of a player."""

    limit: str  # the option that limits a search, if any
    limits: dict[str, int]  # its value in each game
    changes: tuple[Change, ...]


PLANS = {
    "mcts": Plan(
        "iterations",
        {"connect_four": 200, "pig": 100, "leduc_poker": 1000},
        (
            Change(more=4),
            Change("nodes={limit}"),
            Change("exploration=0.3"),
            Change("exploration=1.4"),
            Change("root_exploration=0.2"),
            Change("scale=no"),
            Change("scale=no", both="cutoff=0"),
            Change("fpu=0.5"),
            Change("fpu=0.5", both="prior=none"),
            Change("prior=none"),
            Change("prior_visits=8"),
            Change("prior_weight=0.5"),
            Change("prior_weight=8"),
            Change("widening=0"),
            Change("playout=greedy"),
            Change("playout=greedy", both="cutoff=8"),
            Change("epsilon=0"),
            Change("epsilon=0", both="playout=greedy,cutoff=8"),
            Change("cutoff=-1"),
            Change("cutoff=0"),
            Change("cutoff=0", longer=10, deals=100),
            Change("cutoff=0", longer=100, deals=40),
            Change("cutoff=8"),
            Change("cutoff=20"),
            Change("mode=single"),
            Change("mode=several"),
            Change("mode=pimc"),
            Change("worlds=8", both="mode=pimc"),
            Change("worlds=128", both="mode=pimc"),
            Change("solver=no"),
            Change("reuse=no"),
            Change("early_stop=no"),
            Change("trees=4"),
            Change("threads=2", both="trees=2", longer=20, deals=100),
            Change("threads=2", more=2, longer=20, deals=100),
            Change("memory=1", longer=200, deals=40),
        ),
    ),
    "expectimax": Plan(
        "nodes",
        {"connect_four": 2000, "pig": 2000, "leduc_poker": 2000},
        (
            Change(more=4),
            Change("depth=1"),
            Change("depth=3"),
            Change("worlds=4"),
            Change("worlds=16"),
            Change("worlds=256"),
            Change("opponents=maxn"),
            Change("opponents=paranoid"),
            Change("width=2"),
            Change("width=4"),
            Change("width=0"),
            Change("cutoff=0"),
            Change("pruning=none"),
            Change("pruning=alphabeta"),
            Change("pruning=star1"),
            Change("ordering=no"),
            Change("cache=0"),
            Change("cache=1"),
            Change("threads=2"),
        ),
    ),
    "greedy": Plan(
        "",
        {},
        (
            Change("worlds=1"),
            Change("worlds=4"),
            Change("worlds=64"),
            Change("samples=1"),
            Change("samples=4"),
            Change("samples=256"),
        ),
    ),
}


# ---- Games -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """One game; `decisions` and `seconds` (of processor time) of each side, forced moves left out."""

    score: float  # of side A
    moves: tuple[int, ...]
    decisions: tuple[int, int]
    seconds: tuple[float, float]


def opened_table(scheduled: ScheduledGame) -> aiplay.Table:
    """Return a table after the random opening, which is the same for all games of a deal."""
    table, stream = aiplay.Table(scheduled.game, seed=scheduled.seed), aiplay.RandomStream(scheduled.seed)
    for _ in range(OPENING.get(scheduled.game.name, 0)):
        table.play(stream.choice(table.legal_moves()))
    return table


def play(scheduled: ScheduledGame) -> Played:
    """Play one game."""
    table, seeds = opened_table(scheduled), aiplay.RandomStream(7 + scheduled.number)
    players = [aiplay.make_player(spec, seed=seeds.bits()) for spec in scheduled.specs]
    decisions, seconds = [0, 0], [0.0, 0.0]
    while not table.over:
        side, view = scheduled.seating[table.to_move], table.view(table.to_move)
        started = time.process_time()
        move = players[table.to_move].choose(view)
        if len(view.legal_moves()) > 1:
            seconds[side] += time.process_time() - started
            decisions[side] += 1
        table.play(move)
    returns = [value for value, side in zip(table.returns(), scheduled.seating, strict=True) if side == A]
    return Played(
        unit_of(scheduled.game)[1] * fmean(returns),
        table.moves,
        (decisions[A], decisions[B]),
        (seconds[A], seconds[B]),
    )


def unit_of(game: aiplay.Game) -> tuple[str, float]:
    """Return the unit of results, and its amount for a return of 1: chips, or per cent above an equal share."""
    return ("chips", 1.0) if game.name == "leduc_poker" else ("%", 100 * (game.seats - 1) / game.seats)


# ---- Duels -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """The lead of a player over the other, per game, with its standard error."""

    mean: float
    error: float
    cost: float  # processor time of a decision, as a multiple of the other's
    distinct: int  # deals whose games differ from those of all other deals
    is_same: bool  # the change changed no move
    digits: int

    def __str__(self) -> str:
        mean = round(self.mean, self.digits) + 0.0  # no -0.0
        return SAME if self.is_same else f"{mean:+.{self.digits}f} ± {self.error:.{self.digits}f}"


def duel(game: aiplay.Game, a: str, b: str, deals: int) -> Score:
    """Play paired games of a against b."""
    schedule = list(schedule_duel(game, (a, b), deals * len(seatings(game)), seed=7))
    played = [play(scheduled) for scheduled in schedule]
    by_deal: dict[int, list[Played]] = {}
    for scheduled, result in zip(schedule, played, strict=True):
        by_deal.setdefault(scheduled.deal, []).append(result)
    means = [fmean(result.score for result in deal) for deal in by_deal.values()]
    unit, of_one = unit_of(game)
    return Score(
        fmean(means),
        # If all deals had the same result: the effect of a single one that had not.
        max(stdev(means) / math.sqrt(deals), of_one / deals),
        cost=per_decision(played, A) / per_decision(played, B),
        distinct=len({tuple(result.moves for result in deal) for deal in by_deal.values()}),
        is_same=all(
            play(replace(scheduled, specs=(b,) * game.seats)).moves == result.moves
            for scheduled, result in zip(schedule, played, strict=True)
        ),
        digits=2 if unit == "chips" else 1,
    )


def per_decision(played: Iterable[Played], side: int) -> float:
    """Return the processor time of a side's decisions, in seconds each."""
    return sum(one.seconds[side] for one in played) / sum(one.decisions[side] for one in played)


# ---- Rows ------------------------------------------------------------------------------------------------------


def spec(player: str, limit: int, *options: str) -> str:
    """Return a player with the limit of its plan."""
    given = {PLANS[player].limit: str(limit)} if PLANS[player].limit else {}
    for option in filter(None, options):  # a later one replaces an earlier one
        given |= dict(part.split("=") for part in option.format(limit=limit).split(","))
    return f"{player}:{','.join('='.join(part) for part in given.items())}" if given else player


def cells(player: str, change: Change, name: str, deals: int | None) -> list[str]:
    """Return the cells of a row for one game: the result, the cost, and the result at equal time."""
    game_name, options = split_spec(name)
    game = aiplay.load_game(game_name, **options)
    deals = deals or change.deals or DEALS[game_name]
    limit = change.longer * PLANS[player].limits.get(game_name, 1)
    plain = PLAIN.get(player, {}).get(game_name, "")
    default = spec(player, limit, plain, change.both)

    def against_default(limit: int, deals: int) -> Score:
        return duel(game, spec(player, limit, plain, change.both, change.option), default, deals)

    equal = against_default(change.more * limit, deals)
    found = [str(equal), f"{equal.cost:.2f}"]
    if change.more > 1:
        found.append("-")
    elif PLANS[player].limit:
        fitting = fitting_limit(against_default, limit, equal.cost, max(2, deals // 5))
        timed = equal if fitting == limit else against_default(fitting, deals)
        found.append(str(timed))
        print(f"equal time: {fitting} {PLANS[player].limit}, cost {timed.cost:.2f}", file=sys.stderr)
    print(player, change.title("limit"), name, *found, f"{equal.distinct} of {deals} differ", file=sys.stderr)
    return found


def fitting_limit(against: Callable[[int, int], Score], limit: int, cost: float, deals: int) -> int:
    """Return the limit at which a change costs nothing, or as little as possible."""
    found, low, high = limit, 1, limit
    if cost < 1:
        low, high = limit, MOST_TIMES * limit
    for _ in range(ROUNDS):
        if abs(cost - 1) <= NOISE:
            break
        found = round(math.sqrt(low * high))
        cost = against(found, deals).cost
        low, high = (low, found) if cost > 1 else (found, high)
    return found


def print_rows(player: str, names: Iterable[str], option: str, deals: int | None) -> None:
    """Print all changes of one player, a row for each."""
    plan, heads = PLANS[player], ["option"]
    for name in names:
        heads += [f"{name}: {plan.limit}" if plan.limit else f"{name}: score", "cost"]
        heads += ["time"] if plan.limit else []
    print(f"\n| {' | '.join(heads)} |\n|{' --- |' * len(heads)}", flush=True)
    for change in plan.changes:
        if change.option.startswith(option):
            row = [cell for name in names for cell in cells(player, change, name, deals)]
            print(f"| {change.title(plan.limit)} | {' | '.join(row)} |", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the worth of options of searching players.")
    parser.add_argument("--player", choices=tuple(PLANS), action="append", help="only this player")
    parser.add_argument("--game", action="append", help="only this game, like pig:players=3")
    parser.add_argument("--option", default="", help="only the changes that start like this")
    parser.add_argument("--deals", type=int, help="deals for each figure")
    parser.add_argument("--pairs", type=int, dest="deals", help=argparse.SUPPRESS)  # the old name of --deals
    arguments = parser.parse_args()
    for player in arguments.player or PLANS:
        print_rows(player, arguments.game or tuple(DEALS), arguments.option, arguments.deals)


if __name__ == "__main__":
    main()
