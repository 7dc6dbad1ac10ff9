"""A copy of the shipped workspace, or nothing."""

import os
from pathlib import Path

import pytest
from orchestrator.errors import WorkspaceNotFound
from orchestrator.workspace.find import find_workspace, shipped_workspace
from orchestrator.workspace.making import init_workspace, move_all


def test_init_copies_the_shipped_workspace_into_a_new_folder(tmp_path):
    target = tmp_path / "new/ws"
    files = init_workspace(target)
    shipped = shipped_workspace()
    assert target / "config/orchestrator.yaml" in files
    assert {f.relative_to(target).parts[0] for f in files} == {
        "config",
        "agents",
        "prompts",
        "samples",
        "schemas",
    }
    assert all(f.read_bytes() == (shipped / f.relative_to(target)).read_bytes() for f in files)
    assert sorted(p.name for p in target.iterdir()) == ["agents", "config", "prompts", "samples", "schemas"]


def test_init_fills_an_empty_folder(tmp_path):
    assert init_workspace(tmp_path)
    assert find_workspace(tmp_path, {}, tmp_path) == tmp_path


def test_init_refuses_a_folder_that_holds_anything_and_touches_nothing(tmp_path):
    (tmp_path / "mine").write_text("x")
    with pytest.raises(WorkspaceNotFound, match="this folder is not empty; name a new one"):
        init_workspace(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_init_refuses_a_file(tmp_path):
    (tmp_path / "file").write_text("x")
    for target in (tmp_path / "file", tmp_path / "file/below"):
        with pytest.raises(WorkspaceNotFound, match="no workspace can be made here"):
            init_workspace(target)
    assert (tmp_path / "file").read_text() == "x"


def with_no_room_for_files(folder: Path) -> Path:
    """A path so long that a folder can be made there, but not the files below it."""
    room = os.pathconf("/", "PC_PATH_MAX") - 36 - len(str(folder))
    return folder.joinpath(*["x" * 99] * (room // 100 - 1), "y" * (room % 100 + 99))


@pytest.mark.parametrize("new", [True, False], ids=["new folder", "empty folder"])
def test_nothing_is_left_of_a_copy_that_fails(tmp_path, new):
    target = with_no_room_for_files(tmp_path)
    target.parent.mkdir(parents=True)
    if not new:
        target.mkdir()
    with pytest.raises(WorkspaceNotFound, match="no workspace can be made here: File name too long"):
        init_workspace(target)
    assert target.exists() is not new
    assert [p.name for p in target.parent.iterdir()] == ([] if new else [target.name])
    assert new or list(target.iterdir()) == []


def test_moving_is_all_or_nothing(tmp_path):
    source, target = tmp_path / "source", tmp_path / "target"
    for folder in ("a", "b", "c"):
        (source / folder).mkdir(parents=True)
        (source / folder / "file").touch()
    (target / "b").mkdir(parents=True)
    (target / "b/mine").touch()
    with pytest.raises(OSError, match="not empty"):
        move_all(source, target)
    assert sorted(p.name for p in source.iterdir()) == ["a", "b", "c"]
    assert [p.relative_to(target).as_posix() for p in sorted(target.rglob("*"))] == ["b", "b/mine"]


def test_a_read_only_installation_makes_a_workspace_that_can_be_written(tmp_path):
    shipped = tmp_path / "shipped"
    (shipped / "config").mkdir(parents=True)
    (shipped / "config/orchestrator.yaml").touch(0o444)
    (shipped / "config").chmod(0o555)
    (made,) = init_workspace(tmp_path / "ws", shipped)
    assert made.stat().st_mode & 0o200
    assert made.parent.stat().st_mode & 0o200
    (shipped / "config").chmod(0o755)
