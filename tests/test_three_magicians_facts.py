"""The Three Magicians: the figures of the rules page, calculated independently or from the game's own states."""

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import pytest
from three_magicians_positions import TAROT, duel, from_fields, game_of, play, position, texts

import aiplay
from aiplay._core.games.three_magicians.state import (
    DUEL_KEEP,
    DUEL_THROW,
    LABYRINTH,
    MAX_POINTS,
    MAX_WALK,
)
from aiplay._core.measure import survey

DUEL = Fraction(168133, 310108)
STONES = 3
IN_DUEL = (DUEL_THROW, DUEL_KEEP)


# ---- The duel ---------------------------------------------------------------------------------------------


class Solution:
    """Best play in a duel, calculated with exact fractions over the states of the game.

    A value is a pair (a, b): seat 0 wins this round with probability a, and the duel starts over with probability b.
    `worth` is the chance of seat 0 to win from each of the two states in which a round can begin.
    """

    def __init__(self, start: aiplay.State, worth: dict[bytes, Fraction], is_joint: bool = False):
        self.start, self.worth, self.is_joint = start, worth, is_joint
        self.known: dict[bytes, tuple[Fraction, Fraction]] = {}

    def rate(self, value):
        """The chance of seat 0 to win; two throwers that want to go on for ever maximise b."""
        other = next(key for key in self.worth if key != self.start.to_bytes())
        return value[1] if self.is_joint else value[0] + value[1] * self.worth[other]

    def value(self, state):
        key = state.to_bytes()
        if key not in self.known:
            self.known[key] = self.look(state)
        return self.known[key]

    def look(self, state):
        if state.fields["phase"] not in IN_DUEL:
            return Fraction(int(state.fields["magicians"][1] == LABYRINTH)), Fraction(0)
        if state.to_move >= 0:
            best = max if state.to_move == 0 or self.is_joint else min
            return best((self.after(state, move) for move in state.legal_moves()), key=self.rate)
        total = [Fraction(0), Fraction(0)]
        for move, p in state.chance_outcomes():
            exact = Fraction(p).limit_denominator(27)
            assert float(exact) == pytest.approx(p)
            for i, part in enumerate(self.after(state, move)):
                total[i] += exact * part
        return total[0], total[1]

    def after(self, state, move):
        child = state.copy()
        child.play(move)
        if child.to_bytes() in self.worth:
            assert child != self.start  # the other seat throws first
            return Fraction(0), Fraction(1)
        return self.value(child)


def rounds():
    """The two states in which a round of a duel begins: seat 0 throws first, seat 1 throws first."""
    first = duel()
    return first, play(first.copy(), *["throw 1 1 1", "stop"] * 2)


def solve():
    """The values of both rounds for seat 0 and the solution of the first, by policy iteration."""
    first, second = rounds()
    keys = first.to_bytes(), second.to_bytes()
    worth = {keys[0]: Fraction(1, 2), keys[1]: Fraction(1, 2)}
    while True:
        solutions = [Solution(state, worth) for state in (first, second)]
        (a, b), (c, d) = (each.value(each.start) for each in solutions)
        # x = a + b y and y = c + d x
        x = (a + b * c) / (1 - b * d)
        better = {keys[0]: x, keys[1]: c + d * x}
        if better == worth:
            return x, c + d * x, solutions[0]
        worth = better


@pytest.fixture(scope="module")
def solved():
    return solve()


def test_the_challenger_wins_a_duel_with_probability_168133_of_310108(solved):
    assert solved[0] == DUEL
    assert round(float(DUEL), 4) == 0.5422
    assert solved[1] == 1 - DUEL  # if seat 1 throws first


def test_a_duel_starts_over_with_probability_0_1670_with_best_play(solved):
    assert round(float(solved[2].value(solved[2].start)[1]), 4) == 0.1670


def test_the_best_first_throw_stops_on_any_total_of_3_or_more(solved):
    solution = solved[2]
    for move, _ in solution.start.chance_outcomes():
        state = solution.start.copy()
        total = sum(int(notches) for notches in state.move_text(move).split()[1:])
        state.play(move)
        best = max(state.legal_moves(), key=lambda each, s=state: solution.rate(solution.after(s, each)))
        assert (state.move_text(best) == "stop") == (total >= 3)


