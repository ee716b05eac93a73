"""Messages: lines of the engine, and messages of the server's host. A case is a whole session, some of it mutated."""

import functools
import heapq
import itertools
import json
import re

import msgspec

from aiplay.engine import Engine
from aiplay.limit import Limit
from reliability.doors import Door
from reliability.doors.positions import real_states
from reliability.mutate import mutated_json, mutated_text

FOREIGN = re.compile(
    r"^\w*(Error|Exception|Interrupt|Iteration|Exit): "
)  # an answer with an error that is not ours
PATIENCE = 60  # seconds in which a search that is told to end has to end
GAMES = ("connect_four", "leduc_poker", "pig", "magic_rabbit", "three_magicians", "illusio", "levitation")
SPECS = (
    "random",
    "greedy:worlds=1,samples=2",
    "mcts:iterations=3",
    "expectimax:depth=1,worlds=1",
    "mixed:iterations=3",
)


def check_answers(sent, answers):
    """Check that every answer can be written, and tells of no error that is not ours."""
    for answer in answers:
        text = json.loads(msgspec.json.encode(answer)).get("error") or ""
        assert not FOREIGN.match(text), f"{text!r} in answer to {sent}"


def mutated_lines(messages, stream):
    """Return messages as JSON, at least one of them mutated."""
    lines = [json.dumps(message) for message in messages]
    for number in {stream.below(len(messages)) for _ in range(1 + stream.below(3))}:
        if stream.below(5) == 0:
            lines[number] = mutated_text(lines[number], stream)
        else:
            lines[number] = mutated_json(messages[number], stream)
    return lines


@functools.cache
def real_views():
    """Return views of seats that are to move, as clients send them."""
    return [
        json.loads(state.view(state.to_move).to_json())
        for state in real_states()
        if state.to_move >= 0 and state.game.name in GAMES
    ]


class EngineLines(Door):
    name, about = "engine", "sessions of `aiplay engine`: lines"

    def make(self, stream):
        position = {"table": "t"} if stream.below(2) else {"view": stream.choice(real_views())}
        player = {"player": stream.choice(SPECS), "seed": 1, **position}
        play = {
            "action": "play",
            "table": "t",
            "move": stream.choice([0, 3, "roll", "4", "check", {"verb": "roll"}]),
        }
        known = [
            play,
            {"action": "view", "table": "t", "seat": 0},
            {"action": "legal_moves", **position},
            {"action": "choose", **player},
            {"action": "choose", **player, "keep": "k", "limit": {"iterations": 3}},
            {"action": "analyse", **player, "limit": {"time": 0.001}, "every": 0.5},
            {"action": "hint", **player, "count": 2},
            {"action": "explain", **player, "move": 0},
            {"action": "events", "table": "t", "seat": 0, "since": 0},
            {"action": "undo", "table": "t"},
            {"action": "record", "table": "t"},
            {"action": "games", "game": stream.choice(GAMES), "rules": True, "catalogue": True},
            {"action": "forget", "keep": "k"},
            {"action": "close", "table": "t"},
        ]
        new = {"action": "new_table", "game": stream.choice(GAMES), "table": "t", "seed": 5, "options": {}}
        if stream.below(4) == 0:
            record = {"game": "pig", "options": {}, "seed": 1, "moves": [0, 2]}
            new = {"action": "new_table", "record": record, "table": "t"}
        session = [new, *(stream.choice(known) for _ in range(3))]
        return mutated_lines([{"id": number, **message} for number, message in enumerate(session)], stream)

    def enter(self, given):
        answers = []
        engine = Engine(answers.append, workers=1)
        try:
            for line in given:
                engine.receive(line.encode("utf-8", "surrogatepass"))
            if not engine.wait(
                0.1
            ):  # a mutated limit: long searches are allowed, but have to end when told to
                engine.receive(b'{"id": "end", "action": "terminate"}')
                assert engine.wait(PATIENCE), f"a search does not end: {given}"
        finally:
            engine.close(wait=False)
        assert len(answers) >= sum(bool(line.strip()) for line in given), "a line got no answer"
        check_answers(given, answers)


