"""A run once more, and whether it was decided as it is recorded.

Law: what is compared is what was decided: what became of each task and of the run. When it happened, and what
was drawn by chance, is not.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from orchestrator.errors import CuewaveError, StoreError, UserError
from orchestrator.execution.settings import settings_of
from orchestrator.ids import Json, Render
from orchestrator.prompts import Prompts
from orchestrator.replay.policies import Policies, policies_of, settings_for
from orchestrator.replay.reading import script_of
from orchestrator.replay.script import Script
from orchestrator.replay.stage import Stage
from orchestrator.runs.codec import canonical
from orchestrator.runs.export import Exported, folded
from orchestrator.runs.identity import plan_hash
from orchestrator.runs.redaction import HIDDEN
from orchestrator.runs.result import result_of
from orchestrator.runs.state import RunState


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that was decided otherwise: `what` of which task, or of the run."""

    what: str
    recorded: Json
    replayed: Json


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay came to. `state` is the recorded one; `notes` say what could not be compared."""

    state: RunState
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]

    @property
    def deterministic(self) -> bool:
        """Whether everything was decided again as it is recorded."""
        return not self.differences


async def replay(run: Exported) -> Replay:
    """The run once more. Raises UserError for records that cannot follow one another, and for files of its
    workspace that cannot be written."""
    recorded, script = folded(run.records), script_of(run.records)
    notes: list[str] = []
    with ExitStack() as stack:
        folder = _unpacked(run, stack)
        policies = _policies(run, script, folder, notes)
        templates = _Templates(None if folder is None else Prompts(folder / "prompts").render)
        stage = Stage(
            run.records,
            script,
            settings=settings_for(run.records, script, policies),
            crash_limit=policies.crash_limit,
            render=templates.render,
        )
        replayed = await stage.play()
    if templates.missed:
        notes.append("the reply is not compared: the templates that made it are not in the file")
    differences = [*_differences(recorded, replayed, with_reply=not templates.missed)]
    if stage.broke:
        differences.append(Difference("the replay", None, f"it broke off: {stage.broke}"))
    return Replay(recorded, tuple(differences), tuple(notes))


class _Templates:
    """The templates of the run. `missed` says that one was asked for, and there are none."""

    def __init__(self, render: Render | None) -> None:
        self.missed = False
        self._render = render

    def render(self, name: str, variables: Mapping[str, object]) -> str:
        """See Render."""
        if self._render is not None:
            return self._render(name, variables)
        self.missed = True
        return ""


def _unpacked(run: Exported, stack: ExitStack) -> Path | None:
    """A folder with the files of the run's workspace; None where the export has none."""
    from orchestrator.workspace.snapshot import unpack

    if run.snapshot is None:
        return None
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="cuewave-replay-")))
    try:
        unpack(run.fingerprint, run.snapshot, folder)
    except StoreError as error:  # here it is a file that somebody gave, and no store
        raise UserError(f"the workspace: {error}") from None
    return folder


def _policies(run: Exported, script: Script, folder: Path | None, notes: list[str]) -> Policies:
    """What the operator had set; where that cannot be known, what the records show of it."""
    from orchestrator.agents.registry import agent_type, type_names
    from orchestrator.workspace.load import load_workspace

    shown = policies_of(run.records, script)
    if folder is None:
        notes.append(
            "the run's workspace is not in the file: retries and limits are those that its records show"
        )
        return shown
    try:
        workspace = load_workspace(folder, agent_type, type_names, _AnySecret())
    except CuewaveError as error:
        first = str(error).splitlines()[0]
        notes.append(
            f"the run's workspace cannot be loaded here, so limits are those of its records: {first}"
        )
        return shown
    settings = settings_of(workspace.orchestrator, workspace.agents.values())
    return Policies(settings.agents, settings.max_items, workspace.orchestrator.runs.crash_limit)


class _AnySecret(Mapping[str, str]):
    """An environment in which every variable is set: a replay calls nobody, and needs no key."""

    def __getitem__(self, name: str) -> str:
        return "not needed"

    def __iter__(self) -> Iterator[str]:
        return iter(("ANY",))

    def __len__(self) -> int:
        return 1


# ── what is compared ────────────────────────────────────────────────────────────────────────────────


def _differences(recorded: RunState, replayed: RunState, *, with_reply: bool) -> Iterator[Difference]:
    one, other = _decided(recorded), _decided(replayed)
    if not with_reply:
        one.pop("reply of the run")
        other.pop("reply of the run")
    for what in dict.fromkeys((*one, *other)):
        if one.get(what) != other.get(what):
            yield Difference(what, one.get(what), other.get(what))
    plan = recorded.plan
    if plan is not None and recorded.plan_hash and HIDDEN not in canonical(plan):
        found = plan_hash(plan)
        if found != recorded.plan_hash:
            yield Difference("hash of the plan", recorded.plan_hash, found)


def _decided(state: RunState) -> dict[str, Json]:
    """Everything that was decided, by what it is."""
    decided: dict[str, Json] = {}
    for id, task in state.tasks.items():
        decided[f"status of {id}"] = task.status
        decided[f"attempts of {id}"] = task.attempt
        decided[f"output of {id}"] = None if task.output is None else canonical(task.output)
        decided[f"error of {id}"] = task.error
    result = result_of(state)
    decided["status of the run"] = result.status
    decided["what the run waits for"] = list(result.waits_for)
    decided["usage of the run"] = asdict(result.usage)
    decided["reply of the run"] = result.reply
    return decided
