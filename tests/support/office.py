"""A small workspace as literal files: an office with invoices, a calendar, reminders and a writer.

Its prompts are those that are shipped. The writer is there only where a test puts it; the models say nothing.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

SHIPPED = Path(__file__).parents[2]

CUES = """\
cues:
  sequential: [and then, ", then"]
  parallel: [as well as]
  distributive: [for each]
  joiners: [and, ","]
references: [it, them, the result]
"""

LEDGER = """\
name: ledger
description: Knows the invoices.
uses: ledger
intents:
  find_overdue: {operation: overdue, keywords: [overdue invoices, overdue]}
options: {file: data/invoices.csv}
limits: {retries: 0}
"""

CALENDAR = """\
name: calendar
uses: calendar
intents:
  check_calendar: {operation: agenda, keywords: [my calendar, meetings]}
options: {file: data/calendar.ics}
limits: {retries: 0}
"""

REMINDERS = """\
name: reminders
uses: reminders
kind: act
intents:
  write_reminder: {operation: remind, keywords: [remind me, write a reminder]}
options: {file: var/reminders.ics}
limits: {retries: 0}
"""

WRITER = """\
name: writer
description: Writes and edits texts.
uses: llm
intents:
  draft_text: {description: draft a text, keywords: [draft]}
  polish_text: {description: polish a text, keywords: [polish]}
limits: {retries: 0}
"""

MODELS = """\
models:
  default: &silent {provider: scripted, file: scripts/silent.yaml}
  planner: *silent
  classifier: *silent
"""

OFFICE = {
    "config/orchestrator.yaml": "",
    "config/models.yaml": MODELS,
    "config/multi_step.yaml": CUES,
    "agents/calendar.yaml": CALENDAR,
    "agents/ledger.yaml": LEDGER,
    "agents/reminders.yaml": REMINDERS,
    "scripts/silent.yaml": "[]",
    "data/invoices.csv": "number,name,amount,due,paid\n7,Ann,10.00,2026-11-02,no\n8,Bo,20.00,2026-12-24,no\n",
    "data/calendar.ics": (
        "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:tests\nBEGIN:VEVENT\nUID:1\nDTSTAMP:20261101T000000Z\n"
        "DTSTART:20261130T120000\nDTEND:20261130T130000\nSUMMARY:Lunch with Cy\nEND:VEVENT\nEND:VCALENDAR\n"
    ),
}


def office(root: Path, files: Mapping[str, str | None] = {}) -> Path:
    """Write the office into a folder that is not there yet; `files` replace its own, or with None remove."""
    for name, text in {**OFFICE, **files}.items():
        if text is not None:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
    shutil.copytree(SHIPPED / "prompts", root / "prompts", dirs_exist_ok=True)
    return root


def shipped_copy(root: Path) -> Path:
    """A copy of the shipped workspace that a test may change and write to."""
    for part in ("config", "agents", "prompts", "samples"):
        shutil.copytree(SHIPPED / part, root / part)
    return root
