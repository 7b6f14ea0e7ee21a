"""Keeps SQLite off the event loop: a few threads, and every call's requests in order on one of them."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

Result = TypeVar("Result")


class _Job(NamedTuple):
    work: Callable[[], Any]
    future: asyncio.Future[Any]


class CallWorkers:
    """Threads that run blocking work for one event loop.

    The threads start with the first job. Their queues have no limit of their own: a connection has one request in
    flight, so no queue grows past the number of open connections.
    """

    def __init__(self, threads: int) -> None:
        self._queues: list[SimpleQueue[_Job | None]] = [SimpleQueue() for _ in range(threads)]
        self._threads: list[threading.Thread] = []
        self._finished: deque[tuple[_Job, Any, BaseException | None]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waking = False

    async def run(self, call_id: str | None, work: Callable[[], Result]) -> Result:
        """Run `work` on the call's thread and return or raise what it does.

        Cancellation abandons the answer, never the work: a tool call that began is finished.
        """
        loop = asyncio.get_running_loop()
        if not self._threads or self._loop is not loop:
            self._start(loop)
        future: asyncio.Future[Result] = loop.create_future()
        self._queues[hash(call_id) % len(self._queues)].put(_Job(work, future))
        return await future

    def close(self) -> None:
        """Let the threads finish what is queued, and wait for them. Idempotent; a later job starts them again."""
        for queue, thread in zip(self._queues, self._threads, strict=False):
            queue.put(None)
            thread.join()
        self._threads.clear()

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        self.close()
        self._loop = loop
        self._threads = [
            threading.Thread(target=self._serve, args=(queue, loop), name=f"mivas-state-{number}", daemon=True)
            for number, queue in enumerate(self._queues)
        ]
        for thread in self._threads:
            thread.start()

    def _serve(self, queue: SimpleQueue[_Job | None], loop: asyncio.AbstractEventLoop) -> None:
        while (job := queue.get()) is not None:
            try:
                result, error = job.work(), None
            except BaseException as raised:  # handed to whoever awaits the future
                result, error = None, raised
            self._finished.append((job, result, error))
            # One wake-up serves every answer that is ready by then: waking the loop is the dear part.
            if not self._waking:
                self._waking = True
                try:
                    loop.call_soon_threadsafe(self._deliver)
                except RuntimeError:  # the loop is closed, so nobody waits for the answer
                    self._finished.clear()
                    self._waking = False

    def _deliver(self) -> None:
        # Lowered before the queue is read: an answer that comes later raises it again.
        self._waking = False
        while self._finished:
            job, result, error = self._finished.popleft()
            if job.future.done():
                continue
            if error is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(error)
