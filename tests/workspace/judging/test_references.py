"""What the files say of one another, each broken name at its place."""

from dataclasses import replace

import pytest
from orchestrator.errors import WorkspaceInvalid
from orchestrator.workspace.load import load_workspace

DIARY = "name: diary\nuses: diary\noptions: {file: d.txt}\n"


def test_an_unknown_agent_type_is_named_with_the_nearest(faults):
    assert faults({"agents/diary.yaml": "name: diary\nuses: dairy\n"}) == [
        "agents/diary.yaml:2:7: uses: there is no agent type 'dairy'; did you mean 'diary'?"
    ]


def test_options_are_held_against_the_type_at_their_own_places(faults):
    text = "name: diary\nuses: diary\noptions:\n  fil: d.txt\n  pages: two\n"
    assert faults({"agents/diary.yaml": text}) == [
        "agents/diary.yaml:4:3: options.file: the key 'file' is missing",
        "agents/diary.yaml:4:3: options.fil: unknown key; did you mean 'file'?",
        "agents/diary.yaml:5:10: options.pages: a whole number is due; found the text 'two'; "
        "take the quotes away, if it is one",
    ]


def test_missing_options_are_placed_at_the_agent(faults):
    assert faults({"agents/diary.yaml": "# mine\nname: diary\nuses: diary\n"}) == [
        "agents/diary.yaml:2:1: options.file: the key 'file' is missing"
    ]


def test_a_secret_of_an_options_model_comes_from_the_environment_too(faults, load):
    agent = {"agents/diary.yaml": 'name: diary\nuses: diary\noptions: {file: x, key: "${KEY}"}\n'}
    assert faults(agent) == [
        "agents/diary.yaml:3:25: options.key: the environment variable KEY is not set; "
        "set it, or take the key out"
    ]
    assert load(agent, {"KEY": "sk-123"}).options["diary"].key.value == "sk-123"


def test_declared_effects_cannot_be_less_than_the_types(faults):
    assert faults({"agents/diary.yaml": f"{DIARY}effects: none\n"}) == [
        "agents/diary.yaml:4:10: effects: the type 'diary' has the effect 'read'; "
        "an agent cannot declare less"
    ]


def test_two_agents_of_one_name_are_both_named(faults):
    assert faults({"agents/other.yml": f"# second\n{DIARY}"}) == [
        "agents/other.yml:2:7: name: the agent 'diary' stands already in agents/diary.yaml:1; "
        "give one of them another name"
    ]


def test_two_intents_of_one_name_are_both_named(faults):
    first = f"{DIARY}intents:\n  look: {{}}\n"
    second = "name: other\nuses: diary\noptions: {file: o}\nintents:\n  see: {}\n  look: {}\n"
    assert faults({"agents/diary.yaml": first, "agents/other.yaml": second}) == [
        "agents/other.yaml:6:3: intents.look: the intent 'look' stands already in agents/diary.yaml:5; "
        "give one of them another name"
    ]


@pytest.mark.parametrize(
    ("file", "text", "where"),
    [
        ("agents/diary.yaml", f"{DIARY}model: smal\n", "agents/diary.yaml:4:8: model"),
        ("config/routing.yaml", "model: smal\n", "config/routing.yaml:1:8: model"),
        ("config/planning.yaml", "model: smal\nprompt: p.j2\n", "config/planning.yaml:1:8: model"),
    ],
)
def test_an_unknown_model_is_named_with_the_nearest(faults, file, text, where):
    models = {"config/models.yaml": "models: {small: {provider: ollama}}\n", "prompts/p.j2": ""}
    assert faults({**models, file: text}) == [
        f"{where}: there is no model 'smal' in config/models.yaml; did you mean 'small'?"
    ]


def test_fallbacks_are_other_models(faults):
    models = "models:\n  a: {provider: ollama, fallbacks: [a, b]}\n"
    assert faults({"config/models.yaml": models}) == [
        "config/models.yaml:2:37: models.a.fallbacks[0]: a model cannot be its own fallback; take it out",
        "config/models.yaml:2:40: models.a.fallbacks[1]: there is no model 'b' in config/models.yaml; "
        "known are: a",
    ]


