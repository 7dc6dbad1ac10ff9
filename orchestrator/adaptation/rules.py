"""The knobs of containment as rules on one clock. Pure."""

from typing import Literal, TypeAlias

from orchestrator.runs.containing import Confirmation, Damping, Rules, Trust
from orchestrator.workspace.grounds import Containment, HalfLife, Window

Clock: TypeAlias = Literal["ticks", "seconds"]


def rules_of(knobs: Containment, clock: Clock) -> Rules:
    """The rules that these knobs mean, with durations on this clock."""
    trust, confirmation, damping = knobs.trust, knobs.confirmation, knobs.damping
    return Rules(
        cooldown=None if knobs.cooldown is None else _on(knobs.cooldown, clock),
        trust=None if trust is None else Trust(dict(trust.sources), trust.least),
        confirmation=None if confirmation is None else Confirmation(confirmation.k, confirmation.n),
        damping=None
        if damping is None
        else Damping(
            half_life=_on(damping.half_life, clock),
            penalty=float(damping.penalty),
            suppress=float(damping.suppress),
            reuse=float(damping.reuse),
        ),
    )


def _on(time: Window | HalfLife, clock: Clock) -> float:
    return float(time.ticks) if clock == "ticks" else time.seconds
