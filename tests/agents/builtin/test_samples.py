"""The shipped agents and samples: alive on whatever day they are tried."""

import asyncio
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from orchestrator.agents.contract import Call, Output, Surroundings
from orchestrator.agents.registry import agent_type
from orchestrator.workspace.agent_file import AgentFile

ROOT = Path(__file__).parents[3]
AGENTS = {
    name: ROOT / "agents" / f"{name}.yaml"
    for name in ("inbox", "calendar", "ledger", "reminders", "notes", "notebook")
}
DAYS = [date(2026, 11, 30) + timedelta(days=n) for n in (0, 1, 4, 33, 91, 120, 212, 330, 500, 823, 1187)]


def load(name: str) -> AgentFile:
    return AgentFile.model_validate(yaml.safe_load(AGENTS[name].read_text(encoding="utf-8")))


def answer(
    name: str, action: str, day: date, zone: str = "Europe/Berlin", operation: str | None = None
) -> Output:
    agent_file = load(name)
    found = agent_type(agent_file.uses)
    assert found is not None
    now = datetime(day.year, day.month, day.day, 8, tzinfo=ZoneInfo(zone))
    agent = found.build(
        agent_file, found.options(**agent_file.options), Surroundings(ROOT, False, lambda: now)
    )
    return asyncio.run(agent.run(Call(action, action, action, operation=operation)))


@pytest.mark.parametrize("name", AGENTS)
def test_a_shipped_agent_names_its_schema_and_keeps_to_its_type(name: str) -> None:
    first = AGENTS[name].read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../schemas/agent.json"
    agent_file = load(name)
    found = agent_type(agent_file.uses)
    assert found is not None
    effects = "write" if name == "notebook" else found.effects
    assert (agent_file.name, agent_file.effects, agent_file.steps) == (name, effects, found.steps)
    for intent in agent_file.intents.values():
        assert intent.operation in found.operations
        assert intent.description
        assert intent.keywords
        assert intent.examples


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_the_inbox_has_unread_mail_from_yesterday(day: date) -> None:
    output = answer("inbox", "summarize my inbox", day)
    assert output.text.startswith("9 messages in samples/inbox.mbox, 5 unread, 6 ask for a reply.")
    assert "Marta Ruiz, yesterday" in output.text
    assert "undated" not in output.text
    assert [i.data["unread"] for i in answer("inbox", "unread mails from yesterday", day).items or ()] == [
        True
    ] * 3


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_the_calendar_has_a_clash_today_and_meetings_tomorrow(day: date) -> None:
    today = answer("calendar", "what is on today", day)
    assert "Clash: 10:30–11:30 Dentist" in today.text
    assert "Cancelled, so left out: 18:30–20:30 Shopkeepers' evening." in today.text
    assert len(today.items or ()) == 5
    tomorrow = [str(i.data["title"]) for i in answer("calendar", "what is on tomorrow", day).items or ()]
    assert {"Boiler inspection", "Video call with Atelier Lisboa", "Morning round with Ines"} <= set(tomorrow)
    assert answer("calendar", "when am I free this week", day, operation="free_time").items


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_invoices_are_overdue_by_3_12_and_40_days_and_some_are_not_due(day: date) -> None:
    overdue = answer("ledger", "find the overdue invoices", day)
    assert [i.data["days_late"] for i in overdue.items or ()] == [40, 12, 3]
    assert "Left out" not in overdue.text
    assert len(answer("ledger", "invoices due after today", day).items or ()) == 5


@pytest.mark.parametrize("zone", ["Pacific/Honolulu", "America/New_York", "UTC", "Asia/Tokyo"])
def test_the_samples_are_alive_in_other_zones(zone: str) -> None:
    day = date(2027, 3, 1)
    assert answer("inbox", "mails from yesterday", day, zone).items
    assert answer("calendar", "what is on today", day, zone).items
    assert answer("ledger", "overdue", day, zone).items


@pytest.mark.parametrize(
    ("action", "first"),
    [
        ("search my notes for the boiler", "Workshop lease (workshop-lease.md) › Terms: "),
        ("what do my notes say about Hartley", "Hartley & Sons (people/hartley-and-sons.md) › Habits: "),
        ("find the note about the trade fair", "Trade fair (trade-fair.md): "),
    ],
)
def test_the_notes_are_found_by_what_stands_in_them(action: str, first: str) -> None:
    output = answer("notes", action, DAYS[0], operation="search")
    assert (output.items or ())[0].text.startswith(first)
    assert "Left out" not in output.text


def test_all_names_are_fictional_and_all_addresses_reserved() -> None:
    for sample in (p for p in (ROOT / "samples").rglob("*") if p.is_file()):
        text = sample.read_text(encoding="utf-8", errors="replace")
        domains = {word.partition("@")[2].strip("<>,.;:") for word in text.split() if "@" in word}
        assert domains <= {"example.com", "example.org"}
