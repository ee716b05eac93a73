"""The wheel for the browser in tests: where it is, Python in Node.js, and a plain server of files."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import aiplay
from aiplay.errors import PackageError
from aiplay.site.runtime import default_cache, fetch_msgspec, fetch_pyodide, find_wheel

ROOT = Path(__file__).parents[1]
SOURCES = (".py", ".pyx", ".pxd", ".toml", ".md")
NODE = """
import { readFile } from "node:fs/promises";
const [folder, archive, program] = process.argv.slice(2);
const { loadPyodide } = await import(`file://${folder}/pyodide.mjs`);
const pyodide = await loadPyodide({ indexURL: folder });
pyodide.unpackArchive(Uint8Array.from(await readFile(archive)).buffer, "zip", { extractDir: "/aiplay" });
pyodide.runPython("import sys; sys.path.insert(0, '/aiplay')");
pyodide.runPython(await readFile(program, "utf8"));
"""


def without(reason: str) -> None:
    """Skip the test; fail if AIPLAY_WASM_TESTS=required, as in the step `wasm` of .ci/run."""
    if os.environ.get("AIPLAY_WASM_TESTS") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def built_wheel() -> Path:
    """The wheel of these sources; the test is skipped if there is none."""
    wheel = find_wheel(default_cache(), "aiplay", aiplay.__version__)
    if wheel is None:
        without("needs the wheel for the browser: python tools/wasm")
    newest = max(path.stat().st_mtime for path in (ROOT / "aiplay").rglob("*") if path.suffix in SOURCES)
    if wheel.stat().st_mtime < newest:
        without("the wheel for the browser is older than its sources: python tools/wasm")
    return wheel


def fetched() -> tuple[Path, Path]:
    """The folder of Pyodide and the wheel of msgspec."""
    try:
        return fetch_pyodide(default_cache()), fetch_msgspec(default_cache())
    except PackageError as problem:
        without(str(problem))
        raise


class PythonInNode:
    """Runs programs in Pyodide, in Node.js."""

    def __init__(self, folder: Path) -> None:
        from aiplay.site.build import package_archive

        self.node = shutil.which("node")
        if self.node is None:
            without("needs Node.js")
        wheel = built_wheel()
        self.pyodide, msgspec = fetched()
        self.archive, self.runner, self.folder = folder / "aiplay.zip", folder / "run.mjs", folder
        self.archive.write_bytes(package_archive([wheel, msgspec]))
        self.runner.write_text(NODE)

    def run(self, program: str) -> Any:
        """Run a program that prints JSON; return it."""
        path = self.folder / "program.py"
        path.write_text(program)
        command = [self.node, self.runner, self.pyodide, self.archive, path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout)


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves files as any web server does."""

    extensions_map = {  # noqa: RUF012
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def static_server(folder: Path) -> Iterator[int]:
    """Serve a folder; gives the port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join(20)
