"""What is made of a workspace finds faults by file and path; here they get a place in it, and an order."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from orchestrator.errors import Fault
from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.document.positions import read
from orchestrator.workspace.folder import FOLDERS
from orchestrator.workspace.models import CONFIG_FILES

_INDEX = re.compile(r"\[(\d+)\]")


def placed(fault: Fault, root: Path) -> Fault:
    """The fault at the value its path names; as it is where it has a place or its file cannot be read."""
    path = root / fault.file
    if fault.line or not path.is_file():
        return fault
    document = read(fault.file, path.read_bytes())
    return document.fault(trail_of(fault.path, document.data), fault.message)


def trail_of(path: str, data: Any) -> Trail:
    """The steps of a dotted path through this data, as far as they lead; a key may have dots of its own."""
    if index := _INDEX.match(path):
        at = int(index[1])
        here = isinstance(data, list) and at < len(cast("list[Any]", data))
        return (at, *trail_of(path[index.end() :].removeprefix("."), data[at])) if here else ()
    if not isinstance(data, Mapping):
        return ()
    keys = (str(key) for key in cast("Mapping[str, Any]", data))
    key = max((k for k in keys if re.match(rf"{re.escape(k)}($|[.\[])", path)), key=len, default=None)
    return () if key is None else (key, *trail_of(path[len(key) :].removeprefix("."), data[key]))


def in_file_order(fault: Fault) -> tuple[int, int, str, int, int]:
    """By file, as the files are read, then by place."""
    folder = fault.file.split("/")[0]
    config = [f"config/{name}.yaml" for name in CONFIG_FILES]
    return (
        FOLDERS.index(folder) if folder in FOLDERS else len(FOLDERS),
        config.index(fault.file) if fault.file in config else len(config),
        fault.file,
        fault.line,
        fault.column,
    )
