"""Pictures of the page of `aiplay serve`: every game in both themes and both widths, in the middle of a game.

    python docs/page_pictures.py FOLDER                  all of them, whole pages, to look at
    python docs/page_pictures.py FOLDER --games illusio  only these games
    python docs/page_pictures.py --docs                  the pictures that README.md and docs/serving.md show

Needs the extras `serve` and `test`, Pillow, and chromium.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page

import aiplay

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import browser as tests

DOCS = Path(__file__).parent
COLOURS = 256  # of a picture: drawings need no more
MOST_MORE = 15  # moves to find a better moment
THEMES = ("light", "dark")


class Scene(NamedTuple):
    """A moment of a game to show."""

    options: dict[str, Any]
    ply: int  # at least, when the page goes on with it
    played: int = 6  # moves on the page before the picture, for its chart and its log
    choices: int = 1  # moves to choose from in the picture, if that can be had soon
    seed: int = 1
    bot: str = "mcts:iterations=200"  # plays up to the moment


class Picture(NamedTuple):
    """A picture of the documentation."""

    name: str
    game: str
    theme: str
    size: dict[str, int]


SCENES = {
    "connect_four": Scene({}, 4, played=3),
    "illusio": Scene({"players": 3}, 60, played=8, choices=9, bot="mcts:iterations=300"),
    "leduc_poker": Scene({}, 2, played=1, seed=3),
    "levitation": Scene({"players": 2}, 80, played=8, choices=5),
    "magic_rabbit": Scene({"players": 3}, 24),
    "pig": Scene({"players": 3}, 30),
    "three_magicians": Scene({"players": 3}, 70, choices=6, seed=4, bot="mcts:iterations=600"),
}
WIDE, NARROW, HIGH = tests.WIDE, tests.NARROW, {"width": 1600, "height": 1160}
SHOWN = (
    Picture("page-illusio", "illusio", "light", HIGH),
    Picture("page-three-magicians", "three_magicians", "light", WIDE),
    Picture("page-levitation", "levitation", "dark", HIGH),
    Picture("page-magic-rabbit", "magic_rabbit", "dark", NARROW),
    Picture("page-connect-four", "connect_four", "light", NARROW),
)


def record_of(game: str) -> str:
    """Return the record of a game up to its moment: bots have played, and seat 0 has a choice."""
    scene = SCENES[game]
    table = aiplay.Table(aiplay.load_game(game, **scene.options), seed=scene.seed)
    bot = aiplay.make_player(scene.bot, seed=scene.seed)
    while not table.over:
        is_choice = table.to_move == 0 and len(table.legal_moves()) > 1
        if is_choice and len(table.record.moves) >= scene.ply:
            break
        table.play(bot.choose(table.view(table.to_move)))
    return str(table.record.to_json())


@contextlib.contextmanager
def server() -> Iterator[str]:
    """A server of its own; gives its address."""
    command = [sys.executable, "-m", "aiplay.cli", "serve", "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        yield next(word for line in process.stderr for word in line.split() if word.startswith("http"))
    finally:
        process.terminate()
        process.wait()


def show(page: Page, address: str, game: str, folder: Path) -> None:
    """Go on with a game on the page, and let it think."""
    file = folder / "record.json"
    file.write_text(record_of(game))
    page.goto(address)
    page.set_input_files("#save-file", file)
    page.wait_for_selector(".board svg")
    page.check("#analyse")
    scene = SCENES[game]
    for played in range(scene.played + MOST_MORE):
        best = best_move(page)
        if played >= scene.played and page.locator(".move").count() >= scene.choices:
            break
        ply = page.get_attribute(".table", "data-ply")
        page.get_by_role("button", name=best, exact=True).and_(page.locator(".move")).click()
        page.wait_for_selector(f".table:not([data-ply='{ply}'])")
    page.wait_for_selector(".line li")  # at the end of the analysis
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    page.wait_for_timeout(1000)  # for the last figures


def best_move(page: Page) -> str:
    """Wait for this person's turn and a first analysis; return its best move."""
    page.wait_for_function("() => document.querySelector('.status').textContent === 'Your turn'")
    page.wait_for_selector(".thoughts tbody tr")
    page.wait_for_timeout(300)
    return page.inner_text(".thoughts tbody tr:first-child th")


def take(browser: Browser, address: str, picture: Picture, target: Path, *, is_whole: bool) -> None:
    """Write a picture of a page."""
    context = browser.new_context(viewport=picture.size, color_scheme=picture.theme, reduced_motion="reduce")
    with tempfile.TemporaryDirectory() as folder:
        page = context.new_page()
        show(page, address, picture.game, Path(folder))
        page.screenshot(path=target, full_page=is_whole)
    context.close()
    Image.open(target).convert("RGB").quantize(COLOURS, kmeans=2).save(target, optimize=True)
    print(f"{target} ({target.stat().st_size // 1000} kB)")


def everything(games: list[str]) -> list[Picture]:
    """Return every game in both themes and both widths."""
    return [
        Picture(f"{game}-{theme}-{size['width']}", game, theme, size)
        for game in games
        for theme in THEMES
        for size in (WIDE, NARROW)
    ]


def main() -> None:
    """Make the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--docs", action="store_true", help="the pictures of the documentation")
    parser.add_argument("--games", nargs="+", choices=sorted(SCENES), default=sorted(SCENES))
    asked = parser.parse_args()
    if asked.docs == (asked.folder is not None):
        parser.error("give either a folder or --docs")
    folder = DOCS if asked.docs else asked.folder
    folder.mkdir(parents=True, exist_ok=True)
    with server() as address, tests.chromium() as browser:
        for picture in SHOWN if asked.docs else everything(asked.games):
            take(browser, address, picture, folder / f"{picture.name}.png", is_whole=not asked.docs)


if __name__ == "__main__":
    main()
