"""Levitation: the data file, one test for each balance constraint, and files that are refused."""

import itertools
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from levitation_positions import game_of

import aiplay
from aiplay.errors import GameDataError
from aiplay.games.data_file import own_file
from aiplay.games.levitation.data import COLOURS, EFFECTS, SIZES, load_data

DATA = load_data(None)
NAMES = tuple(EFFECTS)
BY_NAME = {card.name: card for card in DATA.cards}
CITIES = {city.name: city for city in DATA.cities}
FAMILIES = {
    "points for dice": 5,
    "points for tickets on the board": 2,
    "points for tickets in hand": 2,
    "points for cards": 5,
    "gain flair": 3,
    "gain ticket": 2,
    "gain cube": 3,
    "gain tickets for dice": 2,
    "gain card": 5,
    "place on a point space": 3,
    "place on a city": 5,
    "duplicate another's card": 1,
    "duplicate an own card": 1,
    "disable a card": 1,
    "first action": 1,
    "trade tickets": 1,
    "move a ticket": 1,
    "trade a card": 1,
    "re-roll": 1,
    "path bonus": 1,
    "move a card": 1,
    "change colour": 1,
}


def effect(card) -> str:
    return NAMES[card.effect]


def family(name: str) -> list:
    return [card for card in DATA.cards if effect(card) == name]


# ---- Cards -------------------------------------------------------------------------------------------------


def test_48_cards_in_the_families_of_the_rules():
    assert Counter(effect(card) for card in DATA.cards) == FAMILIES
    assert len(DATA.cards) == sum(FAMILIES.values()) == 48


def test_14_x_cards_are_those_that_give_points():
    x_cards = [card for card in DATA.cards if card.cost == 0]
    assert len(x_cards) == 14
    assert {effect(card) for card in x_cards} == set(NAMES[:4])


def test_every_colour_has_5_or_6_x_cards():
    counts = Counter(icon for card in DATA.cards if card.cost == 0 for icon in card.icons)
    assert set(counts.values()) <= {5, 6}
    assert len(counts) == 5


def test_38_cards_have_two_icons_and_10_have_one():
    assert Counter(len(card.icons) for card in DATA.cards) == {2: 38, 1: 10}


def test_every_colour_is_an_icon_of_17_or_18_cards():
    counts = Counter(icon for card in DATA.cards for icon in card.icons)
    assert set(counts.values()) <= {17, 18}
    assert len(counts) == 5


def test_every_size_has_9_or_10_cards():
    counts = Counter(card.size for card in DATA.cards)
    assert set(counts.values()) <= {9, 10}
    assert len(counts) == 5


def test_14_15_9_and_10_cards_take_1_2_3_and_4_flair():
    assert Counter(card.flair for card in DATA.cards) == {1: 14, 2: 15, 3: 9, 4: 10}


def test_flair_limits_are_lower_on_stronger_cards():
    """Points and point spaces are strongest, then other placing and cards; plain gains and tricks are weakest."""
    strong = [card.flair for card in DATA.cards if effect(card) in (*NAMES[:4], "place on a point space")]
    middle = [card.flair for card in DATA.cards if effect(card) in ("place on a city", "gain card")]
    weak = [
        card.flair
        for card in DATA.cards
        if effect(card) in ("gain ticket", "gain cube", "first action", "re-roll")
    ]
    assert sum(strong) / len(strong) < sum(middle) / len(middle) < sum(weak) / len(weak)


@pytest.mark.parametrize("name", ["points for dice", "points for cards", "gain card"])
def test_families_of_five_name_each_colour_once(name):
    assert sorted(card.colours[0] for card in family(name)) == [0, 1, 2, 3, 4]


def test_points_for_cards_have_the_icon_that_they_count():
    assert all(card.colours[0] in card.icons for card in family("points for cards"))


def test_cards_that_place_on_cities_name_each_colour_twice():
    counts = Counter(colour for card in family("place on a city") for colour in card.colours)
    assert counts == dict.fromkeys(range(5), 2)


