"""States and views in Python: queries, moves, copies, comparison, pickles, fields, and every error."""

import copy
import gc
import io
import pickle

import numpy as np
import pytest
from toy_games import Bidding

import aiplay
from aiplay import IllegalMoveError, RandomStream

FOUR = aiplay.load_game("connect_four")
LEDUC = aiplay.load_game("leduc_poker")
PIG = aiplay.load_game("pig", players=3)
GAMES = pytest.mark.parametrize("game", [FOUR, LEDUC, PIG, Bidding()], ids=repr)


def dealt():
    """Leduc poker with both hands dealt: seat 0 has Js, seat 1 has Kh."""
    state = LEDUC.new_state()
    state.play("Js")
    state.play("Kh")
    return state


# ---- Games -------------------------------------------------------------------------------------------------


def test_a_game_knows_its_bounds():
    assert (FOUR.seats, FOUR.max_moves, FOUR.max_depth) == (2, 7, 42)
    assert (FOUR.has_chance, FOUR.has_hidden, FOUR.is_cooperative) == (False, False, False)
    assert (LEDUC.has_chance, LEDUC.has_hidden) == (True, True)
    assert PIG.seats == 3
    assert (PIG.min_return, PIG.max_return) == (-1.0, 1.0)


def test_the_dtype_describes_the_struct():
    assert FOUR.dtype.names == ("stones", "n_stones", "winner")
    assert FOUR.dtype.itemsize == FOUR.state_size
    assert FOUR.dtype["stones"] == np.dtype((np.uint64, 2))


@GAMES
def test_games_are_equal_by_kind_and_options(game):
    twin = type(game)(**game.options)
    assert twin == game
    assert hash(twin) == hash(game)
    assert twin is not game
    assert pickle.loads(pickle.dumps(game)) == game
    assert game != FOUR or game is FOUR
    assert game != "connect_four"


def test_other_options_are_another_game():
    assert aiplay.load_game("pig", players=2) != PIG
    assert aiplay.load_game("pig", players=2).new_state() != aiplay.load_game("pig", target=50).new_state()


def test_a_game_is_immutable():
    with pytest.raises(TypeError, match="a game is immutable"):
        PIG.__init__(players=2)
    with pytest.raises(TypeError):
        PIG.options["players"] = 2
    with pytest.raises(AttributeError):
        PIG.seats = 2
    assert PIG.seats == 3


@pytest.mark.parametrize("cls", [aiplay.Game, type(FOUR).__base__.__base__])
def test_a_game_without_rules_cannot_be_made(cls):
    with pytest.raises(TypeError, match=r"Game is not a complete game: load one with aiplay.load_game"):
        cls()


@GAMES
def test_the_repr_of_a_game_loads_it(game):
    assert repr(game).startswith(f"load_game('{game.name}'")
    if game.name in aiplay.game_names():
        assert eval(repr(game), {"load_game": aiplay.load_game}) == game


# ---- Queries -----------------------------------------------------------------------------------------------


def test_a_state_knows_whose_turn_it_is():
    state = LEDUC.new_state()
    assert state.to_move == aiplay.CHANCE
    assert repr(state) == "<State of leduc_poker, chance to decide>"
    assert repr(dealt()) == "<State of leduc_poker, seat 0 to move>"
    assert repr(dealt().view(1)) == "<View of leduc_poker by seat 1, seat 0 to move>"
    over = dealt()
    for move in ("raise", "fold"):
        over.play(move)
    assert over.to_move == aiplay.TERMINAL
    assert over.is_over
    assert repr(over) == "<State of leduc_poker, over>"


def test_the_constants():
    assert (aiplay.CHANCE, aiplay.TERMINAL) == (-1, -4)


def test_there_are_chance_outcomes_only_when_chance_is_to_move():
    assert len(LEDUC.new_state().chance_outcomes()) == 6
    assert dealt().chance_outcomes() == []
    assert FOUR.new_state().chance_outcomes() == []


@GAMES
def test_returns_exist_only_at_the_end_and_evaluations_only_before(game):
    state = game.new_state()
    with pytest.raises(ValueError, match="the game is not over: there are no returns yet"):
        state.returns()
    assert len(state.evaluate()) == game.seats
    stream = RandomStream(1)
    while not state.is_over:
        state.play(stream.choice(state.legal_moves()))
    assert len(state.returns()) == game.seats
    assert state.legal_moves() == []
    with pytest.raises(ValueError, match=r"the game is over: ask returns\(\)"):
        state.evaluate()


def test_priors_are_equal_by_default():
    assert FOUR.new_state().priors() == [(column, 1.0) for column in range(7)]


def test_playout_moves_are_uniform_by_default():
    stream, state, n = RandomStream(3), FOUR.new_state(), 7000
    counts = np.bincount([state.playout_move(stream) for _ in range(n)], minlength=7)
    assert abs(counts - n / 7).max() < 5 * (n / 7) ** 0.5
    with pytest.raises(ValueError, match="no seat is to move"):
        LEDUC.new_state().playout_move(stream)


