from pathlib import Path

from orchestrator.workspace import knobs

DOC = Path(__file__).parents[2] / "docs" / "knobs.md"


def test_the_page_of_knobs_is_what_the_models_say() -> None:
    assert DOC.read_text(encoding="utf-8") == knobs.page(), "run: python -m orchestrator.workspace.knobs"


def test_every_knob_says_what_it_means() -> None:
    rows = [line for line in knobs.page().splitlines() if line.startswith("| `")]
    silent = [row for row in rows if row.endswith("|  |")]
    assert rows
    assert silent == []
