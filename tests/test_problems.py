"""The problem suite: its exact values are calculated again, checked by hand, and some of it is solved."""

import json
import math
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

import aiplay

sys.path.append(str(Path(__file__).parents[1] / "bench"))
import enumeration
import problems

PROBLEMS = {problem.name: problem for problem in problems.load_problems()}
SOLUTIONS = problems.load_solutions()


# ---- The suite -------------------------------------------------------------------------------------------------


def test_there_are_enough_problems_in_every_game():
    counts = Counter(problem.game for problem in PROBLEMS.values())
    assert sum(counts.values()) == len(problems.load_problems()) >= 100
    assert set(counts) == set(aiplay.game_names())
    assert min(counts.values()) >= 15


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("illusio", {2, 3, 4, 5, 6}),
        ("levitation", {2, 3, 4, 5}),
        ("magic_rabbit", {1, 2, 3, 4}),
        ("pig", {2, 3, 4, 5, 6}),
        ("three_magicians", {2, 3}),
    ],
)
def test_problems_cover_the_numbers_of_seats(game, seats):
    assert {problem.seats for problem in PROBLEMS.values() if problem.game == game} == seats


@pytest.mark.parametrize("game", aiplay.game_names())
def test_a_problem_has_a_value_for_every_move_and_a_clear_best(game):
    for name, problem in PROBLEMS.items():
        if problem.game == game:
            state, solution = problem.state, SOLUTIONS[name]
            assert list(solution.values) == [state.move_text(move) for move in state.legal_moves()], name
            assert all(0 <= value <= 1 for value in solution.values.values()), name
            assert solution.gap >= 0.02, name


def test_fields_that_are_left_out_are_those_of_a_new_state():
    for problem in problems.load_problems()[::7]:
        played, game = problem.state, problem.state.game
        fields = problems.changed_fields(played)
        same = problems.Problem(game.name, "", "", "", dict(game.options), fields)
        assert same.state == played


# ---- Exact values ----------------------------------------------------------------------------------------------

QUICK = [
    "win with 3, 14 cells left",
    "win with 4, 16 cells left",
    "the exact box",
    "six at the table",
    "the stolen success",
    "the deck knows more",
    "bluff or fold",
    "no bet with a king",
    "which card to give",
    "look, then switch",
    "free the pile for the other",
    "three seats, one switch",
    "nine short, a rival at 99",
    "four seats against the clock",
    "three zeros",
    "magic against the leader",
    "do not go to the Moon",
]


@pytest.mark.parametrize("name", QUICK)
def test_the_enumeration_gives_the_stored_values(name):
    if PROBLEMS[name].game == "leduc_poker":
        pytest.importorskip("scipy")
    assert PROBLEMS[name].solve() == pytest.approx(SOLUTIONS[name].values, abs=1e-6)


GREEN = 1 - (2 / 3) ** 4  # chance that one of four dice shows a master
BY_HAND = {
    # London wins with green on Kellar, else Paris shares the win with blue on Kellar.
    ("roll for the path", "roll"): GREEN + (1 - GREEN) * GREEN / 2,
    ("roll for the path", "draft blue from Kellar"): 1 / 2,
    ("roll for green alone", "roll"): GREEN,
    # Five or six wins, then the decisions are used up.
    ("two decisions left", "roll"): 2 / 6 + 4 / 6 / 2,
    # One of two cards is known to be the one; the other is any of ten, one of which is.
    ("the stolen success", "take from 1"): 1 / 2 + 1 / 2 * 1 / 10,
    ("the stolen success", "throw rabbit"): 5 / 10,
    # The Grand is drawn with 2 of 10 and wins alone, else three share.
    ("a sure third or a gamble", "redraw rabbit"): 2 / 10 + 8 / 10 / 3,
    # The last bet is called by a king that loses to one queen, beats two jacks and equals a king, for 9 chips.
    ("call with a king", "call"): 0.5 + 9 * (2 - 1) / 4 / 26,
    ("call with a king", "fold"): 0.5 - 5 / 26,
    # Star alone, or tied with the others or one of them.
    ("the stone beside the place", "walk Forest-Magician 2"): 7 / 27,
    # Six worlds: the rabbit that is lifted says which switch is right in two of them.
    ("look, then switch", "lift C"): 2 / 6,
}


@pytest.mark.parametrize(("name", "move"), BY_HAND)
def test_stored_values_are_those_calculated_by_hand(name, move):
    assert SOLUTIONS[name].values[move] == pytest.approx(BY_HAND[name, move], abs=1e-6)


