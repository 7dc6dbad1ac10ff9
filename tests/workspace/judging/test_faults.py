"""What a model says against a file, in an operator's words, at its place."""

import pytest
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.document.positions import read
from orchestrator.workspace.judging.judgement import judge
from orchestrator.workspace.models import ModelsFile, MultiStepFile, PlanningFile, PluginsFile
from pydantic import BaseModel


def faults(model: type[BaseModel], text: str) -> list[str]:
    document = read("f", text.encode())
    return [
        str(f).split("\n")[0].removeprefix("f:")
        for f in (*document.faults, *judge(document, model, {}).faults)
    ]


A_NAME = "a name begins with a letter and goes on with letters, digits, '-' and '_'"


@pytest.mark.parametrize(
    ("model", "text", "fault"),
    [
        (MultiStepFile, "cue: [a]", "1:1: cue: unknown key; did you mean 'cues'?"),
        (
            MultiStepFile,
            "a: 1",
            "1:1: a: unknown key; known are: version, cues, references, max_gap",
        ),
        (
            MultiStepFile,
            "cues: {sequentiall: [a]}",
            "1:8: cues.sequentiall: unknown key; did you mean 'sequential'?",
        ),
        (
            MultiStepFile,
            "- cues",
            "1:1: a mapping is due; found a list; write `key: value`, without the '-'",
        ),
        (MultiStepFile, "words", "1:1: a mapping is due; found the text 'words'"),
        (MultiStepFile, "cues: 5", "1:7: cues: a list or a mapping is due; found the number 5"),
        (
            MultiStepFile,
            "cues: and then",
            "1:7: cues: a list or a mapping is due; found the text 'and then'",
        ),
        (
            MultiStepFile,
            "cues:",
            "1:6: cues: a list or a mapping is due; found nothing; write it, or take the key out",
        ),
        (
            MultiStepFile,
            "cues: {weak: also}",
            "1:14: cues.weak: a list is due; found the text 'also'; write it as [also]",
        ),
        (MultiStepFile, "cues: [[a]]", "1:8: cues[0]: a text is due; found a list"),
        (MultiStepFile, "cues: ['']", "1:8: cues[0]: this may not be empty"),
        (
            MultiStepFile,
            "cues: [a, no]",
            '1:11: cues[1]: a text is due; found `no`, which YAML reads as the boolean false; quote it: "no"',
        ),
        (
            MultiStepFile,
            "cues: [a, 12:30]",
            "1:11: cues[1]: YAML takes this for a number in base 60; quote it",
        ),
        (
            MultiStepFile,
            "cues: [1.10]",
            '1:8: cues[0]: a text is due; found `1.10`, which YAML reads as the number 1.1; quote it: "1.10"',
        ),
        (
            MultiStepFile,
            "cues: [2026-01-01]",
            '1:8: cues[0]: a text is due; found the date 2026-01-01; quote it: "2026-01-01"',
        ),
        (MultiStepFile, "cues: [7]", '1:8: cues[0]: a text is due; found the number 7; quote it: "7"'),
        (
            MultiStepFile,
            "cues: [~]",
            '1:8: cues[0]: a text is due; found `~`, which YAML reads as nothing; quote it: "~"',
        ),
        (
            MultiStepFile,
            "max_gap: '5'",
            "1:10: max_gap: a whole number is due; found the text '5'; take the quotes away, if it is one",
        ),
        (MultiStepFile, "max_gap: 1.5", "1:10: max_gap: a whole number is due; found the number 1.5"),
        (MultiStepFile, "max_gap: 0", "1:10: max_gap: this must be at least 1; found the number 0"),
        (MultiStepFile, "max_gap: 1001", "1:10: max_gap: this must be at most 1000; found the number 1001"),
        (MultiStepFile, "version: 2", "1:10: version: 1 is due; found the number 2"),
        (
            MultiStepFile,
            'cues: ["${KEY}"]',
            "1:8: cues[0]: `${NAME}` is read only in fields meant for a secret, such as api_key; "
            "write the text itself",
        ),
        (
            PlanningFile,
            "collapse: on",
            "1:11: collapse: 'whole', 'segments' or 'off' is due; found `on`, which YAML reads as the "
            'boolean true; quote it: "on"',
        ),
        (
            PlanningFile,
            "mode: splt",
            "1:7: mode: 'split', 'model' or 'split_then_model' is due; found the text 'splt'; "
            "did you mean 'split'?",
        ),
        (PlanningFile, "kinds: {9a: {}}", f"1:9: kinds.9a: {A_NAME}; found the key '9a'"),
        (
            PlanningFile,
            "kinds: {12: {}}",
            '1:9: kinds.12: a key is a text; YAML reads this one as a number; quote it: "12"',
        ),
        (
            PlanningFile,
            "kinds: {a: {aproval: on}}",
            "1:13: kinds.a.aproval: unknown key; did you mean 'approval'?",
        ),
        (
            AgentFile,
            "name: a\nuses: b\nlimits: {timeout: 30}",
            ("3:19: limits.timeout: a duration needs a number and a unit: 500ms, 30s, 2m or 1h"),
        ),
        (AgentFile, "name: 1a\nuses: b", f"1:7: name: {A_NAME}; found the text '1a'"),
        (AgentFile, "name: a", "1:1: uses: the key 'uses' is missing"),
        (
            AgentFile,
            "uses: b\nname: a\nidempotent: yep",
            "3:13: idempotent: true or false is due; found the text 'yep'",
        ),
        (
            AgentFile,
            "name: a\nuses: b\noptions: [x]",
            "3:10: options: a mapping is due; found a list; write `key: value`, without the '-'",
        ),
        (
            PluginsFile,
            "forced_planning: {enabled: true}",
            "1:28: forced_planning.enabled: forced planning is not in this version; set it to false",
        ),
        (
            PluginsFile,
            "forced_planning: {canonical_intellect_threshold: ''}",
            "1:50: forced_planning.canonical_intellect_threshold: a number is due; found the text ''; "
            "take the quotes away, if it is one",
        ),
        (
            PluginsFile,
            "forced_planning: {composite_intellect_threshold: -1}",
            "1:50: forced_planning.composite_intellect_threshold: this must be at least 0; "
            "found the number -1",
        ),
    ],
)
def test_a_fault_says_what_is_due_what_was_found_and_the_remedy(model, text, fault):
    assert faults(model, text) == [fault]


