"""Levitation: the effects of the cards. One text, or one clause about it, one test."""

import pytest
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

COLOURS = ("blue", "red", "yellow", "black", "green")


def usable(state, name: str) -> bool:
    return f"use {name}" in texts(state)


# ---- Points: X cards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "colour"),
    [
        ("Multiplying Billiard Balls", "blue"),
        ("Pepper's Ghost", "red"),
        ("The Miser's Dream", "yellow"),
        ("Psycho", "black"),
        ("Second Sight", "green"),
    ],
)
def test_points_for_dice_off_the_board_the_one_just_taken_included(card, colour):
    counts = dict.fromkeys(COLOURS, (4, 0, 0)) | {colour: (1, 1, 1)}
    state = position(owned={0: [card]}, die=f"{colour} Herrmann", cubes={0: 9}, dice=counts)
    play(state, f"use {card}")
    assert texts(state) == ["points 1", "points 2"]
    assert score(play(state, "points 2"), 0) == 2


def test_points_for_dice_counts_the_printed_colour():
    owned = {0: ["Pepper's Ghost", "The Dyeing Tube"]}
    state = position(owned=owned, die="yellow Herrmann", cubes={0: 9}, dice=dict.fromkeys(COLOURS, (4, 0, 0)))
    play(state, "use The Dyeing Tube", "red")
    assert not usable(state, "Pepper's Ghost")


def test_points_for_dice_none_off_the_board_cannot_be_used():
    state = position(
        owned={0: ["Multiplying Billiard Balls"]},
        die="yellow Herrmann",
        dice=dict.fromkeys(COLOURS, (4, 0, 0)),
    )
    assert not usable(state, "Multiplying Billiard Balls")


@pytest.mark.parametrize("card", ["The Floating Ball", "The Indian Rope Trick"])
def test_points_for_own_tickets_on_the_board_those_on_point_spaces_included(card):
    colour = "blue" if card == "The Floating Ball" else "red"
    state = position(owned={0: [card]}, die=f"{colour} Herrmann", cubes={0: 9}, hand={0: 4},
                     tickets={0: ["Naples", "Tokyo"], 1: ["Paris"]}, spaces={"blue": 0, "red": 1})  # fmt: skip
    assert texts(play(state, f"use {card}")) == ["points 1", "points 2", "points 3"]
    bare = position(owned={0: [card]}, die=f"{colour} Herrmann", hand={0: 4}, tickets={1: ["Naples"]})
    assert not usable(bare, card)


@pytest.mark.parametrize("card", ["The Inexhaustible Bottle", "Aerial Fishing"])
def test_points_for_tickets_in_hand(card):
    colour = "blue" if card == "The Inexhaustible Bottle" else "red"
    state = position(
        owned={0: [card]}, die=f"{colour} Herrmann", cubes={0: 9}, hand={0: 2}, tickets={0: ["Naples"]}
    )
    assert texts(play(state, f"use {card}")) == ["points 1", "points 2"]
    assert score(play(state, "points 2"), 0) == 2
    assert not usable(position(owned={0: [card]}, die=f"{colour} Herrmann"), card)


@pytest.mark.parametrize(
    ("card", "colour", "others"),
    [
        ("The Nest of Boxes", "blue", ["Psycho", "The Sliding Die Box"]),
        ("Black Art", "red", ["She", "Metamorphosis"]),
        ("The Rising Cards", "yellow", ["Cups and Balls", "The Silver Hat"]),
        ("The Artist's Dream", "black", ["Psycho", "Levitation"]),
        ("Metamorphosis", "green", ["She", "Queen of Flowers"]),
    ],
)
def test_points_for_own_cards_with_an_icon_itself_and_cards_with_two_icons_included(card, colour, others):
    owned = {0: [card, *others, "The Talking Skull" if colour != "black" else "Second Sight"]}
    state = position(owned=owned, die=f"{colour} Herrmann", cubes={0: 9})
    assert texts(play(state, f"use {card}")) == ["points 1", "points 2", "points 3"]
    alone = position(owned={0: [card]}, die=f"{colour} Herrmann", cubes={0: 9})
    assert texts(play(alone, f"use {card}")) == ["points 1"]


