"""`cuewave runs answer|clear-review ID`: what a person knows, and the run does not."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import INTERRUPTED, MISTAKE, NOT_WELL, OK, WAITS
from orchestrator.cli.completing import run_argument
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import json_option
from orchestrator.cli.serving import serve, word
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from orchestrator.runs.messages import DoubtAnswered, ReviewCleared
    from orchestrator.runs.state import RunState


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=(
        "cuewave runs answer ID t3 --done",
        "cuewave runs answer ID t3 --redo",
    ),
)
@run_argument
@click.argument("task")
@click.option(
    "--done/--redo", "happened", default=None, help="It took effect; or it did not, and is done again."
)
@click.option("--output", default="", help="With --done: what the task came to, where you know.")
@json_option
@click.pass_context
def answer(
    ctx: click.Context, run: str, task: str, happened: bool | None, output: str, as_json: bool
) -> None:
    """Say whether the effect of TASK, which is in doubt, came about; then the run goes on here."""
    if happened is None:
        raise click.UsageError(f"did {task} take effect? Say --done if it did, or --redo if it did not")
    if output and not happened:
        raise click.UsageError("--output belongs to --done: what is done again has no output yet")
    app = open_app(ctx)

    def said(_: "RunState") -> "DoubtAnswered":
        from orchestrator.cli.naming import login_name
        from orchestrator.ids import TaskId
        from orchestrator.runs.messages import DoubtAnswered

        return DoubtAnswered(login_name(), TaskId(task), happened, output)

    serve(app, word(app, run, said), as_json=as_json)


@verb(
    "clear-review",
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=("cuewave runs clear-review ID", "cuewave runs clear-review ID --keep"),
)
@run_argument
@click.option("--keep", is_flag=True, help="The plan stands as it is, and goes by what is so now.")
@json_option
@click.pass_context
def clear_review(ctx: click.Context, run: str, keep: bool, as_json: bool) -> None:
    """Say that you have looked at a run that was flagged for that; one that was held goes on here.

    What still contradicts its plan is then looked at again, and the plan is changed where a repair is
    declared for it, whatever the cooldown says. With --keep it is not.
    """
    app = open_app(ctx)

    def said(_: "RunState") -> "ReviewCleared":
        from orchestrator.cli.naming import login_name
        from orchestrator.runs.messages import ReviewCleared

        return ReviewCleared(login_name(), keep=keep)

    serve(app, word(app, run, said), as_json=as_json)
