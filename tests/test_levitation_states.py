"""Levitation: rules that hold in every state. Conservation, chance, impossible JSON, and the conformance suite."""

import math
import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from levitation_positions import (
    ALL_CARDS,
    eager,
    from_fields,
    game_of,
    plain,
    play,
    position,
    rich_state,
    sample_states,
    states_from,
    texts,
    to_fields,
)

import aiplay
from aiplay._core.games.levitation import state as core
from aiplay._core.games.levitation.state import (
    N_CARDS,
    N_CITIES,
    N_COLOURS,
    N_EFFECTS,
    N_MASTERS,
    N_SEATS,
    N_SPACES,
    NONE,
    PHASE_COPY,
    PHASE_DEAL,
    PHASE_DICE,
    PHASE_FLAIR,
    PHASE_OVER,
    PHASE_PATH,
)
from aiplay._core.measure import survey
from aiplay._core.stream import RandomStream
from aiplay.errors import InvalidStateError
from aiplay.games.levitation.check import PHASES
from aiplay.games.levitation.data import EFFECTS, MASTERS
from aiplay.testing import check_game

SEATS = [2, 3, 4, 5]


# ---- Conservation ------------------------------------------------------------------------------------------


def popcounts(array) -> np.ndarray:
    return np.bitwise_count(array).astype(int)


def check_conservation(game, states: list[bytes]) -> None:
    """Count dice, cubes, flair, tickets, cards and tokens of many states, independently of the game's own check."""
    fields = np.frombuffer(b"".join(states), game.dtype)
    n = game.seats
    in_cities = fields["city_cards"].astype(np.int64)
    city_bits = np.where(in_cities != NONE, np.left_shift(1, np.maximum(in_cities, 0)), 0)
    piles = [fields["deck"], *fields["owned"].T, *city_bits.T]
    union = np.zeros(len(states), np.uint64)
    for pile in piles:
        union |= pile.astype(np.uint64)
    assert (union == ALL_CARDS).all(), "cards"
    assert (sum(popcounts(pile.astype(np.uint64)) for pile in piles) == 48).all(), "cards"

    tickets = np.array([fields["tickets"] >> 2 * city & 3 for city in range(N_CITIES)])  # city, state, seat
    on_spaces = np.array([(fields["space_seats"] == seat).sum(axis=1) for seat in range(N_SEATS)]).T
    total = tickets.sum(axis=0) + on_spaces + fields["hand"] + fields["unused"]
    assert (total[:, :n] == 10).all(), "tickets"
    assert (total[:, n:] == 0).all(), "tickets"
    per_city = tickets.sum(axis=2)
    assert (per_city <= fields["round"] + 1).all(), "room in cities"
    assert not ((per_city.T > 0) & (in_cities != NONE)).any(), "a ticket and a card in one city"

    assert (fields["cubes"][:, :n] >= 2).all(), "cubes"
    assert (fields["cubes"].sum(axis=1) <= 50).all(), "cubes"
    seats = np.maximum(
        np.take_along_axis(fields["order"], np.minimum(fields["n_acted"], n - 1)[:, None], 1), 0
    )
    assert (fields["committed"] <= np.take_along_axis(fields["cubes"], seats, 1)[:, 0]).all(), (
        "committed cubes"
    )

    all_owned = np.bitwise_or.reduce(fields["owned"], axis=1)
    limits = np.array([card.flair for card in game.data.cards])
    assert (fields["flair"] <= limits).all(), "flair"
    assert (fields["flair"].sum(axis=1) + fields["n_flair"] <= 50).all(), "flair"
    is_owned = (all_owned[:, None] >> np.arange(N_CARDS, dtype=np.uint64)) & np.uint64(1)
    assert not ((fields["flair"] > 0) & (is_owned == 0)).any(), "flair on a card without an owner"

    dice = fields["dice"].reshape(-1, N_MASTERS, N_COLOURS).sum(axis=1)
    is_thrown = fields["phase"] == PHASE_DICE
    assert (dice <= 4).all(), "dice"
    assert (dice[is_thrown].sum(axis=1) == 4 * fields["step"][is_thrown]).all(), "dice"
    left = popcounts(fields["tokens"].astype(np.uint8))[:, :n] + (fields["revealed"][:, :n] > 0)
    assert (left == 4 - fields["turn"][:, None]).all(), "turn tokens"
    has_begun = fields["phase"][1:] != PHASE_DEAL
    assert (np.diff(fields["scores"].astype(int), axis=0)[has_begun] >= 0).all(), "points are never lost"


