"""Keeps SQLite off the event loop: a few threads, and every call's requests in order on one of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, NamedTuple, TypeAlias, TypeVar

Result = TypeVar("Result")


HOLD_S = 0.003  # how long a ready answer may wait for the next ones


class _Job(NamedTuple):
    work: Callable[[], Any]
    future: asyncio.Future[Any]


class _Outcome(NamedTuple):
    future: asyncio.Future[Any]
    result: Any
    error: BaseException | None


_Queue: TypeAlias = SimpleQueue[list[_Job] | None]


class CallWorkers:
    """Threads that run blocking work for one event loop.

    Work crosses over in batches, both ways: all that one turn of the loop asks for goes to a thread at once, and all
    its answers come back at once. Crossing job by job, loop and thread fight for the interpreter lock at every
    SQLite call, which more than doubles the cost of a request (`benchmarks/state.py`).

    Nothing here limits the queues: a connection has one request in flight, so no queue grows past the number of
    open connections.
    """

    def __init__(self, threads: int) -> None:
        self._count = threads
        self._queues: list[_Queue] = []
        self._threads: list[threading.Thread] = []
        self._asked: list[list[_Job]] = [[] for _ in range(threads)]
        self._loop: asyncio.AbstractEventLoop | None = None
        self._handing_over = False

    async def run(self, call_id: str | None, work: Callable[[], Result]) -> Result:
        """Run `work` on the call's thread and return or raise what it does.

        Cancellation abandons the answer, never the work: a tool call that began is finished.
        """
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._start(loop)
        future: asyncio.Future[Result] = loop.create_future()
        self._asked[hash(call_id) % self._count].append(_Job(work, future))
        if not self._handing_over:
            self._handing_over = True
            loop.call_soon(self._hand_over)
        return await future

    def close(self) -> None:
        """Let the threads finish what they were handed, and wait for them. Idempotent; a later job starts new ones."""
        self._loop = None
        for queue in self._queues:
            queue.put(None)
        for thread in self._threads:
            thread.join()
        self._queues, self._threads = [], []

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        self.close()
        self._loop = loop
        self._handing_over = False
        self._asked = [[] for _ in range(self._count)]
        self._queues = [SimpleQueue() for _ in range(self._count)]
        self._threads = [
            threading.Thread(target=_serve, args=(queue, loop), name=f"mivas-state-{number}", daemon=True)
            for number, queue in enumerate(self._queues)
        ]
        for thread in self._threads:
            thread.start()

    def _hand_over(self) -> None:
        self._handing_over = False
        for number, queue in enumerate(self._queues):
            if jobs := self._asked[number]:
                self._asked[number] = []
                queue.put(jobs)


def _serve(queue: _Queue, loop: asyncio.AbstractEventLoop) -> None:
    while (jobs := queue.get()) is not None:
        until_s = monotonic() + HOLD_S
        outcomes = [_done(job) for job in jobs]
        # What was handed over meanwhile goes into the same delivery: the loop then asks for as much at once again.
        while monotonic() < until_s and (more := _at_once(queue)):
            outcomes += [_done(job) for job in more]
        try:
            loop.call_soon_threadsafe(_deliver, outcomes)
        except RuntimeError:  # the loop is closed, so nobody waits for the answers
            return


def _at_once(queue: _Queue) -> list[_Job] | None:
    try:
        jobs = queue.get_nowait()
    except Empty:
        return None
    if jobs is None:
        queue.put(None)  # the order to stop: read again once these answers are delivered
    return jobs


def _done(job: _Job) -> _Outcome:
    try:
        return _Outcome(job.future, job.work(), None)
    except BaseException as error:  # told to whoever awaits the future
        return _Outcome(job.future, None, error)


def _deliver(outcomes: list[_Outcome]) -> None:
    for future, result, error in outcomes:
        if future.done():
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
