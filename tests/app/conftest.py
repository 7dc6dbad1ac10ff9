"""An open office at a fixed time, and no way to anything beyond this machine."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from orchestrator.app import Orchestrator
from orchestrator.testing import FakeClock

from support.loopback import loopback_only
from support.office import office

__all__ = ["loopback_only", "open_office"]


@pytest.fixture
def open_office(tmp_path: Path) -> Callable[..., Orchestrator]:
    """The office with these files replaced, on 30 November 2026; knobs are the constructor's."""

    def opened(files: Mapping[str, str | None] = {}, **knobs: Any) -> Orchestrator:
        morning = datetime(2026, 11, 30, 11, tzinfo=UTC)
        knobs = {"clock": FakeClock(morning), "rng": lambda: 0.0, **knobs}
        return Orchestrator.from_workspace(office(tmp_path / "office", files), **knobs)

    return opened
