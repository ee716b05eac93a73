"""Games written in Python: played like any other, exceptions surface as themselves, nothing is leaked."""

import gc
import importlib.util
import runpy
import sys
from pathlib import Path

import pytest
from toy_games import Bidding, Matches

import aiplay
from aiplay import RandomStream, Table
from aiplay._core import measure
from aiplay.testing import check_game

EXAMPLE = Path(__file__).parents[1] / "examples" / "high_card.py"


class BoomError(Exception):
    """What the methods of these tests raise."""


# ---- Exceptions --------------------------------------------------------------------------------------------

# How each method is reached from the face, on a state with both cards dealt unless it says otherwise.
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
OTHERS = (KeyboardInterrupt, StopIteration, MemoryError, SystemExit)  # treated by nobody on the way
WAYS += [(method, 0, error) for method in REACHED for error in OTHERS]


def end(state):
    while not state.is_over:
        state.play(state.legal_moves()[0])
    return state


class Fragile(Bidding):
    """Raises in one method, once it is told to."""

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
def test_an_exception_surfaces_as_itself(method, number, error):
    game = Fragile()
    state = dealt(game)
    before = state.to_json()
    game.broken, game.error = method, error("told to")
    with pytest.raises(error) as caught:
        REACHED[method][number](game, state)
    assert caught.value is game.error
    assert caught.value.__cause__ is None
    # The game is as good as before: the failure is over when it has been raised.
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
def test_exceptions_of_the_other_methods_surface_too(error):
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


# ---- Mistakes that are easily made -------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["setup", "play", "conceal", "determinise"])
def test_a_method_that_returns_nothing_is_told_so(method):
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


def test_what_a_game_has_follows_from_its_methods():
    assert (Bidding().has_hidden, Bidding().has_chance) == (True, True)
    assert (Matches().has_hidden, Matches().has_chance) == (False, False)
    assert Bidding().offers("evaluate")
    assert not Matches().offers("evaluate")


@pytest.mark.parametrize("method", ["setup", "to_move", "legal_moves", "play", "returns"])
def test_a_required_method_that_is_missing_is_named(method):
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
        ("legal_moves", [2**31], OverflowError, None),
        ("legal_moves", ["1"], TypeError, None),
        ("legal_moves", [0.5, 1.5], TypeError, None),
        ("legal_moves", None, TypeError, None),
        ("legal_moves", 3, TypeError, None),
    ],
)
def test_a_wrong_answer_of_a_decision_is_told(method, answer, error, message):
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
def test_a_wrong_answer_of_chance_is_told(answer, error, message):
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
def test_a_wrong_number_of_numbers_is_told(method, answer):
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


@pytest.mark.parametrize(("depth", "guessed"), [(0, [1]), (1, [0]), (aiplay.PythonGame.PLAY_TO_THE_END, [])])
def test_playout_depth_tells_search_when_to_ask_for_a_guess(depth, guessed):
    """The first iteration makes a move and plays on from there; who moves then tells how far it went."""
    asked = []

    class Guessing(Matches):
        playout_depth = depth

        def evaluate(self, state):
            asked.append(self.to_move(state))
            return [0.5, 0.5]

    aiplay.make_player("mcts:iterations=1,prior=none", seed=1).choose(Guessing().new_state().view(0))
    assert asked == guessed


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: game.new_state(),
        lambda game: game.state_from_json('{"game": "matches", "options": {}, "state": [5, 0]}'),
        lambda game: Table(game),
    ],
)
def test_an_own_init_that_leaves_the_game_out_is_told(ask):
    class Own(Matches):
        def __init__(self, n_matches):
            self.n_matches = n_matches

    game = Own(7)
    assert repr(game) == "load_game('matches')"
    with pytest.raises(
        TypeError, match=r"Own has an __init__ that does not call super\(\).*OPTIONS.*configure"
    ):
        ask(game)


def test_a_drawing_that_draws_itself_is_told_in_a_line():
    class Endless(Matches):
        def render(self, position):
            return f"{position} left"

    with pytest.raises(RecursionError, match=r"render of Endless does not end.*position\.fields") as caught:
        str(Endless().new_state())
    assert len(caught.traceback) < 5
    assert caught.value.__context__ is None


def test_notation_and_drawing_get_a_position_with_the_state_in_it():
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


# ---- Nothing leaked ----------------------------------------------------------------------------------------


class Counted:
    """A state that knows how many of its kind are alive."""

    alive = 0

    def __init__(self, left, seat):
        self.left, self.seat = left, seat
        Counted.alive += 1

    def __del__(self):
        Counted.alive -= 1

    def __eq__(self, other):
        return (self.left, self.seat) == (other.left, other.seat)

    def __hash__(self):
        return hash((self.left, self.seat))


