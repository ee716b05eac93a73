"""Levitation: rewards of cities, flair, paths, the end, and the worked examples of the rulebook."""

import pytest
from levitation_positions import (
    after,
    card_in,
    choose_chance,
    flair_on,
    phase_of,
    play,
    position,
    score,
    texts,
    tickets_in,
)

# ---- Rewards -----------------------------------------------------------------------------------------------


def test_a_ticket_placed_in_a_city_gains_its_cubes():
    state = play(position(die="red Kellar", hand={0: 1}), "place Naples")
    assert state.fields["cubes"].tolist()[:2] == [4, 2]
    assert phase_of(state) == "main"


def test_a_ticket_placed_in_a_city_gains_its_flair():
    state = play(position(die="red Kellar", hand={0: 1}), "place Berlin")
    assert (phase_of(state), state.fields["n_flair"]) == ("flair", 2)


def test_point_cities_pay_for_paths_only():
    state = play(position(die="green Kellar", hand={0: 1}), "place London")
    assert (score(state, 0), phase_of(state)) == (0, "main")


def test_a_short_supply_of_cubes_gives_all_it_has():
    state = play(position(die="red Kellar", hand={0: 1}, cubes={0: 9, 1: 40}), "place Naples")
    assert state.fields["cubes"].tolist()[:2] == [10, 40]


def test_a_ticket_may_enter_a_city_whose_reward_is_exhausted():
    state = position(die="red Kellar", hand={0: 1}, cubes={0: 10, 1: 40})
    assert "place Naples" in texts(state)
    assert play(state, "place Naples").fields["cubes"].tolist()[:2] == [10, 40]


FOURS = ("The Egg Bag", "The Spirit Paintings", "The Talking Skull", "The Mascot Moth", "Walking Through a Wall",
         "The Light and Heavy Chest", "The Sliding Die Box", "The Vanishing Automobile", "The Milk Can Escape",
         "The Dyeing Tube")  # fmt: skip
THREES = ("The Orange Tree", "The Silver Hat", "She")


def flair_out(on_she: int) -> dict:
    """Put all but a few of the fifty flair tokens on cards of seat 1."""
    flair = dict.fromkeys(FOURS, 4) | dict.fromkeys(THREES, 3) | {"She": on_she}
    return {"owned": {0: ["Asrah"], 1: [*FOURS, *THREES]}, "flair": flair}


def test_a_short_supply_of_flair_gives_all_it_has():
    state = play(position(die="red Kellar", hand={0: 1}, **flair_out(3)), "place Berlin")
    assert state.fields["n_flair"] == 1
    assert phase_of(play(state, "flair on Asrah")) == "main"


def test_an_empty_supply_of_flair_gives_neither_token_nor_point():
    full = flair_out(3)
    full["flair"]["Asrah"] = 1
    state = play(position(die="red Kellar", hand={0: 1}, **full), "place Berlin")
    assert (phase_of(state), score(state, 0)) == ("main", 0)
    assert tickets_in(state, "Berlin") == [1, 0]


def test_each_flair_token_goes_on_an_own_card_with_room_or_is_discarded_for_a_point():
    owned = {0: ["Asrah", "Psycho", "She"], 1: ["Levitation"]}
    state = position(die="red Kellar", hand={0: 1}, owned=owned, flair={"Psycho": 1})
    play(state, "place Berlin")
    assert texts(state) == ["discard", "flair on Asrah", "flair on She"]
    play(state, "flair on Asrah")
    assert phase_of(state) == "flair"
    done = after(state, "flair on She")
    assert [flair_on(done, name) for name in ("Asrah", "She")] == [1, 1]
    assert score(after(state, "discard"), 0) == 1
    assert flair_on(after(state, "flair on Asrah"), "Asrah") == 2


def test_flair_without_room_can_only_be_discarded():
    state = play(position(die="red Kellar", hand={0: 1}), "place Berlin")
    assert texts(state) == ["discard"]
    assert score(play(state, "discard", "discard"), 0) == 2


def test_a_card_takes_no_more_flair_than_it_shows():
    state = position(die="red Kellar", hand={0: 1}, owned={0: ["Asrah"]}, flair={"Asrah": 1})
    play(state, "place Berlin", "flair on Asrah")
    assert texts(state) == ["discard"]


