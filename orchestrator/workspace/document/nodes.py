"""YAML nodes → plain data. One walk of our own, in place of the library's constructor.

Law: what is read is what is written. Twice the same key, a key that is no text, a tag, a merge key, or a
value that YAML understands only by half is refused, all of them in one pass. Depth and alias expansion are
bounded, so no file can cost much more than its size.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml
from yaml.composer import ComposerError
from yaml.constructor import SafeConstructor
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.scanner import ScannerError

Trail: TypeAlias = tuple[str | int, ...]
"""The keys and list indexes from the top of a document to a value."""
Keys: TypeAlias = Mapping[int, Mapping[str, tuple[Node, Node]]]
"""By the `id` of a mapping's node: the nodes of each key and its value."""
Refusal: TypeAlias = tuple[Node, Trail, str]
"""What is wrong, where: the node whose place is shown, and the trail to it."""

MAX_DEPTH = 64
MAX_VALUES = 100_000
"""Most values of a file, each alias counted as if it were written out."""
_LONGEST = 200
"""Most characters of a number or a date."""
_TAG = "tag:yaml.org,2002:"
_TEXTS = (f"{_TAG}str", f"{_TAG}value")
_SCALARS: Mapping[str, tuple[str, Callable[[Any, ScalarNode], Any]]] = {
    f"{_TAG}null": ("nothing", SafeConstructor.construct_yaml_null),
    f"{_TAG}bool": ("a boolean", SafeConstructor.construct_yaml_bool),
    f"{_TAG}int": ("a number", SafeConstructor.construct_yaml_int),
    f"{_TAG}float": ("a number", SafeConstructor.construct_yaml_float),
    f"{_TAG}timestamp": ("a date", SafeConstructor.construct_yaml_timestamp),
}
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Bounds:
    """Counts the nodes that PyYAML composes, and how deep they are, by the hooks it calls at each."""

    depth = 0
    count = 0

    def descend_resolver(self, current_node: Node | None, current_index: object) -> None:
        self.depth += 1
        self.count += 1
        if current_node is None or (self.depth <= MAX_DEPTH and self.count <= MAX_VALUES):
            return
        deep = self.depth > MAX_DEPTH
        problem = f"nested deeper than {MAX_DEPTH} levels" if deep else f"more than {MAX_VALUES:,} values"
        raise ComposerError(None, None, problem, current_node.start_mark)

    def ascend_resolver(self) -> None:
        self.depth -= 1


class PythonLoader(_Bounds, yaml.SafeLoader):
    """The slow one, for a PyYAML without libyaml."""

    def scan_flow_scalar(self, style: str) -> Any:
        """Refuse what libyaml refuses: an escape for something that is no character."""
        scanner: Any = super()
        mark: Any = scanner.get_mark()
        try:
            token = scanner.scan_flow_scalar(style)
        except (ValueError, OverflowError):
            token = None
        if token is None or _SURROGATE.search(token.value):
            raise ScannerError(None, None, "found invalid Unicode character escape code", mark)
        return token


def _fastest() -> type[Any]:
    if not yaml.__with_libyaml__:
        return PythonLoader

    class CLoader(_Bounds, yaml.CSafeLoader):
        """The fast one."""

    return CLoader


LOADER = _fastest()


class _TooMuch(Exception):
    """The aliases expand beyond the bound: there is no sense in going on."""


@dataclass(slots=True)
class Walk:
    """One pass over the nodes of a document; `loader` is the PyYAML loader that composed them."""

    loader: Any
    keys: dict[int, dict[str, tuple[Node, Node]]] = field(default_factory=dict[int, Any])
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    _sizes: dict[int, int] = field(default_factory=dict[int, int])
    _made: dict[int, Any] = field(default_factory=dict[int, Any])
    _count: int = 0

    def data(self, root: Node) -> Any:
        """The plain data; None where the bound is passed. What is wrong is in `refusals`."""
        try:
            return self._value(root, ())
        except _TooMuch:
            return None

    def _value(self, node: Node, trail: Trail) -> Any:
        self._count += 1
        if isinstance(node, ScalarNode):
            return node.value if node.tag == _TEXTS[0] else self._scalar(node, trail)
        if id(node) in self._made:
            return self._alias(node, trail)
        before = self._count
        made: Any = [] if isinstance(node, SequenceNode) else {}
        self._made[id(node)] = made
        if isinstance(node, MappingNode) and node.tag == f"{_TAG}map":
            self._mapping(node, trail, made)
        elif isinstance(node, SequenceNode) and node.tag == f"{_TAG}seq":
            made.extend([self._value(child, (*trail, i)) for i, child in enumerate(node.value)])
        else:
            self._refuse_tag(node, trail)
        self._sizes[id(node)] = self._count - before
        return made

    def _alias(self, node: Node, trail: Trail) -> Any:
        """A collection met again: the same data, counted as if it were written out."""
        if id(node) not in self._sizes:
            self.refusals.append((node, trail, "this holds an alias of itself; write out what is meant"))
            return None
        self._count += self._sizes[id(node)]
        self._bound(node, trail)
        return self._made[id(node)]

    def _bound(self, node: Node, trail: Trail) -> None:
        if self._count > MAX_VALUES:
            message = f"the file has more than {MAX_VALUES:,} values once its aliases are written out"
            self.refusals.append((node, trail, message))
            raise _TooMuch

    def _mapping(self, node: MappingNode, trail: Trail, made: dict[str, Any]) -> None:
        known = self.keys[id(node)] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node, trail)
            if key is None:
                continue
            if key in known:
                line = known[key][0].start_mark.line + 1
                self._refuse(key_node, (*trail, key), f"the key stands twice, first on line {line}; keep one")
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
        if node.tag in _SCALARS:
            message = (
                f'a key is a text; YAML reads this one as {_SCALARS[node.tag][0]}; quote it: "{node.value}"'
            )
            self._refuse(node, (*trail, node.value), message)
        elif node.tag not in _TEXTS:
            self._refuse_tag(node, (*trail, node.value))
        return node.value

    def _scalar(self, node: ScalarNode, trail: Trail) -> Any:
        """A scalar that is not marked as text. One that is refused is its text."""
        if node.tag in _TEXTS:
            return node.value
        if node.tag not in _SCALARS:
            self._refuse_tag(node, trail)
            return node.value
        noun, make = _SCALARS[node.tag]
        try:
            if len(node.value) <= _LONGEST:
                return make(self.loader, node)
        except (ValueError, KeyError, IndexError, OverflowError, AttributeError):
            pass  # what PyYAML's own constructors raise for 2026-13-45, `0b_` or `!!bool maybe`
        self._refuse(node, trail, f"YAML takes this for {noun}, but it is none; quote it if text is meant")
        return node.value

    def _refuse_tag(self, node: Node, trail: Trail) -> None:
        tag = ascii(node.tag.replace(_TAG, "!!"))[1:-1][:80]
        message = f"the tag `{tag}` is not read here; take it out, or quote a text that begins with '!'"
        self._refuse(node, trail, message)

    def _refuse(self, node: Node, trail: Trail, message: str) -> None:
        self.refusals.append((node, trail, message))
