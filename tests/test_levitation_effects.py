"""Levitation: effects that score, gain, place and duplicate. One test for each text, or each clause about it."""

import pytest
from levitation_positions import (
    after,
    card_in,
    card_number,
    cards_of,
    flair_on,
    play,
    position,
    score,
    texts,
    tickets_in,
)

from aiplay.games.levitation.data import COLOURS


def usable(state, name: str) -> bool:
    return f"use {name}" in texts(state)


# ---- Points: X cards ---------------------------------------------------------------------------------------


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
def test_points_for_dice_include_the_die_just_drafted(card, colour):
    counts = dict.fromkeys(COLOURS, (4, 0, 0)) | {colour: (1, 1, 1)}
    state = position(owned={0: [card]}, die=f"{colour} Herrmann", cubes={0: 9}, dice=counts)
    play(state, f"use {card}")
    assert texts(state) == ["points 1", "points 2"]
    assert score(play(state, "points 2"), 0) == 2


def test_points_for_dice_count_the_printed_colour():
    owned = {0: ["Pepper's Ghost", "The Dyeing Tube"]}
    state = position(owned=owned, die="yellow Herrmann", cubes={0: 9}, dice=dict.fromkeys(COLOURS, (4, 0, 0)))
    play(state, "use The Dyeing Tube", "red")
    assert not usable(state, "Pepper's Ghost")


def test_points_for_dice_cannot_be_used_with_none_off_the_board():
    state = position(
        owned={0: ["Multiplying Billiard Balls"]},
        die="yellow Herrmann",
        dice=dict.fromkeys(COLOURS, (4, 0, 0)),
    )
    assert not usable(state, "Multiplying Billiard Balls")


@pytest.mark.parametrize("card", ["The Floating Ball", "The Indian Rope Trick"])
def test_points_for_tickets_on_the_board_include_those_on_point_spaces(card):
    colour = "blue" if card == "The Floating Ball" else "red"
    state = position(owned={0: [card]}, die=f"{colour} Herrmann", cubes={0: 9}, hand={0: 4},
                     tickets={0: ["Naples", "Tokyo"], 1: ["Paris"]}, spaces={"blue": 0, "red": 1})  # fmt: skip
    assert texts(play(state, f"use {card}")) == ["points 1", "points 2", "points 3"]
    bare = position(owned={0: [card]}, die=f"{colour} Herrmann", hand={0: 4}, tickets={1: ["Naples"]})
    assert not usable(bare, card)


@pytest.mark.parametrize("card", ["The Inexhaustible Bottle", "Aerial Fishing"])
def test_points_for_tickets_in_hand_count_only_those(card):
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
def test_points_for_cards_include_the_card_itself_and_cards_with_two_icons(card, colour, others):
    owned = {0: [card, *others, "The Talking Skull" if colour != "black" else "Second Sight"]}
    state = position(owned=owned, die=f"{colour} Herrmann", cubes={0: 9})
    assert texts(play(state, f"use {card}")) == ["points 1", "points 2", "points 3"]
    alone = position(owned={0: [card]}, die=f"{colour} Herrmann", cubes={0: 9})
    assert texts(play(alone, f"use {card}")) == ["points 1"]


def test_x_is_limited_by_the_free_cubes_and_each_point_commits_one():
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


def test_an_x_card_needs_a_free_cube():
    state = position(
        owned={0: ["Aerial Fishing", "The Vanishing Bird Cage"]}, die="red Herrmann", hand={0: 6}
    )
    play(state, "use The Vanishing Bird Cage")
    assert not usable(state, "Aerial Fishing")


def test_an_x_card_takes_more_than_three_cubes():
    state = position(owned={0: ["Aerial Fishing"]}, die="red Herrmann", cubes={0: 9}, hand={0: 6})
    assert score(play(state, "use Aerial Fishing", "points 6"), 0) == 6


def test_an_x_card_scores_its_flair_too():
    state = position(
        owned={0: ["Aerial Fishing"]}, die="red Herrmann", hand={0: 1}, flair={"Aerial Fishing": 2}
    )
    assert score(play(state, "use Aerial Fishing", "points 1"), 0) == 3


# ---- Gains -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "colour"),
    [("Levitation", "green"), ("The Blooming Rose Bush", "blue"), ("Twentieth Century Silks", "yellow")],
)
def test_gained_flair_is_placed_or_discarded_for_a_point(card, colour):
    state = play(position(owned={0: [card, "Asrah"]}, die=f"{colour} Herrmann"), f"use {card}")
    first, second = sorted([card, "Asrah"], key=card_number)
    assert texts(state) == ["discard", f"flair on {first}", f"flair on {second}"]
    assert score(after(state, "discard"), 0) == 1
    placed = after(state, "flair on Asrah")
    assert (flair_on(placed, "Asrah"), score(placed, 0)) == (1, 0)