def test_equal_flair_tokens_are_never_offered_in_two_orders():
    owned = {0: ["Asrah", "She", "The Egg Bag"]}
    state = play(position(die="red Kellar", hand={0: 1}, owned=owned), "place Berlin")
    results = []
    for first in texts(state):
        child = after(state, first)
        results += [after(child, second).to_bytes() for second in texts(child)]
    assert len(results) == len(set(results)) == 10  # ways to put two equal tokens on three cards or away


# ---- Paths -------------------------------------------------------------------------------------------------


def path_state(tickets, die, **more):
    return position(die=die, tickets={0: tickets}, hand={0: 1}, **more)


@pytest.mark.parametrize(
    ("tickets", "die", "last", "claim"),
    [
        (["Tokyo", "Naples"], "blue", "Paris", "claim Naples-Tokyo-Paris"),
        (["Tokyo", "Naples"], "green", "London", "claim Naples-Tokyo-London"),
        (["Tokyo", "Naples"], "yellow", "Vienna", "claim Naples-Tokyo-Vienna"),
        (["Tokyo", "Paris"], "black", "Lisbon", "claim Lisbon-Tokyo-Paris"),
        (["Paris", "Naples"], "red", "Berlin", "claim Naples-Berlin-Paris"),
    ],
)
def test_a_path_is_a_ticket_in_each_row_straight_or_diagonal_placed_in_any_order(tickets, die, last, claim):
    state = path_state(tickets, f"{die} Kellar")
    play(state, f"place {last}")
    while phase_of(state) == "flair":
        play(state, "discard")
    assert texts(state) == [claim]


@pytest.mark.parametrize(
    ("tickets", "die", "last"),
    [
        (["Tokyo", "Liverpool"], "green", "London"),  # bottom too far from the middle
        (["Tokyo", "Naples"], "red", "New York"),  # top too far from the middle
        (["Tokyo", "London"], "blue", "Paris"),  # no bottom row
        (["Naples", "Paris"], "green", "London"),  # no middle row
    ],
)
def test_other_three_tickets_are_no_path(tickets, die, last):
    assert phase_of(play(path_state(tickets, f"{die} Kellar"), f"place {last}")) == "main"


def test_a_path_scores_the_citys_points_and_its_tickets_become_unused():
    state = path_state(["Tokyo", "Naples"], "green Kellar", deck=0)
    play(state, "place London")
    assert (score(state, 0), state.to_move) == (0, 0)
    play(state, "claim Naples-Tokyo-London")
    assert score(state, 0) == 10
    assert (state.fields["hand"][0], state.fields["unused"][0], state.fields["tickets"][0]) == (0, 10, 0)


def test_every_other_ticket_on_a_claimed_path_returns_to_its_owners_hand():
    tickets = {
        0: ["Tokyo", "Naples", "Naples", "Cairo"],
        1: ["Naples", "Tokyo"],
        2: ["London", "London", "Boston"],
    }
    state = position(3, die="green Kellar", tickets=tickets, hand={0: 2, 1: 1}, at=(3, 1), deck=0)
    play(state, "place London", "claim Naples-Tokyo-London")
    fields = state.fields
    assert fields["hand"].tolist()[:3] == [2, 3, 2]
    assert fields["unused"].tolist()[:3] == [7, 7, 7]
    assert tickets_in(state, "Cairo") == [1, 0, 0]
    assert tickets_in(state, "Boston") == [0, 0, 1]
    assert all(tickets_in(state, city) == [0, 0, 0] for city in ("London", "Tokyo", "Naples"))


def test_the_owner_chooses_between_several_paths():
    tickets = {0: ["Tokyo", "Naples", "Mumbai", "Boston"]}
    state = position(die="green Kellar", tickets=tickets, hand={0: 1}, deck=0)
    play(state, "place London")
    assert texts(state) == ["claim Naples-Tokyo-London", "claim Mumbai-Tokyo-London"]
    play(state, "claim Mumbai-Tokyo-London")
    assert (tickets_in(state, "Naples"), tickets_in(state, "Mumbai")) == ([1, 0], [0, 0])
    assert phase_of(state) == "main"


