"""Warnings: what a workspace that loads says, but hardly means.

Law: a doubt is cheap. It names file and path, and gets its line, column and source only where somebody is to
see them, so that counting doubts reads no file again.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from orchestrator.errors import Fault
from orchestrator.ids import Json
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.document.positions import Document, read
from orchestrator.workspace.document.source import decode
from orchestrator.workspace.folder import is_yaml
from orchestrator.workspace.judging.shape import secret_trails
from orchestrator.workspace.models import CONFIG_FILES
from orchestrator.workspace.placing import in_file_order, trail_of
from orchestrator.workspace.value import Doubt, Spot, Workspace

_MOST_OTHERS = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """A doubt with its place: for people as faults are shown, with its code behind."""

    code: str
    place: Fault

    def __str__(self) -> str:
        return str(replace(self.place, message=f"{self.place.message} [{self.code}]"))

    def to_json(self) -> dict[str, Json]:
        """An entry of `warnings` of `check --json`."""
        return {"code": self.code, **asdict(self.place)}


def findings(doubts: Iterable[Doubt], workspace: Workspace) -> tuple[Finding, ...]:
    """The doubts with their places, in the order of the files."""
    documents: dict[str, Document] = {}

    def place(spot: Spot, message: str) -> Fault:
        if spot.file not in documents:
            documents[spot.file] = _document(spot.file, workspace)
        return _placed(documents[spot.file], spot, message)

    found: list[Finding] = []
    for doubt in doubts:
        others = [place(spot, "") for spot in doubt.also[:_MOST_OTHERS]]
        where = ", ".join(f"{o.file}:{o.line}:{o.column}" for o in others)
        message = f"{doubt.message} (see {where})" if where else doubt.message
        found.append(Finding(doubt.code, place(doubt.spot, message)))
    return tuple(sorted(found, key=lambda finding: in_file_order(finding.place)))


def _placed(document: Document, spot: Spot, message: str) -> Fault:
    if document.root is None and not document.source.text:
        return Fault(spot.file, 0, 0, spot.path, message)
    trail = trail_of(spot.path, document.data)
    return replace(document.fault(trail, message, at_key=spot.at_key), path=spot.path)


def _document(file: str, workspace: Workspace) -> Document:
    """The file, which shows none of its secrets; one that cannot be read has no text."""
    raw = workspace.files.get(file)
    if raw is None:
        path = workspace.root / file
        return Document(decode(file, path.read_bytes() if path.is_file() else b"")[0])
    document = read(file, raw)
    if not is_yaml(file, "agents"):
        name = file.removeprefix("config/").rpartition(".")[0]
        model = CONFIG_FILES.get(name)
        return document.hiding(secret_trails(model, document.data)) if model else document
    document = document.hiding(secret_trails(AgentFile, document.data))
    options = next((workspace.options[n] for n, f in workspace.sources.items() if f == file), None)
    if options is None:
        return document
    trails = secret_trails(type(options), document.at(("options",)))
    return document.hiding(("options", *trail) for trail in trails)
