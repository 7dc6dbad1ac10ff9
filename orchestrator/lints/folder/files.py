"""Files and folders that the options of agents name: are they there, and can they be used?

Law: nothing is opened, made or changed. What is said is what the agent itself would say, before it runs.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from orchestrator.agents.builtin.files import Place, path_of, place_of
from orchestrator.agents.builtin.options import FileOptions, ReadOptions
from orchestrator.errors import TaskError
from orchestrator.ids import AgentName
from orchestrator.lints.subject import Subject
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.value import Doubt


def file_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of the files that agents read, write or run in."""
    workspace = subject.workspace
    for name, options in workspace.options.items():
        if isinstance(options, FileOptions):
            place = place_of(name, options, workspace.root)
            reads = isinstance(options, ReadOptions)
            if not reads and workspace.packaged:
                continue  # nothing is written there, and the agent says so
            mailbox = workspace.agents[name].uses == "inbox"
            message = _unread(place, mailbox=mailbox) if reads else _unwritten(place)
            code = "data-file-unusable" if reads else "output-file-unusable"
            if message is not None:
                yield Doubt(code, subject.spot(name, "options.file"), message)
        elif (option := _folder_option(workspace.agents[name])) is not None:
            yield from _missing(subject, name, option, getattr(options, option))


def _folder_option(agent: AgentFile) -> str | None:
    """The option that names a folder which the agent does not make."""
    if agent.uses == "notes" and agent.effects != "write":
        return "folder"
    return "cwd" if agent.uses == "command" else None


def _missing(subject: Subject, agent: AgentName, option: str, folder: str) -> Iterator[Doubt]:
    """A folder that nobody makes must be there."""
    path = path_of(folder, subject.workspace.root)
    if not path.is_dir():
        message = f"there is no folder {folder}: looked for {path}; make it, or correct options.{option}"
        yield Doubt("folder-missing", subject.spot(agent, f"options.{option}"), message)


def _unread(place: Place, *, mailbox: bool) -> str | None:
    """Why the file cannot be read; a mailbox may be a folder."""
    try:
        with place.explained():
            if not place.path.exists():
                return place.missing()
            if place.path.is_dir():
                folder = f"{place.shown} ({place.path}) is a folder; {place.remedy()}"
                return None if mailbox else folder
            place.check_size(place.path.stat().st_size)
            return None if os.access(place.path, os.R_OK) else _forbidden(place)
    except TaskError as error:
        return str(error)


def _unwritten(place: Place) -> str | None:
    """Why the file cannot be written; one that is not there is made, with its folders."""
    try:
        with place.explained():
            if place.path.is_dir():
                return f"{place.shown} ({place.path}) is a folder; {place.remedy()}"
            there = _nearest(place.path)
            if there != place.path and not there.is_dir():
                return f"{place.shown} cannot be made: {there} is no folder; {place.remedy()}"
            return None if os.access(there, os.W_OK) else _forbidden(place)
    except TaskError as error:
        return str(error)


def _nearest(path: Path) -> Path:
    """The path, or the nearest thing above it that there is."""
    return next((p for p in (path, *path.parents) if os.path.lexists(p)), Path())


def _forbidden(place: Place) -> str:
    return f"no permission for {place.shown} ({place.path}); change that, or {place.remedy()}"
