"""Levels of mcts: weaker by thinking less and by judging worse, measured, and the same for everybody."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
import toys

import aiplay
from aiplay.audit import audit_player
from aiplay.errors import PlayerSpecError
from aiplay.levels import FIRST, LAST, is_measured, level_of, scale_of
from aiplay.rating import score_of
from aiplay.registry import GAMES, limited_spec

PAGE = Path(__file__).parents[1] / "docs" / "levels.md"
NUMBERS = range(FIRST, LAST + 1)
ONCE = "mcts:iterations=7,prior=none,fpu=9,blur=1"  # every first move of connect four is judged once
FOUR = aiplay.load_game("connect_four")


def first_values(spec, seed, searches=1):
    """The values of the first moves of connect four, in the last of some searches."""
    player, view = aiplay.make_player(spec, seed=seed), aiplay.Table(FOUR, seed=1).view(0)
    for _ in range(searches):
        player.forget()
        analysis = player.analyse(view)
    assert {move.visits for move in analysis.moves} == {1}
    return {move.move: move.value for move in analysis.moves}


# ---- What a level is ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("number", NUMBERS)
def test_every_game_has_ten_levels(game, number):
    table = aiplay.Table(aiplay.load_game(game), seed=1)
    table.deal()
    view = table.view(table.to_move)
    limit = None if number < LAST else aiplay.Limit(iterations=50)  # a second is long for a test
    player = aiplay.make_player(f"mcts:level={number}", seed=1)
    assert player.choose(view, limit) in view.legal_moves()
    assert player.spec == f"mcts:level={number}"


@pytest.mark.parametrize("game", [*sorted(GAMES), "another"])
def test_higher_levels_think_more_and_judge_no_worse(game):
    levels = [level_of(game, number) for number in NUMBERS]
    counts = [level.limit.iterations for level in levels[:-1]]
    assert counts == sorted(set(counts))
    blurs = [level.blur for level in levels]
    assert blurs == sorted(blurs, reverse=True)
    assert levels[-1] == (aiplay.Limit(time=1.0), 0.0)


@pytest.mark.parametrize("game", [game for game in sorted(GAMES) if is_measured(game)])
def test_the_scale_of_a_game_rises(game):
    scale = scale_of(game)
    assert len(scale) == len(NUMBERS)
    assert scale[0] == 0
    assert all(below < above for below, above in pairwise(scale))


@pytest.mark.parametrize("game", [game for game in sorted(GAMES) if is_measured(game)])
def test_the_page_shows_the_levels_and_the_scale(game):
    shown = (
        PAGE.read_text(encoding="utf-8").split(f"<!-- levels of {game} -->\n")[1].split("\n<!-- end -->")[0]
    )
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in shown.splitlines()[4:]]
    assert [int(row[0]) for row in rows] == list(NUMBERS)
    for number, (_, thinks, blur, score, elo) in zip(NUMBERS, rows, strict=True):
        level = level_of(game, number)
        assert thinks == ("1 s" if number == LAST else str(level.limit.iterations))
        assert float(blur) == level.blur
        assert int(elo.split()[0]) == scale_of(game)[number - FIRST]
        assert bool(score) == (number > FIRST)


@pytest.mark.parametrize("wrong", ["0", "11", "2.5", "hard", "-1"])
def test_other_levels_are_refused(wrong):
    with pytest.raises(PlayerSpecError, match=r"level is .*; allowed: a whole number from 1 to 10"):
        aiplay.make_player(f"mcts:level={wrong}")


@pytest.mark.parametrize("option", ["time=1", "iterations=5", "nodes=5", "blur=0.5"])
def test_a_level_decides_alone_about_limit_and_blur(option):
    with pytest.raises(PlayerSpecError, match=f"level=3 decides about {option.split('=')[0]}, too"):
        aiplay.make_player(f"mcts:level=3,{option}")


def test_other_options_can_be_combined_with_a_level():
    view = aiplay.Table(FOUR, seed=1).view(0)
    player = aiplay.make_player("mcts:level=5,threads=2,memory=8", seed=1)
    assert player.choose(view) in view.legal_moves()


def test_a_limit_of_the_caller_makes_a_level_think_less_but_not_more():
    view, level = aiplay.Table(FOUR, seed=1).view(0), level_of("connect_four", 5)
    player = aiplay.make_player("mcts:level=5", seed=1)
    assert player.analyse(view).iterations == level.limit.iterations
    assert player.analyse(view, aiplay.Limit(iterations=10**6, time=60)).iterations == level.limit.iterations
    assert player.analyse(view, aiplay.Limit(iterations=10)).iterations == 10


def test_a_match_gives_a_level_no_other_limit():
    assert limited_spec("mcts:level=3", "time=0.05") == "mcts:level=3"


def test_a_level_begins_every_move_anew():
    table, player = aiplay.Table(FOUR, seed=1), aiplay.make_player("mcts:level=7", seed=1)
    table.play(player.choose(table.view(0)))
    table.play(3)
    assert player.analyse(table.view(0)).iterations == level_of("connect_four", 7).limit.iterations
    assert (
        sum(move.visits for move in player.analyse(table.view(0)).moves)
        == player.analyse(table.view(0)).iterations
    )


# ---- Judging worse -----------------------------------------------------------------------------------------


def test_a_position_is_always_misjudged_in_the_same_way():
    assert first_values(ONCE, seed=1) == first_values(ONCE, seed=1, searches=3)


def test_another_seed_misjudges_other_positions():
    assert first_values(ONCE, seed=1) != first_values(ONCE, seed=2)


def test_without_blur_values_are_results_of_playouts():
    exact = first_values(ONCE.replace("blur=1", "blur=0"), seed=1)
    assert set(exact.values()) <= {0.0, 0.5, 1.0}
    guessed = first_values(ONCE, seed=1)
    half = first_values(ONCE.replace("blur=1", "blur=0.5"), seed=1)  # the same playouts
    assert half == {move: pytest.approx((exact[move] + guessed[move]) / 2) for move in exact}


def test_one_of_two_opponents_gains_what_the_other_loses():
    analysis = aiplay.make_player("mcts:iterations=50,blur=1", seed=1).analyse(
        aiplay.Table(FOUR, seed=1).view(0)
    )
    assert sum(analysis.odds) == pytest.approx(1)


def test_a_team_is_misjudged_as_one():
    table = aiplay.Table(aiplay.load_game("magic_rabbit"), seed=1)
    analysis = aiplay.make_player("mcts:iterations=50,blur=1", seed=1).analyse(table.view(table.to_move))
    assert len(set(analysis.odds)) == 1


def test_a_win_is_never_misjudged():
    table = aiplay.Table(FOUR, seed=1)
    for column in (0, 6, 0, 6, 0, 6):
        table.play(column)
    analysis = aiplay.make_player("mcts:iterations=100,blur=1", seed=1).analyse(table.view(0))
    assert analysis.best == 0
    assert analysis.moves[0].value == 1.0


def test_the_end_of_a_game_with_hidden_cards_is_never_misjudged():
    table = aiplay.Table(aiplay.load_game("leduc_poker"), seed=1)
    table.play("raise")
    analysis = aiplay.make_player("mcts:iterations=500,blur=1", seed=1).analyse(table.view(1))
    (fold,) = (move for move in analysis.moves if move.text == "fold")
    assert fold.value == pytest.approx(12 / 26)  # it loses one chip of at most 13
    assert fold.error == pytest.approx(0, abs=1e-6)


def test_the_prior_of_a_move_that_ends_the_game_is_no_guess():
    """The search follows its priors here: the first move that it tries after it has them is the win."""
    table = aiplay.Table(FOUR, seed=1)
    for column in (0, 6, 0, 6, 0, 6):
        table.play(column)
    spec = "mcts:iterations=3,prior=evaluate,prior_weight=1000,exploration=0,blur=1"
    for seed in range(10):
        assert aiplay.make_player(spec, seed=seed).choose(table.view(0)) == 0


def test_other_priors_are_guesses():
    spec = "mcts:iterations=20,prior=evaluate,prior_weight=1000,exploration=0"
    view = aiplay.Table(FOUR, seed=1).view(0)
    assert {aiplay.make_player(spec, seed=seed).choose(view) for seed in range(10)} == {3}  # the middle
    assert len({aiplay.make_player(f"{spec},blur=1", seed=seed).choose(view) for seed in range(10)}) > 3


def test_without_a_level_nothing_changes():
    view = aiplay.Table(aiplay.load_game("illusio"), seed=1)
    view.deal()
    found = [
        aiplay.make_player(spec, seed=1).analyse(view.view(view.to_move)).moves
        for spec in ("mcts:iterations=200", "mcts:iterations=200,blur=0")
    ]
    assert found[0] == found[1]


def test_the_same_view_and_seed_give_the_same_move():
    for game in ("illusio", "leduc_poker"):
        table = aiplay.Table(aiplay.load_game(game), seed=2)
        table.deal()
        view = table.view(table.to_move)
        choices = {aiplay.make_player("mcts:level=4", seed=3).choose(view) for _ in range(3)}
        assert len(choices) == 1


def test_a_level_is_fair():
    assert audit_player(aiplay.load_game("leduc_poker"), "mcts:level=3", games=2).is_fair


def test_a_token_repeats_a_misjudgement():
    view = aiplay.Table(FOUR, seed=1).view(0)
    player = aiplay.make_player("mcts:level=3", seed=77)
    for analysis in (player.analyse(view), player.analyse(view)):
        again = aiplay.explain(analysis.token)
        assert again.is_same
        assert [move.value for move in again.analysis.moves] == [move.value for move in analysis.moves]


def test_games_in_python_have_levels():
    view = toys.RandomTree(seed=1).new_state().view(0)
    assert aiplay.make_player("mcts:level=2", seed=1).choose(view) in view.legal_moves()


@pytest.mark.parametrize("game", ["connect_four", "pig"])
def test_a_high_level_beats_a_low_one(game):
    loaded, scores = aiplay.load_game(game), []
    for deal in range(30):
        players = [aiplay.make_player(f"mcts:level={level}", seed=deal) for level in (6, 1)]
        scores.append(score_of(loaded, aiplay.play_game(aiplay.Table(loaded, seed=deal), players), 0))
    assert sum(scores) / len(scores) > 0.75


def test_the_page_names_the_command():
    assert re.search(r"`python bench/levels\.py`", PAGE.read_text(encoding="utf-8"))


def test_levels_below_the_last_judge_by_the_evaluation_of_the_game():
    state = aiplay.Table(aiplay.load_game("levitation"), seed=3).state
    while len(state.legal_moves()) == 1:
        state.play(state.legal_moves()[0])
        while state.to_move == aiplay.CHANCE:
            state.play_chance(aiplay.RandomStream(1))
    view = state.view(state.to_move)

    def moves(spec, limit=None):
        return aiplay.make_player(f"mcts:{spec}", seed=2).analyse(view, limit).moves

    assert moves("level=9") == moves("level=9,value=game")
    few = aiplay.Limit(iterations=300)
    assert moves("level=10", few) == moves("iterations=300") != moves("level=10,value=game", few)
