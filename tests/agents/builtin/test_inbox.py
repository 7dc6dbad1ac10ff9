"""The agent `inbox`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from orchestrator.agents.contract import Item, Output
from orchestrator.errors import TaskError

Ask = Callable[..., Output]

MBOX = """\
From - Tue Nov 24 10:00:00 2026
From: Alice Moreno <alice@example.org>
Subject: Wall text
Date: Tue, 24 Nov 2026 10:00:00 +0100
Status: RO

The text is finished.

From - Fri Nov 27 10:00:00 2026
From: Bob Okafor <bob@example.org>
Subject: The van
Date: Fri, 27 Nov 2026 10:00:00 +0100
Status: RO

Can you let me know how many crates there are?

From - Sat Nov 28 10:00:00 2026
From: Shop <no-reply@example.com>
Subject: Sale
Date: Sat, 28 Nov 2026 10:00:00 +0100

Ready? Everything must go by 3 December.

From - Sun Nov 29 10:00:00 2026
From: =?utf-8?q?Zo=C3=AB?= Lind <zoe@example.org>
Subject: Lease renewal
Date: Sun, 29 Nov 2026 10:00:00 +0100
Message-ID: <lease@example.org>

The lease is ready for the van yard.

From - Sun Nov 29 11:00:00 2026
From: Old Friend <old@example.org>
Subject: No date at all

Hello from nowhere in time.

