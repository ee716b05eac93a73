"""What the benchmarks of waiting times share."""

from __future__ import annotations


def milliseconds(times: list[float]) -> dict[str, float]:
    """Median, 99 % and the longest of some times in seconds."""
    ordered = sorted(1000 * seconds for seconds in times)
    return {
        "median ms": ordered[len(ordered) // 2],
        "99 % ms": ordered[len(ordered) * 99 // 100],
        "longest ms": ordered[-1],
    }
