import os
from pathlib import Path

import pytest
from orchestrator.agents.builtin.formats import replacing
from orchestrator.cli.writing import write_whole
from orchestrator.errors import UserError


def test_a_file_is_written_with_the_permissions_it_had(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    file.write_text("old")
    file.chmod(0o640)
    write_whole(file, "né")
    assert file.read_bytes() == "né".encode()
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_permissions_that_others_here_have(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    write_whole(tmp_path / "a.svg", "x")
    assert (tmp_path / "a.svg").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("a.svg")
    write_whole(tmp_path / "link", "x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a.svg").read_text() == "x"


def test_a_file_that_cannot_be_written_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.svg"
    file.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(replacing.os, "fsync", full)
    with pytest.raises(UserError, match=r"a\.svg: it cannot be written: No space left on device"):
        write_whole(file, "new")
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


@pytest.mark.skipif(os.geteuid() == 0, reason="whoever may do everything may write this too")
def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    file.write_text("old")
    file.chmod(0o400)
    with pytest.raises(UserError, match="Permission denied"):
        write_whole(file, "new")


def test_a_pipe_is_written_straight(tmp_path: Path) -> None:
    reading, writing_end = os.pipe()
    write_whole(Path(f"/dev/fd/{writing_end}"), "x")
    os.close(writing_end)
    with open(reading, "rb") as pipe:
        assert pipe.read() == b"x"


@pytest.mark.parametrize(("name", "reason"), [(".", "it is a folder"), ("no/a.svg", "there is no folder")])
def test_a_place_that_is_none_is_told_with_its_name(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(UserError, match=reason) as refused:
        write_whole(tmp_path / name, "x")
    assert str(refused.value).startswith(str(tmp_path / name))
