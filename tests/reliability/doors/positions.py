"""Positions from outside: JSON, scenes, bytes, arrays, pickles."""

import functools
import json
import pickle

import msgspec

import aiplay
from aiplay._core.game import State, _restore_state, _restore_view
from reliability.doors import Door
from reliability.mutate import MORE_STRANGE, mutated_bytes, mutated_data, mutated_json, other_values

OPTIONS = {
    "illusio": [{"players": n, "turn_cap": 8} for n in (2, 3, 6)],
    "levitation": [{"players": n} for n in (2, 5)],
    "magic_rabbit": [{"players": n} for n in (1, 2, 4)],
    "pig": [{"players": n, "target": 30} for n in (2, 6)],
    "three_magicians": [{"players": n, "turn_cap": 20} for n in (2, 3)],
}
EACH = 12  # positions of each game
CHECKED_MOVES = 4  # moves of an accepted position with all checks; the rest of the game is played out


@functools.cache
def games():
    """Return every game that comes with aiplay, with several numbers of seats."""
    return [
        aiplay.load_game(name, **options)
        for name in aiplay.game_names()
        for options in OPTIONS.get(name, [{}])
    ]


@functools.cache
def real_states():
    """Return positions of every game, from its first to its last move."""
    return [state for game in games() for state in _some_states(game)]


def _some_states(game):
    stream, found = aiplay.RandomStream(len(game.name)), []
    while len(found) < EACH:
        state = game.new_state()
        course = [state.copy()]
        while not state.is_over:
            state.play(stream.choice(state.legal_moves()))
            course.append(state.copy())
        found += [stream.choice(course) for _ in range(3)]
    return found


def use_state(state):
    """Use an accepted state in every way."""
    game, stream = state.game, aiplay.RandomStream(1)
    assert game.state_from_json(state.to_json()) == state
    assert str(state)
    for _ in range(CHECKED_MOVES):
        if state.is_over:
            break
        state.scene()
        assert all(0 <= value <= 1 for value in state.evaluate())
        for seat in range(game.seats):
            use_view(state.view(seat))
        state.play(stream.choice(state.legal_moves()))
    game.playouts([state], seed=1)


def use_view(view):
    """Use an accepted view in every way."""
    world = view.sample_world(1)
    assert world.view(view.seat) == view, "a world does not fit its view"
    assert view.game.view_from_json(view.to_json()) == view
    if view.legal_moves():
        aiplay.make_player("mcts:iterations=3", seed=1).choose(view)
        assert all(view.parse_move(view.move_text(move)) == move for move in view.legal_moves())


def use(position):
    """Use an accepted position, and play a world of a view."""
    if isinstance(position, State):
        use_state(position)
    else:
        use_view(position)
        use_state(position.sample_world(2))


class PositionDoor(Door):
    """Takes positions of every game, states and views in turn."""

    def real(self, stream):
        """Return a state, or a view of it."""
        state = stream.choice(real_states())
        return state if stream.below(2) else state.view(stream.below(state.game.seats))

    @staticmethod
    def values(game, stream):
        """Return a function for new values of fields: mostly those that the field can hold, so that `check` decides."""

        def value(path):
            known = next((game.FIELDS[key] for key in path if key in game.FIELDS), None)
            if known is None or stream.below(4) == 0:
                return stream.choice(MORE_STRANGE)
            return known.low + stream.bits() % (known.high - known.low + 1)

        return value


class Json(PositionDoor):
    name, about = "json", "`state_from_json`, `view_from_json`"

    def make(self, stream):
        position = self.real(stream)
        text = mutated_json(json.loads(position.to_json()), stream, self.values(position.game, stream))
        return position.game, isinstance(position, State), text

    def enter(self, given):
        game, is_state, text = given
        use(game.state_from_json(text) if is_state else game.view_from_json(text))


class Scenes(PositionDoor):
    name, about = "scenes", "`state_from_scene`, `view_from_scene`"

    def make(self, stream):
        position = self.real(stream)
        scene = json.loads(msgspec.json.encode(position.scene()))
        other = other_values(scene)
        scene = mutated_data(scene, stream, lambda path: other(stream))
        return position.game, getattr(position, "seat", None), scene

    def enter(self, given):
        game, seat, scene = given
        use(game.state_from_scene(scene) if seat is None else game.view_from_scene(scene, seat))


class Bytes(PositionDoor):
    name, about = "bytes", "`state_from_bytes`, `view_from_bytes`, `from_array`"

    def make(self, stream):
        position = self.real(stream)
        seat = getattr(position, "seat", None)
        is_array = seat is None and stream.below(2) == 1
        data = mutated_bytes(position.to_bytes(), stream, resize=not is_array)
        return position.game, seat, is_array, data

    def enter(self, given):
        import numpy as np

        game, seat, is_array, data = given
        if is_array:
            use(game.from_array(np.frombuffer(data, game.dtype))[0])
        else:
            use(game.state_from_bytes(data) if seat is None else game.view_from_bytes(data, seat))


class Fields(PositionDoor):
    name, about = "fields", "`state_from_fields`, `view_from_fields`"

    def make(self, stream):
        position = self.real(stream)
        fields = mutated_data(position.to_fields(), stream, self.values(position.game, stream))
        return position.game, getattr(position, "seat", None), fields

    def enter(self, given):
        game, seat, fields = given
        use(game.state_from_fields(fields) if seat is None else game.view_from_fields(fields, seat))


class _Unpickler(pickle.Unpickler):
    """Loads what a pickle of a position names, and nothing else: a mutated name must not run other code."""

    def find_class(self, module, name):
        if module.partition(".")[0] != "aiplay":
            raise pickle.UnpicklingError(f"{module}.{name}")
        return super().find_class(module, name)


class Pickles(PositionDoor):
    name, about = "pickles", "positions and games from `pickle`"
    # Of the module pickle itself, about a stream that is no pickle; its documentation allows all of these.
    allowed = (*Door.allowed, pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError)

    def make(self, stream):
        position = self.real(stream)
        _, (game, dumped, *seat) = position.__reduce__()
        if stream.below(4):
            return game, mutated_bytes(dumped, stream), *seat
        return (mutated_bytes(pickle.dumps(position), stream),)

    def enter(self, given):
        if len(given) > 1:
            use((_restore_state if len(given) == 2 else _restore_view)(*given))
            return
        import io

        try:
            loaded = _Unpickler(io.BytesIO(given[0])).load()
        except (ValueError, TypeError, KeyError, OverflowError, MemoryError, UnicodeError) as problem:
            if _is_of_pickle(problem):
                raise pickle.UnpicklingError(str(problem)) from None
            raise
        if isinstance(loaded, aiplay.State | aiplay.View):
            use(loaded)


def _is_of_pickle(problem):
    """Return True if no code of aiplay ran: the stream itself was no pickle, or it calls with other arguments."""
    if "positional argument" in str(problem):
        return True
    trace = problem.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "aiplay/" in name and "reliability" not in name:
            return False
        trace = trace.tb_next
    return True


DOORS = [Json, Scenes, Bytes, Fields, Pickles]
