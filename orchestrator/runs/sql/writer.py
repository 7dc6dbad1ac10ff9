"""The one thread that has the store's connection, and does what all callers ask, one thing after the other.

Laws: appends that wait are committed together, since a commit costs the same for one as for a hundred; each
has its own end. What was asked for is done even where its caller has gone. Callers may be of different event
loops. The connection is opened when first needed, and anew where it broke; work is done twice only where the
first time surely changed nothing.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple, TypeAlias, TypeVar

from orchestrator.errors import StoreError
from orchestrator.runs.sql.database import Broken, Clash, Database, Lost
from orchestrator.runs.sql.group import Append, Outcome, write

_T = TypeVar("_T")

_MOST = 512
"""How many jobs are taken up at once. More would make each wait longer, and cost hardly less."""
_TRIES = 3
"""How often an append is tried by itself: who clashed with it has gone on by then."""

Work: TypeAlias = Callable[[Database], Any]
"""What is to be done in the thread. Any: each has its own result, and `ask` knows of which type."""
_End: TypeAlias = tuple["asyncio.Future[Any]", object]


class _Job(NamedTuple):
    """A job, and where its end is awaited. `work` is None in the last one."""

    future: "asyncio.Future[Any]"
    work: Append | Work | None


class Writer:
    """Does the work of a store in one thread. `connect` opens a database whose tables are there."""

    def __init__(self, connect: Callable[[], Database], tenant: str) -> None:
        self._connect, self._tenant = connect, tenant
        self._queue: SimpleQueue[_Job] = SimpleQueue()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._closed = False
        self._open: Database | None = None

    async def append(self, append: Append) -> bool:
        """Write the append, with all others that wait; False where the run was not to be parked."""
        return await self._put(append)

    async def ask(self, work: Callable[[Database], _T]) -> _T:
        """What the work gives. It is begun anew where the connection breaks before anything was changed."""
        return await self._put(work)

    async def close(self) -> None:
        """Do what has been asked for, then let go of the database. Nothing can be asked any more."""
        with self._lock:
            if self._closed:
                return
            self._closed, thread = True, self._thread
            if thread is None:
                return
            future = asyncio.get_running_loop().create_future()
            self._queue.put(_Job(future, None))
        await future
        thread.join()

    async def _put(self, work: Append | Work) -> Any:
        future = asyncio.get_running_loop().create_future()
        with self._lock:
            if self._closed:
                raise StoreError("the store is closed; open it anew")
            if self._thread is None:
                self._thread = Thread(target=self._serve, name="cuewave-store", daemon=True)
                self._thread.start()
            self._queue.put(_Job(future, work))
        return await future

    def _serve(self) -> None:
        jobs = self._taken_up()
        while jobs[-1].work is not None:
            self._do(jobs)
            jobs = self._taken_up()
        last = jobs.pop()
        self._do(jobs)
        _give([(last.future, self._end_of(self._let_go))])

    def _taken_up(self) -> list[_Job]:
        """All jobs that wait, once there is one; the last one is always the last."""
        jobs = [self._queue.get()]
        jobs.extend(self._queue.get() for _ in range(min(self._queue.qsize(), _MOST - 1)))
        return jobs

    def _do(self, jobs: Sequence[_Job]) -> None:
        appends = [(job.future, job.work) for job in jobs if isinstance(job.work, Append)]
        if appends:
            outcomes = self._written([append for _, append in appends])
            _give([(future, end) for (future, _), end in zip(appends, outcomes, strict=True)])
        for job in jobs:
            if job.work is not None and not isinstance(job.work, Append):
                _give([(job.future, self._end_of(partial(self._attempt, job.work)))])

    def _written(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        try:
            return self._together(appends)
        except Clash:
            return [self._alone(append) for append in appends]
        except StoreError as error:  # one for each, since an exception is changed by raising it
            return [type(error)(str(error)) for _ in appends]
        except Exception as error:  # noqa: BLE001 - a fault of ours is told to who waits, and not to the thread
            return [error for _ in appends]

    def _alone(self, append: Append, tries: int = _TRIES) -> Outcome:
        try:
            return self._together([append])[0]
        except Clash as clash:
            return self._alone(append, tries - 1) if tries > 1 else clash
        except Exception as error:  # noqa: BLE001 - the same
            return error

    def _together(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        return self._attempt(partial(write, tenant=self._tenant, appends=appends))

    def _end_of(self, work: Callable[[], object]) -> object:
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - raised again where it is awaited
            return error

    def _attempt(self, work: Callable[[Database], _T]) -> _T:
        try:
            return self._once(work)
        except Lost:
            return self._once(work)

    def _once(self, work: Callable[[Database], _T]) -> _T:
        if self._open is None:
            self._open = self._connect()
        try:
            return work(self._open)
        except Broken:
            self._let_go()
            raise

    def _let_go(self) -> None:
        database, self._open = self._open, None
        if database is not None:
            database.close()


def _give(ends: Sequence[_End]) -> None:
    """Tell the callers: one call for each of their event loops."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_End]] = {}
    for end in ends:
        by_loop.setdefault(end[0].get_loop(), []).append(end)
    for loop, its in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, its)
        except RuntimeError:  # the loop is closed: nobody waits there any more
            continue


def _settle(ends: Sequence[_End]) -> None:
    for future, end in ends:
        if future.done():  # its caller has gone
            continue
        if isinstance(end, Exception):
            future.set_exception(end)
        else:
            future.set_result(end)
