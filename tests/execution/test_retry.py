import pytest
from orchestrator.errors import ModelError, TaskError, UserError
from orchestrator.execution.retry import (
    TimedOut,
    can_pass,
    leaves_doubt,
    pause_before_retry,
)

PASSING = TaskError("busy", passing=True)


def pause(error: Exception, failed: int = 1, retries: int = 2, rng: float = 0.5):
    return pause_before_retry(error, failed, retries=retries, rng=lambda: rng)


@pytest.mark.parametrize(
    "error",
    [PASSING, TimedOut(3), TimeoutError(), ConnectionResetError(), ModelError("busy", passing=True)],
    ids=repr,
)
def test_an_error_that_can_pass_is_tried_again(error: Exception) -> None:
    assert can_pass(error)
    assert pause(error) is not None


@pytest.mark.parametrize(
    "error",
    [
        TaskError("no such file"),
        ModelError("no such model"),
        ValueError("x"),
        FileNotFoundError("x"),
        PermissionError("x"),
        UserError("x"),
    ],
    ids=repr,
)
def test_an_error_that_stays_is_not_tried_again(error: Exception) -> None:
    assert not can_pass(error)
    assert pause(error) is None


def test_there_are_no_more_extra_attempts_than_retries() -> None:
    assert [pause(PASSING, failed) is None for failed in (1, 2, 3)] == [False, False, True]
    assert pause(PASSING, 1, retries=0) is None


@pytest.mark.parametrize(
    "error",
    [
        TimedOut(3),
        TimeoutError(),
        ConnectionResetError(),
        OSError("x"),
        KeyError("x"),
        TaskError("half of it", doubtful=True),
    ],
    ids=repr,
)
def test_what_nobody_was_left_to_deny_may_have_happened(error: Exception) -> None:
    assert leaves_doubt(error)


@pytest.mark.parametrize("error", [PASSING, ModelError("no"), UserError("a package is missing")], ids=repr)
def test_what_an_agent_says_did_not_happen_did_not(error: Exception) -> None:
    assert not leaves_doubt(error)


def test_the_pause_is_a_share_that_chance_gives() -> None:
    assert [pause(PASSING, failed, rng=0.5) for failed in (1, 2)] == [0.25, 0.5]


def test_a_provider_that_asks_for_a_pause_gets_at_least_that() -> None:
    assert pause(ModelError("slow down", passing=True, retry_after=7.0), rng=0.0) == 7.0


def test_a_provider_that_asks_for_too_long_a_pause_is_not_waited_for() -> None:
    assert pause(ModelError("tomorrow", passing=True, retry_after=86_400.0)) is None
