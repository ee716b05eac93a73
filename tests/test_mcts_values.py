"""Values of mcts against exact ones: random trees, and endings of connect four by another solver."""

import math
from functools import cache

import pytest
import toys

import aiplay

# ---- Random trees ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_values_converge_to_the_exact_ones(seed):
    game = toys.RandomTree(seed=seed)
    view = game.new_state().view(0)
    exact = [toys.exact_values(branch)[0] for branch in game.TREE[1]]
    errors = {}
    for iterations in (200, 12_800):
        analysis = aiplay.make_player(f"mcts:iterations={iterations}", seed=seed).analyse(view)
        errors[iterations] = abs(analysis.odds[0] - max(exact))
    assert errors[12_800] < 0.03
    assert errors[12_800] < errors[200] + 0.005
    assert exact[analysis.best] > max(exact) - 0.02
    for move in analysis.moves:
        if move.proven:
            assert move.value == pytest.approx(exact[move.move], abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_trees_without_chance_are_solved(seed):
    game = toys.RandomTree(seed=seed, chance=False)
    exact = [toys.exact_values(branch)[0] for branch in game.TREE[1]]
    analysis = aiplay.make_player("mcts:iterations=20000", seed=1).analyse(game.new_state().view(0))
    assert exact[analysis.best] == max(exact)
    assert analysis.odds[0] == pytest.approx(max(exact), abs=1e-2)  # moves that are tried again count as well
    for move in analysis.moves:
        if move.proven:
            assert move.value == exact[move.move]
    if analysis.moves[0].proven:
        end = game.new_state()
        for text in analysis.line:
            end.play(text)
        assert end.returns()[0] == max(exact)


def test_the_standard_error_is_the_standard_error():
    """The value of the last roll is a mean of independent rolls: its error has to match the real deviations."""
    game = toys.BestOfThree()
    state = game.state_from_json(game.new_state().to_json().replace("[0,2,true]", "[1,1,false]"))
    deviations = []
    for seed in range(150):
        analysis = aiplay.make_player("mcts:iterations=60,fpu=0.5", seed=seed).analyse(state.view(0))
        roll = analysis.moves[0]
        assert roll.move == game.ROLL
        deviations.append((roll.value - 3.5 / 6) / roll.error)
    mean = sum(deviations) / len(deviations)
    spread = math.sqrt(sum((z - mean) ** 2 for z in deviations) / (len(deviations) - 1))
    assert abs(mean) < 4 / math.sqrt(150)
    assert 0.8 < spread < 1.25


# ---- Endings of connect four, solved here by plain search -----------------------------------------------------

ROWS = [
    tuple((column + i * dx, row + i * dy) for i in range(4))
    for column in range(7)
    for row in range(6)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    if column + 3 * dx < 7 and 0 <= row + 3 * dy < 6
]
MASKS = [sum(1 << (6 * column + row) for column, row in row_of_four) for row_of_four in ROWS]


def drop(taken: int, column: int) -> int:
    """The cell, as a bit, in which a stone in this column lands; 0 if the column is full."""
    for row in range(6):
        cell = 1 << (6 * column + row)
        if not taken & cell:
            return cell
    return 0


@cache
def solve(mine: int, theirs: int) -> int:
    """1 if the seat to move wins, 0 for a draw, -1 if it loses."""
    best = -2
    for column in range(7):
        cell = drop(mine | theirs, column)
        if cell:
            best = max(best, value_of(mine, theirs, cell))
        if best == 1:
            break
    return best if best > -2 else 0


def value_of(mine: int, theirs: int, cell: int) -> int:
    """The value of dropping a stone into this cell."""
    mine |= cell
    if any(mask & cell and mine & mask == mask for mask in MASKS):
        return 1
    return -solve(theirs, mine)


class Position:
    """A position of the library, and the same one for the solver above."""

    def __init__(self, columns: list[int]) -> None:
        self.state = aiplay.load_game("connect_four").new_state()
        stones = [0, 0]
        for ply, column in enumerate(columns):
            self.state.play(column)
            stones[ply % 2] |= drop(stones[0] | stones[1], column)
        self.mine, self.theirs = stones[len(columns) % 2], stones[1 - len(columns) % 2]
        self.view = None if self.state.is_over else self.state.view(len(columns) % 2)

    def values(self) -> dict[int, int]:
        return {
            column: value_of(self.mine, self.theirs, drop(self.mine | self.theirs, column))
            for column in self.state.legal_moves()
        }

    def wins(self, mine: int, theirs: int) -> set[int]:
        """The columns in which `mine` wins at once."""
        cells = {column: drop(mine | theirs, column) for column in range(7)}
        return {
            column
            for column, cell in cells.items()
            if cell and any(mask & cell and (mine | cell) & mask == mask for mask in MASKS)
        }


def random_positions(stones: int, count: int, seed: int) -> list[Position]:
    """Undecided positions with this number of stones, from random play."""
    stream, found = aiplay.RandomStream(seed), []
    while len(found) < count:
        state, columns = aiplay.load_game("connect_four").new_state(), []
        while len(columns) < stones and not state.is_over:
            columns.append(state.play(stream.choice(state.legal_moves())))
        if not state.is_over:
            found.append(Position(columns))
    return found


@pytest.mark.parametrize("stones", [30, 32, 35, 38])
def test_endings_are_proven_correctly(stones):
    for number, position in enumerate(random_positions(stones, 12, seed=stones)):
        exact = position.values()
        if len(exact) == 1:
            continue
        analysis = aiplay.make_player("mcts:iterations=200000", seed=number).analyse(position.view)
        best = max(exact.values())
        assert analysis.moves[0].proven
        assert exact[analysis.best] == best
        seat = position.view.seat
        assert analysis.odds[seat] == (best + 1) / 2
        assert analysis.odds[1 - seat] == 1 - (best + 1) / 2
        for move in analysis.moves:
            if move.proven:
                assert move.value == (exact[move.move] + 1) / 2


def test_choose_finds_the_best_move_of_an_ending():
    for number, position in enumerate(random_positions(31, 15, seed=8)):
        exact = position.values()
        move = aiplay.make_player("mcts:iterations=30000,trees=2", seed=number).choose(position.view)
        assert exact[move] == max(exact.values())


@pytest.mark.parametrize("prior", ["evaluate", "none"])
def test_it_takes_immediate_wins_and_blocks_them(prior):
    n_wins = n_blocks = 0
    for number, position in enumerate(random_positions(14, 60, seed=14)):
        wins = position.wins(position.mine, position.theirs)
        threats = position.wins(position.theirs, position.mine)
        if not wins and len(threats) != 1:
            continue
        player = aiplay.make_player(f"mcts:iterations=1000,prior={prior}", seed=number)
        analysis = player.analyse(position.view)
        if wins:
            n_wins += 1
            assert analysis.best in wins
            assert analysis.moves[0].proven
            assert analysis.moves[0].value == 1
        elif analysis.moves[0].value > 0:  # a block that does not help need not be made
            n_blocks += 1
            assert analysis.best in threats
    assert n_wins >= 10
    assert n_blocks >= 5


# ---- Exploration -------------------------------------------------------------------------------------------


def visits(game, options):
    table = aiplay.Table(game, seed=3)
    analysis = aiplay.make_player(f"mcts:iterations=3000{options}", seed=1).analyse(table.view(table.to_move))
    return {move.move: move.visits for move in analysis.moves}


def test_evaluations_that_differ_little_are_explored_less_widely():
    """Evaluations of Illusio deviate by about 0.1: explored like 0 and 1, all moves would look the same."""
    scaled, plain = (
        visits(aiplay.load_game("illusio"), f",value=game,scale={scale}") for scale in ("yes", "no")
    )
    assert max(scaled.values()) > 1.5 * max(plain.values())


def test_returns_are_explored_at_full_width():
    scaled, plain = (visits(aiplay.load_game("connect_four"), f",scale={scale}") for scale in ("yes", "no"))
    assert scaled == plain
