"""Conversations with the agent: a toy shop with scripted tools, and packs with their real ones."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from mivas.harness import Desk, GraphRuntime
from mivas.line import EventLog, Note, ToolStarted, VirtualTimeLoop
from mivas.pack import Blueprint, CatalogueTool, Envelope, Node, NodeTool, Pack, load_pack
from mivas.pack._scoring import ScoringFile, compile_scoring
from mivas.reflex import TABLE_FILE, ReflexAgent, Table, load_table, read_table
from mivas.state import CallStore, ServiceFolder, StateService, load_toolset, open_service

NOW = datetime(2026, 8, 19, 12, 0, tzinfo=UTC)
TOY_TABLE = {
    "version": 1,
    "ending": {"call": "end_call", "arguments": {"reason": "done"}},
    "slots": {
        "colour": {
            "kind": "choice",
            "ask": ["Which colour?", "Which colour, red, magenta or turquoise?"],
            "spell": "Could you spell the colour?",
            "unlisted": "other",
            "options": [
                {"value": "red", "say": "red"},
                {"value": "magenta", "say": "magenta", "misheard": ["my gentle"]},
                {"value": "turquoise", "say": "turquoise"},
                {"value": "other", "say": "another colour"},
            ],
        },
        "name": {"kind": "name", "ask": ["What name?"], "spell": "Could you spell it?", "example": "Ada Byron"},
        "born": {"kind": "date", "past": True, "ask": ["When were you born?"], "example": "1980-01-02"},
        "phone": {"kind": "phone", "ask": ["Which number?", "All ten digits, please?"], "example": "+12025550123"},
    },
    "intents": {
        "person": {"urgent": True, "phrases": ["a person"]},
        "order": {"phrases": ["order|buy paint"]},
        "join": {"phrases": ["join the club"]},
        "opening": {"phrases": ["are you open"]},
        "miracle": {"phrases": ["miracle"]},
    },
    "everywhere": {
        "person": {"steps": [{"before": "I'll get somebody.", "call": "fetch_person"}]},
        "opening": {"steps": [{"say": [{"say": "We open at nine."}]}]},
    },
    "desks": {
        "front": {"routes": [{"intents": ["order", "join"], "handoff": "to_counter"}]},
        "counter": {
            "forms": {
                "order": {
                    "steps": [
                        {"fill": ["colour"]},
                        {
                            "call": "order_paint",
                            "arguments": {"colour": "=colour"},
                            "say": [{"when": "answer.in_stock", "say": "{{ said.colour }} is ordered."}],
                        },
                    ]
                },
                "join": {
                    "steps": [
                        {"fill": ["name", "born"], "ask": ["What name, and when were you born?"]},
                        {"confirm": ["name", "born"], "say": "{{ said.name }}, born {{ said.born }}. Is that right?"},
                        {"fill": ["phone"]},
                        {"confirm": ["phone"], "say": "That is {{ said.phone }}. Is that right?"},
                        {
                            "call": "join_club",
                            "arguments": {"name": "=name", "born": "=born", "phone": "=phone"},
                            "say": [{"say": "Welcome to the club."}],
                        },
                    ]
                },
            }
        },
    },
}


class Conversation:
    """One call, spoken to line by line."""

    def __init__(self, desk: Desk, table: Table, log: EventLog, runner: asyncio.Runner) -> None:
        self.desk, self.agent = desk, ReflexAgent(desk, table)
        self._log, self._runner = log, runner

    def says(self, *lines: str | None) -> str:
        """Say lines one after the other; returns the last answer."""
        answer = ""
        for line in lines:
            answer = self._runner.run(self.agent.turn(line))
        return answer

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        return [(one.name, dict(one.arguments)) for one in self._log.events if isinstance(one, ToolStarted)]

    @property
    def notes(self) -> list[str]:
        return [one.code for one in self._log.events if isinstance(one, Note)]


class Shop:
    """Answers the toy's tools; `refuse` names those that refuse."""

    def __init__(self) -> None:
        self.refuse: set[str] = set()

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Mapping[str, Any]:
        if name in self.refuse:
            return {"ok": False, "message": "That is not possible today."}
        return {"ok": True, "message": None, "in_stock": True}


