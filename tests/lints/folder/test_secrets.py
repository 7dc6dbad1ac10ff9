from collections.abc import Callable

from support.doubted import MODELS, PROMPTED

TOOL = """\
name: tool
description: Runs a program.
uses: command
effects: none
intents:
  count: {description: count words, keywords: [count]}
options: {argv: [sh], secrets: {HMAC: hush-hush-hush}}
"""


def test_a_secret_in_a_file_is_doubted_and_not_shown(findings: Callable[..., tuple[object, ...]]) -> None:
    literal = MODELS.replace("${A_KEY}", "sk-abcdef")
    (finding,) = findings({**PROMPTED, "config/models.yaml": literal})
    assert str(finding).split("\n")[:2] == [
        "config/models.yaml:2:54: models.default.api_key: a secret stands in the file; set it in the "
        "environment, and write ${NAME} here [secret-literal]",
        "    default: {provider: openai, model: large, api_key: ***********}",
    ]
    assert findings(PROMPTED) == ()


def test_a_secret_of_an_option_is_hidden_by_what_it_is_not_by_its_key(
    findings: Callable[..., tuple[object, ...]],
) -> None:
    (finding,) = findings({"agents/tool.yaml": TOOL})
    assert "agents/tool.yaml:7:39: options.secrets.HMAC" in str(finding)
    assert "hush" not in str(finding)
    assert findings({"agents/tool.yaml": TOOL.replace("hush-hush-hush", "'${A_KEY}'")}) == ()


def test_another_warning_of_the_same_line_shows_no_secret(
    findings: Callable[..., tuple[object, ...]],
) -> None:
    files = {"agents/tool.yaml": TOOL.replace("options: {", "options: {cwd: none, ")}
    assert [f.code for f in findings(files)] == ["folder-missing", "secret-literal"]
    assert "hush" not in "".join(map(str, findings(files)))
