"""Build the compiled module; everything else is in pyproject.toml."""

from importlib.util import find_spec
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DIRECTIVES = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}
SITE = Path(find_spec("aiplay").origin).parents[1]  # the folder that contains aiplay

if __name__ == "__main__":
    setup(
        ext_modules=cythonize(
            [Extension("love_letter_native._core", ["love_letter_native/_core.pyx"])],
            compiler_directives=DIRECTIVES,
            include_path=[str(SITE)],  # Cython does not find an editable install on its own
            build_dir="build",
        )
    )
