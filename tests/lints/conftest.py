"""Workspaces with one thing to be doubted, beside ones that only look like it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from orchestrator.workspace.doubts import Finding

from support.doubted import doubted


@pytest.fixture
def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Finding, ...]]:
    """What is doubted of the sound workspace with these files in it."""
    monkeypatch.setenv("A_KEY", "not-a-key-at-all")
    return lambda files={}: doubted(tmp_path / "ws", files)


@pytest.fixture
def places(findings: Callable[..., tuple[Finding, ...]]) -> Callable[..., list[str]]:
    """The same as `code file:line:column` each."""

    def _places(files: Mapping[str, str | None] = {}) -> list[str]:
        return [f"{f.code} {f.place.file}:{f.place.line}:{f.place.column}" for f in findings(files)]

    return _places
