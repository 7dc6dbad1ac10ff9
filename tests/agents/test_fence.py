from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.fence import fence_for


@given(st.text("`~a\n ", max_size=40))
def test_a_fence_is_longer_than_any_run_of_its_character(text: str) -> None:
    fence = fence_for(text)
    assert set(fence) == {"`"}
    assert len(fence) >= 3
    assert fence not in text


def test_a_text_without_backticks_has_the_usual_fence() -> None:
    assert [fence_for(text) for text in ("", "plain", "`code`", "````")] == ["```", "```", "```", "`````"]
