"""Dispatch of the three kinds of tools, and what the event log says of it. Source: runtime.md 6."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mivas.line import Handoff, Note, Problem, ToolFinished, ToolStarted


def last_finished(bench: Any) -> ToolFinished:
    return next(event for event in reversed(bench.events) if isinstance(event, ToolFinished))


def test_an_industry_call_is_posted_with_node_and_reference(clinic: Any) -> None:
    async def work() -> Any:
        await clinic.desk.call("to_orders", {})
        return await clinic.desk.call("look_up", {"q": 1}, call_ref="provider-7")

    result = clinic.do(work())
    assert clinic.tools.posts == [("look_up", {"q": 1}, "orders", "provider-7")]
    assert (result.output, result.carried_out) == ({"ok": True, "data": {}}, True)


def test_the_answer_reaches_the_model_unchanged(make_bench: Any) -> None:
    for answer in ({"detail": "unknown tool 'look_up'"}, {"ok": False, "error_code": "NOT_VERIFIED"}):
        bench = make_bench(answer=answer)
        _, result = bench.call("to_orders", "look_up")
        assert result.output is answer
        assert last_finished(bench).output == answer


def test_a_transfer_moves_the_call_and_is_never_posted(clinic: Any) -> None:
    (result,) = clinic.call("to_orders")
    assert clinic.desk.node.id == "orders"
    assert clinic.tools.posts == []
    assert result.output == {"success": True, "role": "orders"}


def test_events_of_a_transfer_come_in_order_under_the_old_node(clinic: Any) -> None:
    clinic.call("to_orders", "look_up")
    assert clinic.kinds == ["tool.started", "tool.finished", "handoff", "tool.started", "tool.finished"]
    assert [event.node for event in clinic.events] == ["desk", "desk", "desk", "orders", "orders"]
    moved = clinic.events[2]
    assert isinstance(moved, Handoff)
    assert (moved.from_, moved.to, moved.call_ref) == ("desk", "orders", clinic.events[0].call_ref)


@pytest.mark.parametrize(
    ("path", "name", "kind"),
    [
        ([], "to_orders", "handoff"),
        (["to_orders"], "look_up", "industry"),
        (["to_orders"], "fetch_person", "session"),
        ([], "end_call", "session"),
        pytest.param([], "to_returns", "handoff", id="refused, known elsewhere"),
        pytest.param([], "no_such_tool", "industry", id="refused, known nowhere"),
    ],
)
def test_the_log_names_the_kind(clinic: Any, path: list[str], name: str, kind: str) -> None:
    clinic.call(*path, name)
    started = [event for event in clinic.events if isinstance(event, ToolStarted)]
    assert started[-1].kind == kind


def test_latency_is_charged_to_the_calls_clock(make_bench: Any) -> None:
    bench = make_bench(latency_s=1.5)
    bench.call("to_orders", "look_up")
    finished = last_finished(bench)
    assert (finished.t_ms, finished.latency_ms) == (1500, 1500)


@pytest.mark.parametrize("name", ["look_up", "back_to_orders", "fetch_person", "no_such_tool", ""])
def test_a_tool_the_node_does_not_own_leaves_nothing_done(clinic: Any, name: str) -> None:
    (result,) = clinic.call(name)
    assert result.carried_out is False
    assert result.output["success"] is False
    assert last_finished(clinic).in_scope is False
    assert (clinic.tools.posts, clinic.desk.node.id, clinic.desk.hang_up) == ([], "desk", None)
    assert clinic.kinds == ["tool.started", "tool.finished"]


def test_observing_carries_out_and_marks_the_violation(make_bench: Any) -> None:
    bench = make_bench(scope="observe")
    posted, moved = bench.call("take_back", "back_to_orders")
    assert (posted.carried_out, moved.carried_out) == (True, True)
    assert [event.in_scope for event in bench.events if isinstance(event, ToolFinished)] == [False, False]
    assert bench.desk.node.id == "orders"


def test_end_call_hangs_up_without_the_service(clinic: Any) -> None:
    (result,) = clinic.call("end_call")
    assert result.output == {"success": True}
    assert clinic.desk.hang_up.reason == "end_call"
    assert clinic.tools.posts == []


def test_a_human_transfer_is_posted_and_then_hangs_up(clinic: Any) -> None:
    clinic.call("to_orders", "fetch_person")
    assert [post[0] for post in clinic.tools.posts] == ["fetch_person"]
    assert clinic.desk.hang_up.reason == "fetch_person"


def test_a_human_transfer_hangs_up_even_when_nobody_recorded_it(make_bench: Any) -> None:
    bench = make_bench(broken=True)
    bench.call("to_orders", "fetch_person")
    assert bench.desk.hang_up is not None


@pytest.mark.parametrize("second", ["end_call", "fetch_person"])
def test_a_call_ends_once(clinic: Any, second: str) -> None:
    *_, result = clinic.call("to_orders", "fetch_person", second)
    assert (result.carried_out, result.output["success"]) == (False, False)
    assert len(clinic.tools.posts) == 1
    assert clinic.desk.hang_up.reason == "fetch_person"


def test_a_service_out_of_reach_is_an_honest_error_and_the_call_goes_on(make_bench: Any) -> None:
    bench = make_bench(broken=True)
    _, result = bench.call("to_orders", "look_up")
    assert result.output == {"success": False, "error": "ToolsUnreachable: connection refused"}
    assert bench.kinds[-3:] == ["tool.started", "error", "tool.finished"]
    problem = next(event for event in bench.events if isinstance(event, Problem))
    assert (problem.where, problem.class_) == ("look_up", "ToolsUnreachable")
    assert bench.desk.hang_up is None


def test_a_tool_call_sent_twice_happens_once(clinic: Any) -> None:
    async def work() -> list[Any]:
        await clinic.desk.call("to_orders", {}, call_ref="a")
        return [await clinic.desk.call("look_up", {}, call_ref="b") for _ in range(3)]

    first, *others = clinic.do(work())
    assert others == [first, first]
    assert len(clinic.tools.posts) == 1
    assert clinic.kinds.count("tool.started") == 2


def test_a_stale_transfer_sent_again_moves_nothing(clinic: Any) -> None:
    async def work() -> Any:
        await clinic.desk.call("to_orders", {}, call_ref="a")
        await clinic.desk.call("to_returns", {}, call_ref="b")
        return await clinic.desk.call("to_orders", {}, call_ref="a")

    assert clinic.do(work()).output == {"success": True, "role": "orders"}
    assert clinic.desk.node.id == "returns"
    assert clinic.kinds.count("handoff") == 2


def test_a_used_reference_for_another_tool_is_refused(clinic: Any) -> None:
    async def work() -> Any:
        await clinic.desk.call("to_orders", {}, call_ref="a")
        return await clinic.desk.call("look_up", {}, call_ref="a")

    result = clinic.do(work())
    assert (result.carried_out, result.output["success"]) == (False, False)
    assert clinic.tools.posts == []
    assert isinstance(clinic.events[-1], Note)


def test_the_same_tool_twice_under_two_references_happens_twice(clinic: Any) -> None:
    clinic.call("to_orders", "look_up", "look_up")
    assert len(clinic.tools.posts) == 2
    assert len({post[3] for post in clinic.tools.posts}) == 2


def test_calls_in_parallel_keep_their_node_and_reference(make_bench: Any) -> None:
    bench = make_bench(latency_s=1)

    async def work() -> None:
        await bench.desk.call("to_orders", {})
        async with asyncio.TaskGroup() as tasks:
            for reference in "ab":
                tasks.create_task(bench.desk.call("look_up", {}, call_ref=reference))
            tasks.create_task(bench.desk.call("to_returns", {}))

    bench.do(work())
    assert sorted(post[2:] for post in bench.tools.posts) == [("orders", "a"), ("orders", "b")]
    ends = [event for event in bench.events if isinstance(event, ToolFinished) and event.name == "look_up"]
    assert [event.node for event in ends] == ["orders", "orders"]


def test_the_desk_shows_the_active_nodes_tools_in_advertised_order(clinic: Any) -> None:
    assert list(clinic.desk.tool_schemas) == ["to_orders", "to_nurse", "end_call"]
    clinic.call("to_nurse")
    assert list(clinic.desk.tool_schemas) == ["look_up", "fetch_person"]
    assert clinic.desk.tool_schemas["look_up"] == {"title": "look_up"}
