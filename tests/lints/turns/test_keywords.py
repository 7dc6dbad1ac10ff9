import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator import Orchestrator
from orchestrator.ids import AgentName
from orchestrator.lints.subject import Subject
from orchestrator.lints.turns.keywords import keyword_doubts
from orchestrator.prompts import Prompts
from orchestrator.routing.cascade import Router
from orchestrator.workspace.agent_file import AgentFile, IntentConfig

from support.doubted import LEDGER, MEMO, SOUND, doubted

SHIPPED = Orchestrator.from_workspace(Path(__file__).parents[3])
LEDGER_FILE, MEMO_FILE = "agents/ledger.yaml", "agents/memo.yaml"


def ledger(keywords: str) -> dict[str, str]:
    return {LEDGER_FILE: LEDGER.replace("[overdue, late payers]", keywords)}


def memo(keywords: str) -> dict[str, str]:
    return {MEMO_FILE: MEMO.replace("[remind me]", keywords)}


@pytest.mark.parametrize(
    ("code", "files", "place"),
    [
        ("keyword-twice", ledger("[overdue, late payers, Over due, OVERDUE]"), f"{LEDGER_FILE}:5:116"),
        ("keyword-shared", memo("[remind me, Late  Payers]"), f"{MEMO_FILE}:6:65"),
        ("keyword-never-matches", memo('[remind me, "\u0301a"]'), f"{MEMO_FILE}:6:65"),
        ("keyword-holds-cue", memo("[remind me, look and then remind]"), f"{MEMO_FILE}:6:65"),
    ],
)
def test_a_keyword_that_decides_nothing_is_doubted(
    places: Callable[..., list[str]], code: str, files: dict[str, str], place: str
) -> None:
    assert places(files) == [f"{code} {place}"]


@pytest.mark.parametrize(
    "files",
    [
        ledger("[overdue, late payers, Over due, überfällig, ß, 逾期]"),
        memo("[remind me, late payer, payers]"),
        memo("[remind me, terms and conditions, and, then]"),
        memo("[remind me, band then, and thenceforth]"),
        {"config/multi_step.yaml": "cues: {distributive: [for each]}\n", **memo("[remind me, one for each]")},
    ],
)
def test_a_keyword_that_only_looks_like_it_is_not(
    places: Callable[..., list[str]], files: dict[str, str]
) -> None:
    assert places(files) == []


def test_both_places_of_a_shared_keyword_are_named(findings: Callable[..., tuple[object, ...]]) -> None:
    (finding,) = findings(memo("[remind me, Late  Payers]"))
    assert str(finding).split("\n")[0] == (
        "agents/memo.yaml:6:65: intents.remind.keywords[1]: 'Late  Payers' speaks for ledger (find_overdue) "
        "as well, so it does not decide between them; keep it in one, or write a longer phrase "
        "(see agents/ledger.yaml:5:93) [keyword-shared]"
    )


def test_a_keyword_of_two_intents_of_one_agent_is_a_way_to_speak_softly(
    places: Callable[..., list[str]],
) -> None:
    two = MEMO.replace(
        "options:",
        "  note: {description: write a note, operation: remind, keywords: [remind me, note]}\noptions:",
    ).replace("[remind me]", "[remind me, reminder]")
    assert places({MEMO_FILE: two}) == []


def test_a_cue_is_found_inside_a_keyword_whatever_stands_in_the_others(
    places: Callable[..., list[str]],
) -> None:
    cues = {"config/multi_step.yaml": 'cues: ["first ... then", "so then"]\n'}
    files = {**cues, **ledger("[first, overdue]"), **memo("[remind me, look so then remind]")}
    assert places(files) == [f"keyword-holds-cue {MEMO_FILE}:6:65"]


def test_an_intent_whose_every_keyword_another_has_too_is_doubted(places: Callable[..., list[str]]) -> None:
    two = MEMO.replace(
        "options:", "  note: {description: write a note, operation: remind, keywords: [Remind  me]}\noptions:"
    )
    assert places({MEMO_FILE: two}) == [
        f"intent-shadowed {MEMO_FILE}:6:3",
        f"intent-shadowed {MEMO_FILE}:7:3",
    ]
    assert places({MEMO_FILE: two.replace("[Remind  me]", "[Remind  me, note]")}) == [
        f"intent-shadowed {MEMO_FILE}:6:3"
    ]
    assert places({MEMO_FILE: two.replace("[Remind  me]", "[note]")}) == []


def test_many_keywords_take_no_longer_each_than_few(tmp_path: Path) -> None:
    def seconds(count: int) -> float:
        words = ", ".join(f"word{n} of the agent" for n in range(count))
        begun = time.process_time()
        assert doubted(tmp_path / str(count), {**SOUND, **memo(f"[remind me, {words}]")}) == ()
        return time.process_time() - begun

    seconds(10)
    assert seconds(8000) < 12 * seconds(1000) + 0.5


WORDS = st.lists(st.sampled_from(["owe", "late", "pay", "late pay", "due"]), max_size=4, unique=True)


@given(st.lists(WORDS, min_size=2, max_size=4), st.lists(st.sampled_from(["owe", "late", "pay", "due", "x"])))
def test_an_intent_that_is_said_to_be_shadowed_never_leads(
    keywords: list[list[str]], text: list[str]
) -> None:
    intents = {f"i{n}": IntentConfig(keywords=tuple(of)) for n, of in enumerate(keywords)}
    agents = {AgentName("a"): AgentFile(name="a", uses="ledger", intents=intents)}
    workspace = replace(SHIPPED.workspace, agents=agents, sources={AgentName("a"): "agents/a.yaml"})
    router = Router(agents, workspace.routing, workspace.multi_step)
    subject = Subject(workspace, router, Prompts(workspace.root / "prompts"))
    shadowed = {d.spot.path.split(".")[1] for d in keyword_doubts(subject) if d.code == "intent-shadowed"}
    ranked = router.keywords.classify(" ".join(text))
    leads = bool(ranked) and (len(ranked) == 1 or ranked[0].confidence > ranked[1].confidence)
    assert not leads or ranked[0].intent not in shadowed
