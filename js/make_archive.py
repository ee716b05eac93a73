"""Put the compiled packages into the npm package. `python js/make_archive.py [--cache FOLDER]`, then `npm pack`."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from aiplay.site.build import FILES, package_archive
from aiplay.site.runtime import default_cache, fetch_aiplay, fetch_msgspec

HERE = Path(__file__).parent


def main() -> None:
    """Write aiplay.zip and copy what the page of `aiplay site` has in common with this package."""
    parser = argparse.ArgumentParser(description="Put the compiled packages into the npm package.")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="folder of the wheel")
    parser.add_argument("--wheel", type=Path, help="aiplay for the browser (default: from the cache or PyPI)")
    parser.add_argument("--out", type=Path, default=HERE, help="folder of the package")
    given = parser.parse_args()
    wheels = [given.wheel or fetch_aiplay(given.cache), fetch_msgspec(given.cache)]
    (given.out / "aiplay.zip").write_bytes(package_archive(wheels))
    shutil.copyfile(FILES / "python.js", given.out / "python.js")


if __name__ == "__main__":
    main()
