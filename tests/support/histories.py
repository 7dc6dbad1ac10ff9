"""Runs that the real engine has driven through whatever can befall one, as their stores have them afterwards.

Agents answer, fail, get no answer or find lists; drivers die at any append; people approve, answer, signal,
cancel and press Ctrl-C at any time; budgets run out. All of it comes from one number.
"""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from orchestrator.agents.contract import Call, Item, Output, Usage, Verdict
from orchestrator.control import approval_of_plan
from orchestrator.errors import MessageObjected, StoreError, TaskError, UserError
from orchestrator.execution.settings import Budgets, Settings, Spending
from orchestrator.ids import AgentName, MessageId, RunId, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import ApprovalAsked, Event, PlanMade, Record
from orchestrator.runs.identity import plan_hash
from orchestrator.runs.messages import (
    CancelAsked,
    DoubtAnswered,
    FeedbackGiven,
    Message,
    PlanRejected,
    ReviewCleared,
    Said,
    SignalReceived,
)
from orchestrator.runs.samples import Past
from orchestrator.runs.state import RunState
from orchestrator.testing import MemoryStore

from support.driving import limits_with, plan, settings_with, task
from support.engine import MOST, Desk

NAMES = ("a", "b", "c")
ROUNDS = 12
STEPS = 40


class Mortal(MemoryStore):
    """A store whose driver dies at one of its next appends."""

    def __init__(self) -> None:
        super().__init__()
        self.appends_left: int | None = None

    async def append(
        self,
        run: RunId,
        expected_seq: int,
        records: Sequence[Record],
        *,
        taken: Collection[MessageId] = (),
        past: Past | None = None,
    ) -> None:
        if self.appends_left is not None:
            if not self.appends_left:
                raise StoreError("the process is dead")
            self.appends_left -= 1
        await super().append(run, expected_seq, records, taken=taken, past=past)


@dataclass
class Agent:
    """Does what chance will have it do."""

    life: "Life"

    async def run(self, call: Call) -> Output:
        chance = self.life.chance
        for _ in range(chance.randrange(3)):
            await asyncio.sleep(0)
        self.life.befall(call)
        if chance.randrange(4) == 0:
            call.purse.begin_call()
            call.purse.spend(Usage(0, 3, 4))
        await self._trouble(chance.randrange(12))
        if chance.randrange(7) == 0:
            return Output("", usage=Usage(1, 2, 3))
        if chance.randrange(3) == 0:
            return Output("a list", tuple(Item(f"item {n}", {"n": n}) for n in range(chance.randrange(4))))
        return Output(f"{call.action} for {call.key.partition('/')[2]}", usage=Usage(0, 1, 1))

    async def _trouble(self, kind: int) -> None:
        match kind:
            case 0:
                raise TaskError("bad")
            case 1:
                raise TaskError("busy", passing=True)
            case 2:
                raise ConnectionError("lost")
            case 3:
                await asyncio.Event().wait()
            case 4:
                self.life.desk.clock.advance(1000)
                await asyncio.sleep(0)
            case _:
                pass


@dataclass
class Telling(Agent):
    """The same, and can sometimes tell what came of it."""

    async def verify(self, key: str) -> Verdict:
        happened = self.life.chance.choice([None, True, False])
        return Verdict(happened, Output("it did") if happened and self.life.chance.randrange(2) else None)


