"""A small clinic: four nodes with a cycle, a fake state service, and a desk to work at."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mivas.harness import Desk, GraphRuntime, Scope, ToolsUnreachable
from mivas.line import Event, EventLog, VirtualTimeLoop
from mivas.pack import Blueprint, CatalogueTool, Envelope, Node, NodeTool, Pack
from mivas.pack._scoring import ScoringFile, compile_scoring

END = NodeTool(name="end_call", kind="end_call")
HUMAN = NodeTool(name="fetch_person", kind="human")


def move(name: str, to: str) -> NodeTool:
    return NodeTool(name=name, kind="handoff", handoff_to=to)


def work(name: str) -> NodeTool:
    return NodeTool(name=name, kind="industry")


def node(id: str, *tools: NodeTool) -> Node:
    return Node(id=id, instructions=f"You are {id}.", tools=tools)


CLINIC = Blueprint(
    greeting=None,
    nodes=(
        node("desk", move("to_orders", "orders"), move("to_nurse", "nurse"), END),
        node("orders", work("look_up"), move("to_returns", "returns"), END, HUMAN),
        node("returns", work("take_back"), move("back_to_orders", "orders"), END),
        node("nurse", work("look_up"), HUMAN),
    ),
)


def pack_of(blueprint: Blueprint) -> Pack:
    names = dict.fromkeys(tool.name for one in blueprint.nodes for tool in one.tools)
    return Pack(
        id="toy", title="Toy", version="1.0.0", clock=None, human_tools=frozenset({"fetch_person"}), suite="toy-1",
        envelope=Envelope(ok="ok", message="message", data="data", error_code="error_code"), canary="c",
        folder=Path("toy"), module=None, blueprint=blueprint, scoring=compile_scoring(ScoringFile(version=1)),
        tools={
            name: CatalogueTool(name=name, description="", input_schema={"title": name}, output_schema={})
            for name in names
        },
        schema_sql="", seed_sql="",
    )  # fmt: skip


@dataclass
class FakeTools:
    """Answers every post; keeps what was posted."""

    latency_s: float = 0
    broken: bool = False
    answer: Mapping[str, Any] = field(default_factory=lambda: {"ok": True, "data": {}})
    posts: list[tuple[str, Mapping[str, Any], str, str]] = field(default_factory=list)

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Mapping[str, Any]:
        await asyncio.sleep(self.latency_s)
        if self.broken:
            raise ToolsUnreachable("connection refused")
        self.posts.append((name, arguments, node, call_ref))
        return self.answer


@dataclass
class Bench:
    """A desk with everything around it in view."""

    tools: FakeTools
    log: EventLog
    desk: Desk

    @property
    def events(self) -> list[Event]:
        return self.log.events

    @property
    def kinds(self) -> list[str]:
        return [event.type for event in self.log.events]

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
            return runner.run(work)

    def call(self, *names: str) -> list[Any]:
        """Use tools one after the other, without arguments; returns their results."""

        async def all_of_them() -> list[Any]:
            return [await self.desk.call(name, {}) for name in names]

        return self.do(all_of_them())


def bench_of(blueprint: Blueprint, scope: Scope = "enforce", **options: Any) -> Bench:
    tools, log = FakeTools(**options), EventLog(lambda line: None)
    return Bench(tools=tools, log=log, desk=Desk(pack_of(blueprint), GraphRuntime(blueprint, scope), tools, log))


@pytest.fixture
def clinic() -> Bench:
    return bench_of(CLINIC)


@pytest.fixture
def make_bench() -> Any:
    """`make_bench(scope=..., latency_s=..., broken=..., answer=...)`: the clinic with other surroundings."""
    return lambda **options: bench_of(CLINIC, **options)


@pytest.fixture
def blueprint() -> Blueprint:
    return CLINIC
