"""The laws of templates that are given as texts: what they name is there, and they come to an end."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.sandbox import MAX_RENDERED, TemplateRefused, names_in, render_text


def test_a_text_without_a_template_in_it_is_itself() -> None:
    assert render_text("book a table\n", {}) == "book a table\n"


def test_a_template_reads_facts_and_the_fields_of_results() -> None:
    variables = {"facts": {"gate": "B7", "minutes": 40}, "results": {"hotel": {"place": "Oslo"}}}
    template = "gate {{ facts.gate }}, {{ facts.minutes + 5 }} min, {{ results.hotel.place }}"
    assert render_text(template, variables) == "gate B7, 45 min, Oslo"


@pytest.mark.parametrize("name", ["items", "keys", "values", "get", "copy", "update", "pop"])
def test_a_fact_that_is_called_like_a_method_of_a_mapping_is_the_fact(name: str) -> None:
    assert render_text(f"{{{{ facts.{name} }}}}", {"facts": {name: "as told"}}) == "as told"


def test_a_mapping_that_has_no_such_fact_still_has_its_methods() -> None:
    template = "{% for name, value in facts.items() %}{{ name }}={{ value }};{% endfor %}"
    assert render_text(template, {"facts": {"a": 1, "b": 2}}) == "a=1;b=2;"


def test_the_items_of_a_result_can_be_gone_through() -> None:
    results = {"t1": {"items": [{"title": "one"}, {"title": "two"}]}}
    template = "{% for each in results.t1.items %}[{{ each.title }}]{% endfor %}"
    assert render_text(template, {"results": results}) == "[one][two]"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("to {{ facts.gate }}", "has no attribute 'gate'"),
        ("to {{ gate }}", "'gate' is undefined"),
        ("to {{ facts.", "template 'to {{ facts.': "),
        ("{% include 'prompts/planner.j2' %}", "no loader for this environment"),
        ("{{ facts.__class__ }}", "unsafe"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{% for i in range(10 ** 9) %}x{% endfor %}", "Range too big"),
    ],
)
def test_a_template_that_cannot_be_rendered_is_refused_with_its_words(template: str, said: str) -> None:
    with pytest.raises(TemplateRefused) as refused:
        render_text(template, {"facts": {}})
    assert said in str(refused.value)
    assert str(refused.value).startswith(f"template {template!r}: ")


def test_a_template_that_does_not_end_is_stopped() -> None:
    loops = "{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}"
    with pytest.raises(TemplateRefused, match=f"grows past {MAX_RENDERED:,} characters"):
        render_text(loops, {})


def test_a_value_that_breaks_without_a_word_is_named_by_its_error() -> None:
    class Silent:
        def __str__(self) -> str:
            raise LookupError

    with pytest.raises(TemplateRefused, match="LookupError"):
        render_text("{{ x }}", {"x": Silent()})


@given(text=st.text(max_size=200))
def test_a_value_is_never_a_template(text: str) -> None:
    assert render_text("<{{ facts.x }}>", {"facts": {"x": text}}) == f"<{text}>"


@given(template=st.text(alphabet="{}%#ab.|()'1+* \n", max_size=60))
def test_any_text_is_rendered_or_refused(template: str) -> None:
    with suppress(TemplateRefused):
        assert isinstance(render_text(template, {"a": {"b": 1}}), str)


def test_the_names_of_a_template_are_those_that_it_reads() -> None:
    assert names_in("no template") == frozenset()
    assert names_in("{{ facts.gate }} {{ results }} {% for i in x %}{{ i }}{% endfor %}") >= {
        "facts.gate",
        "results",
        "x",
    }
    with pytest.raises(TemplateRefused, match=r"template '{{': "):
        names_in("{{")
