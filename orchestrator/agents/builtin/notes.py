"""The agent `notes`: finds, adds to and writes Markdown notes in a folder.

Laws: an agent that may only read only searches; doing the same task again under its key writes nothing twice;
no text that stands in a note is lost without a word; what was found by another task is written down as it
is, as items of a list.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from string import Template
from typing import ClassVar

from orchestrator.agents.builtin.answers.content import NOTHING_SAID, body_of, content_of
from orchestrator.agents.builtin.answers.noted import Jotting, Writing, jotting_of, meant_by, writing_of
from orchestrator.agents.builtin.answers.reported import added, replaced, told_by, wrote
from orchestrator.agents.builtin.asked import operation_of
from orchestrator.agents.builtin.files import cuttably, in_thread, path_of, read_only
from orchestrator.agents.builtin.formats import markdown
from orchestrator.agents.builtin.formats.naming import same_name
from orchestrator.agents.builtin.formats.shelf import Shelf
from orchestrator.agents.builtin.formats.upkeep import Upkeep, kept_in
from orchestrator.agents.builtin.lookup import looked_up
from orchestrator.agents.builtin.types.notes import TYPE, NoteOptions
from orchestrator.agents.contract import Call, Output, Surroundings, Verdict
from orchestrator.errors import TaskError
from orchestrator.workspace.agent_file import AgentFile

_NOT_UNDERSTOOD = (
    "it is not understood which note is meant, so nothing was written; say for example "
    '"write a note called Trade fair: bring the easels", or '
    '"replace the section Budget of the note Trade fair with: 600 EUR"'
)
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Notes:
    """The agent. `obstacle` says why it must not write; empty where it may."""

    reads_query: ClassVar[bool] = False
    shelf: Shelf
    options: NoteOptions
    obstacle: str
    now: Callable[[], datetime]

    async def run(self, call: Call) -> Output:
        """Search, add or write, as the call's operation says."""
        operation, meant = operation_of(call, TYPE), meant_by(call.action, self.options.words)
        if operation == "search" or meant == "answer":
            return await in_thread(lambda: looked_up(call, self.shelf, self.options))
        if meant == "nothing":
            return Output("Nothing was written, as you asked.", ())
        if meant == "take away":
            return Output(f"Nothing was changed: nothing is taken away from {self.shelf.shown} here.", ())
        if self.obstacle:
            raise TaskError(self.obstacle)
        write = self._append if operation == "append" else self._write
        return await cuttably(lambda given_up: write(call, Upkeep(self.shelf, given_up)))

    async def verify(self, key: str) -> Verdict:
        """See Agent: the mark of an effect is in the note that it came about in."""
        return await cuttably(lambda given_up: self._verdict(key, Upkeep(self.shelf, given_up)))

    def _verdict(self, key: str, upkeep: Upkeep) -> Verdict:
        if self.obstacle or not self.shelf.root.is_dir():
            return Verdict(happened=False)
        with upkeep.alone():  # an attempt that was cut off has the lock, or will see that it was given up
            done = self._done(_mark_of(key), upkeep, in_a_line="[" in key)
        return Verdict(done is not None, done)

    def _done(self, mark: str, upkeep: Upkeep, *, in_a_line: bool) -> Output | None:
        """What came about under the mark, as it was told; None where nothing did."""
        holding = upkeep.holding(mark, self.shelf.listing().names) if mark else None
        if holding is None:
            return None
        name, text = holding
        note, stem = markdown.read_note(name, text), name.rpartition(".")[0]
        kept = kept_in(self.shelf, f"{stem}.{{}}.md")
        return told_by(self._file(name), note, mark, kept, in_a_line=in_a_line)

    # ── adding ──────────────────────────────────────────────────────────────────────────────────────

    def _append(self, call: Call, upkeep: Upkeep) -> Output:
        jotting = jotting_of(call.action, self.options.words)
        text, things = content_of(call, jotting)
        if not text:
            return Output("Nothing was added: what this depends on found nothing.", ())
        mark, in_a_line = _mark_of(call.key), call.item is not None
        entry = markdown.entry_of(text, things, mark)
        with upkeep.alone():
            done = self._done(mark, upkeep, in_a_line=in_a_line)
            if done is not None:
                return done
            name = self._put(jotting, entry, upkeep)
        shown = entry.removesuffix(f"\n  <!-- {mark} -->")
        return added(self._file(name), shown, in_a_line=in_a_line)

    def _put(self, jotting: Jotting, entry: str, upkeep: Upkeep) -> str:
        """Put the entry at the end of its note, which is made where there is none; the note's name."""
        today = Template(self.options.today).safe_substitute(date=self.now().date().isoformat())
        said = jotting.note or today
        for _ in range(_TRIES):  # it may come about meanwhile
            name = self.shelf.called(said, self.shelf.listing())
            if name is not None:
                upkeep.change(name, lambda text: markdown.with_entry(text, entry))
                return name
            if not self.options.create:
                raise TaskError(
                    f"there is no note {said!r} in {self.shelf.shown}, and none is made (options.create); "
                    "nothing was written"
                )
            name = upkeep.new_name(said)
            title = _title(said) if jotting.note else f"{self.now():%A} {self.now().day} {self.now():%B %Y}"
            if upkeep.create(name, markdown.with_entry(f"# {title}\n\n", entry)):
                return name
        raise TaskError(f"no note {said!r} can be made: something else has its name; nothing was written")

    # ── writing ─────────────────────────────────────────────────────────────────────────────────────

    def _write(self, call: Call, upkeep: Upkeep) -> Output:
        writing = writing_of(call.action, self.options.words)
        if writing is None:
            raise TaskError(_NOT_UNDERSTOOD)
        body = writing.text or body_of(call)
        if writing.section and not body:
            raise TaskError(NOTHING_SAID)
        mark = _mark_of(call.key)
        with upkeep.alone():
            done = self._done(mark, upkeep, in_a_line=False)
            if done is not None:
                return done
            name = self.shelf.called(writing.note, self.shelf.listing())
            if writing.section:
                return self._replace(name, writing, body, mark, upkeep)
            return self._make(name, writing, body, mark, upkeep)

    def _make(self, there: str | None, writing: Writing, body: str, mark: str, upkeep: Upkeep) -> Output:
        name, title = there or upkeep.new_name(writing.note), _title(writing.note)
        text = markdown.new_note(title, body, mark and f"{mark}:note")
        if there or not upkeep.create(name, text):
            raise TaskError(
                f"there is a note {writing.note!r} already: {self._file(name)}; nothing was written; say "
                f'"add … to the note {writing.note}", or another name'
            )
        return wrote(self._file(name), title)

    def _replace(self, name: str | None, writing: Writing, body: str, mark: str, upkeep: Upkeep) -> Output:
        """Put another text into a section. The old one is kept first, then the note is written."""
        if name is None:
            raise TaskError(f"there is no note {writing.note!r} in {self.shelf.shown}; nothing was written")
        heading = kept = ""

        def changed(text: str) -> str:
            nonlocal heading, kept
            note = markdown.read_note(name, text)
            section = _section_of(note, writing.section)
            span = markdown.extent(note, section)
            old, heading = text[slice(*span)], section.heading
            digest = sha256(old.encode()).hexdigest()[:12] if old.strip() else ""
            kept = upkeep.keep(f"{name.rpartition('.')[0]}.{digest}.md", old) if digest else ""
            own = ":".join(filter(None, (mark, "section", digest))) if mark else ""
            return markdown.with_section(text, span, body, own)

        upkeep.change(name, changed)
        return replaced(self._file(name), heading, kept)

    def _file(self, name: str) -> str:
        return f"{self.shelf.shown.rstrip('/')}/{name}"


