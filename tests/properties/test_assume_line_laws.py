"""What a planner may assume: dressed in any way it is the same, and what is wrong with it is always found."""

from fuzz.assume_lines import FACTS, TASKS, check
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.comparison import Comparison
from orchestrator.planning.assuming import AssumeLine, parse, render
from orchestrator.planning.grounds.assumption import Assumption

from support.dressing import BREAKS, CLOTHES, Clothes, dressed

SO: dict[str, list[Comparison]] = {
    "delay": [Comparison("eq", (0,)), Comparison("lte", (30,)), Comparison("within", (1, 2.5))],
    "gate": [Comparison("eq", ("B4",)), Comparison("in", ("B4", "a|b\\")), Comparison("ne", ('| "x',))],
    "open": [Comparison("eq", (True,))],
    "seats": [Comparison("between", (1, 5)), Comparison("eq", ("none",)), Comparison("eq", (None,))],
    "due": [Comparison("lt", ("2027-01-01",))],
    "state": [Comparison("eq", ("in transit",)), Comparison("not_in", ("lost", "in"))],
}
WORDS = st.lists(
    st.sampled_from(["|", "\\", "｜", "<= 3", "**", "ASSUME:", "TASK: t1 | a | b", "<think>", "</think>"])
    | st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=5),
    max_size=4,
).map(lambda words: " ".join(words).strip())


@st.composite
def assumed(draw: st.DrawFn, words: st.SearchStrategy[str] = WORDS) -> AssumeLine:
    """Something that is so, described in words that look like the grammar."""
    key = draw(st.sampled_from(sorted(SO)))
    return AssumeLine(
        draw(st.sampled_from(TASKS)), Assumption(key, draw(st.sampled_from(SO[key])), draw(words))
    )


@given(st.lists(assumed(), max_size=5))
def test_what_is_written_is_read_back_whatever_is_said_of_it(lines: list[AssumeLine]) -> None:
    assert parse(render(lines), TASKS, FACTS) == (tuple(lines), ())


FRAMES = st.sampled_from(
    [
        "{}",
        "TASK: t1 | a | b | none\n\n{}\n\nLet me know!",
        "<think>\nASSUME: t9 | ghost | 3\n</think>\n{}",
        "ASSUME: t1 | a thought\n</thinking>\n{}",
        "ASSUME: task | key | expected | description\n{}",
        "\ufeff\n{}\n",
    ]
)


@given(
    st.lists(
        st.tuples(assumed(st.sampled_from(["", "as told", "on time"])), CLOTHES, BREAKS),
        min_size=1,
        max_size=4,
    ),
    FRAMES,
)
def test_however_assumptions_are_dressed_they_are_the_same(
    worn: list[tuple[AssumeLine, Clothes, str]], frame: str
) -> None:
    lines = tuple(line for line, _, _ in worn if "|" not in str(line.assumption))
    body = "".join(
        dressed(render([line]).removesuffix(" |"), clothes, loose=(0, 1)) + gap
        for line, clothes, gap in worn
        if "|" not in str(line.assumption)
    )
    assert parse(frame.replace("{}", body), TASKS, FACTS) == (lines, ())


WRONG = st.sampled_from(
    [
        ("ASSUME: t7 | delay | 0", "unknown task"),
        ("ASSUME: t1 | gait | 0", "unknown fact"),
        ("ASSUME: t1 | delay | zero", "is a text"),
        ("ASSUME: t1 | delay | {lte: [1]}", "a list cannot be compared"),
        ("ASSUME: t1 | delay | >= 1", "already"),
        ("ASSUME: t1 | delay", "of its 4 fields"),
        ("ASSUME t1 | delay | 0", "a colon"),
    ]
)


@given(st.lists(assumed(), max_size=3), st.integers(0, 3), WRONG)
def test_one_that_is_wrong_is_always_found(lines: list[AssumeLine], at: int, wrong: tuple[str, str]) -> None:
    written = [render([line]) for line in lines]
    written.insert(at, wrong[0])
    found, faults = parse("\n".join(written), TASKS, FACTS)
    assert found == tuple(lines)
    assert [(fault.line, wrong[1] in fault.message) for fault in faults] == [(min(at, len(lines)) + 1, True)]


@given(
    st.text()
    | st.text("ASSUME:t1 |*`-\n\\｜<think>/delay0")
    | st.binary().map(lambda b: b.decode("latin-1"))
    | st.text().map(lambda text: f"ASSUME: t1 | seats | {text}")
)
def test_any_reply_is_assumptions_or_refused_in_place(reply: str) -> None:
    check(reply.encode("utf-8", "surrogatepass"))
