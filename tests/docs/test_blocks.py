"""What the pages tell people to write or type does what they say."""

import contextlib
import io
import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from orchestrator import Orchestrator
from orchestrator.agents.scripted import script_of
from orchestrator.cli import cli
from orchestrator.cli.codes import WAITS
from orchestrator.workspace.document.positions import read

from support.office import shipped_copy
from support.pages import PAGES, ROOT, Block, anchors, blocks, links

WRITTEN = ("sh", "yaml", "python", "mermaid", "text")
FIRST_LINE = re.compile(r"# ((?:config(?:/scenarios)?|agents|scripts)/[\w-]+\.yaml)\n")


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped workspace, as the current folder."""
    folder = shipped_copy(tmp_path / "copy")
    monkeypatch.chdir(folder)
    return folder


def place(block: "Block | Line") -> str:
    return block.place


def test_every_block_is_in_a_language_that_is_tried_here() -> None:
    assert [b.place for b in blocks() if b.language not in WRITTEN] == []
    assert {b.language for b in blocks()} == set(WRITTEN)


# ── Python ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("block", blocks("python"), ids=place)
def test_a_python_block_runs_as_written(copy: Path, block: Block) -> None:
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(block.text, block.place, "exec"), {"__name__": "__main__"})
    assert told.getvalue().strip()


# ── YAML ────────────────────────────────────────────────────────────────────────────────────────────


def test_every_yaml_block_says_in_its_first_line_which_file_it_is() -> None:
    assert [b.place for b in blocks("yaml") if not FIRST_LINE.match(b.text)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_the_yaml_blocks_of_a_page_load_one_after_the_other(
    copy: Path, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for block in (b for b in blocks("yaml") if b.page == page):
        for variable in re.findall(r"\$\{(\w+)\}", block.text):
            monkeypatch.setenv(variable, "not-a-key")
        name = FIRST_LINE.match(block.text)[1]
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(block.text, encoding="utf-8")
        if name.startswith("scripts/"):
            script_of(read(name, block.text.encode()).data, name)
        workspace = Orchestrator.from_workspace(copy, thorough=True).workspace
        assert workspace.warnings == (), block.place
        assert not name.startswith("agents/") or name in workspace.sources.values(), block.place


def test_the_example_agent_serves_its_turns_beside_the_shipped_ones(copy: Path) -> None:
    (example,) = (b for b in blocks("yaml") if b.page.name == "README.md" and "agents/dues.yaml" in b.text)
    (copy / "agents/dues.yaml").write_text(example.text, encoding="utf-8")
    (copy / "data").mkdir()
    (copy / "data/dues.csv").write_text(
        "member,amount,due,paid\nAnn,40,2020-10-31,yes\nBo,41,2020-10-31,no\n"
    )
    told = json.loads(call(("run", "find the overdue membership fees", "--json")).stdout)
    assert [task["agent"] for task in told["plan"]["tasks"]] == ["dues"]
    assert "1 of 1 open fee is overdue" in told["reply"]
    assert "Bo: 41.00" in told["reply"]
    each = call(("plan", "find the unpaid membership fees, then write a reminder for each", "--json")).stdout
    assert [task["agent"] for task in json.loads(each)["plan"]["tasks"]] == ["dues", "reminders"]
    invoices = json.loads(call(("route", "find the overdue invoices", "--json")).stdout)
    assert invoices["route"]["agent"] == "ledger"


# ── shell ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Line:
    """A line of a shell block: its commands, which `&&` joins, and its comment."""

    place: str
    commands: tuple[tuple[str, ...], ...]
    comment: str

    @property
    def is_ours(self) -> bool:
        return self.commands[0][0] == "cuewave"


def lines() -> Iterator[Line]:
    for block in blocks("sh"):
        for number, text in enumerate(block.text.splitlines(), block.line):
            words = shlex.split(text, comments=True)
            comment = text.partition(" # ")[2]
            joined = "\0".join(words).split("\0&&\0")
            yield Line(
                f"{block.page.relative_to(ROOT)}:{number}",
                tuple(tuple(c.split("\0")) for c in joined),
                comment,
            )


def call(arguments: tuple[str, ...]) -> Result:
    return CliRunner().invoke(cli, arguments, input="")


def test_a_line_that_is_not_ours_sets_up_the_machine() -> None:
    others = [line for line in lines() if not line.is_ours]
    known = re.compile(r"\b(venv|pip|make|pytest|fuzz)\b")
    assert [x.place for x in others if not known.search(" ".join(x.commands[0]))] == []


@pytest.mark.parametrize("line", [line for line in lines() if line.is_ours], ids=place)
def test_a_line_of_ours_ends_well_and_asks_first_where_it_says_so(copy: Path, line: Line) -> None:
    for command in line.commands:
        if command[0] == "cd":
            os.chdir(command[1])
            continue
        assert command[0] == "cuewave"
        arguments = command[1:]
        if "asks first" in line.comment:
            waits = call(arguments)
            assert waits.exit_code == WAITS
            assert not (copy / "var" / "reminders.ics").exists()
            arguments = (*arguments, "--yes")
        for flag in ("", *re.findall(r"--[a-z]+", line.comment)):
            done = call((*arguments, *filter(None, [flag])))
            assert done.exit_code == 0, done.output
            assert done.stdout.strip() or "chat" in arguments


def examples() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The commands of text blocks, in which ID and other capitals stand for something of the reader's own.

    What a command does stands two spaces after it.
    """
    for block in blocks("text"):
        for number, text in enumerate(block.text.splitlines(), block.line):
            yield f"{block.page.relative_to(ROOT)}:{number}", tuple(shlex.split(re.split(r" {2,}", text)[0]))


@pytest.mark.parametrize(("place", "words"), list(examples()))
def test_an_example_names_a_verb_that_takes_such_words(place: str, words: tuple[str, ...]) -> None:
    command: click.Command | None = cli
    context = click.Context(cli)
    while isinstance(command, click.Group):
        name, words = words[0], words[1:]
        if command is not cli or name != "cuewave":
            command = command.get_command(context, name)
    assert command is not None, place
    command.make_context(name, list(words), parent=context)


def leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """The verbs, and those of groups by both names."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for verb in command.list_commands(context):
        found = command.get_command(context, verb)
        assert found is not None
        yield from leaves(found, f"{name} {verb}")


def test_every_verb_takes_json() -> None:
    verbs = dict(leaves(cli, "cuewave"))
    assert len(verbs) > 20
    assert [v for v, leaf in verbs.items() if not any("--json" in p.opts for p in leaf.params)] == []


# ── drawings and links ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("block", blocks("mermaid"), ids=place)
def test_a_drawing_has_the_tasks_of_the_plan_that_it_shows(copy: Path, block: Block) -> None:
    request = re.search(r'\(\["(.+)"\]\)', block.text)
    assert request is not None
    drawn = call(("plan", request[1], "--mermaid")).stdout
    shown = re.findall(r't\d+\[".+"\]', block.text)
    assert shown == re.findall(r't\d+\[".+"\]', drawn)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link
