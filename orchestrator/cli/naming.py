"""What people write on the command line for runs, for times, and for themselves.

Law: the beginning or the end of a run's id is enough where it is of one run only and not too short; a name
that could be two runs is none.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from orchestrator.errors import RunUnknown, UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.control import Control
    from orchestrator.ids import RunId
    from orchestrator.runs.events import Record

SHORTEST = 6
_WHOLE = 32
_SHOWN = 5
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_SPAN = re.compile(r"(\d{1,6})([mhdw])")


async def run_of(control: "Control", written: str) -> "RunId":
    """The run that is meant. Raises RunUnknown, and UserError where it is too short or could be several."""
    from orchestrator.ids import RunId

    if len(written) == _WHOLE:
        return RunId(written)
    if len(written) < SHORTEST:
        raise UserError(
            f"{written!r} is too short for a run; write at least {SHORTEST} characters of the beginning or"
            " the end of its id"
        )
    runs = [entry.run for entry in await control.entries()]
    meant = [run for run in runs if run.startswith(written) or run.endswith(written)]
    if not meant:
        raise RunUnknown(written)
    if len(meant) > 1:
        more = f", and {len(meant) - _SHOWN} more" if len(meant) > _SHOWN else ""
        raise UserError(f"{written!r} could be {', '.join(meant[:_SHOWN])}{more}; write more of it")
    return meant[0]


async def records_of(control: "Control", written: str) -> "Sequence[Record]":
    """The records of the run that is meant. Raises RunUnknown, UserError, and StoreError."""
    run = await run_of(control, written)
    records = await control.store.read(run)
    if not records:
        raise RunUnknown(run)
    return records


def moment_of(written: str, now: datetime, option: str) -> datetime:
    """The moment so long ago (`30m`, `12h`, `2d`, `1w`), or the one of an ISO date or time (local, unless it
    says otherwise). Raises click.BadParameter, which names the option."""
    try:
        if (span := _SPAN.fullmatch(written)) is not None:
            return now - timedelta(**{_UNITS[span[2]]: int(span[1])})
        return datetime.fromisoformat(written).astimezone(UTC)
    except (ValueError, OverflowError):
        raise click.BadParameter(
            f"{written!r} is no time; write how long ago (30m, 12h, 2d, 1w) or a date (2026-01-31, or with a"
            " time 2026-01-31T08:00)",
            param_hint=f"'{option}'",
        ) from None


def login_name() -> str:
    """Who says it: the login name, "user" where there is none."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "user"
