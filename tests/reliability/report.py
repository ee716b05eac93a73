"""Sections of docs/reliability.md that commands write."""

import datetime
import os
import platform
import re
import textwrap
from pathlib import Path

import aiplay
from aiplay._core.measure import build_facts

WIDTH = 120  # of a page
KEPT = {"break_long_words": False, "break_on_hyphens": False}
PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"


def read_section(name):
    """Return what is between the marks of a section."""
    return _found(name)[2]


def write_section(name, text):
    """Replace what is between the marks of a section."""
    found = _found(name)
    new = f"{found[1]}\n{_wrapped(text)}\n\n{found[3]}"
    PAGE.write_text(found.string[: found.start()] + new + found.string[found.end() :], encoding="utf-8")


def _wrapped(text):
    """Return a text with lines that are not too long, except for rows."""
    lines = text.split("\n")
    return "\n".join(line if line.startswith("|") else textwrap.fill(line, WIDTH, **KEPT) for line in lines)


def _found(name):
    """Return a section as a match: its first mark, its text, its last mark."""
    marks = rf"(<!-- {name}: written by a command -->\n)(.*?)(<!-- end of {name} -->)"
    found = list(re.finditer(marks, PAGE.read_text(encoding="utf-8"), re.DOTALL))
    if len(found) != 1:
        raise ValueError(f"{PAGE} has {len(found)} sections called {name!r}; needed: 1")
    return found[0]


def machine(build=None):
    """Return date, version, build and machine, for people; `build`: another name for the build than its own."""
    facts, today = build_facts(), datetime.datetime.now(datetime.UTC).date()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"on {today}, aiplay {aiplay.__version__}, {build or facts['build']} build, {facts['compiler']}, "
        f"Python {platform.python_version()}, {cores} cores of a virtual machine"
    )
