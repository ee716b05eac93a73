"""Grids: rows and columns on a screen, fitted to its width."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column
from rich.table import Table as Grid

__all__ = ["Grid", "fitted", "print_grid"]


def print_grid(out: Console, grid: Grid) -> None:
    """Print a grid, fitted to the console; it is wider if figures would be cut."""
    out.print(fitted(grid, out), crop=False)


def fitted(grid: Grid, out: Console) -> Grid:
    """Narrow the widest columns until the grid fits. Cells of a column fold if it has a `min_width`, down to that.

    Other cells stay whole, so the grid may remain wider than the console.
    """
    widths = [_full_width(column) for column in grid.columns]
    least = [_least_width(column) for column in grid.columns]
    for column in grid.columns:
        column.min_width = None  # rich would pad shorter cells to it
    grid.width = out.measure(grid, options=out.options.update(width=sum(widths) + 10 * len(widths))).maximum
    while grid.width > out.width:
        shrinking = [n for n, width in enumerate(widths) if width > least[n]]
        if not shrinking:
            break
        widths[max(shrinking, key=widths.__getitem__)] -= 1
        grid.width -= 1
    for column, width in zip(grid.columns, widths, strict=True):
        column.width = width
    return grid


def _full_width(column: Column) -> int:
    """Return the width that leaves every row of every cell whole."""
    return max(cell_len(row) for cell in (column.header, *column.cells) for row in str(cell).split("\n"))


def _least_width(column: Column) -> int:
    """Return the `min_width` of a column; without one, that of its longest cell or word of its heading."""
    if column.min_width is not None:
        return min(column.min_width, _full_width(column))
    return max(cell_len(text) for text in ("", *str(column.header).split(), *map(str, column.cells)))
