"""The Three Magicians: the board file, another board, and files that are refused."""

import itertools
import json
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from three_magicians_positions import from_fields, play

import aiplay
from aiplay._core.games.three_magicians.state import DUEL_KEEP, DUEL_THROW, LIFE, MAGIC, MOVE, THROW
from aiplay.errors import GameDataError, InvalidStateError
from aiplay.games.data_file import own_file
from aiplay.testing import check_game

OWN = Path(own_file("three_magicians")).read_text(encoding="utf-8")
SYMBOLS = '[["star", "arrow"], ["star", "empty"], ["arrow", "empty"]]'


def load(tmp_path, text, **options):
    path = tmp_path / "board.toml"
    path.write_text(text, encoding="utf-8")
    return aiplay.load_game("three_magicians", data=str(path), **options)


def test_a_copy_of_the_own_file_gives_the_same_board(tmp_path):
    game = load(tmp_path, OWN)
    assert vars(game.board) == vars(aiplay.load_game("three_magicians").board)


# Another shape, links of different lengths, and wands that favour some sides.
OTHER = """
life = "Well"
labyrinth = "Cave"
places = [
    ["Alm", "Burg", "Clam"],
    ["Dom", "Well", "Esel"],
    ["Fels", "Gipfel", ""],
    ["", "Cave", ""],
]
links = [
    ["Alm", "Burg", "o"],
    ["Burg", "Clam", "*"],
    ["Clam", "Esel", "oo*"],
    ["Esel", "Well", "o"],
    ["Well", "Burg", "*o"],
    ["Dom", "Alm", "o"],
    ["Dom", "Well", "*"],
    ["Dom", "Fels", "oooo"],
    ["Gipfel", "Fels", "o"],
    ["Gipfel", "Well", "*"],
    ["Cave", "Gipfel", "oo"],
]
[wands]
notches = [0, 1, 1, 2]
symbols = [["star"], ["arrow", "empty"], ["star", "star", "empty"]]
"""


def test_another_board_can_be_played(tmp_path):
    for options in ({"turn_cap": 60}, {"turn_cap": 60, "players": 2, "apprentice_must_move": False}):
        game = load(tmp_path, OTHER, **options)
        check_game(game, games=2)
        state = game.new_state()
        state.play(0)
        state.play("throw 1+0")
        assert {state.move_text(move) for move in state.legal_moves()} >= {"jump Burg", "walk Gipfel-Well 1"}
        assert "Alm " in str(state)


def test_wands_of_another_file_change_the_chances(tmp_path):
    """Notches 0 1 1 2: two of four sides show a one."""
    game = load(tmp_path, OTHER)
    state = game.new_state()
    state.play(0)
    chances = {state.move_text(move): p for move, p in state.chance_outcomes()}
    assert chances["throw 1+1+1"] == pytest.approx(1 / 8)
    assert chances["throw 0+0+0"] == pytest.approx(1 / 64)
    assert chances["throw 2+1"] == pytest.approx(2 * 1 / 4 * 1 / 4 * 1 / 2)
    assert sum(chances.values()) == pytest.approx(1)


WANDS = [[0, 2], [2, 1], [2, 2, 0], [0, 0, 0, 0, 0, 2], [1, 2, 2, 2, 2, 2], [0, 1, 2, 2], [2, 1, 0, 1, 2, 0]]


@pytest.mark.parametrize("notches", WANDS)
def test_wands_with_other_notches_can_be_played(tmp_path, notches):
    text = OWN.replace("[0, 1, 2]", str(notches))
    check_game(load(tmp_path, text, turn_cap=40), games=2)
    game = load(tmp_path, text, players=2, turn_cap=40, labyrinth_exit="1or2")
    check_game(game, games=2)
    assert 0 < game.new_state().evaluate()[0] < 1


@pytest.mark.parametrize("notches", WANDS)
def test_the_sides_of_a_wand_are_equally_likely(tmp_path, notches):
    """Compared with all throws of three wands, counted one by one: in a turn and in a duel."""
    game = load(tmp_path, OWN.replace("[0, 1, 2]", str(notches)))
    state = game.new_state()
    state.play(0)
    in_turn, in_duel = Counter(), Counter()
    for own, first, second in itertools.product(notches, repeat=3):
        name = f"{own}+{first}+{second}" if own == first == second else f"{own}+{first + second}"
        in_turn[f"throw {name}"] += len(notches) ** -3
        in_duel["throw " + " ".join(sorted(map(str, (own, first, second)), reverse=True))] += (
            len(notches) ** -3
        )
    assert chances(state) == pytest.approx(in_turn)
    places = {"magicians": [0, 0, LIFE], "apprentices": [LIFE] * 3, "rival": 1, "n_turns": 9}
    assert chances(from_fields(game, {**places, "phase": DUEL_THROW})) == pytest.approx(in_duel)


def chances(state):
    return {state.move_text(move): p for move, p in state.chance_outcomes()}


