"""Requests that an agent which only reads cannot serve: `cancel my appointment`, `delete all mails`. Pure.

Law: whoever asks for a deed is told that it was not done, rather than shown a list as if it had been.
"""

import re
from collections.abc import Sequence

from orchestrator.agents.builtin.asked import any_phrase


def deed_of(action: str, deeds: Sequence[str], polite: Sequence[str], readers: Sequence[str]) -> str:
    """The deed at the beginning of a request, behind polite words; empty where only an answer is wanted.

    `send me …` asks for an answer: `readers` are the words behind a deed that mean who asks.
    """
    begin = rf"\s*(?:{any_phrase(polite)}[\s,]*)*({any_phrase(deeds)})(?!\s+{any_phrase(readers)})"
    match = re.match(begin, action.replace("’", "'"), re.IGNORECASE)
    return match[1] if match else ""


def only_read(deed: str, file: str) -> str:
    """What is said of a deed."""
    return f'Nothing was done: "{deed.lower()}" is asked for, and {file} is only read here.'
