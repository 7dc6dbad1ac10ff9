"""The agent `reminders`: writes what must not be forgotten into a calendar file, or as drafts into a mailbox.

Law: a reminder is made of what was asked and found, nothing else; doing the same task again under its key
writes nothing twice; nothing is written where the workspace is read-only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from orchestrator.agents.builtin.answers.remembered import (
    Subject,
    Wishes,
    asked_of,
    moment_of,
    subjects_of,
)
from orchestrator.agents.builtin.asked import operation_of
from orchestrator.agents.builtin.days import counted, spoken_day
from orchestrator.agents.builtin.files import Place, in_thread, place_of
from orchestrator.agents.builtin.formats.entries import Reminder, as_component, as_mail
from orchestrator.agents.builtin.formats.outbox import add_to_calendar, add_to_mailbox
from orchestrator.agents.builtin.formats.plain import one_line, speakable
from orchestrator.agents.builtin.types.reminders import TYPE, ReminderOptions
from orchestrator.agents.contract import Call, Item, Output, Surroundings
from orchestrator.errors import TaskError
from orchestrator.ids import Json
from orchestrator.workspace.models import AgentFile


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
        """Write the reminders the call asks for."""
        operation_of(call, TYPE)
        if not self.writable:
            raise TaskError(
                f"nothing was written: the workspace {self.root} is read-only; make your own copy with "
                f"`cuewave init DIR` and use it with `--workspace DIR`"
            )
        now = self.now()
        options = self.options
        letter = options.letter if options.format == "mbox" else None
        wishes = Wishes(options.at, options.lead, letter, options.words)
        asked = asked_of(call.action, now.date())
        subjects = subjects_of(call, asked, wishes)
        if not subjects:
            return Output("Nothing to remind of: what this depends on found nothing.", ())
        effect = call.key.rpartition("/")[0]  # of run/task/attempt: another attempt is the same effect
        reminders = tuple(
            _reminder(subject, moment_of(subject, asked, wishes, now), effect and f"{effect}#{n}", options.to)
            for n, subject in enumerate(subjects)
        )
        new = await in_thread(lambda: self._write(reminders, now))
        return self._said(reminders, new, now.date())

    def _write(self, reminders: Sequence[Reminder], now: datetime) -> frozenset[str]:
        if self.options.format == "mbox":
            return add_to_mailbox(self.place, [(r.uid, as_mail(r, self.options.sender)) for r in reminders])
        entries = [(r.uid, as_component(r, self.options.entry, now)) for r in reminders]
        return add_to_calendar(self.place, entries)

    def _said(self, reminders: Sequence[Reminder], new: frozenset[str], today: date) -> Output:
        """What was written; of what was there before, only that it is: its time may be another one."""
        count = f"Wrote {counted(len(new), 'reminder')}" if new else "Wrote nothing new"
        lines = (
            f"- {spoken_day(r.at.date(), today)} at {r.at:%H:%M}: {r.summary}"
            if r.uid in new
            else f"- there already: {r.summary}"
            for r in reminders
        )
        items = tuple(self._item(r, r.uid in new) for r in reminders)
        return Output("\n".join((f"{count} to {self.place.shown}:", *lines)), items)

    def _item(self, reminder: Reminder, is_new: bool) -> Item:
        at = reminder.at.isoformat() if is_new else None
        data: dict[str, Json] = {
            "summary": reminder.summary,
            "at": at,
            "file": self.place.shown,
            "uid": reminder.uid,
        }
        return Item(f"{reminder.at:%Y-%m-%d %H:%M} {reminder.summary}" if is_new else reminder.summary, data)


def _reminder(subject: Subject, at: datetime, effect: str, to: str) -> Reminder:
    """`effect` names the reminder for good; where there is none, its own content does."""
    summary, details = one_line(subject.summary), speakable(subject.details)
    uid = sha256((effect or f"{at.isoformat()} {summary}").encode()).hexdigest()[:32]
    return Reminder(f"{uid}@cuewave", summary, details, at, subject.address or one_line(to))


def build(agent: AgentFile, options: ReminderOptions, surroundings: Surroundings) -> Reminders:
    """The agent of a YAML file."""
    place = place_of(agent.name, options, surroundings.root)
    return Reminders(place, options, surroundings.root, surroundings.writable, surroundings.now)
