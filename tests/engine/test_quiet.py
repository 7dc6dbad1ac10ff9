"""Quiet ticks and signals that matter to nobody change nothing, and ask nobody."""

import asyncio

from orchestrator.runs.changes import PlanRevised, ScenarioBegun, Scripted
from orchestrator.runs.containing import Rules
from orchestrator.runs.messages import SignalReceived

from support.changing import Judging, grounded, judge
from support.driving import Does, plan, task
from support.engine import Desk


def test_a_hundred_quiet_ticks_and_ten_thousand_signals_that_contradict_nothing() -> None:
    tasks = [grounded(task(f"t{n} a"), "delay", expected={"lte": 30}) for n in range(100)]
    noise = tuple(
        Scripted(n // 100, f"s/{n}", "delay" if n % 2 else f"other{n}", n % 31, "test") for n in range(10_000)
    )
    agent = Does(lambda call: call.action)
    desk = Desk({"a": agent}, adaptation=Judging(judge(Rules(2))))
    state = asyncio.run(desk.begun(plan(*tasks), ScenarioBegun("s", False, noise)))
    assert state.status == "done"
    assert (state.ignored, state.decisions, state.review) == (10_000, [], None)
    assert not any(isinstance(record.event, PlanRevised) for record in desk.heard)
    assert sum(isinstance(record.event, SignalReceived) for record in desk.heard) == 10_000
    assert len(agent.calls) == 100
    assert state.usage.model_calls == 0
