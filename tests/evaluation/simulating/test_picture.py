"""A simulation as a picture and as a page."""

import re
import xml.etree.ElementTree as ET

import pytest
from orchestrator.evaluation.simulating.grid import Cell, Sample
from orchestrator.evaluation.simulating.measures import Costs, Counts
from orchestrator.evaluation.simulating.picture import to_html, to_svg
from orchestrator.evaluation.simulating.report import Report

SVG = "{http://www.w3.org/2000/svg}"


def cell(noise: str, policy: str, *counts: tuple[int, int, int, int]) -> Cell:
    """Flips, wrong ends, missed and flags of each world."""
    return Cell(noise, policy, tuple(Counts(f, f, w, 0, m, c, 0.0) for f, w, m, c in counts))


def report(*cells: Cell) -> Report:
    return Report(cells, Costs(flip=1, wrong=10, missed=5, flag=1), Sample(2))


BOTH = report(
    cell("quiet", "none", (0, 0, 0, 0), (0, 0, 0, 0)),
    cell("quiet", "cooldown", (0, 0, 0, 2), (0, 0, 0, 2)),
    cell("flips", "none", (4, 1, 0, 0), (4, 1, 0, 0)),
    cell("flips", "cooldown", (2, 0, 1, 1), (2, 0, 1, 1)),
)


def test_a_bar_is_parted_by_what_was_paid_for_and_as_long_as_its_cost() -> None:
    root = ET.fromstring(to_svg(BOTH))
    bars = {(g.findtext(f"{SVG}title") or ""): g for g in root.findall(f"{SVG}g")}
    assert list(bars) == [
        "quiet, none: 0.00",
        "quiet, cooldown: 2.00",
        "flips, none: 14.00",
        "flips, cooldown: 8.00",
    ]
    pieces = {
        title: {r.attrib["class"].split()[1]: float(r.attrib["width"]) for r in bar.findall(f"{SVG}rect")}
        for title, bar in bars.items()
    }
    assert pieces["quiet, none: 0.00"] == {}
    assert set(pieces["flips, cooldown: 8.00"]) == {"flips", "missed", "flags"}
    longest = pieces["flips, none: 14.00"]
    assert sum(longest.values()) == pytest.approx(460, abs=0.2)
    assert longest["wrong"] / longest["flips"] == pytest.approx(10 / 4, abs=0.01)


def test_the_picture_is_light_or_dark_as_its_reader_prefers_and_says_what_it_shows() -> None:
    drawn = to_svg(BOTH)
    assert drawn.count("@media (prefers-color-scheme:dark)") == 1
    assert "flips: none 14.00, cooldown 8.00." in (ET.fromstring(drawn).findtext(f"{SVG}desc") or "")


def test_everything_stands_inside_the_picture() -> None:
    root = ET.fromstring(to_svg(BOTH))
    height = float(root.attrib["height"])
    places = [(float(e.attrib["x"]), float(e.attrib["y"])) for e in root.iter() if "x" in e.attrib]
    assert all(0 <= x <= 760 and 0 <= y < height for x, y in places)


def test_where_nothing_costs_anything_there_is_still_a_picture() -> None:
    ET.fromstring(to_svg(report(cell("quiet", "none", (0, 0, 0, 0), (0, 0, 0, 0)))))


def test_a_name_is_escaped() -> None:
    told = report(cell("quiet", "workspace:<b>&", (1, 0, 0, 0), (1, 0, 0, 0)))
    ET.fromstring(to_svg(told))
    assert "<b>" not in to_html(told)


def test_the_page_has_advice_picture_and_a_line_for_each_cell_and_needs_nothing_else() -> None:
    page = to_html(BOTH)
    assert len(re.findall(r"<td class=\"name\">(quiet|flips)</td>", page)) == 4
    assert page.count("× a flip or a flag") == 5
    assert "<svg" in page
    assert "<script" not in page
    assert not re.findall(r"(?:src|href)=", page)
