"""The Three Magicians, clause by clause: options, board, wands, turns and the Labyrinth."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from three_magicians_positions import (
    TAROT,
    apprentice,
    everybody,
    game_of,
    magician,
    owned,
    play,
    position,
    texts,
    throw_text,
)

import aiplay
from aiplay import CHANCE, TERMINAL
from aiplay.errors import OptionError

GRID = [["Forest", "Magician", "Tower"], ["Castle", "Life", "Labyrinth"], ["Sun", "Mill", "Moon"]]


def finish_turn(state):
    """Walk somewhere, decline magic, and end the turn."""
    play(state, texts(state, "walk")[0])
    if "no magic" in texts(state):
        play(state, "no magic")
    return play(state, "end")


# ---- Options ----------------------------------------------------------------------------------------------


def test_the_game_is_for_three_seats_or_two():
    assert game_of().seats == 3
    assert game_of(players=2).seats == 2
    for players in (1, 4):
        with pytest.raises(OptionError, match="2 to 3"):
            aiplay.load_game("three_magicians", players=players)


def test_the_defaults_of_the_options():
    assert dict(game_of().options) == {
        "players": 3,
        "labyrinth_exit": "2",
        "fate_on_tie": False,
        "apprentice_must_move": False,
        "turn_cap": 600,
        "cards_per_place": None,
        "data": None,
    }


@pytest.mark.parametrize(("players", "cards"), [(3, 2), (2, 1)])
def test_a_place_has_two_cards_with_three_seats_and_one_with_two(players, cards):
    assert game_of(players=players).cards_per_place == cards
    assert f"Forest {cards} " in str(game_of(players=players).new_state())


def test_cards_per_place_can_be_set():
    state = position("1+0+2", magicians=["Forest"], apprentices=["Magician"], options={"cards_per_place": 1})
    play(state, "jump Magician")
    assert owned(state, 0) == ["Magician"]
    assert "Magician 0" in str(state)


def test_the_turn_cap_counts_all_throws_and_is_checked_before_a_throw():
    state = position(n_turns=3, options={"turn_cap": 6})
    play(state, "throw 0+0+0")  # a triple 0 counts, and so does the turn after a triplet
    play(state, "throw 1+1+1", "walk Castle-Life 1", "end")
    assert state.fields["n_turns"] == 5
    assert state.to_move == CHANCE
    play(state, "throw 1+0+0", "walk Castle-Life 2", "no magic")
    assert state.to_move == 1  # the last turn is finished
    play(state, "end")
    assert state.to_move == TERMINAL


@pytest.mark.parametrize(
    ("cards", "returns"),
    [
        ({0: TAROT[:3], 1: TAROT[:2]}, [1, 0, 0]),
        ({0: TAROT[:2], 1: TAROT[:3], 2: TAROT[4:]}, [0, 0.5, 0.5]),
        ({}, [1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_at_the_turn_cap_the_most_tarot_cards_win_and_ties_share(cards, returns):
    state = position(cards=cards, n_turns=600)
    assert state.to_move == TERMINAL
    assert state.returns() == pytest.approx(returns)


# ---- Board ------------------------------------------------------------------------------------------------


def links_of(game):
    return {
        frozenset((game.board.names[link.first], game.board.names[link.second])): link
        for link in game.board.links
    }


def test_nine_places_in_a_square_are_linked_to_their_neighbours_except_the_labyrinth():
    game = game_of()
    assert dict(zip(game.board.names, game.board.cells, strict=True)) == {
        name: (row, column) for row, names in enumerate(GRID) for column, name in enumerate(names)
    }
    neighbours = {
        frozenset((GRID[row][column], GRID[row + down][column + right]))
        for row in range(3)
        for column in range(3)
        for down, right in ((0, 1), (1, 0))
        if row + down < 3 and column + right < 3
    }
    missing = {frozenset(("Tower", "Labyrinth")), frozenset(("Moon", "Labyrinth"))}
    assert set(links_of(game)) == neighbours - missing


def test_every_link_has_three_stones_and_the_middle_one_is_magic():
    board = game_of().board
    for link in board.links:
        assert [stone in board.magic for stone in link.stones] == [False, True, False]
    assert board.n_spots == 9 + 3 * 10


def test_seven_places_have_cards_but_not_life_and_the_labyrinth():
    assert tuple(game_of().board.names[:7]) == TAROT
    picture = str(game_of().new_state())
    assert all(f"{name} 2" in picture for name in TAROT)
    assert "Life -" in picture
    assert "- Labyrinth  " in picture


def test_all_figures_start_on_life():
    assert everybody(game_of().new_state()) == ["Life"] * 6
    assert everybody(game_of(players=2).new_state()) == ["Life"] * 4


def test_the_stones_between_life_and_the_labyrinth_can_be_walked_from_life():
    state = position("1+0+0")
    assert "walk Life-Labyrinth 1" in texts(state)
    state = position("1+0+1")
    play(state, "walk Life-Labyrinth 2")
    assert texts(state) == ["no magic", "magic"]  # its middle stone is magic
    state = position("1+0+0", apprentices=["Life-Labyrinth 2"])
    assert texts(state, "walk") == ["walk Life-Labyrinth 1", "walk Life-Labyrinth 3"]


# ---- Wands ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_a_throw_is_three_wands_of_zero_one_or_two_and_shows_the_own_wand(players):
    """Compared with all 27 results; those with the same own wand and total are one outcome, but for triplets."""
    wanted = Counter(throw_text("+".join(map(str, wands))) for wands in product(range(3), repeat=3))
    state = position(options={"players": players})
    found = {state.move_text(move): p for move, p in state.chance_outcomes()}
    assert found == pytest.approx({text: n / 27 for text, n in wanted.items()})
    assert len(found) == 16
    for own, first, second in product(range(3), repeat=3):
        if own or first or second:
            state = position(f"{own}+{first}+{second}", options={"players": players})
            assert state.fields["jump"] == own
            assert state.fields["walk"] == own + first + second
            assert state.fields["is_again"] == (own == first == second)


@pytest.mark.parametrize("players", [2, 3])
def test_the_first_seat_is_a_fair_draw(players):
    state = game_of(players=players).new_state()
    assert state.to_move == CHANCE
    assert [p for _, p in state.chance_outcomes()] == pytest.approx([1 / players] * players)
    play(state, "seat 1 begins")
    assert state.fields["seat"] == 1
    assert state.fields["n_turns"] == 0


def test_seats_take_turns_in_order():
    state = play(game_of().new_state(), "seat 2 begins")
    order = []
    for _ in range(4):
        play(state, "throw 1+0+0")
        order.append(state.to_move)
        finish_turn(state)
    assert order == [2, 0, 1, 2]


# ---- Turn -------------------------------------------------------------------------------------------------


def test_triple_0_sends_both_figures_to_the_labyrinth_and_ends_the_turn():
    state = position("0+0+0", magicians=["Forest", "Sun"], apprentices=["Mill", "Sun"], power=[0], seat=0)
    assert everybody(state) == ["Labyrinth", "Sun", "Life", "Labyrinth", "Sun", "Life"]
    assert state.fields["powers"].tolist() == [0, 0, 0]
    assert state.to_move == CHANCE  # the turn ends by itself
    assert state.fields["seat"] == 1
    assert state.fields["n_turns"] == 31


def test_the_seat_moves_its_figures_in_the_order_it_chooses():
    """Both orders of the same two moves lead to the same state."""
    first = play(position("1+0+2"), "jump Mill", "walk Castle-Life 1")
    second = play(position("1+0+2"), "walk Castle-Life 1", "jump Mill")
    assert first == second


def test_each_figure_moves_at_most_once():
    state = play(position("1+0+2"), "jump Mill")
    assert texts(state, "jump") == []
    play(state, "walk Castle-Life 1")
    assert texts(state) == ["end"]
    assert texts(play(position("2+0+1"), "jump Moon"), "jump") == []


def test_two_seats_take_turns():
    state = position("1+0+2", options={"players": 2})
    play(state, "walk Castle-Life 1", "end")
    assert state.fields["seat"] == 1
    play(state, "throw 1+0+2", "walk Castle-Life 1", "end")
    assert state.fields["seat"] == 0


def test_with_a_turn_cap_of_one_the_game_has_one_throw():
    game = aiplay.load_game("three_magicians", turn_cap=1)
    state = play(game.new_state(), "seat 2 begins", "throw 1+0+2", "walk Life-Mill 3", "end")
    assert state.is_over
    assert state.returns() == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(
    ("place", "once", "twice"),
    [
        ("Life", "Magician Castle Mill", "Forest Tower Sun Moon"),
        ("Forest", "Magician Castle", "Tower Sun Life"),
        ("Tower", "Magician", "Forest Life"),
        ("Castle", "Forest Sun Life", "Magician Mill"),
        ("Mill", "Sun Moon Life", "Magician Castle"),
    ],
)
def test_a_magician_jumps_as_often_as_its_own_wand_shows_and_never_back(place, once, twice):
    """Calculated by hand: two jumps may turn a corner, but never end where they began."""
    for own, ends in ((0, ""), (1, once), (2, twice)):
        state = position(f"{own}+1+2", magicians=[place])
        assert {text.removeprefix("jump ") for text in texts(state, "jump")} == set(ends.split())


def test_only_the_own_wand_counts_for_the_magician():
    assert texts(position("0+2+2"), "jump") == []
    assert texts(position("2+0+0"), "jump") != []


def test_a_magician_may_stay():
    state = play(position("2+0+0", magicians=["Forest"]), "walk Life-Mill 2")
    play(state, "no magic", "end")
    assert magician(state, 0) == "Forest"
    assert state.fields["seat"] == 1


def test_an_apprentice_walks_exactly_the_sum_of_all_wands():
    state = position("1+1+2", apprentices=["Forest"])
    assert texts(state, "walk") == ["walk Magician", "walk Castle"]
    state = position("1+2+2", apprentices=["Forest"])
    assert texts(state, "walk") == [
        "walk Magician-Tower 1",
        "walk Magician-Life 1",
        "walk Castle-Life 1",
        "walk Castle-Sun 1",
    ]


def test_an_apprentice_never_turns_back_within_a_walk():
    """In a dead end, two steps before the Tower: five steps are possible only the other way."""
    state = position("1+2+2", apprentices=["Magician-Tower 2"])
    assert texts(state, "walk") == ["walk Forest-Magician 1", "walk Magician-Life 3"]
    state = position("1+0+1", apprentices=["Tower"])
    assert texts(state, "walk") == ["walk Magician-Tower 2"]


def test_the_first_step_of_a_walk_may_go_anywhere():
    """Also back to where the Apprentice came from in its last turn."""
    state = position("1+0+0", apprentices=["Mill"])
    play(state, "walk Life-Mill 3", "end", "throw 0+0+1", "walk Life-Mill 1", "end")
    play(state, "throw 0+0+1", "walk Life-Mill 1", "end", "throw 0+0+1")
    assert set(texts(state, "walk")) == {"walk Mill", "walk Life-Mill 2"}


def test_at_a_place_an_apprentice_may_go_on_anywhere_but_back():
    state = position("1+0+1", apprentices=["Life-Mill 3"])
    assert set(texts(state, "walk")) == {"walk Life-Mill 1", "walk Sun-Mill 3", "walk Mill-Moon 1"}


def test_with_the_power_token_an_apprentice_may_walk_double_instead():
    without = position("1+0+1", apprentices=["Forest"])
    state = position("1+0+1", apprentices=["Forest"], power=[0])
    assert set(texts(without, "walk")) == {"walk Forest-Magician 2", "walk Forest-Castle 2"}
    assert set(texts(state, "walk")) == {
        "walk Forest-Magician 2",
        "walk Forest-Castle 2",
        "walk Magician",
        "walk Castle",
    }
    play(state, "walk Castle")
    assert state.fields["powers"][0] == 1  # the token stays


def test_two_walks_to_the_same_spot_are_one_move():
    """From beside Forest to the stone below Castle: six steps through Forest, twelve through Magician and Life."""
    spots = {"apprentices": ["Forest-Magician 1"]}
    assert "walk Castle-Sun 1" in texts(position("2+2+2", **spots))
    found = texts(position("2+2+2", **spots, power=[0]))
    assert found.count("walk Castle-Sun 1") == 1


def test_by_option_the_apprentice_has_to_move_if_it_can():
    state = position("1+0+2", options={"apprentice_must_move": True})
    assert "end" not in texts(state)
    play(state, "jump Mill")
    assert "end" not in texts(state)
    play(state, "walk Castle-Life 1")
    assert "end" in texts(state)


def test_the_apprentice_may_stay():
    state = position("1+0+2")
    assert "end" in texts(state)
    play(state, "end")
    assert apprentice(state, 0) == "Life"
    assert state.fields["seat"] == 1


@pytest.mark.parametrize("throw", ["1+0+0", "2+0+0", "1+1+1"])
def test_no_figure_enters_the_labyrinth_by_moving(throw):
    for spot in ("Life", "Life-Labyrinth 1", "Life-Labyrinth 2", "Life-Labyrinth 3"):
        state = position(throw, magicians=["Life"], apprentices=[spot], power=[0])
        assert not [text for text in texts(state) if text.endswith(" Labyrinth")]
    state = position(throw, magicians=["Castle"])
    assert "jump Labyrinth" not in texts(state)


def test_an_arrival_is_resolved_before_the_other_figure_moves():
    """The Apprentice arrives at its Magician and takes the card; only then does the Magician jump."""
    state = position("1+1+2", magicians=["Mill"], apprentices=["Life"])
    play(state, "walk Mill")
    assert owned(state, 0) == ["Mill"]
    play(state, "jump Sun", "end")
    assert (magician(state, 0), apprentice(state, 0)) == ("Sun", "Mill")


def test_a_turn_is_ended_by_a_move_even_if_no_other_is_left():
    state = position("1+0+1", magicians=["Labyrinth"], apprentices=["Labyrinth"])
    assert state.to_move == 0
    assert texts(state) == ["end"]
    play(state, "end")
    assert state.fields["seat"] == 1


@pytest.mark.parametrize("throw", ["1+1+1", "2+2+2"])
def test_after_a_triple_1_or_2_the_same_seat_takes_another_turn(throw):
    state = finish_turn(position(throw, seat=1))
    assert state.to_move == CHANCE
    assert state.fields["seat"] == 1
    finish_turn(play(state, "throw 1+0+0"))
    assert state.fields["seat"] == 2


def test_a_triplet_gives_another_turn_even_if_no_figure_could_move():
    state = position("1+1+1", magicians=["Labyrinth"], apprentices=["Labyrinth"])
    assert texts(state) == ["end"]
    play(state, "end")
    assert state.fields["seat"] == 0


def test_two_equal_wands_are_not_a_triplet():
    for throw in ("1+1+2", "1+2+2", "2+1+2", "0+1+1", "1+0+2"):
        assert finish_turn(position(throw)).fields["seat"] == 1


# ---- Labyrinth --------------------------------------------------------------------------------------------


def test_a_figure_in_the_labyrinth_stays_and_the_other_moves_as_usual():
    state = position("2+1+2", magicians=["Labyrinth"], apprentices=["Forest"])
    assert texts(state, "jump") == []
    assert texts(state, "walk") != []
    state = position("2+1+2", magicians=["Forest"], apprentices=["Labyrinth"])
    assert texts(state, "walk") == []
    assert texts(state, "jump") != []
    assert texts(state, "end") == ["end"]


def test_a_triple_2_frees_all_figures_which_use_that_throw_from_the_labyrinth():
    """Two jumps lead over Life to its other neighbours. Six steps are three stones, Life, and two more stones."""
    must = {"apprentice_must_move": True}
    state = position("2+2+2", magicians=["Labyrinth"], apprentices=["Labyrinth"], options=must)
    assert set(texts(state, "jump")) == {"jump Magician", "jump Castle", "jump Mill"}
    assert set(texts(state, "walk")) == {"walk Magician-Life 2", "walk Castle-Life 2", "walk Life-Mill 2"}
    assert "end" not in texts(state)
    play(state, "jump Mill", "walk Life-Mill 2")
    assert (magician(state, 0), apprentice(state, 0)) == ("Mill", "Life-Mill 2")


def test_other_throws_free_nobody():
    for move, _ in position().chance_outcomes():
        state = position(magicians=["Labyrinth"], apprentices=["Labyrinth"])
        text = state.move_text(move)
        state.play(move)
        if text == "throw 0+0+0":
            assert state.fields["seat"] == 1
        else:
            assert (len(texts(state)) > 1) == (text == "throw 2+2+2")


def test_by_option_a_triple_1_frees_too():
    options = {"labyrinth_exit": "1or2"}
    state = position("1+1+1", magicians=["Labyrinth"], apprentices=["Labyrinth"], options=options)
    assert texts(state, "jump") == ["jump Life"]
    assert texts(state, "walk") == ["walk Life-Labyrinth 1"]
    state = position("2+2+2", magicians=["Labyrinth"], apprentices=["Labyrinth"], options=options)
    assert len(texts(state, "jump")) == 3


def test_a_freed_magician_that_does_not_jump_has_to_be_freed_again():
    state = position("2+2+2", magicians=["Labyrinth"], apprentices=["Labyrinth"])
    play(state, "walk Life-Mill 2", "no magic", "end")
    assert magician(state, 0) == "Labyrinth"
    play(state, "throw 2+0+1")  # the extra turn of the triplet
    assert texts(state, "jump") == []


@pytest.mark.parametrize(("option", "chance"), [("2", Fraction(1, 27)), ("1or2", Fraction(2, 27))])
def test_the_chance_that_a_throw_leads_out_of_the_labyrinth(option, chance):
    """1/27, or 2/27 with the option; summed over the throws of the game."""
    state = position(magicians=["Labyrinth"], apprentices=["Labyrinth"], options={"labyrinth_exit": option})
    total = 0.0
    for move, p in state.chance_outcomes():
        child = state.copy()
        child.play(move)
        total += p * (child.to_move == 0 and bool(texts(child, "walk")))
    assert total == pytest.approx(float(chance))
