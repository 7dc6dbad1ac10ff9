"""A provider whose package is not installed: missed when it is needed, or when everything is looked at."""

import asyncio
from collections.abc import Callable
from importlib.util import find_spec

import pytest
from orchestrator import Orchestrator, WorkspaceInvalid
from orchestrator.errors import UserError
from orchestrator.testing import MemoryStore

from support.office import WRITER

Open = Callable[..., Orchestrator]

pytestmark = pytest.mark.skipif(
    find_spec("langchain_anthropic") is not None, reason="the package that must be missing here is installed"
)

FILES = {
    "agents/writer.yaml": WRITER,
    "config/models.yaml": "models: {default: {provider: anthropic, model: m}}\n",
}


def test_other_turns_are_served_without_it(open_office: Open) -> None:
    result = asyncio.run(open_office(FILES).run("check my calendar"))
    assert result.status == "done"


def test_a_turn_that_needs_it_is_refused_by_the_name_of_the_extra_and_nothing_runs(open_office: Open) -> None:
    async def refused() -> None:
        store = MemoryStore()
        app = open_office(FILES, store=store)
        with pytest.raises(UserError, match=r"cuewave\[anthropic\]"):
            await app.run("draft a letter as well as check my calendar")
        assert not await store.runs()

    asyncio.run(refused())


def test_a_thorough_look_names_it_with_its_place(open_office: Open) -> None:
    with pytest.raises(WorkspaceInvalid) as invalid:
        open_office(FILES, thorough=True)
    assert {f.file for f in invalid.value.faults} == {"agents/writer.yaml", "config/models.yaml"}
    assert all("cuewave[anthropic]" in f.message and f.line for f in invalid.value.faults)
