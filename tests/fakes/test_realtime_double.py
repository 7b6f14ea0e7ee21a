"""The real-time doubles over their sockets, in virtual time."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from mivas.fakes import ScriptNotFollowed
from mivas.fakes.realtime import (
    GROK,
    OPENAI,
    PROFILES,
    QWEN,
    CallStep,
    CallTool,
    EachAnswer,
    Fault,
    Plan,
    PlannedSession,
    RealtimeDouble,
    RealtimeProfile,
    Refused,
    Say,
    WaitStep,
    anew,
    continued,
)
from mivas.line import now_ms

Run = Callable[[Any], Any]
HELLO = anew([Say("Hello.")])


def client(double: RealtimeDouble, *, key: str | None = "double-key", query: str = "?model=m", **headers: str) -> Any:
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    return connect(f"{double.url}{query}", additional_headers=headers, proxy=None, compression=None, max_size=None)


async def until(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next event of that type; what comes before it is passed over."""
    while True:
        event: dict[str, Any] = json.loads(await socket.recv())
        if event["type"] == kind:
            return event


async def ask(socket: ClientConnection) -> dict[str, Any]:
    await socket.send('{"type": "response.create"}')
    return await until(socket, "response.done")


def words(done: dict[str, Any]) -> str:
    return " ".join(item["content"][0]["transcript"] for item in done["response"]["output"])


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_a_conversation_over_the_wire(profile: RealtimeProfile, virtually: Run, sound: Any) -> None:
    async def main() -> None:
        plan = anew([WaitStep(heard=("help",)), Say("With pleasure.")])
        heard: list[int] = []

        def hear(samples: Any) -> str:
            heard.append(len(samples))
            return "I need help"

        async with RealtimeDouble(profile, plan, hear=hear) as double, client(double) as socket:
            rate_hz = 16_000 if profile is QWEN else 24_000
            data = base64.b64encode(sound(rate_hz=rate_hz)).decode()
            await socket.send(json.dumps({"type": "input_audio_buffer.append", "audio": data}))
            assert words(await until(socket, "response.done")) == "With pleasure."
            assert now_ms() == 300 + 9 * 25 if profile is not QWEN else now_ms() > 300
        assert [one.type for one in double.received] == ["input_audio_buffer.append"]
        assert heard[0] > 16_000
        assert double.closed == [(0, 1000)]

    virtually(main())


def refused(virtually: Run, profile: RealtimeProfile = OPENAI, plan: Plan = HELLO, **how: Any) -> Refused:
    async def main() -> Refused:
        async with RealtimeDouble(profile, plan) as double:
            with pytest.raises(InvalidStatus) as caught:
                async with client(double, **how):
                    pass
            assert caught.value.response.status_code == double.refused[0].status
            assert json.loads(caught.value.response.body)["error"]["message"] == double.refused[0].reason
        return double.refused[0]

    found: Refused = virtually(main())
    return found


def test_who_is_turned_away(virtually: Run) -> None:
    assert refused(virtually, key=None).status == 401
    assert refused(virtually, key="another").status == 401
    assert refused(virtually, query="").status == 400
    assert refused(virtually, query="?model=").status == 400
    assert refused(virtually, query="/more?model=m").status == 404
    assert refused(virtually, **{"OpenAI-Beta": "realtime=v1"}).status == 400
    assert refused(virtually, plan=anew([], faults=[Fault("refuse", "503")])).status == 503
    assert refused(virtually, profile=GROK, plan=anew([], faults=[Fault("refuse")])).status == 429


def test_the_second_attempt_succeeds(virtually: Run) -> None:
    async def main() -> None:
        async with RealtimeDouble(OPENAI, anew([Say("Hello.")], faults=[Fault("refuse-once")])) as double:
            with pytest.raises(InvalidStatus):
                await client(double)
            async with client(double) as socket:
                assert words(await ask(socket)) == "Hello."

    with pytest.raises(ScriptNotFollowed, match="0 of 1 steps"):  # the script of the first attempt
        virtually(main())


def test_a_slow_connection(virtually: Run) -> None:
    async def main() -> int:
        plan = anew([], faults=[Fault("slow-connect", "4000")])
        async with RealtimeDouble(OPENAI, plan) as double, client(double) as socket:
            await until(socket, "session.created")
            return now_ms()

    assert virtually(main()) == 4000


