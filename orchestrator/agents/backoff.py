"""How long to wait before trying again, whoever tries: a task's next attempt, or a model's next call. Pure.

Law: the pause is "full jitter", a uniform share of an exponential bound ("Exponential Backoff And Jitter",
AWS Architecture Blog, 2015), and never shorter than what a provider asked for. One that asks for more than
the last bound is not waited for: to try again is not worth it then.
"""

FIRST_BOUND = 0.5
"""Seconds that the first pause may be long at most; each later bound is twice the one before."""
LAST_BOUND = 30.0
"""Seconds that no pause is longer than."""


def pause_before(retry: int, *, asked: float | None, share: float) -> float | None:
    """Seconds before the n-th retry, from 1; None where there is to be none.

    `asked` is the pause that a provider wants; `share` is chance's, in [0, 1).
    """
    least = asked or 0.0
    if least > LAST_BOUND:
        return None
    return max(least, share * min(LAST_BOUND, FIRST_BOUND * 2.0 ** min(retry - 1, 30)))
