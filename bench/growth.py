"""How the cost of an iteration of mcts grows with its tree: `python bench/growth.py [--json] [--plot docs/growth.svg]`.

Searches one position of every game until the tree has 20,000 to a million nodes (or as many iterations are made:
small games have no more nodes), each time in a fresh process, all in turn. Prints the processor time of an iteration,
averaged over the whole search, and the memory that a node takes with its edges; the best of all rounds counts. The
positions are those of compare.py.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path

from compare import GAMES, SEED, position

import aiplay

SIZES = (20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
OPTIONS = "memory=4096,reuse=no"
WANTED = 1.5  # times the cost at the smallest size

Figures = dict[str, float]
Found = dict[str, dict[int, Figures]]


def search(name: str, size: int) -> Figures:
    """Search once in this process, which has searched nothing large before."""
    view = position(aiplay, name, {})
    aiplay.make_player(f"mcts:nodes=100,{OPTIONS}", seed=SEED).analyse(view)
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    analysis = aiplay.make_player(f"mcts:nodes={size},{OPTIONS}", seed=SEED).analyse(view)
    seconds = time.process_time() - started
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {
        "ns": 1e9 * seconds / analysis.iterations,
        "nodes": analysis.nodes,
        "bytes": 1024 * kilobytes / analysis.nodes,
    }


def measure(games: list[str], sizes: list[int], rounds: int) -> Found:
    """Return the best figures of every game and size."""
    found: Found = {game: {} for game in games}
    for _ in range(rounds):
        for game in games:
            for size in sizes:
                command = [sys.executable, __file__, "--search", game, str(size)]
                figures = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
                best = found[game].get(size, figures)
                found[game][size] = figures if figures["ns"] < best["ns"] else best
            print(f"{game} ...", file=sys.stderr)
    return found


def growth(rows: dict[int, Figures]) -> float:
    """The cost at the largest size as a multiple of that at the smallest."""
    return rows[max(rows)]["ns"] / rows[min(rows)]["ns"]


def print_grid(found: Found) -> None:
    """Print a table in Markdown."""
    sizes = sorted(next(iter(found.values())))
    print(f"| game | {' | '.join(f'{size:,}' for size in sizes)} | growth | nodes | bytes per node |")
    print("| --- " * (len(sizes) + 4) + "|")
    for game, rows in found.items():
        last = rows[sizes[-1]]
        cells = [f"{rows[size]['ns']:,.0f}" for size in sizes]
        cells += [f"{growth(rows):.2f}", f"{last['nodes']:,.0f}"]
        cells += [f"{last['bytes']:.0f}" if last["nodes"] > sizes[0] else "-"]
        print(f"| `{game}` | {' | '.join(cells)} |")


def plot(found: Found, file: Path) -> None:
    """Draw the cost of an iteration, as a multiple of that at the smallest size, against the size."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "aiplay"  # the same file from the same figures
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for game, rows in found.items():
        sizes = sorted(rows)
        ratios = [rows[size]["ns"] / rows[sizes[0]]["ns"] for size in sizes]
        axes.plot(sizes, ratios, marker="o", markersize=3, label=f"{game}, {rows[sizes[0]]['ns']:,.0f} ns")
    axes.axhline(WANTED, color="grey", linewidth=0.8, linestyle="--")
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_ylim(0.8, math.ceil(2 * max(growth(rows) for rows in found.values())) / 2)
    axes.set_xlabel("nodes (iterations if the tree has fewer)")
    axes.set_ylabel(f"cost of an iteration / cost at {sizes[0]:,}")
    axes.legend(title="game, cost at the left", fontsize="small", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def main() -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(description="Measure how the cost of an iteration grows with the tree.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--plot", type=Path, help="draw the figures into this file (.svg, .png)")
    parser.add_argument("--game", action="append", choices=GAMES, help="one game; may be repeated (all)")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="nodes of the trees")
    parser.add_argument("--rounds", type=int, default=3, help="searches of each size (3)")
    parser.add_argument("--search", nargs=2, metavar=("GAME", "SIZE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.search:
        print(json.dumps(search(given.search[0], int(given.search[1]))))
        return
    found = measure(given.game or list(GAMES), given.sizes, given.rounds)
    if given.json:
        print(json.dumps(found, indent=2))
    else:
        print_grid(found)
    if given.plot:
        plot(found, given.plot)


if __name__ == "__main__":
    main()
