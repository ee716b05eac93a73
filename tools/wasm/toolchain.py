"""The compiler for the browser without Emscripten: clang and lld of Debian, and headers that apt-get downloads.

A side module of Pyodide is one C file turned into WebAssembly. It needs headers (Emscripten's C library, Python) and no
library at all: whatever it calls is found in Pyodide when the module is loaded.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

VERSIONS = range(30, 16, -1)  # of LLVM; older ones write modules that Pyodide cannot load
SYSCONFIG = "_sysconfigdata__emscripten_wasm32-emscripten.py"  # in Pyodide's own standard library
SUITE = "sid"  # of Debian: has the headers
MIRROR = "http://deb.debian.org/debian"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
HEADERS = ("emscripten", "libpython3.14-dev")  # packages of Debian that hold headers
PYTHON_HEADERS = "usr/include/python3.14"
EMSCRIPTEN = (5, 0, 3)  # with which Pyodide was built
FEATURES = [
    "-mbulk-memory",
    "-mnontrapping-fptoint",
    "-msign-ext",
    "-mmutable-globals",
]  # all browsers have them


class MissingError(Exception):
    """Something is not installed, or cannot be downloaded."""


class Tools(NamedTuple):
    """The commands."""

    clang: str
    wasm_ld: str


def find_tools() -> Tools:
    """Return clang and wasm-ld, of the newest version for which both are installed."""
    for suffix in ("", *(f"-{version}" for version in VERSIONS)):
        clang, linker = shutil.which(f"clang{suffix}"), shutil.which(f"wasm-ld{suffix}")
        if clang and linker and _version(clang) in VERSIONS:
            return Tools(clang, linker)
    raise MissingError(
        f"clang and wasm-ld {VERSIONS[-1]} or newer are missing: apt-get install clang-19 lld-19"
    )


def _version(clang: str) -> int:
    told = subprocess.run([clang, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"version (\d+)", told)
    return int(found[1]) if found else 0


# ---- Headers -----------------------------------------------------------------------------------------------


def fetch_headers(cache: Path) -> Path:
    """Return the folder with the unpacked packages of headers; apt-get downloads and checks them if it is not there."""
    folder = cache / "headers"
    if (folder / "complete").exists():
        return folder
    for command in ("apt-get", "dpkg"):
        if not shutil.which(command):
            raise MissingError(f"{command} is missing: the headers are packages of Debian")
    archives = _download_packages(cache / "apt")
    for archive in archives:
        _run(["dpkg", "-x", str(archive), str(folder)])
    (folder / "complete").write_text("\n".join(archive.name for archive in archives))
    return folder


def _download_packages(folder: Path) -> list[Path]:
    """Let apt-get download the packages of headers, with lists and settings of its own: nothing is installed."""
    if not KEYRING.exists():
        raise MissingError(f"{KEYRING} is missing: apt-get install debian-archive-keyring")
    for name in ("lists/partial", "cache/archives/partial", "state", "etc"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "etc/sources.list").write_text(f"deb [signed-by={KEYRING}] {MIRROR} {SUITE} main\n")
    (folder / "state/status").touch()
    settings = {
        "Dir::Etc::sourcelist": folder / "etc/sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State": folder / "state",
        "Dir::State::lists": folder / "lists",
        "Dir::State::status": folder / "state/status",
        "Dir::Cache": folder / "cache",
        "APT::Architecture": "amd64",
        "APT::Architectures": "amd64",
        "APT::Sandbox::User": "",
        "Acquire::Languages": "none",
    }
    options = [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
    _run(["apt-get", *options, "-qq", "update"])
    _run(["apt-get", *options, "-qq", "download", *HEADERS], folder)
    return sorted(folder.glob("*.deb"))


def _run(command: list[str], folder: Path | None = None) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise MissingError(f"{' '.join(command)} failed: {done.stderr.strip() or done.stdout.strip()}")


# ---- The Python of Pyodide -----------------------------------------------------------------------------------


def build_variables(pyodide: Path) -> dict[str, Any]:
    """Return the variables that Pyodide's Python was built with."""
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as library:
        source = library.read(SYSCONFIG)
    names: dict[str, Any] = {}
    exec(compile(source, SYSCONFIG, "exec"), names)
    found: dict[str, Any] = names["build_time_vars"]
    return found


def write_pyconfig(pyodide: Path, headers: Path) -> None:
    """Write pyconfig.h of Pyodide's Python, which no package holds, from the variables it was built with.

    It takes the place of Debian's, beside the headers that include it. Numbers of the Makefile are among the variables,
    too; they have names that no header uses.
    """
    target = headers / PYTHON_HEADERS / "pyconfig.h"
    lines = ["#ifndef Py_PYCONFIG_H", "#define Py_PYCONFIG_H"]
    for name, value in sorted(build_variables(pyodide).items()):
        if isinstance(value, int) and value:
            lines.append(f"#define {name} {value}")
    text = "\n".join([*lines, "#endif", ""])
    if target.read_text() != text:
        target.write_text(text)


# ---- Commands ------------------------------------------------------------------------------------------------


def compile_command(tools: Tools, headers: Path) -> list[str]:
    """Return the command that compiles a C file."""
    system = headers / "usr/share/emscripten/system"
    musl = system / "lib/libc/musl"
    includes = (system / "include/compat", system / "include", musl / "include")
    includes += (musl / "arch/emscripten", musl / "arch/generic")
    command = [tools.clang, "--target=wasm32-unknown-emscripten", "-fPIC", "-nostdlibinc", *FEATURES]
    command += ["-fvisibility=hidden", "-fwasm-exceptions", "-DNDEBUG", "-w"]
    for part, number in zip(("major", "minor", "tiny"), EMSCRIPTEN, strict=True):
        command += [f"-D__EMSCRIPTEN_{part}__={number}"]
    command += [f"-I{headers / PYTHON_HEADERS}"]
    for folder in includes:
        if not folder.is_dir():
            raise MissingError(f"the package emscripten has no folder {folder.relative_to(headers)}")
        command += ["-isystem", str(folder)]
    return command


def link_command(tools: Tools) -> list[str]:
    """Return the command that links a side module; it exports what has default visibility, which is PyInit_NAME."""
    command = [
        tools.wasm_ld,
        "-shared",
        "--experimental-pic",
        "--unresolved-symbols=import-dynamic",
        "--no-entry",
    ]
    command += ["--import-memory", "--strip-all", "--export-dynamic"]
    for name in ("__wasm_apply_data_relocs", "__wasm_call_ctors"):
        command += [f"--export-if-defined={name}"]
    return command
