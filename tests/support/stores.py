"""Stores that are slow when a test wants them to be."""

import asyncio
from collections.abc import Collection, Sequence

from orchestrator.ids import MessageId, RunId
from orchestrator.runs.events import Record
from orchestrator.runs.samples import Past
from orchestrator.testing import MemoryStore


class SlowStore(MemoryStore):
    """Writes when it is let; `writes` are the sizes of its writes."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[int] = []
        self.let = asyncio.Event()

    async def append(
        self,
        run: RunId,
        expected_seq: int,
        records: Sequence[Record],
        *,
        taken: Collection[MessageId] = (),
        past: Past | None = None,
    ) -> None:
        self.writes.append(len(records))
        await self.let.wait()
        await super().append(run, expected_seq, records, taken=taken, past=past)
