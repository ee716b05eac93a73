"""The Three Magicians, clause by clause: arrivals, duels and magic."""

from collections import Counter
from itertools import product

import pytest
from three_magicians_positions import (
    TAROT,
    apprentice,
    duel,
    everybody,
    magician,
    owned,
    play,
    position,
    texts,
)

from aiplay import CHANCE, TERMINAL

BUT_MILL = [name for name in TAROT if name != "Mill"]


# ---- Life -------------------------------------------------------------------------------------------------


def test_nobody_fights_on_life():
    state = position("1+0+0", magicians=["Mill", "Life", "Life"], apprentices=["Life-Mill 1", "Life", "Life"])
    play(state, "jump Life")
    assert state.to_move == 0
    play(state, "walk Life")
    assert everybody(state) == ["Life"] * 6
    assert owned(state, 0) == []


# ---- Magician and Apprentice ------------------------------------------------------------------------------


def test_a_magician_that_arrives_sends_others_apprentices_to_the_labyrinth():
    """All of them, and they lose their Power tokens."""
    state = position("1+0+0", apprentices=["Life", "Mill", "Mill"], power=[1, 2])
    play(state, "jump Mill")
    assert everybody(state) == ["Mill", "Life", "Life", "Life", "Labyrinth", "Labyrinth"]
    assert state.fields["powers"].tolist() == [0, 0, 0]


def test_an_apprentice_that_arrives_at_anothers_magician_goes_to_the_labyrinth():
    state = position("1+1+2", magicians=["Life", "Life", "Mill"], power=[0])
    play(state, "walk Mill")
    assert apprentice(state, 0) == "Labyrinth"
    assert magician(state, 2) == "Mill"
    assert state.fields["powers"][0] == 0
    assert "end" in texts(state)  # the walk is used up


def test_an_apprentice_that_goes_to_the_labyrinth_by_magic_loses_its_power_token():
    state = position("1+0+1", power=[0])
    play(state, "walk Life-Mill 2", "magic", "empty")
    assert apprentice(state, 0) == "Labyrinth"
    assert state.fields["powers"][0] == 0


def test_figures_that_pass_each_other_do_not_meet():
    """An Apprentice passes a rival's Magician, then its own; a Magician passes a rival's Magician."""
    state = play(position("1+2+2", magicians=["Life", "Mill", "Life"]), "walk Mill-Moon 1")
    assert apprentice(state, 0) == "Mill-Moon 1"
    state = play(position("1+2+2", magicians=["Mill"]), "walk Mill-Moon 1")
    assert owned(state, 0) == []
    state = position("2+0+0", magicians=["Life", "Mill", "Life"], apprentices=["Life", "Castle", "Castle"])
    play(state, "jump Sun")
    assert state.to_move == 0
    assert everybody(state) == ["Sun", "Mill", "Life", "Life", "Castle", "Castle"]


def test_apprentices_share_a_place_in_peace():
    state = position("1+1+2", apprentices=["Life", "Mill", "Mill"])
    play(state, "walk Mill")
    assert everybody(state)[3:] == ["Mill", "Mill", "Mill"]


# ---- Cards ------------------------------------------------------------------------------------------------


def test_own_figures_take_the_card_if_the_magician_arrives_at_the_apprentice():
    state = play(position("1+0+0", apprentices=["Mill"]), "jump Mill")
    assert owned(state, 0) == ["Mill"]
    assert "Mill 1" in str(state)


def test_own_figures_take_the_card_if_the_apprentice_arrives_at_the_magician():
    state = play(position("1+1+2", magicians=["Mill"]), "walk Mill")
    assert owned(state, 0) == ["Mill"]


def test_a_magician_first_banishes_apprentices_and_then_takes_the_card():
    state = play(position("1+0+0", apprentices=["Mill", "Mill", "Life"]), "jump Mill")
    assert apprentice(state, 1) == "Labyrinth"
    assert owned(state, 0) == ["Mill"]


