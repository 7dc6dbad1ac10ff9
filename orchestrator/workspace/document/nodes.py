"""YAML nodes → plain data. One walk of our own, in place of the library's constructor.

Law: what is read is what is written. Twice the same key, a key that is no text, a tag, a merge key, or a
value that YAML understands only by half is refused, all of them in one pass. The expansion of aliases is
bounded, so no file can cost much more than its size.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from yaml.constructor import SafeConstructor
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from orchestrator.workspace.document.composing import MAX_DEPTH, MAX_VALUES
from orchestrator.workspace.document.source import shown

Trail: TypeAlias = tuple[str | int, ...]
"""The keys and list indexes from the top of a document to a value."""
Keys: TypeAlias = Mapping[int, Mapping[str, tuple[Node, Node]]]
"""By the `id` of a mapping's node: the nodes of each key and its value."""
Refusal: TypeAlias = tuple[Node, Trail, str]
"""The node whose place is shown, the trail to it, and what is wrong."""

_LONGEST = 200
"""Most characters of a number or a date."""
_TAG = "tag:yaml.org,2002:"
_BARE_TAG = re.compile(r"(?:&\S+\s+)?!(?=[\s,\]}]|\Z)")
"""A `!` by itself before a value, which the library reads over."""
_ON = "on"
"""A knob of repairs, which YAML 1.1 would take for true: as a key nothing else can be meant by it."""
_WHOLE = re.compile(r"0|[1-9][0-9]*")
_TEXTS = (f"{_TAG}str", f"{_TAG}value")
_NOT_MADE = (ValueError, KeyError, IndexError, OverflowError, AttributeError)
"""What PyYAML's constructors raise for 2026-13-45, `0b_` or `!!bool maybe`."""
_NUMBER = "a number"
_SCALARS: Mapping[str, tuple[str, Callable[[Any, ScalarNode], Any]]] = {
    f"{_TAG}null": ("nothing", SafeConstructor.construct_yaml_null),
    f"{_TAG}bool": ("a boolean", SafeConstructor.construct_yaml_bool),
    f"{_TAG}int": (_NUMBER, SafeConstructor.construct_yaml_int),
    f"{_TAG}float": (_NUMBER, SafeConstructor.construct_yaml_float),
    f"{_TAG}timestamp": ("a date", SafeConstructor.construct_yaml_timestamp),
}


class _TooMuch(Exception):
    """The aliases expand beyond the bound: there is no sense in going on."""


