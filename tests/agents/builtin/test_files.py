"""From a name in YAML to bytes."""

import os
from datetime import date, timedelta
from pathlib import Path

import pytest
from orchestrator.agents.builtin.files import Place, place_of
from orchestrator.agents.builtin.options import FileOptions, ReadOptions
from orchestrator.errors import TaskError
from pydantic import ValidationError


def place(tmp_path: Path, name: str) -> Place:
    return place_of("clerk", FileOptions(file=name), tmp_path)


def test_a_relative_name_is_in_the_workspace_and_an_absolute_one_is_itself(tmp_path: Path) -> None:
    assert place(tmp_path, "a/b.csv").path == tmp_path / "a/b.csv"
    assert place(tmp_path, "/else/where.csv").path == Path("/else/where.csv")


@pytest.mark.parametrize("name", ["none.csv", "a\0b", "~no-such-user/x.csv"])
def test_a_file_that_cannot_be_there_is_a_task_error_with_its_option(tmp_path: Path, name: str) -> None:
    with pytest.raises(TaskError, match=r"set options\.file of the agent 'clerk'") as caught:
        place(tmp_path, name).read()
    assert not caught.value.passing


def test_a_folder_and_a_pipe_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (".", "pipe"):
        with pytest.raises(TaskError, match="is not a file"):
            place(tmp_path, name).read()


def test_a_file_over_the_bound_is_refused_and_one_at_the_bound_is_read(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x" * 1025)
    with pytest.raises(TaskError, match=r"is larger than 0\.000976562 MiB; raise options\.max_size"):
        place_of("clerk", FileOptions.model_validate({"file": "f"}), tmp_path).__class__(
            "clerk", "f", tmp_path / "f", 1024
        ).read()
    assert len(Place("clerk", "f", tmp_path / "f", 1025).read()) == 1025


def test_a_fault_of_the_disk_may_pass_and_a_missing_permission_does_not(tmp_path: Path) -> None:
    with pytest.raises(TaskError) as caught, place(tmp_path, "f").explained():
        raise OSError(5, "Input/output error")
    assert caught.value.passing
    with pytest.raises(TaskError, match="no permission for f") as caught, place(tmp_path, "f").explained():
        raise PermissionError(13, "Permission denied")
    assert not caught.value.passing


@pytest.mark.parametrize("size", ["64MB", "10", 10, "-1MiB", "0MiB"])
def test_a_size_without_a_known_unit_is_refused(size: object) -> None:
    with pytest.raises(ValidationError):
        FileOptions.model_validate({"file": "f", "max_size": size})


@pytest.mark.parametrize("day", [20261130, "30.11.2026", True])
def test_as_of_is_a_day_and_nothing_else(day: object) -> None:
    with pytest.raises(ValidationError):
        ReadOptions.model_validate({"file": "f", "as_of": day})


@pytest.mark.parametrize("day", [date(2026, 11, 30), "2026-11-30"])
def test_as_of_makes_its_day_today(day: object) -> None:
    options = ReadOptions.model_validate({"file": "f", "as_of": day})
    assert options.shift(date(2026, 12, 2)) == timedelta(days=2)
    assert ReadOptions(file="f").shift(date(2026, 12, 2)) == timedelta()
