"""An extension of griffe: docstrings of this project as Markdown.

Examples (``>>>``) become blocks of code, grids of plain text tables, roles (:class:`Game`) code. The signature that
Cython writes above a docstring goes, because the stub has a better one. Docstrings of Python's own types go, too.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|meth|mod):(?=`)")
SIGNATURE = re.compile(r"\A[\w.]+\(.*\)(?: -> .*)?\n+")
TYPES = (bool, dict, float, frozenset, int, list, str, tuple, object.__init__)
BUILTIN = frozenset(inspect.cleandoc(each.__doc__ or "") for each in TYPES)
GRID = re.compile(r"^={3,}( +)={3,}\n(.*?)\n={3,} +={3,}$", re.M | re.S)


def as_markdown(text: str) -> str:
    r"""Return a docstring as Markdown.

    >>> as_markdown("Add. See :func:`sum`.\n\n>>> 1 + 1\n2\n\nMore.")
    'Add. See `sum`.\n\n```python\n>>> 1 + 1\n2\n```\n\nMore.'
    """
    text = SIGNATURE.sub("", text)
    blocks = ROLE.sub("", GRID.sub(_table, text)).split("\n\n")
    return "\n\n".join(f"```python\n{block}\n```" if block.startswith(">>>") else block for block in blocks)


def _table(grid: re.Match[str]) -> str:
    """Return a grid of two columns as a table; a line without a first column continues the row above it."""
    rows = re.sub(r"\n +", " ", grid[2]).splitlines()
    return "\n".join(
        ["| | |", "| --- | --- |", *("| {} | {} |".format(*row.split(maxsplit=1)) for row in rows)]
    )


def is_builtin(text: str) -> bool:
    """True if a docstring is that of a type of Python: an attribute without its own shows that of its value.

    >>> is_builtin(str.__doc__), is_builtin("The name.")
    (True, False)
    """
    return inspect.cleandoc(text) in BUILTIN


class Docstrings(griffe.Extension):
    """Rewrites every docstring when its object has been read."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite one docstring, or remove it if it is not about this object."""
        if obj.docstring is not None and is_builtin(obj.docstring.value):
            obj.docstring = None
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
