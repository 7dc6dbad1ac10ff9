"""Secrets: where they come from, and which texts of a file must never be shown.

Law: a field meant for a secret names an environment variable as `${NAME}`, resolved once, at load. A literal
one is accepted, and neither is ever printed. What merely looks like a secret by its key is not shown either,
since a mistyped key must not give away its value.
"""

import re
from collections.abc import Collection, Iterator, Mapping

REFERENCE_PATTERN = r"^\$\{[A-Za-z_][A-Za-z0-9_]*\}$"
_REFERENCE = re.compile(REFERENCE_PATTERN)
_SHORTEST = 8
_STEMS = ("api", "access", "secret", "token", "passw", "credential")
_NAMES = re.compile(r"(?i)(?:api|access)[^a-z0-9]?k[a-z]{2}|secret|token(?!s)|passw|credential")


class Presumed(Mapping[str, str]):
    """An environment in which every variable is set: for who looks at the files, and shows no secret."""

    def __getitem__(self, key: str) -> str:
        return "presumed"

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def reference(text: str) -> str | None:
    """The variable's name where the whole text is `${NAME}`."""
    return text[2:-1] if _REFERENCE.fullmatch(text) else None


def resolve(text: str, env: Mapping[str, str]) -> tuple[str, str]:
    """The variable (empty for a literal secret) and the value. Raises ValueError, without the value in it."""
    name = reference(text)
    if name is None:
        if not text.strip() or "${" in text:
            raise ValueError("a secret is the whole text `${NAME}`, or a literal that is not empty")
        return "", text
    if not env.get(name):
        state = "is empty" if name in env else "is not set"
        raise ValueError(f"the environment variable {name} {state}; set it, or take the key out")
    return name, env[name]


def findable(secrets: Collection[str]) -> tuple[str, ...]:
    """Those that can be looked for in a text, the longest first: a short one stands in every other word."""
    return tuple(sorted({s for s in secrets if len(s) >= _SHORTEST}, key=len, reverse=True))


def named_like_a_secret(key: str) -> bool:
    """Whether a key's name says that its value is not for showing; also where it is mistyped a little."""
    return bool(_NAMES.search(key))


def may_name_a_secret(text: str) -> bool:
    """A quick look at a whole file: whether any key of it can be named like a secret."""
    lowered = text.lower()
    return any(stem in lowered for stem in _STEMS)


def secret_spans(text: str) -> tuple[tuple[int, int], ...]:
    """What may be a secret in a text that is no YAML: rather too much than too little.

    From a key that names a secret to the end of its line, and the deeper lines that follow.
    """
    spans: list[tuple[int, int]] = []
    at, above = 0, -1
    for line in text.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip())
        if 0 <= above < indent:
            spans.append((at, at + len(line)))
        else:
            named = _NAMES.search(line)
            colon = line.find(":", named.end()) if named else -1
            above = indent if colon >= 0 else -1
            if colon >= 0:
                spans.append((at + colon + 1, at + len(line)))
        at += len(line)
    return tuple(spans)
