"""Whether a turn has parts: R5 word by word, and in how much work it is decided."""

from collections.abc import Callable, Mapping

import pytest
from orchestrator.ids import AgentName
from orchestrator.routing.cascade import Router
from orchestrator.routing.compound import detect
from orchestrator.routing.cues import CueSet
from orchestrator.routing.keyword import KeywordClassifier, Tally
from orchestrator.routing.phrases import PhraseHit
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.models import MultiStepFile, RoutingFile

Routers = Callable[..., Router]


def counting(router: Router, text: str) -> list[tuple[str, str]]:
    return [(hit.cue, text[hit.start : hit.end]) for hit in router.compound(text).cues]


def ignored(router: Router, text: str) -> list[str]:
    return [hit.cue for hit in router.compound(text).ignored]


def test_a_joiner_between_parts_of_different_intents_makes_a_turn_compound(make_router: Routers) -> None:
    assert counting(make_router(), "summarize my inbox and check my calendar") == [("and", "and")]


def test_a_joiner_within_one_request_does_not(make_router: Routers) -> None:
    router = make_router()
    assert counting(router, "emails from Bob and Alice") == []
    assert ignored(router, "emails from Bob and Alice") == ["and"]


def test_a_joiner_between_two_parts_of_one_intent_does_not(make_router: Routers) -> None:
    assert counting(make_router(), "check my calendar and my meeting") == []


def test_a_side_must_route_with_confidence_and_margin(make_router: Routers) -> None:
    text = "summarize my inbox and check my calendar"
    assert counting(make_router(sure=0.9), text) == []
    assert counting(make_router(margin=0.9), text) == []
    assert counting(make_router(), "inbox overdue and calendar") == []


def test_a_strong_cue_counts_always(make_router: Routers) -> None:
    assert counting(make_router(), "hum and then hum") == [("and then", "and then")]
    assert counting(make_router(), "after that") == [("after that", "after that")]


def test_sequential_and_distributive_cues_of_one_turn_are_all_evidence(make_router: Routers) -> None:
    text = "find the overdue invoices, then write a reminder for each"
    assert counting(make_router(), text) == [(", then", ", then"), ("for each", "for each")]


def test_three_parts_have_two_joints(make_router: Routers) -> None:
    router = make_router()
    text = "summarize my inbox, check my calendar and list overdue invoices"
    assert counting(router, text) == [(",", ","), ("and", "and")]


def test_joiners_with_only_white_space_between_them_are_one_joint(make_router: Routers) -> None:
    text = "summarize my inbox, check my calendar,  and list overdue invoices"
    assert counting(make_router(), text) == [(",", ","), (", and", ",  and")]
    assert counting(make_router(), "check my calendar and also my inbox") == [("and also", "and also")]


def test_a_weak_cue_counts_like_a_joiner(make_router: Routers) -> None:
    router = make_router()
    assert counting(router, "Check my calendar. Also summarize my inbox") == [("also", "Also")]
    assert counting(router, "I also need my calendar") == []
    assert counting(router, "Also check my calendar") == []


def test_a_weak_cue_before_a_pair_does_not_break_its_joiner(make_router: Routers) -> None:
    router = make_router()
    assert counting(router, "show both my calendar and inbox") == [("and", "and")]
    assert ignored(router, "show both my calendar and inbox") == ["both"]


def test_a_weak_cue_with_no_keyword_before_it_does_not_end_a_side(make_router: Routers) -> None:
    text = "summarize my inbox and please also check my calendar"
    assert counting(make_router(), text) == [("and", "and")]


def test_a_left_side_reaches_back_to_the_last_joint_that_counted(make_router: Routers) -> None:
    text = "emails from Bob and Alice and my calendar and overdue invoices"
    assert [hit.start for hit in make_router().compound(text).cues] == [26, 42]


def test_a_joiner_inside_a_keyword_parts_nothing(make_router: Routers) -> None:
    router = make_router()
    assert counting(router, "show profit and loss") == []
    assert counting(router, "show profit and loss and my calendar") == [("and", "and")]


def test_a_joint_of_judged_cues_beside_a_strong_one_is_not_judged_twice(make_router: Routers) -> None:
    text = "summarize my inbox and, after that, check my calendar"
    assert counting(make_router(), text) == [("after that", "after that")]


def test_a_flat_list_needs_no_routes(make_router: Routers) -> None:
    router = make_router()
    cues = CueSet.of(MultiStepFile(cues=("also", "both")))
    assert detect("also hum", cues, router.keywords, RoutingFile()).is_multi_step


def test_without_cues_no_turn_is_compound(make_router: Routers) -> None:
    nothing = detect("first a and then b", CueSet.of(MultiStepFile()), make_router().keywords, RoutingFile())
    assert nothing.to_json() == {"is_multi_step": False, "cues": [], "ignored": []}


class CountingClassifier(KeywordClassifier):
    """Counts how often keywords are looked up, and how often one is put on a score sheet."""

    lookups = 0
    additions = 0

    def find(self, text: str) -> tuple[PhraseHit, ...]:
        self.lookups += 1
        return super().find(text)

    def tally(self) -> Tally:
        counter = self

        class CountingTally(Tally):
            def add(self, hit: PhraseHit) -> tuple[tuple[int, str], ...]:
                counter.additions += 1
                return super().add(hit)

        return CountingTally(self._keywords)


@pytest.mark.parametrize(
    "text",
    [
        "and " * 1000,
        "calendar and " * 1000,
        "calendar and inbox and " * 500,
        "x both " * 1000,
        "calendar x both " * 1000,
        "inbox overdue, " * 1000,
    ],
)
def test_keywords_are_looked_up_once_and_scored_at_most_four_times(
    text: str, agents: Mapping[AgentName, AgentFile], make_router: Routers
) -> None:
    classifier = CountingClassifier(agents)
    router = make_router()
    found = detect(text, router.cues, classifier, RoutingFile())
    assert found == router.compound(text)
    assert classifier.lookups == 1
    assert classifier.additions <= 4 * len(router.keywords.find(text))
