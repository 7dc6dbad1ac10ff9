import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from orchestrator.cli.prompting import history_file, lines, remembering

readline = pytest.importorskip("readline", reason="this Python was built without it")


@pytest.fixture(autouse=True)
def _own_history() -> Iterator[None]:
    readline.clear_history()
    yield
    readline.clear_history()


def test_what_was_typed_is_there_in_the_next_session_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    file = tmp_path / "state" / "history"
    with remembering(file):
        readline.add_history("what is on today")
    readline.clear_history()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with remembering(file):
        assert readline.get_history_item(1) == "what is on today"


def test_a_session_without_a_history_leaves_no_file(tmp_path: Path) -> None:
    with remembering(None):
        readline.add_history("a secret")
    assert list(tmp_path.iterdir()) == []


def test_a_history_that_cannot_be_kept_is_said_and_ends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "state").write_text("a file where the folder is to be")
    with remembering(tmp_path / "state" / "history"):
        readline.add_history("x")
    assert "cannot be kept" in capsys.readouterr().err


def test_the_history_is_in_the_folder_of_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert history_file() == tmp_path / "cuewave" / "history"


def test_lines_end_with_the_input_and_blank_ones_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["one", "  ", "two"])

    def read(_: str) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)
    assert list(lines(prompt=True)) == ["one", "two"]


def test_ctrl_c_at_the_prompt_begins_the_line_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    happenings: Iterator[str | BaseException] = iter([KeyboardInterrupt(), "after it", EOFError()])

    def read(_: str) -> str:
        match next(happenings):
            case BaseException() as error:
                raise error
            case text:
                return text

    monkeypatch.setattr("builtins.input", read)
    assert list(lines(prompt=True)) == ["after it"]
