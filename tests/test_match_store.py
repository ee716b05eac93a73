"""The file of a match: what goes in comes out, whatever happens to it in between."""

import json
import os
import pickle
import sqlite3

import pytest

import aiplay
from aiplay.errors import StoreError
from aiplay.match import Duel, Store


def a_duel(**changes):
    return Duel(
        **{"game": "leduc_poker", "a": "mcts:iterations=5", "b": "random", "games": 6, "seed": 2**64 - 1}
        | changes
    )


@pytest.fixture
def file(tmp_path):
    """The file of a duel with all its games."""
    duel = a_duel()
    with Store.create(tmp_path / "duel.db", duel.description()) as store:
        duel.play(store=store)
    return tmp_path / "duel.db"


def change(file, *statements):
    connection = sqlite3.connect(file)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_everything_about_a_game_comes_back(tmp_path):
    duel = a_duel()
    with Store.create(tmp_path / "duel.db", duel.description()) as store:
        duel.play(store=store)
    with Store.read(tmp_path / "duel.db") as store:
        again = Duel.of(store)
    assert again.results == duel.results
    assert again.summary() == duel.summary()
    assert again.description() == duel.description()
    assert os.listdir(tmp_path) == ["duel.db"]


def test_the_record_replays_the_game(file):
    with Store.read(file) as store:
        for result in Duel.of(store).results:
            fixture = result.fixture
            record = aiplay.Record(fixture.game.name, fixture.game.options, fixture.seed, result.record)
            table = aiplay.replay(record)
            assert table.over
            assert tuple(table.returns()) == result.returns
            assert sum(result.moves) == len(list(decisions(record)))


def decisions(record):
    """The moves of seats in a record."""
    for ply, move in enumerate(record.moves):
        if aiplay.replay(record, ply).to_move >= 0:
            yield move


def test_a_game_cannot_be_counted_twice(file):
    with Store.resume(file) as store:
        duel = Duel.of(store)
        with pytest.raises(StoreError, match="UNIQUE"):
            store.add(duel.results[0], 1.0)
        assert len(store.results(duel.fixtures)) == 6


def test_a_file_that_is_in_use_is_refused_until_it_is_closed(tmp_path, file):
    with Store.resume(file) as store:
        for refused in (Store.resume, Store.read, lambda path: Store.create(path, {})):
            with pytest.raises(StoreError, match="another run is using this file"):
                refused(file)
        assert len(Duel.of(store).results) == 6
    Store.resume(file).close()
    with Store.create(tmp_path / "new.db", a_duel().description()):
        with pytest.raises(StoreError, match="another run is using this file"):
            Store.create(tmp_path / "new.db", a_duel().description())
        assert (tmp_path / "new.db").exists()


def test_several_may_look_at_once(file):
    with Store.read(file) as one, Store.read(file) as two:
        assert one.description == two.description


def test_the_file_of_another_match_is_refused(file):
    with Store.resume(file) as store, pytest.raises(StoreError, match="another match"):
        a_duel(seed=3).play(store=store)


@pytest.mark.parametrize("column", ["seed = '5'", 'specs = \'["random","random"]\'', "number = 77"])
def test_a_game_that_is_not_of_the_match_is_refused(file, column):
    change(file, f"UPDATE games SET {column} WHERE number = 3")
    with Store.resume(file) as store, pytest.raises(StoreError, match="none of the match"):
        Duel.of(store)


def test_damaged_content_is_refused(file):
    change(file, "UPDATE games SET returns = '[1,' WHERE number = 3")
    with Store.resume(file) as store, pytest.raises(StoreError, match="damaged"):
        Duel.of(store)


@pytest.mark.parametrize("opening", [Store.resume, Store.read, lambda path: Store.create(path, {})])
@pytest.mark.parametrize(
    ("content", "message"),
    [("text", "not a file of a match"), ("other", "belongs to another program"), ("folder", "")],
)
def test_what_is_not_ours_is_refused_and_left_alone(tmp_path, content, message, opening):
    path = tmp_path / "thing"
    if content == "folder":
        path.mkdir()
    elif content == "text":
        path.write_text("dear diary, " * 1000)
    else:
        change(path, "CREATE TABLE games (number)", "INSERT INTO games VALUES (1)")
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError, match=rf"thing: .*{message}"):
        opening(path)
    assert os.listdir(tmp_path) == ["thing"]
    assert before is None or path.read_bytes() == before


