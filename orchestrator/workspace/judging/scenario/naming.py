"""What a scenario names must be there: agents, tasks, facts, registered repairs; and its plan must be one."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from orchestrator.errors import Fault
from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.document.positions import plain
from orchestrator.workspace.judging.scenario.pieces import Pieces, plain_id
from orchestrator.workspace.judging.wording import nearest
from orchestrator.workspace.scenario_file import ScenarioRepair


def unknown_agents(pieces: Pieces, agents: Collection[str]) -> Iterator[Fault]:
    """Each agent that the workspace does not have."""
    yield from _unknown(pieces, named_agents(pieces), agents, "there is no agent '{}'")


def named_agents(pieces: Pieces) -> Iterator[tuple[Trail, str]]:
    """Each agent that is named, and where."""
    for trail, task in pieces.all_tasks:
        yield (*trail, "agent"), task.agent
        if task.compensate is not None:
            yield (*trail, "compensate", "agent"), task.compensate.agent
    for trail, repair in pieces.repairs.items():
        for task, patch in repair.patch.items():
            if patch.agent is not None:
                yield (*trail, "patch", task, "agent"), patch.agent
    for trail, check in pieces.outcome.items():
        if check.agent is not None:
            yield (*trail, "agent"), check.agent


def unknown_facts(pieces: Pieces) -> Iterator[Fault]:
    """Each fact that is assumed, signalled, repaired on or contained, and that nobody knows at first."""
    named: list[tuple[Trail, str | None]] = []
    for trail, task in pieces.all_tasks:
        named += (((*trail, "assumes", at, "key"), a.key) for at, a in enumerate(task.assumes))
    named += (((*trail, "key"), signal.key) for trail, signal in pieces.signals.items())
    named += (((*trail, "on"), repair.on) for trail, repair in pieces.repairs.items())
    yield from _unknown(pieces, named, pieces.facts, "there is no fact '{}' in `facts`")
    for key in pieces.keys:
        if key not in pieces.facts:
            message = f"there is no fact '{plain(key)}' in `facts`{nearest(key, tuple(pieces.facts))}"
            yield pieces.document.fault(("keys", key), message, at_key=True)


def unknown_repairs(pieces: Pieces, names: Sequence[str]) -> Iterator[Fault]:
    """Each registered repair that nobody offers."""
    named = [((*trail, "uses"), repair.uses) for trail, repair in pieces.repairs.items()]
    yield from _unknown(pieces, named, names, "there is no registered repair '{}'")


def broken_plan(pieces: Pieces) -> Iterator[Fault]:
    """Ids twice, unknown dependencies and cycles: in the plan, and in what each repair makes of it."""
    yield from _ids_twice(pieces, pieces.named, ())
    plan = {task.id: task.depends_on for task in pieces.tasks.values()}
    for trail, task in pieces.tasks.items():
        yield from _unknown_dependencies(pieces, (*trail, "depends_on"), task.id, task.depends_on, pieces.ids)
    yield from _cycle(pieces, ("tasks",), plan)
    for trail, repair in pieces.repairs.items():
        yield from _broken_repair(pieces, trail, repair, plan)


def _broken_repair(
    pieces: Pieces, trail: Trail, repair: ScenarioRepair, plan: Mapping[str, Sequence[str]]
) -> Iterator[Fault]:
    document = pieces.document
    for task in repair.patch:
        if task not in pieces.all_ids:
            message = f"there is no task '{plain(task)}'{nearest(task, pieces.all_ids)}"
            yield document.fault((*trail, "patch", task), message, at_key=True)
    dropped = [((*trail, "drop", at), task) for at, task in enumerate(repair.drop)]
    yield from _unknown(pieces, dropped, pieces.all_ids, "there is no task '{}'")
    added = {(*trail, "add", at, "id"): task.id for at, task in enumerate(repair.add)}
    yield from _ids_twice(pieces, added, pieces.ids)
    known = (*(id for id in pieces.ids if id not in repair.drop), *(task.id for task in repair.add))
    for where, id, depends_on in _given_dependencies(trail, repair):
        yield from _unknown_dependencies(pieces, where, id, depends_on, known)
    yield from _left_behind(pieces, trail, repair, plan)
    yield from _cycle(pieces, trail, _repaired(plan, repair), before=plan)


def _given_dependencies(trail: Trail, repair: ScenarioRepair) -> Iterator[tuple[Trail, str, Sequence[str]]]:
    for id, patch in repair.patch.items():
        if patch.depends_on is not None:
            yield (*trail, "patch", id, "depends_on"), id, patch.depends_on
    for at, task in enumerate(repair.add):
        yield (*trail, "add", at, "depends_on"), task.id, task.depends_on


def _left_behind(
    pieces: Pieces, trail: Trail, repair: ScenarioRepair, plan: Mapping[str, Sequence[str]]
) -> Iterator[Fault]:
    """Tasks that still wait for one that is dropped."""
    for at, dropped in enumerate(repair.drop):
        waiting = [
            id
            for id, depends_on in plan.items()
            if id not in repair.drop
            and dropped in map(plain_id, depends_on)
            and (id not in repair.patch or repair.patch[id].depends_on is None)
        ]
        if waiting:
            message = (
                f"{', '.join(waiting)} waits for '{dropped}'; give it other `depends_on`, or drop it too"
            )
            yield pieces.document.fault((*trail, "drop", at), message)


def _repaired(plan: Mapping[str, Sequence[str]], repair: ScenarioRepair) -> Mapping[str, Sequence[str]]:
    """The dependencies of the plan as the repair makes it."""
    patched = {id: p.depends_on for id, p in repair.patch.items() if p.depends_on is not None and id in plan}
    whole = {**plan, **patched, **{task.id: task.depends_on for task in repair.add}}
    return {id: depends_on for id, depends_on in whole.items() if id not in repair.drop}


def _cycle(
    pieces: Pieces,
    trail: Trail,
    plan: Mapping[str, Sequence[str]],
    *,
    before: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[Fault]:
    """The cycle of this plan, where it has one that it did not have `before`."""
    found = _a_cycle(plan)
    if found and (before is None or not _a_cycle(before)):
        message = f"the tasks form a cycle: {' -> '.join(found)}; remove one dependency"
        yield pieces.document.fault(trail, message, at_key=trail == ("tasks",))


def _a_cycle(plan: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """A cycle of two tasks or more, each waiting for the next; empty where there is none."""
    edges = {id: [d for d in map(plain_id, depends_on) if d != id] for id, depends_on in plan.items()}
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1]
        return cycle[::-1]
    return ()


def _unknown_dependencies(
    pieces: Pieces, trail: Trail, id: str, depends_on: Sequence[str], known: Sequence[str]
) -> Iterator[Fault]:
    for at, dependency in enumerate(depends_on):
        name, place = plain_id(dependency), (*trail, at)
        if name == id:
            yield pieces.document.fault(place, "a task cannot wait for itself; take it out")
        elif name in map(plain_id, depends_on[:at]):
            yield pieces.document.fault(place, "it waits for this already; name it once")
        elif name not in known:
            message = f"there is no task '{plain(name)}'{nearest(name, [k for k in known if k != id])}"
            yield pieces.document.fault(place, message)


def _ids_twice(pieces: Pieces, named: Mapping[Trail, str], taken: Collection[str]) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for trail, id in named.items():
        here = pieces.document.fault(trail, "")
        if id in taken:
            yield pieces.document.fault(
                trail, f"the plan has a task '{plain(id)}' already; call it otherwise"
            )
        elif id in seen:
            message = f"the task '{plain(id)}' stands already on line {seen[id]}; give one of them another id"
            yield pieces.document.fault(trail, message)
        seen.setdefault(id, here.line)


def _unknown(
    pieces: Pieces, named: Iterable[tuple[Trail, str | None]], known: Collection[str], message: str
) -> Iterator[Fault]:
    for trail, name in named:
        if name is not None and name not in known:
            yield pieces.document.fault(trail, message.format(plain(name)) + nearest(name, tuple(known)))
