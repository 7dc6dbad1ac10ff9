"""Requests that an agent which only reads cannot serve."""

from collections.abc import Callable
from pathlib import Path

import pytest
from orchestrator.agents.contract import Output

Ask = Callable[..., Output]

MAIL = "From - Mon Nov 30 07:00:00 2026\nFrom: Bob <bob@example.org>\nSubject: Delete this\n\nHow are you?\n"
EVENT = "BEGIN:VEVENT\nUID:1\nDTSTART:20261130T100000Z\nSUMMARY:Dentist\nEND:VEVENT\n"


@pytest.fixture
def office(tmp_path: Path) -> Path:
    (tmp_path / "inbox").write_text(MAIL)
    (tmp_path / "calendar").write_text(f"BEGIN:VCALENDAR\nVERSION:2.0\n{EVENT}END:VCALENDAR\n")
    return tmp_path


@pytest.mark.parametrize(
    ("kind", "text", "deed"),
    [
        ("inbox", "send Marta an email that the lease is signed", "send"),
        ("inbox", "delete all mails from Bob", "delete"),
        ("inbox", "can you please reply to Bob", "reply"),
        ("calendar", "move my meeting to Friday", "move"),
        ("calendar", "I want to cancel my dentist appointment", "cancel"),
        ("calendar", "Add a meeting at 3pm", "add"),
    ],
)
def test_a_deed_is_said_not_to_be_done(ask: Ask, office: Path, kind: str, text: str, deed: str) -> None:
    output = ask(kind, text, file=kind, root=office)
    assert output.text == f'Nothing was done: "{deed}" is asked for, and {kind} is only read here.'
    assert output.items == ()


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("inbox", "send me the mails from Bob"),
        ("inbox", "write us a summary"),
        ("inbox", "mails about delete"),
        ("calendar", "is the dentist on Monday cancelled, or did they move it"),
        ("calendar", "what is added today"),
    ],
)
def test_a_request_for_an_answer_is_answered(ask: Ask, office: Path, kind: str, text: str) -> None:
    output = ask(kind, text, file=kind, root=office)
    assert "Bob" in output.text or "Dentist" in output.text
