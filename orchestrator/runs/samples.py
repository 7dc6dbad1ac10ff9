"""What earlier tasks took: the samples from which runs are estimated, and their short form in a store. Pure.

Law: a sample is a fact of one task that was done, in a run that has ended; how it is divided and combined is
not decided here. This module loads no event, since a dry run reads samples and nothing else.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from itertools import islice
from typing import Any

from orchestrator.agents.contract import Usage
from orchestrator.errors import StoreError
from orchestrator.ids import AgentName, IntentName

MOST = 50
"""So many of the youngest samples of an agent are looked at."""

MOST_OF_A_RUN = 10
"""So many samples of an agent are kept of one run, so that no run speaks for all others."""

VERSION = 1
"""Of the short form; another one is left alone by whoever reads."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One task that was done.

    `units` is how often its agent did it: the number of items of a mapped task, else 1. `seconds` and `usage`
    are those of all units together, attempts that failed and pauses included. `found` is the number of items
    in its result, None where nobody counted.
    """

    intent: IntentName | None
    units: int
    seconds: float
    usage: Usage = field(default_factory=Usage)
    found: int | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """What is kept of a run that has ended: samples by agent, and what is said of the run as a whole.

    `held` says of each quantity whether its estimate did. `rest` is the seconds in which the run was driven
    and no task had begun yet, or all had ended; None where that cannot be told.
    """

    samples: Mapping[AgentName, tuple[Sample, ...]]
    held: Mapping[str, bool] = field(default_factory=dict[str, bool])
    rest: float | None = None


@dataclass(frozen=True, slots=True)
class History:
    """What earlier runs took: samples by agent, and `held` and `rest` of each; the youngest run first."""

    samples: Mapping[AgentName, Sequence[Sample]] = field(default_factory=dict[AgentName, Sequence[Sample]])
    held: Sequence[Mapping[str, bool]] = ()
    rests: Sequence[float] = ()


def written(samples: Sequence[Sample]) -> str:
    """The samples of one agent in one run, in short."""
    rows = [(s.intent, s.units, s.seconds, s.found, *astuple(s.usage)) for s in samples]
    return json.dumps(rows, separators=(",", ":"))


def read(body: str) -> tuple[Sample, ...]:
    """The samples that were written. Raises StoreError."""
    try:
        return tuple(_sample(*row) for row in json.loads(body))
    except (ValueError, TypeError) as error:
        raise StoreError(f"what was kept of earlier tasks cannot be read: {error}") from error


def _sample(intent: str | None, units: int, seconds: float, found: int | None, *usage: Any) -> Sample:
    """Any: the short form of what something cost; Usage has as many fields."""
    return Sample(None if intent is None else IntentName(intent), units, seconds, Usage(*usage), found)


def written_whole(past: Past) -> str:
    """What is said of the run as a whole, in short."""
    return json.dumps([past.rest, past.held], separators=(",", ":"), sort_keys=True)


def read_whole(body: str) -> Past:
    """What was written, without samples. Raises StoreError."""
    try:
        rest, held = json.loads(body)
    except (ValueError, TypeError) as error:
        raise StoreError(f"what was kept of earlier runs cannot be read: {error}") from error
    return Past({}, held, rest)


def history_of(pasts: Sequence[Past], agents: Sequence[AgentName], most: int = MOST) -> History:
    """The youngest samples of each of the agents; the pasts are of runs, the youngest first."""
    samples = {
        agent: tuple(islice((s for past in pasts for s in past.samples.get(agent, ())), most))
        for agent in agents
    }
    held = tuple(past.held for past in pasts if past.held)[:most]
    return History(samples, held, tuple(past.rest for past in pasts if past.rest is not None)[:most])
