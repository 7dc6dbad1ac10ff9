"""Turns that name their agent."""

import pytest
from orchestrator.ids import AgentName
from orchestrator.routing.address import find_address, nearest_name

NAMES = tuple(map(AgentName, ("calendar", "calendar-team", "inbox")))


def asked(text: str) -> tuple[str | None, str] | None:
    address = find_address(text, NAMES)
    return None if address is None else (address.agent, text[slice(*address.rest)])


@pytest.mark.parametrize(
    ("text", "agent", "rest"),
    [
        ("@calendar what is on today", "calendar", "what is on today"),
        (" \n@Calendar  what? \n", "calendar", "what?"),
        ("@calendar: what", "calendar", "what"),
        ("@calendar, what", "calendar", "what"),
        ("@calendar-team what", "calendar-team", "what"),
        ("@calendar今天", "calendar", "今天"),
        ("@inbox", "inbox", ""),
        ("@inbox  ", "inbox", ""),
        ("@bob hello", None, "hello"),
    ],
)
def test_an_address_is_a_name_at_the_start_and_the_rest_is_asked(
    text: str, agent: str | None, rest: str
) -> None:
    assert asked(text) == (agent, rest)


@pytest.mark.parametrize(
    "text",
    ["ask @calendar", "calendar what", "@calendar.com is down", "@calendar's", "@ calendar", "@2pm", "", "@"],
)
def test_what_is_not_a_name_at_the_start_is_no_address(text: str) -> None:
    assert asked(text) is None


def test_the_mark_is_where_the_name_stands() -> None:
    address = find_address("  @Inbox hi", NAMES)
    assert address is not None
    assert address.mark == (2, 8)
    assert address.written == "Inbox"


def test_an_exact_name_comes_before_one_in_another_case() -> None:
    names = tuple(map(AgentName, ("bob", "Bob")))
    found = [find_address(f"@{name}", names) for name in ("Bob", "bob", "BOB")]
    assert [address.agent for address in found if address] == ["Bob", "bob", "bob"]


def test_the_nearest_name_is_the_most_alike() -> None:
    assert nearest_name("Calender", NAMES) == "calendar"
    assert nearest_name("imbox", NAMES) == "inbox"
    assert nearest_name("x", ()) is None
