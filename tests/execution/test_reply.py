import pytest
from orchestrator.agents.contract import Output
from orchestrator.errors import Fault, WorkspaceInvalid
from orchestrator.execution.reply import reply_of, status_of
from orchestrator.planning.plan import Plan
from orchestrator.runs.state import RunState, TaskState

from support.driving import PROMPTS, RUN, plan, task


def done(text: str) -> TaskState:
    return TaskState("done", output=Output(text))


def failed(error: str, text: str | None = None) -> TaskState:
    return TaskState("failed", error=error, output=None if text is None else Output(text))


def state(made: Plan, *tasks: TaskState) -> RunState:
    return RunState(RUN, plan=made, tasks={t.id: found for t, found in zip(made.tasks, tasks, strict=True)})


def reply(made: Plan, *tasks: TaskState) -> str:
    return reply_of(found := state(made, *tasks), status_of(found), PROMPTS.render)


CHAIN = plan(task("t1 a", action="read it"), task("t2 b: t1", action="write it up"))
PAIR = plan(task("t1 a", action="read it"), task("t2 b", action="check the calendar"))
SKIPPED = TaskState("skipped", error="t1 failed")


@pytest.mark.parametrize(
    ("tasks", "status"),
    [
        ((done("x"), done("y")), "done"),
        ((done("x"), failed("no")), "partial"),
        ((failed("no"), SKIPPED), "failed"),
        ((done("x"), TaskState("cancelled")), "cancelled"),
        ((done("x"), TaskState("running")), "cancelled"),
    ],
)
def test_the_status_of_a_run_is_that_of_its_tasks(tasks: tuple[TaskState, ...], status: str) -> None:
    assert status_of(state(CHAIN, *tasks)) == status


def test_the_reply_of_one_leaf_is_its_output() -> None:
    assert reply(CHAIN, done("long letter"), done("The letter.\n")) == "The letter."


def test_an_empty_last_result_says_so() -> None:
    assert reply(CHAIN, done("x"), done("")) == "(empty result)"


def test_several_leaves_are_composed_in_plan_order() -> None:
    assert reply(PAIR, done("3 letters"), done("2 meetings")) == (
        "read it (done)\n3 letters\n\ncheck the calendar (done)\n2 meetings"
    )


def test_a_failure_is_told_with_its_reason_and_what_was_done_is_kept() -> None:
    assert reply(PAIR, done("3 letters"), failed("timed out after 30 s")) == (
        "read it (done)\n3 letters\n\ncheck the calendar (failed: timed out after 30 s)"
    )


def test_a_skipped_part_is_told_with_its_reason() -> None:
    assert reply(CHAIN, failed("no such file"), SKIPPED) == (
        "read it (failed: no such file)\n\nwrite it up (skipped: t1 failed)"
    )


def test_a_result_that_no_later_one_took_up_is_shown() -> None:
    assert reply(CHAIN, done("3 letters"), failed("no")) == (
        "read it (done)\n3 letters\n\nwrite it up (failed: no)"
    )


def test_a_result_that_a_later_one_took_up_is_only_named() -> None:
    three = plan(task("t1 a", action="read"), task("t2 b: t1", action="write"), task("t3 c", action="look"))
    assert reply(three, done("letters"), done("text"), done("seen")) == (
        "read (done)\n\nwrite (done)\ntext\n\nlook (done)\nseen"
    )


def test_what_a_failed_task_gathered_all_the_same_is_shown() -> None:
    assert "write it up (failed: 1 of 2 items failed)\nfirst" in reply(
        CHAIN, done("x"), failed("1 of 2 items failed", "first")
    )


def test_text_of_agents_and_people_is_no_template_in_a_reply() -> None:
    assert "{{ parts }}" in reply(PAIR, done("{{ parts }}"), done("{% raw %}"))


def test_what_was_cut_off_is_told() -> None:
    assert "check the calendar (cancelled)" in reply(PAIR, done("x"), TaskState("running"))


def test_a_fault_in_the_template_does_not_cost_the_results() -> None:
    def broken(name: str, variables: object) -> str:
        raise WorkspaceInvalid((Fault(f"prompts/{name}", 3, 1, "", "'part' is undefined"),))

    text = reply_of(state(PAIR, done("3 letters"), done("2 meetings")), "done", broken)
    assert "3 letters" in text
    assert "2 meetings" in text
    assert "prompts/reply.j2:3:1" in text
