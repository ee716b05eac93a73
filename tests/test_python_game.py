"""Games written in Python: exceptions are raised as they are, and common mistakes get a clear error."""

import pytest
from toy_games import Bidding, Matches

import aiplay
from aiplay import RandomStream, Table
from aiplay._core import measure
from aiplay.testing import check_game


class BoomError(Exception):
    """Raised by the methods of these tests."""


# ---- Exceptions --------------------------------------------------------------------------------------------

# Calls that reach each method, given a state with both cards dealt.
REACHED = {
    "setup": [lambda game, state: game.new_state(), lambda game, state: Table(game)],
    "to_move": [
        lambda game, state: state.to_move,
        lambda game, state: state.is_over,
        lambda game, state: state.view(0).to_move,
        lambda game, state: repr(state),
        lambda game, state: state.legal_moves(),
        lambda game, state: state.play(1),
        lambda game, state: measure.random_games(state, 5),
        lambda game, state: measure.survey(state, 5),
        lambda game, state: measure.perft(state, 2),
    ],
    "legal_moves": [
        lambda game, state: state.legal_moves(),
        lambda game, state: state.view(0).legal_moves(),
        lambda game, state: state.play(1),
        lambda game, state: state.play("1"),
        lambda game, state: state.move_text(1),
        lambda game, state: state.priors(),
        lambda game, state: state.playout_move(RandomStream(1)),
        lambda game, state: state.perceive(1, 0),
        lambda game, state: measure.generate_moves(state, 5),
        lambda game, state: measure.random_games(state, 5),
        lambda game, state: measure.play_out(state, RandomStream(1)),
        lambda game, state: measure.survey(state, 5),
        lambda game, state: measure.perft(state, 2),
        lambda game, state: measure.perceptions(state, 0),
        lambda game, state: aiplay.make_player("random").choose(state.view(0)),
        lambda game, state: aiplay.make_player("mcts:iterations=30").choose(state.view(0)),
        lambda game, state: aiplay.make_player("greedy").choose(state.view(0)),
    ],
    "play": [
        lambda game, state: state.play(1),
        lambda game, state: game.new_state().play_chance(RandomStream(1)),
        lambda game, state: measure.random_games(state, 5),
        lambda game, state: measure.survey(state, 5),
        lambda game, state: measure.perft(state, 3),
        lambda game, state: Table(game),
        lambda game, state: aiplay.make_player("mcts:iterations=30").choose(state.view(0)),
        lambda game, state: aiplay.make_player("greedy").choose(state.view(0)),
    ],
    "returns": [
        lambda game, state: end(state).returns(),
        lambda game, state: measure.survey(state, 5),
        lambda game, state: aiplay.make_player("mcts:iterations=30").choose(state.view(0)),
    ],
    "chance_outcomes": [
        lambda game, state: game.new_state().legal_moves(),
        lambda game, state: game.new_state().chance_outcomes(),
        lambda game, state: game.new_state().play(1),
        lambda game, state: game.new_state().play_chance(RandomStream(1)),
        lambda game, state: measure.random_games(game.new_state(), 5),
        lambda game, state: measure.perft(game.new_state(), 2),
    ],
    "perceive": [
        lambda game, state: state.perceive(1, 0),
        lambda game, state: measure.perceptions(state, 1),
        lambda game, state: aiplay.make_player("mcts:iterations=30").choose(state.view(0)),
    ],
    "conceal": [lambda game, state: state.view(0), lambda game, state: Table(game, seed=1).view(1)],
    "determinise": [
        lambda game, state: state.view(0).sample_world(1),
        lambda game, state: measure.sample_worlds(state.view(0), 5),
        lambda game, state: aiplay.make_player("mcts:iterations=30").choose(state.view(0)),
        lambda game, state: aiplay.make_player("greedy").choose(state.view(0)),
    ],
    "evaluate": [
        lambda game, state: state.evaluate(),
        lambda game, state: aiplay.make_player("greedy").choose(state.view(0)),
    ],
}
WAYS = [(method, number, BoomError) for method, ways in REACHED.items() for number in range(len(ways))]
OTHERS = (KeyboardInterrupt, StopIteration, MemoryError, SystemExit)  # nothing on the way may catch them
WAYS += [(method, 0, error) for method in REACHED for error in OTHERS]


def end(state):
    while not state.is_over:
        state.play(state.legal_moves()[0])
    return state


class Fragile(Bidding):
    """Raises `error` in the method `broken`."""

    broken = None
    error = None


def _make(name):
    def method(self, *arguments):
        if self.broken == name:
            raise self.error
        return getattr(Bidding, name)(self, *arguments)

    method.__annotations__ = getattr(Bidding, name).__annotations__
    return method


for _name in REACHED:
    setattr(Fragile, _name, _make(_name))


def dealt(game):
    state = game.new_state()
    state.play(2)
    state.play(3)
    return state


