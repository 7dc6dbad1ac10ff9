"""A folder becomes one frozen Workspace, or a list of all its faults.

Law: all or nothing. Every file is read, judged and held against the others before anything is said, and
nothing is made of a workspace with a fault.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import BaseModel

from orchestrator.errors import Fault, InternalFault, UserError, WorkspaceInvalid, WorkspaceNotFound
from orchestrator.ids import AgentName
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.document.positions import Document, read
from orchestrator.workspace.find import is_packaged, shipped_workspace
from orchestrator.workspace.folder import SCENARIOS, Contents, contents, is_scenario, is_yaml
from orchestrator.workspace.judging.judgement import Judged, judge
from orchestrator.workspace.judging.references import Files, broken_references
from orchestrator.workspace.models import CONFIG_FILES, ModelsFile, OrchestratorFile
from orchestrator.workspace.placing import in_file_order
from orchestrator.workspace.value import Doubt, KnownType, Spot, Workspace

if TYPE_CHECKING:
    from orchestrator.workspace.scenarios import ScenarioRule

TypeOf: TypeAlias = Callable[[str], KnownType | None]
Check: TypeAlias = Callable[[Path], Iterable[Fault]]


@dataclass(frozen=True, slots=True)
class _Agent:
    """One file of `agents/`, judged; `known` is its type, where there is one."""

    file: Judged[AgentFile]
    known: KnownType | None
    options: BaseModel | None
    faults: tuple[Fault, ...]


def load_workspace(
    root: Path,
    known_type: TypeOf,
    type_names: Callable[[], Sequence[str]],
    env: Mapping[str, str],
    checks: Sequence[Check] = (),
    scenarios: "ScenarioRule | None" = None,
) -> Workspace:
    """Load and validate the workspace in `root`.

    `known_type` and `type_names` say what `uses:` may name, `env` holds the secrets. `checks` look at the
    folder for what is found anyhow once a workspace is made: where there is none to make, so that all faults
    are told at once. `scenarios` judges each scenario; without it none is looked at, as a turn needs none.
    Raises WorkspaceInvalid with every fault of every file, WorkspaceNotFound where `root` is no folder.
    """
    if not root.is_dir():
        what = "this is a file" if root.exists() else "there is no such folder"
        raise WorkspaceNotFound(f"{root}: {what}; a workspace is a folder with config/, agents/ and prompts/")
    found = contents(root)
    config = {n: judge(_document(found, f"config/{n}.yaml"), m, env) for n, m in CONFIG_FILES.items()}
    agents = {n: _agent(_document(found, n), known_type, env) for n in found.yaml if is_yaml(n, "agents")}
    faults = [*found.faults, *_missing(root, found)]
    faults += [f for c in config.values() for f in (*c.document.faults, *c.faults)]
    faults += [f for a in agents.values() for f in a.faults]
    if scenarios is not None:
        names = _names(agents.values())
        faults += [f for n, raw in found.yaml.items() if is_scenario(n) for f in scenarios(n, raw, names)]
    faults += _new(broken_references(_files(config, agents, found, type_names)), faults)
    if faults and not found.faults:
        faults += [f for check in checks for f in check(root)]
    if faults:
        raise WorkspaceInvalid(tuple(sorted(faults, key=in_file_order)))
    return _workspace(root, {n: c.value for n, c in config.items()}, agents.values(), found)


def _names(agents: Collection[_Agent]) -> frozenset[str] | None:
    """What the agents are called; None where that cannot be said of all of them."""
    names = [agent.file.document.at(("name",)) for agent in agents]
    return frozenset(names) if all(isinstance(name, str) for name in names) else None


def _document(found: Contents, name: str) -> Document:
    """The file as a document; one that is not there is an empty one."""
    return read(name, found.yaml.get(name, b""))


def _agent(document: Document, known_type: TypeOf, env: Mapping[str, str]) -> _Agent:
    file = judge(document, AgentFile, env)
    faults = [*document.faults, *file.faults]
    known, uses, options = None, document.at(("uses",)), document.at(("options",))
    try:
        known = known_type(uses) if isinstance(uses, str) else None
    except UserError as error:
        faults.append(file.document.fault(("uses",), str(error)))
    if known is None or not isinstance(options, dict | None):
        return _Agent(file, known, None, tuple(faults))
    judged = judge(file.document, known.options, env, ("options",))
    return _Agent(replace(file, document=judged.document), known, judged.value, (*faults, *judged.faults))


def _missing(root: Path, found: Contents) -> Iterator[Fault]:
    there = {*found.yaml, *(f.file for f in found.faults)}
    if not (root / "config").exists():
        yield Fault("config", 0, 0, "", "the folder is missing; `cuewave init` makes a whole workspace")
    elif "config/orchestrator.yaml" not in there:
        yield Fault("config/orchestrator.yaml", 0, 0, "", "the file is missing; an empty one is enough")
    if not (root / "agents").exists():
        yield Fault("agents", 0, 0, "", "the folder is missing: no agent could serve a turn")
    elif not any(is_yaml(name, "agents") for name in there):
        yield Fault("agents", 0, 0, "", "there is no YAML file in it: no agent could serve a turn")


def _files(
    config: Mapping[str, Judged[Any]],
    agents: Mapping[str, _Agent],
    found: Contents,
    type_names: Callable[[], Sequence[str]],
) -> Files:
    return Files(
        config={name: judged.document for name, judged in config.items()},
        agents={name: agent.file.document for name, agent in agents.items()},
        types={a.file.document.at(("uses",)): a.known for a in agents.values() if a.known},
        type_names=type_names,
        prompts={n.removeprefix("prompts/") for n in found.names if n.startswith("prompts/")}
        | {p.name for p in (shipped_workspace() / "prompts").glob("*.j2")},
    )


def _new(faults: Iterable[Fault], known: Sequence[Fault]) -> list[Fault]:
    """The faults of values of which nothing was said yet."""
    places = {(f.file, f.line, f.column, f.path) for f in known}
    return [f for f in faults if (f.file, f.line, f.column, f.path) not in places]


def _workspace(root: Path, config: Mapping[str, Any], agents: Iterable[_Agent], found: Contents) -> Workspace:
    """The value of a workspace without a fault."""
    files = {AgentName(a.file.value.name): a for a in agents if a.file.value is not None}
    return Workspace(
        root=root,
        packaged=is_packaged(root),
        orchestrator=config["orchestrator"],
        multi_step=config["multi_step"],
        routing=config["routing"],
        planning=config["planning"],
        models=config["models"],
        adaptation=config["adaptation"],
        agents={name: _resolved(agent) for name, agent in files.items()},
        options={name: agent.options for name, agent in files.items() if agent.options is not None},
        sources={name: agent.file.document.source.file for name, agent in files.items()},
        fingerprint=found.fingerprint,
        files=found.yaml,
        warnings=tuple(_doubts(found, config["orchestrator"], config["models"])),
    )


def _resolved(agent: _Agent) -> AgentFile:
    """The agent with what its type says where the file says nothing."""
    file, known = agent.file.value, agent.known
    if file is None or known is None:
        raise InternalFault(f"an agent without a fault has no type: {agent.file.document.source.file}")
    effects = file.effects or known.presumed or known.effects
    steps = file.steps or known.steps
    return file.model_copy(update={"effects": effects, "steps": steps})


def _doubts(found: Contents, orchestrator: OrchestratorFile, models: ModelsFile) -> Iterator[Doubt]:
    """What every verb warns of: files and prices that are not there as far as a run is concerned."""
    doubts = (*_unread(found), *_free_of_charge(orchestrator, models))
    return (doubt for doubt in doubts if doubt.code not in orchestrator.checks.allow)


def _unread(found: Contents) -> Iterator[Doubt]:
    """Each YAML file in `config/` that nothing reads, and below `agents/` and `config/scenarios/`."""
    known = [f"config/{name}.yaml" for name in CONFIG_FILES]
    for name in sorted(found.names):
        path = PurePosixPath(name)
        if is_yaml(name, "config") and name not in known:
            close = get_close_matches(path.stem, CONFIG_FILES, 1)
            hint = f"; did you mean config/{close[0]}.yaml?" if close else "; take it out, or rename it"
            yield Doubt("file-not-read", Spot(name), f"nothing reads this file{hint}")
        elif path.parts[0] == "agents" and is_yaml(path.name, ".") and not is_yaml(name, "agents"):
            message = "nothing reads this file; agents stand in agents/ itself, not in a folder of it"
            yield Doubt("file-not-read", Spot(name), message)
        elif path.is_relative_to(SCENARIOS) and is_yaml(path.name, ".") and not is_scenario(name):
            message = f"nothing reads this file; a scenario is a file {SCENARIOS}/NAME.yaml"
            yield Doubt("file-not-read", Spot(name), message)


def _free_of_charge(orchestrator: OrchestratorFile, models: ModelsFile) -> Iterator[Doubt]:
    """Each model that a budget of money does not see, since it has no price."""
    budgets = orchestrator.budgets
    if budgets.run.money is None and budgets.session.money is None:
        return
    for name, model in models.models.items():
        if model.price is None and model.provider != "scripted":
            message = (
                "it has no price, so that no budget of money counts it; "
                "set `price`, {input: 0, output: 0} where it costs nothing"
            )
            yield Doubt(
                "model-without-price", Spot("config/models.yaml", f"models.{name}", at_key=True), message
            )
