"""`cuewave runs export|replay`: a run as one file, and such a file gone through again."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import MISTAKE, NOT_WELL, OK
from orchestrator.cli.completing import run_argument
from orchestrator.cli.opening import closing, open_app
from orchestrator.cli.output import emit, json_option, say
from orchestrator.cli.verbs import verb
from orchestrator.cli.writing import write_whole

if TYPE_CHECKING:
    from orchestrator.replay.again import Difference, Replay
    from orchestrator.runs.export import Exported

_SHOWN = 200


@verb(
    ends=(OK, MISTAKE),
    examples=("cuewave runs export ID --out run.json",),
)
@run_argument
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="This file, instead of stdout.")
@json_option
@click.pass_context
def export(ctx: click.Context, run: str, out: Path | None, as_json: bool) -> None:
    """Write the run as one JSON document: all its records, and the workspace that it was begun with.

    The document is JSON either way. With --out, --json says on stdout what was written.
    """
    app = open_app(ctx)

    async def read() -> "Exported":
        from orchestrator.cli.naming import records_of
        from orchestrator.runs.export import exported, workspace_of

        records = await records_of(app.runs, run)
        return exported(records, await app.runs.store.kept(workspace_of(records)))

    made = closing(app, read())
    if out is None:
        emit(made.to_json())
        return
    write_whole(out, json.dumps(made.to_json(), indent=1) + "\n")
    if as_json:
        emit({"run": made.run, "file": str(out), "records": len(made.records)})
    else:
        say(f"run {made.run}: {len(made.records)} records, written to {out}")


@verb(
    ends=(OK, MISTAKE, NOT_WELL),
    examples=("cuewave runs replay FILE",),
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@json_option
def replay(file: Path, as_json: bool) -> None:
    """Go through an exported run (- reads stdin) again, with the answers recorded in it, and compare.

    It needs no store, no key and no agent: the same program decides once more, and everything that it decides
    otherwise is shown. Exit code 4 where there is anything.
    """
    import asyncio

    from orchestrator.errors import UserError
    from orchestrator.replay.again import replay as play
    from orchestrator.runs.export import imported

    text = _read(file)
    try:
        run = imported(text)
        found = asyncio.run(play(run))
    except UserError as error:
        raise UserError(f"{file}: {error}") from None
    if as_json:
        from orchestrator.cli.standing import status_of

        emit({**status_of(found.state, run.records), **_verdict(found)})
    else:
        _show(found, run)
    sys.exit(OK if found.deterministic else NOT_WELL)


def _read(file: Path) -> str:
    from orchestrator.errors import UserError

    try:
        raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return raw.decode("utf-8")
    except OSError as error:
        raise UserError(f"{file}: it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{file}: byte {error.start + 1} is not UTF-8, which JSON is written in") from None


def _verdict(found: "Replay") -> "dict[str, object]":
    from dataclasses import asdict

    return {
        "deterministic": found.deterministic,
        "differences": [asdict(difference) for difference in found.differences],
        "notes": list(found.notes),
    }


def _show(found: "Replay", run: "Exported") -> None:
    from orchestrator.cli.output import warn
    from orchestrator.cli.standing import status_lines

    warn(found.notes)
    say("\n".join(status_lines(found.state, run.records)))
    say(f"\ndeterministic: {str(found.deterministic).lower()}")
    for difference in found.differences:
        say(_line(difference))


def _line(difference: "Difference") -> str:
    recorded, replayed = (
        json.dumps(value, ensure_ascii=False)[:_SHOWN] for value in (difference.recorded, difference.replayed)
    )
    return f"  {difference.what}: recorded {recorded}, replayed {replayed}"
