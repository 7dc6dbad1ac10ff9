"""Mailboxes as values."""

import base64
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.builtin.days import Clock
from orchestrator.agents.builtin.files import Place
from orchestrator.agents.builtin.formats.mail import Mail, parse_mail, read_mails, split_mbox
from orchestrator.errors import TaskError

BERLIN = Clock(datetime(2026, 11, 30, 8, tzinfo=ZoneInfo("Europe/Berlin")))


def mail(raw: bytes, clock: Clock = BERLIN) -> Mail:
    return parse_mail(raw, None, clock)


def place(path: Path, limit: int = 1_000_000) -> Place:
    return Place("post", path.name, path, limit)


def test_headers_are_decoded() -> None:
    found = mail(
        b"From: =?utf-8?q?Ruiz=2C_Zo=C3=AB?= <zoe@example.org>\n"
        b"Subject: =?iso-8859-1?q?Caf=E9?= =?utf-8?b?4oCTIG5ldw==?=\n"
        b"Date: Sun, 29 Nov 2026 23:30:00 +0000\nMessage-ID: <a@example.org>\n\nHello\n"
    )
    assert (found.sender, found.address) == ("Ruiz, Zoë", "zoe@example.org")
    assert found.subject == "Café– new"
    assert found.sent == datetime(2026, 11, 30, 0, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert found.message_id == "<a@example.org>"


def test_what_is_missing_has_a_stand_in() -> None:
    found = mail(b"X-Nothing: here\n\n")
    assert (found.sender, found.subject, found.sent, found.text) == (
        "(unknown sender)",
        "(no subject)",
        None,
        "",
    )


@pytest.mark.parametrize(
    "date", [b"soon", b"Mon, 99 Nov 2026 25:00:00 +0000", b"", b"Fri, 31 Dec 9999 23:00:00 -1200"]
)
def test_a_date_that_cannot_be_read_is_none(date: bytes) -> None:
    assert mail(b"Date: " + date + b"\n\n").sent is None


def test_a_date_without_a_known_zone_is_local() -> None:
    found = mail(b"Date: Sun, 29 Nov 2026 10:00:00 -0000\n\n")
    assert found.sent == datetime(2026, 11, 29, 10, tzinfo=ZoneInfo("Europe/Berlin"))


def test_dates_are_moved_by_the_shift() -> None:
    clock = Clock(datetime(2026, 12, 24, tzinfo=UTC), timedelta(days=24))
    assert mail(b"Date: Mon, 30 Nov 2026 10:00:00 +0000\n\n", clock).sent == datetime(
        2026, 12, 24, 10, tzinfo=UTC
    )


@pytest.mark.parametrize(
    ("charset", "body", "text"),
    [
        (b"utf-8", "Grüße".encode(), "Grüße"),
        (b"iso-8859-1", "Grüße".encode("latin-1"), "Grüße"),
        (b"no-such-charset", "Grüße".encode(), "Grüße"),
        (b"utf-8", "Grüße".encode("cp1252"), "Grüße"),
        (b"us-ascii", "Grüße".encode(), "Grüße"),
    ],
)
def test_a_body_is_read_whatever_its_charset_says(charset: bytes, body: bytes, text: str) -> None:
    found = mail(
        b"Content-Type: text/plain; charset=" + charset + b"\nContent-Transfer-Encoding: 8bit\n\n" + body
    )
    assert found.text == text


def test_the_plain_part_is_preferred_and_attachments_are_left_out() -> None:
    found = mail(
        b'Content-Type: multipart/mixed; boundary="b"\n\n'
        b"--b\nContent-Type: text/html\n\n<p>as a page</p>\n"
        b"--b\nContent-Type: text/plain\n\nas text\n"
        b"--b\nContent-Type: text/plain\nContent-Disposition: attachment\n\nnot this\n--b--\n"
    )
    assert found.text == "as text"


def test_a_mail_that_is_only_html_becomes_text() -> None:
    found = mail(b"Content-Type: text/html\n\n<style>p{}</style><p>One &amp; two</p><p>three</p>")
    assert found.text == "One & two\n\nthree"


def test_broken_mime_leaves_what_can_be_read() -> None:
    found = mail(
        b'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nhalf a mail'
    )
    assert found.text == "half a mail"


@pytest.mark.parametrize(
    ("headers", "unread"),
    [
        (b"Status: RO", False),
        (b"Status: O", True),
        (b"Subject: x", True),
        (b"X-Mozilla-Status: 0001", False),
        (b"X-Mozilla-Status: 0000", True),
        (b"X-Gmail-Labels: Inbox,Unread", True),
        (b"X-Gmail-Labels: Inbox,Opened", False),
    ],
)
def test_unread_is_told_by_the_header_of_the_program_that_wrote_it(headers: bytes, unread: bool) -> None:
    assert mail(headers + b"\n\n").unread is unread


@pytest.mark.parametrize(
    ("headers", "automatic"),
    [
        (b"From: Ann <ann@example.org>", False),
        (b"From: no-reply@example.org", True),
        (b"From: Shop <donotreply@example.org>", True),
        (b"List-Unsubscribe: <mailto:x@example.org>", True),
        (b"Auto-Submitted: auto-replied", True),
        (b"Auto-Submitted: no", False),
        (b"Precedence: bulk", True),
    ],
)
def test_machines_and_lists_are_told_from_people(headers: bytes, automatic: bool) -> None:
    assert mail(headers + b"\n\n").automatic is automatic


def test_an_mbox_is_split_where_a_header_follows_and_quoted_from_lines_are_restored() -> None:
    data = (
        b"From a@example.org Mon Nov 30 08:00:00 2026\r\nSubject: one\r\n\r\nFrom here on it is easy.\r\n\r\n"
        b">From the start.\r\n\r\nFrom - Mon Nov 30 09:00:00 2026\r\nSubject: two\r\n\r\nbody\r\n"
    )
    one, two = split_mbox(data)
    assert one == b"Subject: one\n\nFrom here on it is easy.\n\nFrom the start.\n\n"
    assert two == b"Subject: two\n\nbody\n"


def test_an_empty_mailbox_has_no_mails(tmp_path: Path) -> None:
    (tmp_path / "mbox").write_bytes(b"")
    assert read_mails(place(tmp_path / "mbox"), BERLIN) == ()


def test_a_maildir_keeps_its_flags(tmp_path: Path) -> None:
    for folder in ("cur", "new", "tmp"):
        (tmp_path / "Mail" / folder).mkdir(parents=True)
    (tmp_path / "Mail/cur/1.a.host:2,S").write_bytes(b"Subject: seen\n\n")
    (tmp_path / "Mail/cur/2.a.host:2,").write_bytes(b"Subject: looked over\n\n")
    (tmp_path / "Mail/new/3.a.host").write_bytes(b"Subject: fresh\n\n")
    (tmp_path / "Mail/tmp/4.a.host").write_bytes(b"Subject: half delivered\n\n")
    found = read_mails(place(tmp_path / "Mail"), BERLIN)
    assert {m.subject: m.unread for m in found} == {"seen": False, "looked over": True, "fresh": True}


def test_a_missing_mailbox_is_named_with_its_option(tmp_path: Path) -> None:
    said = r"there is no post: looked for .*post; set options\.file of the agent 'post'"
    with pytest.raises(TaskError, match=said):
        read_mails(place(tmp_path / "post"), BERLIN)
    assert not (tmp_path / "post").exists()


def test_a_folder_that_is_no_maildir_is_said_so_and_left_alone(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="is a folder, but no Maildir: it has neither cur nor new"):
        read_mails(place(tmp_path), BERLIN)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"Dear diary", "is not a mailbox: an mbox file begins with a line 'From …'"),
        (b"From x\n" * 200_000, r"is larger than .* MiB; raise options\.max_size of the agent 'post'"),
    ],
)
def test_a_file_that_is_no_mailbox_is_said_so(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "post").write_bytes(data)
    with pytest.raises(TaskError, match=said):
        read_mails(place(tmp_path / "post"), BERLIN)


