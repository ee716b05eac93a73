"""Levitation: games of other data files. Boards, cities and cards that the game's own file does not have."""

import itertools
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from levitation_positions import (
    after,
    card_in,
    choose_chance,
    from_fields,
    phase_of,
    play,
    position,
    score,
    texts,
    tickets_in,
    to_fields,
)

import aiplay
from aiplay._core.games.levitation.state import (
    MOVE_END,
    MOVE_PATH,
    N_FLAIR,
    NONE,
    PHASE_DEAL,
    PHASE_MAIN,
    PHASE_PATH,
    PHASE_REFILL,
)
from aiplay._core.stream import RandomStream
from aiplay.errors import InvalidStateError
from aiplay.games.data_file import own_file
from aiplay.games.levitation.data import COLOURS, EFFECTS
from aiplay.testing import check_damaged, check_game

OWN = Path(own_file("levitation")).read_text(encoding="utf-8")
TOKENS = OWN[OWN.index("[tokens]") : OWN.index("# Three rows")]
SPACES = OWN[OWN.index("[spaces]") : OWN.index("# The cards")]
CARDS = OWN[OWN.index("[[cards]]") :]
PAGE = Path(__file__).parents[1].joinpath("aiplay/games/levitation/rules.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]
BOARD, CARD = EXAMPLE[: EXAMPLE.index("[[cards]]")], EXAMPLE[EXAMPLE.index("[[cards]]") :]


def load(folder, board=None, cards=CARDS, players=2):
    """Return the game with another board or other cards."""
    path = folder / f"{len(list(folder.iterdir()))}.toml"
    board = board or OWN[OWN.index("[cities]") : OWN.index("# The thirteen")]
    path.write_text(f"{TOKENS}\n{board}\n{SPACES}\n{cards}", encoding="utf-8")
    return aiplay.load_game("levitation", data=str(path), players=players)


def with_card(card, name):
    """Return the own cards with another text for the card of this name."""
    entries = re.split(r"(?=\[\[cards\]\])", CARDS)
    number = next(number for number, entry in enumerate(entries) if f'name = "{name}"' in entry)
    return "\n".join([*entries[:number], card, *entries[number + 1 :]])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("editions")


@pytest.fixture(scope="module")
def game(folder):
    """The example of the rules page: its board, and its card among the own ones."""
    return load(folder, BOARD, with_card(CARD, "Psycho"))


def path_texts(game):
    return ["-".join(game.data.cities[city].name for city in reversed(path)) for path in game.data.paths]


# ---- Boards ------------------------------------------------------------------------------------------------


def test_the_example_of_the_rules_page_is_a_game(game):
    assert game.labels["city"] == ("Oslo", "Rome", "Lima", "Kyiv", "Bern", "Riga", "Cork", "Nice", "Bonn", "Pisa",
                                   "Graz", "Metz")  # fmt: skip
    assert Counter(city.row for city in game.data.cities) == {0: 3, 1: 4, 2: 5}
    rows = str(game.new_state()).splitlines()
    assert "top: a Oslo R8p, b Rome BG10p+1f, c Lima B2f" in rows
    assert "middle: a Kyiv Y1f, b Bern RK3p+2f+1c, c Riga K1c, d Cork G1f" in rows


def test_paths_are_the_chains_of_touching_cities_with_points(game):
    """By hand: two over Kyiv, four over Bern, three over Riga (Lima-Riga-Graz has no points), none over Cork."""
    assert path_texts(game) == ["Nice-Kyiv-Oslo", "Bonn-Kyiv-Oslo", "Bonn-Bern-Oslo", "Pisa-Bern-Oslo",
                                "Bonn-Bern-Rome", "Pisa-Bern-Rome", "Pisa-Riga-Rome", "Graz-Riga-Rome",
                                "Pisa-Riga-Lima"]  # fmt: skip
    assert game.move_space == MOVE_PATH + 9


def test_every_city_gets_a_card_and_there_are_no_others(game):
    state = game.new_state()
    stream = RandomStream(1)
    for _ in range(12):
        assert state.fields["phase"] == PHASE_DEAL
        state.play_chance(stream)
    assert state.fields["phase"] != PHASE_DEAL
    assert [card != NONE for card in state.fields["city_cards"]] == [True] * 12 + [False] * 3


def test_a_ticket_or_a_card_goes_only_to_cities_of_the_board(game):
    state = position(game=game, die="red Herrmann", owned={0: ["She"]}, tickets={0: ["Graz"]}, cubes={0: 5})
    moves = texts(after(state, "use She", "from Graz"))
    assert moves == [f"to {name}" for name in game.labels["city"] if name != "Graz"]
    state = position(
        game=game, die="blue Herrmann", owned={0: ["The Milk Can Escape"]}, cities={"Graz": "She"}
    )
    moves = texts(after(state, "use The Milk Can Escape", "move She"))
    assert moves == [f"to {name}" for name in game.labels["city"] if name != "Graz"]


def board_of(rows, touches=True):
    """Return a board with rows of these lengths, on which every city touches all of the row above if wanted."""
    names = [[f"{row}{column}" for column in range(length)] for row, length in zip("tmb", rows, strict=True)]
    lines = []
    for number, (key, row) in enumerate(zip(("top", "middle", "bottom"), names, strict=True)):
        link = f", touches = {names[number - 1]}" if number and touches else ""
        reward = "points = 5" if number == 0 else "cubes = 1"
        cities = [
            f'{{ name = "{name}", colour = "{COLOURS[column % 5]}", {reward}{link} }}'
            for column, name in enumerate(row)
        ]
        lines.append(f"{key} = [{', '.join(cities)}]")
    return "[cities]\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("rows", [(1, 1, 8), (13, 1, 1), (1, 13, 1), (5, 5, 5), (2, 3, 5), (3, 4, 5)])
def test_rows_have_any_length_and_all_cities_may_touch(folder, rows):
    game = load(folder, board_of(rows))
    assert len(game.data.paths) == rows[0] * rows[1] * rows[2]
    check_game(game, games=3)


def test_cities_in_rows_of_the_same_length_touch_straight_and_diagonally(folder):
    game = load(folder, board_of((4, 4, 4), touches=False))
    expected = [(t, 4 + m, 8 + b) for t, m, b in itertools.product(range(4), repeat=3)
                if abs(t - m) <= 1 and abs(m - b) <= 1]  # fmt: skip
    assert list(game.data.paths) == expected


def test_a_city_that_touches_nothing_above_is_on_no_path(folder):
    board = board_of((4, 4, 4), touches=False).replace('{ name = "m0"', '{ touches = [], name = "m0"')
    game = load(folder, board)
    assert {path[1] for path in game.data.paths} == {5, 6, 7}


# ---- Cities ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", COLOURS)
def test_kellar_places_in_a_city_with_two_dice_with_either_colour(game, colour):
    state = position(game=game, die=f"{colour} Kellar", hand={0: 1})
    expected = {
        "blue": {"Rome", "Lima", "Nice"},
        "red": {"Oslo", "Bern", "Graz"},
        "yellow": {"Kyiv", "Pisa"},
        "black": {"Bern", "Riga", "Bonn"},
        "green": {"Rome", "Cork", "Pisa", "Metz"},
    }
    assert {text[6:] for text in texts(state) if text.startswith("place ")} == expected[colour]


def test_a_card_that_places_on_a_colour_places_in_cities_with_two_dice(game):
    """The Hindu Basket: red or black."""
    state = position(game=game, die="green Herrmann", owned={0: ["The Hindu Basket"]}, hand={0: 1})
    moves = texts(after(state, "use The Hindu Basket"))
    assert moves == ["place Oslo", "place Bern", "place Riga", "place Bonn", "place Graz"]


def test_a_ticket_gains_all_rewards_of_a_city_cubes_first_then_flair(game):
    state = play(position(game=game, die="red Kellar", hand={0: 1}, owned={0: ["Levitation"]}), "place Bern")
    assert state.fields["cubes"][0] == 3
    assert (phase_of(state), state.fields["n_flair"]) == ("flair", 2)
    play(state, "flair on Levitation", "discard")
    assert (phase_of(state), score(state, 0)) == ("main", 1)


def test_points_of_a_city_are_not_for_a_ticket(game):
    state = play(position(game=game, die="red Kellar", hand={0: 1}), "place Oslo")
    assert (phase_of(state), score(state, 0), state.fields["cubes"][0]) == ("main", 0, 2)


def test_flair_is_placed_before_the_path_is_claimed(game):
    state = position(game=game, die="blue Kellar", hand={0: 1}, tickets={0: ["Bern", "Pisa"]})
    play(state, "place Rome")
    assert phase_of(state) == "flair"
    play(state, "discard")
    assert texts(state) == ["claim Pisa-Bern-Rome"]


def test_an_exhausted_reward_leaves_the_others(game):
    full = [card.name for card in game.data.cards[:20]]
    state = position(game=game, die="red Kellar", hand={0: 1}, cubes={0: 40, 1: 10}, owned={0: full})
    assert after(state, "place Bern").fields["n_flair"] == 2
    assert after(state, "place Bern").fields["cubes"][0] == 40
    spread, rest = {}, N_FLAIR
    for card in game.data.cards:
        spread[card.name] = min(card.flair, rest)
        rest -= spread[card.name]
    owned = {0: [name for name, number in spread.items() if number]}
    state = position(game=game, die="red Kellar", hand={0: 1}, owned=owned, flair=spread)
    play(state, "place Bern")
    assert (phase_of(state), state.fields["cubes"][0]) == ("main", 3)


# ---- Paths -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "points"),
    [
        ("Nice-Kyiv-Oslo", 8),
        ("Bonn-Bern-Oslo", 8 + 3),
        ("Pisa-Bern-Rome", 10 + 3 + 2),
        ("Graz-Riga-Rome", 10),
        ("Pisa-Riga-Lima", 2),
    ],
)
def test_a_path_scores_the_points_of_its_three_cities(game, path, points):
    bottom, middle, top = path.split("-")
    for last in (bottom, middle, top):
        there = [name for name in (bottom, middle, top) if name != last]
        city = game.data.cities[game.labels["city"].index(last)]
        state = position(game=game, die=f"{COLOURS[city.colours[0]]} Kellar", hand={0: 1}, tickets={0: there})
        play(state, f"place {last}", *["discard"] * city.flair, f"claim {path}")
        assert score(state, 0) == points + city.flair
        choose_chance(state)
        assert None not in {card_in(state, name) for name in (bottom, middle, top)}
        assert state.fields["unused"][0] == 10


