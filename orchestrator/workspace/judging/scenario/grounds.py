"""What a scenario's tasks rest on must be so at first, can be compared, and can be repaired.

Laws: values that have no common measure are told before a run meets them; `null` is not known yet, and fits
anything. A repair changes only what rests on its fact.
"""

from collections.abc import Iterator

from orchestrator.comparison import Comparison, Incomparable, Scalar, same
from orchestrator.errors import Fault
from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.judging.scenario.pieces import Pieces, plain_id


def unfit_values(pieces: Pieces) -> Iterator[Fault]:
    """Assumptions, signals and conditions that cannot be compared with what the fact is."""
    for trail, task in pieces.all_tasks:
        for at, assumption in enumerate(task.assumes):
            if assumption.comparison is not None and assumption.key in pieces.facts:
                first = pieces.facts[assumption.key]
                yield from _unfit(pieces, (*trail, "assumes", at, "expected"), assumption.comparison, first)
    for trail, repair in pieces.repairs.items():
        if repair.comparison is not None and repair.on in pieces.facts:
            yield from _unfit(pieces, (*trail, "when"), repair.comparison, pieces.facts[repair.on])
    for trail, signal in pieces.signals.items():
        message = _unlike(pieces, signal.key, signal.value)
        if message:
            yield pieces.document.fault((*trail, "value"), message)


def contradicted_at_first(pieces: Pieces) -> Iterator[Fault]:
    """Assumptions that are wrong before anything has happened."""
    for trail, task in pieces.tasks.items():
        for at, assumption in enumerate(task.assumes):
            first, comparison = pieces.facts.get(assumption.key), assumption.comparison
            if comparison is not None and first is not None and _holds(comparison, first) is False:
                message = (
                    f"the plan begins with a broken assumption: {assumption.key} is {_told(first)} at first,"
                    f" and this is {comparison}"
                )
                yield pieces.document.fault((*trail, "assumes", at, "expected"), message)


def out_of_reach(pieces: Pieces) -> Iterator[Fault]:
    """What a repair changes though it neither assumes the fact nor depends on what does."""
    for trail, repair in pieces.repairs.items():
        if repair.on not in pieces.facts:
            continue
        reach = _reach(pieces, repair.on)
        message = (
            f"it neither assumes '{repair.on}' nor depends on a task that does: the repair cannot change it"
        )
        for task in repair.patch:
            if task in pieces.all_ids and task not in reach:
                yield pieces.document.fault((*trail, "patch", task), message, at_key=True)
        for at, task in enumerate(repair.drop):
            if task in pieces.all_ids and task not in reach:
                yield pieces.document.fault((*trail, "drop", at), message)


def _reach(pieces: Pieces, key: str) -> set[str]:
    """The tasks that assume the fact, and all that depend on them."""
    tasks = [task for _, task in pieces.all_tasks]
    reach = {task.id for task in tasks if any(a.key == key for a in task.assumes)}
    before = -1
    while len(reach) != before:
        before = len(reach)
        reach.update(t.id for t in tasks if not reach.isdisjoint(map(plain_id, t.depends_on)))
    return reach


def _unfit(pieces: Pieces, trail: Trail, comparison: Comparison, first: Scalar) -> Iterator[Fault]:
    if first is None:
        return
    try:
        comparison.holds(first)
    except Incomparable as error:
        yield pieces.document.fault(trail, f"this can never be compared with what is known at first: {error}")


def _unlike(pieces: Pieces, key: str, value: Scalar) -> str:
    """Why a signalled value cannot be compared with what is known and assumed; empty where it can."""
    first = pieces.facts.get(key)
    try:
        if first is not None:
            same(first, value)
        for comparison in pieces.compared_with(key):
            if first is None or _holds(comparison, first) is not None:
                comparison.holds(value)
    except Incomparable as error:
        return f"this cannot be compared with what is known and assumed of '{key}': {error}"
    return ""


def _holds(comparison: Comparison, value: Scalar) -> bool | None:
    """Whether it holds; None where the two cannot be compared, which is said elsewhere."""
    try:
        return comparison.holds(value)
    except Incomparable:
        return None


def _told(value: Scalar) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value).lower()
