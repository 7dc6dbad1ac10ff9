from pathlib import Path

from orchestrator.opening import open_workspace, schema_names
from orchestrator.workspace.glance import agents_at, kinds_at, schemas_at

SHIPPED = Path(__file__).parents[2]


def test_the_names_of_the_shipped_workspace_are_those_that_loading_finds() -> None:
    workspace = open_workspace(SHIPPED)
    assert agents_at(SHIPPED) == tuple(sorted(workspace.agents))
    assert set(kinds_at(SHIPPED)) == set(workspace.planning.kinds)
    assert schemas_at(SHIPPED) == tuple(sorted(schema_names()))


def test_names_are_found_however_they_are_quoted_and_whatever_comes_after(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    for number, name in enumerate(('"one"', "'two'", "three   # the third", "four")):
        (tmp_path / "agents" / f"{number}.yaml").write_text(f"uses: llm\nname: {name}\nkind: k{number}\n")
    assert agents_at(tmp_path) == ("four", "one", "three", "two")
    assert kinds_at(tmp_path) == ("k0", "k1", "k2", "k3")


def test_only_what_stands_directly_below_kinds_is_a_kind(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    planning = (
        "mode: split\nkinds:   # ours\n\n  # the first\n  ask:\n    approval: never\n  do: {}\nmax_tasks: 3\n"
    )
    (tmp_path / "config" / "planning.yaml").write_text(planning)
    assert kinds_at(tmp_path) == ("ask", "do")


def test_a_name_of_something_else_is_no_agent(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "a.yaml").write_text("name: a b\noptions:\n  name: deeper\n")
    assert agents_at(tmp_path) == ()


def test_what_cannot_be_read_has_no_names(tmp_path: Path) -> None:
    (tmp_path / "agents" / "folder.yaml").mkdir(parents=True)
    (tmp_path / "agents" / "bytes.yaml").write_bytes(b"\xff\xfename: x\n")
    assert (agents_at(tmp_path), kinds_at(tmp_path), schemas_at(tmp_path)) == ((), (), ())
