"""Illusio: who knows what, views that leak nothing, worlds with the right distribution."""

import itertools
import json
from collections import Counter

import pytest
from illusio_positions import (
    KINDS,
    assert_distributed,
    counts,
    fields_of,
    hand,
    knowledge,
    load,
    play,
    position,
    sampled,
    state_of,
)

from aiplay._core.games.illusio.state import N_KINDS, PHASE_DEAL, PHASE_DRAW, PHASE_TAKE
from aiplay._core.measure import perceptions
from aiplay._core.stream import RandomStream
from aiplay.errors import InvalidStateError

# ---- Memory ------------------------------------------------------------------------------------------------


def known_to_all(state):
    """Everything that anybody knows: (observer, owner) -> name -> number."""
    seats = range(state.game.seats)
    found = {(a, b): knowledge(state, a, b) for a in seats for b in seats if a != b}
    return {who: names for who, names in found.items() if names}


def test_taker_and_victim_know_a_taken_card():
    state = position(players=3, hands=[["take"], ["rabbit", "dove"], []])
    state = play(state, "take from 1", "take rabbit")
    assert known_to_all(state) == {(1, 0): {"rabbit": 1}}  # the taker's own hand needs no memory
    assert hand(state.view(1), 0) == ["rabbit"]
    assert hand(state.view(2), 0) == ["?"]


def test_the_taker_sees_the_card_leave():
    state = position(hands=[["take"], ["rabbit", "rabbit"]], known={(0, 1, "rabbit"): 1})
    state = play(state, "take from 1", "take rabbit")
    assert knowledge(state, 0, 1) == {}  # one left, and it may be the unknown one


def test_a_take_does_not_change_what_is_known_of_the_takers_hand():
    state = position(players=3, hands=[["take", "cage"], ["dove"], []], known={(2, 0, "cage"): 1})
    state = play(state, "take from 1", "take dove")
    assert known_to_all(state) == {(2, 0): {"cage": 1}, (1, 0): {"dove": 1}}


def test_everybody_knows_a_recalled_card():
    state = position(
        players=3, hands=[[], ["rabbit"], []], backstage=[[], ["dove~rabbit*", "rope"]], talents=["recall"]
    )
    state = play(state, "recall 1:dove~rabbit*")
    assert known_to_all(state) == {(0, 1): {"rabbit": 1}, (2, 1): {"rabbit": 1}}
    assert hand(state.view(0), 1) == ["rabbit", "?"]


LEAVING = {
    "backstage": ["back rabbit"],
    "exchange": ["throw rabbit", "done"],
    "a talent": ["redraw rabbit"],
    "placed": ["play rabbit on Animal Magnetism (rabbit)"],
}


@pytest.mark.parametrize("way", LEAVING)
@pytest.mark.parametrize(("held", "known", "left"), [(1, 1, 0), (2, 1, 0), (3, 2, 1), (2, 0, 0)])
def test_a_card_that_leaves_in_the_open_is_no_longer_known(way, held, known, left):
    state = position(
        players=3,
        hands=[["rabbit"] * held, [], []],
        known={(1, 0, "rabbit"): known} if known else None,
        realising=[(0, "Animal Magnetism", [None, "formula"])],
        talents=["redraw"],
    )
    state = play(state, *LEAVING[way])
    assert knowledge(state, 1, 0) == ({"rabbit": left} if left else {})
    assert knowledge(state, 2, 0) == {}  # never below 0


def test_discarded_and_played_cards_leave_in_the_open():
    nine = ["rabbit"] * 4 + ["dove"] * 4 + ["cage"]
    state = position(hands=[nine, []], known={(1, 0, "cage"): 1}, actions=0)
    assert knowledge(play(state, "end", "discard cage"), 1, 0) == {}
    state = position(hands=[["take"], ["dove"]], known={(1, 0, "take"): 1})
    assert "take" not in knowledge(play(state, "take from 1", "take dove"), 1, 0)


def test_nobody_knows_a_drawn_card():
    state = position(phase="draw", pending=1, hands=[["rabbit"] * 4, []])
    assert known_to_all(play(state, "draw dove")) == {}


# ---- Views -------------------------------------------------------------------------------------------------


def test_a_view_shows_the_own_hand_and_the_known_cards_of_the_others():
    known = {(0, 1, "rabbit"): 1, (2, 1, "dove"): 1, (1, 0, "cage"): 1}
    state = position(players=3, hands=[["cage", "take"], ["rabbit", "rabbit", "dove"], ["rope"]], known=known)
    view = state.view(0)
    assert (hand(view, 0), hand(view, 1), hand(view, 2)) == (["cage", "take"], ["rabbit", "?", "?"], ["?"])
    assert knowledge(view, 1, 0) == {}  # it depends on what seat 1 knows of third hands
    assert knowledge(view, 2, 1) == {}  # not what the others know of each other
    assert view.fields["n_hand"].tolist()[:3] == [2, 3, 1]
    assert view.fields["n_deck"] == 84


