"""The real-time doubles against clients that their vendors wrote, in real time: they keep clocks of their own."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from mivas.fakes.realtime import (
    GROK,
    OPENAI,
    QWEN,
    CallStep,
    Fault,
    Plan,
    RealtimeDouble,
    RealtimeProfile,
    Say,
    Timing,
    WaitStep,
    anew,
)

openai = pytest.importorskip("openai")

QUICK = Timing(thinking_ms=10, speed=100, transcript_ms=10)
LOOK = {"type": "function", "name": "look_up", "description": "Looks.", "parameters": {"type": "object"}}
BACK = {"type": "function", "name": "to_back", "description": "Hands over.", "parameters": {"type": "object"}}
PATIENCE_S = 60


@asynccontextmanager
async def connected(profile: RealtimeProfile, plan: Plan) -> AsyncIterator[tuple[RealtimeDouble, Any]]:
    async with RealtimeDouble(profile, plan, timing=QUICK, hear=lambda _: "my number is 4711") as double:
        client = openai.AsyncOpenAI(
            api_key="double-key", base_url=double.base_url, websocket_base_url=double.base_url.replace("http", "ws", 1)
        )
        async with client, client.realtime.connect(model=profile.model) as connection:
            yield double, connection


async def until(connection: Any, kind: str) -> Any:
    async with asyncio.timeout(PATIENCE_S):
        async for event in connection:
            if event.type == kind:
                return event
    raise AssertionError(f"the connection ended before {kind}")


async def answer(connection: Any, done: Any, output: str) -> Any:
    """Give a call its output; the next answer."""
    (call,) = done.response.output
    item = {"type": "function_call_output", "call_id": call.call_id, "output": output}
    await connection.conversation.item.create(item=item)
    await connection.response.create()
    return await until(connection, "response.done")


def assert_all_are_known(double: RealtimeDouble) -> None:
    """Every event is one of the vendor's own types, with every field that it must have."""
    from openai.types.realtime import RealtimeServerEvent
    from pydantic import TypeAdapter

    adapter: Any = TypeAdapter(RealtimeServerEvent)
    assert double.sent
    for _, event in double.sent:
        known = adapter.validate_json(json.dumps(event), strict=False)
        assert known.type == event["type"]


def test_openais_client_holds_a_conversation(sound: Any) -> None:
    steps = [
        Say("Hello there."),
        WaitStep(heard=("4711",)),
        CallStep(tool="look_up", arguments={"n": {"$heard": r"\d+"}}, offered=("look_up", "to_back")),
        CallStep(tool="to_back", kind="handoff"),
        Say("Back speaking."),
        CallStep(tool="look_up", withheld=("to_back",)),
    ]

    async def main() -> RealtimeDouble:
        async with connected(OPENAI, anew(steps)) as (double, connection):
            hearing = {"transcription": {"model": "gpt-4o-mini-transcribe"}, "turn_detection": {"type": "semantic_vad"}}
            await connection.session.update(
                session={"type": "realtime", "tools": [LOOK, BACK], "audio": {"input": hearing}}
            )
            await until(connection, "session.updated")
            await connection.response.create(response={"metadata": {"mine": "1"}})
            done = await until(connection, "response.done")
            assert done.response.metadata == {"mine": "1"}
            (item,) = done.response.output
            await connection.conversation.item.truncate(item_id=item.id, content_index=0, audio_end_ms=200)
            assert (await until(connection, "conversation.item.truncated")).audio_end_ms == 200
            await connection.conversation.item.truncate(item_id=item.id, content_index=0, audio_end_ms=90_000)
            assert "already shorter" in (await until(connection, "error")).error.message
            await connection.input_audio_buffer.append(audio=base64.b64encode(sound()).decode())
            done = await until(connection, "response.done")
            assert done.response.output[0].arguments == '{"n": "4711"}'
            done = await answer(connection, done, "{}")
            await connection.session.update(session={"type": "realtime", "instructions": "Back.", "tools": [LOOK]})
            done = await answer(connection, done, "{}")
            assert [item.type for item in done.response.output] == ["message", "function_call"]
            assert done.response.usage.output_token_details.audio_tokens > 0
        return double

    assert_all_are_known(asyncio.run(main()))


