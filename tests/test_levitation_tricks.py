"""Levitation: effects on other cards, on tickets and cards on the board, on paths and colours."""

from levitation_positions import (
    after,
    card_in,
    card_number,
    cards_of,
    flair_on,
    phase_of,
    play,
    position,
    score,
    texts,
    tickets_in,
)


def usable(state, name: str) -> bool:
    return f"use {name}" in texts(state)


# ---- Disable and first action ------------------------------------------------------------------------------


def test_disabling_takes_a_card_of_another_seat_that_is_not_disabled():
    owned = {0: ["The Talking Skull", "Psycho"], 1: ["She", "Levitation"], 2: ["Asrah"]}
    state = position(3, owned=owned, die="black Herrmann", disabled=["She"])
    play(state, "use The Talking Skull")
    assert texts(state) == ["disable Levitation", "disable Asrah"]


def test_disabling_needs_a_card_to_disable():
    state = position(
        owned={0: ["The Talking Skull", "Psycho"], 1: ["She"]}, die="black Herrmann", disabled=["She"]
    )
    assert not usable(state, "The Talking Skull")


def test_a_disabled_card_can_be_neither_used_nor_copied():
    owned = {0: ["The Talking Skull"], 1: ["The Orange Tree", "The Linking Rings", "The Egg Bag"]}
    state = position(owned=owned, die="black Herrmann")
    play(state, "use The Talking Skull", "disable The Orange Tree", "end", "draft blue from Kellar")
    assert not usable(state, "The Orange Tree")
    assert texts(play(state, "use The Linking Rings")) == ["copy The Egg Bag"]
    owned = {0: ["The Spirit Cabinet"], 1: ["The Orange Tree", "The Egg Bag"]}
    state = position(owned=owned, die="green Herrmann", disabled=["The Orange Tree"])
    assert texts(play(state, "use The Spirit Cabinet")) == ["copy The Egg Bag"]


def test_a_card_is_disabled_until_all_seats_have_acted():
    owned = {0: ["The Talking Skull"], 1: ["The Orange Tree"], 2: ["She"]}
    state = position(3, owned=owned, die="black Herrmann")
    play(state, "use The Talking Skull", "disable The Orange Tree", "end")
    assert state.fields["disabled"] == 1 << card_number("The Orange Tree")
    play(state, "draft blue from Kellar", "end")
    assert state.fields["disabled"] != 0
    play(state, "draft blue from Kellar", "end")
    assert state.fields["disabled"] == 0


def test_a_disabled_card_still_counts_takes_flair_and_may_be_traded():
    owned = {
        0: ["The Nest of Boxes", "The Orange Tree", "The Light and Heavy Chest", "The Blooming Rose Bush"]
    }
    state = position(
        owned=owned, die="blue Herrmann", cubes={0: 9}, cities={"Paris": "She"}, disabled=["The Orange Tree"]
    )
    assert texts(after(state, "use The Nest of Boxes")) == ["points 1", "points 2", "points 3", "points 4"]
    assert "flair on The Orange Tree" in texts(after(state, "use The Blooming Rose Bush"))
    assert "give The Orange Tree" in texts(after(state, "use The Light and Heavy Chest"))


def test_disabling_may_be_used_even_if_it_changes_nothing():
    """The other seat has already acted, and the mark is gone before its next action."""
    state = position(seat=1, owned={0: ["She"], 1: ["The Talking Skull"]}, die="black Herrmann")
    assert usable(state, "The Talking Skull")


def test_first_action_comes_first_in_the_next_turn():
    state = position(owned={0: ["The Mascot Moth"]}, die="red Herrmann")
    play(state, "use The Mascot Moth", "end", "draft blue from Kellar", "end", "token 4", "token 2")
    assert state.to_move == 0


