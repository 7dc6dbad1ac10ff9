"""The agent `inbox`: lists, searches and summarises the mails of an mbox file or a Maildir folder.

Law: a summary is made of the mails' own sentences; the mailbox is only read.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import ClassVar

from orchestrator.agents.builtin.answers.telling import asks, fresh_text, telling_sentence
from orchestrator.agents.builtin.asked import (
    has_any,
    operation_of,
    phrases_after,
    split_names,
    telling_words,
    without,
    words_of,
)
from orchestrator.agents.builtin.days import Clock, Period, counted, spoken_day, spoken_period
from orchestrator.agents.builtin.files import Place, in_thread, place_of
from orchestrator.agents.builtin.formats.mail import Mail, read_mails
from orchestrator.agents.builtin.types.inbox import TYPE, InboxOptions, InboxWords
from orchestrator.agents.builtin.when import find_period
from orchestrator.agents.contract import Call, Item, Output, Surroundings
from orchestrator.ids import Json
from orchestrator.workspace.models import AgentFile


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which mails are asked for. Every part that is given must hold; of `senders` one."""

    senders: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    unread: bool = False
    period: Period | None = None

    def takes(self, mail: Mail) -> bool:
        """Whether the mail is asked for."""
        if self.unread and not mail.unread:
            return False
        if self.period is not None and (mail.sent is None or mail.sent.date() not in self.period):
            return False
        if self.senders and not any(_is_by(mail, sender) for sender in self.senders):
            return False
        subject = set(words_of(mail.subject))
        if not _folded(self.subject) <= subject:
            return False
        return not self.about or _folded(self.about) <= subject | set(words_of(mail.text))

    def spoken(self, clock: Clock) -> str:
        """The request in words: ` from Bob or Alice about "lease"`; empty where everything is asked for."""
        parts = (
            f"from {' or '.join(self.senders)}" if self.senders else "",
            f'about "{" ".join(self.about)}"' if self.about else "",
            f'with the subject "{" ".join(self.subject)}"' if self.subject else "",
            _spoken_time(self.period, clock) if self.period else "",
        )
        return "".join(f" {p}" for p in parts if p)


def wanted_of(call: Call, operation: str, words: InboxWords, clock: Clock) -> Wanted:
    """What the call asks for, from its own words; for the child of a mapped task also from its item."""
    found = find_period(call.action, clock.today, past=True)
    text = without(call.action, found.span) if found else call.action
    markers = (*words.sender, *words.about, *words.subject, *words.stop)
    names = [n for p in phrases_after(text, words.sender, markers) for n in split_names(p, words.join)]
    wanted = Wanted(
        senders=tuple(" ".join(w) for n in names if (w := telling_words(n, words.ignore))),
        about=_search_words(text, words.about, markers, words),
        subject=_search_words(text, words.subject, markers, words),
        unread=has_any(text, words.unread),
        period=found.period if found else None,
    )
    if call.item is not None:
        return _of_item(wanted, call.item, words)
    if operation == "search" and wanted == Wanted():
        return replace(wanted, about=telling_words(text, words.ignore))
    return wanted


def _search_words(
    text: str, markers: Sequence[str], stops: Sequence[str], words: InboxWords
) -> tuple[str, ...]:
    return telling_words(" ".join(phrases_after(text, markers, stops)), words.ignore)


def _of_item(wanted: Wanted, item: Item, words: InboxWords) -> Wanted:
    """The person an item is about, or where it names none, its words."""
    person = next((str(item.data[k]) for k in ("name", "from", "address") if item.data.get(k)), "")
    if person:
        return replace(wanted, senders=(person,))
    return replace(wanted, about=telling_words(item.text, words.ignore))


def _folded(words: Sequence[str]) -> set[str]:
    return set(words_of(" ".join(words)))


def _is_by(mail: Mail, sender: str) -> bool:
    return set(words_of(sender)) <= {*words_of(mail.sender), *words_of(mail.address)}


def _spoken_time(period: Period, clock: Clock) -> str:
    said = spoken_period(period, clock.today)
    return f"on {said}" if said[0].isupper() else said


# ── answers ─────────────────────────────────────────────────────────────────────────────────────────


def newest_first(mails: Iterable[Mail]) -> tuple[Mail, ...]:
    """By date, the newest first; mails without a date last."""
    oldest = datetime.min.replace(tzinfo=UTC)
    return tuple(sorted(mails, key=lambda m: m.sent or oldest, reverse=True))


