"""The policies that are compared, by name; durations in ticks. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from orchestrator.adaptation.containment import NONE
from orchestrator.adaptation.rules import rules_of
from orchestrator.evaluation.simulating.world import DESK
from orchestrator.runs.containing import Confirmation, Damping, Rules, Trust
from orchestrator.workspace.adaptation_file import AdaptationFile

OWN = "workspace"
"""The policy of the workspace; those of single facts have the fact's name behind a colon."""

POLICIES: Mapping[str, Rules] = {
    "none": NONE,
    "cooldown": Rules(cooldown=2),
    "cooldown+trust": Rules(cooldown=2, trust=Trust({DESK: 0.9})),
    "k-of-n": Rules(cooldown=None, confirmation=Confirmation(2, 3)),
    "damping": Rules(cooldown=None, damping=Damping(half_life=4)),
    "cooldown+k-of-n": Rules(cooldown=2, confirmation=Confirmation(2, 3)),
}


def own_policies(file: AdaptationFile) -> Mapping[str, Rules]:
    """What `config/adaptation.yaml` says, on the clock of scenarios."""
    found = {OWN: file.containment, **{f"{OWN}:{key}": knobs for key, knobs in file.keys.items()}}
    return {name: _here(rules_of(knobs, "ticks")) for name, knobs in found.items()}


def _here(rules: Rules) -> Rules:
    """The rules in a world whose desk stands for whomever they trust most."""
    if rules.trust is None:
        return rules
    most = max(rules.trust.sources.values(), default=0.0)
    return replace(rules, trust=Trust({DESK: most}, rules.trust.least))