def test_first_action_may_be_used_even_if_it_changes_nothing():
    last = position(owned={0: ["The Mascot Moth"]}, die="red Herrmann", at=(3, 4))
    assert usable(last, "The Mascot Moth")
    owned = {0: ["The Mascot Moth", "The Linking Rings", "The Dyeing Tube"]}
    twice = position(owned=owned, die="red Herrmann", cubes={0: 9})
    play(
        twice,
        "use The Mascot Moth",
        "use The Dyeing Tube",
        "yellow",
        "use The Linking Rings",
        "copy The Mascot Moth",
    )
    assert twice.fields["first"].tolist() == [1, 0, 0, 0, 0]


# ---- Tickets on the move -----------------------------------------------------------------------------------

WALL = {"owned": {0: ["Walking Through a Wall"]}, "die": "red Herrmann"}


def test_a_trade_swaps_an_own_ticket_and_one_of_another_seat():
    state = position(3, tickets={0: ["Paris", "Tokyo"], 1: ["Naples"], 2: ["Vienna", "Cairo"]}, **WALL)
    play(state, "use Walking Through a Wall")
    assert texts(state) == ["from Paris", "from Tokyo"]
    play(state, "from Paris")
    assert texts(state) == ["with seat 1 in Naples", "with seat 2 in Vienna", "with seat 2 in Cairo"]
    play(state, "with seat 2 in Vienna")
    assert tickets_in(state, "Paris") == [0, 0, 1]
    assert tickets_in(state, "Vienna") == [1, 0, 0]


def test_a_trade_needs_tickets_in_different_cities():
    same = position(at=(2, 1), tickets={0: ["Paris"], 1: ["Paris"]}, **WALL)
    assert not usable(same, "Walking Through a Wall")
    more = position(at=(2, 1), tickets={0: ["Paris", "Tokyo"], 1: ["Paris"]}, **WALL)
    assert texts(play(more, "use Walking Through a Wall")) == ["from Tokyo"]
    assert texts(play(more, "from Tokyo")) == ["with seat 1 in Paris"]


def test_a_trade_gives_the_reward_to_the_acting_seat_only():
    state = position(tickets={0: ["Sydney"], 1: ["Naples"]}, **WALL)
    play(state, "use Walking Through a Wall", "from Sydney", "with seat 1 in Naples")
    assert state.fields["cubes"].tolist()[:2] == [4, 2]


def test_a_trade_gives_the_flair_of_the_new_city():
    state = position(tickets={0: ["Sydney"], 1: ["Berlin"]}, **WALL)
    play(state, "use Walking Through a Wall", "from Sydney", "with seat 1 in Berlin", "discard", "discard")
    assert score(state, 0) == 2


def test_a_trade_needs_no_room():
    state = position(at=(2, 1), tickets={0: ["Sydney"], 1: ["Naples", "Naples"]}, **WALL)
    play(state, "use Walking Through a Wall", "from Sydney", "with seat 1 in Naples")
    assert tickets_in(state, "Naples") == [1, 1]


def test_after_a_trade_the_acting_seat_claims_its_path_first():
    tickets = {0: ["Paris", "Tokyo", "Sydney"], 1: ["Lisbon", "Istanbul", "Vienna"]}
    state = position(tickets=tickets, deck=8, **WALL)
    play(state, "use Walking Through a Wall", "from Sydney", "with seat 1 in Lisbon")
    assert (phase_of(state), state.to_move) == ("path", 0)
    play(state, "claim Lisbon-Tokyo-Paris")
    for _ in range(3):
        state.play(state.legal_moves()[0])
    assert (phase_of(state), state.to_move) == ("path", 1)
    assert texts(state) == ["claim Sydney-Istanbul-Vienna"]
    play(state, "claim Sydney-Istanbul-Vienna")
    for _ in range(3):
        state.play(state.legal_moves()[0])
    assert [score(state, seat) for seat in (0, 1)] == [9, 8]
    assert (phase_of(state), state.to_move) == ("main", 0)


def test_tickets_on_point_spaces_are_neither_traded_nor_moved():
    state = position(spaces={"blue": 0}, tickets={1: ["Naples"]}, **WALL)
    assert not usable(state, "Walking Through a Wall")
    assert not usable(position(owned={0: ["She"]}, die="red Herrmann", spaces={"blue": 0}), "She")


