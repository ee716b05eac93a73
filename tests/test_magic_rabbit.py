"""Magic Rabbit, rule by rule: options, deal, doves, turns, the end."""

import json
import math

import pytest

import aiplay
from aiplay._core.measure import survey
from aiplay.errors import IllegalMoveError, OptionError
from aiplay.testing import check_game

GAME = aiplay.load_game("magic_rabbit")
UNTIMED = aiplay.load_game("magic_rabbit", turns=0)

# Piles with a dove, as on the rules page: number of piles -> number of seats -> piles.
DOVES = {
    9: {1: [1, 3, 5, 7, 9], 2: [1, 3, 7, 9], 3: [1, 5, 9], 4: [1, 9]},
    8: {1: [1, 3, 6, 8], 2: [1, 3, 6, 8], 3: [1, 5, 8], 4: [1, 8]},
    7: {1: [1, 4, 7], 2: [1, 4, 7], 3: [1, 4, 7], 4: [1, 7]},
    6: {1: [1, 6], 2: [1, 6], 3: [1, 6], 4: [1, 6]},
}
SHAPES = [(piles, seats) for piles in DOVES for seats in DOVES[piles]]


def deal(hats, rabbits, first=0, game=GAME):
    """The state after a deal; hats and rabbits are given as digits."""
    state = game.new_state()
    for tile in (*hats, *rabbits, first):
        state.play(int(tile))
    return state


def play(state, *texts):
    for text in texts:
        state.play(text)
    return state


def digits(state, field):
    """Hats or rabbits as digits."""
    return "".join(str(tile) for tile in state.fields[field])


def doves(state):
    return [pile + 1 for pile in range(9) if state.fields["doves"] >> pile & 1]


def texts(position):
    return [position.move_text(move) for move in position.legal_moves()]


def mixed(first=0, game=GAME):
    return deal("987654321", "123456789", first, game)


@pytest.mark.parametrize(("piles", "seats"), SHAPES)
def test_the_game_keeps_the_contract(piles, seats):
    check_game(aiplay.load_game("magic_rabbit", piles=piles, players=seats), games=2)
    check_game(aiplay.load_game("magic_rabbit", piles=piles, players=seats, doves=False, turns=4), games=1)


# ---- Options -----------------------------------------------------------------------------------------------


def test_the_defaults_are_2_seats_9_piles_doves_and_20_turns():
    assert dict(GAME.options) == {
        "players": 2,
        "piles": 9,
        "doves": True,
        "turns": 20,
        "hats_hidden": False,
        "data": None,
    }
    assert GAME.is_cooperative
    assert GAME.has_hidden


