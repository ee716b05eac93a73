"""Build the wheel for the browser. `python tools/wasm [--check] [--cache FOLDER]`.

With clang and lld of Debian, headers that apt-get downloads, and Pyodide from npm's registry: for machines that reach
nothing but the registries of packages. Where the rest of the internet is, cibuildwheel builds the same wheel
(.github/workflows/wheels.yml). Everything is kept: a second call compiles only what has changed.

Prints the path of the wheel. It needs Cython and setuptools, as any build of aiplay does.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from toolchain import MissingError, compile_command, fetch_headers, find_tools, link_command, write_pyconfig

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from aiplay.errors import PackageError  # noqa: E402
from aiplay.site.runtime import PLATFORM, PYTHON, default_cache, fetch_msgspec, fetch_pyodide  # noqa: E402

HOST = "emscripten-wasm32"  # names the folders of the build
NEEDED = ("Cython", "setuptools")


def main() -> None:
    """Check what is needed, fetch what can be fetched, and build."""
    parser = argparse.ArgumentParser(description="Build the wheel of aiplay for the browser.")
    parser.add_argument("--check", action="store_true", help="only fetch and check what is needed")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="folder of all files")
    given = parser.parse_args()
    cache = given.cache.resolve()
    try:
        environment = prepared(cache)
    except (MissingError, PackageError) as problem:
        sys.exit(f"the wheel for the browser cannot be built here: {problem}")
    if not given.check:
        print(build(cache, environment))


def prepared(cache: Path) -> dict[str, str]:
    """Return the environment that makes setuptools compile for the browser."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingError(f"pip install {' '.join(missing)}")
    tools = find_tools()
    pyodide, headers = fetch_pyodide(cache), fetch_headers(cache)
    fetch_msgspec(cache)  # the site needs it, too
    write_pyconfig(pyodide, headers)
    return {
        **os.environ,
        "CC": " ".join(compile_command(tools, headers)),
        "CFLAGS": "",
        "LDSHARED": " ".join(link_command(tools)),
        "LDFLAGS": "",
        "SETUPTOOLS_EXT_SUFFIX": f".cpython-{PYTHON}-wasm32-emscripten.so",
        "_PYTHON_HOST_PLATFORM": HOST,
    }


def build(cache: Path, environment: dict[str, str]) -> Path:
    """Compile what has changed, and return the wheel."""
    began, folder, log = time.monotonic(), cache / "build", cache / "build.log"
    command = [sys.executable, "setup.py", "-q", "bdist_wheel", "--dist-dir", str(folder)]
    with log.open("w") as file:
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{log.read_text()[-4000:]}\nthe build has failed; all of its output is in {log}")
    made = max(folder.glob("aiplay-*.whl"), key=lambda path: path.stat().st_mtime)
    wheel = retag(made, cache)
    print(f"{wheel.stat().st_size / 1e6:.2f} MB in {time.monotonic() - began:.0f} s", file=sys.stderr)
    return wheel


def retag(made: Path, folder: Path) -> Path:
    """Write a wheel again with the tags of Pyodide: setuptools knows only those of the Python that it runs on."""
    tag = f"cp{PYTHON}-cp{PYTHON}-{PLATFORM}"
    name, version = made.name.split("-")[:2]
    target = folder / f"{name}-{version}-{tag}.whl"
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:
        about = re.sub(rb"(?m)^Tag: .*$", f"Tag: {tag}".encode(), source.read(f"{info}/WHEEL"))
        for entry in source.infolist():
            data = source.read(entry)
            if entry.filename == f"{info}/WHEEL":
                data = about
            elif entry.filename == f"{info}/RECORD":
                data = re.sub(rb"(?m)^\S*/WHEEL,.*$", recorded(f"{info}/WHEEL", about), data)
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    return target


def recorded(name: str, data: bytes) -> bytes:
    """Return the line of RECORD for a file."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}".encode()


if __name__ == "__main__":
    main()
