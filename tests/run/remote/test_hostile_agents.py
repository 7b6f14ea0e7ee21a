"""Agents from elsewhere that mean no good, or are badly broken: each is contained, and its call gets the right mark."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from typing import Any

import pytest

from mivas.errors import InputError

GREETING = "Welcome to Copper Kettle Repairs, hello. Would you like to book a repair appointment?"
MOVED = {"name": "handoff_to_scheduler", "start_offset_ms": 5_000, "parameters": {}, "output": None}

NO_TOOLS = (
    "../../state",
    "..%2f..%2fstate",
    "%2e%2e%2f%2e%2e%2fsnapshot",
    "a/b",
    "..",
    "%00",
    "_mivas_calls",
    "end_call",
)
NO_ROUTES = (
    "/calls/{wrong}/tools/schedule_appointment", "/calls/{cut}/tools/schedule_appointment", "/calls/{token}",
    "/calls/{token}/state", "/calls/{token}/tool_calls/x", "/state?call_id=x", "/snapshot", "/bind", "/health", "/docs",
    "/openapi.json", "/tools/schedule_appointment", "//etc/passwd",
)  # fmt: skip


def agents_sound_ms(call: Any) -> int:
    return sum(
        one["end_ms"] - one["start_ms"] for one in call.events if one["type"] == "speech" and one["role"] == "agent"
    )


def test_a_frame_beyond_any_measure_ends_the_call_as_the_agents_own_doing(dial: Any) -> None:
    async def script(visit: Any) -> None:
        await visit.say(GREETING)
        await visit.socket.send(b"\0" * (2**20 + 2))
        await visit.hung_up.wait()

    call = dial(script, reports=True)
    assert (call.ended["by"], call.ended["reason"]) == ("agent", "connection closed with 1009")
    assert call.verdict["mark"] == "FAIL"
    assert "odd_close" in call.notes


def test_sound_sent_much_faster_than_it_plays_is_noted_and_bounded(dial: Any) -> None:
    async def script(visit: Any) -> None:
        loud = b"\x00\x20\x00\xe0" * 2**17  # 16 s a message
        for _ in range(20):
            await visit.socket.send(loud)
        await visit.hung_up.wait()

    call = dial(script, reports=True, call_limit_ms=200_000)
    assert {"agent_ahead", "sound_dropped"} <= set(call.notes)
    assert call.notes.count("sound_dropped") == 1
    assert agents_sound_ms(call) <= 140_000


def test_a_flood_of_text_is_left_unread_and_the_call_goes_on(dial: Any, booking: Any) -> None:
    async def script(visit: Any) -> None:
        async def flood() -> None:
            for number in range(5_000):
                await visit.socket.send(json.dumps({"type": "mark", "data": {"name": f"m{number}"}}))
            await visit.socket.send('{"type": "speech.started", ' + '"x": [' * 3_000)
            await visit.socket.send("x" * 1_000_000)
            for _ in range(300):
                await visit.socket.send('{"type": "session.error", "data": {"code": "A", "message": "b"}}')

        at_ms = await booking(visit, flood)
        await visit.report({**MOVED, "start_offset_ms": at_ms})
        await visit.report()

    call = dial(script)
    assert call.verdict["mark"] == "pass", call.verdict["reasons"]
    assert call.notes.count("text_flood") == 1
    assert call.notes.count("session_error") <= 1
    [visit] = call.box.visits
    assert len([one for one in visit.texts if one["type"] == "mark"]) <= 300


def test_other_calls_are_out_of_reach(dial: Any, booking: Any) -> None:
    """Ids and tokens of other calls, tricks in paths, routes of the operator's: nothing is there."""
    statuses: dict[str, int] = {}

    async def script(visit: Any) -> None:
        base, _, token = visit.tools_url.rpartition("/calls/")

        async def pry() -> None:
            other = {"X-Mivas-Call-Id": "F1-E1-0-00000000"}
            answer = await visit.tool("schedule_appointment", {}, **other)
            statuses["id of another call"] = answer.status_code
            for name in NO_TOOLS:
                statuses[f"tool {name}"] = (await visit.tool(name, {})).status_code
            for path in NO_ROUTES:
                url = base + path.format(token=token, wrong="A" * len(token), cut=token[:-1])
                statuses[f"POST {path}"] = (await visit.client.post(url, json={"arguments": {}})).status_code
            for path in ("tools/schedule_appointment", "tool_calls"):
                statuses[f"GET {path}"] = (await visit.client.get(f"{visit.tools_url}/{path}")).status_code

        at_ms = await booking(visit, pry)
        statuses["tool after the call"] = (await visit.tool("schedule_appointment", {"date": "08/16/2026"})).status_code
        await visit.report({**MOVED, "start_offset_ms": at_ms})
        await visit.report()

    call = dial(script)
    assert call.verdict["mark"] == "pass", call.verdict["reasons"]
    assert statuses.pop("id of another call") == 200, "the token says which call it is"
    assert statuses.pop("tool after the call") == 410
    assert {what: status for what, status in statuses.items() if status != 404} == {
        "GET tools/schedule_appointment": 405,
        "GET tool_calls": 405,
    }
    assert sorted(path.name for path in (call.root / "calls").iterdir()) == [call.record["call_id"]]
    assert len(call.state["appointments"]) == 1


