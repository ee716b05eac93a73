"""Short texts and values that a caller gives: moves, options, specifications, limits, records, tokens."""

import json

import msgspec

import aiplay
from aiplay.decision import read_decision, search_again
from aiplay.testing.damage import damaged_document
from aiplay.token import PREFIX, _packed, _unpacked
from reliability.doors import Door
from reliability.doors.positions import games, real_states, use_state
from reliability.mutate import MORE_STRANGE, mutated_data, mutated_json, mutated_text

TOKEN_SPECS = ["mcts:iterations=5", "greedy:worlds=2,samples=3", "expectimax:depth=1,worlds=2"]
SMALL = 64  # a player is tried if its numbers are not larger
SPECS = [
    "random",
    "greedy:worlds=2,samples=3",
    "mcts:iterations=5",
    "mcts:iterations=9,mode=several,reuse=no",
    "mcts:iterations=8,mode=pimc,worlds=2,solver=no",
    "mcts:iterations=8,trees=2,threads=2,memory=16",
    "mcts:iterations=6,exploration=0.5,prior=none,cutoff=-1",
    "expectimax:depth=1,worlds=2",
    "expectimax:nodes=50,depth=2,pruning=star1,cache=1,threads=2",
    "mixed:iterations=4",
    "human",
]


class Moves(Door):
    name, about = "moves", "`play`, `parse_move`, `find_move`, `move_text`"
    allowed = (*Door.allowed, TypeError)  # documented for a move that is neither a number nor a text

    def make(self, stream):
        state = stream.choice(real_states())
        kind, real = stream.below(4), state.legal_moves() or [0]
        move = stream.choice(real)
        if state.is_over:
            return state, kind, stream.choice(MORE_STRANGE)
        if kind == 0:
            return state, kind, mutated_text(state.move_text(move), stream)
        if kind == 1:
            return state, kind, mutated_data(dict(state.move_parts(move)), stream)
        return (
            state,
            kind,
            stream.choice([*MORE_STRANGE, move + 1, move - 1, stream.below(2**31), -stream.bits()]),
        )

    def enter(self, given):
        state, kind, move = given
        state = state.copy()
        if kind == 0:
            state.play(state.parse_move(move))
        elif kind == 1:
            state.play(state.find_move(move))
        elif kind == 2:
            state.move_text(move)
        else:
            state.play(move)
        use_state(state)


class Options(Door):
    name, about = "options", "options of games: `load_game`"

    def make(self, stream):
        game = stream.choice(games())
        name = mutated_text(game.name, stream) if stream.below(10) == 0 else game.name
        options = mutated_data({key: value for key, value in game.options.items() if key != "data"}, stream)
        if not isinstance(options, dict):
            options = {"players": options}
        for option in game.OPTIONS:
            if option.type is int and stream.below(4) == 0:
                options[option.name] = int(
                    stream.choice([option.low, option.low - 1, option.high, option.high + 1])
                )
        return name, options

    def enter(self, given):
        name, options = given
        game = aiplay.load_game(name, **options)
        state = game.new_state()
        assert game.state_from_json(state.to_json()) == state
        if game.max_depth < 10_000:
            use_state(state)


class Specs(Door):
    name, about = "specs", "specifications of players: `make_player`"

    def make(self, stream):
        state = stream.choice([state for state in real_states() if state.to_move >= 0])
        return mutated_text(stream.choice(SPECS), stream), state.view(state.to_move)

    def enter(self, given):
        spec, view = given
        player = aiplay.make_player(spec, seed=1)
        assert aiplay.make_player(player.spec, seed=1).options == player.options
        if player.name != "human" and self._is_small(player):
            assert player.choose(view) in view.legal_moves()

    @staticmethod
    def _is_small(player):
        """True if all numbers are small and something other than time ends the search."""
        numbers = [value for value in player.options.values() if type(value) in (int, float)]
        limited = [player.options.get(name) for name in ("iterations", "nodes", "depth")]
        depth = player.options.get("depth") or 1
        searches = "time" in player.options
        return depth <= 2 and max(numbers, default=0) <= SMALL and (not searches or any(limited))


class Limits(Door):
    name, about = "limits", "`Limit`, and seeds"
    allowed = (
        *Door.allowed,
        TypeError,
        ValueError,
    )  # documented: seeds are checked with ValueError and TypeError

    def make(self, stream):
        keys = ["time", "iterations", "nodes", "depth"]
        return {stream.choice(keys): stream.choice(MORE_STRANGE) for _ in range(2)}, stream.choice(
            MORE_STRANGE
        )

    def enter(self, given):
        limits, seed = given
        aiplay.Limit(**limits)
        table = aiplay.Table(aiplay.load_game("pig"), seed=seed)
        assert aiplay.replay(table.record).moves == table.moves


class Records(Door):
    name, about = "records", "`Record.from_json`, `replay`"

    def __init__(self):
        self._records = [self._record(game, number) for number, game in enumerate(games())]

    @staticmethod
    def _record(game, seed):
        table, stream = aiplay.Table(game, seed=seed), aiplay.RandomStream(seed)
        while not table.over and len(table.moves) < 60:
            table.play(stream.choice(table.legal_moves()))
        return json.loads(table.record.to_json())

    def make(self, stream):
        record = dict(stream.choice(self._records))
        record["moves"] = record["moves"][: stream.below(len(record["moves"]) + 1)]
        if stream.below(2):
            record["players"] = ["random", "mcts:time=1"]
        return mutated_json(record, stream)

    def enter(self, given):
        table = aiplay.replay(given)
        table.deal()
        if len(table.moves) < 200:
            assert aiplay.replay(table.record).moves == table.moves
            table.events(0)


class Tokens(Door):
    name, about = "tokens", "tokens of decisions: `read_decision`, `explain`"

    def __init__(self):
        self._tokens = [
            _token(state, spec) for state in real_states() for spec in TOKEN_SPECS if state.to_move >= 0
        ]
        self._tokens = [token for token in self._tokens if token]

    def make(self, stream):
        token = stream.choice(self._tokens)
        if stream.below(4) == 0:
            return mutated_text(token, stream)
        content = msgspec.msgpack.decode(_unpacked(token.removeprefix(PREFIX)))
        values = [*(value for value in MORE_STRANGE if _fits_msgpack(value)), b"", b"\0" * 40]
        mutated = damaged_document(content, stream, lambda path: stream.choice(values))
        return _packed(msgspec.msgpack.encode(mutated))  # with the right checksum

    def enter(self, given):
        decision = read_decision(given)
        player = aiplay.make_player(decision.player)
        counts = [count for step in decision.steps if step.effort is not None for count in step.effort.counts]
        most = (
            2 if player.name == "expectimax" else SMALL
        )  # depth or iterations: a token may ask for long searches
        if Specs._is_small(player) and max(counts, default=0) <= most:
            search_again(decision)


def _token(state, spec):
    player = aiplay.make_player(spec, seed=1)
    return player.analyse(state.view(state.to_move)).token


def _fits_msgpack(value):
    return not isinstance(value, int) or abs(value) < 2**63


DOORS = [Moves, Options, Specs, Limits, Records, Tokens]
