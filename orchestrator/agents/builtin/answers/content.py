"""What an entry or a note is to hold: the words of the request, and what was found before. Pure.

Law: what was found is written down as it is; where nothing was found and nothing is said, nothing is.
"""

from collections.abc import Sequence

from orchestrator.agents.builtin.answers.noted import Jotting
from orchestrator.agents.builtin.formats.markdown import entry_of
from orchestrator.agents.contract import Call
from orchestrator.errors import TaskError

NOTHING_SAID = "it is not said what is to be written, so nothing was; say it after a colon"


def content_of(call: Call, jotting: Jotting) -> tuple[str, Sequence[str]]:
    """What an entry says, and what was found; empty where that is nothing."""
    own = jotting.text
    if call.item is not None:
        return (f"{own}: {call.item.text}" if own else call.item.text), ()
    if not own and not call.inputs:
        raise TaskError(NOTHING_SAID)
    things = () if own and jotting.literal else _found(call)
    if own or not things:
        return own, things
    return things[0], things[1:]


def _found(call: Call) -> tuple[str, ...]:
    """What was found before: the lines of a list, of anything else the text as one."""
    things: list[str] = []
    for upstream in call.inputs:
        output = upstream.output
        if upstream.error is not None:
            things.append(f"{upstream.task} failed: {upstream.error}")
        elif output.items is None:
            things.append(output.text)
        elif output.items:
            things += [line.strip().removeprefix("- ") for line in output.text.split("\n")]
    return tuple(thing for thing in things if thing.strip())


def body_of(call: Call) -> str:
    """What was found before, as the text of a note."""
    things = (call.item.text,) if call.item is not None else _found(call)
    return "\n".join(entry_of(thing, (), "") for thing in things)