def test_placing_on_a_point_space_costs_3():
    assert {card.cost for card in family("place on a point space")} == {3}


def test_placing_on_a_city_gaining_a_card_and_trading_tickets_cost_1_or_2_except_queen_of_flowers():
    cards = [card for name in ("place on a city", "gain card", "trade tickets") for card in family(name)]
    assert {card.cost for card in cards if card.name != "Queen of Flowers"} == {1, 2}


def test_plain_gains_cost_1_or_2():
    gains = ("gain flair", "gain ticket", "gain cube", "gain tickets for dice")
    assert {card.cost for name in gains for card in family(name)} == {1, 2}


def test_costs_are_spread_evenly():
    counts = Counter(card.cost for card in DATA.cards if card.cost)
    assert abs(counts[1] - counts[2]) <= 2
    assert counts[3] == 4


def test_levitation_is_green_gains_flair_and_costs_2_as_in_the_rulebook():
    card = BY_NAME["Levitation"]
    assert (COLOURS.index("green") in card.icons, effect(card), card.cost) == (True, "gain flair", 2)


def test_she_is_green_moves_a_ticket_and_costs_2_as_in_the_rulebook():
    card = BY_NAME["She"]
    assert (COLOURS.index("green") in card.icons, effect(card), card.cost) == (True, "move a ticket", 2)


def test_queen_of_flowers_is_green_costs_3_and_places_on_yellow_or_blue_as_in_the_rulebook():
    card = BY_NAME["Queen of Flowers"]
    assert (COLOURS.index("green") in card.icons, effect(card), card.cost) == (True, "place on a city", 3)
    assert {COLOURS[colour] for colour in card.colours} == {"yellow", "blue"}


def test_other_texts_of_the_rulebook_are_on_a_card():
    texts = {(effect(card), frozenset(COLOURS[colour] for colour in card.colours)) for card in DATA.cards}
    assert ("place on a city", frozenset({"red", "black"})) in texts
    assert ("gain tickets for dice", frozenset({"green"})) in texts
    assert ("gain card", frozenset({"green"})) in texts
    assert [card.cost for card in family("re-roll")] == [1]


# ---- Cities, tokens, point spaces --------------------------------------------------------------------------


def test_15_cities_with_each_colour_once_in_every_row():
    assert len(DATA.cities) == 15
    for row in range(3):
        assert sorted(city.colours for city in DATA.cities if city.row == row) == [
            (0,),
            (1,),
            (2,),
            (3,),
            (4,),
        ]


def test_the_top_row_gives_points_the_middle_flair_the_bottom_cubes():
    assert [city.points for city in DATA.cities] == [8, 10, 9, 8, 9] + 10 * [0]
    assert [city.flair for city in DATA.cities] == [0, 0, 0, 0, 0, 1, 2, 1, 1, 2, 0, 0, 0, 0, 0]
    assert [city.cubes for city in DATA.cities] == 10 * [0] + [1, 1, 2, 2, 1]


def test_cities_are_as_the_rulebook_shows_them():
    london, naples, mumbai = CITIES["London"], CITIES["Naples"], CITIES["Mumbai"]
    assert (london.colours, london.points) == ((COLOURS.index("green"),), 10)
    assert naples.cubes == 2
    assert (mumbai.colours, mumbai.cubes) == ((COLOURS.index("yellow"),), 2)
    place = {city.name: divmod(index, 5) for index, city in enumerate(DATA.cities)}
    assert place["Tokyo"][0] == 1
    assert place["Naples"] == (2, place["Tokyo"][1])
    assert place["London"][0] == 0
    assert abs(place["London"][1] - place["Tokyo"][1]) == 1


def test_small_numbers_split_the_ties_of_every_two_seats_2_to_2():
    for first, second in itertools.combinations(range(5), 2):
        assert sum(row[first] < row[second] for row in DATA.ties) == 2


