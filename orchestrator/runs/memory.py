"""The store that forgets: runs in this process's memory, for those nobody needs to come back to."""

from bisect import insort
from collections.abc import Collection, Sequence
from operator import itemgetter

from orchestrator.errors import Fenced, RunUnknown
from orchestrator.ids import AgentName, MessageId, RunId
from orchestrator.runs.entry import ALL, RunEntry, Wanted, entry_after
from orchestrator.runs.events import Record
from orchestrator.runs.messages import Message
from orchestrator.runs.samples import MOST, History, Past, history_of


class MemoryStore:
    """A Store in dicts. Its methods never suspend, so an append costs no turn of the event loop."""

    def __init__(self) -> None:
        self._journals: dict[RunId, list[Record]] = {}
        self._inboxes: dict[RunId, dict[MessageId, Message | None]] = {}
        self._snapshots: dict[str, bytes] = {}
        self._pasts = _Pasts()

    async def append(
        self,
        run: RunId,
        expected_seq: int,
        records: Sequence[Record],
        *,
        taken: Collection[MessageId] = (),
        past: Past | None = None,
    ) -> None:
        """See Store."""
        journal = self._journals.get(run)
        found = 0 if journal is None else len(journal)
        if found != expected_seq:
            raise Fenced(run, found, expected_seq)
        if journal is None:
            journal = self._journals[run] = []
        journal.extend(records)
        for message in taken:
            self._inboxes[run][message] = None
        if past is not None:
            self._pasts.put(run, past)

    async def park(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> bool:
        """See Store."""
        if await self.inbox(run):
            return False
        await self.append(run, expected_seq, records)
        return True

    async def read(self, run: RunId, after: int = 0) -> Sequence[Record]:
        """See Store."""
        return tuple(self._journals.get(run, ())[after:])

    async def runs(self, wanted: Wanted = ALL) -> Sequence[RunEntry]:
        """See Store."""
        entries = [entry_after(None, journal) for journal in reversed(self._journals.values())]
        return [entry for entry in entries if entry is not None and wanted.fits(entry)][: wanted.limit]

    async def history(self, agents: Collection[AgentName], most: int = MOST) -> History:
        """See Store."""
        return history_of(self._pasts.youngest(agents, most), tuple(agents), most)

    async def post(self, message: Message) -> bool:
        """See Store."""
        if not self._journals.get(message.run):
            raise RunUnknown(message.run)
        inbox = self._inboxes.setdefault(message.run, {})
        if message.id in inbox:
            return False
        inbox[message.id] = message
        return True

    async def inbox(self, run: RunId) -> Sequence[Message]:
        """See Store."""
        return [message for message in self._inboxes.get(run, {}).values() if message is not None]

    async def called(self) -> Sequence[RunId]:
        """See Store."""
        return [run for run, inbox in self._inboxes.items() if any(inbox.values())]

    async def keep(self, fingerprint: str, snapshot: bytes) -> None:
        """See Store."""
        self._snapshots.setdefault(fingerprint, snapshot)

    async def kept(self, fingerprint: str) -> bytes | None:
        """See Store."""
        return self._snapshots.get(fingerprint)

    async def delete(self, runs: Collection[RunId]) -> int:
        """See Store."""
        before = await self.runs()
        for run in runs:
            self._journals.pop(run, None)
            self._inboxes.pop(run, None)
            self._pasts.drop(run)
        after = await self.runs()
        # Only snapshots of these runs: another may be kept for a run that is about to begin.
        for name in {entry.workspace for entry in before} - {entry.workspace for entry in after}:
            self._snapshots.pop(name, None)
        return len(before) - len(after)

    async def close(self) -> None:
        """See Store."""


class _Pasts:
    """What is kept of runs that have ended, by what it is about: an agent, or None for the run as a whole."""

    def __init__(self) -> None:
        self._kept: dict[AgentName | None, dict[RunId, Past]] = {}
        self._runs: dict[AgentName | None, list[RunId]] = {}

    def put(self, run: RunId, past: Past) -> None:
        """In place of what there is of the run."""
        self.drop(run)
        parts: dict[AgentName | None, Past] = {
            agent: Past({agent: its}) for agent, its in past.samples.items()
        }
        if past.held or past.rest is not None:
            parts[None] = Past({}, past.held, past.rest)
        for about, part in parts.items():
            self._kept.setdefault(about, {})[run] = part
            insort(self._runs.setdefault(about, []), run)

    def drop(self, run: RunId) -> None:
        """Forget the run."""
        for about, kept in self._kept.items():
            if kept.pop(run, None) is not None:
                self._runs[about].remove(run)

    def youngest(self, agents: Collection[AgentName], most: int) -> list[Past]:
        """Of each agent and of whole runs so many, the youngest first by their ids."""
        found = [
            (run, self._kept[about][run])
            for about in (None, *agents)
            for run in self._runs.get(about, ())[-most:]
        ]
        return [past for _, past in sorted(found, key=itemgetter(0), reverse=True)]
