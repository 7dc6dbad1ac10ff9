"""The type `form`: its options, and how its regular expressions are read.

Law: whatever an operator writes is searched for in linear time; what cannot be is refused where it stands.
"""

from collections.abc import Iterator, Mapping
from string import Template
from typing import Annotated, Any, Protocol

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from orchestrator.agents.contract import AgentType, no_calls
from orchestrator.agents.late import late
from orchestrator.workspace.fields import Knobs, Text

TEXT = "text"
"""In a reply: the words in which the fields were found."""


class Match(Protocol):
    """Where a pattern was found."""

    def group(self, number: int, /) -> str | None:
        """The text of a group, 0 being the whole; None for a group that took no part."""
        ...


class Pattern(Protocol):
    """What is used of a compiled pattern."""

    @property
    def groups(self) -> int:
        """How many groups there are."""
        ...

    def search(self, text: str, /) -> Match | None:
        """The first match."""
        ...

    def finditer(self, text: str, /) -> Iterator[Match]:
        """Every match, one after the other."""
        ...


def compiled(pattern: str) -> Pattern:
    """The pattern, ready to search. Raises ValueError, which says what re2 cannot take."""
    import re2  # its package ships no types: `Any` ends at this function

    engine: Any = re2
    options = engine.Options()
    options.log_errors = False
    try:
        made: Pattern = engine.compile(pattern, options)
    except engine.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error
        raise ValueError(f"this is no regular expression that re2 reads: {reason}") from None
    if made.groups > 1:
        raise ValueError("one group at most says what is taken; write the others as (?:…)")
    return made


def _searchable(pattern: str) -> str:
    compiled(pattern)
    return pattern


Regex = Annotated[Text, AfterValidator(_searchable)]
FieldName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")]
"""The name of a field: one that a `$name` of the reply, and an expression, can have."""


class FormOptions(Knobs):
    """Options of `uses: form`."""

    fields: Mapping[FieldName, Regex] = Field(default_factory=dict[str, str])
    """What is read out of a task, each by a regular expression (re2); its group, or all of it, is taken:
    out of the task's own words, else the item, else the results that the task builds on."""
    numbers: tuple[FieldName, ...] = ()
    """Fields whose value is a number, not a text."""
    required: tuple[FieldName, ...] = ()
    """Fields without which the task fails; any other is left out where it is not found."""
    items: Regex | None = None
    """Each thing that this finds in the task's own words is an item of a list, over which "for each" can go;
    the fields are then read out of each of them."""
    reply: Text = f"${TEXT}"
    """The answer, for each item where there are some; `$NAME` is a field, and nothing where it was not found.
    `$text` is the task's own words, or those of the item."""

    @model_validator(mode="after")
    def _knows_its_fields(self) -> "FormOptions":
        known = (*self.fields, TEXT)
        if TEXT in self.fields:
            raise ValueError(f"`{TEXT}` is the task's own words; call the field something else")
        for knob in ("numbers", "required"):
            for name in getattr(self, knob):
                if name not in self.fields:
                    raise ValueError(f"`{knob}` names {name!r}, which is none of the fields")
        reply = Template(self.reply)
        if not reply.is_valid():
            raise ValueError("a `$` of the reply begins the name of a field; write $$ for a dollar sign")
        for name in reply.get_identifiers():
            if name not in known:
                raise ValueError(
                    f"the reply names ${name}, and there are: {', '.join(f'${each}' for each in known)}"
                )
        return self


TYPE = AgentType(
    name="form",
    options=FormOptions,
    effects="none",
    steps="one",
    operations=(),
    build=late("orchestrator.agents.builtin.form"),
    model_calls=no_calls,
)
