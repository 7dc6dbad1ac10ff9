"""The sandbox that templates are rendered in, and templates that are given as texts.

Law: an undefined variable is an error, nothing outside the given values can be reached, and what is rendered
is bounded. Jinja2 is loaded at the first template.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from orchestrator.errors import UserError

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import ImmutableSandboxedEnvironment

MAX_RENDERED = 1_000_000
"""Most characters of one rendered template; one that goes on is stopped."""


class TemplateRefused(UserError):
    """A template that is given as text does not compile, or has no value for these variables."""


def sandbox(**options: Any) -> "ImmutableSandboxedEnvironment":
    """A new sandbox; `options` are those of a Jinja2 environment."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    made = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        **options,
    )
    del made.globals["lipsum"]  # filler text has no place in a prompt, and no bound
    return made


def bounded(pieces: Iterator[str]) -> str:
    """The pieces as one text. Raises ValueError where they do not end."""
    kept: list[str] = []
    size = 0
    for piece in pieces:
        kept.append(piece)
        size += len(piece)
        if size > MAX_RENDERED:
            raise ValueError(f"the text grows past {MAX_RENDERED:,} characters; bound its loops")
    return "".join(kept)


def render_text(template: str, variables: Mapping[str, object]) -> str:
    """The template's text with these variables. Raises TemplateRefused."""
    if "{" not in template:
        return template
    try:
        return bounded(_compiled(template).generate(dict(variables)))
    except TemplateRefused:
        raise
    except Exception as error:  # whatever a value does when it is rendered
        raise TemplateRefused(f"{_short(template)}: {str(error) or type(error).__name__}") from error


def names_in(template: str) -> frozenset[str]:
    """What the template reads of its variables, as far as it can be seen: `facts.gate` and the like.

    A name whose fields cannot be told stands alone. Raises TemplateRefused for one that does not compile.
    """
    if "{" not in template:
        return frozenset()
    from jinja2 import TemplateError, nodes

    try:
        tree = sandbox().parse(template)
    except TemplateError as error:
        raise TemplateRefused(f"{_short(template)}: {error.message}") from error
    fields = [node for node in tree.find_all(nodes.Getattr) if isinstance(node.node, nodes.Name)]
    whole = {id(node.node) for node in fields}
    dotted = {f"{node.node.name}.{node.attr}" for node in fields if isinstance(node.node, nodes.Name)}
    plain = {n.name for n in tree.find_all(nodes.Name) if n.ctx == "load" and id(n) not in whole}
    return frozenset(dotted | plain)


@lru_cache(maxsize=1)
def _by_name() -> "ImmutableSandboxedEnvironment":
    """A sandbox in which `facts.items` is the fact of that name, and not the method of a mapping."""
    made = sandbox()
    otherwise = made.getattr

    def field_first(obj: Any, attribute: str) -> Any:  # Any: whatever the values are
        if isinstance(obj, Mapping) and attribute in obj:
            return cast("Mapping[str, Any]", obj)[attribute]
        return otherwise(obj, attribute)

    made.getattr = field_first
    return made


@lru_cache(maxsize=1024)
def _compiled(template: str) -> "Template":
    from jinja2 import TemplateError

    try:
        return _by_name().from_string(template)
    except TemplateError as error:
        raise TemplateRefused(f"{_short(template)}: {error.message}") from error


def _short(template: str) -> str:
    line = " ".join(template.split())
    return f"template {line if len(line) <= 60 else f'{line[:59]}…'!r}"
