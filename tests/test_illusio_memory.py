"""Illusio: what is remembered after a Take and after the deck is renewed, against exact odds by enumeration."""

import itertools
import json
import math
from collections import Counter

import pytest
from illusio_positions import KINDS, assert_distributed, hand, knowledge, play, position, sampled
from test_illusio_data import PRINTED, as_toml

import aiplay
from aiplay._core.games.illusio.state import NO_CARD
from aiplay._core.measure import perceptions
from aiplay._core.stream import RandomStream
from aiplay.testing import check_damaged

TAKER, VICTIM, OTHER = 0, 1, 2


def in_order(cards):
    return tuple(sorted(cards, key=KINDS.index))


def histories(unseen, taker, victim, steps):
    """All histories that fit what was seen, equally likely ones as often: (taker's hand, victim's hand) -> share.

    `unseen` are the cards that the observer does not see; in the two hands None stands for one of them. Steps: "take"
    (a random card), ("take", kind) if the observer sees it, ("draw", seat), and ("show", seat, kind): a random card of
    that hand is played and turns out to be of that kind.
    """
    n_hidden = [taker.count(None), victim.count(None)]
    n_drawn = sum(step[0] == "draw" for step in steps)
    found = Counter()
    for cards in itertools.permutations(unseen, sum(n_hidden) + n_drawn):
        hands = [
            [*(card for card in taker if card), *cards[: n_hidden[0]]],
            [*(card for card in victim if card), *cards[n_hidden[0] : sum(n_hidden)]],
        ]
        _follow(hands, list(cards[sum(n_hidden) :]), steps, 1.0, found)
    total = sum(found.values())
    return {key: weight / total for key, weight in found.items()}


def _follow(hands, drawn, steps, weight, found):
    """Add every way to carry out the steps to `found`."""
    if not steps:
        found[tuple(in_order(cards) for cards in hands)] += weight
        return
    verb, *rest = (steps[0],) if isinstance(steps[0], str) else steps[0]
    if verb == "draw":
        hands = [list(cards) for cards in hands]
        hands[rest[0]].append(drawn[0])
        _follow(hands, drawn[1:], steps[1:], weight, found)
        return
    source, kind = (VICTIM, rest[0] if rest else None) if verb == "take" else rest
    for i, card in enumerate(hands[source]):
        if kind in (None, card):
            later = [list(cards) for cards in hands]
            del later[source][i]
            if verb == "take":
                later[TAKER].append(card)
            _follow(later, drawn, steps[1:], weight / len(hands[source]), found)


def test_the_enumeration_of_histories():
    """One of two cards is taken: known rabbit and an unseen dove or cage."""
    found = histories(["dove", "cage"], [], ["rabbit", None], ["take"])
    rabbit, other = ("rabbit",), 0.25
    assert found[rabbit, ("dove",)] == found[rabbit, ("cage",)] == other
    assert found[("dove",), rabbit] == found[("cage",), rabbit] == other


# ---- A third seat --------------------------------------------------------------------------------------------

UNSEEN = ["rabbit", "dove", "dove", "cage", "tiger", "mirrors"]

# Cards of the robbed hand that the third seat knows, the number of others, and of the taker's hidden cards.
HANDS = [
    (["rabbit"], 1, 0),
    (["rabbit"], 2, 1),
    (["rabbit", "rabbit"], 1, 1),
    (["rabbit", "dove"], 1, 1),
    (["rabbit", "dove"], 0, 1),
    (["rabbit", "rabbit", "dove"], 0, 0),
    (["scarf"], 3, 0),
]


def robbed(shown, n_others, n_taker, taken, unseen=UNSEEN, before=(), known=None):
    """Three seats, seat 0 about to take from seat 1, seat 2 knows the cards `shown`; and the state after the Take."""
    others, own = unseen[:n_others], unseen[n_others : n_others + n_taker]
    known = {(OTHER, VICTIM, card): shown.count(card) for card in shown} | (known or {})
    state = position(
        players=3,
        hands=[["take", *own, *before], [*shown, *others], ["rope"]],
        known=known,
        deck=unseen[n_others + n_taker :],
    )
    return play(state, "take from 1", f"take {taken}")


