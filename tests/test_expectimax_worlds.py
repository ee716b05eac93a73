"""Expectimax where information is hidden: one plan for all worlds, and the game's own moves behind it."""

import pytest
import toys

import aiplay


def analyse(game: aiplay.Game, spec: str, seed: int = 1) -> aiplay.Analysis:
    table = aiplay.Table(game, seed=1)
    return aiplay.make_player(f"expectimax:{spec}", seed=seed).analyse(table.view(table.to_move))


def values(analysis: aiplay.Analysis) -> dict[int, float]:
    return {move.move: move.value for move in analysis.moves}


# ---- What a seat cannot tell apart ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_looking_is_worth_its_price(seed):
    """Whoever looks knows the world it is in; whoever guesses is right in those worlds that have the card."""
    analysis = analyse(toys.LookOrGuess(), "depth=5,worlds=200", seed)
    value = values(analysis)
    assert analysis.best == toys.LookOrGuess.LOOK
    assert value[toys.LookOrGuess.LOOK] == pytest.approx(0.9)
    assert value[0] + value[1] == pytest.approx(1)
    assert value[0] == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("worlds", [20, 200])
def test_a_guess_is_not_a_plan(worlds, seed):
    """Every world for itself would go on and win; the best guess for all of them is right in about half."""
    analysis = analyse(toys.SafeOrGuess(), f"depth=5,worlds={worlds}", seed)
    assert values(analysis)[0] == pytest.approx(0.7)
    assert 0.5 <= values(analysis)[1] < 0.5 + 3 / worlds**0.5
    assert analysis.worlds == worlds


@pytest.mark.parametrize("opponents", ["auto", "maxn", "paranoid"])
def test_a_plan_is_made_for_the_seat_that_decides(opponents):
    analysis = analyse(toys.OthersGuess(), f"depth=5,worlds=200,opponents={opponents}")
    assert analysis.best == 0
    assert 0.5 <= values(analysis)[1] < 0.65
    assert analysis.odds == pytest.approx((0.3, 0.7))


@pytest.mark.parametrize("seed", range(3))
def test_seeing_something_is_not_seeing_everything(seed):
    """A card that tells nothing splits the worlds in two, and in both the best guess is right in about half."""
    analysis = analyse(toys.LookElsewhere(), "depth=5,worlds=400", seed)
    assert analysis.best == 0
    assert 0.5 <= values(analysis)[1] < 0.65


def test_bad_values_are_worth_as_little_as_they_are():
    class Sad(toys.SafeOrGuess):
        """Values far below what the game has declared."""

        name = "sad"
        seats = 2

        def returns(self, state):
            return [-5.0, -5.0]

    found = {tuple(values(analyse(Sad(), "depth=5,worlds=4,opponents=maxn")).values()) for _ in range(3)}
    assert len(found) == 1


def test_depth_counts_the_decisions_that_worlds_share():
    """One decision ahead the guess is still to come, and the game has no opinion of it."""
    assert values(analyse(toys.SafeOrGuess(), "depth=1,worlds=50"))[1] == 0.5


def test_a_search_that_is_cut_short_keeps_the_moves_it_has_compared():
    analysis = analyse(aiplay.load_game("illusio"), "nodes=50,worlds=16")
    assert analysis.depth == analysis.worlds == 0
    assert 0 < analysis.moves[0].value < 1


def test_all_moves_are_compared_in_a_few_worlds_before_any_is_in_all():
    analysis = analyse(toys.SafeOrGuess(), "nodes=1000,worlds=5000")
    assert 4 <= analysis.worlds < 5000
    assert values(analysis) == {0: pytest.approx(0.7), 1: 0.5}
    assert analyse(toys.SafeOrGuess(), "depth=1,worlds=5000").worlds == 5000


# ---- Where the search ends -----------------------------------------------------------------------------------


def last_throw() -> aiplay.View:
    """Illusio when the first seat has thrown all its cards but one, and may throw that."""
    table = aiplay.Table(aiplay.load_game("illusio"), seed=3)
    while len(table.legal_moves()) != 2:
        table.play(next(move for move in table.legal_moves() if "throw" in table.state.move_text(move)))
    return table.view(table.to_move)


def test_it_ends_when_only_the_game_s_own_moves_are_left():
    analysis = aiplay.make_player("expectimax:time=60", seed=1).analyse(last_throw())
    assert analysis.depth == 1
    assert analysis.seconds < 60


@pytest.mark.parametrize("width", [1, 16])
def test_deeper_plans_change_nothing_where_there_is_nothing_to_plan(width):
    game = aiplay.load_game("illusio")
    found = {values(analyse(game, f"depth={depth},worlds=8,width={width}"))[0] for depth in (1, 2)}
    assert len(found) == 1  # of move 0: to end the turn


def test_a_single_world_is_played_on_like_many():
    analysis = aiplay.make_player("expectimax:time=60,worlds=1", seed=1).analyse(last_throw())
    assert analysis.depth == analysis.worlds == 1


def test_the_game_s_own_moves_change_its_opinion():
    default, at_once = (
        analyse(aiplay.load_game("illusio"), f"depth=1,worlds=16{cutoff}") for cutoff in ("", ",cutoff=0")
    )
    assert values(default) != values(at_once)
    assert values(default) == values(
        analyse(aiplay.load_game("illusio"), "depth=1,worlds=16,cutoff=10")
    )  # what the game advises


@pytest.mark.parametrize("cutoff", [4, -1])
def test_playing_on_is_the_same_however_a_position_is_reached(cutoff):
    """So pruning, ordering and the table change no value, in an open game either."""
    game = aiplay.load_game("levitation")
    plain = analyse(game, f"depth=2,width=2,cutoff={cutoff},pruning=none,ordering=no,table=0")
    for spec in ("", ",ordering=no", ",table=0", ",pruning=alphabeta"):
        analysis = analyse(game, f"depth=2,width=2,cutoff={cutoff}{spec}")
        assert values(analysis) == pytest.approx(values(plain))


def test_no_moves_of_its_own_no_cutoff():
    for name in ("connect_four", "leduc_poker"):
        view = aiplay.Table(aiplay.load_game(name), seed=1).view(0)
        for cutoff in (5, -1):
            player = aiplay.make_player(f"expectimax:depth=1,cutoff={cutoff}")
            with pytest.raises(aiplay.PlayerSpecError, match=f"cutoff={cutoff}.*{name} has no playout_move"):
                player.choose(view)
        assert aiplay.make_player("expectimax:depth=1,cutoff=0").choose(view) in view.legal_moves()