def test_13_point_spaces_count_five_icons_five_sizes_flair_tickets_and_cubes():
    assert set(DATA.spaces) == {*COLOURS, *SIZES, "flair", "tickets", "cubes"}
    assert len(DATA.spaces) == 13


def test_35_paths_of_neighbouring_cities():
    assert len(DATA.paths) == 35
    for path in DATA.paths:
        assert [city // 5 for city in path] == [0, 1, 2]
        assert all(abs(a % 5 - b % 5) <= 1 for a, b in itertools.pairwise(path))


# ---- Another file ------------------------------------------------------------------------------------------

TEXT = Path(own_file("levitation")).read_text(encoding="utf-8")


def write(tmp_path, text):
    path = tmp_path / "cards.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_another_data_file_replaces_the_games_own(tmp_path):
    path = write(
        tmp_path,
        TEXT.replace('"London", colour = "green", points = 10', '"Londres", colour = "green", points = 12'),
    )
    game = aiplay.load_game("levitation", data=path)
    assert game.data.cities[1].name == "Londres"
    assert game != game_of(2)
    state = game.new_state()
    assert "b Londres G12p" in str(state)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[tokens]", "[tokns]", "'tokns'; allowed: the keys tokens, cities, spaces, cards"),
        ("1 = [1, 2, 3, 4, 5]", "1 = [1, 2, 3, 4]", "tokens, 1: '4 entries'; allowed: a list of 5"),
        ("1 = [1, 2, 3, 4, 5]", "1 = [1, 2, 3, 4, 4]", "different numbers, since they break ties"),
        ("1 = [1, 2, 3, 4, 5]", "1 = [1, 2, 3, 4, 500]", "tokens, 1: 500; allowed: a whole number from 1 to 99"),
        ('colour = "red", points = 8', 'colour = "pink", points = 8', "cities, top 1, colour: 'pink'"),
        ('colour = "red", points = 8', 'colour = 7, points = 8',
         "cities, top 1, colour: 7; allowed: a colour, or a list"),
        ('colour = "red", points = 8', 'colour = [], points = 8',
         "cities, top 1, colour: []; allowed: a colour, or a list"),
        ('colour = "red", points = 8', 'colour = ["red", 1], points = 8',
         "cities, top 1, colour: 1; allowed: blue, red"),
        ('colour = "red", points = 8', 'colour = ["red", "red"], points = 8',
         "top 1, colour: ['red', 'red']; allowed: different colours"),
        ('colour = "red", points = 8', 'colour = ["red", "blue", "black"], points = 8', "a list of 1 or 2 colours"),
        ('colour = "red", points = 8', 'colour = "red"',
         "cities, top 1: []; allowed: one or more of points, flair, cubes"),
        ('colour = "red", points = 8', 'colour = "red", points = 0',
         "cities, top 1, points: 0; allowed: a whole number from 1"),
        ('colour = "red", points = 8', 'colour = "red", points = 8.0',
         "points: 8.0; allowed: a whole number from 1 to 30"),
        ('colour = "red", points = 8', 'colour = "red", points = true',
         "points: True; allowed: a whole number from 1 to 30"),
        ('colour = "red", points = 8', 'colour = "red", points = 8, cubes = 5',
         "cubes: 5; allowed: a whole number from 1 to 4"),
        ('colour = "red", points = 8', 'colour = "red", points = 8, flair = "1"',
         "flair: '1'; allowed: a whole number from 1"),
        ('colour = "red", points = 8', 'colour = "red", points = 8, touches = []',
         "top 1: 'touches'; allowed: the keys name, "),
        ('name = "Boston"', 'touches = "Paris", name = "Boston"',
         "touches: 'Paris'; allowed: a list of cities of the row above"),
        ('name = "Boston"', 'touches = ["Berlin"], name = "Boston"',
         "middle 1, touches: 'Berlin'; allowed: New York, London"),
        ('name = "Boston"', 'touches = [3], name = "Boston"', "middle 1, touches: 3; allowed: New York, London"),
        ('name = "Boston"', 'touches = ["Paris", "Paris"], name = "Boston"',
         "['Paris', 'Paris']; allowed: different cities"),
        ('colour = "red", points = 8', 'colour = "red", points = 31', "31; allowed: a whole number from 1 to 30"),
        ('name = "Boston"', 'name = "London"', "'London'; allowed: names that differ"),
        ('name = "Boston"', 'name = " Boston"', "a name without spaces at its ends"),
        ('"flair", "tickets", "cubes",', '"flair", "tickets",', "spaces, counts: '12 entries'; allowed: a list of 13"),
        ('"flair", "tickets", "cubes",', '"flair", "tickets", "tickets",', "each of them once"),
        ('"flair", "tickets", "cubes",', '"flair", "tickets", "dice",', "'dice'; allowed: blue, red"),
        ('name = "Psycho"', 'name = "She"', "'She'; allowed: names that differ"),
        ('name = "Psycho"\nicons', 'name = "Psycho"\nsecret = 1\nicons', "card 4: 'secret'; allowed: the keys name"),
        ('name = "Psycho"\nicons = ["blue", "black"]', 'name = "Psycho"', "card 4: 'icons' is missing"),
        ('icons = ["blue", "black"]', 'icons = []', "a list of 1 or 2 colours"),
        ('icons = ["blue", "black"]', 'icons = ["blue", "blue"]', "different colours"),
        ('size = "dog"\ncost = "X"', 'size = "cat"\ncost = "X"', "card 4 (Psycho), size: 'cat'"),
        ('size = "dog"\ncost = "X"', 'size = "dog"\ncost = 4',
         "card 4 (Psycho), cost: 4; allowed: a whole number from 1 to 3, or 'X'"),
        ('size = "dog"\ncost = "X"', 'size = "dog"\ncost = 0', "cost: 0; allowed: a whole number from 1 to 3, or 'X'"),
        ('size = "dog"\ncost = "X"', 'size = "dog"\ncost = true',
         "cost: True; allowed: a whole number from 1 to 3, or 'X'"),
        ('size = "dog"\ncost = "X"', 'size = "dog"\ncost = "x"',
         "cost: 'x'; allowed: a whole number from 1 to 3, or 'X'"),
        ('cost = 3\nflair = 2', 'cost = 4\nflair = 2', "cost: 4; allowed: a whole number from 1 to 3"),
        ('cost = 3\nflair = 2', 'cost = "X"\nflair = 2', "cost: 'X'; allowed: a whole number from 1 to 3"),
        ('cost = 3\nflair = 2', 'cost = 3\nflair = 5', "flair: 5; allowed: a whole number from 1 to 4"),
        ('effect = "re-roll"', 'effect = "roll"', "effect: 'roll'; allowed: points for dice"),
        ('effect = "re-roll"', 'effect = "re-roll"\ncolours = ["red"]', "a list of 0 colours"),
        ('effect = "gain card"\ncolours = ["red"]', 'effect = "gain card"', "a list of 1 colours"),
        ('[[cards]]\nname = "She"', '[[spares]]\nname = "She"', "'spares'; allowed: the keys"),
    ],
)  # fmt: skip
def test_a_wrong_data_file_is_refused_and_the_message_names_the_entry(tmp_path, old, new, message):
    assert old in TEXT
    path = write(tmp_path, TEXT.replace(old, new, 1))
    with pytest.raises(GameDataError) as caught:
        aiplay.load_game("levitation", data=path)
    assert message in str(caught.value)


