"""Whatever an operator makes of the shipped files: a workspace, or faults in place, the same every time."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest
import yaml
from fuzz.workspaces import LEAST, NAMES, ROOT, check_files
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import WorkspaceInvalid
from orchestrator.workspace.document.composing import LOADER
from orchestrator.workspace.value import Workspace

from support.effort import share

SHIPPED: Mapping[str, bytes] = {name: (ROOT / name).read_bytes() for name in NAMES}
BESIDE = {name: raw for name, raw in SHIPPED.items() if name.startswith("config/")} | LEAST
"""What stands beside the changed file: the shipped agents are long, and do not name each other."""
KEYS = sorted(
    {*re.findall(r'"(\w+)": \{', "".join(p.read_text() for p in (ROOT / "schemas").glob("*.json")))}
)
SNIPPETS = (
    *(
        "",
        "~",
        "no",
        "12:30",
        "1.10",
        "x",
        "''",
        '"\\u00e9"',
        "30s",
        "0",
        "-1",
        "1.5",
        "true",
        "2026-13-45",
        "2026-01-02",
    ),
    *(
        "[]",
        "{}",
        "[x]",
        "[[x]]",
        "{x: y}",
        "[x, [y], {z: 1}]",
        "- x",
        "x: y",
        "{x: y, x: z}",
        "? [a]\n: b",
        "<<: {a: 1}",
    ),
    *(
        "9" * 60,
        "9" * 400,
        "1e999",
        "-.inf",
        ".nan",
        "0x1F",
        "0b_",
        "1_000",
        "!!str x",
        "!x y",
        "!!set {a}",
        "!!binary aGk=",
    ),
    *(
        "[" * 70 + "]" * 70,
        "{a: " * 30 + "b" + "}" * 30,
        "&a [x, *a]",
        "&a x",
        "*a",
        "${KEY}",
        "${NOT_SET}",
        "${",
        "|\n  text",
    ),
    *(
        "İ会议\u0301👩‍👧",
        "\u00a0",
        "\u2028",
        "\u0085",
        "\u202e",
        "\ufeff",
        "\ud7ff",
        "\x00",
        "\x1b[31m",
        "\t",
        "a\tb",
        "'",
        '"',
        "#",
        "%",
    ),
    *(
        "and then",
        "first ... then",
        "... then",
        " ",
        "x" * 201,
        "planner.j2",
        "default",
        "openai",
        "calendar",
        "write",
        "off",
    ),
)


def pairs(text: str) -> list[tuple[Any, Any]]:
    """The nodes of every key and its value; none where the text is no YAML any more."""
    try:
        root = yaml.compose(text, LOADER)
    except (yaml.YAMLError, ValueError):
        return []
    return [*_below(root)] if root is not None else []


def _below(node: yaml.Node) -> Iterator[tuple[yaml.Node, yaml.Node]]:
    if isinstance(node, yaml.SequenceNode):
        for entry in node.value:
            yield entry, entry
            yield from _below(entry)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key, value
            yield from _below(value)


class Spot(NamedTuple):
    """A key and its value in a text, and something to write there. In a list the two are the same."""

    text: str
    start: int
    value: int
    end: int
    number: int
    snippet: str

    def line_twice(self) -> str:
        """The key and its value once more, on the next line."""
        indent = self.text[self.text.rfind("\n", 0, self.start) + 1 : self.start]
        next_line = self.text.find("\n", self.end) + 1 or len(self.text)
        again = f"{indent}{self.text[self.start : self.end]}\n"
        return self.text[:next_line] + again + self.text[next_line:]


EDITS: Mapping[str, Callable[[Spot], str | bytes]] = {
    "value": lambda s: s.text[: s.value] + s.snippet + s.text[s.end :],
    "key": lambda s: s.text[: s.start] + s.snippet + s.text[s.start :].partition(":")[2],
    "gone": lambda s: s.text[: s.start] + s.text[s.end :],
    "twice": Spot.line_twice,
    "anchor": lambda s: f"{s.text[: s.value]}&a {s.text[s.value :]}",
    "before": lambda s: f"{s.text[: s.start]}{s.snippet} {s.text[s.start :]}",
    "line ends": lambda s: s.text.replace("\n", "\r\n" if s.number % 2 else "\r"),
    "byte order marks": lambda s: "\ufeff" * (1 + s.number % 2) + s.text,
    "tabs": lambda s: s.text.replace("  ", "\t", 1 + s.number % 3),
    "no UTF-8": lambda s: s.text.encode("utf-16" if s.number % 2 else "utf-8") + b"\xff",
    "cut off": lambda s: s.text[: s.number % (len(s.text) + 1)],
    "document": lambda s: f"{s.text}\n---\n{s.snippet}\n",
}
edits = st.tuples(
    st.sampled_from(sorted(EDITS)), st.integers(0, 10_000), st.sampled_from(SNIPPETS) | st.sampled_from(KEYS)
)


def edited(raw: bytes, edit: tuple[str, int, str]) -> bytes:
    """The file as somebody leaves it who does not know YAML, or knows it too well."""
    how, number, snippet = edit
    text = raw.decode("utf-8", "replace")
    places = [len(text)] * 3
    if found := pairs(text):
        key, value = found[number % len(found)]
        places = [key.start_mark.index, value.start_mark.index, value.end_mark.index]
    made = EDITS[how](Spot(text, *places, number, snippet))
    return made if isinstance(made, bytes) else made.encode()


@share(2)
@given(st.sampled_from(NAMES), st.lists(edits, min_size=1, max_size=3))
def test_an_edited_file_loads_or_has_faults_in_place(name: str, changes: list[tuple[str, int, str]]) -> None:
    raw = SHIPPED[name]
    for change in changes:
        raw = edited(raw, change)
    check_files({**BESIDE, name: raw})


@pytest.mark.parametrize("how", sorted(EDITS))
def test_every_edit_changes_a_file(how: str) -> None:
    assert any(
        edited(SHIPPED["config/models.yaml"], (how, n, "!x [")) != SHIPPED["config/models.yaml"]
        for n in (1, 2)
    )


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.dates(),
    st.sampled_from(SNIPPETS),
    st.text(max_size=8),
)
TREES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@share(3)
@given(st.sampled_from(NAMES), st.dictionaries(st.sampled_from(KEYS), TREES, max_size=5), st.booleans())
def test_any_data_in_the_place_of_a_file_loads_or_has_faults_in_place(
    name: str, data: dict[str, Any], flow: bool
) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True, sort_keys=False)
    check_files({**BESIDE, name: text.encode("utf-8", "surrogatepass")})


def test_the_shipped_files_are_a_workspace() -> None:
    found = check_files(SHIPPED)
    assert isinstance(found, Workspace)
    assert isinstance(check_files({**SHIPPED, "config/routing.yaml": b"sure: 7"}), WorkspaceInvalid)
