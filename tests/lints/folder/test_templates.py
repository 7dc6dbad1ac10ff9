from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from support.doubted import PROMPTED, WRITER

SHIPPED = Path(__file__).parents[3] / "prompts"
DEPENDENT = (SHIPPED / "dependent.j2").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("code", "template", "text"),
    [
        ("template-unused", "old.j2", "Say {{ nothing }}."),
        ("template-ignores", "planner.j2", "Plan {{ request }}."),
        ("template-ignores", "classify.j2", "Which of {{ intents }}?"),
        ("template-ignores", "repair.j2", "{{ prompt }} {{ reply }}"),
        (
            "reply-without-text",
            "reply.j2",
            "Done: {{ status }}{% for p in parts %} {{ p.reason }}{% endfor %}",
        ),
        ("reply-without-reason", "reply.j2", "{% for p in parts %}{{ p.status }} {{ p.text }}{% endfor %}"),
        ("template-fails", "reply.j2", "{% for p in parts %}{{ p.output }}{% endfor %}"),
        ("template-ignores", "dependent.j2", "Use {{ results }}."),
        ("edge-passes-nothing", "dependent.j2", "Do {{ step }} for {{ request }}."),
        (
            "edge-passes-nothing",
            "dependent.j2",
            "{{ step }}{% for result in results %} after {{ result.id }} ({{ result.status }}){% endfor %}",
        ),
        ("edge-without-fence", "dependent.j2", DEPENDENT.replace("{{ result.fence }}", "")),
        ("edge-hides-cut", "dependent.j2", DEPENDENT.replace("{{ result.cut_note }}", "")),
        ("template-fails", "dependent.j2", "{{ step }}{% for r in results %}{{ r.output }}{% endfor %}"),
    ],
)
def test_a_template_that_leaves_out_what_it_is_for_is_doubted(
    places: Callable[..., list[str]], code: str, template: str, text: str
) -> None:
    assert places({f"prompts/{template}": text}) == [f"{code} prompts/{template}:1:1"]


@pytest.mark.parametrize(
    "files",
    [
        {f"prompts/{p.name}": p.read_text(encoding="utf-8") for p in SHIPPED.glob("*.j2")},
        {f"prompts/{p.name}": f"{{# own #}}{p.read_text(encoding='utf-8')}" for p in SHIPPED.glob("*.j2")},
        {
            "prompts/own.j2": "Plan {{ request }} with {{ agents }}.",
            "config/planning.yaml": "prompt: own.j2\n",
        },
        {"prompts/own.j2": "Be {{ agent }}.", **PROMPTED, "agents/writer.yaml": f"{WRITER}prompt: own.j2\n"},
        {"prompts/reply.j2": "{% include 'part.j2' %}", "prompts/part.j2": "{{ parts }}"},
        {
            "prompts/reply.j2": "{% include 'part-' ~ status ~ '.j2' %}",
            "prompts/part-partial.j2": "{{ parts }}",
        },
        {"prompts/dependent.j2": "{{ step }}: {{ results }}"},
        {
            "prompts/dependent.j2": "{% set shown = ['fence', 'text', 'cut_note', 'fence'] %}{{ step }}"
            "{% for r in results %}{% for key in shown %}{{ r[key] }}\n{% endfor %}{% endfor %}"
        },
        {"prompts/dependent.j2": DEPENDENT.replace("{{ result.text }}", "{{ result.text | upper }}")},
    ],
)
def test_one_that_says_it_in_other_words_is_not(
    places: Callable[..., list[str]], files: Mapping[str, str]
) -> None:
    assert places(files) == []


def test_what_a_template_leaves_out_is_named(findings: Callable[..., tuple[object, ...]]) -> None:
    (finding,) = findings({"prompts/repair.j2": "Again: {{ reply }}"})
    assert str(finding) == (
        "prompts/repair.j2:1:1: it never reads `prompt` and `diagnostics`, which it is there to say; put "
        "{{ prompt }} in [template-ignores]\n  Again: {{ reply }}\n  ^"
    )
