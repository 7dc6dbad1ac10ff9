"""What is made of a workspace finds faults by file and path; here they get their place in the text."""

import re
from pathlib import Path

from orchestrator.errors import Fault
from orchestrator.workspace.document.positions import read

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def placed(fault: Fault, root: Path) -> Fault:
    """The fault at the value its path names; as it is where it has a place or its file cannot be read."""
    path = root / fault.file
    if fault.line or not path.is_file():
        return fault
    document = read(fault.file, path.read_bytes())
    trail = tuple(int(at) if at else key for key, at in _STEP.findall(fault.path))
    return document.fault(trail, fault.message)