def test_three_touching_cities_without_points_are_no_path(game):
    state = position(game=game, die="red Kellar", hand={0: 1}, tickets={0: ["Lima", "Riga"]})
    play(state, "place Graz")
    assert phase_of(state) == "main"
    assert [tickets_in(state, name)[0] for name in ("Lima", "Riga", "Graz")] == [1, 1, 1]
    assert from_fields(game, to_fields(state)) == state


def test_cities_that_do_not_touch_are_no_path(game):
    state = position(game=game, die="red Kellar", hand={0: 1}, tickets={0: ["Riga", "Pisa"]})
    assert phase_of(play(state, "place Oslo")) == "main"


def test_the_owner_chooses_among_paths_over_several_middle_cities(game):
    state = position(
        game=game, die="green Kellar", hand={0: 1}, tickets={0: ["Rome", "Bern", "Riga"]}, at=(2, 1)
    )
    play(state, "place Pisa")
    assert texts(state) == ["claim Pisa-Bern-Rome", "claim Pisa-Riga-Rome"]
    play(state, "claim Pisa-Riga-Rome")
    assert score(state, 0) == 12
    assert tickets_in(state, "Bern") == [1, 0]


# ---- Cards -------------------------------------------------------------------------------------------------


def black_dice(off):
    """Return dice with so many black ones off the board, besides the one that is drafted."""
    return dict.fromkeys(COLOURS, (0, 4, 0)) | {"black": (0, 4 - off, 0)}


