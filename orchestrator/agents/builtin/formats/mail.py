"""Mailboxes as values: an mbox file or a Maildir folder becomes mails a person could read.

Law: nothing is opened for writing (the standard library's mailbox classes do that, or list folders by making
them), and no mail can stop the others: what is missing or broken in one has a stand-in.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from typing import TypeAlias

from orchestrator.agents.builtin.days import Clock
from orchestrator.agents.builtin.files import Place
from orchestrator.agents.builtin.formats.html import text_of_html
from orchestrator.agents.builtin.formats.plain import one_line, speakable
from orchestrator.errors import TaskError

_Message: TypeAlias = "Message[str, str]"
_HEADER_FAULTS = (ValueError, LookupError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail. `sent` is local; None where the mail has no date that can be read."""

    sender: str
    address: str
    subject: str
    sent: datetime | None
    message_id: str
    unread: bool
    automatic: bool
    text: str


def read_mails(place: Place, clock: Clock) -> tuple[Mail, ...]:
    """All mails of an mbox file or a Maildir folder, in the order of the mailbox."""
    with place.explained():
        is_folder = place.path.is_dir()
    raw = _maildir(place) if is_folder else _mbox(place)
    return tuple(parse_mail(data, unread, clock) for data, unread in raw)


# ── the containers ──────────────────────────────────────────────────────────────────────────────────


def _mbox(place: Place) -> Iterator[tuple[bytes, bool | None]]:
    data = place.read()
    if data.strip() and not data.lstrip(b"\r\n").startswith(b"From "):
        raise TaskError(
            f"{place.shown} ({place.path}) is not a mailbox: an mbox file begins with a line 'From …', "
            f"a Maildir is a folder with cur and new; {place.remedy()}"
        )
    for raw in split_mbox(data):
        yield raw, None


def split_mbox(data: bytes) -> tuple[bytes, ...]:
    """The mails of an mbox file. A mail begins at a line `From …` that a header follows: so a sentence that
    begins with "From" does not cut a mail in two. `>From ` is text that was quoted on the way in."""
    text = data.replace(b"\r\n", b"\n").lstrip(b"\n")
    parts = re.split(rb"\AFrom [^\n]*(?:\n|\Z)|(?<=\n)From [^\n]*\n(?=[!-9;-~]+:)", text)
    return tuple(re.sub(rb"(?m)^>(>*From )", rb"\1", p) for p in parts[1:])


def _maildir(place: Place) -> Iterator[tuple[bytes, bool | None]]:
    with place.explained():
        folders = [place.path / name for name in ("cur", "new") if (place.path / name).is_dir()]
        if not folders:
            raise TaskError(
                f"{place.shown} ({place.path}) is a folder, but no Maildir: it has neither cur nor new; "
                f"{place.remedy()}"
            )
        files = sorted(f for folder in folders for f in folder.iterdir() if f.is_file())
        place.check_size(sum(f.stat().st_size for f in files))
        for file in files:
            flags = file.name.rpartition(":2,")[2] if ":2," in file.name else ""
            yield file.read_bytes(), file.parent.name == "new" or "S" not in flags


# ── one mail ────────────────────────────────────────────────────────────────────────────────────────


def parse_mail(data: bytes, unread: bool | None, clock: Clock) -> Mail:
    """The mail in these bytes. `unread` None asks the mail's own headers."""
    message = message_from_bytes(data, policy=policy.compat32)
    sender, address = _sender(message)
    return Mail(
        sender=sender,
        address=address,
        subject=_header(message, "Subject") or "(no subject)",
        sent=_sent(message, clock),
        message_id=_header(message, "Message-ID"),
        unread=_is_unread(message) if unread is None else unread,
        automatic=_is_automatic(message, address),
        text=_text(message),
    )


def _raw(message: _Message, name: str) -> str:
    try:
        return str(message.get(name, ""))
    except _HEADER_FAULTS:  # the parser keeps what it cannot read, and stumbles over it here
        return ""


def _header(message: _Message, name: str) -> str:
    return _decoded_header(_raw(message, name))


def _decoded_header(raw: str) -> str:
    """A header decoded (RFC 2047) to one line, or as it stands where its encoding is broken."""
    if "=?" not in raw:
        return one_line(raw)
    try:
        decoded = str(make_header(decode_header(raw)))
    except _HEADER_FAULTS:  # a broken base64 is a ValueError, an unknown charset a LookupError
        decoded = raw
    return one_line(decoded)


def _sender(message: _Message) -> tuple[str, str]:
    """Name and address; taken apart before decoding, since a decoded name may hold a comma."""
    raw = _raw(message, "From") or _raw(message, "Sender")
    name, address = (_decoded_header(p) for p in parseaddr(raw))
    return name or address or _decoded_header(raw) or "(unknown sender)", address


def _sent(message: _Message, clock: Clock) -> datetime | None:
    try:
        return clock.local(parsedate_to_datetime(_header(message, "Date")))
    except (*_HEADER_FAULTS, OverflowError):
        return None


def _is_unread(message: _Message) -> bool:
    """By the header of whoever wrote the mailbox: most programs, Thunderbird, Gmail's export."""
    if "X-Mozilla-Status" in message:
        status = _header(message, "X-Mozilla-Status")
        return not (re.fullmatch(r"[0-9a-fA-F]{1,8}", status) and int(status, 16) & 1)
    if "X-Gmail-Labels" in message:
        return "Unread" in re.split(r"\s*,\s*", _header(message, "X-Gmail-Labels"))
    return "R" not in _header(message, "Status")


def _is_automatic(message: _Message, address: str) -> bool:
    """Newsletters, lists and machines: nobody waits for an answer."""
    marked = any(h in message for h in ("List-Unsubscribe", "List-Id"))
    machine = _header(message, "Auto-Submitted").lower() not in ("", "no")
    bulk = _header(message, "Precedence").lower() in ("bulk", "list", "junk")
    return marked or machine or bulk or re.match(r"(?i)(no|do.?not).?reply\b", address) is not None


def _text(message: _Message) -> str:
    """The body as text: the plain version where there is one, else the HTML one."""
    parts = [p for p in message.walk() if not p.is_multipart() and not _is_attached(p)]
    plain = [_decoded(p) for p in parts if p.get_content_type() == "text/plain"]
    if any(p.strip() for p in plain):
        return speakable("\n\n".join(plain))
    return speakable(
        "\n\n".join(text_of_html(_decoded(p)) for p in parts if p.get_content_type() == "text/html")
    )


def _is_attached(part: _Message) -> bool:
    try:
        return part.get_content_disposition() == "attachment"
    except _HEADER_FAULTS:
        return False


def _decoded(part: _Message) -> str:
    try:
        payload = part.get_payload(decode=True)
        charset = part.get_content_charset("utf-8")
    except _HEADER_FAULTS:
        return ""
    data = payload if isinstance(payload, bytes) else b""
    try:
        return data.decode(charset)
    except (LookupError, ValueError):  # an unknown charset, or not what the mail says it is
        return _guessed(data)


def _guessed(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
