import json
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from orchestrator.cli.runs import command as runs

RUNS = runs.list_commands(Context(runs))  # made by hand: parsing would keep its own help option

HEAVY = ("networkx", "pydantic", "jinja2", "asyncio", "langchain_core", "rich", "yaml", "re2", "icalendar")
SCENARIOS = "orchestrator.workspace.scenario_file"

PROBE = """
import sys, json
sys.argv = ["cuewave", *{arguments!r}]
from orchestrator.cli import main
try:
    main()
except SystemExit as end:
    code = end.code
print(json.dumps([code, sorted(set({heavy!r}) & set(sys.modules))]), file=sys.stderr)
"""


def loaded_by(*arguments: str) -> tuple[int, list[str]]:
    """Exit code of the command line and the heavy libraries it loaded."""
    probe = PROBE.format(arguments=arguments, heavy=(*HEAVY, SCENARIOS))
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stderr.splitlines()[-1])
    return code, modules


@pytest.mark.parametrize(
    "verb",
    [
        *((verb,) for verb in ("run", "status", "chat", "models", "completion", "simulate")),
        (),
        *(("runs", verb) for verb in RUNS),
    ],
)
def test_no_help_loads_anything_heavy(verb: tuple[str, ...]) -> None:
    assert loaded_by(*verb, "--help") == (0, [])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_loads_nothing_heavy(shell: str) -> None:
    assert loaded_by("completion", shell) == (0, [])


@pytest.mark.parametrize(
    "words", ["", "run @", "run --kind ", "schema ", "runs show ", "runs list --session "]
)
def test_what_a_shell_is_offered_loads_nothing_heavy(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"sqlite:///{tmp_path / 'runs.db'}"
    monkeypatch.setenv("CUEWAVE_STORE", store)
    assert loaded_by("run", "what is on my calendar")[0] == 0
    monkeypatch.setenv("_CUEWAVE_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", f"cuewave {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) + (not words.endswith("@"))))
    assert loaded_by() == (0, [])


def test_a_list_of_runs_loads_neither_networkx_nor_langchain_nor_jinja(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUEWAVE_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    code, modules = loaded_by("runs", "list", "--json")
    assert code == 0
    assert not {"networkx", "langchain_core", "jinja2", "rich", "icalendar"} & set(modules)


def test_a_direct_plan_loads_neither_networkx_nor_langchain_nor_jinja_nor_what_scenarios_are_made_of() -> (
    None
):
    code, modules = loaded_by("plan", "what is on my calendar tomorrow", "--json")
    assert code == 0
    assert not {"networkx", "langchain_core", "jinja2", "rich", "icalendar", SCENARIOS} & set(modules)


def test_a_picture_of_a_direct_plan_loads_neither_networkx_nor_langchain() -> None:
    code, modules = loaded_by("plan", "what is on my calendar tomorrow", "--svg", "-")
    assert code == 0
    assert "jinja2" in modules
    assert not {"networkx", "langchain_core", "rich", "icalendar"} & set(modules)


@pytest.mark.parametrize("how", [(), ("--strict",)])
def test_check_loads_neither_networkx_nor_langchain(how: tuple[str, ...]) -> None:
    code, modules = loaded_by("check", *how)
    assert code == 0
    assert not {"networkx", "langchain_core", "asyncio", "rich", "icalendar"} & set(modules)
