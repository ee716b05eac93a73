"""Searches that pause: the same results as without pauses, and a host and an engine that need no threads."""

import gc
import json
import threading

import pytest
from search_reference import RandomGraph
from test_threads import view_of
from toys import Guess, LookOrGuess

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


# Decisions, Star2, sampled chance, max^n, worlds with a plan, a policy that plays on, lanes: everything that pauses.
EXPECTIMAX = [
    ("connect_four", "nodes=60000"),
    ("connect_four", "depth=5,cache=0,pruning=alphabeta"),
    ("connect_four", "nodes=30000,threads=3"),
    ("connect_four", "depth=5,opponents=maxn"),
    ("pig", "nodes=30000"),
    ("pig", "nodes=30000,width=3,cache=0"),
    ("pig", "nodes=20000,opponents=maxn,width=4"),
    ("illusio", "nodes=4000,worlds=16"),
    ("illusio", "nodes=4000,worlds=8,cutoff=0,width=2"),
    ("levitation", "nodes=8000,worlds=4"),
    ("magic_rabbit", "nodes=2000,worlds=4"),
    ("three_magicians", "nodes=6000"),
]


def paused(slices):
    """The result of a search, and how often it paused."""
    pauses = 0
    while True:
        try:
            next(slices)
            pauses += 1
        except StopIteration as end:
            return end.value, pauses


def facts(analysis):
    """Everything in an analysis except the time."""
    return (
        analysis.moves,
        analysis.line,
        analysis.odds,
        analysis.iterations,
        analysis.nodes,
        analysis.depth,
        analysis.token,
    )


@pytest.mark.parametrize(("name", "spec"), EXPECTIMAX)
def test_pauses_do_not_change_what_expectimax_finds(name, spec, monkeypatch):
    view = view_of(name)
    whole = aiplay.make_player(f"expectimax:{spec}", seed=5)
    expected = facts(whole.analyse(view)), whole.choose(view), whole.token
    monkeypatch.setattr("aiplay.players.expectimax.SLICE", 0.0)  # a pause whenever it looks at the clock
    player = aiplay.make_player(f"expectimax:{spec}", seed=5)
    analysis, pauses = paused(player.analyse_in_slices(view))
    move, more = paused(player.choose_in_slices(view))
    assert pauses + more > 10
    assert (facts(analysis), move, player.token) == expected


def test_a_pause_may_come_before_every_node(monkeypatch):
    monkeypatch.setattr("aiplay.players.expectimax.SLICE", 0.0)

    class Slow(RandomGraph):
        """So slow that the search looks at the clock at every node."""

        def to_move(self, state):
            threading.Event().wait(0.002)
            return super().to_move(state)

    for spec in ("depth=3,cutoff=0", "depth=3,cutoff=0,pruning=star1,width=2", "depth=3,opponents=maxn"):
        view = RandomGraph(seed=8).new_state().view(0)
        expected = facts(aiplay.make_player(f"expectimax:{spec}", seed=1).analyse(view))
        slow = aiplay.make_player(f"expectimax:{spec}", seed=1)
        analysis, pauses = paused(slow.analyse_in_slices(Slow(seed=8).new_state().view(0)))
        assert facts(analysis)[:-1] == expected[:-1]  # the tokens name different games
        assert pauses > analysis.nodes // 2


@pytest.mark.parametrize("spec", ["random", "greedy", "expectimax:depth=2", "mcts:iterations=50"])
def test_every_player_chooses_in_slices(spec):
    view = view_of("connect_four")
    found = finish(aiplay.make_player(spec, seed=5).choose_in_slices(view))
    assert found == aiplay.make_player(spec, seed=5).choose(view)


@pytest.mark.parametrize("game", ["connect_four", "levitation"])
@pytest.mark.parametrize("spec", ["mcts", "expectimax", "expectimax:opponents=maxn", "expectimax:threads=2"])
def test_a_search_that_pauses_can_be_stopped_between_two_slices(spec, game):
    player, view = aiplay.make_player(spec, seed=1), view_of(game)
    slices = player.analyse_in_slices(view, Limit(time=LONG))
    for _ in range(3):
        next(slices)
    player.stop()
    analysis = finish(slices)
    assert analysis.iterations > 0
    assert analysis.seconds < LONG
    assert analysis.best in view.legal_moves()
    if spec != "expectimax:threads=2":
        assert aiplay.explain(analysis.token).analysis.moves == analysis.moves


