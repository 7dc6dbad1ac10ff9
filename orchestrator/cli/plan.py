"""`cuewave plan TEXT`: the dry run. Nothing is executed; no model is asked unless `--llm` allows it."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.completing import kind_option, text_argument
from orchestrator.cli.estimate import estimate_lines
from orchestrator.cli.opening import finished, open_app, the_text
from orchestrator.cli.output import columns, emit, json_option, say, warn
from orchestrator.cli.picture import alone, drawn, svg_option
from orchestrator.cli.route import route_lines
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from pathlib import Path

    from orchestrator.preview import Preview


@verb(
    ends=(OK, MISTAKE),
    examples=(
        'cuewave plan "find the overdue invoices, then write a reminder for each"',
        'cuewave plan "summarize my inbox and check my calendar" --mermaid',
    ),
)
@text_argument
@click.option("--llm", is_flag=True, help="Let classifiers and planner ask their models.")
@kind_option
@click.option("--mermaid", "drawing", flag_value="mermaid", help="Only the plan, as a Mermaid flowchart.")
@click.option("--dot", "drawing", flag_value="dot", help="Only the plan, in Graphviz DOT.")
@svg_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    text: tuple[str, ...],
    llm: bool,
    kind: str | None,
    drawing: str | None,
    svg: "Path | None",
    as_json: bool,
) -> None:
    """Show what TEXT (- reads stdin) would become: cues, route, tasks, waves, approval, cost."""
    if drawing and as_json:
        raise click.UsageError(f"--{drawing} and --json each are the whole output; choose one")
    alone(svg, beside="--json" if as_json else drawing and f"--{drawing}")
    app = open_app(ctx)
    preview = finished(app.preview(the_text(text), llm=llm, kind=kind), waits=llm)
    warn(preview.warnings)
    if svg and drawn(preview.plan.to_svg(seconds=preview.seconds or None), svg):
        return
    if as_json:
        emit(preview.to_json())
    elif drawing:
        say(preview.plan.to_mermaid() if drawing == "mermaid" else preview.plan.to_dot())
    else:
        say("\n".join([*route_lines(preview.sighting), *plan_lines(preview)]))


def plan_lines(preview: "Preview") -> list[str]:
    """The plan for people: where it comes from, its tasks by wave, what it would ask and cost."""
    plan, (least, most) = preview.plan, preview.model_calls
    calls = f"{least}" if least == most else f"{least} to {most}"
    asks = (
        f"asks first: {preview.approval.reason}"
        if preview.approval.needed
        else f"none: {preview.approval.reason}"
    )
    lines = [f"plan      {plan.source}, {len(plan.tasks)} task{'s' if len(plan.tasks) != 1 else ''}"]
    if plan.collapse_reason:
        lines.append(f"collapse  {'yes' if plan.collapsed else 'no'}: {plan.collapse_reason}")
    lines += [f"approval  {asks}", f"cost      {calls} model calls to plan", *estimate_lines(preview)]
    lines += ["", plan.to_text(columns())]
    return lines
