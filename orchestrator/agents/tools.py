"""The tools that an agent's YAML may name: what each name means, and who may use it.

Law: an agent reaches nothing through a tool that goes beyond its own declared effects, and no agent is asked,
by whatever way, while it waits for the answer. Both are refused when the agent is built; a tool that does not
say what it may do counts as writing. Tools are LangChain's; those of ours load it when a call makes them.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from orchestrator.agents.contract import Call, Peer, Surroundings, Usage
from orchestrator.errors import TaskError, UserError
from orchestrator.ids import EFFECTS, AgentName, Effects, IntentName
from orchestrator.workspace.agent_file import AgentFile

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

GROUP = "cuewave.tools"
ASK = "agent:"
MAX_DEPTH = 4
"""Most agents that may wait for one another's answers."""
_NOT_YET = ("update_todos", "mcp:")


@dataclass(frozen=True, slots=True)
class Use:
    """The call of an agent that tools are made for, and who is told what they cost."""

    call: Call
    spend: Callable[[Usage], None]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool by the name the model knows it by, what it may do, and how it is made for one call."""

    name: str
    effects: Effects
    make: Callable[[Use], "BaseTool"]


def tools_of(file: AgentFile, surroundings: Surroundings) -> tuple[Tool, ...]:
    """The tools an agent names. Raises UserError for one that there is not, or that it may not use."""
    found: dict[str, Tool] = {}
    for name in file.tools:
        tool = _tool(file, name, surroundings)
        _check_effects(file, name, tool.effects)
        if tool.name in found:
            raise _refused(file, name, f"is called {tool.name!r}, as another of its tools is; take one out")
        found[tool.name] = tool
    circle = _circle(file.name, file.tools, surroundings.peers, (file.name,))
    if circle:
        raise UserError(
            f"agent {file.name!r}: its tools let agents ask one another in a circle: "
            f"{' -> '.join(circle)}; take one of these tools out"
        )
    return tuple(found.values())


def _tool(file: AgentFile, name: str, surroundings: Surroundings) -> Tool:
    if name == "today":
        return Tool(name, "none", lambda _: _today(surroundings))
    if name.startswith(_NOT_YET):
        raise _refused(file, name, "is not in this version; leave it out")
    if not name.startswith(ASK):
        foreign = _foreign(file, name, surroundings)
        return Tool(foreign.name, _declared(foreign), lambda _: foreign)
    peer = surroundings.peers.get(AgentName(name.removeprefix(ASK)))
    if peer is None:
        known = ", ".join(sorted(surroundings.peers)) or "none"
        raise _refused(file, name, f"names an agent that there is not; there are: {known}")
    return Tool(f"ask_{peer.file.name}", peer.effects, lambda use: _ask(peer, use))


def _check_effects(file: AgentFile, name: str, effects: Effects) -> None:
    own = file.effects or "none"
    if EFFECTS.index(effects) > EFFECTS.index(own):
        remedy = f"declare `effects: {effects}` for the agent, or take the tool out"
        raise _refused(file, name, f"has effects {effects!r}, and the agent only {own!r}; {remedy}")


def _circle(
    name: str, tools: tuple[str, ...], peers: Mapping[AgentName, Peer], path: tuple[str, ...]
) -> tuple[str, ...]:
    """The way on which `name` ends up being asked by whom it asked; empty where there is none."""
    for asked in (AgentName(t.removeprefix(ASK)) for t in tools if t.startswith(ASK)):
        if asked == name:
            return (*path, asked)
        if asked in peers and asked not in path:
            circle = _circle(name, peers[asked].file.tools, peers, (*path, asked))
            if circle:
                return circle
    return ()


def _today(surroundings: Surroundings) -> "BaseTool":
    from langchain_core.tools import StructuredTool

    async def today() -> str:
        now = surroundings.now()
        return f"{now:%A} {now.isoformat(sep=' ', timespec='minutes')}"

    schema: dict[str, Any] = {"type": "object", "properties": {}}
    about = "The date and time now, with the day of the week."
    return StructuredTool(name="today", description=about, args_schema=schema, coroutine=today)


def _ask(peer: Peer, use: Use) -> "BaseTool":
    """A tool that asks another agent, whose text is the answer.

    The effect key is the question's own: it is the same when the same is asked once more because there was no
    answer, in this attempt or the next, and another one when it is asked on purpose.
    """
    from langchain_core.tools import StructuredTool

    name, answered = peer.file.name, Counter[str]()

    async def ask(request: str, intent: str | None = None) -> str:
        if use.call.depth >= MAX_DEPTH:
            raise TaskError(f"agents ask one another more than {MAX_DEPTH} deep; answer without {name!r}")
        if intent is not None and intent not in peer.file.intents:
            raise TaskError(f"{name!r} has no intent {intent!r}; it has: {', '.join(peer.file.intents)}")
        question = sha256(f"{intent or ''} {request}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
        output = await peer.agent().run(
            Call(
                query=request,
                action=request,
                request=use.call.request,
                intent=None if intent is None else IntentName(intent),
                key=_key_of(f"{name}-{question}-{answered[question] + 1}", use.call.key),
                depth=use.call.depth + 1,
                purse=use.call.purse,
            )
        )
        answered[question] += 1
        use.spend(output.usage)
        return output.text

    about = f"Asks the agent {name}. {peer.file.description}".strip()
    return StructuredTool(name=f"ask_{name}", description=about, args_schema=_question(peer), coroutine=ask)


def _key_of(question: str, key: str) -> str:
    """The key of a question's effect, asked in the attempt that has this key; none where that has none."""
    task, _, attempt = key.rpartition("/")
    return key and f"{task}/{question}/{attempt}"