NAMES = (
    b"From", b"Subject", b"Date", b"Content-Type", b"Content-Transfer-Encoding", b"Status", b"Message-ID",
    b"Content-Disposition", b"X-Mozilla-Status", b"Precedence",
)  # fmt: skip
ODD = (
    b"multipart/mixed; boundary=b", b"text/html", b"text/plain; charset=utf-7", b"base64", b"=?utf-8?b?!?=",
    b"=?x?q?=FF?=", b"quoted-printable", b"text/plain; charset*=x''%ff", b"message/rfc822", b"<<@>>,(",
    b"uuencode",
)  # fmt: skip
HEADERS = st.sampled_from(NAMES)
VALUES = st.binary(max_size=40) | st.sampled_from(ODD)


@given(st.lists(st.tuples(HEADERS, VALUES), max_size=6), st.binary(max_size=200))
def test_no_mail_is_too_broken_to_be_shown(headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    raw = b"".join(name + b": " + value + b"\n" for name, value in headers) + b"\n" + body
    found = mail(raw)
    assert all(line.isprintable() for line in (found.sender, found.address, found.subject, found.message_id))
    assert found.sender.strip()
    assert found.subject.strip()
    assert all(c.isprintable() or c in "\n\t" for c in found.text)
    assert found.sent is None or found.sent.tzinfo is not None


@given(st.text(max_size=60))
def test_what_is_encoded_in_base64_is_read_back(text: str) -> None:
    encoded = base64.encodebytes(text.encode())
    found = mail(b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + encoded)
    assert "".join(found.text.split()) == "".join(
        "".join(c if c.isprintable() else " " for c in text).split()
    )
