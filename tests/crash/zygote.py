"""A process that has imported everything and forks a copy of itself for every job: a kill costs milliseconds.

Jobs come as lines of JSON on stdin; for each a line with its exit code (negative: the signal) is written.
With `seconds`, the job is killed so long after it began.
"""

import asyncio
import contextlib
import json
import os
import select
import signal
import sys
import traceback

from crash.worker import Job, warm_up, work


def main() -> None:
    warm_up()
    for line in sys.stdin:
        job: Job = json.loads(line)
        code = _run(job)
        sys.stdout.write(json.dumps({"job": job["job"], "exit": code}) + "\n")
        sys.stdout.flush()


def _run(job: Job) -> int:
    ready, tell = os.pipe()
    pid = os.fork()
    if not pid:
        _child(job, tell)
    os.close(tell)
    os.read(ready, 1)
    if job["seconds"] is not None:
        select.select([ready], [], [], job["seconds"])  # the end of the child is the end of the pipe
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    os.close(ready)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def _child(job: Job, tell: int) -> None:
    code = 1
    try:
        os.write(tell, b".")
        asyncio.run(work(job))
        code = 0
    except BaseException:  # noqa: BLE001 - a child must not go on as its parent
        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
