"""Tool calls without a wire: transactions, the log, repeats, and what breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import TypedDict

from mivas.pack import Envelope, Pack
from mivas.state import (
    Arguments,
    Call,
    CallStore,
    Refusal,
    ServiceFolder,
    StateService,
    Toolset,
    advertised,
    load_toolset,
    machine_now,
    open_service,
    tool,
)


class _Anything(TypedDict):
    pass


@tool(_Anything)
def count(call: Call, _: Arguments) -> dict[str, Any] | Refusal:
    """Count the turns of this call."""
    call.memory["turns"] = call.memory.get("turns", 0) + 1
    return {"turns": call.memory.get("turns")}


@tool(_Anything)
def write_and_break(call: Call, _: Arguments) -> dict[str, Any] | Refusal:
    """Write, then break."""
    call.memory["turns"] = 99
    call.insert("appointments", {"date": "lost", "created_at": call.created_at})
    raise RuntimeError("secret diagnostic")


@tool(_Anything)
def answer_nonsense(call: Call, _: Arguments) -> dict[str, Any] | Refusal:
    """Answer what JSON can't hold."""
    call.insert("appointments", {"date": "lost", "created_at": call.created_at})
    return {"odd": object()}


TOYS = Toolset(
    tools=(count, write_and_break, answer_nonsense, advertised("end_call", "Hang up.", _Anything)),
    unexpected=Refusal("INVALID_ARGUMENTS", "Please try again."),
)


@pytest.fixture
def open_toys(pack: Pack, tmp_path: Path) -> Iterator[Callable[[], StateService]]:
    opened: list[StateService] = []

    def open_them() -> StateService:
        service = open_service(pack, TOYS, lambda template: CallStore(ServiceFolder(tmp_path), template), machine_now)
        opened.append(service)
        return service

    yield open_them
    for service in opened:
        service.close()


def test_memory_survives_a_restart_in_mid_call(open_toys: Callable[[], StateService]) -> None:
    before = open_toys()
    assert before.call_tool("a", "count", {}).json["turns"] == 1
    before.close()
    assert open_toys().call_tool("a", "count", {}).json["turns"] == 2


def test_memory_never_shows_in_state(open_toys: Callable[[], StateService]) -> None:
    service = open_toys()
    service.call_tool("a", "count", {})
    assert service.state("a") == {"appointments": []}


def test_a_hidden_table_is_there_and_not_in_state(pack: Pack, tmp_path: Path) -> None:
    @tool(_Anything)
    def look_up(call: Call, _: Arguments) -> dict[str, Any]:
        """Count what is hidden."""
        return {"rows": len(list(call.rows("SELECT * FROM appointments")))}

    toolset = Toolset(tools=(look_up,), unexpected=TOYS.unexpected)
    hiding = replace(pack, hidden_tables=frozenset({"appointments"}))
    service = open_service(hiding, toolset, lambda image: CallStore(ServiceFolder(tmp_path), image), machine_now)
    assert service.call_tool("a", "look_up", {}).json["rows"] == 0
    assert service.state("a") == {}
    service.close()


@pytest.mark.parametrize(("facts", "shown"), [(None, None), ({"seller": "Acme"}, {"seller": "Acme"})])
def test_a_refusal_may_carry_facts(pack: Pack, tmp_path: Path, facts: Any, shown: Any) -> None:
    @tool(_Anything)
    def refuse(_call: Call, _arguments: Arguments) -> Refusal:
        """Say no."""
        return Refusal("NOT_OURS", "That is the seller's.", facts)

    toolset = Toolset(tools=(refuse,), unexpected=TOYS.unexpected)
    nested = replace(pack, envelope=Envelope(ok="ok", message="message", data="data", error_code="error_code"))
    service = open_service(nested, toolset, lambda image: CallStore(ServiceFolder(tmp_path), image), machine_now)
    assert service.call_tool("a", "refuse", {}).json == {
        "ok": False, "data": shown, "error_code": "NOT_OURS", "message": "That is the seller's.",
    }  # fmt: skip
    service.close()


@pytest.mark.parametrize("name", ["write_and_break", "answer_nonsense"])
def test_a_broken_handler_is_a_fixed_refusal_that_writes_nothing(
    open_toys: Callable[[], StateService], name: str, caplog: pytest.LogCaptureFixture
) -> None:
    service = open_toys()
    answer = service.call_tool("a", name, {})
    assert (answer.status, answer.json) == (200, {"success": False, "error": "Please try again."})
    assert service.state("a") == {"appointments": []}
    assert service.call_tool("a", "count", {}).json["turns"] == 1
    assert [call.tool for call in service.calls("a")] == [name, "count"]
    assert name in caplog.text


@pytest.mark.parametrize("name", ["end_call", "handoff_to_scheduler", "nowhere", ""])
def test_only_tools_with_a_handler_are_known(open_toys: Callable[[], StateService], name: str, tmp_path: Path) -> None:
    assert open_toys().call_tool("a", name, {}).status == 404
    assert not (tmp_path / "calls").exists()


def test_arguments_nested_too_deeply_are_422_and_leave_no_trace(open_toys: Callable[[], StateService]) -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    service = open_toys()
    assert service.call_tool("a", "count", deep).status == 422
    assert service.calls("a") == []
    while deep:  # taken apart by hand: freeing it at once could exhaust the C stack
        deep = deep["a"]


def test_the_log_is_the_second_witness(open_toys: Callable[[], StateService]) -> None:
    service = open_toys()
    service.call_tool("a", "count", {"odd": [1, "\x00", 10**30]}, node="billing", idempotency_key="k")
    (logged,) = service.calls("a")
    assert (logged.node, logged.tool, logged.idempotency_key) == ("billing", "count", "k")
    assert logged.arguments == {"odd": [1, "\x00", 10**30]}
    assert logged.output == {"success": True, "turns": 1}


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, 200),
        ({"a": 1}, {"a": 1.0}, 409),
        ({"a": 1}, {"a": True}, 409),
        ({}, {"a": None}, 409),
    ],
)
def test_a_repeat_is_the_same_json(
    open_toys: Callable[[], StateService], first: dict[str, Any], second: dict[str, Any], status: int
) -> None:
    service = open_toys()
    service.call_tool("a", "count", first, idempotency_key="k")
    repeat = service.call_tool("a", "count", second, idempotency_key="k")
    assert repeat.status == status
    assert len(service.calls("a")) == 1


def test_a_key_counts_within_one_call(open_toys: Callable[[], StateService]) -> None:
    service = open_toys()
    turns = [service.call_tool(call_id, "count", {}, idempotency_key="k").json["turns"] for call_id in "aba"]
    assert turns == [1, 1, 1]
    assert len(service.calls("a")) == len(service.calls("b")) == 1


def test_the_catalogue_names_every_posted_tool(pack: Pack) -> None:
    handled = {tool.name for tool in load_toolset(pack).tools if tool.handler is not None}
    assert handled == pack.posted_tools
