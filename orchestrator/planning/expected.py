"""What is expected of a fact, as planners write it: as JSON, as YAML, in signs (`<= 30`), or in words.

Laws: the JSON of a comparison is read as that comparison, and so is what people are shown of it. What is none
of this is a text; whether the fact is one is for others to say. Any text is read in linear time.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import get_args

from orchestrator.comparison import Op
from orchestrator.ids import Json

_SIGNS: Mapping[str, Op] = {
    **{"<=": "lte", "≤": "lte", ">=": "gte", "≥": "gte", "!=": "ne", "≠": "ne"},
    **{"==": "eq", "=": "eq", "<": "lt", ">": "gt"},
}
_LISTS: Mapping[str, Op] = {"in": "in", "one of": "in", "not in": "not_in", "none of": "not_in"}
_SIGNED = re.compile(rf"({'|'.join(map(re.escape, _SIGNS))})\s*(\S.*)")
_LISTED = re.compile(r"((?:not\s+)?in|(?:one|none)\s+of)(?:\s+|(?=[\[(]))(\S.*)", re.IGNORECASE)
_PAIRED = re.compile(r"(between|outside)\s+(\S+|\".*?\")\s+and\s+(\S.*)", re.IGNORECASE)
_WITHIN = re.compile(r"within\s+(\S+)\s+of\s+(\S+)", re.IGNORECASE)
_NAMED = re.compile(rf"(?:{'|'.join(get_args(Op))})\s*:\s.*")
_TOKEN = re.compile(
    r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[{}\[\],]|:(?=[\s"'{\[])|(?:[^{}\[\],:]|:(?![\s"'{\[]))+)"""
)
_WORDS: Mapping[str, Json] = {"true": True, "false": False, "null": None}


def expected_of(written: str, value: Json = None) -> Json:
    """The `expected` of an assumption about a fact that is `value` now, for `comparison_of`.

    Raises ValueError where nothing is written.
    """
    text = written.strip(" \t*`")
    if not text:
        raise ValueError("nothing is written there")
    if text == value:  # a text that would otherwise mean something, such as 12, or `in transit`
        return text
    return _compared(text) or _plain(text)


def _compared(text: str) -> Mapping[str, Json] | None:
    """A comparison in signs or words."""
    if signed := _SIGNED.fullmatch(text):
        return {_SIGNS[signed[1]]: _plain(signed[2])}
    if listed := _LISTED.fullmatch(text):
        op = _LISTS[" ".join(listed[1].lower().split())]
        return {op: _plain(f"[{listed[2].strip('[]() ')}]")}
    if paired := _PAIRED.fullmatch(text):
        return {paired[1].lower(): [_plain(paired[2]), _plain(paired[3])]}
    if within := _WITHIN.fullmatch(text):
        return {"within": {"of": _plain(within[2]), "tolerance": _plain(within[1])}}
    return None


def _plain(text: str) -> Json:
    """A value, list or mapping in JSON or the like; else the text itself."""
    if _NAMED.fullmatch(text):
        text = f"{{{text}}}"
    if text[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            return json.loads("".join(_quoted(text)))
    return _scalar(text)


def _quoted(text: str) -> Iterator[str]:
    """The tokens of a list or mapping, with bare words in quotes, as JSON has them."""
    for token in (match[1].strip() for match in _TOKEN.finditer(text)):
        yield token if token in "{}[],:" else json.dumps(_scalar(token))


def _scalar(text: str) -> Json:
    """A value that is neither list nor mapping."""
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1]
    if text[:1] not in ("{", "["):
        with suppress(ValueError):
            return json.loads(text, parse_constant=_refused)
    return _WORDS.get(text.lower(), text)


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
