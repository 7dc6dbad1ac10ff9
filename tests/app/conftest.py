"""An open office at a fixed time, and no way to anything beyond this machine."""

import socket
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from orchestrator.app import Orchestrator
from orchestrator.testing import FakeClock

from support.office import office


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1"):
            raise AssertionError(f"a test tried to connect to {address[0]}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def open_office(tmp_path: Path) -> Callable[..., Orchestrator]:
    """The office with these files replaced, on 30 November 2026; knobs are the constructor's."""

    def opened(files: Mapping[str, str | None] = {}, **knobs: Any) -> Orchestrator:
        morning = datetime(2026, 11, 30, 11, tzinfo=UTC)
        knobs = {"clock": FakeClock(morning), "rng": lambda: 0.0, **knobs}
        return Orchestrator.from_workspace(office(tmp_path / "office", files), **knobs)

    return opened
