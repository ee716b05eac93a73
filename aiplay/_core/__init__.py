"""The compiled core: contract, games and search. README.md in this folder lists every file."""

import os
from importlib.machinery import PathFinder

from aiplay.errors import PackageError

# A clone that was never compiled hides an installed aiplay from a Python that is started in it.
if PathFinder.find_spec("aiplay._core.game", __path__) is None:
    folder = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    raise PackageError(
        f"aiplay in {folder} is not compiled for this Python: run pip install -e . there, "
        "or use an installed aiplay from another folder"
    )
