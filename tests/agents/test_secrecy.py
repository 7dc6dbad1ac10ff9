from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.providers import NO_KEY
from orchestrator.agents.scripted import script_of
from orchestrator.agents.secrecy import Veil, secrets_of, veiled
from pydantic import SecretStr

KEY = "aababaab"
PIECES = st.lists(st.text("ab ", max_size=6) | st.just(KEY), max_size=8)


def passed_on(pieces: list[str], *secrets: str) -> list[str]:
    on: list[str] = []
    veil = Veil(on.append, secrets)
    for piece in pieces:
        veil(piece)
    veil.end()
    return on


@given(PIECES)
def test_a_key_never_comes_through_however_it_is_cut(pieces: list[str]) -> None:
    assert KEY not in "".join(passed_on(pieces, KEY))


@given(PIECES)
def test_nothing_but_keys_is_lost(pieces: list[str]) -> None:
    assert "".join(passed_on(pieces, KEY)) == veiled("".join(pieces), [KEY])
    assert passed_on(pieces, "zzzzzzzz")[:-1] == pieces


def test_what_may_be_the_beginning_of_a_key_waits_for_more() -> None:
    assert passed_on(["my aab", "abx"], KEY) == ["my ", "aababx", ""]
    assert passed_on(["my aab", "abaab."], KEY) == ["my ", "***.", ""]
    assert passed_on(["my aabab"], KEY) == ["my ", "aabab"]


def test_what_is_too_short_to_be_a_key_is_a_word() -> None:
    assert veiled("use ollama", ["ollama"]) == "use ollama"
    assert passed_on(["use ", "olla", "ma"], "ollama") == ["use ", "olla", "ma", ""]


def test_the_keys_of_a_model_are_found_but_not_the_one_that_stands_for_none() -> None:
    class Holder:
        def __init__(self, *keys: str) -> None:
            for n, key in enumerate(keys):
                setattr(self, f"key_{n}", SecretStr(key))

    assert secrets_of(Holder("short-key", NO_KEY, "a-longer-key", "")) == ("a-longer-key", "short-key")
    assert secrets_of(script_of((), "script")) == ()
    assert secrets_of(None) == ()
