"""What is made of a workspace finds faults by file and path; here they get their place in the text."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from orchestrator.errors import Fault
from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.document.positions import read

_INDEX = re.compile(r"\[(\d+)\]")


def placed(fault: Fault, root: Path) -> Fault:
    """The fault at the value its path names; as it is where it has a place or its file cannot be read."""
    path = root / fault.file
    if fault.line or not path.is_file():
        return fault
    document = read(fault.file, path.read_bytes())
    return document.fault(_trail(fault.path, document.data), fault.message)


def _trail(path: str, data: Any) -> Trail:
    """The steps of a dotted path through this data, as far as they lead; a key may have dots of its own."""
    if index := _INDEX.match(path):
        at = int(index[1])
        here = isinstance(data, list) and at < len(cast("list[Any]", data))
        return (at, *_trail(path[index.end() :].removeprefix("."), data[at])) if here else ()
    if not isinstance(data, Mapping):
        return ()
    keys = (str(key) for key in cast("Mapping[str, Any]", data))
    key = max((k for k in keys if re.match(rf"{re.escape(k)}($|[.\[])", path)), key=len, default=None)
    return () if key is None else (key, *_trail(path[len(key) :].removeprefix("."), data[key]))
