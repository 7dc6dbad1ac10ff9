"""A look at the history of a store by one who only looks, as a dry run does.

Law: nothing is made, migrated or written, and where there is no store, or an older one without a history,
there is none. No event is loaded.
"""

from collections.abc import Collection

from orchestrator.ids import AgentName
from orchestrator.runs.samples import MOST, History
from orchestrator.runs.sql.database import NoTable
from orchestrator.runs.sql.history import history
from orchestrator.runs.sql.peek import opened_to_look
from orchestrator.runs.sql.texts import packed

_PATIENCE = 2.0
"""Seconds; who only looks does not wait long."""


def look_at_history(
    url: str, agents: Collection[AgentName], *, tenant: str = "", most: int = MOST
) -> History:
    """The history in the store at the URL. Raises StoreError, MissingExtra, and UserError for a bad URL."""
    database = opened_to_look(url, patience=_PATIENCE)
    if database is None:
        return History()
    try:
        return history(database, packed(tenant), agents, most)
    except NoTable:
        return History()
    finally:
        database.close()