def _section_of(note: markdown.Note, said: str) -> markdown.Section:
    """The section with that heading. Raises TaskError where there is none, or several are."""
    headings = [s for s in note.sections if s.heading]
    same = [s for s in headings if same_name(s.heading) == same_name(said)]
    if len(same) == 1:
        return same[0]
    known = ", ".join(s.heading for s in headings) or "none"
    how_many = "has several sections" if same else "has no section"
    raise TaskError(f"{note.name} {how_many} {said!r}; it has: {known}; nothing was written")


def _title(said: str) -> str:
    """The title of a new note of this name."""
    last = said.rpartition("/")[2]
    return last[:1].upper() + last[1:]


def _mark_of(key: str) -> str:
    """Of run/task/attempt: another attempt is the same effect."""
    return markdown.mark_of(key.rpartition("/")[0])


def build(agent: AgentFile, options: NoteOptions, surroundings: Surroundings) -> Notes:
    """The agent of a YAML file."""
    root = path_of(options.folder, surroundings.root)
    shelf = Shelf(agent.name, options.folder, root, options.max_size, options.max_notes)
    obstacle = "" if surroundings.writable else read_only(surroundings.root)
    if agent.effects != "write":
        obstacle = (
            f"nothing was written: the agent {agent.name!r} only reads; declare `effects: write` for it"
        )
    return Notes(shelf, options, obstacle, surroundings.now)
