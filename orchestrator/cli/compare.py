"""`cuewave compare execution NAME`: a scenario carried out adaptively, and blindly, step by step."""

import json
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.completing import scenario_argument
from orchestrator.cli.opening import closing, open_app
from orchestrator.cli.output import columns, emit, json_option, say
from orchestrator.cli.verbs import Verb, Verbs, verb

if TYPE_CHECKING:
    from orchestrator.evaluation.execution.comparing import Compared
    from orchestrator.evaluation.execution.side import Heard, Side, Step

_MOST_LINES = 40
"""Lines that one text may take; a longer one ends in an ellipsis."""

_NARROW = 70
"""Columns below which the sides stand below one another."""


@click.group(
    cls=Verbs,
    verbs={"execution": Verb("a scenario, adaptive beside baseline", f"{__name__}:execution")},
)
def command() -> None:
    """Do the same in two ways, and see what differs."""


@verb(
    ends=(OK, MISTAKE),
    examples=(
        "cuewave compare execution flight_delay",
        "cuewave compare execution flight_delay --out report",
    ),
)
@scenario_argument
@click.option("--yes", is_flag=True, help="Approve the plan's effects without being asked.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Also write comparison.html and comparison.json there.",
)
@json_option
@click.pass_context
def execution(ctx: click.Context, name: str, yes: bool, out: Path | None, as_json: bool) -> None:
    """Carry the scenario NAME out adaptively, and as a baseline, and show both step by step.

    The baseline carries its first plan out whatever it is told. Both begin alike and hear the same. Neither
    run is kept.
    """
    from orchestrator.evaluation.execution.comparing import compared

    app = open_app(ctx)
    found = closing(app, compared(app.workspace, name, approve=lambda _: True if yes else None))
    if out is not None:
        _write(found, out)
    if as_json:
        emit(found.to_json())
        return
    say("\n".join(_lines(found, columns())))


def _write(found: "Compared", out: Path) -> None:
    from orchestrator.cli.writing import write_whole
    from orchestrator.errors import UserError
    from orchestrator.evaluation.execution.page import to_html

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{out}: this folder cannot be made: {error.strerror or error}") from None
    write_whole(out / "comparison.html", to_html(found))
    write_whole(out / "comparison.json", json.dumps(found.to_json(), ensure_ascii=False, indent=2) + "\n")
    say(f"written: {out / 'comparison.html'}, {out / 'comparison.json'}", err=True)


def _lines(found: "Compared", width: int) -> Iterator[str]:
    sides = (("adaptive", found.adaptive), ("baseline", found.baseline))
    if width < _NARROW:
        for title, side in sides:
            yield from (title, *(line for step in side.steps for line in _step(step, width)))
            yield from (*_end(side, width), "")
        return
    half = (width - 3) // 2
    yield from _beside(["adaptive"], ["baseline"], half)
    yield "─" * half + "─┼─" + "─" * half
    for left, right in zip_longest(found.adaptive.steps, found.baseline.steps):
        yield from _beside(_step(left, half), _step(right, half), half)
    yield "─" * half + "─┼─" + "─" * half
    yield from _beside(_end(found.adaptive, half), _end(found.baseline, half), half)


def _beside(left: list[str], right: list[str], half: int) -> Iterator[str]:
    from orchestrator.planning.drawing.width import cells

    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one}{' ' * (half - cells(one))} │ {other}".rstrip()


def _step(step: "Step | None", width: int) -> list[str]:
    """What was done in the tick, and what was heard then."""
    if step is None:
        return []
    told: list[str] = []
    if step.task:
        mark = {"done": "✓", "failed": "✗"}.get(step.status, "-")
        told += _wrapped(f"{step.tick} {mark} {step.task} ({step.agent}): {step.action}", width)
        told += _wrapped(step.output, width, "      ")
    for heard in step.heard:
        told += _heard(heard, width)
    return told


def _heard(heard: "Heard", width: int) -> list[str]:
    value = json.dumps(heard.value, ensure_ascii=False)
    told = _wrapped(f"» {heard.key} = {value}, says {heard.source}: {heard.decision}", width, "  ")
    if heard.decision != "ignored":
        told += _wrapped(heard.reason, width, "    ")
    for task, action in heard.changed.items():
        told += _wrapped(f"→ {task}: {action}", width, "    ")
    return told


def _end(side: "Side", width: int) -> list[str]:
    told = [f"{side.status}: {side.done} of {side.tasks} tasks done"]
    told.append(f"{side.revisions} revised, {side.suppressed} suppressed, {side.ignored} ignored")
    if side.review is not None:
        told += _wrapped(f"needs a person's review: {side.review}", width)
    for found in side.outcome:
        mark = "✓" if found["well"] else "✗"
        told += _wrapped(f"{mark} {found['description']}: {found['seen']}", width)
    return told


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    from orchestrator.planning.drawing.width import wrapped

    return [f"{indent}{line}" for line in wrapped(text, width - len(indent), _MOST_LINES)]
