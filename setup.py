"""Extension modules, compiler directives and build profiles; everything else is in pyproject.toml.

The environment variable AIPLAY_BUILD selects the profile:

    release  (default) full speed, nothing checked
    debug    memoryviews checked by Cython (IndexError); C arrays, shifts, casts and division checked by the
             compiler: an error ends the process at once (SIGILL). Not checked: an array at the end of a
             struct behind a pointer, which compilers treat as open-ended, and bare pointers.
    asan     AddressSanitizer and UBSan of gcc or clang: bare pointers too. For .ci/sanitizers, which runs the tests.
    tsan     ThreadSanitizer: two threads that touch the same memory. For .ci/sanitizers.
    trace    line tracing, for coverage of the compiled files (see CONTRIBUTING.md); very slow

With AIPLAY_ANNOTATE=1, build/release/cython/ gets a page of HTML for every module: where it calls Python.

A build keeps its files in build/PROFILE/, also for an editable installation (`pip install -e`): while the sources stay
the same, nothing is translated or compiled again.
"""

import os
import sys
import time
from pathlib import Path

import Cython
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

PROFILES = ("release", "debug", "asan", "tsan", "trace")
PROFILE = os.environ.get("AIPLAY_BUILD") or "release"
if PROFILE not in PROFILES:
    sys.exit(f"AIPLAY_BUILD is {PROFILE!r}; allowed: {', '.join(PROFILES)}")
BUILD = Path("build", PROFILE)
# The coverage plugin looks for the C file beside the .pyx; otherwise the tree stays clean.
C_FILES = Path() if PROFILE == "trace" else BUILD / "cython"
CHECKED = PROFILE in ("debug", "asan")
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
    """Return the options of the C compiler, by platform and profile."""
    if sys.platform == "win32":
        if PROFILE in ("asan", "tsan"):
            sys.exit(f"AIPLAY_BUILD is {PROFILE!r}, which needs gcc or clang")
        return {"release": ["/O2"], "debug": ["/Od", "/Zi", "/RTC1"], "trace": ["/O1"]}[PROFILE]
    checks = ["-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=alignment"]
    checks += ["-fno-wrapv"]  # Python's own flags have -fwrapv, which would make every overflow legal
    trap = ["-fsanitize-undefined-trap-on-error"]  # needs no library at run time
    frames = ["-O1", "-g1", "-fno-omit-frame-pointer"]
    return {
        "release": ["-O3", "-g0", "-fno-math-errno"],
        "debug": ["-O1", "-g", "-UNDEBUG", *checks, *trap],
        "asan": [*frames, "-UNDEBUG", "-fsanitize=address", *checks],
        "tsan": [*frames, "-fsanitize=thread"],
        "trace": ["-O1", "-g0"],
    }[PROFILE]


def linker_flags():
    """Return the options of the linker: the libraries of the sanitizers."""
    return {"asan": ["-fsanitize=address,undefined"], "tsan": ["-fsanitize=thread"]}.get(PROFILE, [])


class BuildCore(build_ext):
    """Runs Cython only when something is built, so that metadata and source archives need no C files."""

    def run(self):
        """Translate all modules to C in parallel, then compile them in parallel."""
        self.translate()
        folders = self.build_lib, self.build_temp
        if self.editable_mode:  # these folders are temporary then: the next installation would compile again
            kept = build(self.distribution)
            kept.build_base = str(BUILD)
            kept.ensure_finalized()
            self.build_lib, self.build_temp = kept.build_platlib, kept.build_temp
        super().run()
        self.build_lib, self.build_temp = folders

    def copy_extensions_to_source(self):
        """Copy the modules beside their sources, even over newer ones, which may be of another profile."""
        self.force = True
        super().copy_extensions_to_source()

    def translate(self):
        """Run Cython, unless its last run was after the last change of a source.

        Cython alone would translate everything in every environment that pip makes for a build, because the .pxd
        files that come with it are new there. And it does not notice that the directives here have changed.
        """
        stamp, began, here = BUILD / "translated", time.time(), Path("setup.py")
        known = stamp.exists() and stamp.read_text() == Cython.__version__
        last = stamp.stat().st_mtime if known else 0.0
        sources = (here, *Path("aiplay").rglob("*.pyx"), *Path("aiplay").rglob("*.pxd"))
        made = [(C_FILES / extension.sources[0]).with_suffix(".c") for extension in self.extensions]
        has_changed = any(path.stat().st_mtime >= last for path in sources)
        if self.force or has_changed or not all(path.exists() for path in made):
            cythonize(
                self.extensions,
                nthreads=JOBS,
                force=self.force or here.stat().st_mtime >= last,
                compiler_directives=DIRECTIVES,
                annotate=bool(os.environ.get("AIPLAY_ANNOTATE")),
                build_dir=None if PROFILE == "trace" else str(C_FILES),
            )
            BUILD.mkdir(parents=True, exist_ok=True)
            stamp.write_text(Cython.__version__)
            os.utime(stamp, (began, began))
        for extension, c_file in zip(self.extensions, made, strict=True):
            extension.sources, extension.depends = [c_file.as_posix()], [str(here)]


if __name__ == "__main__":  # a worker process of cythonize may import this file
    setup(
        ext_modules=[
            Extension(
                ".".join(source.with_suffix("").parts),
                [source.as_posix()],
                extra_compile_args=compiler_flags(),
                extra_link_args=linker_flags(),
                define_macros=MACROS,
            )
            for source in sorted(Path("aiplay/_core").rglob("*.pyx"))
        ],
        cmdclass={"build_ext": BuildCore},
        options={"build": {"build_base": str(BUILD)}, "build_ext": {"parallel": JOBS}},
    )
