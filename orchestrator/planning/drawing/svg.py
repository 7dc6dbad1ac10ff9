"""A scene written as an SVG document, by the template `plan.svg.j2`.

The only module beside `prompts` that knows Jinja2: this template is the program's own, and no operator's.
Law: it is compiled once; every text is escaped, and holds no character that XML does not allow, so that the
document is valid whatever stands in an action. It has no ids, and its colours are bound to its theme, so that
many pictures have room in one page.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, TypeAlias

from orchestrator.planning.drawing.look import DARK, LIGHT, PLAIN, STATES, Colours, Page
from orchestrator.planning.drawing.scene.geometry import Curve, Point, Way, turned
from orchestrator.planning.drawing.scene.layout import ARROW
from orchestrator.planning.drawing.scene.scene import Line, Scene

if TYPE_CHECKING:
    from jinja2 import Template

Theme: TypeAlias = Literal["auto", "light", "dark"]

_REFUSED = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
"""What XML does not allow or discourages, and marks that turn the direction of what follows."""
_LOOKS = (("plain", PLAIN), *STATES.items())


def to_svg(scene: Scene, theme: Theme = "auto") -> str:
    """The document. `auto` is light or dark as whoever looks at it prefers; the others are so always."""
    return _template().render(scene=scene, theme=theme, looks=_LOOKS, pages=tuple(_pages(theme)))


def _pages(theme: Theme) -> Iterator[tuple[str, Page, Sequence[tuple[str, Colours]]]]:
    """The colours, each with the preference that they are for; empty where they are for all."""
    if theme != "dark":
        yield "", LIGHT, [(name, look.light) for name, look in _LOOKS]
    if theme != "light":
        yield "dark" if theme == "auto" else "", DARK, [(name, look.dark) for name, look in _LOOKS]


@cache
def _template() -> "Template":
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = files("orchestrator.planning.drawing").joinpath("plan.svg.j2")
    functions = {"px": _px, "path": _path, "head": _head, "xml": _xml}
    return environment.from_string(source.read_text("utf-8"), globals=functions)


def _px(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _xml(text: str) -> str:
    """The text with U+FFFD for what has no place in a document."""
    return _REFUSED.sub("\ufffd", text.replace("\r\n", "\n"))


def _path(curves: Sequence[Curve]) -> str:
    begin = curves[0][0]
    return f"M{_px(begin.x)} {_px(begin.y)}" + "".join(map(_stretch, curves))


def _stretch(curve: Curve) -> str:
    start, *steer, end = curve
    if start.x == end.x or start.y == end.y:
        return f"L{_px(end.x)} {_px(end.y)}"
    return "C" + " ".join(f"{_px(p.x)} {_px(p.y)}" for p in (*steer, end))


def _head(line: Line, way: Way) -> str:
    """The arrow's head; three of them one behind the other where the line is followed once per item."""
    at = line.curves[-1][-1]
    return "".join(_triangle(at, way, back) for back in ((14, 7, 0) if line.mapped else (0,)))


def _triangle(at: Point, way: Way, back: float) -> str:
    corners = ((-back, -4.5), (ARROW - back, 0.0), (-back, 4.5))
    points = (turned(along, across, way) for along, across in corners)
    return "M" + "L".join(f"{_px(at.x + p.x)} {_px(at.y + p.y)}" for p in points) + "Z"
