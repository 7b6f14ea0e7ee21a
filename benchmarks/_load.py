"""Closed-loop HTTP load from a process of its own: prepared bytes over kept-alive sockets, so that it never leads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import cast

Lane = Sequence[bytes]
"""Requests that one connection sends in turn, over and over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """One round: every connection sends its lane for `seconds`, or once through when `seconds` is 0."""

    host: str
    port: int
    lanes: Sequence[Lane]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What a round came to."""

    answers: int
    wall_s: float
    cpu_s: float
    latencies_s: Sequence[float]


class _Client(asyncio.Protocol):
    """Sends the next request when the answer to the last one is whole. Anything but a 200 fails the round."""

    def __init__(self, lane: Lane, until_s: float, done: asyncio.Future[None]) -> None:
        self._lane, self._until_s, self._done = lane, until_s, done
        self._buffer = b""
        self._sent_s = 0.0
        self.latencies_s: list[float] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def begin(self) -> None:
        self._sent_s = time.perf_counter()
        self._transport.write(self._lane[0])

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        at = self._buffer.index(b"content-length: ") + 16
        size = int(self._buffer[at : self._buffer.index(b"\r\n", at)])
        if len(self._buffer) < end + 4 + size:
            return
        now_s = time.perf_counter()
        self.latencies_s.append(now_s - self._sent_s)
        if not self._buffer.startswith(b"HTTP/1.1 200"):
            self._finish(RuntimeError(self._buffer[:400].decode(errors="replace")))
            return
        self._buffer = b""
        count = len(self.latencies_s)
        if now_s >= self._until_s and (self._until_s or count == len(self._lane)):
            self._finish(None)
            return
        self._sent_s = now_s
        self._transport.write(self._lane[count % len(self._lane)])

    def connection_lost(self, exc: Exception | None) -> None:
        self._finish(exc or ConnectionError("the service hung up"))

    def _finish(self, error: Exception | None) -> None:
        if not self._done.done():
            if error is None:
                self._done.set_result(None)
            else:
                self._done.set_exception(error)
        self._transport.close()


def _same(client: _Client) -> _Client:
    return client


async def _run(load: Load) -> Measured:
    loop = asyncio.get_running_loop()
    clients = []
    waiting = []
    until_s = time.perf_counter() + load.seconds if load.seconds else 0.0
    for lane in load.lanes:
        done = loop.create_future()
        client = _Client(lane, until_s, done)
        await loop.create_connection(partial(_same, client), load.host, load.port)
        clients.append(client)
        waiting.append(done)
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    for client in clients:
        client.begin()
    for done in waiting:
        await done
    latencies_s = [latency for client in clients for latency in client.latencies_s]
    return Measured(
        answers=len(latencies_s),
        wall_s=time.perf_counter() - wall_s,
        cpu_s=time.process_time() - cpu_s,
        latencies_s=latencies_s,
    )


def generate(pipe: Connection) -> None:
    """Body of the generator's process: runs each Load from the pipe and answers with its Measured; None ends it."""
    import uvloop

    while (load := pipe.recv()) is not None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            try:
                pipe.send(runner.run(_run(load)))
            except Exception as error:  # told to the parent, which stops the benchmark
                pipe.send(error)


def request(method: str, path: str, call_id: str, body: bytes = b"") -> bytes:
    """The bytes of one request."""
    return (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Mivas-Call-Id: {call_id}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body
