"""Start-up time of the command line: `pytest bench/bench_cli.py`."""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMANDS = {"--help": ["--help"], "--version": ["--version"], "games": ["games"]}


@pytest.mark.benchmark(group="start of the command line")
@pytest.mark.parametrize("name", COMMANDS)
def bench_start(benchmark, name):
    command = [sys.executable, "-m", "aiplay.cli", *COMMANDS[name]]
    benchmark.pedantic(subprocess.run, (command,), {"stdout": subprocess.DEVNULL, "check": True}, rounds=10)
