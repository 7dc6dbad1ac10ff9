import xml.etree.ElementTree as ET
from importlib.resources import files

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.plans import plan, plans, task

SVG = "{http://www.w3.org/2000/svg}"
DIAMOND = plan(task("t1"), task("t2", "t1"), task("t3", "t1", over="t1"), task("t4", "t2", "t3"))


def parsed(document: str) -> ET.Element:
    return ET.fromstring(document.encode())


def all_text(root: ET.Element) -> str:
    return " ".join(root.itertext())


def test_a_picture_says_what_it_is():
    root = parsed(DIAMOND.to_svg())
    assert root.attrib["role"] == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text == "Plan: r"
    assert "4 tasks in 3 waves." in (root[1].text or "")


def test_a_picture_has_a_box_for_each_task_and_a_line_and_a_head_for_each_edge():
    root = parsed(DIAMOND.to_svg())
    groups = [g for g in root.findall(f"{SVG}g") if g.find(f"{SVG}title") is not None]
    assert [(g.findtext(f"{SVG}title") or "").split(" ")[0] for g in groups] == ["t1", "t2", "t3", "t4"]
    kinds = [path.attrib["class"].split()[0] for path in root.findall(f"{SVG}path")]
    assert kinds == ["line"] * 4 + ["head"] * 4
    heads = [path.attrib["d"].count("Z") for path in root.findall(f"{SVG}path")[4:]]
    assert sorted(heads) == [1, 1, 1, 3]


def test_by_itself_a_picture_is_light_or_dark_as_its_reader_prefers():
    style = parsed(DIAMOND.to_svg()).findtext(f"{SVG}style") or ""
    light, _, dark = style.partition("@media (prefers-color-scheme:dark){")
    assert "#ffffff" in light
    assert "#0d1117" in dark
    assert style.count("{") == style.count("}")


@pytest.mark.parametrize(
    ("theme", "ground", "other"), [("light", "#ffffff", "#0d1117"), ("dark", "#0d1117", "#f1f3f6")]
)
def test_a_page_can_force_a_theme(theme, ground, other):
    drawn = DIAMOND.to_svg(theme=theme)
    assert "@media" not in drawn
    assert ground in drawn
    assert other not in drawn


def test_pictures_in_one_page_do_not_meddle_with_each_other():
    drawn = DIAMOND.to_svg(theme="dark")
    assert " id=" not in drawn
    style = parsed(drawn).findtext(f"{SVG}style") or ""
    rules = [line for line in style.splitlines() if line]
    assert all(line.startswith(".cuewave-plan") for line in rules)
    assert all(line.startswith(".cuewave-plan.dark ") for line in rules if "#" in line)


def test_a_state_is_the_class_of_its_box():
    root = parsed(DIAMOND.to_svg(states={"t1": "done", "t2": "failed"}))
    classes = [g.attrib["class"] for g in root.findall(f"{SVG}g") if "class" in g.attrib]
    assert classes == ["done", "failed", "pending", "pending"]


@pytest.mark.parametrize(
    "action",
    [
        "]]>",
        "<script>alert(1)</script>",
        "\"'&",
        "a\x00b\x0bc\x1b[31m",
        "\ud800 \udfff",
        "\ufffe\uffff",
        "a\r\nb\tc",
        "\u202egnp",
    ],
)
def test_whatever_stands_in_an_action_is_text_of_a_valid_document(action):
    root = parsed(plan(task("t1", to=action)).to_svg())
    assert root.find(f".//{SVG}script") is None
    shown = action.replace("\r\n", "\n")
    kept = "".join(c if c in "\t\n" or c.isprintable() else "\ufffd" for c in shown)
    assert kept in all_text(root)


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_document_is_valid_whatever_stands_in_action_and_request(action, request):
    of = plan(task("t1", to=action))
    parsed(type(of)(request, of.tasks, of.waves, "model").to_svg())


@given(plans(20))
def test_the_same_plan_is_always_the_same_document(of):
    assert of.to_svg() == of.to_svg()
    parsed(of.to_svg())


def test_a_text_from_right_to_left_begins_at_the_right_also_where_its_line_begins_with_other_letters():
    root = parsed(plan(task("t1", to="בדוק את היומן של a-long-word-of-latin.com Ann")).to_svg())
    lines = [text for text in root.iter(f"{SVG}text") if text.attrib["class"] == "action"]
    assert len(lines) == 2
    for line in lines:
        assert (line.attrib["text-anchor"], line.attrib["unicode-bidi"]) == ("end", "plaintext")
        assert (line.text or "").startswith("\u200f")
    assert (lines[1].text or "").startswith("\u200fa-long-word")


def test_letters_that_fonts_draw_wide_are_fitted_to_their_room():
    root = parsed(plan(task("t1", to="\ufdfd"), task("t2", to="plain")).to_svg())
    lines = [text for text in root.iter(f"{SVG}text") if text.attrib["class"] == "action"]
    assert [line.attrib.get("textLength") for line in lines] == ["8", None]


def test_a_great_action_is_cut_in_its_box_and_whole_in_its_title():
    action = "word\u0301 日程 " * 10_000
    drawn = plan(task("t1", to=action)).to_svg()
    assert action in drawn
    assert len(drawn) < len(action) + 20_000


def test_an_empty_plan_is_an_empty_picture():
    assert parsed(plan().to_svg()).findtext(f"{SVG}desc") == "0 tasks in 0 waves."


def test_the_template_is_compiled_once(monkeypatch):
    DIAMOND.to_svg()

    def refuse(*_):
        raise AssertionError("compiled again")

    monkeypatch.setattr(jinja2.Environment, "compile", refuse)
    DIAMOND.to_svg()


def test_the_template_is_part_of_the_package():
    assert files("orchestrator.planning.drawing").joinpath("plan.svg.j2").is_file()


def test_long_lines_beside_each_other_do_not_make_a_great_document():
    tasks = [task("t0"), task("t1", "t0"), *(task(f"t{n}", "t0", f"t{n - 1}") for n in range(2, 120))]
    assert len(plan(*tasks).to_svg()) < 150_000
