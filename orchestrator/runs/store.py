"""What a store of runs must do. It knows records, messages and their places, and nothing of what they mean.

Laws: (run, seq) is taken once. That alone keeps two drivers of one run apart: whoever comes second is told.
What has been said to a run is in its inbox until a driver takes it in, and a run with something in its inbox
is not parked: between them, no wake-up is lost. The contract suite in `tests/contracts/` runs over all.
"""

from collections.abc import Collection, Sequence
from typing import Protocol

from orchestrator.ids import AgentName, MessageId, RunId
from orchestrator.runs.entry import ALL, RunEntry, Wanted
from orchestrator.runs.events import Record
from orchestrator.runs.messages import Message
from orchestrator.runs.samples import MOST, History, Past


class Store(Protocol):
    """Journals (append-only lists of records, one per run), their inboxes, and snapshots of workspaces.

    All methods raise StoreError where the store cannot be read or written; nothing is then half done.
    """

    async def append(
        self,
        run: RunId,
        expected_seq: int,
        records: Sequence[Record],
        *,
        taken: Collection[MessageId] = (),
        past: Past | None = None,
    ) -> None:
        """Add the records after the first `expected_seq` of the run: all of them, durably, or none.

        Their `seq` go on from there without a gap. The messages `taken` leave the inbox in the same step, and
        `past`, where the records end the run, goes into the history, in place of what it has of the same run.
        Raises Fenced where the run is not at `expected_seq` (another driver has appended).
        """
        ...

    async def park(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> bool:
        """The same as `append`, unless there is a message in the inbox: then False, and nothing is done.

        Whoever posts a message afterwards sees the run parked.
        """
        ...

    async def read(self, run: RunId, after: int = 0) -> Sequence[Record]:
        """The run's records with a `seq` above `after`, in order; none for a run that is not known.

        Raises StoreError where there is a gap in what was stored, or a record that cannot be read.
        """
        ...

    async def runs(self, wanted: Wanted = ALL) -> Sequence[RunEntry]:
        """The runs that fit, the youngest first."""
        ...

    async def history(self, agents: Collection[AgentName], most: int = MOST) -> History:
        """What earlier tasks of these agents took, and whether estimates held; `most` of each at most.

        The youngest runs by their ids first. It costs the same however many runs there are.
        """
        ...

    async def post(self, message: Message) -> bool:
        """Put a message into the inbox of its run; False where one with its id was posted before, ever.

        Raises RunUnknown.
        """
        ...

    async def inbox(self, run: RunId) -> Sequence[Message]:
        """The messages that nobody has taken, in the order in which they came."""
        ...

    async def called(self) -> Sequence[RunId]:
        """The runs with something in their inbox."""
        ...

    async def keep(self, fingerprint: str, snapshot: bytes) -> None:
        """Keep the snapshot of a workspace under its fingerprint, if it is not there yet."""
        ...

    async def kept(self, fingerprint: str) -> bytes | None:
        """The snapshot; None where there is none."""
        ...

    async def delete(self, runs: Collection[RunId]) -> int:
        """Forget these runs, their inboxes, their past, and snapshots that no other run was begun with.

        How many runs they were.
        """
        ...

    async def close(self) -> None:
        """Finish what is being written and let go of everything; then nothing may be asked of it."""
        ...