OTHER = "name: other\nuses: diary\noptions: {file: o}\n"


@pytest.mark.parametrize(
    ("fallbacks", "told"),
    [
        ("[othr]", ["4:13: fallbacks[0]: there is no agent 'othr'; did you mean 'other'?"]),
        ("[diary]", ["4:13: fallbacks[0]: an agent cannot be its own fallback; take it out"]),
        (
            "[other, other]",
            ["4:20: fallbacks[1]: it stands here already, and has had its turn then; take it out"],
        ),
        (
            "[nobody, 7, diary]",
            [
                "4:13: fallbacks[0]: there is no agent 'nobody'; known are: diary, other",
                '4:21: fallbacks[1]: a text is due; found the number 7; quote it: "7"',
                "4:24: fallbacks[2]: an agent cannot be its own fallback; take it out",
            ],
        ),
        ("[[other]]", ["4:13: fallbacks[0]: a text is due; found a list"]),
        ("[{other: 1}]", ["4:13: fallbacks[0]: a text is due; found a mapping"]),
    ],
)
def test_fallbacks_are_other_agents_each_once(faults, fallbacks, told):
    found = faults({"agents/diary.yaml": f"{DIARY}fallbacks: {fallbacks}\n", "agents/other.yaml": OTHER})
    assert found == [f"agents/diary.yaml:{one}" for one in told]


@pytest.mark.parametrize(
    ("own", "others", "refused"),
    [
        ("", "effects: write", ("write", "read")),
        ("effects: read", "effects: write", ("write", "read")),
        ("effects: write", "effects: write", None),
        ("effects: write", "", None),
        ("", "effects: read", None),
    ],
)
def test_a_fallback_may_not_do_more_to_the_world_whether_the_file_or_the_type_says_what(
    faults, load, own, others, refused
):
    files = {
        "agents/diary.yaml": f"{DIARY}fallbacks: [other]\n{own}\n",
        "agents/other.yaml": f"{OTHER}{others}\n",
    }
    if refused is None:
        assert load(files).agents["diary"].fallbacks == ("other",)
        return
    has, may = refused
    assert faults(files) == [
        f"agents/diary.yaml:4:13: fallbacks[0]: it has the effect '{has}', and this agent only '{may}'; "
        f"take it out, or declare `effects: {has}`"
    ]


def test_a_fallback_whose_type_does_more_is_refused_though_neither_file_says_so(write, types):
    known = {**types, "pen": replace(types["diary"], name="pen", effects="write")}
    pen = "name: pen\nuses: pen\noptions: {file: p}\n"
    root = write({"agents/diary.yaml": f"{DIARY}fallbacks: [pen]\n", "agents/pen.yaml": pen})
    with pytest.raises(WorkspaceInvalid, match="it has the effect 'write', and this agent only 'read'"):
        load_workspace(root, known.get, lambda: tuple(known), {})


def test_the_llm_classifier_needs_a_model(faults):
    assert faults({"config/routing.yaml": "classifiers: [keyword, llm]\n"}) == [
        "config/routing.yaml:1:24: classifiers[1]: the 'llm' classifier needs a model; "
        "set `model` to a name in config/models.yaml"
    ]


def test_the_default_agent_is_one_of_the_agents(faults):
    assert faults({"config/routing.yaml": "default_agent: diaryy\n"}) == [
        "config/routing.yaml:1:16: default_agent: there is no agent 'diaryy'; did you mean 'diary'?"
    ]


def test_every_kind_has_a_policy(faults):
    agent = f"{DIARY}kind: anser\nintents:\n  look: {{kind: acct}}\n"
    planning = "writes_raise_to: actt\n"
    assert faults({"agents/diary.yaml": agent, "config/planning.yaml": planning}) == [
        "config/planning.yaml:1:18: writes_raise_to: the kind 'actt' has no policy in config/planning.yaml; "
        "did you mean 'act'?",
        "agents/diary.yaml:4:7: kind: the kind 'anser' has no policy in config/planning.yaml; "
        "did you mean 'answer'?",
        "agents/diary.yaml:6:16: intents.look.kind: the kind 'acct' has no policy in config/planning.yaml; "
        "did you mean 'act'?",
    ]