def test_evaluate_knows_the_exact_value_of_every_duel_state(solved):
    """If both seats lack only this card, evaluate is the chance to win the duel with best play."""
    rest = [name for name in TAROT if name != "Mill"]
    cards = duel(cards={0: rest, 1: rest}).fields["cards"].tolist()
    again = float(solved[1])
    states = [solved[2].start.game.state_from_bytes(key) for key in list(solved[2].known)[::10]]
    states = [state for state in states if state.fields["phase"] in IN_DUEL]
    assert len(states) > 50
    for state in states:
        a, b = solved[2].value(state)
        fields = {name: state.fields[name].tolist() for name in state.fields.dtype.names}
        values = from_fields(state.game, {**fields, "cards": cards}).evaluate()
        assert values == pytest.approx([a + b * again, 1 - a - b * again, 0], abs=1e-9)


def test_a_duel_starts_over_with_a_probability_of_at_most_one_third():
    """Even if both throwers want it; max_depth relies on that."""
    first, second = rounds()
    worth = {first.to_bytes(): Fraction(0), second.to_bytes(): Fraction(0)}
    most = Solution(first, worth, is_joint=True).value(first)[1]
    assert Fraction(167, 1000) < most <= Fraction(1, 3)


# ---- Chances ----------------------------------------------------------------------------------------------


def test_the_chances_of_magic():
    """Every wand hides one symbol: each symbol alone has 6/27, a tie of three 6/27, each tie of two 1/27."""
    symbols = ("star", "arrow", "empty")
    wanted = Counter()
    for hidden in product(symbols, repeat=3):
        seen = {symbol: sum(symbol != each for each in hidden) for symbol in symbols}
        wanted[" and ".join(symbol for symbol in symbols if seen[symbol] == max(seen.values()))] += 1
    assert sorted(wanted.values()) == [1, 1, 1, 6, 6, 6, 6]
    state = play(position("1+0+1"), "walk Life-Mill 2", "magic")
    assert {state.move_text(move): p for move, p in state.chance_outcomes()} == pytest.approx(
        {text: n / 27 for text, n in wanted.items()}
    )


# ---- Walks ------------------------------------------------------------------------------------------------


def neighbours_by_name():
    """The board of the rules page as a graph, independent of the data file."""
    grid = {
        "Forest": "Magician Castle", "Magician": "Tower Life", "Castle": "Life Sun", "Life": "Labyrinth Mill",
        "Sun": "Mill", "Mill": "Moon",
    }  # fmt: skip
    graph = {}
    for first, others in grid.items():
        for second in others.split():
            chain = [first, *(f"{first}-{second} {n}" for n in range(1, STONES + 1)), second]
            for here, there in pairwise(chain):
                graph.setdefault(here, []).append(there)
                graph.setdefault(there, []).append(here)
    return graph


def ends(graph, here, length, before=None):
    """The ends of all walks of exactly this length, found by trying every step."""
    if length == 0:
        return {here}
    return {
        end
        for there in graph[here]
        if there not in (before, "Labyrinth")
        for end in ends(graph, there, length - 1, here)
    }


def test_an_exact_walk_exists_from_every_spot_for_every_length_from_1_to_12():
    graph = neighbours_by_name()
    board = game_of().board
    assert len(graph) == board.n_spots == 39
    for spot in range(board.n_spots):
        for length in range(1, MAX_WALK + 1):
            wanted = ends(graph, board.spot_name(spot), length)
            assert wanted
            found = board.walks[spot][length]
            assert {board.spot_name(end) for end in range(39) if found >> end & 1} == wanted


THROWS = {1: "0+0+1", 2: "0+0+2", 3: "0+1+2", 4: "0+2+2", 5: "1+2+2", 6: "2+2+2"}


@pytest.mark.parametrize("power", [False, True])
def test_the_game_offers_exactly_the_walks_of_the_graph(power):
    graph = neighbours_by_name()
    for spot in graph:
        for total, throw in THROWS.items():
            if spot == "Labyrinth" and total != MAX_POINTS:
                continue
            wanted = ends(graph, spot, total)
            if power and spot != "Labyrinth":
                wanted |= ends(graph, spot, 2 * total)
            state = position(throw, apprentices=[spot], power=[0] if power and spot != "Labyrinth" else [])
            assert {text.removeprefix("walk ") for text in texts(state, "walk")} == wanted


