"""What a run was begun with, to be resumed with the same: the files of a workspace, known by their content.

Law: the fingerprint says what is in it. A literal secret is not in it: a reference that nobody sets stands in
its place, so that whoever loads the snapshot is told which key to provide.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from orchestrator.errors import StoreError

REDACTED = "${CUEWAVE_REDACTED}"


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
    texts = {name: raw.decode("utf-8", "surrogateescape") for name, raw in files.items()}
    for secret in literal_secrets:
        texts = {name: text.replace(secret, REDACTED) for name, text in texts.items()}
    prompts = {f"prompts/{name}": text for name, text in templates.items()}
    body = _text({**texts, **prompts})
    return Snapshot(hashlib.sha256(body).hexdigest(), hashlib.sha256(_text(prompts)).hexdigest(), body)


def unpack(body: bytes, folder: Path) -> None:
    """Write the files of a snapshot into an empty folder. Raises StoreError for what is none."""
    try:
        files = json.loads(body)
        for name, text in files.items():
            path = folder / name
            path.resolve().relative_to(folder.resolve())  # ValueError for a name that leaves the folder
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
    except (ValueError, AttributeError, TypeError) as error:
        raise StoreError(f"a damaged snapshot of a workspace: {error}") from None


def _text(files: Mapping[str, str]) -> bytes:
    return json.dumps(files, sort_keys=True, separators=(",", ":")).encode()
