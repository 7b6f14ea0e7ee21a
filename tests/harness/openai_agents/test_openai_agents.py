"""openai-agents as a harness, over the real wire to a double. Numbers are those of failure-modes.md."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import pytest

from mivas.endpoint import Endpoint
from mivas.errors import InputError
from mivas.fakes.realtime import CallStep, Fault, PlannedSession, Say, ScriptBrain, WaitStep, anew, continued
from mivas.harness import load_harness
from mivas.pack import load_pack

LONG = " ".join(["word"] * 60)
TO_SCHEDULER = CallStep(tool="handoff_to_scheduler", kind="handoff")
BOOK = CallStep(tool="schedule_appointment", arguments={"date": "08/15/2026"})
END = CallStep(tool="end_call", arguments={"reason": "done"}, kind="end")


def kinds(call: Any) -> list[str]:
    return [one.type for one in call.double.received if one.type != "input_audio_buffer.append"]


def outputs(call: Any) -> list[Any]:
    items = [event["item"] for event in call.double.of_type("conversation.item.create")]
    return [json.loads(item["output"]) for item in items if item["type"] == "function_call_output"]


def test_28_a_transfer_is_the_packages_own_and_the_runtimes(held: Any) -> None:
    steps = [TO_SCHEDULER, BOOK, Say("Booked.")]
    call = held(anew(steps), seconds=10)
    assert call.said == ["Booked."]
    assert call.desk.node.id == "scheduler"
    [handoff] = [event for event in call.events if event.type == "handoff"]
    assert (handoff.from_, handoff.to) == ("receptionist", "scheduler")
    first, second = (event["session"] for event in call.double.of_type("session.update"))
    assert [tool["name"] for tool in first["tools"]] == ["end_call", "handoff_to_scheduler"]
    assert [tool["name"] for tool in second["tools"]] == ["schedule_appointment", "end_call"]
    nodes = load_pack("control-industry").blueprint.nodes
    assert [first["instructions"], second["instructions"]] == [node.instructions for node in nodes]
    order = kinds(call)
    assert order[order.index("session.update", 1) :][:3] == [
        "session.update", "conversation.item.create", "response.create",
    ]  # fmt: skip
    assert outputs(call) == [{"assistant": "scheduler"}, {"success": True, "done": "schedule_appointment"}]


def test_25_a_tool_is_posted_once_with_the_acting_node_and_the_providers_id(held: Any) -> None:
    book = CallStep(tool="schedule_appointment", arguments={"date": "08/15/2026"}, call_id="call_abc")
    call = held(anew([TO_SCHEDULER, Fault("duplicate-call"), book, Say("Booked.")]), seconds=10)
    assert call.tools.used == [("schedule_appointment", {"date": "08/15/2026"}, "scheduler", "call_abc")]
    assert call.said == ["Booked."]


def test_26_27_a_tool_of_another_node_is_refused_and_the_agent_goes_on(held: Any) -> None:
    call = held(anew([BOOK, Say("Let me see.")]), seconds=10)
    assert call.tools.used == []
    [finished] = [event for event in call.events if event.type == "tool.finished"]
    assert not finished.in_scope
    assert call.said == ["Let me see."]


@pytest.mark.parametrize("arguments", ['{"date": ', "[1]"])
def test_broken_arguments_are_an_error_result(held: Any, arguments: str) -> None:
    call = held(anew([TO_SCHEDULER, CallStep(tool="schedule_appointment", arguments=arguments), Say("Oh.")]), seconds=9)
    assert call.tools.used == []
    assert outputs(call)[1]["success"] is False
    assert "malformed_arguments" in call.notes()
    assert call.said == ["Oh."]


def test_barge_in_is_truncated_by_the_package_at_what_was_heard(held: Any) -> None:
    async def barge(call: Any) -> None:
        await asyncio.sleep(6)  # the answer came whole long ago
        call.caller.speaks()

    call = held(anew([Say(LONG), WaitStep(), Say("Yes?")]), seconds=14, during=barge)
    [cut_ms] = call.interrupted_ms
    [truncated] = call.double.of_type("conversation.item.truncate")
    heard = call.playout.spoken[0]
    assert truncated["content_index"] == 0
    assert abs(truncated["audio_end_ms"] - heard.heard_ms) <= 40
    assert 6000 < cut_ms < 7500
    assert call.said[0] in LONG
    assert len(call.said[0]) < len(LONG)
    assert call.said[1] == "Yes?"
    assert not [event for _, event in call.double.sent if event["type"] == "error"]


def test_42_43_the_goodbye_is_heard_before_the_line_is_dead(held: Any) -> None:
    call = held(anew([Say("Goodbye and thank you"), END]), seconds=40)
    assert call.ended is not None
    assert call.ended[:2] == ("agent", "end_call")
    assert call.said == ["Goodbye and thank you"]
    assert call.ended[2] >= call.playout.spoken[0].end_ms + 900
    assert call.ended[2] <= call.playout.spoken[0].end_ms + 2500


def test_04_the_packs_greeting_stands_in_the_prompt_of_the_opening_node_only(held: Any) -> None:
    call = held(anew([Say("Kettles."), WaitStep(), TO_SCHEDULER]), seconds=12, greeting="Kettles.", during=_speaks)
    first, second = (event["session"]["instructions"] for event in call.double.of_type("session.update"))
    assert "Kettles." in first.splitlines()[-1]
    assert second == load_pack("control-industry").blueprint.nodes[1].instructions


async def _speaks(call: Any) -> None:
    await asyncio.sleep(4)
    call.caller.speaks()


@pytest.mark.parametrize("fault", ["drop", "close", "malformed-json"])
def test_37_a_lost_session_is_taken_up_again_at_its_node_with_what_was_said(held: Any, fault: str) -> None:
    steps = [
        TO_SCHEDULER,
        Say("Which day?"),
        WaitStep(),
        Fault(fault),
        Say(LONG),
        CallStep(tool="schedule_appointment"),
        Say("Still there."),
    ]
    call = held(continued(steps), seconds=25, during=_speaks)
    first, *_, last = (event["session"] for event in call.double.of_type("session.update"))
    assert [tool["name"] for tool in first["tools"]] == ["end_call", "handoff_to_scheduler"]
    assert [tool["name"] for tool in last["tools"]] == ["schedule_appointment", "end_call"]
    assert "session_resumed" in call.notes()
    seeded = [event["item"] for event in call.double.of_type("conversation.item.create")]
    assert "Which day?" in [item["content"][0]["text"] for item in seeded if item["type"] == "message"]
    assert call.said[-1] == "Still there."
    assert call.ended is None


@pytest.mark.parametrize(("fault", "why"), [("refuse=429", "HTTP 429"), ("refuse=401", "HTTP 401")])
def test_40_a_refused_connection_ends_the_call_as_the_providers(held: Any, fault: str, why: str) -> None:
    name, _, value = fault.partition("=")
    plan = lambda _: PlannedSession(brain=ScriptBrain([]), faults=(Fault(name, value),))  # noqa: E731
    call = held(plan, seconds=20)
    assert call.ended is not None
    assert call.ended[0] == "provider"
    assert why in call.ended[1]


def test_a_graph_with_circles_is_built_with_every_tool_and_transfer() -> None:
    pytest.importorskip("agents.realtime")
    from mivas.harness.openai_agents._graph import build_agents

    async def never(_: str) -> str:
        raise AssertionError

    pack = load_pack("customer-support")
    agents = build_agents(
        pack.blueprint, pack.tools, instruct=lambda node: node.instructions, use=never, transfer=never
    )  # fmt: skip
    assert set(agents) == set(pack.blueprint.by_id)
    for node in pack.blueprint.nodes:
        agent: Any = agents[node.id]
        assert [tool.name for tool in agent.tools] == [tool.name for tool in node.tools if tool.handoff_to is None]
        edges = [(tool.name, tool.handoff_to) for tool in node.tools if tool.handoff_to is not None]
        assert [(one.tool_name, one.agent_name) for one in agent.handoffs] == edges
        for tool in agent.tools:
            assert tool.params_json_schema["additionalProperties"] is False


def test_a_missing_package_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "mivas.harness.openai_agents._session", raising=False)
    monkeypatch.delitem(sys.modules, "mivas.harness.openai_agents._graph", raising=False)
    monkeypatch.setitem(sys.modules, "agents", None)
    monkeypatch.setitem(sys.modules, "agents.realtime", None)
    with pytest.raises(InputError, match=r"install mivas\[openai-agents\]"):
        load_harness("openai/realtime-2.1", Endpoint(base_url="ws://127.0.0.1:1/v1/realtime"))


@pytest.mark.parametrize("name", ["openai/realtime-2.1", "openai/realtime-2.1-mini", "openai/realtime-2.1-swap"])
def test_a_key_is_needed_for_the_real_endpoint_only(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("agents.realtime")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for base_url in (None, "wss://voice.example/v1/realtime", "ws://127.0.0.1.example/v1/realtime"):
        with pytest.raises(InputError, match="no key given"):
            load_harness(name, Endpoint(base_url=base_url))
    for base_url in ("ws://127.0.0.1:9/v1/realtime", "http://localhost:9/v1/realtime", "ws://[::1]:9/v1/realtime"):
        assert load_harness(name, Endpoint(base_url=base_url)).address.url.startswith("ws://")
    with pytest.raises(InputError, match="no address"):
        load_harness(name, Endpoint(base_url="ws://[/v1", api_key="k"))
    key = "canary-5j2"
    assert key not in repr(load_harness(name, Endpoint(base_url=None, api_key=key)))
