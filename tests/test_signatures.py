"""Games and searches do what they did when the golden files were written (see signatures.py)."""

import pytest
from signatures import FOLDER, golden_files

FILES = dict(golden_files())


@pytest.mark.parametrize("name", FILES)
def test_the_golden_file_still_holds(name):
    expected = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    for number, (line, wanted) in enumerate(zip(FILES[name]().splitlines(), expected, strict=True), 1):
        assert line == wanted, f"line {number} of tests/golden/{name}"


def test_every_golden_file_is_compared():
    assert {path.name for path in FOLDER.iterdir()} == set(FILES)
