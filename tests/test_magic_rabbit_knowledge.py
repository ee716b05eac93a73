"""Magic Rabbit: who knows what, the worlds of a view, data files, and positions that are refused."""

import itertools
import json
import math
from collections import Counter

import pytest
from test_magic_rabbit import GAME, deal, digits, mixed, play

import aiplay
from aiplay._core.games.magic_rabbit.state import N_LOGGED
from aiplay._core.measure import play_out
from aiplay.errors import GameDataError, InvalidStateError
from aiplay.testing import check_game

SIX = aiplay.load_game("magic_rabbit", piles=6)
SOLO = aiplay.load_game("magic_rabbit", players=1, doves=False)


def lift_all(state, piles):
    """The seat to move lifts these piles in its turns; the others lift pile B."""
    seat = state.to_move
    for pile in piles:
        play(state, f"lift {pile}", "stay")
        while state.to_move != seat:
            play(state, "lift B", "stay")
    return state


# ---- Knowledge ---------------------------------------------------------------------------------------------


def test_hats_and_doves_are_public_and_so_are_hats_under_doves():
    state = play(mixed(), "hats B D", "dove A to B")
    for seat in (0, 1):
        assert digits(state.view(seat), "hats") == digits(state, "hats")
        assert state.view(seat).fields["doves"] == state.fields["doves"]


def test_knowledge_moves_with_the_rabbit_when_piles_are_switched():
    state = play(mixed(), "lift D", "stay", "piles D H", "stay")
    assert digits(state.view(0), "rabbits") == "000000040"
    assert digits(state.view(1), "rabbits") == "000000000"
    assert state.view(1).fields["lifted"].tolist()[7] == [1, 0, 0, 0]


def test_knowledge_of_both_piles_moves_with_them():
    state = play(mixed(), "lift D", "stay", "lift E", "stay", "piles D E", "stay")
    assert digits(state, "rabbits") == "123546789"
    assert digits(state.view(0), "rabbits") == "000040000"
    assert digits(state.view(1), "rabbits") == "000500000"


def test_knowledge_stays_with_the_rabbit_when_hats_are_switched():
    state = play(mixed(), "lift D", "stay", "hats D H", "stay")
    assert digits(state.view(0), "rabbits") == "000400000"


def test_a_dove_on_the_pile_does_not_change_what_is_known():
    state = play(mixed(), "lift D", "dove A to D")
    assert digits(state.view(0), "rabbits") == "000400000"


def test_two_seats_may_lift_the_same_rabbit():
    state = play(mixed(), "lift D", "stay", "lift D", "stay")
    assert digits(state.view(0), "rabbits") == digits(state.view(1), "rabbits") == "000400000"


def test_a_seat_that_knows_all_but_one_knows_the_last():
    state = lift_all(deal("123456789", "987654321", game=SOLO), "ABCDEFG")
    assert digits(state.view(0), "rabbits") == "987654300"
    lift_all(state, "H")
    assert digits(state.view(0), "rabbits") == "987654321"
    assert digits(play(state, "piles H I").view(0), "rabbits") == "987654312"


def test_other_seats_do_not_know_the_last_rabbit():
    state = lift_all(mixed(game=aiplay.load_game("magic_rabbit", doves=False)), "ACDEFGHI")
    assert digits(state.view(0), "rabbits") == "123456789"
    assert digits(state.view(1), "rabbits") == "020000000"


def test_the_turns_of_switches_are_public():
    state = play(mixed(), "hats B D", "stay", "piles D H", "stay")
    for seat in (0, 1):
        fields = state.view(seat).fields
        assert fields["rehatted"].tolist() == [0, 1, 0, 0, 0, 0, 0, 1, 0]
        assert fields["switched"].tolist() == [0, 0, 0, 2, 0, 0, 0, 2, 0]


