"""The agent `reminders`."""

import mailbox
from collections.abc import Callable
from pathlib import Path
from typing import Any

import icalendar
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from orchestrator.agents.contract import Item, Output, Upstream
from orchestrator.errors import TaskError
from orchestrator.ids import AgentName, TaskId

Ask = Callable[..., Output]

DUE = Item(
    "Hartley & Sons, invoice 7: EUR 1,250.00, due 2026-12-24",
    {"name": "Hartley & Sons", "number": "7", "amount": "1250.00", "currency": "EUR", "due": "2026-12-24"},
)
LATE = Item("Ann: 5.00, due 2026-10-21, 40 days late", {"name": "Ann", "amount": "5.00", "due": "2026-10-21"})


def found(*items: Item, text: str = "found") -> Upstream:
    return Upstream(TaskId("t1"), AgentName("ledger"), Output(text, items))


def entries(tmp_path: Path, kind: str = "VEVENT") -> list[Any]:
    return icalendar.Calendar.from_ical((tmp_path / "r.ics").read_bytes()).walk(kind)


@pytest.mark.parametrize(
    ("text", "summary", "at"),
    [
        ("remind me to call Bob tomorrow at 3pm", "Call Bob", "2026-12-01T15:00:00+01:00"),
        ("please remind me on 3 December that the van comes", "The van comes", "2026-12-03T09:00:00+01:00"),
        ("set a reminder to renew the lease by Friday", "Renew the lease", "2026-12-03T09:00:00+01:00"),
        ("remind me next week of the fair", "The fair", "2026-12-07T09:00:00+01:00"),
        ("remind me to write the report", "Write the report", "2026-11-30T09:00:00+01:00"),
        ("remind me at 7 to water the plants", "Water the plants", "2026-12-01T07:00:00+01:00"),
        ("remind me yesterday to stop time", "Stop time", "2026-11-30T09:00:00+01:00"),
        ("Bob's birthday in 2 weeks", "Bob's birthday", "2026-12-14T09:00:00+01:00"),
    ],
)
def test_what_and_when_are_taken_from_the_request(
    ask: Ask, tmp_path: Path, text: str, summary: str, at: str
) -> None:
    output = ask("reminders", text, file="r.ics", key="r/t1/1")
    assert output.items is not None
    assert [(i.data["summary"], i.data["at"]) for i in output.items] == [(summary, at)]
    (event,) = entries(tmp_path)
    assert str(event["SUMMARY"]) == summary
    assert event["DTSTART"].dt == event.walk("VALARM")[0]["TRIGGER"].dt


def test_the_answer_says_what_was_written_where(ask: Ask) -> None:
    output = ask("reminders", "remind me tomorrow to call Bob", file="r.ics", key="r/t1/1")
    assert output.text == "Wrote 1 reminder to r.ics:\n- tomorrow at 09:00: Call Bob"


def test_the_child_of_a_mapped_task_reminds_of_its_item_ahead_of_its_day(ask: Ask, tmp_path: Path) -> None:
    output = ask("reminders", "write a reminder for each", file="r.ics", item=DUE, key="r/t2[1]/1")
    assert [i.text for i in output.items or ()] == [
        "2026-12-23 09:00 Hartley & Sons: EUR 1,250.00 for 7, due 2026-12-24"
    ]
    assert str(entries(tmp_path)[0]["DESCRIPTION"]) == DUE.text


@pytest.mark.parametrize(
    ("item", "options", "at"),
    [
        (DUE, {"lead": "1w"}, "2026-12-17T09:00:00+01:00"),
        (DUE, {"at": "18:30"}, "2026-12-23T18:30:00+01:00"),
        (LATE, {}, "2026-11-30T09:00:00+01:00"),
        (
            Item("Concert", {"start": "2026-12-10T17:30:00+01:00"}),
            {"lead": "2h"},
            "2026-12-10T15:30:00+01:00",
        ),
        (Item("no day at all"), {}, "2026-11-30T09:00:00+01:00"),
        (Item("odd", {"due": "soon"}), {}, "2026-11-30T09:00:00+01:00"),
    ],
)
def test_an_item_is_remembered_ahead_of_its_day_or_at_the_next_hour(
    ask: Ask, item: Item, options: dict[str, object], at: str
) -> None:
    output = ask("reminders", "write a reminder for each", file="r.ics", item=item, key="r/t/1", **options)
    assert [i.data["at"] for i in output.items or ()] == [at]


def test_the_same_task_under_one_key_is_written_once(ask: Ask, tmp_path: Path) -> None:
    for attempt, now in ((1, "2026-11-30T08:00"), (2, "2026-12-05T10:00")):
        output = ask("reminders", "remind me to call Bob", file="r.ics", key=f"run/t1/{attempt}", now=now)
    assert len(entries(tmp_path)) == 1
    assert output.text == "Wrote nothing new to r.ics:\n- there already: Call Bob"
    assert [i.data["at"] for i in output.items or ()] == [None]
    ask("reminders", "remind me to call Bob", file="r.ics", key="run/t2/1")
    assert len(entries(tmp_path)) == 2


def test_without_a_key_the_content_is_the_key(ask: Ask, tmp_path: Path) -> None:
    for text in ("remind me to call Bob", "remind me to call Bob", "remind me to call Ann"):
        ask("reminders", text, file="r.ics")
    assert len(entries(tmp_path)) == 2


