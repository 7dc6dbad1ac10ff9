"""The agent `inbox`: lists, searches and summarises the mails of an mbox file or a Maildir folder.

Law: a summary is made of the mails' own sentences; the mailbox is only read.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import ClassVar

from orchestrator.agents.builtin.answers.beyond import deed_of, only_read
from orchestrator.agents.builtin.answers.telling import asks, fresh_text, telling_sentence
from orchestrator.agents.builtin.asked import (
    has_any,
    nearest_names,
    operation_of,
    phrases_after,
    split_names,
    stems_of,
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
from orchestrator.workspace.agent_file import AgentFile


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which mails are asked for. Every part that is given must hold; of `senders` one.

    `bare` are words without a marker before them: the mailbox tells which of them are senders.
    """

    senders: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    unread: bool = False
    waiting: bool = False
    period: Period | None = None
    bare: tuple[str, ...] = ()

    def takes(self, mail: Mail) -> bool:
        """Whether the mail is asked for."""
        if self.unread and not mail.unread:
            return False
        if self.period is not None and (mail.sent is None or mail.sent.date() not in self.period):
            return False
        if self.senders and not any(_is_by(mail, sender) for sender in self.senders):
            return False
        subject = _folded((mail.subject,))
        if not _folded(self.subject) <= subject:
            return False
        return not self.about or _folded(self.about) <= subject | _folded((mail.text,))

    def among(self, mails: Sequence[Mail], *, searching: bool) -> "Wanted":
        """The same, its bare words read: those of senders' names mean these senders, and where a search has
        nothing else, the words are looked for. In small letters a word is a name only in a search.
        """
        plain = replace(self, bare=())
        said = {w for word in self.bare if searching or word[0].isupper() for w in words_of(word)}
        named = tuple(dict.fromkeys(m.sender for m in mails if said & set(words_of(m.sender))))
        if named and not self.senders:
            return replace(plain, senders=named)
        return replace(plain, about=self.bare) if searching and plain == Wanted() else plain

    def spoken(self, clock: Clock) -> str:
        """The request in words: ` from Bob or Alice about "lease"`; empty where everything is asked for."""
        parts = (
            f"from {' or '.join(self.senders)}" if self.senders else "",
            f'about "{" ".join(self.about)}"' if self.about else "",
            f'with the subject "{" ".join(self.subject)}"' if self.subject else "",
            _spoken_time(self.period, clock) if self.period else "",
            "that ask for a reply" if self.waiting else "",
        )
        return "".join(f" {p}" for p in parts if p)


def wanted_of(call: Call, words: InboxWords, clock: Clock) -> Wanted:
    """What the call asks for, from its own words; for the child of a mapped task also from its item."""
    found = find_period(call.action, clock.today, past=True)
    text = without(call.action, found.span) if found else call.action
    markers = (*words.sender, *words.about, *words.subject, *words.stop)
    names = [n for p in phrases_after(text, words.sender, markers) for n in split_names(p, words.join)]
    senders = tuple(" ".join(w) for n in names if (w := telling_words(n, words.ignore)))
    about = _search_words(text, words.about, markers, words)
    subject = _search_words(text, words.subject, markers, words)
    marked = words_of(" ".join((*senders, *about, *subject)))
    wanted = Wanted(
        senders=senders,
        about=about,
        subject=subject,
        unread=has_any(text, words.unread),
        waiting=has_any(text, words.waiting),
        period=found.period if found else None,
        bare=telling_words(text, (*words.ignore, *marked)),
    )
    return wanted if call.item is None else _of_item(wanted, call.item, words)


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


def _folded(texts: Sequence[str]) -> set[str]:
    """The words of these texts: `invoices` finds `Invoice`."""
    return set(stems_of(" ".join(texts)))


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
        operation, words = operation_of(call, TYPE), self.options.words
        if deed := deed_of(call.action, words.deeds, words.polite, words.readers):
            return Output(only_read(deed, self.place.shown), ())
        now = self.now()
        clock = Clock(now, self.options.shift(now.date()))
        wanted = wanted_of(call, self.options.words, clock)
        return await in_thread(lambda: self._answer(operation, wanted, clock))

    def _answer(self, operation: str, wanted: Wanted, clock: Clock) -> Output:
        everything = read_mails(self.place, clock)
        wanted = wanted.among(everything, searching=operation == "search")
        mails = newest_first(
            m for m in everything if wanted.takes(m) and (not wanted.waiting or self._waits(m))
        )
        items = tuple(map(_item, mails[: self.options.most]))
        said, noun = wanted.spoken(clock), "unread message" if wanted.unread else "message"
        if not mails:
            return Output(f"No {noun}s{said} in {self.place.shown}{_almost(wanted, everything)}.", items)
        if operation == "summarize":
            return Output(self._summary(mails, said, clock), items)
        lines = (f"- {_item_line(m)}" for m in mails[: self.options.most])
        head = f"{counted(len(mails), noun)}{said} in {self.place.shown}:"
        return Output("\n".join((head, *lines, *self._rest(mails))), items)

    def _summary(self, mails: Sequence[Mail], said: str, clock: Clock) -> str:
        requests = self.options.words.request
        waiting = {id(m) for m in mails if self._waits(m)}
        unread = sum(m.unread for m in mails)
        counts = f"{counted(len(mails), 'message')}{said} in {self.place.shown}, {unread} unread"
        lines = [f"{counts}, {len(waiting)} {'asks' if len(waiting) == 1 else 'ask'} for a reply."]
        for title, group in _groups(mails[: self.options.most]):
            lines += ["", f"{title}:"]
            lines += [_told(m, id(m) in waiting, requests, clock) for m in group]
        return "\n".join((*lines, *self._rest(mails)))

    def _waits(self, mail: Mail) -> bool:
        """Whether somebody waits for an answer to it."""
        return not mail.automatic and asks(fresh_text(mail.text), self.options.words.request)

    def _rest(self, mails: Sequence[Mail]) -> tuple[str, ...]:
        """What is said where more was found than is shown."""
        more = len(mails) - self.options.most
        return (f"… and {more} older; options.most sets how many are shown.",) if more > 0 else ()


def _almost(wanted: Wanted, mails: Sequence[Mail]) -> str:
    """Who is called almost like a sender that nobody is."""
    strangers = [s for s in wanted.senders if not any(_is_by(m, s) for m in mails)]
    near = dict.fromkeys(n for s in strangers for n in nearest_names(s, (m.sender for m in mails)))
    return f"; the nearest sender is {' or '.join(near)}" if near else ""


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