def test_the_log_holds_the_last_32_turns_with_repeat_lifts_and_dove_moves():
    game, seen = aiplay.load_game("magic_rabbit", turns=50), []
    state, stream = mixed(game=game), aiplay.RandomStream(4)
    assert N_LOGGED == 32
    while not state.is_over:
        action = stream.choice(state.legal_moves())
        state.play(action)
        assert logged(state.view(0), len(seen) + 1) == (action, 0)
        dove = stream.choice(state.legal_moves())
        state.play(dove)
        seen.append((action, dove))
        for seat in (0, 1):
            first = max(len(seen) - 32, 0)
            assert [logged(state.view(seat), turn + 1) for turn in range(first, len(seen))] == seen[first:]
    assert len({action for action, _ in seen if action < 10}) < sum(action < 10 for action, _ in seen)


def logged(view, turn):
    return tuple(int(view.fields[name][(turn - 1) % 32]) for name in ("actions", "dove_moves"))


def test_team_mates_can_use_the_log_for_a_convention():
    """A repeat lift and a dove move change nothing else that a team mate sees, but can mean something."""
    quiet = play(mixed(), "lift D", "stay", "lift E", "stay", "lift D", "dove A to B")
    loud = play(mixed(), "lift D", "dove A to B", "lift E", "stay", "lift D", "stay")
    differing = {
        name
        for name in GAME.FIELDS
        if quiet.view(1).fields[name].tolist() != loud.view(1).fields[name].tolist()
    }
    assert differing == {"dove_moves"}


def test_the_rabbits_are_revealed_in_the_views_of_the_end():
    game = aiplay.load_game("magic_rabbit", turns=2)
    state = play(mixed(game=game), "lift D", "stay", "lift E")
    assert digits(state.view(0), "rabbits") == "000400000"
    play(state, "stay")
    for seat in (0, 1):
        view = state.view(seat)
        assert view.is_over
        assert digits(view, "rabbits") == "123456789"
        assert view.sample_world(1) == state
        assert game.view_from_json(view.to_json()) == view


def test_only_the_seat_that_lifts_notices_the_rabbit():
    here, there = mixed(), deal("987654321", "123546789")
    assert here.perceive(4, 1) == there.perceive(4, 1)
    assert here.perceive(4, 0) != there.perceive(4, 0)
    assert here.perceive(224, 0) == there.perceive(224, 0)


def test_rabbits_are_dealt_face_down():
    state = GAME.new_state()
    keys = {state.perceive(move, 0) for move in state.legal_moves()}
    assert len(keys) == 9
    for hat in range(1, 10):
        state.play(hat)
    assert len({state.perceive(move, seat) for move in state.legal_moves() for seat in (0, 1)}) == 1


# ---- Worlds ------------------------------------------------------------------------------------------------


def possible(view):
    """All orders of rabbits that fit a view of six piles, found by trying all 720."""
    seen = digits(view, "rabbits")[:6]
    return [
        "".join(order)
        for order in itertools.permutations("123456")
        if all(known in ("0", rabbit) for known, rabbit in zip(seen, order, strict=True))
    ]


@pytest.mark.parametrize("lifts", [0, 1, 2, 3, 4, 5, 6])
def test_worlds_are_uniform_over_the_arrangements_that_fit(lifts):
    game = aiplay.load_game("magic_rabbit", piles=6, players=1, doves=False)
    state = lift_all(deal("123456", "351624", game=game), "DBFACE"[:lifts])
    play(state, "piles A D", "stay")
    view = state.view(0)
    worlds = possible(view)
    assert len(worlds) == math.factorial(6 - lifts if lifts < 6 else 0)
    each = 30 if lifts < 2 else 200
    counts = Counter(digits(view.sample_world(seed), "rabbits")[:6] for seed in range(each * len(worlds)))
    assert set(counts) == set(worlds)
    chi_square = sum((counts[world] - each) ** 2 / each for world in worlds)
    freedom = len(worlds) - 1
    assert chi_square <= freedom + 4 * math.sqrt(2 * freedom)
    assert chi_square >= freedom - 4 * math.sqrt(2 * freedom)


