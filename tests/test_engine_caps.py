"""Caps of the engine: files only from its folder, and no query takes more than it may."""

from __future__ import annotations

import inspect
import json
import os
import signal
import subprocess
import sys
import threading
import time

import msgspec
import pytest
from test_engine import ask, by_id

import aiplay
from aiplay.cli.engine import engine as command
from aiplay.engine import Engine, messages
from aiplay.engine.caps import Budget, Caps, Cost
from aiplay.engine.players import made_player
from aiplay.engine.positions import QueryError, loaded_game, table_of_record
from aiplay.games.data_file import own_file

SECRET = "the-password-is-swordfish"
GREEDY = "greedy:worlds=1000000,samples=1000000"  # takes hours


@pytest.fixture
def folder(tmp_path):
    """A folder with a good data file and a bad one, and files beside it that nobody may read."""
    inside = tmp_path / "data"
    inside.mkdir()
    with open(own_file("levitation"), encoding="utf-8") as file:
        (inside / "own.toml").write_text(file.read())
        (tmp_path / "outside.toml").write_text((inside / "own.toml").read_text())
    (inside / "bad.toml").write_text(f"{SECRET} = 1\n")
    (inside / "no.toml").write_text(f"{SECRET}\n")
    (inside / "link.toml").symlink_to(tmp_path / "outside.toml")
    (inside / "near.toml").symlink_to(inside / "own.toml")
    return inside


def asking_with(path):
    """Every query in which a client can name a data file."""
    options = {"data": str(path)}
    view = {"game": "levitation", "options": options, "seat": 0, "view": {}}
    scene = {"game": "levitation", "options": options, "seat": 0, "scene": {}}
    record = {"game": "levitation", "options": options, "seed": 1, "moves": []}
    return [
        {"id": 1, "action": "games", "game": "levitation", "options": options},
        {"id": 2, "action": "new_table", "game": "levitation", "options": options},
        {"id": 3, "action": "new_table", "record": record},
        {"id": 4, "action": "legal_moves", "view": view},
        {"id": 5, "action": "choose", "view": scene, "player": "random"},
    ]


def test_data_files_are_refused_without_a_folder(folder):
    for answer in ask(*asking_with(folder / "own.toml"), *asking_with("/dev/zero")):
        assert answer["ok"] is False
        assert "--data-dir" in answer["error"]


@pytest.mark.parametrize("path", ["own.toml", "near.toml", "./own.toml", "../data/own.toml"])
def test_files_in_the_folder_are_read(folder, path):
    games, table, record, *_ = ask(*asking_with(path), data_dir=str(folder))
    assert games["ok"]
    assert table["ok"]
    assert record["ok"]
    assert table["options"]["data"] == path  # as it was sent: nothing is told of where the folder is


@pytest.mark.parametrize(
    "path",
    ["../outside.toml", "link.toml", "/etc/passwd", "..", "/", "own.toml/../../outside.toml", "\0", "~"],
)
def test_nothing_outside_the_folder_is_read(folder, path):
    for answer in ask(*asking_with(path), data_dir=str(folder)):
        assert answer["ok"] is False
        assert SECRET not in json.dumps(answer)
        assert path == "~" or "is not in the folder" in answer["error"]


def test_an_absolute_path_in_the_folder_is_read(folder):
    assert ask(*asking_with(folder / "own.toml")[:1], data_dir=str(folder))[0]["ok"]


@pytest.mark.parametrize("path", ["bad.toml", "no.toml"])
def test_errors_do_not_tell_what_is_in_a_file(folder, path):
    for answer in ask(*asking_with(path), data_dir=str(folder)):
        assert answer["ok"] is False
        assert SECRET not in json.dumps(answer)


def test_the_folder_of_one_engine_is_not_that_of_another(folder):
    assert ask(*asking_with("own.toml")[:1], data_dir=str(folder))[0]["ok"]
    assert not ask(*asking_with("own.toml")[:1])[0]["ok"]


def test_strategy_files_of_players_are_refused_without_a_folder(folder):
    (folder / "mine.json").write_text(json.dumps({"secret": SECRET}))
    for path in (folder / "mine.json", "mine.json", "/dev/zero", "/etc/passwd"):
        for more in ({}, {"data_dir": str(folder / "..")}):
            (answer,) = ask(choice(f"strategy:file={path}"), **more)
            assert answer["ok"] is False
            assert SECRET not in answer["error"]
    (answer,) = ask(choice(f"strategy:file={folder / 'mine.json'}"))
    assert "files are not read here" in answer["error"]


def test_the_server_shares_the_refusal(folder):
    """`aiplay serve` makes tables and players of strangers with these functions, without a folder."""
    path = str(folder / "own.toml")
    record = messages.RecordFields(game="levitation", options={"data": path}, seed=1, moves=[])
    for call in (
        lambda: loaded_game("levitation", {"data": path}),
        lambda: table_of_record(record),
        lambda: made_player(f"strategy:file={path}", None),
    ):
        with pytest.raises(QueryError, match="files are not read here"):
            call()


# ---- The most that a query may take --------------------------------------------------------------------------


def choice(spec, **more):
    view = view_of("leduc_poker")
    return {"id": "c", "action": "choose", "view": view, "player": spec, **more}