def test_the_owner_claims_a_path_even_if_another_seat_is_acting():
    owned = {0: ["Walking Through a Wall"]}
    tickets = {0: ["Sydney"], 1: ["Liverpool", "Istanbul", "Vienna"]}
    state = position(owned=owned, die="red Herrmann", tickets=tickets, deck=0)
    play(state, "use Walking Through a Wall", "from Sydney", "with seat 1 in Liverpool")
    assert (state.to_move, texts(state)) == (1, ["claim Sydney-Istanbul-Vienna"])
    play(state, "claim Sydney-Istanbul-Vienna")
    assert (state.to_move, phase_of(state)) == (0, "main")


def test_a_claimed_path_gets_new_cards_top_middle_bottom():
    state = path_state(["Tokyo", "Naples"], "green Kellar", deck=["Psycho", "She", "Asrah", "Levitation"])
    play(state, "place London", "claim Naples-Tokyo-London", "deal She", "deal Asrah")
    assert [card_in(state, city) for city in ("London", "Tokyo", "Naples")] == ["She", "Asrah", None]
    play(state, "deal Psycho")
    assert card_in(state, "Naples") == "Psycho"
    assert (phase_of(state), int(state.fields["deck"]).bit_count()) == ("main", 1)


@pytest.mark.parametrize("cards", [0, 1, 2])
def test_a_city_of_a_claimed_path_stays_empty_if_the_deck_is_empty(cards):
    state = path_state(["Tokyo", "Naples"], "green Kellar", deck=cards)
    choose_chance(play(state, "place London", "claim Naples-Tokyo-London"))
    filled = [card_in(state, city) is not None for city in ("London", "Tokyo", "Naples")]
    assert filled == [True] * cards + [False] * (3 - cards)
    assert phase_of(state) == "main"


# ---- The end -----------------------------------------------------------------------------------------------


def last_action(players=2, **more):
    """Return the last action of the game, after the draft."""
    return position(players, seat=players - 1, die="blue Herrmann", at=(3, 4), **more)


BLUES = ["The Sliding Die Box", "The Blooming Rose Bush", "Psycho", "The Floating Ball", "The Orange Tree"]
MICE = ["The Egg Bag", "Cups and Balls", "The Talking Skull", "The Rising Cards", "The Miser's Dream"]


@pytest.mark.parametrize(("n", "points"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10), (5, 10)])
@pytest.mark.parametrize(("space", "cards"), [("blue", BLUES), ("mouse", MICE)])
def test_icon_and_size_spaces_score_by_the_cards_owned(space, cards, n, points):
    state = last_action(owned={0: [*cards[:n], "She"]}, spaces={space: 0}, scores={0: 20})  # She is neither
    assert score(play(state, "end"), 0) == 20 + points


def test_a_space_scores_only_for_the_seat_whose_ticket_is_there():
    state = play(last_action(owned={0: BLUES, 1: ["She"]}, spaces={"blue": 1}), "end")
    assert [score(state, seat) for seat in (0, 1)] == [0, 0]


@pytest.mark.parametrize(("n", "points"), [(0, 0), (3, 3), (10, 10), (11, 10)])
def test_the_flair_space_scores_a_point_a_token_on_own_cards_at_most_10(n, points):
    cards = FOURS[:3]
    flair = {name: min(4, max(0, n - 4 * index)) for index, name in enumerate(cards)}
    state = last_action(owned={0: cards, 1: ["She"]}, flair=flair | {"She": 3}, spaces={"flair": 0})
    assert score(play(state, "end"), 0) == points


def test_the_ticket_space_scores_tickets_in_hand_and_on_the_board():
    state = last_action(hand={0: 3}, tickets={0: ["Naples", "Paris"]}, spaces={"tickets": 0, "dog": 0})
    assert score(play(state, "end"), 0) == 7
    state = last_action(hand={0: 9}, spaces={"tickets": 0})
    assert score(play(state, "end"), 0) == 10


@pytest.mark.parametrize(("n", "points"), [(2, 2), (6, 6), (10, 10), (14, 10)])
def test_the_cube_space_scores_a_point_a_cube_at_most_10(n, points):
    assert score(play(last_action(cubes={0: n}, spaces={"cubes": 0}), "end"), 0) == points


def test_the_cube_space_counts_committed_cubes():
    state = last_action(owned={1: ["The Orange Tree"]}, spaces={"cubes": 1})
    assert score(play(state, "use The Orange Tree", "end"), 1) == 3


