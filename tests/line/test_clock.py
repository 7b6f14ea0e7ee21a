"""Virtual time: what passes, what holds it, and what happens when nothing can happen. Source: design.md 4, Clock."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Coroutine
from typing import Any

import pytest

from mivas.line import RealTimeLoop, VirtualTimeLoop, hold, now_ms, start_call_clock

DAY_S = 86_400


def run(work: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)


async def naps(*lengths_s: float) -> list[int]:
    at = [now_ms()]
    for length_s in lengths_s:
        await asyncio.sleep(length_s)
        at.append(now_ms())
    return at


def test_a_call_starts_at_zero() -> None:
    assert run(naps()) == [0]


def test_sleeping_costs_nothing_and_moves_the_clock_exactly() -> None:
    assert run(naps(0.02, 30, 3 * DAY_S)) == [0, 20, 30_020, 30_020 + 3 * DAY_S * 1000]


def test_every_loop_has_a_clock_of_its_own() -> None:
    assert run(naps(7)) == run(naps(7))


def test_timers_fire_in_the_order_of_their_times() -> None:
    fired: list[tuple[int, int]] = []

    async def nap(ms: int) -> None:
        await asyncio.sleep(ms / 1000)
        fired.append((ms, now_ms()))

    async def main() -> None:
        async with asyncio.TaskGroup() as tasks:
            for ms in (300, 100, 200, 100):
                tasks.create_task(nap(ms))

    run(main())
    assert fired == [(100, 100), (100, 100), (200, 200), (300, 300)]


def test_a_timeout_counts_virtual_time() -> None:
    async def main() -> int:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(480):
                await asyncio.Event().wait()
        return now_ms()

    assert run(main()) == 480_000


def test_work_in_a_thread_holds_the_clock() -> None:
    async def main() -> tuple[str, int, bool]:
        go_on = threading.Event()
        alarm = asyncio.create_task(asyncio.sleep(0.001), name="alarm")
        await asyncio.sleep(0)
        work = asyncio.create_task(asyncio.to_thread(go_on.wait, 30), name="work")
        for _ in range(50):
            await asyncio.sleep(0)
        rang_early = alarm.done()
        go_on.set()
        await work
        at = now_ms()
        await alarm
        return "done", at, rang_early

    assert run(main()) == ("done", 0, False)


def test_a_cancelled_wait_holds_the_clock_until_its_thread_is_done() -> None:
    async def main() -> tuple[bool, int]:
        started, go_on, over = threading.Event(), threading.Event(), threading.Event()

        def work() -> None:
            started.set()
            go_on.wait(30)
            over.set()

        future = asyncio.get_running_loop().run_in_executor(None, work)
        started.wait(30)
        future.cancel()
        threading.Timer(0.02, go_on.set).start()
        await asyncio.sleep(1)
        return over.is_set(), now_ms()

    assert run(main()) == (True, 1000)


@pytest.mark.parametrize("times", range(20))
def test_a_loop_that_used_threads_closes_without_getting_stuck(times: int) -> None:
    assert run(asyncio.to_thread(threading.get_ident)) != threading.get_ident()


def test_work_that_fails_lets_the_clock_go() -> None:
    async def main() -> int:
        with pytest.raises(ZeroDivisionError):
            await asyncio.to_thread(lambda: 1 / 0)
        await asyncio.sleep(5)
        return now_ms()

    assert run(main()) == 5000


def test_a_readable_socket_is_served_before_the_clock_jumps() -> None:
    async def main() -> tuple[bytes, int]:
        here, there = socket.socketpair()
        here.setblocking(False)
        with here, there:
            there.sendall(b"news")
            async with asyncio.timeout(0.001):
                data = await asyncio.get_running_loop().sock_recv(here, 100)
            return data, now_ms()

    assert run(main()) == (b"news", 0)


def test_an_echo_over_loopback_takes_no_time() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        writer.close()
        await writer.wait_closed()

    async def main() -> tuple[bytes, int]:
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"hello\n")
            answer = await reader.readline()
            writer.close()
            return answer, now_ms()

    assert run(main()) == (b"hello\n", 0)


def test_a_loop_where_nothing_can_happen_any_more_names_who_waits() -> None:
    async def main() -> None:
        await asyncio.create_task(asyncio.Event().wait(), name="waits for ever")

    with pytest.raises(RuntimeError, match=r"virtual time is stuck.*waits for ever"):
        run(main())


def test_the_guard_says_where_in_the_code_a_task_waits() -> None:
    async def waits_in_vain() -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        await asyncio.create_task(waits_in_vain(), name="lost")

    with pytest.raises(RuntimeError, match=r"lost at test_clock\.py:\d+"):
        run(main())


def test_what_is_held_waits_for_an_answer_from_outside() -> None:
    async def main() -> tuple[bytes, int]:
        here, there = socket.socketpair()
        here.setblocking(False)
        with here, there:
            threading.Timer(0.02, there.sendall, (b"late news",)).start()
            async with asyncio.timeout(0.001):
                with hold():
                    data = await asyncio.get_running_loop().sock_recv(here, 100)
            return data, now_ms()

    assert run(main()) == (b"late news", 0)


def test_a_hold_that_never_ends_is_an_error_and_no_hang() -> None:
    async def main() -> None:
        with hold():
            await asyncio.Event().wait()

    with (
        asyncio.Runner(loop_factory=lambda: VirtualTimeLoop(longest_hold_s=0.01)) as runner,
        pytest.raises(RuntimeError, match=r"holds it for 0\.01 s"),
    ):
        runner.run(main())


def test_holding_does_nothing_on_a_real_loop() -> None:
    async def main() -> int:
        with hold():
            return now_ms()

    with asyncio.Runner(loop_factory=RealTimeLoop) as runner:
        assert runner.run(main()) < 60_000


def test_calls_on_one_loop_count_from_their_own_start() -> None:
    async def call(begins_s: float) -> int:
        await asyncio.sleep(begins_s)
        start_call_clock()
        await asyncio.sleep(1)
        return now_ms()

    async def main() -> list[int]:
        return await asyncio.gather(call(0), call(2), call(5))

    assert run(main()) == [1000, 1000, 1000]
