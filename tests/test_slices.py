"""Searches that pause: the same results as without pauses, and a host and an engine that need no threads."""

import json
import threading

import pytest
from test_threads import view_of

import aiplay
from aiplay.engine import Engine
from aiplay.engine.answers import Answer
from aiplay.limit import Limit
from aiplay.players.base import Player, finish
from aiplay.serve.host import Host
from aiplay.serve.limits import Limits
from aiplay.serve.searches import Search
from aiplay.serve.slices import SlicedSearches

LONG = 600  # seconds; a search with this limit that is over sooner was ended by something else
SPECS = ["mcts:{}", "mcts:{},trees=3", "mcts:{},mode=pimc,worlds=4", "mixed:{}", "mixed:{},method=here"]


class LoneClock:
    """A clock without threads: time passes when `run` is called, and every call is counted."""

    def __init__(self):
        self.calls, self.posted, self.later = 0, [], []

    def now(self):
        return float(self.calls)

    def call_later(self, seconds, call):
        timer = Timer(self.calls + seconds, call)
        self.later.append(timer)
        return timer

    def post(self, call):
        self.posted.append(call)

    def run(self, until=lambda: False):
        """Make the calls that wait, one after the other, until nothing is left or something is true."""
        while not until():
            self.calls += 1
            due = [timer for timer in self.later if timer.due <= self.calls and timer.call is not None]
            self.later = [timer for timer in self.later if timer.due > self.calls]
            for timer in due:
                timer.call()
            if self.posted:
                self.posted.pop(0)()
            elif not self.later:
                return


class Timer:
    def __init__(self, due, call):
        self.due, self.call = due, call

    def cancel(self):
        self.call = None


# ---- Players -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_pauses_do_not_change_the_result(spec, monkeypatch):
    monkeypatch.setattr("aiplay.players.mcts.run.SLICE", 1e-4)
    monkeypatch.setattr("aiplay.players.mixed.SLICE", 1e-4)
    spec, view = spec.format("iterations=3000"), view_of("leduc_poker", moves=2)
    whole = aiplay.make_player(spec, seed=5).analyse(view)
    slices, pauses = aiplay.make_player(spec, seed=5).analyse_in_slices(view), 0
    while True:
        try:
            next(slices)
            pauses += 1
        except StopIteration as end:
            paused = end.value
            break
    assert pauses > 2
    assert (paused.moves, paused.odds, paused.iterations) == (whole.moves, whole.odds, whole.iterations)


@pytest.mark.parametrize("spec", ["random", "greedy", "expectimax:depth=2", "mcts:iterations=50"])
def test_every_player_chooses_in_slices(spec):
    view = view_of("connect_four")
    found = finish(aiplay.make_player(spec, seed=5).choose_in_slices(view))
    assert found == aiplay.make_player(spec, seed=5).choose(view)


def test_a_search_that_pauses_can_be_stopped_between_two_slices():
    player = aiplay.make_player("mcts", seed=1)
    slices = player.analyse_in_slices(view_of("connect_four"), Limit(time=LONG))
    next(slices)
    player.stop()
    analysis = finish(slices)
    assert analysis.iterations > 0
    assert analysis.seconds < LONG


def test_a_search_that_is_given_up_leaves_no_threads():
    before = {*threading.enumerate()}
    player = aiplay.make_player("mcts:trees=2,threads=2", seed=1)
    slices = player.analyse_in_slices(view_of("connect_four"), Limit(time=LONG))
    next(slices)
    slices.close()
    assert {*threading.enumerate()} <= before


# ---- Searches of a host --------------------------------------------------------------------------------------


class Slow(Player):
    """Pauses `rounds` times, and tells when."""

    name = "slow"

    def __init__(self, rounds, told):
        super().__init__(seed=1)
        self.rounds, self.told, self.is_stopped = rounds, told, False

    def choose(self, view, limit=None):
        return view.legal_moves()[0]

    def stop(self):
        self.is_stopped = True

    def analyse_in_slices(self, view, limit=None, *, progress=None, every=0.5):
        for number in range(self.rounds if limit.time else 0):
            if self.is_stopped:
                break
            self.told.append(number)
            yield
        return self.analyse(view)


@pytest.fixture
def searches():
    clock = LoneClock()
    return SlicedSearches(clock, Limits()), clock


