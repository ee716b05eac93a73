"""Scenes: a position by names, as it lies on the table, for front ends.

Every game has its own kind of scene, in the module `scene` beside its face (`NAME_scene` for a game of one file). These
modules are imported on demand: search does not need them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct

from aiplay.errors import InvalidStateError

__all__ = ["Scene", "check_same_scene", "read_scene"]

T = TypeVar("T")


class Scene(Struct, kw_only=True, forbid_unknown_fields=True):
    """A position by names; every game has its own kind of scene.

    Entries that are hidden are None. An entry that follows from the others may be left out when a scene is read
    (its default is UNSET); if it is given, it is checked.
    """


def read_scene(kind: type[T], given: Any) -> T:
    """Return a scene from plain data; InvalidStateError names the entry that is wrong."""
    try:
        return msgspec.convert(msgspec.to_builtins(given), kind)
    except (msgspec.ValidationError, TypeError) as problem:
        raise InvalidStateError(f"the scene: {problem}") from None


def check_same_scene(given: Any, made: Any, path: str = "") -> None:
    """Raise InvalidStateError at the first entry of a given scene that the position made from it does not have.

    Entries that were left out are not compared; lists of names and numbers may be in any order.
    """
    if given == made:
        return
    if isinstance(given, Struct):
        for name in given.__struct_fields__:
            check_same_scene(getattr(given, name), getattr(made, name, None), f"{path}.{name}".lstrip("."))
    elif isinstance(given, Mapping) and isinstance(made, Mapping):
        for name in given:
            check_same_scene(given[name], made.get(name), f"{path}[{name!r}]")
    elif isinstance(given, (list, tuple)) and _are_nested(given) and _length(made) == len(given):
        for place, (mine, other) in enumerate(zip(given, made, strict=True)):
            check_same_scene(mine, other, f"{path}[{place}]")
    elif given is not UNSET and _ordered(given) != _ordered(made):
        raise InvalidStateError(
            f"the scene: {path} is {_shown(given)}; the other entries make it {_shown(made)}"
        )


def _are_nested(entries: Sequence[Any]) -> bool:
    return any(isinstance(entry, (Struct, Mapping, list, tuple)) for entry in entries)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, (list, tuple)) else -1


def _ordered(value: Any) -> Any:
    return sorted(value, key=repr) if isinstance(value, (list, tuple)) else value


def _shown(value: Any) -> str:
    text = repr(msgspec.to_builtins(value))
    return text if len(text) <= 100 else text[:97] + "..."