def test_several_connections_and_one_script(virtually: Run) -> None:
    async def main() -> None:
        async with RealtimeDouble(OPENAI, continued([Say("One."), WaitStep(until="turn"), Say("Two.")])) as double:
            async with client(double) as socket:
                assert words(await ask(socket)) == "One."
            async with client(double) as socket:
                content = [{"type": "input_text", "text": "on we go"}]
                item = {"type": "message", "role": "user", "content": content}
                await socket.send(json.dumps({"type": "conversation.item.create", "item": item}))
                assert words(await ask(socket)) == "Two."
        assert {one.session for one in double.received} == {0, 1}

    virtually(main())


@pytest.mark.parametrize(("fault", "code"), [(Fault("close", "1008"), 1008), (Fault("drop"), 1006)])
def test_the_connection_breaks_in_the_middle(virtually: Run, fault: Fault, code: int) -> None:
    async def main() -> None:
        plan: Plan = lambda _: PlannedSession(brain=EachAnswer(lambda _: [Say("Hello there.")]), faults=(fault,))  # noqa: E731
        async with RealtimeDouble(OPENAI, plan) as double:
            socket = await client(double)
            with pytest.raises(ConnectionClosed):
                await ask(socket)
            assert (socket.close_code or 1006) == code
            await double.wait_for(lambda: bool(double.closed))
            assert any(event["type"] == "response.output_audio.delta" for _, event in double.sent)

    virtually(main())


def test_the_end_of_a_session(virtually: Run) -> None:
    async def main() -> None:
        async with RealtimeDouble(OPENAI, anew([], faults=[Fault("limit", "7000")])) as double:
            socket = await client(double)
            assert (await until(socket, "error"))["error"]["code"] == "session_expired"
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert (socket.close_code, now_ms()) == (1001, 7000)

    virtually(main())