def test_if_the_place_has_no_card_left_it_is_taken_from_any_seat_that_has_it():
    for victim, other in ((1, 2), (2, 1)):
        state = position("1+0+0", apprentices=["Mill"], cards={1: ["Mill", "Sun"], 2: ["Mill"]})
        play(state, "jump Mill")
        assert state.to_move == 0
        assert texts(state) == ["take from seat 1", "take from seat 2"]
        play(state, f"take from seat {victim}")
        assert owned(state, 0) == ["Mill"]
        assert "Mill" not in owned(state, victim)
        assert "Mill" in owned(state, other)
        assert texts(state, "walk")  # the turn goes on


def test_taking_a_card_is_a_decision_even_with_one_victim():
    state = position("1+0+0", apprentices=["Mill"], cards={1: ["Mill"]}, options={"players": 2})
    play(state, "jump Mill")
    assert texts(state) == ["take from seat 1"]
    play(state, "take from seat 1")
    assert (owned(state, 0), owned(state, 1)) == (["Mill"], [])


def test_a_seat_that_owns_the_card_of_a_place_takes_nothing():
    state = position("1+0+0", apprentices=["Mill"], cards={0: ["Mill"], 1: ["Mill"]})
    play(state, "jump Mill")
    assert texts(state, "take") == []
    assert (owned(state, 0), owned(state, 1)) == (["Mill"], ["Mill"])
    state = position("1+0+0", apprentices=["Mill"], cards={0: ["Mill"]})
    play(state, "jump Mill")
    assert "Mill 1" in str(state)


def test_only_the_seat_whose_figure_arrived_takes_a_card():
    """The figures of seat 1 share Sun without its card: they have to part and meet again."""
    state = position("1+0+0", magicians=["Life", "Sun"], apprentices=["Life", "Sun"], cards={1: ["Forest"]})
    play(state, "jump Mill", "walk Life-Mill 1", "end")
    assert owned(state, 1) == ["Forest"]
    play(state, "throw 1+1+2")
    assert "Sun" not in owned(state, 1)
    play(state, "walk Castle", "jump Castle")
    assert "Castle" in owned(state, 1)
    assert "Sun" not in owned(state, 1)


def test_there_are_no_cards_on_life_and_in_the_labyrinth():
    state = play(position("1+0+0", magicians=["Mill"], apprentices=["Life"]), "jump Life")
    assert owned(state, 0) == []
    state = position("0+0+0")
    assert owned(state, 0) == []


def test_the_first_to_own_all_seven_cards_wins_at_once():
    state = position("1+0+0", apprentices=["Mill"], cards={0: BUT_MILL, 1: BUT_MILL})
    play(state, "jump Mill")  # before the Apprentice walks
    assert state.to_move == TERMINAL
    assert state.returns() == [1, 0, 0]
    state = position("1+0+0", apprentices=["Mill"], cards={0: BUT_MILL, 1: ["Mill"], 2: ["Mill"]})
    play(state, "jump Mill", "take from seat 2")
    assert state.returns() == [1, 0, 0]


# ---- Duel -------------------------------------------------------------------------------------------------


def test_a_magician_that_arrives_at_anothers_starts_a_duel_and_throws_first():
    state = duel()
    assert state.to_move == CHANCE
    play(state, "throw 2 1 0")
    assert state.to_move == 0


def test_a_thrower_stops_or_keeps_some_but_not_all_of_the_wands():
    """Wands of equal value are interchangeable."""
    cases = {
        "throw 2 1 0": "keep 2|keep 1|keep 0|keep 2 1|keep 2 0|keep 1 0",
        "throw 2 2 0": "keep 2|keep 0|keep 2 2|keep 2 0",
        "throw 1 1 1": "keep 1|keep 1 1",
    }
    for throw, keeps in cases.items():
        state = play(duel(), throw)
        assert sorted(texts(state)) == sorted(["stop", *keeps.split("|")])