def test_the_search_that_is_due_first_gets_the_slices(searches):
    searches, clock = searches
    view, first, second = view_of("connect_four"), [], []
    searches.start(Search(Slow(4, second), view, Limit(time=1.0), due=9.0))
    clock.run(until=lambda: len(second) == 2)
    searches.start(Search(Slow(3, first), view, Limit(time=1.0), due=5.0))
    clock.run(until=lambda: len(first) == 3)
    assert len(second) == 2
    clock.run()
    assert len(second) == 4


def test_a_stopped_search_ends_with_what_it_has(searches):
    searches, clock = searches
    told, ended = [], []
    search = Search(Slow(1000, told), view_of("connect_four"), Limit(time=1.0), done=ended.append)
    searches.start(search)
    clock.run(until=lambda: len(told) == 3)
    searches.stop(search)
    clock.run()
    assert len(told) == 3
    assert ended == [search]
    assert search.analysis is not None


def test_a_search_stopped_before_it_begins_takes_no_time(searches):
    searches, clock = searches
    told, ended = [], []
    search = Search(Slow(1000, told), view_of("connect_four"), Limit(time=1.0), done=ended.append)
    searches.start(search)
    assert searches.waiting == 1
    searches.stop(search)
    clock.run()
    assert (told, ended, searches.waiting) == ([], [search], 0)


def test_a_player_that_fails_ends_its_search_and_no_other(searches):
    searches, clock = searches
    ended = []
    broken = Search(Slow(3, None), view_of("connect_four"), Limit(time=1.0), done=ended.append, due=1.0)
    sound = Search(Slow(3, []), view_of("connect_four"), Limit(time=1.0), done=ended.append, due=2.0)
    searches.start(broken)
    searches.start(sound)
    clock.run()
    assert ended == [broken, sound]
    assert "AttributeError" in broken.error
    assert sound.analysis is not None


def test_nothing_is_called_back_after_close(searches):
    searches, clock = searches
    ended = []
    searches.start(Search(Slow(3, []), view_of("connect_four"), Limit(time=1.0), done=ended.append))
    searches.close()
    clock.run()
    assert ended == []


def test_a_game_of_bots_is_played_without_threads():
    clock, told = LoneClock(), []
    limits = Limits()
    host = Host(clock, SlicedSearches(clock, limits), limits)
    before = {*threading.enumerate()}
    connection = host.connect(told.append)
    bots = [{"kind": "bot", "strength": "gentle"}] * 2
    watch = {"id": 1, "action": "watch", "game": "connect_four", "seats": bots, "speed": 0}
    host.receive(connection, json.dumps(watch))
    answer = told[-1]
    assert answer["ok"], answer
    join = {"id": 2, "action": "join", "room": answer["room"], "secret": answer["owner"]}
    host.receive(connection, json.dumps(join))
    room = host.rooms.find(answer["room"])
    clock.run(until=lambda: room.table.over)
    assert {*threading.enumerate()} <= before
    assert len(room.table.moves) > 6


# ---- The engine ----------------------------------------------------------------------------------------------


def lone_engine() -> tuple[Engine, list[Answer]]:
    told: list[Answer] = []
    engine = Engine(told.append, workers=0)
    table = {"id": 0, "action": "new_table", "game": "connect_four", "table": "t", "seed": 1}
    engine.receive(json.dumps(table).encode())
    return engine, told


def test_an_engine_without_threads_answers_step_by_step():
    engine, told = lone_engine()
    for number in (1, 2):
        query = {"id": number, "action": "choose", "table": "t", "player": "mcts:iterations=20", "seed": 1}
        engine.receive(json.dumps(query).encode())
    assert [answer.id for answer in told] == [0]
    while engine.step():
        pass
    assert [answer.id for answer in told] == [0, 1, 2]
    assert not engine.step()


def test_an_engine_without_threads_terminates_between_two_steps():
    engine, told = lone_engine()
    query = {"id": 1, "action": "analyse", "table": "t", "player": "mcts", "limit": {"time": LONG}}
    for number in (1, 2):
        engine.receive(json.dumps(query | {"id": number}).encode())
    assert engine.step()
    engine.receive(json.dumps({"id": 3, "action": "terminate", "query": None}).encode())
    while engine.step():
        pass
    assert [answer.id for answer in told] == [0, 3, 1, 2]
    assert all(answer.ok for answer in told)
    engine.close()
