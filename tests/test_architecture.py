"""The layers of the design, kept by reading every import and cimport of the source."""

import ast
import re
from pathlib import Path

import pytest

from aiplay.registry import GAMES

ROOT = Path(__file__).parents[1]
SUFFIXES = (".py", ".pyx", ".pxd", ".pyi")

# From the bottom to the top: a module may use modules of its own layer (without going in circles) and of those before.
# A name with a dot at its end stands for everything below it.
LAYERS = [
    ["errors"],
    ["options", "fields"],
    ["_core", "_core.typedefs", "_core.bits", "_core.rng"],
    ["_core.stream"],
    ["_core.contract"],
    ["_core.playout", "_core.facts", "_core.observe", "_core.game"],
    ["_core.measure", "_core.python_game"],
    ["_core.games.", "_core.search."],
    ["analysis", "limit", "data", "data.", "games.", "players."],
    ["registry"],
    ["story", "table", "testing", "testing."],
    [""],  # the package itself: what `import aiplay` gives
    ["match", "match.", "speed"],
    ["report", "report."],
    ["__main__", "aio", "cli", "cli.", "engine", "engine.", "serve", "serve.", "interop", "interop."],
]
EMPTY = {"_core.games", "_core.search", "games", "players"}  # packages that only hold modules


def module_of(path):
    """The module that a file of the package belongs to, without the leading `aiplay`."""
    parts = path.relative_to(ROOT / "aiplay").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = sorted(path for path in (ROOT / "aiplay").rglob("*") if path.suffix in SUFFIXES)
MODULES = {module_of(path) for path in FILES}


def layer_of(module):
    for number, names in enumerate(LAYERS):
        if any(module == name or (name.endswith(".") and module.startswith(name)) for name in names):
            return number
    return None


# ---- Reading imports ---------------------------------------------------------------------------------------

# In Cython; everything within parentheses has been put on one line before.
FROM = re.compile(r"^\s*from\s+([\w.]+)\s+c?import\s+([\w.,* ]+)", re.MULTILINE)
PLAIN = re.compile(r"^\s*c?import\s+([\w., ]+)", re.MULTILINE)


def imports_of_cython(text):
    text = re.sub(r"#.*", "", re.sub(r'"""(.|\n)*?"""', "", text))
    text = re.sub(r"\(([^()]*)\)", lambda match: " ".join(match[1].split()), text)
    for module, names in FROM.findall(text):
        for name in names.split(","):
            yield module, name.split(" as ")[0].strip()
    for modules in PLAIN.findall(text):
        for module in modules.split(","):
            yield module.split(" as ")[0].strip(), None