def test_endless_tool_calls_stop_being_carried_out_and_the_call_goes_on(
    dial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mivas.state._tools_server.MOST_POSTS", 50)
    statuses: list[int] = []

    async def script(visit: Any) -> None:
        async def hammer() -> None:
            statuses.extend([(await visit.tool("schedule_appointment", {})).status_code for _ in range(60)])

        await visit.say(GREETING)
        await visit.hear()
        await hammer()
        await visit.say("Goodbye.")
        await visit.socket.close()
        await visit.report()

    call = dial(script, reports=True)
    assert statuses.count(200) == 50
    assert set(statuses) == {200, 429}
    assert call.verdict["mark"] == "FAIL"
    assert call.ended["by"] == "agent"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 422),
        (b"[[]]", 422),
        (b'[{"name": ""}]', 422),
        (b'[{"name": "end_call", "start_offset_ms": -1, "parameters": {}, "output": null}]', 422),
        (b'[{"name": "end_call", "start_offset_ms": NaN, "parameters": {}, "output": null}]', 422),
        (b'[{"name": "end_call", "start_offset_ms": 1e308, "parameters": {}, "output": null}]', 422),
        (b'[{"name": "\\ud800", "start_offset_ms": 1, "parameters": {}, "output": null}]', 422),
        (b"[" * 100_000, 422),
        (b" " * (2**20 + 1), 413),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_report_that_is_none_is_refused_and_changes_nothing(dial: Any, body: bytes, status: int) -> None:
    statuses: list[int] = []

    async def script(visit: Any) -> None:
        headers = {"Content-Type": "application/json"}
        answer = await visit.client.post(f"{visit.tools_url}/tool_calls", content=body, headers=headers)
        statuses.append(answer.status_code)
        await visit.socket.close()
        await visit.report()

    call = dial(script, reports=True)
    assert statuses == [status]
    assert [event for event in call.events if event["type"].startswith("tool.")] == []
    assert (call.verdict["mark"], call.verdict["void_reason"]) == ("VOID", "no_agent_turn")


def test_reports_of_odd_things_make_no_odd_events(dial: Any) -> None:
    async def script(visit: Any) -> None:
        await visit.say(GREETING)
        await visit.socket.close()
        odd = ["../../state", "\u2028", "[/red]", "x" * 10_000, "\x00", "schedule_appointment", "receptionist"]
        body = json.dumps([{**MOVED, "name": name, "start_offset_ms": at} for at, name in enumerate(odd * 10)])
        headers = {"Content-Type": "application/json"}
        await visit.client.post(f"{visit.tools_url}/tool_calls", content=body.encode(), headers=headers)
        await visit.report(*({**MOVED, "start_offset_ms": at} for at in range(5)))
        await visit.report()

    call = dial(script)
    assert call.verdict["mark"] == "FAIL"
    assert 0 < call.notes.count("unconfirmed_report") <= 20
    assert all(len(json.dumps(event)) < 2_000 for event in call.events)


