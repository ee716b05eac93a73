"""Illusio: set-up, the steps of a turn and the actions A to F, clause by clause."""

import pytest
from illusio_positions import CONTEST, KINDS, backstage, counts, hand, play, position, texts, where

import aiplay
from aiplay import CHANCE
from aiplay._core.games.illusio.state import IN_CONTEST
from aiplay._core.stream import RandomStream


def dealt(players=2, seed=1):
    """A game at its first decision, and the outcomes of chance so far."""
    state, stream, moves = aiplay.load_game("illusio", players=players).new_state(), RandomStream(seed), []
    while state.to_move == CHANCE:
        moves.append(state.play_chance(stream))
    return state, moves


def chances(state):
    """The outcomes of chance: notation -> probability."""
    return {state.move_text(move): p for move, p in state.chance_outcomes()}


# ---- Set-up ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 7))
def test_the_first_seat_is_random(players):
    state = aiplay.load_game("illusio", players=players).new_state()
    assert chances(state) == {f"seat {seat} begins": pytest.approx(1 / players) for seat in range(players)}
    for seat in range(players):
        later = play(state, f"seat {seat} begins")
        stream = RandomStream(3)
        while later.to_move == CHANCE:
            later.play_chance(stream)
        assert later.to_move == seat


def test_turns_go_in_rising_seat_order():
    state = position(players=3, seat=1, actions=0)
    order = []
    for _ in range(4):
        order.append(state.to_move)
        state = play(state, "end")
        while state.to_move == CHANCE:
            state.play(state.chance_outcomes()[0][0])
    assert order == [1, 2, 0, 1]


def test_every_seat_gets_a_different_random_magician():
    state = play(aiplay.load_game("illusio", players=3).new_state(), "seat 1 begins")
    assert list(chances(state).values()) == [pytest.approx(1 / 10)] * 10
    state = play(state, "magician The Barterer")
    assert "magician The Barterer" not in chances(state)
    assert list(chances(state).values()) == [pytest.approx(1 / 9)] * 9
    state = play(state, "magician The Gambler", "magician The Optician")
    assert state.fields["magicians"].tolist()[:3] == [2, 4, 9]


@pytest.mark.parametrize("players", range(2, 7))
def test_four_objectives_make_the_contest_and_four_cards_a_hand(players):
    state, moves = dealt(players)
    fields = state.fields
    assert len(moves) == 1 + players + 4 + 4 * players + 1  # the last one is the draw of the first turn
    first = int(fields["seat"])
    assert (fields["objectives"] == IN_CONTEST).sum() == 4
    assert sorted(fields["n_hand"][:players]) == sorted([5] + [4] * (players - 1))
    assert fields["n_hand"][first] == 5
    assert fields["n_deck"] == 90 - 4 * players - 1


# ---- Decks -------------------------------------------------------------------------------------------------


def test_the_probability_of_a_draw_is_the_share_of_its_kind_in_the_deck():
    state = position(
        phase="draw", pending=1, hands=[["rabbit"] * 2, []], deck=["rabbit", "dove", "dove", "take"]
    )
    assert chances(state) == {"draw rabbit": 0.25, "draw dove": 0.5, "draw take": 0.25}


def test_when_the_deck_is_empty_the_discards_become_the_deck():
    state = position(phase="draw", pending=2, deck=["dove"], hands=[["cage"], []])
    state = play(state, "draw dove")
    assert state.fields["n_deck"] == 0
    assert chances(state)["draw dove"] == pytest.approx(3 / 88)
    state = play(state, "draw dove")
    assert counts(state, "discards") == {}
    assert state.fields["n_deck"] == 87
    assert state.to_move == 0


def test_if_the_cards_run_out_a_seat_draws_fewer():
    everything = [name for name, n in zip(KINDS, position().game.cards.counts, strict=True) for _ in range(n)]
    components = [name for name in everything if KINDS.index(name) < 15]
    special = [name for name in everything if KINDS.index(name) >= 15]
    # 64 components are backstage, 25 special actions in hands: one card is left to draw.
    state = position(
        players=6,
        backstage=[components],
        hands=[special[:3], special[3:8], special[8:13], special[13:18], special[18:23], special[23:25]],
        seat=5,
        actions=0,
    )
    state = play(state, "end")
    assert state.fields["pending"] == 2  # three cards: up to five
    state = play(state, f"draw {special[25]}")
    assert state.to_move == 0
    assert state.fields["n_hand"][0] == 4


