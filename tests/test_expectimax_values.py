"""Pruning, ordering and the cache never change a value: compared with plain expectimax on thousands of positions."""

from __future__ import annotations

import pytest
from search_reference import RandomGraph, after, lead_of, own_of, plain_root, plain_value, random_positions

import aiplay
from aiplay import Limit
from aiplay._core.stream import seed_below

VARIANTS = [
    "pruning=none,cache=0,ordering=no",
    "pruning=alphabeta,cache=0,ordering=no",
    "pruning=alphabeta,cache=1",
    "pruning=star1,cache=0,ordering=no",
    "pruning=star1,cache=1,ordering=yes",
    "pruning=star2,cache=0,ordering=no",
    "pruning=star2,cache=0,ordering=yes",
    "pruning=star2,cache=1,ordering=no",
    "pruning=star2,cache=1,ordering=yes",
]


def some_variants(turn: int) -> list[str]:
    """Three of the variants; turn by turn all of them."""
    return [VARIANTS[(turn + shift) % len(VARIANTS)] for shift in (0, 3, 6)]


def values_of(spec: str, state: aiplay.State, depth: int, seed: int = 1) -> dict[int, float]:
    player = aiplay.make_player(f"expectimax:width=0,{spec}", seed=seed)
    analysis = player.analyse(state.view(state.to_move), Limit(depth=depth))
    return {move.move: move.value for move in analysis.moves}


@pytest.mark.parametrize(("name", "depth", "n"), [("pig", 3, 60), ("connect_four", 3, 40)])
def test_plain_search_on_native_games(name: str, depth: int, n: int) -> None:
    """The unpruned search in C gives the same values as the plain one in Python; the tests below compare with it."""
    for state in random_positions(aiplay.load_game(name), n, seed=11):
        expected = plain_root(state, depth)
        for spec in (VARIANTS[0], VARIANTS[-1]):
            assert values_of(spec, state, depth) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "depth", "n"),
    [("pig", 4, 900), ("pig", 6, 20), ("connect_four", 4, 600), ("connect_four", 6, 15)],
)
def test_pruning_never_changes_a_value_on_native_games(name: str, depth: int, n: int) -> None:
    for turn, state in enumerate(random_positions(aiplay.load_game(name), n, seed=12)):
        expected = values_of(VARIANTS[0], state, depth)
        for spec in some_variants(turn):
            assert values_of(spec, state, depth) == pytest.approx(expected, abs=1e-12)


def test_worlds_of_a_hidden_game_are_searched_as_open_games_and_averaged() -> None:
    worlds = 5
    for turn, state in enumerate(random_positions(aiplay.load_game("leduc_poker"), 90, seed=13)):
        hero = state.to_move
        view = state.view(hero)
        base = aiplay.make_player("expectimax", seed=7).stream.bits()
        expected = dict.fromkeys(view.legal_moves(), 0.0)
        for index in range(worlds):
            world = view.sample_world(aiplay.RandomStream(seed_below(base, index)))
            for move in expected:
                value = plain_value(after(world, move), 9, lead_of(hero), frozenset([hero]))
                expected[move] += value / worlds
        for spec in some_variants(turn):
            found = values_of(f"worlds={worlds},{spec}", state, 10, seed=7)
            assert found == pytest.approx(expected, abs=1e-12)


def graph_roots(graph: RandomGraph) -> list[aiplay.State]:
    """The decisions with several moves in the first layers of a graph, as states."""
    roots = [
        node for node in range(3 * graph.NODES) if graph.nodes[node][0] >= 0 and len(graph.nodes[node][1]) > 1
    ]
    return [graph.state_from_bytes(str(node).encode()) for node in roots]


@pytest.mark.parametrize("steps", [2, 1000])
def test_pruning_never_changes_a_value_on_random_graphs(steps: int) -> None:
    n = 0
    for seed in range(40):
        graph = RandomGraph(seed=seed, steps=steps, chance=(0.2, 0.5, 0.7)[seed % 3])
        for state in graph_roots(graph):
            hero, node = state.to_move, state.fields
            for depth in (2, 3, 7):
                expected = {
                    move: graph.value_at(child, depth - 1, own_of(hero), frozenset([hero]))
                    for move, child in enumerate(graph.nodes[node][1])
                }
                for spec in some_variants(n):
                    assert values_of(spec, state, depth) == pytest.approx(expected, abs=1e-12)
                n += 1
    assert n > 1000


