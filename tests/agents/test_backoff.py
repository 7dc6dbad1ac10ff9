import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.backoff import FIRST_BOUND, LAST_BOUND, pause_before


@given(st.integers(1, 10_000), st.floats(0, 1, exclude_max=True))
def test_the_pause_is_a_share_of_a_bound_that_doubles_up_to_the_last(retry: int, share: float) -> None:
    found = pause_before(retry, asked=None, share=share)
    bound = FIRST_BOUND * 2 ** (retry - 1) if retry < 7 else LAST_BOUND
    assert found == pytest.approx(share * bound)
    assert found is not None
    assert 0 <= found <= LAST_BOUND


@pytest.mark.parametrize(
    ("retry", "asked", "share", "seconds"),
    [
        (1, None, 0.5, 0.25),
        (3, None, 0.5, 1.0),
        (9, 2.0, 0.5, 15.0),
        (1, 7.0, 0.0, 7.0),
        (1, LAST_BOUND, 0.9, LAST_BOUND),
    ],
)
def test_a_provider_that_asks_for_a_pause_gets_at_least_that(
    retry: int, asked: float | None, share: float, seconds: float
) -> None:
    assert pause_before(retry, asked=asked, share=share) == seconds


def test_a_provider_that_asks_for_too_long_a_pause_is_not_waited_for() -> None:
    assert pause_before(1, asked=86_400.0, share=0.0) is None
