"""Files: the data of games, and saved matches."""

import contextlib
import json
import shutil
import sqlite3
import tempfile
from pathlib import Path

from value_files import random_value

import aiplay
from aiplay import report, tune
from aiplay.errors import ValueFileError
from aiplay.games.data_file import own_file
from aiplay.match import Duel, Store, Tournament, load_match
from aiplay.strategy import Strategy, key_of
from aiplay.value import Value
from reliability.doors import Door
from reliability.doors.positions import use_state
from reliability.mutate import MORE_STRANGE, mutated_bytes, mutated_json, mutated_text, other_values

GAMES = ("illusio", "levitation", "magic_rabbit", "three_magicians")
TEXTS = ("options", "specs", "returns", "moves", "seconds", "iterations", "record")  # columns of JSON
STATEMENTS = (
    "DELETE FROM match",
    "DROP TABLE match",
    "DROP TABLE games",
    "PRAGMA user_version = 1",
    "PRAGMA application_id = 5",
    "ALTER TABLE games RENAME COLUMN returns TO other",
    "INSERT INTO match SELECT * FROM match",
    "UPDATE games SET number = number + 7",
)
PAGE = 4096  # bytes of a page of SQLite


class FileDoor(Door):
    """Writes its inputs to a file in a folder of its own."""

    def __init__(self):
        self._folder = Path(tempfile.mkdtemp(prefix="aiplay-hard-"))

    def close(self):
        shutil.rmtree(self._folder, ignore_errors=True)


class Data(FileDoor):
    name, about = "data", "data files of games: `load_game(name, data=path)`"

    def __init__(self):
        super().__init__()
        self._texts = {name: Path(own_file(name)).read_text() for name in GAMES}

    def make(self, stream):
        name = stream.choice(GAMES)
        text = self._texts[name]
        if stream.below(3):
            return name, self._changed_value(text, stream)
        return name, mutated_text(text, stream)

    @staticmethod
    def _changed_value(text, stream):
        """Replace a value or a key by another value that TOML can hold."""
        lines = text.split("\n")
        for _ in range(1 + stream.below(3)):
            number = stream.choice(
                [i for i, line in enumerate(lines) if "=" in line and not line.startswith("#")]
            )
            key, _, value = lines[number].partition("=")
            other = lines[stream.below(len(lines))].partition("=")[2] or "1"
            new = stream.choice(
                [other, "0", "-1", "1", "99", "1000000", str(2**70), "1.5", "true", '""', "[]", "{}"]
            )
            new = stream.choice([new, mutated_text(value, stream)])
            lines[number] = f"{key}= {new}"
        return "\n".join(lines)

    def enter(self, given):
        name, text = given
        path = self._folder / "data.toml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        game = aiplay.load_game(name, data=path)
        game.catalogue  # noqa: B018
        use_state(game.new_state())


