"""What a shell is offered for the word that is being typed."""

import asyncio
from pathlib import Path

from click.shell_completion import CompletionItem, ShellComplete
from orchestrator.cli import cli
from orchestrator.cli.completing import VARIABLE

from support.calling import cuewave

WRITES = "find the overdue invoices, then write a reminder for each"


def items(*words: str) -> "list[CompletionItem[str]]":
    """What is offered for the last word."""
    return ShellComplete(cli, {}, "cuewave", VARIABLE).get_completions(list(words[:-1]), words[-1])


def offered(*words: str) -> list[str]:
    return [item.value for item in items(*words)]


def test_verbs_and_their_verbs_are_offered() -> None:
    assert offered("pl") == ["plan"]
    assert offered("runs", "re") == ["reject", "replay", "resume"]
    assert offered("agents", "") == ["list"]


def test_a_verb_is_offered_with_its_line_of_help() -> None:
    (item,) = items("stat")
    assert (item.value, item.help) == ("status", "where a run stands, and why")


def test_options_and_their_values_are_offered() -> None:
    assert offered("run", "--sch") == ["--schedule"]
    assert offered("run", "--schedule", "") == ["eager", "waves"]
    assert offered("run", "--schedule=w") == ["waves"]
    assert offered("completion", "") == ["bash", "zsh", "fish"]
    (item,) = items("--workspace", "some")
    assert item.type == "dir"


def test_every_schema_is_offered() -> None:
    assert sorted(cuewave("schema", "--all").json) == offered("schema", "")
    assert offered("schema", "m") == ["models", "multi_step"]


def test_agents_are_offered_where_a_turn_is_addressed(desk: Path) -> None:
    assert offered("run", "@") == ["@calendar", "@ledger", "@reminders"]
    assert offered("run", "--yes", "@cal") == ["@calendar"]
    assert offered("plan", "ask", "@") == ["@calendar", "@ledger", "@reminders"]
    assert offered("run", "cal") == []


def test_bash_which_parts_words_at_an_at_sign_is_offered_agents_too(desk: Path) -> None:
    assert offered("run", "@", "cal") == ["@calendar"]


def test_agents_and_kinds_are_those_of_the_workspace_that_is_named(desk: Path, tmp_path: Path) -> None:
    assert cuewave("init", str(tmp_path / "mine")).code == 0
    assert offered("--workspace", str(tmp_path / "mine"), "run", "@not") == ["@notebook", "@notes"]
    assert offered("--workspace", str(tmp_path / "mine"), "run", "--kind", "") == ["act", "answer", "build"]
    assert offered("run", "--kind", "") == ["act"]


def test_runs_are_offered_the_youngest_first_by_beginning_or_end(desk: Path) -> None:
    older = cuewave("run", "find the overdue invoices", "--json", cwd=desk).json["run"]
    younger = cuewave("run", WRITES, "--json", cwd=desk).json["run"]
    assert offered("runs", "show", "") == offered("status", "") == [younger, older]
    assert offered("runs", "show", older[:-1]) == offered("runs", "show", older[-8:]) == [older]
    assert offered("runs", "approve", "") == [younger]
    assert offered("runs", "show", "nosuch") == []
    assert items("status", "")[1].help == "done: find the overdue invoices"


def test_what_is_told_of_a_run_is_one_line_that_commands_no_terminal(desk: Path) -> None:
    cuewave(
        "run", "find the\noverdue \x1b[31m invoices, all of them, whoever it may be that owes them", cwd=desk
    )
    (item,) = items("status", "")
    assert item.help is not None
    assert item.help.isprintable()
    assert len(item.help) < 80


def test_sessions_are_offered_each_once(desk: Path) -> None:
    from orchestrator import Orchestrator

    async def two() -> None:
        app = Orchestrator.from_workspace()
        for session in ("s1", "s2", "s1"):
            await app.run("find the overdue invoices", session=session)
        await app.aclose()

    asyncio.run(two())
    assert offered("runs", "list", "--session", "") == ["s1", "s2"]


def test_where_there_is_no_store_nothing_is_offered_and_none_is_made(desk: Path) -> None:
    assert offered("runs", "show", "") == []
    assert not (desk.parent / "runs.db").exists()