@pytest.mark.parametrize(("method", "number", "error"), WAYS)
def test_an_exception_is_raised_unchanged(method, number, error):
    game = Fragile()
    state = dealt(game)
    before = state.to_json()
    game.broken, game.error = method, error("told to")
    with pytest.raises(error) as caught:
        REACHED[method][number](game, state)
    assert caught.value is game.error
    assert caught.value.__cause__ is None
    # Once the exception is raised, the game works as before.
    game.broken = None
    if method != "returns":
        assert state.to_json() == before
    state = dealt(game)
    assert state.to_move == 0
    end(state).returns()


def test_check_game_passes_after_a_failure():
    game = Fragile()
    state = dealt(game)
    game.broken, game.error = "evaluate", BoomError()
    with pytest.raises(BoomError):
        state.evaluate()
    game.broken = None
    check_game(game, games=5)


@pytest.mark.parametrize("error", [BoomError, KeyboardInterrupt])
def test_exceptions_of_the_other_methods_are_raised_too(error):
    class Configured(Matches):
        def configure(self):
            raise error("configure")

    with pytest.raises(error, match="configure"):
        Configured()

    class Written(Matches):
        def move_text(self, position, move):
            raise error("move_text")

        def render(self, position):
            raise error("render")

        def check(self, fields, seat):
            raise error("check")

    state = Written().new_state()
    with pytest.raises(error, match="move_text"):
        state.play("1")
    with pytest.raises(error, match="render"):
        str(state)
    with pytest.raises(error, match="check"):
        state.game.state_from_json(state.to_json())


# ---- Common mistakes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["setup", "play", "conceal", "determinise"])
def test_a_method_that_returns_none_gets_a_clear_error(method):
    forgetful = type("Forgetful", (Bidding,), {method: lambda self, *arguments: None})
    reach = {
        "setup": lambda: forgetful().new_state(),
        "play": lambda: forgetful().new_state().play(1),
        "conceal": lambda: forgetful().new_state().view(0),
        "determinise": lambda: dealt(forgetful()).view(0).sample_world(1),
    }
    with pytest.raises(TypeError, match=f"{method} returned None, not the new state"):
        reach[method]()


TRIO = ("perceive", "conceal", "determinise")


@pytest.mark.parametrize(
    "present", [c for n in range(1, 7) for c in [[m for i, m in enumerate(TRIO) if n >> i & 1]]]
)
def test_hidden_information_needs_all_three_methods(present):
    methods = {name: getattr(Bidding, name) for name in present}
    partial = type("Partial", (Matches,), methods)
    missing = ", ".join(name for name in TRIO if name not in present)
    with pytest.raises(TypeError, match=f"Partial: a game with hidden information also needs {missing}$"):
        partial()


def test_chance_and_hidden_information_follow_from_the_methods():
    assert (Bidding().has_hidden, Bidding().has_chance) == (True, True)
    assert (Matches().has_hidden, Matches().has_chance) == (False, False)
    assert Bidding().offers("evaluate")
    assert not Matches().offers("evaluate")


@pytest.mark.parametrize("method", ["setup", "to_move", "legal_moves", "play", "returns"])
def test_a_missing_required_method_is_named(method):
    incomplete = type("Incomplete", (Matches,), {method: getattr(aiplay.PythonGame, method)})
    with pytest.raises(NotImplementedError, match=f"Incomplete.{method}"):
        end(incomplete().new_state()).returns()


@pytest.mark.parametrize(
    ("method", "answer", "error", "message"),
    [
        ("to_move", 2, ValueError, "to_move returned 2; allowed: 0 to 1, CHANCE, TERMINAL"),
        ("to_move", -2, ValueError, "to_move returned -2; allowed"),
        ("to_move", -1, TypeError, "to_move returned CHANCE, but Wrong has no chance_outcomes"),
        ("to_move", None, TypeError, None),
        ("to_move", 0.5, TypeError, None),
        ("to_move", "0", TypeError, None),
        ("legal_moves", [], ValueError, "legal_moves returned 0 moves; allowed: 1 to max_moves = 2"),
        ("legal_moves", [1, 2, 3], ValueError, "legal_moves returned 3 moves; allowed: 1 to max_moves = 2"),
        (
            "legal_moves",
            [2**31],
            ValueError,
            "legal_moves returned 2147483648; allowed: whole numbers from 0",
        ),
        ("legal_moves", ["1"], TypeError, None),
        ("legal_moves", [0.5, 1.5], TypeError, None),
        ("legal_moves", None, TypeError, None),
        ("legal_moves", 3, TypeError, None),
    ],
)
def test_a_wrong_result_of_to_move_or_legal_moves_is_reported(method, answer, error, message):
    wrong = type("Wrong", (Matches,), {method: lambda self, state: answer})
    for ask in (lambda s: s.legal_moves(), lambda s: s.play(1), lambda s: measure.random_games(s, 2)):
        with pytest.raises(error, match=message):
            ask(wrong().new_state())


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        ([], ValueError, "chance_outcomes returned 0 outcomes; allowed: 1 to max_moves = 4"),
        (
            [(i, 0.2) for i in range(5)],
            ValueError,
            "chance_outcomes returned 5 outcomes; allowed: 1 to max_moves = 4",
        ),
        ([1, 2], TypeError, None),
        ([(1, "x")], TypeError, None),
        ([(0.5, 1.0)], TypeError, None),
        (None, TypeError, None),
    ],
    ids=str,
)
def test_a_wrong_result_of_chance_outcomes_is_reported(answer, error, message):
    wrong = type("Wrong", (Bidding,), {"chance_outcomes": lambda self, state: answer})
    for ask in (
        lambda s: s.legal_moves(),
        lambda s: s.play_chance(RandomStream(1)),
        lambda s: measure.random_games(s, 2),
    ):
        with pytest.raises(error, match=message):
            ask(wrong().new_state())


