"""A fault in an operator's words.

Law: it says what is due, what was found, and the remedy. What YAML read as something else than text is said
to be so. A secret is never quoted.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from typing import Any

from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.document.positions import Document, plain
from orchestrator.workspace.fields import DEPENDENCY_PATTERN, NAME_PATTERN, TICK_PATTERN
from orchestrator.workspace.judging.shape import Places, keys_of

_TEXT, _LIST, _MAPPING = "a text", "a list", "a mapping"
DUE = {
    **dict.fromkeys(("string_type", "literal_error"), _TEXT),
    **dict.fromkeys(("list_type", "tuple_type", "set_type", "frozen_set_type"), _LIST),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type", "model_attributes_type"), _MAPPING),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
}
"""What is due, by the type of error that says that something else was found."""
_REMEDIES = {
    _LIST: "; write it as [{}]",
    "a whole number": "; take the quotes away, if it is one",
    "a number": "; take the quotes away, if it is one",
}
"""What mends a text in the wrong place."""
_PATTERNS = {
    NAME_PATTERN: "a name begins with a letter and goes on with letters, digits, '-' and '_'",
    TICK_PATTERN: "a tick is a number of executed tasks, such as 1",
    DEPENDENCY_PATTERN: "this is to be the id of a task, with a '*' behind it for each item of its result",
}
_BOUNDS = {
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "less_than": "less than {lt:g}",
    "less_than_equal": "at most {le:g}",
}


@dataclass(frozen=True, slots=True)
class Complaint:
    """One error of a model: what it says, and which value it is about.

    `due` is what should stand there, where it is of the wrong kind; `member` the place and name of the union
    member that says so.
    """

    type: str
    message: str
    context: Mapping[str, Any]
    trail: Trail
    at_key: bool
    due: str
    member: tuple[Trail, str] | None


def meant(word: str, known: Sequence[str]) -> str:
    """A closing remark: the known word that may have been meant."""
    close = get_close_matches(word[:64], known, 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def nearest(word: str, known: Sequence[str]) -> str:
    """A closing remark: the known word that may have been meant, else all of them."""
    return meant(word, known) or (f"; known are: {', '.join(known)}" if known else "")


def sentence(complaint: Complaint, document: Document, above: Places) -> str:
    """What is wrong, what was found, and the remedy; `above` is what the mapping around it may be."""
    key = complaint.trail[-1] if complaint.trail else ""
    match complaint.type:
        case "extra_forbidden":
            return f"unknown key{nearest(str(key), keys_of(above))}"
        case "missing":
            return f"the key '{key}' is missing"
        case "value_error":
            return str(complaint.context["error"])
        case "string_too_short":
            return "this may not be empty"
        case _:
            return _about_the_value(complaint, document)


def _about_the_value(complaint: Complaint, document: Document) -> str:
    kind, context, trail = complaint.type, complaint.context, complaint.trail
    seen = (
        f"found the key '{plain(str(trail[-1]))}'" if complaint.at_key else f"found {_found(document, trail)}"
    )
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", context["expected"])
        return f"{context['expected']} is due; {seen}{_remedy(complaint, document, choices)}"
    if complaint.due:
        return f"{complaint.due} is due; {seen}{_remedy(complaint, document)}"
    if kind == "string_pattern_mismatch" and context["pattern"] in _PATTERNS:
        return f"{_PATTERNS[context['pattern']]}; {seen}"
    if kind in _BOUNDS:
        return f"this must be {_BOUNDS[kind].format_map(context)}; {seen}"
    return f"{complaint.message.replace('Input should', 'this should', 1)}; {seen}"


def _found(document: Document, trail: Trail) -> str:
    """What stands there, in words; not its text where that is secret."""
    value, written = document.at(trail), document.written(trail)
    if isinstance(value, dict):
        return _MAPPING
    if isinstance(value, list):
        return _LIST
    if document.hides(trail):
        return "something that is not shown"
    if isinstance(value, str):
        return f"the text '{plain(value)}'"
    read = _reading(value)
    if not written or written.lower() == str(value).lower():
        return read
    return f"`{plain(written)}`, which YAML reads as {read}"


def _reading(value: object) -> str:
    """What YAML made of a plain scalar that is no text."""
    if value is None:
        return "nothing"
    noun = "boolean" if isinstance(value, bool) else "date" if isinstance(value, date) else "number"
    return f"the {noun} {str(value).lower() if isinstance(value, bool) else value}"


def _remedy(complaint: Complaint, document: Document, choices: Sequence[str] = ()) -> str:
    """How to mend a value of the wrong kind; `choices` are the texts that are allowed there."""
    value, written = document.at(complaint.trail), plain(document.written(complaint.trail))
    if isinstance(value, list) and complaint.due == _MAPPING:
        return "; write `key: value`, without the '-'"
    if isinstance(value, dict | list) or document.hides(complaint.trail):
        return ""
    if value is None and not written:
        return "; write it, or take the key out"
    if isinstance(value, str):
        return meant(value, choices) or _REMEDIES.get(complaint.due, "").format(written)
    text_is_due = choices or (_TEXT in complaint.due and complaint.type != "literal_error")
    return f'; quote it: "{written}"' if text_is_due else ""
