"""The agent `reminders`."""

import mailbox
from collections.abc import Callable
from pathlib import Path
from typing import Any

import icalendar
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from orchestrator.agents.builtin.types.reminders import ReminderOptions
from orchestrator.agents.contract import Item, Output, Upstream
from orchestrator.errors import TaskError
from orchestrator.ids import AgentName, TaskId
from pydantic import ValidationError

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
        ("remind me in 20 minutes to take the tea out", "Take the tea out", "2026-11-30T08:20:00+01:00"),
        ("remind me in an hour and a half to call Bob", "Call Bob", "2026-11-30T09:30:00+01:00"),
        ("remind me to call Bob in half an hour", "Call Bob", "2026-11-30T08:30:00+01:00"),
        ("remind me next Friday at half past three to call", "Call", "2026-12-11T15:30:00+01:00"),
        ("remind me at noon to eat", "Eat", "2026-11-30T12:00:00+01:00"),
        ("remind me tonight to lock up", "Lock up", "2026-11-30T20:00:00+01:00"),
        ("remind me this evening at 8 to lock up", "Lock up", "2026-11-30T20:00:00+01:00"),
        ("remind me tomorrow morning to lock up", "Lock up", "2026-12-01T09:00:00+01:00"),
        ("set a reminder for Friday to call Bob", "Call Bob", "2026-12-04T09:00:00+01:00"),
        ("can you remind me to call Bob tomorrow?", "Call Bob", "2026-12-01T09:00:00+01:00"),
        ("don’t let me forget the lease tomorrow", "The lease", "2026-12-01T09:00:00+01:00"),
        ("remind me not to forget the keys", "Not to forget the keys", "2026-11-30T09:00:00+01:00"),
        ("remind me to pay 12.50 EUR by Friday", "Pay 12.50 EUR", "2026-12-03T09:00:00+01:00"),
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


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("remind me tomorrow about the meeting on Friday", "The meeting on Friday"),
        ("remind me tomorrow to check Monday's numbers", "Check Monday's numbers"),
        ("remind me tomorrow to book the morning flight", "Book the morning flight"),
        ("remind me tomorrow to send the weekly report", "Send the weekly report"),
        ('remind me tomorrow to read "Today and tonight at 9"', 'Read "Today and tonight at 9"'),
        ('remind me tomorrow to "wait 5 minutes"', "Wait 5 minutes"),
    ],
)
def test_a_word_of_time_that_belongs_to_the_matter_stays_in_it(ask: Ask, text: str, summary: str) -> None:
    output = ask("reminders", text, file="r.ics", key="r/t1/1")
    assert [(i.data["summary"], i.data["at"]) for i in output.items or ()] == [
        (summary, "2026-12-01T09:00:00+01:00")
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("remind me in a few days to call", "in a few days"),
        ("remind me every second Tuesday to pay", "every second"),
        ("remind me every hour to drink", "every hour"),
        ("remind me on the 5th to pay", "on the 5th"),
        ("remind me at 9.30 to call Bob", "at 9.30"),
        ("remind me later to call", "later"),
        ("remind me after lunch to call", "after lunch to"),
        ("remind me when Bob is back", "when Bob is"),
        ("remind me to read today's mail", "today's"),
        ("remind me within 10 minutes to call", "10 minutes"),
        ("remind me on every Friday the cat comes, each first", "each first"),
    ],
)
def test_a_word_of_time_that_is_not_understood_is_named_and_nothing_is_written(
    ask: Ask, tmp_path: Path, text: str, named: str
) -> None:
    with pytest.raises(TaskError, match=rf'"{named}" is not understood as a time, so nothing was written'):
        ask("reminders", text, file="r.ics", key="r/t1/1")
    assert not (tmp_path / "r.ics").exists()