class Stores(FileDoor):
    name, about = "stores", "saved matches: `load_match`, `--resume`, `report`"

    def __init__(self):
        super().__init__()
        duel = Duel("leduc_poker", a="mcts:iterations=2", b="random", games=4, seed=1)
        tournament = Tournament(["pig"], ["random", "greedy:samples=2"], games=4, seed=1)
        self._files = [
            self._saved(match, name) for match, name in ((duel, "duel"), (tournament, "tournament"))
        ]

    def _saved(self, match, name):
        path = self._folder / f"{name}.db"
        with Store.create(path, match.description()) as store:
            match.play(store=store)
        return path.read_bytes()

    def make(self, stream):
        data = stream.choice(self._files)
        return stream.below(2), (self._changed_rows if stream.below(3) else self._changed_bytes)(data, stream)

    @staticmethod
    def _changed_bytes(data, stream):
        """Damage the file itself, often in its header or at the start of a page."""
        place = stream.choice([0, 0, PAGE * stream.below(len(data) // PAGE), stream.below(len(data))])
        part = mutated_bytes(data[place : place + 120], stream, resize=False)
        data = data[:place] + part + data[place + 120 :]
        return data[: stream.below(len(data) + 1)] if stream.below(10) == 0 else data

    def _changed_rows(self, data, stream):
        """Change the content with SQL: a valid database with wrong values."""
        connection = sqlite3.connect(":memory:")
        connection.deserialize(data)
        if stream.below(3) == 0:
            (text,) = connection.execute("SELECT description FROM match").fetchone()
            connection.execute("UPDATE match SET description = ?", (mutated_json(json.loads(text), stream),))
        elif stream.below(4) == 0:
            connection.execute(stream.choice(STATEMENTS))
        else:
            self._change_game(connection, stream)
        connection.commit()
        changed = connection.serialize()
        connection.close()
        return changed

    @staticmethod
    def _change_game(connection, stream):
        column = stream.choice([*TEXTS, "number", "deal", "seed", "elapsed", "game", "seating"])
        number, value = connection.execute(
            f"SELECT number, {column} FROM games ORDER BY random() LIMIT 1"
        ).fetchone()
        if column in TEXTS and stream.below(3):
            value = mutated_json(json.loads(value), stream)
        else:
            value = stream.choice([other for other in MORE_STRANGE if _fits_sqlite(other)])
        with contextlib.suppress(sqlite3.IntegrityError):  # NOT NULL: such a row cannot be stored
            connection.execute(f"UPDATE games SET {column} = ? WHERE number = ?", (value, number))

    def enter(self, given):
        resumes, data = given
        path = self._folder / "match.db"
        for left in self._folder.glob("match.db*"):
            left.unlink()
        path.write_bytes(data)
        if resumes:
            with Store.resume(path) as store:
                kind = Tournament if store.description.get("kind") == "tournament" else Duel
                match = kind.of(store)
                if len(match.schedule) < 20:
                    match.play(store=store)
        else:
            match = load_match(path)
        json.dumps(report.document(match))
        report.csv(match)


class Strategies(FileDoor):
    name, about = "strategies", "strategy files: `Strategy.read`, `policy`"

    def __init__(self):
        super().__init__()
        game = aiplay.load_game("leduc_poker")
        self._views = [state.view(state.to_move) for state in _decisions(game)]
        shares = {
            key_of(view): (1 / len(view.legal_moves()),) * len(view.legal_moves()) for view in self._views
        }
        path = self._folder / "real.json"
        Strategy.of_game(game, shares, iterations=7).write(path)
        self._document = json.loads(path.read_text())

    def make(self, stream):
        other = other_values(self._document)
        return mutated_json(self._document, stream, lambda path: other(stream))

    def enter(self, given):
        path = self._folder / "strategy.json"
        path.write_bytes(given.encode("utf-8", "surrogatepass"))
        strategy = Strategy.read(path)
        for view in self._views:
            policy = strategy.policy(view)
            assert policy is None or abs(sum(policy.values()) - 1) < 1e-9


class Values(FileDoor):
    name, about = "values", "value files: `Value.read`, searches with them"

    def __init__(self):
        super().__init__()
        self._games = [
            aiplay.load_game("leduc_poker"),
            aiplay.load_game("connect_four"),
            aiplay.load_game("pig"),
        ]
        self._views = [state.view(state.to_move) for game in self._games for state in _decisions(game)[:2]]
        self._documents = [json.loads(random_value(game).to_json()) for game in self._games]

    def make(self, stream):
        document = self._documents[stream.below(len(self._documents))]
        other = other_values(document)
        return mutated_json(document, stream, lambda path: other(stream))

    def enter(self, given):
        path = self._folder / "value.json"
        path.write_bytes(given.encode("utf-8", "surrogatepass"))
        Value.read(path)
        for player in ("greedy:worlds=2,samples=2", "mcts:iterations=8"):
            for view in self._views:
                with contextlib.suppress(ValueFileError):  # it is for another game
                    chosen = aiplay.make_player(f"{player},value={path}", seed=1).choose(view)
                    assert chosen in view.legal_moves()


class Tunings(FileDoor):
    name, about = "tunings", "files of `aiplay tune`: `read_plan`, the next variants"

    def __init__(self):
        super().__init__()
        path, game = self._folder / "tuning.json", aiplay.load_game("pig", target=15)
        tune.tune_player(game, "mcts:iterations=2", games=16, final=2, seed=1, save=path)
        self._document = json.loads(path.read_text())

    def make(self, stream):
        other = other_values(self._document)
        return mutated_json(self._document, stream, lambda path: other(stream))

    def enter(self, given):
        path = self._folder / "tuning.json"
        path.write_bytes(given.encode("utf-8", "surrogatepass"))
        game, plan, scores = tune.read_plan(path)
        bandit = tune.Tuner(game, plan, scores).bandit
        assert all(len(point) == len(plan.space) and any(point) for point in bandit.propose(8))


def _decisions(game):
    """Return some states in which a seat is to move."""
    stream, found = aiplay.RandomStream(1), []
    for _ in range(10):
        state = game.new_state()
        while not state.is_over:
            if state.to_move >= 0:
                found.append(state.copy())
            state.play(stream.choice(state.legal_moves()))
    return found


def _fits_sqlite(value):
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) < 2**63
    return isinstance(value, str | float | None)


DOORS = [Data, Stores, Strategies, Values, Tunings]
