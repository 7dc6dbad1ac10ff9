"""What a store of journals must do. It knows records and their places, and nothing of what they mean.

Law: (run, seq) is taken once. That alone keeps two drivers of one run apart: whoever comes second is told.
The contract suite in `tests/contracts/` runs over every store.
"""

from collections.abc import Sequence
from typing import Protocol

from orchestrator.ids import RunId
from orchestrator.runs.events import Record


class Store(Protocol):
    """Append-only lists of records, one per run."""

    async def append(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> None:
        """Add the records after the first `expected_seq` of the run: all of them, durably, or none.

        Their `seq` go on from there without a gap. Raises Fenced where the run is not at `expected_seq`
        (another driver has appended), StoreError where they cannot be written.
        """
        ...

    async def read(self, run: RunId, after: int = 0) -> Sequence[Record]:
        """The run's records with a `seq` above `after`, in order; none for a run that is not known."""
        ...

    async def runs(self) -> Sequence[RunId]:
        """All runs, in the order of their first record."""
        ...
