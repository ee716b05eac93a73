"""The one compiled module; everything else is in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

DIRECTIVES = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}

if __name__ == "__main__":
    setup(
        ext_modules=cythonize(
            [Extension("kuhn_poker._core", ["kuhn_poker/_core.pyx"])],
            compiler_directives=DIRECTIVES,
            build_dir="build",
        )
    )
