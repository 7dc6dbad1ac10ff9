"""Plans for tests of drawings: tasks in few words, and plans of every shape."""

from hypothesis import strategies as st
from orchestrator.ids import AgentName, Effects, TaskId
from orchestrator.planning.plan import Plan, plan_of
from orchestrator.planning.task import Task

WORDS = st.one_of(
    st.sampled_from(["find the overdue invoices", "read", "检查我的日历，查找明天下午的空闲时间", "x" * 200]),
    st.sampled_from(
        ["בדוק את היומן שלי", "لخّص رسائل البريد الوارد", "e\u0301" * 90, "👩‍👩‍👧‍👦 " * 30, "각각에 대해"]
    ),
    st.text(max_size=60),
)


def task(id: str, *needs: str, over: str | None = None, does: Effects = "none", to: str = "do it") -> Task:
    return Task(
        id=TaskId(id),
        agent=AgentName("a"),
        action=to,
        request="r",
        depends_on=tuple(map(TaskId, needs)),
        map_over=None if over is None else TaskId(over),
        effects=does,
    )


def plan(*tasks: Task) -> Plan:
    return plan_of("r", tasks, "model", {t.agent for t in tasks})


@st.composite
def plans(draw: st.DrawFn, most: int = 40) -> Plan:
    """Up to so many tasks; what a task waits for is near or far, so that there are long lines."""
    tasks: list[Task] = []
    for n in range(draw(st.integers(0, most))):
        needs = sorted(draw(st.sets(st.integers(0, n - 1), max_size=3))) if n else []
        names = [f"t{need}" for need in needs]
        over = draw(st.sampled_from([None, None, *names]))
        does = draw(st.sampled_from(["none", "read", "write"]))
        tasks.append(task(f"t{n}", *names, over=over, does=does, to=draw(WORDS)))
    return plan(*tasks)