def test_x_card_x_is_limited_by_the_free_cubes_and_each_point_commits_one():
    state = position(
        owned={0: ["Aerial Fishing", "The Egg Bag"]}, die="red Herrmann", cubes={0: 3}, hand={0: 6}
    )
    play(state, "use Aerial Fishing")
    assert texts(state) == ["points 1", "points 2", "points 3"]
    play(state, "points 2")
    assert state.fields["committed"] == 2
    assert usable(state, "The Egg Bag")
    play(state, "use The Egg Bag")
    assert state.fields["committed"] == 3


def test_x_card_needs_a_free_cube():
    state = position(
        owned={0: ["Aerial Fishing", "The Vanishing Bird Cage"]}, die="red Herrmann", hand={0: 6}
    )
    play(state, "use The Vanishing Bird Cage")
    assert not usable(state, "Aerial Fishing")


def test_x_card_more_than_three_cubes_can_be_placed():
    state = position(owned={0: ["Aerial Fishing"]}, die="red Herrmann", cubes={0: 9}, hand={0: 6})
    assert score(play(state, "use Aerial Fishing", "points 6"), 0) == 6


def test_x_card_scores_its_flair_too():
    state = position(
        owned={0: ["Aerial Fishing"]}, die="red Herrmann", hand={0: 1}, flair={"Aerial Fishing": 2}
    )
    assert score(play(state, "use Aerial Fishing", "points 1"), 0) == 3


# ---- Gains -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "colour"),
    [("Levitation", "green"), ("The Blooming Rose Bush", "blue"), ("Twentieth Century Silks", "yellow")],
)
def test_gain_flair_is_placed_or_discarded_for_a_point(card, colour):
    state = play(position(owned={0: [card, "Asrah"]}, die=f"{colour} Herrmann"), f"use {card}")
    first, second = sorted([card, "Asrah"], key=card_number)
    assert texts(state) == ["discard", f"flair on {first}", f"flair on {second}"]
    assert score(after(state, "discard"), 0) == 1
    placed = after(state, "flair on Asrah")
    assert (flair_on(placed, "Asrah"), score(placed, 0)) == (1, 0)


def test_gain_flair_from_an_empty_supply_cannot_be_used():
    names = ["The Egg Bag", "The Spirit Paintings", "The Talking Skull", "The Mascot Moth", "Walking Through a Wall",
             "The Light and Heavy Chest", "The Sliding Die Box", "The Vanishing Automobile", "The Milk Can Escape",
             "The Dyeing Tube"]  # fmt: skip
    full = dict.fromkeys(names, 4) | {"The Orange Tree": 3, "The Silver Hat": 3, "She": 3, "Levitation": 1}
    owned = {0: ["Levitation"], 1: [*names, "The Orange Tree", "The Silver Hat", "She"]}
    assert not usable(position(owned=owned, flair=full, die="green Herrmann"), "Levitation")
    assert usable(position(owned=owned, flair=full | {"She": 2}, die="green Herrmann"), "Levitation")


@pytest.mark.parametrize(("card", "colour"), [("The Egg Bag", "red"), ("The Spirit Paintings", "blue")])
def test_gain_ticket(card, colour):
    state = play(position(owned={0: [card]}, die=f"{colour} Kellar", hand={0: 1}), f"use {card}")
    assert (state.fields["hand"][0], state.fields["unused"][0]) == (2, 8)
    assert not usable(position(owned={0: [card]}, die=f"{colour} Kellar", hand={0: 10}), card)


@pytest.mark.parametrize(
    ("card", "colour"),
    [("The Orange Tree", "blue"), ("The Silver Hat", "yellow"), ("The Bullet Catch", "black")],
)
def test_gain_cube(card, colour):
    state = play(position(owned={0: [card]}, die=f"{colour} Herrmann"), f"use {card}")
    assert state.fields["cubes"].tolist()[:2] == [3, 2]
    assert not usable(position(owned={0: [card]}, die=f"{colour} Herrmann", cubes={0: 2, 1: 48}), card)


