"""The npm package: types from the schema, and the engine in a worker of Node.js and of a real browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from wasm import ROOT, built_wheel, fetched, static_server, without

import aiplay
from aiplay.site.runtime import PYODIDE, default_cache

JS = ROOT / "js"
TYPESCRIPT = "5.9.2"
TALK = """
import { createEngine, Refused } from "aiplay";

const engine = await createEngine();
const { table } = await engine.request({ action: "new_table", game: "illusio", seed: 1 });
const found = await engine.request({ action: "analyse", table, player: "mcts:iterations=300", seed: 1 });
const refused = await engine.request({ action: "view", table: "no such table" }).catch((problem) => problem);
let partial = 0;
const long = engine.request(
  { id: "long", action: "analyse", table, player: "mcts", limit: { time: 60 }, every: 0.05 },
  () => partial++,
);
await new Promise((resolve) => setTimeout(resolve, 500));
const stopped = await engine.stop("long");
const { seconds, iterations } = await long;
const never = engine.request({ action: "analyse", table, player: "mcts", limit: { time: 60 } });
const late = never.catch((problem) => problem);
engine.close();
console.log(JSON.stringify({
  visits: found.moves.map(({ text, visits }) => [text, visits]),
  refused: [refused instanceof Refused, refused.field],
  stopped: stopped.terminated, partial, seconds, iterations, late: (await late).message,
}));
"""
# The milliseconds from `stop` to the answer, by player; each would search for a minute.
STOPS = """
async (address) => {
  const { createEngine } = await import(address);
  const engine = await createEngine();
  const { table } = await engine.request({ action: "new_table", game: "levitation", seed: 1 });
  const late = {};
  for (const player of ["mcts", "mixed", "expectimax", "expectimax:opponents=maxn", "expectimax:threads=2"]) {
    const query = { id: player, action: "analyse", table, player, limit: { time: 60 } };
    let thinking;
    await new Promise((resolve) => { thinking = engine.request({ ...query, every: 0.1 }, resolve); });
    const asked = performance.now();
    await Promise.all([engine.stop(player), thinking]);
    late[player] = performance.now() - asked;
  }
  engine.close();
  return late;
}
"""
TYPED = """
import { createEngine, type Answers, type Engine } from "aiplay";

const engine: Engine = await createEngine();
const { table } = await engine.request({ action: "new_table", game: "illusio", options: { players: 3 } });
const found = await engine.request({ action: "analyse", table, every: 0.1 }, (partial) => partial.moves.length);
const visits: number = found.moves[0].visits;
const played: Answers["play"] = await engine.request({ action: "play", table, move: found.moves[0].text });
const over: boolean = played.over;
// @ts-expect-error: no such action
await engine.request({ action: "dance" });
// @ts-expect-error: a view needs a table
await engine.request({ action: "view" });
// @ts-expect-error: no such field in this answer
console.log(visits, over, played.visits);
"""


def run(*command, folder, **options):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


def test_the_types_are_those_of_the_schema():
    run(sys.executable, JS / "make_types.py", "--check", folder=ROOT)


def test_the_package_has_the_version_of_aiplay_and_its_pyodide():
    package = json.loads((JS / "package.json").read_text())
    assert package["version"] == aiplay.__version__
    assert package["dependencies"] == {"pyodide": PYODIDE}


def test_a_bot_takes_twenty_lines():
    script = (JS / "bot.html").read_text().partition('<script type="module">')[2].partition("</script>")[0]
    assert len(script.strip().splitlines()) <= 20


@pytest.fixture(scope="module")
def modules(tmp_path_factory) -> Path:
    """A folder in which the package is installed, as npm would do it."""
    built_wheel()
    pyodide, _ = fetched()
    folder = tmp_path_factory.mktemp("js")
    packages = folder / "node_modules"
    shutil.copytree(
        JS, packages / "aiplay", ignore=shutil.ignore_patterns("node_modules", "*.py", "*.zip", "python.js")
    )
    run(
        sys.executable,
        JS / "make_archive.py",
        "--cache",
        default_cache(),
        "--out",
        packages / "aiplay",
        folder=ROOT,
    )
    shutil.copytree(pyodide, packages / "pyodide")
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def test_the_engine_in_node(modules):
    node = shutil.which("node")
    if node is None:
        without("needs Node.js")
    (modules / "talk.js").write_text(TALK)
    told = json.loads(run(node, "talk.js", folder=modules))
    view = aiplay.Table(aiplay.load_game("illusio"), seed=1).view
    seat = aiplay.Table(aiplay.load_game("illusio"), seed=1).to_move
    native = aiplay.make_player("mcts:iterations=300", seed=1).analyse(view(seat))
    assert told["visits"] == [[move.text, move.visits] for move in native.moves]
    assert told["refused"] == [True, "table"]
    assert told["stopped"] == ["long"]
    assert told["partial"] >= 1
    assert told["iterations"] > 0
    assert told["seconds"] < 55
    assert told["late"] == "the engine is closed"


def told_in_time(late):
    """True if stopping took far less than the minute that was left."""
    print(late)
    return len(late) == 5 and max(late.values()) < 20_000


def test_every_search_is_stopped_in_node(modules):
    node = shutil.which("node")
    if node is None:
        without("needs Node.js")
    (modules / "stops.js").write_text(f"console.log(JSON.stringify(await ({STOPS})('aiplay')));")
    assert told_in_time(json.loads(run(node, "stops.js", folder=modules)))


def test_every_search_is_stopped_in_a_page(modules, chromium):
    with static_server(modules) as port:
        page = chromium.new_page()
        page.goto(f"http://127.0.0.1:{port}/node_modules/aiplay/package.json")
        address = f"http://127.0.0.1:{port}/node_modules/aiplay/index.js"
        assert told_in_time(page.evaluate(STOPS, address))
        assert not page.evaluate("self.crossOriginIsolated")  # nothing that other pages do not have
        page.close()


def test_a_bot_in_a_page(modules, chromium):
    with static_server(modules) as port:
        page = chromium.new_page()
        problems = []
        page.on("pageerror", lambda problem: problems.append(str(problem)))
        page.goto(f"http://127.0.0.1:{port}/node_modules/aiplay/bot.html")
        page.wait_for_function("() => /returns/.test(document.body.textContent)", timeout=240_000)
        assert problems == []
        page.close()


def test_the_types_are_right_for_typescript(modules):
    npm = shutil.which("npm")
    if npm is None:
        without("needs npm")
    compiler = default_cache() / f"typescript-{TYPESCRIPT}"
    program = compiler / "node_modules" / ".bin" / "tsc"
    if not program.exists():
        done = subprocess.run(
            [npm, "install", "--silent", "--prefix", compiler, f"typescript@{TYPESCRIPT}"],
            capture_output=True,
            text=True,
            timeout=300,
        )
        if not program.exists():
            without(f"npm cannot install typescript: {done.stderr[-300:]}")
    (modules / "typed.ts").write_text(TYPED)
    options = [
        "--strict",
        "--noEmit",
        "--target",
        "es2022",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
    ]
    run(program, *options, "--lib", "es2023,dom", "typed.ts", folder=modules)
