"""Exact values of small positions, by plain enumeration.

The rules of the world are the game's own (`play`, `legal_moves`, `chance_outcomes`, `returns`, `perceive`, `view`).
No search and no evaluation of the library is used. All values are returns mapped to 0 (worst) .. 1 (best).

`open_values`         nothing is hidden: every seat maximises its own value (max^n), chance is averaged
`information_values`  one seat does not see everything: it decides once for all worlds that look the same to it
`equilibrium.py`      two seats that hide something from each other
"""

from __future__ import annotations

import json
import math
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import aiplay
from aiplay import CHANCE, TERMINAL

TOLERANCE = 1e-9  # values that are closer are equal
MOST_NODES = 3_000_000
OUT_OF_REACH = 10_000  # decisions: no game of pig is so long, but for a probability far below the tolerance

Key = Callable[[aiplay.State], bytes]


class NotExactError(Exception):
    """The position is too large, or has no value that does not depend on taste."""


# ---- Nothing hidden ------------------------------------------------------------------------------------------

Vector = tuple[float, ...]  # a value for every seat
Bounds = tuple[Vector, Vector]  # at least, at most


class Node(NamedTuple):
    """A position: who decides, and where the moves lead."""

    seat: int
    children: list[int]
    chances: list[float]  # of the children, if chance decides
    is_blind: bool = False  # the seat has a choice and does not see the whole state


class OpenGraph:
    """All positions that can follow some positions, each one once, with bounds of their values.

    The bounds begin with 0 and 1 and close in sweep by sweep: one sweep where no position can come again, some more
    where one can (a duel that starts over). With three or more seats a seat that is indifferent may decide who wins:
    then the bounds of the others stay apart.
    """

    def __init__(self, game: aiplay.Game, most: int = MOST_NODES) -> None:
        self.key = key_of(game)
        self.most = most
        is_duel = game.seats == 2 and not game.is_cooperative  # one seat gets what the other one loses
        self.back_up = back_up_duel if is_duel else back_up_seats
        self.unknown: Bounds = ((0.0,) * game.seats, (1.0,) * game.seats)
        self.number: dict[bytes, int] = {}
        self.nodes: list[Node] = []
        self.bounds: list[Bounds] = []

    def solve(self, root: aiplay.State) -> Bounds:
        """The bounds of a position."""
        key, first = self.key(root), len(self.nodes)
        if key not in self.number:
            self._expand(root)
            self._sweep(self._ordered(first))
            for node in self.nodes[first:]:
                self._check(node)
        return self.bounds[self.number[key]]

    def _expand(self, root: aiplay.State) -> None:
        """Add the position and all that can follow, the nearest first."""
        waiting = deque([root])
        self.number[self.key(root)] = len(self.number)
        while waiting:
            state = waiting.popleft()
            seat = state.to_move
            values = normalised(state) if seat == TERMINAL else None
            self.bounds.append(self.unknown if values is None else (values, values))
            outcomes = outcomes_of(state)
            children = []
            for move, _ in outcomes:
                child = after(state, move)
                key = self.key(child)
                if key not in self.number:
                    self.number[key] = len(self.number)
                    waiting.append(child)
                children.append(self.number[key])
            is_blind = seat >= 0 and len(children) > 1 and not sees_everything(state, seat)
            self.nodes.append(Node(seat, children, [p for _, p in outcomes], is_blind))
            if len(self.number) > self.most:
                raise NotExactError(f"more than {self.most} positions")

    def _ordered(self, first: int) -> list[int]:
        """The new positions, each one after those that can follow it, as far as there are no cycles."""
        order: list[int] = []
        met, stack = {first}, [(first, iter(self.nodes[first].children))]
        while stack:
            number, children = stack[-1]
            child = next((child for child in children if child >= first and child not in met), None)
            if child is None:
                order.append(number)
                stack.pop()
            else:
                met.add(child)
                stack.append((child, iter(self.nodes[child].children)))
        return [number for number in order if self.nodes[number].children]

    def _sweep(self, order: list[int]) -> None:
        """Back the bounds up until they close in no further."""
        nodes, bounds = self.nodes, self.bounds
        place = {number: i for i, number in enumerate(order)}
        children = ((i, child) for i, number in enumerate(order) for child in nodes[number].children)
        has_cycles = any(place.get(child, -1) >= i for i, child in children)
        change = 1.0
        while change > 1e-13:
            change = 0.0
            for number in order:
                node, old = nodes[number], bounds[number]
                bounds[number] = new = self.back_up(node, [bounds[child] for child in node.children])
                if has_cycles:
                    change = max(change, sum(new[0]) - sum(old[0]), sum(old[1]) - sum(new[1]))

    def _check(self, node: Node) -> None:
        """A seat that does not see everything may decide only what makes no difference."""
        if node.is_blind:
            first, *others = (self.bounds[child] for child in node.children)
            if any(not same(first, other) for other in others):
                raise NotExactError(f"seat {node.seat} has to decide without seeing everything")