def _toy_pack() -> Pack:
    end, person = NodeTool(name="end_call", kind="end_call"), NodeTool(name="fetch_person", kind="human")
    counter = NodeTool(name="to_counter", kind="handoff", handoff_to="counter")
    work = [NodeTool(name=name, kind="industry") for name in ("order_paint", "join_club")]
    text = {"type": "string"}
    schemas: dict[str, dict[str, Any]] = {
        "order_paint": {
            "properties": {"colour": {"enum": ["red", "magenta", "turquoise", "other"]}},
            "required": ["colour"],
        },
        "join_club": {"properties": {"name": text, "born": text, "phone": text}, "required": ["name", "born"]},
    }
    names = ("end_call", "fetch_person", "to_counter", "order_paint", "join_club")
    return Pack(
        id="toy", title="Toy", version="1.0.0", clock=NOW.replace(tzinfo=None), human_tools=frozenset({"fetch_person"}),
        suite="toy-1", envelope=Envelope(ok="ok", message="message", data=None, error_code=None), canary="c",
        folder=Path("toy"), module=None, scoring=compile_scoring(ScoringFile(version=1)), schema_sql="", seed_sql="",
        blueprint=Blueprint(
            greeting="Hello, the paint shop.",
            nodes=(
                Node(id="front", instructions="", tools=(counter, end, person)),
                Node(id="counter", instructions="", tools=(*work, end, person)),
            ),
        ),
        tools={
            name: CatalogueTool(name=name, description="", input_schema=schemas.get(name, {}), output_schema={})
            for name in names
        },
    )  # fmt: skip


@pytest.fixture
def toy_pack() -> Pack:
    return _toy_pack()


@pytest.fixture
def toy_table() -> dict[str, Any]:
    """The toy's table as JSON, to change."""
    copy: dict[str, Any] = json.loads(json.dumps(TOY_TABLE))
    return copy


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as one:
        yield one


@pytest.fixture
def make_toy(runner: asyncio.Runner, shop: Shop, toy_pack: Pack) -> Callable[[dict[str, Any]], Conversation]:
    """`make_toy(table)`: a call at the toy shop with that table."""

    def make(table: dict[str, Any]) -> Conversation:
        log = EventLog(lambda line: None)
        desk = Desk(toy_pack, GraphRuntime(toy_pack.blueprint, "enforce"), shop, log)
        return Conversation(desk, read_table(json.dumps(table), "toy"), log, runner)

    return make


@pytest.fixture
def toy(make_toy: Callable[[dict[str, Any]], Conversation], toy_table: dict[str, Any]) -> Conversation:
    return make_toy(toy_table)


@pytest.fixture(scope="session")
def open_pack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], tuple[Pack, StateService, Table]]]:
    """`open_pack(name)`: an installed pack, its service and its table, opened once."""
    opened: dict[str, tuple[Pack, StateService, Table]] = {}

    def one(name: str) -> tuple[Pack, StateService, Table]:
        if name not in opened:
            pack, folder = load_pack(name), ServiceFolder(tmp_path_factory.mktemp(name))
            service = open_service(pack, load_toolset(pack), lambda template: CallStore(folder, template), lambda: NOW)
            opened[name] = pack, service, load_table(pack.folder / TABLE_FILE)
        return opened[name]

    yield one
    for _, service, _ in opened.values():
        service.close()


class ServiceTools:
    """A call's way to its state service."""

    def __init__(self, service: StateService, call_id: str) -> None:
        self._service, self._call_id = service, call_id

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Mapping[str, Any]:
        return self._service.call_tool(self._call_id, name, arguments, node=node, idempotency_key=call_ref).json


@pytest.fixture
def call_pack(
    runner: asyncio.Runner, open_pack: Callable[[str], tuple[Pack, StateService, Table]], request: Any
) -> Callable[[str], Conversation]:
    """`call_pack(name)`: a call to an installed pack with its own table and tools."""

    def call(name: str) -> Conversation:
        pack, service, table = open_pack(name)
        tools = ServiceTools(service, f"call-{sha256(request.node.nodeid.encode()).hexdigest()[:16]}")
        log = EventLog(lambda line: None)
        return Conversation(Desk(pack, GraphRuntime(pack.blueprint, "enforce"), tools, log), table, log, runner)

    return call