def test_a_ticket_moves_to_another_open_city_of_any_colour():
    tickets = {0: ["Paris"], 1: ["London", "Vienna"]}
    cities = {"Boston": "Psycho"}
    state = position(owned={0: ["She"]}, die="red Herrmann", tickets=tickets, cities=cities)
    play(state, "use She")
    assert texts(state) == ["from Paris"]
    play(state, "from Paris")
    closed = {"Paris", "London", "Vienna", "Boston"}
    assert texts(state) == [f"to {city.name}" for city in state.game.data.cities if city.name not in closed]
    play(state, "to Naples")
    assert (tickets_in(state, "Paris"), tickets_in(state, "Naples")) == ([0, 0], [1, 0])
    assert state.fields["cubes"][0] == 4


def test_moving_a_ticket_needs_another_open_city():
    names = [card.name for card in position().game.data.cards if card.name != "She"]
    cities = [city.name for city in position().game.data.cities]
    full = dict(zip(cities[1:], names, strict=False))
    common = {"owned": {0: ["She"]}, "die": "red Herrmann", "tickets": {0: ["New York"]}}
    assert not usable(position(cities=full, **common), "She")
    assert not usable(position(cities=full, at=(2, 1), **common), "She")
    del full["Sydney"]
    assert usable(position(cities=full, **common), "She")


# ---- Cards on the move -------------------------------------------------------------------------------------

CHEST = "The Light and Heavy Chest"


def test_a_card_is_traded_for_any_card_in_a_city_and_loses_its_flair():
    owned = {0: [CHEST, "She", "Psycho"]}
    state = position(
        owned=owned, die="blue Herrmann", flair={"She": 2}, cities={"Paris": "Asrah", "Naples": "Black Art"}
    )
    play(state, f"use {CHEST}")
    assert texts(state) == ["give Psycho", "give She"]
    play(state, "give She")
    assert texts(state) == ["take Asrah", "take Black Art"]
    play(state, "take Asrah")
    assert cards_of(state, 0) == {CHEST, "Psycho", "Asrah"}
    assert card_in(state, "Paris") == "She"
    assert flair_on(state, "She") == 0


def test_neither_the_trading_card_nor_one_that_duplicates_it_can_be_traded():
    owned = {0: [CHEST, "The Linking Rings", "She"]}
    state = position(owned=owned, die="blue Herrmann", cities={"Paris": "Asrah"})
    assert texts(after(state, f"use {CHEST}")) == ["give The Linking Rings", "give She"]
    play(state, "use The Linking Rings", f"copy {CHEST}")
    assert texts(state) == ["give She"]


def test_trading_a_card_needs_one_to_give_and_one_to_take():
    assert not usable(position(owned={0: [CHEST]}, die="blue Herrmann", cities={"Paris": "Asrah"}), CHEST)
    assert not usable(position(owned={0: [CHEST, "She"]}, die="blue Herrmann"), CHEST)


def test_traded_cards_keep_their_marks_and_their_cubes_stay_committed():
    owned = {0: [CHEST, "The Orange Tree"]}
    state = position(owned=owned, die="blue Thurston", cubes={0: 4}, cities={"Paris": "Asrah"})
    play(state, "use The Orange Tree", f"use {CHEST}", "give The Orange Tree", "take Asrah")
    assert state.fields["committed"] == 2
    play(state, "take The Orange Tree")
    assert not usable(state, "The Orange Tree")
    owned = {0: [CHEST, "She"]}
    state = position(
        owned=owned, die="blue Thurston", cities={"Paris": "The Orange Tree"}, disabled=["The Orange Tree"]
    )
    play(state, f"use {CHEST}", "give She", "take The Orange Tree")
    assert not usable(state, "The Orange Tree")


def test_a_card_taken_in_a_trade_may_be_used():
    state = position(owned={0: [CHEST, "She"]}, die="blue Herrmann", cities={"Paris": "The Orange Tree"})
    play(state, f"use {CHEST}", "give She", "take The Orange Tree")
    assert usable(state, "The Orange Tree")


CAN = "The Milk Can Escape"