@pytest.mark.parametrize(
    "text",
    [
        "remind me to call the bank at 9 tomorrow and to buy stamps on Thursday",
        "remind me tomorrow to call the bank and on Thursday to buy stamps",
        "remind me tomorrow or on Friday to pay",
        "remind me to call Bob at 10 and Ann at 11",
        "remind me on Friday that the van comes tomorrow",
    ],
)
def test_two_moments_in_one_request_are_refused(ask: Ask, tmp_path: Path, text: str) -> None:
    with pytest.raises(TaskError, match=r"two moments are named, .*nothing was written"):
        ask("reminders", text, file="r.ics", key="r/t1/1")
    assert not (tmp_path / "r.ics").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("remind me yesterday to call mum", "yesterday is past"),
        ("remind me today at 9 to call mum", "today at 09:00 is past"),
        ("remind me this morning to call mum", "today at 09:00 is past"),
        ("remind me last Friday to call mum", "Friday 27 November is past"),
    ],
)
def test_a_moment_that_is_past_is_refused(ask: Ask, tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(TaskError, match=f"{said} .*so nothing was written"):
        ask("reminders", text, file="r.ics", key="r/t1/1", now="2026-11-30T15:10")
    assert not (tmp_path / "r.ics").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("remind me today to call mum", "today at 16:00"),
        ("remind me this afternoon to call mum", "today at 16:00"),
        ("remind me to call mum", "tomorrow at 09:00"),
        ("remind me at 2 to call mum", "tomorrow at 14:00"),
        ("remind me tonight to call mum", "today at 20:00"),
    ],
)
def test_where_the_usual_time_is_over_the_next_sensible_one_is_taken_and_said(
    ask: Ask, text: str, said: str
) -> None:
    output = ask("reminders", text, file="r.ics", key="r/t1/1", now="2026-11-30T15:10")
    assert output.text == f"Wrote 1 reminder to r.ics:\n- {said}: Call mum"


def test_a_reminder_ahead_of_what_was_found_rings_so_long_before_it(ask: Ask, tmp_path: Path) -> None:
    concert = found(Item("Concert", {"start": "2026-12-10T17:30:00+01:00"}), text="Thursday: Concert")
    output = ask("reminders", "remind me of it an hour before", file="r.ics", inputs=(concert,), key="r/t2/1")
    assert output.text == "Wrote 1 reminder to r.ics:\n- Thursday 10 December at 16:30: Concert"
    with pytest.raises(TaskError, match="it is not known when that is, so nothing was written"):
        ask("reminders", "remind me an hour before to call Bob", file="r.ics", key="r/t3/1")
    with pytest.raises(TaskError, match=r"today at 16:30 is past .*nothing was written"):
        ask(
            "reminders", "remind me of it an hour before", file="r.ics", inputs=(concert,), key="r/t4/1",
            now="2026-12-10T17:00",
        )  # fmt: skip
    assert len(entries(tmp_path)) == 1


