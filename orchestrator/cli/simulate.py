"""`cuewave simulate`: containment policies under noise, so that one is chosen by its numbers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import columns, emit, json_option, say
from orchestrator.cli.picture import alone, drawn
from orchestrator.cli.verbs import verb
from orchestrator.cli.writing import write_whole

if TYPE_CHECKING:
    from orchestrator.evaluation.simulating.grid import Sample
    from orchestrator.evaluation.simulating.measures import Costs
    from orchestrator.evaluation.simulating.report import Report


@verb(
    ends=(OK, MISTAKE),
    examples=(
        "cuewave simulate",
        "cuewave simulate --noise flips --noise adversary --seeds 500",
        "cuewave simulate --cost flip=5,wrong=50 --out report",
    ),
)
@click.option(
    "--seeds",
    "worlds",
    type=click.IntRange(4, 100_000),
    default=40,
    show_default=True,
    help="How many worlds; more of them make the margins smaller.",
)
@click.option(
    "--length", type=click.IntRange(5, 10_000), default=60, show_default=True, help="Ticks of each world."
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Which worlds; the same gives the same numbers."
)
@click.option(
    "--person",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Ticks until a person who is called has looked; 0: never.",
)
@click.option("--noise", multiple=True, metavar="NAME", help="Only this kind of noise; may be given again.")
@click.option("--policy", multiple=True, metavar="NAME", help="Only this policy; may be given again.")
@click.option(
    "--cost", default="", metavar="flip=1,wrong=10,missed=5,flag=1", help="What mistakes cost; and silent=0."
)
@click.option(
    "--svg",
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="FILE",
    help="Draw the costs as an SVG picture in FILE; - is stdout, and then nothing else.",
)
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
    noise: tuple[str, ...],
    policy: tuple[str, ...],
    cost: str,
    svg: Path | None,
    out: Path | None,
    as_json: bool,
    **sample: int,
) -> None:
    """Let plans live in small worlds whose sources err, under one policy of containment and another.

    A fact changes now and then, and messages that say so are turned round, late, doubled, or lies. Counted
    are flips (changes to what was not so), wrong ends, corrections that were missed, calls for a person, and
    the share of time astray. What the workspace has in config/adaptation.yaml is one of the policies.
    docs/simulate.md tells what is assumed.
    """
    alone(svg, beside="--json" if as_json else None)
    report = _simulated(ctx, _sample(**sample), _costs(cost), noise, policy)
    if out is not None:
        _write(report, out)
    if svg is not None and _drawn(report, svg):
        return
    if as_json:
        emit(report.to_json())
    else:
        say("\n".join(report.lines(columns())))


def _sample(*, worlds: int, seed: int, length: int, person: int) -> "Sample":
    from orchestrator.evaluation.simulating.grid import Sample
    from orchestrator.evaluation.simulating.world import World

    return Sample(worlds, seed, World(length), person or None)


def _simulated(
    ctx: click.Context, sample: "Sample", costs: "Costs", noise: tuple[str, ...], policy: tuple[str, ...]
) -> "Report":
    from random import Random

    from orchestrator.evaluation.simulating.grid import grid
    from orchestrator.evaluation.simulating.noise import NOISES
    from orchestrator.evaluation.simulating.policies import POLICIES, own_policies
    from orchestrator.evaluation.simulating.report import Report

    known = {**POLICIES, **own_policies(open_app(ctx).workspace.adaptation)}
    policies = {name: known[name] for name in _chosen(policy, known, "--policy")}
    cells = grid(policies, _chosen(noise, NOISES, "--noise"), sample, Random)
    return Report(cells, costs, sample)


def _chosen(names: tuple[str, ...], known: Mapping[str, object], option: str) -> list[str]:
    """Those that were named, or all. Raises BadParameter for an unknown one."""
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is unknown; there are {', '.join(known)}", param_hint=option)
    return list(dict.fromkeys(names)) or list(known)


def _costs(written: str) -> "Costs":
    """What mistakes cost, as it was written. Raises BadParameter."""
    from dataclasses import asdict

    from orchestrator.evaluation.simulating.measures import Costs

    known, given = asdict(Costs()), dict[str, Any]()
    for piece in filter(None, (piece.strip() for piece in written.split(","))):
        name, _, value = (part.strip() for part in piece.partition("="))
        if name not in known:
            raise _bad_cost(f"{piece!r} is no cost; there are {', '.join(known)}, each written flip=1")
        given[name] = _price(name, value)
    return Costs(**given)


def _price(name: str, value: str) -> float:
    try:
        price = float(value)
    except ValueError:
        price = -1.0
    if not 0 <= price <= 1e9:
        raise _bad_cost(f"{name}: {value!r} is no price; give a number from 0 to a thousand million")
    return price


def _bad_cost(message: str) -> click.BadParameter:
    return click.BadParameter(message, param_hint="--cost")


def _drawn(report: "Report", svg: Path) -> bool:
    from orchestrator.evaluation.simulating.picture import to_svg

    return drawn(to_svg(report), svg)


def _write(report: "Report", out: Path) -> None:
    from orchestrator.errors import UserError
    from orchestrator.evaluation.simulating.picture import to_html, to_svg

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{out}: this folder cannot be made: {error.strerror or error}") from None
    write_whole(out / "simulation.html", to_html(report))
    write_whole(out / "simulation.svg", to_svg(report))
    write_whole(out / "simulation.json", json.dumps(report.to_json(), ensure_ascii=False, indent=2) + "\n")
    say(f"written: {out}/simulation.html, .svg and .json", err=True)