def test_all_faults_of_a_file_are_reported_at_once():
    text = "name: 1a\nuses: no\nbogus: 1\nbogus: 2\nintents: {12: {keyword: [on]}}\nlimits: {retries: -1}\n"
    assert len(faults(AgentFile, text)) == 7


def test_what_was_refused_as_yaml_is_not_refused_again():
    assert len(faults(AgentFile, "name: !x a\nuses: b")) == 1


def test_a_valid_file_is_its_model():
    document = read("f", b"cues: {weak: [also]}\n")
    judged = judge(document, MultiStepFile, {})
    assert judged.faults == ()
    assert judged.value == MultiStepFile.model_validate({"cues": {"weak": ["also"]}})


class Many(BaseModel):
    of: str | list[int] | dict[str, int] = ""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("of: 5", '1:5: of: a text or a list or a mapping is due; found the number 5; quote it: "5"'),
        (
            "of: [1, x]",
            "1:9: of[1]: a whole number is due; found the text 'x'; take the quotes away, if it is one",
        ),
        (
            "of: {a: x}",
            "1:9: of.a: a whole number is due; found the text 'x'; take the quotes away, if it is one",
        ),
    ],
)
def test_a_union_is_one_fault_of_the_member_that_was_meant(text, fault):
    assert faults(Many, text) == [fault]


def test_a_secret_is_taken_from_the_environment_and_never_shown():
    document = read("f", b'models: {a: {provider: openai, api_key: "${KEY}"}}')
    file = judge(document, ModelsFile, {"KEY": "sk-123"}).value
    assert file is not None
    secret = file.models["a"].api_key
    assert secret is not None
    assert (secret.variable, secret.value, str(secret)) == ("KEY", "sk-123", "${KEY}")
    assert "sk-123" not in f"{file!r} {file} {file.model_dump()} {file.model_dump_json()}"


def test_a_literal_secret_is_accepted_and_never_shown():
    document = read("f", b"models: {a: {provider: openai, api_key: sk-123}}")
    file = judge(document, ModelsFile, {}).value
    assert file is not None
    assert file.models["a"].api_key.value == "sk-123"
    assert "sk-123" not in f"{file!r} {file} {file.model_dump()} {file.model_dump_json()}"


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ('"${NOPE}"', "the environment variable NOPE is not set; set it, or take the key out"),
        ('"${EMPTY}"', "the environment variable EMPTY is empty; set it, or take the key out"),
        ('"sk-123${KEY}"', "a secret is the whole text `${NAME}`, or a literal that is not empty"),
        ('" "', "a secret is the whole text `${NAME}`, or a literal that is not empty"),
        ("12345678", "a secret is due: the text `${NAME}` of an environment variable"),
        ("[sk-123]", "a secret is due: the text `${NAME}` of an environment variable"),
        ("{variable: A, value: sk-123}", "a secret is due: the text `${NAME}` of an environment variable"),
    ],
)
def test_a_secret_that_cannot_be_had_is_a_located_fault_without_its_value(value, fault):
    text = f"models:\n  a: {{provider: openai, api_key: {value}, bogus: 1}}"
    judged = judge(read("f", text.encode()), ModelsFile, {"EMPTY": "", "KEY": "k"})
    shown = [str(f) for f in judged.faults]
    assert shown[0].split("\n")[0] == f"f:2:34: models.a.api_key: {fault}"
    assert len(shown) == 2
    assert not any(hidden in "".join(shown) for hidden in ("sk-123", "12345678"))


def test_a_plain_off_is_read_as_the_choice_it_is() -> None:
    assert PlanningFile.model_validate({"collapse": False}).collapse == "off"
