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
    ["errors", "lazy"],
    ["options", "files", "layout", "fields", "grid", "catalogue", "parts", "scene"],
    ["_core", "_core.typedefs", "_core.bits", "_core.rng", "_core.entries"],
    ["_core.stream"],
    ["_core.contract"],
    [
        "_core.features",
        "_core.playout",
        "_core.facts",
        "_core.observe",
        "_core.arrays",
        "_core.scenes",
        "_core.game",
    ],
    ["_core.measure", "_core.python_game", "_core.soak"],
    ["_core.games.", "_core.search."],
    ["analysis", "levels", "limit", "rating", "strategy", "features", "value", "token", "games.", "players."],
    ["registry"],
    ["story", "record", "table", "decision", "testing", "testing."],
    [""],  # the package itself: what `import aiplay` gives
    ["match", "match.", "speed"],
    ["exploit", "exploit.", "report", "report."],
    ["audit", "audit.", "learn", "learn.", "review", "review."],
    ["balance", "balance."],
    ["profile", "profile.", "tune", "tune."],
    [
        "__main__",
        "aio",
        "cli",
        "cli.",
        "engine",
        "engine.",
        "interop",
        "interop.",
        "serve",
        "serve.",
        "site",
        "site.",
    ],
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


# The package itself names for type checkers what it loads on demand: that is no use.
USED = {path: sorted(set(uses(path, module_of(path) != "")) - {module_of(path)}) for path in FILES}


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
            assert outside <= {
                "errors",
                "lazy",
                "options",
                "layout",
                "fields",
                "catalogue",
                "parts",
                "scene",
            }, f"{path.relative_to(ROOT)} uses {sorted(outside)}"


# ---- Games and search do not know each other ---------------------------------------------------------------


SHARED = {"games.python_game", "games.data_file"}  # what games of any kind use


def game_of(module):
    """The game that a module belongs to: its file, or the folder that it is in."""
    name = module.partition("games.")[2].split(".")[0]
    name = name.removesuffix("_scene")
    return name if name in GAMES else None


def is_game(module):
    return module.startswith(("_core.games.", "games."))


def is_search(module):
    return module.startswith(("_core.search.", "players."))


def test_a_game_never_names_search_or_another_game():
    for path, used in USED.items():
        module = module_of(path)
        if is_game(module):
            assert game_of(module) or module in SHARED, f"{module} is in no folder with a game's name"
            for name in used:
                assert not is_search(name), f"{module} uses {name}"
                is_own = game_of(name) == game_of(module) or name in SHARED
                assert not is_game(name) or is_own, f"{module} uses {name}"


def test_search_never_names_a_game():
    names = re.compile(r"\b(" + "|".join(GAMES) + r")\b", re.IGNORECASE)
    for path, used in USED.items():
        module = module_of(path)
        if is_search(module):
            assert not any(is_game(name) for name in used), f"{module} uses {used}"
            code = re.sub(r"#.*", "", re.sub(r'"""(.|\n)*?"""', "", path.read_text()))
            assert not names.search(code), f"{module} names {names.search(code)[0]}"


# ---- One folder a game, the same file names in every game --------------------------------------------------

CORE = ROOT / "aiplay" / "_core" / "games"
FACES = ROOT / "aiplay" / "games"
LARGE = sorted(path.name for path in CORE.iterdir() if path.is_dir() and path.name in GAMES)
SMALL = sorted(set(GAMES) - set(LARGE))
HOMES = {  # where a function of the contract is written, in every game that has a folder
    "setup": "rules",
    "to_move": "rules",
    "play": "rules",
    "returns": "rules",
    "chance_outcomes": "rules",
    "sample_chance": "rules",
    "legal_moves": "legal",
    "perceive": "views",
    "conceal": "views",
    "determinise": "views",
    "evaluate": "value",
    "priors": "policy",
    "playout_move": "policy",
}
FACE_FILES = {
    "__init__.py",
    "catalogue.py",
    "check.py",
    "data.py",
    "data.toml",
    "moves.py",
    "pack.py",
    "render.py",
    "rules.md",
    "scene.py",
    *(f"value_{seats}.json" for seats in range(2, 7)),
}


@pytest.mark.parametrize("game", SMALL)
def test_a_small_game_is_one_file_on_each_side(game):
    assert {path.name for path in CORE.glob(f"{game}*") if path.suffix in SUFFIXES} == {
        f"{game}.pxd",
        f"{game}.pyi",
        f"{game}.pyx",
    }
    assert {path.name for path in FACES.glob(f"{game}*")} <= {f"{game}.py", f"{game}_scene.py", f"{game}.md"}


