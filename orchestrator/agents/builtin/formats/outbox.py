"""Files that grow by one entry at a time: a calendar of reminders, a mailbox of drafts.

Law: a file is replaced as a whole or not at all, one writer at a time; what was in it stays byte for byte; an
entry that is there already is not written again.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from orchestrator.agents.builtin.files import Place
from orchestrator.agents.builtin.formats.ics import parse_calendars, parts_of
from orchestrator.agents.builtin.formats.replacing import alone, replace_file, sweep
from orchestrator.errors import TaskError

Named: TypeAlias = tuple[str, bytes]
"""An entry under the id by which it is found again."""


class Added(NamedTuple):
    """What became of entries, by their ids: `new` were written, `same` were there already, just so.

    An entry that is there already in another form is in neither.
    """

    new: frozenset[str]
    same: frozenset[str] = frozenset()


def add_to_calendar(place: Place, entries: Sequence[Named]) -> Added:
    """Put these entries (UID, the lines of a component) into the calendar."""
    return _grow(place, entries, _calendar_with)


def add_to_mailbox(place: Place, entries: Sequence[Named]) -> Added:
    """Put these mails (id, the mail) at the end of the mbox file."""
    return _grow(place, entries, _mailbox_with)


def _grow(
    place: Place,
    entries: Sequence[Named],
    grown: Callable[[bytes, Sequence[Named], Place], tuple[bytes, Added]],
) -> Added:
    with place.explained():
        path = place.path.resolve()  # a link stays a link: its target is replaced
        path.parent.mkdir(parents=True, exist_ok=True)
        with alone(path.parent):
            old = place.read() if path.exists() else b""
            data, added = grown(old, entries, place)
            if added.new:
                place.check_size(len(data))
                sweep(path)
                replace_file(path, data)
    return added


# ── a calendar ──────────────────────────────────────────────────────────────────────────────────────

_EMPTY = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//cuewave//reminders//EN\r\nEND:VCALENDAR\r\n"


def _calendar_with(old: bytes, entries: Sequence[Named], place: Place) -> tuple[bytes, Added]:
    """The calendar with the new entries before its last END:VCALENDAR, in its own line ends.

    What is there is read once, what is added by itself: two sound pieces are sound together.
    """
    whole = old if old.strip() else _EMPTY
    known = {str(part.get("UID", "")) for c in parse_calendars(whole, place) for part in parts_of(c)}
    new = {uid: data for uid, data in entries if uid not in known}
    there = _unstamped(whole)
    same = frozenset(uid for uid, data in entries if uid in known and _unstamped(data) in there)
    if not new:
        return whole, Added(frozenset(), same)
    end = _EMPTY.index(b"END:VCALENDAR")
    parse_calendars(_EMPTY[:end] + b"".join(new.values()) + _EMPTY[end:], place)
    ends = list(re.finditer(rb"(?im)^END:VCALENDAR[ \t]*\r?$", whole))
    if not ends:
        raise TaskError(f"{place.shown} ({place.path}) has no END:VCALENDAR line; correct the file")
    at = ends[-1].start()
    line_end = b"\r\n" if b"\r\n" in whole else b"\n"
    added = b"".join(data.replace(b"\r\n", line_end) for data in new.values())
    return whole[:at] + added + whole[at:], Added(frozenset(new), same)


def _unstamped(calendar: bytes) -> bytes:
    """What was written but for when it was written."""
    return re.sub(rb"(?im)^DTSTAMP[^\n]*\n", b"", calendar.replace(b"\r\n", b"\n"))


# ── a mailbox ───────────────────────────────────────────────────────────────────────────────────────


def _mailbox_with(old: bytes, entries: Sequence[Named], place: Place) -> tuple[bytes, Added]:
    """The mailbox with the new mails at its end, each after an empty line, `From ` in their text quoted."""
    if old.strip() and not old.lstrip(b"\r\n").startswith(b"From "):
        raise TaskError(
            f"{place.shown} ({place.path}) is not an mbox file, which begins with 'From '; {place.remedy()}"
        )
    new = {name: mail for name, mail in entries if name.encode() not in old}
    parts = [old, _gap_after(old)]
    for mail in new.values():
        head, _, body = mail.replace(b"\r\n", b"\n").partition(b"\n\n")
        quoted = re.sub(rb"(?m)^(>*From )", rb">\1", body).rstrip(b"\n")
        parts.append(b"From cuewave %s\n%s\n\n%s\n\n" % (_asctime(head), head, quoted))
    return b"".join(parts), Added(frozenset(new))


def _gap_after(old: bytes) -> bytes:
    """What is missing to an empty line."""
    if not old or old.endswith((b"\n\n", b"\n\r\n")):
        return b""
    return b"\n" if old.endswith(b"\n") else b"\n\n"


def _asctime(head: bytes) -> bytes:
    """The date of a mail as the separator line of an mbox has it."""
    import time
    from email.utils import parsedate_to_datetime

    match = re.search(rb"(?m)^Date: (.*)$", head)
    if match is None:
        raise ValueError("a mail in an outbox has a date")
    return time.asctime(parsedate_to_datetime(match[1].decode("ascii")).timetuple()).encode()
