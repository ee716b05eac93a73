"""Expectimax with hidden information: one plan for all worlds, and the game's policy beyond it."""

import pytest
import toys

import aiplay


def analyse(game: aiplay.Game, spec: str, seed: int = 1) -> aiplay.Analysis:
    table = aiplay.Table(game, seed=1)
    return aiplay.make_player(f"expectimax:{spec}", seed=seed).analyse(table.view(table.to_move))


def values(analysis: aiplay.Analysis) -> dict[int, float]:
    return {move.move: move.value for move in analysis.moves}


# ---- Worlds that look the same to a seat ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_looking_is_worth_its_price(seed):
    """A seat that looks knows its world; a guess is right in the worlds that have the card."""
    analysis = analyse(toys.LookOrGuess(), "depth=5,worlds=200", seed)
    value = values(analysis)
    assert analysis.best == toys.LookOrGuess.LOOK
    assert value[toys.LookOrGuess.LOOK] == pytest.approx(0.9)
    assert value[0] + value[1] == pytest.approx(1)
    assert value[0] == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("worlds", [20, 200])
def test_a_guess_is_not_a_plan(worlds, seed):
    """Searched on its own, every world would go on and win; the best guess for all is right in about half."""
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
def test_a_card_that_tells_nothing_is_worth_nothing(seed):
    """It splits the worlds in two, and in both parts the best guess is right in about half."""
    analysis = analyse(toys.LookElsewhere(), "depth=5,worlds=400", seed)
    assert analysis.best == 0
    assert 0.5 <= values(analysis)[1] < 0.65


def test_returns_outside_the_declared_range_are_refused():
    class Sad(toys.SafeOrGuess):
        """Returns far below the declared minimum."""

        name = "sad"
        seats = 2

        def returns(self, state):
            return [-5.0, -5.0]

    with pytest.raises(
        aiplay.ContractError, match=r"returns returned -5\.0 for seat 0; allowed: 0\.0 to 1\.0"
    ):
        analyse(Sad(), "depth=5,worlds=4,opponents=maxn")


def test_depth_counts_the_decisions_that_worlds_share():
    """One decision ahead the guess is still to come, and the game has no evaluation."""
    assert values(analyse(toys.SafeOrGuess(), "depth=1,worlds=50"))[1] == 0.5


def test_a_search_that_is_cut_short_keeps_the_moves_it_has_compared():
    analysis = analyse(aiplay.load_game("illusio"), "nodes=50,worlds=16")
    assert analysis.depth == analysis.worlds == 0
    assert 0 < analysis.moves[0].value < 1


def test_all_moves_are_compared_in_a_few_worlds_first():
    analysis = analyse(toys.SafeOrGuess(), "nodes=1000,worlds=5000")
    assert 4 <= analysis.worlds < 5000
    assert values(analysis) == {0: pytest.approx(0.7), 1: 0.5}
    assert analyse(toys.SafeOrGuess(), "depth=1,worlds=5000").worlds == 5000


# ---- Beyond the depth ----------------------------------------------------------------------------------------


def last_throw() -> aiplay.View:
    """Illusio after the first seat has thrown all its cards except one, which it may throw."""
    table = aiplay.Table(aiplay.load_game("illusio"), seed=3)
    while len(table.legal_moves()) != 2:
        table.play(next(move for move in table.legal_moves() if "throw" in table.state.move_text(move)))
    return table.view(table.to_move)


def test_it_ends_when_only_the_policy_is_left():
    analysis = aiplay.make_player("expectimax:time=60,value=game", seed=1).analyse(last_throw())
    assert analysis.depth == 1
    assert analysis.seconds < 60


@pytest.mark.parametrize("width", [1, 16])
def test_deeper_search_changes_nothing_if_there_is_nothing_to_plan(width):
    game = aiplay.load_game("illusio")
    found = {values(analyse(game, f"depth={depth},worlds=8,width={width},value=game"))[0] for depth in (1, 2)}
    assert len(found) == 1  # of move 0: to end the turn


def test_the_policy_plays_on_in_a_single_world_too():
    analysis = aiplay.make_player("expectimax:time=60,worlds=1,value=game", seed=1).analyse(last_throw())
    assert analysis.depth == analysis.worlds == 1


def test_playing_on_changes_the_evaluation():
    default, at_once = (
        analyse(aiplay.load_game("illusio"), f"depth=1,worlds=16,value=game{cutoff}")
        for cutoff in ("", ",cutoff=0")
    )
    assert values(default) != values(at_once)
    assert values(default) == values(
        analyse(aiplay.load_game("illusio"), "depth=1,worlds=16,value=game,cutoff=10")
    )  # the game's advice


@pytest.mark.parametrize("cutoff", [4, -1])
def test_playing_on_does_not_depend_on_how_a_position_is_reached(cutoff):
    """So pruning, ordering and the cache change no value, in an open game too."""
    game = aiplay.load_game("levitation")
    plain = analyse(game, f"depth=2,width=2,cutoff={cutoff},pruning=none,ordering=no,cache=0")
    for spec in ("", ",ordering=no", ",cache=0", ",pruning=alphabeta"):
        analysis = analyse(game, f"depth=2,width=2,cutoff={cutoff}{spec}")
        assert values(analysis) == pytest.approx(values(plain))


def test_a_cutoff_needs_a_policy():
    for name in ("pig", "leduc_poker"):
        view = aiplay.Table(aiplay.load_game(name), seed=1).view(0)
        for cutoff in (5, -1):
            player = aiplay.make_player(f"expectimax:depth=1,cutoff={cutoff}")
            with pytest.raises(aiplay.PlayerSpecError, match=f"cutoff={cutoff}.*{name} has no playout_move"):
                player.choose(view)
        assert aiplay.make_player("expectimax:depth=1,cutoff=0").choose(view) in view.legal_moves()