def test_wands_may_have_different_symbols(tmp_path):
    """Compared with all throws, counted one by one."""
    wands = [[["star"], ["empty"]], [["star", "arrow"], ["empty"], ["arrow"]], [["star", "star", "empty"]]]
    game = load(tmp_path, OWN.replace(SYMBOLS, json.dumps(wands)), turn_cap=60)
    check_game(game, games=2)
    wanted = Counter()
    for sides in itertools.product(*wands):
        seen = Counter(itertools.chain.from_iterable(sides))
        most = [symbol for symbol in ("star", "arrow", "empty") if seen[symbol] == max(seen.values())]
        wanted[" and ".join(most)] += 1 / 6
    stone = next(iter(game.board.magic))
    fields = {"magicians": [LIFE] * 3, "apprentices": [stone, LIFE, LIFE], "n_turns": 9, "phase": MAGIC}
    assert chances(from_fields(game, fields)) == pytest.approx(wanted)


def test_three_equal_wands_are_the_same_as_one_list_of_sides(tmp_path):
    three = load(tmp_path, OWN.replace(SYMBOLS, f"[{SYMBOLS}, {SYMBOLS}, {SYMBOLS}]"))
    assert vars(three.board) == vars(load(tmp_path, OWN).board)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"jump": 1, "walk": 0}, "field 'jump' is 1; the sides of a wand are 0, 2"),
        ({"jump": 0, "walk": 3}, "field 'walk' is 3; three wands show 0, 2, 4, 6 together"),
    ],
)
def test_a_throw_that_the_wands_cannot_show_is_refused(tmp_path, fields, message):
    game = load(tmp_path, OWN.replace("[0, 1, 2]", "[0, 2]"))
    figures = {"magicians": [LIFE] * 3, "apprentices": [LIFE] * 3, "n_turns": 9, "phase": MOVE}
    assert from_fields(game, {**figures, "jump": 2, "walk": 4}).fields["jump"] == 2
    with pytest.raises(InvalidStateError, match=message):
        from_fields(game, {**figures, **fields})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"thrown": [1, 1, 1]}, "the sides of a wand are 0, 2"),
        ({"thrown": [2, 0, 0], "n_throws": 2, "n_kept": 1, "kept": 1}, "1 wands show 0, 2 together"),
        (
            {"thrown": [3, 0, 0], "is_second": 1, "goal": 5, "goal_throws": 1},
            "three wands show 0, 2, 4, 6 together",
        ),
    ],
)
def test_a_duel_that_the_wands_cannot_show_is_refused(tmp_path, fields, message):
    game = load(tmp_path, OWN.replace("[0, 1, 2]", "[0, 2]"))
    figures = {"magicians": [0, 0, LIFE], "apprentices": [LIFE] * 3, "n_turns": 9, "phase": DUEL_KEEP}
    duel = {**figures, "rival": 1, "n_throws": 1, "thrown": [1, 0, 2]}
    assert from_fields(game, duel).to_move == 0
    with pytest.raises(InvalidStateError, match=message):
        from_fields(game, {**duel, **fields})


