"""A session on a pipe: turns, and commands that begin with a slash."""

import json
from pathlib import Path

import pytest

from support.calling import cuewave

TURN = "what is on my calendar today"


def test_commands_of_a_session_are_no_turns() -> None:
    done = cuewave("chat", given=f"/help\n/plan {TURN}\n/nonsense\n/plan\n")
    assert done.code == 0
    assert "plan      direct, 1 task" in done.out
    assert "there is no such command" in done.err
    assert "▶ started" not in done.err


def test_a_session_can_be_gone_on_with_and_lists_its_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUEWAVE_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    first = cuewave("chat", "--json", "--session", "mine", given=f"{TURN}\n")
    assert first.json["session"] == "mine"
    again = cuewave("chat", "--session", "mine", given="/runs\n")
    assert first.json["turns"][0]["run"][-8:] in again.out


def test_quit_leaves_what_comes_after_it_unread() -> None:
    done = cuewave("chat", "--json", given=f"{TURN}\n/quit\n{TURN}\n")
    assert len(done.json["turns"]) == 1


def test_with_json_a_dry_run_is_beside_the_document() -> None:
    done = cuewave("chat", "--json", given=f"/plan {TURN}\n")
    assert done.json["turns"] == []
    assert "direct, 1 task" in done.err


def test_all_schemas_are_one_document_or_a_file_each(tmp_path: Path) -> None:
    whole = cuewave("schema", "--all").json
    done = cuewave("schema", "--all", "--out", str(tmp_path / "made"))
    files = {Path(name).stem: json.loads(Path(name).read_text()) for name in done.out.split()}
    assert files == whole
    assert cuewave("schema").code == 2
    assert cuewave("schema", "agent", "--all").code == 2


def test_models_are_listed_and_a_key_is_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mine"
    assert cuewave("init", str(folder)).code == 0
    (folder / "config" / "models.yaml").write_text(
        "models:\n"
        '  main: {provider: openai, model: m, api_key: "${THE_KEY}", fallbacks: [local],'
        " price: {input: 1.5, output: 6}}\n"
        "  local: {provider: openai, model: n, api_key: sk-written-here}\n"
    )
    monkeypatch.setenv("THE_KEY", "sk-from-outside")
    found = cuewave("models", "--json", cwd=folder)
    assert [(m["name"], m["key"], m["fallbacks"]) for m in found.json] == [
        ("main", "${THE_KEY}", ["local"]),
        ("local", "***", []),
    ]
    shown = cuewave("models", cwd=folder)
    assert "${THE_KEY}" in shown.out
    assert not any(key in found.out + shown.out for key in ("sk-from-outside", "sk-written-here"))


def test_the_nearest_verb_is_named_where_there_is_none() -> None:
    assert "did you mean 'plan'?" in cuewave("pla").err
    assert "did you mean 'resume'?" in cuewave("runs", "resum").err
    assert "there are agents, chat" in cuewave("zzz").err