def test_a_point_card_with_a_fixed_cost_scores_all_that_it_counts(game):
    """Psycho costs 2 here: a point for each black die off the board."""
    state = position(
        game=game, die="black Thurston", owned={0: ["Psycho"]}, dice=black_dice(2), flair={"Psycho": 1}
    )
    play(state, "use Psycho")
    assert phase_of(state) == "main"
    assert score(state, 0) == 3 + 1
    assert state.fields["committed"] == 2


def test_a_point_card_with_a_fixed_cost_needs_its_cubes_and_something_to_count(game):
    dice = black_dice(1)
    poor = position(game=game, die="black Thurston", owned={0: ["Psycho", "The Bullet Catch"]}, dice=dice)
    assert "use Psycho" in texts(poor)
    assert "use Psycho" not in texts(after(poor, "use The Bullet Catch"))  # one free cube is left
    nothing = position(game=game, die="blue Thurston", owned={0: ["Psycho"]}, dice=black_dice(0))
    assert "use Psycho" not in texts(nothing)


def test_duplicating_a_point_card_with_a_fixed_cost_needs_no_further_cubes(game):
    """The Linking Rings cost 1 and duplicate an own card."""
    owned = {0: ["The Linking Rings", "Psycho"]}
    state = position(game=game, die="blue Thurston", owned=owned, dice=black_dice(4), cubes={0: 2})
    assert texts(after(state, "use The Linking Rings")) == ["copy Psycho"]
    play(state, "use The Linking Rings", "copy Psycho")
    assert (phase_of(state), score(state, 0), state.fields["committed"]) == ("main", 4, 1)


