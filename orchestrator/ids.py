"""The names every room uses for the same things: ids, spans, small closed vocabularies, and two functions."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal, NewType, TypeAlias

from typing_extensions import TypeAliasType

RunId = NewType("RunId", str)
TaskId = NewType("TaskId", str)
AgentName = NewType("AgentName", str)
IntentName = NewType("IntentName", str)
SessionId = NewType("SessionId", str)
MessageId = NewType("MessageId", str)

Span: TypeAlias = tuple[int, int]
"""Half-open range of characters (code points) of the user's original text."""

Json = TypeAliasType("Json", "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None")
"""What JSON can carry; read-only. A named alias (PEP 695), since pydantic reads no other recursive one."""

Render: TypeAlias = Callable[[str, Mapping[str, object]], str]
"""A template's name and its variables become text."""

Ask: TypeAlias = Callable[[str], Awaitable[str]]
"""A prompt becomes a language model's reply. Raises ModelError."""

Meaning: TypeAlias = Literal["sequential", "parallel", "distributive", "weak", "joiner", "compound"]
"""The planning meaning of a cue; `compound` is a cue of a flat list, which only says that there are parts."""
JUDGED: frozenset[Meaning] = frozenset({"weak", "joiner"})
"""Cues of these meanings count only where they join two differently routed sides; others always."""

Effects: TypeAlias = Literal["none", "read", "write"]
EFFECTS: tuple[Effects, ...] = ("none", "read", "write")
"""From the weakest to the strongest."""

Steps: TypeAlias = Literal["one", "many"]
Schedule: TypeAlias = Literal["eager", "waves"]
Success: TypeAlias = Literal["any", "not_empty"]
OnUpstreamFailure: TypeAlias = Literal["skip", "run"]
PlanSource: TypeAlias = Literal["direct", "split", "model", "joint", "scenario"]
Decision: TypeAlias = Literal["ignored", "suppressed", "revised", "review"]
"""What becomes of a signal: it contradicts nothing, is not acted on, changes the plan, or is for a person."""
TaskStatus: TypeAlias = Literal["done", "failed", "skipped", "cancelled", "in_doubt", "waiting", "running"]
Phase: TypeAlias = Literal[
    "pending", "running", "waiting", "in_doubt", "done", "failed", "skipped", "cancelled"
]
"""Where a task is. `waiting` is the pause between two attempts."""
RunStatus: TypeAlias = Literal[
    "done", "failed", "partial", "outcome_failed", "waiting", "cancelled", "running"
]