@pytest.mark.parametrize(
    "wrong", [{"players": 0}, {"players": 5}, {"piles": 5}, {"piles": 10}, {"turns": -1}, {"turns": 201}]
)
def test_options_out_of_range_are_refused(wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        aiplay.load_game("magic_rabbit", **wrong)


@pytest.mark.parametrize("turns", [1, 3, 200])
def test_the_option_turns_replaces_the_hourglass(turns):
    game = aiplay.load_game("magic_rabbit", turns=turns)
    found = survey(game.new_state(), 20, 1)
    assert found["longest"] == found["moves"] == 2 * 9 + 1 + 2 * turns == game.max_depth


def test_a_state_is_at_most_256_bytes():
    assert GAME.state_size <= 256


# ---- Deal --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("piles", DOVES)
def test_the_deal_is_2n_chance_decisions_and_then_the_first_seat(piles):
    game = aiplay.load_game("magic_rabbit", piles=piles, players=3)
    state = game.new_state()
    for what in ("hat", "rabbit"):
        for pile in range(piles):
            assert state.to_move == aiplay.CHANCE
            left = [text for text in texts(state) if text.startswith(f"{what} ")]
            assert len(left) == len(state.legal_moves()) == piles - pile
            assert [p for _, p in state.chance_outcomes()] == [pytest.approx(1 / (piles - pile))] * (
                piles - pile
            )
            state.play(left[(7 * pile) % len(left)])
    assert texts(state) == ["first seat 0", "first seat 1", "first seat 2"]
    assert [p for _, p in state.chance_outcomes()] == [pytest.approx(1 / 3)] * 3
    state.play("first seat 2")
    assert state.to_move == 2


def test_with_one_seat_the_first_seat_is_still_a_chance_decision():
    state = aiplay.load_game("magic_rabbit", players=1).new_state()
    for _ in range(18):
        state.play(state.legal_moves()[0])
    assert texts(state) == ["first seat 0"]


def test_the_deal_has_9_factorial_squared_outcomes():
    state, outcomes = GAME.new_state(), 1
    while state.fields["n_dealt"] < 18:
        outcomes *= len(state.legal_moves())
        state.play(state.legal_moves()[-1])
    assert outcomes == math.factorial(9) ** 2


def test_the_deal_hides_the_rabbits_and_shows_the_hats():
    state = mixed()
    for seat in (0, 1):
        assert digits(state.view(seat), "rabbits") == "000000000"
        assert digits(state.view(seat), "hats") == "987654321"


# ---- Doves -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("piles", "seats"), SHAPES)
def test_doves_stand_where_the_rules_page_says(piles, seats):
    game = aiplay.load_game("magic_rabbit", piles=piles, players=seats)
    assert doves(game.new_state()) == DOVES[piles][seats]
    assert len(DOVES[piles][seats]) <= piles - 4


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_doves_may_be_left_out(seats):
    game = aiplay.load_game("magic_rabbit", players=seats, doves=False)
    assert doves(game.new_state()) == []


# ---- A turn: the action ------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_doves", [True, False])
@pytest.mark.parametrize(("piles", "seats"), SHAPES)
def test_with_f_free_piles_and_d_doves_there_are_f_squared_actions_and_1_plus_d_f_dove_moves(
    piles, seats, has_doves
):
    game = aiplay.load_game("magic_rabbit", piles=piles, players=seats, doves=has_doves)
    stream, state = aiplay.RandomStream(piles * seats), game.new_state()
    n_doves = len(DOVES[piles][seats]) if has_doves else 0
    free = piles - n_doves
    while state.to_move == aiplay.CHANCE:
        state.play_chance(stream)
    while not state.is_over:
        is_action = state.fields["phase"] == 0
        moves = state.legal_moves()
        assert len(moves) == (free * free if is_action else 1 + n_doves * free)
        assert len(doves(state)) == n_doves
        state.play(stream.choice(moves))
    assert game.max_moves == max(free * free, piles, 1 + n_doves * free)


def test_an_action_lifts_a_pile_or_switches_two_hats_or_two_piles():
    game = aiplay.load_game("magic_rabbit", piles=6)  # doves on A and F
    state = deal("123456", "123456", game=game)
    pairs = ["B C", "B D", "B E", "C D", "C E", "D E"]
    lifts = ["lift B", "lift C", "lift D", "lift E"]
    assert texts(state) == lifts + [f"hats {pair}" for pair in pairs] + [f"piles {pair}" for pair in pairs]


def test_a_pile_with_a_dove_cannot_be_touched():
    for text in ("lift A", "hats A B", "piles B I"):
        with pytest.raises(IllegalMoveError, match="no legal move"):
            mixed().play(text)


def test_a_lift_shows_the_rabbit_to_the_seat_that_lifts_only():
    state = play(mixed(), "lift D")
    assert digits(state.view(0), "rabbits") == "000400000"
    assert digits(state.view(1), "rabbits") == "000000000"
    assert state.fields["hats"].tolist() == mixed().fields["hats"].tolist()


def test_everybody_sees_which_pile_was_lifted_by_whom_and_when():
    state = play(mixed(first=1), "lift D", "stay", "lift E", "stay", "lift F", "stay")
    for seat in (0, 1):
        lifted = state.view(seat).fields["lifted"].tolist()
        assert lifted[3] == [0, 1, 0, 0]
        assert lifted[4] == [2, 0, 0, 0]
        assert lifted[5] == [0, 3, 0, 0]


def test_a_switch_of_hats_leaves_the_rabbits():
    state = play(mixed(), "hats B E")
    assert digits(state, "hats") == "957684321"
    assert digits(state, "rabbits") == "123456789"


def test_a_switch_of_piles_moves_hats_and_rabbits():
    state = play(mixed(), "piles B E")
    assert digits(state, "hats") == "957684321"
    assert digits(state, "rabbits") == "153426789"


def test_doves_keep_their_places_when_piles_are_switched():
    state = play(mixed(), "piles B E")
    assert doves(state) == [1, 3, 7, 9]


def test_there_is_no_pass_but_lifting_a_pile_again_changes_nothing():
    state = play(mixed(), "lift D", "stay", "lift E", "stay")
    assert "pass" not in texts(state)
    again = play(state.copy(), "lift D")
    before, after = json.loads(state.to_json())["state"], json.loads(again.to_json())["state"]
    assert {name for name in before if before[name] != after[name]} == {"phase", "actions"}
    assert again.view(0).fields["lifted"][3].tolist() == [1, 0, 0, 0]


# ---- A turn: the dove --------------------------------------------------------------------------------------


def test_the_dove_is_a_second_decision_of_the_same_seat():
    state = play(mixed(), "lift B")
    assert state.to_move == 0
    assert texts(state)[0] == "stay"
    assert play(state, "stay").to_move == 1


def test_a_dove_moves_to_any_hat_without_a_dove():
    state = play(mixed(), "lift B")
    assert texts(state) == ["stay"] + [f"dove {start} to {end}" for start in "ACGI" for end in "BDEFH"]
    assert doves(play(state, "dove C to H")) == [1, 7, 8, 9]


def test_a_dove_frees_the_pile_that_it_leaves():
    state = play(mixed(), "lift B", "dove A to B")
    assert "lift A" in texts(state)
    assert "lift B" not in texts(state)


def test_the_dove_decision_is_made_without_doves_too():
    state = play(mixed(game=aiplay.load_game("magic_rabbit", doves=False)), "lift A")
    assert texts(state) == ["stay"]


def test_the_dove_decision_is_made_in_the_last_turn_too():
    state = play(mixed(game=aiplay.load_game("magic_rabbit", turns=1)), "lift B")
    assert not state.is_over
    assert len(state.legal_moves()) == 21
    assert play(state, "dove A to B").is_over


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_seats_take_turns_from_the_first_seat_on(seats):
    game = aiplay.load_game("magic_rabbit", players=seats)
    state = mixed(first=seats - 1, game=game)
    seen = []
    for _ in range(5):
        seen.append(state.to_move)
        play(state, "lift B", "stay")
    assert seen == [(seats - 1 + turn) % seats for turn in range(5)]


# ---- The end -----------------------------------------------------------------------------------------------


def lift_to_the_end(state):
    while not state.is_over:
        play(state, "lift B" if state.fields["phase"] == 0 else "stay")
    return state


@pytest.mark.parametrize("piles", DOVES)
def test_success_is_hats_in_order_and_every_rabbit_under_its_own(piles):
    game = aiplay.load_game("magic_rabbit", piles=piles)
    tiles = range(1, piles + 1)
    assert lift_to_the_end(deal(tiles, tiles, game=game)).returns() == [1.0, 1.0]
    wrong = [*tiles[:-2], piles, piles - 1]
    for hats, rabbits in ((wrong, tiles), (tiles, wrong), (wrong, wrong)):
        assert lift_to_the_end(deal(hats, rabbits, game=game)).returns() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("hats", "rabbits"),
    [
        ("132456789", "123456789"),  # a hat out of order
        ("123456789", "132456789"),  # rabbits under the wrong hats
        ("132456789", "132456789"),  # rabbits under their hats, but not in order
        ("987654321", "987654321"),  # from the wrong end
    ],
)
def test_anything_else_is_failure(hats, rabbits):
    assert lift_to_the_end(deal(hats, rabbits)).returns() == [0.0, 0.0]


