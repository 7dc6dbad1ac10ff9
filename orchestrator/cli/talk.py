"""What is said in a session: a turn, or a command, which is a word with a slash before it."""

import re
from typing import TYPE_CHECKING, Any

from orchestrator.cli.codes import INTERRUPTED, OK
from orchestrator.cli.exits import explain
from orchestrator.cli.output import say
from orchestrator.cli.serving import served_by, turn
from orchestrator.cli.verbs import nearest

if TYPE_CHECKING:
    from asyncio import Runner
    from collections.abc import Coroutine

    from orchestrator.app import Orchestrator
    from orchestrator.cli.serving import Served

COMMANDS = {
    "/plan": "/plan TEXT   what a turn would become; nothing is run",
    "/runs": "/runs        the runs of this session",
    "/help": "/help        this list",
    "/quit": "/quit        leave, as do quit, exit and Ctrl-D; Ctrl-C stops a turn, not the session",
}
"""Each with its line of help."""
_COMMAND = re.compile(r"(/[A-Za-z]+)(?:\s+(.*))?", re.DOTALL)
_RUNS = 20


class Talk:
    """One session. `results` are what its turns came to, `code` is what `run` would have ended with for the
    last line that was taken."""

    def __init__(
        self, app: "Orchestrator", runner: "Runner", session: str, *, yes: bool, quiet: bool, prompt: bool
    ) -> None:
        self.session, self.prompt = session, prompt
        self.results: list[object] = []
        self.code = OK
        self._app, self._runner, self._yes, self._quiet = app, runner, yes, quiet

    def take(self, line: str) -> bool:
        """Serve the line, whatever comes of it; False where a person has stopped it."""
        command = _COMMAND.fullmatch(line.strip())
        try:
            if command is None:
                return self._turn(line)
            self._command(command[1].lower(), command[2] or "")
        except BrokenPipeError:
            raise
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the border of a turn: the session goes on
            return self._failed(line, error)
        self.code = OK
        return True

    def _failed(self, line: str, error: BaseException) -> bool:
        self.code = explain(error, as_json=False)
        self.results.append({"text": line, "error": str(error) or "interrupted"})
        return self.code != INTERRUPTED

    def _turn(self, text: str) -> bool:
        drive = turn(self._app, text, yes=self._yes, session=self.session)
        served: Served = self._run(served_by(self._app, drive, quiet=self._quiet))
        self.results.append(served.result.to_json())
        self.code = served.code
        return not served.stopped

    def _command(self, word: str, rest: str) -> None:
        match word:
            case "/plan" if rest:
                self._plan(rest)
            case "/plan":
                say("/plan TEXT: write the turn behind it", err=True)
            case "/runs":
                self._runs()
            case "/help":
                say("\n".join(COMMANDS.values()), err=True)
            case _:
                say(f"there is no command {word}; {nearest(word, COMMANDS)}", err=True)

    def _plan(self, text: str) -> None:
        from orchestrator.cli.plan import plan_lines
        from orchestrator.cli.route import route_lines

        preview = self._run(self._app.preview(text))
        say("\n".join([*route_lines(preview.sighting), *plan_lines(preview)]), err=self._quiet)

    def _runs(self) -> None:
        from orchestrator.cli.runs.listing import show_entries
        from orchestrator.ids import SessionId
        from orchestrator.runs.entry import Wanted

        wanted = Wanted(session=SessionId(self.session), limit=_RUNS)
        show_entries(self._run(self._app.runs.entries(wanted)), err=self._quiet)

    def _run(self, coroutine: "Coroutine[Any, Any, Any]") -> Any:
        """What the coroutine gives. Any: whatever that is."""
        return self._runner.run(coroutine)
