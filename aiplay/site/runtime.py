"""The files that run Python in a browser: Pyodide and the compiled packages, fetched once and kept in a folder."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path

import aiplay
from aiplay.errors import PackageError

__all__ = [
    "PLATFORM",
    "PYODIDE",
    "PYODIDE_FILES",
    "PYTHON",
    "default_cache",
    "fetch_aiplay",
    "fetch_msgspec",
    "fetch_pyodide",
    "find_wheel",
]

PYODIDE = "314.0.7"  # of the npm package `pyodide`
INTEGRITY = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="  # SHA-512
)
REGISTRY = "https://registry.npmjs.org"
PYTHON = "314"  # the version of Python that it holds
PLATFORM = "pyemscripten_2026_0_wasm32"  # the tag of wheels for it (PEP 783)
MSGSPEC = "0.22.0"
# The files of Pyodide that a page needs; the list of its own packages (pyodide-lock.json) is not among them.
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")


def default_cache() -> Path:
    """Return the folder in which fetched files are kept: $AIPLAY_WASM, or one in the user's cache."""
    given = os.environ.get("AIPLAY_WASM")
    if given:
        return Path(given)
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches, "aiplay-wasm")


def fetch_pyodide(cache: Path) -> Path:
    """Return the folder with the files of Pyodide; downloads them from npm's registry if they are not there."""
    folder = cache / f"pyodide-{PYODIDE}"
    if all((folder / name).is_file() for name in PYODIDE_FILES):
        return folder
    address = f"{REGISTRY}/pyodide/-/pyodide-{PYODIDE}.tgz"
    archive = cache / f"pyodide-{PYODIDE}.tgz"
    download(address, archive)
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != INTEGRITY:
        archive.unlink()
        raise PackageError(f"{address} is not the expected file: its SHA-512 is {found}")
    with tarfile.open(archive) as opened:
        opened.extractall(cache / "unpacked", filter="data")
    (cache / "unpacked" / "package").rename(folder)
    archive.unlink()
    return folder


def fetch_msgspec(cache: Path) -> Path:
    """Return the wheel of msgspec for the browser."""
    return fetch_wheel(cache, "msgspec", MSGSPEC)


def fetch_aiplay(cache: Path) -> Path:
    """Return the wheel of this version of aiplay for the browser."""
    try:
        return fetch_wheel(cache, "aiplay", aiplay.__version__)
    except PackageError as problem:
        raise PackageError(f"{problem}; `python tools/wasm` in a checkout of aiplay builds it") from None


def fetch_wheel(cache: Path, name: str, version: str) -> Path:
    """Return a wheel for the browser; pip downloads it if it is not in the folder."""
    found = find_wheel(cache, name, version)
    if found is None:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--implementation", "cp", "--python-version", PYTHON, "--abi", f"cp{PYTHON}"]
        command += ["--platform", PLATFORM, "--dest", str(cache), f"{name}=={version}"]
        done = subprocess.run(command, capture_output=True, text=True)
        found = find_wheel(cache, name, version)
        if found is None:
            told = (done.stderr.strip().splitlines() or ["pip says nothing"])[-1]
            raise PackageError(f"pip has no wheel of {name} {version} for the browser ({PLATFORM}): {told}")
    return found


def find_wheel(folder: Path, name: str, version: str) -> Path | None:
    """Return the wheel of a package for the browser in a folder, if there is one."""
    return next(iter(sorted(folder.glob(f"{name}-{version}-cp{PYTHON}-*-{PLATFORM}.whl"))), None)


def download(address: str, target: Path) -> None:
    """Download a file completely or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with urllib.request.urlopen(address, timeout=60) as source, draft.open("wb") as file:
            while chunk := source.read(2**20):
                file.write(chunk)
        draft.replace(target)
    except OSError as problem:
        raise PackageError(f"cannot download {address}: {problem}") from None
    finally:
        draft.unlink(missing_ok=True)
