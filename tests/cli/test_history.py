import stat
from pathlib import Path

import pytest
from orchestrator.agents.builtin.formats import replacing
from orchestrator.cli.history import MOST, History


def test_what_is_added_is_read_by_the_next_and_is_its_own_persons_only(tmp_path: Path) -> None:
    file = tmp_path / "state" / "history"
    history = History(file)
    assert history.read() == ()
    assert history.add("one") == "one"
    assert history.add("zwei – 二") is not None
    assert History(file).read() == ["one", "zwei – 二"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_that_others_could_read_is_no_longer_read_by_them(tmp_path: Path) -> None:
    file = tmp_path / "history"
    file.write_text("one\n")
    file.chmod(0o644)
    History(file).add("two")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_text_of_several_lines_is_kept_on_one(tmp_path: Path) -> None:
    assert History(tmp_path / "h").add("one\n  two\x0bthree") == "one two three"
    assert (tmp_path / "h").read_text() == "one two three\n"


@pytest.mark.parametrize("line", ["", "  ", " my secret", "\tit", "x" * 4001])
def test_nothing_is_kept_of_blank_hidden_and_endless_lines(tmp_path: Path, line: str) -> None:
    assert History(tmp_path / "h").add(line) is None
    assert not (tmp_path / "h").exists()


def test_a_file_that_has_become_too_long_keeps_the_youngest_lines(tmp_path: Path) -> None:
    file = tmp_path / "h"
    file.write_text("".join(f"{n}\n" for n in range(MOST + 5)))
    file.chmod(0o600)
    lines = History(file).read()
    assert (len(lines), lines[0], lines[-1]) == (MOST, "5", str(MOST + 4))
    assert file.read_text().splitlines() == lines
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_two_sessions_at_once_lose_nothing_of_each_other(tmp_path: Path) -> None:
    first, second = History(tmp_path / "h"), History(tmp_path / "h")
    first.add("one")
    second.add("two")
    first.add("three")
    assert first.read() == ["one", "two", "three"]


def test_without_a_file_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    history = History(None)
    history.add("one")
    assert (history.read(), list(tmp_path.iterdir())) == ((), [])


def test_a_history_that_cannot_be_kept_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "state").write_text("a file where the folder is to be")
    history = History(tmp_path / "state" / "history")
    assert (history.read(), history.add("x"), history.add("y")) == ((), "x", "y")
    assert capsys.readouterr().err.count("cannot be kept") == 1


def test_a_history_that_cannot_be_read_is_said_and_is_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert History(tmp_path).read() == ()
    assert "cannot be kept" in capsys.readouterr().err


def test_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "h").write_bytes(b"one\n\xff\xfe\ntwo\n")
    assert History(tmp_path / "h").read() == ["one", "\ufffd\ufffd", "two"]


def test_a_history_that_cannot_be_shortened_is_said_and_does_not_end_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "h").write_text("x\n" * (MOST + 1))
    monkeypatch.setattr(replacing.os, "fsync", full)
    assert History(tmp_path / "h").read() == ()
    assert "No space left on device" in capsys.readouterr().err
