# ruff: noqa: E501 (lines of JavaScript)
"""Every drawing of the page, in a real browser, without a server: real positions, all numbers of seats."""

from __future__ import annotations

import itertools
import pathlib
from typing import Any

import pytest
from drawn_positions import GAMES, game_of, game_words, positions

PAGE = pathlib.Path(__file__).parent.parent / "aiplay" / "serve" / "page"
HOME = "http://drawings.test/"
SHEETS = ("base.css", "table.css", "drawings/drawings.css")
HTML = (
    '<!doctype html><html lang="en">'
    + "".join(f'<link rel="stylesheet" href="/page/{name}">' for name in SHEETS)
    + '<div class="board"><svg id="table"></svg></div>'
)
TYPES = {".js": "text/javascript", ".css": "text/css"}
N_DRAWN = 28  # positions of a game, spread over its length
CASES = [(name, seats) for name, numbers in GAMES.items() for seats in numbers]

# Draws the positions one after the other; says which moves cannot be reached by choosing things and then buttons.
DRAW = """async ([name, words, cases]) => {
  const { draw } = await import(`/page/drawings/${name}.js`);
  const { fits, thingAt, thingsIn } = await import("/page/drawings/things.js");
  const { chosenAfter, offers, remaining } = await import("/page/choice.js");
  const svg = document.getElementById("table");
  const problems = [];
  const show = (one, selected) => {
    draw(svg, one.scene, { ...words, ...one, selected, size: one.width < 640 ? "narrow" : "wide", events: [], choose() {} });
    return thingsIn(svg);
  };
  const seen = new Map(); // what is drawn when these things are chosen
  const thingsWhen = (one, chosen) => {
    const key = JSON.stringify(chosen);
    if (!seen.has(key)) seen.set(key, show(one, chosen));
    return seen.get(key);
  };
  const reach = (one, move, chosen, depth) => {
    const things = thingsWhen(one, chosen);
    if (chosen.length && remaining(one.legal, chosen).length === 1) return true;
    const buttons = offers(one.legal, chosen, things);
    if (buttons.some((button) => button.move?.move === move.move)) return true;
    if (depth === 0) return false;
    const next = [...things, ...buttons.filter((button) => button.thing).map((button) => button.thing)];
    const clicks = [...new Set(next)].filter((thing) => !chosen.includes(thing) && fits(move.parts, thing));
    return clicks.some((thing) => {
      const after = chosenAfter(one.legal, chosen, thing);
      return after.length > chosen.length && reach(one, move, after, depth - 1);
    });
  };
  for (const one of cases) {
    seen.clear();
    show(one, []);
    const box = svg.viewBox.baseVal;
    if (box.width !== one.width || !(box.height > 100)) problems.push(`size ${box.width} x ${box.height}`);
    for (const element of svg.querySelectorAll("[data-thing]")) {
      if (!element.getAttribute("aria-label") || element.getAttribute("role") !== "button" || element.getAttribute("tabindex") !== "0")
        problems.push(`no button: ${element.dataset.thing}`);
      if (element.parentElement.closest("[data-thing]")) problems.push(`a thing in a thing: ${element.dataset.thing}`);
      element.scrollIntoView({ block: "center" });
      const { left, top, width, height } = element.getBoundingClientRect();
      const hits = [1, 2, 3, 4, 5].flatMap((i) => [1, 2, 3, 4, 5].map((j) => thingAt(left + (width * i) / 6, top + (height * j) / 6)));
      if (!hits[12]) problems.push(`a click on its middle does nothing: ${element.dataset.thing}`);
      if (!hits.some((hit) => hit === element.dataset.thing)) problems.push(`covered: ${element.dataset.thing}`);
      if (!one.legal.some(({ parts }) => fits(parts, element.dataset.thing))) problems.push(`not legal: ${element.dataset.thing}`);
    }
    if (/NaN|undefined|\\[object/.test(svg.outerHTML)) problems.push("a value is missing in the drawing");
    for (const text of svg.querySelectorAll("text")) {
      const { x, width } = text.getBBox();
      const at = svg.getScreenCTM().inverse().multiply(text.getScreenCTM()).e + x;
      if (at < -1 || at + width > one.width + 1) problems.push(`outside: ${text.textContent}`);
    }
    for (const move of one.legal) if (!reach(one, move, [], 4)) problems.push(`cannot be reached: ${move.text}`);
  }
  return [...new Set(problems)];
}"""

