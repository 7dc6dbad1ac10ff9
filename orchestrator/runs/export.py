"""A run as one JSON document, and back: all that happened, and what it was begun with. Pure.

Laws: the same run is the same document, whenever it is made and wherever it was stored. What is read back is
what was written: a document that was damaged, or that a newer program wrote, is refused with its first fault
and where that is.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from orchestrator.errors import Diagnostic, PlanRefused, StoreError, UserError
from orchestrator.ids import Json, RunId
from orchestrator.planning.plan import plan_of
from orchestrator.runs.codec import Encoded, canonical, decode, encode
from orchestrator.runs.events import PlanMade, Record, TurnReceived
from orchestrator.runs.fold import apply
from orchestrator.runs.state import RunState

FORMAT, VERSION = "cuewave-run", 1


@dataclass(frozen=True, slots=True)
class Exported:
    """A run by itself. `files` are those of its workspace and its templates; None where they are not kept."""

    run: RunId
    fingerprint: str
    files: Mapping[str, str] | None
    records: tuple[Record, ...]

    def to_json(self) -> dict[str, Json]:
        """The document."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "run": self.run,
            "workspace": {"fingerprint": self.fingerprint, "files": self.files},
            "records": [record_json(record) for record in self.records],
        }

    @property
    def snapshot(self) -> bytes | None:
        """The files as a store keeps them."""
        return None if self.files is None else canonical(self.files).encode()


def exported(records: Sequence[Record], snapshot: bytes | None) -> Exported:
    """The run of these records, which are all that it has; `snapshot` is that of its workspace."""
    files = None if snapshot is None else json.loads(snapshot)
    return Exported(records[0].run, workspace_of(records), files, tuple(records))


def workspace_of(records: Sequence[Record]) -> str:
    """The fingerprint of the workspace that the run was begun with; empty where that was not kept."""
    turns = (record.event for record in records if isinstance(record.event, TurnReceived))
    return next((turn.workspace for turn in turns), "")


def record_json(record: Record) -> dict[str, Json]:
    """The record as programs read it."""
    kind, version, body = encode(record.event)
    at = record.at.isoformat()
    return {"seq": record.seq, "at": at, "type": kind, "version": version, "body": json.loads(body)}


def imported(text: str) -> Exported:
    """The run of a document. Raises UserError, with the first fault."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise UserError(f"it is no JSON: {error}") from None
    except RecursionError:
        raise UserError("it is nested without end, which no exported run is") from None
    if not isinstance(document, dict) or cast(Body, document).get("format") != FORMAT:
        raise UserError(f'it is no exported run; one has "format": "{FORMAT}"')
    body = cast(Body, document)
    version = _of(body, "version", int, "the document")
    if version > VERSION:
        raise UserError(
            f"its format has version {version}, and this cuewave knows {VERSION}; upgrade this one"
        )
    run = RunId(_of(body, "run", str, "the document"))
    workspace = _of(body, "workspace", dict, "the document")
    written = _of(body, "records", list, "the document")
    records = tuple(_record(run, place, found) for place, found in enumerate(written, 1))
    if not records:
        raise UserError("it has no records, and a run has at least one")
    return Exported(run, *_files(workspace), records)


def folded(records: Sequence[Record]) -> RunState:
    """The state after these records. Raises UserError for the first that cannot follow those before it."""
    state = RunState(records[0].run)
    for record in records:
        try:
            if isinstance(record.event, PlanMade):
                _check_plan(record.event)
            apply(state, [record])
        except PlanRefused as refused:
            raise _damaged(record.seq, f"its plan breaks a law: {refused}") from None
        except KeyError as error:
            kind = type(record.event).__name__
            raise _damaged(record.seq, f"this {kind} is of task {error}, which there is not") from None
    return state


Body = dict[str, Any]
"""A JSON object that has not been checked yet, as in the codec."""


def _record(run: RunId, place: int, found: object) -> Record:
    if not isinstance(found, dict):
        raise _damaged(place, "it is no JSON object")
    body, where = cast(Body, found), f"record {place}"
    seq = _of(body, "seq", int, where)
    if seq != place:
        why = "it is there twice, or in the wrong place" if seq < place else "records are missing before it"
        raise _damaged(place, f"its seq is {seq} where {place} is due: {why}")
    kind, version = _of(body, "type", str, where), _of(body, "version", int, where)
    try:
        event = decode(Encoded(kind, version, canonical(_of(body, "body", dict, where))))
        encode(event)
    except (StoreError, ValueError, RecursionError) as error:
        raise _damaged(place, str(error)) from None
    return Record(run, seq, _moment(_of(body, "at", str, where), place), event)


def _moment(written: str, place: int) -> datetime:
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        raise _damaged(place, f"its time {written!r} is none") from None
    if at.tzinfo is None:
        raise _damaged(place, f"its time {written!r} has no time zone")
    return at.astimezone(UTC)


def _files(workspace: Body) -> tuple[str, Mapping[str, str] | None]:
    """The fingerprint, and the files that have it."""
    fingerprint, files = _of(workspace, "fingerprint", str, "the workspace"), workspace.get("files")
    if files is None:
        return fingerprint, None
    if not isinstance(files, dict) or not all(isinstance(t, str) for t in cast(Body, files).values()):
        raise UserError("the workspace: its files must be an object of texts, or null")
    found = hashlib.sha256(canonical(cast(Body, files)).encode()).hexdigest()
    if found != fingerprint:
        raise UserError(
            f"the workspace: its files have the fingerprint {found[:12]}, and {fingerprint[:12]} is named;"
            " they are not those that the run was begun with"
        )
    return fingerprint, cast("Mapping[str, str]", files)


def _check_plan(made: PlanMade) -> None:
    """Raises PlanRefused for a plan that this program would not have made."""
    plan = made.plan
    lawful = plan_of(plan.request, plan.tasks, plan.source, {task.agent for task in plan.tasks})
    if lawful.waves != plan.waves:
        raise PlanRefused((Diagnostic(0, f"its waves are {plan.waves}, and must be {lawful.waves}"),))


def _of(body: Body, key: str, kind: type[Any], where: str) -> Any:
    """The value of a key. Raises UserError where it is missing or of another type."""
    value = body.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        names = {int: "a number", str: "a text", dict: "an object", list: "a list"}
        found = "it is missing" if key not in body else f"it is {json.dumps(value)[:40]}"
        raise UserError(f"{where}: {key!r} must be {names[kind]}, and {found}")
    return value


def _damaged(place: int, why: str) -> UserError:
    return UserError(f"record {place}: {why}")