def test_after_k_lifts_the_factorial_of_the_rest_is_left():
    state = deal("123456789", "987654321", game=SOLO)
    for lifts, pile in enumerate("ABCDEFGHI", 1):
        lift_all(state, pile)
        hidden = digits(state.view(0), "rabbits").count("0")
        assert math.factorial(hidden) == math.factorial(9 - lifts if lifts < 8 else 0)


def test_worlds_in_the_middle_of_the_deal_are_uniform_too():
    state = SIX.new_state()
    for tile in (1, 2, 3, 4, 5, 6, 3, 5):
        state.play(tile)
    view = state.view(1)
    counts = Counter(digits(view.sample_world(seed), "rabbits") for seed in range(6000))
    assert len(counts) == 30
    assert all(world[2:] == "0000000" for world in counts)
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) <= 29 + 4 * math.sqrt(58)


def test_worlds_differ_from_the_view_only_in_rabbits():
    state = play(mixed(), "lift D", "dove A to B", "piles D E", "stay", "hats D H")
    for seat in (0, 1):
        view = json.loads(state.view(seat).to_json())["view"]
        world = json.loads(state.view(seat).sample_world(1).to_json())["state"]
        assert {name for name in view if view[name] != world[name]} == {"rabbits"}


# ---- Data --------------------------------------------------------------------------------------------------

OWN = """
[doves.9]
1 = []
2 = [2, 4]
3 = [5]
4 = [1, 2, 3, 4, 5]
[doves.8]
1 = [1]
2 = [1]
3 = [1]
4 = [1]
[doves.7]
1 = [1]
2 = [1]
3 = [1]
4 = [1]
[doves.6]
1 = [1]
2 = [1]
3 = [1]
4 = [1]
"""


