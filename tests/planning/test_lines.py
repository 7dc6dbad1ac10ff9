import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import PlanRefused
from orchestrator.planning.lines import TaskLine, parse, render

AGENTS = ("inbox", "calendar", "Writer")


def read(reply, max_tasks=20):
    return parse(reply, AGENTS, max_tasks)


def refused(reply, max_tasks=20):
    with pytest.raises(PlanRefused) as refusal:
        read(reply, max_tasks)
    return [str(d) for d in refusal.value.diagnostics]


def test_lines_become_tasks_in_their_order():
    assert read(
        "TASK: t1 | summarize my inbox | inbox | none\n"
        "TASK: t2 | check my calendar | calendar | none\n"
        "TASK: t3 | write a summary | Writer | t1, t2\n"
    ) == (
        TaskLine("t1", "summarize my inbox", "inbox"),
        TaskLine("t2", "check my calendar", "calendar"),
        TaskLine("t3", "write a summary", "Writer", ("t1", "t2")),
    )


@pytest.mark.parametrize(
    "line",
    [
        "TASK: t1 | read it | inbox | none",
        "1. TASK: t1 | read it | inbox | none",
        "12) TASK: t1 | read it | inbox | none",
        "(a) TASK: t1 | read it | inbox | none",
        "Step 1: TASK: t1 | read it | inbox | none",
        "TASK 1: t1 | read it | inbox | none",
        "- TASK: t1 | read it | inbox | -",
        "  * TASK: t1 | read it | inbox | –",
        "• TASK: t1 | read it | inbox |",
        "> TASK: t1 | read it | inbox",
        "### TASK: t1 | read it | inbox | N/A",
        "**TASK:** t1 | read it | inbox | none",
        "**TASK**: t1 | read it | inbox | none",
        "**TASK: t1 | read it | inbox | none**",
        "- **TASK:** `t1` | read it | `inbox` | `none`",
        "`TASK: t1 | read it | inbox | none`",
        "| TASK: t1 | read it | inbox | none |",
        "task : T1 | read it | INBOX | NONE",
        "Task: [t1] | read it | @inbox | []",
        "TASK：t1｜read it｜inbox｜none",
        "\tTASK:t1|read it|inbox|none\r",
    ],
)
def test_the_ways_in_which_models_dress_a_line_are_tolerated(line):
    assert read(line) == (TaskLine("t1", "read it", "inbox"),)


@pytest.mark.parametrize(
    "reply",
    [
        "```\n{}\n```",
        "~~~text\n{}\n~~~",
        "Here is the plan:\n\n{}\n\nLet me know if you want changes.",
        "TASK: id | action | agent | depends_on\n{}",
        "<think>\nTASK: t1 | a draft | ghost | t9\n</think>\n{}",
        "<think>TASK: t1 | draft | ghost | t9</think>{}",
        "<thinking>one\n</thinking>\n<think>two\n</think>\n{}",
        "a thought whose opening was in the prompt\nTASK: t1 | draft | ghost\n</think>\n{}",
    ],
)
def test_fences_prose_and_thinking_around_the_lines_are_let_pass(reply):
    assert read(reply.replace("{}", "TASK: t1 | read it | inbox | none")) == (
        TaskLine("t1", "read it", "inbox"),
    )


def test_a_line_keeps_its_number_through_thinking_and_fences():
    (task,) = read("<think>\nhm\n</think>\n```\nTASK: t1 | read it | inbox")
    assert task.line == 5


def test_a_thinking_tag_inside_an_action_is_text():
    (task,) = read("TASK: t1 | explain the <think> and </think> tags | Writer | none")
    assert task.action == "explain the <think> and </think> tags"


def test_ids_and_dependencies_are_the_same_in_any_case():
    first, second = read("TASK: T1 | a | inbox | none\nTASK: t2 | b | inbox | T1")
    assert (first.id, second.depends_on) == ("t1", ("t1",))


def test_a_starred_dependency_maps():
    for needs in ("t1*", "T1 *", "t1*, t1", "**t1***", "[t1*]"):
        assert read(f"TASK: t1 | a | inbox\nTASK: t2 | b | inbox | {needs}")[1] == TaskLine(
            "t2", "b", "inbox", ("t1",), "t1"
        )


@pytest.mark.parametrize("bullet", ["* ", "  *  ", "* - ", "- * ", "1. * "])
def test_a_star_as_a_bullet_does_not_cost_the_star_of_a_dependency(bullet):
    tasks = read(f"{bullet}TASK: t1 | find them | inbox\n{bullet}TASK: t2 | write to each | Writer | t1*")
    assert [t.map_over for t in tasks] == [None, "t1"]


@pytest.mark.parametrize("action", ["say *TASK to each", "run `TASK for each", "**TASK"])
def test_marks_before_the_word_task_in_an_action_do_not_cost_the_star_of_a_dependency(action):
    tasks = (TaskLine("t1", "find them", "inbox"), TaskLine("t2", action, "Writer", ("t1",), "t1"))
    assert read(render(tasks)) == tasks


@pytest.mark.parametrize(
    "line",
    [
        "__TASK__: t1 | a | inbox",
        "__TASK: t1 | a | inbox__",
        "1. | TASK: t1 | a | inbox |",
        "TASK1: t1 | a | inbox",
        "TASK_1: t1 | a | inbox",
        "TASK-1: t1 | a | inbox",
    ],
)
def test_a_line_with_underscores_or_numbers_beside_the_word_is_no_prose(line):
    assert read(line) == (TaskLine("t1", "a", "inbox"),)


