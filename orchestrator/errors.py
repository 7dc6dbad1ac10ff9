"""Every error of the product, as one tree.

    CuewaveError
    ├── UserError                 the user's or the operator's mistake: two lines, exit 1
    │   ├── WorkspaceInvalid      faults in the YAML, all of them, each with its place
    │   ├── WorkspaceNotFound     no folder to read, or one that must not be overwritten
    │   ├── NotInstalled          something else must be on this machine first
    │   │   ├── MissingExtra      an optional package is needed; names the extra
    │   │   └── MissingProgram    a program that an agent runs is not there, or cannot be run
    │   ├── PlanRefused           a plan that breaks a law; carries located diagnostics
    │   ├── KindRefused           a job kind that cannot be planned here
    │   ├── RunUnknown            no run with this id in the store
    │   ├── WorkspaceChanged      a run's own workspace is gone, and the present one is another
    │   └── MessageObjected       something said to a run that cannot be, as it is now
    ├── TaskError                 a task could not do its work; `passing` errors may be tried again
    │   └── ModelError            a language model did not answer, or not usably
    │       └── BudgetExceeded    it was not asked: the run, or its session, may not spend more
    ├── StoreError                the journal could not be read or written
    │   └── Fenced                another driver has taken the run over
    └── InternalFault             a law of ours was broken: exit 3

A message says where, what is wrong, what was found, and the remedy; facts stay as attributes.
"""

from dataclasses import dataclass


class CuewaveError(Exception):
    """Root of everything the product raises on purpose."""


class UserError(CuewaveError):
    """A mistake that the person at the keyboard can mend; exit code 1."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault in one file. `line` and `column` are 1-based; 0 where a file as a whole is meant.

    `source` is the line, or the piece of a very long one that begins at `source_column`.
    """

    file: str
    line: int
    column: int
    path: str
    message: str
    source: str = ""
    source_column: int = 1

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        head = f"{where}: {self.path}: {self.message}" if self.path else f"{where}: {self.message}"
        if not self.source:
            return head
        return f"{head}\n  {self.source}\n  {_caret(self.source, self.column - self.source_column)}"


def _caret(source: str, before: int) -> str:
    """A `^` under the character that has `before` others before it."""
    return "".join(map(_blank, source[: max(before, 0)])) + "^"


def _blank(character: str) -> str:
    """As much room as a terminal gives the character: a tab stays one, wide ones take two, marks none."""
    if character.isascii():
        return "\t" if character == "\t" else " "
    from unicodedata import category, east_asian_width

    if category(character) in ("Mn", "Me", "Cf"):
        return ""
    return "  " if east_asian_width(character) in ("W", "F") else " "


class WorkspaceInvalid(UserError):
    """The workspace has faults; `faults` holds all of them, in file order."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        super().__init__("\n".join(str(f) for f in faults))


class WorkspaceNotFound(UserError):
    """No workspace where one was named, or a target folder that cannot take one."""


class NotInstalled(UserError):
    """Something that the workspace names must be put on this machine first; what does without it works."""


class MissingProgram(NotInstalled):
    """A program that an agent runs is not there, or cannot be run."""


class MissingExtra(NotInstalled):
    """An optional package is not installed; the message names the extra that brings it."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(f"{purpose} needs the package {package!r}: pip install 'cuewave[{extra}]'")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault in a planner's reply. `line` is 1-based; 0 where the plan as a whole is meant."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


class PlanRefused(UserError):
    """A plan that breaks a law; `diagnostics` says which, where, and the remedy."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__("\n".join(str(d) for d in diagnostics))


class KindRefused(UserError):
    """The turn's job kind cannot be planned by this version or this workspace."""


class RunUnknown(UserError):
    """No run with this id in the store."""

    def __init__(self, run: str) -> None:
        self.run = run
        super().__init__(f"there is no run {run!r} in the store; `cuewave runs list` shows those there are")


class WorkspaceChanged(UserError):
    """The run was begun with a workspace that is neither this one nor kept; `may_ask` says who decides."""

    def __init__(self, run: str, *, may_ask: bool) -> None:
        self.run, self.may_ask = run, may_ask
        remedy = (
            "say --changed to go on with the present one"
            if may_ask
            else "go back to that one, or set runs.on_changed_workspace to ask or allow in"
            " config/orchestrator.yaml"
        )
        super().__init__(
            f"run {run} was begun with another workspace than this one, and its snapshot is gone; {remedy}"
        )


class MessageObjected(UserError):
    """Something was said to a run that cannot be, as the run is now; the message says why."""


class TaskError(CuewaveError):
    """A task could not do its work. `passing` says that trying again may help.

    `doubtful` says that some of the work may have been done all the same: a write is not simply done again.
    """

    def __init__(self, message: str, *, passing: bool = False, doubtful: bool = False) -> None:
        self.passing, self.doubtful = passing, doubtful
        super().__init__(message)


class ModelError(TaskError):
    """A language model did not answer, or not in a usable form.

    `retry_after` is the pause in seconds that the provider asked for.
    """

    def __init__(self, message: str, *, passing: bool = False, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message, passing=passing)


class BudgetExceeded(ModelError):
    """The next call would cost more than is left of a budget: `used` of `limit`. It was not made."""

    def __init__(self, budget: str, limit: float, used: float) -> None:
        self.budget, self.limit, self.used = budget, limit, used
        super().__init__(f"the budget of {budget} is used up ({used:,.12g} of {limit:,.12g})")


class StoreError(CuewaveError):
    """The journal could not be read or written."""


class Fenced(StoreError):
    """Another driver has appended to the run; this one must stop and touch nothing."""

    def __init__(self, run: str, found: int, expected: int) -> None:
        self.run, self.found, self.expected = run, found, expected
        super().__init__(
            f"run {run}: another driver has appended (the journal is at {found}, this driver at {expected});"
            " this one stops"
        )


class InternalFault(CuewaveError):
    """A law of the product was broken by the product; exit code 3."""
