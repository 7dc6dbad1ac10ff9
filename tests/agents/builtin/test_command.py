"""The agent `command`, on programs in Python."""

import asyncio
import os
import signal
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from orchestrator.agents.contract import Agent, AgentType, Call, Output, Surroundings
from orchestrator.agents.registry import agent_type
from orchestrator.errors import MissingProgram, TaskError
from orchestrator.workspace.agent_file import AgentFile
from pydantic import ValidationError

KEY = "run-7/t2/3"
SECRET = "4711-0815-4711"
DEADLINE = 20
"""Seconds in which what is waited for must come."""


def kind() -> AgentType:
    found = agent_type("command")
    assert found is not None
    return found


def python(text: str, *more: str) -> list[str]:
    return [sys.executable, "-c", text, *more]


def agent(root: Path, argv: list[str], **options: Any) -> Agent:
    known = kind()
    made = known.options.model_validate({"argv": argv, **options}, context={"env": {"SHOP_KEY": SECRET}})
    return known.build(AgentFile(name="clerk", uses="command"), made, Surroundings(root, True, None))


def asked(made: Agent, query: str = "hello", key: str = KEY) -> Output:
    return asyncio.run(made.run(Call(query, "the action", "the request", key=key)))


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def soon(holds: Callable[[], bool]) -> bool:
    """Whether it comes to hold within some seconds."""
    end = time.monotonic() + DEADLINE
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


# ── in and out ──────────────────────────────────────────────────────────────────────────────────────


def test_the_query_is_its_input_and_what_it_prints_the_answer(tmp_path: Path) -> None:
    made = agent(tmp_path, python("import sys; print(sys.stdin.read().upper())"))
    assert asked(made, "grüße, Zoë") == Output("GRÜSSE, ZOË")


def test_nothing_of_a_turn_gets_into_what_is_run_and_no_shell_reads_it(tmp_path: Path) -> None:
    words = ["{{ query }}", "$(touch owned)", "; touch owned", "a b", "", "${HOME} and more", "*"]
    made = agent(tmp_path, python("import sys; print(sys.argv[1:])", *words))
    assert asked(made, "$(touch owned)").text == str(words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [0, 1, 70_000, 3_000_000])
def test_however_much_goes_in_and_comes_out_neither_side_waits_for_the_other(
    tmp_path: Path, size: int
) -> None:
    echo = "import sys\nfor line in sys.stdin: print(line, end='')"
    sent = "x" * (size // 2) + "\n" + "y" * (size // 2)
    assert asked(agent(tmp_path, python(echo), max_output="64MiB"), sent).text == sent.strip()


def test_a_program_that_does_not_read_its_input_does_no_wrong(tmp_path: Path) -> None:
    assert asked(agent(tmp_path, python("print('done')")), "x" * 1_000_000).text == "done"
    closing = "import os; os.close(0); print('closed')"
    assert asked(agent(tmp_path, python(closing)), "x" * 1_000_000).text == "closed"


def test_its_input_can_be_opened_by_name(tmp_path: Path) -> None:
    assert asked(agent(tmp_path, python("print(open('/dev/stdin').read())"))).text == "hello"


def test_much_is_complained_of_without_harm(tmp_path: Path) -> None:
    noisy = "import sys; sys.stderr.write('e' * 3_000_000); print('done')"
    assert asked(agent(tmp_path, python(noisy))).text == "done"


def test_who_prints_more_than_it_may_is_ended_and_told_so(tmp_path: Path) -> None:
    endless = "while True: print('x' * 1000)"
    with pytest.raises(TaskError, match=r"printed more than 2KiB and was ended; raise options\.max_output"):
        asked(agent(tmp_path, python(endless), max_output="2KiB"))
    exact = "import sys; sys.stdout.write('x' * 2048)"
    assert len(asked(agent(tmp_path, python(exact), max_output="2KiB")).text) == 2048


def test_what_no_terminal_can_take_is_replaced(tmp_path: Path) -> None:
    odd = r"import sys; sys.stdout.buffer.write(b'\x1b[31mred\xff\x00 end\n\n')"
    assert asked(agent(tmp_path, python(odd))).text == "[31mred\ufffd  end"
    assert asked(agent(tmp_path, python("import sys; print(sys.stdin.read())")), "a\ud800b").text == "a?b"


# ── JSON ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("printed", "text", "items"),
    [
        ('["a", "b"]', "- a\n- b", [("a", {}), ("b", {})]),
        ('[{"text": "Ann", "amount": 5}, {"n": 1}]', '- Ann\n- {"n": 1}',
         [("Ann", {"text": "Ann", "amount": 5}), ('{"n": 1}', {"n": 1})]),
        ("[]", "Nothing.", []),
        ('{"text": "two things", "items": ["a", 2]}', "two things", [("a", {}), ("2", {})]),
        ('{"text": "just that"}', "just that", None),
        ('{"n": 1}', '{"n": 1}', None),
        ('"word"', "word", None),
        ("4", "4", None),
    ],
)  # fmt: skip
def test_a_json_document_is_a_text_a_list_or_both(
    tmp_path: Path, printed: str, text: str, items: list[Any] | None
) -> None:
    output = asked(agent(tmp_path, python(f"print({printed!r})"), output="json"))
    assert output.text == text
    assert (output.items and [(i.text, dict(i.data)) for i in output.items]) == (items or output.items)
    assert (output.items is None) is (items is None)


