"""Small workspaces in a temporary folder, and an agent type to check them against."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from orchestrator.errors import WorkspaceInvalid
from orchestrator.workspace.load import load_workspace
from orchestrator.workspace.models import Knobs, Secret
from orchestrator.workspace.value import KnownType, Workspace


class DiaryOptions(Knobs):
    """Options of the type that the tests know."""

    file: str
    """Where the diary is."""
    pages: int = 1
    key: Secret | None = None
    names: str | tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Type:
    name: str = "diary"
    options: type[DiaryOptions] = DiaryOptions
    effects: str = "read"
    steps: str = "one"
    operations: tuple[str, ...] = ("look_up", "write_down")
    presumed: str | None = None
    writing: tuple[str, ...] = ()


@pytest.fixture(scope="session")
def types() -> Mapping[str, KnownType]:
    return {"diary": Type()}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write files of a workspace; a valid `config/orchestrator.yaml` and an agent are there already."""

    def _write(files: Mapping[str, str | bytes | None] = {}) -> Path:
        root = tmp_path / "ws"
        whole = {"config/orchestrator.yaml": "", "agents/diary.yaml": DIARY, **files}
        for name, text in whole.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is not None:
                path.write_bytes(text.encode() if isinstance(text, str) else text)
        return root

    return _write


DIARY = "name: diary\nuses: diary\noptions: {file: d.txt}\n"


@pytest.fixture
def load(write: Callable[..., Path], types: Mapping[str, KnownType]) -> Callable[..., Workspace]:
    def _load(files: Mapping[str, str | bytes | None] = {}, env: Mapping[str, str] = {}) -> Workspace:
        return load_workspace(write(files), types.get, lambda: tuple(types), env)

    return _load


@pytest.fixture
def faults(load: Callable[..., Workspace]) -> Callable[..., list[str]]:
    """The first lines of the faults of a workspace, one text each."""

    def _faults(files: Mapping[str, str | bytes | None], env: Mapping[str, str] = {}) -> list[str]:
        with pytest.raises(WorkspaceInvalid) as invalid:
            load(files, env)
        return [str(f).split("\n")[0] for f in invalid.value.faults]

    return _faults