@pytest.mark.parametrize(("shown", "n_others", "n_taker"), HANDS)
def test_after_a_take_worlds_have_the_odds_of_a_random_card(shown, n_others, n_taker):
    wanted = histories(UNSEEN, [None] * n_taker, [*shown, *[None] * n_others], ["take"])
    for taken in {*shown, *UNSEEN[:n_others]}:
        view = robbed(shown, n_others, n_taker, taken).view(OTHER)
        assert_distributed(sampled(view, [TAKER, VICTIM]), wanted)


@pytest.mark.parametrize(("shown", "n_others", "n_taker"), HANDS)
def test_a_view_does_not_show_which_card_was_taken(shown, n_others, n_taker):
    taken = {*shown, *UNSEEN[:n_others]}
    views = {robbed(shown, n_others, n_taker, card).view(OTHER).to_bytes() for card in taken}
    assert len(views) == 1


def test_a_hand_of_one_known_kind_is_certain_for_the_taker_too():
    state = robbed(["dove", "dove"], 0, 1, "dove")
    assert knowledge(state, OTHER, TAKER) == {"dove": 1}
    assert knowledge(state, OTHER, VICTIM) == {"dove": 1}
    assert not state.fields["trail"].any()


def test_a_single_known_card_is_certain_for_the_taker():
    state = robbed(["dove"], 0, 2, "dove")
    assert knowledge(state.view(OTHER), OTHER, TAKER) == {"dove": 1}


def test_a_third_seat_that_knew_nothing_remembers_nothing():
    state = robbed([], 3, 1, "rabbit")
    assert not state.fields["trail"].any()


def test_the_taker_shows_another_card():
    """It may be the taken one: then the known cards are still in the robbed hand."""
    state = robbed(["rabbit"], 2, 0, "rabbit", before=["tiger"], unseen=["dove", "dove", "cage", "mirrors"])
    state = play(state, "back tiger")
    unseen = ["dove", "dove", "cage", "mirrors", "tiger"]
    wanted = histories(unseen, [None], ["rabbit", None, None], ["take", ("show", TAKER, "tiger")])
    assert_distributed(sampled(state.view(OTHER), [TAKER, VICTIM]), wanted)


def test_if_the_taker_shows_its_only_card_the_others_are_certain():
    state = play(robbed(["rabbit"], 2, 0, "dove"), "back dove")
    assert knowledge(state, OTHER, VICTIM) == {"rabbit": 1}
    assert not state.fields["trail"].any()


def test_the_robbed_seat_draws_and_shows_another_card():
    shown, unseen = ["rabbit", "scarf", "blades"], ["dove", "dove", "cage", "mirrors", "tiger"]
    state = robbed(shown, 2, 0, "rabbit", unseen=unseen)
    state = play(state, "end", "draw tiger", "back dove")
    steps = ["take", ("draw", VICTIM), ("show", VICTIM, "dove")]
    wanted = histories(unseen, [], [*shown, None, None], steps)
    assert_distributed(sampled(state.view(OTHER), [TAKER, VICTIM]), wanted)


def test_a_known_card_that_cannot_be_in_the_robbed_hand_is_with_the_taker():
    """The robbed hand has one card after the Take, and plays another one than the known one."""
    state = position(
        players=3,
        seat=TAKER,
        hands=[["take", "tiger"], ["rabbit", "dove"], ["rope"]],
        known={(OTHER, VICTIM, "rabbit"): 1},
        deck=["cage"],
        talents=["swap", "recall"],
    )
    state = play(state, "take from 1", "take rabbit")
    assert knowledge(state, OTHER, TAKER) == {}
    later = play(_as_turn_of(state, seat=VICTIM), "back dove")
    assert knowledge(later, OTHER, TAKER) == {"rabbit": 1}
    assert not later.fields["trail"].any()


def _as_turn_of(state, seat):
    """The same position with another seat to act, so that nothing is drawn before."""
    document = json.loads(state.to_json())
    document["state"] |= {"seat": seat, "actions": 2, "talent_used": 0}
    return state.game.state_from_json(json.dumps(document))


def test_a_known_kind_that_leaves_one_of_both_hands_is_known_once_less():
    state = robbed(["rabbit", "dove"], 1, 1, "dove", unseen=["cage", "tiger", "mirrors"])
    view = play(state, "back dove").view(OTHER)
    assert knowledge(view, OTHER, VICTIM) == {"rabbit": 1}
    later = play(_as_turn_of(state, seat=VICTIM), "back rabbit")
    assert knowledge(later.view(OTHER), OTHER, VICTIM) == {"dove": 1}


