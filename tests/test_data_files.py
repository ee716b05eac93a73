"""Data files of the user, whatever the game: what can be read, and the one error for what cannot."""

import codecs
import copy
import datetime
import math
import os
import re
import tomllib
from pathlib import Path

import pytest

import aiplay
from aiplay.errors import GameDataError
from aiplay.games.data_file import own_file

GAMES = ("illusio", "levitation", "magic_rabbit", "three_magicians")


def own_text(game):
    return Path(own_file(game)).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_of_the_data_plays_the_same_game(tmp_path, game):
    path = tmp_path / "copy.toml"
    path.write_text(own_text(game), encoding="utf-8")
    copied = aiplay.load_game(game, data=str(path))
    stream, twin = aiplay.RandomStream(1), aiplay.RandomStream(1)
    state, other = aiplay.load_game(game).new_state(), copied.new_state()
    for _ in range(40):
        assert other.to_move == state.to_move
        if state.to_move == aiplay.CHANCE:
            assert other.play_chance(twin) == state.play_chance(stream)
        else:
            assert other.legal_moves() == state.legal_moves()
            move = state.legal_moves()[0]
            state.play(move)
            other.play(move)


def test_a_path_object_is_a_path(tmp_path):
    path = tmp_path / "copy.toml"
    path.write_text(own_text("magic_rabbit"), encoding="utf-8")
    game = aiplay.load_game("magic_rabbit", data=path)
    assert game.options["data"] == str(path)


def test_a_mark_of_the_encoding_is_no_trouble(tmp_path):
    path = tmp_path / "marked.toml"
    path.write_bytes(codecs.BOM_UTF8 + own_text("magic_rabbit").encode())
    aiplay.load_game("magic_rabbit", data=str(path))


@pytest.mark.parametrize("path", ["", "a\0b", "no/such/file.toml", "."])
def test_a_path_that_cannot_be_read_is_named(path):
    with pytest.raises(GameDataError) as caught:
        aiplay.load_game("magic_rabbit", data=path)
    assert str(caught.value).startswith(f"cannot read the data file {path!r}: ")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\xff\xfe", "cannot read the data file"),
        (b"a = ", "is not valid TOML"),
        (b"a = " + 100_000 * b"[", "is not valid TOML"),
    ],
)
@pytest.mark.parametrize("game", GAMES)
def test_a_file_that_is_no_data_is_named(tmp_path, game, content, problem):
    path = tmp_path / "wrong.toml"
    path.write_bytes(content)
    with pytest.raises(GameDataError, match=problem) as caught:
        aiplay.load_game(game, data=str(path))
    assert str(path) in str(caught.value)


HUGE = {
    "digits": 5000 * "9",
    "negative": "-" + 5000 * "9",
    "hexadecimal": "0x" + 5000 * "f",
    "64 bits": str(1 << 63),
}


@pytest.mark.parametrize("number", HUGE.values(), ids=HUGE)
@pytest.mark.parametrize("game", GAMES)
def test_a_huge_number_is_an_ordinary_wrong_entry(tmp_path, game, number):
    """The game names its key and what is allowed there."""
    path = tmp_path / "huge.toml"
    text, n = re.subn(r"(?m)^([^#\n]*[=[,] ?)\d+", rf"\g<1>{number}", own_text(game), count=1)
    assert n == 1
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GameDataError, match=r"a number of more than 64 bits.*(allowed|expected)"):
        aiplay.load_game(game, data=str(path))


def test_deep_nesting_is_named_by_its_key(tmp_path):
    path = tmp_path / "deep.toml"
    path.write_text("[a]\nb = " + 20 * "[" + 20 * "]", encoding="utf-8")
    with pytest.raises(GameDataError, match=r"a\.b\[0\].* is nested too deeply; allowed: 8 levels"):
        aiplay.load_game("magic_rabbit", data=str(path))


def test_digits_in_a_text_are_no_number(tmp_path):
    """The file is refused for its number only."""
    path = tmp_path / "text.toml"
    path.write_text(f'a = "{5000 * "9"}"', encoding="utf-8")
    with pytest.raises(GameDataError) as caught:
        aiplay.load_game("magic_rabbit", data=str(path))
    assert "too large" not in str(caught.value)


NONSENSE = [
    True,
    -1,
    2**62,
    1.5,
    math.nan,
    -math.inf,
    "",
    " \n",
    "x" * 5000,
    [],
    [[]],
    [1, "x", []],
    {},
    {"x": {"y": []}},
    datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC),
    datetime.time(1),
]


def paths_of(value, path=()):
    """Yield the place of every entry, of lists the first and the last."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from paths_of(value[key], (*path, key))
    elif isinstance(value, list):
        for i in sorted({0, len(value) - 1}) if value else ():
            yield from paths_of(value[i], (*path, i))


def replaced(data, path, value):
    """Return a copy of the data with another entry; without one, if `value` is Ellipsis."""
    result = copy.deepcopy(data)
    owner = result
    for key in path[:-1]:
        owner = owner[key]
    if value is ...:
        del owner[path[-1]]
    else:
        owner[path[-1]] = value
    return result


def refusal(game, path):
    """Return the message of the GameDataError that a data file gets, None for a game that starts."""
    try:
        aiplay.load_game(game, data=str(path)).new_state()
    except GameDataError as problem:
        return str(problem)
    return None


@pytest.mark.parametrize("game", GAMES)
def test_nonsense_in_any_entry_is_a_data_error_that_names_its_section(tmp_path, monkeypatch, game):
    """Every entry of the file is replaced by nonsense of every type, or left out; some of it is allowed."""
    path, data = tmp_path / "some.toml", tomllib.loads(own_text(game))
    path.write_text("", encoding="utf-8")
    messages = []
    for place in paths_of(data):
        for value in (..., *NONSENSE):
            changed = replaced(data, place, value)
            monkeypatch.setattr("aiplay.games.data_file.tomllib.loads", lambda text, data=changed: data)
            message = refusal(game, path)
            if message:
                messages.append(message)
                assert place[0][:3] in message, (place, value)  # "cit": cities, or city 3
    assert len(messages) > 100


# ---- What is read --------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
def test_only_regular_files_are_read(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", tmp_path, "/dev/zero", "/dev/null"):
        with pytest.raises(
            aiplay.GameDataError, match=r"cannot read the data file .*: (not a regular file|Is a dir)"
        ):
            aiplay.load_game("levitation", data=str(path))


def test_a_file_that_is_too_large_is_refused(tmp_path):
    (tmp_path / "large").write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(aiplay.GameDataError, match="more than 1048576 bytes"):
        aiplay.load_game("levitation", data=str(tmp_path / "large"))


def test_a_file_that_is_not_text_tells_nothing(tmp_path):
    (tmp_path / "binary").write_bytes(b"secret\xff\xfe")
    with pytest.raises(aiplay.GameDataError) as caught:
        aiplay.load_game("levitation", data=str(tmp_path / "binary"))
    assert str(caught.value).endswith(": not UTF-8")
