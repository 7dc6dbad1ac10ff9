"""What the world outside says to a run: events that a person, or another program, puts into its inbox.

Law: a message has an id. It becomes part of the journal once, by the run's driver, however often it is sent;
until then it has not happened.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, NamedTuple, TypeAlias

from orchestrator.ids import Json, MessageId, RunId, TaskId

UNSENT = MessageId("")
"""The id of what was said to the driver itself, and never was in an inbox."""


@dataclass(frozen=True, slots=True)
class PlanApproved:
    """A person, or `--yes` in a person's name, agreed to the plan with this hash, and to no other.

    A mapped task of it may expand to `most_items` at most. Version 1 had neither; its plan is the one that
    was there (an empty hash) and its items are not bound (0).
    """

    version: ClassVar[int] = 2
    by: str
    plan_hash: str
    most_items: int
    message: MessageId = UNSENT


@dataclass(frozen=True, slots=True)
class PlanRejected:
    """A person does not want the plan run."""

    version: ClassVar[int] = 1
    by: str
    reason: str
    message: MessageId = UNSENT


@dataclass(frozen=True, slots=True)
class FeedbackGiven:
    """What a person says of the plan. `revises_plan`: the plan is made anew with it, and asks again."""

    version: ClassVar[int] = 1
    by: str
    text: str
    revises_plan: bool
    message: MessageId = UNSENT


@dataclass(frozen=True, slots=True)
class DoubtAnswered:
    """A person knows whether the effect of a task in doubt came about; `output` is its result, where known.

    What did not happen is done again, under the same key.
    """

    version: ClassVar[int] = 1
    by: str
    task: TaskId
    happened: bool
    output: str = ""
    message: MessageId = UNSENT


@dataclass(frozen=True, slots=True)
class SignalReceived:
    """A fact has a new value. `id` and `source` name the message wherever it is sent (CloudEvents 1.0).

    `time` is when it came to be so (RFC 3339), empty where nobody has said; `urgent`, that it is not to wait.
    Version 1 had none of the three.
    """

    version: ClassVar[int] = 2
    key: str
    value: Json
    source: str
    message: MessageId = UNSENT
    id: str = ""
    time: str = ""
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class CancelAsked:
    """A person wants the run stopped."""

    version: ClassVar[int] = 1
    by: str
    reason: str = ""
    message: MessageId = UNSENT


@dataclass(frozen=True, slots=True)
class ReviewCleared:
    """A person has looked at a run that was flagged for review.

    What contradicts its plan still is looked at again; with `keep` the plan stands, and goes by what is so
    now. Version 1 could not say that.
    """

    version: ClassVar[int] = 2
    by: str
    message: MessageId = UNSENT
    keep: bool = False


Said: TypeAlias = (
    PlanApproved | PlanRejected | FeedbackGiven | DoubtAnswered | SignalReceived | CancelAsked | ReviewCleared
)


class Message(NamedTuple):
    """A message in an inbox. Its `id` is that in `said`."""

    run: RunId
    at: datetime
    said: Said

    @property
    def id(self) -> MessageId:
        """Under which the same message is known again."""
        return self.said.message
