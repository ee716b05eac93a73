"""The engine in this process: lines in, lines out, and no input ends it."""

from __future__ import annotations

import io
import json
import re
import threading
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aiplay
from aiplay.engine import Engine, serve
from aiplay.engine.engine import ACTIONS
from aiplay.engine.schema import schema_text
from aiplay.engine.serve import MAX_LINE

ROOT = Path(__file__).parent.parent


def ask(*queries, raw=b"", **options):
    """Send queries (objects) and raw bytes; return the answers in order."""
    source = io.BytesIO(b"".join(json.dumps(query).encode() + b"\n" for query in queries) + raw)
    target = io.BytesIO()
    serve(source, target, **options)
    return [json.loads(line) for line in target.getvalue().splitlines()]


def by_id(answers, identity):
    return [answer for answer in answers if answer["id"] == identity]


TABLE = {"id": "new", "action": "new_table", "game": "connect_four", "table": "t", "seed": 1}


def test_version_gives_the_versions():
    assert ask({"id": 1, "action": "version"}) == [
        {"id": 1, "ok": True, "version": aiplay.__version__, "protocol": 2}
    ]


def test_games_lists_every_game_with_its_options():
    (answer,) = ask({"id": 1, "action": "games"})
    assert [game["name"] for game in answer["games"]] == aiplay.game_names()
    pig = next(game for game in answer["games"] if game["name"] == "pig")
    assert {option["name"] for option in pig["options"]} == {"players", "target", "horizon"}


def test_a_table_plays_a_game_to_its_end():
    moves = ["4", "3", "4", "3", "4", "3", "4"]
    plays = [{"id": i, "action": "play", "table": "t", "move": move} for i, move in enumerate(moves)]
    answers = ask(TABLE, *plays, {"id": "x", "action": "undo", "table": "t"})
    assert answers[0] == {
        "id": "new",
        "ok": True,
        "table": "t",
        "game": "connect_four",
        "options": {},
        "seed": 1,
        "seats": 2,
        "to_move": 0,
        "over": False,
        "returns": None,
        "ply": 0,
    }
    assert by_id(answers, 6)[0] == {
        "id": 6,
        "ok": True,
        "move": 3,
        "text": "4",
        "parts": {"verb": "drop", "column": 4},
        "events": None,
        "to_move": -4,
        "over": True,
        "returns": [1.0, -1.0],
        "ply": 7,
    }
    assert by_id(answers, "x")[0]["undone"] == 3
    assert not by_id(answers, "x")[0]["over"]


def test_a_view_shows_what_its_seat_may_know_and_nothing_more():
    new = {"id": 0, "action": "new_table", "game": "leduc_poker", "table": "t", "seed": 3}
    answers = ask(new, *({"id": seat + 1, "action": "view", "table": "t", "seat": seat} for seat in (0, 1)))
    truth = aiplay.Table(aiplay.load_game("leduc_poker"), seed=3).state
    for seat in (0, 1):
        view = by_id(answers, seat + 1)[0]
        assert view["view"] == json.loads(truth.view(seat).to_json())
        assert view["view"]["view"]["hands"][1 - seat] == -1
        assert view["text"] == str(truth.view(seat))


def test_a_choice_for_a_sent_view_is_the_choice_of_the_player():
    table = aiplay.Table(aiplay.load_game("leduc_poker"), seed=3)
    view = table.view(0)
    query = {
        "action": "choose",
        "view": json.loads(view.to_json()),
        "player": "mcts:iterations=300",
        "seed": 5,
    }
    answers = ask({"id": 1, **query}, {"id": 2, "action": "legal_moves", "view": query["view"]})
    chosen = aiplay.make_player("mcts:iterations=300", seed=5).analyse(view).best
    assert by_id(answers, 1)[0]["move"] == chosen
    assert by_id(answers, 1)[0]["text"] == view.move_text(chosen)
    assert [move["move"] for move in by_id(answers, 2)[0]["moves"]] == view.legal_moves()