@pytest.mark.parametrize("spec", ["mcts:trees=2,threads=2", "expectimax:threads=2"])
def test_a_search_that_is_given_up_leaves_no_threads(spec):
    before = {*threading.enumerate()}
    player = aiplay.make_player(spec, seed=1)
    slices = player.analyse_in_slices(view_of("connect_four"), Limit(time=LONG))
    for _ in range(3):
        next(slices)
    slices.close()
    assert {*threading.enumerate()} <= before


def test_lanes_that_have_no_threads_find_the_same(monkeypatch):
    view, spec = view_of("connect_four"), "expectimax:nodes=200000,threads=3"
    expected = facts(aiplay.make_player(spec, seed=5).analyse(view))
    monkeypatch.setattr("aiplay._core.search.expectimax.core.HAS_THREADS", False)
    monkeypatch.setattr("aiplay.players.expectimax.SLICE", 0.001)
    before, player = {*threading.enumerate()}, aiplay.make_player(spec, seed=5)
    slices = player.analyse_in_slices(view)
    for _ in range(3):
        next(slices)
        assert {*threading.enumerate()} <= before
    assert facts(finish(slices)) == expected


class Node(int):
    """The state of a random graph, counted."""

    alive = 0

    def __new__(cls, value):
        cls.alive += 1
        return super().__new__(cls, value)

    def __del__(self):
        Node.alive -= 1


class Counted(RandomGraph):
    """A game without hidden information whose states are counted."""

    def setup(self):
        return Node(0)

    def play(self, state, move):
        return Node(super().play(state, move))


class Card(Guess):
    """The state of a game with a hidden card, counted."""

    def __new__(cls, *fields):
        Node.alive += 1
        return super().__new__(cls, *fields)

    def __del__(self):
        Node.alive -= 1


class CountedCards(LookOrGuess):
    """A game with hidden information whose states are counted."""

    def setup(self):
        return Card(*super().setup())

    def play(self, state, move):
        return Card(*super().play(state, move))

    def conceal(self, state, seat):
        return Card(*super().conceal(state, seat))

    def determinise(self, view, seat, stream):
        return Card(*super().determinise(view, seat, stream))


@pytest.mark.parametrize(
    "spec", ["depth=6", "depth=6,opponents=maxn", "depth=6,width=2", "depth=6,threads=2"]
)
@pytest.mark.parametrize("game", [Counted(seed=2), CountedCards()], ids=["open", "hidden"])
def test_a_search_that_is_given_up_frees_its_states(game, spec, monkeypatch):
    monkeypatch.setattr("aiplay.players.expectimax.SLICE", 0.0)
    table = aiplay.Table(game, seed=1)
    view = table.view(table.to_move)
    gc.collect()
    before = Node.alive
    for pauses in range(1, 30):
        slices = aiplay.make_player(f"expectimax:{spec}", seed=1).analyse_in_slices(view)
        for _ in range(pauses):
            if next(slices, "over") == "over":
                break
        slices.close()
        del slices
    gc.collect()
    assert Node.alive == before


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


@pytest.mark.parametrize("player", ["mcts", "expectimax"])
def test_an_engine_without_threads_terminates_between_two_steps(player):
    engine, told = lone_engine()
    query = {"id": 1, "action": "analyse", "table": "t", "player": player, "limit": {"time": LONG}}
    for number in (1, 2):
        engine.receive(json.dumps(query | {"id": number}).encode())
    assert engine.step()
    engine.receive(json.dumps({"id": 3, "action": "terminate", "query": None}).encode())
    while engine.step():
        pass
    assert [answer.id for answer in told] == [0, 3, 1, 2]
    assert all(answer.ok for answer in told)
    engine.close()
