"""A plan's estimate where it is made: with the history of the store and what the agents' types declare.

Law: neither a run nor a dry run is held up by it: a history that cannot be read is a warning.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from typing import TypeAlias

from orchestrator.agents.contract import Usage
from orchestrator.agents.registry import agent_type
from orchestrator.errors import StoreError, UserError
from orchestrator.estimating.expectation import Calls
from orchestrator.estimating.whole import Planning, outlook
from orchestrator.execution.settings import Settings
from orchestrator.ids import AgentName
from orchestrator.preview import Preview
from orchestrator.runs.samples import History
from orchestrator.workspace.value import Workspace

Remembered: TypeAlias = Callable[[Collection[AgentName]], Awaitable[History]]
"""What earlier tasks of these agents took. Raises StoreError, and UserError where there can be no store."""


async def with_estimate(
    preview: Preview,
    workspace: Workspace,
    settings: Settings,
    remembered: Remembered,
    *,
    spent: Usage | None = None,
) -> Preview:
    """The preview with its estimate. `spent` is what planning has cost, where it will not be done again."""
    agents = {task.agent for task in preview.plan.tasks}
    if not agents:
        return preview
    try:
        history = await remembered(agents)
    except (StoreError, UserError) as error:
        warning = f"nothing is known of earlier runs, since their store cannot be read: {error}"
        preview, history = replace(preview, cautions=(*preview.cautions, warning)), History()
    found = outlook(
        preview.plan,
        history,
        settings,
        calls={agent: _declared(agent, workspace) for agent in agents},
        planning=_planning(preview, spent),
    )
    return replace(preview, estimate=found.estimate, seconds=found.seconds, held=history.held)


def _declared(agent: AgentName, workspace: Workspace) -> Calls:
    """The calls of a model that one attempt makes by the agent's type."""
    file = workspace.agents[agent]
    known = agent_type(file.uses)
    return None if known is None else known.model_calls(file, workspace.options.get(agent))


def _planning(preview: Preview, spent: Usage | None) -> Planning:
    """What routing and planning cost: what they did, or what they would by the workspace's settings."""
    usage = preview.usage if spent is None and preview.usage.model_calls else spent
    if usage is not None:
        tokens = usage.input_tokens + usage.output_tokens
        return Planning((usage.model_calls, usage.model_calls), (tokens, tokens), (usage.money, usage.money))
    nothing = (0, 0) if preview.model_calls == (0, 0) else None
    return Planning(preview.model_calls, nothing, nothing)
