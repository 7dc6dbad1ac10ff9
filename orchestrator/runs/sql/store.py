"""The store over a SQL database: what it is asked becomes work for its writer."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from orchestrator.ids import AgentName, MessageId, RunId
from orchestrator.runs.entry import ALL, RunEntry, Wanted
from orchestrator.runs.events import Record
from orchestrator.runs.messages import Message
from orchestrator.runs.samples import MOST, History, Past
from orchestrator.runs.sql import queries
from orchestrator.runs.sql.database import Database
from orchestrator.runs.sql.group import append_of
from orchestrator.runs.sql.history import history
from orchestrator.runs.sql.texts import packed
from orchestrator.runs.sql.writer import Writer


class SqlStore:
    """A Store that sees the runs of one tenant. `connect` opens a database whose tables are there."""

    def __init__(self, connect: Callable[[], Database], tenant: str = "") -> None:
        self._tenant = packed(tenant)
        self._writer = Writer(connect, self._tenant)

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
        await self._writer.append(append_of(self._tenant, run, expected_seq, records, taken=taken, past=past))

    async def park(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> bool:
        """See Store."""
        return await self._writer.append(append_of(self._tenant, run, expected_seq, records, parks=True))

    async def read(self, run: RunId, after: int = 0) -> Sequence[Record]:
        """See Store."""
        return await self._writer.ask(partial(queries.read, tenant=self._tenant, run=run, after=after))

    async def runs(self, wanted: Wanted = ALL) -> Sequence[RunEntry]:
        """See Store."""
        return await self._writer.ask(partial(queries.runs, tenant=self._tenant, wanted=wanted))

    async def history(self, agents: Collection[AgentName], most: int = MOST) -> History:
        """See Store."""
        return await self._writer.ask(partial(history, tenant=self._tenant, agents=tuple(agents), most=most))

    async def post(self, message: Message) -> bool:
        """See Store."""
        return await self._writer.ask(partial(queries.post, tenant=self._tenant, message=message))

    async def inbox(self, run: RunId) -> Sequence[Message]:
        """See Store."""
        return await self._writer.ask(partial(queries.inbox, tenant=self._tenant, run=run))

    async def called(self) -> Sequence[RunId]:
        """See Store."""
        return await self._writer.ask(partial(queries.called, tenant=self._tenant))

    async def keep(self, fingerprint: str, snapshot: bytes) -> None:
        """See Store."""
        work = partial(queries.keep, tenant=self._tenant, fingerprint=fingerprint, snapshot=snapshot)
        await self._writer.ask(work)

    async def kept(self, fingerprint: str) -> bytes | None:
        """See Store."""
        return await self._writer.ask(partial(queries.kept, tenant=self._tenant, fingerprint=fingerprint))

    async def delete(self, runs: Collection[RunId]) -> int:
        """See Store."""
        return await self._writer.ask(partial(queries.delete, tenant=self._tenant, runs=tuple(runs)))

    async def close(self) -> None:
        """See Store."""
        await self._writer.close()
