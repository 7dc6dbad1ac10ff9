"""What a stream can show, and that whatever stands at its end is no reason to fail."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from orchestrator.cli.terminal import is_coloured, is_lively, is_unicode, soften, width_of

from support.calling import SHIPPED, cuewave
from support.several import CALLS, END, Call, several, words_of
from support.terminal import Terminal, visible

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


def environment(**told: str) -> Mapping[str, str]:
    """The one that tests run in, with nothing that says an encoding but what is told."""
    return {k: v for k, v in os.environ.items() if k not in ("LC_ALL", "LANG", "PYTHONUTF8")} | told


TEXTS = (("run", READS, "日程"), ("plan", "ünit – 日程 and then ✓ it"), ("route", "日程 – é", "--json"))


def hold_in_any_encoding(texts: Sequence[Call]) -> None:
    """No encoding is a reason to fail, and the document is the same in each."""
    assert [(call.code, bool(call.out)) for call in texts] == [(0, True)] * len(TEXTS), texts
    assert not any(b"Traceback" in call.err for call in texts)
    text: str = json.loads(texts[-1].out)["text"]
    assert text.encode(errors="surrogateescape").decode() == "日程 – é"


@pytest.mark.parametrize(
    "env",
    [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "latin-1"}],
    ids=["ascii", "latin-1"],
)
def test_no_encoding_of_a_terminal_is_a_reason_to_fail(env: dict[str, str]) -> None:
    hold_in_any_encoding(several(*TEXTS, env=environment(**env)))


def test_in_a_pipe_nothing_steers_a_terminal_and_bytes_that_are_no_text_are_marks() -> None:
    calls = several(
        *TEXTS,
        ("agents", "list"),
        ("runs", "list"),
        ("route", "-", "--json"),
        given=b"what is on my calendar \xff\n",
        env=environment(TERM="xterm", LC_ALL="C"),
    )
    hold_in_any_encoding(calls[: len(TEXTS)])
    for call in calls:
        assert (call.code, b"\x1b" in call.out + call.err, b"\r" in call.out + call.err) == (0, False, False)
    assert json.loads(calls[-1].out)["text"] == "what is on my calendar \ufffd"


def test_colour_that_is_forced_is_in_a_pipe_too_and_no_colour_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert cuewave("status", "no").err.startswith("\x1b[31merror: \x1b[0m")
    assert "\x1b" not in cuewave("agents", "list", "--json").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert cuewave("status", "no").err.startswith("error: ")


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as gone:
        calls = several(
            ("runs", "list", "--limit", "50"),
            ("agents", "list"),
            ("schema", "--all"),
            ("run", "--help"),
            env=os.environ,
            stdout=gone,
        )
    assert [(call.code, call.err) for call in calls] == [(141, b"")] * 4


def test_a_closed_stdin_is_an_end_of_input() -> None:
    calls = several(
        ("run", READS),
        ("route", "-"),
        ("chat",),
        ("runs", "prune", "--older-than", "2100-01-01"),
        given=None,
        env=os.environ,
    )
    assert [call.code for call in calls] == [0, 2, 0, 0]
    assert not any(b"Traceback" in call.err for call in calls)


@pytest.mark.parametrize("stream", [">&-", "2>&-"])
def test_a_closed_stdout_or_stderr_is_no_fault(stream: str) -> None:
    shell = f"{sys.executable} -c 'from orchestrator.cli import main; main()' run '{READS}' {stream}"
    done = subprocess.run(["bash", "-c", shell], cwd=SHIPPED, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 141)
    assert "Traceback" not in done.stderr


# ── at a terminal ───────────────────────────────────────────────────────────────────────────────────


def shown(*calls: tuple[str, ...], columns: int, env: Mapping[str, str]) -> list[str]:
    """What each call shows at a terminal of so many columns; all must end well."""
    with Terminal(*words_of(*calls), columns=columns, env=env, code=CALLS) as at:
        assert at.ends() == 0
    *pieces, codes = at.raw.split(2 * END.decode())
    assert codes.split() == ["0"] * len(calls), at.raw
    return pieces


def widest(raw: str) -> int:
    return max(map(len, visible(raw).splitlines()))


@pytest.mark.service
def test_at_40_columns_no_table_is_wider_and_without_colour_the_live_list_has_none(desk: Path) -> None:
    run, runs, agents = shown(
        ("run", READS), ("runs", "list"), ("agents", "list"), columns=40, env={"NO_COLOR": "1"}
    )
    assert "\x1b[" in run, "a terminal that can move its cursor has the list drawn anew"
    assert "\x1b[3" not in run
    assert "✓ done" in run
    assert max(widest(runs), widest(agents)) <= 40
    assert "ledger" in agents


@pytest.mark.service
def test_a_dumb_terminal_is_not_steered_and_a_person_may_say_that_it_is_narrower(desk: Path) -> None:
    run, agents = shown(
        ("run", READS), ("agents", "list"), columns=200, env={"TERM": "dumb", "COLUMNS": "20"}
    )
    assert "\x1b" not in run + agents
    assert "✓ done" in run
    assert widest(agents) <= 20