def test_the_game_lasts_until_the_turns_are_used_up():
    state = deal("123456789", "123456789")
    for turn in range(20):
        assert not state.is_over
        assert state.fields["n_turns"] == turn
        play(state, "lift B", "stay")
    assert state.is_over
    assert state.to_move == aiplay.TERMINAL


def test_the_last_turn_can_spoil_the_result():
    state = deal("123456789", "123456789")
    for _ in range(19):
        play(state, "lift B", "stay")
    assert play(state, "hats B D", "stay").returns() == [0.0, 0.0]


def test_a_dove_on_a_finished_pile_does_no_harm():
    game = aiplay.load_game("magic_rabbit", turns=1)
    assert play(deal("123456789", "123456789", game=game), "lift B", "dove A to B").returns() == [1.0, 1.0]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_all_seats_share_the_result(seats):
    game = aiplay.load_game("magic_rabbit", players=seats)
    assert lift_to_the_end(deal("123456789", "123456789", game=game)).returns() == [1.0] * seats


def test_random_teams_never_succeed():
    found = survey(GAME.new_state(), 3000, 1)
    assert found["returns"] == [0.0, 0.0]
    assert found["unfinished"] == 0


# ---- Notation and drawing ----------------------------------------------------------------------------------


def test_the_notation_of_moves():
    state = GAME.new_state()
    assert state.move_text(3) == "hat 3"
    state = mixed()
    assert state.parse_move("  LIFT   d ") == 4
    assert state.parse_move("hats B E") == 125
    assert state.parse_move("piles B E") == 225
    play(state, "lift D")
    assert state.parse_move("stay") == 300
    assert state.parse_move("dove A to D") == 314