def test_gaining_flair_cannot_be_used_with_an_empty_supply():
    names = ["The Egg Bag", "The Spirit Paintings", "The Talking Skull", "The Mascot Moth", "Walking Through a Wall",
             "The Light and Heavy Chest", "The Sliding Die Box", "The Vanishing Automobile", "The Milk Can Escape",
             "The Dyeing Tube"]  # fmt: skip
    full = dict.fromkeys(names, 4) | {"The Orange Tree": 3, "The Silver Hat": 3, "She": 3, "Levitation": 1}
    owned = {0: ["Levitation"], 1: [*names, "The Orange Tree", "The Silver Hat", "She"]}
    assert not usable(position(owned=owned, flair=full, die="green Herrmann"), "Levitation")
    assert usable(position(owned=owned, flair=full | {"She": 2}, die="green Herrmann"), "Levitation")


@pytest.mark.parametrize(("card", "colour"), [("The Egg Bag", "red"), ("The Spirit Paintings", "blue")])
def test_gaining_a_ticket_takes_an_unused_one(card, colour):
    state = play(position(owned={0: [card]}, die=f"{colour} Kellar", hand={0: 1}), f"use {card}")
    assert (state.fields["hand"][0], state.fields["unused"][0]) == (2, 8)
    assert not usable(position(owned={0: [card]}, die=f"{colour} Kellar", hand={0: 10}), card)


@pytest.mark.parametrize(
    ("card", "colour"),
    [("The Orange Tree", "blue"), ("The Silver Hat", "yellow"), ("The Bullet Catch", "black")],
)
def test_gaining_a_cube_takes_one_from_the_supply(card, colour):
    state = play(position(owned={0: [card]}, die=f"{colour} Herrmann"), f"use {card}")
    assert state.fields["cubes"].tolist()[:2] == [3, 2]
    assert not usable(position(owned={0: [card]}, die=f"{colour} Herrmann", cubes={0: 2, 1: 48}), card)


@pytest.mark.parametrize(
    ("card", "counted", "die"),
    [("The Enchanted Noah's Ark", "green", "blue"), ("The Vanishing Bird Cage", "red", "yellow")],
)
def test_gaining_tickets_gives_one_for_each_die_of_a_colour_off_the_board(card, counted, die):
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
def test_gaining_a_card_takes_one_with_an_icon_from_a_city(card, die, gained, other):
    state = position(owned={0: [card]}, die=f"{die} Herrmann", cities={"Paris": gained, "Naples": other})
    play(state, f"use {card}")
    assert texts(state) == [f"take {gained}"]
    play(state, f"take {gained}")
    assert cards_of(state, 0) == {card, gained}
    assert card_in(state, "Paris") is None
    assert not usable(position(owned={0: [card]}, die=f"{die} Herrmann", cities={"Naples": other}), card)


def test_a_gained_card_may_be_used_in_the_same_action():
    cities = {"Paris": "The Milk Can Escape", "Naples": "Psycho"}
    state = position(owned={0: ["The Expanding Die"]}, die="black Herrmann", cities=cities)
    play(state, "use The Expanding Die", "take The Milk Can Escape")
    assert usable(state, "The Milk Can Escape")


# ---- Placing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "colour"),
    [
        ("The Vanishing Elephant", "red"),
        ("The Water Torture Cell", "black"),
        ("Sawing Through a Woman", "yellow"),
    ],
)
def test_placing_on_a_point_space_needs_a_ticket_and_a_free_space(card, colour):
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
def test_placing_on_a_city_allows_two_colours(card, die, cities):
    owned = {0: [card]}
    state = position(owned=owned, die=f"{die} Herrmann", cubes={0: 3}, hand={0: 1})
    play(state, f"use {card}")
    assert texts(state) == [f"place {name}" for name in cities]
    play(state, f"place {cities[-1]}")
    assert tickets_in(state, cities[-1]) == [1, 0]
    assert state.fields["hand"][0] == 0
    assert not usable(position(owned=owned, die=f"{die} Herrmann", cubes={0: 3}), card)


def test_placing_on_a_city_needs_room_and_no_card():
    cards = ["Psycho", "She", "Asrah", "Levitation", "Black Art"]
    blocked = dict(zip(["Paris", "Vienna", "Boston", "Cairo", "Liverpool"], cards, strict=True))
    common = {"owned": {0: ["Queen of Flowers"]}, "die": "green Herrmann", "cubes": {0: 3}, "hand": {0: 1}}
    assert usable(position(cities=blocked, **common), "Queen of Flowers")
    assert not usable(position(cities=blocked, tickets={1: ["Mumbai"]}, **common), "Queen of Flowers")


