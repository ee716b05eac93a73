"""Print the notes of a release, if its version is the same everywhere: `python .ci/release_notes.py v0.1.0`."""

import re
import sys
from pathlib import Path

PLACES = {  # file: (pattern, example)
    "aiplay/__init__.py": (r'^__version__ = "(?P<version>[^"]+)"$', '__version__ = "0.1.0"'),
    "CITATION.cff": (
        r"^version: (?P<version>\S+)\ndate-released: (?P<date>\S+)$",
        "version: 0.1.0\ndate-released: 2030-01-31",
    ),
    "CHANGELOG.md": (r"^## (?P<version>\S+) \((?P<date>\d{4}-\d\d-\d\d)\)$", "## 0.1.0 (2030-01-31)"),
}


def stated_in(root: Path, place: str) -> dict[str, str]:
    """Return the newest version that a file states, and its date."""
    pattern, example = PLACES[place]
    match = re.search(pattern, (root / place).read_text(encoding="utf-8"), re.M)
    if match is None:
        sys.exit(f"{place} states no released version; needed, for example:\n{example}")
    return match.groupdict()


def release_notes(root: Path, tag: str) -> str:
    """Return the newest section of the changelog, after checking versions and dates."""
    stated = {place: stated_in(root, place) for place in PLACES}
    for place, release in stated.items():
        if f"v{release['version']}" != tag:
            sys.exit(
                f"the tag is {tag}, but {place} states version {release['version']}; they have to be the same"
            )
    dates = [stated[place]["date"] for place in ("CITATION.cff", "CHANGELOG.md")]
    if dates[0] != dates[1]:
        sys.exit(f"CITATION.cff is dated {dates[0]}, CHANGELOG.md {dates[1]}; they have to be the same")
    sections = re.split(r"^## .*\n", (root / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.M)
    return sections[1].strip() + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python .ci/release_notes.py TAG")
    sys.stdout.write(release_notes(Path(__file__).parents[1], sys.argv[1]))