def test_with_two_seats_a_view_shows_what_the_other_knows_of_the_own_hand():
    state = position(hands=[["cage", "take"], ["rabbit"]], known={(1, 0, "cage"): 1})
    assert knowledge(state.view(0), 1, 0) == {"cage": 1}


def test_hand_sizes_deck_size_and_discards_are_public():
    state = position(hands=[["cage"], ["rabbit", "dove"]], discards=["tiger"])
    for seat in (0, 1):
        view = state.view(seat)
        assert view.fields["n_deck"] == state.fields["n_deck"]
        assert view.fields["n_hand"].tolist() == state.fields["n_hand"].tolist()
        assert counts(view, "discards") == {"tiger": 1}


def test_unseen_cards_are_counted_together():
    state = position(hands=[["cage"], ["rabbit", "dove"]], deck=["dove", "take"])
    assert counts(state.view(0), "deck") == {"rabbit": 1, "dove": 2, "take": 1}


def test_a_view_leaks_neither_hands_nor_deck():
    """Every deal of the unseen cards gives the same bytes."""
    unseen = ["rabbit", "dove", "dove", "take", "grand"]
    views = set()
    for dealt in set(itertools.permutations(unseen, 3)):
        rest = list(unseen)
        for card in dealt:
            rest.remove(card)
        state = position(players=3, hands=[["cage"], list(dealt[:2]), list(dealt[2:])], deck=rest)
        views.add(state.view(0).to_bytes())
    assert len(views) == 1


def test_a_view_does_not_show_what_others_took_from_each_other():
    state = position(players=3, hands=[[], ["rabbit", "dove"], ["take"]], seat=2)
    state = play(state, "take from 1")
    views = [play(state, f"take {card}").view(0) for card in ("rabbit", "dove")]
    assert views[0] == views[1]


DRAWS = {
    "step 1": {"phase": "draw", "pending": 1, "hands": [["cage"], ["rope"] * 4, []]},
    "an exchange": {"hands": [["cage"], ["rope"] * 4, []]},
    "a talent": {"hands": [["cage"], ["rope"] * 4, []], "talents": ["swap", "redraw"]},
}


@pytest.mark.parametrize("way", DRAWS)
def test_a_view_does_not_show_what_others_have_drawn(way):
    state = position(players=3, seat=1, **DRAWS[way])
    moves = {"step 1": [], "an exchange": ["throw rope", "done"], "a talent": ["redraw rope"]}[way]
    state = play(state, *moves)
    drawn = [play(state, f"draw {card}") for card in ("rabbit", "dove", "take")]
    for seat in (0, 2):
        assert len({later.view(seat).to_bytes() for later in drawn}) == 1
    assert len({later.view(1).to_bytes() for later in drawn}) == 3


@pytest.mark.parametrize("field", ["hands", "deck", "known", "n_deck"])
def test_a_forged_view_is_refused(field):
    state = position(players=3, hands=[["cage"], ["rabbit", "dove"], []])
    view = json.loads(state.view(0).to_json())
    if field == "hands":
        view["view"]["hands"][1][0] = KINDS.index("rabbit")
    elif field == "deck":
        view["view"]["deck"][0] -= 1
    elif field == "known":
        view["view"]["known"][1][0] = 1
    else:
        view["view"]["n_deck"] -= 1
    with pytest.raises(InvalidStateError, match=f"{field}|deck"):
        state.game.view_from_json(json.dumps(view))


# ---- Perception --------------------------------------------------------------------------------------------


def keys(state, seat):
    return len({key for _, key in perceptions(state, seat)})


def test_a_drawn_card_is_seen_by_its_owner_only():
    state = position(players=3, phase="draw", pending=1, seat=1)
    assert [keys(state, seat) for seat in range(3)] == [1, N_KINDS, 1]


def test_dealt_cards_are_seen_by_their_owner_only():
    state, stream = load(3).new_state(), RandomStream(1)
    while state.fields["phase"] != PHASE_DEAL:
        state.play_chance(stream)
    owner = int(state.fields["seat"])
    assert [keys(state, seat) for seat in range(3)] == [N_KINDS if seat == owner else 1 for seat in range(3)]


def test_a_taken_card_is_seen_by_taker_and_victim():
    state = position(players=3, hands=[["take"], ["rabbit", "dove"], []])
    state = play(state, "take from 1")
    assert [keys(state, seat) for seat in range(3)] == [2, 2, 1]


def test_everything_else_is_seen_by_all():
    stream = RandomStream(4)
    for _ in range(3):
        state = load(3).new_state()
        while not state.is_over:
            moves = state.legal_moves()
            if state.fields["phase"] not in (PHASE_DEAL, PHASE_DRAW, PHASE_TAKE):
                assert all(keys(state, seat) == len(moves) for seat in range(3))
            move = state.play_chance(stream) if state.to_move < 0 else state.play(stream.choice(moves))
            assert move in moves


# ---- Worlds ------------------------------------------------------------------------------------------------


