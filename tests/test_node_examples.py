"""The examples for Node.js and for boardgame.io, which is installed from npm."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from aiplay.engine.engine import ACTIONS

EXAMPLES = Path(__file__).parents[1] / "examples"
ENGINE = f"{sys.executable} -m aiplay.cli engine"


def without(reason):
    """Skip the test; fail if AIPLAY_NODE=required, as in .ci/run."""
    if os.environ.get("AIPLAY_NODE") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def run(folder, *command, engine=ENGINE):
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "AIPLAY_ENGINE": engine},
        capture_output=True,
        timeout=120,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def node():
    if shutil.which("node") is None:
        without("needs Node.js")
    return "node"


@pytest.fixture(scope="module")
def boardgameio(node, request):
    """A copy of the example with boardgame.io installed; it stays in pytest's cache."""
    if shutil.which("npm") is None:
        without("needs npm")
    folder = Path(request.config.cache.mkdir("boardgameio")) / "boardgameio"
    if folder.exists():
        for old in {*folder.iterdir()} - {folder / "node_modules"}:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    ignored = shutil.ignore_patterns("node_modules")
    shutil.copytree(EXAMPLES / "boardgameio", folder, dirs_exist_ok=True, ignore=ignored)
    if not (folder / "node_modules" / "boardgame.io" / "dist" / "cjs" / "ai.js").exists():
        quiet = ("--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error")
        patience = ("--fetch-retries=1", "--fetch-timeout=30000")
        try:
            installed = run(folder, "npm", "install", *quiet, *patience)
        except subprocess.TimeoutExpired:
            without("npm has not installed boardgame.io in two minutes")
        if installed.returncode:
            without(f"npm cannot install boardgame.io: {installed.stderr.strip()[:300]}")
    return folder


def test_a_missing_command_is_reported_with_what_to_do(node):
    done = subprocess.run(
        [node, "play.mjs"],
        cwd=EXAMPLES / "node",
        env={**os.environ, "AIPLAY_ENGINE": "no-such-aiplay engine"},
        capture_output=True,
        timeout=60,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("cannot start no-such-aiplay: it is not found. Install aiplay")


def test_node_plays_a_complete_game_of_illusio(node):
    done = run(EXAMPLES / "node", node, "play.mjs", "illusio", "7")
    assert (done.returncode, done.stderr) == (0, "")
    assert "returns [" in done.stdout


def test_every_action_is_answered_through_the_client(node):
    done = run(EXAMPLES / "node", node, "--test", "test.mjs")
    assert done.returncode == 0, done.stdout + done.stderr
    script = (EXAMPLES / "node" / "test.mjs").read_text(encoding="utf-8")
    asked = {*re.findall(r'engine\.ask\("(\w+)"', script)}
    assert asked == {*ACTIONS}


def test_the_front_end_example_shows_scenes_and_events(node):
    done = run(EXAMPLES / "node", node, "table.mjs", "leduc_poker", "7")
    assert (done.returncode, done.stderr) == (0, "")
    assert "chance ?" in done.stdout
    assert '"card":null' in done.stdout
    assert "over: true" in done.stdout


def test_an_engine_that_is_not_installed_is_named(node):
    done = run(EXAMPLES / "node", node, "play.mjs", engine="no-such-program engine")
    assert done.returncode != 0
    assert "cannot start no-such-program: it is not found" in done.stderr


def test_a_client_gets_an_error_when_its_engine_ends(node):
    script = """
        import { Engine } from "./engine.mjs";
        const engine = new Engine([process.execPath, "-e", "process.exit(3)"]);
        for (let i = 0; i < 2; i++) await engine.ask("version").catch((error) => console.log(error.message));
        await engine.close();
    """
    done = run(EXAMPLES / "node", node, "--input-type=module", "-e", script)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 2


def test_the_package_for_boardgameio_has_the_client_of_the_node_example():
    clients = [
        (EXAMPLES / name / "engine.mjs").read_text(encoding="utf-8") for name in ("node", "boardgameio")
    ]
    assert clients[0] == clients[1]


@pytest.mark.slow  # the first of these tests downloads boardgame.io
def test_boardgameio_plays_with_the_bot(boardgameio, node):
    done = run(boardgameio, node, "--test", "test/")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 16" in done.stdout.replace("\N{INFORMATION SOURCE}", "#")  # Node.js prints either


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect-four", "leduc", "pig"])
def test_the_command_of_the_page_plays_a_complete_game(boardgameio, node, game):
    done = run(boardgameio, node, "play.mjs", game, "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f'{game}: {{"')


@pytest.mark.slow
def test_the_packed_package_can_be_installed_and_used(boardgameio, node):
    """In a folder of an author's project, which finds boardgame.io above it."""
    packed = run(boardgameio, "npm", "pack", "--silent", "--ignore-scripts")
    assert packed.returncode == 0, packed.stderr
    place = boardgameio / "author" / "node_modules" / "aiplay-boardgameio"
    place.mkdir(parents=True)
    with tarfile.open(boardgameio / packed.stdout.split()[-1]) as archive:
        for member in archive.getmembers():
            target = place / Path(member.name).relative_to("package")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.extractfile(member).read())
    assert not (place / "test").exists()
    page = (place / "README.md").read_text(encoding="utf-8")
    use, check = re.findall(r"```js\n(.*?)```", page, re.S)
    script = f"{use}{check}console.log(typeof takeSeat);\nawait engine.close();\n"
    done = run(boardgameio / "author", node, "--input-type=module", "-e", script)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "function\n")
