"""The tables of the built-in agent types and their options, generated, so that the docs cannot drift.

`python -m orchestrator.agents.options_page` writes `docs/agent-options.md`; a test holds the file against it.
"""

import sys
from pathlib import Path

from orchestrator.agents.contract import AgentType
from orchestrator.agents.registry import BUILT_IN, agent_type
from orchestrator.workspace.knobs import table

_HEAD = """\
# Options of the agent types

Generated from the models. What each type does is in [agents](agents.md); what every agent has beside its
`options` is in [all knobs](knobs.md#agentsyaml). Lists of words can be replaced, not added to.
"""


def page() -> str:
    """The whole page as Markdown: what each built-in type is, and the table of its options."""
    types = (agent_type(name) for name in BUILT_IN)
    return _HEAD + "".join(_section(found) for found in types if found is not None)


def _section(found: AgentType) -> str:
    return f"\n## {found.name}\n\n{_facts(found)}\n\n{table(found.options)}"


def _facts(found: AgentType) -> str:
    """Operations, effects and steps in a line, by the words of an agent's YAML."""
    operations = ", ".join(f"`{name}`" for name in found.operations)
    asked = f"Operations: {operations}, the first by default. " if found.operations else ""
    presumed = f", `{found.presumed}` where none are declared" if found.presumed else ""
    writing = ", ".join(f"`{name}`" for name in found.writing)
    needs = f"; {writing} need `write`" if writing else ""
    effects = f"Effects are at least `{found.effects}`{presumed}{needs}"
    return f"{asked}{effects}; steps are `{found.steps}` where none are set."


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/agent-options.md").write_text(page(), encoding="utf-8")
