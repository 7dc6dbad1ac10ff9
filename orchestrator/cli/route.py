"""`cuewave route TEXT`: where a turn goes, and why."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.completing import text_argument
from orchestrator.cli.opening import finished, open_app, the_text
from orchestrator.cli.output import emit, json_option, quoted, say, warn
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from orchestrator.preview import Sighting


@verb(
    ends=(OK, MISTAKE),
    examples=(
        'cuewave route "emails from Bob and Alice"',
        "cuewave route @calendar what is on today --json",
    ),
)
@text_argument
@click.option("--llm", is_flag=True, help="Let the cascade ask its model where it is not sure.")
@json_option
@click.pass_context
def command(ctx: click.Context, text: tuple[str, ...], llm: bool, as_json: bool) -> None:
    """Show who would serve TEXT (- reads stdin), the evidence, and the runners-up."""
    app = open_app(ctx)
    sighting = finished(app.sight(the_text(text), llm=llm), waits=llm)
    warn(sighting.route.warnings)
    if as_json:
        emit(sighting.to_json())
        return
    for line in route_lines(sighting):
        say(line)


def route_lines(sighting: "Sighting") -> list[str]:
    """The route for people, a fact a line."""
    route, text = sighting.route, sighting.text
    if route.agent is None:
        lines = [f"route     declined: {route.declined}"]
    else:
        intent = f", intent {route.intent}" if route.intent else ""
        how = "addressed by name" if route.addressed else f"confidence {route.confidence:.2f}"
        lines = [f"route     {route.agent}{intent} ({how}, margin {route.margin:.2f}, kind {route.kind})"]
    lines += [f"evidence  {quoted(text, e.start, e.end)} speaks for it" for e in route.evidence]
    lines += [f"next      {c.agent}, intent {c.intent} ({c.confidence:.2f})" for c in route.alternatives]
    verdict = "yes" if sighting.compound.is_multi_step else "no"
    lines.append(f"compound  {verdict}")
    lines += [
        f"cue       {c.cue!r}, {c.meaning}: {quoted(text, c.start, c.end)}" for c in sighting.compound.cues
    ]
    lines += [
        f"not a cue {c.cue!r}, {c.meaning}: {quoted(text, c.start, c.end)} joins no two different intents"
        for c in sighting.compound.ignored
    ]
    return lines
