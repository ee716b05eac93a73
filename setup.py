"""Extension modules, compiler directives and build profiles; everything else is in pyproject.toml.

The environment variable AIPLAY_BUILD selects the profile:

    release  (default) full speed, nothing checked
    debug    memoryviews checked by Cython (IndexError); C arrays, shifts, casts and division checked by the
             compiler: an error ends the process at once (SIGILL). Not checked: an array at the end of a
             struct behind a pointer, which compilers treat as open-ended, and bare pointers.
    trace    line tracing, for coverage of the compiled files (see CONTRIBUTING.md); very slow

With AIPLAY_ANNOTATE=1, build/release/cython/ gets a page of HTML for every module: where it calls Python.
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PROFILES = ("release", "debug", "trace")
PROFILE = os.environ.get("AIPLAY_BUILD") or "release"
if PROFILE not in PROFILES:
    sys.exit(f"AIPLAY_BUILD is {PROFILE!r}; allowed: {', '.join(PROFILES)}")
CHECKED = PROFILE == "debug"
JOBS = os.cpu_count() or 1

DIRECTIVES = {
    "language_level": 3,
    "freethreading_compatible": True,
    "boundscheck": CHECKED,
    "initializedcheck": CHECKED,
    "wraparound": False,
    "overflowcheck": False,  # random streams wrap around on purpose
    "cdivision": True,
    "auto_pickle": False,  # what can be pickled says how
    "autotestdict": False,
    "embedsignature": True,
    "embedsignature.format": "python",
    "linetrace": PROFILE == "trace",
}
MACROS = [("CYTHON_TRACE", "1"), ("CYTHON_TRACE_NOGIL", "1")] if PROFILE == "trace" else []


def compiler_flags():
    """What the C compiler is told, by platform and profile."""
    if sys.platform == "win32":
        return {"release": ["/O2"], "debug": ["/Od", "/Zi", "/RTC1"], "trace": ["/O1"]}[PROFILE]
    checks = ["-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=alignment"]
    checks += ["-fsanitize-undefined-trap-on-error"]  # needs no library at run time
    return {
        "release": ["-O3", "-g0", "-fno-math-errno"],
        "debug": ["-O1", "-g", "-UNDEBUG", *checks],
        "trace": ["-O1", "-g0"],
    }[PROFILE]


class BuildCore(build_ext):
    """Runs Cython only when something is built, so that metadata and source archives need no C files."""

    def run(self):
        """Translate all modules to C in parallel, then compile them in parallel."""
        translated = cythonize(
            self.extensions,
            nthreads=JOBS,
            compiler_directives=DIRECTIVES,
            annotate=bool(os.environ.get("AIPLAY_ANNOTATE")),
            # The coverage plugin looks for the C file beside the .pyx; otherwise the tree stays clean.
            build_dir=None if PROFILE == "trace" else f"build/{PROFILE}/cython",
        )
        for extension, result in zip(self.extensions, translated, strict=True):
            extension.sources = result.sources
        super().run()


if __name__ == "__main__":  # a worker process of cythonize may import this file
    setup(
        ext_modules=[
            Extension(
                ".".join(source.with_suffix("").parts),
                [source.as_posix()],
                extra_compile_args=compiler_flags(),
                define_macros=MACROS,
            )
            for source in sorted(Path("aiplay/_core").rglob("*.pyx"))
        ],
        cmdclass={"build_ext": BuildCore},
        options={"build": {"build_base": f"build/{PROFILE}"}, "build_ext": {"parallel": JOBS}},
    )
