"""Checkpoints: all that a killed run needs to go on as if nothing had happened."""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from aiplay.errors import AiplayError, StrategyError
from aiplay.files import read_file, write_file
from aiplay.learn.solvers import Solver
from aiplay.strategy import MAX_BYTES, fingerprint

__all__ = ["checkpoint_of", "restore", "save"]

FORMAT = 1


def checkpoint_of(path: str | Path) -> Path:
    """Return the file of the checkpoint beside a strategy file."""
    return Path(f"{path}.checkpoint")


def save(path: Path, solver: Solver, made: dict[str, Any]) -> None:
    """Write regrets and sums of all information sets; `made` identifies the run."""
    sets = []
    for place in range(solver.n_infosets):
        view = solver.view(place)
        sets.append([view.seat, base64.b64encode(view.to_bytes()).decode(), *solver.progress(place)])
    document = {"format": FORMAT, **_origin(solver, made), "iterations": solver.iterations, "sets": sets}
    write_file(path, gzip.compress(json.dumps(document).encode(), compresslevel=1, mtime=0))


def restore(path: Path, solver: Solver, made: dict[str, Any]) -> None:
    """Bring a solver to the state of a checkpoint; StrategyError if it belongs to another run, or is damaged."""
    try:
        document = json.loads(_unpacked(read_file(str(path), MAX_BYTES)))
        known = {key: document[key] for key in ("format", *_origin(solver, made))}
    except OSError as problem:
        raise StrategyError(f"{path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError, zlib.error):
        raise StrategyError(f"{path} is not a checkpoint of `aiplay learn`") from None
    for key, value in {"format": FORMAT, **_origin(solver, made)}.items():
        if known[key] != value:
            raise StrategyError(f"{path} belongs to another run: its {key} is {known[key]!r}, not {value!r}")
    try:
        for seat, data, regrets, sums in document["sets"]:
            solver.restore(solver.game.view_from_bytes(base64.b64decode(data), seat), regrets, sums)
        solver.restore_iterations(document["iterations"])
    except (AiplayError, ValueError, TypeError, KeyError) as problem:
        raise StrategyError(f"{path} is damaged: {problem}") from None


def _origin(solver: Solver, made: dict[str, Any]) -> dict[str, Any]:
    game = solver.game
    return {"game": game.name, "options": dict(game.options), "fingerprint": fingerprint(game), **made}


def _unpacked(content: bytes) -> bytes:
    """Return what was compressed, at most `MAX_BYTES` of it: a small file may pretend to hold much more."""
    unpacker = zlib.decompressobj(wbits=31)  # of gzip
    found = unpacker.decompress(content, MAX_BYTES)
    if not unpacker.eof:
        raise ValueError("it is cut short, or too large")
    return found