class TestClock:
    """A clock that jumps to the next call."""

    def __init__(self):
        self._time, self._calls, self._numbers = 0.0, [], itertools.count()

    def now(self):
        return self._time

    def call_later(self, seconds, call):
        entry = [self._time + seconds, next(self._numbers), call]
        heapq.heappush(self._calls, entry)
        return _Timer(entry)

    def post(self, call):
        self.call_later(0.0, call)

    def run(self, calls):
        """Make the next calls, at most so many."""
        for _ in range(calls):
            if not self._calls:
                break
            self._time, _, call = heapq.heappop(self._calls)
            call()


class _Timer:
    def __init__(self, entry):
        self._entry = entry

    def cancel(self):
        self._entry[2] = lambda: None


class DirectSearches:
    """Runs searches at once, in the same thread, as briefly as possible."""

    waiting = 0

    def __init__(self, clock):
        self._clock = clock

    def start(self, search):
        self._clock.post(lambda: self._run(search))

    def _run(self, search):
        if search.before is not None:
            search.found = search.before()
        search.analysis = search.player.analyse(search.view, Limit(time=0.0))
        search.is_over = True
        search.done(search)

    def stop(self, search):
        search.is_stopped = True

    def close(self):
        pass


class HostMessages(Door):
    name, about = "host", "sessions of `aiplay serve`: messages of its host"

    def make(self, stream):
        game = stream.choice(GAMES[:4])
        bot = {"kind": "bot", "strength": "gentle"}
        record = {"game": "pig", "options": {}, "seed": 1, "moves": [0, 2]}
        openings = [
            {
                "action": "open_room",
                "game": game,
                "seats": [{"kind": "human", "name": "Ann"}, bot],
                "seed": 3,
            },
            {
                "action": "open_room",
                "record": record,
                "seats": [{"kind": "human"}, {"kind": "human"}],
                "tutor": 0.1,
            },
            {
                "action": "watch",
                "game": game,
                "seats": [bot, {"kind": "bot", "player": "random"}],
                "speed": 0,
            },
            {"action": "replay", "record": record},
        ]
        room = {"room": "ROOM"}
        known = [
            {"action": "move", **room, "seat": 0, "move": stream.choice([0, 3, "roll", "4"]), "ply": 0},
            {"action": "undo", **room, "seat": 0},
            {"action": "hint", **room, "seat": 0, "count": 2},
            {"action": "think", **room, "seat": 0, "time": 0.01},
            {"action": "stop_thinking", **room},
            {"action": "now", **room},
            {"action": "speed", **room, "seconds": 1.0},
            {"action": "step", **room, "count": 1},
            {"action": "seek", **room, "ply": 1, "seat": 0},
            {"action": "save", **room, "secret": "SECRET"},
            {"action": "leave", **room, "seat": 0},
            {"action": "game", "game": game, "options": {}},
            {"action": "join", **room, "secret": "SECRET", "since": 0},
        ]
        session = [stream.choice(openings), {"action": "join", **room, "secret": "SECRET"}]
        session += [stream.choice(known) for _ in range(4)]
        return mutated_lines([{"id": number, **message} for number, message in enumerate(session)], stream)

    def enter(self, given):
        from aiplay.serve.host import Host
        from aiplay.serve.limits import Limits

        clock, answers = TestClock(), []
        host = Host(clock, DirectSearches(clock), Limits(burst=10**6))
        connection = host.connect(answers.append)
        room, secret = "ROOM", "SECRET"
        for line in given:
            line = line.replace("ROOM", room).replace("SECRET", secret)
            host.receive(connection, line.encode("utf-8", "surrogatepass"))
            clock.run(20)
            for answer in answers:
                room = answer.get("room", room) if isinstance(answer.get("room"), str) else room
                secret = _secret_in(answer) or secret
        host.disconnect(connection)
        host.close("the end")
        check_answers(given, answers)


def _secret_in(answer):
    """Return the secret of the first seat in the answer to `open_room`."""
    seats = answer.get("seats")
    found = (
        [seat.get("secret") for seat in seats if isinstance(seat, dict)] if isinstance(seats, list) else []
    )
    return next((secret for secret in found if secret), None) or answer.get("secret")


DOORS = [EngineLines, HostMessages]
