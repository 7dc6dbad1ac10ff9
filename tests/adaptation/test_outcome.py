"""The laws of the outcome: the real result is looked at, and what cannot be seen is not well."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.adaptation.outcome import LookFailed, judged, seen_results
from orchestrator.agents.contract import Item, Output
from orchestrator.ids import AgentName, Phase, RunId, TaskId
from orchestrator.planning.grounds.outcome import OutcomeCheck, OutcomeFound
from orchestrator.runs.state import RunState, TaskState
from orchestrator.sandbox import render_text

from support.plans import plan, task


@dataclass
class Looked:
    """A world of files and answers, which keeps what was asked."""

    files: Mapping[str, str] = field(default_factory=dict[str, str])
    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    asked: list[str] = field(default_factory=list[str])

    def find(self, path: str) -> None:
        self.read(path)

    def read(self, path: str) -> str:
        if path not in self.files:
            raise LookFailed(f"{path} cannot be read: No such file or directory")
        return self.files[path]

    async def ask(self, agent: AgentName, question: str) -> str:
        self.asked.append(question)
        if agent not in self.answers:
            raise LookFailed(f"agent {agent} did not answer within 5 s")
        return self.answers[agent]

    def render(self, template: str, variables: Mapping[str, object]) -> str:
        return render_text(template, variables)


def ran(facts: Mapping[str, Any], **outputs: Output | Phase) -> RunState:
    """A run whose tasks came to these outputs, or to this status without one."""
    state = RunState(RunId("r"), plan=plan(*map(task, outputs)), facts=dict(facts))
    for id, came in outputs.items():
        done = isinstance(came, Output)
        state.tasks[TaskId(id)] = TaskState("done", output=came) if done else TaskState(came)
    return state


def found(check: OutcomeCheck, state: RunState, look: Looked | None = None) -> OutcomeFound:
    (only,) = asyncio.run(judged([check], state, look or Looked())).found
    return only


HOTEL = Output("Booked for 14:00.", (Item("14:00", {"time": "14:00", "place": "Oslo"}),))
RUN = ran({"arrival": "19:00"}, hotel=HOTEL)
CHECK = OutcomeCheck("the guest is expected", that="results.hotel.time >= facts.arrival")


def test_the_result_of_a_task_has_its_text_its_status_and_the_fields_of_its_only_item() -> None:
    several = Output("two", (Item("a", {"seat": 1}), Item("b", {"seat": 2})))
    state = ran({}, hotel=HOTEL, seats=several, note=Output("noted"), none=Output("", ()), left="skipped")
    assert seen_results(state) == {
        "hotel": {
            "time": "14:00",
            "place": "Oslo",
            "text": "Booked for 14:00.",
            "status": "done",
            "items": [{"time": "14:00", "place": "Oslo"}],
        },
        "seats": {"text": "two", "status": "done", "items": [{"seat": 1}, {"seat": 2}]},
        "note": {"text": "noted", "status": "done", "items": []},
        "none": {"text": "", "status": "done", "items": []},
        "left": {"text": "", "status": "skipped", "items": []},
    }
    assert seen_results(RunState(RunId("r"))) == {}


def test_a_field_that_is_called_text_does_not_hide_what_the_task_said() -> None:
    state = ran({}, t=Output("said", (Item("x", {"text": "a field", "status": "open"}),)))
    assert seen_results(state)["t"]["text"] == "said"
    assert seen_results(state)["t"]["status"] == "done"


def test_a_run_of_which_all_was_done_can_still_have_failed() -> None:
    assert found(CHECK, RUN) == OutcomeFound(
        "the guest is expected", False, 'results.hotel.time is "14:00", facts.arrival is "19:00"'
    )
    assert found(CHECK, ran({"arrival": "13:00"}, hotel=HOTEL)).well


@pytest.mark.parametrize(
    ("that", "seen"),
    [
        ("results.shuttle.time == '1'", "results.shuttle.time == '1': results has no field 'shuttle'"),
        ("facts.arrival > 3", "facts.arrival > 3: '19:00' and 3 have no common order"),
        ("results.hotel.time", 'results.hotel.time is "14:00", neither true nor false'),
        ("results.hotel.time >", "this cannot be read"),
    ],
)
def test_an_expression_without_a_truth_is_not_well(that: str, seen: str) -> None:
    one = found(OutcomeCheck("d", that=that), RUN)
    assert not one.well
    assert seen in one.seen


def test_a_file_contains_what_facts_and_results_say_it_should() -> None:
    check = OutcomeCheck("d", file="out.txt", contains="at {{ facts.arrival }} in {{ results.hotel.place }}")
    assert found(check, RUN, Looked({"out.txt": "Meet at 19:00 in Oslo.\n"})) == OutcomeFound(
        "d", True, 'out.txt has "at 19:00 in Oslo"'
    )
    assert found(check, RUN, Looked({"out.txt": "Meet at 14:00\nin Oslo.\n"})) == OutcomeFound(
        "d", False, 'out.txt has no "at 19:00 in Oslo": Meet at 14:00 in Oslo.'
    )
    assert found(check, RUN, Looked({"out.txt": ""})).seen.endswith(": it is empty")
    assert found(check, RUN).seen == "out.txt cannot be read: No such file or directory"


def test_in_a_file_capitals_matter() -> None:
    check = OutcomeCheck("d", file="out.txt", contains="Gate B")
    assert not found(check, RUN, Looked({"out.txt": "gate b"})).well


def test_a_file_that_need_only_be_there_may_be_anything() -> None:
    check = OutcomeCheck("d", file="out.pdf")
    assert found(check, RUN, Looked({"out.pdf": ""})) == OutcomeFound("d", True, "out.pdf is there")
    assert not found(check, RUN).well


@pytest.mark.parametrize("kind", [{"file": "out.txt"}, {"agent": "clerk", "asks": "?"}])
def test_nothing_contains_a_text_that_came_out_empty(kind: Mapping[str, Any]) -> None:
    check = OutcomeCheck("d", contains="{{ facts.gate }}", **kind)
    look = Looked({"out.txt": "x"}, {"clerk": "x"})
    one = found(check, ran({"gate": " "}), look)
    assert (one.well, one.seen) == (False, "what it should contain comes to an empty text")


FOLDED = "\r\n".join(
    [
        "BEGIN:VTODO",
        "SUMMARY:Call the hotel\\, ask for the late",
        "  check-in\\; say that",
        "\t we land\\nat 19:00 (C:\\\\new)",
        "END:VTODO",
    ]
)
MEANT = "Call the hotel, ask for the late check-in; say that we land\nat 19:00 (C:\\new)"


@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("path", ["reminders.ics", "PEOPLE.VCF"])
def test_a_text_is_found_whole_in_a_calendar_that_folds_and_escapes_it(end: str, path: str) -> None:
    look = Looked({path: FOLDED.replace("\r\n", end)})
    assert found(OutcomeCheck("d", file=path, contains=MEANT), RUN, look).well
    assert not found(OutcomeCheck("d", file="x.txt", contains=MEANT), RUN, Looked({"x.txt": FOLDED})).well


LINES = st.text(st.characters(exclude_categories=("C", "Z")) | st.sampled_from(" ,;\\n\n"), min_size=1)


@given(text=LINES.filter(lambda text: bool(text.strip())), width=st.integers(1, 20))
def test_any_text_is_found_in_a_calendar_however_it_is_folded(text: str, width: int) -> None:
    escaped = text
    for plain, kept in (("\\", "\\\\"), (",", "\\,"), (";", "\\;"), ("\n", "\\n")):
        escaped = escaped.replace(plain, kept)
    line = f"SUMMARY:{escaped}"
    folded = "\r\n ".join(line[at : at + width] for at in range(0, len(line), width))
    wanted = OutcomeCheck("d", file="a.ics", contains="{{ facts.x }}")
    assert found(wanted, ran({"x": text}), Looked({"a.ics": f"BEGIN:VTODO\r\n{folded}\r\n"})).well


def test_an_agent_is_asked_and_its_answer_is_read_without_regard_to_capitals() -> None:
    check = OutcomeCheck(
        "d",
        agent=AgentName("clerk"),
        asks="Who is met at {{ facts.arrival }}?",
        contains="the guest from {{ results.hotel.place }}",
    )
    look = Looked(answers={"clerk": "THE GUEST FROM OSLO is."})
    assert found(check, RUN, look) == OutcomeFound("d", True, 'clerk\'s answer has "the guest from Oslo"')
    assert look.asked == ["Who is met at 19:00?"]
    other = found(check, RUN, Looked(answers={"clerk": "Nobody."}))
    assert (other.well, other.seen) == (False, 'clerk\'s answer has no "the guest from Oslo": Nobody.')
    assert found(check, RUN).seen == "agent clerk did not answer within 5 s"


def test_no_test_is_left_out_because_another_failed() -> None:
    class Broken(Looked):
        def render(self, template: str, variables: Mapping[str, object]) -> str:
            raise LookFailed("'gate' is undefined")

    checks: Sequence[OutcomeCheck] = [
        OutcomeCheck("1", that="results.gone.x == 1"),
        OutcomeCheck("2", file="gone.txt"),
        OutcomeCheck("3", file="gone.txt", contains="{{ facts.gate }}"),
        OutcomeCheck("4"),
        CHECK,
        OutcomeCheck("6", that="facts.arrival == '19:00'"),
    ]
    came = asyncio.run(judged(checks, RUN, Broken())).found
    assert [one.description for one in came] == ["1", "2", "3", "4", "the guest is expected", "6"]
    assert [one.well for one in came] == [False] * 5 + [True]
    assert came[2].seen == "'gate' is undefined"
