from pathlib import Path

import pytest
from orchestrator.errors import Fault
from orchestrator.workspace.placing import placed

TEXT = "cues:\n  sequential: [and then, after that]\nmodels:\n  gpt-5.1: {model: x}\n"


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("cues.sequential[1]", (2, 26)),
        ("models.gpt-5.1.model", (4, 20)),
        ("cues.sequential[7]", (2, 15)),
        ("", (1, 1)),
    ],
)
def test_a_fault_is_placed_at_the_value_its_path_names_or_the_nearest_above(
    tmp_path: Path, path: str, place: tuple[int, int]
) -> None:
    (tmp_path / "f.yaml").write_text(TEXT, encoding="utf-8")
    found = placed(Fault("f.yaml", 0, 0, path, "why"), tmp_path)
    assert (found.line, found.column) == place


def test_a_fault_with_a_place_or_without_a_file_stays_as_it_is(tmp_path: Path) -> None:
    for fault in (Fault("f.yaml", 3, 1, "", "why"), Fault("none.yaml", 0, 0, "cues", "why")):
        assert placed(fault, tmp_path) == fault