@pytest.mark.parametrize("cache", [0, 1])
def test_max_n_with_three_and_four_seats(cache: int) -> None:
    for seed in range(8):
        graph = RandomGraph(seed=seed, players=3 + seed % 2, kind="free", steps=1000)
        for state in graph_roots(graph):
            hero, node = state.to_move, state.fields
            for depth in (2, 7):
                vectors = [graph.vector_at(child, depth - 1) for child in graph.nodes[node][1]]
                player = aiplay.make_player(f"expectimax:width=0,cache={cache}", seed=1)
                analysis = player.analyse(state.view(hero), Limit(depth=depth))
                found = {move.move: move.value for move in analysis.moves}
                assert found == pytest.approx(
                    {i: vector[hero] for i, vector in enumerate(vectors)}, abs=1e-12
                )
                assert analysis.odds == pytest.approx(vectors[analysis.best], abs=1e-12)


@pytest.mark.parametrize("steps", [2, 1000])
def test_max_n_of_two_seats_counts_both_returns(steps: int) -> None:
    for seed in range(8):
        graph = RandomGraph(seed=seed, kind="free", steps=steps)
        for state in graph_roots(graph)[:6]:
            hero, node = state.to_move, state.fields
            expected = {i: graph.vector_at(child, 6)[hero] for i, child in enumerate(graph.nodes[node][1])}
            player = aiplay.make_player("expectimax:width=0,opponents=maxn,cache=1", seed=1)
            analysis = player.analyse(state.view(hero), Limit(depth=7))
            assert {move.move: move.value for move in analysis.moves} == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
def test_paranoid_search_sets_everybody_against_the_seat(variant: str) -> None:
    for seed in range(6):
        graph = RandomGraph(seed=seed, players=3, kind="free", steps=1000)
        for state in graph_roots(graph)[:6]:
            hero, node = state.to_move, state.fields
            expected = {
                i: graph.value_at(child, 6, own_of(hero), frozenset([hero]))
                for i, child in enumerate(graph.nodes[node][1])
            }
            found = values_of(f"opponents=paranoid,{variant}", state, 7)
            assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [1, 3])
def test_a_team_maximises_together(variant: str, players: int) -> None:
    for seed in range(6):
        graph = RandomGraph(seed=seed, players=players, kind="team", steps=1000)
        for state in graph_roots(graph)[:4]:
            expected = {
                i: graph.value_at(child, 6, own_of(0), frozenset(range(players)))
                for i, child in enumerate(graph.nodes[state.fields][1])
            }
            assert values_of(variant, state, 7) == pytest.approx(expected, abs=1e-12)


def test_two_seats_with_independent_returns_play_for_the_lead() -> None:
    for seed in range(8):
        graph = RandomGraph(seed=seed, kind="free", steps=1000)
        for turn, state in enumerate(graph_roots(graph)[:6]):
            hero, node = state.to_move, state.fields
            expected = {
                i: graph.value_at(child, 6, lead_of(hero), frozenset([hero]))
                for i, child in enumerate(graph.nodes[node][1])
            }
            for spec in some_variants(turn):
                assert values_of(spec, state, 7) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("variant", VARIANTS[1:])
def test_choosing_prunes_at_the_root_and_finds_a_move_of_the_same_value(variant: str) -> None:
    for seed in range(10):
        graph = RandomGraph(seed=seed, steps=(2, 1000)[seed % 2])
        for state in graph_roots(graph)[:8]:
            values = values_of(VARIANTS[0], state, 6)
            player = aiplay.make_player(f"expectimax:width=0,depth=6,{variant}", seed=seed)
            move = player.choose(state.view(state.to_move))
            assert values[move] == pytest.approx(max(values.values()), abs=1e-12)