def view_of(name):
    """The first view of a game with a choice, as a client sends it."""
    table = aiplay.Table(aiplay.load_game(name), seed=1)
    while len(table.legal_moves()) == 1:
        table.play(table.legal_moves()[0])
    view = table.view(table.to_move)
    return {"game": name, "seat": view.seat, "scene": msgspec.to_builtins(view.scene())}


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ("greedy:worlds=10001", "worlds"),
        ("greedy:samples=10001", "samples"),
        ("mcts:memory=1025", "memory"),
        ("mcts:threads=17", "threads"),
        ("expectimax:cache=1025", "memory"),
        ("mixed:positions=20000000", "memory"),
        ("mcts:time=601", "time"),
    ],
)
def test_a_player_that_may_take_too_much_is_refused(spec, word):
    for more in ({}, {"keep": "k"}):
        (answer,) = ask(choice(spec, **more))
        assert (answer["ok"], answer["field"]) == (False, "player")
        assert word in answer["error"]
        assert "at most" in answer["error"]


def test_a_limit_beyond_the_time_is_refused():
    (answer,) = ask(choice("mcts", limit={"time": 3}), caps=Caps(time=2))
    assert (answer["ok"], answer["field"]) == (False, "limit")


@pytest.mark.parametrize(
    "spec", [GREEDY, "mcts:iterations=1000000000000,early_stop=no", "expectimax:depth=10000"]
)
def test_a_search_without_a_limit_in_time_is_stopped(spec):
    view = view_of("illusio")
    query = {"id": 1, "action": "analyse", "view": view, "player": spec}
    (answer,) = ask(query, caps=Caps(worlds=10**6, samples=10**6, time=0.2))
    assert answer["ok"]
    assert answer["moves"]


def test_caps_that_no_query_could_keep_are_refused():
    with pytest.raises(aiplay.OptionError, match="allowed: at least 100"):
        Engine(lambda answer: None, caps=Caps(memory=100, total_memory=99))


def test_searches_wait_until_there_is_enough_for_them():
    budget, most, running, guard = Budget(Caps(total_threads=3, total_memory=10)), [], [], threading.Lock()

    def search(cost):
        with budget.taken(cost):
            with guard:
                running.append(cost)
                most.append((sum(c.threads for c in running), sum(c.memory for c in running)))
            time.sleep(0.005)
            with guard:
                running.remove(cost)

    costs = [Cost(1 + number % 3, 1 + number % 10) for number in range(30)]
    threads = [threading.Thread(target=search, args=(cost,)) for cost in costs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(most) == 30
    assert max(threads for threads, _ in most) <= 3
    assert max(memory for _, memory in most) <= 10


def test_trees_of_kept_players_are_forgotten_beyond_the_memory_for_them():
    view = view_of("illusio")
    found = []
    engine = Engine(found.append, workers=1, caps=Caps(kept_memory=1))
    for number in range(4):
        query = {
            "id": number,
            "action": "choose",
            "view": view,
            "player": "mcts:iterations=3000,early_stop=no",
        }
        engine.receive(json.dumps({**query, "keep": f"k{number}"}).encode())
        engine.wait()
    kept = [seated.player.kept_bytes for seated in engine._players._kept.values()]
    engine.close()
    assert sum(kept) <= 2**20
    assert kept[0] == 0
    assert len(found) == 4


def test_the_command_has_the_caps_of_the_library():
    defaults = {name: p.default for name, p in inspect.signature(command).parameters.items()}
    assert {name: defaults[f"max_{name}"] for name in Caps._fields} == Caps()._asdict()


# ---- The process ---------------------------------------------------------------------------------------------


def started(*arguments):
    engine = subprocess.Popen(
        [sys.executable, "-m", "aiplay", "engine", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    view = view_of("illusio")
    query = {"id": 1, "action": "choose", "view": view, "player": GREEDY}
    for line in (query, {"id": 2, "action": "version"}):
        engine.stdin.write(json.dumps(line).encode() + b"\n")
    engine.stdin.flush()
    assert json.loads(engine.stdout.readline())["id"] == 2  # the other one is searching
    return engine


@pytest.mark.skipif(sys.platform == "win32", reason="no poll")
def test_an_engine_whose_client_is_gone_ends_its_searches():
    engine = started("--max-worlds", "1000000", "--max-samples", "1000000")
    engine.stdin.close()
    engine.stdout.close()
    assert engine.wait(60) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child")
def test_ctrl_c_ends_an_engine_that_searches():
    with started("--max-worlds", "1000000", "--max-samples", "1000000") as engine:
        engine.send_signal(signal.SIGINT)
        assert engine.wait(60) == 130


def test_a_query_that_is_terminated_ends():
    with started("--max-worlds", "1000000", "--max-samples", "1000000") as engine:
        engine.stdin.write(b'{"id": 3, "action": "terminate"}\n')
        engine.stdin.close()
        answers = [json.loads(line) for line in engine.stdout]
        assert by_id(answers, 1)[0]["ok"]
        assert engine.wait(60) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
def test_special_files_in_the_folder_are_refused(folder):
    os.mkfifo(folder / "fifo.toml")
    (folder / "dir.toml").mkdir()
    (folder / "large.toml").write_bytes(b"#" * (2**20 + 1))
    for name in ("fifo.toml", "dir.toml", "large.toml"):
        assert all(not answer["ok"] for answer in ask(*asking_with(name), data_dir=str(folder)))


def test_queries_that_are_terminated_one_by_one_take_no_threads():
    engine = Engine(lambda answer: None, workers=1)
    engine.receive(b'{"id": "t", "action": "new_table", "table": "t", "game": "connect_four"}')
    long = {"action": "choose", "table": "t", "player": "mcts", "limit": {"time": 600}}
    for number in range(100):
        engine.receive(json.dumps({"id": number, **long}).encode())
    before = threading.active_count()
    for number in range(99, 0, -1):  # the first one, which is running, goes on
        engine.receive(json.dumps({"id": "t", "action": "terminate", "query": number}).encode())
    assert threading.active_count() <= before
    engine.close(wait=False)
