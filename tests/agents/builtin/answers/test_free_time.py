"""Free time, as a law: it lies in the working hours and beside all that takes up time."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.builtin.answers.free_time import WorkingHours, gaps_of
from orchestrator.agents.builtin.days import Clock
from orchestrator.agents.builtin.formats.ics import Occurrence

DAY = date(2026, 12, 1)
MIDNIGHT = datetime(2026, 12, 1, tzinfo=UTC)
HOURS = WorkingHours(time(9), time(17), timedelta(minutes=30))


def at(minutes: int) -> datetime:
    return MIDNIGHT + timedelta(minutes=minutes)


@given(
    st.lists(st.tuples(st.integers(-200, 1600), st.integers(0, 300), st.booleans()), max_size=8),
    st.integers(-2000, 1600),
)
def test_gaps_are_exactly_the_working_minutes_that_nothing_takes_up(
    entries: list[tuple[int, int, bool]], now: int
) -> None:
    held = tuple(sorted(Occurrence(at(s), at(s + n), "x", busy=busy) for s, n, busy in entries))
    gaps = list(gaps_of(DAY, held, HOURS, Clock(at(now))))

    def is_free(minute: int) -> bool:
        return not any(o.busy and o.start <= at(minute) < o.end for o in held)

    first = max(9 * 60, -(-now // 15) * 15)
    free = [m for m in range(first, 17 * 60) if is_free(m)]
    in_gaps = [m for m in range(24 * 60) if any(start <= at(m) < end for start, end in gaps)]
    assert all(end - start >= HOURS.least for start, end in gaps)
    assert set(in_gaps) <= set(free)
    left = sorted(set(free) - set(in_gaps))
    runs = groupby(enumerate(left), key=lambda pair: pair[1] - pair[0])
    assert all(len(list(run)) < 30 for _, run in runs)
