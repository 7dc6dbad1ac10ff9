"""Faults found by what is made of a workspace know a file and a path; here they get their place in the text."""

import re
from collections.abc import Mapping

from orchestrator.errors import Fault
from orchestrator.workspace.document.positions import Document

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def placed(fault: Fault, documents: Mapping[str, Document]) -> Fault:
    """The fault at the value its path names; as it is where it has a place or its file is not known."""
    document = documents.get(fault.file)
    if fault.line or document is None:
        return fault
    trail = tuple(int(at) if at else key for key, at in _STEP.findall(fault.path))
    return document.fault(trail, fault.message)
