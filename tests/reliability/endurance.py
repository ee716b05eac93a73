"""The three parts of tests/soak.py: random moves, games of mcts, matches that are killed."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import aiplay
from aiplay._core.games.illusio.audit import audit_games
from aiplay.match import Duel, Store
from aiplay.testing import check_game, soak_game

CLOSE_GAMES = 5  # games that also get the slow checks of check_game
AUDITED_GAMES = 200  # games of Illusio with every card counted
SPECS = [
    "mcts:iterations=20",
    "mcts:iterations=20,mode=several",
    "mcts:iterations=20,mode=pimc,worlds=3",
    "mcts:iterations=20,trees=2,threads=2",
    "mcts:iterations=20,reuse=no,solver=no,prior=none",
    "mcts:nodes=40,memory=1",
]
SHORT = {"illusio": {"turn_cap": 6}, "pig": {"target": 25}, "three_magicians": {"turn_cap": 30}}
MATCHES = [  # games whose duels are killed, and their players
    ("leduc_poker", "mcts:iterations=20000", "mcts:iterations=10000"),
    ("connect_four", "mcts:iterations=2000", "mcts:iterations=1000"),
    ("pig", "mcts:iterations=400", "greedy"),
]
GAMES_OF_A_MATCH = 24
KILLS = 3  # of one match, at most
PATIENCE = 600.0  # seconds for a match to end


def settings(short=False):
    """Yield every game that comes with aiplay, with every number of seats."""
    for name in aiplay.game_names():
        low, high = aiplay.load_game(name).seat_range
        for seats in range(low, high + 1):
            options = {"players": seats} if low < high else {}
            yield aiplay.load_game(name, **options, **(SHORT.get(name, {}) if short else {}))


# ---- Random moves ------------------------------------------------------------------------------------------


def random_moves(moves, seed):
    """Play random moves of every game and number of seats; yield the row of a report for each."""
    for game in settings():
        begun = time.monotonic()
        games, made, worlds = soak_game(game, moves, seed)
        check_game(game, games=CLOSE_GAMES, seed=seed)
        if game.name == "illusio":
            audit_games(game.new_state(), AUDITED_GAMES, 8, seed)
        yield game.name, game.seats, games, made, worlds, time.monotonic() - begun


# ---- Games of mcts -----------------------------------------------------------------------------------------


def mcts_games(count, seed):
    """Let mcts play against itself, in all its modes; yield the row of a report for each game and number of seats."""
    games = list(settings(short=True))
    for place, game in enumerate(games):
        begun, moves = time.monotonic(), 0
        numbers = range(place, count, len(games))
        for number in numbers:
            moves += len(_mcts_game(game, seed + number, is_checked=number % 10 == 0).moves)
        yield game.name, game.seats, len(numbers), moves, time.monotonic() - begun


def _mcts_game(game, seed, is_checked):
    """Play one game. A checked one is played twice, and replayed from its record: the same moves each time."""
    table = _played(game, seed)
    if is_checked:
        assert _played(game, seed).moves == table.moves, f"{game!r}, seed {seed}: other moves the second time"
        again = aiplay.replay(table.record.to_json())
        assert again.returns() == table.returns(), f"{game!r}, seed {seed}: the record has other returns"
    return table


def _played(game, seed):
    table = aiplay.Table(game, seed=seed)
    spec = SPECS[seed % len(SPECS)]
    if not game.has_hidden:
        spec = spec.replace(",mode=several", "").replace(",mode=pimc,worlds=3", "")
    players = [aiplay.make_player(spec, seed=seed + seat) for seat in range(game.seats)]
    aiplay.play_game(table, players)  # the table refuses a move that is not legal
    return table


# ---- Matches that are killed -------------------------------------------------------------------------------


def killed_matches(count, seed):
    """Kill matches at random moments and resume them; yield, for each, its game, kills and finished games at each."""
    chance = random.Random(seed)
    for number in range(count):
        game, a, b = MATCHES[number % len(MATCHES)]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "match.db"
            duel = Duel(game, a=a, b=b, games=GAMES_OF_A_MATCH, seed=seed + number)
            kills = _killed_and_resumed(duel, path, chance)
            _compare(duel, path)
        yield game, kills


def _killed_and_resumed(duel, path, chance):
    """Run a duel to its end with some kills on the way; return the finished games at each kill."""
    start = ["--game", duel.game.name, "--a", duel.specs[0], "--b", duel.specs[1]]
    start += ["--games", str(GAMES_OF_A_MATCH), "--seed", str(duel.seed), "--save", str(path)]
    kills = []
    for kill in range(KILLS + 1):
        arguments = ["--resume", str(path)] if _has_match(path) else start
        if arguments is start:
            path.unlink(missing_ok=True)
        process = _run([*arguments, "--jobs", str(1 + duel.seed % 2), "--json"])
        if kill < KILLS and _kill_at_random(process, path, chance):
            kills.append(_finished(path))
            continue
        assert process.wait(PATIENCE) == 0, f"the match of seed {duel.seed} failed"
        return kills
    raise AssertionError("unreachable")


def _run(arguments):
    command = [sys.executable, "-m", "aiplay", "duel", *arguments]
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def _kill_at_random(process, path, chance):
    """Kill a match after a random number of games; return False if it ends before that."""
    before = _finished(path)
    wanted = chance.randrange(before, max(GAMES_OF_A_MATCH, before + 1))
    pause, whole = chance.uniform(0, 0.2), chance.random() < 0.5
    while process.poll() is None and _finished(path) < wanted:
        time.sleep(0.02)
    time.sleep(pause)
    if process.poll() is not None:
        assert process.returncode == 0
        return False
    if whole:
        os.killpg(process.pid, signal.SIGKILL)  # the workers too
    else:
        process.kill()
    process.wait()
    _wait_for_workers(process.pid)
    return True


def _wait_for_workers(group):
    """Wait until the workers of a killed run have noticed, and ended."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    raise AssertionError(f"workers of a killed match still run after {PATIENCE:.0f} s")


def _has_match(path):
    return _finished(path) >= 0


def _finished(path):
    """Return the number of finished games in a file; -1 if there is no match in it yet.

    Counts in a copy, without a lock: the run has the file for itself.
    """
    if not path.exists():
        return -1
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        try:
            shutil.copy(path, copy)
            log = path.with_name(path.name + "-wal")
            if log.exists():
                shutil.copy(log, copy.with_name("copy.db-wal"))
            connection = sqlite3.connect(copy)
            try:
                return connection.execute("SELECT count(*) FROM games").fetchone()[0]
            finally:
                connection.close()
        except (sqlite3.Error, OSError):
            return -1


def _compare(duel, path):
    """Check that a file has every game once, with the results of an undisturbed run."""
    with Store.read(path) as store:
        resumed = Duel.of(store)
    duel.play()
    ours, theirs = ([_plain(result) for result in _sorted(match)] for match in (resumed, duel))
    assert len(ours) == GAMES_OF_A_MATCH, f"{len(ours)} games instead of {GAMES_OF_A_MATCH}"
    assert ours == theirs, f"the match of seed {duel.seed} has other results than an undisturbed run"


def _sorted(match):
    return sorted(match.results, key=lambda result: result.scheduled.number)


def _plain(result):
    """Return all of a result that does not depend on the clock."""
    scheduled = result.scheduled
    return (
        scheduled.number,
        scheduled.seed,
        scheduled.seating,
        result.returns,
        result.iterations,
        result.record,
    )
