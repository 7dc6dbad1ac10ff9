"""A key from the environment reaches its provider, and no event, repr, preview, error, log or prompt."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from orchestrator import Orchestrator, WorkspaceInvalid
from orchestrator.testing import MemoryStore

from support.office import WRITER, office
from support.openai_server import Answer, OpenAIServer, serving

Open = Callable[..., Orchestrator]

KEY = "correct-horse-9c41-battery"
UNCLEAR = "draft a letter and then frobnicate the widgets"
LINES = "TASK: t1 | draft a letter | writer | none\nTASK: t2 | frobnicate the widgets | calendar | t1"
PRATTLE = f"the key {KEY} is over its limit"


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with serving() as running:
        yield running


@pytest.fixture
def files(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("OFFICE_KEY", KEY)
    served = f"{{provider: openai, model: m, base_url: '{server.base_url}', api_key: '${{OFFICE_KEY}}'}}"
    return {
        "config/models.yaml": f"models: {{default: {served}}}",
        "config/planning.yaml": "model: default",
        "agents/writer.yaml": WRITER,
    }


@pytest.mark.parametrize(
    "answers",
    [
        (LINES, "Dear Ann, …"),
        (LINES, Answer(status=401, error=PRATTLE)),
        (LINES, Answer(status=429, error=PRATTLE)),
        (LINES, Answer(status=500, error=PRATTLE)),
        (LINES, Answer(raw=PRATTLE.encode())),
        (Answer(status=400, error=PRATTLE), "Dear Ann, …"),
    ],
    ids=["well", "refused", "limited", "broken", "garbled", "no plan"],
)
def test_the_key_is_sent_and_shown_nowhere(
    open_office: Open,
    server: OpenAIServer,
    files: dict[str, str],
    answers: tuple[Any, ...],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    store = MemoryStore()
    app = open_office(files, store=store)
    server.answers = [Answer(a) if isinstance(a, str) else a for a in answers]
    preview, result, journal = asyncio.run(whole(app, store))
    assert {h["authorization"] for h in server.headers} == {f"Bearer {KEY}"}
    shown = {
        "journal": repr(journal),
        "repr of the app": repr(vars(app)) + repr(app.agents) + repr(dict(app.agents)),
        "repr of the workspace": repr(app.workspace) + str(app.workspace.models),
        "dump of the models": app.workspace.models.model_dump_json(),
        "preview": repr(preview) + json.dumps(preview.to_json()),
        "result": repr(result) + json.dumps(result.to_json()),
        "prompts": json.dumps(server.requests),
        "log": caplog.text + repr([vars(record) for record in caplog.records]),
        "streams": "".join(capfd.readouterr()),
    }
    assert [where for where, text in shown.items() if KEY in text] == []
    assert len(server.requests) == 2
    assert "writer" in shown["journal"]


async def whole(app: Orchestrator, store: MemoryStore) -> tuple[Any, Any, Any]:
    result = await app.run(UNCLEAR)
    return await app.preview(UNCLEAR), result, await store.read(result.run)


def test_no_fault_of_the_workspace_shows_the_key(files: dict[str, str], tmp_path: Path) -> None:
    models = files["config/models.yaml"]
    literal = models.replace("${OFFICE_KEY}", KEY)
    for text in (
        literal.replace("api_key", "apikey"),
        literal.replace("provider: openai", "provider: nobody"),
        f"{literal} ]",
    ):
        root = office(tmp_path / "office", {**files, "config/models.yaml": text})
        with pytest.raises(WorkspaceInvalid) as refused:
            Orchestrator.from_workspace(root)
        assert KEY not in f"{refused.value}{refused.value.faults!r}"


def test_a_missing_key_is_named_and_nothing_is_opened(
    open_office: Open, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OFFICE_KEY")
    with pytest.raises(WorkspaceInvalid, match=r"config/models\.yaml:1:.*OFFICE_KEY is not set"):
        open_office(files)