def test_reminders_for_what_was_found_are_one_for_each(ask: Ask, tmp_path: Path) -> None:
    output = ask(
        "reminders", "write reminders for them", file="r.ics", inputs=(found(DUE, LATE),), key="r/t2/1"
    )
    assert output.text.startswith("Wrote 2 reminders to r.ics:")
    assert len(entries(tmp_path)) == 2


def test_one_reminder_of_what_was_found_carries_it(ask: Ask, tmp_path: Path) -> None:
    upstream = found(DUE, LATE, text="2 invoices are open:\n- …")
    ask("reminders", "remind me to look at them tomorrow", file="r.ics", inputs=(upstream,), key="r/t2/1")
    ask("reminders", "remind me of it tomorrow", file="r.ics", inputs=(upstream,), key="r/t3/1")
    assert [str(e["SUMMARY"]) for e in entries(tmp_path)] == ["Look at them", "2 invoices are open:"]
    assert "2 invoices are open:" in str(entries(tmp_path)[0]["DESCRIPTION"])


def test_what_found_nothing_leaves_nothing_to_do(ask: Ask, tmp_path: Path) -> None:
    output = ask("reminders", "write reminders for them", file="r.ics", inputs=(found(),), key="r/t2/1")
    assert output.items == ()
    assert not (tmp_path / "r.ics").exists()


def test_a_failed_dependency_is_said_in_the_entry(ask: Ask, tmp_path: Path) -> None:
    failed = Upstream(TaskId("t1"), AgentName("ledger"), Output(""), error="no such file")
    ask("reminders", "remind me to look at it", file="r.ics", inputs=(failed,), key="r/t2/1")
    assert "t1 failed: no such file" in str(entries(tmp_path)[0]["DESCRIPTION"])


@pytest.mark.parametrize("text", ["", "remind me", "write a reminder tomorrow at 9", "remind me of it"])
def test_nothing_to_remind_of_is_said_so(ask: Ask, tmp_path: Path, text: str) -> None:
    with pytest.raises(TaskError, match="nothing to remind of was named"):
        ask("reminders", text, file="r.ics", key="r/t1/1")
    assert not (tmp_path / "r.ics").exists()


def test_a_read_only_workspace_is_refused_with_the_remedy(ask: Ask, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"nothing was written: .*`cuewave init DIR`"):
        ask("reminders", "remind me to call Bob", file="r.ics", writable=False)
    assert list(tmp_path.iterdir()) == []


def test_a_to_do_is_due_at_its_time(ask: Ask, tmp_path: Path) -> None:
    ask("reminders", "remind me tomorrow to call Bob", file="r.ics", entry="todo", key="r/t1/1")
    (todo,) = entries(tmp_path, "VTODO")
    assert todo["DUE"].dt.isoformat() == "2026-12-01T08:00:00+00:00"


def test_a_draft_is_a_letter_to_the_name(ask: Ask, tmp_path: Path) -> None:
    item = Item(DUE.text, {**DUE.data, "email": "accounts@example.com"})
    options = {"format": "mbox", "sender": "Nora <nora@example.com>", "to": "me@example.com"}
    ask("reminders", "write a reminder for each", file="out.mbox", item=item, key="r/t2[1]/1", **options)
    ask("reminders", "write a reminder for each", file="out.mbox", item=LATE, key="r/t2[2]/1", **options)
    box = mailbox.mbox(tmp_path / "out.mbox", create=False)
    one, two = box
    assert (one["From"], one["To"]) == ("Nora <nora@example.com>", "accounts@example.com")
    assert one["Subject"] == "Hartley & Sons: EUR 1,250.00 for 7, due 2026-12-24"
    assert one.get_payload() == (
        "Hello Hartley & Sons,\n\na friendly reminder: EUR 1,250.00 for 7, due 2026-12-24.\n"
    )
    assert two["To"] == "me@example.com"
    box.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(
    text=st.text(max_size=60),
    values=st.dictionaries(
        st.sampled_from(["name", "amount", "due", "start", "number", "address", "from", "currency"]),
        st.text(max_size=12) | st.none() | st.integers() | st.booleans(),
    ),
    form=st.sampled_from(["ics", "mbox"]),
)
def test_any_item_becomes_one_entry_that_can_be_read_back(
    ask: Ask, tmp_path: Path, text: str, values: dict[str, Any], form: str
) -> None:
    path = tmp_path / "r.ics"
    path.unlink(missing_ok=True)
    ask(
        "reminders",
        "write a reminder for each",
        file="r.ics",
        item=Item(text, values),
        key="r/t/1",
        format=form,
    )
    if form == "ics":
        assert len(entries(tmp_path)) == 1
    else:
        box = mailbox.mbox(path, create=False)
        assert len(box) == 1
        box.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.binary(max_size=80)
    | st.binary(max_size=80).map(lambda b: b"BEGIN:VCALENDAR\n" + b + b"\nEND:VCALENDAR")
)
def test_what_was_in_the_file_is_never_lost(ask: Ask, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "r.ics"
    path.write_bytes(data)
    try:
        ask("reminders", "remind me to call Bob", file="r.ics", key="r/t/1")
    except TaskError:
        assert path.read_bytes() == data
        return
    new = path.read_bytes()
    at = next(n for n in range(len(new) + 1) if n == len(data) or new[n : n + 1] != data[n : n + 1])
    assert not data.strip() or new.endswith(data[at:])
