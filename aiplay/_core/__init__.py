"""The compiled core: contract, games and search. README.md in this folder lists every file."""

from importlib.util import find_spec
from pathlib import Path

from aiplay.errors import PackageError

# A clone that was never compiled hides an installed aiplay from a Python that is started in it.
if find_spec("aiplay._core.game") is None:
    folder = Path(__file__).parents[2]
    raise PackageError(
        f"aiplay in {folder} is not compiled for this Python: run pip install -e . there, "
        "or use an installed aiplay from another folder"
    )
