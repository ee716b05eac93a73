"""Properties of games under random play: ``python bench/survey.py [three_magicians players=2 pig ...]``.

Without names every game is surveyed with its default options; ``option=value`` belongs to the game named before it.
Per game: moves (chance included) and decisions of seats on average, the longest game, legal moves of a decision on
average and at most, the share of games ended by a cap on turns, random moves per second on one core, time to sample a
world from a view (games with hidden information only), bytes of a state, and mean returns of every seat. Times are
processor times, the best of five rounds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import aiplay
from aiplay._core.measure import play_out, random_games, sample_worlds, survey
from aiplay.speed import middle_of_a_game

# True for a finished game that was ended by its cap on turns.
CAPS: dict[str, Callable[[Any, Any], bool]] = {
    "illusio": lambda fields, options: fields["turn"] >= options["turn_cap"] * options["players"],
    "magic_rabbit": lambda fields, options: fields["n_turns"] >= (options["turns"] or 200),
    "pig": lambda fields, options: fields["n_decisions"] >= options["horizon"],
    "three_magicians": lambda fields, options: fields["n_turns"] >= options["turn_cap"],
}
FACTS = ("moves", "decisions", "longest", "branching", "widest", "capped")
COLUMNS = ("game", *FACTS, "M moves/s", "µs/world", "bytes", "returns")
WORLDS = 20_000  # sampled per round


def parse(words: list[str]) -> list[tuple[str, dict[str, str]]]:
    """Return names of games, each with the options that follow it."""
    found: list[tuple[str, dict[str, str]]] = []
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            found.append((name, {}))
        elif found:
            found[-1][1][name] = value
        else:
            raise SystemExit(f"{word!r} comes before the name of a game")
    return found or [(name, {}) for name in aiplay.game_names()]


def capped(game: aiplay.Game, games: int, seed: int) -> float | None:
    """Return the share of random games ended by the cap on turns; None for a game without one.

    A game that is won in the last turn before the cap counts as ended by it.
    """
    if game.name not in CAPS:
        return None
    stream, n_capped = aiplay.RandomStream(seed), 0
    for _ in range(games):
        state = game.new_state()
        play_out(state, stream)
        n_capped += bool(CAPS[game.name](state.fields, game.options))
    return n_capped / games


def best_rate(work: Callable[[int], int]) -> float:
    """Return the units of work per processor second, the best of five rounds; `work(round)` returns their number."""
    best = 0.0
    for turn in range(5):
        started = time.process_time()
        n_done = work(turn)
        best = max(best, n_done / (time.process_time() - started))
    return best


def worlds_per_second(game: aiplay.Game, seed: int) -> float | None:
    """Return worlds per second, sampled from a view in the middle of a game; None if nothing is hidden."""
    if not game.has_hidden:
        return None
    state = middle_of_a_game(game)
    view = state.view(state.to_move)

    def work(turn: int) -> int:
        sample_worlds(view, WORLDS, seed + turn)
        return WORLDS

    return best_rate(work)


def look(name: str, options: dict[str, str], games: int, seed: int) -> dict[str, Any]:
    """Return all figures of a game."""
    game = aiplay.load_game(name, **options)
    state = game.new_state()
    facts = survey(state, games, seed)
    return {
        "game": " ".join([name, *(f"{key}={value}" for key, value in options.items())]),
        **facts,
        "capped": capped(game, games, seed),
        "moves_per_second": best_rate(lambda turn: random_games(state, games, seed + turn)),
        "worlds_per_second": worlds_per_second(game, seed),
        "state_size": game.state_size,
    }


def row(facts: dict[str, Any]) -> list[str]:
    """Return the figures as cells of a row."""
    share, worlds = facts["capped"], facts["worlds_per_second"]
    return [
        facts["game"],
        f"{facts['moves']:.1f}",
        f"{facts['decisions']:.1f}",
        f"{facts['longest']}",
        f"{facts['branching']:.2f}",
        f"{facts['widest']}",
        "-" if share is None else f"{share:.1%}",
        f"{facts['moves_per_second'] / 1e6:.1f}",
        "-" if worlds is None else f"{1e6 / worlds:.3f}",
        f"{facts['state_size']}",
        " ".join(f"{mean:.3f}" for mean in facts["returns"]),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="names of games, each with its options: pig players=3")
    parser.add_argument("--count", type=int, default=1000, help="random games of each (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print JSON, one object per game")
    arguments = parser.parse_args()
    rows = []
    for name, options in parse(arguments.games):
        facts = look(name, options, arguments.count, arguments.seed)
        if arguments.json:
            print(json.dumps(facts), flush=True)
        rows.append(row(facts))
    if not arguments.json:
        print("| " + " | ".join(COLUMNS) + " |")
        print("| " + " | ".join("---" for _ in COLUMNS) + " |")
        for cells in rows:
            print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
