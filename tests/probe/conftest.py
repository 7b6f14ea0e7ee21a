"""Tasks, graphs and a fake state service for agents that know the answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mivas.harness import Desk, GraphRuntime
from mivas.line import EventLog, VirtualTimeLoop
from mivas.pack import (
    Blueprint,
    CallerFile,
    CatalogueTool,
    Envelope,
    Node,
    NodeTool,
    Pack,
    SolutionFile,
    Task,
    load_pack,
    load_suite,
)
from mivas.pack._scoring import ScoringFile, compile_scoring
from mivas.pack._tasks import TaskFile
from mivas.pack.completion import NOTHING, CompletionFile
from mivas.probe import OracleHarness, ProbeReport, Stage, SurvivorFile, probe
from mivas.probe._rehearsal import rehearse
from mivas.state import catalogue_text, load_toolset


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


# A shop with one fault for every gate to notice. Three desks in a circle: front, till, back.
KIOSK_TOOLS = '''
from typing import Literal
from typing_extensions import NotRequired, TypedDict
from mivas.state import Refusal, Toolset, advertised, tool

Item = Literal["hat", "cap", "scarf"]

class Nothing(TypedDict):
    pass

class Named(TypedDict):
    name: str

class Wanted(TypedDict):
    item: Item

class Order(TypedDict):
    item: Item
    quantity: int

class Remark(TypedDict):
    item: Item
    note: NotRequired[str]

class Number(TypedDict):
    phone: str

class Person(TypedDict):
    reason: Literal["asked", "lost"]

@tool(Wanted)
def look(call, arguments):
    """Look at an item."""
    return {"price_cents": 1200, "item": arguments.get("item")}

@tool(Named)
def who(call, arguments):
    """Say who is there."""
    if arguments.get("name") == "nobody":
        return Refusal("UNKNOWN_PERSON", "I don't know you.")
    return {"known": True}

@tool(Order)
def order(call, arguments):
    """Order an item."""
    return {"id": call.insert("orders", {"item": arguments.get("item"), "quantity": arguments.get("quantity")})}

@tool(Remark)
def remark(call, arguments):
    """Write a remark about an item."""
    return {"written": True}

@tool(Nothing)
def subscribe(call, arguments):
    """Subscribe to the letter."""
    return {"id": call.insert("letters", {"kind": "weekly"})}

@tool(Number)
def send_text(call, arguments):
    """Send a text."""
    return {"sent": call.insert("texts", {"phone": arguments.get("phone")})}

@tool(Person)
def call_person(call, arguments):
    """Fetch a person."""
    return {"fetched": True}

TOOLS = Toolset(
    tools=(
        look, who, order, remark, subscribe, send_text, call_person,
        *(advertised(f"to_{desk}", "Go there.", Nothing) for desk in ("front", "till", "back")),
        advertised("end_call", "Hang up.", Nothing),
    ),
    unexpected=Refusal("BROKEN", "Sorry."),
)
'''
KIOSK_DESKS = {
    "front": ["look", "to_till"],
    "till": ["look", "who", "order", "remark", "subscribe", "to_back", "to_front"],
    "back": ["look", "remark", "send_text", "to_front"],
}


def _kiosk_tool(name: str) -> dict[str, Any]:
    return {"name": name, "handoff": True, "handoff_to": name[3:]} if name.startswith("to_") else {"name": name}


def _session_tools() -> list[dict[str, Any]]:
    return [{"name": name, "session": True} for name in ("call_person", "end_call")]


class Kiosk:
    """The shop on disk, with cases that are added one by one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        files: dict[str, Any] = {
            "pack.json": {
                "version": 1, "id": "kiosk", "title": "Kiosk", "pack_version": "1.0.0", "clock": None,
                "human_tools": ["call_person"], "envelope": {"message": "message"}, "suite": "kiosk-1", "canary": "c",
            },
            "agent_blueprint.json": {
                "agents": [
                    {"name": desk, "system_prompt": f"system-prompts/{desk}.md",
                     "tools": [*map(_kiosk_tool, tools), *_session_tools()]}
                    for desk, tools in KIOSK_DESKS.items()
                ]
            },
            "scoring.json": {
                "version": 1, "transfer_set": ["to_till", "to_back", "to_front"],
                "forbidden_unless_expected": ["send_text"], "prose_keys": ["note"], "fact_keys": ["item", "name"],
                "tables": {"orders": {"rule": "exact"}, "letters": {"rule": "exact"}}, "order": {"identity": ["who"]},
            },
        }  # fmt: skip
        texts = {
            "tools.py": KIOSK_TOOLS,
            "db/schema.sql": "CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT, quantity INTEGER);"
            "CREATE TABLE letters (id INTEGER PRIMARY KEY, kind TEXT);"
            "CREATE TABLE texts (id INTEGER PRIMARY KEY, phone TEXT);"
            "CREATE TABLE prices (item TEXT PRIMARY KEY, cents INTEGER);",
            "db/seed.sql": "INSERT INTO prices VALUES ('hat', 1200), ('cap', 1200);",
            **{f"system-prompts/{desk}.md": f"You stand at the {desk}. A family takes 2." for desk in KIOSK_DESKS},
            **{name: json.dumps(content) for name, content in files.items()},
            "tools.json": '{"tools": []}',
        }
        for name, text in texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        pack = load_pack(str(folder))
        (folder / "tools.json").write_text(catalogue_text(load_toolset(pack), pack.envelope), encoding="utf-8")

    def add(
        self,
        task_id: str,
        steps: Sequence[Mapping[str, Any]],
        calls: Sequence[Any],
        path: Sequence[str] = (),
        *,
        locked: bool = True,
        **caller: Any,
    ) -> None:
        """Write a case; `locked` keeps what its solution leaves behind as the expected state."""
        folder = self.folder / "tasks" / task_id
        folder.mkdir(parents=True)
        category = task_id.partition("-")[0]
        task = {
            "task_name": f"{task_id}: a hat", "customer_name": "Ann Lee", "intent": "You want a hat.", "traits": [],
            "exp_handoff_path": list(path), "exp_tool_calls": list(calls), "scripted_responses": [], "behaviors": {},
            "customer_available_tools": {},
            "metadata": {"category": category, "category_slug": f"slug-{category}", "difficulty": "easy",
                         "audio_condition": "perfect"},
        }  # fmt: skip
        program = {
            "version": 1, "canary": "c", "opening": "Hello, I would like a hat.",
            "facts": [
                {"id": "item", "value": "hat", "say": "a hat", "answers": ["product"]},
                {"id": "name", "value": "Ann Lee", "say": "Ann Lee", "answers": ["name"]},
            ],
            "goals": [{"id": "done", "ask": ["Can I have it?"], "again": "Is it confirmed?",
                       "met_when": {"value": "confirmed", "polarity": "yes"}}],
            "exit": {"when": ["done"], "say": "Goodbye."},
        } | caller  # fmt: skip
        solution = {"version": 1, "canary": "c", "steps": list(steps)}
        for name, content in (("task", task), ("caller", program), ("solution", solution)):
            (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
        if locked:
            pack = load_pack(str(self.folder))
            with Stage(pack) as stage:
                state = rehearse(pack, load_suite(pack).tasks[task_id], solution_steps(solution), stage).state
            (folder / "task.json").write_text(json.dumps(task | {"exp_db_state": state}), encoding="utf-8")

    def report(self, *accepted: SurvivorFile) -> ProbeReport:
        """Probe every case."""
        pack = load_pack(str(self.folder))
        suite = load_suite(pack)
        proofs = probe(str(self.folder), None, list(suite.tasks), 1, lambda *_: None)
        return ProbeReport(pack=pack, suite=suite, cases=tuple(proofs), accepted=accepted)


def solution_steps(solution: Mapping[str, Any]) -> Sequence[Any]:
    return SolutionFile.model_validate(solution).steps


@pytest.fixture(scope="session")
def make_kiosk() -> Any:
    """`make_kiosk(folder)`."""
    return Kiosk


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    """A step that calls a tool and expects it to answer."""
    return {"call": tool, "arguments": arguments, "expect": {"ok": True}}


ITEM, NAME = {"$fact": "item"}, {"$fact": "name"}
HELLO = [{"hear": "item"}, {"say": "May I have your name?"}, {"hear": "name"}]
CONFIRMED = {"say": "Thank you. Your order is confirmed."}
STRONG_STEPS = [
    *HELLO, {"handoff": "to_till"}, call("who", name=NAME), call("look", item=ITEM),
    call("remark", item=ITEM, note="for a birthday"), call("order", item=ITEM, quantity=2),
    {"handoff": "to_back"}, call("look", item="scarf"), CONFIRMED,
]  # fmt: skip
STRONG_CALLS = [
    {"name": "who", "parameters": {"name": "Ann Lee"}}, {"name": "look", "parameters": {"item": "hat"}},
    {"name": "remark", "parameters": {"item": "hat", "note": "a present"}},
    {"name": "order", "parameters": {"item": "hat", "quantity": 2}}, {"name": "look", "parameters": {"item": "scarf"}},
]  # fmt: skip


@pytest.fixture(scope="session")
def strong_case() -> Any:
    """(steps, calls, path) of a case in which every fault has a place and none survives."""
    return STRONG_STEPS, STRONG_CALLS, ["to_till", "to_back"]


@pytest.fixture(scope="session")
def step() -> Any:
    """`step(tool, **arguments)`: a call that is expected to be answered."""
    return call