@pytest.mark.parametrize(
    ("text", "start", "rule", "said"),
    [
        ("remind me every Monday to pay", "2026-11-30T09:00:00", "FREQ=WEEKLY;INTERVAL=1;BYDAY=MO",
         "every Monday from today"),
        ("remind me every Tuesday and Friday at 7 to pay", "2026-12-01T07:00:00",
         "FREQ=WEEKLY;INTERVAL=1;BYDAY=TU,FR", "every Tuesday and Friday from tomorrow"),
        ("remind me to pay on Wednesdays", "2026-12-02T09:00:00", "FREQ=WEEKLY;INTERVAL=1;BYDAY=WE",
         "every Wednesday from Wednesday 2 December"),
        ("remind me every weekday at 8 to pay", "2026-12-01T08:00:00",
         "FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,TU,WE,TH,FR", "every weekday from tomorrow"),
        ("remind me daily at noon to pay", "2026-11-30T12:00:00", "FREQ=DAILY;INTERVAL=1",
         "every day from today"),
        ("remind me every evening to pay", "2026-11-30T19:00:00", "FREQ=DAILY;INTERVAL=1",
         "every day from today"),
        ("remind me to pay every other week on Friday", "2026-12-04T09:00:00", "FREQ=WEEKLY;INTERVAL=2",
         "every 2 weeks from Friday 4 December"),
        ("remind me every month on 31 December to pay", "2026-12-31T09:00:00",
         "FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
         "every month from Thursday 31 December"),
        ("remind me every year on 3 December to pay", "2026-12-03T09:00:00", "FREQ=YEARLY;INTERVAL=1",
         "every year from Thursday 3 December"),
    ],
)  # fmt: skip
def test_what_comes_again_is_one_entry_with_its_rule(
    ask: Ask, tmp_path: Path, text: str, start: str, rule: str, said: str
) -> None:
    output = ask("reminders", text, file="r.ics", key="r/t1/1")
    (event,) = entries(tmp_path)
    assert (str(event["SUMMARY"]), event["DTSTART"].dt.isoformat()) == ("Pay", start)
    parts = event["RRULE"].to_ical().decode().split(";")
    assert sorted(parts) == sorted(rule.split(";"))
    assert output.text == f"Wrote 1 reminder to r.ics:\n- {said} at {start[11:16]}: Pay"


def test_what_comes_again_can_be_no_draft_and_no_days_stand_beside_it(ask: Ask, tmp_path: Path) -> None:
    with pytest.raises(
        TaskError, match=r"every Monday cannot be a draft in a mailbox, so nothing was written"
    ):
        ask("reminders", "remind me every Monday to pay", file="out.mbox", format="mbox", key="r/t1/1")
    with pytest.raises(TaskError, match=r"every Monday has no other days beside; .*nothing was written"):
        ask("reminders", "remind me every Monday to pay until 3 January", file="r.ics", key="r/t1/1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("don't remind me of anything", "No reminder was written, as you asked"),
        ("please don’t", "No reminder was written, as you asked"),
        ("do not write a reminder, just find the overdue invoices", "No reminder was written, as you asked"),
        ("delete my reminder about Bob", "Nothing was changed: reminders are only written"),
        ("can you move the reminder to Friday", "Nothing was changed: reminders are only written"),
        ("should I call Bob?", "That is a question, and reminders are only written"),
        ("what reminders do I have?", "There are no reminders yet: r.ics is made with the first one."),
    ],
)
def test_a_denial_a_question_and_a_wish_to_alter_write_nothing_and_say_so(
    ask: Ask, tmp_path: Path, text: str, said: str
) -> None:
    output = ask("reminders", text, file="r.ics", key="r/t1/1")
    assert output.text.startswith(said)
    assert output.items == ()
    assert list(tmp_path.iterdir()) == []


def test_a_question_for_the_reminders_lists_those_to_come(ask: Ask) -> None:
    ask("reminders", "remind me at 7 to call Bob", file="r.ics", key="r/t1/1", now="2026-11-27T06:00")
    ask("reminders", "remind me tomorrow to call Ann", file="r.ics", key="r/t2/1")
    for text, operation in (("what reminders do I have?", "remind"), ("all my reminders", "list")):
        output = ask("reminders", text, operation, file="r.ics")
        assert output.text == "1 reminder in r.ics in the next 366 days.\n- tomorrow at 09:00: Call Ann"
    ask("reminders", "remind me every Monday at 7 to pay", file="r.ics", key="r/t3/1")
    output = ask("reminders", "what reminders do I have?", file="r.ics")
    assert output.text.splitlines()[1:] == [
        "- tomorrow at 09:00: Call Ann",
        "- Monday 7 December at 07:00: Pay",
    ]
    drafts = ask("reminders", "what reminders do I have?", file="out.mbox", format="mbox")
    assert drafts.text.startswith("Nothing was written. The reminders are in out.mbox (")


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("remind me to call each customer", "Call Ann (5.00, due 2026-10-21)"),
        ("remind me to call each late customer about the delay",
         "Call Ann (5.00, due 2026-10-21) about the delay"),
        ("call each of them", "Call Ann (5.00, due 2026-10-21)"),
        ("for each overdue invoice, remind me to write to the customer",
         "Write to the customer: Ann (5.00, due 2026-10-21)"),
        ("for each overdue invoice, write a reminder", "Ann: 5.00, due 2026-10-21"),
        ("write a reminder for each overdue invoice", "Ann: 5.00, due 2026-10-21"),
        ("create reminders for the overdue ones", "Ann: 5.00, due 2026-10-21"),
    ],
)  # fmt: skip
def test_what_is_to_be_done_about_each_thing_found_is_kept(ask: Ask, text: str, summary: str) -> None:
    for where in ({"item": LATE}, {"inputs": (found(LATE),)}):
        output = ask("reminders", text, file="r.ics", key=f"r/{len(where)}{where.keys()}/1", **where)
        assert [i.data["summary"] for i in output.items or ()] == [summary]


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


