"""Requests that reach the agent `reminders` and ask for no reminder. Pure.

Law: a denial, a question and a wish to alter what is there write nothing, and the answer says so.
"""

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from orchestrator.agents.builtin.answers.requested import any_of, opening_of
from orchestrator.agents.builtin.types.reminders import ReminderWords

Meant: TypeAlias = Literal["remind", "list", "nothing", "alter"]
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')


def meant_by(action: str, words: ReminderWords) -> Meant:
    """What the request is for."""
    text = _QUOTED.sub("", action).strip()
    if occurs(text, words.refusing):
        return "nothing"
    plain = re.sub(rf"^(?:{any_of(words.polite)}\b[\s,]*)*", "", text, flags=re.IGNORECASE)
    if opening_of(plain, words):
        return "remind"
    if _begins(plain, words.negating):
        return "nothing"
    if _begins(plain, words.altering) and occurs(plain, words.name):
        return "alter"
    return "list" if _begins(plain, words.asking) else "remind"


def occurs(text: str, phrases: Sequence[str]) -> bool:
    """Whether one of the phrases occurs, as whole words, with either apostrophe."""
    return re.search(rf"(?<!\w){any_of(phrases)}(?!\w)", text, re.IGNORECASE) is not None


def _begins(text: str, phrases: Sequence[str]) -> bool:
    return re.match(rf"{any_of(phrases)}(?!\w)", text, re.IGNORECASE) is not None
