"""Illusio: special actions, talents and scoring, clause by clause, with the worked examples of the rulebook."""

import pytest
from illusio_positions import KINDS, backstage, counts, hand, play, position, texts, where

import aiplay
from aiplay import CHANCE
from aiplay._core.games.illusio.state import COUNT_STRIDE, UNSPENT

SPHINX = (0, "Sphinx", ["mirrors", "case"])
SPHINX_1 = (1, "Sphinx", ["mirrors", "case"])


def starting(state, verb):
    return [text for text in texts(state) if text.startswith(verb + " ")]


def points(state, seat=0):
    return int(state.fields["scores"][seat])


# ---- Transform ---------------------------------------------------------------------------------------------


def test_transform_turns_an_own_backstage_component_into_any_of_the_14_other_kinds():
    state = position(hands=[["transform"], []], backstage=[["rabbit"], ["dove"]])
    assert starting(state, "transform") == ["transform rabbit"]
    state = play(state, "transform rabbit")
    kinds = starting(state, "into")
    assert len(kinds) == 14
    assert "into rabbit" not in kinds
    assert {"into audience", "into formula"} <= set(kinds)
    state = play(state, "into audience")
    assert backstage(state, 0) == ["audience~rabbit*"]
    assert state.fields["actions"] == 1


def test_a_transformed_component_counts_as_exact():
    state = position(
        hands=[["transform"], []], backstage=[["rabbit"], []], realising=[(0, "Sphinx", [None, "case"])]
    )
    state = play(state, "transform rabbit", "into mirrors", "place mirrors~rabbit* on Sphinx (mirrors)")
    state = play(state, "end")
    while state.to_move != 0:
        state.play(state.legal_moves()[0])
    assert points(play(state, "validate Sphinx")) == 2 + 2


def test_transform_works_on_the_backstage_only():
    state = position(
        hands=[["transform"], []],
        realising=[(0, "Sphinx", ["mirrors", None])],
        displayed=[(0, "Book Test", ["formula"])],
        contest=("Ambitious Card", "Dove Pan", "Muscle Reading", "Pepper's Ghost"),
    )
    assert starting(state, "transform") == []


def test_a_transformed_component_may_be_transformed_again_by_its_present_kind():
    state = position(hands=[["transform"], []], backstage=[["dove~rabbit*"], []])
    state = play(state, "transform dove~rabbit*")
    assert "into rabbit" in texts(state)
    assert "into dove" not in texts(state)
    state = play(state, "into rabbit")
    assert backstage(state, 0) == ["rabbit**"]


def test_the_transform_stays_with_the_component_and_is_discarded_with_it():
    state = position(displayed=[(1, "Sphinx", ["mirrors~rabbit**", "case"])], actions=0)
    state = play(state, "end", "validate Sphinx")
    assert counts(state, "discards") == {"rabbit": 1, "case": 1, "transform": 2}


# ---- Take --------------------------------------------------------------------------------------------------


def test_take_moves_a_random_card_of_another_hand():
    state = position(players=3, hands=[["take"], ["rabbit", "rabbit", "grand"], []])
    assert starting(state, "take") == ["take from 1"]  # seat 2 has nothing
    state = play(state, "take from 1")
    assert {state.move_text(move): p for move, p in state.chance_outcomes()} == {
        "take rabbit": pytest.approx(2 / 3),
        "take grand": pytest.approx(1 / 3),
    }
    state = play(state, "take grand")
    assert hand(state, 0) == ["grand"]
    assert hand(state, 1) == ["rabbit", "rabbit"]
    assert counts(state, "discards") == {"take": 1}
    assert state.fields["actions"] == 1


# ---- Encore ------------------------------------------------------------------------------------------------


def test_an_encore_keeps_a_trick_on_display_one_more_round():
    state = position(hands=[["encore"], ["rabbit"] * 4], displayed=[SPHINX_1])
    state = play(state, "encore Sphinx", "end")
    assert state.to_move == CHANCE  # seat 1 draws at once: nothing is due
    assert where(state, "Sphinx") == ("displayed", 1)
    state = play(state, "draw dove", "end")
    while state.to_move != 0:
        state.play(state.legal_moves()[0])
    state = play(state, "end")
    assert texts(state) == ["validate Sphinx"]