def back_up_duel(node: Node, children: list[Bounds]) -> Bounds:
    """The bounds of a node with two seats, one of which gets what the other one loses."""
    lows, highs = [low[0] for low, _ in children], [high[0] for _, high in children]
    if node.seat == CHANCE:
        low, high = sumproduct(node.chances, lows), sumproduct(node.chances, highs)
    else:
        best = max if node.seat == 0 else min
        low, high = best(lows), best(highs)
    return (low, 1 - high), (high, 1 - low)


def back_up_seats(node: Node, children: list[Bounds]) -> Bounds:
    """The bounds of a node with any number of seats."""
    seats, mine = range(len(children[0][0])), node.seat
    if mine == CHANCE:
        low, high = (
            tuple(sumproduct(node.chances, [child[side][seat] for child in children]) for seat in seats)
            for side in (0, 1)
        )
        return low, high
    least, most = max(low[mine] for low, _ in children), max(high[mine] for _, high in children)
    chosen = [child for child in children if child[1][mine] >= least - 1e-12]  # each of them may be
    return (
        tuple(least if seat == mine else min(low[seat] for low, _ in chosen) for seat in seats),
        tuple(most if seat == mine else max(high[seat] for _, high in chosen) for seat in seats),
    )


def sumproduct(weights: list[float], values: list[float]) -> float:
    return math.fsum(weight * value for weight, value in zip(weights, values, strict=True))


def same(one: Bounds, other: Bounds) -> bool:
    pairs = zip((*one[0], *one[1]), (*other[0], *other[1]), strict=True)
    return all(abs(a - b) < TOLERANCE for a, b in pairs)


def outcomes_of(state: aiplay.State) -> list[tuple[int, float]]:
    """The moves that are possible; those of chance with their probabilities."""
    if state.to_move == CHANCE:
        return state.chance_outcomes()
    return [(move, 1.0) for move in state.legal_moves()]


def open_values(state: aiplay.State, most: int = MOST_NODES) -> dict[int, float]:
    """The exact value of every legal move, for the seat to move of a game in which nothing is hidden."""
    graph, seat = OpenGraph(state.game, most), state.to_move
    return {move: settled(graph.solve(after(state, move)), seat) for move in state.legal_moves()}


def settled(bounds: Bounds, seat: int) -> float:
    """The value of a seat, if its bounds have met."""
    low, high = bounds[0][seat], bounds[1][seat]
    if high - low > TOLERANCE:
        raise NotExactError(f"seat {seat} gets {low:.4f} to {high:.4f}: another seat is indifferent")
    return (low + high) / 2


def after(state: aiplay.State, move: int) -> aiplay.State:
    state = state.copy()
    state.play(move)
    return state


def normalised(state: aiplay.State) -> Vector:
    """The result of every seat, from 0 (worst) to 1 (best)."""
    low, high = state.game.min_return, state.game.max_return
    return tuple((value - low) / (high - low) for value in state.returns())


def sees_everything(state: aiplay.State, seat: int) -> bool:
    return not state.game.has_hidden or state.view(seat).to_bytes() == state.to_bytes()


# ---- Positions that are alike ----------------------------------------------------------------------------------


def key_of(game: aiplay.Game) -> Key:
    """The function that tells positions apart: by their bytes, or by those that matter."""
    special = {"levitation": _levitation_key, "pig": _pig_key}.get(game.name)
    return special(game) if special else lambda state: state.to_bytes()


