import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.estimating.draws import POINTS, draws, range_of


@pytest.mark.parametrize(
    ("count", "low", "high"), [(1, 1, 1), (2, 1, 2), (9, 1, 9), (29, 2, 28), (50, 5, 46), (99, 9, 91)]
)
def test_the_range_of_one_draw_is_that_of_the_order_statistics(count: int, low: int, high: int) -> None:
    """Of n values in order the next one lies between the i-th and the j-th with (j - i) / (n + 1)."""
    assert range_of(draws([float(n) for n in range(1, count + 1)], 3)) == (low, high)


@given(st.lists(st.floats(0, 1e6), min_size=9, max_size=60), st.integers(0, 40))
def test_with_nine_earlier_values_the_range_holds_for_four_of_five_to_come(
    values: list[float], stream: int
) -> None:
    ordered = sorted(values)
    low, high = range_of(draws(ordered, stream))
    i = max(n for n, value in enumerate(ordered, 1) if value <= low)
    j = min(n for n, value in enumerate(ordered, 1) if value >= high)
    first, last = ordered.index(low) + 1, len(ordered) - ordered[::-1].index(high)
    assert (last - first) / (len(ordered) + 1) >= 0.8
    assert i <= j or low == high


@given(st.integers(1, 60), st.integers(0, 59))
def test_each_draw_is_as_far_out_as_its_share_of_earlier_values_or_farther(count: int, stream: int) -> None:
    drawn = draws([float(n) for n in range(1, count + 1)], stream)
    assert len(drawn) == POINTS
    for share, value in enumerate(sorted(drawn), 1):
        exact = min(max(share * (count + 1) / (POINTS + 1), 1), count)
        assert abs(value - exact) < 1
        assert value <= exact if 2 * share <= POINTS else value >= exact


def test_two_things_are_drawn_independently_of_one_another() -> None:
    values = [float(n) for n in range(9)]
    for a in range(8):
        for b in range(a):
            pairs = zip(draws(values, a), draws(values, b), strict=True)
            middle = sum((x - 4) * (y - 4) for x, y in pairs) / POINTS
            assert abs(middle) < 1.5  # of 6.7, were they the same


def test_nothing_is_left_to_chance() -> None:
    assert draws([1.0, 2.0, 3.0], 7) == draws([1.0, 2.0, 3.0], 7)