def test_a_trick_carries_one_unspent_encore_and_another_after_its_round():
    state = position(hands=[["encore", "encore"], ["rabbit"] * 4], displayed=[SPHINX_1])
    state = play(state, "encore Sphinx")
    assert starting(state, "encore") == []
    state = play(state, "end", "draw dove", "end")
    while state.to_move != 0:
        state.play(state.legal_moves()[0])
    state = play(state, "encore Sphinx")
    assert [int(encores) for encores in state.fields["encores"] if encores] == [2 + UNSPENT]


def test_spent_encores_stay_on_the_trick_until_it_is_validated():
    state = position(displayed=[(1, "Sphinx", ["mirrors", "case"], {"encores": 2})], actions=0)
    state = play(state, "end", "validate Sphinx")
    assert counts(state, "discards")["encore"] == 2


# ---- Immediate success -------------------------------------------------------------------------------------


def test_immediate_success_validates_now_even_under_an_encore():
    state = position(
        hands=[["immediate success"], []], displayed=[(*SPHINX, {"encores": 1, "unspent": True})]
    )
    state = play(state, "success Sphinx")
    assert points(state) == 4
    assert where(state, "Sphinx") == ("kept", 0)
    assert counts(state, "discards") == {"mirrors": 1, "case": 1, "encore": 1, "immediate success": 1}
    assert (state.to_move, int(state.fields["actions"])) == (0, 1)


def test_immediate_success_on_anothers_trick_gives_its_owner_points_and_objective():
    state = position(hands=[["immediate success"], []], displayed=[SPHINX_1])
    state = play(state, "success Sphinx")
    assert (points(state, 0), points(state, 1)) == (0, 4)
    assert where(state, "Sphinx") == ("kept", 1)


def test_the_owner_may_win_by_immediate_success_on_anothers_turn():
    kept = [(1, "Tiger God"), (1, "Metamorphosis")]
    state = position(hands=[["immediate success"], []], displayed=[SPHINX_1], kept=kept, scores=(0, 8))
    state = play(state, "success Sphinx")
    assert state.is_over
    assert state.returns() == [0.0, 1.0]


# ---- Deja vu and Grand -------------------------------------------------------------------------------------


@pytest.mark.parametrize("owner", [0, 1])
def test_deja_vu_and_grand_may_be_played_on_anybodys_displayed_trick_and_add_up(owner):
    trick = (owner, "Sphinx", ["mirrors", "case"], {"deja_vu": 1, "grand": 1})
    state = position(hands=[["deja vu", "grand", "immediate success"], []], displayed=[trick])
    later = play(state, "deja vu Sphinx", "grand Sphinx")
    marks = [int(mark) for mark in later.fields["marks"] if mark]
    assert marks == [2 + 2 * COUNT_STRIDE]
    assert points(play(state, "grand Sphinx", "success Sphinx"), owner) == 4 - 1 + 2 * 2


CARDS_FOR_TRICKS = {
    "encore": "encore",
    "immediate success": "success",
    "deja vu": "deja vu",
    "grand": "grand",
}


@pytest.mark.parametrize("card", CARDS_FOR_TRICKS)
def test_encore_immediate_success_deja_vu_and_grand_may_be_played_on_any_displayed_trick(card):
    tricks = [SPHINX, (1, "Dove Pan", ["dove", "cage"]), (2, "Animal Magnetism", ["rabbit", "formula"])]
    state = position(players=3, hands=[[card], [], []], displayed=tricks)
    verb = CARDS_FOR_TRICKS[card]
    assert sorted(starting(state, verb)) == [f"{verb} Animal Magnetism", f"{verb} Dove Pan", f"{verb} Sphinx"]


def test_a_trick_may_get_a_special_action_in_the_turn_in_which_it_goes_on_display():
    """Rulebook: displaying is no action, so a Grand may be the second action."""
    state = position(
        hands=[["case", "grand", "grand"], []], realising=[(0, "Sphinx", ["mirrors", None])], actions=2
    )
    state = play(state, "play case on Sphinx (case)", "grand Sphinx")
    assert [int(mark) for mark in state.fields["marks"] if mark] == [COUNT_STRIDE]
    assert starting(state, "grand") == []  # no action is left


@pytest.mark.parametrize("card", ["encore", "immediate success", "deja vu", "grand"])
def test_encore_immediate_success_deja_vu_and_grand_need_a_displayed_trick(card):
    state = position(hands=[[card], []], realising=[(0, "Sphinx", ["mirrors", None])])
    verbs = ("encore", "success", "deja vu", "grand")
    assert not any(text.startswith(verbs) for text in texts(state))


