"""The file of a match: nothing that was saved gets lost, and foreign files are left alone."""

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


def test_a_match_is_read_as_it_was_saved(tmp_path):
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
            scheduled = result.scheduled
            record = aiplay.Record(scheduled.game.name, scheduled.game.options, scheduled.seed, result.record)
            table = aiplay.replay(record)
            assert table.over
            assert tuple(table.returns()) == result.returns
            assert sum(result.moves) == len(list(decisions(record)))


def decisions(record):
    """Yield the moves of seats in a record."""
    for ply, move in enumerate(record.moves):
        if aiplay.replay(record, ply).to_move >= 0:
            yield move


def test_a_game_cannot_be_counted_twice(file):
    with Store.resume(file) as store:
        duel = Duel.of(store)
        with pytest.raises(StoreError, match="UNIQUE"):
            store.add(duel.results[:1], 1.0)
        assert len(store.results(duel.schedule)) == 6


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


def test_several_may_read_at_once(file):
    with Store.read(file) as one, Store.read(file) as two:
        assert one.description == two.description


def test_the_file_of_another_match_is_refused(file):
    with Store.resume(file) as store, pytest.raises(StoreError, match="another match"):
        a_duel(seed=3).play(store=store)


@pytest.mark.parametrize("column", ["seed = '5'", 'specs = \'["random","random"]\'', "number = 77"])
def test_a_game_that_is_not_of_the_match_is_refused(file, column):
    change(file, f"UPDATE games SET {column} WHERE number = 3")
    with Store.resume(file) as store, pytest.raises(StoreError, match="does not belong to the match"):
        Duel.of(store)


def test_damaged_content_is_refused(file):
    change(file, "UPDATE games SET returns = '[1,' WHERE number = 3")
    with Store.resume(file) as store, pytest.raises(StoreError, match="damaged"):
        Duel.of(store)


@pytest.mark.parametrize("opening", [Store.resume, Store.read, lambda path: Store.create(path, {})])
@pytest.mark.parametrize(
    ("content", "message"),
    [("text", "not the file of a match"), ("other", "belongs to another program"), ("folder", "")],
)
def test_foreign_files_are_refused_and_left_alone(tmp_path, content, message, opening):
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
    change(file, "PRAGMA user_version = 3")
    with pytest.raises(StoreError, match=f"format 3 .* aiplay {aiplay.__version__} reads formats 1 and 2"):
        opening(file)
    with pytest.raises(StoreError, match="there is no such file"):
        opening(tmp_path / "nothing")
    (tmp_path / "empty").touch()
    with pytest.raises(StoreError, match="there is no match in this file"):
        opening(tmp_path / "empty")


OLD_COLUMNS = (  # of a file of format 1, as aiplay wrote it before deals were called deals
    "number INTEGER PRIMARY KEY, pair INTEGER NOT NULL, game TEXT NOT NULL, options TEXT NOT NULL, "
    "seed TEXT NOT NULL, specs TEXT NOT NULL, sides TEXT NOT NULL, returns TEXT NOT NULL, moves TEXT NOT NULL, "
    "seconds TEXT NOT NULL, iterations TEXT NOT NULL, record TEXT NOT NULL, elapsed REAL NOT NULL"
)


def test_a_file_of_the_first_format_is_read_and_continued(tmp_path, file):
    whole = a_duel()
    whole.play()
    change(
        file,
        "ALTER TABLE games RENAME TO new_games",
        f"CREATE TABLE games ({OLD_COLUMNS})",
        "INSERT INTO games SELECT * FROM new_games WHERE number < 3",
        "DROP TABLE new_games",
        "PRAGMA user_version = 1",
    )
    with Store.read(file) as store:
        assert [result.scheduled.number for result in Duel.of(store).results] == [0, 1, 2]
    with Store.resume(file) as store:
        summary = Duel.of(store).play(store=store)
    assert (summary.deals, summary.a_score) == (3, whole.summary().a_score)
    with Store.read(file) as store:
        assert [result.record for result in Duel.of(store).results] == [r.record for r in whole.results]


def test_a_match_is_replaced_only_if_it_has_no_finished_game(tmp_path):
    for seed in (1, 2):
        with Store.create(tmp_path / "duel.db", a_duel(seed=seed).description()) as store:
            assert store.description["seed"] == seed
    with Store.resume(tmp_path / "duel.db") as store:
        duel = Duel.of(store)
        next(duel.play_games(store=store))
    with pytest.raises(
        StoreError, match=r"already, with 1 finished games; --resume .*duel\.db plays the rest"
    ):
        Store.create(tmp_path / "duel.db", duel.description())
    with Store.read(tmp_path / "duel.db") as store:
        assert len(Duel.of(store).results) == 1


