"""Work leaves the event loop, in order, and is finished even when nobody waits any more."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from mivas.state._workers import CallWorkers


@pytest.fixture(params=[1, 3])
def workers(request: pytest.FixtureRequest) -> Iterator[CallWorkers]:
    workers = CallWorkers(request.param)
    yield workers
    workers.close()


def test_a_calls_work_runs_in_order_on_one_thread_off_the_loop(workers: CallWorkers) -> None:
    seen: list[tuple[int, int]] = []

    async def main() -> None:
        async with asyncio.TaskGroup() as tasks:
            for number in range(200):
                tasks.create_task(workers.run("a", lambda number=number: seen.append((number, threading.get_ident()))))

    asyncio.run(main())
    assert [number for number, _ in seen] == list(range(200))
    assert len({thread for _, thread in seen} | {threading.get_ident()}) == 2


def test_an_error_reaches_whoever_asked_and_nobody_else(workers: CallWorkers) -> None:
    async def main() -> list[object]:
        asked = [workers.run("a", lambda: 1 // 0), workers.run("a", lambda: 7), workers.run(None, lambda: 8)]
        return list(await asyncio.gather(*asked, return_exceptions=True))

    first, *rest = asyncio.run(main())
    assert isinstance(first, ZeroDivisionError)
    assert rest == [7, 8]


def test_cancelled_work_that_began_is_finished(workers: CallWorkers) -> None:
    began, go_on = threading.Event(), threading.Event()
    done: list[str] = []

    def work() -> None:
        began.set()
        assert go_on.wait(60)
        done.append("done")

    async def main() -> None:
        task = asyncio.create_task(workers.run("a", work))
        assert await asyncio.to_thread(began.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()
        await workers.run("a", lambda: done.append("next"))

    asyncio.run(main())
    assert done == ["done", "next"]


def test_workers_serve_one_loop_after_another(workers: CallWorkers) -> None:
    async def ask() -> int:
        return await workers.run("a", lambda: 7)

    assert [asyncio.run(ask()) for _ in range(3)] == [7, 7, 7]
    workers.close()
    workers.close()