def test_a_level_1_trick_with_a_deja_vu_pays_nothing():
    trick = (1, "Ambitious Card", ["rope"], {"deja_vu": 1})
    contest = ("Book Test", "Dove Pan", "Muscle Reading", "Pepper's Ghost")
    state = position(displayed=[trick], contest=contest, actions=0)
    state = play(state, "end", "validate Ambitious Card")
    assert points(state, 1) == 0
    assert where(state, "Ambitious Card") == ("kept", 1)


def test_a_trick_never_pays_less_than_nothing():
    trick = (1, "Ambitious Card", ["rope"], {"deja_vu": 3})
    contest = ("Book Test", "Dove Pan", "Muscle Reading", "Pepper's Ghost")
    kept = [(1, "Tiger God")]
    state = position(displayed=[trick], contest=contest, kept=kept, scores=(0, 4), actions=0)
    assert points(play(state, "end", "validate Ambitious Card"), 1) == 4


# ---- Scoring -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "components", "paid"),
    [
        ("Sphinx", ["mirrors", "case"], 4),
        ("Sphinx", ["smoke", "case"], 3),
        ("Sphinx", ["smoke", "cage"], 2),
        ("Straitjacket Release", ["rope", "audience"], 3),  # no point for audience,
        ("Animal Magnetism", ["rabbit", "formula"], 3),  # formula
        ("Dove Pan", ["dove", "case"], 3),  # or a whole group
        ("Mail Bag Escape", ["case"], 1),
    ],
)
def test_a_trick_pays_its_level_and_a_point_for_each_exact_typed_component(name, components, paid):
    contest = ("Book Test", "Ambitious Card", "Muscle Reading", "Lion's Bride")
    state = position(
        displayed=[(1, name, components)], contest=contest, actions=0, talents=["swap", "recall"]
    )
    assert points(play(state, "end", f"validate {name}"), 1) == paid


def test_a_level_4_trick_with_three_exact_components_and_a_grand_pays_9():
    trick = (1, "Tiger God", ["tiger", "smoke", "cage", "formula"], {"grand": 1})
    state = position(displayed=[trick], actions=0, talents=["swap", "recall"])
    assert points(play(state, "end", "validate Tiger God"), 1) == 4 + 3 + 2


MENTALISM = [
    ("Book Test", ["formula"], 1),
    ("Muscle Reading", ["audience"], 1),
    ("Second Sight", ["rope", "audience"], 2),
]
MENTALISM += [
    ("Animal Magnetism", ["dove", "formula"], 2),
    ("Spirit Cabinet", ["smoke", "curtain", "formula"], 3),
]
ILLUSION = [
    ("Pepper's Ghost", ["smoke"], 1),
    ("Inexhaustible Bottle", ["case"], 1),
    ("Sphinx", ["smoke", "cage"], 2),
]


@pytest.mark.parametrize(
    ("tricks", "bonus"),
    [(MENTALISM, 4), (MENTALISM[:2] + ILLUSION, 3)],
    ids=["five of mentalism pay 4", "two of mentalism and three of illusion pay 3"],
)
def test_specialisation_pays_a_point_for_every_further_trick_of_a_domain(tricks, bonus):
    game = aiplay.load_game("illusio", goal=100)
    contest = ("Dove Pan", "Hat Production", "Card Sword", "Rising Cards")
    shown = [(1, name, components) for name, components, _ in tricks]
    state = position(game=game, displayed=shown, contest=contest, actions=0, talents=["swap", "recall"])
    state = play(state, "end", *[f"validate {name}" for name, *_ in tricks])
    assert points(state, 1) == sum(level for *_, level in tricks) + bonus


def test_specialisation_counts_only_the_seats_own_tricks():
    state = position(displayed=[SPHINX_1], kept=[(0, "Tiger God")], scores=(4, 0), actions=0)
    assert points(play(state, "end", "validate Sphinx"), 1) == 4


def test_components_and_cards_on_a_validated_trick_are_discarded():
    trick = (1, "Sphinx", ["mirrors", "case"], {"deja_vu": 1, "grand": 2, "encores": 1})
    state = play(position(displayed=[trick], actions=0), "end", "validate Sphinx")
    assert counts(state, "discards") == {"mirrors": 1, "case": 1, "deja vu": 1, "grand": 2, "encore": 1}


def test_reaching_the_goal_ends_the_game_immediately():
    kept = [(0, "Tiger God"), (0, "Metamorphosis")]
    state = position(hands=[["immediate success"], []], displayed=[SPHINX], kept=kept, scores=(7, 0))
    state = play(state, "success Sphinx")  # 7 + 2 + 2 exact + 1 for the domain
    assert state.is_over
    assert points(state) == 12


