"""The names in a workspace at a glance, for a shell that completes a word.

Law: fast, so the files are not parsed: what stands at the beginning of a line, as people write it, is found,
and what is written otherwise is missed. Nothing is judged, and a file that cannot be read says nothing.
"""

import re
from collections.abc import Iterator
from pathlib import Path

_MOST = 64 * 1024
"""Characters of a file that are looked at."""
_NAME = re.compile(r"""^name\s*:\s*["']?([A-Za-z][\w-]*)["']?\s*(?:#.*)?$""", re.MULTILINE)
_KIND = re.compile(r"""^\s*kind\s*:\s*["']?([A-Za-z][\w-]*)["']?\s*(?:#.*)?$""", re.MULTILINE)
_KINDS = re.compile(r"^kinds\s*:[ \t]*(?:#.*)?\n((?:(?:[ \t]+.*|[ \t]*#.*|[ \t]*)\n)*)", re.MULTILINE)
_KEY = re.compile(r"""^([ \t]+)["']?([A-Za-z][\w-]*)["']?\s*:""", re.MULTILINE)


def agents_at(root: Path) -> tuple[str, ...]:
    """The names of the agents, sorted."""
    return tuple(sorted({name for text in _texts(root) for name in _NAME.findall(text)}))


def kinds_at(root: Path) -> tuple[str, ...]:
    """The job kinds of `config/planning.yaml`, and those that agents and intents have, sorted."""
    kinds = {kind for text in _texts(root) for kind in _KIND.findall(text)}
    block = _KINDS.search(_text(root / "config" / "planning.yaml"))
    keys = _KEY.findall(block[1]) if block else []
    return tuple(sorted(kinds.union(key for indent, key in keys if indent == keys[0][0])))


def schemas_at(root: Path) -> tuple[str, ...]:
    """The names of the schemas that lie with a workspace, sorted."""
    return tuple(sorted(file.stem for file in (root / "schemas").glob("*.json")))


def _texts(root: Path) -> Iterator[str]:
    """The files of the agents."""
    for file in sorted((root / "agents").glob("*.y*ml")):
        yield _text(file)


def _text(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(_MOST)
    except OSError:
        return ""
