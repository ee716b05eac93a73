"""Levitation: what a trained value sees of a position."""

import pytest
from levitation_positions import game_of, play, position

from aiplay._core.search.common.value import features_of

OF_SEAT = 54  # pieces, cards, prospects, drafts, order
CARDS, PROSPECTS, DRAFTS, ORDER = 9, 28, 42, 50  # where they begin
OF_LEAD = 4
N_PHASES = 12


def seats_of(state, first: int = 0) -> list[list[float]]:
    """Return the features of every seat, in order from `first` on."""
    features = features_of(state, first)
    return [features[OF_SEAT * k : OF_SEAT * (k + 1)] for k in range(state.game.seats)]


def leads_of(state, first: int = 0) -> list[float]:
    start = OF_SEAT * state.game.seats
    return features_of(state, first)[start : start + OF_LEAD * (state.game.seats - 1)]


def table_of(state) -> list[float]:
    seats = state.game.seats
    return features_of(state, 0)[OF_SEAT * seats + OF_LEAD * (seats - 1) :]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_there_are_as_many_as_the_game_says(players):
    game = game_of(players)
    assert game.n_features == OF_SEAT * players + OF_LEAD * (players - 1) + 39
    assert len(features_of(game.new_state(), 0)) == game.n_features


def test_pieces_of_a_seat():
    """24 points of 96, 5 and 2 tickets of 10, 4 cubes of 16, one space of 8, a ticket of 4 in two rows."""
    state = position(
        scores={0: 24},
        hand={0: 5},
        cubes={0: 4},
        spaces={"tickets": 0},
        tickets={0: ["Tokyo", "Naples"]},
        owned={0: ["The Orange Tree", "She"]},
    )
    mine, other = seats_of(state)
    assert mine[:CARDS] == [24 / 96, 0.5, 51 / 256, 4 / 16, 1 / 8, 2 / 16, 0, 1 / 4, 1 / 4]
    assert other[:CARDS] == [0, 0, 1, 2 / 16, 0, 0, 0, 0, 0]


def test_cards_by_icon_size_effect_and_flair():
    """A rabbit in blue and red that gains a cube, a horse in red and green that moves, an elephant that gains flair."""
    state = position(owned={0: ["The Orange Tree", "She", "Levitation"]}, flair={"She": 1})
    mine = seats_of(state)[0][CARDS:PROSPECTS]
    assert mine[:5] == [1 / 8, 2 / 8, 0, 1 / 8, 2 / 8]  # blue, red, yellow, black, green
    assert mine[5:10] == [0, 43 / 256, 0, 43 / 256, 43 / 256]  # one of 6
    assert mine[10:17] == [0, 2 / 4, 0, 0, 0, 0, 1 / 4]  # gains and a trick
    assert mine[17:] == [1 / 16, 8 / 16]  # of nine places for flair one is taken


def test_expected_points_are_those_of_the_leads_and_of_the_evaluation():
    state = position(at=(2, 1), scores={0: 4}, cubes={1: 3}, hand={1: 2})
    points = [96 * shown[DRAFTS - 1] + score for shown, score in zip(seats_of(state), (4, 0), strict=True)]
    assert leads_of(state)[2] == pytest.approx(0.5 + (points[0] - points[1]) * 0.5 / 64, abs=0.01)
    assert (state.evaluate()[0] > 0.5) == (points[0] > points[1])


def test_the_plan_counts_for_the_acting_seat_only():
    plan = DRAFTS - 2
    mine, other = seats_of(position(hand={0: 2, 1: 2}, tickets={0: ["Naples", "Tokyo"]}))
    assert mine[plan] > 0
    assert other[plan] == 0


