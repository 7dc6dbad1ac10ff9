"""How notes may be called. Pure.

Law: a name leads to a file below the folder of notes and nowhere else; what could not be told apart on some
machine (case, the two ways to write an accent, hyphens for blanks) is one name.
"""

import re
import unicodedata

_LONGEST = 120
_DEEPEST = 5
_ODD = re.compile(r'[\\:*?"<>|]')
_DEVICES = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")


def said_name(text: str) -> str:
    """The name as it is said: without quotation marks, an ending `.md`, and blanks too many."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    name = re.sub(r"""^["“'‘](.*)["”'’]$""", r"\1", name).strip()
    return re.sub(r"(?i)\.md$", "", name)


def fault_of_name(name: str) -> str | None:
    """Why no note can be called so; None for a good name."""
    parts = name.split("/")
    if len(parts) > _DEEPEST:
        return f"it is more than {_DEEPEST} folders deep"
    return next((fault for part in parts if (fault := _fault_of_part(part))), None)


def _fault_of_part(part: str) -> str | None:
    if not part or part in (".", ".."):
        return "it leads elsewhere than into the folder of notes" if part else "a part of it is empty"
    if part.startswith((".", "~")):
        return f"{part!r} would be hidden, or be a home folder"
    if odd := _ODD.search(part):
        return f"{odd[0]!r} cannot be in it"
    if not part.isprintable() or part != part.strip() or part.endswith("."):
        return "it has characters that cannot be seen, or ends with a full stop"
    if _DEVICES.fullmatch(part):
        return f"{part!r} is a device on some machines"
    if len(part.encode("utf-8", "replace")) > _LONGEST:
        return f"it is longer than {_LONGEST} bytes"
    return None


def same_name(name: str) -> str:
    """What all ways to write a name have in common."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return "/".join(" ".join(re.split(r"[\s_-]+", part)).strip() for part in plain.split("/"))
