from collections.abc import Callable, Mapping

import pytest

from support.doubted import LEDGER, MEMO, PROMPTED, WRITER

MUTE = MEMO.split("intents:")[0].replace("name: memo", "name: mute") + "options: {file: var/mute.ics}\n"
FILE = "agents/mute.yaml"
PLAY = "description: d\ntasks: [{id: t1, agent: mute, action: x}]\n"


@pytest.mark.parametrize(
    ("code", "files", "place"),
    [
        ("agent-without-intents", {FILE: MUTE}, f"{FILE}:1:7"),
        (
            "agent-without-intents",
            {FILE: f"{MUTE}offered: false\n", **PROMPTED, "config/planning.yaml": "model: default\n"},
            f"{FILE}:1:7",
        ),
        (
            "agent-without-description",
            {"agents/memo.yaml": MEMO.replace("description: Writes reminders.\n", "")},
            "agents/memo.yaml:1:7",
        ),
        (
            "agent-knob-unused",
            {**PROMPTED, "agents/memo.yaml": f"model: default\n{MEMO}"},
            "agents/memo.yaml:1:1",
        ),
        ("agent-knob-unused", {"agents/memo.yaml": f"prompt: agent.j2\n{MEMO}"}, "agents/memo.yaml:1:1"),
        ("agent-knob-unused", {"agents/memo.yaml": f"tools: [today]\n{MEMO}"}, "agents/memo.yaml:1:1"),
        (
            "operation-unused",
            {**PROMPTED, "agents/writer.yaml": WRITER.replace("draft: {", "draft: {operation: draft, ")},
            "agents/writer.yaml:5:22",
        ),
    ],
)
def test_an_agent_that_nothing_leads_to_or_that_reads_less_than_it_is_told_is_doubted(
    places: Callable[..., list[str]], code: str, files: Mapping[str, str], place: str
) -> None:
    assert places(files) == [f"{code} {place}"]


@pytest.mark.parametrize(
    "files",
    [
        {FILE: MUTE, "agents/memo.yaml": f"{MEMO}fallbacks: [mute]\n"},
        {
            "agents/reader.yaml": LEDGER.split("intents:")[0].replace("name: ledger", "name: reader")
            + "options: {file: data/invoices.csv}\n",
            "config/routing.yaml": "default_agent: reader\n",
        },
        {
            FILE: MUTE,
            **PROMPTED,
            "agents/writer.yaml": f"{WRITER}tools: ['agent:mute']\neffects: write\nkind: act\n",
        },
        {FILE: MUTE, **PROMPTED, "config/planning.yaml": "model: default\n"},
        {FILE: MUTE, "config/scenarios/play.yaml": PLAY},
        {**PROMPTED, "agents/writer.yaml": f"{WRITER}model: default\nprompt: agent.j2\ntools: [today]\n"},
    ],
)
def test_one_that_something_else_leads_to_is_not(
    places: Callable[..., list[str]], files: Mapping[str, str]
) -> None:
    assert places(files) == []
