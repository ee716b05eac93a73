"""Rooms over real WebSockets: people and bots play, watch and replay, and each sees only their own seat."""

import json
import random

import msgspec
import pytest

pytest.importorskip("uvicorn", reason="needs the extra serve")
from serving import opened, serving

import aiplay
from aiplay.registry import GAMES

pytest.importorskip("uvicorn", reason="needs the extra serve")
from terminal import run


@pytest.fixture(scope="module")
def server():
    with serving() as found:
        yield found


def plain(value):
    return json.loads(msgspec.json.encode(value))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_against_bots_shows_a_person_the_own_view_and_nothing_else(server, game):
    client, chooser = server.client(), random.Random(game)
    seats = aiplay.load_game(game).seats
    name, secrets = opened(client, game, ["h"] + ["gentle"] * (seats - 1), seed=1)
    shown = client.wanted("join", room=name, secret=secrets[0])
    room = server.host.rooms.find(name)
    for _ in range(5000):
        if shown["over"]:
            break
        if shown["to_move"] == 0 and shown["legal"]:
            view = room.table.view(0)  # nothing moves while the person thinks
            assert shown["scene"] == plain(view.scene())
            assert [entry["move"] for entry in shown["legal"]] == view.legal_moves()
            move = chooser.choice(shown["legal"])["move"]
            client.wanted("move", room=name, seat=0, move=move, ply=shown["ply"])
        ply = shown["ply"]
        shown = client.until(lambda push: push["push"] == "room" and push["ply"] > ply)
        client.pushes.clear()
    assert shown["over"]
    messages = [json.loads(text) for text in client.texts]
    events = {}
    for message in messages:
        for event in message.get("events", ()):
            events[event["ply"]] = event
    assert [events[ply] for ply in sorted(events)] == plain(room.table.events(0))
    if aiplay.load_game(game).has_hidden:
        thinking = [message for message in messages if message.get("push") == "thinking"]
        assert thinking
        secret = {"moves", "line", "odds", "beliefs", "outcomes"}
        ended = next(place for place, message in enumerate(messages) if message.get("over"))
        before = [message for message in messages[:ended] if message.get("push") == "thinking"]
        assert not any(secret & set(message) for message in before)
        own = {ply for ply, event in events.items() if event["seat"] == 0}
        told = [point["ply"] for message in messages for point in message.get("odds") or () if "ply" in point]
        assert set(told) <= own | {shown["ply"]}  # found from the person's own turns, and the result


def test_positions_that_a_seat_cannot_tell_apart_give_the_same_messages(server):
    """Leduc: the same card of seat 0, another card of seat 1; not a byte differs but for names and odds."""
    game = aiplay.load_game("leduc_poker")
    tables = {seed: aiplay.Table(game, seed=seed) for seed in range(200)}
    first = tables[0]
    other = next(
        seed
        for seed, table in tables.items()
        if table.view(0).to_bytes() == first.view(0).to_bytes() and table.state != first.state
    )
    heard = []
    for seed in (0, other):
        client = server.client()
        name, secrets = opened(client, "leduc_poker", ["h", "gentle"], seed=seed)
        shown = client.wanted("join", room=name, secret=secrets[0])
        heard.append({key: value for key, value in shown.items() if key not in ("id", "room", "odds")})
    assert heard[0] == heard[1]


def test_undo_takes_back_the_persons_move_and_the_answer_of_the_bot(server):
    client = server.client()
    name, secrets = opened(client, "connect_four", ["h", "gentle"])
    shown = client.wanted("join", room=name, secret=secrets[0])
    assert not shown["can_undo"]
    client.wanted("move", room=name, seat=0, move="4")
    shown = client.until(lambda push: push["push"] == "room" and push["ply"] == 2)
    assert shown["can_undo"]
    client.pushes.clear()
    assert client.wanted("undo", room=name, seat=0)["ply"] == 0
    shown = client.until(lambda push: push["push"] == "room")
    assert (shown["ply"], shown["events"], shown["events_from"]) == (0, [], 0)
    assert "nothing to take back" in client.refused("undo", room=name, seat=0)


