"""Containment: laws by which a contradiction is acted on, or is not since the key has been flapping. Pure.

Each law is its own, and off where it is None; a contradiction passes where all let it pass. Times are numbers
on the run's own clock, ticks or seconds, and so are all durations.

Sources: confirmation is k-of-n voting; damping is route-flap damping (RFC 2439) with its usual numbers.
"""

from dataclasses import dataclass, replace

from orchestrator.runs.containing import Confirmation, Damping, Memory, Rules, Trust

NONE = Rules(cooldown=None)
"""Nothing is contained."""


@dataclass(frozen=True, slots=True)
class Contained:
    """Whether a contradiction is acted on; if not, why, and whether a person should know (`flags`).

    `memory` is what is known of the key afterwards, `revised` included where it passes.
    """

    passes: bool
    memory: Memory
    reason: str = ""
    flags: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """What containment is told of a signal: when it came in, from whom, and whether it is urgent."""

    now: float
    source: str = ""
    urgent: bool = False


def agreeing(memory: Memory, rules: Rules) -> Memory:
    """What is known after a signal that contradicts nothing."""
    if rules.confirmation is None or not any(memory.votes):
        return memory
    return replace(memory, votes=(*memory.votes, False)[-rules.confirmation.n :])


def contain(memory: Memory, rules: Rules, heard: Heard) -> Contained:
    """Whether this contradiction is acted on."""
    memory = _damped(memory, rules.damping, heard.now)
    memory, unconfirmed = _voted(memory, rules.confirmation)
    if unconfirmed:
        return Contained(False, memory, unconfirmed)
    held = _cooling(memory, rules, heard) or _flapping(memory, rules.damping)
    if held:
        return Contained(False, memory, held, flags=True)
    return Contained(True, replace(memory, revised=heard.now, votes=()))


def _voted(memory: Memory, rule: Confirmation | None) -> tuple[Memory, str]:
    """The vote counted, and what is missing, where something is."""
    if rule is None:
        return memory, ""
    votes = (*memory.votes, True)[-rule.n :]
    for_it = sum(votes)
    missing = "" if for_it >= rule.k else f"confirmed by {for_it} of the {rule.k} signals that are due"
    return replace(memory, votes=votes), missing


def _cooling(memory: Memory, rules: Rules, heard: Heard) -> str:
    if rules.cooldown is None or memory.revised is None:
        return ""
    since = heard.now - memory.revised
    if since > rules.cooldown or (heard.urgent and _trusted(heard.source, rules.trust)):
        return ""
    return f"the plan was changed for it {since:g} ago, and the cooldown is {rules.cooldown:g}"


def _trusted(source: str, trust: Trust | None) -> bool:
    return trust is not None and trust.sources.get(source, 0.0) >= trust.least


def _damped(memory: Memory, rule: Damping | None, now: float) -> Memory:
    """The penalty as it is now, with that of this contradiction."""
    if rule is None:
        return memory
    left = decayed(memory, rule, now)
    damped = memory.damped and left >= rule.reuse
    penalty = min(left + rule.penalty, rule.ceiling)
    return replace(memory, penalty=penalty, penalty_at=now, damped=damped or penalty > rule.suppress)


def decayed(memory: Memory, rule: Damping, now: float) -> float:
    """What is left of the penalty."""
    return memory.penalty * 0.5 ** (max(now - memory.penalty_at, 0.0) / rule.half_life)


def _flapping(memory: Memory, rule: Damping | None) -> str:
    if rule is None or not memory.damped:
        return ""
    return f"it flaps: its penalty is {memory.penalty:.0f}, and counts again below {rule.reuse:g}"
