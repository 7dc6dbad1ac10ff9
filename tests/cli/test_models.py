from pathlib import Path

import pytest

from support.calling import cuewave

SECRET = "sk-do-not-show-this"
MODELS = """\
models:
  far:
    provider: openai
    model: m-1
    api_key: "${FAR_KEY}"
    fallbacks: [near]
    price: {input: 0.25, output: 2}
  near: {provider: ollama, model: m-2, base_url: "http://ann:hidden@127.0.0.1:11434/v1?token=hidden"}
  here: {provider: openai, model: m-4, api_key: sk-do-not-show-this-either}
  lost: {provider: anthropic, model: m-3, api_key: "${LOST_KEY}"}
"""


@pytest.fixture
def three(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (desk / "config" / "models.yaml").write_text(MODELS, encoding="utf-8")
    monkeypatch.setenv("FAR_KEY", SECRET)
    monkeypatch.delenv("LOST_KEY", raising=False)
    return desk


def test_models_are_listed_with_their_price_fallbacks_and_key_also_where_one_is_missing(three: Path) -> None:
    assert cuewave("check", cwd=three).code == 1
    far, near, here, lost = cuewave("models", "--json", cwd=three).json
    assert (far["name"], far["provider"], far["model"]) == ("far", "openai", "m-1")
    assert (far["fallbacks"], far["price"]) == (["near"], {"input": 0.25, "output": 2})
    assert (far["key"], far["key_present"]) == ("${FAR_KEY}", True)
    assert (near["key"], near["key_present"]) == (None, True)
    assert (here["key"], here["key_present"]) == ("***", True)
    assert (lost["key"], lost["key_present"]) == ("${LOST_KEY}", False)
    assert {far["installed"], near["installed"]} <= {True, False}


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_no_secret_is_shown(three: Path, how: tuple[str, ...]) -> None:
    done = cuewave("models", *how, cwd=three)
    assert done.code == 0
    assert SECRET not in done.out + done.err
    assert "hidden" not in done.out + done.err
    assert "http://127.0.0.1:11434/v1" in done.out


def test_for_people_each_model_is_a_line(three: Path) -> None:
    head, far, _, here, lost = cuewave("models", cwd=three).out.splitlines()
    assert head.split() == ["model", "provider", "served", "as", "key", "price", "fallbacks"]
    assert far.split()[:5] == ["far", "openai", "m-1", "${FAR_KEY}", "0.25"]
    assert "0.25 in, 2 out" in far
    assert "***" in here
    assert "${LOST_KEY} is missing" in lost


def test_without_models_it_is_said_that_none_is_needed(desk: Path) -> None:
    (desk / "config" / "models.yaml").write_text("models: {}\n", encoding="utf-8")
    assert "none is needed" in cuewave("models", cwd=desk).out
    assert cuewave("models", "--json", cwd=desk).json == []
