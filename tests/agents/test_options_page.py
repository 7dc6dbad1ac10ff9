from pathlib import Path

from orchestrator.agents import options_page
from orchestrator.agents.registry import BUILT_IN

DOC = Path(__file__).parents[2] / "docs" / "agent-options.md"


def test_the_page_of_options_is_what_the_models_say() -> None:
    assert DOC.read_text(encoding="utf-8") == options_page.page(), (
        "run: python -m orchestrator.agents.options_page"
    )


def test_every_built_in_type_has_its_section() -> None:
    assert [line[3:] for line in options_page.page().splitlines() if line.startswith("## ")] == list(BUILT_IN)


def test_defaults_are_written_as_in_a_file() -> None:
    rows = options_page.page().splitlines()
    for start in ("| `max_size` | `64MiB` |", "| `lead` | `1d` |", "| `day_start` | `09:00` |"):
        assert any(row.startswith(start) for row in rows), start
    assert all(row.count("|") - row.count(r"\|") == 4 for row in rows if row.startswith("| "))


def test_every_option_says_what_it_means() -> None:
    rows = [row for row in options_page.page().splitlines() if row.startswith("| `")]
    assert rows
    assert [row for row in rows if row.endswith("|  |")] == []