def test_two_people_each_with_their_own_link(server):
    one, two = server.client(), server.client()
    name, secrets = opened(one, "leduc_poker", ["h", "h"])
    mine, yours = (
        one.wanted("join", room=name, secret=secrets[0]),
        two.wanted("join", room=name, secret=secrets[1]),
    )
    assert mine["scene"]["seats"][1]["card"] is None
    assert yours["scene"]["seats"][0]["card"] is None
    assert mine["legal"]
    assert not yours["legal"]
    assert "not at this seat" in two.refused("move", room=name, seat=0, move="call")
    assert "not the turn" in two.refused("move", room=name, seat=1, move="call")
    one.wanted("move", room=name, seat=0, move={"verb": "call"})
    assert two.until(lambda push: push["push"] == "room" and push["to_move"] == 1)["legal"]
    assert "meant for ply" in two.refused("move", room=name, seat=1, move="call", ply=0)
    two.wanted("move", room=name, seat=1, move="call")
    assert "another person has moved" in one.refused("undo", room=name, seat=0)


def test_nobody_takes_back_the_end_of_a_game_with_cards_among_people(server):
    """At the end everything is shown: who could go back would know the cards of the others."""
    clients = [server.client(), server.client()]
    name, secrets = opened(clients[0], "leduc_poker", ["h", "h"])
    shown = [
        client.wanted("join", room=name, secret=secret)
        for client, secret in zip(clients, secrets.values(), strict=True)
    ]
    moves = ["raise", "fold"]
    for seat, move in enumerate(moves):
        clients[seat].wanted("move", room=name, seat=seat, move=move)
    shown = clients[1].until(lambda push: push["push"] == "room" and push["over"])
    assert not shown["can_undo"]
    assert "another person plays" in clients[1].refused("undo", room=name, seat=1)


def test_a_bot_takes_over_a_seat_that_was_left_and_gives_it_back(server):
    one, two = server.client(), server.client()
    name, secrets = opened(one, "connect_four", ["h", "h"])
    one.wanted("join", room=name, secret=secrets[0])
    two.wanted("join", room=name, secret=secrets[1])
    two.wanted("leave", room=name, seat=1)
    assert one.until(lambda push: push["push"] == "room" and push["seats"][1]["stand_in"])
    one.wanted("move", room=name, seat=0, move="1")
    assert one.until(lambda push: push["push"] == "room" and push["ply"] == 2)  # the bot has moved
    back = two.wanted("join", room=name, secret=secrets[1])
    assert not back["seats"][1]["stand_in"]
    one.wanted("move", room=name, seat=0, move="1")
    assert two.until(lambda push: push["push"] == "room" and push["ply"] == 3)["legal"]


def test_a_bot_takes_over_a_seat_that_was_disconnected_for_a_while():
    from aiplay.serve.limits import Limits

    with serving(Limits(away=0.05)) as server:
        one, two = server.client(), server.client()
        name, secrets = opened(one, "connect_four", ["h", "h"])
        one.wanted("join", room=name, secret=secrets[0])
        two.wanted("join", room=name, secret=secrets[1])
        two.close()
        one.wanted("move", room=name, seat=0, move="1")
        assert one.until(lambda push: push["push"] == "room" and push["ply"] == 2)


def test_joining_again_tells_what_was_missed(server):
    one, two = server.client(), server.client()
    name, secrets = opened(one, "connect_four", ["h", "h"])
    one.wanted("join", room=name, secret=secrets[0])
    two.wanted("join", room=name, secret=secrets[1])
    one.wanted("move", room=name, seat=0, move="1")
    two.until(lambda push: push["push"] == "room" and push["ply"] == 1)
    one.close()
    two.wanted("move", room=name, seat=1, move="2")
    again = server.client().wanted("join", room=name, secret=secrets[0], since=1)
    assert (again["ply"], [event["text"] for event in again["events"]], again["events_from"]) == (2, ["2"], 1)


def test_watching_bots_shows_their_thinking_and_stops_at_a_pause(server):
    client = server.client()
    seats = [{"kind": "bot", "strength": "gentle"}] * 2
    room = client.wanted("watch", game="leduc_poker", seats=seats, speed=None)
    shown = client.wanted("join", room=room["room"], secret=room["owner"])
    assert all(seat["card"] for seat in shown["scene"]["seats"])
    client.wanted("step", room=room["room"])
    after = client.until(lambda push: push["push"] == "room" and push["ply"] > shown["ply"])
    thought = client.until(lambda push: push["push"] == "thinking" and "moves" in push)
    assert thought["beliefs"]
    assert {"text", "parts", "visits", "value", "margin"} <= set(thought["moves"][0])
    assert after["speed"] is None
    client.wanted("speed", room=room["room"], seconds=0)
    assert client.until(lambda push: push["push"] == "room" and push["over"])["returns"]


