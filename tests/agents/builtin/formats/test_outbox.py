"""Files that grow by one entry at a time."""

import mailbox
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.builtin.files import Place
from orchestrator.agents.builtin.formats.outbox import Added, add_to_calendar, add_to_mailbox
from orchestrator.errors import TaskError

MAIL = (
    b"From: me@example.org\r\nDate: Mon, 30 Nov 2026 09:00:00 +0000\r\nMessage-ID: <%s>\r\n"
    b"\r\nHello\r\nFrom me\r\n"
)


def event(uid: str) -> tuple[str, bytes]:
    lines = ("BEGIN:VEVENT", f"UID:{uid}", "DTSTART:20261130T090000Z", "SUMMARY:x", "END:VEVENT", "")
    return uid, "\r\n".join(lines).encode()


def mail(uid: str) -> tuple[str, bytes]:
    return uid, MAIL % uid.encode()


def place(tmp_path: Path, name: str, limit: int = 100_000) -> Place:
    return Place("clerk", name, tmp_path / name, limit)


def uids(path: Path) -> list[str]:
    calendar = icalendar.Calendar.from_ical(path.read_bytes())
    return [str(e["UID"]) for e in calendar.walk("VEVENT")]


def test_the_first_entry_makes_the_file_and_its_folder(tmp_path: Path) -> None:
    assert add_to_calendar(place(tmp_path, "var/r.ics"), [event("a")]).new == {"a"}
    assert uids(tmp_path / "var/r.ics") == ["a"]
    assert os.listdir(tmp_path / "var") == ["r.ics"]


def test_what_was_in_a_calendar_stays_byte_for_byte(tmp_path: Path) -> None:
    odd = b"X-ODD:  kept \nBEGIN:VEVENT\nUID:old\nDTSTART:20261130\nEND:VEVENT\n"
    old = b"BEGIN:VCALENDAR\n" + odd + b"END:VCALENDAR\n"
    (tmp_path / "r.ics").write_bytes(old)
    os.chmod(tmp_path / "r.ics", 0o600)
    add_to_calendar(place(tmp_path, "r.ics"), [event("new")])
    new = (tmp_path / "r.ics").read_bytes()
    head, tail = old[: old.index(b"END:VCALENDAR")], b"END:VCALENDAR\n"
    assert new == head + event("new")[1].replace(b"\r\n", b"\n") + tail
    assert (tmp_path / "r.ics").stat().st_mode & 0o777 == 0o600


def test_an_entry_that_is_there_is_not_written_again(tmp_path: Path) -> None:
    add_to_calendar(place(tmp_path, "r.ics"), [event("a")])
    before = (tmp_path / "r.ics").stat()
    assert add_to_calendar(place(tmp_path, "r.ics"), [event("a")]) == Added(frozenset(), frozenset("a"))
    assert (tmp_path / "r.ics").stat().st_ino == before.st_ino
    assert add_to_calendar(place(tmp_path, "r.ics"), [event("a"), event("b")]) == Added(
        frozenset("b"), frozenset("a")
    )
    assert uids(tmp_path / "r.ics") == ["a", "b"]


@pytest.mark.parametrize("data", [b"Dear diary", b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:cut off"])
def test_a_file_that_is_no_calendar_is_left_alone(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "r.ics").write_bytes(data)
    with pytest.raises(TaskError, match=r"r\.ics .* is not a calendar"):
        add_to_calendar(place(tmp_path, "r.ics"), [event("a")])
    assert (tmp_path / "r.ics").read_bytes() == data
    assert os.listdir(tmp_path) == ["r.ics"]


def test_an_entry_that_is_broken_is_not_written(tmp_path: Path) -> None:
    add_to_calendar(place(tmp_path, "r.ics"), [event("a")])
    old = (tmp_path / "r.ics").read_bytes()
    with pytest.raises(TaskError, match="is not a calendar"):
        add_to_calendar(place(tmp_path, "r.ics"), [("b", b"BEGIN:VEVENT\r\nUID:b\r\n")])
    assert (tmp_path / "r.ics").read_bytes() == old


CALENDARS = st.lists(
    st.sampled_from(
        [
            "BEGIN:VCALENDAR\n", "END:VCALENDAR\n", "End:vcalendar \n", "BEGIN:VEVENT\nUID:x\nEND:VEVENT\n",
            "BEGIN:VTIMEZONE\nTZID:Y\nEND:VTIMEZONE\n", "X-A:b\n END:VCALENDAR\n", "DESCRIPTION:a\n\n", "\n",
        ]
    ),
    max_size=8,
)  # fmt: skip


@given(pieces=CALENDARS, line_end=st.sampled_from(["\n", "\r\n"]))
def test_a_calendar_that_could_be_read_can_be_read_with_what_was_added(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], line_end: str
) -> None:
    path = tmp_path_factory.mktemp("any") / "r.ics"
    path.write_text("".join(pieces).replace("\n", line_end), encoding="utf-8", newline="")
    old = path.read_bytes()
    try:
        add_to_calendar(place(path.parent, "r.ics"), [event("new")])
    except TaskError:
        assert path.read_bytes() == old
    else:
        calendars = icalendar.Calendar.from_ical(path.read_bytes(), multiple=True)
        assert [str(e["UID"]) for c in calendars for e in c.walk("VEVENT")].count("new") == 1


def test_a_file_that_would_grow_over_the_bound_is_left_alone(tmp_path: Path) -> None:
    add_to_calendar(place(tmp_path, "r.ics"), [event("a")])
    old = (tmp_path / "r.ics").read_bytes()
    with pytest.raises(TaskError, match=r"raise options\.max_size"):
        add_to_calendar(place(tmp_path, "r.ics", limit=len(old) + 10), [event("b")])
    assert (tmp_path / "r.ics").read_bytes() == old


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.ics").write_bytes(b"")
    (tmp_path / "r.ics").symlink_to("real.ics")
    add_to_calendar(place(tmp_path, "r.ics"), [event("a")])
    assert (tmp_path / "r.ics").is_symlink()
    assert uids(tmp_path / "real.ics") == ["a"]


def test_a_failed_replacement_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    (tmp_path / "r.ics").mkdir()
    with pytest.raises(TaskError, match="is not a file"):
        add_to_calendar(place(tmp_path, "r.ics"), [event("a")])
    assert os.listdir(tmp_path) == ["r.ics"]


KILLED = """
import os, sys
from pathlib import Path
from orchestrator.agents.builtin.files import Place
from orchestrator.agents.builtin.formats import outbox
os.fsync = lambda _: os._exit(9)
path = Path(sys.argv[1])
event = b"BEGIN:VEVENT\\r\\nUID:a\\r\\nDTSTART:20261130\\r\\nEND:VEVENT\\r\\n"
outbox.add_to_calendar(Place("clerk", "r.ics", path, 10**6), [("a", event)])
"""


def test_what_a_killed_writer_left_is_taken_away_by_the_next_and_nothing_else_is(tmp_path: Path) -> None:
    others = {".r.ics.12345678", ".q.ics.12345678.cuewave-tmp", "notes.cuewave-tmp"}
    for name in others:
        (tmp_path / name).write_bytes(b"of somebody else")
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "r.ics")], timeout=60, check=False)
    assert killed.returncode == 9
    assert len(set(os.listdir(tmp_path)) - others) == 1
    add_to_calendar(place(tmp_path, "r.ics"), [event("b")])
    assert set(os.listdir(tmp_path)) == {"r.ics", *others}
    assert uids(tmp_path / "r.ics") == ["b"]


