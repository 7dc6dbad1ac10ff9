import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
PRINTS = "import sys; from orchestrator.cli.help_page import page; sys.stdout.buffer.write(page().encode())"


def test_the_page_of_the_command_line_is_what_help_says() -> None:
    said = subprocess.run([sys.executable, "-c", PRINTS], capture_output=True, check=True).stdout.decode()
    assert PAGE.read_text(encoding="utf-8") == said, "run: python -m orchestrator.cli.help_page"
