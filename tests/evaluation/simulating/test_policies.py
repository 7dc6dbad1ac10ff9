"""The policies that are compared."""

from orchestrator.adaptation.rules import rules_of
from orchestrator.evaluation.simulating.policies import POLICIES, own_policies
from orchestrator.runs.containing import Confirmation, Rules, Trust
from orchestrator.workspace.adaptation_file import AdaptationFile
from orchestrator.workspace.grounds import ConfirmationConfig, Containment, DampingConfig


def test_the_policies_are_what_the_knobs_mean_by_default() -> None:
    assert POLICIES["cooldown"] == rules_of(Containment(), "ticks")
    voted = Containment(cooldown=None, confirmation=ConfirmationConfig())
    assert POLICIES["k-of-n"] == rules_of(voted, "ticks")
    damped = Containment(cooldown=None, damping=DampingConfig())
    assert POLICIES["damping"] == rules_of(damped, "ticks")
    assert POLICIES["none"] == rules_of(Containment(cooldown=None), "ticks")


def test_a_workspace_that_says_nothing_has_the_cooldown() -> None:
    assert own_policies(AdaptationFile()) == {"workspace": POLICIES["cooldown"]}


def test_a_workspace_has_a_policy_of_its_own_and_one_for_each_fact_that_it_names() -> None:
    file = AdaptationFile.model_validate(
        {
            "containment": {"cooldown": {"ticks": 5}},
            "keys": {"gate": {"cooldown": None, "confirmation": {"k": 2, "n": 4}}},
        }
    )
    assert own_policies(file) == {
        "workspace": Rules(cooldown=5),
        "workspace:gate": Rules(cooldown=None, confirmation=Confirmation(2, 4)),
    }


def test_the_desk_stands_for_whomever_the_workspace_trusts_most() -> None:
    trust = {"sources": {"airline": 0.9, "forum": 0.1}, "least": 0.5}
    file = AdaptationFile.model_validate({"containment": {"trust": trust}})
    assert own_policies(file)["workspace"] == Rules(trust=Trust({"desk": 0.9}, 0.5))
    nobody = AdaptationFile.model_validate({"containment": {"trust": {}}})
    assert own_policies(nobody)["workspace"] == Rules(trust=Trust({"desk": 0.0}))