@pytest.mark.parametrize("printed", ["", "word", "[1,", "NaN", "[" * 100_000, "{} {}"])
def test_anything_else_than_one_document_is_refused(tmp_path: Path, printed: str) -> None:
    with pytest.raises(
        TaskError, match=r"something else than one JSON document .* set options\.output to text"
    ):
        asked(agent(tmp_path, python(f"print({printed!r})"), output="json"))


# ── failing ─────────────────────────────────────────────────────────────────────────────────────────


def failing(code: int) -> list[str]:
    return python(f"import sys\nfor n in range(9): print('line', n, file=sys.stderr)\nsys.exit({code})")


def test_a_failure_tells_the_exit_code_and_the_last_lines_of_stderr(tmp_path: Path) -> None:
    with pytest.raises(TaskError) as failed:
        asked(agent(tmp_path, failing(3)))
    assert "ended with exit code 3:\n  line 4\n  line 5\n  line 6\n  line 7\n  line 8" in str(failed.value)
    assert not failed.value.passing
    assert not failed.value.doubtful  # it says itself that it failed


@pytest.mark.parametrize(
    ("code", "options", "passing"),
    [(75, {}, True), (3, {"passing": [3, 4]}, True), (75, {"passing": []}, False)],
)
def test_which_failures_can_pass_is_said_by_the_exit_code(
    tmp_path: Path, code: int, options: dict[str, Any], passing: bool
) -> None:
    with pytest.raises(TaskError) as failed:
        asked(agent(tmp_path, failing(code), **options))
    assert failed.value.passing is passing


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("import os; os.kill(os.getpid(), 9)", {}),
        ("while True: print('x' * 1000)", {"max_output": "2KiB"}),
        ("print('done')", {"output": "json"}),
    ],
)
def test_what_it_did_is_in_doubt_where_it_did_not_say_that_it_failed(
    tmp_path: Path, text: str, options: dict[str, Any]
) -> None:
    with pytest.raises(TaskError) as failed:
        asked(agent(tmp_path, python(text), **options))
    assert failed.value.doubtful


def test_a_signal_that_ended_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"ended with the signal SIGKILL$"):
        asked(agent(tmp_path, python("import os; os.kill(os.getpid(), 9)")))


# ── the environment ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in tuple(os.environ):
        if name not in ("PATH", "HOME"):
            monkeypatch.delenv(name)
    for name in ("LANG", "WANTED", "OTHER"):
        monkeypatch.setenv(name, f"the {name}")