# ---- Sampled chance --------------------------------------------------------------------------------------------------


def test_pruning_never_changes_a_sampled_value() -> None:
    """The seed fixes the sample of every chance node, whatever was pruned before."""
    for seed in range(10):
        graph = RandomGraph(seed=seed, chance=0.6, steps=1000)
        for state in graph_roots(graph)[:6]:
            found = []
            for spec in VARIANTS:
                player = aiplay.make_player(f"expectimax:{spec},width=2", seed=seed)
                analysis = player.analyse(state.view(state.to_move), Limit(depth=6))
                found.append({move.move: move.value for move in analysis.moves})
            for other in found[1:]:
                assert other == pytest.approx(found[0], abs=1e-12)


def test_samples_are_unbiased_if_no_decision_follows() -> None:
    graph = RandomGraph(seed=3, chance=1.0, layers=3, steps=1000)
    state = graph.new_state()
    expected = {
        i: graph.value_at(child, 0, own_of(state.to_move), frozenset())
        for i, child in enumerate(graph.nodes[0][1])
    }
    n = 3000
    means = dict.fromkeys(expected, 0.0)
    for seed in range(n):
        player = aiplay.make_player("expectimax:width=2", seed=seed)
        for move in player.analyse(state.view(state.to_move), Limit(depth=1)).moves:
            means[move.move] += move.value / n
    assert means == pytest.approx(expected, abs=4 * 0.5 / (2 * n) ** 0.5)


class Dice(aiplay.PythonGame):
    """Two moves with the same effect: roll five dice one after the other. The return is their sum, 0 to 5 each."""

    name = "dice"
    seats, max_moves, max_depth, max_return = 1, 6, 6, 25

    def setup(self) -> tuple[int, int]:  # dice rolled so far (-1: not begun), sum
        return (-1, 0)

    def to_move(self, state: tuple[int, int]) -> int:
        return 0 if state[0] < 0 else self.CHANCE if state[0] < 5 else self.TERMINAL

    def legal_moves(self, state: tuple[int, int]) -> range:
        return range(2)

    def chance_outcomes(self, state: tuple[int, int]) -> list[tuple[int, float]]:
        return [(face, 1 / 6) for face in range(6)]

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return (0, 0) if state[0] < 0 else (state[0] + 1, state[1] + move)

    def returns(self, state: tuple[int, int]) -> list[float]:
        return [state[1]]


@pytest.mark.parametrize("width", [1, 6, 10, 36, 100])
def test_the_width_bounds_all_chance_between_two_decisions_and_both_moves_have_the_same_luck(
    width: int,
) -> None:
    view = Dice().new_state().view(0)
    values = []
    for seed in range(200):
        analysis = aiplay.make_player(f"expectimax:width={width}", seed=seed).analyse(view, Limit(depth=1))
        assert analysis.iterations <= 2 * width
        assert analysis.moves[0].value == analysis.moves[1].value
        assert not analysis.moves[0].proven
        values.append(analysis.moves[0].value)
    # One sum of five dice has a standard deviation of 3.82 of 25; more samples per search can only reduce it.
    assert sum(values) / len(values) == pytest.approx(0.5, abs=4 * 3.82 / 25 / 200**0.5)


def test_more_samples_are_more_exact() -> None:
    view = Dice().new_state().view(0)
    spread = {}
    for width in (1, 6, 36):
        players = [aiplay.make_player(f"expectimax:width={width}", seed=seed) for seed in range(200)]
        errors = [player.analyse(view, Limit(depth=1)).moves[0].value - 0.5 for player in players]
        spread[width] = sum(error * error for error in errors) / len(errors)
    assert spread[36] < spread[6] / 2 < spread[1] / 4


def test_width_0_means_all_outcomes() -> None:
    analysis = aiplay.make_player("expectimax:width=0", seed=1).analyse(
        Dice().new_state().view(0), Limit(depth=1)
    )
    assert analysis.iterations == 2 * 6**5
    assert analysis.moves[0].value == pytest.approx(0.5, abs=1e-12)
    assert analysis.moves[0].proven