# Returns the words whose colour is too near to what lies behind them, by the contrast of WCAG 2 (axe-core does not know
# the colours of SVG): "words: contrast".
CONTRAST = """async ([name, words, cases, scheme]) => {
  const { draw } = await import(`/page/drawings/${name}.js`);
  const svg = document.getElementById("table");
  document.documentElement.dataset.theme = scheme;
  const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((part, i) => part * a + below[i] * (1 - a));
  const light = (color) => {
    const [r, g, b] = color.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const seen = (element, style) => {
    const [r, g, b, a = 1] = rgba(style.fill);
    let opacity = a * style.fillOpacity;
    for (let one = element; one !== svg; one = one.parentElement) opacity *= getComputedStyle(one).opacity;
    return [r, g, b, opacity];
  };
  const isInk = (element) => element.closest(".icon") || element.tagName === "text";
  const ground = (x, y) => document.elementsFromPoint(x, y).filter((one) => svg.contains(one) && one !== svg && !isInk(one))
    .map((one) => [one, getComputedStyle(one)]).filter(([, { fill }]) => fill.startsWith("rgb"))
    .reverse().reduce((below, [one, style]) => over(seen(one, style), below), rgba(getComputedStyle(svg.parentElement).backgroundColor));
  const problems = new Set();
  for (const one of cases) {
    draw(svg, one.scene, { ...words, ...one, selected: [], events: [], choose() {} });
    for (const text of svg.querySelectorAll("text")) {
      text.scrollIntoView({ block: "center" });
      const style = getComputedStyle(text), { left, top, width, height } = text.getBoundingClientRect();
      const behind = ground(left + width / 2, top + height / 2);
      const [a, b] = [light(over(seen(text, style), behind)), light(behind)];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
      if (contrast < (isLarge ? 3 : 4.5)) problems.add(`${text.textContent}: ${contrast.toFixed(1)} of ${style.fill} on ${behind}`);
    }
  }
  return [...problems];
}"""


@pytest.fixture(scope="module")
def sheet(chromium: Any) -> Any:
    """A page that holds one drawing; the browser gets the files from the package."""
    page = chromium.new_page(viewport={"width": 1000, "height": 800})
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda said: page.problems.append(said.text) if said.type == "error" else None)
    page.route(HOME + "**", _answer)
    page.goto(HOME)
    yield page
    page.close()


def _answer(route: Any) -> None:
    path = route.request.url.removeprefix(HOME).removeprefix("page/")
    if not path:
        route.fulfill(body=HTML, content_type="text/html")
    elif (file := PAGE / path).is_file():
        route.fulfill(body=file.read_text(), content_type=TYPES[file.suffix])
    else:
        route.fulfill(status=204, body="")


def _cases(name: str, seats: int, n: int) -> list[dict[str, Any]]:
    """Positions from the whole length of a random game, at both widths in turn."""
    game = game_of(name, seats)
    played = [one for _, one in itertools.islice(positions(game, seed=seats), 1500)]
    chosen = played[:: max(1, len(played) // n)] + played[-1:]
    return [one | {"width": (360, 1000)[i % 2], "previous": None} for i, one in enumerate(chosen)]


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_draws_every_position_and_every_move_can_be_chosen(sheet: Any, name: str, seats: int) -> None:
    words = game_words(game_of(name, seats))
    assert sheet.evaluate(DRAW, [name, words, _cases(name, seats, N_DRAWN // len(GAMES[name]))]) == []
    assert sheet.problems == []


@pytest.mark.parametrize("name", GAMES)
def test_the_generic_drawing_draws_any_game(sheet: Any, name: str) -> None:
    seats = GAMES[name][-1]
    assert sheet.evaluate(DRAW, ["generic", game_words(game_of(name, seats)), _cases(name, seats, 4)]) == []
    assert sheet.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [*GAMES, "generic"])
def test_words_stand_out_from_what_is_behind_them(sheet: Any, name: str, scheme: str) -> None:
    game = "magic_rabbit" if name == "generic" else name
    seats = GAMES[game][-1]
    words = game_words(game_of(game, seats))
    assert sheet.evaluate(CONTRAST, [name, words, _cases(game, seats, 4), scheme]) == []


def test_a_hidden_card_is_drawn_as_a_back(sheet: Any) -> None:
    game = game_of("leduc_poker", 2)
    _, one = next(iter(positions(game, seed=1)))
    sheet.evaluate(DRAW, ["leduc_poker", game_words(game), [one | {"width": 360, "previous": None}]])
    assert sheet.locator(".back").count() == 1
    assert sheet.locator(".face").count() == 1


def test_a_moved_piece_glides_unless_motion_is_reduced(sheet: Any) -> None:
    game = game_of("connect_four", 2)
    before, after = [one for _, one in itertools.islice(positions(game, seed=1), 2)]
    moving = """async ([words, before, after, reducedMotion]) => {
      const { draw } = await import("/page/drawings/connect_four.js");
      const svg = document.getElementById("table");
      draw(svg, before.scene, { ...words, ...before, previous: null, selected: [], width: 360, reducedMotion });
      draw(svg, after.scene, { ...words, ...after, previous: before.scene, selected: [], width: 360, reducedMotion });
      return svg.getAnimations({ subtree: true }).filter((one) => !(one instanceof CSSTransition)).length;
    }"""
    assert sheet.evaluate(moving, [game_words(game), before, after, False]) == 1
    assert sheet.evaluate(moving, [game_words(game), before, after, True]) == 0
