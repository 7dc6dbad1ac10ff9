"""The targets of the fuzzer hold for what it begins with, and its command says what it lacks."""

import importlib.util
import subprocess
import sys

import pytest
from fuzz import documents, task_lines, workspaces
from fuzz.__main__ import TARGETS, target
from fuzz.faults import check_fault
from orchestrator.errors import Fault


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_holds_for_its_seeds_and_all_of_them_fit(name: str) -> None:
    module = target(name)
    seeds = list(module.seeds())
    assert seeds
    for seed in seeds:
        assert len(seed) <= module.LONGEST
        module.check(seed)


@pytest.mark.parametrize(
    "fault",
    [
        Fault("g", 1, 1, "", "of another file"),
        Fault("f", 3, 1, "", "below the last line"),
        Fault("f", 1, 6, "", "behind the end of the line"),
        Fault("f", 1, 1, "", "the caret is behind what is shown", "ab", 5),
        Fault("f", 1, 1, "", "a bell \x07"),
        Fault("f", 1, 1, "", ""),
    ],
)
def test_a_fault_that_stands_nowhere_is_found(fault: Fault) -> None:
    with pytest.raises(AssertionError):
        check_fault(fault, {"f": b"abcd\nx"})


def test_a_cycle_is_known_without_the_programs_help() -> None:
    assert task_lines.has_cycle({"a": ["b"], "b": ["c"], "c": ["a"], "d": []})
    assert not task_lines.has_cycle({"a": [], "b": ["a"], "c": ["a", "b"]})


def test_every_value_of_a_document_is_looked_at() -> None:
    assert list(documents.trails({"a": [1, {"b": 2}]})) == [(), ("a",), ("a", 0), ("a", 1), ("a", 1, "b")]


def test_the_first_byte_of_an_input_says_which_file_it_is() -> None:
    seeds = list(workspaces.seeds())
    for place, name in enumerate(workspaces.NAMES):
        assert seeds[place] == bytes([place]) + (workspaces.ROOT / name).read_bytes()


@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is not None, reason="says what to install where it is missing"
)
def test_without_atheris_the_command_says_how_to_get_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fuzz", "task_lines", "--runs", "1"],
        capture_output=True,
        text=True,
        cwd=workspaces.ROOT,
        check=False,
    )
    assert done.returncode == 2
    assert "pip install -e '.[fuzz]'" in done.stderr
