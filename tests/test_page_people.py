"""People at one table: seat links, what each browser gets to know, lost connections, seats that are left."""

from __future__ import annotations

import json
import random

import browser
import pytest

import aiplay


def two_people(person, game, options=None, **more):
    """Open a table for two people; return both, the second one through the link of the first."""
    first = person().visit().open(game, options, {1: "person"}, **more)
    first.page.click("#links")
    link = first.page.input_value("#link-1")
    first.page.click("dialog button:text('Close')")
    second = person()
    return first, second.visit("#" + link.partition("#")[2])


def test_two_browsers_play_at_one_table(served, person):
    first, second = two_people(person, "connect_four")
    assert "Your turn" not in second.page.inner_text(".status")
    for column in "4455":
        mover, other = (first, second) if first.page.inner_text(".status") == "Your turn" else (second, first)
        mover.play(column)
        other.page.wait_for_function("() => document.querySelector('.status').textContent === 'Your turn'")
    assert first.page.inner_text(".as-text") == second.page.inner_text(".as-text")
    assert first.page.locator(".log li").count() == 4


def test_the_link_of_a_seat_opens_that_seat_only(served, person):
    first, second = two_people(person, "connect_four")
    assert second.page.locator("#links").is_hidden()
    assert "#links" not in second.page.content()
    assert first.page.url != second.page.url
    room = served.host.rooms.find(first.room)
    assert {member.seat for member in room.members} == {0, 1}


def pushed(one):
    """Return what the page was told about its table, without odds: they come from a search with a seed of its own."""
    return [{**message, "odds": None} for message in one.received if "scene" in message]


def page_without_odds(one):
    """Return the markup of the table, without the chart."""
    one.page.evaluate("for (const node of document.querySelectorAll('.chart, .legend')) node.remove()")
    return one.page.inner_html("main").replace(one.room, "ROOM")


def seeds_that_differ_in_the_other_card():
    """Return two seeds of Leduc poker with the same card for seat 0 and another one for seat 1."""
    found = {}
    for seed in range(100):
        mine, other = aiplay.Table(aiplay.load_game("leduc_poker"), seed=seed).record.moves[:2]
        if mine in found and found[mine][0] != other:
            return found[mine][1], seed
        found.setdefault(mine, (other, seed))
    raise AssertionError("no such seeds")


def deal(monkeypatch, seed):
    """Let the next table have this seed; no person could ask for it in a game with hidden cards."""
    monkeypatch.setattr("aiplay.serve.rooms.secrets.randbits", lambda bits: seed)


def test_what_a_seat_gets_does_not_depend_on_the_other_card(served, person, monkeypatch):
    """Same card for seat 0, different cards for seat 1: messages and page are the same, letter by letter."""
    seen = []
    for seed in seeds_that_differ_in_the_other_card():
        deal(monkeypatch, seed)
        first, second = two_people(person, "leduc_poker")
        first.play("raise")
        assert second.wait_for_turn()
        assert first.page.inner_text(".status") != "Your turn"
        first.wait_until(lambda: first.ply() == 3)
        seen.append((page_without_odds(first), json.dumps(pushed(first)).replace(first.room, "ROOM")))
    assert seen[0] == seen[1]


@pytest.mark.slow
def test_hidden_cards_of_illusio_reach_neither_the_wire_nor_the_page(served, person):
    rng = random.Random(4)
    first, second = two_people(person, "illusio")
    room = served.host.rooms.find(first.room)
    for _ in range(14):
        mover = first if room.table.to_move == 0 else second
        mover.page.wait_for_function("() => document.querySelector('.status').textContent === 'Your turn'")
        mover.click_a_move(rng)
        for one, seat in ((first, 0), (second, 1)):
            one.wait_until(lambda one=one: one.ply() == len(room.table.record.moves))
            check_nothing_hidden(one, room.table, seat)