@pytest.mark.usefixtures("environment")
def test_it_sees_what_is_named_and_nothing_else_of_the_environment(tmp_path: Path) -> None:
    show = python("import os, json; print(json.dumps({'text': ' '.join(sorted(os.environ))}))")
    own = {"LC_CTYPE"}  # set by Python itself where the locale is unknown
    plain = set(asked(agent(tmp_path, show, output="json")).text.split())
    assert plain - own == {"PATH", "HOME", "LANG", "CUEWAVE_KEY"}
    named = agent(
        tmp_path, show, output="json", env=["WANTED", "NOT_THERE"], secrets={"TOKEN": "${SHOP_KEY}"}
    )
    assert set(asked(named).text.split()) - own == plain - own | {"WANTED", "TOKEN"}


def test_the_key_of_the_effect_is_the_same_for_every_attempt(tmp_path: Path) -> None:
    made = agent(tmp_path, python("import os; print(os.environ['CUEWAVE_KEY'])"))
    assert [asked(made, key=f"run-7/t2/{n}").text for n in (1, 2)] == ["run-7/t2", "run-7/t2"]


def test_a_secret_reaches_the_program_and_no_answer_and_no_complaint(tmp_path: Path) -> None:
    telling = "import os, sys; key = os.environ['TOKEN']; assert len(key) == 14; print(key); sys.exit({})"
    secrets = {"TOKEN": "${SHOP_KEY}"}
    assert asked(agent(tmp_path, python(telling.format(0)), secrets=secrets)).text == "***"
    crying = telling.replace("print(key)", "print(key, file=sys.stderr)").format(1)
    with pytest.raises(TaskError) as failed:
        asked(agent(tmp_path, python(crying), secrets=secrets))
    assert SECRET not in str(failed.value)
    assert SECRET not in repr(agent(tmp_path, python(crying), secrets=secrets))


# ── where, and what ─────────────────────────────────────────────────────────────────────────────────


def test_it_runs_in_the_workspace_or_in_a_folder_of_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    where = python("import os; print(os.getcwd())")
    assert asked(agent(tmp_path, where)).text == str(tmp_path.resolve())
    assert asked(agent(tmp_path, where, cwd="data")).text == str((tmp_path / "data").resolve())


@pytest.mark.parametrize("cwd", ["..", "a/../../b", "/", "~", "a\0b", ""])
def test_a_folder_outside_the_workspace_is_refused_when_it_is_loaded(tmp_path: Path, cwd: str) -> None:
    with pytest.raises(ValidationError):
        agent(tmp_path, python("print()"), cwd=cwd)