@pytest.mark.parametrize("game", LARGE)
def test_a_function_of_the_contract_has_the_same_home_in_every_game(game):
    files = {path: path.read_text() for path in (CORE / game).glob("*.pyx")}
    for function, home in HOMES.items():
        defined = re.compile(rf"^cdef (?:inline )?\w+ {game}_{function}\(", re.MULTILINE)
        homes = [path.stem for path, text in files.items() if defined.search(text)]
        assert homes in ([], [home]), f"{game}_{function} is written in {homes}, not in {home}"
        if f"ops.{function} = " in files[CORE / game / "core.pyx"]:
            assert homes == [home]


@pytest.mark.parametrize("game", LARGE)
def test_the_state_and_the_core_have_the_same_home_in_every_game(game):
    name = "".join(word.capitalize() for word in game.split("_"))
    assert f"ctypedef struct {name}State:" in (CORE / game / "state.pxd").read_text()
    assert f"cdef class {name}Core(Game):" in (CORE / game / "core.pxd").read_text()


@pytest.mark.parametrize("game", LARGE)
def test_a_face_has_the_same_files_in_every_game(game):
    names = {path.name for path in (FACES / game).iterdir() if path.name != "__pycache__"}
    assert {"__init__.py", "data.py", "data.toml"} <= names <= FACE_FILES


# ---- Each constant once, declarations in .pxd ---------------------------------------------------------------

ENUM = re.compile(r"^cp?def enum.*:.*\n((?:[ ]{4}.*\n|\n)+)", re.MULTILINE)


def scope_of(module):
    """Where a constant of a module is known: in one game, in search, or everywhere."""
    return game_of(module) or ("search" if is_search(module) else "everywhere")


NUMBERS = {
    (scope_of(module_of(path)), name)
    for path in FILES
    if path.suffix in (".pyx", ".pxd")
    for block in ENUM.findall(path.read_text())
    for name in re.findall(r"^ {4}(\w+) *=", block, re.MULTILINE)
}


def is_number(node):
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def constants_of(path):
    """The names in capitals that a Python file gives a number written in place."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                if len(names) == len(values):
                    for name, value in zip(names, values, strict=True):
                        if isinstance(name, ast.Name) and name.id.isupper() and is_number(value):
                            yield name.id


def test_no_number_of_the_core_is_typed_again_in_python():
    assert {("everywhere", "CHANCE"), ("everywhere", "PLAY_TO_THE_END"), ("connect_four", "ROWS")} <= NUMBERS
    for path in FILES:
        if path.suffix == ".py":
            scopes = {"everywhere", scope_of(module_of(path))}
            again = {name for name in constants_of(path) if any((scope, name) in NUMBERS for scope in scopes)}
            assert not again, f"{path.relative_to(ROOT)}: import {sorted(again)} from the compiled module"


BODY = 15  # lines of an inline function that is shared through a .pxd


def bodies_of(text):
    """The functions that are written out in a .pxd: name and lines of code, without documentation."""
    text = re.sub(r'"""(.|\n)*?"""', "", text)
    for match in re.finditer(
        r"^cdef inline [^(]*?(\w+)\((?:.|\n)*?\) noexcept nogil:.*\n", text, re.MULTILINE
    ):
        body = re.match(r"(?:[ ]{4}.*\n|\n(?=[ ]{4}|\n))*", text[match.end() :])[0]
        lines = [line for line in body.splitlines() if line.strip() and not line.strip().startswith("#")]
        yield match[1], len([line for line in lines if not line.strip().startswith("cdef ")])


def test_a_pxd_declares_and_only_short_functions_are_written_in_it():
    assert dict(bodies_of('cdef inline int f(int a) noexcept nogil:\n    """D."""\n    return a\n')) == {
        "f": 1
    }
    long = {
        f"{path.relative_to(ROOT)}: {name}": n
        for path in FILES
        if path.suffix == ".pxd"
        for name, n in bodies_of(path.read_text())
        if n > BODY
    }
    assert long == {}


# ---- Sizes -------------------------------------------------------------------------------------------------


def test_no_file_is_too_long_to_read():
    long = {}
    for folder in ("aiplay", "tests", "bench", "examples"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in SUFFIXES:
                lines = len(path.read_text().splitlines())
                if lines > 600:
                    long[str(path.relative_to(ROOT))] = lines
    assert long == {}
