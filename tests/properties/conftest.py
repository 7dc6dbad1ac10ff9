"""An office on disk whose runs outlive the process that began them."""

from pathlib import Path

import pytest

from support.office import office


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an office, as the current workspace, with a store of its own."""
    monkeypatch.setenv("CUEWAVE_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    folder = office(tmp_path / "office", {"config/orchestrator.yaml": "version: 1\n"})
    monkeypatch.chdir(folder)
    return folder
