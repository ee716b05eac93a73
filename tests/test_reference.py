"""docs/reference: every public name is there, with an example, and every example runs."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from pages import run_page

import aiplay

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
PAGES = {page.name: page.read_text(encoding="utf-8") for page in sorted(FOLDER.glob("*.md"))}
NEEDS = {
    "review.md": ("matplotlib",),
    "interop.md": ("pyspiel", "pettingzoo"),
    "report.md": ("matplotlib",),
    "match.md": ("distributed",),
}
NOT_PUBLIC = {  # modules whose public names are in `aiplay`, or that only this package uses
    "analysis",
    "catalogue",
    "cli",
    "decision",
    "features",
    "fields",
    "files",
    "games",
    "grid",
    "layout",
    "lazy",
    "levels",
    "limit",
    "needs",
    "options",
    "parts",
    "rating",
    "record",
    "registry",
    "scene",
    "serve",
    "site",
    "table",
    "token",
    "value",
}
EXAMPLE = re.compile(r"^```python\n(>>>.*?)^```$", re.M | re.S)


def public_modules():
    """Every module directly below aiplay that has public names, and those of aiplay.interop."""
    yield aiplay
    for path, prefix in ((aiplay.__path__, "aiplay."), (aiplay.interop.__path__, "aiplay.interop.")):
        for module in pkgutil.iter_modules(path, prefix):
            name = module.name.rpartition(".")[2]
            if not name.startswith("_") and name not in NOT_PUBLIC:
                yield imported(module.name)


def imported(name):
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as problem:
        if "pip install 'aiplay[" not in str(problem):
            raise
        return None  # an extra that is not installed


def documented():
    """The object of every directive `::: name`, and the examples that follow it, up to the next one."""
    for page in PAGES.values():
        for part in re.split(r"^::: ", page, flags=re.M)[1:]:
            name, _, text = part.partition("\n")
            yield name.strip(), "".join(EXAMPLE.findall(text))


importlib.import_module("aiplay.interop")
DOCUMENTED = dict(documented())
PUBLIC = [
    (module.__name__, name)
    for module in public_modules()
    if module is not None
    for name in getattr(module, "__all__", ())
]


def resolved(path):
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def same(path, wanted):
    module = imported(path.rpartition(".")[0])
    return module is not None and getattr(module, path.rpartition(".")[2]) is wanted


def test_there_are_public_names():
    assert len(PUBLIC) > 80
    assert ("aiplay.match", "Duel") in PUBLIC


@pytest.mark.parametrize(("module", "name"), PUBLIC, ids=lambda part: part)
def test_a_public_name_is_in_the_reference_with_an_example(module, name):
    wanted = resolved(f"{module}.{name}")
    if isinstance(wanted, type(re)):  # a module has a page of its own
        assert re.search(rf"\b{name}\b", PAGES["aiplay.md"])
        return
    homes = [path for path in DOCUMENTED if path.endswith(f".{name}") and same(path, wanted)]
    assert homes, f"add '::: {module}.{name}' and an example to a page in docs/reference"
    assert any(re.search(rf"\b{name}\b", DOCUMENTED[path]) for path in homes), (
        f"docs/reference: no example after '::: {homes[0]}' uses {name}"
    )


def test_every_kind_of_player_is_in_the_reference():
    for path in importlib.import_module("aiplay.registry").PLAYERS.values():
        assert path.replace(":", ".") in DOCUMENTED


@pytest.mark.parametrize("path", sorted(DOCUMENTED))
def test_the_reference_has_nothing_that_is_gone(path):
    if imported(path.rpartition(".")[0]) is None:
        pytest.skip("an extra is not installed")
    assert resolved(path) is not None


@pytest.mark.parametrize("page", sorted(PAGES))
def test_the_examples_run(page, tmp_path, monkeypatch):
    for package in NEEDS.get(page, ()):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    results = run_page(FOLDER / page)
    assert results.failed == 0
    assert results.attempted >= (0 if page == "contract.md" else 1)
