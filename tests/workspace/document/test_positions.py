"""YAML becomes plain data with places; what is not plain is refused, with both of PyYAML's loaders."""

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.workspace.document.composing import LOADER, PythonLoader
from orchestrator.workspace.document.positions import read

both = pytest.mark.parametrize("loader", [LOADER, PythonLoader])


def refusals(text: str, loader: type = LOADER) -> list[str]:
    return [str(f).split("\n")[0] for f in read("f", text.encode(), loader).faults]


@both
def test_plain_data_is_what_yaml_says(loader):
    text = 'a: [1, 2.5, true, ~, x]\nb:\n  - c: "no"\n    d: 2026-01-02\n'
    data = {"a": [1, 2.5, True, None, "x"], "b": [{"c": "no", "d": date(2026, 1, 2)}]}
    assert read("f", text.encode(), loader).data == data


@both
@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "\n\n"])
def test_an_empty_file_is_an_empty_mapping(text, loader):
    document = read("f", text.encode(), loader)
    assert (document.data, document.faults) == ({}, ())


def test_every_key_and_value_has_its_place():
    document = read("f", b"a:\n  b: [x, {c: y}]\n")
    value = document.fault(("a", "b", 1, "c"), "m")
    key = document.fault(("a", "b", 1, "c"), "m", at_key=True)
    assert (value.line, value.column, value.path) == (2, 14, "a.b[1].c")
    assert (key.line, key.column) == (2, 11)


def test_what_is_not_written_is_placed_at_the_nearest_thing_above_it():
    fault = read("f", b"a:\n  b: 1\n").fault(("a", "x", "y"), "m")
    assert (fault.line, fault.column, fault.path) == (2, 3, "a.x.y")


def test_columns_count_characters_not_bytes():
    assert read("f", "é会: {a: !x 1}".encode()).faults[0].column == 9


@both
@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("a: 1\nb: 2\na: 3\n", "f:3:1: a: the key stands twice, first on line 1; keep one"),
        ("x: {a: 1, a: 2}", "f:1:11: x.a: the key stands twice, first on line 1; keep one"),
        ("no: 1", 'f:1:1: no: a key is a text; YAML reads this one as a boolean; quote it: "no"'),
        ("a: {off: 1}", 'f:1:5: a.off: a key is a text; YAML reads this one as a boolean; quote it: "off"'),
        ("12: 1", 'f:1:1: 12: a key is a text; YAML reads this one as a number; quote it: "12"'),
        (
            "2026-01-01: 1",
            'f:1:1: 2026-01-01: a key is a text; YAML reads this one as a date; quote it: "2026-01-01"',
        ),
        ("~: 1", 'f:1:1: ~: a key is a text; YAML reads this one as nothing; quote it: "~"'),
        ("? [a]\n: 1", "f:1:3: a key is a text; this one is a list or a mapping"),
        ("a: {{ x }}", "f:1:5: a: a key is a text; this one is a list or a mapping"),
        ("a: &x {b: 1}\nc: {<<: *x}", "f:2:5: c: merge keys (`<<`) are not read; write the keys out"),
        ("a: 12:30", "f:1:4: a: YAML takes this for a number in base 60; quote it"),
        ("a: 2026-13-45", "f:1:4: a: YAML takes this for a date, but it is none; quote it if text is meant"),
        (
            "a: !!bool maybe",
            "f:1:4: a: YAML takes this for a boolean, but it is none; quote it if text is meant",
        ),
        (
            "a: 1" + "0" * 5000,
            "f:1:4: a: YAML takes this for a number, but it is none; quote it if text is meant",
        ),
        (
            "a: !!python/object:os.system ls",
            "f:1:4: a: the tag `!!python/object:os.system` is not read here; take it out, "
            "or quote a text that begins with '!'",
        ),
        (
            "a: !!map [x]",
            "f:1:4: a: the tag `!!map` is not read here; take it out, or quote a text that begins with '!'",
        ),
        (
            "- x\n- !",
            "f:2:3: [1]: the tag `!` is not read here; take it out, or quote a text that begins with '!'",
        ),
        (
            "a: &b ! [12]",
            "f:1:4: a: the tag `!` is not read here; take it out, or quote a text that begins with '!'",
        ),
        (
            "a: {! b: 1}",
            "f:1:5: a.b: the tag `!` is not read here; take it out, or quote a text that begins with '!'",
        ),
        ("a: &a [*a]", "f:1:4: a[0]: this holds an alias of itself; write out what is meant"),
    ],
)
def test_what_is_not_plain_is_refused_at_its_place(text, refusal, loader):
    assert refusals(text, loader) == [refusal]


