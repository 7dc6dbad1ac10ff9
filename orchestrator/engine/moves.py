"""What a driver does next with a run, seen from its state alone. Pure.

Laws: nothing of a plan that needs a person's word is begun without it, and a rejected one never is. A run
that its drivers keep dying of is held for a person. Where only the world outside can move it, it is parked.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from orchestrator.runs.state import RunState


class Do(Enum):
    """What a driver can do by itself."""

    NOTHING = auto()
    """The run has ended."""
    REJECT = auto()
    REVISE = auto()
    HOLD = auto()
    """Flag it for a person, since it does not get on."""
    CANCEL = auto()
    EXECUTE = auto()


@dataclass(frozen=True, slots=True)
class Park:
    """Only the world outside can move the run: it waits for these."""

    waits_for: tuple[str, ...]


Move: TypeAlias = Do | Park


def next_move(state: RunState, *, crash_limit: int, stalled: bool) -> Move:
    """The next move. `stalled`: what can be executed has been, and only doubt is left."""
    if state.ended is not None:
        return Do.NOTHING
    if state.rejected is not None:
        return Do.REJECT
    if state.cancel is not None:
        return Do.CANCEL
    if state.held:
        return Park(("review",))
    if state.drivers > crash_limit:
        return Do.HOLD
    return _of_its_plan(state, stalled=stalled)


def _of_its_plan(state: RunState, *, stalled: bool) -> Move:
    if state.to_revise is not None:
        return Do.REVISE
    if not state.consented:
        return Park(("approval",))
    return Park(tuple(f"answer {task}" for task in state.doubts)) if stalled else Do.EXECUTE