def test_another_take_from_one_of_both_hands_leaves_what_is_certain():
    state = position(
        players=4,
        hands=[["take", "take"], ["rabbit", "rabbit", "dove", "cage"], ["rope"], ["scarf"]],
        known={(OTHER, VICTIM, "rabbit"): 2, (OTHER, VICTIM, "dove"): 1},
        deck=UNSEEN,
    )
    state = play(state, "take from 1", "take rabbit", "take from 1", "take cage")
    view = state.view(OTHER)
    assert knowledge(view, OTHER, VICTIM) == {"rabbit": 1}  # one of two is left for certain, or was taken now
    for seed in range(200):
        world = view.sample_world(seed)
        assert "rabbit" in hand(world, TAKER) + hand(world, VICTIM)


def test_a_card_seen_entering_the_robbed_hand_ends_the_memory_of_the_take():
    """Certain and uncertain cards of a hand are not told apart: the certain ones stay."""
    state = position(
        players=3,
        hands=[["take"], ["rabbit", "rabbit", "dove"], ["rope"]],
        backstage=[[], ["cage", "tiger"]],
        known={(OTHER, VICTIM, "rabbit"): 2},
        talents=["recall"],
        deck=UNSEEN[:3],
    )
    state = play(state, "take from 1", "take dove", "recall 1:cage")
    assert knowledge(state, OTHER, VICTIM) == {"rabbit": 1, "cage": 1}


# ---- The taker -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_known", [1, 2])
@pytest.mark.parametrize("n_others", [1, 2, 3])
def test_the_taker_cannot_tell_the_known_card_from_another_of_its_kind(n_known, n_others):
    unseen = ["rabbit", "rabbit", "dove", "cage", "cage"]
    state = position(
        hands=[["take"], [*["rabbit"] * n_known, *unseen[:n_others]]],
        known={(TAKER, VICTIM, "rabbit"): n_known},
        deck=unseen[n_others:],
    )
    state = play(state, "take from 1", "take rabbit")
    wanted = histories(unseen, [], [*["rabbit"] * n_known, *[None] * n_others], [("take", "rabbit")])
    assert_distributed(sampled(state.view(TAKER), [TAKER, VICTIM]), wanted)


def test_the_odds_of_another_audience_after_taking_the_known_one():
    """Four cards, one of them a known audience; 5 of 85 unseen cards are audience. By counts: 0.29, not 0.17."""
    others, n_unseen, n_audience = 3, 85, 5
    ways = [
        math.comb(n_audience, c) * math.comb(n_unseen - n_audience, others - c) * (1 + c)
        for c in range(others + 1)
    ]
    exact = 1 - ways[0] / sum(ways)
    assert exact == pytest.approx(0.29, abs=0.005)
    state = position(
        hands=[["take"], ["audience", "rabbit", "dove", "cage"]], known={(TAKER, VICTIM, "audience"): 1}
    )
    view = play(state, "take from 1", "take audience").view(TAKER)
    n = 6000
    found = sum("audience" in hand(view.sample_world(seed), VICTIM) for seed in range(n)) / n
    assert found == pytest.approx(
        exact, abs=4.4 * math.sqrt(exact * (1 - exact) / n)
    )  # fails once in 100,000 times


def test_the_odds_of_the_taker_follow_what_the_robbed_seat_shows():
    unseen = ["rabbit", "rabbit", "dove", "cage", "cage"]
    state = position(
        hands=[["take"], ["rabbit", "dove", "cage", "rabbit"]],
        known={(TAKER, VICTIM, "rabbit"): 1},
        deck=["rabbit", "cage"],
    )
    state = play(state, "take from 1", "take rabbit")
    for shown in ("cage", "rabbit"):
        later = play(_as_turn_of(state, seat=VICTIM), f"back {shown}")
        steps = [("take", "rabbit"), ("show", VICTIM, shown)]
        wanted = histories(unseen, [], ["rabbit", None, None, None], steps)
        assert_distributed(sampled(later.view(TAKER), [TAKER, VICTIM]), wanted)


# ---- A renewed deck ------------------------------------------------------------------------------------------


