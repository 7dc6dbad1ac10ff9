"""What a person is told where a run cannot go on here."""

import asyncio
from datetime import UTC, datetime
from typing import NoReturn

import pytest
from orchestrator.cli.progress import Progress
from orchestrator.cli.serving import served_by
from orchestrator.errors import Fenced, StoreError
from orchestrator.ids import RunId
from orchestrator.runs.events import DriverStarted, Record

RUN = RunId("r1")


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        (StoreError("the disk is full"), "cuewave runs resume r1"),
        (Fenced("r1", 8, 7), "cuewave runs show r1 --follow"),
    ],
)
def test_a_run_whose_journal_fails_says_how_to_go_on_with_it(error: StoreError, remedy: str) -> None:
    async def drive(progress: Progress) -> NoReturn:
        progress(Record(RUN, 1, datetime(2026, 1, 1, tzinfo=UTC), DriverStarted("d")))
        raise error

    with pytest.raises(StoreError) as raised:
        asyncio.run(served_by(None, drive, quiet=True))
    assert str(error) in str(raised.value)
    assert remedy in str(raised.value)


def test_before_there_is_a_run_there_is_nothing_to_resume() -> None:
    async def drive(_: Progress) -> NoReturn:
        raise StoreError("the disk is full")

    with pytest.raises(StoreError, match=r"^the disk is full$"):
        asyncio.run(served_by(None, drive, quiet=True))