def test_openais_client_interrupts_and_is_refused() -> None:
    async def main() -> RealtimeDouble:
        async with connected(OPENAI, anew([Say("x" * 4000)])) as (double, connection):
            await connection.response.create()
            await connection.response.create()
            error = (await until(connection, "error")).error
            assert error.code == "conversation_already_has_active_response"
            await until(connection, "response.output_audio.delta")
            await connection.response.cancel()
            done = (await until(connection, "response.done")).response
            assert (done.status, done.status_details.reason) == ("cancelled", "client_cancelled")
        return double

    assert_all_are_known(asyncio.run(main()))


@pytest.mark.parametrize(
    "fault", ["failed", "refusal", "error", "duplicate-call", "malformed-arguments", "out-of-order"]
)
def test_faults_are_in_the_vendors_words(fault: str) -> None:
    async def main() -> RealtimeDouble:
        async with connected(OPENAI, anew([CallStep(tool="look_up")], faults=[Fault(fault)])) as (double, connection):
            await connection.response.create()
            await until(connection, "response.done")
        return double

    assert_all_are_known(asyncio.run(main()))


@pytest.mark.parametrize("profile", [GROK, QWEN], ids=["grok", "qwen"])
def test_the_dialects_are_served_too(profile: RealtimeProfile, sound: Any) -> None:
    async def main() -> None:
        async with connected(profile, anew([WaitStep(), CallStep(tool="look_up"), Say("Done.")])) as (_, connection):
            tool = {"type": "function", "function": {"name": "look_up"}} if profile is QWEN else LOOK
            await connection.session.update(session={"instructions": "Be kind.", "tools": [tool]})
            rate_hz = 16_000 if profile is QWEN else 24_000
            await connection.input_audio_buffer.append(audio=base64.b64encode(sound(rate_hz=rate_hz)).decode())
            done = await answer(connection, await until(connection, "response.done"), "{}")
            assert done.response.output[0].content[0].transcript == "Done."

    asyncio.run(main())


def test_openais_agents_call_and_hand_over(sound: Any) -> None:
    agents = pytest.importorskip("agents")
    realtime = pytest.importorskip("agents.realtime")
    agents.set_tracing_disabled(True)
    used: list[int] = []

    @agents.function_tool  # type: ignore[untyped-decorator]
    def look_up(n: int) -> str:
        """Look something up."""
        used.append(n)
        return "found"

    back = realtime.RealtimeAgent(name="back", instructions="You are back.", tools=[look_up])
    front = realtime.RealtimeAgent(
        name="front", instructions="You are front.", tools=[look_up], handoffs=[realtime.realtime_handoff(back)]
    )
    steps = [
        WaitStep(),
        CallStep(tool="look_up", arguments={"n": 4}, offered=("look_up", "transfer_to_back")),
        CallStep(tool="transfer_to_back", kind="handoff"),
        CallStep(tool="look_up", arguments={"n": 5}, withheld=("transfer_to_back",)),
        Say("Back speaking."),
    ]

    async def main() -> None:
        async with RealtimeDouble(OPENAI, anew(steps), timing=QUICK) as double:
            runner = realtime.RealtimeRunner(front)
            where = {"url": f"{double.url}?model={OPENAI.model}", "api_key": "double-key"}
            async with asyncio.timeout(PATIENCE_S), await runner.run(model_config=where) as session:
                await session.send_audio(sound())
                kinds = []
                async for event in session:
                    kinds.append(event.type)
                    if event.type == "audio_end":
                        break
            assert kinds.count("tool_end") == 2
            assert kinds.count("handoff") == 1
            assert not [event for _, event in double.sent if event["type"] == "error"]

    asyncio.run(main())
    assert used == [4, 5]