def test_a_kind_that_is_taken_where_none_is_set_needs_a_policy_too(faults):
    assert faults({"config/planning.yaml": "kinds: {other: {}}\n"}) == [
        "config/planning.yaml:1:1: writes_raise_to: the kind 'act' has no policy in config/planning.yaml; "
        "it is taken where none is set; known are: other",
        "agents/diary.yaml:1:1: kind: the kind 'answer' has no policy in config/planning.yaml; "
        "it is taken where none is set; known are: other",
    ]


def test_an_operation_that_is_set_must_be_one_of_the_types(faults, load):
    agent = f"{DIARY}intents:\n  look: {{operation: look_upp}}\n"
    assert faults({"agents/diary.yaml": agent}) == [
        "agents/diary.yaml:5:21: intents.look.operation: 'diary' has no operation 'look_upp'; "
        "did you mean 'look_up'?"
    ]
    assert load({"agents/diary.yaml": f"{DIARY}intents: {{anything: {{}}}}\n"}).warnings == ()


def test_a_template_must_exist_in_prompts(faults, load):
    agent = {"agents/diary.yaml": f"{DIARY}prompt: sub/write.j2\n"}
    planning = {"config/planning.yaml": "prompt: mine.j2\n"}
    assert faults({**agent, **planning, "prompts/writer.j2": ""}) == [
        "config/planning.yaml:1:9: prompt: there is no template 'mine.j2' in prompts/; "
        "did you mean 'writer.j2'?",
        "agents/diary.yaml:4:9: prompt: there is no template 'sub/write.j2' in prompts/; "
        "did you mean 'writer.j2'?",
    ]
    assert (
        load({**agent, **planning, "prompts/sub/write.j2": "", "prompts/mine.j2": ""}).planning.prompt
        == "mine.j2"
    )


def test_a_template_outside_prompts_is_none(faults):
    (fault,) = faults(
        {"agents/diary.yaml": f"{DIARY}prompt: ../config/orchestrator.yaml\n", "prompts/a.j2": ""}
    )
    assert "there is no template '../config/orchestrator.yaml' in prompts/" in fault


def test_a_shipped_template_need_not_be_in_prompts(load):
    assert load({"config/planning.yaml": "prompt: planner.j2\n"}).planning.prompt == "planner.j2"


def test_a_file_that_cannot_be_read_makes_no_faults_in_those_that_refer_to_it(faults):
    files = {"config/models.yaml": "models: [", "config/routing.yaml": "model: small\n"}
    assert [f.split(":")[0] for f in faults(files)] == ["config/models.yaml"]


def test_a_rule_speaks_also_of_a_file_that_has_other_faults(faults):
    text = "name: diary\nuses: dairy\nbogus: 1\nkind: anser\nmodel: small\n"
    assert [f.split(": ")[1] for f in faults({"agents/diary.yaml": text})] == [
        "uses",
        "bogus",
        "kind",
        "model",
    ]


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (
            f"{DIARY}intents:\n  jot: {{operation: write_down}}\n",
            ["agents/diary.yaml:5:20: intents.jot.operation: 'write_down' writes; "
             "declare `effects: write`, or take the intent out"],
        ),
        (
            f"{DIARY}effects: read\nintents:\n  write_down: {{}}\n",
            ["agents/diary.yaml:6:3: intents.write_down: 'write_down' writes; "
             "declare `effects: write`, or take the intent out"],
        ),
        (f"{DIARY}effects: write\nintents:\n  jot: {{operation: write_down}}\n", []),
        (f"{DIARY}effects: read\nintents:\n  look: {{operation: look_up}}\n", []),
    ],
)  # fmt: skip
def test_an_operation_that_writes_is_for_an_agent_that_may(write, types, agent, told):
    known = {"diary": replace(types["diary"], writing=("write_down",))}
    root = write({"agents/diary.yaml": agent})
    if not told:
        load_workspace(root, known.get, lambda: tuple(known), {})
        return
    with pytest.raises(WorkspaceInvalid) as invalid:
        load_workspace(root, known.get, lambda: tuple(known), {})
    assert [str(f).split("\n")[0] for f in invalid.value.faults] == told
