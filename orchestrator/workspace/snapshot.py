"""What a run was begun with, to be resumed with the same: the files of a workspace, known by their content.

Law: the fingerprint says what is in it, so that a damaged one is never taken for a workspace. A literal
secret is not in it: a reference that nobody sets stands in its place, so that whoever loads the snapshot is
told which key to provide. What is too short to be a secret is left: it is found in every other word.
"""

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from orchestrator.errors import StoreError
from orchestrator.workspace.secrets import findable

REDACTED = "${CUEWAVE_REDACTED}"
_BARE = r"([:-][ \t]+|[,\[{{][ \t]*){}(?=[ \t]*(?:[,\]}}]|[ \t]#|$))"
"""A whole value without quotes, which the braces of the reference may need."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The files of `config/` and `agents/` and the templates in use, as one text (JSON, UTF-8).

    `fingerprint` is the SHA-256 of the text, `prompts` that of the templates alone.
    """

    fingerprint: str
    prompts: str
    body: bytes


def snapshot_of(
    files: Mapping[str, bytes], templates: Mapping[str, str], literal_secrets: Collection[str]
) -> Snapshot:
    """The snapshot of these files and templates, each by its name in the workspace, or in `prompts/`."""
    spelled = [s for secret in findable(literal_secrets) for s in _spellings(secret)]
    texts = {n: _without(spelled, raw.decode("utf-8", "surrogateescape")) for n, raw in files.items()}
    prompts = {f"prompts/{name}": _without(spelled, text) for name, text in templates.items()}
    body = _text({**texts, **prompts})
    return Snapshot(_hash(body), _hash(_text(prompts)), body)


def unpack(fingerprint: str, body: bytes, folder: Path) -> None:
    """Write the files of a snapshot into an empty folder. Raises StoreError for one that is damaged."""
    if _hash(body) != fingerprint:
        raise StoreError(
            f"the snapshot {fingerprint[:12]} of a workspace is damaged: its content is not what it was; "
            "restore the store from a copy"
        )
    try:
        for name, text in json.loads(body).items():
            path = folder / name
            path.resolve().relative_to(folder.resolve())  # ValueError for a name that leaves the folder
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
    except (ValueError, AttributeError, TypeError, OSError) as error:
        raise StoreError(
            f"the snapshot {fingerprint[:12]} of a workspace cannot be unpacked: {error}"
        ) from None


def _without(secrets: Collection[str], text: str) -> str:
    for secret in secrets:
        text = re.sub(_BARE.format(re.escape(secret)), rf'\1"{REDACTED}"', text, flags=re.MULTILINE)
        text = text.replace(secret, REDACTED)
    return text


def _spellings(secret: str) -> tuple[str, ...]:
    """The ways in which YAML writes a text on one line: in single quotes, in double ones, plain."""
    return tuple(dict.fromkeys((secret.replace("'", "''"), json.dumps(secret)[1:-1], secret)))


def _hash(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _text(files: Mapping[str, str]) -> bytes:
    return json.dumps(files, sort_keys=True, separators=(",", ":")).encode()
