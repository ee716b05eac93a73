"""Levitation: set-up, the order of turns, the three masters and activations."""

import pytest
from levitation_positions import (
    after,
    card_in,
    card_number,
    cards_of,
    choose_chance,
    flair_on,
    from_fields,
    game_of,
    phase_of,
    play,
    position,
    score,
    texts,
    tickets_in,
    to_fields,
)

from aiplay._core.games.levitation.state import MOVE_TOKEN
from aiplay._core.stream import RandomStream
from aiplay.games.levitation.data import COLOURS


def dealt(players: int = 2, seed: int = 1):
    """Return a new game with its cities dealt."""
    state, stream = game_of(players).new_state(), RandomStream(seed)
    for _ in range(15):
        state.play_chance(stream)
    return state


def used(state, name: str) -> bool:
    return bool(int(state.fields["used"]) >> card_number(name) & 1)


# ---- Set-up ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_game_starts_with_a_card_in_each_city_two_cubes_no_tickets_no_points(players):
    state = dealt(players)
    fields = state.fields
    assert len({int(card) for card in fields["city_cards"]}) == 15
    assert int(fields["deck"]).bit_count() == 33
    assert fields["cubes"].tolist() == [2] * players + [0] * (5 - players)
    assert fields["unused"].tolist() == [10] * players + [0] * (5 - players)
    assert not fields["hand"].any()
    assert not fields["scores"].any()
    assert not fields["dice"].any()


def test_cities_are_dealt_left_to_right_top_to_bottom():
    state = game_of(2).new_state()
    for city in range(15):
        assert (state.fields["city_cards"] >= 0).tolist() == [True] * city + [False] * (15 - city)
        assert len(state.chance_outcomes()) == 48 - city
        state.play(state.legal_moves()[-1])


def test_tokens_are_revealed_from_seat_0_on():
    state = dealt(3)
    for seat in range(3):
        assert phase_of(state) == "tokens"
        assert [number > 0 for number in state.fields["revealed"][:3]] == [other < seat for other in range(3)]
        state.play("token 2")
    assert phase_of(state) == "start"


def test_every_card_of_the_deck_is_drawn_with_the_same_probability():
    state = game_of(2).new_state()
    assert [p for _, p in state.chance_outcomes()] == pytest.approx([1 / 48] * 48)
    state = position(tickets={0: ["Tokyo", "Naples"]}, hand={0: 1}, die="green Kellar", deck=7)
    play(state, "place London", "claim Naples-Tokyo-London")
    assert [p for _, p in state.chance_outcomes()] == pytest.approx([1 / 7] * 7)


# ---- Turn order --------------------------------------------------------------------------------------------


def test_the_smallest_number_acts_first():
    state = play(dealt(3), "token 4", "token 1", "token 3")
    assert state.fields["order"].tolist() == [1, 2, 0, -1, -1]
    assert state.to_move == 1


@pytest.mark.parametrize(
    ("number", "order"),
    [(1, [0, 1, 2, 3, 4]), (2, [4, 3, 2, 1, 0]), (3, [2, 0, 4, 1, 3]), (4, [3, 1, 4, 0, 2])],
)
def test_the_small_number_breaks_ties(number, order):
    state = play(dealt(5), *[f"token {number}"] * 5)
    assert state.fields["order"].tolist() == order


def test_two_seats_that_tie_act_by_their_small_numbers_as_in_the_rulebook():
    """Two seats reveal 1: the one with the smaller white number acts first, then the other, then the rest."""
    state = play(dealt(5), "token 3", "token 1", "token 1", "token 4", "token 2")
    assert state.fields["order"].tolist() == [1, 2, 4, 0, 3]


def test_in_each_turn_every_seat_reveals_a_random_token_of_those_it_has_left():
    state = position(seat=1, die="blue Herrmann", at=(1, 2))
    play(state, "end")
    assert phase_of(state) == "tokens"
    assert state.chance_outcomes() == [(MOVE_TOKEN + 2, 0.5), (MOVE_TOKEN + 3, 0.5)]
    assert texts(state) == ["token 3", "token 4"]