@pytest.mark.parametrize(
    "answer", [[1.0], [1.0, 0.0, 0.0], [], None, 1.0, ["a", "b"], [None, None]], ids=repr
)
@pytest.mark.parametrize("method", ["returns", "evaluate"])
def test_returns_and_evaluate_need_one_number_per_seat(method, answer):
    wrong = type("Wrong", (Bidding,), {method: lambda self, state: answer})
    state = dealt(wrong())
    if isinstance(answer, list) and len(answer) != 2:
        expected = pytest.raises(ValueError, match=f"{method} returned {len(answer)} numbers, one for each")
    else:
        expected = pytest.raises(TypeError)
    with expected:
        end(state).returns() if method == "returns" else state.evaluate()


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"seats": 0}, "0 seats; allowed: 1 to 6"),
        ({"seats": 7}, "7 seats; allowed: 1 to 6"),
        ({"max_moves": 0}, "max_moves is 0; allowed: 1 to 1024"),
        ({"max_moves": 1025}, "max_moves is 1025; allowed: 1 to 1024"),
        ({"max_depth": 0}, "max_depth has to be positive"),
        ({"min_return": 1.0}, "min_return below max_return"),
        ({"max_return": float("nan")}, "min_return below max_return"),
        ({"playout_depth": -2}, "playout_depth is -2; allowed: -1"),
    ],
    ids=str,
)
def test_impossible_bounds_are_refused(bounds, message):
    with pytest.raises(TypeError, match=message):
        type("Wrong", (Matches,), bounds)()


@pytest.mark.parametrize(("depth", "seats"), [(0, [1]), (1, [0]), (aiplay.PythonGame.PLAY_TO_THE_END, [])])
def test_playout_depth_tells_search_when_to_evaluate(depth, seats):
    """The first iteration makes one move and starts a playout; the seat to move shows where it ended."""
    asked = []

    class Evaluating(Matches):
        playout_depth = depth

        def evaluate(self, state):
            asked.append(self.to_move(state))
            return [0.5, 0.5]

    aiplay.make_player("mcts:iterations=1,prior=none", seed=1).choose(Evaluating().new_state().view(0))
    assert asked == seats


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: game.new_state(),
        lambda game: game.state_from_json('{"game": "matches", "options": {}, "state": [5, 0]}'),
        lambda game: Table(game),
    ],
)
def test_an_init_that_does_not_call_super_gets_a_clear_error(ask):
    class Own(Matches):
        def __init__(self, n_matches):
            self.n_matches = n_matches

    game = Own(7)
    assert repr(game) == "load_game('matches')"
    with pytest.raises(
        TypeError, match=r"Own has an __init__ that does not call super\(\).*OPTIONS.*configure"
    ):
        ask(game)


def test_a_render_that_calls_itself_gets_a_short_error():
    class Endless(Matches):
        def render(self, position):
            return f"{position} left"

    with pytest.raises(RecursionError, match=r"render of Endless does not end.*position\.fields") as caught:
        str(Endless().new_state())
    assert len(caught.traceback) < 5
    assert caught.value.__context__ is None


def test_move_text_and_render_get_a_position_that_holds_the_state():
    seen = []

    class Shown(Bidding):
        def move_text(self, position, move):
            seen.append(position)
            return f"deals {move}" if position.to_move == self.CHANCE else f"bids {move}"

        def render(self, position):
            seen.append(position)
            return f"bids {position.fields.bids}"

    state = Shown().new_state()
    assert state.move_text(2) == "deals 2"
    state.play(2)
    state.play(3)
    assert state.view(0).move_text(1) == "bids 1"
    assert str(state.view(1)) == "bids ()"
    assert [type(position) for position in seen] == [aiplay.State, aiplay.View, aiplay.View]
    assert seen[-1].fields == Bidding.conceal(state.game, state.fields, 1)


def test_bounds_may_depend_on_options():
    class Any(Matches):
        OPTIONS = (aiplay.options.Option("players", 2, "seats", low=1, high=6),)

        def configure(self):
            self.seats = self.options["players"]

    assert Any().seats == 2
    assert Any(players=5).seats == 5
