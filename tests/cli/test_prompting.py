import io
import sys

import pytest
from orchestrator.cli.history import History
from orchestrator.cli.prompting import completer, piped, typed


def test_the_lines_of_a_pipe_are_passed_on_without_blank_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\r\n\n   \n two\nthe last"))
    assert list(piped()) == ["one", " two", "the last"]


def test_a_closed_stdin_has_no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert list(piped()) == []


def test_where_stdout_is_no_terminal_the_prompt_is_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\n\ntwo\n"))
    assert list(typed(History(None), ())) == ["one", "two"]
    out, err = capsys.readouterr()
    assert (out, err) == ("", "you> " * 4 + "\n")


def test_a_word_is_completed_by_all_that_begin_so() -> None:
    complete = completer(["/plan", "/runs", "@ledger"])
    assert [complete("/", n) for n in range(3)] == ["/plan ", "/runs ", None]
    assert complete("@l", 0) == "@ledger "
    assert complete("", 0) is None
    assert complete("x", 0) is None
