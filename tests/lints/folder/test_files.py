from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from support.doubted import LEDGER, MEMO

LEDGER_FILE, MEMO_FILE = "agents/ledger.yaml", "agents/memo.yaml"
COMMAND = """\
name: tool
description: Runs a program.
uses: command
effects: none
intents:
  count: {description: count words, keywords: [count]}
options: {argv: [sh], cwd: tools}
"""
NOTES = """\
name: minutes
description: Finds what was written down.
uses: notes
effects: read
intents:
  look: {description: search the minutes, keywords: [minutes], operation: search}
options: {folder: minutes}
"""
MAILBOX = """\
name: inbox
description: Reads mail.
uses: inbox
intents:
  list: {description: list mail, keywords: [mail]}
options: {file: data}
"""


@pytest.mark.parametrize(
    ("code", "files", "place", "said"),
    [
        (
            "data-file-unusable",
            {"data/invoices.csv": None},
            f"{LEDGER_FILE}:6:17",
            "there is no data/invoices.csv",
        ),
        (
            "data-file-unusable",
            {LEDGER_FILE: LEDGER.replace("data/invoices.csv", "data")},
            f"{LEDGER_FILE}:6:17",
            "is a folder",
        ),
        (
            "data-file-unusable",
            {LEDGER_FILE: LEDGER.replace("csv}", "csv, max_size: 1KiB}"), "data/invoices.csv": "x" * 1025},
            f"{LEDGER_FILE}:6:17",
            "is larger than",
        ),
        ("output-file-unusable", {"var": "in the way"}, f"{MEMO_FILE}:7:17", "is no folder"),
        ("output-file-unusable", {"var/memo.ics/x": ""}, f"{MEMO_FILE}:7:17", "is a folder"),
        (
            "folder-missing",
            {"agents/tool.yaml": COMMAND},
            "agents/tool.yaml:7:28",
            "there is no folder tools",
        ),
        ("folder-missing", {"agents/minutes.yaml": NOTES}, "agents/minutes.yaml:7:19", "no folder minutes"),
        ("file-not-read", {"agents/team/memo.yaml": MEMO}, "agents/team/memo.yaml:1:1", "nothing reads this"),
        (
            "file-not-read",
            {"config/plannin.yaml": "mode: split\n"},
            "config/plannin.yaml:1:1",
            "config/planning",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_doubted_before_anything_runs(
    findings: Callable[..., tuple[object, ...]],
    code: str,
    files: Mapping[str, str | None],
    place: str,
    said: str,
) -> None:
    (finding,) = findings(files)
    assert str(finding).startswith(f"{place}: ")
    assert f"[{code}]" in str(finding)
    assert said in str(finding)


@pytest.mark.parametrize(
    "files",
    [
        {"var/memo.ics": ""},
        {LEDGER_FILE: LEDGER.replace("csv}", "csv, max_size: 1KiB}"), "data/invoices.csv": "x" * 1024},
        {"agents/tool.yaml": COMMAND, "tools/x": ""},
        {"agents/inbox.yaml": MAILBOX},
        {"agents/minutes.yaml": NOTES, "minutes/x.md": ""},
        {"agents/minutes.yaml": NOTES.replace("effects: read", "effects: write")},
        {"agents/team/notes.md": "who does what"},
        {"scripts/other.yaml": "[]"},
    ],
)
def test_a_file_that_is_there_or_will_be_made_is_not(
    places: Callable[..., list[str]], files: Mapping[str, str]
) -> None:
    assert places(files) == []


def test_a_file_that_may_not_be_read_or_written_is_doubted(
    places: Callable[..., list[str]], tmp_path: Path
) -> None:
    for name in ("data/invoices.csv", "var/memo.ics"):
        (tmp_path / "ws" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "ws" / name).touch(mode=0o000)
    try:
        (tmp_path / "ws/data/invoices.csv").read_bytes()
    except PermissionError:
        found = places({"data/invoices.csv": None})
        assert found == [f"data-file-unusable {LEDGER_FILE}:6:17", f"output-file-unusable {MEMO_FILE}:7:17"]
    else:
        pytest.skip("this user may read and write everything")