def test_a_data_file_replaces_the_places_of_the_doves(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    game = aiplay.load_game("magic_rabbit", data=str(path))
    assert game.new_state().fields["doves"] == 0b1010
    assert len(deal("123456789", "123456789", game=game).legal_moves()) == 49
    assert aiplay.load_game("magic_rabbit", players=1, data=str(path)).new_state().fields["doves"] == 0
    assert aiplay.load_game("magic_rabbit", doves=False, data=str(path)).new_state().fields["doves"] == 0


@pytest.mark.parametrize("piles", [6, 7, 8, 9])
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_any_number_of_doves_that_leaves_two_free_hats_can_be_played(tmp_path, piles, seats):
    """With f free piles and d doves there are f * f actions and 1 + d * f decisions about a dove."""
    for n_doves in range(piles - 1):
        path, free = tmp_path / "own.toml", piles - n_doves
        places = list(range(1 + seats, 1 + seats + n_doves))
        path.write_text(every_shape({(piles, seats): sorted((place - 1) % piles + 1 for place in places)}))
        game = aiplay.load_game("magic_rabbit", piles=piles, players=seats, data=str(path), turns=6)
        assert game.new_state().fields["doves"].bit_count() == n_doves
        assert game.max_moves == max(free * free, 1 + n_doves * free, piles)
        check_game(game, games=1)
        state, stream = aiplay.Table(game, seed=n_doves).state, aiplay.RandomStream(n_doves)
        while not state.is_over:
            is_action = state.fields["phase"] == 0
            assert len(state.legal_moves()) == (free * free if is_action else 1 + n_doves * free)
            state.play(state.playout_move(stream))


def every_shape(places):
    """A data file with these places of doves by (piles, seats), and with none elsewhere."""
    rows = [
        f"[doves.{piles}]\n"
        + "\n".join(f"{seats} = {places.get((piles, seats), [])}" for seats in range(1, 5))
        for piles in range(6, 10)
    ]
    return "\n".join(rows)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2 = [2, 4]", "2 = [2, 10]", r"doves\.9\.2 is \[2, 10\]; expected a list of piles from 1 to 9"),
        ("2 = [2, 4]", "2 = [0, 4]", r"doves\.9\.2 is \[0, 4\]"),
        (
            "2 = [2, 4]",
            "2 = [4, 2]",
            r"doves\.9\.2 is \[4, 2\]; expected every pile once, in ascending order",
        ),
        ("2 = [2, 4]", "2 = [2, 2]", r"doves\.9\.2 is \[2, 2\]; expected every pile once"),
        ("2 = [2, 4]", "2 = 2", r"doves\.9\.2 is 2; expected a list"),
        ("2 = [2, 4]", "2 = [true]", r"doves\.9\.2 is \[True\]"),
        (
            "4 = [1, 2, 3, 4, 5]",
            "4 = [1, 2, 3, 4, 5, 6, 7, 8]",
            r"doves\.9\.4 has 8 doves; allowed: at most 7, which leaves 2 hats free",
        ),
        (
            "[doves.8]\n1 = [1]",
            "[doves.8]\n1 = [1, 2, 3, 4, 5, 6, 8]",
            r"doves\.8\.1 has 7 doves; allowed: at most 6",
        ),
        (
            "[doves.7]\n1 = [1]",
            "[doves.7]\n1 = [1, 2, 3, 4, 5, 6, 7]",
            r"doves\.7\.1 has 7 doves; allowed: at most 5",
        ),
        (
            "[doves.6]\n1 = [1]",
            "[doves.6]\n1 = [1, 2, 3, 5, 6]",
            r"doves\.6\.1 has 5 doves; allowed: at most 4",
        ),
        ("2 = [2, 4]", f"2 = [{5000 * '9'}]", r"doves\.9\.2 is .*; expected a list of piles from 1 to 9"),
        ("2 = [2, 4]", f"2 = 0x{5000 * 'f'}", r"doves\.9\.2 is .*; expected a list of piles from 1 to 9"),
        ("3 = [5]\n", "", r"doves\.9 has no '3'"),
        ("3 = [5]", "3 = [5]\n5 = [1]", r"doves\.9 has an unknown '5'"),
        ("[doves.6]", "[doves.5]", r"doves has no '6'"),
        ("[doves.9]", "[rabbits]\n[doves.9]", r"the file has an unknown 'rabbits'"),
        ("[doves.9]", "[doves.9", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_refused_and_the_entry_is_named(tmp_path, old, new, message):
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace(old, new, 1))
    with pytest.raises(GameDataError, match=message):
        aiplay.load_game("magic_rabbit", data=str(path))


def test_a_file_without_a_table_of_doves_is_refused(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text("")
    with pytest.raises(GameDataError, match="the file has no 'doves'"):
        aiplay.load_game("magic_rabbit", data=str(path))
    path.write_text("doves = 3")
    with pytest.raises(GameDataError, match="doves is 3; expected a table"):
        aiplay.load_game("magic_rabbit", data=str(path))
    with pytest.raises(GameDataError, match="cannot read"):
        aiplay.load_game("magic_rabbit", data=str(tmp_path / "none.toml"))


# ---- Impossible positions ----------------------------------------------------------------------------------


def changed(position, **fields):
    """The JSON of a position with other fields; a tuple (index, ..., value) changes one entry."""
    document = json.loads(position.to_json())
    inner = document["view" if "seat" in document else "state"]
    for name, value in fields.items():
        if isinstance(value, tuple):
            target = inner[name]
            for index in value[:-2]:
                target = target[index]
            target[value[-2]] = value[-1]
        else:
            inner[name] = value
    return json.dumps(document)


def later():
    return play(mixed(), "lift D", "dove A to B", "piles D E", "stay", "hats D H", "stay", "lift F", "stay")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hats": (0, 8)}, "field 'hats' is"),
        ({"hats": (0, 0)}, "'hats': a hat that is dealt is 0"),
        ({"rabbits": (0, 2)}, "field 'rabbits' is"),
        ({"rabbits": (0, 0)}, "the rabbit of pile A is hidden, but has to be visible"),
        ({"n_dealt": 18}, "turns are played before everything is dealt"),
        ({"n_dealt": 12}, "pile that is not dealt yet"),
        ({"doves": 0b111}, "allowed: 4 of 9 bits"),
        ({"seat": 2}, "field 'seat' is 2; allowed: 0 to 1"),
        ({"seat": 1}, "whose turn it was not"),
        ({"n_turns": 21}, "the game has 20 turns"),
        ({"n_turns": 20, "phase": 1}, "the game has 20 turns"),
        ({"n_turns": 2}, "turn after turn 2"),
        ({"lifted": (0, 2, 1)}, "by seat 2, whose turn it was not"),
        ({"lifted": (0, 0, 3)}, "two actions in one turn"),
        ({"lifted": (0, 0, 1)}, "two lifts in one turn"),
        ({"switched": (0, 2)}, "at most two piles have the same turn"),
        ({"switched": (3, 0)}, "two have the last one"),
        ({"rehatted": (0, 3)}, "at most two piles have the same turn"),
    ],
)
def test_an_impossible_position_is_refused(fields, message):
    assert GAME.state_from_json(later().to_json()) == later()
    with pytest.raises(InvalidStateError, match=message):
        GAME.state_from_json(changed(later(), **fields))


