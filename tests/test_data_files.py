"""Data files of the user, whatever the game: what can be read, and the one error for what cannot."""

import codecs

import pytest

import aiplay
from aiplay.errors import GameDataError
from aiplay.games.data_file import own_file

GAMES = ("illusio", "levitation", "magic_rabbit", "three_magicians")


def own_text(game):
    return own_file(game).read_text(encoding="utf-8")


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
