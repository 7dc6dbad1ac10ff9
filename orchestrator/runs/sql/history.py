"""The history of runs in its table: a row for each agent of a run that has ended, and one for the run.

Law: reading it costs the same however many runs there are, and loads no event. Rows of another version of the
short form are left alone.
"""

from collections.abc import Collection, Iterator

from orchestrator.ids import AgentName
from orchestrator.runs.samples import (
    VERSION,
    History,
    Past,
    history_of,
    read,
    read_whole,
    written,
    written_whole,
)
from orchestrator.runs.sql.database import Database, Row
from orchestrator.runs.sql.texts import packed

PUT = "INSERT INTO cuewave_history (tenant, about, run, version, body) VALUES (?, ?, ?, ?, ?)"
DELETE = "DELETE FROM cuewave_history WHERE tenant = ? AND run = ?"
_YOUNGEST = (
    "SELECT * FROM (SELECT run, about, body FROM cuewave_history"
    " WHERE tenant = ? AND about = ? AND version = ? ORDER BY run DESC LIMIT ?) AS found"
)
_WHOLE = ""
"""What a row is about that is about the run as a whole: no agent has such a name."""


def past_rows(tenant: str, run: str, past: Past) -> Iterator[Row]:
    """The rows of what is kept of a run; `tenant` and `run` are packed."""
    for agent, samples in past.samples.items():
        yield (tenant, packed(agent), run, VERSION, written(samples))
    if past.held or past.rest is not None:
        yield (tenant, _WHOLE, run, VERSION, written_whole(past))


def history(database: Database, tenant: str, agents: Collection[AgentName], most: int) -> History:
    """See Store. It is one statement."""
    names = {packed(agent): agent for agent in agents}
    about = (_WHOLE, *names)
    values = [value for name in about for value in (tenant, name, VERSION, most)]
    rows = database.rows(" UNION ALL ".join([_YOUNGEST] * len(about)), values)
    pasts = [
        read_whole(body) if name == _WHOLE else Past({names[name]: read(body)})
        for _, name, body in sorted(rows, reverse=True)
    ]
    return history_of(pasts, tuple(agents), most)
