"""One attempt at a unit: its agent is called, for so long at most, and what comes of it is an event.

Law: whatever an agent does ends as an event. Where an effect may have come about all the same, the agent is
asked whether it did, if it can tell; nothing is guessed.
"""

import logging
from collections.abc import Mapping
from dataclasses import replace

from orchestrator.agents.contract import Agent, Output, Verdict
from orchestrator.errors import BudgetExceeded, CuewaveError, TaskError
from orchestrator.execution.calls import Calls
from orchestrator.execution.crew import Hand
from orchestrator.execution.outcome import UNKNOWN, End, after_failure, handed_over, judged
from orchestrator.execution.purse import AttemptPurse, RunPurse
from orchestrator.execution.retry import leaves_doubt
from orchestrator.execution.settings import Settings, World
from orchestrator.execution.slots import Unit
from orchestrator.ids import AgentName, RunId
from orchestrator.runs.events import DoubtSettled, TaskDone, TaskFailed, TaskInDoubt
from orchestrator.runs.state import RunState, TaskState

_CUT_OFF = f"it was cut off while it was at work; {UNKNOWN}"

_NO_OUTPUT = Output("")

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())


class Attempts:
    """Makes the attempts of one run."""

    def __init__(
        self,
        state: RunState,
        agents: Mapping[AgentName, Agent],
        calls: Calls,
        *,
        settings: Settings,
        world: World,
        purse: RunPurse,
    ) -> None:
        self._run: RunId = state.run
        self._state, self._agents, self._calls = state, agents, calls
        self._settings, self._world, self._purse = settings, world, purse

    async def end_of(self, unit: Unit, hand: Hand) -> End:
        """Make the attempt that has begun, and say how it ended."""
        found, purse = self._state.tasks[unit.id], self._purse.attempt()
        name = found.agent or unit.task.agent
        try:
            agent = self._agents[name]
            query = getattr(agent, "reads_query", True)
            call = self._calls.of(unit, found.key, query=query, purse=purse)
            with hand.cuttable(self._seconds(name)):
                output = await agent.run(call)
            end: End = _paid(unit, output, purse)
        except Exception as error:  # noqa: BLE001 - an agent's error ends its attempt, never the run
            self._log_failure(unit, found.attempt, error)
            end = await self._after(unit, hand, found, error, purse)
            if isinstance(error, BudgetExceeded):
                return end
        if isinstance(end, TaskFailed):
            chain = (unit.task.agent, *self._settings.agents[unit.task.agent].fallbacks)
            return handed_over(end, found.attempt, name, chain)
        return end

    async def settled(self, unit: Unit, hand: Hand) -> DoubtSettled | TaskInDoubt:
        """Whether an attempt that was cut off took effect, as far as its agent can tell."""
        verdict = await self._verdict(unit, hand, self._state.tasks[unit.id])
        if verdict.happened is None:
            return TaskInDoubt(unit.id, _CUT_OFF)
        return DoubtSettled(unit.id, verdict.happened, verdict.output)

    async def _after(
        self, unit: Unit, hand: Hand, found: TaskState, error: Exception, purse: AttemptPurse
    ) -> End:
        """What follows the error; a write in doubt is first looked into, where doing it again would harm."""
        limits = self._settings.agents[found.agent or unit.task.agent]
        doubt = unit.task.effects == "write" and leaves_doubt(error)
        if doubt and not limits.idempotent:
            verdict = await self._verdict(unit, hand, found)
            if verdict.happened:
                output = verdict.output or _NO_OUTPUT
                purse.settle(output.usage)
                return TaskDone(unit.id, replace(output, usage=purse.usage))
            doubt = verdict.happened is None
        return after_failure(
            unit, found, error, doubt=doubt, limits=limits, usage=purse.usage, rng=self._world.rng
        )

    async def _verdict(self, unit: Unit, hand: Hand, found: TaskState) -> Verdict:
        """What the agent can tell of the effect; nothing, where it has no way to or fails at it."""
        name = found.agent or unit.task.agent
        verify = getattr(self._agents[name], "verify", None)
        if verify is None:
            return Verdict(None)
        try:
            with hand.cuttable(self._seconds(name)):
                told = await verify(found.key)
            return _as_verdict(told)
        except Exception as error:  # noqa: BLE001 - a check that fails leaves the doubt as it was
            self._log_failure(unit, found.attempt, error)
            return Verdict(None)

    def _seconds(self, name: AgentName) -> float:
        return self._settings.agents[name].timeout or self._settings.task_timeout

    def _log_failure(self, unit: Unit, number: int, error: Exception) -> None:
        """For the log: an error of ours in a line, one that an agent did not mean with its traceback."""
        trace = None if isinstance(error, CuewaveError) else error
        _log.warning("%s: attempt %d of %s: %s", self._run, number, unit.id, error, exc_info=trace)


def _paid(unit: Unit, output: Output, purse: AttemptPurse) -> TaskDone | TaskFailed:
    """The unit's end, with all that the attempt has cost."""
    end = judged(unit, output)
    purse.settle(output.usage)
    if output.usage is purse.usage or output.usage == purse.usage:
        return end
    return judged(unit, replace(output, usage=purse.usage))


def _as_verdict(told: object) -> Verdict:
    if not isinstance(told, Verdict):
        raise TaskError(f"`verify` returned {type(told).__name__} where a Verdict is due")
    return told
