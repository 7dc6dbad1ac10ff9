"""A file's plain data, with the line and column of every key and value in it.

PyYAML composes the nodes, in C where libyaml is there. Places are looked up in the nodes when a fault asks
for one, so they cost nothing until then.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from yaml import YAMLError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from orchestrator.errors import Fault
from orchestrator.ids import Span
from orchestrator.workspace.document.complaints import complaint
from orchestrator.workspace.document.composing import LOADER, compose
from orchestrator.workspace.document.nodes import Keys, Refusal, Trail, Walk
from orchestrator.workspace.document.source import Source, decode, shown
from orchestrator.workspace.secrets import may_name_a_secret, named_like_a_secret, reference, secret_spans

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Document:
    """One file. `broken` are the trails of values that are already at fault; `()` means the whole file."""

    source: Source
    data: Any = field(default_factory=dict[str, Any])
    root: Node | None = None
    keys: Keys = field(default_factory=dict[int, Any])
    broken: tuple[Trail, ...] = ()
    faults: tuple[Fault, ...] = ()

    def node(self, trail: Trail) -> Node | None:
        """The node of the value, or None where no such value is written."""
        node = self.root
        for step in trail:
            if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
            elif step in (pairs := self._pairs(node)):
                node = pairs[str(step)][1]
            else:
                return None
        return node

    def at(self, trail: Trail) -> Any:
        """The value, or None where there is none."""
        data = self.data
        for step in trail:
            if not holds(data, step):
                return None
            data = data[step]
        return data

    def written(self, trail: Trail) -> str:
        """A scalar as it stands in the file, without its quotes."""
        node = self.node(trail)
        return node.value if isinstance(node, ScalarNode) else ""

    def fault(self, trail: Trail, message: str, *, at_key: bool = False) -> Fault:
        """A fault at the value, or its key; where it is not written, at the nearest thing above it."""
        node = self._key(trail) if at_key else None
        above = trail
        while node is None and (node := self.node(above)) is None and above:
            above = above[:-1]
        return self.source.fault(node.start_mark.index if node else 0, dotted(trail), message)

    def hides(self, trail: Trail) -> bool:
        """Whether the value may not be shown."""
        node = self.node(trail)
        at = node.start_mark.index if node else -1
        return any(low <= at < high for low, high in self.source.hidden)

    def hiding(self, trails: Iterable[Trail]) -> "Document":
        """The same document, which does not show the values at these trails either."""
        return self._hiding(n for t in trails if (n := self.node(t)))

    def refused(self, refusals: Iterable[Refusal]) -> "Document":
        """The same document with the faults its walk found; what its keys call a secret is not shown."""
        shy = self
        if may_name_a_secret(self.source.text):
            pairs = (pair for mapping in self.keys.values() for pair in mapping.items())
            shy = self._hiding(value for key, (_, value) in pairs if named_like_a_secret(key))
        faults = tuple(
            shy.source.fault(node.start_mark.index, dotted(trail), message)
            for node, trail, message in refusals
        )
        return replace(shy, faults=faults)

    def _key(self, trail: Trail) -> Node | None:
        found = self._pairs(self.node(trail[:-1])).get(str(trail[-1])) if trail else None
        return found[0] if found else None

    def _pairs(self, node: Node | None) -> Mapping[str, tuple[Node, Node]]:
        """The keys of a mapping that was read; one with a tag was not."""
        return self.keys.get(id(node), {}) if isinstance(node, MappingNode) else {}

    def _hiding(self, nodes: Iterable[Node]) -> "Document":
        spans = (*self.source.hidden, *(s for n in nodes for s in _unshown(n)))
        return replace(self, source=replace(self.source, hidden=spans))


def read(file: str, raw: bytes, loader: type[Any] = LOADER, *, numbered: tuple[Trail, ...] = ()) -> Document:
    """The document of a file's bytes. Its `faults` say what could not be read; its data is then in part.

    The mappings at the trails `numbered` may have whole numbers as keys.
    """
    source, faults = decode(file, raw)
    if faults:
        return Document(source, broken=((),), faults=faults)
    try:
        root, composer = compose(source.text, loader)
    except YAMLError as error:
        at, message = complaint(error, source.text)
        shy = replace(source, hidden=secret_spans(source.text))
        return Document(source, broken=((),), faults=(shy.fault(at, "", message),))
    if root is None or (isinstance(root, ScalarNode) and not root.style and not root.value):
        return Document(source)
    walk = Walk(composer, source.text, numbered)
    data = walk.data(root)
    return Document(source, data, root, walk.keys, tuple(walk.broken)).refused(walk.refusals)


def holds(data: Any, step: str | int) -> bool:
    """Whether a value has something at this key or index."""
    if isinstance(step, int):
        return isinstance(data, list) and step < len(cast(list[object], data))
    return isinstance(data, dict) and step in data


def dotted(trail: Trail) -> str:
    """The trail as people write it: `intents.check.keywords[0]`."""
    return "".join(f"[{s}]" if isinstance(s, int) else f".{plain(s)}" for s in trail).removeprefix(".")


def plain(text: str) -> str:
    """A text for a message, as `shown` makes it."""
    return shown(text, _SHOWN)


def _unshown(node: Node) -> Iterator[Span]:
    """The range of a secret's value; `${NAME}` is no secret."""
    if not (isinstance(node, ScalarNode) and reference(node.value)):
        yield node.start_mark.index, node.end_mark.index
