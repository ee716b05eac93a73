"""Extension modules, compiler directives and build profiles; everything else is in pyproject.toml.

AIPLAY_BUILD selects the profile:
    release  (default) full speed, no checks
    debug    bounds, overflow and C assertions checked, undefined behaviour traps
    trace    line tracing for coverage and profilers
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

PROFILES = ("release", "debug", "trace")
profile = os.environ.get("AIPLAY_BUILD", "release")
if profile not in PROFILES:
    sys.exit(f"AIPLAY_BUILD is {profile!r}; allowed are {', '.join(PROFILES)}")
checked = profile == "debug"
jobs = os.cpu_count() or 1

directives = {
    "language_level": 3,
    "freethreading_compatible": True,
    "boundscheck": checked,
    "wraparound": False,
    "initializedcheck": checked,
    "nonecheck": checked,
    "overflowcheck": False,  # random streams wrap around on purpose
    "cdivision": True,
    "auto_pickle": False,  # what can be pickled says how
    "autotestdict": False,
    "embedsignature": True,
    "embedsignature.format": "python",
    "linetrace": profile == "trace",
}

if sys.platform == "win32":
    flags = {"release": ["/O2"], "debug": ["/Od", "/Zi"], "trace": ["/O2"]}[profile]
    link = []
else:
    undefined = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "-fno-sanitize=alignment"]
    flags = {
        "release": ["-O3", "-fno-math-errno"],
        "debug": ["-O1", "-g", "-UNDEBUG", *undefined],
        "trace": ["-O1", "-g"],
    }[profile]
    link = []
macros = [("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")]
if profile == "trace":
    macros += [("CYTHON_TRACE", "1"), ("CYTHON_TRACE_NOGIL", "1")]

core = Path("aiplay/_core")
extensions = [
    Extension(
        ".".join(source.with_suffix("").parts),
        [str(source)],
        extra_compile_args=flags,
        extra_link_args=link,
        define_macros=macros,
    )
    for source in sorted(core.rglob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        nthreads=jobs,
        compiler_directives=directives,
        annotate=bool(os.environ.get("AIPLAY_ANNOTATE")),  # HTML beside the C in build/
        build_dir=f"build/cython-{profile}",
        show_all_warnings=False,
    ),
    options={"build_ext": {"parallel": jobs}},
)