def deals(unseen, *sizes):
    """All deals of hands of these sizes from the unseen cards: hands -> probability."""
    found = Counter()
    for order in itertools.permutations(unseen, sum(sizes)):
        cards, hands = list(order), []
        for size in sizes:
            hands.append(tuple(sorted(cards[:size], key=KINDS.index)))
            cards = cards[size:]
        found[tuple(hands)] += 1
    total = sum(found.values())
    return {hands: n / total for hands, n in found.items()}


UNSEEN = ["rabbit", "rabbit", "dove", "cage", "take", "take"]


def test_hidden_cards_are_dealt_uniformly():
    state = position(hands=[["rope"], UNSEEN[:3]], deck=UNSEEN[3:])
    assert_distributed(sampled(state.view(0), [1]), deals(UNSEEN, 3))


def test_hidden_cards_are_dealt_uniformly_over_several_hands_and_the_deck():
    state = position(players=3, hands=[UNSEEN[:2], ["rope"], UNSEEN[2:3]], deck=UNSEEN[3:])
    assert_distributed(sampled(state.view(1), [0, 2]), deals(UNSEEN, 2, 1))


def test_known_cards_stay_in_every_world():
    state = position(
        hands=[["rope"], ["dove", "dove", *UNSEEN[:2]]], known={(0, 1, "dove"): 1}, deck=UNSEEN[2:]
    )
    unseen = ["dove", *UNSEEN]
    wanted = Counter()
    for (rest,), p in deals(unseen, 3).items():
        wanted[(tuple(sorted([*rest, "dove"], key=KINDS.index)),)] += p
    assert_distributed(sampled(state.view(0), [1]), wanted)
    world = state.view(0).sample_world(1)
    assert knowledge(world, 0, 1) == {"dove": 1}


def test_with_an_empty_deck_and_two_seats_every_card_is_known():
    state = position(hands=[["rope"], UNSEEN[:4]], deck=[])
    assert all(hand(state.view(0).sample_world(seed), 1) == hand(state, 1) for seed in range(20))


def test_worlds_fit_the_order_of_discards_in_step_3():
    """A seat discards in ascending order: the cards it still has to discard are of the last kind or later."""
    game, unseen = load(2), [*UNSEEN, "rope", "rope", "scarf", "grand"]
    held = ["rabbit", "rabbit", "dove", "cage", "take", "take", "rope", "rope", "scarf"]
    words = {"seat": 1, "phase": "discard", "actions": 0, "pending": 1, "talents": ["recall", "swap"]}
    fields = fields_of(game, hands=[[], held], deck=["grand"], mark=KINDS.index("take"), **words)
    state = state_of(game, fields)
    wanted = {
        hands: p
        for hands, p in hands_of_nine(unseen).items()
        if any(card in ("take", "grand") for card in hands[0])
    }
    total = sum(wanted.values())
    assert_distributed(sampled(state.view(0), [1]), {hands: p / total for hands, p in wanted.items()})


def hands_of_nine(unseen):
    found = Counter()
    for left_out in range(len(unseen)):
        cards = unseen[:left_out] + unseen[left_out + 1 :]
        found[(tuple(sorted(cards, key=KINDS.index)),)] += 1
    return found


def test_worlds_in_step_3_fit_even_if_few_hands_do():
    """Two cards are hidden, and one of them must be a Grand or a Deja vu; three of those are unseen."""
    game = load(2)
    rare = ["deja vu", "grand", "grand"]
    common = ["rabbit", "rabbit", "dove"]
    shown = ["scarf"] * 4 + ["rope"] * 3
    known = {(0, 1, "scarf"): 4, (0, 1, "rope"): 3}
    words = {"seat": 1, "phase": "discard", "actions": 0, "pending": 1, "talents": ["recall", "swap"]}
    fields = fields_of(
        game,
        hands=[[], [*shown, "rabbit", "grand"]],
        known=known,
        deck=[*rare[:2], *common[1:]],
        mark=KINDS.index("deja vu"),
        **words,
    )
    state = state_of(game, fields)
    wanted = Counter()
    for two in itertools.combinations([*rare, *common], 2):
        if set(two) & {"deja vu", "grand"}:
            wanted[(tuple(sorted([*shown, *two], key=KINDS.index)),)] += 1
    total = sum(wanted.values())
    assert_distributed(sampled(state.view(0), [1]), {hands: n / total for hands, n in wanted.items()})


@pytest.mark.parametrize("players", [2, 6])
def test_worlds_fit_their_view_throughout_a_game(players):
    stream = RandomStream(players)
    state = load(players).new_state()
    while not state.is_over:
        if stream.below(10) == 0:
            for seat in range(players):
                view = state.view(seat)
                world = view.sample_world(stream.bits())
                assert world.view(seat) == view
                assert world.fields["n_deck"] == world.fields["deck"].sum()
        if state.to_move < 0:
            state.play_chance(stream)
        else:
            state.play(state.playout_move(stream) if stream.below(2) else stream.choice(state.legal_moves()))
