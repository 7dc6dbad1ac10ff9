"""Whatever is done to the files, loading gives a workspace or located faults."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import WorkspaceInvalid
from orchestrator.workspace.load import load_workspace
from orchestrator.workspace.value import KnownType, Workspace

FILES: Mapping[str, bytes] = {
    "config/orchestrator.yaml": b"execution: {schedule: eager, task_timeout: 30s}\ninject:\n  total: 9000\n",
    "config/multi_step.yaml": b'cues:\n  sequential: [and then, "first ... then"]\n  joiners: [",", and]\n',
    "config/routing.yaml": b"classifiers: [keyword, llm]\nmodel: a\nsure: 0.6\ndefault_agent: diary\n",
    "config/planning.yaml": b"mode: split\nkinds: {answer: {}, act: {approval: on_write}}\n",
    "config/models.yaml": b"""models:
  a: {provider: openai, api_key: "${KEY}", fallbacks: [b]}
  b: &b {provider: ollama}
""",
    "config/plugins.yaml": b"forced_planning: {enabled: false}\n",
    "agents/diary.yaml": b"""name: diary
uses: diary
intents:
  look_up:
    keywords: [a, "b c"]
options: {file: x, names: [y]}
""",
}
LINE = st.sampled_from(
    [b"no: 1", b"a: *b", b"\tx: 1", b"- a", b"? [x]", b"<<: {a: 1}", b"name: !!set {x}", b"...", b"---"]
)
PIECE = st.binary(max_size=4) | st.text(max_size=3).map(lambda t: t.encode("utf-8", "surrogatepass")) | LINE


def mutated(raw: bytes, kind: str, at: int, span: int, piece: bytes) -> bytes:
    at %= len(raw) + 1
    lines = raw.splitlines(keepends=True)
    match kind:
        case "delete":
            return raw[:at] + raw[at + span :]
        case "insert":
            return raw[:at] + piece + raw[at:]
        case "swap":
            return raw[:at] + raw[at : at + span][::-1] + raw[at + span :]
        case "twice" if lines:
            line = lines[at % len(lines)]
            return raw.replace(line, line * 2, 1)
        case _:
            return b"\n".join([*raw.split(b"\n")[: at % 4], piece, *raw.split(b"\n")[at % 4 :]])


changes = st.tuples(
    st.sampled_from(sorted(FILES)),
    st.sampled_from(["delete", "insert", "swap", "twice", "line"]),
    st.integers(0, 200),
    st.integers(1, 12),
    PIECE,
)


def outcome(folder: Path, files: Mapping[str, bytes], types: Mapping[str, KnownType]) -> object:
    for name, raw in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(raw)
    try:
        return load_workspace(folder, types.get, lambda: ["diary"], {"KEY": "sk-123"})
    except WorkspaceInvalid as invalid:
        return invalid


@given(st.lists(changes, min_size=1, max_size=4))
def test_a_changed_workspace_loads_or_has_located_faults(types, made):
    files = dict(FILES)
    for name, *change in made:
        files[name] = mutated(files[name], *change)
    with tempfile.TemporaryDirectory() as folder:
        found = outcome(Path(folder), files, types)
    assert isinstance(found, Workspace | WorkspaceInvalid)
    for fault in getattr(found, "faults", ()):
        assert fault.file in files
        assert fault.line >= 1
        assert fault.column >= 1
        assert fault.message
        assert "sk-123" not in str(fault)
        assert str(fault).encode()


def test_the_unchanged_workspace_is_valid(types, tmp_path):
    workspace = outcome(tmp_path, FILES, types)
    assert isinstance(workspace, Workspace)
    assert workspace.options["diary"].names == ("y",)
