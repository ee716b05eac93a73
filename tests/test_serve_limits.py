"""Who may come in, and how much: tokens, origins, names, files, headers, limits, expiry."""

import http.client
import json

import pytest

pytest.importorskip("uvicorn", reason="needs the extra serve")
from serving import opened, serving, wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus

from aiplay.serve.limits import Limits

TOKEN = "a token of some length"


def get(server, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_a_public_server_lets_only_the_token_open_rooms_but_a_seat_link_is_enough_to_sit():
    with serving(token=TOKEN, hosts=()) as server:
        owner, guest = server.client(), server.client()
        seats = [{"kind": "human"}] * 2
        assert "needs the token" in guest.refused("open_room", game="pig", seats=seats)
        assert "not the token" in guest.refused("hello", token="wrong")
        assert owner.wanted("hello", token=TOKEN)["trusted"]
        name, secrets = opened(owner, "pig", ["h", "h"])
        assert guest.wanted("join", room=name, secret=secrets[1])["seat"] == 1
        assert "needs the token" in guest.refused("watch", game="pig", seats=[{"kind": "bot"}] * 2)
        bots = [{"kind": "human"}, {"kind": "bot", "player": "mcts:time=9"}]
        assert "strengths only" in owner.refused("open_room", game="pig", seats=bots)
        assert "not a secret" in guest.refused("join", room=name, secret="guess")


def test_pages_of_other_origins_are_refused():
    with serving(origins=["https://play.example"]) as server:
        own = f"http://127.0.0.1:{server.port}"
        for origin in (own, "https://play.example", None):
            assert server.client(origin=origin).wanted("hello")
        for origin in ("https://evil.example", "null", f"http://127.0.0.1:{server.port + 1}"):
            with pytest.raises(InvalidStatus):
                server.client(origin=origin)


def test_a_local_server_answers_only_under_local_names():
    with serving() as server:
        assert get(server, "/", Host="localhost:1")[0].status == 200
        assert get(server, "/", Host="evil.example")[0].status == 421


def test_only_the_files_of_the_page_can_be_read():
    with serving() as server:
        answer, body = get(server, "/")
        assert answer.status == 200
        assert b"<script" in body
        for header in ("content-security-policy", "x-content-type-options", "referrer-policy"):
            assert answer.getheader(header)
        assert "unsafe" not in answer.getheader("content-security-policy")
        assert get(server, "/page/main.js")[0].status == 200
        for path in ("/page/../app.py", "/page/%2e%2e/app.py", "/page//etc/passwd", "/etc/passwd", "/app.py"):
            assert get(server, path)[0].status == 404, path
        assert get(server, "/drawings/connect_four.js")[0].status == 404
        assert get(server, "/drawings/nothing.js")[0].status == 404
        assert json.loads(get(server, "/health")[1])["rooms"] == 0


def test_records_over_http_need_the_secret_and_an_open_game():
    with serving() as server:
        client = server.client()
        hidden, secrets = opened(client, "leduc_poker", ["h", "gentle"])
        assert get(server, f"/records/{hidden}")[0].status == 404
        answer, body = get(server, f"/records/{hidden}", Authorization=f"Bearer {secrets[0]}")
        assert answer.status == 403
        assert b"seed" not in body
        name, secrets = opened(client, "connect_four", ["h", "gentle"])
        answer, body = get(server, f"/records/{name}", Authorization=f"Bearer {secrets[0]}")
        assert (answer.status, json.loads(body)["game"]) == (200, "connect_four")


def test_rooms_are_limited():
    with serving(Limits(rooms=2, rooms_each=2)) as server:
        client = server.client()
        for _ in range(2):
            opened(client, "pig", ["h", "gentle"])
        bots = {"game": "pig", "seats": [{"kind": "bot"}] * 2}
        assert "you have opened 2 rooms" in client.refused("watch", **bots)
        assert "there are 2 rooms already" in server.client().refused("watch", **bots)


def test_a_finished_game_makes_room_for_another():
    with serving(Limits(rooms=1)) as server:
        client = server.client()
        seats = [{"kind": "bot", "strength": "gentle"}] * 2
        room = client.wanted("watch", game="leduc_poker", seats=seats, speed=0)
        client.wanted("join", room=room["room"], secret=room["owner"])
        client.until(lambda push: push["push"] == "room" and push["over"])
        assert "there are 1 rooms" in client.refused("watch", game="leduc_poker", seats=seats)
        client.close()
        wait_until(lambda: not server.host.connections)
        assert server.client().wanted("watch", game="leduc_poker", seats=seats)


def test_messages_are_limited_in_number_and_size():
    with serving(Limits(burst=5, messages=0.001, message=2000)) as server:
        client = server.client()
        for _ in range(5):
            assert client.ask("hello")["ok"]
        client.socket.send("{}")
        assert "too many messages" in client.socket.recv(timeout=30)
        with pytest.raises(ConnectionClosed):
            client.ask("hello")
        other = server.client()
        other.socket.send("x" * 5000)
        with pytest.raises(ConnectionClosed):
            other.socket.recv(timeout=30)


def test_connections_are_limited():
    with serving(Limits(connections=1)) as server:
        assert server.client().wanted("hello")
        with pytest.raises(InvalidStatus):
            server.client()


def test_a_record_that_is_too_long_is_refused():
    with serving(Limits(moves=3)) as server:
        record = {"game": "connect_four", "options": {}, "seed": 1, "moves": [0, 1, 2, 3]}
        assert "allowed: 3" in server.client().refused("replay", record=record)


def test_a_room_that_nobody_uses_is_closed_and_a_saved_one_is_kept():
    with serving(Limits(idle=-1.0)) as server:  # every sweep finds them idle
        client = server.client()
        name, _ = opened(client, "pig", ["h", "gentle"])
        kept, secrets = opened(client, "pig", ["h", "gentle"])
        client.wanted("join", room=kept, secret=secrets[0])
        client.wanted("save", room=kept, secret=secrets[0])
        server.host.clock.post(server.host.rooms.sweep)
        assert client.until(lambda push: push["push"] == "closed")["why"]
        assert "may have been closed" in client.refused("join", room=name, secret="x")
        assert client.wanted("join", room=kept, secret=secrets[0])["mode"] == "play"


def test_searches_are_limited_in_time():
    with serving(Limits(time=0.05)) as server:
        client = server.client()
        seats = [{"kind": "human"}, {"kind": "bot", "player": "mcts:time=1000"}]
        room = client.wanted("open_room", game="connect_four", seats=seats)
        name = room["room"]
        client.wanted("join", room=name, secret=room["seats"][0]["secret"])
        client.wanted("move", room=name, seat=0, move="4")
        assert client.until(lambda push: push["push"] == "room" and push["ply"] == 2)
        client.wanted("think", room=name, seat=0, time=1000)


def test_no_query_reads_a_file_that_it_names(tmp_path):
    secret = tmp_path / "secret.toml"
    secret.write_text("swordfish = 1\n")
    options = {"data": str(secret)}
    record = {"game": "levitation", "options": options, "seed": 1, "moves": []}
    bot = {"kind": "bot", "player": f"strategy:file={secret}"}
    queries = (
        ("game", {"game": "levitation", "options": options}),
        ("open_room", {"game": "levitation", "options": options}),
        ("open_room", {"record": record}),
        ("watch", {"game": "leduc_poker", "seats": [bot, bot]}),
        ("replay", {"record": record}),
    )
    with serving() as server:
        client = server.client()
        for action, fields in queries:
            error = client.refused(action, **fields)
            assert "files are not read here" in error
            assert "swordfish" not in error
