"""The store that forgets: journals in this process's memory, for runs nobody needs to come back to."""

from collections.abc import Sequence

from orchestrator.errors import Fenced
from orchestrator.ids import RunId
from orchestrator.runs.events import Record


class MemoryStore:
    """A Store in a dict. Its methods never suspend, so an append costs no turn of the event loop."""

    def __init__(self) -> None:
        self._journals: dict[RunId, list[Record]] = {}

    async def append(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> None:
        """See Store."""
        journal = self._journals.get(run)
        if journal is None:
            journal = self._journals[run] = []
        if len(journal) != expected_seq:
            raise Fenced(
                f"run {run}: another driver has appended (the journal is at {len(journal)}, this driver at"
                f" {expected_seq}); this one stops"
            )
        journal.extend(records)

    async def read(self, run: RunId, after: int = 0) -> Sequence[Record]:
        """See Store."""
        return tuple(self._journals.get(run, ())[after:])

    async def runs(self) -> Sequence[RunId]:
        """See Store."""
        return tuple(run for run, records in self._journals.items() if records)
