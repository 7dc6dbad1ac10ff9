"""The laws of naming a model: faults are found at once, and no provider is imported yet."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from orchestrator.agents.models import Models
from orchestrator.agents.providers import PROVIDERS, maker
from orchestrator.errors import MissingExtra, UserError, WorkspaceInvalid
from orchestrator.workspace.fields import Secret
from orchestrator.workspace.models import ModelConfig

BROKEN = ModelConfig(provider="openai", model="small", base_url="http://127.0.0.1:9/v1")


def scripted(file: str, *fallbacks: str) -> ModelConfig:
    return ModelConfig(provider="scripted", file=file, fallbacks=fallbacks)


def test_a_scripted_model_answers_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "demo.yaml").write_text("steps:\n- {expect: plan, reply: 'TASK: t1'}\n- hello\n")
    model = Models({"demo": scripted("demo.yaml")}, root=tmp_path)("demo")
    replies = [asyncio.run(model.ask(text)).text for text in ("hi", "please plan")]
    assert replies == ["hello", "TASK: t1"]


def test_all_users_of_a_model_share_one_script(tmp_path: Path) -> None:
    (tmp_path / "demo.yaml").write_text("[one, two]")
    models = Models({"demo": scripted("demo.yaml"), "other": scripted("none.yaml")}, root=tmp_path)
    assert [asyncio.run(models("demo").ask("hi")).text for _ in range(2)] == ["one", "two"]


def test_fallbacks_of_fallbacks_are_asked_and_a_cycle_is_harmless(tmp_path: Path) -> None:
    (tmp_path / "demo.yaml").write_text("[{error: a}, {error: b}, {error: c}]")
    configs = {
        "a": scripted("demo.yaml", "b", "a"),
        "b": scripted("demo.yaml", "c", "a"),
        "c": scripted("demo.yaml", "b"),
    }
    model = Models(configs, root=tmp_path)("a")
    assert [f.label for f in (model, *model.fallbacks)] == [f"model '{n}' (scripted)" for n in "abc"]


def test_a_fallback_answers_for_a_provider_that_cannot_be_reached(tmp_path: Path) -> None:
    (tmp_path / "demo.yaml").write_text("[here]")
    configs = {"a": BROKEN.model_copy(update={"fallbacks": ("b",)}), "b": scripted("demo.yaml")}
    assert asyncio.run(Models(configs, root=tmp_path)("a").ask("hi")).text == "here"


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (ModelConfig(provider="openai"), "model 'a': `model` is missing"),
        (ModelConfig(provider="scripted"), "model 'a': a scripted model needs `file`"),
        (scripted("gone.yaml"), "model 'a': there is no file 'gone.yaml'"),
        (scripted("../up.yaml"), "model 'a': the file '../up.yaml' is outside the workspace"),
        (
            BROKEN.model_copy(update={"fallbacks": ("z",)}),
            "model 'z': there is no such model; the file has: a",
        ),
    ],
)
def test_a_fault_is_found_when_the_model_is_named(config: ModelConfig, said: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        Models({"a": config}, root=tmp_path)("a")
    assert str(error.value).startswith(f"config/models.yaml: {said}")


def test_a_script_that_is_no_yaml_is_refused_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "demo.yaml").write_text("- a\n- [b\n")
    with pytest.raises(WorkspaceInvalid, match=r"^demo\.yaml:\d"):
        Models({"a": scripted("demo.yaml")}, root=tmp_path)("a")


@pytest.mark.parametrize("provider", ["anthropic", "google", "ollama"])
def test_a_missing_package_names_the_extra_that_brings_it(provider: str, tmp_path: Path) -> None:
    from importlib.util import find_spec

    if find_spec(PROVIDERS[provider].package):
        pytest.skip(f"{PROVIDERS[provider].package} is installed here")
    config = ModelConfig.model_validate({"provider": provider, "model": "m"})
    with pytest.raises(MissingExtra, match=rf"pip install 'cuewave\[{provider}\]'"):
        Models({"a": config}, root=tmp_path)("a")


@pytest.mark.parametrize("provider", sorted(PROVIDERS))
def test_every_provider_takes_our_settings(provider: str) -> None:
    pytest.importorskip(PROVIDERS[provider].package)
    config = ModelConfig.model_validate(
        {"provider": provider, "model": "m", "base_url": "http://127.0.0.1:9", "temperature": 0.5}
    )
    chat = maker("a", config.model_copy(update={"api_key": Secret(variable="K", value="secret")}))()
    assert getattr(chat, "temperature", None) == 0.5


def test_naming_a_model_imports_no_provider() -> None:
    code = (
        "import sys; from pathlib import Path; from orchestrator.agents.models import Models;"
        "from orchestrator.workspace.models import ModelConfig;"
        "Models({'a': ModelConfig(provider='openai', model='m')}, root=Path())('a');"
        "import orchestrator.agents.llm;"
        "print([m for m in ('langchain_core', 'openai', 'jinja2', 'asyncio') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
