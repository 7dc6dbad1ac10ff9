"""What is said of notes that were found, added to or written. Pure.

Law: what was written is told from the note itself, so that it is told alike when the same task is done again.
"""

import re
from collections.abc import Iterator, Sequence

from orchestrator.agents.builtin.answers.finding import Hit
from orchestrator.agents.builtin.asked import nearest_names
from orchestrator.agents.builtin.days import counted
from orchestrator.agents.builtin.formats.markdown import Note, entry_under
from orchestrator.agents.builtin.formats.plain import one_line
from orchestrator.agents.contract import Item, Output

_LEFT_OUT = 10


def added(file: str, entry: str, *, in_a_line: bool) -> Output:
    """An entry was put into a note. `in_a_line` is for one of many."""
    first = entry.partition("\n")[0].removeprefix("- ")
    text = f"{first} (added to {file})" if in_a_line else f"Added to {file}:\n{entry}"
    return Output(text, (Item(first, {"file": file, "entry": entry}),))


def wrote(file: str, title: str) -> Output:
    """A note was made."""
    return Output(f"Wrote a new note, {title}: {file}", (Item(title, {"file": file, "title": title}),))


def replaced(file: str, heading: str, kept: str) -> Output:
    """A section has another text. `kept` is where the old one is; empty where there was none."""
    where = f" What stood there is kept in {kept}" if kept else ""
    item = Item(f"{file}: {heading}", {"file": file, "heading": heading, "kept": kept or None})
    return Output(f"Replaced the section {heading} of {file}.{where}", (item,))


def told_by(file: str, note: Note, mark: str, kept: str, *, in_a_line: bool) -> Output:
    """What the mark in a note says was done. `kept` is where old text is, `{}` stands for its digest."""
    match = re.search(rf"<!-- {re.escape(mark)}(?::(note|section)(?::([0-9a-f]+))?)? -->", note.text)
    what, old = (match[1], match[2]) if match else (None, None)
    if what == "note":
        return wrote(file, note.title)
    if what == "section" and match:
        heading = next((s.heading for s in reversed(note.sections) if s.start <= match.start()), "")
        return replaced(file, heading, kept.format(old) if old else "")
    return added(file, entry_under(note.text, mark) or "", in_a_line=in_a_line)


def found(hits: Sequence[Hit], about: str, shown: str, most: int) -> Output:
    """What a search found."""
    named = hits[:most]
    head = f"{counted(len(hits), 'note')} about {about} in {shown}:"
    lines = [head, *(f"- {_place(h)}: {h.excerpt}".rstrip(": ") for h in named), *_rest(len(hits), most)]
    return Output("\n".join(lines), tuple(_item(h) for h in named))


def nothing_found(about: str, words: Sequence[str], titles: Sequence[str], shown: str) -> Output:
    """A search found nothing; the titles that are written almost so are named."""
    near = tuple(dict.fromkeys(t for word in words for t in nearest_names(word, titles)))[:3]
    almost = f"; almost so: {', '.join(near)}" if near else ""
    return Output(f"No note about {about} in {shown}{almost}.", ())


def listed(notes: Sequence[tuple[str, str]], shown: str, most: int) -> Output:
    """Which notes there are, by name and title."""
    if not notes:
        return Output(f"There are no notes in {shown}.", ())
    named = notes[:most]
    lines = [f"{counted(len(notes), 'note')} in {shown}:", *(f"- {one_line(t)} ({n})" for n, t in named)]
    items = tuple(Item(one_line(title), {"note": name, "title": one_line(title)}) for name, title in named)
    return Output("\n".join((*lines, *_rest(len(notes), most))), items)


def left_out(reasons: Sequence[str]) -> Iterator[str]:
    """What could not be read."""
    yield from (f"Left out: {reason}." for reason in reasons[:_LEFT_OUT])
    if len(reasons) > _LEFT_OUT:
        yield f"Left out: {len(reasons) - _LEFT_OUT} more."


def _rest(count: int, most: int) -> Iterator[str]:
    if count > most:
        yield f"… and {count - most} more."


def _place(hit: Hit) -> str:
    under = f" › {one_line(hit.heading)}" if hit.heading and hit.heading != hit.title else ""
    return f"{one_line(hit.title)} ({hit.name}){under}"


def _item(hit: Hit) -> Item:
    heading = one_line(hit.heading) or None
    data = {"note": hit.name, "title": one_line(hit.title), "heading": heading, "excerpt": hit.excerpt}
    return Item(f"{_place(hit)}: {hit.excerpt}".rstrip(": "), data)
