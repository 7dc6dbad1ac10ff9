"""The shipped `config/multi_step.yaml` and `config/routing.yaml` do what their comments say."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from orchestrator.ids import AgentName
from orchestrator.routing.cascade import Router
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.models import CueGroups, MultiStepFile, RoutingFile

CONFIG = Path(__file__).parents[2] / "config"
CUES = MultiStepFile.model_validate(yaml.safe_load((CONFIG / "multi_step.yaml").read_text("utf-8")))
ROUTING = RoutingFile.model_validate(yaml.safe_load((CONFIG / "routing.yaml").read_text("utf-8")))


@pytest.fixture
def router(agents: Mapping[AgentName, AgentFile]) -> Router:
    return Router(agents, ROUTING, CUES)


@pytest.mark.parametrize("name", ["multi_step", "routing"])
def test_editors_find_the_schema(name: str) -> None:
    first = (CONFIG / f"{name}.yaml").read_text("utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema=../schemas/{name}.json"


def test_the_promised_cues_are_shipped() -> None:
    assert isinstance(CUES.cues, CueGroups)
    assert {"and then", "after that", "first ... then", "followed by", "after this", "after which"} < set(
        CUES.cues.sequential
    )
    assert {"once that is done", "once that's done"} < set(CUES.cues.sequential)
    assert CUES.cues.parallel == ("as well as",)
    assert CUES.cues.distributive == ("for each", "for every", "one for each")
    assert CUES.cues.weak == ("also", "both")


@pytest.mark.parametrize(
    ("text", "cues"),
    [
        ("summarize my inbox and check my calendar", ["and"]),
        ("summarize my inbox, check my calendar and list overdue invoices", [",", "and"]),
        ("find the overdue invoices, then write a reminder for each", [", then", "for each"]),
        ("First summarize my inbox, and then check my calendar", ["first ... then"]),
        ("check my calendar\nonce that’s done summarize my inbox", ["once that's done"]),
        ("write one for each", ["one for each"]),
        ("emails from Bob and Alice", []),
        ("I also need the postcode", []),
        ("both of my meetings, please", []),
    ],
)
def test_a_turn_is_compound_by_these_cues(router: Router, text: str, cues: list[str]) -> None:
    assert [hit.cue for hit in router.compound(text).cues] == cues


@pytest.mark.parametrize("part", ["write it down", "remind them", "email the results", "one for each"])
def test_a_part_that_points_back_is_a_reference(router: Router, part: str) -> None:
    assert router.is_reference(part)


@pytest.mark.parametrize("part", ["check my calendar this week", "remind me that Bob calls", "list items"])
def test_a_part_that_stands_alone_is_none(router: Router, part: str) -> None:
    assert not router.is_reference(part)
