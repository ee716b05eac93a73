"""Modules that are imported when they are first used, because most programs start without needing them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

__all__ = ["numpy"]


class LazyModule:
    """Stands for a module, and imports it when one of its names is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module(self._name), name)
        setattr(self, name, value)  # from now on found without this method
        return value


if not TYPE_CHECKING:
    numpy = LazyModule("numpy")
