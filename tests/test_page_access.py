"""The page for everybody: keyboard, screen readers, contrast, both themes, both widths."""

from __future__ import annotations

import browser
import pytest

GAMES = ["connect_four", "illusio", "leduc_poker", "levitation", "magic_rabbit", "pig", "three_magicians"]


def violations(one):
    """Return what axe-core finds: rule, and the elements."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(one.page).response["violations"]
    return [(rule["id"], rule["help"], [node["html"][:200] for node in rule["nodes"][:3]]) for rule in found]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [browser.WIDE, browser.NARROW], ids=["wide", "narrow"])
def test_labels_and_contrast_of_the_lobby(person, theme, size):
    one = person(viewport=size, color_scheme=theme).visit()
    one.page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    assert violations(one) == []


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_labels_and_contrast_of_a_table_and_that_it_fits(person, game, theme):
    size = browser.NARROW if theme == "dark" else browser.WIDE
    one = person(viewport=size, color_scheme=theme).visit().open(game, {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    assert one.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    one.page.check("#analyse")
    one.page.wait_for_selector(".thoughts tbody tr")
    one.page.uncheck("#analyse")
    assert violations(one) == []
    one.page.click("#rules")
    one.page.evaluate(
        "for (const details of document.querySelectorAll('dialog details')) details.open = true"
    )
    assert violations(one) == []


def focused(page):
    """Return the thing that has the focus, or the id of the element."""
    return page.evaluate("document.activeElement.dataset?.thing ?? document.activeElement.id")


def test_connect_four_with_the_keyboard_alone(served, person):
    one = person().visit()
    page = one.page
    page.focus("[name=game][value=illusio]")
    page.keyboard.press("ArrowUp")  # of the radio buttons: connect four
    assert page.is_checked("[value=connect_four]")
    page.focus("#seat-1")
    page.keyboard.type("Level 1 b")
    page.focus(".setup .primary")
    page.keyboard.press("Enter")
    page.wait_for_selector(".board svg")
    assert one.wait_for_turn()
    for _ in range(40):
        page.keyboard.press("Tab")
        if "column" in focused(page):
            break
    else:
        raise AssertionError("forty times Tab does not lead to the table")
    for _ in range(21):  # the most that one side can play
        if not one.wait_for_turn():
            break
        ply = one.ply()
        assert "column" in focused(page)  # the focus stays on the column, or goes on from a full one
        page.keyboard.press("Enter")
        one.wait_until(lambda ply=ply: one.ply() > ply)
    assert not one.wait_for_turn()
    assert served.host.rooms.find(one.room).table.over


@pytest.mark.parametrize("place", [".choice .way", ".moves .move"])
def test_the_focus_stays_at_the_table_after_a_move_by_a_button(person, place):
    one = person().visit().open("illusio", {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    one.page.locator(place).last.focus()
    ply = one.ply()
    one.page.keyboard.press("Enter")
    one.wait_until(lambda: one.ply() > ply)
    assert one.page.evaluate("document.activeElement.closest('.board, .choice, .moves') !== null")


def test_arrow_keys_go_to_the_neighbour(person):
    one = person().visit().open("connect_four", {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    one.page.focus('.board [data-thing*="3"]')
    one.page.keyboard.press("ArrowRight")
    assert '"column":4' in focused(one.page)
    one.page.keyboard.press("ArrowLeft")
    one.page.keyboard.press("ArrowLeft")
    assert '"column":2' in focused(one.page)


def test_escape_clears_the_choice(person):
    one = person().visit().open("magic_rabbit", {"doves": False, "players": 1})
    assert one.wait_for_turn()
    one.page.locator(".board [data-thing]").first.click(force=True)
    assert one.page.locator(".choice .chip").count() == 1
    shown = one.page.locator(".moves .move").count()
    one.page.keyboard.press("Escape")
    assert one.page.locator(".choice .chip").count() == 0
    assert one.page.locator(".moves .move").count() > shown


def test_the_theme_switch_is_kept(person):
    one = person(color_scheme="light").visit()
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = one.page.evaluate(ground)
    one.page.click("#theme")
    assert one.page.evaluate(ground) == light
    one.page.click("#theme")
    dark = one.page.evaluate(ground)
    assert dark != light
    one.page.reload()
    assert one.page.evaluate(ground) == dark


def test_a_card_tells_what_it_does_to_pointer_and_keyboard(person):
    one = person().visit().open("illusio", {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    card = one.page.locator(".board [data-about]").first
    card.hover(force=True)
    one.page.wait_for_selector("#tip:not([hidden])")
    assert len(one.page.inner_text("#tip")) > 20
    one.page.keyboard.press("Escape")
    one.page.wait_for_selector("#tip", state="hidden")
    one.page.locator(".moves .move").first.focus()
    one.page.wait_for_selector("#tip:not([hidden])")
    assert one.page.evaluate("document.activeElement.getAttribute('aria-describedby')") == "tip"


def test_the_tip_ends_with_the_thing_that_it_explains(person):
    one = person().visit().open("connect_four", {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    one.page.locator(".board [data-thing]").first.focus()
    one.page.wait_for_selector("#tip:not([hidden])")
    one.page.evaluate("document.querySelector('.board svg').replaceChildren()")
    one.page.wait_for_selector("#tip", state="hidden")


def test_a_new_table_is_shown_from_its_top(person):
    one = person(viewport=browser.NARROW).visit().open("connect_four", {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    one.page.wait_for_function("() => scrollY === 0")  # the button was at the end of the lobby


@pytest.mark.parametrize(("wish", "moved"), [("no-preference", True), ("reduce", False)])
def test_moves_are_animated_unless_motion_is_reduced(person, wish, moved):
    one = person(reduced_motion=wish)
    one.page.add_init_script(
        "window.animated = 0; const { animate } = Element.prototype;"
        "Element.prototype.animate = function (...how) { window.animated += 1; return animate.apply(this, how); }"
    )
    one.visit().open("connect_four", {}, {1: "bot:level 1"}).play(4)
    assert one.wait_for_turn()
    assert (one.page.evaluate("window.animated") > 0) == moved
