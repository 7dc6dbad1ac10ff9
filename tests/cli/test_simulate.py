"""`cuewave simulate`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from orchestrator.cli import cli

SMALL = ("simulate", "--seeds", "4", "--length", "12")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def test_it_tells_every_policy_and_the_workspace_s_own_against_every_kind_of_noise(desk: Path) -> None:
    told = json.loads(call(*SMALL, "--json").stdout)
    policies = ["none", "cooldown", "cooldown+trust", "k-of-n", "damping", "cooldown+k-of-n", "workspace"]
    noises = ["quiet", "flips", "delays", "disorder", "duplicates", "adversary", "forger", "all"]
    assert [(c["noise"], c["policy"]) for c in told["cells"]] == [(n, p) for n in noises for p in policies]


def test_the_workspace_s_own_policy_is_that_of_its_file(desk: Path) -> None:
    (desk / "config/adaptation.yaml").write_text(
        "facts: {gate: B4}\ncontainment: {cooldown: null}\nkeys: {gate: {cooldown: {ticks: 2}}}\n",
        encoding="utf-8",
    )
    chosen = [f"--policy={name}" for name in ("none", "workspace", "cooldown", "workspace:gate")]
    cells = json.loads(call(*SMALL, *chosen, "--noise", "all", "--json").stdout)["cells"]
    one, own, other, own_of_key = ({**cell, "policy": ""} for cell in cells)
    assert own == one
    assert own_of_key == other
    assert own != other


def test_the_same_seed_says_the_same_and_another_does_not(desk: Path) -> None:
    first = call(*SMALL).stdout
    assert call(*SMALL).stdout == first
    assert call(*SMALL, "--seed", "1").stdout != first


def test_one_kind_of_noise_and_one_policy_can_be_chosen(desk: Path) -> None:
    told = call(*SMALL, "--noise", "flips", "--policy", "k-of-n").stdout
    assert told.splitlines()[0].startswith("flips ")
    assert told.splitlines()[1].startswith("*k-of-n ")
    assert "quiet" not in told


def test_what_mistakes_cost_can_be_said(desk: Path) -> None:
    told = json.loads(call(*SMALL, "--cost", "flip=2, wrong=0,silent=3", "--json").stdout)
    assert told["costs"] == {"flip": 2, "wrong": 0, "missed": 5, "flag": 1, "silent": 3}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--cost", "flips=1"], "'flips=1' is no cost; there are flip, wrong, missed, flag, silent"),
        (["--cost", "flip"], "flip: '' is no price"),
        (["--cost", "flip=-1"], "flip: '-1' is no price"),
        (["--cost", "flip=nan"], "flip: 'nan' is no price"),
        (["--noise", "flip"], "'flip' is unknown; there are quiet, flips,"),
        (["--policy", "all"], "'all' is unknown; there are none, cooldown,"),
        (["--seeds", "3"], "--seeds"),
        (["--svg", "-", "--json"], "--svg - and --json each are the whole output"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_what_would_be(
    desk: Path, options: list[str], told: str
) -> None:
    result = call(*SMALL, *options)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())


def test_the_picture_goes_to_a_file_beside_the_table_or_alone_to_stdout(desk: Path, tmp_path: Path) -> None:
    beside = call(*SMALL, "--svg", str(tmp_path / "costs.svg"))
    assert beside.stdout == call(*SMALL).stdout
    assert call(*SMALL, "--svg", "-").stdout == (tmp_path / "costs.svg").read_text("utf-8")


def test_a_report_is_a_page_a_picture_and_a_document(desk: Path, tmp_path: Path) -> None:
    result = call(*SMALL, "--out", str(tmp_path / "new" / "report"), "--json")
    report = tmp_path / "new" / "report"
    assert sorted(file.name for file in report.iterdir()) == [
        "simulation.html",
        "simulation.json",
        "simulation.svg",
    ]
    assert json.loads((report / "simulation.json").read_text("utf-8")) == json.loads(result.stdout)


def test_a_report_that_cannot_be_written_says_so(desk: Path, tmp_path: Path) -> None:
    (tmp_path / "report").write_text("", encoding="utf-8")
    result = call(*SMALL, "--out", str(tmp_path / "report" / "in"))
    assert result.exit_code != 0
    assert "this folder cannot be made" in f"{result.exception}{result.stderr}"