def _question(peer: Peer) -> dict[str, Any]:
    """The JSON Schema of a question; where the agent has several intents, one may be named."""
    properties: dict[str, Any] = {
        "request": {"type": "string", "description": "What is asked, complete: the agent sees nothing else."}
    }
    if len(peer.file.intents) > 1:
        told = "; ".join(
            f"{n}: {i.description}" if i.description else n for n, i in peer.file.intents.items()
        )
        properties["intent"] = {"type": "string", "enum": list(peer.file.intents), "description": told}
    return {"type": "object", "properties": properties, "required": ["request"]}


def _foreign(file: AgentFile, name: str, surroundings: Surroundings) -> "BaseTool":
    """A tool of another package: a LangChain tool, or a function that makes one of the surroundings."""
    offers = {o.value: o for o in entry_points(group=GROUP, name=name)}
    if not offers:
        others = sorted({o.name for o in entry_points(group=GROUP)})
        known = ", ".join(["today", f"{ASK}NAME", *others])
        raise _refused(file, name, f"is not known; known are: {known}")
    if len(offers) > 1:
        raise _refused(file, name, f"is offered by several packages ({', '.join(sorted(offers))}); keep one")
    return _loaded(file, next(iter(offers.values())), surroundings)


def _loaded(file: AgentFile, offer: EntryPoint, surroundings: Surroundings) -> "BaseTool":
    from langchain_core.tools import BaseTool

    try:
        found = offer.load()
        tool = found if isinstance(found, BaseTool) else found(surroundings)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise _refused(file, offer.name, f"cannot be loaded from {offer.value!r}: {why}") from error
    if not isinstance(tool, BaseTool):
        raise _refused(
            file, offer.name, f"({offer.value!r}) is no LangChain tool but a {type(tool).__name__}"
        )
    return tool


def _declared(tool: "BaseTool") -> Effects:
    """What a tool says that it may do, in `metadata["effects"]`; the worst where it does not say."""
    effects = (tool.metadata or {}).get("effects")
    return effects if effects in EFFECTS else "write"


def _refused(file: AgentFile, tool: str, message: str) -> UserError:
    return UserError(f"agent {file.name!r}: the tool {tool!r} {message}")