def jumps(graph, here, length):
    """The places where exactly so many jumps end; two jumps do not end where they began."""
    near = {
        place: {other for other in graph if " " not in other and other in ends(graph, place, STONES + 1)}
        for place in graph
        if " " not in place
    }
    once = near[here]
    return {0: set(), 1: once, 2: {end for middle in once for end in near[middle]} - {here}}[length]


def test_no_decision_has_more_than_18_moves_or_17_if_the_apprentice_has_to_walk():
    """Counted on the graph: every throw, every spot of an Apprentice with the token, every place of the Magician."""
    graph = neighbours_by_name()
    outside = [spot for spot in graph if spot != "Labyrinth"]
    places = [spot for spot in outside if " " not in spot]
    far = {
        (spot, total): len(ends(graph, spot, total) | ends(graph, spot, 2 * total))
        for spot in outside
        for total in range(1, MAX_POINTS + 1)
    }
    near = {(place, own): len(jumps(graph, place, own)) for place in places for own in range(3)}
    throws = [throw for throw in product(range(3), repeat=3) if any(throw)]
    counted = {
        (throw, place, spot): near[place, throw[0]] + far[spot, sum(throw)]
        for throw in throws
        for place in places
        for spot in outside
    }
    widest = max(counted.values())
    assert widest == 17
    for (throw, place, spot), n_moves in counted.items():
        if n_moves < widest and (throw[0], place) != (2, "Life"):  # the rest would take long
            continue
        text = "+".join(map(str, throw))
        for must, n_ends in ((False, 1), (True, 0)):
            state = position(
                text,
                magicians=[place],
                apprentices=[spot],
                power=[0],
                options={"apprentice_must_move": must},
            )
            assert len(state.legal_moves()) == n_moves + n_ends


# ---- The longest game -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"turn_cap": 5}, {"turn_cap": 1000, "labyrinth_exit": "1or2", "players": 2}]
)
def test_max_depth_is_exceeded_with_a_probability_below_1e_9(options):
    """The exact tail of the rounds of all duels.

    Every duel sends a Magician to the Labyrinth, so there are at most as many duels as seats and triplets that lead
    out. A duel starts over with 1/3 at most. A round takes at most twelve moves, and the rest of a turn nine.
    """
    game = game_of(**options)
    turns = game.options["turn_cap"]
    leave = 2 / 27 if game.options["labyrinth_exit"] == "1or2" else 1 / 27
    n_rounds = (game.max_depth - 1 - 9 * turns) // 12
    tail = 0.0
    for freed in range(turns + 1):
        log_p = math.lgamma(turns + 1) - math.lgamma(freed + 1) - math.lgamma(turns - freed + 1)
        log_p += freed * math.log(leave) + (turns - freed) * math.log1p(-leave)
        if log_p > -60:
            tail += math.exp(log_p) * more_rounds(freed + game.seats, n_rounds)
    assert tail < 1e-9


def more_rounds(n_duels, n_rounds):
    """The chance that n duels take more than n_rounds: fewer than n of these rounds end a duel."""
    if n_duels > n_rounds:
        return 1.0
    return sum(math.comb(n_rounds, k) * (2 / 3) ** k * (1 / 3) ** (n_rounds - k) for k in range(n_duels))


def test_random_games_end_at_the_turn_cap():
    """Random seats hardly ever collect seven cards, so playouts have to be cut off and evaluated."""
    facts = survey(game_of().new_state(), 200, seed=5)
    assert facts["unfinished"] == 0
    assert facts["longest"] < game_of().max_depth
    assert facts["widest"] <= 18
    ends = [random_end(seed) for seed in range(20)]
    assert sum(state.fields["n_turns"] == 600 for state in ends) >= 15


def random_end(seed):
    table = aiplay.Table(game_of(), seed=seed)
    player = aiplay.make_player("random", seed=seed)
    aiplay.play_game(table, [player] * 3)
    return table.state
