import asyncio

import pytest
from orchestrator.errors import Fenced, RunUnknown
from orchestrator.ids import MessageId
from orchestrator.runs.messages import CancelAsked, Message
from orchestrator.runs.sql.opening import open_store

from support.databases import AT, RUN, records


def test_tenants_do_not_see_one_another(url: str) -> None:
    async def run() -> None:
        ours, theirs = open_store(url, tenant="ours"), open_store(url, tenant="theirs \0")
        for store in (ours, theirs):
            await store.append(RUN, 0, records(RUN, 1))
        await ours.append(RUN, 1, records(RUN, 2))
        await ours.keep("f", b"ours")
        await ours.post(Message(RUN, AT, CancelAsked("me", message=MessageId("m"))))
        assert list(await theirs.read(RUN)) == records(RUN, 1)
        assert await theirs.kept("f") is None
        assert list(await theirs.called()) == []
        assert await theirs.delete([RUN]) == 1
        with pytest.raises(RunUnknown):
            await theirs.post(Message(RUN, AT, CancelAsked("me", message=MessageId("m"))))
        assert list(await theirs.runs()) == []
        with pytest.raises(Fenced):
            await theirs.append(RUN, 2, records(RUN, 3))
        assert list(await ours.read(RUN)) == records(RUN, 1, 2)
        assert await ours.kept("f") == b"ours"
        await ours.close()
        await theirs.close()

    asyncio.run(run())
