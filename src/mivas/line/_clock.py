"""Virtual time: an event loop that jumps to its next timer when nothing is left to do (design.md 4, Clock)."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


def now_ms() -> int:
    """The call clock of the running loop, in whole ms."""
    return round(asyncio.get_running_loop().time() * 1000)


class _JumpingSelector(selectors.BaseSelector):
    """Looks for ready sockets without waiting; where a real selector would wait, moves the clock."""

    def __init__(self) -> None:
        self._real = selectors.DefaultSelector()
        self.now_s = 0.0
        self.held = 0
        """Pieces of work outside the loop (threads, executors) that the clock must wait for."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self._real.select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if self.held:
            return self._real.select(None)
        if timeout is None:
            names = ", ".join(sorted(task.get_name() for task in asyncio.all_tasks(asyncio.get_running_loop())))
            raise RuntimeError(
                f"virtual time is stuck: no timer and nothing readable; waiting tasks: {names or 'none'}"
            )
        self.now_s += timeout
        return []

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._real.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.modify(fileobj, events, data)

    def close(self) -> None:
        self._real.close()

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._real.get_map()


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An asyncio loop whose `time()` starts at 0 s and costs nothing to pass. One loop is one call's clock.

    Raises RuntimeError with the names of the waiting tasks when nothing could ever happen again.
    """

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        self._threads: ThreadPoolExecutor | None = None
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s

    def set_default_executor(self, executor: ThreadPoolExecutor) -> None:  # type: ignore[override]
        self._threads = executor
        super().set_default_executor(executor)

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """Like any loop's; the clock stands still until the work is done."""
        if executor is None:
            if self._threads is None:
                self.set_default_executor(ThreadPoolExecutor(thread_name_prefix="asyncio"))
            executor = self._threads
        assert executor is not None
        work = executor.submit(func, *args)
        self._jumping.held += 1
        future = asyncio.wrap_future(work, loop=self)
        # The work itself lets go, not the future: a cancelled future leaves its thread running. And it lets go
        # after the future has its result, or the loop would look idle in between.
        work.add_done_callback(lambda _: self._from_elsewhere(self._let_go))
        return future

    async def shutdown_default_executor(self, *timeout_s: float | None) -> None:
        """Like any loop's; the clock stands still until the threads are gone."""
        self._jumping.held += 1
        try:
            await super().shutdown_default_executor(*timeout_s)
        finally:
            self._let_go()

    def _let_go(self) -> None:
        self._jumping.held -= 1

    def _from_elsewhere(self, act: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed, nobody holds its clock any more
            self.call_soon_threadsafe(act)
