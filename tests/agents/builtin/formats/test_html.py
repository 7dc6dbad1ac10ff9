"""HTML as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.builtin.formats.html import text_of_html


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("plain words", "plain words"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("a<br>b<li>c", "a\n\nb\n\nc"),
        ("<head><title>no</title></head><body>yes</body>", "yes"),
        ("<head><title>no</title><body>yes", "yes"),
        ("<script>let x = 1 < 2</script>after", "after"),
        ("caf&eacute; &lt;b&gt; &#8364;80", "café <b> €80"),
        ("<b>bold</b> and\n   <i>thin</i>", "bold and thin"),
        ("", ""),
    ],
)
def test_a_page_reads_as_its_words(html: str, text: str) -> None:
    assert text_of_html(html) == text


@given(st.text(alphabet="<>![]/-&;#abp \n'\"=CDATA", max_size=80))
def test_any_markup_gives_text(html: str) -> None:
    assert isinstance(text_of_html(html), str)
