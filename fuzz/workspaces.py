"""A workspace with one file made of any bytes: it loads, or has faults in place, the same ones twice."""

import os
import tempfile
from atexit import register
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import rmtree

from orchestrator.agents.contract import AgentType
from orchestrator.agents.registry import BUILT_IN, agent_type
from orchestrator.errors import WorkspaceInvalid
from orchestrator.workspace.load import load_workspace
from orchestrator.workspace.value import Workspace

from fuzz import documents
from fuzz.faults import check_fault

ROOT = Path(__file__).parents[1]
LONGEST = 6000
NAMES = tuple(
    sorted(
        path.relative_to(ROOT).as_posix() for f in ("config", "agents") for path in (ROOT / f).glob("*.yaml")
    )
)
"""The first byte of an input says which of the shipped files the rest replaces."""
LEAST: Mapping[str, bytes] = {
    "config/orchestrator.yaml": b"",
    "agents/ledger.yaml": b"name: ledger\nuses: ledger\noptions: {file: x.csv}\n",
}
SECRET = "hunter2hunter2"
WORDS = (
    *documents.WORDS,
    "name: ",
    "uses: ",
    "options: ",
    "intents: ",
    "keywords: ",
    "cues: ",
    "first ... then",
    "kinds: ",
)


def seeds() -> Iterator[bytes]:
    """The shipped files."""
    for place, name in enumerate(NAMES):
        yield bytes([place]) + (ROOT / name).read_bytes()
    yield b"\x01models:\n  a: {provider: openai, api_key: '${KEY}', fallbacks: [b]}\n  b: {provider: x}\n"


def check(data: bytes) -> None:
    """Raise AssertionError where the workspace breaks a law of loading."""
    if data:
        check_files({**LEAST, NAMES[data[0] % len(NAMES)]: data[1:]})


def check_files(files: Mapping[str, bytes]) -> Workspace | WorkspaceInvalid:
    """Load a workspace of these files, twice, and hold what comes of it against the laws."""
    first, second = (loaded(files) for _ in range(2))
    faults = first.faults if isinstance(first, WorkspaceInvalid) else ()
    again = second.faults if isinstance(second, WorkspaceInvalid) else ()
    assert faults == again
    for fault in faults:
        check_fault(fault, files)
        assert SECRET not in str(fault)
    return first


def loaded(files: Mapping[str, bytes]) -> Workspace | WorkspaceInvalid:
    """The workspace of these files; anything raised but WorkspaceInvalid breaks the law."""
    folder = _folder(files)
    try:
        return load_workspace(folder, _known, lambda: tuple(BUILT_IN), {"KEY": SECRET})
    except WorkspaceInvalid as invalid:
        return invalid


def _known(name: str) -> AgentType | None:
    """The types of other packages are left out: to look for them takes long."""
    return agent_type(name) if name in BUILT_IN else None


_written: dict[str, bytes] = {}
_places: list[Path] = []


def _folder(files: Mapping[str, bytes]) -> Path:
    """A folder of exactly these files; only what changed since the last one is written."""
    if not _places:
        _places.append(Path(tempfile.mkdtemp(prefix="cuewave-fuzz-")))
        register(rmtree, _places[0], ignore_errors=True)
    (root,) = _places
    for name in _written.keys() - files.keys():
        os.unlink(root / name)
        del _written[name]
    for name, raw in files.items():
        if _written.get(name) != raw:
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_bytes(raw)
            _written[name] = raw
    return root