def test_a_record_is_replayed_with_thinking(server):
    client = server.client()
    table = aiplay.Table(aiplay.load_game("pig"), seed=1)
    for move in ("roll", "roll", "hold", "roll"):
        table.play(move)
    room = client.wanted("replay", record=json.loads(table.record.to_json()))
    shown = client.wanted("join", room=room["room"], secret=room["owner"])
    assert (shown["mode"], shown["ply"], shown["length"]) == ("replay", 0, len(table.moves))
    client.wanted("step", room=room["room"])
    shown = client.until(lambda push: push["push"] == "room")
    assert shown["ply"] == 1
    client.wanted("seek", room=room["room"], ply=2, seat=1)
    assert client.until(lambda push: push["push"] == "room" and push["ply"] == 2)["as_seat"] == 1
    thought = client.wanted("think", room=room["room"], time=0.05, move="roll")
    assert [round(outcome["probability"], 3) for outcome in thought["outcomes"]] == [0.167] * 6
    assert "0 to" in client.refused("seek", room=room["room"], ply=10_000)
    assert "not at this seat" in client.refused("move", room=room["room"], seat=0, move="roll")
    assert "has no now" in client.refused("now", room=room["room"])


def test_only_files_that_were_named_can_be_replayed(tmp_path):
    table = aiplay.Table(aiplay.load_game("connect_four"), seed=1)
    table.play("4")
    (tmp_path / "one.json").write_text(table.record.to_json())
    (tmp_path / "other.json").write_text(table.record.to_json())
    with serving(replays=[tmp_path / "one.json"]) as server:
        client = server.client()
        assert [entry["name"] for entry in client.wanted("hello")["matches"]] == ["one.json"]
        room = client.wanted("replay", match="one.json")
        assert client.wanted("join", room=room["room"], secret=room["owner"])["length"] == 1
        assert "there are: 'one.json'" in client.refused("replay", match="other.json")
        assert "there are" in client.refused("replay", match="../one.json")
        assert "number is 7" in client.refused("replay", match="one.json", number=7)


def test_weak_bots_are_watched_with_sound_odds_and_the_result_at_the_end(server):
    client = server.client()
    seats = [{"kind": "bot", "strength": "gentle"}] * 2
    room = client.wanted("watch", game="connect_four", seats=seats, speed=0)
    client.wanted("join", room=room["room"], secret=room["owner"])
    last = client.until(lambda push: push["push"] == "room" and push["over"])
    told = [point for push in client.pushes if push["push"] == "room" for point in push["odds"]]
    assert told[-1] == {"ply": last["ply"], "odds": [(value + 1) / 2 for value in last["returns"]]}
    played = server.host.rooms.find(room["room"])
    assert {0.0, 1.0}.isdisjoint(played.chart(None)[0])  # ten iterations often give certainty


