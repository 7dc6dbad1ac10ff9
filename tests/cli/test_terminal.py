"""What a stream can show, and that whatever stands at its end is no reason to fail."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from orchestrator.cli.terminal import is_coloured, is_lively, is_unicode, soften, width_of

from support.calling import SHIPPED
from support.terminal import Terminal

MAIN = [sys.executable, "-c", "from orchestrator.cli import main; main()"]
READS = "find the overdue invoices"


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("env", "on_a_screen", "in_a_pipe"),
    [
        ({}, True, False),
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"CLICOLOR_FORCE": "1", "TERM": "dumb"}, True, True),
        ({"CLICOLOR": "0"}, False, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
    ],
    ids=str,
)
def test_colour_is_where_a_terminal_is_unless_a_person_says_otherwise(
    env: Mapping[str, str], on_a_screen: bool, in_a_pipe: bool
) -> None:
    assert (is_coloured(Screen(), env), is_coloured(io.StringIO(), env)) == (on_a_screen, in_a_pipe)


def test_only_a_terminal_that_can_move_its_cursor_is_drawn_anew() -> None:
    assert is_lively(Screen(), {"TERM": "xterm", "NO_COLOR": "1"})
    assert not is_lively(Screen(), {"TERM": "dumb", "FORCE_COLOR": "1"})
    assert not is_lively(io.StringIO(), {"TERM": "xterm", "FORCE_COLOR": "1"})
    assert not is_lively(None, {})


@pytest.mark.parametrize(
    ("told", "width"), [("20", 20), ("0", None), ("wide", None), ("", None), ("-3", None)]
)
def test_a_person_may_say_how_wide_a_line_is(told: str, width: int | None) -> None:
    assert width_of(io.StringIO(), {"COLUMNS": told}) == width


def test_whether_a_stream_takes_every_character_is_by_its_encoding() -> None:
    known = {"utf-8": True, "UTF8": True, "utf-16": True, "latin-1": False, "ascii": False}
    assert {n: is_unicode(io.TextIOWrapper(io.BytesIO(), encoding=n)) for n in known} == known
    assert is_unicode(io.StringIO())


def test_a_softened_stream_takes_and_gives_whatever_there_is() -> None:
    raw = io.BytesIO()
    narrow, broken = io.TextIOWrapper(raw, encoding="latin-1"), io.TextIOWrapper(io.BytesIO(b"a\xff"))
    soften(narrow, broken, None, io.StringIO())
    narrow.write("é ✓")
    narrow.flush()
    assert (raw.getvalue(), broken.read()) == ("é ?".encode("latin-1"), "a\ufffd")


# ── as processes ────────────────────────────────────────────────────────────────────────────────────


def called(*arguments: str, given: bytes = b"", **env: str) -> "subprocess.CompletedProcess[bytes]":
    told = {k: v for k, v in os.environ.items() if k not in ("LC_ALL", "LANG", "PYTHONUTF8")} | env
    return subprocess.run(
        [*MAIN, *arguments], input=given, cwd=SHIPPED, env=told, capture_output=True, check=False
    )


ENCODINGS = (
    {"LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "latin-1"},
    {"PYTHONIOENCODING": "ascii"},
)


@pytest.mark.parametrize("env", ENCODINGS, ids=str)
@pytest.mark.parametrize(
    "words", [("run", READS, "日程"), ("plan", "ünit – 日程 and then ✓ it")], ids=" ".join
)
def test_no_encoding_of_a_terminal_is_a_reason_to_fail(env: dict[str, str], words: tuple[str, ...]) -> None:
    done = called(*words, **env)
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stdout


@pytest.mark.parametrize("name", ["latin-1", "ascii"])
def test_json_is_the_same_document_in_every_encoding(name: str) -> None:
    done = called("route", "日程 – é", "--json", PYTHONIOENCODING=name)
    assert json.loads(done.stdout)["text"] == "日程 – é"


def test_bytes_that_are_no_text_are_a_turn_with_marks_in_their_place() -> None:
    done = called("route", "-", "--json", given=b"what is on my calendar \xff\n", PYTHONIOENCODING="utf-8")
    assert (done.returncode, json.loads(done.stdout)["text"]) == (0, "what is on my calendar \ufffd")


@pytest.mark.parametrize("words", [("run", READS), ("agents", "list"), ("plan", READS), ("runs", "list")])
def test_in_a_pipe_nothing_steers_a_terminal(words: tuple[str, ...]) -> None:
    done = called(*words, TERM="xterm")
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"\r" not in done.stdout + done.stderr


def test_colour_that_is_forced_is_in_a_pipe_too_and_no_colour_wins() -> None:
    assert called("status", "no", FORCE_COLOR="1").stderr.startswith(b"\x1b[31merror: \x1b[0m")
    assert called("status", "no", CLICOLOR_FORCE="1", NO_COLOR="1").stderr.startswith(b"error: ")
    assert b"\x1b" not in called("agents", "list", "--json", FORCE_COLOR="1").stdout


@pytest.mark.parametrize("words", ["runs list --limit 50", "agents list", "schema --all", "run --help"])
def test_a_reader_that_goes_away_ends_it_quietly(words: str, tmp_path: Path) -> None:
    shell = f"set -o pipefail; {sys.executable} -c '{MAIN[2]}' {words} | head -c 1"
    done = subprocess.run(["bash", "-c", shell], cwd=SHIPPED, capture_output=True, text=True, check=False)
    assert (done.stderr, len(done.stdout)) == ("", 1)
    assert done.returncode in (0, 141)


CLOSED = (
    ("run", READS, "0"),
    ("route", "-", "2"),
    ("chat", "0"),
    ("runs", "prune", "--older-than", "2100-01-01", "0"),
)


@pytest.mark.parametrize("words", CLOSED, ids=" ".join)
def test_a_closed_stdin_is_an_end_of_input(words: tuple[str, ...]) -> None:
    *call, code = words
    quoted = " ".join(f"'{word}'" for word in call)
    shell = f"{sys.executable} -c '{MAIN[2]}' {quoted} <&-"
    done = subprocess.run(["bash", "-c", shell], cwd=SHIPPED, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (int(code), False), done.stderr


@pytest.mark.parametrize("stream", [">&-", "2>&-"])
def test_a_closed_stdout_or_stderr_is_no_fault(stream: str) -> None:
    shell = f"{sys.executable} -c '{MAIN[2]}' run '{READS}' {stream}"
    done = subprocess.run(["bash", "-c", shell], cwd=SHIPPED, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 141)
    assert "Traceback" not in done.stderr


# ── at a terminal ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.service
@pytest.mark.parametrize(("columns", "words"), [(20, ("agents", "list")), (40, ("runs", "list"))])
def test_no_table_is_wider_than_a_narrow_terminal(desk: Path, columns: int, words: tuple[str, ...]) -> None:
    called("run", READS)
    with Terminal(*words, columns=columns) as at:
        assert at.ends() == 0
    assert max(map(len, at.shown.splitlines())) <= columns


@pytest.mark.service
def test_a_person_may_say_that_a_terminal_is_narrower(desk: Path) -> None:
    with Terminal("agents", "list", columns=200, env={"COLUMNS": "20"}) as at:
        assert at.ends() == 0
    assert max(map(len, at.shown.splitlines())) <= 20


@pytest.mark.service
@pytest.mark.parametrize(("term", "steers"), [("xterm", True), ("dumb", False)])
def test_progress_is_drawn_anew_only_where_the_terminal_can(desk: Path, term: str, steers: bool) -> None:
    with Terminal("run", READS, env={"TERM": term}) as at:
        assert at.ends() == 0
    assert ("\x1b[" in at.raw) is steers
    assert "✓ done" in at.shown


@pytest.mark.service
def test_without_colour_a_live_list_has_none(desk: Path) -> None:
    with Terminal("run", READS, env={"NO_COLOR": "1"}) as at:
        assert at.ends() == 0
    assert "\x1b[3" not in at.raw
