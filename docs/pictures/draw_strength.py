"""Strength against time, as a picture: ``python docs/pictures/draw_strength.py`` draws strength_time.json.

The figures are made by bench/strength_time.py. Needs matplotlib (the extra ``report``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
COLUMNS = 3
COLOURS = {"mcts": "#3b5bdb", "expectimax": "#e8590c", "mixed": "#2b8a3e"}


def draw(rows: list[dict[str, Any]], file: Path) -> None:
    """Draw one panel for each game, one curve for each player."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "aiplay"  # the same file from the same figures
    from matplotlib import pyplot

    games = list(dict.fromkeys(row["game"] for row in rows))
    n_lines = -(-len(games) // COLUMNS)
    size = (3.4 * min(len(games), COLUMNS), 3.4 * n_lines)
    figure, grid = pyplot.subplots(n_lines, min(len(games), COLUMNS), figsize=size, squeeze=False)
    for panel in grid.flat[len(games) :]:
        panel.remove()
    for panel, game in zip(grid.flat, games, strict=False):
        mine = [row for row in rows if row["game"] == game]
        for player in dict.fromkeys(row["player"] for row in mine):
            _curve(panel, player, [row for row in mine if row["player"] == player])
        panel.axhline(50, color="#868e96", linewidth=0.8, linestyle=":")
        panel.set(
            xscale="log", title=f"{game}\nagainst {mine[0]['reference']}", xlabel="ms of one core per move"
        )
        ticks = [tick for tick in (0.1, 1, 10, 100, 1000) if tick >= min(row["milliseconds"] for row in mine)]
        panel.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        panel.minorticks_off()
        panel.title.set_size(9)
        panel.legend(fontsize=8, loc="best")
    for line in grid:
        line[0].set_ylabel("score, %, with 95 % intervals")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


def _curve(panel: Any, player: str, rows: list[dict[str, Any]]) -> None:
    rows = sorted(rows, key=lambda row: row["milliseconds"])
    x, y = [row["milliseconds"] for row in rows], [100 * row["score"] for row in rows]
    low = [max(0.0, 100 * (row["score"] - row["low"])) for row in rows]
    high = [max(0.0, 100 * (row["high"] - row["score"])) for row in rows]
    panel.errorbar(
        x, y, yerr=(low, high), marker="o", markersize=4, capsize=2, color=COLOURS[player], label=player
    )


if __name__ == "__main__":
    draw(json.loads((FOLDER / "strength_time.json").read_text()), FOLDER / "strength_time.svg")