@dataclass
class Life:
    """One run, from its beginning on."""

    chance: Random
    store: Mortal = field(default_factory=Mortal)
    messages: int = 0
    driving: "asyncio.Task[Any] | None" = None

    def __post_init__(self) -> None:
        self.doomed = self.maybe(1)
        agents = {name: self.chance.choice([Agent, Telling])(self) for name in NAMES}
        self.desk = Desk(
            agents, store=self.store, settings=self._settings(), revise=self._revise, crash_limit=3
        )

    def maybe(self, times_in_ten: int = 5) -> bool:
        return self.chance.randrange(10) < times_in_ten

    async def live(self) -> Sequence[Record]:
        """All records of the run, in the end."""
        await self._try(self.desk.begun(self._plan(), ask=self.maybe(3)))
        (run,) = [entry.run for entry in await self.store.runs()]
        for _ in range(ROUNDS):
            state = await self.desk.control.state(run)
            if state.ended is not None and not (state.status == "cancelled" and self.maybe(3)):
                break
            await self._try(self._round(state))
        return await self.store.read(run)

    def befall(self, call: Call) -> None:
        """What happens while an agent is at work: somebody speaks, or has enough."""
        if self.maybe(1) and self.driving is not None:
            if self.maybe(3):
                self.driving.cancel()
                return
            run = RunId(call.key.partition("/")[0])
            self._put(run, self.chance.choice(self._sayings(TaskId(call.key.split("/")[1]))))

    async def _round(self, state: RunState) -> None:
        """Somebody speaks, or takes the run up."""
        waits = state.waits_for
        if "approval" in waits and self.maybe(8):
            await self.desk.control.tell(state.run, self._word(state))
        elif "review" in waits:
            await self.desk.control.tell(state.run, ReviewCleared("ann"))
        elif state.doubts and waits and self.maybe(9):
            doubt = self.chance.choice(state.doubts)
            await self.desk.control.tell(state.run, DoubtAnswered("ann", doubt, self.maybe(), "it is"))
        else:
            await self.desk.control.resume(state.run, yes="bob" if self.maybe() else "")

    async def _try(self, doing: Any) -> None:
        """Do it in a process that may die, and that somebody may stop."""
        dies = self.maybe(9 if self.doomed else 3)
        self.store.appends_left = self.chance.randrange(1, 3 if self.doomed else 12) if dies else None
        before = len(await self.store.runs())
        if not before and self.store.appends_left is not None:
            self.store.appends_left += 1  # a run that was never begun is none
        self.driving = asyncio.create_task(doing)
        while not self.driving.done():
            for _ in range(STEPS):
                await asyncio.sleep(0)
            self.desk.clock.advance(5000)  # whoever never answers is timed out
        error = None if self.driving.cancelled() else self.driving.exception()
        if error is not None and not isinstance(error, StoreError | MessageObjected | UserError):
            raise error
        self.store.appends_left = None

    def _word(self, state: RunState) -> Said:
        if self.maybe(6):
            return approval_of_plan(state, "ann")
        words: list[Said] = [
            FeedbackGiven("ann", "other", True),
            FeedbackGiven("ann", "nice", False),
            PlanRejected("ann", "no"),
            CancelAsked("ann"),
        ]
        return self.chance.choice(words)

    def _sayings(self, task: TaskId) -> list[Said]:
        signal = SignalReceived("delay", self.chance.randrange(3), "airline")
        return [
            signal,
            signal,
            CancelAsked("ann"),
            ReviewCleared("ann"),
            DoubtAnswered("ann", task, True, "so"),
            PlanRejected("ann", "late"),
        ]

    def _put(self, run: RunId, said: Said) -> None:
        self.messages += 1
        said = replace(said, message=MessageId(f"m{self.messages}"))
        post = self.store.post(Message(run, self.desk.clock.now(), said))
        asyncio.get_running_loop().create_task(post).add_done_callback(lambda _: self.desk.bells.ring(run))

    async def _revise(self, state: RunState) -> list[Event]:
        if self.maybe(3):
            raise UserError("nobody can do that")
        made = self._plan()
        return [
            PlanMade(made, "act", Usage(1, 1, 1), plan_hash(made)),
            ApprovalAsked(plan_hash(made), "again", MOST),
        ]

    def _plan(self) -> Plan:
        tasks = []
        for n in range(1, self.chance.randint(1, 6) + 1):
            needs = self.chance.sample(range(1, n), min(n - 1, self.chance.randrange(3)))
            mapped = self.chance.choice([*needs, 0]) if needs else 0
            named = " ".join(f"t{d}{'*' if d == mapped else ''}" for d in sorted(needs))
            more = {
                "effects": self.chance.choice(["none", "write"]),
                "on_upstream_failure": self.chance.choice(["skip", "skip", "run"]),
                "success": self.chance.choice(["any", "not_empty"]),
            }
            tasks.append(task(f"t{n} {self.chance.choice(NAMES[:2])}: {named}", **more))
        return plan(*tasks)

    def _settings(self) -> Settings:
        limits = {
            name: limits_with(
                retries=self.chance.randrange(3),
                concurrency=self.chance.choice([1, 2, 4]),
                idempotent=self.maybe(3),
            )
            for name in NAMES
        }
        if self.maybe(3):
            limits["a"] = replace(limits["a"], fallbacks=(AgentName("c"),))
        spending = Spending(
            model_calls=2 if self.maybe(1) else None,
            tasks=self.chance.randint(1, 4) if self.maybe(1) else None,
            wall_time=3000.0 if self.maybe(1) else None,
        )
        agents = defaultdict(limits_with, {AgentName(name): found for name, found in limits.items()})
        return settings_with(
            agents=agents,
            schedule=self.chance.choice(["eager", "waves"]),
            concurrency=self.chance.choice([1, 2, 16]),
            max_items=self.chance.choice([2, 100]),
            budgets=Budgets(run=spending),
        )


def history(seed: int) -> Sequence[Record]:
    """The records of one run; the same number is the same run."""

    async def live() -> Sequence[Record]:
        return await Life(Random(seed)).live()

    return asyncio.run(live())