@pytest.mark.parametrize(
    ("card", "counted", "die"),
    [("The Enchanted Noah's Ark", "green", "blue"), ("The Vanishing Bird Cage", "red", "yellow")],
)
def test_gain_a_ticket_for_each_die_of_a_colour_off_the_board(card, counted, die):
    counts = dict.fromkeys(COLOURS, (4, 0, 0)) | {counted: (1, 0, 0)}
    state = position(owned={0: [card]}, die=f"{die} Herrmann", dice=counts)
    assert play(state.copy(), f"use {card}").fields["hand"][0] == 3
    few = position(owned={0: [card]}, die=f"{die} Herrmann", dice=counts, hand={0: 9})
    assert few.copy().fields["unused"][0] == 1
    assert play(few, f"use {card}").fields["hand"][0] == 10
    none_off = counts | {counted: (4, 0, 0)}
    assert not usable(position(owned={0: [card]}, die=f"{die} Herrmann", dice=none_off), card)
    assert not usable(position(owned={0: [card]}, die=f"{die} Herrmann", dice=counts, hand={0: 10}), card)


@pytest.mark.parametrize(
    ("card", "die", "gained", "other"),
    [
        ("The Expanding Die", "black", "The Sliding Die Box", "Second Sight"),
        ("The Proteus Cabinet", "blue", "Black Art", "Second Sight"),
        ("Cups and Balls", "yellow", "The Rising Cards", "Second Sight"),
        ("The Ethereal Suspension", "red", "The Talking Skull", "Second Sight"),
        ("The Vanishing Lady", "red", "Second Sight", "The Talking Skull"),
    ],
)
def test_gain_a_card_with_an_icon_from_the_board(card, die, gained, other):
    state = position(owned={0: [card]}, die=f"{die} Herrmann", cities={"Paris": gained, "Naples": other})
    play(state, f"use {card}")
    assert texts(state) == [f"take {gained}"]
    play(state, f"take {gained}")
    assert cards_of(state, 0) == {card, gained}
    assert card_in(state, "Paris") is None
    assert not usable(position(owned={0: [card]}, die=f"{die} Herrmann", cities={"Naples": other}), card)


def test_gain_a_card_it_may_be_used_in_the_same_action():
    cities = {"Paris": "The Milk Can Escape", "Naples": "Psycho"}
    state = position(owned={0: ["The Expanding Die"]}, die="black Herrmann", cities=cities)
    play(state, "use The Expanding Die", "take The Milk Can Escape")
    assert usable(state, "The Milk Can Escape")


# ---- Placing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "colour"),
    [
        ("The Vanishing Elephant", "red"),
        ("The Water Torture Cell", "black"),
        ("Sawing Through a Woman", "yellow"),
    ],
)
def test_place_a_ticket_on_a_point_space(card, colour):
    owned, spaces = {0: [card]}, {"blue": 1}
    state = position(owned=owned, die=f"{colour} Herrmann", cubes={0: 3}, hand={0: 1}, spaces=spaces)
    play(state, f"use {card}")
    assert texts(state) == [f"space {name}" for name in state.game.data.spaces if name != "blue"]
    play(state, "space elephant")
    assert state.fields["space_seats"].tolist()[9] == 0
    assert not usable(position(owned=owned, die=f"{colour} Herrmann", cubes={0: 3}), card)
    assert not usable(position(owned=owned, die=f"{colour} Herrmann", cubes={0: 2}, hand={0: 1}), card)


@pytest.mark.parametrize(
    ("card", "die", "cities"),
    [
        ("Queen of Flowers", "green", ["Paris", "Vienna", "Boston", "Cairo", "Liverpool", "Mumbai"]),
        (
            "The Hindu Basket",
            "green",
            ["New York", "Saint Petersburg", "Berlin", "Tokyo", "Lisbon", "Naples"],
        ),
        ("The Lion's Bride", "red", ["London", "Vienna", "Boston", "Istanbul", "Mumbai", "Sydney"]),
        (
            "The Million Dollar Mystery",
            "blue",
            ["London", "Saint Petersburg", "Tokyo", "Istanbul", "Lisbon", "Sydney"],
        ),
        ("Asrah", "black", ["New York", "Paris", "Berlin", "Cairo", "Liverpool", "Naples"]),
    ],
)
def test_place_a_ticket_on_a_city_of_one_of_two_colours(card, die, cities):
    owned = {0: [card]}
    state = position(owned=owned, die=f"{die} Herrmann", cubes={0: 3}, hand={0: 1})
    play(state, f"use {card}")
    assert texts(state) == [f"place {name}" for name in cities]
    play(state, f"place {cities[-1]}")
    assert tickets_in(state, cities[-1]) == [1, 0]
    assert state.fields["hand"][0] == 0
    assert not usable(position(owned=owned, die=f"{die} Herrmann", cubes={0: 3}), card)


