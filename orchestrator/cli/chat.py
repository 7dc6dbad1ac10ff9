"""`cuewave chat`: a session in the terminal; each turn is routed afresh."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.exits import explain
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import emit, has_person, json_option, say
from orchestrator.cli.prompting import history_file, lines, remembering
from orchestrator.cli.serving import served_by, turn
from orchestrator.errors import CuewaveError

if TYPE_CHECKING:
    from asyncio import Runner
    from collections.abc import Callable, Coroutine
    from typing import Any

    from orchestrator.app import Orchestrator

_HELP = """\
/plan TEXT   what a turn would become; nothing is run
/runs        the runs of this session
/help        this list
/quit        leave, as does Ctrl-D; Ctrl-C stops a turn, not the session"""
_LEAVE = frozenset({"/quit", "/exit"})
_PLAIN_LEAVE = frozenset({"quit", "exit"})


@click.command()
@click.option("--yes", is_flag=True, help="Approve effects without being asked.")
@click.option("--session", metavar="NAME", help="Go on with this session instead of a new one.")
@click.option("--no-history", is_flag=True, help="Neither read nor keep what was typed.")
@json_option
@click.pass_context
def command(ctx: click.Context, yes: bool, session: str | None, no_history: bool, as_json: bool) -> None:
    """Talk turn by turn; /help lists what else can be typed, Ctrl-D ends the session.

    A turn that waits for a person's word says how to go on with it, and the session goes on.
    With --json the turns are read from stdin and their results are one document at the end.
    """
    import asyncio
    import uuid

    app = open_app(ctx)
    prompt = has_person() and not as_json
    file = None if no_history or not prompt else history_file()
    with asyncio.Runner() as runner, remembering(file):
        talk = _Talk(app, runner, session or uuid.uuid4().hex, yes=yes, quiet=as_json)
        if prompt:
            say(f"session {talk.session}; /help for more than turns", err=True)
        try:
            for line in lines(prompt=prompt):
                if line.strip() in _LEAVE or (prompt and line.strip().lower() in _PLAIN_LEAVE):
                    break
                talk.take(line)
        finally:
            runner.run(app.aclose())
    if as_json:
        emit({"session": talk.session, "turns": talk.results})


class _Talk:
    """One session: what is typed is a turn, or a command that begins with a slash."""

    def __init__(
        self, app: "Orchestrator", runner: "Runner", session: str, *, yes: bool, quiet: bool
    ) -> None:
        self.session = session
        self.results: list[object] = []
        self._app, self._runner, self._yes, self._quiet = app, runner, yes, quiet
        self._commands: dict[str, Callable[[str], None]] = {
            "/plan": self._plan,
            "/runs": self._runs,
            "/help": lambda _: say(_HELP, err=True),
        }

    def take(self, line: str) -> None:
        """Serve the line. A mistake in it ends the turn and not the session; so does Ctrl-C."""
        word, _, rest = line.strip().partition(" ")
        try:
            if word.startswith("/"):
                self._commands.get(word, self._unknown)(rest.strip() or word)
            else:
                self._turn(line)
        except (CuewaveError, click.Abort) as error:
            explain(error, as_json=False)
            self.results.append({"text": line, "error": str(error) or "interrupted"})

    def _turn(self, text: str) -> None:
        drive = turn(self._app, text, yes=self._yes, session=self.session)
        served = self._run(served_by(self._app, drive, quiet=self._quiet))
        self.results.append(served.result.to_json())

    def _plan(self, text: str) -> None:
        from orchestrator.cli.plan import plan_lines
        from orchestrator.cli.route import route_lines

        if text == "/plan":
            say("/plan TEXT: write the turn behind it", err=True)
            return
        preview = self._run(self._app.preview(text))
        say("\n".join([*route_lines(preview.sighting), *plan_lines(preview)]), err=self._quiet)

    def _runs(self, _: str) -> None:
        from orchestrator.cli.runs.listing import show_entries
        from orchestrator.ids import SessionId
        from orchestrator.runs.entry import Wanted

        show_entries(self._run(self._app.runs.entries(Wanted(session=SessionId(self.session)))))

    def _unknown(self, rest: str) -> None:
        say(f"there is no such command; there are:\n{_HELP}", err=True)

    def _run(self, coroutine: "Coroutine[Any, Any, Any]") -> "Any":
        return self._runner.run(coroutine)