def test_with_two_seats_a_hand_known_by_counting_stays_known():
    state = position(
        phase="draw",
        pending=1,
        hands=[["rope"], ["rabbit", "dove", "dove"]],
        deck=[],
        discards=["cage", "tiger"],
    )
    later = play(state, "draw cage")
    assert knowledge(later, 0, 1) == {"rabbit": 1, "dove": 2}
    assert hand(later.view(0), 1) == ["rabbit", "dove", "dove"]
    assert knowledge(later, 1, 0) == {"rope": 1}  # but not the card drawn from the new deck


def test_with_more_seats_what_counting_makes_certain_stays_known():
    """Unseen by seat 0: three rabbits and a dove. Seat 1 holds three of them, so at least two rabbits; seat 2 one."""
    hands = [["rope"], ["rabbit", "rabbit", "dove"], ["rabbit"]]
    state = position(players=3, phase="draw", pending=1, hands=hands, deck=[], discards=["cage", "tiger"])
    later = play(state, "draw cage")
    assert knowledge(later, 0, 1) == {"rabbit": 2}
    assert knowledge(later, 0, 2) == {}


def test_a_known_card_is_not_counted_twice():
    hands = [["rope"], ["rabbit", "rabbit", "dove"], ["rabbit"]]
    known = {(0, 1, "rabbit"): 1}
    state = position(
        players=3, phase="draw", pending=1, hands=hands, known=known, deck=[], discards=["cage", "tiger"]
    )
    assert knowledge(play(state, "draw cage"), 0, 1) == {"rabbit": 2}


def test_a_draw_from_an_old_deck_makes_nothing_known():
    state = position(phase="draw", pending=1, hands=[["rope"], ["rabbit"]], deck=["cage"])
    assert knowledge(play(state, "draw cage"), 0, 1) == {}


# ---- Games ---------------------------------------------------------------------------------------------------


@pytest.fixture
def takes(tmp_path):
    """Load a game with 15 Takes and few other special actions."""
    special = [{"name": name, "count": 15 if name == "take" else 1} for name in KINDS[15:]]
    path = tmp_path / "takes.toml"
    path.write_text(as_toml(PRINTED | {"special_actions": special}), encoding="utf-8")
    return lambda players, goal=100: aiplay.load_game("illusio", players=players, goal=goal, data=str(path))


def next_move(state, stream):
    """A random move of chance or of a seat that likes to take."""
    if state.to_move < 0:
        return state.copy().play_chance(stream)
    takes = [move for move in state.legal_moves() if state.move_text(move).startswith("take")]
    return stream.choice(takes if takes and stream.below(2) else state.legal_moves())


@pytest.mark.parametrize("players", [3, 4, 6])
def test_memory_is_true_throughout_games_full_of_takes(takes, players):
    """The truth and every world pass all checks: what is certain is so, and a stray suspect is with the taker."""
    game, stream, trails, strays = takes(players), RandomStream(players), 0, 0
    for _ in range(3):
        state = game.new_state()
        while not state.is_over:
            state.play(next_move(state, stream))
            if stream.below(8):
                continue
            game.state_from_json(state.to_json())
            for seat in range(players):
                view = state.view(seat)
                game.view_from_json(view.to_json())
                world = view.sample_world(stream.bits())
                assert world.view(seat) == view
                game.state_from_json(world.to_json())
                if state.fields["trail"][seat]:
                    trails += 1
                    strays += int(state.fields["trail_kind"][seat]) != NO_CARD
    assert trails > 300
    assert strays > 100


@pytest.mark.parametrize("players", [2, 3, 6])
def test_memory_depends_only_on_what_the_seat_perceives(takes, players):
    """The truth and a world of the view, played on with moves that look the same, give the same view again."""
    game, stream, n = takes(players), RandomStream(players), 0
    for _ in range(6):
        state = game.new_state()
        while not state.is_over:
            seat = stream.below(players)
            world, move = state.view(seat).sample_world(stream.bits()), next_move(state, stream)
            key = dict(perceptions(state, seat))[move]
            alike = [other for other, other_key in perceptions(world, seat) if other_key == key]
            state.play(move)
            if alike:
                world.play(stream.choice(alike))
                assert world.view(seat) == state.view(seat)
                n += 1
    assert n > 1000


@pytest.mark.parametrize(("players", "goal"), [(2, 100), (3, 100), (6, 5)])
def test_damaged_positions_with_memory_are_refused_or_harmless(takes, players, goal):
    """Of the positions, a third or a quarter hold a trail: of six players in short games, of fewer in long ones."""
    check_damaged(takes(players, goal))
