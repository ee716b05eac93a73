"""Files that are written as a whole, and errors that name the right one."""

import errno
import os
from pathlib import Path

import pytest

from aiplay.files import write_file


@pytest.fixture
def read_only_disk(monkeypatch):
    """Nothing can be made or removed, as on a disk that is mounted read-only."""

    def refuse(path, *arguments, **options):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)


def test_a_read_only_disk_names_the_file_that_was_asked_for(read_only_disk, tmp_path):
    with pytest.raises(OSError, match="Read-only file system") as caught:
        write_file(tmp_path / "games.csv", "x")
    assert caught.value.filename == str(tmp_path / "games.csv")


def test_a_file_may_have_the_longest_name(tmp_path):
    path = tmp_path / ("x" * 255)
    write_file(path, "all of it")
    assert path.read_text() == "all of it"
    assert os.listdir(tmp_path) == [path.name]


def test_a_file_is_written_completely_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "games.csv"
    path.write_text("before")

    def fail(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left") as caught:
        write_file(path, "after")
    assert caught.value.filename == str(path)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["games.csv"]