def test_place_a_ticket_on_a_city_needs_room_and_no_card():
    cards = ["Psycho", "She", "Asrah", "Levitation", "Black Art"]
    blocked = dict(zip(["Paris", "Vienna", "Boston", "Cairo", "Liverpool"], cards, strict=True))
    common = {"owned": {0: ["Queen of Flowers"]}, "die": "green Herrmann", "cubes": {0: 3}, "hand": {0: 1}}
    assert usable(position(cities=blocked, **common), "Queen of Flowers")
    assert not usable(position(cities=blocked, tickets={1: ["Mumbai"]}, **common), "Queen of Flowers")


# ---- Duplicating -----------------------------------------------------------------------------------------------------


def test_duplicate_anothers_card_reads_own_as_the_acting_seat():
    owned = {0: ["The Spirit Cabinet"], 1: ["Aerial Fishing", "Twentieth Century Silks"]}
    state = position(owned=owned, die="green Herrmann", cubes={0: 4}, hand={0: 2, 1: 5})
    play(state, "use The Spirit Cabinet")
    assert texts(state) == ["copy Aerial Fishing", "copy Twentieth Century Silks"]
    play(state, "copy Aerial Fishing")
    assert texts(state) == ["points 1", "points 2"]
    play(state, "points 2")
    assert [score(state, seat) for seat in (0, 1)] == [2, 0]


def test_duplicate_pays_its_own_cost_and_x_further_cubes_for_an_x_card():
    owned = {0: ["The Spirit Cabinet"], 1: ["Aerial Fishing"]}
    state = position(owned=owned, die="green Herrmann", cubes={0: 3}, hand={0: 5})
    play(state, "use The Spirit Cabinet", "copy Aerial Fishing")
    assert texts(state) == ["points 1", "points 2"]
    assert play(state, "points 2").fields["committed"] == 3


def test_duplicate_does_not_pay_the_copied_cards_cost():
    owned = {0: ["The Spirit Cabinet"], 1: ["The Vanishing Elephant"]}
    state = position(owned=owned, die="green Herrmann", hand={0: 1})
    play(state, "use The Spirit Cabinet", "copy The Vanishing Elephant", "space blue")
    assert state.fields["committed"] == 1


def test_duplicate_matches_the_die_by_the_duplicating_card_only():
    owned = {0: ["The Linking Rings", "The Bullet Catch"]}
    state = position(owned=owned, die="blue Herrmann")
    assert not usable(state, "The Bullet Catch")
    assert play(state, "use The Linking Rings", "copy The Bullet Catch").fields["cubes"][0] == 3


def test_duplicate_scores_its_own_flair_not_the_copied_cards():
    owned = {0: ["The Linking Rings", "The Bullet Catch"]}
    flair = {"The Linking Rings": 1, "The Bullet Catch": 3}
    state = position(owned=owned, die="blue Herrmann", flair=flair)
    assert score(play(state, "use The Linking Rings", "copy The Bullet Catch"), 0) == 1


def test_duplicate_an_own_card_that_has_been_used_and_is_not_used_up():
    owned = {0: ["The Linking Rings", "The Orange Tree"]}
    state = position(owned=owned, die="blue Herrmann")
    both = after(state, "use The Orange Tree", "use The Linking Rings", "copy The Orange Tree")
    assert both.fields["cubes"][0] == 4
    play(state, "use The Linking Rings", "copy The Orange Tree")
    assert usable(state, "The Orange Tree")


def test_duplicate_counts_own_cards_as_if_printed_on_the_duplicating_card():
    """Points for black cards, copied by a card that is black itself: it counts too."""
    owned = {0: ["The Spirit Cabinet"], 1: ["The Artist's Dream", "Psycho"]}
    state = position(owned=owned, die="green Herrmann", cubes={0: 9})
    assert texts(play(state, "use The Spirit Cabinet", "copy The Artist's Dream")) == ["points 1"]


