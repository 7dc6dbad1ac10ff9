"""`cuewave runs approve|reject|feedback ID`: a person's word about the plan of a run that waits for it."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import INTERRUPTED, MISTAKE, NOT_WELL, OK, WAITS
from orchestrator.cli.completing import waiting_run_argument
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import columns, json_option, say
from orchestrator.cli.serving import serve, word
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from orchestrator.runs.messages import FeedbackGiven, PlanApproved, PlanRejected
    from orchestrator.runs.state import RunState

_LEAST_OF_HASH = 8


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=(
        "cuewave runs approve ID",
        "cuewave runs approve ID --plan HASH",
    ),
)
@waiting_run_argument
@click.option(
    "--plan", "seen", metavar="HASH", help="The plan that you agree to, by the beginning of its hash."
)
@json_option
@click.pass_context
def approve(ctx: click.Context, run: str, seen: str | None, as_json: bool) -> None:
    """Agree to the plan, which is shown, and go on with the run here; the reply is printed.

    With --plan it is refused where the plan is not the one that you have seen.
    """
    if seen is not None and len(seen) < _LEAST_OF_HASH:
        raise click.UsageError(f"--plan needs at least {_LEAST_OF_HASH} characters of the hash")
    app = open_app(ctx)

    def said(state: "RunState") -> "PlanApproved":
        from orchestrator.cli.naming import login_name
        from orchestrator.control import approval_of_plan
        from orchestrator.errors import MessageObjected

        approval = approval_of_plan(state, login_name())
        _show(state)
        if seen is not None and not state.plan_hash.startswith(seen.lower()):
            raise MessageObjected(
                f"run {state.run}: its plan has the hash {state.plan_hash[:12]}, not {seen}; what you have"
                " seen is not what would be run, so nothing was said"
            )
        return approval

    serve(app, word(app, run, said), as_json=as_json)


def _show(state: "RunState") -> None:
    """The plan with its effects, and what it is known by."""
    if state.plan is not None and state.approval is not None:
        say(f"{state.plan.to_text(columns(err=True))}\n\n{state.approval.reason}", err=True)
        say(f"plan {state.plan_hash}, at most {state.approval.most_items} items a mapped task", err=True)


@verb(
    ends=(OK, MISTAKE),
    examples=('cuewave runs reject ID --reason "the wrong invoices"',),
)
@waiting_run_argument
@click.option("--reason", default="", help="Why not; it is kept with the run.")
@json_option
@click.pass_context
def reject(ctx: click.Context, run: str, reason: str, as_json: bool) -> None:
    """Do not let the plan be run: the run ends, and nothing of it was done."""
    app = open_app(ctx)

    def said(_: "RunState") -> "PlanRejected":
        from orchestrator.cli.naming import login_name
        from orchestrator.runs.messages import PlanRejected

        return PlanRejected(login_name(), reason)

    serve(app, word(app, run, said), as_json=as_json, well=("cancelled",))


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=('cuewave runs feedback ID "only those of Ann"',),
)
@waiting_run_argument
@click.argument("text", nargs=-1, required=True)
@json_option
@click.pass_context
def feedback(ctx: click.Context, run: str, text: tuple[str, ...], as_json: bool) -> None:
    """Say how the plan should be instead (- reads stdin): it is made anew with that, and asks again."""
    from orchestrator.cli.opening import the_text

    app, told = open_app(ctx), the_text(text)

    def said(_: "RunState") -> "FeedbackGiven":
        from orchestrator.cli.naming import login_name
        from orchestrator.runs.messages import FeedbackGiven

        return FeedbackGiven(login_name(), told, revises_plan=True)

    serve(app, word(app, run, said), as_json=as_json)
