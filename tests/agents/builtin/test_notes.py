"""The agent `notes`."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from orchestrator.agents.builtin.formats.shelf import Shelf
from orchestrator.agents.builtin.formats.upkeep import Upkeep
from orchestrator.agents.contract import Agent, Call, Item, Output, Surroundings, Upstream
from orchestrator.agents.registry import agent_type
from orchestrator.errors import TaskError
from orchestrator.ids import AgentName, TaskId
from orchestrator.workspace.agent_file import AgentFile

FAIR = "# Trade fair\n\nBy the window.\n\n## Budget\n\n- Table: 420\n\n## To bring\n\n- samples of oak\n"
TODAY = "2026-11-30.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    made.mkdir()
    (made / "trade-fair.md").write_text(FAIR)
    return made


def agent(root: Path, effects: str = "write", *, writable: bool = True, **options: Any) -> Agent:
    known = agent_type("notes")
    assert known is not None
    made = known.options.model_validate({"folder": "notes", **options})
    surroundings = Surroundings(root, writable, lambda: datetime(2026, 11, 30, 8, tzinfo=UTC))
    return known.build(AgentFile(name="notes", uses="notes", effects=effects), made, surroundings)


def ask(
    made: Agent,
    action: str,
    operation: str = "append",
    *,
    key: str = "run/t1/1",
    item: Item | None = None,
    inputs: tuple[Upstream, ...] = (),
) -> Output:
    call = Call("the query", action, action, operation, item=item, inputs=inputs, key=key)
    return asyncio.run(made.run(call))


def came(text: str, *items: str, error: str | None = None, listed: bool = True) -> Upstream:
    output = Output(text, tuple(map(Item, items)) if listed else None)
    return Upstream(TaskId("t1"), AgentName("inbox"), output, error)


def files(folder: Path) -> dict[str, str]:
    found = (p for p in folder.rglob("*") if p.is_file())
    return {str(p.relative_to(folder)): p.read_text() for p in found}


# ── searching ───────────────────────────────────────────────────────────────────────────────────────


def test_a_search_tells_note_heading_and_excerpt_and_changes_nothing(folder: Path) -> None:
    before = files(folder)
    output = ask(agent(folder.parent, "read"), "search my notes for oak", "search")
    assert (
        output.text == '1 note about "oak" in notes:\n- Trade fair (trade-fair.md) › To bring: samples of oak'
    )
    assert [i.data for i in output.items or ()] == [
        {"note": "trade-fair.md", "title": "Trade fair", "heading": "To bring", "excerpt": "samples of oak"}
    ]
    assert files(folder) == before
    assert os.listdir(folder) == ["trade-fair.md"]


def test_without_a_word_to_look_for_it_lists_what_there_is(folder: Path) -> None:
    for number in range(3):
        (folder / f"z{number}.md").write_text("")
    output = ask(agent(folder.parent, most=2), "list my notes", "search")
    assert output.text == "4 notes in notes:\n- Trade fair (trade-fair.md)\n- z0 (z0.md)\n… and 2 more."
    assert len(output.items or ()) == 2


def test_what_is_not_found_is_data_and_what_is_called_almost_so_is_named(folder: Path) -> None:
    output = ask(agent(folder.parent), "search my notes for trad", "search")
    assert output == Output('No note about "trad" in notes; almost so: Trade fair.', ())


def test_a_search_for_what_was_found_before_is_made_for_each_thing(folder: Path) -> None:
    (folder / "ann.md").write_text("# Ann\n\npays late\n")
    ann = Item("Ann, invoice 7: 10.00", {"name": "Ann"})
    upstream = Upstream(TaskId("t1"), AgentName("ledger"), Output("2", (ann, Item("Bo", {"name": "Bo"}))))
    output = ask(agent(folder.parent), "search my notes for them", "search", inputs=(upstream,))
    assert output.text.splitlines() == ['1 note about "Ann" in notes:', "- Ann (ann.md): pays late",
                                        'No note about "Bo" in notes.']  # fmt: skip
    child = ask(agent(folder.parent), "search my notes", "search", item=ann)
    assert child.text == '1 note about "Ann" in notes:\n- Ann (ann.md): pays late'


def test_who_asks_a_search_for_more_is_told_that_it_was_not_done(folder: Path) -> None:
    output = ask(agent(folder.parent, "read"), "add oak to my trade fair notes", "search")
    assert output.text == 'Nothing was done: "add" is asked for, and notes is only read here.'


def test_what_cannot_be_read_is_named_and_the_rest_is_searched(folder: Path) -> None:
    (folder / "bad.md").write_bytes(b"oak\xff")
    (folder / "big.md").write_text("oak " * 300)
    (folder / ".hidden.md").write_text("oak")
    (folder / "no-note.txt").write_text("oak")
    (folder / "gone.md").symlink_to(folder / "trade-fair.md")
    (folder / "elsewhere").symlink_to(folder.parent)
    os.mkfifo(folder / "pipe.md")
    (folder / os.fsdecode(b"\xe9.md")).write_text("oak")
    output = ask(agent(folder.parent, max_size="1KiB"), "search my notes for oak", "search")
    assert [str(i.data["note"]) for i in output.items or ()] == ["trade-fair.md"]
    assert sorted(output.text.splitlines()[2:]) == [
        "Left out: bad.md is not UTF-8 (byte 4).",
        "Left out: big.md is larger than 1KiB; raise options.max_size of the agent 'notes'.",
        "Left out: gone.md is a link, and links are not followed.",
        "Left out: pipe.md is no file.",
        "Left out: \ufffd.md has a name that is not UTF-8.",
    ]


def test_a_folder_with_too_many_notes_is_refused(folder: Path) -> None:
    (folder / "a.md").touch()
    with pytest.raises(TaskError, match=r"has more than 1 notes; raise options\.max_notes"):
        ask(agent(folder.parent, max_notes=1), "list my notes", "search")


# ── adding ──────────────────────────────────────────────────────────────────────────────────────────


def test_an_entry_goes_to_the_note_of_the_day_which_is_made(folder: Path) -> None:
    made = agent(folder.parent, today="daily/$date")
    assert ask(made, "note that Gwen called").text == "Added to notes/daily/2026-11-30.md:\n- Gwen called"
    ask(made, "add to my notes: buy glue", key="run/t2/1")
    text = files(folder)["daily/2026-11-30.md"]
    lines = [line for line in text.splitlines() if "<!--" not in line]
    assert lines == ["# Monday 30 November 2026", "", "- Gwen called", "- buy glue"]


@pytest.mark.parametrize("name", ["Trade fair", "trade-fair.md", "TRADE_FAIR", "trade fair"])
def test_a_named_note_is_found_however_its_name_is_written(folder: Path, name: str) -> None:
    output = ask(agent(folder.parent), f'add tape to the note "{name}"')
    assert output.text == "Added to notes/trade-fair.md:\n- Tape"
    assert files(folder)["trade-fair.md"].startswith(FAIR + "- Tape\n  <!-- cuewave:")
    assert list(files(folder)) == ["trade-fair.md"]


def test_a_note_is_found_by_the_name_of_its_file_in_any_folder_or_by_its_title(folder: Path) -> None:
    (folder / "people").mkdir()
    (folder / "people" / "hartley.md").write_text("---\ntitle: Hartley & Sons\n---\n")
    for name in ("Hartley", "people/hartley", "hartley & sons"):
        output = ask(agent(folder.parent), f'add x to the note "{name}"', key=f"run/{name}/1")
        assert output.text.startswith("Added to notes/people/hartley.md:")


def test_several_notes_of_one_name_are_refused_unless_one_is_spelled_just_so(folder: Path) -> None:
    for name in ("List.md", "list.md"):
        (folder / name).touch()
    with pytest.raises(TaskError, match=r"several notes are called 'LIST': List\.md, list\.md; say which"):
        ask(agent(folder.parent), 'add x to the note "LIST"')
    assert "list.md" in ask(agent(folder.parent), 'add x to the note "list"').text


def test_a_new_note_is_made_where_that_is_allowed(folder: Path) -> None:
    (folder / "Projects").mkdir()
    with pytest.raises(TaskError, match=r"there is no note 'Übung' in notes, and none is made"):
        ask(agent(folder.parent, create=False), 'add x to the note "Übung"')
    ask(agent(folder.parent), 'add x to the note "projects/Übung"')
    assert files(folder)["Projects/Übung.md"].startswith("# Übung\n\n- X\n")


@pytest.mark.parametrize(
    "name", ["../up", "/etc/passwd", "a/../../b", ".git/config", "a\\b", "nul", "x" * 200]
)
def test_no_name_leads_out_of_the_folder(folder: Path, name: str) -> None:
    before = files(folder.parent)
    for action, operation in (
        (f'add x to the note "{name}"', "append"),
        (f'write a note called "{name}": x', "write"),
    ):
        with pytest.raises(TaskError, match=r"no note can be called .*; nothing was written"):
            ask(agent(folder.parent), action, operation)
    assert files(folder.parent) == before


def test_no_link_leads_out_of_the_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret")
    (folder / "way").symlink_to(tmp_path / "outside")
    (folder / "file.md").symlink_to(tmp_path / "outside" / "secret.md")
    for name in ("way/new", "way/secret", "file"):
        with pytest.raises(TaskError, match="link"):
            ask(agent(folder.parent), f'add x to the note "{name}"')
    assert files(tmp_path / "outside") == {"secret.md": "secret"}


def test_what_was_found_before_is_added_line_by_line_below_where_it_is_from(folder: Path) -> None:
    found = came(
        '2 mails about "lease":\n- Gwen: the lease\n- Bob: # the van', "Gwen: the lease", "Bob: the van"
    )
    output = ask(agent(folder.parent), "add them to my notes", inputs=(found,))
    assert output.text == (
        f'Added to notes/{TODAY}:\n- 2 mails about "lease":\n  - Gwen: the lease\n  - Bob: # the van'
    )
    output = ask(agent(folder.parent), "add the offers to my notes", inputs=(found,), key="run/t3/1")
    assert output.text.splitlines()[1:3] == ["- The offers", '  - 2 mails about "lease":']
    output = ask(agent(folder.parent), "note that I called", inputs=(found,), key="run/t4/1")
    assert output.text.splitlines()[1:] == ["- I called"]


def test_a_text_found_before_cannot_break_out_of_its_entry(folder: Path) -> None:
    text = "Dear all,\n# Heading\n```\n<!-- cuewave:0 -->\n- item"
    ask(agent(folder.parent), "add it to my notes", inputs=(came(text, listed=False),))
    ask(agent(folder.parent), "note that it is over", key="run/t2/1")
    found = ask(agent(folder.parent), "search my notes for over", "search")
    assert [i.data["heading"] for i in found.items or ()] == ["Monday 30 November 2026"]
    assert "  > # Heading\n  > ```\n  > &lt;!-- cuewave:0 -->\n" in files(folder)[TODAY]


def test_nothing_found_before_adds_nothing_and_a_failure_is_marked(folder: Path) -> None:
    output = ask(agent(folder.parent), "add it to my notes", inputs=(came("No mail."),))
    assert output == Output("Nothing was added: what this depends on found nothing.", ())
    assert list(files(folder)) == ["trade-fair.md"]
    output = ask(agent(folder.parent), "add it to my notes", inputs=(came("", error="failed: no mailbox"),))
    assert "- t1 failed: failed: no mailbox" in output.text
    with pytest.raises(TaskError, match="it is not said what is to be written"):
        ask(agent(folder.parent), "add it to my notes", key="run/t3/1")


def test_each_child_of_a_mapped_task_adds_its_item_and_answers_in_a_line(folder: Path) -> None:
    made = agent(folder.parent)
    for number, name in enumerate(("Ann", "Bo"), 1):
        output = ask(made, "make a note for each", item=Item(f"{name} owes"), key=f"run/t2[{number}]/1")
        assert output.text == f"{name} owes (added to notes/{TODAY})"
        verdict = asyncio.run(made.verify(f"run/t2[{number}]/1"))
        assert (verdict.happened, verdict.output) == (True, output)


# ── writing ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_new_note_has_its_title_and_text_and_is_never_written_over_another(folder: Path) -> None:
    output = ask(agent(folder.parent), "write a note called packing list: tape", "write")
    assert output.text == "Wrote a new note, Packing list: notes/packing list.md"
    assert files(folder)["packing list.md"].startswith("# Packing list\n\nTape\n\n<!-- cuewave:")
    before = files(folder)
    for name in ("Packing-List", "trade fair"):
        with pytest.raises(TaskError, match=r"there is a note .* already: notes/.*; nothing was written"):
            ask(agent(folder.parent), f"write a note called {name}: other", "write", key="run/t2/1")
    assert files(folder) == before


def test_what_was_found_before_can_be_the_text_of_a_new_note(folder: Path) -> None:
    ask(
        agent(folder.parent),
        "write a note called Post with it",
        "write",
        inputs=(came("1 mail:\n- Gwen", "Gwen"),),
    )
    assert files(folder)["Post.md"].startswith("# Post\n\n- 1 mail:\n- Gwen\n\n<!--")


def test_a_section_gets_another_text_and_the_old_one_is_kept(folder: Path) -> None:
    output = ask(agent(folder.parent), "replace the section budget of the note trade fair with: 600", "write")
    (kept,) = (name for name in files(folder) if name.startswith(".replaced/"))
    assert output.text == (
        f"Replaced the section Budget of notes/trade-fair.md. What stood there is kept in notes/{kept}"
    )
    assert files(folder)[kept] == "\n- Table: 420\n\n"
    text = files(folder)["trade-fair.md"]
    assert text.startswith("# Trade fair\n\nBy the window.\n\n## Budget\n\n600\n\n<!-- cuewave:")
    assert text.endswith("-->\n\n## To bring\n\n- samples of oak\n")
    found = ask(agent(folder.parent), "search my notes for table", "search")
    assert found.items == ()


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("replace the section Costs of the note Trade fair with: 1",
         "has no section 'Costs'; it has: Trade fair, Budget, To bring; nothing was"),
        ("replace the section A of the note Nothing with: 1", "there is no note 'Nothing' in notes; nothing"),
        ("replace the section Budget of the note Trade fair", "it is not said what is to be written"),
        ("write a poem", "it is not understood which note is meant, so nothing was written; say for example"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused_and_nothing_changes(folder: Path, action: str, said: str) -> None:
    with pytest.raises(TaskError) as refused:
        ask(agent(folder.parent), action, "write")
    assert said in str(refused.value)
    assert files(folder) == {"trade-fair.md": FAIR}


# ── who may write ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("operation", ["append", "write"])
def test_an_agent_that_only_reads_and_one_in_a_packaged_workspace_write_nothing(
    folder: Path, operation: str
) -> None:
    with pytest.raises(TaskError, match="the agent 'notes' only reads; declare `effects: write`"):
        ask(agent(folder.parent, "read"), "write a note called X: y", operation)
    with pytest.raises(TaskError, match=r"is read-only; make your own copy with `cuewave init DIR`"):
        ask(agent(folder.parent, writable=False), "write a note called X: y", operation)
    assert files(folder) == {"trade-fair.md": FAIR}


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("don't add that to my notes", "Nothing was written, as you asked."),
        (
            "delete the note about the trade fair",
            "Nothing was changed: nothing is taken away from notes here.",
        ),
        ("what did I note about oak?", '1 note about "oak" in notes:'),
    ],
)
def test_a_denial_a_question_and_a_wish_to_take_away_write_nothing(
    folder: Path, action: str, said: str
) -> None:
    assert ask(agent(folder.parent), action).text.startswith(said)
    assert files(folder) == {"trade-fair.md": FAIR}


def test_a_note_that_cannot_take_it_is_left_as_it_was(folder: Path) -> None:
    (folder / "bad.md").write_bytes(b"\xff")
    with pytest.raises(TaskError, match=r"bad\.md is not UTF-8"):
        ask(agent(folder.parent), 'add x to the note "bad"')
    with pytest.raises(TaskError, match=r"trade-fair\.md is larger than 1KiB; raise options\.max_size"):
        ask(agent(folder.parent, max_size="1KiB"), f'add {"x" * 1000} to the note "trade fair"')
    assert (folder / "bad.md").read_bytes() == b"\xff"
    assert (folder / "trade-fair.md").read_text() == FAIR


# ── once ────────────────────────────────────────────────────────────────────────────────────────────

ACTIONS = [
    ("add tape to the note “Trade fair”", "append"),
    ("note that Gwen called", "append"),
    ("write a note called Packing list: tape", "write"),
    ("replace the section Budget of the note Trade fair with: 600", "write"),
]


@pytest.mark.parametrize(("action", "operation"), ACTIONS)
def test_doing_it_again_under_its_key_writes_nothing_and_tells_the_same(
    folder: Path, action: str, operation: str
) -> None:
    made = agent(folder.parent)
    assert asyncio.run(made.verify("run/t1/1")).happened is False
    first = ask(made, action, operation)
    once = files(folder)
    assert ask(made, action, operation, key="run/t1/2") == first
    verdict = asyncio.run(made.verify("run/t1/1"))
    assert (verdict.happened, verdict.output) == (True, first)
    assert files(folder) == once
    assert asyncio.run(made.verify("run/t2/1")).happened is False


def test_what_was_written_is_found_again_on_the_next_day_and_after_others_wrote(folder: Path) -> None:
    first = ask(agent(folder.parent), "note that Gwen called")
    (folder / TODAY).rename(folder / "moved.md")
    ask(agent(folder.parent), 'add more to the note "moved"', key="run/t2/1")
    again = ask(agent(folder.parent), "note that Gwen called")
    assert again.text == first.text.replace(TODAY, "moved.md")
    assert set(files(folder)) == {"moved.md", "trade-fair.md"}


def test_without_a_key_every_call_is_an_effect_of_its_own_and_leaves_no_mark(folder: Path) -> None:
    for _ in range(2):
        ask(agent(folder.parent), "note that Gwen called", key="")
    assert files(folder)[TODAY] == "# Monday 30 November 2026\n\n- Gwen called\n- Gwen called\n"


# ── others at the same time ─────────────────────────────────────────────────────────────────────────


def test_entries_that_are_added_at_once_are_all_there(folder: Path) -> None:
    made = agent(folder.parent)

    def add(number: int) -> Output:
        return ask(made, f"note that entry {number} is there", key=f"run/t{number}/1")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(24)))
    entries = [line for line in files(folder)[TODAY].splitlines() if line.startswith("- ")]
    assert sorted(entries) == sorted(f"- Entry {n} is there" for n in range(24))
    assert [name for name in os.listdir(folder) if "tmp" in name] == []


PROCESS = """
import sys
from pathlib import Path
from orchestrator.agents.builtin.formats.shelf import Shelf
from orchestrator.agents.builtin.formats.upkeep import Upkeep
from orchestrator.agents.builtin.formats.markdown import with_entry
upkeep = Upkeep(Shelf("notes", "notes", Path(sys.argv[1]), 10**6, 100), lambda: False)
for n in range(20):
    with upkeep.alone():
        upkeep.change("trade-fair.md", lambda text: with_entry(text, f"- {sys.argv[2]} {n}"))
