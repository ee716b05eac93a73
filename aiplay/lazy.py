"""Names and modules that are imported when they are first used, because many programs start without needing them."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from aiplay.errors import PackageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy

__all__ = ["lazy_names", "numpy"]


class LazyModule:
    """Stands for a module, and imports it when one of its names is first used.

    The module may be missing: `needed_by` names the features that an error then says are not available.
    """

    def __init__(self, name: str, needed_by: str) -> None:
        self._name, self._needed_by = name, needed_by

    def __getattr__(self, name: str) -> Any:
        try:
            module = importlib.import_module(self._name)
        except ModuleNotFoundError as problem:
            if problem.name != self._name:
                raise
            raise PackageError(
                f"{self._needed_by} need {self._name}, which is not installed: pip install {self._name}",
                name=self._name,
            ) from None
        value = getattr(module, name)
        setattr(self, name, value)  # from now on found without this method
        return value


if not TYPE_CHECKING:
    numpy = LazyModule("numpy", "arrays, observations, `fields` and ratings")


def lazy_names(
    package: str, modules: Mapping[str, Iterable[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package whose names come from its modules, on demand.

    `modules`: the names of every module. A module without names is a name itself.
    """
    module_of = {name: module for module, names in modules.items() for name in names or (module,)}

    def get(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(f"{package}.{module_of[name]}")
        value = module if name == module_of[name] else getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_of})

    return get, names
