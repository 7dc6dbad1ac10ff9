"""What a shell can complete beyond verbs and options: ids of runs, names of schemas, kinds of jobs.

Law: completing never fails and never speaks: what cannot be read, a store or a workspace, has nothing to
complete.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeAlias

import click

_MOST = 50
"""How many runs are offered, the youngest first."""

Complete: TypeAlias = Callable[[click.Context, click.Parameter, str], list[str]]


def _quietly(offered: Callable[[click.Context], Iterable[str]]) -> Complete:
    """What is offered and begins as what was typed; nothing where that cannot be told."""

    @wraps(offered)
    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
        try:
            return [text for text in offered(ctx) if text.startswith(incomplete)]
        except Exception:  # noqa: BLE001 - a shell that completes has no place for errors
            return []

    return complete


@_quietly
def run_ids(ctx: click.Context) -> Iterable[str]:
    """The ids of the youngest runs."""
    import asyncio

    from orchestrator.app import Orchestrator
    from orchestrator.runs.entry import Wanted

    app = Orchestrator.from_workspace(_workspace(ctx))

    async def youngest() -> list[str]:
        try:
            return [entry.run for entry in await app.runs.entries(Wanted(limit=_MOST))]
        finally:
            await app.aclose()

    return asyncio.run(youngest())


@_quietly
def schemas(_: click.Context) -> Iterable[str]:
    """The names of the files that have a schema."""
    from orchestrator.workspace.schema import schema_names

    return schema_names()


@_quietly
def kinds(ctx: click.Context) -> Iterable[str]:
    """The kinds of jobs that the workspace has a policy for."""
    from orchestrator.app import Orchestrator

    return sorted(Orchestrator.from_workspace(_workspace(ctx)).workspace.planning.kinds)


def _workspace(ctx: click.Context) -> str | None:
    return ctx.find_root().params.get("workspace")


run_argument: Callable[[Callable[..., Any]], Callable[..., Any]] = click.argument(
    "run", metavar="ID", shell_complete=run_ids
)
"""The run that a verb is about."""


@_quietly
def scenarios(ctx: click.Context) -> Iterable[str]:
    """The names of the scenarios of the workspace."""
    from orchestrator.opening import workspace_root
    from orchestrator.workspace.scenarios import scenario_names

    return scenario_names(workspace_root(_workspace(ctx)))


scenario_argument: Callable[[Callable[..., Any]], Callable[..., Any]] = click.argument(
    "name", metavar="NAME", shell_complete=scenarios
)
"""The scenario that a verb is about."""

kind_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--kind", help="The job kind, instead of the routed one.", shell_complete=kinds
)
"""The kind of job that a turn is."""
