"""What all tests share: deterministic Hypothesis, and no way to a real model by accident."""

import os

import pytest
from hypothesis import HealthCheck, settings

from support.postgres import postgres  # noqa: F401 - a fixture, for all tests marked `service`

settings.register_profile(
    "ci", max_examples=50, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

_KEPT = "CUEWAVE_CRASH"  # how many kills: the only variable of ours that tests read
for _name in [n for n in os.environ if n != _KEPT and (n.endswith("_API_KEY") or n.startswith("CUEWAVE_"))]:
    del os.environ[_name]
os.environ["CUEWAVE_STORE"] = "memory://"  # runs of tests that name no store leave nothing behind

BUDGET = 480
"""Seconds that the tests marked `crash` or `service` may take together, on the machine that CI has."""
_spent = {"crash": 0.0, "service": 0.0}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    for mark in _spent:
        if mark in report.keywords:
            _spent[mark] += report.duration
            return


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if any(_spent.values()):
        told = ", ".join(f"{mark} {seconds:.0f} s" for mark, seconds in _spent.items())
        terminalreporter.write_line(f"waiting tests: {told}; the budget of both is {BUDGET} s")
