"""Which repairs there are by name: the built-in ones, and those other packages offer as entry points.

Law: YAML names repairs, never Python code. A built-in name cannot be taken over by a package.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from orchestrator.adaptation.repairing import Repairer
from orchestrator.adaptation.rereading import reread
from orchestrator.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

GROUP = "cuewave.repairs"

BUILT_IN: Mapping[str, Repairer] = {"reread": reread}


def repair_named(name: str) -> Repairer:
    """The registered repair. Raises UserError for one that nobody offers, or that cannot be loaded."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    offer = next((offer for offer in _offers() if offer.name == name), None)
    if offer is None:
        raise UserError(f"there is no registered repair {name!r}; known are: {', '.join(repair_names())}")
    try:
        return cast("Repairer", offer.load())
    except Exception as error:  # it runs a stranger's module, which may raise anything
        raise UserError(
            f"the repair {name!r} cannot be loaded from {offer.value!r} (entry point group {GROUP}):"
            f" {type(error).__name__}: {error}; repair or uninstall that package"
        ) from error


def repair_names() -> tuple[str, ...]:
    """Every name that `uses:` of a repair may have, sorted."""
    return tuple(sorted({*BUILT_IN, *(offer.name for offer in _offers())}))


def _offers() -> "Iterable[EntryPoint]":
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)
