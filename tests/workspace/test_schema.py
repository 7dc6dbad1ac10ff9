"""The JSON Schemas say what the loader judges."""

import json
import re
from pathlib import Path

import pytest
from orchestrator.agents.registry import BUILT_IN, agent_type
from orchestrator.errors import UserError
from orchestrator.workspace.schema import schema, schema_names, write_schemas

ROOT = Path(__file__).parents[2]


def built_in():
    return {name: found for name in BUILT_IN if (found := agent_type(name)) is not None}


@pytest.mark.parametrize("name", schema_names())
def test_the_schemas_in_the_repository_are_current(name):
    written = json.loads((ROOT / "schemas" / f"{name}.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(schema(name, built_in()))), "run: make schemas"


def test_the_schemas_are_written_one_file_each(tmp_path, types):
    files = write_schemas(tmp_path / "schemas", types)
    assert [f.stem for f in files] == list(schema_names())
    assert json.loads(files[-1].read_text(encoding="utf-8")) == schema("agent", types)


@pytest.mark.parametrize(
    "file", [*ROOT.glob("config/*.yaml"), *ROOT.glob("agents/*.yaml")], ids=lambda f: f.name
)
def test_every_shipped_file_names_its_schema_in_its_first_line(file):
    name = "agent" if file.parent.name == "agents" else file.stem
    with file.open(encoding="utf-8") as text:
        assert text.readline() == f"# yaml-language-server: $schema=../schemas/{name}.json\n"
    assert (file.parent / f"../schemas/{name}.json").is_file()


@pytest.mark.parametrize("file", sorted(ROOT.glob("config/scenarios/*.yaml")), ids=lambda f: f.name)
def test_so_does_every_shipped_scenario(file):
    with file.open(encoding="utf-8") as text:
        assert text.readline() == "# yaml-language-server: $schema=../../schemas/scenario.json\n"
    assert (file.parent / "../../schemas/scenario.json").is_file()


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(UserError, match="there is no schema 'agents'; did you mean 'agent'"):
        schema("agents", {})


def test_every_schema_says_its_dialect_refuses_unknown_keys_and_describes_its_knobs(types):
    for name in schema_names():
        made = schema(name, types)
        assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert made["additionalProperties"] is False
        assert made["description"]
    assert schema("routing", types)["properties"]["margin"]["description"].startswith("Least lead")


def test_durations_are_texts_with_their_unit(types):
    timeout = schema("orchestrator", types)["$defs"]["Execution"]["properties"]["task_timeout"]
    assert timeout["type"] == "string"
    assert timeout["pattern"] == r"^\d+(\.\d+)?(ms|s|m|h)$"
    assert timeout["default"] == "120s"
    assert "gt" not in timeout


def test_a_secret_is_the_name_of_a_variable(types):
    made = schema("models", types)
    secret = made["$defs"]["Secret"]
    assert set(secret) == {"title", "description", "type", "pattern"}
    assert (secret["type"], secret["pattern"]) == ("string", r"^\$\{[A-Za-z_][A-Za-z0-9_]*\}$")


def test_names_that_the_loader_refuses_are_refused_by_the_schema(types):
    kinds = schema("planning", types)["properties"]["kinds"]
    assert list(kinds["patternProperties"]) == ["^[A-Za-z][A-Za-z0-9_-]*$"]
    assert kinds["additionalProperties"] is False


def test_the_options_of_an_agent_are_those_of_the_type_it_uses(types):
    made = schema("agent", types)
    (rule,) = made["allOf"]
    assert rule["if"] == {"properties": {"uses": {"const": "diary"}}, "required": ["uses"]}
    assert rule["then"]["required"] == ["options"]
    options = rule["then"]["properties"]["options"]
    assert options["properties"]["file"]["description"] == "Where the diary is."
    assert options["properties"]["key"]["anyOf"][0] == {"$ref": "#/$defs/diary.Secret"}
    assert "diary.Secret" in made["$defs"]


def test_without_types_the_options_are_open():
    assert "allOf" not in schema("agent", {})


def knobs_with_defaults(made):
    if isinstance(made, dict):
        if "default" in made and "type" in made:
            yield made
        for inner in made.values():
            yield from knobs_with_defaults(inner)
    elif isinstance(made, list):
        for inner in made:
            yield from knobs_with_defaults(inner)


@pytest.mark.parametrize("name", schema_names())
def test_an_editor_offers_no_default_that_the_loader_would_refuse(name):
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list}
    for knob in knobs_with_defaults(schema(name, built_in())):
        assert isinstance(knob["default"], kinds[knob["type"]]), knob
        assert re.search(knob.get("pattern", ""), str(knob["default"])), knob


def test_the_defaults_of_options_are_written_as_in_a_file():
    rules = {r["if"]["properties"]["uses"]["const"]: r["then"] for r in schema("agent", built_in())["allOf"]}
    knobs = rules["reminders"]["properties"]["options"]["properties"]
    assert [knobs[name]["default"] for name in ("max_size", "lead", "at")] == ["64MiB", "1d", "09:00"]
