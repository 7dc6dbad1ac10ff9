"""Containment: laws by which a contradiction is acted on, or is not since the key has been flapping. Pure.

Each law is its own, and off where it is None; a contradiction passes where all let it pass. Times are numbers
on the run's own clock, ticks or seconds, and so are all durations. A key flaps where a contradiction follows
something else: a source that goes on saying what was held back does not flap, and is heard once it is quiet.

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
    """What containment is told of a signal: when it came in, from whom, and whether it is urgent.

    `unit` is that of the run's clock, for people.
    """

    now: float
    source: str = ""
    urgent: bool = False
    unit: str = ""


def agreeing(memory: Memory, rules: Rules) -> Memory:
    """What is known after a signal that contradicts nothing."""
    return _voted(memory, rules, False) if any(memory.votes) else memory


def contain(memory: Memory, rules: Rules, heard: Heard) -> Contained:
    """Whether this contradiction is acted on."""
    memory = _voted(_damped(memory, rules.damping, heard.now), rules, True)
    unconfirmed = _unconfirmed(memory, rules.confirmation)
    if unconfirmed:
        return Contained(False, memory, unconfirmed)
    held = _cooling(memory, rules, heard) or _flapping(memory, rules.damping)
    if held:
        return Contained(False, memory, held, flags=True)
    return Contained(True, settled(memory, heard.now))


def settled(memory: Memory, now: float) -> Memory:
    """What is known once the plan goes by what is so; what was cast against what it went by is void."""
    return replace(memory, revised=now, votes=())


def _voted(memory: Memory, rules: Rules, contradicts: bool) -> Memory:
    """The vote counted, where it can matter: damping looks at the last one."""
    if rules.confirmation is None and rules.damping is None:
        return memory
    last = 1 if rules.confirmation is None else rules.confirmation.n
    return replace(memory, votes=(*memory.votes, contradicts)[-last:])


def _unconfirmed(memory: Memory, rule: Confirmation | None) -> str:
    """What is missing, where something is."""
    if rule is None or (said := sum(memory.votes)) >= rule.k:
        return ""
    return f"confirmed by {said} of the {rule.k} signals that are due"


def _cooling(memory: Memory, rules: Rules, heard: Heard) -> str:
    if rules.cooldown is None or memory.revised is None:
        return ""
    since = heard.now - memory.revised
    if since > rules.cooldown or (heard.urgent and _trusted(heard.source, rules.trust)):
        return ""
    unit = f" {heard.unit}" if heard.unit else ""
    return f"the plan was changed for it {since:.3g}{unit} ago, and the cooldown is {rules.cooldown:g}{unit}"


def _trusted(source: str, trust: Trust | None) -> bool:
    return trust is not None and trust.sources.get(source, 0.0) >= trust.least


def _damped(memory: Memory, rule: Damping | None, now: float) -> Memory:
    """The penalty as it is now, with that of this contradiction where it follows something else."""
    if rule is None:
        return memory
    left = decayed(memory, rule, now)
    damped = memory.damped and left >= rule.reuse
    again = bool(memory.votes) and memory.votes[-1]
    penalty = left if again else min(left + rule.penalty, rule.ceiling)
    return replace(memory, penalty=penalty, penalty_at=now, damped=damped or penalty > rule.suppress)


def decayed(memory: Memory, rule: Damping, now: float) -> float:
    """What is left of the penalty."""
    return memory.penalty * 0.5 ** (max(now - memory.penalty_at, 0.0) / rule.half_life)


def _flapping(memory: Memory, rule: Damping | None) -> str:
    if rule is None or not memory.damped:
        return ""
    return f"it flaps: its penalty is {memory.penalty:.0f}, and counts again below {rule.reuse:g}"