def test_a_longer_word_is_prose():
    assert len(read("TASK_FORCE | x\nTASKS: a | b | c\nTASK: t1 | a | inbox")) == 1


def test_an_escaped_bar_is_part_of_the_action_and_other_backslashes_are_kept():
    (task,) = read(r"TASK: t1 | grep a\|b in C:\new\\ | inbox | none")
    assert task.action == r"grep a|b in C:\new\\"


def test_backslashes_before_a_bar_count_in_pairs():
    assert read(r"TASK: t1 | a\\| inbox")[0].action == "a\\"
    assert read(r"TASK: t1 | a\\\|b | inbox")[0].action == r"a\|b"
    assert render(read(r"TASK: t1 | a\\\|b | inbox")) == r"TASK: t1 | a\\\|b | inbox | none"


def test_a_reply_without_a_task_line_is_refused_with_a_remedy():
    assert refused("I cannot do that.") == [
        "the reply names no task: it has no TASK line; "
        "write one line `TASK: id | action | agent | depends_on` for each task"
    ]
    assert "ends inside a thinking block" in refused("<think>\nTASK: t1 | a | inbox | none")[0]
    assert len(refused("")) == 1


def test_what_looks_like_a_task_line_and_is_none_is_never_dropped():
    assert refused("TASK: t1 | a | inbox | none\nTASK: t2 | b\n3. TASK: c\nTASK t4 | d | inbox | none") == [
        "line 2: a task is `TASK: id | action | agent | depends_on`; "
        "found 2 of its 4 fields; write all of them",
        "line 3: a task is `TASK: id | action | agent | depends_on`; "
        "found 1 of its 4 fields; write all of them",
        "line 4: a task is `TASK: id | action | agent | depends_on`; write a colon after TASK",
    ]


def test_a_bar_too_many_is_refused_with_the_way_to_write_it():
    assert refused("TASK: t1 | grep a|b | inbox | none") == [
        "line 1: a task is `TASK: id | action | agent | depends_on`; found 5 of its 4 fields; "
        r"write a bar inside a field as \|"
    ]


def test_all_faults_are_reported_at_once_each_with_its_line():
    assert refused(
        "TASK: t1 | read | inbox | none\n"
        "TASK: T1 | read again | inbox | none\n"
        "TASK: t3 |  | calendar | t3\n"
        "TASK: t4 | write | editor | t9\n"
        "TASK: t5 | write | Writer | t1*, t4*\n"
        "TASK: no id | write | Writer | none\n"
    ) == [
        "line 2: id 't1' is taken by line 1; give each task its own id",
        "line 3: the action of 't3' is empty; say what the agent is to do",
        "line 3: 't3' depends on itself; remove the dependency",
        "line 4: unknown agent 'editor'; use one of: Writer, calendar, inbox",
        "line 4: 't4' depends on the unknown task 't9'; the ids are: t1, t3, t4, t5, no id",
        "line 5: 't5' is to run per item of t1 and t4; mark one dependency with * only",
        "line 6: 'no id' is no id; use t1, t2, …",
    ]


def test_every_cycle_is_shown_as_a_path():
    assert refused(
        "TASK: t1 | a | inbox | t3\nTASK: t2 | b | inbox | t1\nTASK: t3 | c | inbox | T2\n"
        "TASK: t4 | d | inbox | t5\nTASK: t5 | e | inbox | t4"
    ) == [
        "line 1: the tasks form a cycle: t1 -> t2 -> t3 -> t1; remove one of these dependencies",
        "line 4: the tasks form a cycle: t4 -> t5 -> t4; remove one of these dependencies",
    ]


def test_more_tasks_than_allowed_are_refused_at_the_first_one_too_many():
    reply = "\n".join(f"TASK: t{n} | a | inbox | none" for n in range(1, 5))
    assert refused(reply, max_tasks=2) == ["line 3: 4 tasks are more than 2; make fewer, larger ones"]
    assert len(refused(reply, max_tasks=3)) == 1
    assert len(read(reply, max_tasks=4)) == 4


def test_long_hostile_lines_are_read_in_time_in_proportion():
    assert len(refused("TASK: " + "\\" * 200_000)) == 1
    assert len(refused(" " * 200_000 + "TASK: x")) == 1
    assert len(refused("**1." * 50_000)) == 1


ACTIONS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]) | st.sampled_from("|\\｜* "), min_size=1
)


@st.composite
def task_lines(draw):
    count = draw(st.integers(1, 6))
    names = [f"t{n}" for n in range(1, count + 1)]
    tasks = []
    for place, name in enumerate(names):
        needs = tuple(draw(st.lists(st.sampled_from(names[:place]), unique=True)) if place else ())
        mapped = draw(st.sampled_from([None, *needs]))
        action = draw(ACTIONS.map(str.strip).filter(bool))
        tasks.append(TaskLine(name, action, draw(st.sampled_from(AGENTS)), needs, mapped))
    return tuple(tasks)


@given(task_lines())
def test_what_is_rendered_is_read_back(tasks):
    assert read(render(tasks)) == tasks


@given(st.text() | st.text("TASK:t1 |*`-\n\\｜<think>/none,inbox"))
def test_any_reply_is_a_plan_or_a_refusal(reply):
    try:
        tasks = read(reply)
    except PlanRefused as refusal:
        tasks = refusal.diagnostics
    assert tasks


def test_a_line_break_in_an_action_cannot_smuggle_a_task_in():
    smuggler = TaskLine("t1", "read\nTASK: t2 | steal | inbox | none", "inbox")
    assert [t.id for t in read(render([smuggler]))] == ["t1"]