def test_an_empty_objective_deck_is_made_of_its_discards():
    state = position(
        backstage=[["cards"], []],
        contest=CONTEST,
        objective_deck=(),
        objective_discards=("Sphinx", "Dove Pan"),
    )
    state = play(state, "claim Ambitious Card", "place cards on Ambitious Card (cards)")
    assert chances(state) == {"contest Dove Pan": 0.5, "contest Sphinx": 0.5}
    assert where(play(state, "contest Sphinx"), "Dove Pan") == "deck"


def test_a_contest_below_four_is_refilled_as_soon_as_an_objective_is_available():
    state = position(
        backstage=[["cards", "mirrors"], []],
        realising=[(0, "Sphinx", [None, "case"])],
        contest=CONTEST,
        objective_deck=(),
    )
    state = play(state, "claim Ambitious Card", "place cards on Ambitious Card (cards)")
    assert state.to_move == 0  # nothing to refill with
    assert (state.fields["objectives"] == IN_CONTEST).sum() == 3
    state = play(state, "give up Sphinx")
    assert chances(state) == {"contest Sphinx": 1.0}
    assert (play(state, "contest Sphinx").fields["objectives"] == IN_CONTEST).sum() == 4


def test_kept_objectives_never_return():
    state = position(backstage=[["cards"], []], kept=[(1, "Sphinx")], objective_deck=("Dove Pan",))
    state = play(state, "claim Ambitious Card", "place cards on Ambitious Card (cards)")
    assert chances(state) == {"contest Dove Pan": 1.0}


# ---- Step 0: validate --------------------------------------------------------------------------------------

TWO_TRICKS = [(1, "Sphinx", ["mirrors", "case"]), (1, "Book Test", ["formula"])]


def test_tricks_on_display_are_validated_before_drawing():
    state = play(position(displayed=TWO_TRICKS[:1], actions=0), "end")
    assert (state.to_move, texts(state)) == (1, ["validate Sphinx"])  # even a single one is a move
    state = play(state, "validate Sphinx")
    assert state.to_move == CHANCE
    assert state.fields["scores"][1] == 4
    assert where(state, "Sphinx") == ("kept", 1)


def test_the_seat_chooses_among_the_tricks_that_are_due_one_move_each():
    contest = ("Ambitious Card", "Pepper's Ghost", "Dove Pan", "Davenport Rope Tie")
    state = play(position(displayed=TWO_TRICKS, contest=contest, actions=0), "end")
    assert texts(state) == ["validate Sphinx", "validate Book Test"]
    state = play(state, "validate Book Test")
    assert texts(state) == ["validate Sphinx"]
    assert play(state, "validate Sphinx").to_move == CHANCE


def test_validation_stops_when_the_goal_is_reached():
    contest = ("Ambitious Card", "Pepper's Ghost", "Dove Pan", "Davenport Rope Tie")
    kept = [(1, name) for name in ("Tiger God", "Sword Basket", "Metamorphosis")]
    state = position(displayed=TWO_TRICKS, contest=contest, actions=0, kept=kept, scores=(0, 8))
    state = play(state, "end", "validate Sphinx")  # 8 + 2 + 2 exact + 1 for the domain
    assert state.is_over
    assert state.fields["scores"].tolist()[:2] == [0, 13]
    assert where(state, "Book Test") == ("displayed", 1)
    assert state.returns() == [0.0, 1.0]


def test_a_trick_displayed_in_this_turn_waits_for_the_next_one():
    state = position(backstage=[["cards"], []])
    state = play(state, "claim Ambitious Card", "place cards on Ambitious Card (cards)", "contest Sphinx")
    assert where(state, "Ambitious Card") == ("displayed", 0)
    assert state.fields["scores"][0] == 0
    state = play(state, "end")
    assert state.to_move == CHANCE  # seat 1 has nothing to validate and draws


