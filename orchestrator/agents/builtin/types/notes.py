"""The type `notes`: its options, and what its intents may ask for."""

from typing import Annotated

from pydantic import AfterValidator

from orchestrator.agents.builtin.options import Size
from orchestrator.agents.contract import AgentType
from orchestrator.agents.late import late
from orchestrator.workspace.models import Knobs, Positive, Text


def _dated(name: str) -> str:
    if "$date" not in name:
        raise ValueError("the name of the note of a day has `$date` in it")
    return name


class NoteWords(Knobs):
    """Words of requests, in English; each list can be replaced."""

    polite: tuple[Text, ...] = ("and", "can you", "could you", "i want you to", "please", "then", "would you")
    """Words at the beginning that mean nothing."""
    name: tuple[Text, ...] = ("diary", "journal", "note", "notebook", "notes")
    """What a note is called, and all of them."""
    ignore: tuple[Text, ...] = (
        "a", "about", "all", "an", "and", "any", "anything", "are", "did", "do", "does", "everything",
        "file", "find", "for", "from", "get", "give", "have", "how", "i", "in", "is", "it", "know", "list",
        "look", "looking", "many", "me", "mention", "mentions", "my", "of", "on", "or", "our", "please",
        "read", "say", "says", "search", "show", "something", "tell", "that", "the", "them", "there",
        "these", "they", "things", "this", "those", "through", "to", "up", "us", "was", "we", "what",
        "when", "where", "which", "who", "with", "write", "written", "wrote", "you",
    )  # fmt: skip
    """Words that are no search words, beside those for a note."""
    deeds: tuple[Text, ...] = (
        "add", "append", "change", "clear", "create", "delete", "empty", "erase", "jot", "make", "move",
        "overwrite", "put", "remove", "rename", "replace", "rewrite", "save", "start", "strike", "write",
    )  # fmt: skip
    """Words at the beginning that ask for more than to search."""
    opening: tuple[Text, ...] = (
        "add", "add a line", "add a note", "append", "copy", "file", "jot down", "keep", "log", "make a note",
        "note", "note down", "put", "record", "save", "take a note", "write", "write a note", "write down",
    )  # fmt: skip
    """Words at the beginning that ask for an entry and are no part of it."""
    linking: tuple[Text, ...] = ("about", "for", "of", "on", "saying", "that", "to")
    """A word between the opening and the entry."""
    literal: tuple[Text, ...] = ("saying", "that")
    """The linking words, beside a colon, after which the entry stands word for word."""
    into: tuple[Text, ...] = ("in", "into", "on", "to", "under")
    """What follows is where an entry goes."""
    called: tuple[Text, ...] = ("about", "called", "for", "named", "on", "titled")
    """What follows is the name of a note."""
    own: tuple[Text, ...] = ("a", "an", "my", "our", "the", "this", "your")
    """Words before a note that are no part of its name."""
    today: tuple[Text, ...] = ("daily", "today", "today's")
    """The note of this day, as is every request that names none."""
    pointing: tuple[Text, ...] = (
        "a list", "a summary", "all of it", "all of them", "each", "each of them", "everything", "it",
        "it down", "one for each", "that", "that down", "the answer", "the findings", "the list",
        "the result", "the results", "the summary", "them", "them down", "these", "this", "this down",
        "those", "what was found", "what you find", "what you found",
    )  # fmt: skip
    """Words that point at what was found before, and say nothing by themselves."""
    making: tuple[Text, ...] = ("create", "make", "new", "open", "start", "write")
    """Words at the beginning that ask for a new note."""
    replacing: tuple[Text, ...] = ("change", "overwrite", "replace", "rewrite", "set", "update")
    """Words at the beginning that ask for another text of a section."""
    section: tuple[Text, ...] = ("heading", "part", "section")
    """What follows is the heading of a section."""
    holding: tuple[Text, ...] = ("containing", "saying", "that says", "to say", "with", "with the text")
    """What follows is the text of a note or a section."""
    negating: tuple[Text, ...] = ("do not", "don't", "dont", "never", "no need", "not")
    """Words at the beginning by which nothing is wanted."""
    asking: tuple[Text, ...] = (
        "did", "do i", "do we", "does", "have i", "have we", "how", "is there", "what", "what's", "when",
        "where", "which", "who", "why",
    )  # fmt: skip
    """Words at the beginning that ask for an answer rather than for an entry."""
    altering: tuple[Text, ...] = ("clear", "delete", "empty", "erase", "move", "remove", "rename", "strike")
    """Words at the beginning that would take something away."""


class NoteOptions(Knobs):
    """Options of `uses: notes`."""

    folder: Text
    """The folder of Markdown files (`.md`), with its sub-folders; relative to the workspace, absolute paths
    and `~` are fine. Hidden files and links are left alone."""
    today: Annotated[Text, AfterValidator(_dated)] = "$date"
    """Name of the note of a day; `$date` is filled in: `daily/$date`."""
    create: bool = True
    """Whether an entry for a note that there is not makes that note."""
    max_size: Size = 1024**2
    """A larger note is not read, and none is made larger."""
    max_notes: Positive = 5000
    """A folder with more notes is refused rather than half read."""
    most: Positive = 20
    """Most notes that an answer names; how many there are is always said."""
    words: NoteWords = NoteWords()
    """The words by which a request is understood."""


TYPE = AgentType(
    name="notes",
    options=NoteOptions,
    effects="read",
    steps="one",
    operations=("search", "append", "write"),
    build=late("orchestrator.agents.builtin.notes"),
    writing=("append", "write"),
)
