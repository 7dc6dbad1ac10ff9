import os
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
PRINTED = "import sys; from orchestrator.cli.help_page import page; sys.stdout.buffer.write(page().encode())"


def test_the_page_of_the_command_line_is_what_help_says_however_wide_the_terminal_is() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINTED], env={**os.environ, "COLUMNS": "40"}, capture_output=True, check=True
    )
    assert PAGE.read_text(encoding="utf-8") == done.stdout.decode(), (
        "run: python -m orchestrator.cli.help_page"
    )
