"""What a shell offers for a word that is being typed: runs, sessions, agents, kinds, schemas, folders.

Laws: it is fast, so no workspace is loaded and no store is opened for writing; it offers a bounded number;
and it is silent: `main` lets no error of it reach the prompt.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import click

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from orchestrator.runs.sql.recent import Recent

VARIABLE = "_CUEWAVE_COMPLETE"
"""Set by the shell when it asks; what is in it says which shell."""
_MOST = 200
_TEXT = 60

Completer: TypeAlias = "Callable[[click.Context, click.Parameter, str], list[CompletionItem]]"


def runs(*statuses: str) -> Completer:
    """Offers the ids of the youngest runs, or of those that stand so, by their beginning or their end."""

    def complete(ctx: click.Context, _: click.Parameter, typed: str) -> "list[CompletionItem]":
        found = [run for run in _recent(ctx) if not statuses or run.status in statuses]
        begun = [run for run in found if run.run.startswith(typed)]
        meant = begun or [run for run in found if run.run.endswith(typed)]
        return _items((run.run, _told(run)) for run in meant)

    return complete


def sessions(ctx: click.Context, _: click.Parameter, typed: str) -> "list[CompletionItem]":
    """The sessions of the youngest runs, each once."""
    found: dict[str, Recent] = {}
    for run in _recent(ctx):
        if run.session is not None and run.session.startswith(typed):
            found.setdefault(run.session, run)
    return _items((name, _told(run)) for name, run in found.items())


def agents(ctx: click.Context, _: click.Parameter, typed: str) -> "list[CompletionItem]":
    """Agents that a turn can be addressed to, where its word begins with @.

    bash makes the @ a word of its own, which is then the last one before what is typed.
    """
    from orchestrator.workspace.glance import agents_at

    before: Sequence[str] = ctx.params.get("text") or ()
    if not typed.startswith("@") and (not before or before[-1] != "@"):
        return []
    name = typed.removeprefix("@")
    return _items((f"@{agent}", "") for agent in agents_at(_root(ctx)) if agent.startswith(name))


def kinds(ctx: click.Context, _: click.Parameter, typed: str) -> "list[CompletionItem]":
    """The job kinds of the workspace."""
    from orchestrator.workspace.glance import kinds_at

    return _items((kind, "") for kind in kinds_at(_root(ctx)) if kind.startswith(typed))


def schemas(_: click.Context, __: click.Parameter, typed: str) -> "list[CompletionItem]":
    """The files that have a schema."""
    from orchestrator.workspace.find import shipped_workspace
    from orchestrator.workspace.glance import schemas_at

    return _items((name, "") for name in schemas_at(shipped_workspace()) if name.startswith(typed))


def scenarios(ctx: click.Context, _: click.Parameter, typed: str) -> "list[CompletionItem]":
    """The scenarios of the workspace."""
    from orchestrator.workspace.scenarios import scenario_names

    return _items((name, "") for name in scenario_names(_root(ctx)) if name.startswith(typed))


def folders(_: click.Context, __: click.Parameter, typed: str) -> "list[CompletionItem]":
    """Whatever folders the shell finds."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(typed, type="dir")]


def _items(found: Iterable[tuple[str, str]]) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem

    return [CompletionItem(value, help=told or None) for value, told in found]


def _told(run: "Recent") -> str:
    """Where the run stands and what it is about, on one line that no character of it breaks."""
    from orchestrator.cli.output import plain

    return f"{run.status}: {plain(' '.join(run.text.split()))[:_TEXT]}"


def _recent(ctx: click.Context) -> "list[Recent]":
    from orchestrator.runs.sql.places import usual_url
    from orchestrator.runs.sql.recent import recent_runs
    from orchestrator.workspace.find import is_packaged

    root = _root(ctx)
    return recent_runs(usual_url(root, os.environ, packaged=is_packaged(root)), _MOST)


def _root(ctx: click.Context) -> "Path":
    """The workspace that the command line names so far."""
    from pathlib import Path

    from orchestrator.workspace.find import find_workspace

    named: str | None = ctx.find_root().params.get("workspace")
    return find_workspace(Path(named) if named else None, os.environ, Path.cwd())


# ── what several verbs take ─────────────────────────────────────────────────────────────────────────

Parameter: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]

text_argument: Parameter = click.argument("text", nargs=-1, required=True, shell_complete=agents)
"""The turn, or what else a person has to say."""
run_argument: Parameter = click.argument("run", metavar="ID", shell_complete=runs())
"""The run that a verb is about."""
scenario_argument: Parameter = click.argument("name", metavar="NAME", shell_complete=scenarios)
"""The scenario that a verb is about."""
waiting_run_argument: Parameter = click.argument("run", metavar="ID", shell_complete=runs("waiting"))
"""The run that a word is for."""
kind_option: Parameter = click.option(
    "--kind", shell_complete=kinds, help="The job kind, instead of the routed one."
)
"""The kind of job that a turn is."""
