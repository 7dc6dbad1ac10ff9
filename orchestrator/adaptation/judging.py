"""What is said to a running plan, as the events that follow from it. Pure.

Laws: every signal gets one judgement. Where the plan should change and nothing says how, or a person must
agree, the run is held or asks, and nothing that broke goes on meanwhile.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from orchestrator.adaptation.containment import settled
from orchestrator.adaptation.deciding import Decided, RulesOf, consider, standing
from orchestrator.adaptation.repairing import Broken, Mended, Workshop, kept, mended
from orchestrator.comparison import told
from orchestrator.errors import CuewaveError
from orchestrator.ids import MessageId
from orchestrator.planning.task import Task
from orchestrator.runs.changes import PlanRevised, SignalJudged, TaskRecalled
from orchestrator.runs.containing import Memory
from orchestrator.runs.events import ApprovalAsked, Event, Record, ReviewFlagged
from orchestrator.runs.fold import fold
from orchestrator.runs.identity import plan_hash
from orchestrator.runs.messages import UNSENT, ReviewCleared, SignalReceived
from orchestrator.runs.revised import revised_plan
from orchestrator.runs.state import RunState

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges what is said to runs of one workspace. `most_items` is what a mapped task may expand to."""

    rules: RulesOf
    workshop: Workshop
    most_items: int

    def signal(self, state: RunState, signal: SignalReceived, now: float) -> Iterator[Event]:
        """What follows from a signal, which the state does not have yet; the signal itself first."""
        yield signal
        rules = state.scenario.rules if state.scenario is not None else self.rules
        decided = consider(state, signal, now, rules or self.rules)
        if decided.decision == "revised":
            broken = Broken(state, signal.key, signal.value, decided.broken)
            yield from self._revise(broken, decided, signal.message, now)
            return
        yield _judged(signal.message, signal.key, decided, now)
        if decided.flags:
            yield ReviewFlagged(_suppressed(signal, decided), holds=state.held)

    def cleared(self, state: RunState, said: ReviewCleared, now: float) -> Iterator[Event]:
        """What follows where a person has looked at the run: what still contradicts the plan is acted on.

        With `keep`, and where nothing says how, the plan stands, and goes by what is so now.
        """
        yield said
        left = [] if state.ended is not None else [key for key, _ in standing(state)]
        for key in left:
            tasks = dict(standing(state)).get(key, ())
            if tasks:
                broken = Broken(state, key, state.facts[key], tasks)
                events = list(self._settled(broken, said, now))
                yield from events
                state = fold((Record(state.run, state.seq, state.at or _EPOCH, e) for e in events), state)

    def _settled(self, broken: Broken, said: ReviewCleared, now: float) -> Iterator[Event]:
        """What a person has seen of one key: repaired, or let stand."""
        state, key = broken.state, broken.key
        reason = f"{said.by} has looked at it, and {key} is {told(broken.value)}"
        made = "the plan is to stand" if said.keep else self._mended(broken, reason)
        memory = settled(state.memory.get(key, Memory()), now)
        if isinstance(made, Mended):
            yield _judged(UNSENT, key, Decided("revised", reason, broken.tasks, memory), now)
            yield from self._changes(state, made)
            return
        yield _judged(UNSENT, key, Decided("review", f"{reason}; {made}", broken.tasks), now)
        yield _standing_as_it_is(state, broken, f"{reason}; {made}")

    def _revise(self, broken: Broken, decided: Decided, signal: MessageId, now: float) -> Iterator[Event]:
        made = self._mended(broken, decided.reason)
        if isinstance(made, Mended):
            yield _judged(signal, broken.key, decided, now)
            yield from self._changes(broken.state, made)
            return
        reason = f"{broken.key} is {told(broken.value)}, and {made}"
        yield _judged(signal, broken.key, Decided("review", reason, decided.broken), now)
        pending = any(broken.state.tasks[task.id].status == "pending" for task in broken.tasks)
        yield ReviewFlagged(reason, holds=pending or broken.state.held)

    def _mended(self, broken: Broken, reason: str) -> Mended | str:
        try:
            return mended(broken, reason, self.workshop)
        except CuewaveError as error:  # a template of the repair, or the repair itself
            return f"the repair could not be made: {error}"

    def _changes(self, state: RunState, made: Mended) -> Iterator[Event]:
        for task in made.recalled:
            yield TaskRecalled(task, made.event.reason)
        yield made.event
        if made.asks:
            yield ApprovalAsked(made.event.plan_hash, f"the plan has changed: {made.asks}", self.most_items)
        if made.stuck:
            stuck = ", ".join(made.stuck)
            yield ReviewFlagged(f"{stuck} was at work, writes, and could not be called off", holds=state.held)


def _judged(signal: MessageId, key: str, decided: Decided, now: float) -> SignalJudged:
    tasks = tuple(task.id for task in decided.broken)
    return SignalJudged(signal, key, decided.decision, decided.reason, now, tasks, decided.memory)


def _suppressed(signal: SignalReceived, decided: Decided) -> str:
    who = ", ".join(task.id for task in decided.broken)
    return f"{signal.key} is said to be {told(signal.value)}, which {who} did not assume; {decided.reason}"


def _standing_as_it_is(state: RunState, broken: Broken, reason: str) -> PlanRevised:
    """The same plan, going by what is so now."""
    changed: tuple[Task, ...] = kept(broken)
    event = PlanRevised(reason, changed, "")
    if state.plan is None:
        return event
    return PlanRevised(reason, changed, plan_hash(revised_plan(state.plan, event)))