def check_nothing_hidden(one, table, seat):
    """The other hand is blank in the scene; its cards are named nowhere if this seat cannot know them."""
    last = pushed(one)[-1]
    hand = last["scene"]["seats"][1 - seat]["hand"]
    known = list(table.view(seat).scene().seats[1 - seat].hand)
    assert hand == known
    assert None in hand or not hand
    drawn = one.page.evaluate(
        "() => [...document.querySelectorAll('.board [data-key], .board [data-thing], .board [aria-label]')]"
        ".map(({ dataset, ariaLabel }) => [dataset.key, dataset.thing, ariaLabel].join(' ')).join('\\n')"
    )
    public = json.dumps(last["scene"]) + json.dumps(last["legal"])
    for card in table.state.view(1 - seat).scene().seats[1 - seat].hand:
        if f'"{card}"' not in public:
            assert card not in drawn.split()
            assert f'"card": "{card}", "seat": {1 - seat}' not in json.dumps(last["events"])


@pytest.mark.slow
def test_rabbits_are_known_to_those_who_lifted_them(served, person):
    first, second = two_people(person, "magic_rabbit", {"piles": 6, "doves": False})
    room = served.host.rooms.find(first.room)
    mover, other = (first, second) if room.table.to_move == 0 else (second, first)
    mover.page.wait_for_selector(".move:text-is('lift A')")
    mover.play("lift A")
    for one in (first, second):
        one.wait_until(lambda one=one: one.ply() == len(room.table.record.moves))
    mine, theirs = pushed(mover)[-1], pushed(other)[-1]
    assert any(event["learned"] for event in mine["events"])
    assert not any(event["learned"] for event in theirs["events"])
    assert "seen: rabbit" in mover.page.inner_text(".log")
    assert "seen" not in other.page.inner_text(".log")


def test_a_lost_connection_is_made_again_and_the_game_goes_on(served, person):
    wire = browser.Wire(served.port)
    player = person(wire.port).visit().open("connect_four", {}, {1: "bot:level 1"})
    player.play("4")
    assert player.wait_for_turn()
    wire.cut()
    player.page.wait_for_selector("#connection.is-lost")
    assert "lost" in player.page.inner_text("#connection")
    player.page.click(".move:text-is('4')")
    player.page.wait_for_selector(".problem:text('connection')")
    wire.mend()
    player.page.wait_for_selector("#connection:not(.is-lost)", state="attached")
    player.wait_until(lambda: served.host.rooms.find(player.room).members)
    player.play("4")
    player.wait_until(lambda: len(served.host.rooms.find(player.room).table.record.moves) >= 3)
    assert player.wait_for_turn()
    assert player.page.locator(".log li").count() == len(
        served.host.rooms.find(player.room).table.record.moves
    )
    player.problems[:] = [
        text for text in player.problems if "WebSocket" not in text
    ]  # the browser's own words
    wire.close()


def test_what_happened_while_the_connection_was_lost_is_told(served, person):
    wire = browser.Wire(served.port)
    first = person(wire.port).visit().open("connect_four", {}, {1: "person"})
    first.page.click("#links")
    link = first.page.input_value("#link-1")
    second = person().visit("#" + link.partition("#")[2])
    first.page.click("dialog button:text('Close')")
    first.play("1")
    assert second.wait_for_turn()
    wire.cut()
    first.page.wait_for_selector("#connection.is-lost")
    second.play("2")
    wire.mend()
    assert first.wait_for_turn()
    assert first.page.locator(".log li").count() == 2
    first.problems[:] = [text for text in first.problems if "WebSocket" not in text]
    wire.close()


def test_a_bot_takes_over_a_seat_that_is_left_and_gives_it_back(served, person):
    first, second = two_people(person, "connect_four")
    first.play("4")
    assert second.wait_for_turn()
    address = second.page.url
    second.page.click("#leave")
    second.page.wait_for_selector(".lobby")
    assert first.wait_for_turn()  # a bot has moved
    assert "a bot plays" in first.page.inner_text(".seats")
    second.page.goto(address)
    first.page.wait_for_function(
        "() => !document.querySelector('.seats').textContent.includes('a bot plays')"
    )
    first.play("1")
    assert second.wait_for_turn()