def imports_of_python(text, module):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((name.name, None) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            yield from ((node.module, name.name) for name in node.names)


# What only a type checker imports cannot run in circles.
TYPING = re.compile(r"^if TYPE_CHECKING:\n(?:(?:[ ].*)?\n)+", re.MULTILINE)


def uses(path, typing=True):
    """The modules of aiplay that a file names, without the leading `aiplay`."""
    text, module = path.read_text(), module_of(path)
    if not typing:
        text = TYPING.sub("", text)
    found = imports_of_cython(text) if path.suffix in (".pyx", ".pxd") else imports_of_python(text, module)
    for source, name in found:
        if source.split(".")[0] == "aiplay":
            base = source.removeprefix("aiplay").removeprefix(".")
            below = f"{base}.{name}".removeprefix(".")
            yield below if name and below in MODULES else base


USED = {path: sorted(set(uses(path)) - {module_of(path)}) for path in FILES}


PYTHON = """
import aiplay
from aiplay import table, Game
if x:
    from aiplay.errors import (
        A,
        B)
"""
CYTHON = """
\"\"\"
import nothing
\"\"\"
from a.b cimport (
    c, d as e,
)  # f
cimport g
  from h import i
# import j
"""


def test_imports_are_found_in_every_way_to_write_them():
    table, errors = (
        [("aiplay", "table"), ("aiplay", "Game")],
        [("aiplay.errors", "A"), ("aiplay.errors", "B")],
    )
    assert list(imports_of_python(PYTHON, "m")) == [("aiplay", None), *table, *errors]
    assert list(imports_of_cython(CYTHON)) == [
        ("a.b", "c"),
        ("a.b", "d"),
        ("a.b", ""),
        ("h", "i"),
        ("g", None),
    ]
    assert len(FILES) > 50
    assert "_core.contract" in USED[ROOT / "aiplay/_core/game.pyx"]
    assert "registry" in USED[ROOT / "aiplay/table.py"]


# ---- The layers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", sorted(MODULES - EMPTY))
def test_every_module_has_a_layer(module):
    assert layer_of(module) is not None, f"give aiplay.{module} a layer in LAYERS"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_uses_only_what_stands_below_it(path):
    module = module_of(path)
    for used in USED[path]:
        if used not in EMPTY:
            assert layer_of(used) <= layer_of(module), (
                f"aiplay.{module} uses aiplay.{used}, which stands above it"
            )


def test_no_module_comes_back_to_itself():
    """A compiled module that is declared in a .pxd is used through it, so that one counts as a module of its own."""
    declared = {module_of(path) for path in FILES if path.suffix == ".pxd"}
    graph = {}
    for path in FILES:
        used = set(uses(path, typing=False)) - {module_of(path)}
        through = {
            f"{name}.pxd" if path.suffix in (".pyx", ".pxd") and name in declared else name for name in used
        }
        name = module_of(path) + (".pxd" if path.suffix == ".pxd" else "")
        graph.setdefault(name, set()).update(through)

    def visit(module, way):
        assert module not in way, " uses ".join([*way[way.index(module) :], module])
        if module not in done:
            for used in sorted(graph.get(module, ())):
                visit(used, [*way, module])
            done.add(module)

    done = set()
    for module in graph:
        visit(module, [])


def test_the_core_uses_of_the_python_layers_only_the_bottom():
    for path, used in USED.items():
        if module_of(path).startswith("_core"):
            outside = {name for name in used if not name.startswith("_core")}
            assert outside <= {"errors", "options", "fields"}, (
                f"{path.relative_to(ROOT)} uses {sorted(outside)}"
            )


# ---- Games and search do not know each other ---------------------------------------------------------------


def game_of(module):
    """The game that a module belongs to; helper modules of a game begin with its name."""
    name = module.rpartition(".")[2]
    owners = [game for game in GAMES if name == game or name.startswith(f"{game}_")]
    return max(owners, key=len, default=None)


def is_game(module):
    return module.startswith(("_core.games.", "games."))


def is_search(module):
    return module.startswith(("_core.search.", "players."))


def test_a_game_never_names_search_or_another_game():
    for path, used in USED.items():
        module = module_of(path)
        if is_game(module):
            assert game_of(module) or module == "games.python_game", (
                f"{module} does not begin with a game's name"
            )
            for name in used:
                assert not is_search(name), f"{module} uses {name}"
                assert not is_game(name) or game_of(name) == game_of(module), f"{module} uses {name}"


def test_search_never_names_a_game():
    names = re.compile(r"\b(" + "|".join(GAMES) + r")\b", re.IGNORECASE)
    for path, used in USED.items():
        module = module_of(path)
        if is_search(module):
            assert not any(is_game(name) for name in used), f"{module} uses {used}"
            code = re.sub(r"#.*", "", re.sub(r'"""(.|\n)*?"""', "", path.read_text()))
            assert not names.search(code), f"{module} names {names.search(code)[0]}"


# ---- Sizes -------------------------------------------------------------------------------------------------


def test_no_file_is_too_long_to_read():
    long = {}
    for folder in ("aiplay", "tests", "bench", "examples"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in SUFFIXES:
                lines = len(path.read_text().splitlines())
                if lines > 700:
                    long[str(path.relative_to(ROOT))] = lines
    assert long == {}