def test_a_voice_and_ears_off_the_loop(virtually: Run) -> None:
    threads: list[int] = []

    def speak(text: str) -> Any:
        threads.append(threading.get_ident())
        return np.full(1600, 1000, dtype=np.int16)  # 100 ms at 16 kHz

    async def main() -> None:
        async with RealtimeDouble(OPENAI, HELLO, speak=speak) as double, client(double) as socket:
            await ask(socket)
            deltas = [event["delta"] for _, event in double.sent if event["type"] == "response.output_audio.delta"]
            assert abs(sum(len(base64.b64decode(delta)) for delta in deltas) - 24_000 // 10 * 2) < 40
            assert now_ms() == 325 + (25 if len(deltas) == 2 else 0)

    virtually(main())
    assert threads != [threading.get_ident()]


def test_a_brain_that_breaks_is_told_of(virtually: Run) -> None:
    def break_down(_: Any) -> Any:
        raise LookupError("lost")

    async def main() -> None:
        plan: Plan = lambda _: PlannedSession(brain=EachAnswer(break_down))  # noqa: E731
        async with RealtimeDouble(OPENAI, plan) as double:
            socket = await client(double)
            with pytest.raises(ConnectionClosed):
                await ask(socket)
            assert socket.close_code == 1011

    with pytest.raises(LookupError, match="lost"):
        virtually(main())


def test_what_is_left_over_is_told_of(virtually: Run) -> None:
    async def main() -> None:
        async with RealtimeDouble(OPENAI, anew([Say("One."), WaitStep(), Say("Two.")])) as double:
            async with client(double) as socket:
                await ask(socket)
            await double.wait_for(lambda: bool(double.closed))

    with pytest.raises(ScriptNotFollowed, match="1 of 3 steps were played; next: WaitStep"):
        virtually(main())


def test_no_message_ends_the_server(virtually: Run) -> None:
    async def main() -> None:
        async with RealtimeDouble(OPENAI, HELLO) as double, client(double) as socket:
            for message in (
                b"\x00\xff",
                "{",
                "[]",
                "null",
                "[" * 5000,
                '{"type": 3}',
                b"",
                '{"type": "response.create"',
            ):
                await socket.send(message)
                await until(socket, "error")
            assert words(await ask(socket)) == "Hello."
            assert len(double.received) == 9
            assert double.of_type("response.create") == [{"type": "response.create"}]

    virtually(main())


def test_text_that_is_no_text_ends_one_connection_only(virtually: Run) -> None:
    async def main() -> None:
        async with RealtimeDouble(OPENAI, lambda _: PlannedSession(brain=EachAnswer(lambda _: []))) as double:
            socket = await client(double)
            socket.transport.write(b"\x81\x82\x00\x00\x00\x00\xff\xff")  # a text frame of two bytes, none of UTF-8
            with pytest.raises(ConnectionClosed):
                await ask(socket)
            async with client(double) as other:
                await ask(other)

    virtually(main())


def test_garbage_before_the_upgrade_ends_nothing(virtually: Run) -> None:
    async def main() -> None:
        async with RealtimeDouble(OPENAI, HELLO) as double:
            host, _, port = double.url.removeprefix("ws://").partition("/")[0].partition(":")
            for garbage in (
                b"\x16\x03\x01\x00",
                b"GET / HTTP/1.1\r\n\r\n",
                b"POST /v1/realtime HTTP/1.1\r\n\r\n",
                b"G",
            ):
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(garbage)
                writer.write_eof()
                await reader.read()
                writer.close()
            async with client(double) as socket:
                assert words(await ask(socket)) == "Hello."

    virtually(main())


def test_a_call_repeats_exactly(virtually: Run, sound: Any) -> None:
    async def main() -> tuple[Any, int]:
        plan = continued([Say("Hello there."), WaitStep(), CallStep(tool="look")])
        async with RealtimeDouble(OPENAI, plan) as double, client(double) as socket:
            await ask(socket)
            for piece in range(0, len(data := sound()), 960):
                encoded = base64.b64encode(data[piece : piece + 960]).decode()
                await socket.send(json.dumps({"type": "input_audio_buffer.append", "audio": encoded}))
                await asyncio.sleep(0.02)
            await until(socket, "response.done")
        return (double.sent, [(one.at_ms, one.raw) for one in double.received]), now_ms()

    assert virtually(main()) == virtually(main())


def test_a_plan_that_breaks_is_told_of(virtually: Run) -> None:
    def plan(number: int) -> PlannedSession:
        raise LookupError(number)

    async def main() -> None:
        async with RealtimeDouble(OPENAI, plan) as double:
            with pytest.raises(InvalidStatus):
                await client(double)

    with pytest.raises(LookupError):
        virtually(main())


def test_a_frame_that_is_huge(virtually: Run) -> None:
    async def main() -> None:
        plan = anew([Fault("huge-frame", "2"), Say("Hello.")])
        async with RealtimeDouble(OPENAI, plan) as double, client(double) as socket:
            await socket.send('{"type": "response.create"}')
            assert len((await until(socket, "session.padding"))["padding"]) == 2 * 2**20
            assert words(await until(socket, "response.done")) == "Hello."

    virtually(main())


def test_it_works_in_real_time_too() -> None:
    async def main() -> None:
        async with (
            RealtimeDouble(OPENAI, anew([Say("Hi."), CallStep(tool="look")])) as double,
            client(double) as socket,
        ):
            done = await ask(socket)
            assert [item["type"] for item in done["response"]["output"]] == ["message", "function_call"]

    asyncio.run(main())


def test_a_brain_sees_what_a_model_would(virtually: Run) -> None:
    seen: list[Any] = []

    def answer(session: Any) -> list[Any]:
        seen.append(session)
        return [CallTool(tool="look")] if len(seen) == 1 else [Say("x")]

    async def main() -> None:
        plan: Plan = lambda _: PlannedSession(brain=EachAnswer(answer))  # noqa: E731
        async with RealtimeDouble(GROK, plan) as double, client(double) as socket:
            tools = [{"type": "function", "name": "look", "description": "Looks."}, {"type": "web_search"}]
            update = {"type": "session.update", "session": {"instructions": "Be kind.", "tools": tools}}
            await socket.send(json.dumps(update))
            (call,) = (await ask(socket))["response"]["output"]
            item = {"type": "function_call_output", "call_id": call["call_id"], "output": "found"}
            await socket.send(json.dumps({"type": "conversation.item.create", "item": item}))
            await ask(socket)

    virtually(main())
    first, second = seen
    assert (first.instructions, list(first.tools), first.updates) == ("Be kind.", ["look"], 1)
    assert first.tools["look"]["description"] == "Looks."
    assert (second.outputs[0].tool, second.outputs[0].output) == ("look", "found")
