"""Colours are held to WCAG 2.2 AA by its own formula."""

from itertools import combinations

import pytest
from orchestrator.planning.drawing.look import DARK, EFFECTS, LIGHT, PLAIN, STATES

LOOKS = {"plain": PLAIN, **STATES}
PAGES = [(LIGHT, "light"), (DARK, "dark")]


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_formula_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize(("page", "theme"), PAGES)
@pytest.mark.parametrize("name", LOOKS)
def test_every_text_in_a_box_stands_out_from_it(page, theme, name):
    colours = getattr(LOOKS[name], theme)
    for ink in (page.ink, page.quiet, colours.ink):
        assert contrast(ink, colours.ground) >= 4.5


@pytest.mark.parametrize(("page", "theme"), PAGES)
def test_names_of_waves_and_the_legend_stand_out(page, theme):
    assert contrast(page.quiet, page.band) >= 4.5
    assert contrast(page.quiet, page.ground) >= 4.5
    assert all(contrast(getattr(look, theme).ink, page.ground) >= 4.5 for look in LOOKS.values())


@pytest.mark.parametrize(("page", "theme"), PAGES)
def test_lines_and_borders_can_be_told_from_what_they_lie_on(page, theme):
    for ground in (page.ground, page.band):
        assert contrast(page.line, ground) >= 3
        assert contrast(page.strong, ground) >= 4.5
        assert all(contrast(getattr(look, theme).ink, ground) >= 3 for look in LOOKS.values())


def test_states_differ_in_word_sign_and_border_whatever_their_colours():
    for one, other in combinations(STATES.values(), 2):
        assert one.word != other.word
        assert one.sign != other.sign
        assert (one.dash, one.border) != (other.dash, other.border)
    assert len(set(EFFECTS.values())) == len(EFFECTS)