@pytest.mark.parametrize("players", SEATS)
def test_everything_is_conserved_after_every_move_of_random_games(players):
    game, stream = game_of(players), RandomStream(1)
    for _ in range(40):
        batch = [states_from(game.new_state(), plain, stream) for _ in range(50)]
        check_conservation(game, [data for states in batch for data in states])


@pytest.mark.parametrize("players", SEATS)
def test_everything_is_conserved_after_every_move_of_eager_games(players):
    game, stream = game_of(players), RandomStream(2)
    batch = [states_from(game.new_state(), eager, stream) for _ in range(100)]
    check_conservation(game, [data for states in batch for data in states])


@pytest.mark.parametrize("players", SEATS)
def test_everything_is_conserved_from_rich_positions_and_every_effect_is_used(players):
    game, stream, used = game_of(players), RandomStream(3), set()
    for _ in range(40):
        states = states_from(rich_state(players, stream), eager, stream)
        check_conservation(game, states)
        fields = np.frombuffer(b"".join(states), game.dtype)
        used |= {PHASES[phase] for phase in np.unique(fields["phase"])}
        in_use = np.unique([fields["active"], fields["source"]])
        used |= {game.data.cards[card].effect for card in in_use if card != NONE}
        marked = int(np.bitwise_or.reduce(fields["used"]))
        used |= {card.effect for number, card in enumerate(game.data.cards) if marked >> number & 1}
    assert set(range(N_EFFECTS)) <= used
    assert {"dice", "refill", "path", "copy", "amount", "target", "flair", "over"} <= used


# ---- Chance ------------------------------------------------------------------------------------------------


def multinomial(counts: tuple[int, int, int]) -> float:
    ways = math.factorial(4)
    for n in counts:
        ways //= math.factorial(n)
    return ways / 81


def test_the_dice_of_a_colour_fall_in_15_ways_with_exact_probabilities():
    state = play(position(dice={}), "roll")
    outcomes = {state.move_text(move): p for move, p in state.chance_outcomes()}
    expected = {
        f"blue {a}-{b}-{c}": multinomial((a, b, c))
        for a, b, c in product(range(5), repeat=3)
        if a + b + c == 4
    }
    assert len(expected) == 15
    assert outcomes == pytest.approx(expected, rel=1e-12)


def test_a_sampled_throw_has_the_same_distribution():
    """Chi-squared with 14 degrees of freedom exceeds 42.6 once in ten thousand times."""
    start, stream, n = play(position(dice={}), "roll"), RandomStream(5), 81 * 200
    counts = Counter(start.copy().play_chance(stream) for _ in range(n))
    chi = sum((counts[move] - n * p) ** 2 / (n * p) for move, p in start.chance_outcomes())
    assert chi < 42.6


def test_a_whole_roll_puts_a_third_of_the_dice_on_each_master():
    start, stream, n = play(position(dice={}), "roll"), RandomStream(6), 2000
    totals = np.zeros(3)
    for _ in range(n):
        state = start.copy()
        for _ in range(N_COLOURS):
            state.play_chance(stream)
        dice = state.fields["dice"].reshape(N_MASTERS, N_COLOURS)
        assert (dice.sum(axis=0) == 4).all()
        totals += dice.sum(axis=1)
    # 40,000 dice: a standard deviation of 94 for each master.
    assert np.abs(totals - n * 20 / 3).max() < 5 * 94.3


