"""An extension of griffe: docstrings of this project as Markdown.

Examples (``>>>``) become blocks of code, grids of plain text tables, roles (:class:`Game`) code. The signature that
Cython writes above a docstring goes, because the stub has a better one.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|meth|mod):(?=`)")
SIGNATURE = re.compile(r"\A[\w.]+\(.*\)(?: -> .*)?\n+")
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


class Docstrings(griffe.Extension):
    """Rewrites every docstring when its object has been read."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite one docstring."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
