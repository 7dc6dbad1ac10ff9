"""The law of the fence: a result cannot close it, whatever it contains."""

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.toolbox import fenced


@given(text=st.text(alphabet=st.sampled_from("`\n ab")), most=st.integers(1, 30))
def test_no_result_can_close_its_fence(text: str, most: int) -> None:
    lines = fenced(text, "tool", most).split("\n")
    fence = lines[1]
    assert set(fence) == {"`"}
    assert len(fence) >= 3
    last = len(lines) - 1 - lines[::-1].index(fence)
    assert "\n".join(lines[2:last]) == text[:most]
    assert fence not in text[:most]


def test_what_is_cut_is_marked_with_its_size() -> None:
    assert fenced("abcdef", "tool", 4).endswith("```\nabcd\n```\n[cut: 4 of 6 characters are shown]")
    assert "cut" not in fenced("abcd", "tool", 4)
