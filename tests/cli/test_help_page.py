from pathlib import Path

from orchestrator.cli.help_page import page

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_page_of_the_command_line_is_what_help_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m orchestrator.cli.help_page"
