"""The version of a release is the same in all files, and its notes come from the changelog."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import aiplay

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("release_notes", ROOT / ".ci" / "release_notes.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path):
    """A tree that is ready for release 1.2.0."""
    (tmp_path / "aiplay").mkdir()
    (tmp_path / "aiplay" / "__init__.py").write_text('__version__ = "1.2.0"\n')
    (tmp_path / "CITATION.cff").write_text("version: 1.2.0\ndate-released: 2030-01-31\n")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changes\n\n## 1.2.0 (2030-01-31)\n\n- New.\n- Better.\n\n## 1.1.0 (2029-12-24)\n\n- Old.\n"
    )
    return tmp_path


def test_the_notes_are_the_newest_section_of_the_changelog(script, tree):
    assert script.release_notes(tree, "v1.2.0") == "- New.\n- Better.\n"


@pytest.mark.parametrize(
    ("place", "old", "new", "message"),
    [
        ("aiplay/__init__.py", "1.2.0", "1.2.1", "aiplay/__init__.py states version 1.2.1"),
        ("CITATION.cff", "1.2.0", "1.1.0", "CITATION.cff states version 1.1.0"),
        ("CITATION.cff", "date-released: 2030-01-31", "", "CITATION.cff states no released version"),
        ("CITATION.cff", "01-31", "01-30", "CITATION.cff is dated 2030-01-30, CHANGELOG.md 2030-01-31"),
        ("CHANGELOG.md", "(2030-01-31)", "(not released yet)", "CHANGELOG.md states version 1.1.0"),
    ],
)
def test_a_release_with_a_contradiction_is_refused(script, tree, place, old, new, message):
    file = tree / place
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(SystemExit, match=re.escape(message)):
        script.release_notes(tree, "v1.2.0")


def test_citation_and_changelog_know_this_version():
    assert f"\nversion: {aiplay.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    newest = re.search(
        r"^## (\S+) \((not released yet|\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text(), re.M
    )
    assert newest[1] == aiplay.__version__