def _pig_key(game: aiplay.Game) -> Key:
    """How many decisions were made does not matter as long as the horizon is out of reach."""
    dtype: Any = game.dtype
    kind, at = dtype.fields["n_decisions"][:2]
    size = kind.itemsize

    def key(state: aiplay.State) -> bytes:
        data = state.to_bytes()
        left = game.options["horizon"] - int.from_bytes(data[at : at + size], sys.byteorder)
        return data if left < OUT_OF_REACH else data[:at] + data[at + size :]

    return key


def _levitation_key(game: aiplay.Game) -> Key:
    """In the last action of the game it matters from which masters a colour can still be drafted, and how many of its
    dice are off the board; how many dice lie on a master does not. After the draft not even the masters matter.
    So the 759,375 throws of 20 dice are 16,807.
    """
    dtype: Any = game.dtype
    at = {name: dtype.fields[name][1] for name in ("dice", "round", "turn", "n_acted", "master")}
    dice, last = at["dice"], bytes((2, 3, game.seats - 1))

    def key(state: aiplay.State) -> bytes:
        data = state.to_bytes()
        if bytes((data[at["round"]], data[at["turn"]], data[at["n_acted"]])) != last:
            return data
        counts = data[dice : dice + 15]
        on_board = bytes(counts[colour] + counts[5 + colour] + counts[10 + colour] for colour in range(5))
        is_drafted = data[at["master"]] != 255
        lie = bytes(15) if is_drafted else bytes(min(count, 1) for count in counts)
        return data[:dice] + lie + data[dice + 15 :] + on_board

    return key


# ---- One seat does not see everything --------------------------------------------------------------------------

Belief = list[tuple[aiplay.State, float]]  # worlds that look the same to the seat, with weights


class InformationSet:
    """The best that one seat can do when it has to decide once for all worlds that look the same to it.

    The value is exact if all that the others have to decide is forced, makes no difference to anybody, or is decided
    by a seat that sees everything, and if the searching seat sees everything in whatever it decides after that. If
    that is not so, NotExactError is raised.
    """

    def __init__(self, game: aiplay.Game, seat: int) -> None:
        self.seat = seat
        self._open = OpenGraph(game)
        self._known: dict[frozenset[tuple[bytes, float]], float] = {}

    def move_values(self, belief: Belief) -> dict[int, float]:
        """The value of every legal move of the seat."""
        return {
            move: self._mean(
                [(after(world, move), p, world.perceive(move, self.seat)) for world, p in belief]
            )
            for move in belief[0][0].legal_moves()
        }

    def value(self, belief: Belief) -> float:
        """The expected value of some worlds that look the same."""
        total = math.fsum(p for _, p in belief)
        key = frozenset((world.to_bytes(), round(p / total, 12)) for world, p in belief)
        if key not in self._known:
            if len(self._known) > MOST_NODES:
                raise NotExactError(f"more than {MOST_NODES} beliefs")
            self._known[key] = self._value([(world, p / total) for world, p in belief])
        return self._known[key]

    def _value(self, belief: Belief) -> float:
        world = belief[0][0]
        seat = world.to_move
        if seat == TERMINAL:
            return math.fsum(p * normalised(world)[self.seat] for world, p in belief)
        if seat == self.seat:
            return max(self.move_values(belief).values())
        if seat == CHANCE:
            return self._mean(
                [
                    (after(world, move), p * q, world.perceive(move, self.seat))
                    for world, p in belief
                    for move, q in world.chance_outcomes()
                ]
            )
        if all(len(world.legal_moves()) == 1 for world, _ in belief):
            forced = [(world, p, world.legal_moves()[0]) for world, p in belief]
            return self._mean(
                [(after(world, move), p, world.perceive(move, self.seat)) for world, p, move in forced]
            )
        return math.fsum(p * settled(self._open.solve(world), self.seat) for world, p in belief)

    def _mean(self, following: Sequence[tuple[aiplay.State, float, int]]) -> float:
        """The mean over what the seat may notice of a move: only then does it know more."""
        noticed: dict[int, dict[bytes, tuple[aiplay.State, float]]] = {}
        for world, p, seen in following:
            worlds = noticed.setdefault(seen, {})
            key = world.to_bytes()
            worlds[key] = (world, p + worlds[key][1] if key in worlds else p)
        return math.fsum(
            math.fsum(p for _, p in worlds.values()) * self.value(list(worlds.values()))
            for worlds in noticed.values()
        )