def test_all_four_tokens_come_back_for_each_round():
    state = position(seat=1, die="blue Herrmann", at=(1, 4))
    play(state, "end")
    assert texts(state) == ["token 1", "token 2", "token 3", "token 4"]
    assert (state.fields["round"], state.fields["turn"]) == (1, 0)


def test_a_game_has_three_rounds_of_four_turns():
    state, turns = choose_chance(game_of(2).new_state()), []
    while not state.is_over:
        turns.append((int(state.fields["round"]), int(state.fields["turn"]), state.to_move))
        if "roll" in texts(state):
            choose_chance(play(state, "roll"))
        state.play(next(move for move in texts(state) if move.startswith("draft")))
        choose_chance(play(state, "end"))
    assert len(turns) == 24
    assert [turn[:2] for turn in turns[::2]] == [(r, t) for r in range(3) for t in range(4)]
    assert all({turns[i][2], turns[i + 1][2]} == {0, 1} for i in range(0, 24, 2))


def first_action_used(players: int, seats: list[int], at: tuple[int, int]):
    """Return the end of a turn in which these seats used a first action, in this order."""
    first = [0] * 5
    for rank, seat in enumerate(seats, 1):
        first[seat] = rank
    return position(players, seat=players - 1, die="blue Herrmann", at=at, first=first)


def test_first_action_of_the_next_turn_goes_before_smaller_tokens():
    state = play(first_action_used(3, [2], (1, 1)), "end", "token 2", "token 2", "token 4")
    assert state.fields["order"].tolist()[:3] == [2, 1, 0]


def test_first_action_reveals_a_random_token_as_usual():
    state = play(first_action_used(2, [1], (1, 1)), "end", "token 2")
    assert texts(state) == ["token 2", "token 3", "token 4"]


def test_first_action_counts_for_one_turn_only():
    state = play(first_action_used(2, [1], (1, 1)), "end", "token 2", "token 3")
    assert not state.fields["first"].any()


def test_first_action_after_turn_4_carries_into_the_next_round():
    state = play(first_action_used(2, [1], (1, 4)), "end", "token 1", "token 4")
    assert state.to_move == 1


def test_first_action_after_the_last_turn_is_void():
    state = play(first_action_used(2, [1], (3, 4)), "end")
    assert state.is_over
    assert not state.fields["first"].any()


def test_of_two_first_actions_in_one_turn_the_earlier_use_goes_first():
    state = play(first_action_used(4, [3, 1], (2, 2)), "end", *["token 3"] * 4)
    assert state.fields["order"].tolist()[:4] == [3, 1, 2, 0]


# ---- Before the draft --------------------------------------------------------------------------------------

NO_KELLAR = dict.fromkeys(COLOURS, (2, 2, 0))


def test_a_roll_is_allowed_while_a_master_has_no_dice():
    assert "roll" in texts(position(dice=NO_KELLAR))
    assert "draft blue from Herrmann" in texts(position(dice=NO_KELLAR))


def test_a_roll_is_not_allowed_while_every_master_has_dice():
    assert "roll" not in texts(position())


def test_a_roll_is_compulsory_if_no_master_has_dice():
    assert texts(position(dice={})) == ["roll"]


def test_a_roll_is_compulsory_at_the_start_of_the_game():
    assert texts(play(dealt(), "token 1", "token 2")) == ["roll"]


def test_a_roll_throws_all_twenty_dice_those_off_the_board_too():
    state = play(position(dice={"red": (1, 1, 0)}), "roll")
    for colour in COLOURS:
        assert texts(state)[0] == f"{colour} 0-0-4"
        state.play(f"{colour} 1-2-1")
    assert state.fields["dice"].tolist() == [1] * 5 + [2] * 5 + [1] * 5


def test_there_is_at_most_one_free_roll_in_an_action():
    state = play(position(dice=NO_KELLAR), "roll", *[f"{colour} 4-0-0" for colour in COLOURS])
    assert "roll" not in texts(state)
    assert texts(state) == [f"draft {colour} from Herrmann" for colour in COLOURS]


