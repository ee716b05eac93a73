"""The elements of a page: one HTML file without links to others, in light or dark colours."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

__all__ = ["escape", "figure", "grid", "whole_page"]

STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1e24; --quiet: #6b7280; --line: #e3e5e9;
  --accent: #2563ab }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181d; --ink: #e8eaee; --quiet: #9aa1ad; --line: #30343c; --accent: #6fb0f2 }
}
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 0 auto;
  max-width: 62rem; padding: 2rem 1.25rem 4rem }
h1 { font-size: 1.7rem; margin: 0 } h2 { font-size: 1.3rem; margin: 3rem 0 .5rem }
h3 { font-size: 1rem; margin: 2rem 0 .5rem } p { margin: .5rem 0 } .quiet { color: var(--quiet) }
.note { border-left: 4px solid var(--accent); padding: .25rem .75rem }
.wide { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .5rem; text-align: right; white-space: nowrap }
th { color: var(--quiet); font-size: .85rem; font-weight: 600 }
th[scope=row] { color: var(--ink); font-size: 1rem; font-weight: 400; min-width: 10rem;
  overflow-wrap: anywhere; text-align: left; white-space: normal }
thead th:first-child { text-align: left } figure { margin: 0 } svg { height: auto; width: 100% }
figcaption { color: var(--quiet); font-size: .9rem }
"""


def whole_page(title: str, header: str, sections: Iterable[str]) -> str:
    """Return a page; `header` and `sections` are HTML, `title` is text."""
    title = escape(title)
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            f"<header>\n<h1>{title}</h1>\n{header}\n</header>\n<main>",
            *sections,
            "</main>\n</body>\n</html>\n",
        ]
    )


def grid(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows and columns; the first cell of a row is its heading."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in headings)
    body = "\n".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def figure(title: str, picture: str, caption: str) -> str:
    """Return a picture, an element of its own, with a heading and a caption, which are HTML."""
    return f"<h3>{title}</h3>\n<figure>{picture}<figcaption>{caption}</figcaption></figure>"


def escape(text: str) -> str:
    """Return the text as HTML. Users write specifications and options: nothing in them may act as HTML."""
    return html.escape(text)