# ---- Step 1: draw ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "drawn"), [(0, 5), (1, 4), (2, 3), (3, 2), (4, 1), (5, 1), (8, 1)])
def test_a_seat_with_fewer_than_four_cards_draws_up_to_five_else_one_card(cards, drawn):
    held = ["rabbit"] * min(cards, 4) + ["dove"] * max(cards - 4, 0)
    state = play(position(hands=[[], held], actions=0), "end")
    assert state.to_move == CHANCE
    assert state.fields["pending"] == drawn
    for _ in range(drawn):
        state.play(state.chance_outcomes()[-1][0])
    assert state.to_move == 1
    assert state.fields["n_hand"][1] == cards + drawn
    assert (state.fields["actions"], state.fields["talent_used"]) == (2, 0)


# ---- Step 2: actions ---------------------------------------------------------------------------------------


def test_a_seat_may_use_up_to_two_actions_also_the_same_one_twice():
    state = position(hands=[["rabbit", "rabbit", "rabbit"], []])
    assert "end" in texts(state)
    state = play(state, "back rabbit", "back rabbit")
    assert texts(state) == ["end"]
    assert backstage(state, 0) == ["rabbit", "rabbit"]


def test_the_step_ends_only_by_the_move_end():
    state = position(actions=0)
    assert texts(state) == ["end"]
    assert play(state, "end").fields["seat"] == 1


def test_a_component_from_hand_goes_backstage_face_up_without_limit():
    components = ["rabbit"] * 4 + ["dove"] * 4 + ["tiger"] * 4 + ["scarf"] * 4
    state = position(hands=[["cage", "take"], []], backstage=[components, []])
    assert "back take" not in texts(state)
    state = play(state, "back cage")
    assert len(backstage(state, 0)) == 17
    assert hand(state, 0) == ["take"]
    assert state.fields["actions"] == 1


def test_exchange_throws_one_card_at_a_time_in_the_order_of_kinds_then_draws_as_many():
    state = position(hands=[["rabbit", "cage", "take", "take"], []])
    state = play(state, "throw cage")
    assert state.fields["actions"] == 1
    assert texts(state) == ["done", "throw take"]  # rabbit comes before cage
    state = play(state, "throw take", "done")
    assert (state.to_move, int(state.fields["pending"])) == (CHANCE, 2)
    assert counts(state, "discards") == {"cage": 1, "take": 1}
    state = play(state, "draw dove", "draw dove")
    assert hand(state, 0) == ["rabbit", "dove", "dove", "take"]
    assert state.fields["actions"] == 1


def test_exchange_needs_at_least_one_card():
    state = play(position(hands=[["rabbit"], []]), "throw rabbit")
    assert texts(state) == ["done"]
    assert not any(text.startswith("throw") for text in texts(position()))


def test_an_exchange_offers_every_result_once():
    """Every set of thrown cards is reached by exactly one sequence."""
    found = []

    def visit(state):
        for text in texts(state):
            if text == "done":
                found.append(tuple(sorted(counts(state, "discards").items())))
            elif text.startswith("throw"):
                visit(play(state, text))

    visit(position(hands=[["rabbit", "rabbit", "dove", "take"], []]))
    assert len(found) == len(set(found)) == 3 * 2 * 2 - 1


