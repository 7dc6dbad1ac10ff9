import pytest
from orchestrator.agents.keys import Key, key_of
from orchestrator.workspace.models import ModelConfig

ENV = {"MINE": "sk-1", "GEMINI_API_KEY": "g-1", "EMPTY": ""}


def config(**knobs: object) -> ModelConfig:
    """A model as loading makes it, where every variable is set."""
    return ModelConfig.model_validate(knobs, context={"env": dict.fromkeys(("MINE", "GONE", "EMPTY"), "x")})


@pytest.mark.parametrize(
    ("knobs", "key"),
    [
        ({"provider": "openai", "api_key": "${MINE}"}, Key("MINE", True, True)),
        ({"provider": "openai", "api_key": "${GONE}"}, Key("GONE", True, False)),
        ({"provider": "openai", "api_key": "${EMPTY}"}, Key("EMPTY", True, False)),
        ({"provider": "openai", "api_key": "sk-literal"}, Key("", True, True)),
        ({"provider": "openai"}, Key("OPENAI_API_KEY", True, False)),
        ({"provider": "openai", "base_url": "http://127.0.0.1:1/v1"}, Key("", False, True)),
        ({"provider": "google"}, Key("GEMINI_API_KEY", True, True)),
        ({"provider": "anthropic"}, Key("ANTHROPIC_API_KEY", True, False)),
        ({"provider": "ollama"}, Key("", False, True)),
        ({"provider": "scripted", "file": "a.yaml"}, Key("", False, True)),
    ],
    ids=str,
)
def test_a_key_is_told_by_its_variable_and_whether_it_is_there(knobs: dict[str, object], key: Key) -> None:
    assert key_of(config(**knobs), ENV) == key
