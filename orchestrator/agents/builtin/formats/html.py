"""The text of an HTML mail, as a reader would see it: no markup, no scripts, blocks on their own lines."""

import re
from html.parser import HTMLParser

_HIDDEN = {"script", "style", "head", "title", "template"}
_BLOCKS = {
    "address", "blockquote", "br", "div", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "table",
    "td", "th", "tr", "ul",
}  # fmt: skip


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self.hidden += 1
        elif tag == "body":  # a head that was never closed ends here
            self.hidden = 0
        elif tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self.hidden = max(self.hidden - 1, 0)
        elif tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.pieces.append(re.sub(r"\s+", " ", data))


def text_of_html(html: str) -> str:
    """The readable text of a page or a fragment of one."""
    reader = _Reader()
    try:
        reader.feed(html)
        reader.close()
    except AssertionError:  # the parser gives up on an unknown `<![…` section; what it read so far stands
        pass
    lines = (" ".join(line.split()) for line in "".join(reader.pieces).split("\n"))
    return "\n\n".join(line for line in lines if line)
