"""The pages that users read, taken apart: fenced blocks, links and headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted(ROOT.glob("docs/**/*.md")),
]

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block, and where its text begins."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(language: str | None = None) -> list[Block]:
    """The fenced blocks of all pages, in order; those of one language where it is given."""
    found = [block for page in PAGES for block in _blocks(page)]
    return [block for block in found if language in (None, block.language)]


def _blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        yield Block(page, text.count("\n", 0, match.start()) + 2, match[1], match[2])


def links(page: Path) -> list[str]:
    """The targets of the page's links that lie in this repository."""
    prose = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    return [target for target in _LINK.findall(prose) if "://" not in target]


def anchors(page: Path) -> set[str]:
    """What a link may name behind `#`: the page's headings as Markdown hosts write them."""
    prose = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}
