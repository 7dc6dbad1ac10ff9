"""What a run, and a plan, are known by. Pure."""

import hashlib
from datetime import UTC, datetime, timedelta

from orchestrator.ids import RunId
from orchestrator.planning.plan import Plan
from orchestrator.runs.codec import canonical

RANDOM_BYTES = 10
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def run_id(now: datetime, chance: bytes) -> RunId:
    """A UUID of version 7 (RFC 9562, section 5.7), as 32 hexadecimal digits: ids sort by their time.

    `chance` is ten random bytes. Since ids sort by time, a table of runs can be partitioned by it.
    """
    milliseconds = (now - _EPOCH) // timedelta(milliseconds=1)
    number = int.from_bytes(milliseconds.to_bytes(6, "big") + chance[:RANDOM_BYTES], "big")
    number = number & ~(0xF << 76) | (7 << 76)  # version
    number = number & ~(0b11 << 62) | (0b10 << 62)  # variant
    return RunId(f"{number:032x}")


def plan_hash(plan: Plan) -> str:
    """SHA-256 of what a plan would do: its tasks and repairs, not how it was found or is warned of."""
    does = {"tasks": plan.tasks, **({"repairs": plan.repairs} if plan.repairs else {})}
    return hashlib.sha256(canonical(does).encode()).hexdigest()
