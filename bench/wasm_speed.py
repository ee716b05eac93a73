"""Speed in WebAssembly relative to native. `python bench/wasm_speed.py [--rounds 5] [--json]`.

Needs the wheel (`python tools/wasm`) and Node.js. The same program runs in Pyodide in Node.js and natively. Processor
times, the best of all rounds: other work on the machine only ever takes time away.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from aiplay.registry import GAMES

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from wasm import PythonInNode

PROGRAM = """
import json, time
import aiplay
try:
    from js import process  # Node.js

    def clock():
        usage = process.cpuUsage()
        return (usage.user + usage.system) / 1e6
except ImportError:
    clock = time.process_time

found = {{}}
for name in {games!r}:
    table, player = aiplay.Table(aiplay.load_game(name), seed=1), aiplay.make_player("random", seed=1)
    while len(table.legal_moves()) < 2:
        table.play(player.choose(table.view(table.to_move)))
    view = table.view(table.to_move)
    rates = []
    for _ in range({rounds}):
        began = clock()
        analysis = aiplay.make_player("mcts:time=1", seed=1).analyse(view)
        rates.append(analysis.iterations / (clock() - began))
    found[name] = max(rates)
print(json.dumps(found))
"""


def main() -> None:
    """Print a row for each game."""
    parser = argparse.ArgumentParser(description="Speed in WebAssembly relative to native.")
    parser.add_argument("--rounds", type=int, default=5, help="searches of each game")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    program = PROGRAM.format(games=list(GAMES), rounds=given.rounds)
    with tempfile.TemporaryDirectory() as folder:
        there = PythonInNode(Path(folder)).run(program)
    here = json.loads(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout)
    if given.json:
        print(json.dumps({"wasm": there, "native": here}))
        return
    print("| game | native, k iterations/s | browser, k iterations/s | ratio |\n| --- | --- | --- | --- |")
    for name, rate in here.items():
        print(f"| `{name}` | {rate / 1000:.0f} | {there[name] / 1000:.0f} | {there[name] / rate:.2f} |")


if __name__ == "__main__":
    main()