@pytest.mark.parametrize(
    ("code", "by", "mark"),
    [(1011, "provider", "VOID"), (1000, "agent", "FAIL"), (4000, "agent", "FAIL"), (1008, "agent", "FAIL")],
)
def test_a_close_is_a_hang_up_but_for_one_that_says_broken(dial: Any, code: int, by: str, mark: str) -> None:
    async def script(visit: Any) -> None:
        await visit.say(GREETING)
        await visit.socket.send('{"type": "session.error", "data": {"code": "INTERNAL_ERROR", "message": "no mind"}}')
        await visit.socket.close(code)
        await visit.report()

    call = dial(script, reports=True)
    assert (call.ended["by"], call.verdict["mark"]) == (by, mark)
    assert ("odd_close" in call.notes) is (code in (4000, 1008))
    assert "session_error" in call.notes


@pytest.mark.parametrize("waits_s", [0.0, 0.5])
def test_a_close_of_policy_before_anything_else_says_wrong_credentials(dial: Any, waits_s: float) -> None:
    async def script(visit: Any) -> None:
        await asyncio.sleep(waits_s)
        await visit.socket.close(1008)

    with pytest.raises(InputError, match="set CHIRP_USER and CHIRP_PASS"):
        dial(script, reports=True)


def test_a_close_of_policy_after_a_silence_is_a_hang_up(dial: Any) -> None:
    async def script(visit: Any) -> None:
        await asyncio.sleep(2)
        await visit.socket.close(1008)
        await visit.report()

    call = dial(script, reports=True)
    assert (call.ended["by"], call.ended["reason"]) == ("agent", "connection closed with 1008")
    assert call.verdict["void_reason"] == "no_agent_turn"


def test_an_agent_that_is_silent_for_ever_is_void_and_the_caller_hangs_up(dial: Any) -> None:
    async def script(visit: Any) -> None:
        await asyncio.Event().wait()

    call = dial(script, reports=True)
    assert (call.ended["by"], call.verdict["void_reason"]) == ("caller", "no_agent_turn")
    assert call.record["t_ms"] < 120_000


def test_a_connection_that_is_cut_is_a_hang_up(dial: Any) -> None:
    async def script(visit: Any) -> None:
        await visit.say(GREETING)
        visit.socket.transport.abort()

    call = dial(script, reports=True)
    assert (call.ended["by"], call.ended["reason"]) == ("agent", "connection closed with 1006")
    assert call.verdict["mark"] == "FAIL"


async def _accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    request = await reader.readuntil(b"\r\n\r\n")
    key = next(line.split(b": ")[1] for line in request.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
    accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    writer.write(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
    )


@pytest.mark.parametrize(("limit_ms", "by"), [(15_000, "limit"), (480_000, "agent")], ids=["cap", "dead peer"])
def test_a_socket_that_never_closes_is_cut(dial: Any, limit_ms: int, by: str) -> None:
    cut: list[bytes] = []

    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _accept(reader, writer)
        try:
            while data := await reader.read(2**16):  # a close frame is read, and not answered
                cut.append(data[-1:])
        except ConnectionError:
            pass
        cut.append(b"cut")
        writer.close()

    async def none(_visit: Any) -> None: ...

    call = dial(none, serve_raw=deaf, report_wait_s=1, call_limit_ms=limit_ms)
    assert (call.ended["by"], call.verdict["void_reason"]) == (by, "no_agent_turn")
    assert cut[-1] == b"cut"


@pytest.mark.parametrize(
    "greets",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.7\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n",
    ],
)
def test_what_is_no_agent_at_all_is_void(dial: Any, greets: bytes) -> None:
    async def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greets)
        await reader.read(2**16)
        if greets:
            writer.close()
        else:
            await asyncio.sleep(100)

    async def none(_visit: Any) -> None: ...

    call = dial(none, serve_raw=other, report_wait_s=1)
    assert call.ended["by"] == "provider"
    assert call.verdict["mark"] == "VOID"
    assert call.record["t_ms"] <= 16_000