@pytest.mark.parametrize(("level", "half"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_an_objective_is_taken_with_half_of_its_components_rounded_up(level, half):
    name, needs = {
        1: ("Ambitious Card", ["cards"]),
        2: ("Sphinx", ["mirrors", "case"]),
        3: ("Iroquois Handcuffs", ["rope", "mirrors", "case"]),
        4: ("Tiger God", ["tiger", "smoke", "cage", "formula"]),
    }[level]
    contest = (name, "Book Test", "Dove Pan", "Muscle Reading")
    for n in range(level + 1):
        state = position(backstage=[needs[:n], []], contest=contest)
        assert (f"claim {name}" in texts(state)) == (n >= half)
        if n < half:
            continue
        state = play(state, f"claim {name}")
        for placed in range(1, n + 1):
            assert ("stop" in texts(state)) == (placed > half)
            state = play(state, f"place {needs[placed - 1]} on {name} ({needs[placed - 1]})")
        if n < level:
            state = play(state, "stop")
        assert where(state, name) == (("realising", 0) if n < level else ("displayed", 0))
        assert state.fields["actions"] == 1


def test_the_components_of_a_claim_come_from_the_backstage_only():
    state = position(hands=[["mirrors", "case"], []], contest=("Sphinx", *CONTEST[:3]))
    assert "claim Sphinx" not in texts(state)


def test_placing_ends_by_itself_when_nothing_is_open():
    state = position(backstage=[["mirrors", "case"], []], contest=("Sphinx", *CONTEST[:1], *CONTEST[2:]))
    state = play(state, "claim Sphinx", "place mirrors on Sphinx (mirrors)")
    assert texts(state) == ["stop", "place case on Sphinx (case)"]
    state = play(state, "place case on Sphinx (case)")
    assert state.to_move == CHANCE


def test_the_contest_is_refilled_when_the_claim_is_complete_and_not_before():
    state = position(
        backstage=[["mirrors"], []], contest=("Sphinx", "Ambitious Card", "Book Test", "Dove Pan")
    )
    state = play(state, "claim Sphinx", "place mirrors on Sphinx (mirrors)")
    assert (state.fields["objectives"] == IN_CONTEST).sum() == 3
    assert state.to_move == 0
    state = play(state, "stop")
    assert state.to_move == CHANCE
    assert chances(state)["contest Pepper's Ghost"] == pytest.approx(1 / 28)


def test_a_seat_has_at_most_two_objectives_under_realisation():
    two = [(0, "Sphinx", ["mirrors", None]), (0, "Dove Pan", ["dove", None])]
    state = position(backstage=[["cards"], []], realising=two)
    assert not any(text.startswith("claim") for text in texts(state))  # though it would be on display at once
    state = position(backstage=[["cards"], []], realising=two[:1])
    assert "claim Ambitious Card" in texts(state)


def test_displayed_tricks_do_not_count_as_under_realisation():
    shown = [(0, "Sphinx", ["mirrors", "case"]), (0, "Dove Pan", ["dove", "cage"])]
    state = position(backstage=[["cards"], []], displayed=shown)
    assert "claim Ambitious Card" in texts(state)


def test_a_component_is_placed_on_an_own_objective_from_hand_or_backstage():
    state = position(
        hands=[["case"], []],
        backstage=[["cage"], []],
        realising=[(0, "Sphinx", ["mirrors", None]), (1, "Dove Pan", ["dove", None])],
    )
    placing = [text for text in texts(state) if text.startswith(("play", "place"))]
    assert placing == ["play case on Sphinx (case)", "place cage on Sphinx (case)"]
    for text in placing:
        later = play(state, text)
        assert where(later, "Sphinx") == ("displayed", 0)  # at once, without an action
        assert later.fields["actions"] == 1


def test_giving_up_returns_the_components_with_their_transforms_to_the_backstage():
    state = position(
        backstage=[["rope"], []],
        realising=[(0, "Iroquois Handcuffs", ["rope", "mirrors~dove*", None])],
    )
    state = play(state, "give up Iroquois Handcuffs")
    assert backstage(state, 0) == ["mirrors~dove*", "rope", "rope"]
    assert where(state, "Iroquois Handcuffs") == "discards"
    assert state.fields["actions"] == 1
    assert counts(state, "discards") == {}
    assert state.to_move == 0  # the Contest is full


def test_only_an_own_objective_under_realisation_is_given_up():
    state = position(
        realising=[(0, "Sphinx", ["mirrors", None]), (1, "Animal Magnetism", ["rabbit", None])],
        displayed=[(0, "Dove Pan", ["dove", "cage"])],
    )
    assert [text for text in texts(state) if text.startswith("give up")] == ["give up Sphinx"]


def test_a_type_accepts_its_group_and_audience_and_formula_only_themselves():
    everything = ["rope", "dove", "smoke", "cage", "audience", "formula"]
    state = position(
        backstage=[everything, []],
        realising=[(0, "Sphinx", [None, "case"]), (0, "Asrah Levitation", ["curtain", None])],
    )
    placing = [text for text in texts(state) if text.startswith("place")]
    assert placing == ["place smoke on Sphinx (mirrors)", "place formula on Asrah Levitation (formula)"]


def test_the_seat_names_the_need_and_the_component_stays_there():
    state = position(
        hands=[["tiger"], []],
        realising=[(0, "Mesmerised Tiger", [None, "rope", None, "smoke"])],
    )
    assert [text for text in texts(state) if text.startswith("play")] == [
        "play tiger on Mesmerised Tiger (tiger)",
        "play tiger on Mesmerised Tiger (animals)",
    ]
    state = play(state, "play tiger on Mesmerised Tiger (animals)")
    assert "animals: tiger" in str(state)
    assert not any(text.startswith("morph") for text in texts(state))


def test_a_claim_offers_every_result_once():
    """Every set of (component, need) is reached by exactly one sequence."""
    found = []

    def visit(state):
        for text in texts(state):
            later = play(state, text)
            if text == "stop" or later.to_move == CHANCE:
                found.append((later.fields["place"].tobytes(), later.fields["now"].tobytes()))
            else:
                visit(later)

    state = position(
        backstage=[["tiger", "dove", "dove", "rope", "smoke"], []],
        contest=("Mesmerised Tiger", "Book Test", "Dove Pan", "Muscle Reading"),
    )
    visit(play(state, "claim Mesmerised Tiger"))
    assert len(found) == len(set(found))
    # Animals on (tiger, animals): one on either (4), two (t-d, d-t, d-d: 3), none; times rope and smoke, at least two.
    assert len(found) == (3 * 4) + (4 * 3) + 1


def test_equal_cards_are_offered_once():
    state = position(
        hands=[["rabbit", "rabbit"], []], backstage=[["dove", "dove"], ["dove"]], talents=["animals"]
    )
    listed = texts(state)
    assert listed.count("back rabbit") == 1
    assert [text for text in listed if text.startswith("morph")] == ["morph 0:dove", "morph 1:dove"]


# ---- Step 3: discard ---------------------------------------------------------------------------------------


def test_a_seat_discards_down_to_eight_cards():
    nine = ["rabbit"] * 4 + ["dove"] * 4 + ["cage"]
    state = play(position(hands=[nine, []], actions=0), "end")
    assert texts(state) == ["discard rabbit", "discard dove", "discard cage"]
    state = play(state, "discard dove")
    assert state.fields["n_hand"][0] == 8
    assert counts(state, "discards") == {"dove": 1}
    assert state.fields["seat"] == 1


def test_eight_cards_are_kept():
    state = play(position(hands=[["rabbit"] * 4 + ["dove"] * 4, []], actions=0), "end")
    assert state.fields["seat"] == 1


def test_several_cards_are_discarded_in_the_order_of_kinds():
    ten = ["rabbit"] * 4 + ["dove"] * 3 + ["cage", "take", "grand"]
    state = play(position(hands=[ten, []], actions=0, talents=["swap", "recall"]), "end")
    assert "discard grand" not in texts(state)  # no card would be left to discard after it
    assert texts(play(state, "discard cage")) == ["discard take", "discard grand"]


# ---- The end -----------------------------------------------------------------------------------------------


def test_after_the_cap_the_most_prestige_wins_and_tricks_on_display_score_nothing():
    game = aiplay.load_game("illusio", turn_cap=3)
    state = position(game=game, turn=5, displayed=[(0, "Sphinx", ["mirrors", "case"])], actions=0, seat=1)
    state = play(state, "end")
    assert state.is_over
    assert state.fields["scores"].tolist()[:2] == [0, 0]
    assert state.returns() == [0.5, 0.5]  # ties share


def test_ties_at_the_cap_are_shared_among_the_best():
    game = aiplay.load_game("illusio", players=4, turn_cap=1)
    kept = [(0, "Sphinx"), (2, "Dove Pan"), (3, "Muscle Reading")]
    state = position(game=game, turn=3, kept=kept, scores=(2, 0, 2, 1), actions=0, seat=3)
    assert play(state, "end").returns() == [0.5, 0.0, 0.5, 0.0]


def test_the_goal_may_be_changed():
    game = aiplay.load_game("illusio", goal=4)
    state = position(game=game, displayed=[(1, "Sphinx", ["mirrors", "case"])], actions=0)
    state = play(state, "end", "validate Sphinx")
    assert state.is_over
    assert state.returns() == [0.0, 1.0]
