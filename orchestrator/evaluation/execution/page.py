"""Both sides of a comparison as one HTML page, which needs nothing beside it. Pure, but for its own template.

Law: every text is escaped; the page has no script, and is light or dark as its reader prefers.
"""

from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import TYPE_CHECKING

from orchestrator.evaluation.execution.comparing import Compared

if TYPE_CHECKING:
    from jinja2 import Template


def to_html(compared: Compared) -> str:
    """The page."""
    rows = list(zip_longest(compared.adaptive.steps, compared.baseline.steps))
    pictures = [None if picture is None else picture.svg() for picture in compared.pictures]
    return _template().render(
        name=compared.name,
        sides=(("adaptive", compared.adaptive), ("baseline", compared.baseline)),
        rows=rows,
        pictures=pictures,
    )


@cache
def _template() -> "Template":
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = files("orchestrator.evaluation.execution").joinpath("page.html.j2")
    return environment.from_string(source.read_text("utf-8"))