def test_the_same_text_with_x_and_with_a_fixed_cost_are_two_choices_to_duplicate(folder):
    card = CARD.replace('"Psycho"', '"Psychic"').replace("cost = 2", 'cost = "X"')
    cards = with_card(card, "Second Sight").replace(re.split(r"(?=\[\[cards\]\])", CARDS)[4], CARD + "\n")
    game = load(folder, cards=cards)
    owned = {0: ["The Linking Rings", "Psycho", "Psychic"]}
    state = position(game=game, die="blue Thurston", owned=owned, dice=black_dice(4), cubes={0: 3})
    play(state, "use The Linking Rings")
    assert texts(state) == ["copy Psycho", "copy Psychic"]
    assert score(after(state, "copy Psycho"), 0) == 4
    assert texts(after(state, "copy Psychic")) == ["points 1", "points 2"]


def uniform(effect):
    """Return 48 cards with one effect."""
    colours = ["red", "black"][: max(list(EFFECTS.values())[list(EFFECTS).index(effect)])]
    extra = f"colours = {colours}\n" if colours else ""
    entries = []
    for number in range(48):
        cost = '"X"' if effect.startswith("points") and number % 2 else 1 + number % 3
        icons = sorted({COLOURS[number % 5], COLOURS[number % 3]})
        entries.append(
            f'[[cards]]\nname = "Card {number}"\nicons = {icons}\nsize = "dog"\ncost = {cost}\n'
            f'flair = {1 + number % 4}\neffect = "{effect}"\n{extra}'
        )
    return "\n".join(entries)


@pytest.mark.parametrize("effect", EFFECTS)
def test_all_48_cards_may_have_the_same_effect(folder, effect):
    game = load(folder, BOARD, uniform(effect), players=3)
    check_game(game, games=2)
    for seed in range(3):
        assert play_game(game, seed, eager) <= game.max_depth


# ---- Any board ---------------------------------------------------------------------------------------------


def eager(state, stream):
    """Choose a random move, which ends an action only if there is no other, or once in eight times."""
    moves = state.legal_moves()
    if len(moves) > 1 and moves[0] == MOVE_END and stream.below(8):
        moves = moves[1:]
    return moves[stream.below(len(moves))]


def play_game(game, seed, choose, watch=None):
    """Play a game with one policy for all seats; return the number of moves."""
    state, stream, n = game.new_state(), RandomStream(seed), 0
    while (seat := state.to_move) != aiplay.TERMINAL:
        before = state.copy()
        if seat == aiplay.CHANCE:
            state.play_chance(stream)
        else:
            move = choose(state, stream)
            state.play(move)
            if watch:
                watch(before, move, state)
        n += 1
    return n


def random_board(dice):
    """Return random rows of cities as plain data: name, colours, rewards, names that it touches."""
    while True:
        rows = [dice.randint(1, 6) for _ in range(3)]
        if 10 <= sum(rows) <= 15:
            break
    board = []
    for number, length in enumerate(rows):
        row = []
        for column in range(length):
            rewards = {
                "points": dice.randint(1, 30),
                "flair": dice.randint(1, 4),
                "cubes": dice.randint(1, 4),
            }
            kept = dice.sample(sorted(rewards), dice.randint(1, 3))
            above = [city["name"] for city in board[-1]] if number else []
            row.append({"name": f"{'tmb'[number]}{column}", "colour": dice.sample(COLOURS, dice.randint(1, 2)),
                        **{name: rewards[name] for name in kept},
                        "touches": dice.sample(above, dice.randint(1, len(above))) if above else []})  # fmt: skip
        board.append(row)
    return board


def board_text(board):
    rows = []
    for key, row in zip(("top", "middle", "bottom"), board, strict=True):
        cities = [
            ", ".join(
                f"{name} = {value!r}" for name, value in city.items() if name != "touches" or key != "top"
            )
            for city in row
        ]
        rows.append(f"{key} = [{', '.join(f'{{ {city} }}' for city in cities)}]")
    return "[cities]\n" + "\n".join(rows) + "\n"


def chains_of(board):
    """Return the points of every chain of touching cities, by their names, worked out from the plain data."""
    top, middle, bottom = ({city["name"]: city for city in row} for row in board)
    return {
        (t, m, b): sum(row[name].get("points", 0) for row, name in ((top, t), (middle, m), (bottom, b)))
        for b in bottom
        for m in bottom[b]["touches"]
        for t in middle[m]["touches"]
    }


