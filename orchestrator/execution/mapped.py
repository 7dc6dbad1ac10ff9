"""A task that runs once per item of a result: what the items are, and what they come to together. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.agents.contract import Item, Output
from orchestrator.ids import TaskId

_BULLET = re.compile(r"^([ \t]*)(?:[-*+•–]|\d{1,4}[.)])[ \t]+(\S.*)$")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Child:
    """What one child came to; `output` is None, and `error` set, where it did not end well."""

    id: TaskId
    output: Output | None
    error: str | None = None


def items_of(output: Output) -> tuple[Item, ...]:
    """The items of a result.

    Those it names; else, since a model answers in text, its bulleted or numbered lines (the outermost ones,
    each with the indented lines below it); else the whole text as one item. A blank text has none.
    """
    if output.items is not None:
        return output.items
    listed = _listed(output.text)
    if listed:
        return tuple(Item(text) for text in listed)
    return (Item(output.text.strip()),) if output.text.strip() else ()


def _listed(text: str) -> list[str]:
    """The outermost bulleted lines of a text, with what hangs below each."""
    lines = text.splitlines()
    margins = [len(m[1].expandtabs()) for line in lines if (m := _BULLET.match(line))]
    outermost = min(margins, default=0)
    found: list[str] = []
    inside = False
    for line in lines:
        bullet = _BULLET.match(line)
        if bullet and len(bullet[1].expandtabs()) == outermost:
            found.append(bullet[2].rstrip())
            inside = True
        elif inside and line.strip():
            inside = len(line.expandtabs()) - len(line.expandtabs().lstrip()) > outermost
            if inside:
                found[-1] += f"\n{line.strip()}"
    return found


def too_many(source: TaskId, items: int, limit: int) -> str | None:
    """The error of a list longer than a mapped task may expand to; None where it is not."""
    if items <= limit:
        return None
    return (
        f"{source} found {items:,} items, and a mapped task may have {limit:,}; raise execution.max_items in"
        " config/orchestrator.yaml, or ask for fewer"
    )


def gathered(source: TaskId, children: Sequence[Child]) -> tuple[Output, str | None]:
    """What the children came to together, in order, and the error where some did not end well.

    An item of the whole is an item of a child, or the text of one that found no list. The usage stays with
    the children.
    """
    outputs = [c.output for c in children if c.output is not None and c.error is None]
    if not children:
        return Output(f"nothing to do: {source} found no items", items=()), None
    texts = [o.text for o in outputs if o.text.strip()]
    between = "\n\n" if any("\n" in text for text in texts) else "\n"
    items = tuple(item for o in outputs for item in (o.items if o.items is not None else (Item(o.text),)))
    return Output(between.join(texts), items=items), _failures(children)


def _failures(children: Sequence[Child]) -> str | None:
    failed = [c for c in children if c.error is not None]
    if not failed:
        return None
    shown = "; ".join(f"{c.id}: {c.error}" for c in failed[:_SHOWN])
    more = f"; and {len(failed) - _SHOWN} more" if len(failed) > _SHOWN else ""
    return f"{len(failed)} of {len(children)} items failed: {shown}{more}"
