"""A way to ask an agent something, at a given time, in a given folder."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from orchestrator.agents.contract import Call, Item, Output, Surroundings, Upstream
from orchestrator.agents.registry import agent_type
from orchestrator.workspace.agent_file import AgentFile

Ask = Callable[..., Output]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Ask a built-in agent whose files are in `tmp_path`. By default it is Monday 30 November 2026, 08:00."""

    def asked(
        kind: str,
        action: str,
        operation: str | None = None,
        *,
        now: str = "2026-11-30T08:00",
        zone: str = "Europe/Berlin",
        item: Item | None = None,
        inputs: tuple[Upstream, ...] = (),
        key: str = "",
        writable: bool = True,
        root: Path = tmp_path,
        **options: Any,
    ) -> Output:
        found = agent_type(kind)
        assert found is not None
        moment = datetime.fromisoformat(now).replace(tzinfo=ZoneInfo(zone))
        surroundings = Surroundings(root, writable, lambda: moment)
        agent = found.build(AgentFile(name=kind, uses=kind), found.options(**options), surroundings)
        call = Call(
            "the rendered query", action, action, operation=operation, item=item, inputs=inputs, key=key
        )
        return asyncio.run(agent.run(call))

    return asked
