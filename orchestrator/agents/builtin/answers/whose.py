"""Which rows of a table a request names: by number, by the name of who owes, or all of them. Pure.

Law: a name that is nobody's never stands for everybody in silence. Where it can only be a name, there are no
rows; where it may be an ordinary word, there are all, and the answer says that it was not used.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from orchestrator.agents.builtin.asked import nearest_names, split_names, telling_words, words_of
from orchestrator.agents.builtin.formats.rows import Entry
from orchestrator.agents.builtin.types.ledger import LedgerOptions, LedgerWords

_AROUND = "#()[]\"'“”‘’.,;:!?"
_SHORTEST = 3
_MOST = 3
_MOST_READ = 20


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a request may name. `names` may be names: the table tells. `person` is one for sure."""

    text: str
    names: tuple[str, ...] = ()
    person: str | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows, whose they are where somebody was named, and what is to be said of words that named nobody.

    `by_number`: each was named by itself. `stranger`: what is said instead, where only nobody was named.
    """

    rows: tuple[Entry, ...] = ()
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    by_number: bool = False
    stranger: str | None = None


def chosen(entries: Sequence[Entry], mentions: Mentions, options: LedgerOptions, file: str) -> Chosen:
    """The rows that the request names; `file` is what the table is called."""
    names = _names_of(entries, options.words, file)
    if mentions.person is not None:
        found = names.matching(mentions.person)
        return _rows(entries, found) if found else Chosen(stranger=names.nobody(mentions.person))
    numbers = _numbers_in(mentions.text, options.columns.number)
    written = {n.written for n in numbers}
    rows = tuple(e for e in entries if e.number.casefold() in written)
    if rows:
        return Chosen(rows, by_number=True)
    missing = next((n.written for n in numbers if n.surely), None)
    if missing is not None:
        return Chosen(stranger=f'No {options.noun} in {file} has the number "{missing}"')
    found = _by_name(entries, mentions, names)
    unused = (
        f'"{n.written}" was not used: it is the number of no {options.noun}, and amounts cannot be asked for'
        for n in numbers[:_MOST]
    )
    return replace(found, notes=(*found.notes, *unused))


def _rows(entries: Sequence[Entry], names: Collection[str], notes: tuple[str, ...] = ()) -> Chosen:
    return Chosen(tuple(e for e in entries if e.name in names), tuple(sorted(names)), notes)


# ── by number ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Number:
    """A number in the request; `surely` where the word before it says that it is one of a row."""

    written: str
    surely: bool


def _numbers_in(text: str, leads: Sequence[str]) -> tuple[_Number, ...]:
    """What may be the number of a row. A short one only after a word such as "invoice"."""
    words = [word.strip(_AROUND).casefold() for word in text.split()]
    found = (
        _Number(word, before in leads)
        for before, word in zip(("", *words), words, strict=False)
        if any(c.isdigit() for c in word)
    )
    return tuple(n for n in found if n.surely or len(n.written) >= _SHORTEST)


# ── by name ─────────────────────────────────────────────────────────────────────────────────────────


def _by_name(entries: Sequence[Entry], mentions: Mentions, names: "_Names") -> Chosen:
    """The rows of those who are named; all of them where nobody is."""
    found, strangers = names.in_full(mentions.text), list[str]()
    for phrase in dict.fromkeys(mentions.names):
        here, unknown = names.of_phrase(phrase)
        is_within = names.sharing(phrase) & found  # cut off at a word of the name, such as "of"
        found, strangers = found | here, [*strangers, *(() if is_within else unknown)]
    if not mentions.names:
        found = found or names.by_a_word(mentions.text)
        strangers = [] if found else names.misspelt(mentions.text)
    strangers = list(dict.fromkeys(strangers))[:_MOST]
    notes = tuple(f"{names.nobody(s)}; it was not used" for s in strangers)
    if found:
        return _rows(entries, found, notes)
    surely = [s for s in strangers if mentions.names and (s[0].isupper() or names.nearest(s))]
    if surely:
        return Chosen(stranger=names.nobody(*surely))
    return Chosen(tuple(entries), notes=notes)


def _names_of(entries: Sequence[Entry], words: LedgerWords, file: str) -> "_Names":
    known = {e.name: words_of(e.name) for e in entries}
    by_word: dict[str, set[str]] = {}
    for name, own in known.items():
        for word in own:
            by_word.setdefault(word, set()).add(name)
    return _Names(known, by_word, words, file)


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of a table, each with its words and each word with its names; how requests are read."""

    known: Mapping[str, tuple[str, ...]]
    by_word: Mapping[str, set[str]]
    words: LedgerWords
    file: str

    def matching(self, name: str) -> set[str]:
        """The names that have all these words; ordinary ones need not be there."""
        said = set(words_of(name))
        wanted = said - self.words.ordinary or said
        return set[str].intersection(*(self.by_word.get(w, set()) for w in wanted)) if wanted else set()

    def in_full(self, text: str) -> set[str]:
        """The names that stand in the text with all their words."""
        said = f" {' '.join(words_of(text))} "
        return {name for name, words in self.known.items() if words and f" {' '.join(words)} " in said}

    def of_phrase(self, phrase: str) -> tuple[set[str], list[str]]:
        """Whom a phrase names, as a whole or one by one, and those of its parts that are nobody."""
        whole = self.matching(phrase)
        if whole:
            return whole, []
        parts = [p for p in split_names(phrase, self.words.join) if telling_words(p, self.words.ordinary)]
        found = {part: self.matching(part) for part in parts}
        return set[str]().union(*found.values()), [part for part, names in found.items() if not names]

    def sharing(self, phrase: str) -> set[str]:
        """The names that have one of these words."""
        return set[str]().union(*(self.by_word.get(w, set()) for w in words_of(phrase)))

    def by_a_word(self, text: str) -> set[str]:
        """The names of which a word that is no ordinary one stands in the text."""
        said = (w for w in words_of(text) if len(w) >= _SHORTEST and w not in self.words.ordinary)
        return self.sharing(" ".join(said))

    def misspelt(self, text: str) -> list[str]:
        """Words of the text that are written almost like a name."""
        words = telling_words(text, self.words.ordinary)[:_MOST_READ]
        return [w for w in words if len(w) > _SHORTEST and self.nearest(w)]

    def nearest(self, name: str) -> tuple[str, ...]:
        """The names that are written almost so."""
        return nearest_names(name, self.known)

    def nobody(self, *names: str) -> str:
        """That nobody is called so, and who is called almost so."""
        near = dict.fromkeys(full for name in names for full in self.nearest(name))
        hint = f"; the nearest is {' or '.join(near)}" if near else ""
        return f'No name in {self.file} matches "{" or ".join(names)}"{hint}'