# ---- Talents -----------------------------------------------------------------------------------------------

GROUPS = {
    "animals": ("dove", ["rabbit", "tiger"]),
    "accessories": ("rope", ["scarf", "cards", "blades"]),
    "tricks": ("smoke", ["curtain", "mirrors"]),
    "boxes": ("cage", ["case", "reservoir"]),
}


@pytest.mark.parametrize("group", GROUPS)
def test_four_magicians_morph_a_component_of_their_group_in_any_backstage(group):
    one_of_each = ["dove", "rope", "smoke", "cage", "audience", "formula"]
    state = position(backstage=[one_of_each, one_of_each], talents=[group], actions=0)
    name, others = GROUPS[group]
    assert starting(state, "morph") == [f"morph 0:{name}", f"morph 1:{name}"]
    for owner in (0, 1):
        later = play(state, f"morph {owner}:{name}")
        assert starting(later, "into") == [f"into {other}" for other in others]
        later = play(later, f"into {others[0]}")
        assert f"{others[0]}~{name}" in backstage(later, owner)
        assert starting(later, "morph") == []  # once per turn
        assert texts(later) == ["end"]


def test_a_morph_depends_on_the_present_kind():
    state = position(backstage=[["dove~rope*", "rope~dove*"], []], talents=["animals"])
    assert starting(state, "morph") == ["morph 0:dove~rope*"]


def test_a_transformed_component_may_be_morphed_swapped_and_recalled_like_any_other():
    state = position(backstage=[["dove~rope*"], []], talents=["animals"])
    state = play(state, "morph 0:dove~rope*", "into tiger")
    assert backstage(state, 0) == ["tiger~rope*"]  # the Transform stays with it
    state = position(backstage=[["cage"], ["dove~rope*"]], talents=["swap"])
    assert texts(play(state, "swap cage")) == ["for 1:dove~rope*"]
    state = position(backstage=[[], ["dove~rope*", "cage"]], talents=["recall"])
    assert "recall 1:dove~rope*" in texts(state)


def test_a_swapped_component_belongs_to_its_new_holder():
    """A recall sends it to the hand of its present holder, not of the first one."""
    state = position(
        players=3, backstage=[["rabbit"], ["dove", "cage"], []], talents=["swap", "illusion", "recall"]
    )
    state = play(state, "swap rabbit", "for 1:dove", "end")
    while state.to_move != 2:
        state.play("end" if "end" in texts(state) else state.legal_moves()[0])
    before = hand(state, 1)
    assert hand(play(state, "recall 1:rabbit"), 1) == sorted([*before, "rabbit"], key=KINDS.index)


def test_a_morph_lasts_and_counts_as_exact():
    state = position(
        backstage=[["smoke", "case"], []],
        talents=["tricks"],
        contest=("Sphinx", "Book Test", "Dove Pan", "Muscle Reading"),
    )
    state = play(
        state, "morph 0:smoke", "into mirrors", "claim Sphinx", "place mirrors~smoke on Sphinx (mirrors)"
    )
    state = play(state, "place case on Sphinx (case)", "contest Ambitious Card", "end")
    while state.to_move != 0:
        state.play(state.legal_moves()[0])
    state = play(state, "validate Sphinx")
    assert points(state) == 4
    assert counts(state, "discards") == {"smoke": 1, "case": 1}  # as printed


def test_swap_exchanges_a_component_with_one_of_another_backstage():
    state = position(backstage=[["rabbit*", "dove"], ["dove", "cage"]], talents=["swap"], actions=0)
    state = play(state, "swap rabbit*")
    assert texts(state) == ["for 1:dove", "for 1:cage"]
    state = play(state, "for 1:cage")
    assert backstage(state, 0) == ["cage", "dove"]
    assert backstage(state, 1) == ["dove", "rabbit*"]  # Transforms travel along
    assert state.fields["talent_used"] == 1


def test_identical_components_are_not_swapped():
    state = position(backstage=[["dove"], ["dove"]], talents=["swap"])
    assert starting(state, "swap") == []
    state = position(backstage=[["dove", "cage"], ["dove"]], talents=["swap"])
    assert starting(state, "swap") == ["swap cage"]
    state = position(backstage=[["dove"], ["dove", "dove*"]], talents=["swap"])
    assert texts(play(state, "swap dove")) == ["for 1:dove*"]


