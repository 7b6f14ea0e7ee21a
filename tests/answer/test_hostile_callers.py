"""Callers that mean no good and agents that break: each call is contained, and the next one finds a free line."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import numpy as np
import pytest
from websockets.exceptions import InvalidStatus

from mivas.answer._state import is_tools_url
from mivas.fakes.realtime import Say
from mivas.line.spoken import Playout

HELLO = (Say("Hello. " * 20),)


def ended(office: Any, call_id: str = "675") -> tuple[str, str]:
    event = office.events(call_id)[-1]
    assert event["type"] == "call.ended"
    return event["by"], event["reason"]


def test_a_frame_beyond_any_measure_ends_its_call_only(chirp: Any) -> None:
    async def main() -> None:
        def huge(frame: bytes) -> list[bytes]:
            return [b"\0" * (2**20 + 2)]

        async with chirp.office(HELLO) as office:
            good = asyncio.create_task(chirp.Phone(office.url, call_id="good").call(6))
            bad = await chirp.Phone(office.url, call_id="bad", frame_bytes=huge).call(6)
            await office.settled()
            assert bad.close_code == 1009
            assert ended(office, "bad")[0] == "caller"
            assert (await good).spoken_ms > 3_000

    chirp.virtually(main())


def test_a_flood_of_text_is_left_unread(chirp: Any) -> None:
    async def main() -> None:
        async def floods(phone: Any) -> None:
            for number in range(3_000):
                phone.text(json.dumps({"type": "mark", "data": {"name": f"m{number}"}}))
            for _ in range(50):
                phone.text('{"type": "session.error", "data": {"code": "\\u001b[31m", "message": "x"}}')
            await asyncio.sleep(1.5)
            for text in (
                '{"type": "session.error"}',
                "[]",
                "{",
                "",
                "[" * 50_000,
                '{"type": "mark"}',
                "\0",
                '{"type": 1}',
            ):
                phone.text(text)

        async with chirp.office(HELLO) as office:
            phone = await chirp.Phone(office.url).call(6, during=floods)
            await office.settled()
            marks = [one for _, one in phone.texts if one["type"] == "mark"]
            assert len(marks) <= 300
            notes = [event["code"] for event in office.events("675") if event["type"] == "note"]
            assert notes.count("session_error") <= 1
            assert phone.spoken_ms > 3_000

    chirp.virtually(main())


def test_marks_come_back_when_what_came_before_them_was_heard(chirp: Any) -> None:
    async def main() -> None:
        async def marks(phone: Any) -> None:
            await asyncio.sleep(1)
            phone.text('{"type": "mark", "data": {"name": "a"}}')

        async with chirp.office(HELLO) as office:
            phone = await chirp.Phone(office.url).call(4, during=marks)
            [(at_ms, mark)] = [(at_ms, one) for at_ms, one in phone.texts if one["type"] == "mark"]
            assert mark["data"]["name"] == "a"
            assert 1_000 <= at_ms < 1_500

    chirp.virtually(main())


def test_a_busy_server_and_a_call_that_is_on_are_told_before_the_upgrade(chirp: Any) -> None:
    async def main() -> None:
        async with chirp.office(HELLO, most_calls=2) as office:
            running = [asyncio.create_task(chirp.Phone(office.url, call_id="a").call(5))]
            await asyncio.sleep(1)
            with pytest.raises(InvalidStatus) as refused:
                await chirp.Phone(office.url, call_id="a").call(1)
            assert refused.value.response.status_code == 409
            running.append(asyncio.create_task(chirp.Phone(office.url, call_id="b").call(4)))
            await asyncio.sleep(1)
            with pytest.raises(InvalidStatus) as refused:
                await chirp.Phone(office.url, call_id="c").call(1)
            assert refused.value.response.status_code == 503
            await asyncio.gather(*running)
            await office.settled()
            assert (await chirp.Phone(office.url, call_id="c").call(2)).sound
            assert (await chirp.Phone(office.url, call_id="a").call(2)).sound, "an id may call again"

    chirp.virtually(main())


def test_whoever_never_finishes_the_upgrade_takes_no_line(chirp: Any) -> None:
    async def main() -> None:
        async with chirp.office(HELLO, most_calls=1) as office:
            port = int(office.url.rstrip("/").rpartition(":")[2])
            strangers = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
            for _, writer in strangers[:10]:
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
            for _, writer in strangers[10:15]:
                writer.write(b"\x16\x03\x01 no http at all\r\n\r\n")
            await asyncio.sleep(1)
            assert (await chirp.Phone(office.url).call(2)).sound
            for _, writer in strangers:
                writer.close()

    chirp.virtually(main())


def test_a_caller_that_never_answers_is_dropped(chirp: Any) -> None:
    async def main() -> None:
        async with chirp.office(HELLO) as office:
            port = int(office.url.rstrip("/").rpartition(":")[2])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(
                b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                b"X-Simulation-Result-Id: deaf\r\n\r\n"
            )
            assert b"101" in await reader.readline()
            async with asyncio.timeout(120):
                while await reader.read(2**16):
                    pass
            await office.settled()
            assert ended(office, "deaf") == ("caller", "caller hung up (1006)")
            assert office.state("deaf") is not None
            writer.close()

    chirp.virtually(main())


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "http://u:p@h/x", "http://h/x?y=1", "ftp://h/x", "http://", "x" * 3_000, "http://ä/"]
)
def test_an_odd_address_of_tools_is_left_alone(url: str) -> None:
    assert is_tools_url(url) is False


class BrokenAgent:
    """Breaks in one place."""

    def __init__(self, line: Any, way: str) -> None:
        self.playout = Playout()
        self._line, self._way, self._frames = line, way, 0

    def answer(self) -> None:
        self._break("answers")
        self._line.spawn(self._turn())
        self.playout.say(
            "hello", np.full(16_000 * 4, 4_000, dtype=np.int16) * np.tile([1, -1], 32_000).astype(np.int16)
        )

    async def _turn(self) -> None:
        await asyncio.sleep(1)
        self._break("turns")
        if self._way == "quits":
            raise SystemExit(3)
        if self._way == "is cancelled":
            raise asyncio.CancelledError
        if self._way == "hangs":
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                await asyncio.sleep(60)  # takes its time to stop
                raise

    def hear(self, frame: Any, t_ms: int) -> None:
        self._frames += 1
        if self._frames > 100:
            self._break("hears")

    async def aclose(self) -> None:
        self._break("closes")

    def _break(self, place: str) -> None:
        if self._way == place:
            raise RuntimeError("it broke with the secret hunter2")


@pytest.mark.parametrize("way", ["answers", "turns", "quits", "is cancelled", "hears", "picks up"])
def test_an_agent_that_breaks_is_said_to_be_broken_and_nothing_of_it_goes_out(chirp: Any, way: str) -> None:
    def breaking(_: Any) -> Any:
        def pick_up(line: Any) -> Any:
            if way == "picks up":
                raise OSError("no agents left, hunter2")
            return BrokenAgent(line, way)

        return pick_up

    async def main() -> None:
        async with chirp.office(make_agent=breaking) as office:
            phone = await chirp.Phone(office.url).call(20)
            await office.settled()
            assert phone.close_code == 1011
            assert phone.order[-1] == "session.error"
            assert "hunter2" not in json.dumps([one for _, one in phone.texts])
            chirp.balanced(phone)
            assert ended(office)[0] == "harness"
            assert office.state("675") == {"appointments": []}

    chirp.virtually(main())


@pytest.mark.parametrize("way", ["closes", "hangs", "none"])
def test_an_agent_that_cannot_stop_holds_up_nobody(chirp: Any, way: str) -> None:
    async def main() -> None:
        async with chirp.office(make_agent=lambda _: lambda line: BrokenAgent(line, way)) as office:
            await chirp.Phone(office.url).call(3)
            async with asyncio.timeout(30):
                await office.settled()
            assert ended(office)[0] == "caller"
            assert office.state("675") == {"appointments": []}

    chirp.virtually(main())
