from orchestrator.agents.contract import Call, Item, Output, Upstream
from orchestrator.execution.calls import Calls
from orchestrator.execution.slots import Places, Unit
from orchestrator.ids import IntentName, TaskId
from orchestrator.planning.plan import Task
from orchestrator.runs.state import RunState, TaskState

from support.driving import PROMPTS, REQUEST, RUN, settings_with, task


def call(
    this: Task,
    number: int = 0,
    *,
    query: bool = True,
    emitted: list[object] | None = None,
    **tasks: TaskState,
):
    state = RunState(RUN, tasks={TaskId(id): found for id, found in tasks.items()})
    heard = emitted if emitted is not None else []
    calls = Calls(
        state,
        {id: "inbox" for id in state.tasks},
        render=PROMPTS.render,
        budget=settings_with().budget,
        emit=lambda id, text: heard.append((id, text)),
    )
    unit = Unit(-1, 0, 0, this.id, this, Places(1))
    return calls.of(unit.child(number) if number else unit, "r1/x/1", query=query)


def done(text: str) -> TaskState:
    return TaskState("done", output=Output(text))


def test_a_task_without_dependencies_reads_its_action_unchanged() -> None:
    action = "{{ weird }} ```\n text"
    found = call(task("t1 a", action=action, intent=IntentName("look")))
    assert (found.query, found.action, found.request) == (action, action, REQUEST)
    assert (found.intent, found.operation, found.inputs, found.item, found.key) == (
        "look", None, (), None, "r1/x/1",
    )  # fmt: skip
    assert found.params == {"query": action, "request": REQUEST}


def test_a_dependent_has_the_results_it_stands_on_as_data_and_in_its_query() -> None:
    found = call(task("t3 a: t1 t2"), t1=done("one"), t2=done("two"))
    assert found.inputs == (
        Upstream(TaskId("t1"), "inbox", Output("one")),
        Upstream(TaskId("t2"), "inbox", Output("two")),
    )
    assert "one" in found.query
    assert "two" in found.query
    assert found.action == "step t3"


def test_a_dependency_that_did_not_end_well_is_an_error_with_no_output() -> None:
    found = call(
        task("t3 a: t1 t2"),
        t1=TaskState("failed", error="no such file"),
        t2=TaskState("skipped", error="t1 failed"),
    )
    assert [(u.output, u.error) for u in found.inputs] == [
        (Output(""), "failed: no such file"),
        (Output(""), "skipped: t1 failed"),
    ]


def test_a_mapped_child_sees_its_item_in_place_of_the_whole_and_the_other_results() -> None:
    items = (Item("Ada owes 5", {"sum": 5}), Item("Bob owes 7", {"sum": 7}))
    found = call(
        task("t3 a: t1* t2"),
        2,
        t1=done("Ada and Bob"),
        t2=done("be kind"),
        t3=TaskState("running", items=items),
    )
    assert found.item == items[1]
    assert found.inputs[0].output == Output("Bob owes 7", (items[1],))
    assert found.inputs[1].output == Output("be kind")
    assert "Result of t1, item 2 of 2" in found.query
    assert "Bob owes 7" in found.query
    assert "Ada" not in found.query


def test_an_agent_that_reads_no_query_is_rendered_none() -> None:
    found = call(task("t2 a: t1"), query=False, t1=done("one"))
    assert found.query == "step t2"
    assert found.inputs[0].output.text == "one"


def test_pieces_of_output_are_those_of_the_unit() -> None:
    heard: list[object] = []
    made: Call = call(task("t1 a"), emitted=heard)
    made.emit("hel")
    assert heard == [("t1", "hel")]