def test_duplicate_never_a_duplicate_or_a_re_roll_card():
    owned = {0: ["The Spirit Cabinet", "The Linking Rings", "The Sliding Die Box", "The Bullet Catch"]}
    state = position(owned=owned, die="blue Herrmann")
    assert texts(play(state, "use The Linking Rings")) == ["copy The Bullet Catch"]
    owned = {0: ["The Spirit Cabinet"], 1: ["The Linking Rings", "The Sliding Die Box", "The Bullet Catch"]}
    state = position(owned=owned, die="green Herrmann")
    assert texts(play(state, "use The Spirit Cabinet")) == ["copy The Bullet Catch"]


def test_duplicate_without_a_text_that_does_anything_cannot_be_used():
    owned = {0: ["The Linking Rings", "The Egg Bag"], 1: ["The Sliding Die Box"]}
    state = position(owned=owned, die="blue Herrmann", hand={0: 10})
    assert not usable(state, "The Linking Rings")
    owned = {0: ["The Spirit Cabinet"], 1: ["Aerial Fishing"]}
    assert not usable(position(owned=owned, die="green Herrmann", cubes={0: 2}), "The Spirit Cabinet")


def test_duplicate_equal_texts_are_one_move():
    owned = {
        0: ["The Spirit Cabinet"],
        1: ["The Orange Tree", "The Silver Hat", "The Bullet Catch", "The Egg Bag"],
    }
    state = play(position(owned=owned, die="green Herrmann"), "use The Spirit Cabinet")
    assert texts(state) == ["copy The Egg Bag", "copy The Orange Tree"]


# ---- Disable and first action ----------------------------------------------------------------------------------------


def test_disable_a_card_of_another_seat_that_is_not_disabled():
    owned = {0: ["The Talking Skull", "Psycho"], 1: ["She", "Levitation"], 2: ["Asrah"]}
    state = position(3, owned=owned, die="black Herrmann", disabled=["She"])
    play(state, "use The Talking Skull")
    assert texts(state) == ["disable Levitation", "disable Asrah"]


def test_disable_without_a_card_to_disable_cannot_be_used():
    state = position(
        owned={0: ["The Talking Skull", "Psycho"], 1: ["She"]}, die="black Herrmann", disabled=["She"]
    )
    assert not usable(state, "The Talking Skull")


def test_disable_the_card_can_neither_be_used_nor_copied():
    owned = {0: ["The Talking Skull"], 1: ["The Orange Tree", "The Linking Rings", "The Egg Bag"]}
    state = position(owned=owned, die="black Herrmann")
    play(state, "use The Talking Skull", "disable The Orange Tree", "end", "draft blue from Kellar")
    assert not usable(state, "The Orange Tree")
    assert texts(play(state, "use The Linking Rings")) == ["copy The Egg Bag"]
    owned = {0: ["The Spirit Cabinet"], 1: ["The Orange Tree", "The Egg Bag"]}
    state = position(owned=owned, die="green Herrmann", disabled=["The Orange Tree"])
    assert texts(play(state, "use The Spirit Cabinet")) == ["copy The Egg Bag"]


def test_disable_lasts_until_the_tables_current_turn_ends():
    owned = {0: ["The Talking Skull"], 1: ["The Orange Tree"], 2: ["She"]}
    state = position(3, owned=owned, die="black Herrmann")
    play(state, "use The Talking Skull", "disable The Orange Tree", "end")
    assert state.fields["disabled"] == 1 << card_number("The Orange Tree")
    play(state, "draft blue from Kellar", "end")
    assert state.fields["disabled"] != 0
    play(state, "draft blue from Kellar", "end")
    assert state.fields["disabled"] == 0


def test_disable_the_card_still_counts_takes_flair_and_may_be_traded():
    owned = {
        0: ["The Nest of Boxes", "The Orange Tree", "The Light and Heavy Chest", "The Blooming Rose Bush"]
    }
    state = position(
        owned=owned, die="blue Herrmann", cubes={0: 9}, cities={"Paris": "She"}, disabled=["The Orange Tree"]
    )
    assert texts(after(state, "use The Nest of Boxes")) == ["points 1", "points 2", "points 3", "points 4"]
    assert "flair on The Orange Tree" in texts(after(state, "use The Blooming Rose Bush"))
    assert "give The Orange Tree" in texts(after(state, "use The Light and Heavy Chest"))