def test_the_drawing_of_a_state_shows_everything():
    state = play(mixed(), "lift D", "dove I to H", "lift D", "stay", "lift B")
    assert str(state) == (
        "turn 3 of 20, seat 0 to move a dove: one of them, or none (stay)\n"
        "pile     A  B  C  D  E  F  G  H  I\n"
        "dove     v     v           v  v\n"
        "hat      9  8  7  6  5  4  3  2  1\n"
        "rabbit   1  2  3  4  5  6  7  8  9\n"
        "lifted      0    01\n"
        "goal     1  2  3  4  5  6  7  8  9\n"
        "goal: the hat and the rabbit that belong on the pile; ?: hidden; -: not dealt\n"
        "v: a dove, no lift and no switch here; lifted: seats that have seen the rabbit\n"
        "turn 1, seat 0: lift D, dove I to H\n"
        "turn 2, seat 1: lift D, stay\n"
        "turn 3, seat 0: lift B"
    )


def test_the_drawing_shows_the_last_four_turns():
    state = mixed()
    for pile in "BDEFH":
        play(state, f"lift {pile}", "stay")
    assert str(state.view(0)).splitlines()[9:] == [
        f"turn {turn}, seat {(turn - 1) % 2}: lift {pile}, stay" for turn, pile in enumerate("DEFH", 2)
    ]


def test_the_drawing_of_a_view_shows_only_the_rabbits_that_the_seat_knows():
    state = play(mixed(), "lift D", "dove I to H", "lift D", "stay", "lift B")
    assert str(state.view(1)).splitlines()[4] == "rabbit   ?  ?  ?  4  ?  ?  ?  ?  ?"
    assert str(state.view(0)).splitlines()[4] == "rabbit   ?  2  ?  4  ?  ?  ?  ?  ?"


