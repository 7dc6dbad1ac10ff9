"""The codes of all warnings of `check`, and what each says: one page, from which `docs/checks.md` is made.

Law: a code is for life. It is what an operator allows in `checks.allow`, so it never changes its meaning, and
whatever warns has its line here.
"""

from collections.abc import Mapping

CHECKS: Mapping[str, Mapping[str, str]] = {
    "Cues": {
        "cue-twice": "A cue stands twice in one list, or two of them are the same but for case, apostrophes"
        " or white space: the second does nothing.",
        "cue-in-two-groups": "A cue stands in two groups: it means what the first of them says, never what"
        " the second does.",
        "cue-never-matches": "Wherever the words of a cue stand, another cue takes them: this one is never"
        " found.",
        "cue-never-counts": "Weak cues or joiners, and fewer than two intents with keywords: they count only"
        " between two parts that go to different intents.",
        "cue-gap-of-joiners": 'All pieces of a gapped cue are joiners or weak cues ("both ... and"): with the'
        " gap they always count, and no side is looked at.",
    },
    "Routing": {
        "keyword-twice": "A keyword stands twice in one intent, but for case or white space.",
        "keyword-shared": "Two agents have the same keyword: each of them gets half of what it is worth, and"
        " it decides nothing between them.",
        "keyword-never-matches": "No turn can hold the keyword, since it cannot stand beside other words.",
        "keyword-holds-cue": "A keyword has a cue inside: a turn with it comes apart there, and neither part"
        " has the keyword.",
        "intent-shadowed": "Every keyword of an intent is also one of another intent: no turn speaks more for"
        " this one, so it is never sure.",
        "intent-without-keywords": "An intent has no keywords, and no language model routes: no turn is led"
        " to it.",
        "intent-without-description": "An intent has no description, by which planners, other agents and"
        " people know it.",
        "example-elsewhere": "An example of an intent is routed to another one, or to none.",
        "example-unsure": "An example of an intent is routed to it, but not surely: as a part of a compound"
        " turn it does not count.",
        "threshold-above-sure": "`threshold` is above `sure`: a turn that is sure is declined all the same.",
        "margin-above-sure": "`margin` is above `sure`: a lead so long has the confidence already, so that"
        " `sure` decides nothing.",
        "sure-unreachable": "`sure` or `margin` is above what the keywords of any intent can come to: nothing"
        " is ever sure, and no joiner counts.",
        "threshold-unreachable": "`threshold` is above what the keywords of any intent can come to: every"
        " turn is out of scope.",
        "no-classifier": "The list of classifiers is empty: every turn is out of scope.",
        "classifier-twice": "A classifier stands twice in the list: it says the same the second time.",
        "classifier-order": "The language model is asked before the keywords, which cost nothing.",
        "routing-model-unused": "`model` is set, and no classifier asks it.",
        "default-agent-writes": "Turns that nobody understands go to an agent that writes.",
    },
    "Agents": {
        "agent-without-intents": "Nothing leads to the agent but its name (`@name`): it has no intents, is no"
        " fallback, no tool, not the default, and no planner may choose it.",
        "agent-without-description": "An agent has no description, by which planners and people know it.",
        "agent-knob-unused": "`model`, `prompt` or `tools` of an agent whose type is not prompted: nothing"
        " reads it.",
        "operation-unused": "An intent names an operation, and the agent's type tells none apart.",
    },
    "Planning": {
        "kind-unused": "A kind of your own in `config/planning.yaml` that no agent and no intent has.",
        "kind-refused": "Turns of an agent, of an intent, or of all that write are refused: their kind asks"
        " for joint planning, which is not in this version.",
        "writer-kind-raised": "An agent that writes has a kind whose approval is `never`: its plans are of"
        " the kind `writes_raise_to`, which asks.",
        "writes-unasked": "An agent writes and no person is ever asked: neither its kind nor"
        " `writes_raise_to` asks.",
        "max-tasks-one": "`max_tasks` is 1, and there are cues: no turn of two parts can be planned as such.",
        "planning-without-model": "`mode: model` without a model: the planner is never asked.",
        "planning-model-unused": "A planner's model is set, and `mode: split` never asks it.",
    },
    "Limits and budgets": {
        "concurrency-above-run": "An agent may do more at once than the whole run may.",
        "timeout-above-budget": "A time limit is longer than the time a whole run may take: it never ends"
        " anything.",
        "model-timeout-above-task": "A model may take longer than any task that asks it: its own limit, its"
        " retries and its fallbacks never come about.",
        "write-not-retried": "Retries of an agent that writes and is not `idempotent`: an attempt that timed"
        " out is not made again, but in doubt.",
        "inject-above-total": "`inject.per_result` is above `inject.total`: it never cuts anything.",
        "budget-zero": "A budget of 0: what it is for never happens.",
        "budget-never-bites": "A budget for models, where nothing asks one; of money, where none costs any.",
        "budget-above-session": "A run may spend more than its whole session may.",
        "budget-below-turn": "A run may ask fewer models than one turn may need for being routed, planned and"
        " served.",
    },
    "Models": {
        "model-unused": "No agent, classifier, planner or fallback asks the model.",
        "model-without-price": "A model has no price, so that a budget of money does not count it.",
        "fallback-never-tried": "Whoever gets to a fallback has had its model already: it is never tried.",
        "fallback-same-model": "A fallback is the same model at the same place under another name.",
        "capability-unknown-model": "A measured capability of a model that the file does not have.",
        "capability-undated": "A measured capability without the day of the measurement.",
        "capability-empty": "A measured capability without a number.",
    },
    "Prompts": {
        "template-unused": "A template that nothing renders and no other template takes in.",
        "template-ignores": "A template never reads a variable without which it does not do its work.",
        "edge-passes-nothing": "`dependent.j2` shows nothing of the results that a step waits for.",
        "edge-without-fence": "`dependent.j2` shows results without their fences: a prompt cannot tell"
        " them from instructions.",
        "edge-hides-cut": "`dependent.j2` does not say where a result was cut.",
        "reply-without-text": "`reply.j2` does not tell what the parts of a run came to.",
        "reply-without-reason": "`reply.j2` does not tell why a part of a run was not done.",
        "template-fails": "`dependent.j2` or `reply.j2` cannot be rendered with what it is given.",
    },
    "Files": {
        "file-not-read": "A YAML file that nothing reads.",
        "data-file-unusable": "A file that an agent reads is not there, is too big, or cannot be read.",
        "output-file-unusable": "A file that an agent writes cannot be made or written.",
        "folder-missing": "The folder of an agent's program, or of its notes, is not there.",
        "secret-literal": "A secret stands in the file itself.",
    },
}
"""By what they are about: each code, and what it says."""
CODES: Mapping[str, str] = {code: said for codes in CHECKS.values() for code, said in codes.items()}
