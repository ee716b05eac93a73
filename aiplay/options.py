"""Options of games and players: declared once, checked in the same way everywhere."""

from __future__ import annotations

import math
import os
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from aiplay.errors import AiplayError, OptionError

__all__ = ["Option", "RenamedOptionWarning", "did_you_mean", "resolve_options", "titled"]

REMOVAL = "0.2"  # the version without the old names of options


class RenamedOptionWarning(FutureWarning):
    """An option was given by its old name."""


class Option(NamedTuple):
    """One option: its name, default, and allowed values.

    Its type is ``kind``, by default the type of ``default``: ``bool``, ``int`` or ``float`` within ``low`` .. ``high``,
    or ``str`` (one of ``choices``, if given). A default of ``None`` means "not set", and ``None`` is then allowed.
    ``formerly`` is an old name, which is still accepted, with a warning.
    """

    name: str
    default: Any
    doc: str
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    kind: type | None = None
    formerly: str = ""

    @property
    def type(self) -> type:
        """The Python type of a value."""
        return self.kind or type(self.default)

    @property
    def allowed(self) -> str:
        """The allowed values, for messages and help texts."""
        if self.type is bool:
            return "true or false"
        if self.choices:
            return " or ".join(self.choices)
        if self.type is str:
            return "a text"
        noun = "a whole number" if self.type is int else "a number"
        if math.isfinite(self.low) and math.isfinite(self.high):
            return f"{noun} from {self.low} to {self.high}"
        if math.isfinite(self.low):
            return f"{noun} of at least {self.low}"
        return noun

    def parse(self, value: object) -> Any:
        """Return the value with the right type, converted from text if need be; ValueError if it is not allowed."""
        if value is None and self.default is None:
            return None
        parsed = self._convert(value)
        if isinstance(parsed, str):
            ok = not self.choices or parsed in self.choices
        else:
            ok = self.low <= parsed <= self.high  # false for NaN
        if not ok:
            raise ValueError(f"{self.name} is {value!r}; allowed: {self.allowed}")
        return parsed

    def _convert(self, value: object) -> bool | int | float | str:
        kind = self.type
        if kind is str:
            if isinstance(value, str | int | os.PathLike) and not isinstance(value, bool):
                return str(value)
        elif kind is bool:
            truth = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            if isinstance(value, bool):
                return value
            if isinstance(value, str) and value.lower() in truth:
                return truth[value.lower()]
        elif not isinstance(value, bool) and isinstance(value, str | int | float):
            try:
                number = float(value)
                if kind is float:
                    return number
                whole = int(value)
                if whole == number:
                    return whole
            except (ValueError, OverflowError):
                pass
        raise ValueError(f"{self.name} is {value!r}; allowed: {self.allowed}")


def resolve_options(
    owner: str,
    options: Sequence[Option],
    given: Mapping[str, object],
    error: type[AiplayError] = OptionError,
) -> dict[str, Any]:
    """Return the value of every option of ``owner``, given or default, in declared order."""
    known = {option.name: option for option in options}
    given = _renamed(owner, options, given, error)
    for name in given:
        if name not in known:
            allowed = ", ".join(known) or "none"
            raise error(f"{owner} has no option {name!r}{did_you_mean(name, known)}; its options: {allowed}")
    resolved = {}
    for option in options:
        if option.name not in given:
            resolved[option.name] = option.default
            continue
        try:
            resolved[option.name] = option.parse(given[option.name])
        except ValueError as problem:
            raise error(f"{owner}: {problem}") from None
    return resolved


def _renamed(
    owner: str, options: Sequence[Option], given: Mapping[str, object], error: type[AiplayError]
) -> dict[str, object]:
    """Return the given options under their current names; an old name causes a warning."""
    current = {option.formerly: option.name for option in options if option.formerly}
    renamed: dict[str, object] = {}
    for name, value in given.items():
        new = current.get(name, name)
        if new != name:
            if new in given:
                raise error(f"{owner}: {name!r} is the old name of {new!r}; give one of the two")
            warnings.warn(
                f"{owner}: option {name!r} is now {new!r}; the old name will be removed in version {REMOVAL}",
                RenamedOptionWarning,
                stacklevel=_levels_outside(),
            )
        renamed[new] = value
    return renamed


def _levels_outside() -> int:
    """Return the ``stacklevel`` at which a warning of the caller points to the first code outside the package."""
    package = __name__.partition(".")[0]
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    return level


def did_you_mean(name: object, names: Iterable[str]) -> str:
    """Suggest the closest of the known names for an unknown one, for messages; empty if none is close.

    Ignores case, and treats hyphens and spaces as underscores.

    >>> did_you_mean("Connect-For", ["connect_four", "pig"])
    " (did you mean 'connect_four'?)"
    """
    import difflib  # here, not above: needed for errors only

    plain = {_plain(known): known for known in names}
    near = difflib.get_close_matches(_plain(name), plain, n=1) if isinstance(name, str) else []
    return f" (did you mean {plain[near[0]]!r}?)" if near else ""


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def titled(name: str, options: Mapping[str, Any]) -> str:
    """Return a game or player with those of its options that are set, for people.

    >>> titled("pig", {"players": 2, "data": None})
    'pig players=2'
    """
    return " ".join([name, *(f"{key}={value}" for key, value in options.items() if value is not None)])
