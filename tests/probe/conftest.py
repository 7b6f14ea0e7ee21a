"""Tasks, graphs and a fake state service for agents that know the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mivas.harness import Desk, GraphRuntime
from mivas.line import EventLog, VirtualTimeLoop
from mivas.pack import Blueprint, CallerFile, CatalogueTool, Envelope, Node, NodeTool, Pack, SolutionFile, Task
from mivas.pack._scoring import ScoringFile, compile_scoring
from mivas.pack._tasks import TaskFile
from mivas.pack.completion import NOTHING, CompletionFile
from mivas.probe import OracleHarness


def graph(**nodes: Sequence[str]) -> Blueprint:
    """Nodes by name; `>x` transfers to x (tool `to_x`), `!` to a person, `.` is end_call, else an industry tool."""

    def tool(text: str) -> NodeTool:
        if text.startswith(">"):
            return NodeTool(name=f"to_{text[1:]}", kind="handoff", handoff_to=text[1:])
        if text == "!":
            return NodeTool(name="fetch_person", kind="human")
        return NodeTool(name="end_call", kind="end_call") if text == "." else NodeTool(name=text, kind="industry")

    made = tuple(Node(id=name, instructions="", tools=tuple(map(tool, tools))) for name, tools in nodes.items())
    return Blueprint(greeting=None, nodes=made)


def task(
    calls: Sequence[Any] = (),
    path: Sequence[str] = (),
    solution: Sequence[Mapping[str, Any]] | None = None,
    facts: Sequence[Mapping[str, Any]] = (),
    changes: Sequence[Mapping[str, Any]] = (),
) -> Task:
    raw = {
        "task_name": "T1-E1: toy", "customer_name": "Ann", "intent": "", "traits": [], "exp_handoff_path": list(path),
        "exp_tool_calls": list(calls), "behaviors": {}, "customer_available_tools": {}, "scripted_responses": [],
        "metadata": {"category": "T1", "category_slug": "t", "difficulty": "easy", "audio_condition": "perfect"},
    }  # fmt: skip
    caller = {
        "version": 1, "opening": None, "facts": list(facts), "changes": list(changes), "canary": "",
        "exit": {"when": [], "say": ""}, "goals": [
            {"id": "g", "ask": ["?"], "again": "?", "met_when": {"question": "name"}}
        ],
    }  # fmt: skip
    return Task(
        task_id="T1-E1", file=TaskFile.model_validate(raw), raw=raw, caller=CallerFile.model_validate(caller),
        solution=SolutionFile.model_validate({"version": 1, "steps": solution, "canary": ""}) if solution else None,
    )  # fmt: skip


@dataclass
class FakeTools:
    """Answers each tool from a script; keeps what was posted."""

    answers: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    posts: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Mapping[str, Any]:
        self.posts.append((name, arguments))
        return self.answers.get(name, {"ok": True, "data": {}})


@dataclass
class OracleCall:
    """An oracle in a call: hand it the caller's words, look at what it said and posted."""

    tools: FakeTools
    desk: Desk
    agent: Any

    def hear(self, *turns: str | None) -> list[str]:
        async def talk() -> list[str]:
            return [await self.agent.turn(turn) for turn in turns]

        with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
            return runner.run(talk())


def toy_pack(
    blueprint: Blueprint | None = None,
    tools: Mapping[str, Sequence[str]] | None = None,
    completion: CompletionFile = NOTHING,
) -> Pack:
    """A pack without files; tools are (name, argument keys)."""
    catalogue = {
        name: CatalogueTool(
            name=name, description="", output_schema={}, input_schema={"properties": {key: {} for key in keys}}
        )
        for name, keys in (tools or {}).items()
    }
    return Pack(
        id="toy", title="Toy", version="1.0.0", clock=None, human_tools=frozenset({"fetch_person"}), suite="toy-1",
        envelope=Envelope(ok="ok", message="message", data="data", error_code="error_code"), canary="c",
        folder=Path("toy"), module=None, blueprint=blueprint or graph(front=(".",)),
        scoring=compile_scoring(ScoringFile(version=1)), tools=catalogue, schema_sql="", seed_sql="",
        completion=completion,
    )  # fmt: skip


def oracle_call(blueprint: Blueprint, task: Task, **answers: Mapping[str, Any]) -> OracleCall:
    pack = toy_pack(blueprint)
    tools = FakeTools(dict(answers))
    desk = Desk(pack, GraphRuntime(blueprint), tools, EventLog(lambda line: None))
    return OracleCall(tools=tools, desk=desk, agent=OracleHarness().answer_knowing(desk, task, pack))


@pytest.fixture(scope="session")
def make_graph() -> Any:
    return graph


@pytest.fixture(scope="session")
def make_task() -> Any:
    return task


@pytest.fixture(scope="session")
def make_pack() -> Any:
    """`make_pack(blueprint=, tools={name: keys}, completion=)`."""
    return toy_pack


@pytest.fixture
def call_oracle() -> Any:
    """`call_oracle(blueprint, task, tool=answer, ...)`."""
    return oracle_call
