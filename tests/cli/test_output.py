import fcntl
import json
import os
import struct
import sys
import termios
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.cli.output import columns, emit, plain, say


@given(st.text())
def test_no_character_that_is_said_commands_a_terminal(text: str) -> None:
    shown = plain(text)
    assert len(shown) == len(text)
    assert all(c in "\n\t" or not (ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0) for c in shown)
    shown.encode("utf-8")


def test_what_people_write_is_said_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    say("Zoë – 日程 – שלום 👩‍👧\tTab")
    assert capsys.readouterr().out == "Zoë – 日程 – שלום 👩‍👧\tTab\n"


def test_json_is_utf8_and_carries_every_character(capsys: pytest.CaptureFixture[str]) -> None:
    text = "a\udcff b\x1b]0;x\x07 c\x9b \u202e é"
    emit({"text": text})
    out = capsys.readouterr().out
    assert json.loads(out.encode("utf-8")) == {"text": text}
    assert "\x9b" not in out


def test_a_text_is_as_wide_as_its_terminal_and_100_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keyboard, screen = os.openpty()
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 57, 0, 0))
    with (
        open(screen, "w") as terminal,
        (tmp_path / "file").open("w") as file,
        open(keyboard, "rb"),
        monkeypatch.context() as patch,
    ):
        patch.setattr(sys, "stdout", terminal)
        patch.setattr(sys, "stderr", file)
        assert (columns(), columns(err=True)) == (57, 100)
