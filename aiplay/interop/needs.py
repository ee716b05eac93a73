"""Optional dependencies: a clear error if one is missing."""

from __future__ import annotations

import importlib
from types import ModuleType

__all__ = ["needed"]


def needed(module: str, extra: str) -> ModuleType:
    """Import a module of another package, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as problem:
        raise ModuleNotFoundError(
            f"aiplay.interop.{extra} needs {module}: pip install 'aiplay[{extra}]'", name=problem.name
        ) from problem
