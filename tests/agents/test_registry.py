"""The registry of agent types: names in, types out, no Python code in YAML."""

from pathlib import Path

import pytest
from orchestrator.agents.contract import AgentType
from orchestrator.agents.registry import BUILT_IN, agent_type, type_names
from orchestrator.errors import UserError


def offer(site: Path, *lines: str, package: str = "visiting") -> None:
    """An installed package that offers agent types, as far as the interpreter can tell."""
    info = site / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join(("[cuewave.agents]", *lines)) + "\n")


@pytest.mark.parametrize("name", ["inbox", "calendar", "ledger", "reminders"])
def test_a_built_in_type_is_found_under_its_own_name(name: str) -> None:
    found = agent_type(name)
    assert isinstance(found, AgentType)
    assert found.name == name


def test_an_unknown_name_is_none() -> None:
    assert agent_type("nobody") is None


def test_a_module_path_is_not_a_type() -> None:
    assert agent_type("orchestrator.agents.builtin.inbox") is None


def test_a_package_offers_a_type_by_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(tmp_path, "post = orchestrator.agents.builtin.inbox:TYPE")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert agent_type("post") is agent_type("inbox")
    assert type_names() == tuple(sorted((*BUILT_IN, "post")))


def test_a_package_cannot_take_a_built_in_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(tmp_path, "inbox = orchestrator.agents.builtin.ledger:TYPE")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = agent_type("inbox")
    assert found is not None
    assert found.name == "inbox"


def test_a_broken_offer_is_named_with_its_package_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(tmp_path, "ghost = no_such_module_anywhere:TYPE")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UserError, match=r"'ghost' cannot be loaded from 'no_such_module_anywhere:TYPE'"):
        agent_type("ghost")


def test_an_offer_that_is_no_agent_type_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(tmp_path, "odd = pathlib:Path")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UserError, match="must be an AgentType"):
        agent_type("odd")


def test_two_packages_with_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(tmp_path, "post = orchestrator.agents.builtin.inbox:TYPE", package="one")
    offer(tmp_path, "post = orchestrator.agents.builtin.ledger:TYPE", package="two")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UserError, match="several packages offer the agent type 'post'"):
        agent_type("post")
