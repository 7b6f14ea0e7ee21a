"""Replay of a lock on a state service. Source: scoring.md 3.9, cli.md."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import load_pack, load_suite
from mivas.probe import replay
from mivas.state import CallStore, ServiceFolder, load_toolset, machine_now, open_service

TOOLS = '''
from typing_extensions import NotRequired, TypedDict
from mivas.state import Refusal, Toolset, tool

class Order(TypedDict):
    item: str

class Confirmation(TypedDict):
    confirmation_token: str
    item: NotRequired[str]

@tool(Order)
def quote(call, arguments):
    """Quote an item."""
    if arguments.get("item") == "unicorn":
        return Refusal("UNKNOWN_ITEM", "We have none.")
    return {"confirmation_token": f"tok-{arguments['item']}"}

@tool(Confirmation)
def buy(call, arguments):
    """Buy what was quoted."""
    token = str(arguments.get("confirmation_token") or "")
    if not token.startswith("tok-"):
        return Refusal("INVALID_TOKEN", "Quote first.")
    call.insert("orders", {"item": token.removeprefix("tok-")})
    return {"bought": True}

TOOLS = Toolset(tools=(quote, buy), unexpected=Refusal("INVALID_ARGUMENTS", "Sorry."))
'''
FILES: dict[str, Any] = {
    "pack.json": {
        "version": 1, "id": "shop", "title": "Shop", "pack_version": "1.0.0", "clock": None, "human_tools": [],
        "envelope": {"message": "message"}, "suite": "shop-1", "canary": "c",
    },
    "agent_blueprint.json": {
        "agents": [
            {"name": "door", "system_prompt": "system-prompts/door.md",
             "tools": [{"name": "to_till", "handoff": True, "handoff_to": "till"}]},
            {"name": "till", "system_prompt": "system-prompts/till.md",
             "tools": [{"name": "quote"}, {"name": "buy"}, {"name": "end_call", "session": True}]},
        ]
    },
    "completion.json": {
        "version": 1,
        "fill": [{"tool": "buy", "argument": "confirmation_token", "from": [{"answer": "confirmation_token"}]}],
    },
    "scoring.json": {"version": 1, "transfer_set": ["to_till"], "tables": {"orders": {"rule": "exact"}}},
}  # fmt: skip
TEXTS = {
    "tools.py": TOOLS, "system-prompts/door.md": "D", "system-prompts/till.md": "T", "db/seed.sql": "",
    "db/schema.sql": "CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT);",
}  # fmt: skip
PROPERTIES = {"to_till": [], "quote": ["item"], "buy": ["confirmation_token", "item"], "end_call": []}


@pytest.fixture
def shop(tmp_path: Path) -> Any:
    """`shop(**tasks)`: a pack whose tasks are (expected calls, items ordered); returns its replay by task and mode."""
    folder = tmp_path / "shop"
    catalogue = [
        {"name": name, "description": "", "outputSchema": {}, "inputSchema": {"properties": {key: {} for key in keys}}}
        for name, keys in PROPERTIES.items()
    ]
    texts = TEXTS | {name: json.dumps(content) for name, content in FILES.items()}
    for name, text in (texts | {"tools.json": json.dumps({"tools": catalogue})}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")

    def played(calls: list[Any], items: list[str] | None, mode: str = "completed") -> Any:
        (folder / "tasks" / "T1-E1").mkdir(parents=True, exist_ok=True)
        task = {
            "task_name": "T1-E1: x", "customer_name": "Ann", "intent": "", "traits": [], "exp_handoff_path": [],
            "exp_tool_calls": calls, "scripted_responses": [], "behaviors": {}, "customer_available_tools": {},
            "metadata": {"category": "T1", "category_slug": "t", "difficulty": "easy", "audio_condition": "perfect"},
        }  # fmt: skip
        if items is not None:
            task["exp_db_state"] = {"orders": [{"id": i, "item": item} for i, item in enumerate(items, start=1)]}
        (folder / "tasks" / "T1-E1" / "task.json").write_text(json.dumps(task), encoding="utf-8")
        pack = load_pack(str(folder))
        service = open_service(
            pack, load_toolset(pack), lambda image: CallStore(ServiceFolder(tmp_path / "data"), image), machine_now
        )
        try:
            (only,) = replay(pack, load_suite(pack), _Target(service), mode, lambda task_id: f"r-{task_id}")
        finally:
            service.close()
        return only

    return played


class _Target:
    def __init__(self, service: Any) -> None:
        self._service = service

    def post(self, call_id: str, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._service.call_tool(call_id, name, arguments).json

    def state(self, call_id: str) -> Mapping[str, Any]:
        return self._service.state(call_id)


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "parameters": arguments}


@pytest.mark.parametrize("blank", [{}, {"confirmation_token": ""}, {"confirmation_token": "  "}])
def test_completed_fills_a_token_that_an_earlier_answer_handed_out(shop: Any, blank: dict[str, str]) -> None:
    played = shop([call("quote", item="hat"), call("buy", **blank)], ["hat"])
    assert (played.attainable, played.refused) == (True, ())


def test_literal_sends_what_the_lock_says_and_lists_the_refusal(shop: Any) -> None:
    played = shop([call("quote", item="hat"), call("buy")], ["hat"], "literal")
    assert played.attainable is False
    (refusal,) = played.refused
    assert (refusal["step"], refusal["name"], refusal["output"]["error_code"]) == (1, "buy", "INVALID_TOKEN")


def test_a_token_the_lock_gives_is_sent_as_it_is(shop: Any) -> None:
    played = shop([call("quote", item="hat"), call("buy", confirmation_token="tok-cap")], ["cap"])
    assert played.attainable


def test_the_latest_token_is_filled_in(shop: Any) -> None:
    played = shop([call("quote", item="hat"), call("quote", item="cap"), call("buy")], ["cap"])
    assert played.attainable


def test_a_refused_step_is_listed_and_the_replay_goes_on(shop: Any) -> None:
    played = shop([call("quote", item="unicorn"), call("quote", item="hat"), call("buy")], ["hat"])
    assert played.attainable
    assert [(one["step"], one["name"]) for one in played.refused] == [(0, "quote")]


def test_transfers_and_end_call_are_not_posted_and_keep_their_step_number(shop: Any) -> None:
    played = shop([call("to_till"), call("quote", item="unicorn"), call("end_call")], [])
    assert played.attainable
    assert [one["step"] for one in played.refused] == [1]


def test_a_state_that_differs_is_not_attained_and_shows_the_table(shop: Any) -> None:
    played = shop([call("quote", item="hat"), call("buy")], ["hat", "cap"])
    assert played.attainable is False
    assert set(played.database.diff) == {"orders"}


def test_of_alternatives_the_first_is_sent_in_both_modes(shop: Any) -> None:
    calls = [call("quote", item={"any_of": ["hat", "unicorn"]})]
    assert [shop(calls, [], mode).refused for mode in ("completed", "literal")] == [(), ()]


def test_a_task_without_calls_attains_the_seed(shop: Any) -> None:
    assert shop([], []).attainable
