"""The laws of prompts: outside text is only a value, and every fault names its line."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import Fault, WorkspaceInvalid
from orchestrator.prompts import Prompts, check_prompts
from orchestrator.sandbox import MAX_RENDERED

Folder = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "prompts" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path / "prompts"

    return write


def fault_of(error: pytest.ExceptionInfo[WorkspaceInvalid]) -> Fault:
    (fault,) = error.value.faults
    return fault


def test_a_template_renders_with_its_variables(folder: Folder) -> None:
    prompts = Prompts(folder({"a.j2": "{% for t in tasks %}\n- {{ t }}\n{% endfor %}\nfor {{ who }}\n"}))
    assert prompts.render("a.j2", {"tasks": ["x", "y"], "who": "Ann"}) == "- x\n- y\nfor Ann"


@pytest.mark.parametrize(
    "attempt",
    ["{{ 7 * 7 }}", "{% raw %}", "{{ ''.__class__.__mro__ }}", "{# gone #}", "{% include 'a.j2' %}"],
)
def test_template_code_in_a_value_stays_text(folder: Folder, attempt: str) -> None:
    assert (
        Prompts(folder({"a.j2": "said: {{ text }}"})).render("a.j2", {"text": attempt}) == f"said: {attempt}"
    )


@given(text=st.text())
def test_any_text_passes_through_unchanged(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    place = tmp_path_factory.getbasetemp() / "any"
    place.mkdir(exist_ok=True)
    (place / "a.j2").write_text("<{{ text }}>", encoding="utf-8")
    assert Prompts(place).render("a.j2", {"text": text}) == f"<{text}>"


def test_markup_is_not_escaped(folder: Folder) -> None:
    assert Prompts(folder({"a.j2": "{{ t }}"})).render("a.j2", {"t": "<b> & 'c'"}) == "<b> & 'c'"


def test_an_undefined_variable_is_refused_at_its_line(folder: Folder) -> None:
    prompts = Prompts(folder({"a.j2": "one\ntwo {{ missing }}\n"}))
    with pytest.raises(WorkspaceInvalid) as error:
        prompts.render("a.j2", {})
    assert str(error.value).startswith("prompts/a.j2:2:1: 'missing' is undefined\n  two {{ missing }}\n  ^")


def test_an_undefined_attribute_is_refused(folder: Folder) -> None:
    with pytest.raises(WorkspaceInvalid, match="has no attribute 'nope'"):
        Prompts(folder({"a.j2": "{{ x.nope }}"})).render("a.j2", {"x": "text"})


def test_an_error_in_an_included_template_is_placed_there(folder: Folder) -> None:
    prompts = Prompts(folder({"a.j2": "a\n{% include 'parts/b.j2' %}", "parts/b.j2": "b\n\n{{ 1 / n }}"}))
    with pytest.raises(WorkspaceInvalid) as error:
        prompts.render("a.j2", {"n": 0})
    assert str(error.value).startswith("prompts/parts/b.j2:3:1: ZeroDivisionError: division by zero")


def test_a_syntax_error_is_refused_at_its_line(folder: Folder) -> None:
    with pytest.raises(WorkspaceInvalid) as error:
        Prompts(folder({"a.j2": "fine\n{% if x %}\n{% endfor %}"})).render("a.j2", {"x": 1})
    fault = fault_of(error)
    assert (fault.file, fault.line, fault.column) == ("prompts/a.j2", 3, 1)
    assert "endfor" in fault.message


def test_an_unknown_filter_is_found_before_anything_is_rendered(folder: Folder) -> None:
    (fault,) = check_prompts(folder({"a.j2": "\n\n{{ x | shout }}"}))
    assert (fault.file, fault.line) == ("prompts/a.j2", 3)
    assert "shout" in fault.message


def test_a_missing_template_is_refused_with_what_there_is(folder: Folder) -> None:
    with pytest.raises(WorkspaceInvalid) as error:
        Prompts(folder({"a.j2": "", "parts/b.j2": ""})).render("c.j2", {})
    assert str(error.value) == "prompts/c.j2: there is no such template; there are: a.j2, parts/b.j2"


def test_a_missing_folder_has_no_templates(tmp_path: Path) -> None:
    assert check_prompts(tmp_path / "prompts") == ()
    with pytest.raises(WorkspaceInvalid, match=r"prompts/a\.j2: there is no such template"):
        Prompts(tmp_path / "prompts").variables("a.j2")


def test_a_missing_include_is_the_fault_of_its_line(folder: Folder) -> None:
    (fault,) = check_prompts(folder({"a.j2": "x\n{% include 'gone.j2' %}"}))
    assert (fault.file, fault.line) == ("prompts/a.j2", 2)
    assert "gone.j2: there is no such template" in fault.message


def test_an_include_may_say_that_it_can_miss(folder: Folder) -> None:
    place = folder({"a.j2": "x{% include 'gone.j2' ignore missing %}"})
    assert check_prompts(place) == ()
    assert Prompts(place).render("a.j2", {}) == "x"


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/hostname", "parts/../../secret.txt", "a\\b.j2", ""])
def test_no_name_leaves_the_folder(folder: Folder, name: str) -> None:
    place = folder({"a.j2": "{% include other %}"})
    (place.parent / "secret.txt").write_text("secret")
    with pytest.raises(WorkspaceInvalid):
        Prompts(place).render(name, {})
    with pytest.raises(WorkspaceInvalid):
        Prompts(place).render("a.j2", {"other": name})


def test_a_link_out_of_the_folder_is_refused(folder: Folder) -> None:
    place = folder({"a.j2": ""})
    (place.parent / "secret.txt").write_text("secret")
    (place / "link.j2").symlink_to(place.parent / "secret.txt")
    (fault,) = check_prompts(place)
    assert (fault.file, fault.message) == (
        "prompts/link.j2",
        "a template's name may not leave the folder of templates",
    )


@pytest.mark.parametrize(
    "escape",
    [
        "{{ x.__class__ }}",
        "{{ x.append(1) }}",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ '{0.__class__}'.format(x) }}",
    ],
)
def test_the_sandbox_lets_no_template_out(folder: Folder, escape: str) -> None:
    with pytest.raises(WorkspaceInvalid, match=r"prompts/a\.j2:1:1: .*(unsafe|not safely callable)"):
        Prompts(folder({"a.j2": escape})).render("a.j2", {"x": [1]})


def test_a_runaway_range_is_stopped(folder: Folder) -> None:
    with pytest.raises(WorkspaceInvalid, match=r"a\.j2:1:1: OverflowError: Range too big"):
        Prompts(folder({"a.j2": "{% for i in range(10 ** 9) %}x{% endfor %}"})).render("a.j2", {})


def test_a_runaway_text_is_stopped(folder: Folder) -> None:
    loops = "{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}"
    with pytest.raises(WorkspaceInvalid, match=f"grows past {MAX_RENDERED:,} characters"):
        Prompts(folder({"a.j2": loops})).render("a.j2", {})


def test_a_template_that_includes_itself_is_stopped(folder: Folder) -> None:
    with pytest.raises(WorkspaceInvalid, match="call each other without end"):
        Prompts(folder({"a.j2": "{% include 'a.j2' %}"})).render("a.j2", {})


def test_the_variables_are_the_free_names_of_a_template_and_its_includes(folder: Folder) -> None:
    prompts = Prompts(
        folder(
            {
                "a.j2": "{% set here = 1 %}{{ who }}{% for t in ts %}{{ t }}{% endfor %}{% include 'b.j2' %}",
                "b.j2": "{{ here }}{{ today }}{% import 'c.j2' as c %}{% include 'a.j2' %}",
                "c.j2": "{% macro m(x) %}{{ x }}{% endmacro %}",
            }
        )
    )
    assert prompts.variables("a.j2") == {"who", "ts", "today"}


def test_the_check_reports_the_faults_of_all_templates(folder: Folder) -> None:
    place = folder({"a.j2": "{{", "ok.j2": "{{ x }}", "parts/b.j2": "{% nope %}", "notes.md": "{{"})
    (place / "z.j2").write_bytes(b"a\nb\xff")
    faults = check_prompts(place)
    assert [(f.file, f.line) for f in faults] == [
        ("prompts/a.j2", 1),
        ("prompts/parts/b.j2", 1),
        ("prompts/z.j2", 2),
    ]
    with pytest.raises(WorkspaceInvalid) as error:
        Prompts(place).compile_all()
    assert error.value.faults == faults


def test_an_oversized_template_is_refused(folder: Folder) -> None:
    (fault,) = check_prompts(folder({"a.j2": "x" * (1 << 20) + "x"}))
    assert "more than a template may have" in fault.message


def test_a_template_is_compiled_once(folder: Folder) -> None:
    place = folder({"a.j2": "old"})
    prompts = Prompts(place)
    prompts.compile_all()
    (place / "a.j2").write_text("new")
    assert prompts.render("a.j2", {}) == "old"


def test_templates_that_were_found_whole_are_not_looked_at_again(folder: Folder) -> None:
    place = folder({"a.j2": "one {{ x }}"})
    prompts = Prompts(place)
    prompts.compile_all()
    (place / "a.j2").write_text("{% for %}", encoding="utf-8")
    prompts.compile_all()
    assert prompts.render("a.j2", {"x": 1}) == "one 1"


def test_templates_with_a_fault_are_refused_every_time(folder: Folder) -> None:
    place = folder({"a.j2": "one {{ x }}"})
    prompts = Prompts(place)
    (place / "b.j2").write_text("{% for %}", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(WorkspaceInvalid, match=r"b\.j2:1"):
            prompts.compile_all()


def test_a_template_that_the_folder_has_not_is_the_shipped_one(tmp_path: Path) -> None:
    own, shipped = tmp_path / "own", tmp_path / "shipped"
    for folder, texts in ((own, {"a.j2": "mine"}), (shipped, {"a.j2": "theirs", "b.j2": "{{ x }}"})):
        folder.mkdir()
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    prompts = Prompts(own, shipped)
    assert prompts.names() == ("a.j2", "b.j2")
    assert prompts.render("a.j2", {}) == "mine"
    assert prompts.render("b.j2", {"x": "shipped"}) == "shipped"


def test_a_template_that_uses_what_it_is_not_given_is_a_fault_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "reply.j2").write_text("{{ parts }} {{ mood }}", encoding="utf-8")
    prompts = Prompts(tmp_path, given={"reply.j2": frozenset({"parts"}), "gone.j2": frozenset()})
    with pytest.raises(WorkspaceInvalid) as refused:
        prompts.compile_all()
    assert [f.file.rsplit("/")[-1] for f in refused.value.faults] == ["gone.j2", "reply.j2"]
    assert "mood" in str(refused.value)
