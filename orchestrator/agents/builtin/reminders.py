"""The agent `reminders`: writes what must not be forgotten into a calendar file, or as drafts into a mailbox.

Law: a reminder is made of what was asked and found, nothing else; doing the same task again under its key
writes nothing twice; nothing is written where the workspace is read-only, or where something else is asked
for than a reminder.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from orchestrator.agents.builtin.answers.remembered import Subject, subjects_of
from orchestrator.agents.builtin.answers.requested import Asked, asked_of
from orchestrator.agents.builtin.answers.ringing import Defaults, moment_of
from orchestrator.agents.builtin.answers.unwritten import meant_by, occurs
from orchestrator.agents.builtin.asked import operation_of
from orchestrator.agents.builtin.days import Clock, counted, spoken_day
from orchestrator.agents.builtin.files import Place, in_thread, place_of, read_only
from orchestrator.agents.builtin.formats.entries import Reminder, as_component, as_mail
from orchestrator.agents.builtin.formats.ics import read_happenings
from orchestrator.agents.builtin.formats.outbox import Added, add_to_calendar, add_to_mailbox
from orchestrator.agents.builtin.formats.plain import one_line, speakable
from orchestrator.agents.builtin.types.reminders import TYPE, ReminderOptions
from orchestrator.agents.contract import Call, Item, Output, Surroundings
from orchestrator.errors import TaskError
from orchestrator.ids import Json
from orchestrator.workspace.agent_file import AgentFile

_AHEAD = timedelta(days=366)
"""How far ahead reminders are listed."""
_MOST = 50
"""Most reminders, and most complaints, that an answer names."""


@dataclass(frozen=True, slots=True)
class Reminders:
    """The agent. `place` is the file that is written."""

    reads_query: ClassVar[bool] = False
    place: Place
    options: ReminderOptions
    root: Path
    writable: bool
    now: Callable[[], datetime]

    async def run(self, call: Call) -> Output:
        """Write the reminders the call asks for, or say what was asked instead."""
        operation = operation_of(call, TYPE)
        meant = meant_by(call.action, self.options.words)
        if meant == "nothing":
            return Output("No reminder was written, as you asked; nothing else was done for this.", ())
        if meant == "alter":
            where = f"{self.place.shown} ({self.place.path})"
            return Output(f"Nothing was changed: reminders are only written; change them in {where}.", ())
        if operation == "list" or meant == "list":
            return await in_thread(lambda: self._answered(call.action))
        return await self._remind(call)

    async def _remind(self, call: Call) -> Output:
        if not self.writable:
            raise TaskError(read_only(self.root))
        now = self.now()
        options = self.options
        asked = asked_of(call.action, now.date(), options.words)
        letter = options.letter if options.format == "mbox" else None
        if asked.repeat is not None and letter is not None:
            raise TaskError(
                f"a reminder for {asked.repeat.said} cannot be a draft in a mailbox, so nothing was written; "
                f"ask for one day, or set options.format to ics"
            )
        subjects = subjects_of(call, asked, letter, options.words)
        if not subjects:
            return Output("Nothing to remind of: what this depends on found nothing.", ())
        effect = call.key.rpartition("/")[0]  # of run/task/attempt: another attempt is the same effect
        defaults = Defaults(options.at, options.lead)
        reminders = tuple(
            _reminder(
                s, moment_of(s.due, asked, defaults, now), asked, effect and f"{effect}#{n}", options.to
            )
            for n, s in enumerate(subjects)
        )
        added = await in_thread(lambda: self._write(reminders, now))
        # Under a key, what is there just so was written by this very task before it was cut off.
        new = added.new | added.same if effect else added.new
        said = self._said(reminders, asked, new, now.date())
        return said if call.item is None else self._in_a_line(said, bool(new))

    def _answered(self, action: str) -> Output:
        """The reminders to come, where the question is for them and the file can be read."""
        file, clock = self.place.shown, Clock(self.now())
        if not occurs(action, self.options.words.name):
            return Output("That is a question, and reminders are only written: nothing was written.", ())
        if self.options.format == "mbox" or self.options.entry == "todo":
            return Output(f"Nothing was written. The reminders are in {file} ({self.place.path}).", ())
        if not self.place.path.exists():
            return Output(f"There are no reminders yet: {file} is made with the first one.", ())
        found = read_happenings(self.place, clock.today, clock.today + _AHEAD, clock)
        next_of = {o.uid: o for o in reversed(found.held) if o.start >= clock.now}  # of a series, the next
        coming = sorted(next_of.values())
        lines = [f"{counted(len(coming), 'reminder')} in {file} in the next {_AHEAD.days} days."]
        lines += [_line(o.title, o.start, clock.today) for o in coming[:_MOST]]
        lines += [f"… and {len(coming) - _MOST} more."] if len(coming) > _MOST else []
        lines += [f"Note: {note}." for note in found.notes[:_MOST]]
        items = tuple(
            Item(f"{o.start:%Y-%m-%d %H:%M} {o.title}", {"summary": o.title, "start": o.start.isoformat()})
            for o in coming[:_MOST]
        )
        return Output("\n".join(lines), items)

    def _write(self, reminders: Sequence[Reminder], now: datetime) -> Added:
        if self.options.format == "mbox":
            return add_to_mailbox(self.place, [(r.uid, as_mail(r, self.options.sender)) for r in reminders])
        entries = [(r.uid, as_component(r, self.options.entry, now)) for r in reminders]
        return add_to_calendar(self.place, entries)

    def _said(self, reminders: Sequence[Reminder], asked: Asked, new: frozenset[str], today: date) -> Output:
        """What was written; of what was there before, only that it is: its time may be another one."""
        count = f"Wrote {counted(len(new), 'reminder')}" if new else "Wrote nothing new"
        every = f"{asked.repeat.said} from " if asked.repeat else ""
        lines = (
            _line(r.summary, r.at, today, every) if r.uid in new else f"- there already: {r.summary}"
            for r in reminders
        )
        items = tuple(self._item(r, r.uid in new) for r in reminders)
        return Output("\n".join((f"{count} to {self.place.shown}:", *lines)), items)

    def _in_a_line(self, said: Output, is_new: bool) -> Output:
        """The answer of one of many: a line that can stand among those of the others."""
        written = "written to" if is_new else "in"
        return replace(said, text=f"{said.text.splitlines()[-1]} ({written} {self.place.shown})")

    def _item(self, reminder: Reminder, is_new: bool) -> Item:
        at = reminder.at.isoformat() if is_new else None
        data: dict[str, Json] = {
            "summary": reminder.summary,
            "at": at,
            "file": self.place.shown,
            "uid": reminder.uid,
        }
        return Item(f"{reminder.at:%Y-%m-%d %H:%M} {reminder.summary}" if is_new else reminder.summary, data)


def _line(summary: str, at: datetime, today: date, every: str = "") -> str:
    return f"- {every}{spoken_day(at.date(), today)} at {at:%H:%M}: {summary}"


def _reminder(subject: Subject, at: datetime, asked: Asked, effect: str, to: str) -> Reminder:
    """`effect` names the reminder for good; where there is none, its own content does."""
    summary, details = one_line(subject.summary), speakable(subject.details)
    rule = asked.repeat.rule(at.date()) if asked.repeat else {}
    uid = sha256((effect or f"{at.isoformat()} {summary} {rule or ''}".rstrip()).encode()).hexdigest()[:32]
    return Reminder(f"{uid}@cuewave", summary, details, at, subject.address or one_line(to), rule)


def build(agent: AgentFile, options: ReminderOptions, surroundings: Surroundings) -> Reminders:
    """The agent of a YAML file."""
    place = place_of(agent.name, options, surroundings.root)
    return Reminders(place, options, surroundings.root, surroundings.writable, surroundings.now)
