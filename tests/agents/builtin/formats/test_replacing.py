"""Files that are replaced as a whole or not at all."""

import os
from pathlib import Path

import pytest
from orchestrator.agents.builtin.formats.replacing import create_file, replace_file, sweep


def test_a_file_is_replaced_only_over_what_was_read(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    file.chmod(0o640)
    assert not replace_file(file, b"new", only_over=b"other")
    assert file.read_bytes() == b"old"
    assert replace_file(file, b"new", only_over=b"old")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"new", 0o640)
    assert not replace_file(tmp_path / "gone", b"new", only_over=b"old")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(os.geteuid() == 0, reason="whoever may do everything may write this too")
def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(PermissionError):
        replace_file(file, b"new")
    assert file.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_a_file_is_made_only_where_there_is_nothing(tmp_path: Path) -> None:
    assert create_file(tmp_path / "a", b"one")
    assert not create_file(tmp_path / "a", b"two")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert not create_file(tmp_path / "link", b"two")
    assert (tmp_path / "a").read_bytes() == b"one"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "link"]


def test_what_a_killed_writer_left_is_taken_away_and_nothing_else(tmp_path: Path) -> None:
    left, others = tmp_path / ".a.abcd1234.cuewave-tmp", tmp_path / ".b.abcd1234.cuewave-tmp"
    left.touch()
    others.touch()
    sweep(tmp_path / "a")
    assert os.listdir(tmp_path) == [others.name]
