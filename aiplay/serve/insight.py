"""Insight beyond values of moves: beliefs about hidden things, and the worth of every outcome of chance.

Everything is made from a view, so it tells nothing that its seat could not know.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from aiplay._core.game import State, View
from aiplay._core.stream import RandomStream
from aiplay._core.typedefs import CHANCE
from aiplay.limit import Limit
from aiplay.players.base import Player
from aiplay.story import noticed

__all__ = ["beliefs", "final_odds", "outcomes"]

WORLDS = 60  # sampled for beliefs
MOST_THINGS = 12  # of a place that are shown
MOST_BELIEFS = 120  # of all places
OUTCOME_WORLDS = 4  # sampled for outcomes, if something is hidden
MOST_OUTCOMES = 60  # different ones that are shown
ITERATIONS = 8000  # to find the values of all outcomes


# ---- Beliefs -----------------------------------------------------------------------------------------------


def beliefs(view: View, worlds: int = WORLDS) -> list[dict[str, Any]]:
    """Return what may be hidden where, with the share of sampled worlds in which it is so; best known places first."""
    if not view.game.has_hidden:
        return []
    known = msgspec.to_builtins(view.scene())
    scenes = [msgspec.to_builtins(view.sample_world(seed, believed=True).scene()) for seed in range(worlds)]
    found = []
    for place, counts in _hidden(known, scenes, ""):
        for thing, count in counts.most_common(MOST_THINGS):
            share = round(count / worlds, 4)
            found.append({"what": f"{place}: {thing}", "place": place, "thing": thing, "share": share})
    return found[:MOST_BELIEFS]


def _hidden(known: Any, scenes: list[Any], place: str) -> Iterator[tuple[str, Counter[str]]]:
    """Yield every place where the view has a blank, and how many worlds have a thing there."""
    if isinstance(known, dict):
        for name, value in known.items():
            inside = [scene[name] for scene in scenes if isinstance(scene, dict) and name in scene]
            if len(inside) == len(scenes):
                yield from _hidden(value, inside, _place(place, name))
    elif isinstance(known, list):
        inside = [scene for scene in scenes if isinstance(scene, list) and len(scene) == len(known)]
        if len(inside) == len(scenes):
            yield from _hidden_in_list(known, inside, place)
    elif known is None and (there := [scene for scene in scenes if scene is not None and scene != []]):
        yield place, Counter(map(_called, there))


def _hidden_in_list(
    known: list[Any], scenes: list[list[Any]], place: str
) -> Iterator[tuple[str, Counter[str]]]:
    """Yield the blanks of a list together: the order of cards in a hand means nothing."""
    blank = [index for index, value in enumerate(known) if value is None]
    counts: Counter[str] = Counter()
    for scene in scenes:
        counts.update({_called(scene[index]) for index in blank if scene[index] is not None})
    if counts:
        yield place, counts
    for index, value in enumerate(known):
        if isinstance(value, dict | list):
            yield from _hidden(value, [scene[index] for scene in scenes], _item(place, index, value))


def _place(place: str, name: str) -> str:
    words = name.replace("_", " ")
    return f"{place}'s {words}" if place else words


def _item(place: str, index: int, value: Any) -> str:
    """Return the name of one thing of a list: "seat 1", "pile B"."""
    name = value.get("name", index) if isinstance(value, dict) else index
    return f"{place.removesuffix('s')} {name}"


def _called(thing: Any) -> str:
    if isinstance(thing, dict):
        return str(thing.get("name") or thing.get("kind") or ", ".join(f"{k} {v}" for k, v in thing.items()))
    return ", ".join(map(_called, thing)) if isinstance(thing, list) else str(thing)


# ---- Outcomes ----------------------------------------------------------------------------------------------


def outcomes(view: View, move: int, player: Player, seconds: float) -> list[dict[str, Any]]:
    """Return the outcomes of chance right after a move: probability, and value for the seat; most likely first.

    If something is hidden, they are averages over sampled worlds, and outcomes that look the same to the seat are one.
    """
    worlds = OUTCOME_WORLDS if view.game.has_hidden else 1
    texts: dict[int, str] = {}  # by what the seat perceives
    found: dict[str, list[float]] = {}  # probability, and value times probability
    for seed in range(worlds):
        world = view.sample_world(seed, believed=True)
        world.play(move)
        chances = sorted(world.chance_outcomes(), key=lambda one: -one[1])[:MOST_OUTCOMES]
        iterations = max(1, ITERATIONS // (worlds * max(1, len(chances))))
        for outcome, probability in chances:
            key = world.perceive(outcome, view.seat)
            if key not in texts:
                texts[key] = noticed(world, outcome, view.seat).text
            value = _value_after(world, outcome, view.seat, player, Limit(seconds, iterations))
            entry = found.setdefault(texts[key], [0.0, 0.0])
            entry[0] += probability / worlds
            entry[1] += value * probability / worlds
    ranked = sorted(found.items(), key=lambda item: -item[1][0])
    return [
        {"text": text, "probability": round(p, 4), "value": round(total / p, 4)}
        for text, (p, total) in ranked
        if p > 0
    ]


def final_odds(state: State) -> list[float]:
    """Return the value for every seat at the end of a game, as odds have it: 0 (worst return) .. 1 (best return)."""
    low, spread = state.game.min_return, state.game.max_return - state.game.min_return
    return [(value - low) / spread if spread else 0.5 for value in state.returns()]


def _value_after(world: State, outcome: int, seat: int, player: Player, limit: Limit) -> float:
    """Return the value for a seat after an outcome, by a short search."""
    after = world.copy()
    after.play(outcome)
    stream = RandomStream(0)
    while after.to_move == CHANCE:
        after.play_chance(stream)
    if after.is_over:
        return final_odds(after)[seat]
    odds = player.analyse(after.view(after.to_move), limit).odds
    value: float = odds[seat]
    return value if math.isfinite(value) else 0.5