not_yaml = pytest.mark.parametrize(
    ("text", "refusal"),
    [
        (
            "a: *b",
            "f:1:4: not YAML: no '&' of this name stands above; a text that begins with '*' needs quotes",
        ),
        ("a: !x!y 1", "f:1:4: not YAML: tags are not read here; a text that begins with '!' needs quotes"),
        ("a: 1\n---\nb: 1", "f:2:1: not YAML: a second document; one file holds one, take the '---' out"),
        ("a:\n\tb: 1", "f:2:1: not YAML: a tab cannot indent; use spaces"),
        ("a: b: c", "f:1:5: not YAML: a second ':' in one value; quote the value, or mend the indentation"),
        ("a: 1\nb\n", "f:3:1: not YAML: a key needs ':' and a blank after it; a longer text needs quotes"),
        ("a: @x", "f:1:4: not YAML: a text that begins with '@' needs quotes"),
        ("a: 'x", "f:1:6: not YAML: a quote is never closed"),
    ],
)


@not_yaml
def test_what_is_no_yaml_is_refused_at_its_place_with_a_remedy(text, refusal):
    assert refusals(text) == [refusal]


@not_yaml
def test_what_is_no_yaml_is_refused_by_the_slow_loader_too(text, refusal):
    assert refusal.split(": ")[1] == "not YAML"
    assert ["not YAML" in r for r in refusals(text, PythonLoader)] == [True]


def test_every_refusal_of_a_file_is_made_in_one_pass():
    assert len(refusals("a: !x 1\nno: 2\na: 3\nb: [2026-13-45, !y z]\n")) == 5


@both
@pytest.mark.parametrize("escape", [r"\ud800", r"\U00110000", r"\UFFFFFFFF"])
def test_an_escape_for_no_character_is_refused(escape, loader):
    (refusal,) = refusals(f'a: "{escape}"', loader)
    assert "invalid Unicode character" in refusal


@both
@pytest.mark.parametrize(
    "text", ["[" * 3000, "- " * 3000, "{a: " * 3000, "".join(f"{' ' * i}a:\n" for i in range(99))]
)
def test_deep_nesting_is_refused_and_not_recursed_into(text, loader):
    (refusal,) = refusals(text, loader)
    assert "nested" in refusal
    assert refusal.endswith("flatten it")


def test_aliases_cannot_nest_deeper_than_what_is_written():
    deep = "".join(f"k{i}: &k{i} {'[' * 40}*k{i - 1}{']' * 40}\n" for i in range(1, 40))
    assert refusals(f"k0: &k0 [x]\n{deep}") == [
        f"f:2:5: k2{'[0]' * 40}: the file has more than 64 levels once its aliases are written out"
    ]


def test_the_billion_laughs_are_refused_fast_and_before_they_are_written_out():
    laughs = "".join(f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 10)}]\n" for i in range(1, 30))
    start = time.process_time()
    document = read("f", f"l0: &l0 [ha, ha]\n{laughs}".encode())
    assert [f.message for f in document.faults] == [
        "the file has more than 100,000 values once its aliases are written out"
    ]
    assert document.data is None
    assert time.process_time() - start < 1


def test_too_many_values_are_refused():
    assert refusals("- x\n" * 100_001) == ["f:1:1: not YAML: the file is too big: more than 100,000 values"]


def test_an_alias_is_the_same_data():
    assert read("f", b"a: &x [1]\nb: *x\n").data == {"a": [1], "b": [1]}


@pytest.mark.parametrize(
    "text",
    [
        "api_key: sk-123\nb: !x 1",
        "{api_key: sk-123, b: !x 1}",
        "{apikey: 'sk-123', b: !x 1}",
        "m: {api_kye: sk-123, x: !y 1}",
        "api_key: !x sk-123",
        "password: {value: sk-123, x: !y 1}",
        "api_key: sk-123: 4",
        "api_key:\n  sk-123\n  x: [",
        "api_key: >-\n  sk-123\n\t]",
        "{api_key: sk-123, api_key: sk-123",
        "token: 'sk-123",
    ],
)
def test_what_is_named_like_a_secret_is_never_shown(text):
    document = read("f", text.encode())
    assert document.faults
    assert "sk-123" not in "".join(map(str, document.faults))


def test_the_name_of_a_variable_is_no_secret():
    (fault,) = read("f", b'{api_key: "${KEY}", b: !x 1}').faults
    assert fault.source == '{api_key: "${KEY}", b: !x 1}'


scalars = st.none() | st.booleans() | st.integers(-1000, 1000) | st.text("ab é会'\"", max_size=5)
data = st.recursive(
    scalars, lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text("abc", min_size=1), x, max_size=3)
)


@given(st.dictionaries(st.text("abc", min_size=1), data, max_size=3))
def test_both_loaders_read_what_json_says(value):
    import json

    raw = json.dumps(value, ensure_ascii=False).encode()
    assert read("f", raw).data == read("f", raw, PythonLoader).data == value


@given(st.binary(max_size=60) | st.text("ab:-[]{}&*!|>'\"#%@`?, \n\t<~0:", max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused_with_a_place(raw):
    for loader in (LOADER, PythonLoader):
        for fault in read("f", raw, loader).faults:
            assert fault.line >= 1
            assert fault.column >= 1
            assert str(fault).encode()


def test_a_key_that_would_turn_a_terminal_around_is_quoted_escaped() -> None:
    (fault,) = read("config/models.yaml", "!!timestamp \u202e: x\n".encode()).faults
    assert "\u202e" not in fault.message
    assert r"\u202e" in fault.message
