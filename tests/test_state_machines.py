"""Any order of calls of the public API: hypothesis looks for one that breaks a promise, and shortens it.

Each machine holds real objects and the simplest model of them: a list of moves is all that a state, a table and a
record are; a dictionary of rows is all that the file of a match is.
"""

import json
import pickle
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from toy_games import Bidding

import aiplay
from aiplay.errors import AiplayError, IllegalMoveError, StoreError
from aiplay.match import Duel, Store

GAMES = [
    ("connect_four", {}),
    ("leduc_poker", {}),
    ("pig", {"players": 3, "target": 20}),
    ("magic_rabbit", {"players": 2, "turns": 6}),
    ("three_magicians", {"players": 2, "turn_cap": 5}),
    ("illusio", {"players": 2, "turn_cap": 3}),
    ("levitation", {"players": 2}),
    ("bidding", {}),
]
SPECS = [
    "random",
    "greedy:worlds=2,samples=2",
    "mcts:iterations=6",
    "mcts:iterations=8,trees=2,threads=2,reuse=no",
]
SPECS += ["mcts:iterations=6,mode=several", "expectimax:depth=1,worlds=2", "mixed:iterations=2"]
NUMBERS = st.integers(0, 2**32 - 1)
QUICK = settings(
    max_examples=12,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def loaded(name, options):
    return Bidding() if name == "bidding" else aiplay.load_game(name, **options)


def replayed(game, moves):
    """The state after moves, made from the start."""
    state = game.new_state()
    for move in moves:
        state.play(move)
    return state


class PositionMachine(RuleBasedStateMachine):
    """States, copies, views, worlds, and every way out and back in."""

    @initialize(which=st.sampled_from(GAMES))
    def load(self, which):
        self.game = loaded(*which)
        self.state, self.moves = self.game.new_state(), []
        self.kept = [(self.state.copy(), [])]  # copies, each with its model

    @precondition(lambda self: not self.state.is_over)
    @rule(number=NUMBERS, by=st.sampled_from(["number", "text", "parts"]))
    def play(self, number, by):
        legal = self.state.legal_moves()
        move = legal[number % len(legal)]
        given = {"number": move, "text": self.state.move_text(move)}.get(by)
        given = self.state.find_move(self.state.move_parts(move)) if given is None else given
        assert self.state.play(given) == move
        self.moves.append(move)

    @rule(move=st.one_of(st.integers(-(2**70), 2**70), st.text(max_size=5)))
    def play_something(self, move):
        before = self.state.to_bytes()
        try:
            made = self.state.play(move)
        except IllegalMoveError:
            assert self.state.to_bytes() == before
        else:
            self.moves.append(made)

    @rule()
    def keep(self):
        self.kept = [*self.kept[-3:], (self.state.copy(), list(self.moves))]

    @rule(number=NUMBERS)
    def go_back(self, number):
        state, moves = self.kept[number % len(self.kept)]
        self.state, self.moves = state.copy(), list(moves)

    @rule(way=st.sampled_from(["json", "fields", "bytes", "pickle", "scene"]))
    def out_and_in(self, way):
        game, state = self.game, self.state
        if game.layout is None and way in ("bytes", "scene"):
            return
        ways = {
            "json": lambda: game.state_from_json(state.to_json()),
            "fields": lambda: game.state_from_fields(state.to_fields()),
            "bytes": lambda: game.state_from_bytes(state.to_bytes()),
            "pickle": lambda: pickle.loads(pickle.dumps(state)),
            "scene": lambda: game.state_from_scene(state.scene()),
        }
        again = ways[way]()
        assert again == state
        assert hash(again) == hash(state)
        self.state = again

    @precondition(lambda self: not self.state.is_over)
    @rule(seat=NUMBERS, seed=NUMBERS)
    def imagine(self, seat, seed):
        view = self.state.view(seat % self.game.seats)
        before, world = view.to_json(), view.sample_world(seed)
        assert view.to_json() == before
        assert world == view.sample_world(seed)
        assert world.view(view.seat) == view
        assert self.game.view_from_json(before) == view
        if not self.game.has_hidden:
            assert world == self.state

    @precondition(lambda self: self.state.to_move >= 0)
    @rule(spec=st.sampled_from(SPECS), seed=NUMBERS)
    def choose(self, spec, seed):
        view = self.state.view(self.state.to_move)
        before, player = self.state.to_bytes(), aiplay.make_player(spec, seed=seed)
        move = player.choose(view)
        assert move in self.state.legal_moves()
        assert self.state.to_bytes() == before
        assert aiplay.make_player(spec, seed=seed).choose(view) == move
        assert {found.move for found in player.analyse(view).moves} <= set(self.state.legal_moves())

    @invariant()
    def is_what_its_moves_make(self):
        if not hasattr(self, "state"):
            return
        assert self.state == replayed(self.game, self.moves)
        assert (
            self.state.is_over == (self.state.to_move == aiplay.TERMINAL) == (self.state.legal_moves() == [])
        )
        for state, moves in self.kept:
            assert state == replayed(self.game, moves)


class TableMachine(RuleBasedStateMachine):
    """A table with its record: every history of moves, undoing, saving and loading."""

    @initialize(which=st.sampled_from(GAMES), seed=NUMBERS)
    def sit_down(self, which, seed):
        self.game = loaded(*which)
        self.table = aiplay.Table(self.game, seed=seed)
        self.decisions = []  # the model: what the seats decided; the seed decides the rest

    @precondition(lambda self: not self.table.over)
    @rule(number=NUMBERS)
    def play(self, number):
        legal = self.table.legal_moves()
        self.decisions.append(self.table.play(legal[number % len(legal)]))

    @rule(move=st.one_of(st.integers(-5, 2000), st.text(max_size=4)))
    def play_something(self, move):
        before = self.table.moves
        try:
            self.decisions.append(self.table.play(move))
        except IllegalMoveError:
            assert self.table.moves == before

    @rule()
    def undo(self):
        if self.decisions:
            assert self.table.undo() == self.decisions.pop()
        else:
            with pytest.raises(IllegalMoveError):
                self.table.undo()

    @rule(ply=NUMBERS)
    def save_and_load(self, ply):
        record = self.table.record
        again = aiplay.replay(record.to_json(), game=self.game)
        again.deal()
        assert again.record == record
        part = aiplay.replay(record, ply % (len(record.moves) + 1), game=self.game)
        assert part.moves == record.moves[: len(part.moves)]
        self.table = again

    @precondition(lambda self: self.game.layout is not None)
    @rule(seat=NUMBERS, since=NUMBERS)
    def hear(self, seat, since):
        since %= len(self.table.moves) + 1
        events = self.table.events(seat % self.game.seats, since)
        assert events == self.table.events(seat % self.game.seats)[-len(events) :] or not events

    @invariant()
    def is_what_its_decisions_make(self):
        if not hasattr(self, "table"):
            return
        again = aiplay.Table(self.game, seed=self.table.seed)
        for move in self.decisions:
            again.play(move)
        assert again.moves == self.table.moves
        assert self.table.over == (self.table.to_move == aiplay.TERMINAL)
        if self.table.over:
            assert self.table.returns() == again.returns()


class StoreMachine(RuleBasedStateMachine):
    """The file of a match: opened, closed, filled and read in any order, by one run at a time."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "match.db"
        self.duel = Duel("pig", "random", "random", games=8, seed=3)
        self.duel.play()
        self.store, self.saved = None, {}  # the model: finished games by number

    @precondition(lambda self: self.store is None)
    @rule()
    def create(self):
        if self.saved:
            with pytest.raises(StoreError, match="saved there already"):
                Store.create(self.path, self.duel.description())
        else:
            self.store = Store.create(self.path, self.duel.description())

    @precondition(lambda self: self.store is None and self.path.exists())
    @rule()
    def resume(self):
        self.store = Store.resume(self.path)

    @precondition(lambda self: self.store is not None)
    @rule(numbers=st.lists(st.integers(0, 7), min_size=1, max_size=3, unique=True))
    def add(self, numbers):
        results = [result for result in self.duel.results if result.scheduled.number in numbers]
        if self.saved.keys() & set(numbers):
            with pytest.raises(StoreError, match="UNIQUE"):
                self.store.add(results, 1.0)
        else:
            self.store.add(results, 1.0)
            self.saved |= {result.scheduled.number: result.record for result in results}

    @precondition(lambda self: self.store is not None)
    @rule()
    def close(self):
        self.store.close()
        self.store = None

    @precondition(lambda self: self.store is None and self.path.exists())
    @rule()
    def read(self):
        with Store.read(self.path) as store:
            match = Duel.of(store)
        assert {result.scheduled.number: result.record for result in match.results} == self.saved

    def teardown(self):
        if self.store is not None:
            self.store.close()
        self.folder.cleanup()


class EngineMachine(RuleBasedStateMachine):
    """The engine, with a table of its own as the model of every table that it holds."""

    def __init__(self):
        super().__init__()
        from aiplay.engine import Engine

        self.answers, self.number = [], 0
        self.engine = Engine(self.answers.append, workers=1)
        self.tables = {}  # the model

    def ask(self, action, **fields):
        self.number += 1
        self.engine.receive(json.dumps({"id": self.number, "action": action, **fields}).encode())
        assert self.engine.wait(120)
        (answer,) = [answer for answer in self.answers if answer.id == self.number]
        self.answers.clear()
        return answer

    @rule(name=st.sampled_from("ab"), which=st.sampled_from(GAMES[:5]), seed=st.integers(0, 100))
    def open(self, name, which, seed):
        answer = self.ask("new_table", table=name, game=which[0], options=which[1], seed=seed)
        assert answer.ok == (name not in self.tables)
        if answer.ok:
            self.tables[name] = aiplay.Table(loaded(*which), seed=seed)

    @rule(name=st.sampled_from("ab"), move=st.integers(0, 8))
    def play(self, name, move):
        answer = self.ask("play", table=name, move=move)
        try:
            self.tables[name].play(move)
        except (KeyError, AiplayError):
            assert not answer.ok
        else:
            assert answer.ok
            assert answer.ply == len(self.tables[name].moves)

    @rule(name=st.sampled_from("ab"))
    def undo(self, name):
        answer = self.ask("undo", table=name)
        try:
            undone = self.tables[name].undo()
        except (KeyError, AiplayError):
            assert not answer.ok
        else:
            assert answer.undone == undone

    @rule(name=st.sampled_from("ab"), spec=st.sampled_from(SPECS[:3]))
    def choose(self, name, spec):
        answer = self.ask("choose", table=name, player=spec, seed=1)
        table = self.tables.get(name)
        if table is None or table.over:
            assert not answer.ok
        else:
            assert answer.move == aiplay.make_player(spec, seed=1).choose(table.view(table.to_move))

    @rule(name=st.sampled_from("ab"))
    def close(self, name):
        assert self.ask("close", table=name).ok == (self.tables.pop(name, None) is not None)

    @rule(name=st.sampled_from("ab"))
    def record(self, name):
        answer = self.ask("record", table=name)
        assert answer.ok == (name in self.tables)
        if answer.ok:
            assert tuple(answer.record.moves) == self.tables[name].moves

    def teardown(self):
        self.engine.close()


@pytest.mark.parametrize("machine", [PositionMachine, TableMachine, StoreMachine, EngineMachine])
def test_no_order_of_calls_breaks_a_promise(machine):
    run_state_machine_as_test(machine, settings=QUICK)
