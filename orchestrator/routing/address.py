"""`@calendar what is on today`: a turn that names its agent goes to that agent.

Law: an address stands at the start of the turn, is a known agent's name in any case, and ends at white space,
a colon, a comma or the end of the turn; or where a script written without spaces begins. What follows is what
the agent is asked, trimmed, and cited in the original text.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from orchestrator.ids import AgentName, Span
from orchestrator.routing.words import in_word

_MENTION = re.compile(r"\s*(@([A-Za-z][A-Za-z0-9_-]*))")
_LEAD = re.compile(r"\s*[:,：，]?\s*")


@dataclass(frozen=True, slots=True)
class Address:
    """`written` is the name after the @, at `mark`; `agent` is None where nobody is called so. `rest` is what
    is asked, without the white space around it."""

    agent: AgentName | None
    written: str
    mark: Span
    rest: Span


def find_address(text: str, names: Collection[AgentName]) -> Address | None:
    """The address that the turn begins with, of a known agent or not; None where it begins otherwise."""
    mention = _MENTION.match(text)
    if mention is None or not _ends_at(text, mention.end()):
        return None
    lead = _LEAD.match(text, mention.end())
    start = lead.end() if lead else mention.end()
    end = max(start, len(text.rstrip()))
    return Address(_named(mention[2], names), mention[2], mention.span(1), (start, end))


def nearest_name(written: str, names: Collection[AgentName]) -> AgentName | None:
    """The known name most like the written one; None where there are no names."""
    from difflib import get_close_matches

    by_folded = {name.casefold(): name for name in names}
    close = get_close_matches(written.casefold(), by_folded, n=1, cutoff=0.0)
    return by_folded[close[0]] if close else None


def _ends_at(text: str, at: int) -> bool:
    char = text[at : at + 1]
    return not char or char.isspace() or char in ":,：，" or (char.isalpha() and not in_word(char))


def _named(written: str, names: Collection[AgentName]) -> AgentName | None:
    """The agent of this very name, else of this name in another case."""
    alike = [name for name in names if name.casefold() == written.casefold()]
    return next((name for name in alike if name == written), alike[0] if alike else None)