def test_kept_wands_stay_and_the_rest_are_thrown():
    state = play(duel(), "throw 2 0 0", "keep 2")
    assert sorted(texts(state)) == sorted(f"throw {a} {b}" for a in (2, 1, 0) for b in (2, 1, 0) if a >= b)
    play(state, "throw 1 1")
    assert sorted(texts(state)) == ["keep 1", "stop"]
    play(state, "keep 1")
    assert texts(state) == ["throw 0", "throw 1", "throw 2"]
    play(state, "throw 2")
    assert texts(state) == ["stop"]  # a forced stop is a decision too
    play(state, "stop")
    assert "against 5 points in 3 throws" in " ".join(str(state).split())


def test_after_a_throw_of_one_wand_the_thrower_has_to_stop():
    state = play(duel(), "throw 0 0 0", "keep 0 0", "throw 0")
    assert texts(state) == ["stop"]


@pytest.mark.parametrize("n_wands", [3, 2, 1])
def test_duel_throws_are_fair(n_wands):
    """Compared with all results of n wands, each equally likely."""
    state = duel()
    if n_wands < 3:
        play(state, "throw 2 1 0", "keep 2" if n_wands == 2 else "keep 2 1")
    ways = Counter(tuple(sorted(wands, reverse=True)) for wands in product(range(3), repeat=n_wands))
    found = {state.move_text(move): p for move, p in state.chance_outcomes()}
    assert found == pytest.approx(
        {f"throw {' '.join(map(str, wands))}": n / 3**n_wands for wands, n in ways.items()}
    )


def test_the_second_thrower_has_at_most_as_many_throws_as_the_first():
    state = play(duel(), "throw 2 0 0", "keep 2", "throw 2 1", "stop")
    play(state, "throw 2 2 0")
    assert state.to_move == 1  # in the turn of seat 0
    assert "keep 2 2" in texts(state)
    play(state, "keep 2 2", "throw 1")
    assert texts(state) == ["stop"]
    state = play(duel(), "throw 2 2 0", "stop", "throw 1 1 1")
    assert texts(state) == ["stop"]


@pytest.mark.parametrize(
    ("answer", "winner"),
    [
        (["throw 2 2 1", "stop"], 1),  # five in one throw
        (["throw 2 1 1", "keep 2", "throw 2 2", "stop"], 1),  # six in two throws
        (["throw 2 0 0", "keep 2", "throw 2 1", "stop"], None),  # five in two throws: the duel starts over
        (["throw 2 1 1", "stop"], 0),  # four are not enough
    ],
)
def test_the_worked_example_of_the_rulebook(answer, winner):
    """The challenger throws 2 0 0, keeps the 2 and throws 2 1: five in two throws."""
    state = play(duel(), "throw 2 0 0", "keep 2", "throw 2 1", "stop", *answer)
    if winner is None:
        assert "duel of seats 0 and 1 on Mill, seat 1 makes throw 1" in str(state)
    else:
        assert magician(state, 1 - winner) == "Labyrinth"
        assert magician(state, winner) == "Mill"


def test_when_a_duel_starts_over_the_other_seat_throws_first():
    tie = ["throw 1 1 1", "stop"] * 2
    state = play(duel(), *tie)
    play(state, "throw 2 2 2")
    assert state.to_move == 1
    play(state, "stop", "throw 2 1 1")
    assert state.to_move == 0
    play(state, "stop")
    assert magician(state, 0) == "Labyrinth"
    assert owned(state, 1) == ["Mill"]
    state = play(duel(), *tie, *tie, "throw 1 1 1")  # and back again
    assert state.to_move == 0