def test_a_folder_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "var").write_bytes(b"a file in the way")
    with pytest.raises(TaskError, match=r"var/r\.ics .* cannot be used: .*; set options\.file"):
        add_to_calendar(place(tmp_path, "var/r.ics"), [event("a")])


def test_an_entry_that_is_there_in_another_form_is_neither_new_nor_the_same(tmp_path: Path) -> None:
    add_to_calendar(place(tmp_path, "r.ics"), [event("a")])
    uid, data = event("a")
    other = data.replace(b"SUMMARY:", b"SUMMARY:not ")
    assert add_to_calendar(place(tmp_path, "r.ics"), [(uid, other)]) == Added(frozenset())


def test_writers_in_many_threads_lose_nothing(tmp_path: Path) -> None:
    names = [f"u{n}" for n in range(24)]
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda n: add_to_calendar(place(tmp_path, "r.ics"), [event(n)]), names))
    assert [added.new for added in done] == [{n} for n in names]
    assert sorted(uids(tmp_path / "r.ics")) == sorted(names)


def test_writers_in_several_processes_lose_nothing(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from orchestrator.agents.builtin.files import Place\n"
        "from orchestrator.agents.builtin.formats.outbox import Added, add_to_mailbox\n"
        "path = Path(sys.argv[1])\n"
        "for n in range(10):\n"
        "    uid = f'{sys.argv[2]}{n}'\n"
        "    mail = b'Date: Mon, 30 Nov 2026 09:00:00 +0000\\nMessage-ID: <%s>\\n\\nx\\n' % uid.encode()\n"
        "    add_to_mailbox(Place('clerk', 'out', path, 10**6), [(uid, mail)])\n"
    )
    path = tmp_path / "out.mbox"
    workers = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in "abc"]
    assert [w.wait(timeout=60) for w in workers] == [0, 0, 0]
    box = mailbox.mbox(path, create=False)
    found = sorted(str(m["Message-ID"]) for m in box)
    box.close()
    assert found == sorted(f"<{name}{n}>" for name in "abc" for n in range(10))


def test_mails_are_added_after_those_that_are_there(tmp_path: Path) -> None:
    old = b"From a Mon Nov 30 08:00:00 2026\nSubject: old\n\nbody without an end"
    (tmp_path / "out").write_bytes(old)
    assert add_to_mailbox(place(tmp_path, "out"), [mail("1@x"), mail("2@x")]).new == {
        "1@x",
        "2@x",
    }
    assert add_to_mailbox(place(tmp_path, "out"), [mail("2@x")]).new == set()
    data = (tmp_path / "out").read_bytes()
    assert data.startswith(old + b"\n\nFrom cuewave Mon Nov 30 09:00:00 2026\nFrom: me@example.org\n")
    assert b"\n>From me\n" in data
    box = mailbox.mbox(tmp_path / "out", create=False)
    assert [str(m["Message-ID"]) for m in box] == ["None", "<1@x>", "<2@x>"]
    box.close()


def test_a_file_that_is_no_mailbox_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"Dear diary")
    with pytest.raises(TaskError, match="is not an mbox file"):
        add_to_mailbox(place(tmp_path, "out"), [mail("1@x")])
    assert (tmp_path / "out").read_bytes() == b"Dear diary"
