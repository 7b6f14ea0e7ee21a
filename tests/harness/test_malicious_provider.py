"""A provider that attacks, over its real wire: it stays contained, and is never held against the model.

What a double can be told to do stands in the conformance suite (tests/conformance); this is what no script says.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import pytest

pytest.importorskip("websockets")
pytest.importorskip("soxr")

from websockets.asyncio.server import serve

from mivas.conformance import Call, Caller, Model, Provider, Served, run_call
from mivas.harness import load_harness
from mivas.harness.realtime import Address
from mivas.line import Note

KEY = "canary-key-4711-of-the-provider"
MIB = 2**20
CALLED = "response.function_call_arguments.done"
SILENT = logging.Logger("attacker", logging.CRITICAL)
Attack = Callable[[Any], Awaitable[None]]


def attacker(attack: Attack, *, refuse: Callable[[Any, Any], Any] | None = None) -> Provider:
    """A provider that opens a session like any other and then attacks."""

    async def handle(socket: Any) -> None:
        await socket.send('{"type": "session.created", "session": {}}')
        await socket.recv()
        await socket.send('{"type": "session.updated", "session": {}}')
        attacking = asyncio.create_task(attack(socket))
        async for _ in socket:
            pass
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)

    @asynccontextmanager
    async def serving(_plan: Any) -> AsyncIterator[Served]:
        async with serve(
            handle, "127.0.0.1", 0, process_request=refuse, compression=None, ping_interval=None,
            max_size=None, logger=SILENT, close_timeout=1,
        ) as server:  # fmt: skip
            port = next(iter(server.sockets)).getsockname()[1]
            yield Served(harness=reached(port), sound=lambda: (), connections=lambda: len(server.connections))

    return Provider(serve=serving, secret=KEY)


def reached(port: int) -> Any:
    address = Address(url=f"ws://127.0.0.1:{port}/v1/realtime", headers={"Authorization": f"Bearer {KEY}"})
    return load_harness("openai/realtime-2.1-swap").reached(address)


def attacked(attack: Attack, *, seconds: float = 20.0, **setting: Any) -> Call:
    return run_call(attacker(attack), Model([]), seconds=seconds, **setting)


async def send(socket: Any, kind: str, **fields: Any) -> None:
    await socket.send(json.dumps({"type": kind, **fields}))


async def call_tool(socket: Any, call: str, name: str = "look_up", arguments: str = '{"what": "red"}') -> None:
    await send(socket, CALLED, call_id=call, name=name, arguments=arguments)


@pytest.mark.parametrize("size", [17 * MIB, 64 * MIB])
def test_frames_beyond_any_measure_end_the_call_as_void(size: int) -> None:
    async def attack(socket: Any) -> None:
        await socket.send("x" * size)

    call = attacked(attack)
    assert call.ended.by == "provider"
    assert call.left_open == 0


def test_a_message_of_fragments_without_end_is_cut_off() -> None:
    async def attack(socket: Any) -> None:
        async def pieces() -> AsyncIterator[str]:
            while True:
                yield "x" * MIB

        await socket.send(pieces())

    assert attacked(attack).ended.by == "provider"


def test_calls_without_end_outside_of_any_answer_are_bounded() -> None:
    async def attack(socket: Any) -> None:
        for number in range(3_000):
            await call_tool(socket, f"call_{number}")

    call = attacked(attack)
    assert call.ended.by == "limit"
    assert len(call.tools.posts) <= 500
    assert "too_many_tools" in call.notes


def test_calls_without_end_from_a_provider_that_takes_no_time_come_to_an_end() -> None:
    async def attack(socket: Any) -> None:
        for number in range(5_000):
            await send(socket, "response.created", response={"id": f"r{number}"})
            await call_tool(socket, f"call_{number}")
            await send(socket, "response.done", response={"id": f"r{number}", "status": "completed", "output": []})

    call = attacked(attack)
    assert call.ended.by == "limit"
    assert len(call.tools.posts) <= 500


@pytest.mark.parametrize(
    "name",
    [
        "../../state",
        "look_up/../take_order",
        "..\\..\\x",
        "look_up\u0000",
        "%2e%2e%2fstate",
        "__class__",
        " look_up",
        "",
    ],
)
def test_no_name_of_a_tool_is_anything_but_a_name(name: str) -> None:
    async def attack(socket: Any) -> None:
        await send(socket, "response.created", response={"id": "r"})
        await call_tool(socket, "call_1", name)

    call = attacked(attack, seconds=3)
    assert call.ended.by == "limit"
    assert call.tools.posts == []
    assert call.desk.node.id == "front"
    assert all(event.output == {"success": False, "error": event.output["error"]} for event in call.finished)


def test_a_name_of_a_megabyte_is_refused_and_kept_short() -> None:
    async def attack(socket: Any) -> None:
        await call_tool(socket, "call_1", "x" * MIB)

    call = attacked(attack, seconds=3)
    assert call.ended.by == "limit"
    assert call.tools.posts == []


@pytest.mark.parametrize(
    "message",
    [
        "{", "null", "[]", '"x"', "{}", '{"type": 1}', '{"type": "response.done"}', b"\xff\xfe\x00",
        '{"type": "response.output_audio.delta", "item_id": "i", "delta": "no base64"}',
        '{"type": "response.created", "response": 7}', '{"type": "error", "error": "x"}',
        '{"type": "response.done", "response": {"output": [1, {"type": "function_call"}], "usage": [[]]}}',
        '{"type": "x", "y": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"type": "response.done", "response": {"usage": {"input_token_details": {"text_tokens": 1e99}}}}',
    ],
    ids=range(14),
)  # fmt: skip
def test_messages_that_say_nothing_are_passed_over(message: str | bytes) -> None:
    async def attack(socket: Any) -> None:
        await socket.send(message)
        await send(socket, "response.created", response={"id": "r"})
        await call_tool(socket, "call_1")

    call = attacked(attack, seconds=3)
    assert call.ended.by == "limit", call.ended
    assert len(call.tools.posts) == 1


def test_a_flood_of_nonsense_fills_no_disk() -> None:
    async def attack(socket: Any) -> None:
        for _ in range(20_000):
            await socket.send("{")
        for _ in range(20_000):
            await send(socket, "error", error={"type": "x", "code": "y", "message": "z" * 100})

    call = attacked(attack, seconds=5)
    assert call.ended.by == "limit"
    assert len(call.events) <= 200


def test_sound_without_end_is_bounded_and_ends_with_the_caller() -> None:
    second = base64.b64encode(b"\x10\x27\xf0\xd8" * 12_000).decode()

    async def attack(socket: Any) -> None:
        await send(socket, "response.created", response={"id": "r"})
        for _ in range(1_200):
            await send(socket, "response.output_audio.delta", item_id="i", delta=second)

    async def caller(me: Caller) -> None:
        await me.wait(10_000)
        me.hang_up()

    call = run_call(attacker(attack), Model([]), caller, seconds=30)
    assert call.ended.by == "caller"
    assert call.playout.spoken[0].samples <= 16_000 * 400
    assert "sound_dropped" in call.notes


def test_usage_that_cannot_be_is_no_usage() -> None:
    async def attack(socket: Any) -> None:
        for count in (-5, True, 2**70, 1.5, "many", None):
            usage = {"input_token_details": {"text_tokens": count}, "output_token_details": {"audio_tokens": count}}
            await send(socket, "response.done", response={"id": "r", "status": "completed", "usage": usage})

    call = attacked(attack, seconds=3)
    assert call.ended.by == "limit", call.ended


@pytest.mark.parametrize("greeting", [b"", b"HTTP/1.1 200 OK\r\n\r\n", b"\x00" * 100, b"SSH-2.0-x\r\n"])
def test_what_is_no_provider_at_all_is_void(greeting: bytes) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(greeting)
        if greeting:
            writer.close()
        else:
            await reader.read()  # never answers, and stays
            writer.close()

    @asynccontextmanager
    async def serving(_plan: Any) -> AsyncIterator[Served]:
        async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
            yield Served(harness=reached(server.sockets[0].getsockname()[1]), sound=lambda: (), connections=lambda: 0)

    call = run_call(Provider(serve=serving, secret=KEY), Model([]), seconds=30)
    assert call.ended.by == "provider", call.ended


# The key. `run_call` looks through all that is kept of every call.


def refusing(status: HTTPStatus) -> Callable[[Any, Any], Any]:
    """Turn everybody away and say with which key they came."""

    def refuse(connection: Any, request: Any) -> Any:
        given = request.headers["Authorization"]
        response = connection.respond(status, f"Incorrect API key provided: {given}.")
        response.headers["X-Your-Key"] = given
        response.headers["Location"] = f"/elsewhere?key={KEY}"
        return response

    return refuse


def told_nowhere(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    assert KEY not in caplog.text
    assert KEY not in "".join(capfd.readouterr())


async def nothing(_socket: Any) -> None: ...


@pytest.mark.parametrize(
    "status", [HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.FOUND]
)
def test_a_key_in_the_answer_to_the_handshake_is_told_nowhere(
    status: HTTPStatus, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    call = run_call(attacker(nothing, refuse=refusing(status)), Model([]), seconds=20)
    assert call.ended.by == "provider"
    told_nowhere(caplog, capfd)


def test_a_connection_that_drops_in_mid_handshake_tells_no_key(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)

    def refuse(connection: Any, request: Any) -> Any:
        connection.transport.abort()

    call = run_call(attacker(nothing, refuse=refuse), Model([]), seconds=20)
    assert call.ended.by == "provider"
    told_nowhere(caplog, capfd)


def test_a_proxy_of_the_environment_is_not_asked_and_its_password_told_nowhere(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("http_proxy", "https_proxy", "all_proxy", "ws_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://somebody:{KEY}@127.0.0.1:9")
    call = attacked(nothing, seconds=3)
    assert call.ended.by == "limit", call.ended
    told_nowhere(caplog, capfd)


@pytest.mark.parametrize(
    "message",
    [
        {"type": "error", "error": {"type": "x", "code": "invalid_api_key", "message": f"Incorrect API key: {KEY}"}},
        {"type": "error", "error": {"type": "authentication_error", "code": KEY, "message": f"Bearer {KEY}"}},
        {"type": "response.done", "response": {"status": "failed", "status_details": {"error": {"code": KEY}}}},
        {"type": "response.done", "response": {"id": 1, "output": KEY}},
        {"type": "conversation.item.input_audio_transcription.completed", "item_id": "i", "transcript": KEY},
        {"type": "response.output_audio_transcript.delta", "item_id": "i", "delta": KEY},
        {"type": CALLED, "call_id": "c", "name": KEY, "arguments": "{}"},
        {"type": CALLED, "call_id": KEY, "name": "look_up", "arguments": f'["{KEY}"]'},
        {"type": CALLED, "call_id": "c", "name": "look_up", "arguments": f'{{"a":"{KEY}"}}'},
        {"type": f"no event, {KEY}"},
        {"no type": KEY},
    ],
    ids=range(11),
)  # fmt: skip
def test_a_key_in_a_message_is_told_nowhere(
    message: dict[str, Any], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)

    async def attack(socket: Any) -> None:
        await socket.send(json.dumps(message))
        await socket.send(json.dumps(message)[:-1])
        await socket.close(1008, f"no entry with {KEY}")

    call = attacked(attack, seconds=20)
    assert call.ended.by in ("provider", "limit")
    assert [event for event in call.events if isinstance(event, Note)]
    told_nowhere(caplog, capfd)
