r"""How a planner speaks: in lines of fields with bars between, decorated, after some thought.

Laws: a line that looks like one of a form is its fields or an error, never prose. Numbering, bullets, bold
and code around a line are let pass, and so are thinking blocks, the case of its word, a missing last bar.

A bar inside a field is written `\|`; a backslash elsewhere is a backslash.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARKS = r"*_`"
_COLON = re.compile(rf"^(?:[\s_-]*#?\d{{1,4}})?[\s{_MARKS}]*[:：](?P<closed>[{_MARKS}]*)")
_BAR = re.compile(r"(?<!\\)(\\*)([|｜])")
_THOUGHT = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Form:
    """Lines of one kind, as the planner is told of them. Made by `form`.

    `opened` finds marks right before the word; with a blank between, a star is a bullet, and none will close.
    """

    text: str
    word: str
    names: tuple[str, ...]
    head: re.Pattern[str]
    opened: re.Pattern[str]

    def __str__(self) -> str:
        return self.text

    def fields(self, line: str) -> list[str] | None:
        """What stands between the bars of a line, the last field empty where it is left out.

        None where the line is prose, or the form itself. Raises ValueError, which says what is wrong.
        """
        fields = self._cut(line)
        if fields is None or tuple(map(str.casefold, fields)) == self.names:
            return None
        count = len(self.names)
        if not fields:
            raise ValueError(f"`{self}`; write a colon after {self.word}")
        if len(fields) not in (count - 1, count):
            wanted = r"write a bar inside a field as \|" if len(fields) > count else "write all of them"
            raise ValueError(f"`{self}`; found {len(fields)} of its {count} fields; {wanted}")
        return [*fields, *[""] * (count - len(fields))]

    def _cut(self, line: str) -> list[str] | None:
        """What stands between the bars; nothing where there are bars, and no colon before them."""
        head = self.head.match(line)
        if head is None:
            return None
        colon = _COLON.match(head["rest"])
        if colon is None:
            return [] if _BAR.search(head["rest"]) else None
        body = head["rest"][colon.end() :].strip()
        if not colon["closed"] and (marks := self.opened.search(line[: head.start("rest")])):
            body = body.removesuffix(marks[1]).rstrip()
        fields = [field.strip() for field in _at_bars(body)]
        return fields[:-1] if len(fields) > len(self.names) and not fields[-1] else fields


def form(text: str) -> Form:
    """The form of a text such as `TASK: id | action`."""
    word, _, names = text.partition(": ")
    numbering = rf"(?:(?:step\s+)?\(?(?:\d{{1,4}}|[a-z])[.):]+[\s|｜{_MARKS}]*)?"
    head = rf"^[\s>#|｜{_MARKS}+•–—-]*{numbering}{word}(?!_*[^\W\d_])(?P<rest>.*)$"
    return Form(
        text,
        word,
        tuple(names.split(" | ")),
        re.compile(head, re.IGNORECASE | re.DOTALL),
        re.compile(rf"([{_MARKS}]+){word}$", re.IGNORECASE),
    )


def escaped(text: str) -> str:
    """The text as a field: line breaks become spaces, and no bar ends it."""
    return _BAR.sub(lambda bar: bar[1] * 2 + "\\" + bar[2], " ".join(text.splitlines()))


def bare(name: str) -> str:
    """A name without what is written around it."""
    return name.strip(" \t*`'\"[]()@")


def spoken(reply: str) -> tuple[list[str], bool]:
    """The lines of the reply with thinking blanked out, and whether the reply ends inside of it.

    A block opens at the start of a line. One that only closes (the prompt opened it) takes all before it.
    """
    said: list[str] = []
    thinking = False
    for line in reply.splitlines():
        tags = list(_THOUGHT.finditer(line))
        opens = bool(tags) and not tags[0][1] and not line[: tags[0].start()].strip()
        closing = next((tag for tag in reversed(tags) if tag[1]), None)
        if closing is not None and (thinking or opens or _stands_alone(line, closing)):
            if not thinking and not opens:
                said = [""] * len(said)
            said.append(line[closing.end() :])
            thinking = False
        else:
            thinking = thinking or opens
            said.append("" if thinking else line)
    return said, thinking


def _stands_alone(line: str, tag: re.Match[str]) -> bool:
    return not line[: tag.start()].strip() or not line[tag.end() :].strip()


def _at_bars(body: str) -> Iterator[str]:
    """The body cut at its bars; an odd number of backslashes before a bar makes it part of the text."""
    piece, start = "", 0
    for bar in _BAR.finditer(body):
        slashes = len(bar[1])
        piece += body[start : bar.start()] + "\\" * (slashes // 2)
        start = bar.end()
        if slashes % 2:
            piece += bar[2]
        else:
            yield piece
            piece = ""
    yield piece + body[start:]
