"""Text → YAML nodes, in C where PyYAML has libyaml, with bounds on depth and number.

Laws: what both loaders read, they read alike (each refuses a few texts that the other reads, where tabs stand
or a blank is left out); neither goes so deep that Python or C runs out of stack.
"""

import re
from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.nodes import Node
from yaml.scanner import ScannerError

MAX_DEPTH = 64
MAX_VALUES = 100_000
"""Most values of a file, each alias counted as if it were written out."""
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


def compose(text: str, loader: type[Any] = LOADER) -> tuple[Node | None, Any]:
    """The root node, None for an empty document, and the loader that made it. Raises YAMLError."""
    composer = loader(text)
    try:
        return composer.get_single_node(), composer
    finally:
        composer.dispose()
