"""Secrets that stand in a file: whoever may read the workspace has them, and so does every copy of it."""

from collections.abc import Iterator

from orchestrator.lints.subject import MODELS, ORCHESTRATOR, Subject
from orchestrator.workspace.judging.shape import has_secrets
from orchestrator.workspace.value import Doubt, Spot, secrets_in


def secret_doubts(subject: Subject) -> Iterator[Doubt]:
    """Each secret that is not taken from the environment; its value is in no message."""
    workspace = subject.workspace
    places = [
        (Spot(ORCHESTRATOR), workspace.orchestrator),
        (Spot(MODELS), workspace.models),
        *((subject.spot(name, "options"), options) for name, options in workspace.options.items()),
    ]
    for top, model in places:
        for path, secret in secrets_in(model, top.path) if has_secrets(type(model)) else ():
            if not secret.variable:
                message = "a secret stands in the file; set it in the environment, and write ${NAME} here"
                yield Doubt("secret-literal", Spot(top.file, path), message)