def test_a_restart_changes_only_who_throws_first():
    """If the challenger wins after a restart, its arrival still goes on."""
    state = duel(magicians=["Life", "Mill"], apprentices=["Castle", "Mill"])
    play(state, *["throw 1 1 1", "stop"] * 2)
    play(state, "throw 0 0 0", "stop", "throw 1 0 0", "stop")
    assert (magician(state, 0), magician(state, 1)) == ("Mill", "Labyrinth")
    assert apprentice(state, 1) == "Labyrinth"
    assert state.to_move == 0


def test_a_duel_has_no_limit():
    state = duel()
    for _ in range(500):
        play(state, "throw 2 1 0", "stop")
    assert state.to_move == CHANCE
    assert state.fields["n_turns"] == 31


def win(state):
    """The challenger wins the duel."""
    return play(state, "throw 2 2 2", "stop", "throw 0 0 0", "stop")


def lose(state):
    """The challenger loses the duel."""
    return play(state, "throw 0 0 0", "stop", "throw 2 2 2", "stop")


def test_the_loser_goes_to_the_labyrinth_and_the_winner_takes_the_places_card():
    state = win(duel())
    assert everybody(state)[:2] == ["Mill", "Labyrinth"]
    assert owned(state, 0) == ["Mill"]
    state = lose(duel())
    assert everybody(state)[:2] == ["Labyrinth", "Mill"]
    assert owned(state, 1) == ["Mill"]


def test_if_the_place_has_no_card_left_the_winner_takes_the_losers():
    state = win(duel(cards={1: ["Mill"], 2: ["Mill"]}))
    assert [owned(state, seat) for seat in range(3)] == [["Mill"], [], ["Mill"]]
    state = lose(duel(cards={0: ["Mill"], 2: ["Mill"]}))
    assert [owned(state, seat) for seat in range(3)] == [[], ["Mill"], ["Mill"]]


def test_the_winner_of_a_duel_takes_no_card_from_a_third_seat():
    state = win(duel(cards={2: ["Mill"]}, options={"cards_per_place": 1}))
    assert [owned(state, seat) for seat in range(3)] == [[], [], ["Mill"]]


def test_a_winner_that_owns_the_card_takes_nothing():
    state = win(duel(cards={0: ["Mill"], 1: ["Mill"]}))
    assert [owned(state, seat) for seat in range(3)] == [["Mill"], ["Mill"], []]
    assert "Mill 0" in str(state)


def test_a_challenger_that_wins_banishes_the_losers_apprentice():
    state = win(duel(apprentices=["Castle", "Mill"], power=[1]))
    assert apprentice(state, 1) == "Labyrinth"
    assert state.fields["powers"][1] == 0
    assert owned(state, 0) == ["Mill"]  # one card only


def test_a_challenger_that_loses_banishes_nobody():
    state = lose(duel(apprentices=["Castle", "Mill"]))
    assert apprentice(state, 1) == "Mill"
    assert state.to_move == 0  # and its turn goes on
    assert texts(state, "jump") == []
    assert texts(state, "walk")


def test_a_duel_can_win_the_game_for_either_seat():
    state = win(duel(cards={0: BUT_MILL}))
    assert state.returns() == [1, 0, 0]
    state = lose(duel(cards={1: BUT_MILL}))
    assert state.returns() == [0, 1, 0]


def test_triplets_in_a_duel_have_no_effect():
    """The Apprentice stays out of the Labyrinth, and no extra turn follows."""
    state = lose(duel())
    assert apprentice(state, 0) == "Castle"
    play(state, "walk Castle-Life 3", "end")
    assert state.fields["seat"] == 1


# ---- Magic ------------------------------------------------------------------------------------------------


def test_magic_is_for_an_apprentice_that_ends_its_walk_on_magic_symbols():
    assert texts(play(position("1+0+1"), "walk Life-Mill 2")) == ["no magic", "magic"]
    assert "magic" not in texts(play(position("1+0+0"), "walk Life-Mill 1"))
    assert "magic" not in texts(play(position("1+1+1"), "walk Life-Mill 3"))


