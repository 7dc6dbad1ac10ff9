"""`cuewave simulate`: containment policies under noise, so that one is chosen by its numbers."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import columns, emit, json_option, say
from orchestrator.cli.verbs import verb
from orchestrator.cli.writing import write_whole

if TYPE_CHECKING:
    from orchestrator.evaluation.simulating.advice import Costs
    from orchestrator.runs.containing import Rules

_OWN = "workspace"
"""The name of the workspace's own policy."""


@verb(
    ends=(OK, MISTAKE),
    examples=(
        "cuewave simulate",
        "cuewave simulate --noise adversary --policy cooldown --policy k-of-n --cost wrong=30",
        "cuewave simulate --out report",
    ),
)
@click.option(
    "--seeds", type=click.IntRange(2, 10_000), default=200, show_default=True, help="Worlds of each kind."
)
@click.option(
    "--length", type=click.IntRange(5, 10_000), default=60, show_default=True, help="Ticks of a world."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Other worlds, of the same kinds.")
@click.option("--noise", multiple=True, metavar="NAME", help="Only this kind of noise; may be given again.")
@click.option("--policy", multiple=True, metavar="NAME", help="Only this policy; may be given again.")
@click.option("--cost", default="", metavar="flip=2,wrong=10,missed=3,flag=1", help="What mistakes cost.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Also write simulation.html, .svg and .json there.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    seeds: int,
    length: int,
    seed: int,
    noise: tuple[str, ...],
    policy: tuple[str, ...],
    as_json: bool,
    **more: str | Path | None,
) -> None:
    """Let plans live in small worlds whose sources err, under one policy of containment and another.

    A fact changes now and then, a source says so, and messages are turned round, late, doubled, or lies.
    Counted are flips (changes to what was not so), wrong ends, true changes that were missed, and calls for a
    person. The workspace's own policy (config/adaptation.yaml) is among them. The same seed gives the same.
    """
    from orchestrator.evaluation.simulating.grid import POLICIES, grid
    from orchestrator.evaluation.simulating.noise import NOISE
    from orchestrator.evaluation.simulating.report import Report

    costs = _costs(str(more["cost"] or ""))
    policies = {**POLICIES, _OWN: _own(ctx)}
    chosen = {name: policies[name] for name in _chosen(policy, policies, "policy")}
    cells = grid(chosen, _chosen(noise, NOISE, "noise"), seeds=seeds, length=length, seed=seed)
    report = Report(cells, costs, seeds, length)
    if isinstance(more["out"], Path):
        _write(report.to_json(), report.html(), report.svg(), more["out"])
    if as_json:
        emit(report.to_json())
    else:
        say("\n".join(report.lines(columns())))


def _own(ctx: click.Context) -> "Rules":
    """The workspace's policy, on the clock of scenarios."""
    from orchestrator.adaptation.rules import rules_of

    return rules_of(open_app(ctx).workspace.adaptation.containment, "ticks")


def _chosen(names: tuple[str, ...], known: Mapping[str, object], option: str) -> list[str]:
    """Those that were named, or all. Raises UsageError for an unknown one."""
    for name in names:
        if name not in known:
            raise click.UsageError(f"there is no {option} {name!r}; there are {', '.join(known)}")
    return list(dict.fromkeys(names)) or list(known)


def _costs(written: str) -> "Costs":
    """What mistakes cost, as it was written. Raises UsageError."""
    from dataclasses import asdict, replace

    from orchestrator.evaluation.simulating.advice import Costs

    costs = Costs()
    for part in filter(None, (piece.strip() for piece in written.split(","))):
        name, sign, value = part.partition("=")
        if name not in asdict(costs) or not sign:
            raise click.UsageError(
                f"--cost is such as {','.join(f'{k}={v:g}' for k, v in asdict(costs).items())}"
            )
        costs = replace(costs, **{name: _price(name, value)})
    return costs


def _price(name: str, value: str) -> float:
    try:
        price = float(value)
    except ValueError:
        price = -1.0
    if not 0 <= price < float("inf"):
        raise click.UsageError(f"--cost {name}: {value!r} is no price; give a number from 0 up")
    return price


def _write(document: object, html: str, svg: str, out: Path) -> None:
    import json

    from orchestrator.errors import UserError

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{out}: this folder cannot be made: {error.strerror or error}") from None
    write_whole(out / "simulation.html", html)
    write_whole(out / "simulation.svg", svg)
    write_whole(out / "simulation.json", json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    say(f"written: {out}/simulation.html, .svg and .json", err=True)
