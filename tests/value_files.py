"""Value files with random weights, and their values computed in another way, for tests."""

import base64
import math
import random
from array import array

from aiplay.features import choose_features, choose_paths
from aiplay.value import Value, bound_features, kept_text


def described(game, states=()):
    """Return what a network sees of a game: all values of all fields, or what occurs in some states as plain data."""
    if game.n_features:
        return {"kind": "function", "count": game.n_features}
    if game.layout is not None:
        ranges = {name: (field.low, min(field.high, field.low + 300)) for name, field in game.FIELDS.items()}
        rows = choose_features(game.layout, game.FIELDS, ranges)
        return {"kind": "fields", "fields": [list(row) for row in rows]}
    if hasattr(game, "features"):
        return {"kind": "function", "count": len(game.features(game.new_state().fields, 0))}
    return {"kind": "plain", "paths": choose_paths(state.to_fields() for state in states)}


def random_value(game, hidden=8, seed=1, states=(), share=1.0):
    """A value with random weights for a share of the inputs."""
    stream = random.Random(seed)
    features = described(game, states)
    size = bound_features(game, features).size
    kept = sorted(stream.sample(range(size), max(1, int(share * size))))
    features["kept"] = kept_text(size, kept)
    outputs = 1 if game.is_cooperative else game.seats
    layers = {
        "first": array("h", [stream.randrange(-400, 400) for _ in range(len(kept) * hidden)]),
        "first_bias": array("i", [stream.randrange(-(2**16), 2**18) for _ in range(hidden)]),
        "second": array("h", [stream.randrange(-2000, 2000) for _ in range(outputs * hidden)]),
        "second_bias": array("i", [stream.randrange(-(2**23), 2**23) for _ in range(outputs)]),
    }
    return Value.of_game(game, features, hidden, layers, {"method": "value"})


def expected_values(value, network, state):
    """The values by the formula of value.pxd, with whole numbers of Python, which never overflow."""
    pairs, first = network.active(state)
    bits = base64.b64decode(value.description["features"]["kept"])
    kept = [number for number in range(8 * len(bits)) if bits[number // 8] >> number % 8 & 1]
    hidden, layers = value.description["hidden"], value.layers
    sums = list(layers["first_bias"])
    for number, amount in pairs:
        if number in kept:
            row = kept.index(number)
            for unit in range(hidden):
                sums[unit] += amount * layers["first"][row * hidden + unit]
    units = [min(max(total, 0), 2**18) // 16 for total in sums]
    found = []
    for k, bias in enumerate(layers["second_bias"]):
        x = bias + sum(
            unit * weight
            for unit, weight in zip(units, layers["second"][k * hidden : (k + 1) * hidden], strict=True)
        )
        found.append(0.5 + 0.5 * (x / math.sqrt(x * x + 2**48)))
    seats = state.game.seats
    return found * seats if len(found) == 1 else [found[(seat - first) % seats] for seat in range(seats)]