def test_a_card_moves_to_a_city_with_neither_card_nor_ticket():
    state = position(owned={0: [CAN]}, die="blue Herrmann", cities={"Paris": "She", "Naples": "Asrah"},
                     tickets={0: ["London"], 1: ["Tokyo"]}, at=(2, 1))  # fmt: skip
    play(state, f"use {CAN}")
    assert texts(state) == ["move She", "move Asrah"]
    play(state, "move She")
    closed = {"Paris", "Naples", "London", "Tokyo"}
    assert texts(state) == [f"to {city.name}" for city in state.game.data.cities if city.name not in closed]
    play(state, "to Cairo")
    assert (card_in(state, "Paris"), card_in(state, "Cairo")) == (None, "She")


def test_moving_a_card_needs_a_card_and_an_empty_city():
    assert not usable(position(owned={0: [CAN]}, die="blue Herrmann"), CAN)
    names = [card.name for card in position().game.data.cards if card.name != CAN]
    full = dict(zip((city.name for city in position().game.data.cities), names, strict=False))
    assert not usable(position(owned={0: [CAN]}, die="blue Herrmann", cities=full), CAN)


# ---- Path bonus and colours --------------------------------------------------------------------------------

CAR = "The Vanishing Automobile"


def test_the_path_bonus_adds_3_to_the_next_path_in_this_action():
    state = position(
        owned={0: [CAR]}, die="red Kellar", tickets={0: ["Boston", "Liverpool"]}, hand={0: 1}, deck=0
    )
    play(state, f"use {CAR}", "place New York", "claim Liverpool-Boston-New York")
    assert score(state, 0) == 11
    assert state.fields["bonus"] == 0


def test_the_path_bonus_used_twice_adds_6():
    owned = {0: [CAR, "The Linking Rings"]}
    state = position(
        owned=owned, die="yellow Kellar", tickets={0: ["Istanbul", "Naples"]}, hand={0: 1}, deck=0
    )
    play(
        state,
        f"use {CAR}",
        "use The Linking Rings",
        f"copy {CAR}",
        "place Vienna",
        "claim Naples-Istanbul-Vienna",
    )
    assert score(state, 0) == 14


def test_the_path_bonus_is_not_for_another_seats_path():
    """Seat 0 trades tickets, which completes a path of seat 1."""
    owned = {0: [CAR, "Walking Through a Wall"]}
    tickets = {0: ["Sydney"], 1: ["Liverpool", "Istanbul", "Vienna"]}
    state = position(owned=owned, die="red Herrmann", cubes={0: 9}, tickets=tickets, deck=0)
    play(state, f"use {CAR}", "use Walking Through a Wall", "from Sydney", "with seat 1 in Liverpool")
    play(state, "claim Sydney-Istanbul-Vienna")
    assert [score(state, seat) for seat in (0, 1)] == [0, 8]
    assert state.fields["bonus"] == 3


def test_the_path_bonus_may_be_used_without_a_path_and_is_lost_when_the_action_ends():
    state = play(position(owned={0: [CAR]}, die="red Herrmann"), f"use {CAR}")
    assert state.fields["bonus"] == 3
    assert play(state, "end").fields["bonus"] == 0


def test_the_changed_colour_counts_for_main_action_and_activations():
    owned = {0: ["The Dyeing Tube", "The Bullet Catch", "The Egg Bag"]}
    state = position(owned=owned, die="red Kellar", cubes={0: 9}, hand={0: 1})
    play(state, "use The Dyeing Tube")
    assert texts(state) == ["blue", "yellow", "black", "green"]
    play(state, "black")
    assert usable(state, "The Bullet Catch")
    assert not usable(state, "The Egg Bag")
    assert [text for text in texts(state) if text.startswith("place")] == [
        "place Saint Petersburg", "place Tokyo", "place Lisbon"
    ]  # fmt: skip


def test_changing_the_colour_leaves_the_dice_on_the_board_as_they_are():
    state = position(owned={0: ["The Dyeing Tube"]}, die="red Kellar")
    dice = state.fields["dice"].tolist()
    assert play(state, "use The Dyeing Tube", "black").fields["dice"].tolist() == dice
