import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from orchestrator import Orchestrator
from orchestrator.cli import cli
from orchestrator.errors import WorkspaceInvalid
from orchestrator.workspace.codes import CODES

from support.doubted import MEMO, changed

HERE = Path(__file__).parent
SHIPPED = HERE.parents[1]
TWICE = {
    "config/multi_step.yaml": "cues: [and then, and then]\n",
    "agents/memo.yaml": f"prompt: agent.j2\n{MEMO}",
}


def test_nothing_is_doubted_of_the_shipped_workspace() -> None:
    assert Orchestrator.from_workspace(SHIPPED, thorough=True).doubts() == ()


def test_nothing_is_doubted_of_what_init_makes(tmp_path: Path) -> None:
    folder = str(tmp_path / "mine")
    assert CliRunner().invoke(cli, ("init", folder)).exit_code == 0
    assert Orchestrator.from_workspace(folder, thorough=True).doubts() == ()


def test_nothing_is_doubted_of_the_sound_workspace_of_these_tests(places: Callable[..., list[str]]) -> None:
    assert places() == []


def test_every_code_has_a_workspace_here_that_has_it() -> None:
    tried = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("*/test_*.py"))
    assert [code for code in CODES if not re.search(rf'"{code}"|\W{code} \{{|\[{code}\]', tried)] == []


def test_every_code_that_is_said_is_known() -> None:
    rooms = SHIPPED / "orchestrator"
    texts = [
        path.read_text(encoding="utf-8")
        for path in (*rooms.glob("lints/**/*.py"), rooms / "workspace/load.py")
    ]
    said = {code for text in texts for code in re.findall(r'Doubt\(\s*"([a-z-]+)"', text)}
    assert said <= set(CODES)
    assert len(said) > 50


def test_what_is_allowed_is_not_doubted_and_all_else_is(places: Callable[..., list[str]]) -> None:
    assert places(TWICE) == [
        "cue-twice config/multi_step.yaml:1:18",
        "agent-knob-unused agents/memo.yaml:1:1",
    ]
    allowed = {"config/orchestrator.yaml": "checks: {allow: [cue-twice]}\n"}
    assert places({**TWICE, **allowed}) == ["agent-knob-unused agents/memo.yaml:1:1"]


def test_what_loading_tells_is_allowed_too(tmp_path: Path) -> None:
    files = {"config/other.yaml": ""}
    (warning,) = Orchestrator.from_workspace(changed(tmp_path, files)).workspace.warnings
    assert str(warning) == "config/other.yaml: nothing reads this file; take it out, or rename it"
    allowed = {**files, "config/orchestrator.yaml": "checks: {allow: [file-not-read]}\n"}
    assert Orchestrator.from_workspace(changed(tmp_path, allowed)).workspace.warnings == ()


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        ("cue-twise", "; did you mean 'cue-twice'?"),
        ("everything", "; `cuewave check --strict` shows the code of each warning"),
    ],
)
def test_a_code_that_there_is_not_is_refused(tmp_path: Path, code: str, remedy: str) -> None:
    files = {"config/orchestrator.yaml": f"checks: {{allow: [{code}]}}\n"}
    with pytest.raises(WorkspaceInvalid) as invalid:
        Orchestrator.from_workspace(changed(tmp_path, files))
    (fault,) = invalid.value.faults
    assert str(fault).split("\n")[0] == (
        f"config/orchestrator.yaml:1:18: checks.allow[0]: there is no check '{code}'{remedy}"
    )
