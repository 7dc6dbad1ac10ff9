"""The exit codes, and what each says. Apart from `exits`, so that help can be shown without it."""

OK, MISTAKE, USAGE, OURS, NOT_WELL, WAITS, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130

MEANINGS = {
    OK: "done",
    MISTAKE: "your mistake, or a fault in the workspace",
    USAGE: "the command line is not understood",
    OURS: "a fault of ours; its traceback is in a log file",
    NOT_WELL: "it ended, but not well",
    WAITS: "the run waits for a person",
    INTERRUPTED: "interrupted, or the run was cancelled",
}
