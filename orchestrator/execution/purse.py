"""What a run, and its session, may still spend. Pure.

Law: what is refused was not spent. Calls are counted when they begin, so that however many begin at once
there are never more than may be; tokens and money are known only afterwards, so that calls which began before
the limit was reached may go beyond it.
"""

from collections.abc import Iterator

from orchestrator.agents.contract import NO_USAGE, Usage
from orchestrator.errors import BudgetExceeded
from orchestrator.execution.settings import Budgets, Spending


class RunPurse:
    """The purse of one run. `ran_out` is the first thing that it could not pay for.

    `limits_tasks` says whether there is a limit of tasks.

    `spent` and `tasks` are what the run has cost before, the others what the other runs of its session have.
    """

    def __init__(
        self,
        budgets: Budgets,
        *,
        spent: Usage,
        tasks: int,
        session_spent: Usage = NO_USAGE,
        session_tasks: int = 0,
    ) -> None:
        self.ran_out: BudgetExceeded | None = None
        self._spent, self._tasks = spent, tasks
        self.limits_tasks = any(limits.tasks is not None for limits in (budgets.run, budgets.session))
        self._scopes = [
            (name, limits, usage, count)
            for name, limits, usage, count in (
                ("run", budgets.run, NO_USAGE, 0),
                ("session", budgets.session, session_spent, session_tasks),
            )
            if limits.limited
        ]

    def begin_call(self) -> None:
        """See Purse."""
        for refusal in self._refusals():
            self.run_out(refusal)
            raise refusal
        self._spent += Usage(model_calls=1)

    def spend(self, usage: Usage) -> None:
        """See Purse."""
        self._spent += Usage(0, usage.input_tokens, usage.output_tokens, usage.money)

    def add(self, usage: Usage) -> None:
        """What an agent has spent past the purse."""
        self._spent += usage

    def tasks_left(self) -> int | None:
        """How many more tasks may begin; None where there is no limit. One that was begun may be again."""
        left = [
            max(limits.tasks - before - self._tasks, 0)
            for _, limits, _, before in self._scopes
            if limits.tasks is not None
        ]
        return min(left, default=None)

    def begin_tasks(self, count: int) -> None:
        """So many tasks begin that never were before."""
        self._tasks += count

    def refuse_tasks(self) -> None:
        """There is a task that may not begin, since no more may."""
        for name, limits, _, before in self._scopes:
            if limits.tasks is not None and before + self._tasks >= limits.tasks:
                self.run_out(BudgetExceeded(f"tasks of the {name}", limits.tasks, before + self._tasks))

    def run_out(self, refusal: BudgetExceeded) -> None:
        """Something could not be paid for; the first of these is kept."""
        self.ran_out = self.ran_out or refusal

    def attempt(self) -> "AttemptPurse":
        """A purse for one attempt, which pays from this one and knows what the attempt has cost."""
        return AttemptPurse(self)

    def _refusals(self) -> Iterator[BudgetExceeded]:
        """Why another call cannot be paid for."""
        for name, limits, before, _ in self._scopes:
            used = before + self._spent
            yield from _exceeded(name, limits, used)


def _exceeded(scope: str, limits: Spending, used: Usage) -> Iterator[BudgetExceeded]:
    tokens = used.input_tokens + used.output_tokens
    for what, limit, so_far in (
        ("model calls", limits.model_calls, used.model_calls),
        ("tokens", limits.tokens, tokens),
        ("money", limits.money, used.money),
    ):
        if limit is not None and so_far >= limit:
            yield BudgetExceeded(f"{what} of the {scope}", limit, so_far)


class AttemptPurse:
    """The purse of one attempt."""

    __slots__ = ("_run", "usage")

    def __init__(self, run: RunPurse) -> None:
        self._run = run
        self.usage = NO_USAGE

    def begin_call(self) -> None:
        """See Purse."""
        self._run.begin_call()
        self.usage += Usage(model_calls=1)

    def spend(self, usage: Usage) -> None:
        """See Purse."""
        self._run.spend(usage)
        self.usage += Usage(0, usage.input_tokens, usage.output_tokens, usage.money)

    def settle(self, reported: Usage) -> None:
        """What an agent says that it has spent; what did not go through the purse is paid now."""
        if reported is self.usage or reported == self.usage:
            return
        paid = self.usage
        more = Usage(
            max(reported.model_calls - paid.model_calls, 0),
            max(reported.input_tokens - paid.input_tokens, 0),
            max(reported.output_tokens - paid.output_tokens, 0),
            max(reported.money - paid.money, 0.0),
        )
        self._run.add(more)
        self.usage += more