def information_values(view: aiplay.View) -> dict[int, float]:
    """The exact value of every legal move of a view."""
    return InformationSet(view.game, view.seat).move_values(worlds_of(view))


# ---- The worlds that fit a view --------------------------------------------------------------------------------


def worlds_of(view: aiplay.View) -> Belief:
    """All worlds that fit a view, with their probabilities: hidden cards are dealt at random."""
    worlds = {"illusio": _illusio_worlds, "magic_rabbit": _magic_rabbit_worlds}[view.game.name](view)
    for world, _ in worlds:
        if world.view(view.seat) != view:
            raise NotExactError(f"a world does not fit the view: {world.to_json()}")
    return worlds


def _magic_rabbit_worlds(view: aiplay.View) -> Belief:
    """The rabbits that the seat does not know, in any order."""
    fields = plain_fields(view)
    rabbits = fields["rabbits"]
    hidden = [pile for pile in range(view.game.options["piles"]) if not rabbits[pile]]
    missing = sorted(set(range(1, view.game.options["piles"] + 1)) - set(rabbits))
    worlds = []
    for order in permutations(missing):
        for pile, rabbit in zip(hidden, order, strict=True):
            rabbits[pile] = rabbit
        worlds.append(state_of(view.game, fields))
    return [(world, 1 / len(worlds)) for world in worlds]


def _illusio_worlds(view: aiplay.View) -> Belief:
    """The cards that the seat has not seen, dealt to the hands in any way; the rest is the deck."""
    fields = plain_fields(view)
    hidden = len(view.game.labels["kind"])  # the number behind those of the kinds
    found: list[tuple[dict[str, Any], float]] = [(fields, 1.0)]
    for owner in range(view.game.seats):
        found = [world for start in found for world in _illusio_hands(*start, owner, hidden)]
    total = math.fsum(weight for _, weight in found)
    return [(state_of(view.game, world), weight / total) for world, weight in found]


def _illusio_hands(
    fields: dict[str, Any], weight: float, owner: int, hidden: int
) -> Iterator[tuple[dict[str, Any], float]]:
    """Every hand that a seat may have, weighted by the number of ways to deal it."""
    size, row, marks = fields["n_hand"][owner], fields["hands"][owner], fields["known"][owner]
    seen = [(card, -mark) for card, mark in zip(row[:size], marks[:size], strict=True) if card != hidden]
    for drawn, ways in _draws(fields["deck"], size - len(seen)):
        hand = sorted([*seen, *((kind, 0) for kind, n in enumerate(drawn) for _ in range(n))])
        world = {name: list(value) if isinstance(value, list) else value for name, value in fields.items()}
        world["hands"][owner] = [card for card, _ in hand] + row[size:]
        world["known"][owner] = [-mark for _, mark in hand] + marks[size:]
        world["deck"] = [n - k for n, k in zip(fields["deck"], drawn, strict=True)]
        yield world, weight * ways


def _draws(counts: list[int], n: int) -> Iterator[tuple[list[int], float]]:
    """Ways to draw n cards: how many of each kind, and in how many ways."""
    if not counts:
        if n == 0:
            yield [], 1.0
        return
    for k in range(min(n, counts[0]) + 1):
        for rest, ways in _draws(counts[1:], n - k):
            yield [k, *rest], ways * math.comb(counts[0], k)


# ---- States and their fields -----------------------------------------------------------------------------------


def plain_fields(position: aiplay.State | aiplay.View) -> dict[str, Any]:
    """The fields of a position as whole numbers and nested lists."""
    fields = position.fields
    return {name: fields[name].tolist() for name in fields.dtype.names}


def state_of(game: aiplay.Game, fields: dict[str, Any]) -> aiplay.State:
    """The state with these fields, checked by the game."""
    document = {"game": game.name, "options": dict(game.options), "state": fields}
    return game.state_from_json(json.dumps(document))
