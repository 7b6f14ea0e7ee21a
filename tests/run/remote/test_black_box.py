"""Agents that run elsewhere: scored by their posts and their reports, and never by silence (runtime.md 8.8)."""

from __future__ import annotations

import asyncio
from typing import Any


def moved(at_ms: float, **more: Any) -> dict[str, Any]:
    return {"name": "handoff_to_scheduler", "start_offset_ms": at_ms, "parameters": {}, "output": None, **more}


def test_an_agent_that_reports_its_transfers_is_scored_on_all_gates(dial: Any, booking: Any) -> None:
    async def script(visit: Any) -> None:
        at_ms = await booking(visit)
        posted = {"name": "schedule_appointment", "start_offset_ms": at_ms + 9_000, "parameters": {}, "output": {}}
        assert (await visit.report(moved(at_ms), posted)).status_code == 202
        assert (await visit.report(moved(at_ms))).status_code == 202, "a repeat is no second transfer"
        assert (await visit.report()).status_code == 202

    call = dial(script)
    assert call.verdict["mark"] == "pass", call.verdict["reasons"]
    assert call.gates == (True, True, True)
    assert call.verdict["handoff"]["verdict"] == "exact"
    assert [row["date"] for row in call.state["appointments"]] == ["08/15/2026"]
    assert call.notes == [code for code in call.notes if code == "caller_wording"]
    assert [(one["from"], one["to"]) for one in call.events if one["type"] == "handoff"] == [
        ("receptionist", "scheduler")
    ]
    heard = [one["heard"] for one in call.events if one["type"] == "speech" and one["role"] == "agent"]
    assert any("Copper Kettle" in text for text in heard), "its words are what the caller's ears made of them"


def test_an_agent_that_reports_nothing_is_void(dial: Any, booking: Any) -> None:
    async def script(visit: Any) -> None:
        await booking(visit)

    call = dial(script)
    assert (call.verdict["mark"], call.verdict["void_reason"]) == ("VOID", "no_handoff_evidence")
    assert call.verdict["combined"] is None
    assert "no_handoff_evidence" in call.notes
    assert len(call.state["appointments"]) == 1


def test_silence_of_an_agent_that_declares_its_reports_means_no_transfer(dial: Any, booking: Any) -> None:
    async def script(visit: Any) -> None:
        await booking(visit)

    call = dial(script, reports=True)
    assert call.verdict["mark"] == "FAIL"
    assert call.gates == (False, False, True)


def test_a_report_counts_for_sixty_seconds_after_the_hang_up(dial: Any, booking: Any) -> None:
    statuses: list[int] = []

    async def script(visit: Any) -> None:
        at_ms = await booking(visit)
        await asyncio.sleep(57)
        statuses.append((await visit.report(moved(at_ms))).status_code)

    call = dial(script)
    assert statuses == [202]
    assert call.verdict["mark"] == "pass", call.verdict["reasons"]


def test_a_report_that_is_complete_is_not_waited_on(dial: Any, booking: Any) -> None:
    ended: list[float] = []

    async def script(visit: Any) -> None:
        at_ms = await booking(visit)
        await visit.report(moved(at_ms))
        await visit.report()
        ended.append(asyncio.get_running_loop().time())
        while True:
            ended.append(asyncio.get_running_loop().time())
            await asyncio.sleep(0.5)

    call = dial(script)
    assert call.verdict["mark"] == "pass"
    assert ended[-1] - ended[0] < 10


def test_a_reported_call_that_the_service_never_saw_is_noted_and_not_scored(dial: Any, booking: Any) -> None:
    async def script(visit: Any) -> None:
        await visit.say("Welcome to Copper Kettle Repairs, hello. Would you like to book a repair appointment?")
        await visit.hear()
        await visit.say("Your repair is booked for August fifteenth, twenty twenty-six.")
        await visit.hung_up.wait()
        lie = {"name": "schedule_appointment", "start_offset_ms": 9_000, "parameters": {"date": "08/15/2026"}}
        await visit.report(moved(5_000), {**lie, "output": {"success": True, "date": "08/15/2026"}})
        await visit.report()

    call = dial(script)
    assert call.verdict["mark"] == "FAIL"
    assert call.gates == (False, True, False)
    assert "unconfirmed_report" in call.notes
    assert call.state["appointments"] == []


def test_a_transfer_that_is_reported_as_refused_or_by_the_wrong_node_moves_nothing(dial: Any, booking: Any) -> None:
    async def script(visit: Any) -> None:
        at_ms = await booking(visit)
        await visit.report(moved(at_ms, output={"success": False}))
        await visit.report(moved(at_ms + 1, output=False))
        await visit.report()

    call = dial(script, reports=True)
    assert call.verdict["mark"] == "FAIL"
    assert call.verdict["handoff"]["actual"] == []


def test_the_agent_is_told_its_call_and_its_tools_and_marks_come_back(dial: Any, booking: Any) -> None:
    async def script(visit: Any) -> None:
        await visit.socket.send('{"type": "mark", "data": {"name": "before anything"}}')
        at_ms = await booking(visit)
        await visit.report(moved(at_ms))
        await visit.report()

    call = dial(script)
    [visit] = call.box.visits
    assert visit.headers["X-Simulation-Result-Id"] == call.record["call_id"]
    assert visit.tools_url.startswith("http://127.0.0.1:")
    marks = [one["data"]["name"] for one in visit.texts if one["type"] == "mark"]
    assert marks == ["before anything"]
    edges = [one for one in visit.texts if one["type"].startswith("speech.")]
    assert [one["type"] for one in edges] == ["speech.started", "speech.completed"] * (len(edges) // 2)
    assert len({one["data"]["utterance_id"] for one in edges}) == len(edges) // 2
