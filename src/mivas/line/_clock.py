"""The call's clock, in virtual and in real time (design.md 4, Clock).

A virtual loop jumps to its next timer when nothing is left to do. The same code runs on a real loop. Several calls may
share a loop: each counts from its own start.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST_HOLD_S = 600.0
"""Real time after which work outside the loop that holds a virtual clock counts as stuck."""
_STACK_DEPTH = 3
_started_s: ContextVar[float] = ContextVar("call_started_s", default=0.0)
"""Loop time at which the running task's call was accepted."""


def now_ms() -> int:
    """The call clock, in whole ms: since the call was accepted, or since the loop began where nothing was."""
    return round((asyncio.get_running_loop().time() - _started_s.get()) * 1000)


def start_call_clock() -> None:
    """Set the clock of the running task's call to 0. Tasks created from here on share it; others keep theirs."""
    _started_s.set(asyncio.get_running_loop().time())


@contextmanager
def hold() -> Iterator[None]:
    """Keep a virtual clock from jumping while something outside the loop is at work; nothing on a real loop.

    For answers that come by a socket or from another process. Threads and executors hold the clock by themselves.
    """
    loop = asyncio.get_running_loop()
    if not isinstance(loop, VirtualTimeLoop):
        yield
        return
    with loop.held():
        yield


class _JumpingSelector(selectors.BaseSelector):
    """Looks for ready sockets without waiting; where a real selector would wait, moves the clock."""

    def __init__(self) -> None:
        self._real = selectors.DefaultSelector()
        self.now_s = 0.0
        self.held = 0
        """Pieces of work outside the loop (threads, executors) that the clock must wait for."""
        self.longest_hold_s = LONGEST_HOLD_S

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self._real.select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if self.held:
            ready = self._real.select(self.longest_hold_s)
            if not ready:
                raise RuntimeError(
                    f"virtual time is stuck: work outside the loop holds it for {self.longest_hold_s:g} s; {_tasks()}"
                )
            return ready
        if timeout is None:
            raise RuntimeError(f"virtual time is stuck: no timer and nothing readable; {_tasks()}")
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


def _tasks() -> str:
    """Names of the loop's waiting tasks, and where in the code each one stands."""
    found = []
    for task in asyncio.all_tasks(asyncio.get_running_loop()):
        frames = task.get_stack(limit=_STACK_DEPTH)
        places = [f"{frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno}" for frame in frames]
        found.append(f"{task.get_name()} at {' < '.join(reversed(places)) or 'its end'}")
    return f"waiting tasks: {'; '.join(sorted(found)) or 'none'}"


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An asyncio loop whose `time()` starts at 0 s and costs nothing to pass. Calls on one loop share its time.

    Raises RuntimeError, saying which tasks wait and where, when nothing could ever happen again, or when work outside
    the loop doesn't come back within `longest_hold_s` of real time.
    """

    def __init__(self, *, longest_hold_s: float = LONGEST_HOLD_S) -> None:
        self._jumping = _JumpingSelector()
        self._jumping.longest_hold_s = longest_hold_s
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

    @contextmanager
    def held(self) -> Iterator[None]:
        """The clock stands still, and sockets are waited for, until this is left."""
        self._jumping.held += 1
        try:
            yield
        finally:
            self._let_go()

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


class RealTimeLoop(asyncio.SelectorEventLoop):
    """A loop in real time that starts at 0 s, as a virtual one does."""

    def __init__(self) -> None:
        super().__init__(selectors.DefaultSelector())
        self._start_s = super().time()

    def time(self) -> float:
        return super().time() - self._start_s
