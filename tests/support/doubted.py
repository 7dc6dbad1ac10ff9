"""A small workspace of which nothing is to be doubted, as literal files, and what is of a changed one."""

from collections.abc import Mapping
from pathlib import Path

from orchestrator import Orchestrator
from orchestrator.workspace.doubts import Finding, findings

LEDGER = """\
name: ledger
description: Knows the invoices.
uses: ledger
intents:
  find_overdue: {description: find what is overdue, operation: overdue, keywords: [overdue, late payers]}
options: {file: data/invoices.csv}
"""
MEMO = """\
name: memo
description: Writes reminders.
uses: reminders
kind: act
intents:
  remind: {description: write a reminder, keywords: [remind me]}
options: {file: var/memo.ics}
"""
WRITER = """\
name: writer
description: Writes and edits texts.
uses: llm
intents:
  draft: {description: draft a text, keywords: [draft]}
"""
MODELS = """\
models:
  default: {provider: openai, model: large, api_key: "${A_KEY}"}
"""
SOUND = {
    "config/orchestrator.yaml": "",
    "config/multi_step.yaml": "cues: {sequential: [and then], joiners: [and]}\n",
    "agents/ledger.yaml": LEDGER,
    "agents/memo.yaml": MEMO,
    "data/invoices.csv": "name,amount,due\nAnn,10.00,2026-11-02\n",
}
PROMPTED = {"agents/writer.yaml": WRITER, "config/models.yaml": MODELS}
"""What a workspace has more where a model is asked."""


def changed(root: Path, files: Mapping[str, str | None]) -> Path:
    """The sound workspace with these files in place of its own, or with None without them."""
    for name, text in {**SOUND, **files}.items():
        if text is not None:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
    return root


def doubted(root: Path, files: Mapping[str, str | None]) -> tuple[Finding, ...]:
    """What is doubted of the workspace with these files."""
    app = Orchestrator.from_workspace(changed(root, files), thorough=True)
    return findings(app.doubts(), app.workspace)
