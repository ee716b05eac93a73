"""Writes the site: the page, its worker, Pyodide and the compiled packages, as files that any web server can serve."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from aiplay.errors import AiplayError
from aiplay.site.runtime import PYODIDE_FILES, fetch_msgspec, fetch_pyodide

__all__ = ["FILES", "Site", "build_site", "package_archive"]

PAGE = Path(__file__).parent.parent / "serve" / "page"
FILES = Path(__file__).parent / "files"
EPOCH = (1980, 1, 1, 0, 0, 0)  # of all files in archives: the same content gives the same archive
PREFIX = "aiplay-site-"
LISTING = "site/files.js"
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
# Parts of the wheel that no page needs: commands, matches, headers ...
UNUSED = re.compile(
    r"aiplay/(audit|balance|cli|exploit|interop|learn|match|report|review|serve/page|site/files|testing)/|.*\.(pxd|pyi)$|.*\.dist-info/"
    r"|aiplay/(_core/README\.md|serve/(app|process)\.py|__main__\.py|speed\.py|aio\.py)$"
)
# Modules of Python's library that nothing here imports.
UNUSED_LIBRARY = re.compile(
    r"(_pyrepl|multiprocessing|unittest|wsgiref|xml|xmlrpc|ensurepip|idlelib|pydoc_data|tkinter|turtledemo|venv)/"
    r"|(doctest|ftplib|imaplib|mailbox|optparse|pdb|bdb|pickletools|poplib|profile|pydoc|smtplib|turtle)\.py$"
)


class Site(NamedTuple):
    """The folder that was written, and its size."""

    folder: Path
    files: int
    bytes: int
    compressed: int  # bytes of all files, as a server sends them with gzip


def build_site(
    out: Path, wheel: Path, cache: Path, tell: Callable[[str], object] = lambda text: None
) -> Site:
    """Write the site to a folder. `wheel`: aiplay for the browser; `cache`: the folder of fetched files."""
    _check_folder(out)
    tell("fetching Pyodide and msgspec")
    pyodide, msgspec = fetch_pyodide(cache), fetch_msgspec(cache)
    tell("writing the site")
    out.mkdir(parents=True, exist_ok=True)
    for name in ("page", "site", "runtime"):  # of an earlier version
        shutil.rmtree(out / name, ignore_errors=True)
    shutil.copytree(
        PAGE, out / "page", ignore=shutil.ignore_patterns("index.html", "socket.js", "__pycache__")
    )
    (out / "index.html").write_text(_index((PAGE / "index.html").read_text()))
    shutil.copytree(FILES, out / "site", ignore=shutil.ignore_patterns("sw.js", "__pycache__"))
    shutil.copy(FILES / "sw.js", out / "sw.js")
    write_runtime(out / "runtime", pyodide, [wheel, msgspec])
    return _listed(out)


def _check_folder(out: Path) -> None:
    """Raise an error if a folder holds anything but an earlier site."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / LISTING).exists())):
        raise AiplayError(
            f"{out} holds other files; allowed: a new or empty folder, or a site to write again"
        )


def write_runtime(folder: Path, pyodide: Path, wheels: list[Path]) -> None:
    """Write Pyodide and the packages, without what no page needs."""
    folder.mkdir(parents=True)
    for name in PYODIDE_FILES:
        if name.endswith(".zip"):
            (folder / name).write_bytes(_zipped([pyodide / name], UNUSED_LIBRARY))
        else:
            shutil.copyfile(pyodide / name, folder / name)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text())
    (folder / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}))
    (folder / "aiplay.zip").write_bytes(package_archive(wheels))


def package_archive(wheels: list[Path]) -> bytes:
    """Return the packages in one archive, without what no page needs."""
    return _zipped(wheels, UNUSED)


def _zipped(archives: list[Path], unused: re.Pattern[str]) -> bytes:
    """Return the files of some archives in one, without those that are not used."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for archive in archives:
            with zipfile.ZipFile(archive) as source:
                for entry in source.infolist():
                    if not entry.is_dir() and not unused.match(entry.filename):
                        target.writestr(
                            zipfile.ZipInfo(entry.filename, EPOCH),
                            source.read(entry),
                            zipfile.ZIP_DEFLATED,
                            9,
                        )
    return buffer.getvalue()


def _index(text: str) -> str:
    """Return the first page: with another transport, and allowed to load nothing from elsewhere."""
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n    <meta name="aiplay-transport"'
    )
    changed = text.replace('<meta name="aiplay-transport"', head, 1)
    changed = changed.replace('content="page/socket.js"', 'content="site/transport.js"', 1)
    style = '<link rel="stylesheet" href="site/site.css">\n    <script type="module"'
    changed = changed.replace('<script type="module"', style, 1)
    assert changed.count("site/") == 2, "the page has another index.html than this module knows"
    return changed


def _listed(out: Path) -> Site:
    """Write the list of all files, by which the service worker keeps them, and return what the site is."""
    paths = sorted(
        path for path in out.rglob("*") if path.is_file() and path.name not in ("sw.js", "files.js")
    )
    sizes = {path.relative_to(out).as_posix(): path.stat().st_size for path in paths}
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.relative_to(out).as_posix().encode() + b"\0" + path.read_bytes())
    listed = {"cacheName": PREFIX + digest.hexdigest()[:16], "prefix": PREFIX, "sizes": sizes}
    listing = out / LISTING
    listing.write_text(f"// Written by `aiplay site`.\nself.AIPLAY_FILES = {json.dumps(listed, indent=1)};\n")
    listed_too = [*paths, listing, out / "sw.js"]
    compressed = sum(_compressed(path) for path in listed_too)
    return Site(out, len(listed_too), sum(path.stat().st_size for path in listed_too), compressed)


def _compressed(path: Path) -> int:
    import gzip

    return min(path.stat().st_size, len(gzip.compress(path.read_bytes(), 9)))