@dataclass(slots=True)
class Walk:
    """One pass over the nodes of a document; `loader` is the PyYAML loader that composed them from the text.

    `refusals` is what is wrong, `broken` the trails to values that could not be read as they stand. The
    mappings at the trails `numbered` may have whole numbers as keys, which are read as their text.
    """

    loader: Any
    text: str
    numbered: tuple[Trail, ...] = ()
    keys: dict[int, dict[str, tuple[Node, Node]]] = field(default_factory=dict[int, Any])
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    broken: list[Trail] = field(default_factory=list[Trail])
    _made: dict[int, Any] = field(default_factory=dict[int, Any])
    _measures: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    _count: int = 0
    _depth: int = 0

    def data(self, root: Node) -> Any:
        """The plain data; None where a bound is passed."""
        try:
            made = self._value(root, ())
            self._bound(root, ())
        except _TooMuch:
            return None
        return made

    def _value(self, node: Node, trail: Trail) -> Any:
        self._count += 1
        if self._has_bare_tag(node):
            self._refuse_tag(node, trail, "!")
        if isinstance(node, ScalarNode):
            return node.value if node.tag == _TEXTS[0] else self._scalar(node, trail)
        if id(node) in self._made:
            return self._alias(node, trail)
        count, depth, self._depth = self._count, self._depth, len(trail)
        made: Any = [] if isinstance(node, SequenceNode) else {}
        self._made[id(node)] = made
        self._fill(node, trail, made)
        self._measures[id(node)] = (self._count - count, self._depth - len(trail))
        self._depth = max(depth, self._depth)
        return made

    def _alias(self, node: Node, trail: Trail) -> Any:
        """A collection met again: the same data, measured as if it were written out."""
        if id(node) not in self._measures:
            self._refuse(node, trail, "this holds an alias of itself; write out what is meant")
            return None
        values, levels = self._measures[id(node)]
        self._count += values
        self._depth = max(self._depth, len(trail) + levels)
        self._bound(node, trail)
        return self._made[id(node)]

    def _bound(self, node: Node, trail: Trail) -> None:
        if self._count > MAX_VALUES or self._depth > MAX_DEPTH:
            bound = f"{MAX_VALUES:,} values" if self._count > MAX_VALUES else f"{MAX_DEPTH} levels"
            self._refuse(node, trail, f"the file has more than {bound} once its aliases are written out")
            raise _TooMuch

    def _fill(self, node: Node, trail: Trail, made: Any) -> None:
        if isinstance(node, MappingNode) and node.tag == f"{_TAG}map":
            self._mapping(node, trail, made)
        elif isinstance(node, SequenceNode) and node.tag == f"{_TAG}seq":
            made.extend([self._value(child, (*trail, i)) for i, child in enumerate(node.value)])
        else:
            self._refuse_tag(node, trail, node.tag)

    def _mapping(self, node: MappingNode, trail: Trail, made: dict[str, Any]) -> None:
        known = self.keys[id(node)] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node, trail)
            if key is None:
                continue
            if key in known:
                line = known[key][0].start_mark.line + 1
                message = f"the key stands twice, first on line {line}; keep one"
                self.refusals.append((key_node, (*trail, key), message))
                continue
            known[key] = (key_node, value_node)
            made[key] = self._value(value_node, (*trail, key))

    def _key(self, node: Node, trail: Trail) -> str | None:
        """The text of a key; a key that YAML takes for something else is refused and read as its text."""
        if not isinstance(node, ScalarNode):
            self._refuse(node, trail, "a key is a text; this one is a list or a mapping")
            return None
        if node.tag == f"{_TAG}merge":
            self._refuse(node, trail, "merge keys (`<<`) are not read; write the keys out")
            return None
        if node.value == _ON or (trail in self.numbered and _WHOLE.fullmatch(node.value)):
            return node.value
        if node.tag in _SCALARS:
            read, text = _SCALARS[node.tag][0], shown(node.value, _LONGEST)
            message = f'a key is a text; YAML reads this one as {read}; quote it: "{text}"'
            self.refusals.append((node, (*trail, node.value), message))
        elif node.tag not in _TEXTS or self._has_bare_tag(node):
            self._refuse_tag(node, (*trail, node.value), "!" if node.tag in _TEXTS else node.tag)
        return node.value

    def _scalar(self, node: ScalarNode, trail: Trail) -> Any:
        """A scalar that is not marked as text. One that is refused is its text."""
        if node.tag in _TEXTS:
            return node.value
        if node.tag not in _SCALARS:
            self._refuse_tag(node, trail, node.tag)
            return node.value
        noun, make = _SCALARS[node.tag]
        message = f"YAML takes this for {noun}, but it is none; quote it if text is meant"
        if noun == _NUMBER and ":" in node.value:
            message = "YAML takes this for a number in base 60; quote it"
        elif len(node.value) <= _LONGEST:
            with suppress(*_NOT_MADE):
                return make(self.loader, node)
        self._refuse(node, trail, message)
        return node.value

    def _has_bare_tag(self, node: Node) -> bool:
        return "!" in self.text and bool(_BARE_TAG.match(self.text, node.start_mark.index))

    def _refuse_tag(self, node: Node, trail: Trail, tag: str) -> None:
        tag = ascii(tag.replace(_TAG, "!!"))[1:-1][:80]
        message = f"the tag `{tag}` is not read here; take it out, or quote a text that begins with '!'"
        self._refuse(node, trail, message)

    def _refuse(self, node: Node, trail: Trail, message: str) -> None:
        self.refusals.append((node, trail, message))
        self.broken.append(trail)