@pytest.mark.parametrize("player", ["random", "greedy", "mcts:iterations=50"])
def test_every_kind_of_player_answers(player):
    answers = ask(TABLE, {"id": 1, "action": "analyse", "table": "t", "player": player, "seed": 1})
    (answer,) = by_id(answers, 1)
    assert not answer["partial"]
    assert sorted(move["move"] for move in answer["moves"]) == list(range(7))
    assert answer["move"] == answer["moves"][0]["move"]


def test_explain_compares_a_move_with_the_best():
    explain = {"action": "explain", "table": "t", "player": "mcts:iterations=400", "seed": 1}
    answers = ask(TABLE, {"id": 1, "move": "1", **explain}, {"id": 2, "move": 3, **explain})
    edge, centre = by_id(answers, 1)[0], by_id(answers, 2)[0]
    assert centre["rank"] == 1
    assert centre["loss"] == 0
    assert edge["rank"] > 1
    assert edge["loss"] > 0
    assert edge["best"]["move"] == 3
    assert edge["of"] == 7


class Client:
    """Both streams of an engine; sends the last query once it has got some answers to query 1."""

    def __init__(self, *queries, answers):
        self.queries = [json.dumps(query).encode() + b"\n" for query in queries]
        self.wanted = answers
        self.answers = []
        self.has_enough = threading.Event()

    def readline(self, limit):
        if len(self.queries) == 1:
            assert self.has_enough.wait(60), self.answers
        return self.queries.pop(0) if self.queries else b""

    def write(self, line):
        self.answers.append(json.loads(line))
        if len(by_id(self.answers, 1)) >= self.wanted:
            self.has_enough.set()

    def flush(self):
        pass


def test_partial_answers_come_before_the_last_one():
    analyse = {"id": 1, "action": "analyse", "table": "t", "limit": {"time": 600}, "every": 0.1}
    client = Client(TABLE, analyse, {"id": 2, "action": "terminate"}, answers=2)
    serve(client, client)
    *partial, last = by_id(client.answers, 1)
    assert len(partial) >= 2
    assert all(answer["partial"] for answer in partial)
    assert not last["partial"]
    assert [answer["iterations"] for answer in partial] == sorted(answer["iterations"] for answer in partial)


def test_terminated_searches_answer_with_what_they_found():
    long = {"action": "analyse", "table": "t", "limit": {"time": 600}}
    answers = ask(TABLE, {"id": 1, **long}, {"id": 2, **long}, {"id": 3, "action": "terminate"})
    assert all(by_id(answers, i)[0]["seconds"] < 600 for i in (1, 2))
    assert by_id(answers, 3)[0]["terminated"] == [1, 2]
    assert all(len(by_id(answers, i)[0]["moves"]) == 7 for i in (1, 2))
    assert by_id(ask({"id": 3, "action": "terminate", "query": "nobody"}), 3)[0]["terminated"] == []