def test_more_moved_doves_than_turns_are_refused():
    state = play(mixed(), "lift B", "stay")
    moved = changed(state, doves=0b101000110, dove_moves=(0, 312))
    assert GAME.state_from_json(moved).fields["doves"] == 0b101000110
    with pytest.raises(InvalidStateError, match="2 doves cannot have moved in 1 turns"):
        GAME.state_from_json(changed(state, doves=0b100001110))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"actions": (0, 0)}, "'actions' is 0 at index 0; allowed: an action of turn 1 on piles A to I"),
        ({"actions": (0, 10)}, "'actions' is 10 at index 0"),
        ({"actions": (1, 254)}, "'actions' is 254 at index 1"),
        ({"actions": (1, 255)}, "'actions' is 255 at index 1"),
        ({"actions": (4, 2)}, "'actions' is 2 at index 4; allowed: 0, no such turn"),
        ({"dove_moves": (0, 0)}, "'dove_moves' is 0 at index 0; allowed: a dove decision of turn 1"),
        ({"dove_moves": (0, 322)}, "'dove_moves' is 322 at index 0"),
        ({"dove_moves": (4, 300)}, "'dove_moves' is 300 at index 4; allowed: 0, nothing is decided yet"),
        ({"dove_moves": (0, 300)}, "before turn 1 the doves were"),
        ({"dove_moves": (0, 314)}, "turn 1 moved a dove from pile A to D; the doves after it are"),
        ({"actions": (3, 7)}, "turn 4 used pile G, which had a dove"),
        ({"actions": (3, 8)}, "seat 1 lifted pile H in turn 4, but its rabbit was not lifted by then"),
        ({"actions": (2, 145)}, "turn 3 switched pile E, which does not remember it"),
        ({"actions": (1, 246)}, "turn 2 switched pile F, which does not remember it"),
        ({"actions": (1, 146)}, "turn 2 switched pile F, which does not remember it"),
        ({"lifted": (5, 1, 0)}, "seat 1 lifted pile F in turn 4"),
        ({"lifted": (7, 1, 2)}, "two actions in one turn"),
        ({"phase": 2}, "'phase' is 2; allowed: 0 to 1, with turns=0 also 2"),
    ],
)
def test_a_log_that_contradicts_the_rest_is_refused(fields, message):
    with pytest.raises(InvalidStateError, match=message):
        GAME.state_from_json(changed(later(), **fields))


def test_a_turn_that_is_remembered_as_another_action_is_refused():
    state = play(mixed(), "lift D", "stay", "lift D", "stay", "lift D", "stay")
    with pytest.raises(
        InvalidStateError, match="turn 3 is remembered as another action than that of the log"
    ):
        GAME.state_from_json(changed(state, lifted=(4, 0, 3)))


