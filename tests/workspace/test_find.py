"""Which folder is the workspace."""

from pathlib import Path

import pytest
from orchestrator.errors import WorkspaceNotFound
from orchestrator.workspace.find import find_workspace, is_fallback, is_packaged, shipped_workspace


def workspace(folder: Path) -> Path:
    (folder / "config").mkdir(parents=True)
    (folder / "config/orchestrator.yaml").touch()
    return folder


def test_the_named_one_wins_then_the_variable_then_the_nearest_parent_then_the_shipped_one(tmp_path):
    named, by_variable = workspace(tmp_path / "named"), workspace(tmp_path / "variable")
    parent = workspace(tmp_path / "parent")
    below = parent / "a/b"
    below.mkdir(parents=True)
    env = {"CUEWAVE_WORKSPACE": str(by_variable)}
    assert find_workspace(named, env, below) == named
    assert find_workspace(None, env, below) == by_variable
    assert find_workspace(None, {}, below) == parent
    assert find_workspace(None, {"CUEWAVE_WORKSPACE": ""}, parent) == parent
    assert find_workspace(None, {}, tmp_path) == shipped_workspace()


def test_the_nearest_parent_is_the_innermost(tmp_path):
    inner = workspace(workspace(tmp_path / "outer") / "inner")
    assert find_workspace(None, {}, inner / "config") == inner


def test_one_that_is_named_and_is_none_is_never_replaced_by_another(tmp_path):
    workspace(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(WorkspaceNotFound, match=r"--workspace: there is no folder .*none"):
        find_workspace(tmp_path / "none", {}, tmp_path)
    with pytest.raises(WorkspaceNotFound, match=r"CUEWAVE_WORKSPACE: .*empty is no workspace.*cuewave init"):
        find_workspace(None, {"CUEWAVE_WORKSPACE": str(tmp_path / "empty")}, tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(WorkspaceNotFound, match="--workspace: there is no folder"):
        find_workspace(tmp_path / "file", {}, tmp_path)


def test_one_that_cannot_be_looked_into_is_never_replaced_by_another(tmp_path):
    hidden = tmp_path / ("long" * 100)
    with pytest.raises(
        WorkspaceNotFound, match=r"CUEWAVE_WORKSPACE: whether .* cannot be seen \(File name too"
    ):
        find_workspace(None, {"CUEWAVE_WORKSPACE": str(hidden)}, tmp_path)
    with pytest.raises(WorkspaceNotFound, match=r"here: whether .*, or name another with --workspace"):
        find_workspace(None, {}, hidden)


def test_the_shipped_one_is_a_fallback_where_nothing_names_it_and_no_parent_is_it(tmp_path):
    shipped = shipped_workspace()
    assert is_fallback(shipped, None, {}, tmp_path)
    assert not is_fallback(shipped, shipped, {}, tmp_path)
    assert not is_fallback(shipped, None, {"CUEWAVE_WORKSPACE": str(shipped)}, tmp_path)
    assert not is_fallback(shipped, None, {}, shipped / "docs")


def test_the_shipped_one_of_a_source_checkout_is_its_root_and_may_be_written():
    root = Path(__file__).parents[2]
    assert shipped_workspace() == root
    assert not is_packaged(root)
    assert is_packaged(root / "orchestrator/_workspace")
