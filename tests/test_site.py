"""`aiplay site` in a real browser, with nothing but a server of files: the bots play in a worker."""

from __future__ import annotations

import random

import pytest
from browser import Person
from wasm import built_wheel, fetched, static_server

from aiplay.site.build import build_site
from aiplay.site.runtime import default_cache

MOST = 8_000_000  # bytes of a first visit, compressed
GAMES = {
    "illusio": {"goal": 2, "turn_cap": 4},
    "levitation": {},
    "magic_rabbit": {"turns": 4, "piles": 6},
    "three_magicians": {"players": 2, "turn_cap": 6},
}
# Talks to the worker of the site as its transport does; `ask` gives the answer to a query.
TALK = """
async () => {
  const worker = new Worker("site/worker.js", { type: "module" });
  const waiting = new Map(), pushes = [];
  await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data.ready) resolve();
      if (data.failed) reject(new Error(data.failed));
      if (data.message?.push) pushes.push(data.message);
      else if (data.message && !data.message.partial) waiting.get(data.message.id)?.(data.message);
    };
    worker.postMessage({ kept: {} });
  });
  let id = 0;
  window.pushes = pushes;
  window.ask = (query) => new Promise((resolve) => {
    waiting.set(++id, resolve);
    worker.postMessage({ message: { id, ...query } });
  });
}
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    wheel = built_wheel()
    fetched()
    return build_site(tmp_path_factory.mktemp("site"), wheel, default_cache())


@pytest.fixture(scope="module")
def port(site):
    with static_server(site.folder) as found:
        yield found


@pytest.fixture
def visitor(chromium, port):
    person = Person(chromium, port)
    person.page.set_default_timeout(120_000)
    yield person
    person.close()


def test_a_first_visit_is_small(site):
    assert site.compressed < MOST


def test_nothing_is_loaded_from_elsewhere(visitor):
    asked = []
    visitor.context.on("request", lambda request: asked.append(request.url))
    visitor.visit()
    assert len(asked) > 10
    assert {url for url in asked if not url.startswith(f"http://127.0.0.1:{visitor.port}/")} == set()


def test_a_bar_shows_the_progress(visitor):
    visitor.page.goto(f"http://127.0.0.1:{visitor.port}/")
    visitor.page.wait_for_selector("progress")
    assert visitor.page.locator(".site-loading label").inner_text().startswith("Loading")
    visitor.page.wait_for_selector(".setup")
    assert visitor.page.locator("progress").count() == 0


@pytest.mark.slow
def test_a_game_of_each_tabletop_game_is_played_without_a_server(visitor):
    visitor.visit()
    for game, options in GAMES.items():
        visitor.page.evaluate("location.hash = '#'")
        visitor.page.wait_for_selector(".setup")
        visitor.open(game, options, {1: "bot:level 1"})
        assert visitor.play_to_the_end(random.Random(1)) > 0
        assert visitor.page.locator(".result .returns li").count() >= 2


def test_the_site_works_without_a_connection(chromium, site):
    with static_server(site.folder) as port:
        visitor = Person(chromium, port)
        visitor.page.set_default_timeout(120_000)
        visitor.visit().open("connect_four", {}, {1: "bot:level 1"})
        visitor.play("4")
        assert visitor.wait_for_turn()
        ply = visitor.ply()
        visitor.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    visitor.page.reload()  # nobody serves the files any more
    visitor.page.wait_for_selector(".board svg")
    assert visitor.ply() == ply  # the browser has kept the room
    assert visitor.wait_for_turn()
    visitor.play("4")
    assert visitor.wait_for_turn()
    visitor.close()


def test_tutor_watch_replay_and_thinking_work_in_the_worker(visitor):
    page = visitor.page
    page.goto(f"http://127.0.0.1:{visitor.port}/")
    page.wait_for_selector(".setup")
    page.evaluate(TALK)

    def ask(**query):
        answer = page.evaluate("query => window.ask(query)", query)
        assert answer["ok"], answer
        return answer

    bots = [{"kind": "bot", "strength": "gentle"}] * 2
    watched = ask(action="watch", game="connect_four", seats=bots, speed=0)
    ask(action="join", room=watched["room"], secret=watched["owner"])
    page.wait_for_function("() => window.pushes.some((push) => push.over)", timeout=120_000)
    saved = ask(action="save", room=watched["room"], secret=watched["owner"])
    film = ask(action="replay", record=saved["record"])
    ask(action="join", room=film["room"], secret=film["owner"])
    thought = ask(action="think", room=film["room"], seat=0, time=0.3, every=0.1)
    assert thought["iterations"] > 0
    seats = [{"kind": "human"}, {"kind": "bot", "strength": "gentle"}]
    opened = ask(action="open_room", game="connect_four", seats=seats, tutor=0.05)
    ask(action="join", room=opened["room"], secret=opened["seats"][0]["secret"])
    assert ask(action="hint", room=opened["room"], seat=0)["moves"]


def test_a_search_is_stopped_and_keeps_its_time(visitor):
    page = visitor.page
    page.goto(f"http://127.0.0.1:{visitor.port}/")
    page.wait_for_selector(".setup")
    page.evaluate(TALK)
    found = page.evaluate(
        """async () => {
          const { ask } = window;
          const seats = [{ kind: "human" }, { kind: "bot", strength: "best" }];
          const { room, seats: [{ secret }] } = await ask({ action: "open_room", game: "connect_four", seats });
          await ask({ action: "join", room, secret });
          const short = await ask({ action: "think", room, seat: 0, time: 0.5, every: 10 });
          const long = ask({ action: "think", room, seat: 0, time: 10, every: 10 });
          await new Promise((resolve) => setTimeout(resolve, 200));
          await ask({ action: "stop_thinking", room });
          return [short, await long];
        }"""
    )
    short, stopped = found
    assert short["ok"], short
    assert short["seconds"] >= 0.5
    assert stopped["ok"], stopped
    assert stopped["iterations"] > 0
    assert stopped["seconds"] < 9