@dataclass(frozen=True, slots=True)
class Inbox:
    """The agent. `place` is the mailbox."""

    reads_query: ClassVar[bool] = False
    place: Place
    options: InboxOptions
    now: Callable[[], datetime]

    async def run(self, call: Call) -> Output:
        """List, search or summarise, as the call's operation says."""
        operation = operation_of(call, TYPE)
        now = self.now()
        clock = Clock(now, self.options.shift(now.date()))
        wanted = wanted_of(call, operation, self.options.words, clock)
        return await in_thread(lambda: self._answer(operation, wanted, clock))

    def _answer(self, operation: str, wanted: Wanted, clock: Clock) -> Output:
        everything = read_mails(self.place, clock)
        mails = newest_first(m for m in everything if wanted.takes(m))
        items = tuple(map(_item, mails[: self.options.most]))
        said, noun = wanted.spoken(clock), "unread message" if wanted.unread else "message"
        if not mails:
            return Output(f"No {noun}s{said} in {self.place.shown}.", items)
        if operation == "summarize":
            return Output(self._summary(mails, said, clock), items)
        lines = (f"- {_item_line(m)}" for m in mails[: self.options.most])
        head = f"{counted(len(mails), noun)}{said} in {self.place.shown}:"
        return Output("\n".join((head, *lines, *self._rest(mails))), items)

    def _summary(self, mails: Sequence[Mail], said: str, clock: Clock) -> str:
        requests = self.options.words.request
        waiting = {id(m) for m in mails if not m.automatic and asks(fresh_text(m.text), requests)}
        unread = sum(m.unread for m in mails)
        counts = f"{counted(len(mails), 'message')}{said} in {self.place.shown}, {unread} unread"
        lines = [f"{counts}, {len(waiting)} {'asks' if len(waiting) == 1 else 'ask'} for a reply."]
        for title, group in _groups(mails[: self.options.most]):
            lines += ["", f"{title}:"]
            lines += [_told(m, id(m) in waiting, requests, clock) for m in group]
        return "\n".join((*lines, *self._rest(mails)))

    def _rest(self, mails: Sequence[Mail]) -> tuple[str, ...]:
        """What is said where more was found than is shown."""
        more = len(mails) - self.options.most
        return (f"… and {more} older; options.most sets how many are shown.",) if more > 0 else ()


def _groups(mails: Sequence[Mail]) -> tuple[tuple[str, tuple[Mail, ...]], ...]:
    """Unread before read, people before machines; no empty group."""
    groups = (
        ("Unread", tuple(m for m in mails if m.unread and not m.automatic)),
        ("Read before", tuple(m for m in mails if not m.unread and not m.automatic)),
        ("Newsletters and automatic messages", tuple(m for m in mails if m.automatic)),
    )
    return tuple((title, group) for title, group in groups if group)


def _told(mail: Mail, waits: bool, requests: Sequence[str], clock: Clock) -> str:
    """One mail in a line: who, when, subject, the telling sentence."""
    when = f"{spoken_day(mail.sent.date(), clock.today)} {mail.sent:%H:%M}" if mail.sent else "undated"
    sentence = telling_sentence(mail.text, requests, clock.today)
    notes = ("unread" if mail.unread and mail.automatic else "", "asks for a reply" if waits else "")
    marks = [note for note in notes if note]
    tail = f" [{', '.join(marks)}]" if marks else ""
    return f'- {mail.sender}, {when}, "{mail.subject}"{": " if sentence else ""}{sentence}{tail}'


def _item_line(mail: Mail) -> str:
    return _item(mail).text + (" (unread)" if mail.unread else "")


def _item(mail: Mail) -> Item:
    day = mail.sent.date().isoformat() if mail.sent else "undated"
    data: dict[str, Json] = {
        "from": mail.sender,
        "address": mail.address,
        "subject": mail.subject,
        "date": mail.sent.isoformat() if mail.sent else None,
        "message_id": mail.message_id,
        "unread": mail.unread,
    }
    return Item(f"{day} {mail.sender}: {mail.subject}", data)


def build(agent: AgentFile, options: InboxOptions, surroundings: Surroundings) -> Inbox:
    """The agent of a YAML file."""
    return Inbox(place_of(agent.name, options, surroundings.root), options, surroundings.now)
