"""A snapshot is what it says it is, comes back byte by byte, and has no secret in it."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st
from orchestrator.errors import StoreError
from orchestrator.workspace.snapshot import REDACTED, Snapshot, snapshot_of, unpack

FILES = {"config/orchestrator.yaml": b"", "agents/a.yaml": "name: ä\r\n".encode()}
TEMPLATES = {"planner.j2": "Plan {{ request }}\n"}
KEY = "sk-live-0123456789"


def unpacked(snapshot: Snapshot, folder: Path) -> dict[str, bytes]:
    unpack(snapshot.fingerprint, snapshot.body, folder)
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_files_come_back_as_they_were(tmp_path: Path) -> None:
    odd = {**FILES, "agents/odd.yaml": b"\xff\xfe not text"}
    templates = {"prompts/planner.j2": TEMPLATES["planner.j2"].encode()}
    assert unpacked(snapshot_of(odd, TEMPLATES, ()), tmp_path) == {**odd, **templates}


def test_the_fingerprint_is_of_the_content_and_of_nothing_else() -> None:
    one = snapshot_of(FILES, TEMPLATES, ())
    assert one.fingerprint == hashlib.sha256(one.body).hexdigest()
    assert one == snapshot_of(dict(reversed(FILES.items())), TEMPLATES, ())


@pytest.mark.parametrize(
    ("files", "templates", "prompts_too"),
    [
        ({**FILES, "config/orchestrator.yaml": b"version: 1"}, TEMPLATES, False),
        ({"config/orchestrator.yaml": b"", "agents/b.yaml": FILES["agents/a.yaml"]}, TEMPLATES, False),
        (FILES, {"planner.j2": "Plan {{ request }}"}, True),
        (FILES, {}, True),
    ],
    ids=["content", "name", "template", "no template"],
)
def test_any_change_is_another_snapshot(files: dict, templates: dict, prompts_too: bool) -> None:
    before, after = snapshot_of(FILES, TEMPLATES, ()), snapshot_of(files, templates, ())
    assert before.fingerprint != after.fingerprint
    assert (before.prompts != after.prompts) is prompts_too


@pytest.mark.parametrize(
    "spelled",
    [
        "{api_key: %s}",
        "{api_key: %s, model: m}",
        "api_key: %s",
        "api_key: %s  # mine",
        'api_key: "%s"',
        "api_key: '%s'",
        "keys: [%s,other]",
        "keys:\n- %s",
    ],
)
def test_a_literal_secret_is_a_reference_in_its_place_however_it_was_written(spelled: str) -> None:
    text = spelled % KEY
    snapshot = snapshot_of({"config/models.yaml": text.encode()}, {}, [KEY])
    assert KEY.encode() not in snapshot.body
    assert REDACTED in str(loaded(snapshot))
    assert snapshot == snapshot_of({"config/models.yaml": _expected(text)}, {}, ())


def _expected(text: str) -> bytes:
    """The same with the reference as the value, in quotes where it had none."""
    quoted = any(f"{quote}{KEY}" in text for quote in "\"'")
    return text.replace(KEY, REDACTED if quoted else f'"{REDACTED}"').encode()


def loaded(snapshot: Snapshot) -> object:
    """The models file of a snapshot, as YAML."""
    return yaml.safe_load(json.loads(snapshot.body)["config/models.yaml"])


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=8, max_size=16), st.booleans())
def test_whatever_is_in_a_secret_the_reference_is_read_in_its_place(secret: str, flow: bool) -> None:
    assume(secret not in "api_key: timeout: ")  # a secret that is a key's own text cannot be told from it
    data = {"model": "m", "api_key": secret, "timeout": "5s"}
    text = yaml.safe_dump(data, default_flow_style=flow, width=10_000)
    found = loaded(snapshot_of({"config/models.yaml": text.encode()}, {}, [secret]))
    assert found == {**data, "api_key": REDACTED}


def test_a_secret_that_contains_another_is_gone_as_a_whole() -> None:
    text = f"a: {KEY}\nb: {KEY}-and-more\n"
    snapshot = snapshot_of({"config/models.yaml": text.encode()}, {}, [KEY, f"{KEY}-and-more"])
    assert b"and-more" not in snapshot.body


def test_a_secret_in_a_template_is_gone_too() -> None:
    snapshot = snapshot_of(FILES, {"agent.j2": f"The key is {KEY}."}, [KEY])
    assert KEY.encode() not in snapshot.body


def test_what_is_too_short_for_a_secret_does_not_tear_words_apart() -> None:
    text = b"models: {m: {provider: ollama, api_key: ollama}}"
    snapshot = snapshot_of({"config/models.yaml": text}, {}, ["ollama"])
    assert snapshot == snapshot_of({"config/models.yaml": text}, {}, ())


@pytest.mark.parametrize(
    "damage",
    [
        lambda body: body[:-1],
        lambda body: body.replace(b"Plan", b"Flan"),
        lambda _: b"",
        lambda _: b"{}",
        lambda body: b"\xff" + body,
    ],
    ids=["cut", "changed", "emptied", "replaced", "garbled"],
)
def test_a_damaged_one_is_said_to_be_so_and_nothing_is_unpacked(
    damage: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    snapshot = snapshot_of(FILES, TEMPLATES, ())
    with pytest.raises(StoreError, match=f"snapshot {snapshot.fingerprint[:12]} of a workspace is damaged"):
        unpack(snapshot.fingerprint, damage(snapshot.body), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "body",
    [b"[]", b"1", b'{"a": 1}', b'{"../out": ""}', b'{"/out": ""}', b'{"": ""}', b'{"a\\u0000": ""}', b"{"],
)
def test_what_is_no_snapshot_is_refused_and_nothing_is_written_outside(body: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    with pytest.raises(StoreError, match="cannot be unpacked"):
        unpack(hashlib.sha256(body).hexdigest(), body, folder)
    assert [p.name for p in tmp_path.rglob("*")] == ["in"]


def test_a_folder_that_cannot_be_written_to_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("in the way")
    snapshot = snapshot_of(FILES, {}, ())
    with pytest.raises(StoreError, match=r"cannot be unpacked: .*config"):
        unpack(snapshot.fingerprint, snapshot.body, tmp_path)