def test_the_drawing_of_the_deal_and_of_the_end():
    state = GAME.new_state()
    play(state, "hat 5")
    assert str(state).splitlines()[0] == "the deal"
    assert str(state).splitlines()[3] == "hat      5  -  -  -  -  -  -  -  -"
    assert str(state).splitlines()[4] == "rabbit   -  -  -  -  -  -  -  -  -"
    assert str(lift_to_the_end(mixed())).splitlines()[0] == "over after 20 turns: failure"


def test_with_hats_hidden_drawings_hide_the_hats_under_doves_until_the_end():
    game = aiplay.load_game("magic_rabbit", hats_hidden=True, turns=2)
    state = play(deal("987654321", "123456789", game=game), "lift D", "dove I to H")
    for position in (state, state.view(0), state.view(1)):
        assert str(position).splitlines()[3] == "hat      ?  8  ?  6  5  4  ?  ?  1"
        assert digits(position, "hats") == "987654321"  # whoever remembers still knows them
    play(state, "lift D", "stay")
    for position in (state, state.view(0)):
        assert str(position).splitlines()[3] == "hat      9  8  7  6  5  4  3  2  1"


def test_hats_hidden_changes_nothing_but_drawings():
    open_game, hidden = GAME, aiplay.load_game("magic_rabbit", hats_hidden=True)
    state, twin = mixed(game=open_game), mixed(game=hidden)
    stream = aiplay.RandomStream(1)
    while not state.is_over:
        assert state.view(0).to_bytes() == twin.view(0).to_bytes()
        assert state.legal_moves() == twin.legal_moves()
        move = state.playout_move(stream)
        state.play(move)
        twin.play(move)
    assert state.returns() == twin.returns()


# ---- Without an hourglass ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("has_doves", [True, False])
def test_the_game_without_an_hourglass_keeps_the_contract(seats, has_doves):
    check_game(aiplay.load_game("magic_rabbit", players=seats, doves=has_doves, turns=0), games=2)


def test_without_an_hourglass_a_seat_may_say_done_at_the_start_of_its_turn():
    state = mixed(game=UNTIMED)
    assert texts(state)[0] == "done"
    assert len(texts(state)) == 5 * 5 + 1
    play(state, "lift D")
    assert "done" not in texts(state)
    play(state, "stay")
    assert texts(state)[0] == "done"


def test_with_an_hourglass_nobody_can_say_done():
    with pytest.raises(IllegalMoveError, match="no legal move"):
        mixed().play("done")


@pytest.mark.parametrize(("rabbits", "result"), [("123456789", 1.0), ("132456789", 0.0)])
def test_done_ends_the_game_and_reveals_the_rabbits(rabbits, result):
    state = play(deal("123456789", rabbits, game=UNTIMED), "lift D", "stay", "done")
    assert state.is_over
    assert state.returns() == [result, result]
    for seat in (0, 1):
        view = state.view(seat)
        assert digits(view, "rabbits") == rabbits
        assert UNTIMED.view_from_json(view.to_json()) == view
        assert str(view).splitlines()[0] == f"over after 1 turn: {'success' if result else 'failure'}"
    assert UNTIMED.state_from_json(state.to_json()) == state


def test_without_an_hourglass_the_game_ends_by_itself_after_200_turns():
    state = deal("123456789", "123456789", game=UNTIMED)
    for turn in range(200):
        assert state.fields["n_turns"] == turn
        assert not state.is_over
        play(state, "lift B", "stay")
    assert state.is_over
    assert state.returns() == [1.0, 1.0]
    assert UNTIMED.max_depth == 2 * 9 + 1 + 2 * 200


def test_the_headline_without_an_hourglass_names_no_last_turn():
    assert str(mixed(game=UNTIMED)).splitlines()[0] == (
        "turn 1, seat 0 to act: look (lift), or switch two hats or piles, or say done"
    )
