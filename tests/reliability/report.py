"""Sections of docs/reliability.md that commands write."""

import datetime
import os
import platform
import re
from pathlib import Path

import aiplay
from aiplay._core.measure import build_facts

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"


def write_section(name, text):
    """Replace what is between the marks of a section."""
    page = PAGE.read_text(encoding="utf-8")
    marks = rf"(<!-- {name}: written by a command -->\n).*?(<!-- end of {name} -->)"
    new, found = re.subn(marks, lambda match: f"{match[1]}\n{text}\n\n{match[2]}", page, flags=re.DOTALL)
    if found != 1:
        raise ValueError(f"{PAGE} has {found} sections called {name!r}; needed: 1")
    PAGE.write_text(new, encoding="utf-8")


def machine():
    """Return date, version, build and machine, for people."""
    facts, today = build_facts(), datetime.datetime.now(datetime.UTC).date()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"on {today}, aiplay {aiplay.__version__}, {facts['build']} build, {facts['compiler']}, "
        f"Python {platform.python_version()}, {cores} cores of a virtual machine"
    )