def test_quick_queries_overtake_slow_ones():
    slow = {"id": 1, "action": "choose", "table": "t", "limit": {"time": 600}}
    answers = ask(TABLE, slow, {"id": 2, "action": "version"}, {"id": 3, "action": "terminate"})
    assert [answer["id"] for answer in answers][:2] == ["new", 2]
    assert {answer["id"] for answer in answers[2:]} == {1, 3}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"action": "nothing"}, "action"),
        ({}, "action"),
        ({"action": "version"}, "id"),
        ({"action": "play", "table": "t"}, "move"),
        ({"action": "play", "table": 5, "move": 1}, "table"),
        ({"action": "play", "table": "nowhere", "move": 1}, "table"),
        ({"action": "play", "table": "t", "move": 99}, "move"),
        ({"action": "play", "table": "t", "move": [1]}, "move"),
        ({"action": "view", "table": "t", "seat": 2}, "seat"),
        ({"action": "new_table", "game": "chess"}, "game"),
        ({"action": "new_table", "game": "pig", "options": {"players": 99}}, "options"),
        ({"action": "new_table", "game": "pig", "options": {"colour": 1}}, "options"),
        ({"action": "new_table", "game": "pig", "table": "t"}, "table"),
        ({"action": "new_table", "game": "pig", "seed": -1}, "seed"),
        ({"action": "choose", "table": "t", "player": "wizard"}, "player"),
        ({"action": "choose", "table": "t", "player": "mcts:threads=0"}, "player"),
        ({"action": "choose", "table": "t", "limit": {"time": -1}}, "limit"),
        ({"action": "choose", "table": "t", "limit": {"tiem": 1}}, "limit"),
        ({"action": "choose"}, "table"),
        ({"action": "choose", "table": "t", "view": {"game": "pig", "seat": 0, "view": {}}}, "table"),
        ({"action": "choose", "view": {}}, "view"),
        ({"action": "choose", "view": {"game": "pig", "seat": 0, "view": {}}}, "view"),
        ({"action": "choose", "view": {"game": "leduc_poker", "seat": 2, "view": {}}}, "view"),
        ({"action": "choose", "view": {"game": "leduc_poker", "seat": 0, "view": {"hands": []}}}, "view"),
        ({"action": "new_table", "game": "pig", "options": {"players": [2]}}, "options"),
        ({"action": "choose", "view": {"game": ["pig"], "seat": 0, "view": {}}}, "view"),
        ({"action": "choose", "view": {"game": "pig", "seat": 0, "view": {}, "colour": 1}}, "view"),
        (
            {"action": "choose", "view": {"game": "pig", "options": {"self": 1}, "seat": 0, "view": {}}},
            "view",
        ),
        ({"action": "choose", "table": "t", "player": 5}, "player"),
        ({"action": "choose", "table": "t", "player": "human"}, "player"),
        ({"action": "choose", "table": "t", "player": "mcts:seed=1"}, "player"),
        ({"action": "choose", "table": "t", "limit": {"depth": 2}}, "limit"),
        ({"action": "choose", "table": "t", "limit": {}}, "limit"),
        ({"action": "choose", "table": "t", "limit": {"iterations": 2**60}}, "limit"),
        ({"action": "choose", "table": "t", "limit": {"time": "1"}}, "limit"),
        ({"action": "explain", "table": "t"}, "move"),
        ({"action": "explain", "table": "t", "move": "9"}, "move"),
        ({"action": "explain", "table": "t", "move": 10**30}, "move"),
        ({"action": "play", "table": "t", "move": 10**30}, "move"),
        ({"action": "play", "table": "t", "move": True}, "move"),
        ({"action": "play", "table": "t", "move": "x" * 2000}, "move"),
        ({"action": "view", "table": "t", "seat": -1}, "seat"),
        ({"action": "view", "table": "t", "seat": 1.5}, "seat"),
        ({"action": "new_table", "game": "pig", "options": []}, "options"),
        ({"action": "new_table", "game": "pig", "options": {"name": "x"}}, "options"),
        ({"action": "new_table", "game": "pig", "seed": 2**63}, "seed"),
        ({"action": "new_table", "game": "pig", "table": "x" * 2000}, "table"),
        ({"action": "terminate", "query": []}, "query"),
        ({"action": "x" * 10**6}, "action"),
        ({"action": "choose", "view": {"game": "pig"}}, "view"),
        ({"action": "analyse", "table": "t", "every": 0}, "every"),
    ],
)
def test_an_error_names_the_wrong_field(query, field):
    query = {"id": 9, **query} if field != "id" else query
    answers = ask(TABLE, query)
    (answer,) = [answer for answer in answers[1:] if "error" in answer]
    assert answer["field"] == field
    assert 10 < len(answer["error"]) < 2000
    assert answer["id"] == (9 if field != "id" else None)


