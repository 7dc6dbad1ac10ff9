from collections.abc import Callable, Mapping

import pytest

from support.doubted import LEDGER, MEMO, MODELS, PROMPTED, WRITER

FILE, LEDGER_FILE, MEMO_FILE = "config/orchestrator.yaml", "agents/ledger.yaml", "agents/memo.yaml"
SLOW = {**PROMPTED, "config/models.yaml": MODELS.replace("large,", "large, timeout: 3m,")}


@pytest.mark.parametrize(
    ("code", "files", "place"),
    [
        (
            "concurrency-above-run",
            {FILE: "execution: {concurrency: 2}\n", LEDGER_FILE: f"{LEDGER}limits: {{concurrency: 3}}\n"},
            f"{LEDGER_FILE}:7:23",
        ),
        (
            "timeout-above-budget",
            {FILE: "budgets: {run: {wall_time: 10s}}\n", LEDGER_FILE: f"{LEDGER}limits: {{timeout: 11s}}\n"},
            f"{LEDGER_FILE}:7:19",
        ),
        (
            "timeout-above-budget",
            {FILE: "execution: {task_timeout: 2m}\nbudgets: {run: {wall_time: 1m}}\n"},
            f"{FILE}:1:27",
        ),
        ("model-timeout-above-task", SLOW, "config/models.yaml:2:54"),
        ("write-not-retried", {MEMO_FILE: f"{MEMO}limits: {{retries: 1}}\n"}, f"{MEMO_FILE}:8:19"),
        ("inject-above-total", {FILE: "inject: {per_result: 20000}\n"}, f"{FILE}:1:22"),
    ],
)
def test_a_limit_that_another_one_keeps_from_biting_is_doubted(
    places: Callable[..., list[str]], code: str, files: Mapping[str, str], place: str
) -> None:
    assert places(files) == [f"{code} {place}"]


@pytest.mark.parametrize(
    "files",
    [
        {FILE: "execution: {concurrency: 2}\n"},
        {FILE: "execution: {concurrency: 3}\n", LEDGER_FILE: f"{LEDGER}limits: {{concurrency: 3}}\n"},
        {FILE: "budgets: {run: {wall_time: 10s}}\n", LEDGER_FILE: f"{LEDGER}limits: {{timeout: 10s}}\n"},
        {FILE: "budgets: {run: {wall_time: 1m}}\n"},
        {**SLOW, "agents/writer.yaml": f"{WRITER}limits: {{timeout: 3m}}\n"},
        {**SLOW, "config/planning.yaml": "model: default\n"},
        {MEMO_FILE: f"{MEMO}limits: {{retries: 1}}\nidempotent: true\n"},
        {MEMO_FILE: f"{MEMO}limits: {{retries: 0}}\n"},
        {LEDGER_FILE: f"{LEDGER}limits: {{retries: 1}}\n"},
        {FILE: "inject: {per_result: 4000, total: 4000}\n"},
        {FILE: "inject: {total: 3000}\n"},
    ],
)
def test_a_limit_at_the_edge_or_a_usual_one_is_not(
    places: Callable[..., list[str]], files: Mapping[str, str]
) -> None:
    assert places(files) == []