def test_a_walk_that_ends_where_it_began_is_an_arrival(tmp_path):
    """Alm, Burg, Well and Dom lie on a ring of eight steps: the Apprentice walks round and meets its Magician again."""
    text = OTHER.replace('["Well", "Burg", "*o"]', '["Well", "Burg", "*"]')
    game = load(tmp_path, text)
    names = game.board.names
    ring = [names.index(name) for name in ("Alm", "Burg", "Well", "Dom")]
    for place in ring:
        assert game.board.walks[place][8] >> place & 1
    alm = names.index("Alm")
    spots = {"magicians": [alm, LIFE, LIFE], "apprentices": [alm, LIFE, LIFE]}
    state = from_fields(game, {**spots, "powers": [1, 0, 0], "n_turns": 9, "phase": THROW})
    play(state, "throw 1+1+2", "walk Alm")
    assert state.fields["cards"].tolist() == [1 << alm, 0, 0]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('life = "Life"', 'life = "Lake"', "life is 'Lake'"),
        ('life = "Life"', 'life = "Labyrinth"', "both 'Labyrinth'"),
        ('labyrinth = "Labyrinth"', "labyrinth = 3", "labyrinth is 3"),
        ('life = "Life"', "", "lacks 'life'"),
        ('life = "Life"', 'life = "Life"\nlifes = 1', "unknown entry 'lifes'"),
        ('["Sun", "Mill", "Moon"],\n]', '["Sun", "Mill"],\n]', "8 places"),
        ('["Sun", "Mill", "Moon"],\n]', '["Sun", "Mill", "sun"],\n]', "'sun' is given twice"),
        ('["Sun", "Mill", "Moon"],\n]', '["Sun", "Mill", "Moon 2"],\n]', "'Moon 2' is not a name"),
        ('["Sun", "Mill", "Moon"],\n]', '["Sun", "Mill", 7],\n]', "7 is not a name"),
        ('["Sun", "Mill", "Moon"],\n]', "4,\n]", "list of rows"),
        ('["Life", "Mill", "o*o"]', '["Life", "Mil", "o*o"]', "'Mil' is not one of the places"),
        ('["Life", "Mill", "o*o"]', '["Life", "Moon", "o*o"]', "Life and Moon are not neighbours"),
        ('["Life", "Mill", "o*o"]', '["Castle", "Life", "o*o"]', "linked twice"),
        ('["Life", "Mill", "o*o"]', '["Life", "Castle", "o*o"]', "linked twice"),
        ('["Life", "Mill", "o*o"]', '["Life", "Mill", "oxo"]', "stones of Life and Mill are 'oxo'"),
        ('["Life", "Mill", "o*o"]', '["Life", "Mill", ""]', "stones of Life and Mill"),
        ('["Life", "Mill", "o*o"]', '["Life", "Mill"]', "is not a link"),
        ('["Life", "Mill", "o*o"]', "5", "is not a link"),
        ('    ["Mill", "Moon", "o*o"],\n', "", "Moon cannot be reached from Life"),
        ('    ["Life", "Labyrinth", "o*o"],\n', "", "no way leads out of Labyrinth"),
        (
            "[0, 1, 2]",
            "[0, 1]",
            "notches is [0, 1]; allowed: 2 to 6 of 0, 1 and 2, a 2 and another number among",
        ),
        ("[0, 1, 2]", "[2]", "notches is [2]"),
        ("[0, 1, 2]", "[2, 2]", "notches is [2, 2]"),
        ("[0, 1, 2]", "[]", "notches is []"),
        ("[0, 1, 2]", "[-1, 2]", "notches is [-1, 2]"),
        ("[0, 1, 2]", "[[0, 1, 2], [0, 1, 2], [0, 2]]", "all wands have the same"),
        ("[0, 1, 2]", f"[0, 1, {5000 * '2'}]", "notches is [0, 1, "),
        ("[0, 1, 2]", f"0x{5000 * '2'}", "allowed: 2 to 6 of 0, 1 and 2"),
        ('life = "Life"', f"life = {5000 * '2'}", "allowed: one of the places"),
        ('["Life", "Mill", "o*o"]', 5000 * "2", "is not a link"),
        ("[0, 1, 2]", "[0, 1, 2, 3]", "notches is [0, 1, 2, 3]"),
        ("[0, 1, 2]", "[0, 1, 2, 2, 2, 2, 2]", "2 to 6 of"),
        ("[0, 1, 2]", "[0, true, 2]", "notches is [0, True, 2]"),
        ('[["star", "arrow"], ["star", "empty"], ["arrow", "empty"]]', "[]", "symbols is []"),
        ('[["star", "arrow"], ["star", "empty"], ["arrow", "empty"]]', '[["sun"]]', "symbols has ['sun']"),
        ('["star", "arrow"]', '["star", "arrow", "star", "arrow"]', "a list of 1 to 3 of"),
        ('["star", "arrow"]', '[["star"]]', "symbols has [['star']]"),
        (
            '[["star", "arrow"],',
            '[["star"], ["star"], ["star"], ["star"], ["star", "arrow"],',
            "1 to 6 sides",
        ),
        (SYMBOLS, f"[{SYMBOLS}, {SYMBOLS}]", "symbols has 2 wands; allowed: 3, or one list of sides for all"),
        (SYMBOLS, f'[{SYMBOLS}, {SYMBOLS}, [["sun"]]]', "symbols has ['sun']; allowed: a list of 1 to 3 of"),
        (SYMBOLS, f"[{SYMBOLS}, {SYMBOLS}, []]", "symbols has [["),
        (SYMBOLS, f"[[{5000 * '2'}]]", "allowed: a list of 1 to 3 of star, arrow, empty"),
        ('["Life", "Mill", "o*o"]', '["Life", "Mill", "oooo*ooooo"]', "allowed: 1 to 9 of o and *"),
        (
            '    ["Magician", "Tower", "o*o"]',
            '    ["Labyrinth", "Tower", "o*o"]',
            "Tower cannot be reached from Life without Labyrinth",
        ),
        ("[wands]", "[wand]", "unknown entry 'wand'"),
    ],
)
def test_a_wrong_file_is_refused_and_the_entry_is_named(tmp_path, old, new, problem):
    assert old in OWN
    with pytest.raises(GameDataError) as error:
        load(tmp_path, OWN.replace(old, new))
    assert problem in str(error.value)
    assert "board.toml" in str(error.value)


def test_too_many_stones_are_refused(tmp_path):
    with pytest.raises(GameDataError, match="more than 55 stones"):
        load(tmp_path, OWN.replace('"o*o"', '"oooooo"'))


def test_wands_that_are_not_a_table_are_refused(tmp_path):
    text = OWN[: OWN.index("[wands]")]
    with pytest.raises(GameDataError, match="wands has to be a table"):
        load(tmp_path, "wands = 3\n" + text)
    assert "wands" not in tomllib.loads(text)


def test_a_file_that_is_missing_or_not_toml_is_refused(tmp_path):
    with pytest.raises(GameDataError, match="cannot read"):
        aiplay.load_game("three_magicians", data=str(tmp_path / "nothing.toml"))
    with pytest.raises(GameDataError, match="not valid TOML"):
        load(tmp_path, "places = [")
