"""The store fails once, at any append: the run stops with a clear error, and goes on once it is well."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from orchestrator.errors import StoreError
from orchestrator.ids import MessageId, RunId
from orchestrator.runs.events import Record
from orchestrator.runs.samples import Past
from orchestrator.runs.state import RunState
from orchestrator.testing import FakeClock, MemoryStore

from support.driving import Does, plan, task
from support.engine import Desk, restarted

DIAMOND = plan("t1 a", "t2 a: t1", "t3 a: t1", "t4 a: t2 t3")
MAPPED = plan("t1 lists", "t2 a: t1*", "t3 a: t2")


class Failing(MemoryStore):
    """Cannot write its n-th append, and can again afterwards."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at, self.appends = at, 0

    async def append(
        self,
        run: RunId,
        expected_seq: int,
        records: Sequence[Record],
        *,
        taken: Collection[MessageId] = (),
        past: Past | None = None,
    ) -> None:
        self.appends += 1
        if self.appends == self.at:
            raise StoreError("the disk is full, nothing was stored; make room and try again")
        await super().append(run, expected_seq, records, taken=taken, past=past)


def answers() -> dict[str, Does]:
    from orchestrator.agents.contract import Item, Output

    return {
        "a": Does(lambda call: f"{call.action} of {'+'.join(u.output.text for u in call.inputs)}"),
        "lists": Does(lambda _: Output("two", (Item("one"), Item("two")))),
    }


def outcome(state: RunState) -> object:
    return state.status, state.reply, {t: (s.status, s.output) for t, s in state.tasks.items()}


@pytest.mark.parametrize("made", [DIAMOND, MAPPED], ids=["diamond", "mapped"])
def test_a_run_whose_store_failed_goes_on_where_it_was(made) -> None:
    async def run() -> None:
        whole = Failing(0)
        expected = outcome(await Desk(answers(), store=whole).begun(made))
        for at in range(2, whole.appends + 1):
            desk = Desk(answers(), store=Failing(at))
            with pytest.raises(StoreError, match="the disk is full"):
                await desk.begun(made)
            (entry,) = await desk.store.runs()
            after = restarted(desk, agents=answers())
            assert outcome(await after.control.resume(entry.run)) == expected, at

    asyncio.run(run())


def test_a_clock_that_goes_back_loses_nothing() -> None:
    class Backwards(FakeClock):
        """Every look at it is an hour earlier."""

        def now(self) -> datetime:
            self.looked = getattr(self, "looked", 0) + 1
            return datetime(2026, 1, 1, tzinfo=UTC) - timedelta(hours=self.looked)

    async def run() -> None:
        desk = Desk(answers(), clock=Backwards())
        state = await desk.begun(DIAMOND)
        again = await desk.control.state(state.run)
        assert outcome(again) == outcome(state)
        assert state.status == "done"
        assert again.driven == 0.0
        assert [r.seq for r in await desk.store.read(state.run)] == list(range(1, state.seq + 1))

    asyncio.run(run())


def test_a_write_whose_end_could_not_be_stored_is_in_doubt() -> None:
    async def run() -> None:
        made = plan(task("t1 a", effects="write"))
        desk = Desk(answers(), store=Failing(4))
        with pytest.raises(StoreError):
            await desk.begun(made)
        (entry,) = await desk.store.runs()
        assert (await desk.control.resume(entry.run)).waits_for == ("answer t1",)

    asyncio.run(run())