def test_an_empty_file_may_be_filled(tmp_path):
    """A run that was killed before it wrote anything leaves an empty file."""
    (tmp_path / "empty").touch()
    with Store.create(tmp_path / "empty", {"kind": "x"}):
        pass
    with Store.read(tmp_path / "empty") as store:
        assert store.description == {"version": aiplay.__version__, "kind": "x"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no named pipes")
def test_devices_and_pipes_are_never_touched(tmp_path):
    """By its size, a pipe looks like an empty file."""
    os.mkfifo(tmp_path / "pipe")
    for opening in (Store.resume, Store.read, lambda path: Store.create(path, {})):
        with pytest.raises(StoreError, match="pipe: "):
            opening(tmp_path / "pipe")
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_failed_start_removes_only_the_file_that_it_created(tmp_path):
    (tmp_path / "empty").touch()
    for name in ("empty", "new"):
        with pytest.raises(TypeError):
            Store.create(tmp_path / name, {"not JSON": object()})
    assert os.listdir(tmp_path) == ["empty"]


def test_a_folder_that_does_not_exist_is_a_clear_error(tmp_path):
    with pytest.raises(StoreError, match="the folder has to exist"):
        Store.create(tmp_path / "nowhere" / "duel.db", {})


def test_a_full_disk_keeps_the_finished_games(tmp_path):
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
    assert [r.record for r in sorted(again.results, key=lambda r: r.scheduled.number)] == [
        r.record for r in whole.results
    ]


def test_seconds_are_summed_over_runs(tmp_path):
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


def test_other_programs_can_read_the_file(file):
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


def test_a_scheduled_game_takes_less_than_600_bytes():
    assert len(pickle.dumps(Duel("illusio", "mcts:time=0.05", "greedy").schedule[0])) < 600


# ---- Damaged content ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change_to", "message"),
    [
        ("UPDATE match SET description = '7'", "damaged"),
        ("UPDATE match SET description = json_remove(description, '$.b')", "missing required field `b`"),
        ("UPDATE match SET description = json_set(description, '$.games', 'x')", r"damaged: .*\$.games"),
        ("UPDATE match SET description = json_set(description, '$.games', 1099511627776)", "cannot be made"),
        ("UPDATE match SET description = json_set(description, '$.seed', -1)", "cannot be made: seed is -1"),
        ("UPDATE match SET description = json_set(description, '$.game', 'go')", "no game is called 'go'"),
        ("UPDATE match SET description = json_set(description, '$.options', json('{\"a\":1}'))", "no option"),
        ("UPDATE match SET description = x'00ff'", "damaged"),
        ("DELETE FROM match", "0 matches in the file"),
        ("INSERT INTO match SELECT * FROM match", "2 matches in the file"),
        ("UPDATE games SET returns = '7'", "damaged"),
        ("UPDATE games SET returns = '[99, -99]'", "the results of game 0 are not possible"),
        ("UPDATE games SET moves = '[1]'", "the results of game 0 are not possible"),
        ("UPDATE games SET moves = '[-1, 3]'", "damaged: .*>= 0"),
        ("UPDATE games SET iterations = '[1, 1" + "0" * 400 + "]'", "damaged"),
        ("UPDATE games SET seconds = '[null, 1]'", "damaged"),
        ("UPDATE games SET record = '[1.5]'", "damaged"),
        ("UPDATE games SET options = 'x'", "damaged"),
        ("UPDATE games SET seed = x'00'", "damaged"),
        ("UPDATE games SET elapsed = 'long'", "damaged"),
        ("UPDATE games SET elapsed = 9e999", "damaged: the match has taken inf seconds"),
    ],
)
def test_whatever_the_file_holds_the_error_is_ours(file, change_to, message):
    change(file, change_to)
    with pytest.raises(StoreError, match=message):
        aiplay.match.load_match(file)


@pytest.mark.parametrize("games", [0, -3, 10**6 + 1, 2**70])
def test_a_match_has_a_size_that_memory_can_hold(games):
    with pytest.raises(aiplay.OptionError, match=f"a duel of {games} games; allowed: 1 to 1000000"):
        a_duel(games=games)


def test_a_tournament_of_too_many_meetings_is_refused_at_once():
    specs = [f"mcts:iterations={number}" for number in range(1, 61)]
    with pytest.raises(aiplay.OptionError, match=r"a tournament of \d+ games; allowed: at most 1000000"):
        aiplay.match.Tournament([aiplay.load_game("pig", players=6)], specs)