@pytest.mark.parametrize("opening", [Store.resume, Store.read])
def test_a_newer_format_and_a_missing_match_are_refused(tmp_path, file, opening):
    change(file, "PRAGMA user_version = 2")
    with pytest.raises(StoreError, match=f"format 2 .* aiplay {aiplay.__version__} reads format 1"):
        opening(file)
    with pytest.raises(StoreError, match="there is no such file"):
        opening(tmp_path / "nothing")
    (tmp_path / "empty").touch()
    with pytest.raises(StoreError, match="there is no match in this file"):
        opening(tmp_path / "empty")


def test_a_match_with_a_finished_game_is_not_replaced_one_without_is(tmp_path):
    for seed in (1, 2):
        with Store.create(tmp_path / "duel.db", a_duel(seed=seed).description()) as store:
            assert store.description["seed"] == seed
    with Store.resume(tmp_path / "duel.db") as store:
        duel = Duel.of(store)
        next(duel.play_games(store=store))
    with pytest.raises(StoreError, match=r"already, with 1 finished games; --resume .*duel\.db goes on"):
        Store.create(tmp_path / "duel.db", duel.description())
    with Store.read(tmp_path / "duel.db") as store:
        assert len(Duel.of(store).results) == 1


def test_an_empty_file_may_be_filled(tmp_path):
    """A run that was killed before it had written anything leaves one."""
    (tmp_path / "empty").touch()
    with Store.create(tmp_path / "empty", {"kind": "x"}):
        pass
    with Store.read(tmp_path / "empty") as store:
        assert store.description == {"version": aiplay.__version__, "kind": "x"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no named pipes")
def test_what_is_no_file_is_never_touched(tmp_path):
    """A device or a pipe could not even be told apart from an empty file by its size."""
    os.mkfifo(tmp_path / "pipe")
    for opening in (Store.resume, Store.read, lambda path: Store.create(path, {})):
        with pytest.raises(StoreError, match="pipe: "):
            opening(tmp_path / "pipe")
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_start_that_fails_removes_only_what_it_has_made(tmp_path):
    (tmp_path / "empty").touch()
    for name in ("empty", "new"):
        with pytest.raises(TypeError):
            Store.create(tmp_path / name, {"not JSON": object()})
    assert os.listdir(tmp_path) == ["empty"]


def test_a_folder_that_does_not_exist_is_a_clear_error(tmp_path):
    with pytest.raises(StoreError, match="the folder has to exist"):
        Store.create(tmp_path / "nowhere" / "duel.db", {})


def test_a_disk_that_fills_up_keeps_what_was_finished(tmp_path):
    duel = a_duel(games=400)
    with Store.create(tmp_path / "duel.db", duel.description()) as store:
        store._connection.execute("PRAGMA max_page_count = 12")
        with pytest.raises(StoreError, match=r"cannot be written: .*full"):
            duel.play(store=store)
    n = len(duel.results)
    assert 0 < n < 400
    with Store.resume(tmp_path / "duel.db") as store:
        again = Duel.of(store)
        assert again.results == duel.results
        again.play(store=store)
    whole = a_duel(games=400)
    whole.play()
    assert [r.record for r in sorted(again.results, key=lambda r: r.fixture.number)] == [
        r.record for r in whole.results
    ]


def test_seconds_add_up_over_runs(tmp_path):
    duel = a_duel()
    with Store.create(tmp_path / "duel.db", duel.description()) as store:
        games = duel.play_games(store=store)
        next(games)
        first = duel.seconds
        games.close()
    change(tmp_path / "duel.db", "UPDATE games SET elapsed = 1000")
    with Store.resume(tmp_path / "duel.db") as store:
        summary = Duel.of(store).play(store=store)
    assert 0 < first < 1000 < summary.seconds < 2000


def test_other_tools_can_read_it(file):
    connection = sqlite3.connect(file)
    rows = connection.execute(
        "SELECT game, seed, specs, returns, iterations FROM games ORDER BY number"
    ).fetchall()
    connection.close()
    assert len(rows) == 6
    for game, seed, specs, returns, iterations in rows:
        assert game == "leduc_poker"
        assert 0 <= int(seed) < 2**64
        assert sorted(json.loads(specs)) == ["mcts:iterations=5", "random"]
        assert sum(json.loads(returns)) == 0
        assert json.loads(iterations)[json.loads(specs).index("random")] is None


def test_a_fixture_is_small_enough_to_be_sent_around():
    assert len(pickle.dumps(Duel("illusio", "mcts:time=0.05", "greedy").fixtures[0])) < 600
