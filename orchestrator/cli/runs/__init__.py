"""`cuewave runs`: everything that a person can do to a run, a module for every few related verbs."""

import click

from orchestrator.cli.verbs import Verb, Verbs

_VERBS = {
    "list": Verb("the runs there are", "listing:list_runs"),
    "show": Verb("what happened in a run; --follow watches it live", "show:show"),
    "resume": Verb("take a run up where it was left", "driving:resume"),
    "cancel": Verb("stop a run", "driving:cancel"),
    "approve": Verb("agree to the plan of a run that waits", "words:approve"),
    "reject": Verb("do not let the plan be run", "words:reject"),
    "feedback": Verb("say how the plan should be instead", "words:feedback"),
    "answer": Verb("say whether a task in doubt took effect", "telling:answer"),
    "signal": Verb("tell a run that a fact has changed", "signalling:signal"),
    "clear-review": Verb("say that a flagged run was looked at", "telling:clear_review"),
    "export": Verb("a run as one file", "copies:export"),
    "replay": Verb("go through an exported run again, and compare", "copies:replay"),
    "prune": Verb("forget what ended long ago", "forgetting:prune"),
    "delete": Verb("forget one run", "forgetting:delete"),
}


@click.group(
    cls=Verbs,
    verbs={verb: known._replace(place=f"{__name__}.{known.place}") for verb, known in _VERBS.items()},
)
def command() -> None:
    """List the runs, look at one, say something to it, take it up again.

    Where an ID is due, the beginning or the end of one is enough: at least 6 characters, and of one run only.
    """