"""


def test_processes_that_add_at_once_lose_nothing(folder: Path) -> None:
    others = [subprocess.Popen([sys.executable, "-c", PROCESS, str(folder), name]) for name in "ab"]
    assert [other.wait(60) for other in others] == [0, 0]
    text = files(folder)["trade-fair.md"]
    assert text.startswith(FAIR)
    assert all(f"- {name} {n}\n" in text for name in "ab" for n in range(20))


def upkeep(folder: Path, given_up: Callable[[], bool] = lambda: False) -> Upkeep:
    return Upkeep(Shelf("notes", "notes", folder, 10**6, 100), given_up)


def test_an_edit_of_another_program_between_reading_and_writing_is_kept(folder: Path) -> None:
    file = folder / "trade-fair.md"
    edits = iter(["edited once\n", "edited twice\n"])

    def changed(text: str) -> str:
        if edit := next(edits, ""):
            file.write_text(edit)
        return f"{text}added\n"

    assert upkeep(folder).change("trade-fair.md", changed) == "edited twice\nadded\n"
    assert file.read_text() == "edited twice\nadded\n"


def test_who_is_always_overtaken_writes_nothing_and_may_try_again(folder: Path) -> None:
    file = folder / "trade-fair.md"

    def changed(text: str) -> str:
        file.write_text(f"{text}x")
        return "mine"

    with pytest.raises(TaskError, match="is being changed by somebody else, so nothing was written") as lost:
        upkeep(folder).change("trade-fair.md", changed)
    assert lost.value.passing
    assert file.read_text() == f"{FAIR}{'x' * 5}"


def test_what_was_given_up_is_not_written(folder: Path) -> None:
    late = upkeep(folder, lambda: True)
    with pytest.raises(TaskError, match="cut off, so nothing was written"):
        late.change("trade-fair.md", lambda text: f"{text}late")
    with pytest.raises(TaskError, match="cut off, so nothing was written"):
        late.create("new.md", "late")
    assert files(folder) == {"trade-fair.md": FAIR}


def test_an_attempt_that_is_cut_off_before_its_turn_writes_nothing_later(folder: Path) -> None:
    """Another has the lock; the attempt is cut off, the lock is let go of: then it must not write."""

    async def cut_off() -> None:
        made, before = agent(folder.parent), threading.active_count()
        with upkeep(folder).alone():
            work = asyncio.ensure_future(
                made.run(Call("", "note that it is late", "", "append", key="run/t1/1"))
            )
            while threading.active_count() == before:  # noqa: ASYNC110 - a thread tells no event
                await asyncio.sleep(0)
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work
        assert (await made.verify("run/t1/1")).happened is False

    asyncio.run(cut_off())
    assert files(folder) == {"trade-fair.md": FAIR}