# ---- Moves -------------------------------------------------------------------------------------------------


def test_moves_are_numbers_or_notation():
    for move in (3, np.int8(3), np.uint64(3), "4", " 4 "):
        state = FOUR.new_state()
        assert state.play(move) == 3
        assert type(state.play(move)) is int


def test_notation_ignores_case_and_extra_spaces():
    state = dealt()
    assert state.parse_move("  RaISe ") == 2
    assert state.move_text(2) == "raise"


@pytest.mark.parametrize("move", [7, -1, 42, 2**31, 2**40, 10**30, np.int64(7)], ids=repr)
def test_an_illegal_number_is_refused(move):
    state = FOUR.new_state()
    with pytest.raises(IllegalMoveError, match=f"move {move} is not legal"):
        state.play(move)
    with pytest.raises(IllegalMoveError, match=f"move {move} is not legal"):
        state.move_text(move)
    assert state == FOUR.new_state()


@pytest.mark.parametrize("move", [None, 3.0, True, False, b"3", [3], (3,), np.float64(3)], ids=repr)
def test_a_value_that_is_not_a_move_is_refused(move):
    with pytest.raises(IllegalMoveError, match="a move is a whole number or its notation, not"):
        FOUR.new_state().play(move)


@pytest.mark.parametrize("text", ["", "8", "0", "four", "4 4", "fold"])
def test_an_unknown_notation_is_refused(text):
    with pytest.raises(
        IllegalMoveError, match=f"no legal move reads '{text}'; legal moves: 0 \\(1\\), 1 \\(2\\)"
    ):
        FOUR.new_state().play(text)


def test_a_notation_is_text():
    with pytest.raises(IllegalMoveError, match="a notation is text, not 3"):
        FOUR.new_state().parse_move(3)


def test_the_message_lists_the_legal_moves():
    with pytest.raises(IllegalMoveError, match=r"move 0 is not legal; legal moves: 1 \(call\), 2 \(raise\)$"):
        dealt().play(0)


def test_nothing_is_legal_when_the_game_is_over():
    state = FOUR.new_state()
    for column in "1212121":
        state.play(column)
    with pytest.raises(IllegalMoveError, match="move 3 is not legal; the game is over"):
        state.play(3)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        state.play("4")


def test_an_outcome_of_chance_is_played_by_number_or_sampled_from_a_stream():
    state = LEDUC.new_state()
    assert state.play_chance(RandomStream(5)) in range(6)
    assert state.play(next(move for move, _ in state.chance_outcomes())) in range(6)
    with pytest.raises(IllegalMoveError, match="chance is not to move; legal moves: 1"):
        state.play_chance(RandomStream(5))
    for wrong in (None, 5):
        with pytest.raises(TypeError):
            LEDUC.new_state().play_chance(wrong)


# ---- Views -------------------------------------------------------------------------------------------------


def test_a_view_lists_moves_of_its_own_seat_only():
    state = dealt()
    assert state.view(0).legal_moves() == [1, 2]
    assert state.view(1).legal_moves() == []
    assert LEDUC.new_state().view(0).legal_moves() == []  # chance is to move


def test_a_view_has_notation_for_its_own_seat_only():
    state = dealt()
    assert state.view(0).move_text(2) == "raise"
    assert state.view(0).parse_move("raise") == 2
    with pytest.raises(IllegalMoveError, match="move 2 is not legal; seat 0 is to move"):
        state.view(1).move_text(2)
    with pytest.raises(IllegalMoveError, match="no legal move reads 'raise'; seat 0 is to move"):
        state.view(1).parse_move("raise")
    with pytest.raises(IllegalMoveError, match="move 2 is not legal; chance is to move"):
        LEDUC.new_state().view(1).move_text(2)


@pytest.mark.parametrize(
    "name", ["play", "play_chance", "chance_outcomes", "returns", "evaluate", "priors", "view"]
)
def test_a_view_has_no_methods_that_need_the_truth(name):
    assert hasattr(dealt(), name)
    assert not hasattr(dealt().view(0), name)


@pytest.mark.parametrize("seat", [-1, 2, 6, True, 1.0, None, "0"], ids=repr)
def test_a_seat_that_does_not_exist_is_refused(seat):
    with pytest.raises(ValueError, match=r"seat is .*; allowed: 0 to 1"):
        dealt().view(seat)
    for state in (dealt(), FOUR.new_state()):
        with pytest.raises(ValueError, match=r"seat is .*; allowed: 0 to 1"):
            state.perceive(1, seat)