@pytest.mark.parametrize("n", range(6))
def test_the_drawing_tells_what_the_spaces_will_score(n):
    state = last_action(
        owned={0: [*BLUES[:n], *MICE[:n]]},
        flair={"The Egg Bag": 4} if n else {},
        tickets={0: ["Naples", "Paris"]},
        hand={0: n // 2},
        cubes={0: 2 + 2 * n},
        spaces=dict.fromkeys(["blue", "black", "mouse", "flair", "tickets", "cubes"], 0),
        scores={0: 20},
    )
    drawn = str(state)
    end = play(state, "end")
    assert f"seat 0: 20 points ({score(end, 0)} with spaces), " in drawn
    assert f"seat 0: {score(end, 0)} points, " in str(end)


def test_the_most_points_win():
    state = play(last_action(3, scores={0: 5, 1: 9, 2: 7}), "end")
    assert state.is_over
    assert state.returns() == [0, 1, 0]


def test_tied_winners_share():
    state = play(last_action(3, scores={0: 9, 1: 7, 2: 9}), "end")
    assert state.returns() == [0.5, 0, 0.5]
    assert play(last_action(2), "end").returns() == [0.5, 0.5]


# ---- The rulebook's examples -------------------------------------------------------------------------------


def test_the_rulebooks_example_of_levitation_and_she():
    """A green die from Thurston, five cubes: take Levitation, put its flair on She, move a ticket to Naples."""
    state = position(
        owned={0: ["She"]}, cities={"Boston": "Levitation"}, tickets={0: ["Liverpool"]}, cubes={0: 5}
    )
    play(state, "draft green from Thurston", "take Levitation", "use Levitation", "flair on She")
    play(state, "use She", "from Liverpool", "to Naples")
    assert (score(state, 0), flair_on(state, "She")) == (1, 1)
    assert state.fields["cubes"][0] == 7
    assert (tickets_in(state, "Liverpool"), tickets_in(state, "Naples")) == ([0, 0], [1, 0])
    assert "end" in texts(state)


def test_the_rulebooks_example_of_london_and_queen_of_flowers():
    """A green die from Kellar: a ticket in London ends a path for 10 points, Queen of Flowers places in Mumbai."""
    state = position(
        owned={0: ["Queen of Flowers"]},
        flair={"Queen of Flowers": 1},
        tickets={0: ["Naples", "Tokyo"]},
        hand={0: 2},
        cubes={0: 5},
    )
    play(state, "draft green from Kellar", "place London", "claim Naples-Tokyo-London")
    assert score(state, 0) == 10
    choose_chance(state)
    assert all(card_in(state, city) is not None for city in ("London", "Tokyo", "Naples"))
    assert state.fields["unused"][0] == 9
    play(state, "use Queen of Flowers")
    assert state.fields["committed"] == 3
    play(state, "place Mumbai")
    assert (score(state, 0), state.fields["cubes"][0], state.fields["hand"][0]) == (11, 7, 0)


def test_the_rulebooks_example_of_final_scores():
    """Purple 59 + 10 + 6 = 75 (the rulebook's summary misprints 72), yellow 81, blue 72, green 70, red 70."""
    purple, yellow, blue, green, red = range(5)
    owned = {
        purple: BLUES[:4],
        yellow: [
            "Second Sight",
            "The Silver Hat",
            "Queen of Flowers",
            "Levitation",
            "She",
        ],  # five green, two rabbits
        blue: [
            "Cups and Balls",
            "The Hindu Basket",
            "The Rising Cards",
            "The Bullet Catch",
        ],  # three yellow, two dogs
        green: ["Black Art"],
        red: ["Asrah"],
    }
    spaces = {"blue": purple, "cubes": purple, "green": yellow, "rabbit": yellow, "yellow": blue, "dog": blue,
              "tickets": green}  # fmt: skip
    state = last_action(
        5,
        owned=owned,
        spaces=spaces,
        cubes={purple: 6},
        hand={green: 4},
        tickets={green: ["Naples", "Paris", "Cairo"]},
        scores={purple: 59, green: 62, blue: 63, yellow: 68, red: 70},
    )
    play(state, "end")
    assert [score(state, seat) for seat in (yellow, purple, blue, red, green)] == [81, 75, 72, 70, 70]
    assert state.returns()[yellow] == 1