def test_a_re_roll_card_needs_no_colour_and_no_empty_master():
    state = position(owned={0: ["The Sliding Die Box"]})
    assert "use The Sliding Die Box" in texts(state)


def test_a_re_roll_card_throws_all_twenty_dice_and_its_flair_scores():
    dice = {"blue": (1, 1, 1), "red": (0, 1, 0)}
    state = position(owned={0: ["The Sliding Die Box"]}, flair={"The Sliding Die Box": 3}, dice=dice)
    play(state, "use The Sliding Die Box", *[f"{colour} 2-1-1" for colour in COLOURS])
    assert state.fields["dice"].sum() == 20
    assert score(state, 0) == 3


def test_a_re_roll_cards_cube_stays_committed_for_the_action():
    state = position(owned={0: ["The Sliding Die Box", "The Orange Tree"]}, cubes={0: 2})
    play(state, "use The Sliding Die Box", *[f"{colour} 2-1-1" for colour in COLOURS])
    assert state.fields["committed"] == 1
    play(state, "draft blue from Herrmann")
    assert state.fields["committed"] == 1
    play(state, "end")
    assert state.fields["committed"] == 0


def test_a_re_roll_card_is_used_once_in_an_action():
    state = position(owned={0: ["The Sliding Die Box"]}, cubes={0: 5})
    play(state, "use The Sliding Die Box", *[f"{colour} 2-1-1" for colour in COLOURS])
    assert "use The Sliding Die Box" not in texts(state)


def test_a_re_roll_card_cannot_be_used_after_the_draft():
    state = position(owned={0: ["The Sliding Die Box"]}, die="blue Herrmann")
    assert "use The Sliding Die Box" not in texts(state)


def test_a_re_roll_card_that_is_disabled_cannot_be_used():
    state = position(owned={0: ["The Sliding Die Box"]}, disabled=["The Sliding Die Box"])
    assert "use The Sliding Die Box" not in texts(state)


def test_a_re_roll_and_a_free_roll_may_both_happen_in_an_action():
    state = position(owned={0: ["The Sliding Die Box"]})
    play(state, "use The Sliding Die Box", *[f"{colour} 4-0-0" for colour in COLOURS])
    assert "roll" in texts(state)
    play(state, "roll", *[f"{colour} 0-4-0" for colour in COLOURS])
    assert "roll" not in texts(state)


# ---- Draft -------------------------------------------------------------------------------------------------


def test_the_draft_is_compulsory():
    assert all(text.startswith("draft") for text in texts(position()))


def test_the_draft_offers_every_colour_of_every_master_once():
    state = position(dice={"blue": (1, 0, 2), "green": (0, 4, 0)})
    assert texts(state) == ["draft blue from Herrmann", "draft green from Thurston", "draft blue from Kellar"]


def test_the_draft_takes_one_die_off_the_board():
    state = play(position(), "draft green from Kellar")
    assert state.fields["dice"].tolist() == [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1]


# ---- The masters -------------------------------------------------------------------------------------------


def test_thurston_takes_a_card_with_the_colour_of_the_die_and_the_city_stays_empty():
    cities = {"Paris": "Levitation", "Tokyo": "She", "Lisbon": "The Rising Cards"}
    state = position(cities=cities, die="green Thurston")
    assert texts(state) == ["end", "take Levitation", "take She"]
    play(state, "take Levitation")
    assert cards_of(state, 0) == {"Levitation"}
    assert card_in(state, "Paris") is None
    assert not any(text.startswith("take") for text in texts(state))


def test_thurston_gives_a_card_with_two_icons_for_either():
    for colour in ("black", "green"):
        assert "take Levitation" in texts(position(cities={"Paris": "Levitation"}, die=f"{colour} Thurston"))
    assert "take Levitation" not in texts(position(cities={"Paris": "Levitation"}, die="red Thurston"))


def test_a_card_from_thurston_may_be_used_in_the_same_action():
    state = position(cities={"Paris": "Levitation"}, die="green Thurston")
    assert "use Levitation" in texts(play(state, "take Levitation"))


