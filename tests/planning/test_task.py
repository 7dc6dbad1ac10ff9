from orchestrator.planning.task import Task, assigned

from support.turns import agent


def test_params_carry_the_own_action_and_the_sentence_of_the_user():
    task = Task(id="t1", agent="inbox", action="read it", request="read it, then sleep")
    assert task.params == {"query": "read it", "request": "read it, then sleep"}


def test_a_task_takes_effects_success_and_failure_from_its_agent():
    task = Task(id="t1", agent="mailer", action="x", request="x")
    mailer = agent("mailer", "write", success="not_empty", on_upstream_failure="run")
    done = assigned(task, {"mailer": mailer})
    assert (done.effects, done.success, done.on_upstream_failure) == ("write", "not_empty", "run")


def test_unknown_effects_count_as_writing():
    task = Task(id="t1", agent="odd", action="x", request="x")
    assert assigned(task, {"odd": agent("odd", None)}).effects == "write"


def test_a_task_of_an_unknown_agent_is_left_as_it_is():
    task = Task(id="t1", agent="ghost", action="x", request="x")
    assert assigned(task, {}) is task


def test_json_names_the_fields_of_the_interface():
    task = Task(
        id="t2",
        agent="reminders",
        action="write",
        request="find, write",
        depends_on=("t1",),
        map_over="t1",
        intent="remind",
        source_span=(6, 11),
        effects="write",
    )
    assert task.to_json() == {
        "id": "t2",
        "agent": "reminders",
        "intent": "remind",
        "action": "write",
        "depends_on": ["t1"],
        "map_over": "t1",
        "source_span": [6, 11],
        "effects": "write",
        "params": {"query": "write", "request": "find, write"},
        "assumes": [],
        "compensate": None,
    }