def test_two_components_of_one_printed_kind_can_be_swapped():
    state = position(backstage=[["rabbit*"], ["dove~rabbit*"]], talents=["swap"])
    state = play(state, "swap rabbit*", "for 1:dove~rabbit*")
    assert (backstage(state, 0), backstage(state, 1)) == (["dove~rabbit*"], ["rabbit*"])


@pytest.mark.parametrize("stages", [[[], ["dove"]], [["dove"], []]])
def test_a_swap_needs_a_component_on_both_sides(stages):
    assert starting(position(backstage=stages, talents=["swap"]), "swap") == []


def test_recall_sends_a_component_to_its_owners_hand_as_printed():
    state = position(players=3, backstage=[["cage"], ["dove~rabbit*", "rope"], ["smoke"]], talents=["recall"])
    assert starting(state, "recall") == ["recall 1:rope", "recall 1:dove~rabbit*"]  # seat 2 has only one
    state = play(state, "recall 1:dove~rabbit*")
    assert hand(state, 1) == ["rabbit"]
    assert counts(state, "discards") == {"transform": 1}
    assert backstage(state, 1) == ["rope"]


def test_redraw_discards_any_hand_card_and_draws_another():
    state = position(hands=[["rabbit", "take"], []], talents=["redraw"], actions=0)
    assert starting(state, "redraw") == ["redraw rabbit", "redraw take"]
    state = play(state, "redraw take")
    assert (state.to_move, int(state.fields["pending"])) == (CHANCE, 1)
    state = play(state, "draw dove")
    assert hand(state, 0) == ["rabbit", "dove"]
    assert texts(state) == ["end"]


@pytest.mark.parametrize(
    ("talent", "name", "components", "paid"),
    [
        ("audience", "Straitjacket Release", ["rope", "audience"], 4),
        ("audience", "Animal Magnetism", ["rabbit", "formula"], 3),
        ("formula", "Animal Magnetism", ["rabbit", "formula"], 4),
        ("formula", "Straitjacket Release", ["rope", "audience"], 3),
        ("illusion", "Sphinx", ["mirrors", "case"], 5),
        ("illusion", "Dove Pan", ["dove", "case"], 3),
    ],
)
def test_three_magicians_get_a_point_for_tricks_with_audience_formula_or_of_illusion(
    talent, name, components, paid
):
    contest = ("Book Test", "Ambitious Card", "Muscle Reading", "Lion's Bride")
    state = position(displayed=[(1, name, components)], contest=contest, actions=0, talents=["swap", talent])
    assert points(play(state, "end", f"validate {name}"), 1) == paid


def test_the_point_of_a_talent_is_added_before_the_minimum_of_0_applies():
    trick = (1, "Muscle Reading", ["audience"], {"deja_vu": 3})
    contest = ("Book Test", "Ambitious Card", "Dove Pan", "Lion's Bride")
    state = position(displayed=[trick], contest=contest, actions=0, talents=["swap", "audience"])
    assert points(play(state, "end", "validate Muscle Reading"), 1) == 0


@pytest.mark.parametrize("actions", [0, 1, 2])
def test_an_active_talent_is_free_once_per_turn_before_between_or_after_actions(actions):
    state = position(hands=[["rabbit", "rabbit"], []], talents=["redraw"], actions=actions)
    assert starting(state, "redraw")
    state = play(state, "redraw rabbit", "draw dove")
    assert state.fields["actions"] == actions
    assert starting(state, "redraw") == []
    state = play(state, "end")
    while state.to_move != 0:
        state.play(state.legal_moves()[0])
    assert starting(state, "redraw")


def test_talents_are_never_used_inside_an_action():
    state = position(hands=[["rabbit", "dove"], []], talents=["redraw"])
    assert starting(play(state, "throw rabbit"), "redraw") == []
    state = position(
        backstage=[["mirrors", "case"], []],
        talents=["tricks"],
        contest=("Sphinx", "Book Test", "Dove Pan", "Muscle Reading"),
    )
    assert starting(play(state, "claim Sphinx"), "morph") == []


@pytest.mark.parametrize("talent", ["animals", "swap", "recall"])
def test_placed_components_are_protected(talent):
    tricks = {
        "realising": [(1, "Dove Pan", ["dove", None])],
        "displayed": [(1, "Animal Magnetism", ["rabbit", "formula"])],
    }
    state = position(backstage=[["rope"], []], talents=[talent], **tricks)
    assert not any(text.startswith(("morph", "swap", "recall")) for text in texts(state))