def test_a_folder_that_leads_outside_or_is_missing_is_refused_when_it_runs(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    with pytest.raises(TaskError, match=r"leads out of the workspace; correct options\.cwd"):
        asked(agent(root, python("print()"), cwd="out"))
    with pytest.raises(TaskError, match=r"there is no folder gone: .* correct options.cwd"):
        asked(agent(root, python("print()"), cwd="gone"))


@pytest.mark.parametrize("argv", [[], ["a\0b"], "ls", [7], [None]])
def test_what_no_program_can_be_is_refused_when_it_is_loaded(argv: Any) -> None:
    with pytest.raises(ValidationError):
        kind().options.model_validate({"argv": argv})


def test_a_program_with_a_slash_is_looked_for_from_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    tool = tmp_path / "bin" / "tool"
    tool.write_text(f"#!{sys.executable}\nprint('made here')\n")
    with pytest.raises(MissingProgram, match=r"bin/tool .* cannot be run; make it executable: chmod \+x"):
        agent(tmp_path, ["bin/tool"])
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    assert asked(agent(tmp_path, ["bin/tool"])).text == "made here"
    with pytest.raises(MissingProgram, match="is a folder; name the program in it"):
        agent(tmp_path, ["./bin"])
    with pytest.raises(
        MissingProgram, match=r"agent 'clerk': there is no program \./gone: looked for .*argv\[0\]"
    ):
        agent(tmp_path, ["./gone"])
    with pytest.raises(MissingProgram, match=r"there is no program 'no-such-thing' in PATH; install it"):
        agent(tmp_path, ["no-such-thing"])


def test_a_program_that_went_away_or_is_none_fails_its_task(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_bytes(b"\x7fELF but not really")
    tool.chmod(0o755)
    made = agent(tmp_path, ["./tool"])
    with pytest.raises(TaskError, match=r"cannot be started: Exec format error; see options\.argv"):
        asked(made)
    tool.unlink()
    with pytest.raises(TaskError, match=r"there is no program \./tool"):
        asked(made)


# ── being cut off ───────────────────────────────────────────────────────────────────────────────────

FAMILY = """
import os, signal, sys, time

def told(*_):
    open("told", "a").close()
    os._exit(0)

signal.signal(signal.SIGTERM, signal.SIG_IGN if {deaf} else told)
child = os.fork()
if child == 0:
    time.sleep(600)
with open("pids.tmp", "w") as file:
    file.write(f"{{os.getpid()}} {{child}}")
os.rename("pids.tmp", "pids")
time.sleep({seconds})
print("over")
"""


def pids(root: Path) -> list[int]:
    return [int(word) for word in (root / "pids").read_text().split()]


async def at_work(made: Agent, root: Path) -> asyncio.Future[Output]:
    """The program once it is at work, with its child."""
    work = asyncio.ensure_future(made.run(Call("q", "a", "r", key=KEY)))
    async with asyncio.timeout(DEADLINE):
        while not (root / "pids").exists():
            assert not work.done()
            await asyncio.sleep(0.01)
    return work


def cut_off(made: Agent, root: Path, times: int = 1) -> None:
    """Start it, and cut it off once it is at work; nothing of it is alive afterwards."""

    async def whole() -> None:
        work = await at_work(made, root)
        for _ in range(times):
            work.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(whole())
    assert soon(lambda: not any(map(alive, pids(root))))  # the child is another's to bury


@pytest.mark.crash
@pytest.mark.parametrize("times", [1, 3])
def test_who_is_cut_off_ends_the_whole_group_and_waits_for_it(tmp_path: Path, times: int) -> None:
    made = agent(tmp_path, python(FAMILY.format(deaf=False, seconds=600)), grace="60s")
    cut_off(made, tmp_path, times)
    assert (tmp_path / "told").exists()


@pytest.mark.crash
def test_who_does_not_heed_sigterm_is_killed_after_the_grace(tmp_path: Path) -> None:
    made = agent(tmp_path, python(FAMILY.format(deaf=True, seconds=600)), grace="200ms")
    cut_off(made, tmp_path)
    assert not (tmp_path / "told").exists()


@pytest.mark.crash
def test_what_a_program_leaves_at_work_ends_with_it_and_is_not_waited_for(tmp_path: Path) -> None:
    made = agent(tmp_path, python(FAMILY.format(deaf=False, seconds=0)))
    assert asked(made).text == "over"
    assert soon(lambda: not any(map(alive, pids(tmp_path))))


@pytest.mark.crash
def test_a_stranger_that_holds_the_output_open_is_not_waited_for(tmp_path: Path) -> None:
    away = FAMILY.replace("if child == 0:\n", "if child == 0:\n    os.setsid()\n")
    made = agent(tmp_path, python(away.format(deaf=False, seconds=0.3)))
    assert asked(made).text == "over"
    os.kill(pids(tmp_path)[1], signal.SIGKILL)


@pytest.mark.crash
def test_an_end_of_the_event_loop_ends_the_program(tmp_path: Path) -> None:
    made = agent(tmp_path, python(FAMILY.format(deaf=True, seconds=600)), grace="100ms")

    async def left_alone() -> None:
        await at_work(made, tmp_path)

    asyncio.run(left_alone())
    assert soon(lambda: not any(map(alive, pids(tmp_path))))


def test_many_at_once_are_kept_apart(tmp_path: Path) -> None:
    made = agent(tmp_path, python("import sys; print(sys.stdin.read() * 2)"))

    async def all_of_them() -> list[str]:
        calls = [made.run(Call(str(n), "a", "r", key=f"r/t{n}/1")) for n in range(12)]
        return [output.text for output in await asyncio.gather(*calls)]

    assert asyncio.run(all_of_them()) == [str(n) * 2 for n in range(12)]