@pytest.mark.parametrize(
    ("limit", "said"),
    [({"time": -1}, "limit.time: .*>= 0"), ({"tiem": 1}, "`tiem`; allowed: time, iterations, nodes, depth")],
)
def test_a_wrong_limit_is_named_with_what_is_allowed(limit, said):
    _, answer = ask(TABLE, {"id": 9, "action": "choose", "table": "t", "limit": limit})
    assert re.search(said, answer["error"])


def test_unknown_fields_give_a_warning_and_an_answer():
    warning, answer = ask({"id": 1, "action": "version", "colour": "red"})
    assert "colour" in warning["warning"]
    assert warning["field"] == "colour"
    assert answer["protocol"] == 2


@pytest.mark.parametrize(
    "rubbish",
    [
        b"garbage\n",
        b"\x00\xff\xfe\n",
        b"[1, 2]\n",
        b"null\n",
        b"{}\n",
        b"[" * 100_000 + b"\n",
        b'{"id": ' * 50_000 + b"\n",
        b'{"id": {}, "action": "version"}\n',
        b'{"id": NaN, "action": "version"}\n',
        b'{"id": 1e999, "action": "version"}\n',
        b'{"id": true, "action": "version"}\n',
        b'{"id": 1' + b"0" * 30 + b', "action": "version"}\n',
        b'{"id": 1' + b"0" * 5000 + b', "action": "version"}\n',
        b'{"id": "\\ud800", "action": "version"}\n',
        b'{"id": "' + b"x" * 2000 + b'", "action": "version"}\n',
        b'{"id": 1, "action": "choose", "view": {"game": "pig", "seat": 0, "view": {"a": '
        + b"[" * 900
        + b"]" * 900
        + b"}}}\n",
        b'\xef\xbb\xbf{"id": 1, "action": "version"}\n',
        b'{"id": 1, "action": "version"',  # half a line, then the end of the input
        b"x" * (MAX_LINE + 10) + b"\n",
    ],
)
def test_nothing_that_a_client_sends_ends_the_engine(rubbish):
    alive = b'\n{"id": 2, "action": "version"}\n'
    answers = ask(raw=rubbish + alive)
    assert "error" in answers[0]
    assert answers[-1] == {"id": 2, "ok": True, "version": aiplay.__version__, "protocol": 2}


PLAUSIBLE = st.sampled_from(
    [
        "t",
        "connect_four",
        "mcts:iterations=5",
        "random",
        "4",
        3,
        {"time": 0.01},
        {"players": 3},
        {"iterations": 2},
    ]
)
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | PLAUSIBLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = sorted({name for kind in ACTIONS.values() for name in kind.__struct_fields__} - {"id", "view"})
POSITION = aiplay.Table(aiplay.load_game("leduc_poker"), seed=1).view(0).to_json()
VIEWS = ANYTHING | st.dictionaries(st.sampled_from(["game", "options", "seat", "view"]), ANYTHING).map(
    lambda changes: {**json.loads(POSITION), **changes}
)


@settings(max_examples=150, deadline=None)
@given(
    st.fixed_dictionaries(
        {"id": st.just(1), "action": st.sampled_from(sorted(ACTIONS, key=str)) | ANYTHING},
        optional={"view": VIEWS, **dict.fromkeys(FIELDS, PLAUSIBLE | ANYTHING)},
    )
)
def test_every_query_gets_one_answer_whatever_its_fields_hold(query):
    answers = []
    engine = Engine(lambda answer: answers.append(msgspec.to_builtins(answer)))
    engine.receive(json.dumps(TABLE).encode())
    engine.receive(json.dumps(query).encode())
    engine.receive(b'{"id": 2, "action": "terminate"}')
    engine.close()
    (answer,) = [
        answer for answer in by_id(answers, 1) if "warning" not in answer and not answer.get("partial")
    ]
    assert "Error:" not in answer.get("error", "")  # no unexpected exception
    assert by_id(answers, 2)


