"""The laws of looking: nothing is changed, nothing outside is reached, and trouble is told as LookFailed."""

import asyncio
import os
from pathlib import Path

import pytest
from orchestrator.adaptation.outcome import LookFailed
from orchestrator.agents.contract import Call, Output
from orchestrator.errors import TaskError
from orchestrator.ids import AgentName, Effects
from orchestrator.looking import LARGEST, WorkspaceLook
from orchestrator.sandbox import render_text
from orchestrator.workspace.agent_file import AgentFile, Limits

CLERK = AgentName("clerk")


class Echo:
    """Answers with what it was asked; some questions bring it down."""

    def __init__(self) -> None:
        self.asked = 0

    async def run(self, call: Call) -> Output:
        self.asked += 1
        match call.query:
            case "refuse":
                raise TaskError("there is no such file")
            case "break":
                raise ZeroDivisionError("of what")
            case "dawdle":
                await asyncio.Event().wait()
        return Output(f"{call.query}/{call.action}/{call.request}")


def look(root: Path, effects: Effects | None = "read", timeout: str | None = None) -> WorkspaceLook:
    file = AgentFile(
        name="clerk", uses="x", effects=effects, limits=Limits.model_validate({"timeout": timeout})
    )
    return WorkspaceLook(root, {CLERK: file}, {CLERK: Echo()}, render_text, 5)


def asked(looked: WorkspaceLook, question: str, agent: AgentName = CLERK) -> str:
    return asyncio.run(looked.ask(agent, question))


def test_a_file_of_the_workspace_is_read(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "out.txt").write_bytes("\ufeffgrüße\r\n".encode())
    assert look(tmp_path).read("data/out.txt") == "grüße\r\n"
    look(tmp_path).find("data/out.txt")


@pytest.mark.parametrize("path", ["../secret.txt", "data/../../secret.txt", "a\\b", "a\0b", "", "data/../x"])
def test_a_path_stays_within_the_workspace(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    root = tmp_path / "workspace"
    (root / "data").mkdir(parents=True)
    (root / "x").write_text("x")
    for way in (look(root).read, look(root).find):
        with pytest.raises(LookFailed, match="is no path within the workspace"):
            way(path)


def test_an_absolute_path_is_none_of_the_workspace_even_where_it_leads_there(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("x")
    with pytest.raises(LookFailed, match="is no path within the workspace"):
        look(tmp_path).read(str(tmp_path / "x"))


def test_a_link_is_followed_within_the_workspace_and_not_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    root = tmp_path / "workspace"
    (root / "real").mkdir(parents=True)
    (root / "real" / "a.txt").write_text("here")
    (root / "in.txt").symlink_to(root / "real" / "a.txt")
    (root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (root / "up").symlink_to(tmp_path)
    (root / "round").symlink_to(root / "round")
    assert look(root).read("in.txt") == "here"
    for path in ("out.txt", "up/secret.txt"):
        with pytest.raises(LookFailed, match="leads out of the workspace"):
            look(root).read(path)
    with pytest.raises(LookFailed, match="round cannot be looked at"):
        look(root).read("round")


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for path in ("pipe", "folder"):
        with pytest.raises(LookFailed, match=f"{path} is no file"):
            look(tmp_path).read(path)
    with pytest.raises(LookFailed, match=r"gone\.txt cannot be looked at: No such file"):
        look(tmp_path).find("gone.txt")


def test_a_file_that_is_no_text_is_there_and_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"abc\xff")
    look(tmp_path).find("a.bin")
    with pytest.raises(LookFailed, match=r"a\.bin is no UTF-8: byte 4 is 0xff"):
        look(tmp_path).read("a.bin")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * (LARGEST + 1))
    (tmp_path / "just").write_bytes(b"x" * LARGEST)
    assert len(look(tmp_path).read("just")) == LARGEST
    with pytest.raises(LookFailed, match="big has more than 4,000,000 bytes"):
        look(tmp_path).read("big")


@pytest.mark.parametrize("effects", ["none", "read"])
def test_an_agent_that_does_not_write_is_asked(tmp_path: Path, effects: Effects) -> None:
    assert asked(look(tmp_path, effects), "who?") == "who?/who?/who?"


@pytest.mark.parametrize("effects", ["write", None])
def test_an_agent_that_may_write_is_not_asked(tmp_path: Path, effects: Effects | None) -> None:
    looked = look(tmp_path, effects)
    with pytest.raises(LookFailed, match="agent clerk may write, and is not asked"):
        asked(looked, "who?")
    clerk = looked.agents[CLERK]
    assert isinstance(clerk, Echo)
    assert clerk.asked == 0


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("refuse", "agent clerk: there is no such file"),
        ("break", "agent clerk broke: ZeroDivisionError: of what"),
    ],
)
def test_an_agent_that_fails_leaves_it_unknown_how_things_stand(
    tmp_path: Path, question: str, said: str
) -> None:
    with pytest.raises(LookFailed, match=said):
        asked(look(tmp_path), question)


def test_an_agent_is_not_waited_for_beyond_its_time(tmp_path: Path) -> None:
    with pytest.raises(LookFailed, match=r"agent clerk did not answer within 0\.01 s"):
        asked(look(tmp_path, timeout="10ms"), "dawdle")


def test_an_agent_that_there_is_not_is_told_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(LookFailed, match="there is no agent 'cook'; there are: clerk"):
        asked(look(tmp_path), "who?", AgentName("cook"))


def test_a_template_that_cannot_be_rendered_is_a_failure_to_look(tmp_path: Path) -> None:
    assert look(tmp_path).render("to {{ facts.x }}", {"facts": {"x": 1}}) == "to 1"
    with pytest.raises(LookFailed, match="has no attribute 'gate'"):
        look(tmp_path).render("{{ facts.gate }}", {"facts": {}})
