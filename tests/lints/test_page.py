from pathlib import Path

from orchestrator.lints.page import page
from orchestrator.workspace.codes import CHECKS, CODES


def test_the_page_of_the_docs_is_the_one_that_the_codes_make() -> None:
    assert (Path(__file__).parents[2] / "docs/checks.md").read_text(encoding="utf-8") == page()


def test_every_code_stands_once_on_the_page() -> None:
    assert [code for code in CODES if page().count(f"| `{code}` |") != 1] == []
    assert sum(map(len, CHECKS.values())) == len(CODES)
