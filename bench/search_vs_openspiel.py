"""mcts and OpenSpiel's C++ searches side by side: `python bench/search_vs_openspiel.py [--json] [--strength]`.

Speed: simulations per second from the first decision of a game, one thread, one random playout each, measured in turn
within one run by processor time; the best round of each counts. `--strength` plays paired games of connect four with
equal simulations instead: random openings, each one played twice with seats exchanged.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

import pyspiel

import aiplay
from aiplay.match.statistics import score_interval

BARE = "prior=none,cutoff=-1,playout=random,early_stop=no,reuse=no"  # as OpenSpiel's bot
UCT_C = 2.0  # as in OpenSpiel's examples, for returns from -1 to 1
MEMORY_MB = 1000
DEFAULTS = ", defaults"  # ends the name of a row with our player as it is, instead of as bare as OpenSpiel's
WANTED = {  # times as many simulations per second
    "connect_four": 10.0,
    f"connect_four{DEFAULTS}": 10.0,
    "pig": 5.0,
    "leduc_poker": 2.0,  # an iteration of ours descends twice (docs/search_figures.md)
}
OPENING = 4  # random moves


@dataclass
class Speed:
    """Simulations per second of both, the best of all rounds."""

    game: str
    wanted: float
    ours: float = 0.0
    theirs: float = 0.0

    @property
    def ratio(self) -> float:
        """Our rate as a multiple of theirs."""
        return self.ours / self.theirs


@dataclass
class Match:
    """Paired games: the score of our player in each deal."""

    spec: str
    simulations: int
    scores: list[float] = field(default_factory=list)

    def summary(self) -> dict[str, object]:
        """Return the score with its 95 % interval."""
        low, high = score_interval(self.scores)
        return {
            "ours": self.spec,
            "theirs": f"MCTSBot, {self.simulations} simulations, uct_c {UCT_C}, solver",
            "games": 2 * len(self.scores),
            "score": sum(self.scores) / len(self.scores),
            "low": low,
            "high": high,
        }


# ---- Speed --------------------------------------------------------------------------------------------------


def their_search(name: str, simulations: int) -> Callable[[int], None]:
    """Return a search of OpenSpiel from the first decision of a seat."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    def search(seed: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
            bot = pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, MEMORY_MB, True, seed, False)
        else:
            bot = pyspiel.ISMCTSBot(seed, evaluator, UCT_C, simulations)
        bot.step(state)

    return search


def our_search(name: str, simulations: int, *, is_bare: bool) -> Callable[[int], None]:
    """Return the same search of ours, or that of our player with its defaults."""
    state = aiplay.load_game(name).new_state()
    while state.to_move == aiplay.CHANCE:
        state.play(state.legal_moves()[0])
    view = state.view(state.to_move)

    def search(seed: int) -> None:
        spec = f"mcts:iterations={simulations},memory={MEMORY_MB}" + (f",{BARE}" if is_bare else "")
        analysis = aiplay.make_player(spec, seed=seed).analyse(view)
        assert analysis.iterations == simulations

    return search


def rate(search: Callable[[int], None], simulations: int, seed: int) -> float:
    """Return simulations per second of processor time."""
    started = time.process_time()
    search(seed)
    return simulations / (time.process_time() - started)


def measure_speed(games: list[str], simulations: int, rounds: int) -> list[Speed]:
    """Measure some games, both sides in turn."""
    results = []
    for row in games:
        speed, name = Speed(row, WANTED[row]), row.removesuffix(DEFAULTS)
        ours = our_search(name, simulations, is_bare=name == row)
        theirs = their_search(name, simulations)
        for seed in range(rounds):
            speed.theirs = max(speed.theirs, rate(theirs, simulations, seed))
            # Our search is short: several of them, to measure both for about the same time.
            for repeat in range(5):
                speed.ours = max(speed.ours, rate(ours, simulations, 5 * seed + repeat))
        results.append(speed)
    return results


# ---- Strength ---------------------------------------------------------------------------------------------------


def opening(seed: int) -> list[int]:
    """Return random first moves, too few to end a game."""
    source = random.Random(seed)
    return [source.randrange(7) for _ in range(OPENING)]


def play(spec: str, simulations: int, seed: int, our_seat: int) -> float:
    """Play one game from a random opening; return the score of our player, 0 to 1."""
    ours = aiplay.load_game("connect_four").new_state()
    game = pyspiel.load_game("connect_four")
    theirs = game.new_initial_state()
    for move in opening(seed):
        ours.play(move)
        theirs.apply_action(move)
    player = aiplay.make_player(spec, seed=seed)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, MEMORY_MB, True, seed, False)
    while not ours.is_over:
        seat = ours.to_move
        move = player.choose(ours.view(seat)) if seat == our_seat else bot.step(theirs)
        ours.play(move)
        theirs.apply_action(move)
    return (ours.returns()[our_seat] + 1) / 2


def play_match(spec: str, simulations: int, games: int) -> Match:
    """Play paired games from random openings."""
    match = Match(spec, simulations)
    for seed in range(games // 2):
        match.scores.append(sum(play(spec, simulations, seed, seat) for seat in (0, 1)) / 2)
        if seed % 20 == 19:
            print(f"{2 * seed + 2} games ...", file=sys.stderr)
    return match


# ---- The run ----------------------------------------------------------------------------------------------------


def print_speed(results: list[Speed], simulations: int) -> None:
    print(
        f"{f'{simulations:,} simulations':<24} {'OpenSpiel/s':>12} {'aiplay/s':>12} {'ratio':>8} {'wanted':>8}"
    )
    for speed in results:
        missed = "" if speed.ratio >= speed.wanted else "  missed"
        print(
            f"{speed.game:<24} {speed.theirs:>12,.0f} {speed.ours:>12,.0f} {speed.ratio:>7.1f}x"
            f" {speed.wanted:>7.0f}x{missed}"
        )


def print_strength(match: Match) -> None:
    result = match.summary()
    print(f"{result['ours']}\n  against {result['theirs']}")
    print(
        f"  {result['games']} games: {result['score']:.3f} (95 %: {result['low']:.3f} to {result['high']:.3f})",
        flush=True,
    )


def measure_strength(simulations: int, games: int, is_json: bool) -> None:
    """Play with our player as bare as theirs, then with its defaults."""
    matches = []
    for options in (f",{BARE}", ""):
        matches.append(play_match(f"mcts:iterations={simulations}{options}", simulations, games))
        if not is_json:
            print_strength(matches[-1])
    if is_json:
        print(json.dumps({"strength": [match.summary() for match in matches]}, indent=2))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Compare mcts with OpenSpiel's searches.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--strength", action="store_true", help="play connect four instead")
    parser.add_argument("--game", action="append", choices=WANTED, help="one game; may be repeated (all)")
    parser.add_argument("--simulations", type=int, help="per search (20000; with --strength 1000)")
    parser.add_argument("--rounds", type=int, default=7, help="measurements of speed (7)")
    parser.add_argument("--games", type=int, default=400, help="games of a match (400)")
    arguments = parser.parse_args()
    if arguments.strength:
        measure_strength(arguments.simulations or 1000, arguments.games, arguments.json)
        return
    simulations = arguments.simulations or 20_000
    results = measure_speed(arguments.game or list(WANTED), simulations, arguments.rounds)
    if arguments.json:
        speeds = [{**asdict(speed), "ratio": speed.ratio} for speed in results]
        print(json.dumps({"simulations": simulations, "speed": speeds}, indent=2))
    else:
        print_speed(results, simulations)


if __name__ == "__main__":
    main()
