"""Hooks of the site (mkdocs.yml): pages from outside docs/, links to source files, the C contract.

Pages of the repository link to each other as files, so that they can be read on GitHub and in an editor as well. The
site has the same pages at the same paths below docs/; a link to any other file becomes a link to the repository.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
REPOSITORY = "https://github.com/aiplay/aiplay/blob/main/"
OUTSIDE = (  # pages that stay where they are in the repository
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "CODE_OF_CONDUCT.md",
    "SECURITY.md",
    "aiplay/_core/README.md",
    "aiplay/games/**/*.md",
    "examples/*.md",
    "examples/[!n]*/*.md",
    "examples/n*/README.md",
)
LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)\s]*)?\))")


def outside_pages() -> list[str]:
    """Return the paths of the pages that are not below docs/."""
    return sorted({path.relative_to(ROOT).as_posix() for glob in OUTSIDE for path in ROOT.glob(glob)})


def on_config(config: Any) -> Any:
    """List the rules of every game, and the examples, in the navigation."""
    pages = outside_pages()
    _fill(config.nav, "Rules", [path for path in pages if path.startswith("aiplay/games/")])
    _fill(config.nav, "Examples", [path for path in pages if path.startswith("examples/")])
    return config


def _fill(nav: list[Any], name: str, pages: list[str]) -> None:
    """Fill the empty section of that name, at any depth."""
    for entry in nav:
        for title, content in entry.items() if isinstance(entry, dict) else ():
            if title == name:
                entry[title] = [{_title(page): page} for page in pages]
            elif isinstance(content, list):
                _fill(content, name, pages)


def _title(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").partition(":")[0]


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside docs/."""
    for path in outside_pages():
        files.append(File.generated(config, path, content=(ROOT / path).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Turn links between files of the repository into links between pages of the site."""
    source = page.file.src_uri
    here = source if source in outside_pages() else f"docs/{source}"
    if "<!-- contract -->" in markdown:
        markdown = markdown.replace("<!-- contract -->", contract_pages())
    return LINK.sub(lambda link: link[1] + _target(here, source, link[2]) + link[3], markdown)


def _target(here: str, source: str, link: str) -> str:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(here), link))
    if path == "README.md":
        path = "docs/index.md"
    if path.startswith("docs/"):
        path = path.removeprefix("docs/")
    elif path not in outside_pages():
        return REPOSITORY + path if (ROOT / path).exists() else link  # mkdocs warns of it
    return posixpath.relpath(path, posixpath.dirname(source) or ".")


# ---- The C contract ----------------------------------------------------------------------------------------

CONTRACT = ROOT / "aiplay" / "_core" / "contract.pxd"
EXAMPLE = ROOT / "examples" / "native_game" / "kuhn_poker" / "_core.pyx"


def contract_pages() -> str:
    """Return the struct of operations as Markdown: its sections, every function with its comment and an example."""
    body = CONTRACT.read_text(encoding="utf-8").split("ctypedef struct GameOps:\n")[1].split("\n\n\n")[0]
    parts = re.split(r"    # ---- (.*?) -+\n", body)[1:]
    return "\n".join(_section(title, text) for title, text in zip(parts[::2], parts[1::2], strict=True))


def _section(title: str, text: str) -> str:
    title, _, note = title.partition(": ")
    lines = [f"## {title}\n", f"{note[:1].upper()}{note[1:]}.\n" if note else ""]
    for block in text.strip("\n").split("\n\n"):
        comment = " ".join(re.findall(r"^ {4}# (.*)", block, re.M))
        code = "\n".join(line[4:] for line in block.splitlines() if not line.startswith("    #"))
        names = re.findall(r"\(\*(\w+)\)", code)
        if names:
            lines.append("### " + ", ".join(f"`{name}`" for name in names) + "\n")
        lines.append(f"{comment}\n\n```cython\n{code}\n```\n")
        lines += [_example(name) for name in names]
    return "\n".join(lines)


def _example(name: str) -> str:
    """Return how the example package writes a function: it is compiled and tested with every change."""
    source = EXAMPLE.read_text(encoding="utf-8")
    found = re.search(rf"^cdef \w+ kuhn_{name}\(.*?(?=\n\n\n|\Z)", source, re.M | re.S)
    return f"In Kuhn poker:\n\n```cython\n{found[0]}\n```\n" if found else ""
