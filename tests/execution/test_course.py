from orchestrator.agents.contract import Item, Output
from orchestrator.execution.course import Course
from orchestrator.execution.slots import Unit
from orchestrator.ids import TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import TaskDone, TaskExpanded, TaskSkipped
from orchestrator.runs.state import RunState, TaskState

from support.driving import RUN, plan, settings_with

ITEMS = (Item("x"), Item("y"))
FOUND = TaskState("done", output=Output("found", ITEMS))


def state(made: Plan, **tasks: TaskState) -> RunState:
    known = {t.id: TaskState() for t in made.tasks} | {TaskId(id): found for id, found in tasks.items()}
    return RunState(RUN, plan=made, tasks=known)


def names(units: list[Unit]) -> list[str]:
    return [unit.id for unit in units]


def test_a_course_begins_with_what_depends_on_nothing() -> None:
    made = plan("t1 a", "t2 a: t1", "t3 a")
    course = Course(made, settings_with())
    assert course.begin(state(made)) == []
    assert names(course.start()) == ["t1", "t3"]
    assert not course.complete


def test_a_run_taken_up_starts_with_what_is_left() -> None:
    made = plan("t1 a", "t2 a: t1", "t3 a: t2", "t4 a")
    course = Course(made, settings_with())
    done = TaskState("done", output=Output("x"))
    assert course.begin(state(made, t1=done, t2=TaskState("running", 1), t4=done)) == []
    assert names(course.start()) == ["t2"]


def test_a_skip_that_was_not_journaled_any_more_is_made_up_for() -> None:
    made = plan("t1 a", "t2 a: t1", "t3 a: t2")
    course = Course(made, settings_with())
    found = state(made, t1=TaskState("failed", error="no"), t2=TaskState("skipped", error="t1 failed"))
    assert course.begin(found) == [TaskSkipped(TaskId("t3"), "t1 failed")]
    assert course.complete


def test_a_mapped_task_is_due_for_expansion_and_then_its_children_start() -> None:
    made = plan("t1 a", "t2 b: t1*")
    course = Course(made, settings_with())
    course.begin(state(made))
    (first,) = course.start()
    assert course.end(first, well=True) == ()
    assert course.start() == []
    (due,) = course.take_due()
    assert course.resolve(due, state(made, t1=FOUND)) == [TaskExpanded(TaskId("t2"), ITEMS)]
    assert names(course.start()) == ["t2[1]", "t2[2]"]


def test_the_last_child_makes_the_whole_due() -> None:
    made = plan("t1 a", "t2 b: t1*")
    course = Course(made, settings_with())
    expanded = TaskState("running", items=ITEMS)
    found = {"t1": FOUND, "t2": expanded, "t2[1]": TaskState("done", output=Output("X"))}
    course.begin(state(made, **found))
    (parent,) = course.take_due()
    assert course.resolve(parent, state(made, **found)) == []
    (last,) = course.start()
    assert last.id == "t2[2]"
    course.end(last, well=True)
    (due,) = course.take_due()
    found["t2[2]"] = TaskState("done", output=Output("Y"))
    assert course.resolve(due, state(made, **found)) == [
        TaskDone(TaskId("t2"), Output("X\nY", (Item("X"), Item("Y"))))
    ]
    assert course.complete
