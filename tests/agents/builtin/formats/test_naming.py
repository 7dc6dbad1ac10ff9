"""How notes may be called."""

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.builtin.formats.naming import fault_of_name, said_name, same_name


@pytest.mark.parametrize(
    "name", ["Trade fair", "projects/fair", "Überblick", "日本", "a" * 120, "R&D (2026), v1"]
)
def test_an_ordinary_name_in_any_script_is_good(name: str) -> None:
    assert fault_of_name(name) is None


@pytest.mark.parametrize(
    "name",
    ["", "/etc/passwd", "../up", "a/../../b", "a//b", "a/", ".hidden", "a/.git", "~", "~root/x", "a\\b",
     "c:d", "a*", 'a"b', "a|b", "a\0b", "a\nb", "a\u202eb", "a.", " a", "a\ud800", "CON", "nul.txt",
     "a" * 121, "é" * 61, "a/b/c/d/e/f"],
)  # fmt: skip
def test_a_name_that_leads_elsewhere_or_that_no_machine_takes_is_refused(name: str) -> None:
    assert fault_of_name(name)


@given(st.text(alphabet=st.sampled_from("ab./\\~ -:é"), max_size=12))
def test_a_good_name_stays_below_the_folder(name: str) -> None:
    if fault_of_name(name) is None:
        assert ".." not in PurePosixPath(name).parts
        assert (Path("/notes") / name).is_relative_to("/notes")
        assert not PurePosixPath(name).is_absolute()


def test_what_some_machine_could_not_tell_apart_is_one_name() -> None:
    assert same_name("Trade-Fair") == same_name("trade_fair") == same_name("trade  fair")
    assert same_name("Caf\u00e9") == same_name("cafe\u0301")
    assert same_name("STRASSE") == same_name("straße")
    assert same_name("resume") != same_name("résumé")
    assert same_name("a/b") != same_name("a b")


def test_a_said_name_has_no_quotation_marks_and_no_ending() -> None:
    assert said_name(' "Trade   fair" ') == "Trade fair"
    assert said_name("“x.MD”") == "x"
    assert said_name("cafe\u0301") == "caf\u00e9"