def test_herrmann_gives_three_tickets():
    state = play(position(die="red Herrmann"), "tickets")
    assert (state.fields["hand"][0], state.fields["unused"][0]) == (3, 7)
    assert texts(state) == ["end"]


def test_herrmann_gives_no_more_tickets_than_are_unused():
    state = play(position(die="red Herrmann", hand={0: 8}), "tickets")
    assert (state.fields["hand"][0], state.fields["unused"][0]) == (10, 0)


def test_herrmann_gives_nothing_without_unused_tickets():
    assert texts(position(die="red Herrmann", hand={0: 10})) == ["end"]


def test_kellar_places_in_a_city_of_the_dies_colour_or_on_any_free_point_space():
    state = position(die="red Kellar", hand={0: 1}, spaces={"mouse": 1})
    spaces = [name for name in game_of(2).data.spaces if name != "mouse"]
    cities = ["New York", "Berlin", "Naples"]
    assert texts(state) == [
        "end",
        *[f"place {name}" for name in cities],
        *[f"space {name}" for name in spaces],
    ]


def test_kellar_needs_a_ticket_in_hand():
    assert texts(position(die="red Kellar")) == ["end"]


def test_a_city_with_a_card_is_closed():
    assert "place Berlin" not in texts(position(die="red Kellar", hand={0: 1}, cities={"Berlin": "She"}))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_city_holds_as_many_tickets_as_the_number_of_the_round(number):
    for tickets, is_open in ((number - 1, True), (number, False)):
        state = position(die="red Kellar", hand={0: 1}, at=(number, 1), tickets={1: ["Berlin"] * tickets})
        assert ("place Berlin" in texts(state)) == is_open


def test_a_seat_may_have_several_tickets_in_one_city():
    state = position(die="red Kellar", hand={0: 1}, at=(2, 1), tickets={0: ["Naples"]})
    assert tickets_in(play(state, "place Naples"), "Naples") == [2, 0]


def test_a_point_space_takes_one_ticket():
    state = play(position(die="red Kellar", hand={0: 2}), "space cubes")
    assert state.fields["space_seats"].tolist() == [-1] * 12 + [0]
    assert state.fields["hand"][0] == 1
    later = position(die="red Kellar", hand={0: 2}, spaces={"cubes": 0})
    assert "space cubes" not in texts(later)


def test_a_main_action_is_optional_and_done_once():
    for die in ("green Thurston", "green Herrmann", "green Kellar"):
        state = position(
            die=die, hand={0: 1}, cities={"Paris": "Psycho", "Berlin": "She", "Tokyo": "Levitation"}
        )
        assert "end" in texts(state)
        move = next(text for text in texts(state) if text.split()[0] in ("take", "tickets", "place"))
        left = [
            text
            for text in texts(play(state, move))
            if text.split()[0] in ("take", "tickets", "place", "space")
        ]
        assert left == []


def test_main_action_and_activations_come_in_any_order():
    owned = {0: ["The Orange Tree", "The Egg Bag"]}
    state = position(owned=owned, die="red Herrmann", cubes={0: 4})
    one = after(state, "use The Orange Tree", "tickets", "use The Egg Bag")
    other = after(state, "tickets", "use The Egg Bag", "use The Orange Tree")
    assert one == other


# ---- Activation --------------------------------------------------------------------------------------------


def test_an_activation_needs_the_dies_colour():
    owned = {0: ["The Orange Tree"]}
    allowed = {
        colour
        for colour in COLOURS
        if "use The Orange Tree" in texts(position(owned=owned, die=f"{colour} Herrmann"))
    }
    assert allowed == {"blue", "red"}


def test_an_activation_needs_an_own_card():
    state = position(owned={1: ["The Orange Tree"]}, die="blue Herrmann")
    assert "use The Orange Tree" not in texts(state)


