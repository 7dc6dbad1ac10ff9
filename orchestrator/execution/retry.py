"""May a failed attempt be followed by another, and after which pause. Pure.

Laws: only an error that can pass is tried again; never a write of which nobody knows whether it took effect;
never more than `retries` times. The pause is "full jitter": a uniform share of an exponential bound
("Exponential Backoff And Jitter", AWS Architecture Blog, 2015), and never shorter than a provider asked for.
"""

from collections.abc import Callable

from orchestrator.errors import TaskError
from orchestrator.ids import Effects

FIRST_BOUND = 0.5
"""Seconds that the first pause may be long at most; each later bound is twice the one before."""
LAST_BOUND = 30.0
"""Seconds that no pause is longer than; a provider that asks for more is not waited for."""


class TimedOut(TaskError):
    """An attempt took longer than it may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"timed out after {seconds:g} s", passing=True)


def pause_before_retry(
    error: Exception, failed: int, *, retries: int, effects: Effects, rng: Callable[[], float]
) -> float | None:
    """Seconds until the next attempt after `failed` failed ones; None where there must not be one.

    `rng()` is in [0, 1).
    """
    if failed > retries or not can_pass(error) or (effects == "write" and leaves_doubt(error)):
        return None
    asked: float = getattr(error, "retry_after", None) or 0.0
    if asked > LAST_BOUND:
        return None
    return max(asked, rng() * min(LAST_BOUND, FIRST_BOUND * 2.0 ** min(failed - 1, 30)))


def can_pass(error: Exception) -> bool:
    """Whether the error may be gone at the next attempt."""
    if isinstance(error, TaskError):
        return error.passing
    return isinstance(error, ConnectionError | TimeoutError)


def leaves_doubt(error: Exception) -> bool:
    """Whether the work may have been done all the same: nobody was left to say that it was not."""
    return isinstance(error, TimedOut | ConnectionError | TimeoutError)