def test_drafts_are_those_of_the_dice_that_are_left():
    """Three tickets from Herrmann are worth more to a seat that has none; a place needs a ticket, a card a city."""
    mine, other = seats_of(
        position(hand={1: 5}, cities={"Tokyo": "The Orange Tree"}, dice={"red": (1, 1, 1)})
    )
    assert mine[DRAFTS] > other[DRAFTS] > 0
    assert mine[DRAFTS + 1] == mine[DRAFTS + 4] > 0  # red, as the card is
    assert mine[DRAFTS + 2] == 0 < other[DRAFTS + 2]
    mine, other = seats_of(position(hand={1: 5}, cities={"Tokyo": "The Orange Tree"}, dice={}))
    assert mine[DRAFTS : DRAFTS + 3] == other[DRAFTS : DRAFTS + 3] == [0, 0, 0]
    assert mine[DRAFTS + 4] > 0


def test_what_the_acting_seat_has_committed_takes_no_cubes_from_others():
    owned = {0: ["Aerial Fishing"], 1: ["The Orange Tree"]}
    state = position(owned=owned, die="red Herrmann", cubes={0: 6}, hand={0: 6})
    before = seats_of(state)[1][DRAFTS:ORDER]
    play(state, "use Aerial Fishing", "points 4")
    assert state.fields["committed"] > state.fields["cubes"][1]
    assert seats_of(state)[1][DRAFTS:ORDER] == before
    assert before[1] > 0  # red or blue from Thurston: the Orange Tree gains a cube


def test_order():
    """A seat that has begun its action in the first turn has 11 of 12 left; a seat that acts first next is marked."""
    mine, other = seats_of(position())
    assert mine[ORDER:] == [1, 0, 235 / 256, 0]
    assert other[ORDER:] == [0, 1, 1, 0]
    mine, other = seats_of(position(seat=1, first=[1, 0, 0, 0, 0]))
    assert mine[ORDER:] == [0, 0, 235 / 256, 1]
    assert other[ORDER:] == [1, 0, 235 / 256, 0]


def test_leads_of_the_first_seat():
    state = position(3, scores={0: 20, 1: 4, 2: 60})
    assert [leads_of(state)[3], leads_of(state)[7]] == [0.75, 0]  # 16 of 32 ahead; 40 behind are cut
    assert leads_of(state, 2)[3] == 1


def test_the_table_shows_phase_round_turn_and_dice():
    table = table_of(position(at=(2, 3), die="green Kellar"))
    assert [i for i, share in enumerate(table[:N_PHASES]) if share] == [7]  # PHASE_MAIN
    assert table[12:15] == [0, 1, 0]
    assert table[15:19] == [0, 0, 1, 0]
    assert table[19:22] == [0, 0, 1]  # from Kellar
    assert table[22:25] == [5 / 8, 5 / 8, 1]  # 5, 5 and 9 dice: at most 8 are seen
    assert table[25:30] == [0, 0, 0, 0, 1 / 4]  # one green die is off the board


def test_chance_positions_have_features():
    state = play(position(dice={}), "roll")
    assert all(0 <= share <= 1 for share in features_of(state, 1))
    assert all(shown[ORDER] == 0 for shown in seats_of(state))  # no action is under way while dice are thrown


def exchanged(number: dict, players: int, by: int) -> dict:
    return {(seat + by) % players: value for seat, value in number.items()}


@pytest.mark.parametrize(("players", "by"), [(2, 1), (3, 1), (3, 2), (5, 3)])
def test_seats_are_seen_from_the_first_one_on(players, by):
    """The same position with all seats moved on by `by` looks the same to the seats that were moved."""
    mine = {
        "scores": {0: 12, 1: 7},
        "hand": {0: 3, 1: 1},
        "cubes": {0: 5, 1: 2},
        "owned": {0: ["The Orange Tree", "She"], 1: ["Levitation"]},
        "tickets": {0: ["Naples"], 1: ["Tokyo"]},
    }
    order = [*range(players), *[-1] * (5 - players)]
    turned = [(seat + by) % players for seat in range(players)] + order[players:]
    plain = position(players, at=(2, 2), die="green Kellar", order=order, **mine)
    moved = {name: exchanged(value, players, by) for name, value in mine.items()}
    other = position(players, at=(2, 2), die="green Kellar", order=turned, **moved)
    for first in range(players):
        assert features_of(plain, first) == features_of(other, (first + by) % players)
