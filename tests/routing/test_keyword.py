"""The keyword scorer: what a keyword is worth, and how certain that makes a route."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import WorkspaceInvalid
from orchestrator.ids import AgentName
from orchestrator.routing.keyword import KeywordClassifier
from orchestrator.workspace.agent_file import AgentFile, IntentConfig


def classifier(**intents: tuple[str, ...]) -> KeywordClassifier:
    configs = {name: IntentConfig(keywords=keywords) for name, keywords in intents.items()}
    return KeywordClassifier({AgentName("one"): AgentFile(name="one", uses="x", intents=configs)})


def ranked(scorer: KeywordClassifier, text: str) -> list[tuple[str, float]]:
    return [(candidate.intent, round(candidate.confidence, 3)) for candidate in scorer.classify(text)]


def test_one_keyword_against_none_is_fairly_certain() -> None:
    assert ranked(classifier(a=("mail",), b=("calendar",)), "my Mail") == [("a", 0.8)]


def test_one_keyword_against_one_is_not() -> None:
    assert ranked(classifier(a=("mail",), b=("calendar",)), "calendar and mail") == [
        ("a", 0.444),
        ("b", 0.444),
    ]


def test_a_shared_keyword_is_weak_evidence_for_both() -> None:
    scorer = classifier(a=("report", "mail"), b=("report", "ledger"))
    assert ranked(scorer, "report") == [("a", 0.4), ("b", 0.4)]
    assert ranked(scorer, "ledger report") == [("b", 0.667), ("a", 0.222)]


def test_a_longer_phrase_says_more() -> None:
    assert ranked(classifier(a=("time",), b=("free slot",)), "free slot time") == [("b", 0.545), ("a", 0.364)]


def test_a_keyword_inside_a_longer_one_is_not_seen() -> None:
    scorer = classifier(search=("invoices",), overdue=("overdue invoices",))
    assert ranked(scorer, "overdue invoices") == [("overdue", 0.857)]
    assert ranked(scorer, "overdue invoices, all invoices") == [("overdue", 0.545), ("search", 0.364)]


def test_keywords_that_overlap_without_one_holding_the_other_are_both_seen() -> None:
    assert [name for name, _ in ranked(classifier(a=("free time",), b=("time slot",)), "free time slot")] == [
        "a",
        "b",
    ]


def test_a_keyword_counts_once_however_often_it_stands_there() -> None:
    scorer = classifier(a=("mail",), b=("x",))
    assert ranked(scorer, "mail mail mail") == ranked(scorer, "mail")


def test_the_evidence_is_the_keyword_as_written_with_its_first_place() -> None:
    candidate = classifier(a=("Straße",)).classify("in der STRASSE, straße")[0]
    assert [(e.classifier, e.phrase, e.start, e.end) for e in candidate.evidence] == [
        ("keyword", "Straße", 7, 14)
    ]


def test_a_keyword_of_two_intents_is_cited_to_each_as_it_writes_it() -> None:
    a, b = classifier(a=("Mail",), b=("mail",)).classify("MAIL")
    assert (a.evidence[0].phrase, b.evidence[0].phrase) == ("Mail", "mail")


def test_an_intents_kind_comes_before_its_agents(agents: Mapping[AgentName, AgentFile]) -> None:
    scorer = KeywordClassifier(agents)
    assert scorer.classify("totals")[0].kind == "report"
    assert scorer.classify("overdue")[0].kind == "answer"
    assert scorer.classify("reminder")[0].agent == "reminders"


def test_without_keywords_no_intent_is_spoken_for() -> None:
    assert classifier(a=()).classify("mail") == ()
    assert KeywordClassifier({}).classify("mail") == ()


def test_blank_keywords_are_located_faults_told_at_once() -> None:
    with pytest.raises(WorkspaceInvalid) as caught:
        classifier(a=("x", " "), b=("\u00a0",))
    assert [(fault.file, fault.path) for fault in caught.value.faults] == [
        ("agents/one.yaml", "intents.a.keywords[1]"),
        ("agents/one.yaml", "intents.b.keywords[0]"),
    ]


def test_a_fault_is_in_the_agents_own_file_whatever_that_is_called() -> None:
    agent = AgentFile(name="one", uses="x", intents={"a": IntentConfig(keywords=(" ",))})
    with pytest.raises(WorkspaceInvalid) as caught:
        KeywordClassifier({AgentName("one"): agent}, {AgentName("one"): "agents/mail.yml"})
    assert [fault.file for fault in caught.value.faults] == ["agents/mail.yml"]


WORD = st.sampled_from(["a", "b", "a b", "c", "d e", "e"])


@given(st.lists(st.lists(WORD, max_size=4), min_size=1, max_size=5), st.lists(WORD, max_size=6))
def test_the_running_best_two_are_those_of_the_full_ranking(lists: list[list[str]], words: list[str]) -> None:
    scorer = classifier(**{f"i{n}": tuple(keywords) for n, keywords in enumerate(lists)})
    tally = scorer.tally()
    for hit in scorer.find(" ".join(words)):
        tally.add(hit)
        order = sorted(tally.sums, key=lambda intent: (-tally.sums[intent], intent))
        assert [tally.best, tally.second] == [*order, None][:2]
        assert 0 <= tally.margin <= tally.confidence(order[0]) < 1