CITIES_TEXT = TEXT[TEXT.index("[cities]") : TEXT.index("# The thirteen")]


def row(*names, reward="cubes = 1", touches=None):
    """Return the text of a row of cities."""
    link = "" if touches is None else f", touches = {list(touches)}"
    return "[" + ", ".join(f'{{ name = "{name}", colour = "red", {reward}{link} }}' for name in names) + "]"


@pytest.mark.parametrize(
    ("top", "middle", "bottom", "message"),
    [
        ("[]", row(*"ABCDE"), row(*"FGHIJ"), "cities, top: []; allowed: a list of one city or more"),
        ("7", row(*"ABCDE"), row(*"FGHIJ"), "cities, top: 7; allowed: a list of one city or more"),
        ("[7]", row(*"ABCDE"), row(*"FGHIJ"), "cities, top 1: 7; allowed: a table with name, colour"),
        (row(*"ABC"), row(*"DEF"), row(*"GHI"), "cities: '9 cities'; allowed: 10 to 15 in the three rows together"),
        (row(*"ABCDE"), row(*"FGHIJ"), row(*"KLMNOP"), "cities: '16 cities'; allowed: 10 to 15 in the three rows"),
        (row(*"ABCD"), row(*"EFGH"), row(*"IJKLM"),
         "cities, bottom 1, touches: missing; needed where a row and the row above it differ in length (5, 4)"),
        (row(*"ABCD"), row(*"EFGH"), row(*"IJKL"),
         "cities: 'no path'; allowed: three touching cities, one in each row"),
        (row(*"ABCD", reward="points = 1"), row(*"EFGH", touches=[]), row(*"IJKL"),
         "cities: 'no path'; allowed: three"),
    ],
)  # fmt: skip
def test_a_wrong_board_is_refused_and_the_message_names_the_row(tmp_path, top, middle, bottom, message):
    board = f"[cities]\ntop = {top}\nmiddle = {middle}\nbottom = {bottom}\n\n"
    path = write(tmp_path, TEXT.replace(CITIES_TEXT, board))
    with pytest.raises(GameDataError) as caught:
        aiplay.load_game("levitation", data=path)
    assert message in str(caught.value)


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "0x" + "f" * 5000, "9_" * 4999 + "9"])
@pytest.mark.parametrize(
    ("old", "new", "where", "allowed"),
    [
        ("points = 10", "points = {}", "cities, top 2, points", "a whole number from 1 to 30"),
        ('colour = "green", points', "colour = {}, points", "cities, top 2, colour", "a colour, or a list of 1 or 2"),
        ('colour = "green", points', "colour = [{}], points", "cities, top 2, colour",
         "blue, red, yellow, black, green"),
        ('{ name = "London"', "{{ name = {}", "cities, top 2, name",
         "a name without spaces at its ends or double spaces"),
        ("1 = [1, 2", "1 = [1, {}", "tokens, 1", "a whole number from 1 to 99"),
        ('cost = "X"', "cost = {}", "card 1 (Multiplying Billiard Balls), cost", "a whole number from 1 to 3, or 'X'"),
        ('effect = "points for dice"', "effect = {}", "card 1 (Multiplying Billiard Balls), effect",
         "points for dice, "),
        ('"flair", "tickets", "cubes",', '"flair", "tickets", {},', "spaces, counts", "blue, red, "),
    ],
)  # fmt: skip
def test_a_number_of_5000_digits_is_refused_with_its_key(tmp_path, number, old, new, where, allowed):
    assert old in TEXT
    path = write(tmp_path, TEXT.replace(old, new.format(number), 1))
    with pytest.raises(GameDataError) as caught:
        aiplay.load_game("levitation", data=path)
    message = str(caught.value)
    assert message.startswith(f"levitation data, {where}: ")
    assert f"; allowed: {allowed}" in message
    assert len(message) < 1000


def test_a_file_with_too_few_cards_is_refused(tmp_path):
    path = write(tmp_path, TEXT[: TEXT.rindex("[[cards]]")])
    with pytest.raises(GameDataError, match="cards: '47 entries'; allowed: a list of 48"):
        aiplay.load_game("levitation", data=path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(GameDataError, match="cannot read"):
        aiplay.load_game("levitation", data=str(tmp_path / "nothing.toml"))


def test_the_data_file_is_the_one_that_is_loaded():
    assert [card["name"] for card in tomllib.loads(TEXT)["cards"]] == [card.name for card in DATA.cards]