def test_disable_may_be_used_though_it_changes_nothing():
    """The other seat has acted already: the mark will be gone before its next action."""
    state = position(seat=1, owned={0: ["She"], 1: ["The Talking Skull"]}, die="black Herrmann")
    assert usable(state, "The Talking Skull")


def test_first_action_of_the_next_turn():
    state = position(owned={0: ["The Mascot Moth"]}, die="red Herrmann")
    play(state, "use The Mascot Moth", "end", "draft blue from Kellar", "end", "token 4", "token 2")
    assert state.to_move == 0


def test_first_action_may_be_used_though_it_changes_nothing():
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


# ---- Tickets on the move ---------------------------------------------------------------------------------------------

WALL = {"owned": {0: ["Walking Through a Wall"]}, "die": "red Herrmann"}


def test_trade_places_one_own_ticket_and_one_of_another_seat_in_different_cities():
    state = position(3, tickets={0: ["Paris", "Tokyo"], 1: ["Naples"], 2: ["Vienna", "Cairo"]}, **WALL)
    play(state, "use Walking Through a Wall")
    assert texts(state) == ["from Paris", "from Tokyo"]
    play(state, "from Paris")
    assert texts(state) == ["with seat 1 in Naples", "with seat 2 in Vienna", "with seat 2 in Cairo"]
    play(state, "with seat 2 in Vienna")
    assert tickets_in(state, "Paris") == [0, 0, 1]
    assert tickets_in(state, "Vienna") == [1, 0, 0]


def test_trade_places_needs_different_cities():
    same = position(at=(2, 1), tickets={0: ["Paris"], 1: ["Paris"]}, **WALL)
    assert not usable(same, "Walking Through a Wall")
    more = position(at=(2, 1), tickets={0: ["Paris", "Tokyo"], 1: ["Paris"]}, **WALL)
    assert texts(play(more, "use Walking Through a Wall")) == ["from Tokyo"]
    assert texts(play(more, "from Tokyo")) == ["with seat 1 in Paris"]


def test_trade_places_the_acting_seat_gains_the_reward_of_its_new_city_the_other_none():
    state = position(tickets={0: ["Sydney"], 1: ["Naples"]}, **WALL)
    play(state, "use Walking Through a Wall", "from Sydney", "with seat 1 in Naples")
    assert state.fields["cubes"].tolist()[:2] == [4, 2]


def test_trade_places_flair_of_the_new_city():
    state = position(tickets={0: ["Sydney"], 1: ["Berlin"]}, **WALL)
    play(state, "use Walking Through a Wall", "from Sydney", "with seat 1 in Berlin", "discard", "discard")
    assert score(state, 0) == 2


def test_trade_places_needs_no_room():
    state = position(at=(2, 1), tickets={0: ["Sydney"], 1: ["Naples", "Naples"]}, **WALL)
    play(state, "use Walking Through a Wall", "from Sydney", "with seat 1 in Naples")
    assert tickets_in(state, "Naples") == [1, 1]


def test_trade_places_paths_are_checked_for_the_acting_seat_then_for_the_other():
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


def test_trade_places_and_move_leave_tickets_on_point_spaces_alone():
    state = position(spaces={"blue": 0}, tickets={1: ["Naples"]}, **WALL)
    assert not usable(state, "Walking Through a Wall")
    assert not usable(position(owned={0: ["She"]}, die="red Herrmann", spaces={"blue": 0}), "She")


def test_move_a_ticket_to_a_different_city_with_room_and_no_card_of_any_colour():
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


def test_move_a_ticket_without_another_open_city_cannot_be_used():
    names = [card.name for card in position().game.data.cards if card.name != "She"]
    cities = [city.name for city in position().game.data.cities]
    full = dict(zip(cities[1:], names, strict=False))
    common = {"owned": {0: ["She"]}, "die": "red Herrmann", "tickets": {0: ["New York"]}}
    assert not usable(position(cities=full, **common), "She")
    assert not usable(position(cities=full, at=(2, 1), **common), "She")
    del full["Sydney"]
    assert usable(position(cities=full, **common), "She")


# ---- Cards on the move -----------------------------------------------------------------------------------------------

CHEST = "The Light and Heavy Chest"


def test_trade_a_card_for_any_one_on_the_board_its_flair_is_lost():
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