@pytest.mark.parametrize("phase", ["deal", "tokens"])
def test_sampled_cards_and_tokens_are_uniform(phase):
    state, stream = game_of(2).new_state(), RandomStream(8)
    if phase == "tokens":
        for _ in range(N_CITIES):
            state.play_chance(stream)
    options = state.legal_moves()
    n = 400 * len(options)
    counts = Counter(state.copy().play_chance(stream) for _ in range(n))
    chi = sum((counts[move] - 400) ** 2 / 400 for move in options)
    assert chi < {"deal": 100.0, "tokens": 21.1}[phase]  # 47 and 3 degrees of freedom, once in ten thousand


# ---- Bounds ------------------------------------------------------------------------------------------------


def test_a_state_has_at_most_512_bytes_and_no_padding():
    game = game_of(5)
    assert game.state_size <= 512
    assert sum(game.dtype[name].itemsize for name in game.dtype.names) == game.state_size


@pytest.mark.parametrize("players", SEATS)
def test_no_state_has_more_than_max_moves_and_games_end(players):
    game = game_of(players)
    assert game.max_moves <= 400
    stream = RandomStream(3)
    for start in (game.new_state(), rich_state(players, stream)):
        facts = survey(start, 300, 1)
        assert facts["unfinished"] == 0
        assert facts["widest"] <= game.max_moves
        assert facts["longest"] < game.max_depth / 4


def test_random_play_at_two_seats_is_like_the_reference_implementation():
    """The reference has about 122 moves, 5 legal moves on average and at most 33, and 4 to 5 points."""
    game = game_of(2)
    facts = survey(game.new_state(), 3000, 2)
    assert facts["moves"] == pytest.approx(122, rel=0.06)
    assert facts["branching"] == pytest.approx(5, abs=0.5)
    assert facts["widest"] <= 33
    stream, scores, n_paths = RandomStream(4), [], 0
    for _ in range(300):
        state = game.new_state()
        played = np.frombuffer(b"".join(states_from(state, plain, stream)), game.dtype)
        n_paths += (played["phase"] == PHASE_PATH).sum()
        scores += state.fields["scores"][:2].tolist()
    assert 3.5 < sum(scores) / len(scores) < 6
    assert n_paths <= 3  # once in thousands of games


@pytest.mark.parametrize("players", SEATS)
def test_the_game_passes_the_conformance_suite(players):
    check_game(game_of(players), games=4 if players == 2 else 2)


# ---- Impossible JSON ---------------------------------------------------------------------------------------


def mutated(values: dict, chooser: random.Random, fields: dict) -> dict:
    """Return a state with one to three numbers changed, mostly by a little."""
    values = {name: list(value) if isinstance(value, list) else value for name, value in values.items()}
    for _ in range(chooser.choice((1, 1, 2, 3))):
        name = chooser.choice(list(values))
        low, high = fields[name].low, fields[name].high
        index = chooser.randrange(len(values[name])) if isinstance(values[name], list) else None
        old = values[name] if index is None else values[name][index]
        kind = chooser.randrange(4)
        if kind == 0:
            new = chooser.randint(low, high)
        elif kind == 1:
            new = old ^ 1 << chooser.randrange(max(1, high.bit_length()))
        else:
            new = old + chooser.choice((-1, 1))
        if index is None:
            values[name] = new
        else:
            values[name][index] = new
    return values


@pytest.mark.parametrize("players", [2, 5])
def test_all_json_that_is_accepted_can_be_played_to_the_end(players):
    """Thousands of mutated states are refused with a message, or harmless."""
    game, chooser, stream = game_of(players), random.Random(players), RandomStream(1)
    accepted = 0
    for state in sample_states(players):
        original = to_fields(state)
        for _ in range(8):
            try:
                twin = from_fields(game, mutated(original, chooser, game.FIELDS))
            except InvalidStateError:
                continue
            accepted += 1
            assert from_fields(game, to_fields(twin)) == twin
            ask_everything(twin)
            check_conservation(game, states_from(twin, eager, stream))
            assert sum(twin.returns()) == pytest.approx(1)
    assert accepted > 50


