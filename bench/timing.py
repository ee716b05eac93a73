"""Summary of waiting times, for several benchmarks."""

from __future__ import annotations


def milliseconds(times: list[float]) -> dict[str, float]:
    """Return the median, the 99th percentile and the longest of some times in seconds."""
    ordered = sorted(1000 * seconds for seconds in times)
    return {
        "median ms": ordered[len(ordered) // 2],
        "99 % ms": ordered[len(ordered) * 99 // 100],
        "longest ms": ordered[-1],
    }
