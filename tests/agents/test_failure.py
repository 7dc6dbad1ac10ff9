"""The laws of telling a failure: no key is ever told, and what was said is short."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.failure import failure_of, redacted


@given(before=st.text(), secret=st.from_regex(r"[A-Za-z0-9_.-]{8,40}", fullmatch=True), after=st.text())
def test_a_known_secret_never_comes_through(before: str, secret: str, after: str) -> None:
    assert secret not in redacted(f"{before}{secret}{after}{secret}", [secret])


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("refused: sk-proj-abc123DEF456, sorry", "refused: ***, sorry"),
        ("key AIza-12345678 is odd", "key *** is odd"),
        ("sent Authorization: Bearer abc.def", "sent Authorization: ***"),
        ("sent Basic dXNlcjpwYXNz", "sent ***"),
        ("cannot reach http://ann:word@host/v1", "cannot reach http://***@host/v1"),
    ],
)
def test_what_looks_like_a_key_never_comes_through(said: str, told: str) -> None:
    assert redacted(said) == told


def test_a_failure_is_told_on_one_short_line() -> None:
    told = str(failure_of(ValueError("a\n" * 1000), "model 'm'"))
    assert told.startswith("model 'm': ValueError: a a a")
    assert "\n" not in told
    assert len(told) < 350


@pytest.mark.parametrize(
    ("error", "passing"),
    [
        (TimeoutError(), True),
        (ConnectionResetError("reset"), True),
        (OSError("unreachable"), True),
        (ValueError("odd"), False),
        (KeyError("choices"), False),
        (RuntimeError(), False),
    ],
)
def test_errors_of_python_are_known(error: Exception, passing: bool) -> None:
    assert failure_of(error, "model 'm'").passing is passing