def test_magic_is_optional():
    state = play(position("1+0+1"), "walk Life-Mill 2", "no magic")
    assert apprentice(state, 0) == "Life-Mill 2"
    assert state.to_move == 0
    assert "end" in texts(state)


def cast(*outcome, options=None, **more):
    return play(position("1+0+1", options=options, **more), "walk Life-Mill 2", "magic", *outcome)


def test_most_stars_let_the_apprentice_go_to_any_of_the_eight_places():
    state = cast("star")
    assert texts(state) == [*(f"go {name}" for name in (*TAROT, "Life")), "stay"]
    play(state, "go Moon")
    assert apprentice(state, 0) == "Moon"
    assert "end" in texts(state)


def test_after_most_stars_the_apprentice_may_also_stay_on_its_stone():
    state = cast("star", "stay")
    assert apprentice(state, 0) == "Life-Mill 2"
    assert "end" in texts(state)
    assert "magic" not in texts(state)


def test_an_arrival_by_magic_is_an_arrival():
    state = cast("star", "go Sun", magicians=["Sun"])
    assert owned(state, 0) == ["Sun"]
    state = cast("star", "go Sun", magicians=["Life", "Sun"], power=[0])
    assert apprentice(state, 0) == "Labyrinth"
    assert state.fields["powers"][0] == 0


def test_most_arrows_give_the_power_token_for_the_walks_that_follow():
    state = cast("arrow")
    assert state.fields["powers"].tolist() == [1, 0, 0]
    assert apprentice(state, 0) == "Life-Mill 2"
    assert texts(state, "walk") == []
    play(state, "end", "throw 0+0+0", "throw 0+0+0", "throw 1+0+0")
    assert set(texts(state, "walk")) == {"walk Life-Mill 1", "walk Life-Mill 3", "walk Life", "walk Mill"}


def test_a_second_power_token_changes_nothing():
    assert cast("arrow", power=[0]).fields["powers"].tolist() == [1, 0, 0]


def test_most_empty_symbols_send_the_apprentice_to_the_labyrinth():
    state = cast("empty")
    assert apprentice(state, 0) == "Labyrinth"
    assert "end" in texts(state)


@pytest.mark.parametrize(
    "tie", ["star and arrow", "star and empty", "arrow and empty", "star and arrow and empty"]
)
def test_in_a_tie_the_seat_chooses_among_the_tied_symbols(tie):
    state = cast(tie)
    assert state.to_move == 0
    assert texts(state) == tie.split(" and ")
    for choice in tie.split(" and "):
        assert play(cast(tie), choice) == cast(choice)


def test_with_fate_on_tie_three_empty_and_three_others_are_empty():
    """Empty alone has 6/27, and each of the two ties 1/27."""
    state = cast(options={"fate_on_tie": True})
    chances = {state.move_text(move): p for move, p in state.chance_outcomes()}
    assert "star and empty" not in chances
    assert "arrow and empty" not in chances
    assert chances["empty"] == pytest.approx(8 / 27)
    play(state, "empty")
    assert apprentice(state, 0) == "Labyrinth"
    assert texts(state, "jump")


@pytest.mark.parametrize("tie", ["star and arrow", "star and arrow and empty"])
def test_with_fate_on_tie_the_seat_still_chooses_in_other_ties(tie):
    assert texts(cast(tie, options={"fate_on_tie": True})) == tie.split(" and ")


def test_the_magician_can_still_jump_after_magic():
    state = cast("star", "go Mill")
    play(state, "jump Mill")
    assert owned(state, 0) == ["Mill"]


def test_triplets_in_a_throw_for_magic_have_no_effect():
    """Another turn follows only if the throw of the turn was a triplet."""
    assert play(cast("star", "go Moon"), "end").fields["seat"] == 1
    state = position("2+2+2", apprentices=["Labyrinth"], magicians=["Labyrinth"])
    play(state, "walk Life-Mill 2", "magic", "arrow", "end")
    assert state.fields["seat"] == 0