def test_leduc_poker_has_the_value_that_is_known():
    """The whole game is worth -0.0856 chips to seat 0, as many papers report."""
    equilibrium = pytest.importorskip("equilibrium")
    state = aiplay.load_game("leduc_poker").new_state()
    form = equilibrium.SequenceForm(0)
    for first in range(6):
        for second in set(range(6)) - {first}:
            dealt = enumeration.after(enumeration.after(state, first), second)
            form.walk(dealt, 1 / 30, ((first // 2,), (second // 2,)), (None, None))
    assert 26 * (equilibrium.Equilibrium(form).value - 0.5) == pytest.approx(-0.0856, abs=5e-5)


def test_throws_of_dice_that_count_as_one_lead_to_the_same():
    """Whatever is possible after one of them is possible after the other, and leads to positions that count as one."""
    state = PROBLEMS["the Sliding Die Box"].state
    key = enumeration.key_of(state.game)
    met: dict[bytes, aiplay.State] = {}
    stream, n_pairs = aiplay.RandomStream(1), 0
    for _ in range(4000):
        after = state.copy()
        after.play("use The Sliding Die Box")
        while after.to_move == aiplay.CHANCE:
            after.play_chance(stream)
        other = met.setdefault(key(after), after)
        if other.to_bytes() != after.to_bytes():
            n_pairs += 1
            assert after.legal_moves() == other.legal_moves()
            for move in after.legal_moves():
                assert key(enumeration.after(after, move)) == key(enumeration.after(other, move))
    assert n_pairs > 20


@pytest.mark.parametrize(
    "name", ["the stolen success", "whom to rob", "leave the Take alone", "four unknown rabbits"]
)
def test_worlds_are_enumerated_as_they_are_sampled(name):
    view = PROBLEMS[name].view
    worlds = {world.to_bytes(): p for world, p in enumeration.worlds_of(view)}
    assert math.fsum(worlds.values()) == pytest.approx(1)
    n = 4000
    counts = Counter(view.sample_world(seed=seed).to_bytes() for seed in range(n))
    assert set(counts) <= set(worlds)
    for world, p in worlds.items():
        assert abs(counts[world] - n * p) < 5 * math.sqrt(n * p) + 5


def test_no_value_where_a_seat_has_to_guess_what_another_knows():
    game = aiplay.load_game("magic_rabbit", players=2, piles=6, doves=False, turns=6)
    state = game.new_state()
    tiles = [f"{kind} {number}" for kind in ("hat", "rabbit") for number in range(1, 7)]
    for move in (
        *tiles,
        "first seat 0",
        "lift A",
        "stay",
        "lift B",
        "stay",
        "lift C",
        "stay",
        "lift D",
        "stay",
    ):
        state.play(move)
    with pytest.raises(enumeration.NotExactError, match="seat 1 has to decide without seeing everything"):
        enumeration.information_values(state.view(0))


def test_no_value_where_another_seat_is_indifferent():
    """Seat 1 cannot win any more, but decides which of the others does."""

    class Kingmaker(aiplay.PythonGame):
        name, seats, max_moves, max_depth = "kingmaker", 3, 2, 2

        def setup(self):
            return ()

        def to_move(self, state):
            return aiplay.TERMINAL if len(state) == 2 else len(state)

        def legal_moves(self, state):
            return [0, 1]

        def play(self, state, move):
            return (*state, move)

        def returns(self, state):
            return [float(state[1] == 0), 0.0, float(state[1] == 1)] if state[0] else [0.5, 0.0, 0.5]

    root = Kingmaker().new_state()
    graph = enumeration.OpenGraph(root.game)
    assert enumeration.settled(graph.solve(enumeration.after(root, 0)), 0) == 0.5
    with pytest.raises(enumeration.NotExactError, match="indifferent"):
        enumeration.settled(graph.solve(enumeration.after(root, 1)), 0)


# ---- Players ---------------------------------------------------------------------------------------------------

IN_REACH = [
    "win with 2, 16 cells left",
    "the exact box",
    "morph, claim, cash in",
    "bluff or fold",
    "fold the jack",
    "which card to give",
    "green on Thurston is there",
    "free the pile",
    "three seats, three turns",
    "a rival at 97",
    "four seats against the clock",
    "magic against the leader",
    "the card that decides",
]


@pytest.mark.parametrize("name", IN_REACH)
def test_expectimax_solves_what_is_in_its_reach(name):
    found = problems.attempt(PROBLEMS[name], SOLUTIONS[name], "expectimax", "depth 8", seed=1)
    assert found.is_solved
    assert found.error < 0.02


FOUND_BY_MCTS = [
    "win with 3, 17 cells left",
    "draw with 3, 17 cells left",
    "Grand before Immediate success",
    "morph, claim, cash in",
    "two Deja vus",
    "the stolen success",
    "fold the jack",
    "a king before the board",
    "green is there already",
    "tickets first",
    "look, then switch",
    "four seats between doves",
    "nine short, a rival at 99",
    "three seats, four short",
    "five to beat",
    "magic for the lead",
]


@pytest.mark.parametrize("name", FOUND_BY_MCTS)
def test_mcts_solves_what_it_should(name):
    found = problems.attempt(PROBLEMS[name], SOLUTIONS[name], "mcts", "iterations 3000", seed=1)
    assert found.is_solved
    if PROBLEMS[name].game != "connect_four":  # where a value is right when the game is solved
        assert found.error < 0.1


@pytest.mark.parametrize(
    ("name", "iterations"),
    [("magic against the leader", 5000), ("magic before the jump", 10_000), ("keep the two", 1000)],
)
def test_a_move_that_was_found_late_is_chosen_before_one_with_more_visits(name, iterations):
    state = PROBLEMS[name].state
    found = aiplay.make_player(f"mcts:iterations={iterations}", seed=1).analyse(state.view(state.to_move))
    most = max(found.moves, key=lambda move: move.visits)
    assert found.moves[0] is not most
    assert found.moves[0].value > most.value
    assert found.moves[0].text in SOLUTIONS[name].best


@pytest.mark.parametrize(
    "name", [name for name, problem in PROBLEMS.items() if problem.game == "leduc_poker"]
)
def test_mcts_solves_leduc_poker(name):
    """If the other seat answered as if it saw the card, a jack that calls would be worth no more than a fold."""
    found = problems.attempt(PROBLEMS[name], SOLUTIONS[name], "mcts", "iterations 10000", seed=1)
    assert found.is_solved
    assert found.error < 0.04


# ---- The command -----------------------------------------------------------------------------------------------


def run(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["problems.py", *arguments])
    problems.main()
    return capsys.readouterr().out


def test_results_are_counted_by_game_and_theme(monkeypatch, capsys):
    given = ("--player", "greedy", "--game", "leduc_poker")
    rows = json.loads(run(monkeypatch, capsys, *given, "--json"))["attempts"]
    assert {row["game"] for row in rows} == {"leduc_poker"}
    assert all(row["is_solved"] == (row["move"] in row["best"]) == (row["cost"] == 0) for row in rows)
    solved, worst = sum(row["is_solved"] for row in rows), max(row["error"] for row in rows)
    out = run(monkeypatch, capsys, *given)
    assert f"| leduc_poker | {solved}/{len(rows)}, " in out
    assert f"({worst:.2f}) |" in out
    folds = [row for row in rows if row["theme"] == "fold"]
    assert f"| fold | {sum(row['is_solved'] for row in folds)}/{len(folds)}, " in out


def test_a_problem_is_shown_with_its_values(monkeypatch, capsys):
    out = run(monkeypatch, capsys, "--show", "roll for the path")
    assert "0.881725 roll\n0.500000 draft blue from Kellar\n" in out
    assert "seat 1: 0 points, 2 cubes" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--game", "chess"), "--game is 'chess'; allowed: connect_four, illusio"),
        (("--show", "nothing"), "--name is 'nothing'; allowed: "),
        (("--player", "greedy", "--iterations", "5"), "player 'greedy' has no iterations"),
        (("--player", "mcts:time=x"), "time"),
        (("--player", "nobody"), "nobody"),
    ],
)
def test_wrong_arguments_are_named(monkeypatch, capsys, arguments, message):
    with pytest.raises(SystemExit):
        run(monkeypatch, capsys, *arguments)
    assert message in capsys.readouterr().err


def test_values_of_other_moves_are_refused(monkeypatch):
    solution = problems.Solution({"roll": 1.0})
    with pytest.raises(ValueError, match=r"'a rival at 97' has other moves .* --solve"):
        problems.attempt(PROBLEMS["a rival at 97"], solution, "random", "move", seed=1)


def test_random_positions_have_the_same_fields_again():
    rng = random.Random(1)
    for name in aiplay.game_names():
        table = aiplay.Table(aiplay.load_game(name), seed=2)
        for _ in range(rng.randrange(3, 12)):
            if not table.over:
                table.play(rng.choice(table.legal_moves()))
        fields = problems.changed_fields(table.state)
        assert problems.Problem(name, "", "", "", dict(table.game.options), fields).state == table.state
