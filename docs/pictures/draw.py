"""The diagrams of the documentation: ``python docs/pictures/draw.py`` writes them beside this file.

A test compares the files with what this script draws, so change them here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parent
INK, PALE, BLUE, GREEN, ORANGE, GREY = "#1f2430", "#ffffff", "#dbe4ff", "#d9f2e1", "#ffe8cc", "#e9ecef"
FONT = "font-family='system-ui, sans-serif' font-size='15'"


def text(
    x: float, y: float, words: str, *, anchor: str = "middle", weight: str = "normal", size: int = 15
) -> str:
    return (
        f"<text x='{x:g}' y='{y:g}' text-anchor='{anchor}' font-weight='{weight}' font-size='{size}' "
        f"fill='{INK}'>{escape(words)}</text>"
    )


def box(x: float, y: float, width: float, height: float, colour: str, lines: Sequence[str] = ()) -> str:
    """Draw a box with lines of text; the first one is bold."""
    parts = [
        f"<rect x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}' rx='7' fill='{colour}' "
        f"stroke='{INK}' stroke-width='1.2'/>"
    ]
    top = y + height / 2 - 9 * (len(lines) - 1) + 5
    for number, line in enumerate(lines):
        size = 15 if number == 0 else 13
        parts.append(
            text(x + width / 2, top + 18 * number, line, weight="normal" if number else "bold", size=size)
        )
    return "".join(parts)


def arrow(x0: float, y0: float, x1: float, y1: float) -> str:
    return (
        f"<path d='M {x0:g} {y0:g} L {x1:g} {y1:g}' stroke='{INK}' stroke-width='1.5' fill='none' "
        "marker-end='url(#head)'/>"
    )


def picture(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """Return an SVG document with a white ground, so that it can be read on dark pages as well."""
    head = (
        "<marker id='head' viewBox='0 0 10 10' refX='9' refY='5' markerWidth='7' markerHeight='7' "
        f"orient='auto-start-reverse'><path d='M 0 0 L 10 5 L 0 10 z' fill='{INK}'/></marker>"
    )
    body = "\n".join(parts)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
        f"role='img' {FONT}>\n<title>{escape(title)}</title>\n<defs>{head}</defs>\n"
        f"<rect width='{width}' height='{height}' rx='8' fill='{PALE}'/>\n{body}\n</svg>\n"
    )


# ---- The layers ----------------------------------------------------------------------------------------------


def layers() -> str:
    """Return the layers, the highest on top; each uses only what is below it."""
    rows: list[tuple[str, list[tuple[float, float, str, list[str]]]]] = [
        (
            "ways in",
            [(20, 680, BLUE, ["cli, engine, serve, interop, aio", "terminal, pipes, browser, libraries"])],
        ),
        ("results", [(20, 680, BLUE, ["report, audit, review, exploit", "what a match or a game says"])]),
        ("matches", [(20, 680, BLUE, ["match", "duels, tournaments, statistics, files"])]),
        ("referee", [(20, 680, BLUE, ["table, record, story, testing", "deals, checks moves, shows views"])]),
        (
            "faces",
            [
                (20, 330, GREEN, ["games", "options, checks, notation, scenes"]),
                (370, 330, ORANGE, ["players", "specifications, limits"]),
            ],
        ),
        (
            "C speed",
            [
                (20, 330, GREEN, ["_core/games", "rules, views, evaluation"]),
                (370, 330, ORANGE, ["_core/search", "mcts, expectimax, greedy, mixed"]),
            ],
        ),
        ("contract", [(20, 680, GREY, ["_core/contract", "all that search knows of a game"])]),
    ]
    parts = []
    for number, (_, boxes) in enumerate(rows):
        y = 20 + 66 * number
        parts += [box(x, y, width, 52, colour, lines) for x, width, colour, lines in boxes]
    return picture(720, 20 + 66 * len(rows), "The layers of aiplay", parts)


# ---- A search iteration --------------------------------------------------------------------------------------

STEPS = (
    ("1. Sample", ("a world that", "fits the view"), BLUE),
    ("2. Select", ("walk down the tree", "by upper bounds"), GREEN),
    ("3. Expand", ("add one node", "at the leaf"), GREEN),
    ("4. Play out", ("to the end, or let", "the game evaluate"), ORANGE),
    ("5. Back up", ("add the rewards to", "all moves on the way"), GREY),
)


def tree(x: float, y: float, deep: int) -> list[str]:
    """Draw a small tree whose walked path is `deep` edges long."""
    nodes = [(x, y), (x - 28, y + 38), (x + 28, y + 38), (x - 44, y + 76), (x - 12, y + 76)]
    edges = [(0, 1), (0, 2), (1, 3), (1, 4)]
    walked = [(0, 1), (1, 4)][:deep]
    parts = []
    for a, b in edges:
        if b == 4 and deep < 2:
            continue
        (x0, y0), (x1, y1) = nodes[a], nodes[b]
        wide = 3 if (a, b) in walked else 1.2
        parts.append(f"<path d='M {x0:g} {y0:g} L {x1:g} {y1:g}' stroke='{INK}' stroke-width='{wide}'/>")
    for number, (cx, cy) in enumerate(nodes):
        if number < 4 or deep >= 2:
            fill = BLUE if number in (0, *[b for _, b in walked]) else PALE
            parts.append(
                f"<circle cx='{cx:g}' cy='{cy:g}' r='8' fill='{fill}' stroke='{INK}' stroke-width='1.2'/>"
            )
    return parts


def iteration() -> str:
    """Return the five steps of an iteration of mcts."""
    parts = []
    for number, (name, words, colour) in enumerate(STEPS):
        x = 20 + 176 * number
        parts.append(box(x, 20, 150, 74, colour, [name, *words]))
        if number:
            parts.append(arrow(x - 26, 57, x, 57))
        parts += tree(x + 75, 124, (0, 1, 2, 2, 2)[number])
    play, back = 20 + 176 * 3 + 75 - 12, 20 + 176 * 4 + 75 - 12
    wave = "".join(f" q {4 if i % 2 else -4} 4 0 8" for i in range(5))
    parts.append(
        f"<path d='M {play} 208{wave}' stroke='{INK}' fill='none' stroke-width='1.5' stroke-dasharray='3 2'/>"
    )
    parts.append(text(play, 266, "win", size=13))
    parts += [arrow(back - 16, 196, back - 34, 168), arrow(back - 30, 158, back - 4, 130)]
    parts.append(arrow(20 + 176 * 4 + 75, 290, 95, 290))
    parts.append(text(460, 284, "thousands of times a second, a new world each time", size=13))
    return picture(900, 310, "The life of a search iteration", parts)


# ---- A view and three of its worlds --------------------------------------------------------------------------


def card(x: float, y: float, face: str) -> str:
    colour = GREY if face == "?" else PALE
    return (
        f"<rect x='{x:g}' y='{y:g}' width='34' height='46' rx='5' fill='{colour}' stroke='{INK}' "
        f"stroke-width='1.3'/>" + text(x + 17, y + 29, face, weight="bold", size=16)
    )


def position(x: float, y: float, colour: str, title: str, mine: str, theirs: str, board: str) -> list[str]:
    """Draw a position of Leduc poker: the hands of both seats and the public card."""
    parts = [box(x, y, 190, 116, colour), text(x + 95, y + 22, title, weight="bold")]
    for number, (label, face) in enumerate((("seat 0", mine), ("seat 1", theirs), ("board", board))):
        parts += [
            card(x + 18 + 58 * number, y + 36, face),
            text(x + 35 + 58 * number, y + 102, label, size=12),
        ]
    return parts


def worlds() -> str:
    """Return the truth, the view of seat 0 and three worlds that fit it."""
    parts = [
        *position(20, 130, BLUE, "the truth", "Q", "K", "J"),
        *position(290, 130, GREEN, "view of seat 0", "Q", "?", "J"),
        arrow(210, 188, 290, 188),
        text(250, 178, "conceal", size=13),
    ]
    for number, face in enumerate("JQK"):
        y = 10 + 124 * number
        parts += position(600, y, ORANGE, f"world {number + 1}", "Q", face, "J")
        parts.append(arrow(480, 188, 600, y + 58))
    parts.append(text(540, 112, "determinise", anchor="end", size=13))
    return picture(810, 384, "A view and three of its worlds", parts)


def perceived() -> str:
    """Return one deal as the two seats and a referee notice it."""
    parts = [box(20, 90, 180, 60, BLUE, ["the move", "seat 1 is dealt K"])]
    rows = (("seat 0", "'somebody got a card'", "None", GREY), ("seat 1", "'I got a king'", "K", GREEN))
    for number, (seat, words, key, colour) in enumerate(rows):
        y = 30 + 110 * number
        parts += [arrow(200, 120, 330, y + 34), box(330, y, 200, 68, colour, [f"perceive for {seat}", words])]
        parts += [arrow(530, y + 34, 590, y + 34), box(590, y + 10, 110, 48, PALE, [f"key: {key}"])]
    return picture(720, 240, "One move, perceived by two seats", parts)


PICTURES: dict[str, Callable[[], str]] = {
    "layers": layers,
    "iteration": iteration,
    "worlds": worlds,
    "perceived": perceived,
}


def main() -> None:
    for name, draw in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