class CountedMatches(Matches):
    """Matches with dice and views that hide nothing, so that every function of the contract runs."""

    fails = ""

    def maybe(self, method):
        if self.fails == method:
            raise BoomError(method)

    def setup(self) -> Counted:
        self.maybe("setup")
        return Counted(5, 0)

    def to_move(self, state):
        self.maybe("to_move")
        return self.TERMINAL if state.left <= 0 else self.CHANCE if state.left == 4 else state.seat

    def legal_moves(self, state):
        self.maybe("legal_moves")
        return [1, 2]

    def chance_outcomes(self, state):
        self.maybe("chance_outcomes")
        return [(1, 0.5), (2, 0.5)]

    def play(self, state, move):
        new = Counted(state.left - move, 1 - state.seat)
        self.maybe("play")
        return new

    def returns(self, state):
        self.maybe("returns")
        return [state.seat, 1 - state.seat]

    def perceive(self, state, move, seat):
        self.maybe("perceive")
        return move

    def conceal(self, state, seat):
        self.maybe("conceal")
        return Counted(state.left, state.seat)

    def determinise(self, view, seat, stream):
        self.maybe("determinise")
        return Counted(view.left, view.seat)

    def evaluate(self, state):
        self.maybe("evaluate")
        return [0.5, 0.5]


def use_everything(game):
    """Every function of the face once."""
    state = game.new_state()
    state.play(1)
    state.play_chance(RandomStream(1))
    view = state.view(0)
    view.sample_world(1).copy()
    state.perceive(1, 0)
    state.evaluate()
    hash(state)
    measure.perft(state, 3)
    measure.survey(state, 3)
    measure.sample_worlds(view, 3)
    measure.copy_states(state, 3)
    measure.random_games(state, 3)
    end(state).returns()


def test_nothing_is_left_after_ten_thousand_games():
    game = CountedMatches()
    measure.random_games(game.new_state(), 10_000)
    gc.collect()
    assert Counted.alive == 0


def test_nothing_is_left_after_using_everything():
    game = CountedMatches()
    for _ in range(50):
        use_everything(game)
    gc.collect()
    assert Counted.alive == 0


@pytest.mark.parametrize(
    "method",
    [
        "setup",
        "to_move",
        "legal_moves",
        "chance_outcomes",
        "play",
        "returns",
        "perceive",
        "conceal",
        "determinise",
    ],
)
def test_nothing_is_left_after_errors(method):
    game = CountedMatches()
    use_everything(game)
    game.fails = method
    for _ in range(50):
        with pytest.raises(BoomError, match=method):
            use_everything(game)
    gc.collect()
    assert Counted.alive == 0
    game.fails = ""
    use_everything(game)


def test_the_exception_itself_is_not_kept():
    game = CountedMatches()
    game.fails = "play"
    state = game.new_state()
    with pytest.raises(BoomError) as caught:
        state.play(1)
    error = caught.value
    del caught
    error.__traceback__ = None
    gc.collect()
    # The variable here, and the argument of getrefcount.
    assert sys.getrefcount(error) == 2


def test_copies_count_references_and_give_them_back():
    marker = (5, 0)

    class Marked(Matches):
        def setup(self):
            return marker

    before = sys.getrefcount(marker)
    game = Marked()
    states = [game.new_state().copy() for _ in range(100)]
    assert sys.getrefcount(marker) == before + 100
    del states
    assert sys.getrefcount(marker) == before


def test_a_game_lives_as_long_as_its_states():
    state = CountedMatches().new_state()
    gc.collect()
    assert state.play(1) == 1


# ---- The example -------------------------------------------------------------------------------------------


@pytest.fixture
def high_card():
    spec = importlib.util.spec_from_file_location("high_card", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["high_card"] = module  # so that its game can be pickled
    spec.loader.exec_module(module)
    yield module
    del sys.modules["high_card"]


def test_the_example_is_short():
    assert len(EXAMPLE.read_text().splitlines()) < 60


def test_the_example_keeps_the_contract(high_card):
    check_game(high_card.HighCard())


def test_the_example_plays_by_its_rules(high_card):
    def returns(first, second, bet, call):
        state = high_card.HighCard().new_state()
        for move in (first, second, bet, call):
            state.play(move)
        return state.returns()

    assert returns(9, 4, 3, 1) == [3.0, -3.0]
    assert returns(2, 4, 2, 1) == [-2.0, 2.0]
    assert returns(2, 4, 3, 0) == [1.0, -1.0]  # folding loses one, whatever the cards are


def test_the_example_shows_a_short_game(capsys):
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[-1].startswith("returns: [")
