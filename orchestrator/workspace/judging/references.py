"""What the files of a workspace say of one another: every name that one uses must stand in another.

Law: a rule looks at the plain data, so that it speaks also of a file that has other faults; where the file
that would know the names cannot be read, the rule is silent.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from orchestrator.errors import Fault
from orchestrator.ids import EFFECTS
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.codes import CODES
from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.document.positions import Document, plain
from orchestrator.workspace.judging.grounds import ungrounded
from orchestrator.workspace.judging.wording import meant, nearest
from orchestrator.workspace.models import PlanningFile
from orchestrator.workspace.value import KnownType

_NO_MODEL = "there is no model '{}' in config/models.yaml"
_NO_POLICY = "the kind '{}' has no policy in config/planning.yaml"
_NO_TEMPLATE = "there is no template '{}' in prompts/"


@dataclass(frozen=True, slots=True)
class Files:
    """All documents of a workspace, those of `config/` by bare name, and what they may refer to.

    `types` are those that agents use, `type_names` lists all there are (which takes a while), `prompts` are
    the names of the templates.
    """

    config: Mapping[str, Document]
    agents: Mapping[str, Document]
    types: Mapping[str, KnownType]
    type_names: Callable[[], Sequence[str]]
    prompts: Collection[str]

    def used(self, agent: Document) -> KnownType | None:
        """The type of an agent, where it is known."""
        uses = agent.at(("uses",))
        return self.types.get(uses) if isinstance(uses, str) else None


Rule: TypeAlias = Callable[[Files], Iterator[Fault]]


def broken_references(files: Files) -> Iterator[Fault]:
    """Every fault of every rule."""
    for rule in _RULES:
        yield from rule(files)


def _agent_types(files: Files) -> Iterator[Fault]:
    for agent in files.agents.values():
        if files.used(agent) is None:
            yield from _unknown(agent, ("uses",), files.type_names(), "there is no agent type '{}'")


def _effects(files: Files) -> Iterator[Fault]:
    for agent in files.agents.values():
        declared, known = agent.at(("effects",)), files.used(agent)
        if known and declared in EFFECTS and EFFECTS.index(declared) < EFFECTS.index(known.effects):
            message = (
                f"the type '{known.name}' has the effect '{known.effects}'; an agent cannot declare less"
            )
            yield agent.fault(("effects",), message)


def _operations(files: Files) -> Iterator[Fault]:
    for agent in files.agents.values():
        known = files.used(agent)
        if known and known.operations:
            for intent in _keys(agent, ("intents",)):
                trail = ("intents", intent, "operation")
                yield from _unknown(agent, trail, known.operations, f"'{known.name}' has no operation '{{}}'")


def _writing_operations(files: Files) -> Iterator[Fault]:
    """What an agent may not do, no turn may be led to."""
    for agent in files.agents.values():
        known, declared = files.used(agent), agent.at(("effects",))
        if known is None or _strength(files, agent) == EFFECTS.index("write"):
            continue
        for intent in _keys(agent, ("intents",)):
            operation = agent.at(("intents", intent, "operation"))
            done = intent if operation is None else operation
            if done in known.writing and (declared is None or declared in EFFECTS):
                message = f"'{done}' writes; declare `effects: write`, or take the intent out"
                trail: Trail = ("intents", intent) if operation is None else ("intents", intent, "operation")
                yield agent.fault(trail, message, at_key=operation is None)


def _agents_twice(files: Files) -> Iterator[Fault]:
    named = ((a, ("name",), a.at(("name",))) for a in files.agents.values())
    yield from _twice(named, "agent", at_key=False)


def _intents_twice(files: Files) -> Iterator[Fault]:
    named = ((a, ("intents", i), i) for a in files.agents.values() for i in _keys(a, ("intents",)))
    yield from _twice(named, "intent", at_key=True)


def _default_agent(files: Files) -> Iterator[Fault]:
    names = [a.at(("name",)) for a in files.agents.values()]
    if all(isinstance(n, str) for n in names):
        yield from _unknown(files.config["routing"], ("default_agent",), names, "there is no agent '{}'")


def _fallbacks(files: Files) -> Iterator[Fault]:
    """An approval was given for what the agent may do: who stands in for it may not do more."""
    names = {name: a for a in files.agents.values() if isinstance(name := a.at(("name",)), str)}
    for agent in files.agents.values():
        chain = _list(agent, ("fallbacks",))
        for index, name in enumerate(chain):
            trail = ("fallbacks", index)
            yield from _unknown(agent, trail, tuple(names), "there is no agent '{}'")
            if isinstance(name, str) and name in names:
                message = _unfit(files, agent, names[name], again=name in chain[:index])
                if message is not None:
                    yield agent.fault(trail, message)


def _unfit(files: Files, agent: Document, other: Document, *, again: bool) -> str | None:
    """Why the other agent cannot stand in for this one."""
    if other.at(("name",)) == agent.at(("name",)):
        return "an agent cannot be its own fallback; take it out"
    if again:
        return "it stands here already, and has had its turn then; take it out"
    least, most = _strength(files, agent), _strength(files, other)
    if most > least:
        has, may = EFFECTS[most], EFFECTS[least]
        remedy = f"take it out, or declare `effects: {has}`"
        return f"it has the effect '{has}', and this agent only '{may}'; {remedy}"
    return None


def _strength(files: Files, agent: Document) -> int:
    """How much an agent may do to the world; its type's, where the file does not say."""
    declared, known = agent.at(("effects",)), files.used(agent)
    if declared in EFFECTS:
        return EFFECTS.index(declared)
    return EFFECTS.index(known.presumed or known.effects) if known else 0


