"""How another's text is told apart from what is said about it: data stands between fences. Pure.

Law: no line of the text can close its fence, which is longer than any run of the fence's character in the
text (the rule of CommonMark's fenced blocks).
"""

import re


def fence_for(text: str) -> str:
    """The line to put before and after the text; three backticks, or more where the text has as many."""
    if "`" not in text:
        return "```"
    return "`" * max(3, max(map(len, re.findall("`+", text))) + 1)
