"""Looking notes up: the words of a request, or of what was found before, in a folder of notes.

Law: reading changes nothing; where no word says what is looked for, the answer is which notes there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from orchestrator.agents.builtin.answers.beyond import deed_of, only_read
from orchestrator.agents.builtin.answers.finding import Hit, hit_in, ranked
from orchestrator.agents.builtin.answers.reported import found, left_out, listed, nothing_found
from orchestrator.agents.builtin.asked import stems_of, telling_words
from orchestrator.agents.builtin.formats.markdown import Note
from orchestrator.agents.builtin.formats.shelf import Shelf
from orchestrator.agents.builtin.types.notes import NoteOptions, NoteWords
from orchestrator.agents.contract import Call, Item, Output

_MOST = 20
"""Most things found before that are looked up at once."""


@dataclass(slots=True)
class _Search:
    """What is looked for, and what came of it."""

    words: tuple[str, ...]
    hits: list[Hit] = field(default_factory=list[Hit])

    def look_into(self, note: Note) -> None:
        hit = hit_in(note, tuple(dict.fromkeys(stems_of(" ".join(self.words)))))
        if hit is not None:
            self.hits.append(hit)

    def told(self, titles: Sequence[str], shown: str, most: int) -> Output:
        about = f'"{" ".join(self.words)}"'
        if not self.hits:
            return nothing_found(about, self.words, titles, shown)
        return found(ranked(self.hits, len(titles)), about, shown, most)


def looked_up(call: Call, shelf: Shelf, options: NoteOptions) -> Output:
    """What the notes have of it."""
    words, shown = options.words, shelf.shown
    if deed := deed_of(call.action, words.deeds, words.polite, ()):
        return Output(only_read(deed, shown), ())
    listing, notes = shelf.listing(), list[tuple[str, str]]()
    searches = [_Search(wanted) for wanted in _wanted(call, words)]
    for note in shelf.notes(listing):
        notes.append((note.name, note.title))
        for search in searches:
            search.look_into(note)
    titles = [title for _, title in notes]
    told = [search.told(titles, shown, options.most) for search in searches]
    output = _joined(told) if told else listed(notes, shown, options.most)
    return replace(output, text="\n".join((output.text, *left_out(listing.left_out))))


def _joined(outputs: Sequence[Output]) -> Output:
    items = tuple(item for output in outputs for item in output.items or ())
    return Output("\n".join(output.text for output in outputs), items)


def _wanted(call: Call, words: NoteWords) -> list[tuple[str, ...]]:
    """The words of each search: those of the request, else those of the things that it is about."""
    own = telling_words(call.action, (*words.ignore, *words.name))
    if call.item is not None:
        return [own or _words_of(call.item, words)]
    if own:
        return [own]
    things = [item for upstream in call.inputs for item in upstream.output.items or ()]
    return list(dict.fromkeys(said for item in things[:_MOST] if (said := _words_of(item, words))))


def _words_of(item: Item, words: NoteWords) -> tuple[str, ...]:
    """Whom a thing is about, or what it is called; else all its words."""
    said = next((str(item.data[k]) for k in ("name", "from", "title") if item.data.get(k)), item.text)
    return telling_words(said, words.ignore)