def test_a_card_is_activated_at_most_once_in_an_action():
    state = play(
        position(owned={0: ["The Orange Tree"]}, die="blue Herrmann", cubes={0: 9}), "use The Orange Tree"
    )
    assert "use The Orange Tree" not in texts(state)
    assert used(state, "The Orange Tree")
    play(state, "end")
    assert state.fields["used"] == 0


def test_the_cost_of_a_card_must_fit_into_the_cubes_not_yet_committed():
    owned = {0: ["Levitation", "She", "Asrah"]}
    state = position(owned=owned, die="green Herrmann", cubes={0: 3}, tickets={0: ["Naples"]}, hand={0: 1})
    assert {"use Levitation", "use She", "use Asrah"} <= set(texts(state))
    play(state, "use Levitation", "discard")
    assert {"use Levitation", "use She"}.isdisjoint(texts(state))
    assert "use Asrah" in texts(state)


def test_gained_cubes_count_at_once():
    owned = {0: ["The Orange Tree", "The Ethereal Suspension"]}
    state = position(owned=owned, die="blue Herrmann", cubes={0: 2}, cities={"Paris": "Psycho"})
    play(state, "use The Orange Tree")
    assert "use The Ethereal Suspension" in texts(state)


def test_cubes_come_back_when_the_action_ends():
    state = play(position(owned={0: ["The Orange Tree"]}, die="blue Herrmann"), "use The Orange Tree")
    assert (state.fields["committed"], state.fields["cubes"][0]) == (1, 3)
    play(state, "end")
    assert (state.fields["committed"], state.fields["cubes"][0]) == (0, 3)


def test_an_activation_scores_a_point_for_each_flair_token_on_the_card():
    state = position(owned={0: ["The Orange Tree"]}, flair={"The Orange Tree": 3}, die="blue Herrmann")
    assert score(play(state, "use The Orange Tree"), 0) == 3


def test_an_activation_scores_the_flair_that_it_puts_on_the_card():
    state = position(owned={0: ["Levitation"]}, flair={"Levitation": 1}, die="green Herrmann")
    play(state, "use Levitation")
    assert score(state, 0) == 0
    play(state, "flair on Levitation")
    assert score(state, 0) == 2


def test_an_activation_resolves_reward_path_new_cards_and_then_the_flair_on_the_card():
    state = position(
        owned={0: ["The Lion's Bride"]},
        flair={"The Lion's Bride": 1},
        die="blue Herrmann",
        hand={0: 1},
        tickets={0: ["Vienna", "Naples"]},
        deck=["Psycho", "She", "Asrah"],
    )
    play(state, "use The Lion's Bride", "place Istanbul")
    assert (phase_of(state), score(state, 0)) == ("flair", 0)
    play(state, "flair on The Lion's Bride")
    assert (phase_of(state), score(state, 0)) == ("path", 0)
    play(state, "claim Naples-Istanbul-Vienna")
    assert (phase_of(state), score(state, 0)) == ("refill", 8)
    play(state, "deal Psycho", "deal She")
    assert (phase_of(state), score(state, 0)) == ("refill", 8)
    play(state, "deal Asrah")
    assert (phase_of(state), score(state, 0)) == ("main", 10)


def test_an_activation_is_resolved_completely_before_the_next_begins():
    state = play(
        position(owned={0: ["Levitation", "She"]}, die="green Herrmann", cubes={0: 9}), "use Levitation"
    )
    assert texts(state) == ["discard", "flair on Levitation", "flair on She"]


def test_end_ends_the_action():
    state = play(position(die="green Herrmann"), "end")
    assert (state.to_move, phase_of(state)) == (1, "start")
    assert (state.fields["master"], state.fields["colour"]) == (-1, -1)


def test_a_forced_decision_is_still_a_move():
    state = position(die="green Herrmann", hand={0: 10})
    assert (state.to_move, texts(state)) == (0, ["end"])


def test_positions_can_be_written_and_read():
    state = position(owned={0: ["Levitation"]}, flair={"Levitation": 2}, die="green Herrmann")
    assert from_fields(game_of(2), to_fields(state)) == state
    assert flair_on(state, "Levitation") == 2