def ask_everything(state) -> None:
    """Call everything that a caller may ask of a state."""
    assert str(state)
    assert state.game.state_from_scene(state.scene()) == state
    if not state.is_over:
        assert sum(state.evaluate()) == pytest.approx(1)
        assert len(set(texts(state))) == len(state.legal_moves()) > 0


@pytest.mark.parametrize("players", [2, 5])
def test_every_state_of_a_game_is_accepted(players):
    game = game_of(players)
    for state in sample_states(players):
        assert from_fields(game, to_fields(state)) == state
        assert game.state_from_bytes(state.to_bytes()) == state


REFUSED = {
    "a card in two places": {"owned": [1, 1, 0, 0, 0]},
    "a missing card": {"deck": 1},
    "flair on a card without an owner": {"flair": [1] + [0] * (N_CARDS - 1)},
    "eleven tickets": {"hand": [1, 0, 0, 0, 0]},
    "fewer than two cubes": {"cubes": [1, 2, 0, 0, 0]},
    "more than fifty cubes": {"cubes": [40, 11, 0, 0, 0]},
    "a seat that does not play": {"scores": [0, 0, 3, 0, 0]},
    "a ticket of a seat that does not play": {"space_seats": [4] + [NONE] * (N_SPACES - 1)},
    "a seat twice in the order": {"order": [0, 0, NONE, NONE, NONE]},
    "an order against the tokens": {"order": [1, 0, NONE, NONE, NONE]},
    "a token that was revealed": {"tokens": [7, 14, 0, 0, 0]},
    "too many tokens": {"tokens": [15, 14, 0, 0, 0]},
    "too many of a colour": {"dice": [4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]},
    "a used card before the draft": {"used": 1},
    "cubes committed for nothing": {"committed": 1},
    "a bonus before the draft": {"bonus": 3},
    "first action of a seat that has not acted": {"first": [0, 1, 0, 0, 0]},
    "a second rank without a first": {"first": [2, 0, 0, 0, 0]},
    "over too early": {"phase": PHASE_OVER},
    "no path to claim": {"phase": PHASE_PATH, "path_seat": 0, "master": 2, "colour": 0, "has_acted": 1},
    "a copy without a card": {"phase": PHASE_COPY, "master": 0, "colour": 0},
    "nothing to place": {"phase": PHASE_FLAIR, "master": 2, "colour": 0, "has_acted": 1},
    "all seats have acted": {"n_acted": 2},
    "dice thrown without a roll": {"phase": PHASE_DICE},
}


@pytest.mark.parametrize("problem", REFUSED)
def test_an_impossible_state_is_refused(problem):
    values = to_fields(position()) | REFUSED[problem]
    if "master" in REFUSED[problem]:
        values["dice"] = [0, *values["dice"][1:]]
    with pytest.raises(InvalidStateError, match="field '"):
        from_fields(game_of(2), values)


def test_an_unclaimed_path_is_refused():
    values = to_fields(position(tickets={0: ["Naples", "Tokyo"]}, hand={0: 1}))
    values["tickets"][0] += 1 << 2  # London
    values["hand"][0] = 0
    with pytest.raises(InvalidStateError, match="a path that is not claimed"):
        from_fields(game_of(2), values)


# ---- Names and notation --------------------------------------------------------------------------------------


def test_names_are_in_the_order_of_the_cores_numbers():
    assert [getattr(core, f"PHASE_{name.upper()}") for name in PHASES] == list(range(len(PHASES)))
    assert [getattr(core, name.upper()) for name in MASTERS] == list(range(N_MASTERS))
    assert len(EFFECTS) == N_EFFECTS


@pytest.mark.parametrize("players", [2, 4])
def test_notation_is_unique_and_parses_back_in_every_phase(players):
    for state in sample_states(players):
        written = texts(state)
        assert len(set(written)) == len(written)
        assert [state.parse_move(text) for text in written] == state.legal_moves()


def test_nothing_is_hidden():
    game = game_of(2)
    assert not game.has_hidden
    state = position(die="green Kellar")
    assert state.view(1).to_bytes() == state.to_bytes()
    assert aiplay.load_game("levitation", players=2) == game