# ---- Duplicating -------------------------------------------------------------------------------------------


def test_duplicating_anothers_card_counts_for_the_acting_seat():
    owned = {0: ["The Spirit Cabinet"], 1: ["Aerial Fishing", "Twentieth Century Silks"]}
    state = position(owned=owned, die="green Herrmann", cubes={0: 4}, hand={0: 2, 1: 5})
    play(state, "use The Spirit Cabinet")
    assert texts(state) == ["copy Aerial Fishing", "copy Twentieth Century Silks"]
    play(state, "copy Aerial Fishing")
    assert texts(state) == ["points 1", "points 2"]
    play(state, "points 2")
    assert [score(state, seat) for seat in (0, 1)] == [2, 0]


def test_duplicating_an_x_card_costs_x_further_cubes():
    owned = {0: ["The Spirit Cabinet"], 1: ["Aerial Fishing"]}
    state = position(owned=owned, die="green Herrmann", cubes={0: 3}, hand={0: 5})
    play(state, "use The Spirit Cabinet", "copy Aerial Fishing")
    assert texts(state) == ["points 1", "points 2"]
    assert play(state, "points 2").fields["committed"] == 3


def test_duplicating_does_not_cost_what_the_copied_card_costs():
    owned = {0: ["The Spirit Cabinet"], 1: ["The Vanishing Elephant"]}
    state = position(owned=owned, die="green Herrmann", hand={0: 1})
    play(state, "use The Spirit Cabinet", "copy The Vanishing Elephant", "space blue")
    assert state.fields["committed"] == 1


def test_only_the_duplicating_card_has_to_match_the_die():
    owned = {0: ["The Linking Rings", "The Bullet Catch"]}
    state = position(owned=owned, die="blue Herrmann")
    assert not usable(state, "The Bullet Catch")
    assert play(state, "use The Linking Rings", "copy The Bullet Catch").fields["cubes"][0] == 3


def test_duplicating_scores_its_own_flair_not_the_copied_cards():
    owned = {0: ["The Linking Rings", "The Bullet Catch"]}
    flair = {"The Linking Rings": 1, "The Bullet Catch": 3}
    state = position(owned=owned, die="blue Herrmann", flair=flair)
    assert score(play(state, "use The Linking Rings", "copy The Bullet Catch"), 0) == 1


def test_a_used_card_can_be_duplicated_and_a_duplicated_card_can_be_used():
    owned = {0: ["The Linking Rings", "The Orange Tree"]}
    state = position(owned=owned, die="blue Herrmann")
    both = after(state, "use The Orange Tree", "use The Linking Rings", "copy The Orange Tree")
    assert both.fields["cubes"][0] == 4
    play(state, "use The Linking Rings", "copy The Orange Tree")
    assert usable(state, "The Orange Tree")


def test_a_duplicated_text_counts_the_duplicating_card():
    """The text gives points for black cards, and the card that copies it is black."""
    owned = {0: ["The Spirit Cabinet"], 1: ["The Artist's Dream", "Psycho"]}
    state = position(owned=owned, die="green Herrmann", cubes={0: 9})
    assert texts(play(state, "use The Spirit Cabinet", "copy The Artist's Dream")) == ["points 1"]


def test_duplicates_and_re_rolls_cannot_be_duplicated():
    owned = {0: ["The Spirit Cabinet", "The Linking Rings", "The Sliding Die Box", "The Bullet Catch"]}
    state = position(owned=owned, die="blue Herrmann")
    assert texts(play(state, "use The Linking Rings")) == ["copy The Bullet Catch"]
    owned = {0: ["The Spirit Cabinet"], 1: ["The Linking Rings", "The Sliding Die Box", "The Bullet Catch"]}
    state = position(owned=owned, die="green Herrmann")
    assert texts(play(state, "use The Spirit Cabinet")) == ["copy The Bullet Catch"]


def test_duplicating_cannot_be_used_without_a_text_that_does_anything():
    owned = {0: ["The Linking Rings", "The Egg Bag"], 1: ["The Sliding Die Box"]}
    state = position(owned=owned, die="blue Herrmann", hand={0: 10})
    assert not usable(state, "The Linking Rings")
    owned = {0: ["The Spirit Cabinet"], 1: ["Aerial Fishing"]}
    assert not usable(position(owned=owned, die="green Herrmann", cubes={0: 2}), "The Spirit Cabinet")


def test_equal_texts_to_duplicate_are_one_move():
    owned = {
        0: ["The Spirit Cabinet"],
        1: ["The Orange Tree", "The Silver Hat", "The Bullet Catch", "The Egg Bag"],
    }
    state = play(position(owned=owned, die="green Herrmann"), "use The Spirit Cabinet")
    assert texts(state) == ["copy The Egg Bag", "copy The Orange Tree"]
