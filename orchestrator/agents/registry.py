"""Which agent types there are: the built-in ones, and those other packages offer as entry points.

Law: a workspace names types, never Python code. A built-in name cannot be taken over by a package, and
nothing is imported before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, cast

from orchestrator.agents.contract import AgentType
from orchestrator.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

GROUP = "cuewave.agents"

BUILT_IN = {
    "inbox": "orchestrator.agents.builtin.types.inbox",
    "calendar": "orchestrator.agents.builtin.types.calendar",
    "ledger": "orchestrator.agents.builtin.types.ledger",
    "reminders": "orchestrator.agents.builtin.types.reminders",
    "notes": "orchestrator.agents.builtin.types.notes",
    "command": "orchestrator.agents.builtin.types.command",
    "form": "orchestrator.agents.builtin.types.form",
    "llm": "orchestrator.agents.llm",
}
"""Module of each built-in type; it exports `TYPE`."""


def agent_type(name: str) -> AgentType | None:
    """The type that `uses: name` means; None where nobody offers it. Raises UserError for a broken offer."""
    if name in BUILT_IN:
        return cast(AgentType, import_module(BUILT_IN[name]).TYPE)
    offers = tuple(offer for offer in _offers() if offer.name == name)
    if not offers:
        return None
    if len({o.value for o in offers}) > 1:
        rivals = ", ".join(sorted(o.value for o in offers))
        raise UserError(f"several packages offer the agent type {name!r} ({rivals}); uninstall all but one")
    return _loaded(offers[0])


def type_names() -> tuple[str, ...]:
    """Every name that `uses:` may have, sorted."""
    return tuple(sorted({*BUILT_IN, *(offer.name for offer in _offers())}))


def _offers() -> "Iterable[EntryPoint]":
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _loaded(offer: "EntryPoint") -> AgentType:
    try:
        found = offer.load()
    except Exception as error:  # it runs a stranger's module, which may raise anything
        raise UserError(
            f"the agent type {offer.name!r} cannot be loaded from {offer.value!r} "
            f"(entry point group {GROUP}): {type(error).__name__}: {error}; repair or uninstall that package"
        ) from error
    if not isinstance(found, AgentType):
        raise UserError(
            f"the agent type {offer.name!r} ({offer.value!r}, entry point group {GROUP}) is a "
            f"{type(found).__name__}; it must be an AgentType"
        )
    return found
