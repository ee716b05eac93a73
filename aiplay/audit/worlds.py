"""Worlds: what a sampler deals is as likely as enumeration says."""

from __future__ import annotations

from statistics import median
from typing import NamedTuple

from aiplay._core.game import Game, View
from aiplay._core.stream import RandomStream, seed_below
from aiplay.audit.enumeration import Belief, TooManyWorldsError, belief_after
from aiplay.audit.power import chi_square_tail, least_lean
from aiplay.audit.result import Breach, Part
from aiplay.table import Table

__all__ = ["check_worlds"]

ERROR_RATE = 1e-6  # of the whole part
SAMPLES = 2000  # worlds for each position, more if many are possible
PER_WORLD = 10  # samples for each world that is possible
EXPECTED = 5  # worlds that are expected less often are counted together, as a chi-square test needs
POSITIONS = 40  # at most
BUDGET = 20_000  # samples for each game of the audit, in all
MOST = 60_000  # worlds of a position


class Position(NamedTuple):
    """A view whose worlds were enumerated."""

    view: View
    belief: Belief
    truth: float  # the probability of the true world
    place: str  # for messages


class Test(NamedTuple):
    """The result at one position."""

    samples: int
    tail: float  # the probability of a value as large as this one, or larger
    freedom: int
    stranger: str  # a world that no history leads to, or empty


def check_worlds(game: Game, games: int, seed: int) -> Part:
    """Sample worlds at positions that are small enough, and compare their frequencies with the exact ones."""
    name = "frequencies of worlds"
    if not game.has_hidden:
        return Part(name, "not tried: nothing is hidden in this game")
    positions = _positions(game, games, seed)
    if not positions:
        return Part(
            name, "not tried: no position had so few worlds, all dealt by chance, that they can be enumerated"
        )
    error_rate, samples = ERROR_RATE / len(positions), 0
    breaches: list[Breach] = []
    leans = []
    for number, position in enumerate(positions):
        test = _test(position, seed_below(seed, number))
        samples += test.samples
        leans.append(least_lean(test.samples, test.freedom, position.truth, error_rate))
        if test.stranger or test.tail < error_rate:
            breaches.append(Breach("worlds", f"{position.place}: {_evidence(position, test)}"))
    tried = f"{samples:,} worlds at {len(positions)} positions, compared with the exact frequencies by chi-square tests"
    noticed = f"a sampler that deals the truth in {100 * median(leans):.2g} % more of the worlds (median of positions)"
    return Part(name, tried, samples, noticed, ERROR_RATE, tuple(breaches[:1]))


def _evidence(position: Position, test: Test) -> str:
    if test.stranger:
        return f"no history leads to the sampled world {test.stranger}"
    n_worlds = len(position.belief)
    return f"the frequencies of {n_worlds} worlds in {test.samples} samples have probability {test.tail:.1e}"


def _positions(game: Game, games: int, seed: int) -> list[Position]:
    """Return positions that are small enough; looking at one that is not takes its part of the budget, too."""
    found: list[Position] = []
    budget = BUDGET * games
    for number in range(10 * games):
        most = min(MOST, budget // PER_WORLD)
        if most < 2 or len(found) == min(games, POSITIONS):
            break
        position = _position(game, seed_below(seed, number), most)
        if position is not None:
            found.append(position)
        budget -= max(SAMPLES, most if position is None else PER_WORLD * len(position.belief))
    return found


def _position(game: Game, seed: int, most: int) -> Position | None:
    """Return a position of a random game with several worlds; None if it has one, or too many."""
    stream, table = RandomStream(seed_below(seed, 1)), Table(game, seed=seed)
    seat, last = stream.below(game.seats), stream.below(stream.choice((2, 8, 40)))
    while not table.over and last > 0:
        table.play(stream.choice(table.legal_moves()))
        last -= 1
    if table.over:
        return None
    try:
        belief = belief_after(game, table.moves, seat, most)
    except TooManyWorldsError:
        return None
    if len(belief) < 2:
        return None
    truth = belief[table.state.to_bytes()][1]
    return Position(
        table.view(seat), belief, truth, f"{len(table.moves)} moves of the table with seed {seed}"
    )


def _test(position: Position, seed: int) -> Test:
    samples = max(SAMPLES, PER_WORLD * len(position.belief))
    stream = RandomStream(seed)
    counts = dict.fromkeys(position.belief, 0)
    for _ in range(samples):
        world = position.view.sample_world(stream.bits())
        name = world.to_bytes()
        if name not in counts:
            return Test(samples, 0.0, len(counts) - 1, world.to_json())
        counts[name] += 1
    cells = _cells(position.belief, counts, samples)
    value = sum((count - expected) ** 2 / expected for count, expected in cells)
    freedom = max(1, len(cells) - 1)
    return Test(samples, chi_square_tail(value, freedom), freedom, "")


def _cells(belief: Belief, counts: dict[bytes, int], samples: int) -> list[tuple[float, float]]:
    """Return (count, expected) of every world; rare ones together."""
    cells, rare = list[tuple[float, float]](), (0.0, 0.0)
    for name, (_, p) in belief.items():
        cell = (float(counts[name]), samples * p)
        if cell[1] >= EXPECTED:
            cells.append(cell)
        else:
            rare = (rare[0] + cell[0], rare[1] + cell[1])
    return [*cells, rare] if rare[1] > 0 else cells
