"""Games of other packages, and files of matches, on the page."""

from __future__ import annotations

import pathlib
import random
import re
import shutil
import sys

import pytest
from serving import Server

from aiplay.match import Duel, Store

ROOT = pathlib.Path(__file__).parent.parent
SECTION = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8").split("## A drawing of your own")[1]
GUEST = """
from high_card import HighCard
class DrawnCard(HighCard):
    name = "drawn_card"
    drawing = "high_card.js"
"""
POINTS = "[aiplay.games]\nhigh_card = high_card:HighCard\ndrawn_card = guest_games:DrawnCard\n"


@pytest.fixture
def guests(tmp_path, monkeypatch):
    """Install two games as a package: one without a drawing, and the same one with the drawing of the docs."""
    shutil.copy(ROOT / "examples" / "high_card.py", tmp_path)
    (tmp_path / "guest_games.py").write_text(GUEST)
    (tmp_path / "high_card.js").write_text(re.search(r"```js\n(.*?)```", SECTION, re.S)[1])
    info = tmp_path / "guest_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest_games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in ("guest_games", "high_card"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("guests")
@pytest.mark.parametrize(("game", "drawing"), [("high_card", "generic"), ("drawn_card", "high_card")])
def test_a_game_of_another_package_is_drawn_and_played_by_clicks(served, person, game, drawing):
    one = person().visit().open(game, {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    assert one.page.locator(f"svg.drawing-{drawing}").count() == 1
    one.play_to_the_end(random.Random(1))
    assert served.host.rooms.find(one.room).table.over


def test_a_game_of_a_saved_match_is_replayed_with_thinking(person, tmp_path):
    duel = Duel(game="connect_four", a="greedy", b="random", games=4, seed=1)
    with Store.create(tmp_path / "cup.db", duel.description()) as store:
        duel.play(store=store)
    server = Server(replays=[tmp_path / "cup.db"])
    one = person(server.port).visit()
    assert one.page.inner_text("#match option") == "cup.db (4 games)"
    one.page.fill("#match-game", one.page.get_attribute("#match-game", "max"))
    one.page.click("button:text('Replay this game')")
    one.page.wait_for_selector(".playback:visible")
    assert {"greedy", "random"} <= set(re.findall(r"\w+", one.page.inner_text(".seats")))
    one.page.fill("#moment", "4")
    one.page.wait_for_function("() => document.querySelectorAll('.log li').length === 4")
    one.page.check("#analyse")
    one.page.wait_for_selector(".thoughts tbody tr")
    one.page.uncheck("#analyse")
    server.stop()
