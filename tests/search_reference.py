"""Plain expectimax in Python, the reference for the fast one, and games that are random graphs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import lru_cache

import aiplay
from aiplay.options import Option

CHANCE, TERMINAL = aiplay.CHANCE, aiplay.TERMINAL


def normalised(state: aiplay.State) -> list[float]:
    """The value of a leaf for every seat, 0 .. 1."""
    game = state.game
    if not state.is_over:
        return state.evaluate()
    return [(value - game.min_return) / (game.max_return - game.min_return) for value in state.returns()]


def after(state: aiplay.State, move: int) -> aiplay.State:
    child = state.copy()
    child.play(move)
    return child


def plain_vector(state: aiplay.State, depth: int) -> list[float]:
    """max^n: every seat for itself; the first of equally good moves."""
    seat = state.to_move
    if seat == TERMINAL or (seat >= 0 and depth == 0):
        return normalised(state)
    if seat == CHANCE:
        total = [0.0] * state.game.seats
        for move, p in state.chance_outcomes():
            values = plain_vector(after(state, move), depth)
            total = [sum_so_far + p * value for sum_so_far, value in zip(total, values, strict=True)]
        return total
    moves = state.legal_moves()
    below = depth - (len(moves) > 1)
    return max((plain_vector(after(state, move), below) for move in moves), key=lambda values: values[seat])


def plain_value(
    state: aiplay.State, depth: int, leaf: Callable[[list[float]], float], maximisers: frozenset[int]
) -> float:
    """One value, which some seats maximise and the others minimise."""
    seat = state.to_move
    if seat == TERMINAL or (seat >= 0 and depth == 0):
        return leaf(normalised(state))
    if seat == CHANCE:
        return sum(
            p * plain_value(after(state, move), depth, leaf, maximisers)
            for move, p in state.chance_outcomes()
        )
    moves = state.legal_moves()
    below = depth - (len(moves) > 1)
    best = max if seat in maximisers else min
    return best(plain_value(after(state, move), below, leaf, maximisers) for move in moves)


def lead_of(hero: int) -> Callable[[list[float]], float]:
    """The goal with two seats: 0.5 plus half the hero's lead."""
    return lambda values: 0.5 * (values[hero] + 1 - values[1 - hero])


def own_of(hero: int) -> Callable[[list[float]], float]:
    """The goal with more seats: the hero's own value."""
    return lambda values: values[hero]


def plain_root(state: aiplay.State, depth: int) -> dict[int, float]:
    """The value of every root move for the seat to move of a two-seat game."""
    hero = state.to_move
    return {
        move: plain_value(after(state, move), depth - 1, lead_of(hero), frozenset([hero]))
        for move in state.legal_moves()
    }


def random_positions(game: aiplay.Game, n: int, seed: int) -> Iterator[aiplay.State]:
    """Decisions with at least two moves, at random times of random games."""
    stream = aiplay.RandomStream(seed)
    while n > 0:
        state = game.new_state()
        wait = stream.below(30)
        while not state.is_over:
            if state.to_move == CHANCE:
                state.play_chance(stream)
                continue
            moves = state.legal_moves()
            if wait <= 0 and len(moves) > 1:
                yield state.copy()
                n -= 1
                break
            wait -= 1
            state.play(stream.choice(moves))


class RandomGraph(aiplay.PythonGame):
    """A game that is a random graph: layers of nodes with edges to the next layer, so that positions recur.

    A node is a decision of a random seat, a forced move, a chance node or an end. Every node has random values for
    the seats: its returns, or its evaluation. `kind`: "zero" (sum 1), "free", "team".
    """

    name = "random_graph"
    OPTIONS = (
        Option("seed", 0, "seed of the graph"),
        Option("players", 2, "seats", low=1, high=6),
        Option("kind", "zero", "relation between the values of the seats", choices=("zero", "free", "team")),
        Option("layers", 6, "length of the longest game", low=1, high=50),
        Option("chance", 0.4, "share of chance nodes", low=0, high=1),
        Option(
            "steps", 8, "values are multiples of 1 / steps: few values mean many ties", low=1, high=1_000_000
        ),
    )
    NODES = 6  # in a layer

    def configure(self) -> None:
        self.seats = self.options["players"]
        self.max_moves = 4
        self.max_depth = self.options["layers"] + 1
        self.cooperative = self.options["kind"] == "team"
        rng = random.Random(self.options["seed"])
        self.nodes = [self._random_node(rng, i // self.NODES) for i in range(self.NODES * (self.max_depth))]

    def _random_node(self, rng: random.Random, layer: int):
        seats, steps, kind = self.seats, self.options["steps"], self.options["kind"]
        values = [rng.randrange(steps + 1) / steps for _ in range(seats)]
        if kind == "zero":
            values = [values[0], 1 - values[0]]
        elif kind == "team":
            values = [values[0]] * seats
        children = [self.NODES * (layer + 1) + rng.randrange(self.NODES) for _ in range(rng.randrange(1, 5))]
        if layer == self.options["layers"] or (layer > 1 and rng.random() < 0.1):
            return TERMINAL, (), (), values
        if layer > 0 and rng.random() < self.options["chance"]:
            weights = [rng.random() + 0.01 for _ in children]
            return CHANCE, children, [weight / sum(weights) for weight in weights], values
        return rng.randrange(seats), children, (), values

    def setup(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.nodes[state][0]

    def legal_moves(self, state: int) -> range:
        return range(len(self.nodes[state][1]))

    def chance_outcomes(self, state: int) -> list[tuple[int, float]]:
        return list(enumerate(self.nodes[state][2]))

    def play(self, state: int, move: int) -> int:
        return self.nodes[state][1][move]

    def returns(self, state: int) -> list[float]:
        return self.nodes[state][3]

    def evaluate(self, state: int) -> list[float]:
        return self.nodes[state][3]

    # ---- The reference search on the graph itself ------------------------------------------------------------------

    def vector_at(self, node: int, depth: int) -> list[float]:
        """max^n."""

        @lru_cache(None)
        def search(node: int, depth: int) -> list[float]:
            seat, children, p, values = self.nodes[node]
            if seat == TERMINAL or (seat >= 0 and depth == 0):
                return values
            below = depth - (seat >= 0 and len(children) > 1)
            found = [search(child, below) for child in children]
            if seat == CHANCE:
                return [sum(w * v[k] for w, v in zip(p, found, strict=True)) for k in range(self.seats)]
            return max(found, key=lambda values: values[seat])

        return search(node, depth)

    def value_at(self, node: int, depth: int, leaf, maximisers: frozenset[int]) -> float:
        """One value, which some seats maximise and the others minimise."""

        @lru_cache(None)
        def search(node: int, depth: int) -> float:
            seat, children, p, values = self.nodes[node]
            if seat == TERMINAL or (seat >= 0 and depth == 0):
                return leaf(values)
            below = depth - (seat >= 0 and len(children) > 1)
            found = [search(child, below) for child in children]
            if seat == CHANCE:
                return sum(w * v for w, v in zip(p, found, strict=True))
            return max(found) if seat in maximisers else min(found)

        return search(node, depth)
