from orchestrator.agents.contract import Usage
from orchestrator.ids import AgentName, IntentName, TaskId
from orchestrator.planning.approval import Approval
from orchestrator.planning.plan import Task, plan_of
from orchestrator.preview import Preview, Sighting
from orchestrator.routing.route import Candidate, Compound, Evidence, Route

TEXT = "my overdue invoices and the mail about them"
LEDGER, INBOX = AgentName("ledger"), AgentName("inbox")


def preview(*, sure: bool) -> Preview:
    rival = Candidate(IntentName("overdue"), LEDGER, "answer", 0.4, (Evidence("keyword", "overdue", 3, 10),))
    route = Route(
        text=TEXT,
        span=(0, len(TEXT)),
        agent=INBOX,
        intent=IntentName("search"),
        kind="answer",
        confidence=0.45,
        margin=0.05,
        sure=sure,
        classifier="keyword",
        alternatives=(rival,),
    )
    task = Task(TaskId("t1"), INBOX, TEXT, TEXT)
    plan = plan_of(TEXT, (task,), "direct", {INBOX, LEDGER})
    approval = Approval("answer", needed=False, reason="nothing in the plan writes")
    return Preview(Sighting(TEXT, Compound(), route), plan, approval, (0, 0), Usage())


def test_an_unsure_direct_plan_names_the_words_that_speak_for_another_agent() -> None:
    (warning,) = preview(sure=False).warnings
    assert '"overdue" also speaks for ledger' in warning


def test_a_sure_one_warns_of_nothing() -> None:
    assert preview(sure=True).warnings == ()
