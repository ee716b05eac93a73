"""Everyone against everyone at equal time: ``python bench/strength_matrix.py --results docs/strength_matrix.json``.

In every competitive game, at several numbers of seats, any two players meet in a duel. Time is processor time on a free
core, as in ``strength_time.py``: first the speed of a player is measured (iterations or nodes per second of processor
time), then it plays with as many of them as fit into the time. So other work on the machine changes nothing. A duel
ends early once it is clear that one player is better by 100 Elo (SPRT).

Every finished duel is written to the results file, and duels in the file are not played again: the same command
continues a run that was stopped. ``--table`` plays nothing. Both print the tables for docs/strength.md, and compare
complete ones with the players that `aiplay profile` recommends.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

import aiplay
from aiplay._core.search.regret.probes import decisions_of
from aiplay.match import Duel
from aiplay.players.mcts import chosen_mode
from aiplay.players.mixed import LONG, PROBES
from aiplay.profile import Effort, advise
from aiplay.profile.sampling import SEARCHES, choices_of, facts_of
from aiplay.registry import make_player
from aiplay.speed import measure_speed

OPEN = ("random", "greedy", "expectimax", "mcts")
MODES = ("single", "several", "pimc")
CLEAR = (-100.0, 100.0)  # Elo: a duel ends when it is between these no longer
Row = dict[str, Any]
Cells = dict[tuple[str, str], tuple[float, float, float]]
SAMPLE = "mcts:iterations=50"  # plays the games that a recommendation is made from, as in `aiplay profile`


def competitive() -> Iterator[tuple[str, int]]:
    """Yield game and seats: of every competitive game the fewest seats, the most, and the middle; the fewest first."""
    found = []
    for name in aiplay.game_names():
        game = aiplay.load_game(name)
        low, high = game.seat_range
        if not game.is_cooperative:
            found += [(name, seats) for seats in sorted({max(low, 2), (low + high) // 2, high})]
    yield from sorted(found, key=lambda pair: pair[1])


def players_of(game: aiplay.Game) -> tuple[str, ...]:
    """Return the players of a game, without those that would play just like `mcts` does by default."""
    if not game.has_hidden:
        return OPEN
    modes = [mode for mode in MODES if mode != chosen_mode(game, "auto")]
    is_short = decisions_of(game, PROBES, LONG) <= LONG
    return (*OPEN, *(f"mcts:mode={mode}" for mode in modes), *(["mixed"] if is_short else []))


def load(name: str, seats: int) -> aiplay.Game:
    game = aiplay.load_game(name)
    return game if game.seats == seats else aiplay.load_game(name, players=seats)


@cache
def limited(name: str, seats: int, player: str, milliseconds: float) -> str:
    """Return a player with as many iterations or nodes as fit into the time; one that does not search as it is."""
    if make_player(player).iterations_spent is None:
        return player
    measured = measure_speed(load(name, seats), (player,)).players[0]
    limit = f"{measured.unit}={max(1, round(measured.per_second * milliseconds / 1000))}"
    return f"{player}{',' if ':' in player else ':'}{limit}"


def measure(name: str, seats: int, players: tuple[str, str], arguments: argparse.Namespace) -> Row:
    a, b = (limited(name, seats, player, arguments.milliseconds) for player in players)
    summary = Duel(load(name, seats), a, b, arguments.games, arguments.seed, CLEAR).play()
    return {
        "game": name,
        "seats": seats,
        "a": players[0],
        "b": players[1],
        "a_spec": a,
        "b_spec": b,
        "games": summary.games,
        "score": round(summary.a_score, 4),
        "low": round(summary.a_score_low, 4),
        "high": round(summary.a_score_high, 4),
    }


def duels() -> Iterator[tuple[str, int, tuple[str, str]]]:
    """Yield game, seats and two players."""
    for name, seats in competitive():
        for pair in combinations(players_of(load(name, seats)), 2):
            yield name, seats, pair


# ---- Tables --------------------------------------------------------------------------------------------------


def tables(rows: list[Row]) -> Iterator[str]:
    """Yield the lines of a table for each game and number of seats: the score of a row against a column."""
    for name, seats in dict.fromkeys((row["game"], row["seats"]) for row in rows):
        here = [row for row in rows if (row["game"], row["seats"]) == (name, seats)]
        players = list(dict.fromkeys(player for row in here for player in (row["a"], row["b"])))
        cells = cells_of(here)
        yield f"### {name}, {seats} seats"
        yield ""
        yield ("| " + " | ".join(["", *(f"`{one}`" for one in players), "mean"]) + " |")
        yield "| --- " * (len(players) + 2) + "|"
        for one in sorted(players, key=lambda player: -mean(cells, player)):
            shown = [shown_cell(cells.get((one, other))) for other in players]
            yield f"| `{one}` | " + " | ".join(shown) + f" | {100 * mean(cells, one):.0f} |"
        yield ""


def cells_of(rows: list[Row]) -> Cells:
    """Return score and interval of every player against every other."""
    cells = {(row["a"], row["b"]): (row["score"], row["low"], row["high"]) for row in rows}
    return cells | {(b, a): (1 - score, 1 - high, 1 - low) for (a, b), (score, low, high) in cells.items()}


def mean(cells: Cells, player: str) -> float:
    """Return the mean score of a player against all others."""
    scores = [score for (one, _), (score, _, _) in cells.items() if one == player]
    return sum(scores) / len(scores)


def shown_cell(cell: tuple[float, float, float] | None) -> str:
    """Return a score in per cent, in bold if one half is outside its interval."""
    if cell is None:
        return ""
    score, low, high = cell
    text = f"{100 * score:.0f}"
    return text if low <= 0.5 <= high else f"**{text}**"


# ---- Recommendations -----------------------------------------------------------------------------------------


def comparison(rows: list[Row], seed: int) -> Iterator[str]:
    """Yield the lines of a table: the recommended player of every complete matrix, and the best ones of it."""
    yield "| game | seats | recommended | score against the others, at least | best by mean score | agree |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, seats in dict.fromkeys((row["game"], row["seats"]) for row in rows):
        here = [row for row in rows if (row["game"], row["seats"]) == (name, seats)]
        if len(here) == len(list(combinations(players_of(load(name, seats)), 2))):
            yield compared(name, seats, here, seed)


def compared(name: str, seats: int, rows: list[Row], seed: int) -> str:
    """Return a row: the recommendation agrees if no other player is certainly better."""
    cells, player = cells_of(rows), recommended(load(name, seats), rows, seed)
    best = max(dict.fromkeys(one for one, _ in cells), key=lambda one: mean(cells, one))
    others = {other: cell for (one, other), cell in cells.items() if one == player}
    hardest = min(others, key=lambda other: others[other])
    is_beaten = any(high < 0.5 for _, _, high in others.values())
    worst = f"{100 * others[hardest][0]:.0f} % against `{hardest}`"
    return f"| `{name}` | {seats} | `{player}` | {worst} | `{best}` | {'no' if is_beaten else 'yes'} |"


def recommended(game: aiplay.Game, rows: list[Row], seed: int) -> str:
    """Return the player that `aiplay profile` recommends, with the nodes of the matrix instead of a time."""
    sample = Duel(game, SAMPLE, SAMPLE, 4, seed)
    sample.play()
    spec = next(row[f"{side}_spec"] for row in rows for side in "ab" if row[side] == "expectimax")
    views = [state.view(state.to_move) for state in choices_of(sample, SEARCHES)]
    depth = median(make_player(spec, seed=seed).analyse(view).depth for view in views)
    return advise(game, facts_of(sample, seed), Effort(0.0, 0, depth)).player


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="JSON file of finished duels")
    parser.add_argument("--milliseconds", type=float, default=10.0, help="of one core, per move (10)")
    parser.add_argument("--games", type=int, default=40, help="of a duel (40)")
    parser.add_argument("--seed", type=int, default=25)
    parser.add_argument("--table", action="store_true", help="print the tables, play nothing")
    given = parser.parse_args()
    rows: list[Row] = json.loads(given.results.read_text()) if given.results.exists() else []
    done = {(row["game"], row["seats"], row["a"], row["b"]) for row in rows}
    for name, seats, pair in () if given.table else duels():
        if (name, seats, *pair) not in done:
            started = time.process_time()
            rows.append(measure(name, seats, pair, given))
            rows[-1]["processor_seconds"] = round(time.process_time() - started, 1)
            given.results.write_text(json.dumps(rows, indent=1) + "\n")
            print(rows[-1], flush=True)
    print("\n".join(tables(rows)))
    print("\n".join(comparison(rows, given.seed)))


if __name__ == "__main__":
    main()
