"""The offers of a table: undo, hints, the tutor, thinking, saves, watching and replays."""

from __future__ import annotations

import json
import random

from serving import Client, Server

import aiplay
from aiplay.serve.limits import Limits


def table_of(served, one):
    return served.host.rooms.find(one.room).table


def ply_of(served, one):
    return len(table_of(served, one).record.moves)


def test_undo_takes_back_the_own_move_and_the_answer(served, person):
    one = person().visit().open("connect_four", {}, {1: "bot:level 1"}).play(4, 4)
    assert one.wait_for_turn()
    assert ply_of(served, one) == 4
    one.page.click("#undo")
    one.wait_until(lambda: one.page.locator(".log li").count() == 2)
    assert ply_of(served, one) == 2
    assert one.page.inner_text(".status") == "Your turn"


def test_a_hint_marks_good_moves_on_the_table_and_in_the_list(person):
    one = person().visit().open("connect_four", {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    one.page.click("#hint")
    one.page.wait_for_selector(".move.is-hinted")
    assert 1 <= one.page.locator(".move.is-hinted").count() <= 3
    assert one.page.locator(".board .is-hinted").count() == one.page.locator(".move.is-hinted").count()
    assert "Good moves" in one.page.text_content("#announcer")
    marked = "getComputedStyle(document.querySelector('.board .is-hinted > .frame')).stroke"
    assert one.page.evaluate(marked) == "rgb(79, 208, 139)"


def test_the_tutor_warns_and_the_move_can_be_taken_back(served, person):
    table = aiplay.Table(aiplay.load_game("connect_four"), seed=1)
    for column in ("1", "4", "1", "4", "7", "4"):  # seat 1 threatens the fourth in column 4
        table.play(column)
    seats = [{"kind": "human"}, {"kind": "bot", "strength": "gentle"}]
    asked = {"record": json.loads(table.record.to_json()), "seats": seats, "tutor": 0.2}
    room = Client(served.port).wanted("open_room", **asked)
    one = person().visit(f"#room={room['room']}&secret={room['seats'][0]['secret']}")
    one.play("7")  # does not stop the threat
    one.page.wait_for_selector(".warning:visible")
    assert "loses about" in one.page.inner_text(".warning")
    assert "Better: 4" in one.page.inner_text(".warning")
    one.page.click(".warning button:text('Take it back')")
    one.wait_until(lambda: ply_of(served, one) == 6)
    one.page.wait_for_selector(".warning", state="hidden")
    assert one.wait_for_turn()


def test_thinking_shows_moves_with_visits_values_and_the_best_line(person):
    one = person().visit().open("connect_four", {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    one.page.check("#analyse")
    one.page.wait_for_selector(".thoughts tbody tr:nth-child(7)")
    assert one.page.locator(".thoughts .whisker").count() == 7
    one.page.wait_for_selector(".line li")  # when the search is done
    assert "Odds" in one.page.inner_text(".side:last-child")
    partial = [message for message in one.received if message.get("partial")]
    assert partial
    assert sum(move["visits"] for move in partial[-1]["moves"]) > 0
    one.page.uncheck("#analyse")
    one.page.wait_for_selector(".thoughts", state="detached")


def test_the_thoughts_of_a_bot_stay_after_its_move(person):
    one = person().visit().open("connect_four", {}, {1: "bot:level 1"}).play(4)
    assert one.wait_for_turn()
    one.page.wait_for_selector(".thoughts tbody tr")
    assert "Last thoughts: Level 1 bot 1" in one.page.inner_text(".side:last-child")
    one.page.click("#undo")
    one.page.wait_for_selector(".thoughts", state="detached")


def test_move_now_ends_a_search_that_would_take_ten_minutes(person):
    server = Server(Limits(time=600))
    seats = [{"kind": "human"}, {"kind": "bot", "player": "mcts:time=600"}]
    room = Client(server.port).wanted("open_room", game="connect_four", seats=seats)
    one = person(server.port).visit(f"#room={room['room']}&secret={room['seats'][0]['secret']}")
    one.play(4)
    one.page.click("#now")
    assert one.wait_for_turn()
    assert one.page.locator("#now").is_hidden()
    server.stop()


def test_dice_show_the_value_of_every_outcome(person):
    one = person().visit().open("pig", {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    one.page.check("#analyse")
    one.page.wait_for_selector("h3:text('Outcomes')")
    assert one.page.locator(".shares li").count() == 6
    assert "17 %" in one.page.inner_text(".shares")


def test_beliefs_about_the_hidden_card(person):
    one = person().visit().open("leduc_poker", {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    one.page.check("#analyse")
    one.page.wait_for_selector("h3:text('Beliefs')")
    assert one.page.locator(".beliefs > li").count() == 1
    assert one.page.inner_text(".beliefs b") == "Level 1 bot 1: card"
    assert one.page.locator(".beliefs ul li").count() >= 3


def test_the_chart_follows_the_game(person):
    one = person().visit().open("connect_four", {}, {1: "bot:level 1"}).play(4, 4, 4)
    assert one.wait_for_turn()
    one.page.wait_for_function(
        "() => document.querySelector('.chart .odds')?.getAttribute('points').split(' ').length >= 2"
    )
    assert "You" in one.page.get_attribute(".chart", "aria-label")


def test_the_chart_ends_with_the_result(served, person):
    one = person().visit().open("connect_four", {}, {1: "bot:level 1"})
    one.play_to_the_end(random.Random(2))
    returns = table_of(served, one).returns()
    shares = [f"{round(50 * value + 50)} %" for value in returns]
    one.page.wait_for_function(
        "([mine, other]) => document.querySelector('.chart').ariaLabel.includes(`You ${mine}, Level 1 bot 1 ${other}`)",
        arg=shares,
    )


def test_a_save_of_an_open_game_is_a_record_that_goes_on(served, person, tmp_path):
    one = person().visit().open("connect_four", {}, {1: "bot:level 1"}).play(4, 5)
    assert one.wait_for_turn()
    with one.page.expect_download() as download:
        one.page.click("#save")
    file = tmp_path / "save.json"
    download.value.save_as(file)
    moves = list(table_of(served, one).record.moves)
    assert json.loads(file.read_text())["moves"] == moves
    first_room = one.room
    one.page.click("#leave")
    one.page.set_input_files("#save-file", file)
    one.page.wait_for_selector(".board svg")
    assert one.room != first_room
    assert one.wait_for_turn()
    assert list(table_of(served, one).record.moves) == moves


def test_a_save_of_a_game_with_hidden_cards_tells_nothing(served, person, tmp_path):
    one = person().visit().open("leduc_poker", {}, {1: "bot:level 1"})
    assert one.wait_for_turn()
    with one.page.expect_download() as download:
        one.page.click("#save")
    file = tmp_path / "save.json"
    download.value.save_as(file)
    saved = json.loads(file.read_text())
    assert "moves" not in saved
    assert "seed" not in saved
    cards = list(table_of(served, one).record.moves)
    one.page.click("#leave")
    one.page.set_input_files("#save-file", file)
    one.page.wait_for_selector(".board svg")
    assert list(table_of(served, one).record.moves)[:2] == cards[:2]


def test_a_file_that_is_no_save_is_refused(person, tmp_path):
    file = tmp_path / "other.json"
    file.write_text('{"a": 1}')
    one = person().visit()
    one.page.set_input_files("#save-file", file)
    one.page.wait_for_selector(".lobby-more .problem:text('is not a save')")


def test_bots_are_watched_with_pause_step_and_speed(served, person):
    one = person().visit()
    one.page.check("[name=game][value=connect_four]", force=True)
    one.page.check("[name=mode][value=watch]", force=True)
    for seat in (0, 1):
        one.page.select_option(f"#seat-{seat}", "bot:level 1")
    one.page.click(".setup .primary")
    one.page.wait_for_selector(".playback")
    one.page.click("#pause")
    one.page.wait_for_selector("#pause:text('Play')")
    ply = ply_of(served, one)
    one.page.click("[aria-label='One move on']")
    one.wait_until(lambda: ply_of(served, one) == ply + 1)
    one.page.click("#pause")
    one.page.fill("#speed", "6")
    one.page.dispatch_event("#speed", "change")
    one.page.wait_for_selector(".result:visible")
    assert table_of(served, one).over


def test_a_record_is_replayed_with_thinking(person, tmp_path):
    table = aiplay.Table(aiplay.load_game("connect_four"), seed=1)
    for column in "4433552":
        table.play(column)
    file = tmp_path / "record.json"
    file.write_text(table.record.to_json())
    one = person().visit()
    one.page.check("#as-replay")
    one.page.set_input_files("#save-file", file)
    one.page.wait_for_selector(".playback")
    one.page.wait_for_selector("#moment[max='7']")
    one.page.fill("#moment", "5")
    one.page.wait_for_function("() => document.querySelectorAll('.log li').length === 5")
    one.page.click("[aria-label='One move back']")
    one.page.wait_for_function("() => document.querySelectorAll('.log li').length === 4")
    one.page.check("#analyse")
    one.page.wait_for_selector(".thoughts tbody tr")
    one.page.fill("#moment", "7")
    one.page.wait_for_function("() => /wins/.test(document.querySelector('.status').textContent)")


def test_options_that_are_not_allowed_are_explained_at_their_field(person):
    one = person().visit()
    one.page.check("[name=game][value=magic_rabbit]", force=True)
    one.page.click(".setup summary")
    one.page.fill("#option-piles", "99")
    one.page.dispatch_event("#option-piles", "change")
    one.page.wait_for_selector(".field:has(#option-piles) .problem:visible")
    assert "6 to 9" in one.page.inner_text(".field:has(#option-piles) .problem")
    assert one.page.get_attribute("#option-piles", "aria-invalid") == "true"
    one.page.fill("#option-piles", "6")
    one.page.dispatch_event("#option-piles", "change")
    one.page.wait_for_selector(".field:has(#option-piles) .problem", state="hidden")


def test_the_number_of_seats_follows_the_option(person):
    one = person().visit()
    one.page.check("[name=game][value=illusio]", force=True)
    one.page.fill("#option-players", "5")
    one.page.dispatch_event("#option-players", "change")
    one.page.wait_for_selector("#seat-4")
    assert one.page.locator(".seat-row").count() == 5


def test_a_table_is_remembered_by_the_lobby(person):
    one = person().visit().open("connect_four", {}, {1: "bot:level 1"}).play(4)
    address = one.page.url
    one.page.goto(address.partition("#")[0] + "#")
    one.page.click(".recent a")
    one.page.wait_for_selector(".board svg")
    assert one.page.url == address
    assert one.wait_for_turn()


def test_a_table_that_is_gone_is_explained(person):
    one = person()
    one.page.goto(f"http://127.0.0.1:{one.port}/#room=none&secret=none")
    one.page.wait_for_selector("main:has-text('there is no room')")
    one.page.click("text=To the lobby")
    one.page.wait_for_selector(".setup")


def test_a_bot_adapts_to_the_person_of_a_browser(person):
    """The first game is at level 3; its result is kept in the browser, counts once, and sets the next level."""
    one = person().visit().open("leduc_poker", {}, {1: "adapt"})
    assert "Level 3" in one.page.inner_text(".seats")
    one.play_to_the_end(random.Random(1))
    one.page.wait_for_selector(".rated:not(:empty)")
    told = one.page.inner_text(".rated")
    kept = one.page.evaluate("JSON.parse(localStorage.getItem('aiplay.results.leduc_poker'))")
    assert [result["level"] for result in kept] == [3]
    level = aiplay.PersonRating(aiplay.load_game("leduc_poker"), kept).next_level
    assert told == f"Your next bot plays at level {level}."
    one.page.reload()
    one.page.wait_for_selector(".result:not([hidden])")
    assert len(one.page.evaluate("JSON.parse(localStorage.getItem('aiplay.results.leduc_poker'))")) == 1
    one.visit().open("leduc_poker", {}, {1: "adapt"})
    assert f"Level {level}" in one.page.inner_text(".seats")


def test_a_cooperative_game_has_no_bot_that_adapts(person):
    one = person().visit()
    one.page.check("[value=magic_rabbit]", force=True)
    one.page.wait_for_selector("#seat-1")
    assert one.page.locator("#seat-1 option[value=adapt]").count() == 0