def test_one_reminder_of_what_was_found_names_the_things_and_not_their_headline(
    ask: Ask, tmp_path: Path
) -> None:
    upstream = found(DUE, LATE, text="2 invoices are open:\n- …")
    ask("reminders", "remind me to look at them tomorrow", file="r.ics", inputs=(upstream,), key="r/t2/1")
    ask("reminders", "remind me of them tomorrow", file="r.ics", inputs=(upstream,), key="r/t3/1")
    both = "Hartley & Sons: EUR 1,250.00 for 7, due 2026-12-24; Ann: 5.00, due 2026-10-21"
    assert [str(e["SUMMARY"]) for e in entries(tmp_path)] == [f"Look at them: {both}", both]
    assert all("2 invoices are open:" in str(e["DESCRIPTION"]) for e in entries(tmp_path))


def test_a_title_lists_three_things_and_counts_the_others(ask: Ask) -> None:
    upstream = found(*(Item(name) for name in ("Ann", "Bob", "Cid", "Dan", "Eve")))
    output = ask("reminders", "remind me of them tomorrow", file="r.ics", inputs=(upstream,), key="r/t2/1")
    assert output.text.endswith(": Ann; Bob; Cid; and 2 more")


def test_a_text_without_a_list_lends_its_first_line(ask: Ask, tmp_path: Path) -> None:
    answer = Upstream(TaskId("t1"), AgentName("clerk"), Output("Sign the lease.\nBy Friday.", None))
    ask("reminders", "remind me of it tomorrow", file="r.ics", inputs=(answer,), key="r/t2/1")
    assert [str(e["SUMMARY"]) for e in entries(tmp_path)] == ["Sign the lease."]


def test_the_answers_of_many_children_are_lines_that_read_as_one_list(ask: Ask) -> None:
    first = ask("reminders", "write a reminder tomorrow", file="r.ics", item=LATE, key="r/t2.1/1")
    again = ask("reminders", "write a reminder tomorrow", file="r.ics", item=LATE, key="r/t2.1/2")
    assert first.text == "- tomorrow at 09:00: Ann: 5.00, due 2026-10-21 (written to r.ics)"
    assert again.text == first.text


def test_what_is_done_again_at_another_time_says_only_that_it_is_there(ask: Ask) -> None:
    ask("reminders", "write a reminder tomorrow", file="r.ics", item=LATE, key="r/t2.1/1")
    later = ask("reminders", "write a reminder today", file="r.ics", item=LATE, key="r/t2.1/2")
    assert later.text == "- there already: Ann: 5.00, due 2026-10-21 (in r.ics)"


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


def test_a_letter_with_a_word_that_nobody_fills_in_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"`\$name` and `\$what` are filled in; found `\$nme`"):
        ReminderOptions(file="out.mbox", letter="Dear $nme, $what")
    assert ReminderOptions(file="out.mbox", letter="Dear ${name}: $100, $$what").letter


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
