"""A note in Markdown: its title and its sections, and the text with something put into it. Pure.

Laws: a heading is a line that begins with `#`, but not in a block of code nor in the front matter; what is
put in changes no character beside it and takes the line ends of the note; a mark (an HTML comment on a line
of its own) names the effect that put it in, and no text that is put in can look like one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from orchestrator.agents.builtin.formats.plain import speakable

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MARK = re.compile(r"(?m)^ {0,2}<!-- cuewave:[0-9a-z:]+ -->\r?$\n?")
_LISTED = re.compile(r"(?:[-*+] |\d+[.)] | {2,}\S)")
"""The last line of a list, to which an entry can be added without a gap."""
_TITLE = re.compile(r"title:[ \t]*(['\"]?)(.+?)\1[ \t]*")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading (empty before the first) at `start`, and the stretch of its text: `begin` to `end`."""

    heading: str
    level: int
    start: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Note:
    """A note, read. `name` is its path below the folder."""

    name: str
    title: str
    text: str
    sections: tuple[Section, ...]

    def body(self, section: Section) -> str:
        """The section's own text, without marks."""
        return _MARK.sub("", self.text[section.begin : section.end])


def read_note(name: str, text: str) -> Note:
    """The note of a file."""
    front = _front_matter(text)
    sections = tuple(_sections(text, front))
    stem = name.rpartition("/")[2].rpartition(".")[0]
    declared = (_TITLE.fullmatch(line.rstrip("\r")) for line in text[:front].split("\n"))
    titles = [m[2] for m in declared if m] or [s.heading for s in sections if s.level == 1 and s.heading]
    return Note(name, titles[0] if titles else stem, text, sections)


def extent(note: Note, section: Section) -> tuple[int, int]:
    """The section with all below it: up to the next heading that is not deeper."""
    later = (s for s in note.sections if s.start > section.start and s.level <= section.level)
    return section.begin, next((s.start for s in later), len(note.text))


def _front_matter(text: str) -> int:
    """Where the front matter ends; 0 where there is none."""
    match = re.match(r"---[ \t]*\r?\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)", text)
    return match.end() if match else 0


def _sections(text: str, front: int) -> Iterator[Section]:
    heading, level, start, begin, fence = "", 0, front, front, ""
    at = front
    for line in re.findall(r"[^\n]*\n|[^\n]+", text[front:]):
        bare = line.rstrip("\r\n")
        closing = _FENCE.match(bare)
        if closing:
            fence = _fenced(fence, closing[1], bare)
        elif not fence and (match := _HEADING.fullmatch(bare)):
            yield Section(heading, level, start, begin, at)
            heading, level, start, begin = (match[2] or "").strip(), len(match[1]), at, at + len(line)
        at += len(line)
    yield Section(heading, level, start, begin, at)


def _fenced(open_fence: str, fence: str, line: str) -> str:
    """The fence that is open after this line with one; empty where none is."""
    if not open_fence:
        return fence
    closes = fence[0] == open_fence[0] and len(fence) >= len(open_fence) and line.strip() == fence
    return "" if closes else open_fence


# ── what is put in ──────────────────────────────────────────────────────────────────────────────────


def mark_of(effect: str) -> str:
    """The name of an effect as it stands in a note; empty where there is no name."""
    return f"cuewave:{sha256(effect.encode()).hexdigest()[:32]}" if effect else ""


def entry_of(text: str, things: Sequence[str], mark: str) -> str:
    """An entry: an item of a list, with the things below it, each an item of its own."""
    first, *rest = plain(text).split("\n")
    lines = [f"- {first}"]
    lines += [f"  > {line}".rstrip() for line in rest]
    for thing in things:
        head, *more = plain(thing).split("\n")
        lines += [f"  - {head}", *(f"    > {line}".rstrip() for line in more)]
    return "\n".join([*lines, *([f"  <!-- {mark} -->"] if mark else [])])


def plain(text: str) -> str:
    """A text as a note can take it: nothing in it could be taken for a mark."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return speakable(lines).replace("<!--", "&lt;!--").strip()


def entry_under(text: str, mark: str) -> str | None:
    """The entry that the mark is on, without it; None where there is none."""
    match = re.search(rf"(?m)^  <!-- {re.escape(mark)} -->\r?$", text)
    if match is None:
        return None
    above = text[: match.start()].replace("\r\n", "\n").rstrip("\n").split("\n")
    begin = max((n for n, line in enumerate(above) if line.startswith("- ")), default=len(above) - 1)
    return "\n".join(above[begin:])


def with_entry(text: str, entry: str) -> str:
    """The note with the entry at its end."""
    newline = _newline(text)
    whole = text if not text or text.endswith("\n") else text + newline
    last = whole.rstrip("\r\n").rpartition("\n")[2]
    apart = not last or _LISTED.match(last) or whole.endswith(newline * 2)
    return "".join((whole, "" if apart else newline, entry.replace("\n", newline), newline))


def with_section(text: str, span: tuple[int, int], body: str, mark: str) -> str:
    """The note with another text in the stretch of a section."""
    newline = _newline(text)
    before, after = text[: span[0]], text[span[1] :]
    own = "\n\n".join(filter(None, (plain(body), f"<!-- {mark} -->" if mark else "")))
    put = "".join(("" if before.endswith("\n") else "\n", "\n", own, "\n\n" if after else "\n"))
    return before + put.replace("\n", newline) + after


def new_note(title: str, body: str, mark: str) -> str:
    """The text of a new note."""
    parts = [f"# {title}", plain(body), f"<!-- {mark} -->" if mark else ""]
    return "\n\n".join(filter(None, parts)) + "\n"


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