@pytest.mark.parametrize("seed", range(12))
def test_on_a_random_board_paths_are_claimed_at_once_for_the_points_of_their_cities(folder, seed):
    dice = random.Random(seed)
    board = random_board(dice)
    chains = chains_of(board)
    game = load(folder, board_text(board), players=2 + seed % 4)
    names = game.labels["city"]
    claims = 0

    def watch(before, move, state):
        nonlocal claims
        if before.fields["phase"] == PHASE_PATH:
            seat = before.to_move
            path = tuple(reversed(before.move_text(move).removeprefix("claim ").split("-")))
            bonus = before.fields["bonus"] if before.fields["order"][before.fields["n_acted"]] == seat else 0
            if state.fields["phase"] == PHASE_REFILL:  # else the flair of the card in use is scored, too
                assert score(state, seat) - score(before, seat) == chains[path] + bonus
                claims += 1
        if state.fields["phase"] == PHASE_MAIN:
            for seat in range(game.seats):
                there = {name for number, name in enumerate(names)
                         if int(state.fields["tickets"][seat]) >> 2 * number & 3}  # fmt: skip
                assert not any(points and there.issuperset(chain) for chain, points in chains.items())

    greedy = aiplay.make_player("greedy", seed=1)
    for number in range(6):
        play_game(game, number, lambda state, _: greedy.choose(state.view(state.to_move)), watch)
    assert claims > 0
    check_game(game, games=2)


# ---- Positions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tickets": [1 << 24, 0, 0, 0, 0], "unused": [9, 10, 0, 0, 0]}, "city 12; allowed: 0 to 11"),
        ({"city_cards": [NONE] * 14 + [0], "deck": 2**48 - 2}, "city 14; allowed: 0 to 11"),
    ],
)
def test_a_position_with_pieces_outside_the_board_is_refused(game, changes, message):
    values = to_fields(position(game=game)) | changes
    with pytest.raises(InvalidStateError, match=message):
        from_fields(game, values)


def test_a_position_that_deals_more_cards_than_cities_is_refused(game):
    values = to_fields(game.new_state())
    values |= {"step": 12, "city_cards": [*range(12), *[NONE] * 3], "deck": 2**48 - 2**12}
    with pytest.raises(InvalidStateError, match="'step': 12; allowed: a city, 0 to 11"):
        from_fields(game, values)


def test_a_position_with_a_path_that_the_board_has_not_is_refused(game):
    state = position(game=game, die="red Kellar", hand={0: 1}, tickets={0: ["Bern", "Bonn"]})
    play(state, "place Oslo", "claim Bonn-Bern-Oslo")
    assert state.fields["phase"] == PHASE_REFILL
    with pytest.raises(InvalidStateError, match="'path': 9; allowed: 0 to 8"):
        from_fields(game, to_fields(state) | {"path": 9})


def test_damaged_positions_of_the_example_are_refused_or_playable(game):
    check_damaged(game, tries=600)


# ---- Players -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_example_passes_the_conformance_suite(folder, players):
    check_game(load(folder, BOARD, with_card(CARD, "Psycho"), players), games=6, seed=players)


def test_greedy_claims_the_path_with_the_most_points(game):
    state = position(
        game=game, die="green Kellar", hand={0: 1}, tickets={0: ["Rome", "Bern", "Riga"]}, at=(2, 1)
    )
    play(state, "place Pisa")
    move = aiplay.make_player("greedy", seed=1).choose(state.view(0))
    assert state.move_text(move) == "claim Pisa-Bern-Rome"


def test_the_evaluation_counts_the_points_of_all_cities_of_a_path(game):
    """Two tickets on the way to 15 points are worth more than two on the way to 12."""
    better = position(game=game, tickets={0: ["Rome", "Bern"]}, seat=1)
    worse = position(game=game, tickets={0: ["Rome", "Riga"]}, seat=1)
    assert better.evaluate()[0] > worse.evaluate()[0]


def test_greedy_beats_random_in_the_example(game):
    players = (aiplay.make_player("greedy", seed=1), aiplay.make_player("random", seed=2))
    for seed in range(6):
        table = aiplay.Table(game, seed=seed)
        while not table.over:
            table.play(players[(table.to_move + seed) % 2].choose(table.view(table.to_move)))
        assert table.returns()[seed % 2] == 1.0