def test_trade_a_card_neither_the_trade_card_nor_a_card_duplicating_it():
    owned = {0: [CHEST, "The Linking Rings", "She"]}
    state = position(owned=owned, die="blue Herrmann", cities={"Paris": "Asrah"})
    assert texts(after(state, f"use {CHEST}")) == ["give The Linking Rings", "give She"]
    play(state, "use The Linking Rings", f"copy {CHEST}")
    assert texts(state) == ["give She"]


def test_trade_a_card_with_nothing_to_give_or_to_take_cannot_be_used():
    assert not usable(position(owned={0: [CHEST]}, die="blue Herrmann", cities={"Paris": "Asrah"}), CHEST)
    assert not usable(position(owned={0: [CHEST, "She"]}, die="blue Herrmann"), CHEST)


def test_trade_a_card_used_and_disabled_marks_travel_and_cubes_on_it_stay_committed():
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


def test_trade_a_card_a_card_taken_may_be_used():
    state = position(owned={0: [CHEST, "She"]}, die="blue Herrmann", cities={"Paris": "The Orange Tree"})
    play(state, f"use {CHEST}", "give She", "take The Orange Tree")
    assert usable(state, "The Orange Tree")


CAN = "The Milk Can Escape"


def test_move_an_illusion_card_to_a_city_with_neither_card_nor_ticket():
    state = position(owned={0: [CAN]}, die="blue Herrmann", cities={"Paris": "She", "Naples": "Asrah"},
                     tickets={0: ["London"], 1: ["Tokyo"]}, at=(2, 1))  # fmt: skip
    play(state, f"use {CAN}")
    assert texts(state) == ["move She", "move Asrah"]
    play(state, "move She")
    closed = {"Paris", "Naples", "London", "Tokyo"}
    assert texts(state) == [f"to {city.name}" for city in state.game.data.cities if city.name not in closed]
    play(state, "to Cairo")
    assert (card_in(state, "Paris"), card_in(state, "Cairo")) == (None, "She")


def test_move_an_illusion_card_without_card_or_empty_city_cannot_be_used():
    assert not usable(position(owned={0: [CAN]}, die="blue Herrmann"), CAN)
    names = [card.name for card in position().game.data.cards if card.name != CAN]
    full = dict(zip((city.name for city in position().game.data.cities), names, strict=False))
    assert not usable(position(owned={0: [CAN]}, die="blue Herrmann", cities=full), CAN)


# ---- +3 on a path, and colours ---------------------------------------------------------------------------------------

CAR = "The Vanishing Automobile"


def test_plus_3_for_the_acting_seats_next_path_in_this_action():
    state = position(
        owned={0: [CAR]}, die="red Kellar", tickets={0: ["Boston", "Liverpool"]}, hand={0: 1}, deck=0
    )
    play(state, f"use {CAR}", "place New York", "claim Liverpool-Boston-New York")
    assert score(state, 0) == 11
    assert state.fields["bonus"] == 0


def test_plus_3_used_twice_gives_6():
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


def test_plus_3_is_not_for_another_seats_path_in_this_action():
    """Seat 0 trades, and the ticket that it gives away completes a path of seat 1."""
    owned = {0: [CAR, "Walking Through a Wall"]}
    tickets = {0: ["Sydney"], 1: ["Liverpool", "Istanbul", "Vienna"]}
    state = position(owned=owned, die="red Herrmann", cubes={0: 9}, tickets=tickets, deck=0)
    play(state, f"use {CAR}", "use Walking Through a Wall", "from Sydney", "with seat 1 in Liverpool")
    play(state, "claim Sydney-Istanbul-Vienna")
    assert [score(state, seat) for seat in (0, 1)] == [0, 8]
    assert state.fields["bonus"] == 3


def test_plus_3_is_lost_at_the_actions_end_and_may_be_used_without_a_path():
    state = play(position(owned={0: [CAR]}, die="red Herrmann"), f"use {CAR}")
    assert state.fields["bonus"] == 3
    assert play(state, "end").fields["bonus"] == 0


def test_change_colour_to_a_different_one_which_counts_for_main_action_and_activations():
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


def test_change_colour_leaves_the_dice_on_the_board_as_they_are():
    state = position(owned={0: ["The Dyeing Tube"]}, die="red Kellar")
    dice = state.fields["dice"].tolist()
    assert play(state, "use The Dyeing Tube", "black").fields["dice"].tolist() == dice
