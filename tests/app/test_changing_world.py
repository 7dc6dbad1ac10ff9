"""A real file is the signal source: the calendar changes while the plan runs."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from orchestrator.app import Orchestrator
from orchestrator.execution.clock import SystemClock
from orchestrator.ids import RunId
from orchestrator.runs.changes import PlanRevised, SignalJudged
from orchestrator.runs.events import Record, TaskDone, TaskStarted

from support.office import CALENDAR, office

GROUNDED = f"""\
{CALENDAR}assumes:
  - {{key: calendar.content, unchanged: true, description: the calendar stays as it is}}
"""
SLOW = """\
name: slow
uses: command
effects: none
intents:
  wait_for_it: {keywords: [wait for it]}
options:
  argv: [python3, waiting.py]
"""
WAITING = """\
import pathlib, time

while not pathlib.Path("go").exists():
    time.sleep(0.01)
print("waited")
"""
NOTING = """\
name: noting
uses: command
effects: none
intents:
  note_it: {keywords: [note it]}
options:
  argv: [cat]
assumes:
  - {key: calendar.content, unchanged: true}
"""
TURN = "check my calendar and wait for it, then note it"
ENTRY = """\
BEGIN:VEVENT
UID:new
DTSTART;VALUE=DATE:{today:%Y%m%d}
SUMMARY:Tea with Ann
END:VEVENT
"""


@pytest.mark.service
def test_the_calendar_changes_while_the_plan_runs_and_is_read_again(tmp_path: Path) -> None:
    files = {
        "agents/calendar.yaml": GROUNDED,
        "agents/slow.yaml": SLOW,
        "agents/noting.yaml": NOTING,
        "config/adaptation.yaml": "repairs: [{'on': calendar.content, uses: reread}]\n",
    }
    root = office(tmp_path / "office", files)
    (root / "waiting.py").write_text(WAITING)
    app = Orchestrator.from_workspace(root, clock=SystemClock())
    calendar, heard = root / "data" / "calendar.ics", list[Any]()

    def listen(happening: object) -> None:
        if not isinstance(happening, Record):
            return
        heard.append(happening.event)
        if isinstance(happening.event, TaskDone) and len(heard_of(heard, TaskDone)) == 1:
            entry = ENTRY.format(today=datetime.now(UTC).astimezone())
            calendar.write_text(calendar.read_text().replace("END:VCALENDAR", f"{entry}END:VCALENDAR"))
        if isinstance(happening.event, PlanRevised):
            (root / "go").touch()

    async def run() -> Any:
        async with asyncio.timeout(30):
            result = await app.run(TURN, approve=lambda _: True, listeners=(listen,))
        state = await app.runs.state(RunId(result.run))
        await app.aclose()
        return result, state

    result, state = asyncio.run(run())
    assert result.status == "done"
    assert [d.decision for d in heard_of(heard, SignalJudged) if d.decision != "ignored"] == ["revised"]
    started = [event.task for event in heard_of(heard, TaskStarted)]
    assert started[-2:] == ["t1.2", "t3"]
    assert "Tea with Ann" in state.tasks["t3"].output.text
    assert "Tea with Ann" not in state.tasks["t1"].output.text


def heard_of(heard: list[Any], kind: type) -> list[Any]:
    return [event for event in heard if isinstance(event, kind)]