def _models(files: Files) -> Iterator[Fault]:
    models = files.config["models"]
    if () in models.broken:
        return
    known = _keys(models, ("models",))
    for document in (files.config["routing"], files.config["planning"], *files.agents.values()):
        yield from _unknown(document, ("model",), known, _NO_MODEL)
    for model in known:
        for index, fallback in enumerate(_list(models, ("models", model, "fallbacks"))):
            trail = ("models", model, "fallbacks", index)
            yield from _unknown(models, trail, known, _NO_MODEL)
            if fallback == model:
                yield models.fault(trail, "a model cannot be its own fallback; take it out")


def _llm_classifier(files: Files) -> Iterator[Fault]:
    routing = files.config["routing"]
    for index, classifier in enumerate(_list(routing, ("classifiers",))):
        if classifier == "llm" and routing.at(("model",)) is None:
            message = "the 'llm' classifier needs a model; set `model` to a name in config/models.yaml"
            yield routing.fault(("classifiers", index), message)


def _kinds(files: Files) -> Iterator[Fault]:
    planning = files.config["planning"]
    kinds = planning.at(("kinds",))
    if () in planning.broken or not isinstance(kinds, dict | None):
        return
    known = tuple(PlanningFile().kinds) if kinds is None else tuple(cast(dict[str, object], kinds))
    places: list[tuple[Document, Trail, str | None]] = [
        (planning, ("writes_raise_to",), PlanningFile().writes_raise_to)
    ]
    for agent in files.agents.values():
        places.append((agent, ("kind",), AgentFile.model_fields["kind"].default))
        places.extend((agent, ("intents", i, "kind"), None) for i in _keys(agent, ("intents",)))
    for document, trail, default in places:
        kind = document.at(trail)
        if kind is None and default not in (None, *known):
            message = f"{_NO_POLICY.format(default)}; it is taken where none is set"
            yield document.fault(trail, message + nearest("", known))
        yield from _unknown(document, trail, known, _NO_POLICY)


def _templates(files: Files) -> Iterator[Fault]:
    for document in (files.config["planning"], *files.agents.values()):
        yield from _unknown(document, ("prompt",), sorted(files.prompts), _NO_TEMPLATE)


def _allowed_checks(files: Files) -> Iterator[Fault]:
    """A code that there is not would allow nothing, and hide a slip of the pen."""
    orchestrator = files.config["orchestrator"]
    for index, code in enumerate(_list(orchestrator, ("checks", "allow"))):
        if isinstance(code, str) and code not in CODES:
            known = meant(code, tuple(CODES)) or "; `cuewave check --strict` shows the code of each warning"
            message = f"there is no check '{plain(code)}'{known}"
            yield orchestrator.fault(("checks", "allow", index), message)


_RULES: tuple[Rule, ...] = (
    _agent_types,
    _effects,
    _operations,
    _writing_operations,
    _agents_twice,
    _intents_twice,
    _default_agent,
    _fallbacks,
    _models,
    _llm_classifier,
    _kinds,
    _templates,
    _allowed_checks,
    ungrounded,
)


def _unknown(document: Document, trail: Trail, known: Sequence[str], message: str) -> Iterator[Fault]:
    word = document.at(trail)
    if isinstance(word, str) and word not in known:
        yield document.fault(trail, message.format(plain(word)) + nearest(word, known))


def _twice(named: Iterator[tuple[Document, Trail, Any]], what: str, *, at_key: bool) -> Iterator[Fault]:
    """A fault at each name that stood before, which says where."""
    first: dict[str, tuple[Document, Trail]] = {}
    for document, trail, name in named:
        if not isinstance(name, str):
            continue
        if name in first:
            there, above = first[name]
            before = there.fault(above, "", at_key=at_key)
            where = f"{before.file}:{before.line}"
            message = f"the {what} '{plain(name)}' stands already in {where}; give one of them another name"
            yield document.fault(trail, message, at_key=at_key)
        first.setdefault(name, (document, trail))


def _keys(document: Document, trail: Trail) -> tuple[str, ...]:
    data = document.at(trail)
    return tuple(cast(dict[str, object], data)) if isinstance(data, dict) else ()


def _list(document: Document, trail: Trail) -> Sequence[object]:
    data = document.at(trail)
    return cast(list[object], data) if isinstance(data, list) else ()