"""


@pytest.fixture
def mbox(tmp_path: Path) -> Path:
    path = tmp_path / "post.mbox"
    path.write_text(MBOX, encoding="utf-8")
    return path


def subjects(output: Output) -> list[str]:
    assert output.items is not None
    return [str(i.data["subject"]) for i in output.items]


def test_a_summary_counts_and_groups_and_tells(ask: Ask, mbox: Path) -> None:
    assert ask("inbox", "summarize my inbox", file="post.mbox").text == (
        "5 messages in post.mbox, 3 unread, 1 asks for a reply.\n"
        "\n"
        "Unread:\n"
        '- Zoë Lind, yesterday 10:00, "Lease renewal": The lease is ready for the van yard.\n'
        '- Old Friend, undated, "No date at all": Hello from nowhere in time.\n'
        "\n"
        "Read before:\n"
        '- Bob Okafor, Friday 27 November 10:00, "The van": '
        "Can you let me know how many crates there are? [asks for a reply]\n"
        '- Alice Moreno, Tuesday 24 November 10:00, "Wall text": The text is finished.\n'
        "\n"
        "Newsletters and automatic messages:\n"
        '- Shop, Saturday 28 November 10:00, "Sale": Everything must go by 3 December. [unread]'
    )


def test_a_list_is_newest_first_with_items(ask: Ask, mbox: Path) -> None:
    output = ask("inbox", "list my mail", "list", file="post.mbox")
    assert subjects(output) == ["Lease renewal", "Sale", "The van", "Wall text", "No date at all"]
    assert output.items is not None
    first = output.items[0]
    assert first.text == "2026-11-29 Zoë Lind: Lease renewal"
    assert first.data == {
        "from": "Zoë Lind",
        "address": "zoe@example.org",
        "subject": "Lease renewal",
        "date": "2026-11-29T10:00:00+01:00",
        "message_id": "<lease@example.org>",
        "unread": True,
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("emails from Bob and Alice", ["The van", "Wall text"]),
        ("mail from zoe", ["Lease renewal"]),
        ("messages from bob@example.org", ["The van"]),
        ("emails about the lease", ["Lease renewal"]),
        ("emails about the van", ["Lease renewal", "The van"]),
        ("emails about the van from Bob", ["The van"]),
        ("mails with the subject van", ["The van"]),
        ("search my inbox for crates", ["The van"]),
        ("find the lease mail", ["Lease renewal"]),
        ("mails since Friday", ["Lease renewal", "Sale", "The van"]),
        ("mails from yesterday", ["Lease renewal"]),
        ("emails from Bob last week about the van", ["The van"]),
        ("emails from Bob this week", []),
        ("unread mails since Friday", ["Lease renewal", "Sale"]),
        ("emails from the landlord", []),
        ("did Bob write to me?", ["The van"]),
        ("has zoë replied", ["Lease renewal"]),
        ("what did Bob and Alice write", ["The van", "Wall text"]),
        ("what did Zoë write about the vans", ["Lease renewal"]),
        ("emails about crate", ["The van"]),
        ("which mails need a reply", ["The van"]),
    ],
)
def test_a_search_takes_sender_words_and_days_from_the_request(
    ask: Ask, mbox: Path, text: str, found: list[str]
) -> None:
    assert subjects(ask("inbox", text, "search", file="post.mbox")) == found


@pytest.mark.parametrize("operation", ["summarize", "list", "search"])
def test_a_capital_name_narrows_without_a_word_before_it_if_it_is_a_senders(
    ask: Ask, mbox: Path, operation: str
) -> None:
    assert subjects(ask("inbox", "show Bob's emails", operation, file="post.mbox")) == ["The van"]


def test_a_small_word_that_is_part_of_a_name_does_not_narrow_a_summary(ask: Ask, mbox: Path) -> None:
    assert len(subjects(ask("inbox", "summarize my shop mail", "summarize", file="post.mbox"))) == 5


def test_where_nobody_is_called_so_the_nearest_sender_is_named(ask: Ask, mbox: Path) -> None:
    output = ask("inbox", "emails from bobb", "search", file="post.mbox")
    assert output == Output("No messages from bobb in post.mbox; the nearest sender is Bob Okafor.", ())


@pytest.mark.parametrize("operation", ["summarize", "list", "search"])
def test_a_narrower_request_narrows_every_operation(ask: Ask, mbox: Path, operation: str) -> None:
    output = ask("inbox", "my inbox, only from Bob", operation, file="post.mbox")
    assert subjects(output) == ["The van"]
    assert "1 message from Bob" in output.text


def test_the_child_of_a_mapped_task_searches_for_its_item(ask: Ask, mbox: Path) -> None:
    named = Item("Lind: EUR 20", {"name": "Lind", "amount": "20"})
    assert subjects(ask("inbox", "find the mails of each", "search", file="post.mbox", item=named)) == [
        "Lease renewal"
    ]
    worded = Item("crates")
    assert subjects(ask("inbox", "find the mails about each", "search", file="post.mbox", item=worded)) == [
        "The van"
    ]


def test_nothing_found_is_an_empty_list_that_says_what_was_looked_for(ask: Ask, mbox: Path) -> None:
    output = ask("inbox", "emails from Zorro about gold", "search", file="post.mbox")
    assert output.text == 'No messages from Zorro about "gold" in post.mbox.'
    assert output.items == ()


def test_what_is_not_shown_is_counted(ask: Ask, mbox: Path) -> None:
    output = ask("inbox", "list my mail", "list", file="post.mbox", most=2)
    assert subjects(output) == ["Lease renewal", "Sale"]
    assert output.text.startswith("5 messages")
    assert output.text.endswith("… and 3 older; options.most sets how many are shown.")


def test_the_words_of_requests_are_the_operators(ask: Ask, mbox: Path) -> None:
    german = {"sender": ["von"], "ignore": ["zeige", "mails"]}
    assert subjects(ask("inbox", "zeige mails von Bob", "list", file="post.mbox", words=german)) == [
        "The van"
    ]


def test_as_of_moves_the_dates_so_that_the_sample_is_fresh(ask: Ask, mbox: Path) -> None:
    output = ask(
        "inbox", "mails from yesterday", "list", file="post.mbox", as_of="2026-11-30", now="2031-05-07T06:00"
    )
    assert [i.text for i in output.items or ()] == ["2031-05-06 Zoë Lind: Lease renewal"]


def test_an_absolute_path_is_taken_as_it_is(ask: Ask, mbox: Path, tmp_path: Path) -> None:
    assert len(subjects(ask("inbox", "list", "list", file=str(mbox), root=tmp_path / "elsewhere"))) == 5


def test_a_tilde_is_the_home_folder(
    ask: Ask, mbox: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(mbox.parent))
    assert len(subjects(ask("inbox", "list", "list", file="~/post.mbox", root=tmp_path / "elsewhere"))) == 5


def test_an_unknown_operation_is_refused_with_the_known_ones(ask: Ask, mbox: Path) -> None:
    with pytest.raises(TaskError, match="no operation 'dance'; it has: summarize, list, search"):
        ask("inbox", "dance", "dance", file="post.mbox")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300) | st.binary(max_size=300).map(lambda b: b"From x\nSubject: " + b))
def test_any_bytes_give_an_answer_or_a_task_error_and_stay_as_they_are(
    ask: Ask, tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "fuzz.mbox"
    path.write_bytes(data)
    for operation in ("summarize", "list", "search"):
        try:
            said = ask("inbox", "the mail about x", operation, file="fuzz.mbox").text
        except TaskError as error:
            said = str(error)
        assert "fuzz.mbox" in said
    assert path.read_bytes() == data
    assert [p.name for p in tmp_path.iterdir()] == ["fuzz.mbox"]
