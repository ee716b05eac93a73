"""The documents tell the truth: examples run, lists are complete."""

import doctest
import importlib
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import aiplay
from aiplay.registry import GAMES, PLAYERS

ROOT = Path(__file__).parents[1]
README = re.sub(r"<!--.*?-->", "", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)
CORE = ROOT / "aiplay" / "_core"
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(aiplay.__path__, "aiplay.")
    if not module.name.endswith("__main__")
)


def names_in_table(heading):
    """The names in the first column of the table below a heading of the README."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \|", section, re.M)


@pytest.mark.parametrize(
    ("page", "fewer"),
    [
        ("README.md", 3),
        ("docs/review.md", 3),
        ("docs/tournament.md", 2),
        ("docs/fairness.md", 3),
        ("docs/learn.md", 3),
    ],
)
def test_the_examples_of_a_page_run(page, fewer, tmp_path, monkeypatch):
    if page == "docs/tournament.md":
        pytest.importorskip("matplotlib")  # for pages and charts
    monkeypatch.chdir(tmp_path)  # for files that examples write
    results = doctest.testfile(str(ROOT / page), module_relative=False)
    assert results.attempted > fewer
    assert results.failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_every_module_run(name):
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as problem:
        if "pip install 'aiplay[" not in str(problem):
            raise
        pytest.skip(str(problem))  # an extra that is not installed
    assert doctest.testmod(module).failed == 0


def test_the_readme_lists_every_game_and_player():
    assert names_in_table("Games") == sorted(GAMES)
    assert sorted(names_in_table("Players")) == sorted(PLAYERS)


def test_the_readme_has_two_commands_of_one_line():
    commands = re.findall(r"^python3 -m venv .*$", README, re.M)
    assert len(commands) == 2
    assert " aiplay duel " in commands[0].replace("/", " ")
    assert " pytest" in commands[1].replace("/", " ")
    # Editable: a clone that is not compiled in place would hide what is installed.
    assert all(" install -q -e " in command for command in commands)


def test_the_native_game_names_all_that_it_needs_to_be_built():
    folder = ROOT / "examples" / "native_game"
    needed = set(tomllib.loads((folder / "pyproject.toml").read_text())["build-system"]["requires"])
    command = re.search(r"^ +pip install '.*$", (folder / "README.md").read_text(), re.M)[0]
    assert set(re.findall(r"'(.*?)'", command)) == needed - {"aiplay"}


# ---- The package -------------------------------------------------------------------------------------------


def test_a_clone_that_is_not_compiled_says_so(tmp_path):
    compiled = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "aiplay", tmp_path / "aiplay", ignore=compiled)
    for line in ("import aiplay; aiplay.load_game('pig')", "from aiplay.table import Table"):
        done = subprocess.run(
            [sys.executable, "-c", line], capture_output=True, text=True, cwd=tmp_path, timeout=60
        )
        assert done.returncode == 1
        last = done.stderr.splitlines()[-1]
        assert last.startswith("aiplay.errors.PackageError: aiplay in ")
        assert f"{tmp_path.name} is not compiled for this Python: run pip install -e . there" in last


def test_python_runs_the_package_as_the_command():
    command = [sys.executable, "-m", "aiplay", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, f"aiplay {aiplay.__version__}\n")


LISTED = re.findall(
    r"`([\w/]+\.\w+)`",
    "".join(re.findall(r"^\| `.*?\|", (CORE / "README.md").read_text(encoding="utf-8"), re.M)),
)


def test_the_core_lists_every_file_once():
    suffixes = {".py", ".pyx", ".pxd", ".pyi"}
    files = {path.relative_to(CORE).as_posix() for path in CORE.rglob("*") if path.suffix in suffixes}
    assert len(LISTED) == len(set(LISTED))
    assert set(LISTED) == files


@pytest.mark.parametrize("name", [name for name in LISTED if name.endswith((".pxd", ".pyx"))])
def test_a_file_of_the_core_uses_only_what_is_listed_above_it(name):
    above = LISTED[: LISTED.index(name) + 1]
    text = (CORE / name).read_text(encoding="utf-8")
    for module, keyword in re.findall(r"^from aiplay\._core\.([\w.]+) (c?import)", text, re.M):
        used = module.replace(".", "/") + (".pxd" if keyword == "cimport" else ".pyx")
        assert used in above


def test_the_changelog_knows_this_version():
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert headings[0] == aiplay.__version__


def test_every_public_name_is_there():
    assert sorted(aiplay.__all__) == sorted(set(aiplay.__all__))
    for name in aiplay.__all__:
        assert getattr(aiplay, name) is not None
        assert name in dir(aiplay)
    with pytest.raises(AttributeError, match="nothing"):
        _ = aiplay.nothing


@pytest.mark.parametrize("source", sorted(CORE.rglob("*.pyx")), ids=lambda path: path.stem)
def test_every_compiled_module_that_python_sees_has_a_stub(source):
    name = ".".join(("aiplay", "_core", *source.relative_to(CORE).with_suffix("").parts))
    module = importlib.import_module(name)
    public = [
        key
        for key, value in vars(module).items()
        if not key.startswith("_") and getattr(value, "__module__", "") == name
    ]
    assert not public or source.with_suffix(".pyi").exists(), public


PAGES = [
    *ROOT.glob("*.md"),
    *(path for path in ROOT.glob("[a-z]*/**/*.md") if not {"build", "node_modules"} & set(path.parts)),
]


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), target


# ---- English -----------------------------------------------------------------------------------------------

SOURCES = [
    path
    for folder in ("aiplay", "bench", "examples", "tests")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".pyx", ".pxd") and "node_modules" not in path.parts
]
MAX_LINE = 120


def test_docstrings_open_with_a_verb_or_a_noun():
    odd = {
        f"{path.relative_to(ROOT)}: {line}"
        for path in SOURCES
        for line in re.findall(r'"""(?:What|Whether) .*', path.read_text(encoding="utf-8"))
    }
    assert odd == set()


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_lines_outside_tables_are_short(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    long = [line for line in text.splitlines() if len(line) > MAX_LINE and not line.startswith("|")]
    assert long == []
