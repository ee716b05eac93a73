"""Strength against time, as a picture: ``python docs/pictures/draw_strength.py`` draws strength_time.json.

The figures are made by bench/strength_time.py. Needs matplotlib (the extra ``report``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
COLOURS = {"mcts": "#3b5bdb", "expectimax": "#e8590c", "mixed": "#2b8a3e"}


def draw(rows: list[dict[str, Any]], file: Path) -> None:
    """Draw one panel for each game, one curve for each player."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "aiplay"  # the same file from the same figures
    from matplotlib import pyplot

    games = list(dict.fromkeys(row["game"] for row in rows))
    figure, panels = pyplot.subplots(1, len(games), figsize=(3.4 * len(games), 3.4), squeeze=False)
    for panel, game in zip(panels[0], games, strict=True):
        mine = [row for row in rows if row["game"] == game]
        for player in dict.fromkeys(row["player"] for row in mine):
            _curve(panel, player, [row for row in mine if row["player"] == player])
        panel.axhline(50, color="#868e96", linewidth=0.8, linestyle=":")
        panel.set(
            xscale="log", title=f"{game}\nagainst {mine[0]['reference']}", xlabel="ms of one core per move"
        )
        panel.set_xticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
        panel.minorticks_off()
        panel.title.set_size(9)
        panel.legend(fontsize=8, loc="best")
    panels[0][0].set_ylabel("score, %, with 95 % intervals")
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
