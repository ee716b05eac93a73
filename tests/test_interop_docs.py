"""The examples of docs/interop.md."""

import doctest
from pathlib import Path

import pytest

pytest.importorskip("pyspiel")
pytest.importorskip("pettingzoo")

PAGE = Path(__file__).parents[1] / "docs" / "interop.md"


def test_the_examples_of_the_page_run():
    results = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.attempted > 30
    assert results.failed == 0
