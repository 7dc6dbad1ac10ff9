"""May a failed attempt be followed by another, and after which pause. Pure.

Laws: only an error that can pass is tried again, never more than `retries` times, and never after a provider
that asks for too long a pause.
"""

from collections.abc import Callable

from orchestrator.agents.backoff import pause_before
from orchestrator.errors import CuewaveError, ModelError, TaskError


class TimedOut(TaskError):
    """An attempt took longer than it may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"timed out after {seconds:g} s", passing=True, doubtful=True)


def pause_before_retry(
    error: Exception, failed: int, *, retries: int, rng: Callable[[], float]
) -> float | None:
    """Seconds until the next attempt after `failed` failed ones; None where there must not be one.

    `rng()` is in [0, 1).
    """
    if failed > retries or not can_pass(error):
        return None
    asked = error.retry_after if isinstance(error, ModelError) else None
    return pause_before(failed, asked=asked, share=rng())


def can_pass(error: Exception) -> bool:
    """Whether the error may be gone at the next attempt."""
    if isinstance(error, TaskError):
        return error.passing
    return isinstance(error, ConnectionError | TimeoutError)


def leaves_doubt(error: Exception) -> bool:
    """Whether the work may have been done all the same.

    Only an error that an agent raises on purpose says that it was not; one that it did not mean, or that took
    its place, says nothing of what had been done by then.
    """
    return error.doubtful if isinstance(error, TaskError) else not isinstance(error, CuewaveError)
