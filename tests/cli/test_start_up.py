import json
import subprocess
import sys

HEAVY = ("networkx", "pydantic", "jinja2", "asyncio", "langchain_core", "rich", "yaml", "re2", "icalendar")

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
    probe = PROBE.format(arguments=arguments, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stderr.splitlines()[-1])
    return code, modules


def test_help_loads_nothing_heavy() -> None:
    assert loaded_by("--help") == (0, [])


def test_the_help_of_a_verb_loads_nothing_heavy() -> None:
    assert loaded_by("run", "--help") == (0, [])


def test_a_direct_plan_loads_neither_networkx_nor_langchain_nor_jinja() -> None:
    code, modules = loaded_by("plan", "what is on my calendar tomorrow", "--json")
    assert code == 0
    assert not {"networkx", "langchain_core", "jinja2", "rich", "icalendar"} & set(modules)


def test_check_loads_neither_networkx_nor_langchain() -> None:
    code, modules = loaded_by("check")
    assert code == 0
    assert not {"networkx", "langchain_core"} & set(modules)