@settings(max_examples=150, deadline=None)
@given(st.binary() | st.text().map(str.encode))
def test_any_line_of_bytes_gets_one_answer(line):
    answers = []
    engine = Engine(answers.append)
    engine.receive(line)
    engine.close()
    assert len(answers) == bool(line.strip())


def test_a_line_of_100_megabytes_is_skipped():
    class Endless(io.RawIOBase):
        """100 MB without a newline, then a query."""

        left = 100 * 2**20

        def readable(self):
            return True

        def readinto(self, buffer):
            if self.left <= 0:
                data = b'\n{"id": 2, "action": "version"}\n' if self.left == 0 else b""
                self.left = -1
            else:
                data = b"x" * min(len(buffer), self.left)
                self.left -= len(data)
            buffer[: len(data)] = data
            return len(data)

    target = io.BytesIO()
    serve(io.BufferedReader(Endless(), 2**20), target)
    first, second = (json.loads(line) for line in target.getvalue().splitlines())
    assert "longer" in first["error"]
    assert second["id"] == 2


def test_empty_lines_are_ignored():
    assert ask(raw=b"\n  \n\n") == []


def test_the_number_of_open_tables_is_limited():
    new = [{"id": i, "action": "new_table", "game": "pig"} for i in range(4)]
    close = {"id": "c", "action": "close", "table": "table-1"}
    answers = ask(*new, close, {"id": 9, "action": "new_table", "game": "pig"}, max_tables=3)
    assert [("error" in by_id(answers, i)[0]) for i in range(4)] == [False, False, False, True]
    assert by_id(answers, "c")[0]["closed"] == "table-1"
    assert "error" not in by_id(answers, 9)[0]


def test_a_broken_player_gives_an_error_and_the_engine_goes_on(monkeypatch):
    def broken(self, view):
        raise RuntimeError("out of order")

    monkeypatch.setattr("aiplay.players.random.RandomPlayer.choose", broken)
    answers = ask(
        TABLE, {"id": 1, "action": "choose", "table": "t", "player": "random"}, {"id": 2, "action": "version"}
    )
    assert by_id(answers, 1)[0]["error"] == "RuntimeError: out of order"
    assert by_id(answers, 2)[0]["protocol"] == 2


def test_a_hundred_tables_can_be_open_at_once():
    queries = []
    for i in range(100):
        new = {"id": i, "action": "new_table", "game": "leduc_poker", "table": str(i), "seed": i}
        choose = {"action": "choose", "table": str(i), "player": "mcts:iterations=50", "seed": i}
        queries += [new, {"id": f"c{i}", **choose}]
    answers = ask(*queries, workers=4)
    for i in range(100):
        view = aiplay.Table(aiplay.load_game("leduc_poker"), seed=i).view(0)
        assert by_id(answers, f"c{i}")[0]["move"] == aiplay.make_player("mcts:iterations=50", seed=i).choose(
            view
        )


def test_a_query_is_about_the_table_at_the_time_it_was_read():
    block = {"id": "b", "action": "choose", "table": "t", "limit": {"time": 0.3}}
    analyse = {"action": "analyse", "table": "t", "player": "random", "seed": 1}
    play = {"id": "p", "action": "play", "table": "t", "move": "4"}
    close = {"id": "x", "action": "close", "table": "t"}
    answers = ask(TABLE, block, {"id": 1, **analyse}, play, {"id": 2, **analyse}, close, workers=1)
    assert [by_id(answers, i)[0]["seat"] for i in (1, 2)] == [0, 1]


def test_two_queries_with_the_same_id_are_both_answered_and_both_terminated():
    long = {"id": 1, "action": "choose", "table": "t", "limit": {"time": 600}}
    answers = ask(TABLE, long, long, {"id": 2, "action": "terminate", "query": 1})
    assert by_id(answers, 2)[0]["terminated"] == [1, 1]
    assert len(by_id(answers, 1)) == 2