def test_worlds_depend_on_their_seed():
    view = dealt().view(0)
    assert view.sample_world(7) == view.sample_world(7)
    assert len({view.sample_world(seed) for seed in range(60)}) == 5
    assert len({view.sample_world() for _ in range(60)}) > 1
    for seed in (-1, 2**64, 1.5, "1", True):
        with pytest.raises(ValueError, match=r"seed is .*; allowed: a whole number from 0"):
            view.sample_world(seed)


def test_believed_worlds_are_sampled_ones_in_games_without_believe():
    view = dealt().view(0)
    assert not LEDUC.offers("believe")
    assert all(view.sample_world(seed, believed=True) == view.sample_world(seed) for seed in range(20))
    assert FOUR.new_state().view(1).sample_world(3, believed=True) == FOUR.new_state()


def test_a_game_knows_which_optional_functions_it_has():
    assert FOUR.offers("evaluate")
    assert not any(FOUR.offers(function) for function in ("priors", "features", "believe"))
    assert FOUR.offers("playout_move")
    assert not aiplay.load_game("pig").offers("playout_move")
    with pytest.raises(
        ValueError,
        match="'play' is not optional; allowed: evaluate, priors, playout_move, policy_playout, believe",
    ):
        FOUR.offers("play")


def test_the_view_is_the_state_in_games_that_hide_nothing():
    state = FOUR.new_state()
    state.play("4")
    assert state.view(0).to_bytes() == state.to_bytes()
    assert state.view(1).sample_world(3) == state
    assert state.perceive(3, 0) == 3
    assert type(state.perceive(np.int64(3), 0)) is int


# ---- Copies, equality, hash, pickle ------------------------------------------------------------------------


@GAMES
@pytest.mark.parametrize(
    "way", [lambda s: s.copy(), copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_copies_are_equal_and_independent(game, way):
    state = game.new_state()
    state.play(state.legal_moves()[0])
    before = state.to_json()
    for original in (state, state.view(0)):
        twin = way(original)
        assert twin == original
        assert twin is not original
        assert type(twin) is type(original)
        assert hash(twin) == hash(original)
    twin = way(state)
    twin.play(twin.legal_moves()[0])
    assert twin != state
    assert state.to_json() == before


def test_only_positions_of_the_same_kind_are_equal():
    state = FOUR.new_state()
    assert state != state.view(0)
    assert state.view(0) != state.view(1)  # the same bytes, seen by different seats
    assert state != FOUR
    assert state != 3
    assert state != PIG.new_state()


def test_positions_reached_in_different_ways_are_equal():
    states = []
    for columns in ("1234", "3214", "1432"):
        states.append(FOUR.new_state())
        for column in columns:
            states[-1].play(column)
    assert len(set(states)) == 1


def test_different_states_have_different_hashes():
    stream, hashes, states = RandomStream(2), set(), set()
    for _ in range(300):
        state = FOUR.new_state()
        while not state.is_over:
            state.play(stream.choice(state.legal_moves()))
            states.add(state.copy())
            hashes.add(hash(state))
    assert len(hashes) == len(states) > 5000


@GAMES
def test_positions_cannot_be_constructed_directly(game):
    for cls in (aiplay.State, aiplay.View):
        with pytest.raises(TypeError, match="positions come from games"):
            cls()
        with pytest.raises(TypeError):
            cls(game)


# ---- Fields and buffers ------------------------------------------------------------------------------------


def test_fields_share_the_memory_of_the_state():
    state = FOUR.new_state()
    fields = state.fields
    assert fields["n_stones"] == 0
    state.play("4")
    assert fields["n_stones"] == 1
    assert np.shares_memory(fields["stones"], state.fields["stones"])


def test_fields_cannot_be_written():
    state = FOUR.new_state()
    with pytest.raises(ValueError, match="read-only"):
        state.fields["n_stones"] = 3
    with pytest.raises(ValueError, match="read-only"):
        state.fields["stones"][0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        state.fields["stones"].flags.writeable = True
    assert state == FOUR.new_state()


def test_fields_keep_the_memory_alive():
    state = FOUR.new_state()
    state.play("4")
    fields = state.fields
    del state
    gc.collect()
    assert fields["n_stones"] == 1


def test_the_buffer_of_a_state_is_its_bytes():
    state = FOUR.new_state()
    state.play("4")
    memory = memoryview(state)
    assert memory.readonly
    assert bytes(memory) == state.to_bytes()
    assert len(memory) == FOUR.state_size
    with pytest.raises((TypeError, BufferError), match=r"read-only|read-write"):
        io.BytesIO(b"overwritten" * 9).readinto(state)
    assert bytes(memory) == state.to_bytes()


def test_hidden_fields_of_a_view_are_blank():
    assert dealt().view(0).fields["hands"].tolist() == [0, -1]
    assert dealt().view(1).fields["hands"].tolist() == [-1, 5]


def test_fields_of_a_game_written_in_python_are_its_state():
    state = Bidding().new_state()
    assert state.fields == ((), ())
    with pytest.raises(BufferError, match="a state of bidding is a Python object"):
        memoryview(state)
