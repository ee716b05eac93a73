"""docs/guides: the examples run, the pictures are those that the scripts draw, every page is in the navigation."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
from pages import run_page

import aiplay

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
GUIDES = sorted((DOCS / "guides").glob("*.md"))


def script(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_the_examples_of_a_guide_run(page, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.chdir(tmp_path)
    results = run_page(page)
    assert results.failed == 0
    assert results.attempted > 0 or page.stem == "search"


def test_the_pictures_are_what_the_script_draws():
    draw = script(DOCS / "pictures" / "draw.py")
    for name, drawn in draw.PICTURES.items():
        assert (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == drawn(), (
            f"run docs/pictures/draw.py: {name}.svg differs"
        )


def test_the_curves_show_every_measured_duel():
    rows = json.loads((DOCS / "pictures" / "strength_time.json").read_text())
    competitive = {name for name in aiplay.game_names() if not aiplay.load_game(name).is_cooperative}
    assert {row["game"] for row in rows} == competitive
    for row in rows:
        assert 0 <= row["low"] <= row["score"] <= row["high"] <= 1
        assert row["spec"].startswith(row["player"])


def test_every_page_is_in_the_navigation():
    listed = set(re.findall(r"[\w/]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert pages - listed == set(), "add these pages to `nav` in mkdocs.yml"
    assert all((DOCS / page).exists() or (ROOT / page).exists() for page in listed)