def test_games_of_a_saved_match_are_replayed(tmp_path):
    done = run(
        "duel",
        "--game",
        "pig",
        "--a",
        "greedy",
        "--b",
        "random",
        "--games",
        "2",
        "--save",
        "m.db",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    with serving(replays=[tmp_path / "m.db"]) as server:
        client = server.client()
        (match,) = client.wanted("hello")["matches"]
        assert (match["name"], match["games"], match["game"]) == ("m.db", 2, "pig")
        room = client.wanted("replay", match="m.db", number=match["numbers"][-1])
        shown = client.wanted("join", room=room["room"], secret=room["owner"])
        assert {seat["name"].partition(":")[0] for seat in shown["seats"]} == {"greedy", "random"}
        client.wanted("seek", room=room["room"], ply=shown["length"])
        assert client.until(lambda push: push["push"] == "room")["over"]


def test_hints_and_thinking_are_for_the_own_turn(server):
    client = server.client()
    name, secrets = opened(client, "leduc_poker", ["h", "h"])
    shown = client.wanted("join", room=name, secret=secrets[0])
    hint = client.wanted("hint", room=name, seat=0)
    assert 1 <= len(hint["moves"]) <= 3
    assert {entry["move"] for entry in hint["moves"]} <= {entry["move"] for entry in shown["legal"]}
    thought = client.wanted("think", room=name, seat=0, time=0.3, every=0.05)
    assert client.partials
    assert thought["partial"] is False
    other = {entry["thing"] for entry in thought["beliefs"] if entry["place"] == "seat 1's card"}
    assert shown["scene"]["seats"][0]["card"] not in other
    assert len(other) > 1  # it does not know the card
    client.wanted("move", room=name, seat=0, move="call")
    assert "not yours" in client.refused("hint", room=name, seat=0)
    assert "not yours" in client.refused("think", room=name, seat=0)


def test_thinking_can_be_stopped(server):
    client = server.client()
    name, secrets = opened(client, "connect_four", ["h", "gentle"])
    client.wanted("join", room=name, secret=secrets[0])
    client.socket.send(
        json.dumps({"id": "t", "action": "think", "room": name, "seat": 0, "time": 10, "every": 0.05})
    )
    client.socket.send(json.dumps({"id": "s", "action": "stop_thinking", "room": name}))
    found = set()
    for _ in range(1000):  # partial answers come between
        message = json.loads(client.socket.recv(timeout=30))
        if message.get("id") in ("t", "s") and not message.get("partial"):
            found.add(message["id"])
        if found == {"t", "s"}:
            break
    assert found == {"t", "s"}


def test_the_tutor_warns_and_the_person_takes_back_or_goes_on(server):
    client = server.client()
    table = aiplay.Table(aiplay.load_game("connect_four"), seed=1)
    for column in ("1", "4", "1", "4", "7", "4"):  # seat 1 threatens the fourth in column 4
        table.play(column)
    seats = [{"kind": "human"}, {"kind": "bot", "strength": "club"}]
    record = json.loads(table.record.to_json())
    room = client.wanted("open_room", record=record, seats=seats, tutor=0.1)
    name, secret = room["room"], room["seats"][0]["secret"]
    client.wanted("join", room=name, secret=secret)
    client.wanted("move", room=name, seat=0, move="7")
    warning = client.until(lambda push: push["push"] == "warning")
    assert (warning["better"]["text"], warning["ply"]) == ("4", 6)
    assert warning["loss"] > 0.1
    client.wanted("undo", room=name, seat=0)
    client.pushes.clear()
    client.wanted("move", room=name, seat=0, move="7")
    client.until(lambda push: push["push"] == "warning")
    client.wanted("now", room=name)
    assert client.until(lambda push: push["push"] == "room" and push["over"])["returns"] == [-1.0, 1.0]


def test_a_save_gives_nothing_away(server):
    client = server.client()
    name, secrets = opened(client, "leduc_poker", ["h", "gentle"])
    client.wanted("join", room=name, secret=secrets[0])
    saved = client.wanted("save", room=name, secret=secrets[0])
    assert "record" not in saved
    assert "secret of your seat" in client.refused("save", room=name)
    again = server.client().wanted("open_room", saved=saved["saved"])
    assert (again["room"], again["seats"]) == (name, [{"seat": 0, "secret": secrets[0]}])
    assert "not a saved room" in client.refused("open_room", saved="x")
    open_game, theirs = opened(client, "connect_four", ["h", "gentle"])
    client.wanted("join", room=open_game, secret=theirs[0])
    assert client.wanted("save", room=open_game)["record"]["game"] == "connect_four"


def test_who_knows_the_cards_cannot_play_against_other_people(server):
    client = server.client()
    seats = [{"kind": "human"}] * 2
    assert "would know more" in client.refused("open_room", game="leduc_poker", seats=seats, seed=1)
    assert client.wanted("open_room", game="connect_four", seats=seats, seed=1)


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"action": "fly"}, "allowed: hello, game"),
        ({"action": "join", "room": "x"}, "missing required field `secret`"),
        ({"action": "join", "room": "x", "secret": "y"}, "there is no room 'x'"),
        ({"action": "hello", "colour": 1}, "unknown field `colour`"),
        ({"action": "open_room", "game": "chess", "seats": []}, "no game is called"),
        ({"action": "open_room", "game": "pig", "seats": []}, "0 seats are given; the game has 2"),
        (
            {"action": "open_room", "game": "pig", "seats": [{"kind": "bot", "strength": "huge"}] * 2},
            "allowed: level 1, level 2",
        ),
        (
            {"action": "open_room", "game": "pig", "seats": [{"kind": "bot", "player": "human"}] * 2},
            "needs a terminal",
        ),
        ({"action": "watch", "game": "pig", "seats": [{"kind": "human"}] * 2}, "all seats are for bots"),
    ],
)
def test_a_wrong_query_is_answered_with_what_is_allowed(server, query, error):
    assert error in server.client().refused(**query)


def test_what_is_not_json_is_answered_too(server):
    client = server.client()
    for text in ("{", "[1]", "\x00", "[" * 5000):
        client.socket.send(text)
        assert json.loads(client.socket.recv(timeout=30))["ok"] is False
    assert client.wanted("hello")["games"]