def test_a_log_that_has_wrapped_around_is_checked_too():
    game = aiplay.load_game("magic_rabbit", turns=100)
    state, stream = aiplay.Table(game, seed=1).state, aiplay.RandomStream(1)
    while state.fields["n_turns"] < 77 or state.fields["phase"] == 0:
        state.play(stream.choice(state.legal_moves()))
    assert game.state_from_json(state.to_json()) == state
    with pytest.raises(InvalidStateError, match="'dove_moves' is 300 at index 13; allowed: 0"):
        game.state_from_json(changed(state, dove_moves=(77 % N_LOGGED, 300)))
    with pytest.raises(InvalidStateError, match="'actions' is 0 at index 14; allowed: an action of turn 47"):
        game.state_from_json(changed(state, actions=(78 % N_LOGGED, 0)))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rabbits": (0, 1)}, "the rabbit of pile A is visible, but seat 0 cannot know it"),
        ({"rabbits": (4, 0)}, "the rabbit of pile E is hidden, but has to be visible"),
    ],
)
def test_an_impossible_view_is_refused(fields, message):
    assert digits(later().view(0), "rabbits") == "000040000"
    with pytest.raises(InvalidStateError, match=message):
        GAME.view_from_json(changed(later().view(0), **fields))


def test_a_position_with_piles_that_do_not_exist_is_refused():
    state = deal("123456", "123456", game=SIX)
    for fields, message in [
        ({"hats": (6, 7)}, "field 'hats' is"),
        ({"lifted": (7, 0, 1), "n_turns": 1, "seat": 1}, "a pile that does not exist"),
        ({"doves": 0b1000001}, "of 6 bits"),
        ({"n_dealt": 14}, "allowed: 0 to 13"),
    ]:
        with pytest.raises(InvalidStateError, match=message):
            SIX.state_from_json(changed(state, **fields))


@pytest.mark.parametrize(
    ("seats", "piles", "turns"), [(1, 9, 12), (2, 9, 12), (2, 9, 0), (3, 7, 12), (4, 6, 12)]
)
def test_every_position_that_is_accepted_can_be_played(seats, piles, turns):
    game = aiplay.load_game("magic_rabbit", players=seats, piles=piles, turns=turns)
    stream, accepted = aiplay.RandomStream(seats), 0
    for number in range(600):
        state = aiplay.Table(game, seed=number).state
        for _ in range(stream.below(24)):
            if not state.is_over:
                state.play(stream.choice(state.legal_moves()))
        try:
            twin = game.state_from_json(mutated(state, stream))
        except InvalidStateError:
            continue
        accepted += 1
        use(twin, stream)
    assert accepted > 50


def mutated(state, stream):
    """The JSON with one to three small changes: a number off by one or two, or two of a list exchanged."""
    document = json.loads(state.to_json())
    fields = document["state"]
    for _ in range(1 + stream.below(3)):
        name = stream.choice(sorted(fields))
        target, key = fields, name
        while isinstance(target[key], list):
            target, key = target[key], stream.below(len(target[key]))
        if isinstance(target, list) and stream.below(2):
            other = stream.below(len(target))
            target[key], target[other] = target[other], target[key]
        else:
            target[key] = max(0, target[key] + stream.choice([-2, -1, 1, 2]))
    return json.dumps(document)


def use(state, stream):
    """Ask a state for everything, then play it to its end at random."""
    str(state)
    for seat in range(state.game.seats):
        view = state.view(seat)
        assert view.sample_world(1).view(seat) == view
    if not state.is_over:
        assert 0 <= state.evaluate()[0] <= 1
    if state.to_move >= 0:
        assert sum(weight for _, weight in state.priors()) > 0
        assert state.playout_move(stream) in state.legal_moves()
    play_out(state, stream)
    assert state.is_over