def test_terminate_by_id_leaves_the_others_alone():
    long = {"action": "analyse", "table": "t", "limit": {"time": 600}}
    short = {"id": 2, "action": "analyse", "table": "t", "limit": {"iterations": 5000}, "seed": 1}
    answers = ask(TABLE, {"id": 1, **long}, short, {"id": 3, "action": "terminate", "query": 1})
    assert by_id(answers, 3)[0]["terminated"] == [1]
    assert by_id(answers, 2)[0]["iterations"] == 5000


def test_a_query_that_is_terminated_before_it_starts_answers_with_a_legal_move():
    long = {"action": "choose", "table": "t", "limit": {"time": 600}}
    answers = ask(
        TABLE, *({"id": i, **long} for i in range(20)), {"id": "t", "action": "terminate"}, workers=1
    )
    assert by_id(answers, "t")[0]["terminated"] == list(range(20))
    assert all(by_id(answers, i)[0]["move"] in range(7) for i in range(20))


def test_too_many_queries_at_once_are_refused():
    long = {"action": "choose", "table": "t", "limit": {"time": 600}}
    queries = [{"id": i, **long} for i in range(5)]
    answers = ask(TABLE, *queries, {"id": "t", "action": "terminate"}, max_queries=3)
    assert ["error" in by_id(answers, i)[0] for i in range(5)] == [False, False, False, True, True]


def test_seeds_chosen_by_the_engine_are_exact_in_javascript():
    seeds = [
        answer["seed"]
        for answer in ask(*({"id": i, "action": "new_table", "game": "pig"} for i in range(50)))
    ]
    assert len(set(seeds)) == 50
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_ten_thousand_unknown_fields_give_twenty_warnings():
    answers = ask({"id": 1, "action": "version", **{f"x{i}": 1 for i in range(10_000)}})
    assert [answer["field"] for answer in answers[:-1]] == [f"x{i}" for i in range(20)]
    assert answers[-1]["protocol"] == 2


def test_the_conversation_in_the_docs_is_what_the_engine_says():
    page = (ROOT / "docs" / "engine.md").read_text()
    shown = page.partition("$ aiplay engine\n")[2].partition("\n\n")[0]
    lines = [json.loads(line) for line in shown.replace("\n      ", "").splitlines()]
    queries, shown = lines[::2], lines[1::2]
    assert len(queries) == len(shown) >= 2
    answers = ask(*queries)
    for answer in (*answers, *shown):
        answer.pop("seconds", None)
        answer.update({"token": "aiplay1-..."} if "token" in answer else {})
    assert answers == shown
    assert [list(answer) for answer in answers] == [list(answer) for answer in shown]  # in that order


def test_the_docs_list_every_query_with_the_fields_of_its_answer():
    page, schema = (ROOT / "docs" / "engine.md").read_text(), json.loads(schema_text())
    for action, reference in schema["answers"].items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| {action} |")]
        for kind, column in ((schema["discriminator"]["mapping"][action], 2), (reference["$ref"], 3)):
            fields = schema["$defs"][kind.rpartition("/")[2]]["properties"].keys() - {"id", "ok", "action"}
            named = set(re.findall(r"\w+", row.split("|")[column]))
            named |= {"table", "seat", "view"} if "position" in named else set()
            assert fields <= named, (action, fields - named)


def test_every_query_has_a_type_of_answer_in_the_schema():
    schema = json.loads(schema_text())
    assert schema["answers"].keys() == schema["discriminator"]["mapping"].keys()
    for reference in schema["answers"].values():
        kind = schema["$defs"][reference["$ref"].rpartition("/")[2]]
        assert "id" in kind["properties"]


def test_the_schema_in_the_docs_is_the_schema_of_the_code():
    assert (ROOT / "docs" / "engine_schema.json").read_text() == schema_text()
