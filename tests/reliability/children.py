"""Cases of a door in a child process, watched from outside: a crash or a hang is found, and its input named."""

import contextlib
import json
import mmap
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

import aiplay
from aiplay._core.stream import seed_below
from reliability.doors import all_doors, planted_doors

PATIENCE = 60.0  # seconds that a case may take before it counts as a hang; most take less than 0.01 s
START = 600.0  # seconds until the first case: imports and real inputs, on a loaded machine
MEMORY = 4 * 2**30  # bytes of address space of a child
MAX_FAILURES = 20  # of a door, before it is given up
COMMAND = Path(__file__).parents[1] / "hard_input.py"


def stream_of(seed, name, number):
    """Return the random stream that makes a case."""
    return aiplay.RandomStream(
        seed_below(seed_below(seed, int.from_bytes(name.encode(), "big") % 2**63), number)
    )


# ---- In the child ------------------------------------------------------------------------------------------


def run_cases(name, seed, first, count, counter):
    """Run cases; `counter` is a file whose first 8 bytes tell the parent where the child is."""
    _limit_memory()
    door, outcomes, failures = (all_doors() | planted_doors())[name](), Counter(), []
    with open(counter, "r+b") as file, mmap.mmap(file.fileno(), 8) as shared:
        for number in range(first, first + count):
            shared[:8] = struct.pack("<q", number)
            outcome = run_case(door, seed, number)
            outcomes[outcome.splitlines()[0]] += 1
            if outcome.startswith("FAILED"):
                failures.append([number, outcome])
                if len(failures) >= MAX_FAILURES:
                    break
    door.close()
    print(json.dumps({"outcomes": outcomes, "failures": failures, "peak": _peak()}))


def run_case(door, seed, number):
    """Return the outcome of one case: accepted, the name of the error that refused it, or FAILED with a traceback."""
    try:
        given = door.make(stream_of(seed, door.name, number))
    except Exception:
        return f"FAILED to make an input\n{traceback.format_exc()}"
    try:
        door.enter(given)
    except door.allowed as problem:
        return type(problem).__name__
    except BaseException as problem:
        return f"FAILED {type(problem).__name__}\n{traceback.format_exc()[-3000:]}\ninput: {given!r:.3000}"
    return "accepted"


def _limit_memory():
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such limits
        import resource

        if "san.so" not in os.environ.get("LD_PRELOAD", ""):  # a sanitizer reserves terabytes of addresses
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _peak():
    """Return the most memory that this process has used, in MB."""
    with contextlib.suppress(ImportError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return 0


# ---- In the parent -----------------------------------------------------------------------------------------


class Child:
    """A process that runs cases of one door; `folder` holds its counter and its output."""

    def __init__(self, name, seed, first, count, folder):
        self._counter, self._output = Path(folder, "counter"), Path(folder, "output")
        self._counter.write_bytes(struct.pack("<q", first - 1))  # not started
        arguments = ["--child", name, f"--seed={seed}", f"--first={first}", f"--count={count}"]
        command = [sys.executable, str(COMMAND), *arguments, f"--counter={self._counter}"]
        with open(self._output, "wb") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        self._is_hung = False
        self._first, self._at, self._since = first, first - 1, time.monotonic()

    @property
    def at(self):
        """The case that is being run."""
        return struct.unpack("<q", self._counter.read_bytes()[:8])[0]

    def is_running(self, patience):
        """True if it runs and makes progress; one that does not is killed."""
        if self._process.poll() is not None:
            return False
        if self.at != self._at:
            self._at, self._since = self.at, time.monotonic()
        elif time.monotonic() - self._since > (patience if self._at >= self._first else START):
            self._is_hung = True
            self._process.kill()
            self._process.wait()
            return False
        return True

    def result(self):
        """Return its own report, or the crash or hang as a failure."""
        code = self._process.wait()
        text = self._output.read_text(errors="replace")
        if code == 0:
            return json.loads(text.splitlines()[-1])
        what = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        what += " (no progress: a hang)" if self._is_hung else ""
        outcome = f"FAILED {what}\n{text[-3000:]}"
        return {"outcomes": {}, "failures": [[self.at, outcome]], "peak": 0, "done": self.at + 1}


def _run_child(name, seed, first, count, patience):
    with tempfile.TemporaryDirectory() as folder:
        child = Child(name, seed, first, count, folder)
        while child.is_running(patience):
            time.sleep(0.05)
        return child.result()


def run_door(name, seed, count, patience=PATIENCE):
    """Run all cases of a door, in a new child after each crash; return outcomes, failures, peak memory and seconds."""
    begun, first = time.monotonic(), 0
    outcomes, failures, peak = Counter(), [], 0
    while first < count and len(failures) < MAX_FAILURES:
        result = _run_child(name, seed, first, count - first, patience)
        outcomes.update(result["outcomes"])
        failures += result["failures"]
        peak = max(peak, result["peak"])
        first = result.get("done", count)
    return {"outcomes": outcomes, "failures": failures, "peak": peak, "seconds": time.monotonic() - begun}
