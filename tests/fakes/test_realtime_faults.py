"""A session of a real-time double: faults on demand. Source: providers.md 2-4 and 9."""

from __future__ import annotations

from typing import Any

from mivas.fakes._realtime_wire import Close, Drop, SendText
from mivas.fakes.realtime import OPENAI, QWEN, CallTool, Fault, RealtimeProfile, Say

LOOK = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}}


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def test_acknowledgements_late_or_never(bench: Any) -> None:
    table = bench(OPENAI, faults=[Fault("late-ack", "800")])
    assert table.configure(instructions="x") == []
    table.run(799)
    assert not table.of_type("session.updated")
    table.run(1)
    assert table.of_type("session.updated")
    table = bench(OPENAI, faults=[Fault("no-ack")])
    table.configure(instructions="x")
    table.run(60_000)
    assert not table.of_type("session.updated")
    assert table.session.settings.instructions == "x"


def test_failed_refused_and_silent_answers(bench: Any) -> None:
    def ending(fault: Fault) -> Any:
        table = bench(OPENAI, [fault, Say("Hello.")])
        table.send("response.create")
        table.run(60_000)
        done = table.of_type("response.done")
        assert not table.of_type("response.output_item.added")
        return (done[0]["response"]["status"], done[0]["response"]["status_details"]) if done else None

    error = {"type": "rate_limit_exceeded", "code": "rate_limit_exceeded"}
    assert ending(Fault("failed", "rate_limit_exceeded")) == ("failed", {"type": "failed", "error": error})
    assert ending(Fault("refusal")) == ("incomplete", {"type": "incomplete", "reason": "content_filter"})
    assert ending(Fault("no-answer")) is None


def test_faults_of_calls(bench: Any) -> None:
    def calls(*faults: str, offered: tuple[str, ...] = ()) -> Any:
        table = bench(OPENAI, [CallTool(tool="look", arguments={"n": 1})], faults=[Fault(name) for name in faults])
        table.configure(tools=[{**LOOK, "name": name} for name in offered])
        table.send("response.create")
        table.run(1000)
        return table.of_type("response.function_call_arguments.done")

    first, second = calls("duplicate-call")
    assert first["call_id"] == second["call_id"]
    assert [call["arguments"] for call in calls("malformed-arguments")] == ['{"n"']
    assert [call["name"] for call in calls("path-in-name")] == ["../../look"]
    assert [call["call_id"] for call in calls("foreign-call-id")] == ["call_of_another_session"]
    assert [call["name"] for call in calls("endless-calls", offered=("a", "b"))] == ["a"]


def test_endless_calls_have_no_end(bench: Any) -> None:
    table = bench(OPENAI, [Fault("endless-calls", "again"), Say("Hello.")])
    for _ in range(5):
        table.send("response.create")
        table.run(1000)
        (call,) = table.last("response.done")["response"]["output"]
        output = {"type": "function_call_output", "call_id": call["call_id"], "output": "{}"}
        table.send("conversation.item.create", item=output)
    assert len(table.of_type("response.done")) == 5


def test_out_of_order_loses_nothing(bench: Any) -> None:
    def told(*faults: Fault) -> list[str]:
        table = bench(OPENAI, faults=faults)
        table.send("response.create")
        table.run(5000)
        return types([event for _, event in table.events])

    straight, mixed = told(), told(Fault("out-of-order"))
    assert sorted(straight) == sorted(mixed)
    assert straight != mixed


def test_faults_of_the_wire(bench: Any) -> None:
    def what(profile: RealtimeProfile, fault: Fault) -> Any:
        table = bench.begun(profile, faults=[fault])
        table.send("response.create")
        table.run(5000)
        return table

    table = what(OPENAI, Fault("malformed-json"))
    assert [type(other) for other in table.others] == [SendText]
    assert table.of_type("response.done")
    assert len(what(OPENAI, Fault("huge-frame", "1")).last("session.padding")["padding"]) == 2**20
    for fault, wanted in ((Fault("close", "1008"), Close(1008, "closed by request")), (Fault("drop"), Drop())):
        table = what(OPENAI, fault)
        assert table.others == [wanted]
        assert table.of_type("response.output_audio.delta")
        assert not table.of_type("response.done")


def test_an_error_in_the_middle_ends_qwens_session_only(bench: Any) -> None:
    for profile, ends in ((OPENAI, False), (QWEN, True)):
        table = bench.begun(profile, faults=[Fault("error")])
        table.send("response.create")
        table.run(5000)
        assert table.error["type"] == "server_error"
        assert bool(table.others) == ends


def test_slow(bench: Any) -> None:
    table = bench(OPENAI, faults=[Fault("slow", "2000")])
    table.send("response.create")
    table.run(2299)
    assert not table.of_type("response.output_item.added")
    table.run(1)
    assert table.of_type("response.output_item.added")
