"""A running world without a wire: each test phones in under its own call id."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mivas.pack import Pack, load_pack
from mivas.state import CallStore, ServiceFolder, StateService, load_toolset, open_service

MACHINE_TIME = datetime(2027, 1, 5, 9, 30, 15, tzinfo=UTC)
BIRTHDAYS = {
    "Jordan Lee": "1990-04-12",
    "Sam Nguyen": "1985-11-03",
    "Maria Alvarez": "1972-06-30",
    "Alice Romano": "1995-09-08",
    "Leo Park": "2016-03-22",
}


def assert_whole_cents(value: object, echoed: object) -> None:
    """Every amount a handler makes is an int or null; one that only repeats an argument may be anything."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key.endswith("_cents") and not (isinstance(echoed, dict) and key in echoed):
                assert item is None or type(item) is int, f"{key} is {item!r}"
            assert_whole_cents(item, echoed)
    elif isinstance(value, list):
        for item in value:
            assert_whole_cents(item, echoed)


class Desk:
    """One phone call's tools. Every answer is checked against the catalogue before a test sees it."""

    def __init__(self, service: StateService, pack: Pack, call_id: str, root: Path) -> None:
        self.service, self.call_id, self._root = service, call_id, root
        self._schemas = {name: Draft202012Validator(tool.output_schema) for name, tool in pack.tools.items()}

    def post(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The whole envelope."""
        answer = self.service.call_tool(self.call_id, tool, arguments)
        assert answer.status == 200, answer
        envelope = answer.json
        self._schemas[tool].validate(envelope)
        assert set(envelope) == {"ok", "data", "error_code", "patient_safe_message"}
        if envelope["ok"]:
            assert envelope["data"] is not None
            assert_whole_cents(envelope["data"], arguments)
            assert envelope["error_code"] is envelope["patient_safe_message"] is None
        else:
            assert envelope["data"] is None
            assert envelope["error_code"]
            assert envelope["patient_safe_message"]
        return envelope

    def __call__(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Data of a call that has to succeed."""
        envelope = self.post(tool, arguments)
        assert envelope["ok"], envelope
        data: dict[str, Any] = envelope["data"]
        return data

    def refused(self, tool: str, /, **arguments: Any) -> str:
        """Error code of a call that has to be refused."""
        envelope = self.post(tool, arguments)
        assert not envelope["ok"], envelope
        return str(envelope["error_code"])

    def verified(self, name: str = "Jordan Lee") -> Desk:
        self("verify_identity", full_name=name, dob=BIRTHDAYS[name])
        return self

    def state(self) -> dict[str, list[dict[str, Any]]]:
        state = self.service.state(self.call_id)
        fees = [row["payload"] for row in state["tool_events"] if row["kind"] == "cancellation_fee"]
        assert_whole_cents([state["patients"], fees], echoed=None)
        return state

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        return [(row["kind"], row["payload"]) for row in self.state()["tool_events"]]

    def patient(self, patient_id: str) -> dict[str, Any]:
        return next(row for row in self.state()["patients"] if row["id"] == patient_id)

    def visit(self, row_id: int) -> dict[str, Any]:
        return next(row for row in self.state()["appointments"] if row["id"] == row_id)

    def write(self, sql: str, *parameters: object) -> None:
        """Arrange the call's own database behind the tools' back."""
        self.state()
        self.service.release(self.call_id)
        connection = sqlite3.connect(ServiceFolder(self._root).path(self.call_id))
        with connection:
            connection.execute(sql, parameters)
        connection.close()


@pytest.fixture(scope="session")
def pack() -> Pack:
    return load_pack("healthcare")


@pytest.fixture(scope="session")
def opened(pack: Pack) -> Callable[[Path], StateService]:
    """Opens the service on a folder, at a machine time that is far from the world's clock."""
    toolset = load_toolset(pack)

    def at(root: Path) -> StateService:
        return open_service(
            pack, toolset, lambda template: CallStore(ServiceFolder(root), template), lambda: MACHINE_TIME
        )

    return at


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("healthcare")


@pytest.fixture(scope="session")
def running(opened: Callable[[Path], StateService], root: Path) -> Iterator[StateService]:
    service = opened(root)
    yield service
    service.close()


@pytest.fixture(scope="session")
def next_desk(running: StateService, pack: Pack, root: Path) -> Callable[[], Desk]:
    numbers = itertools.count(1)
    return lambda: Desk(running, pack, f"call-{next(numbers)}", root)


@pytest.fixture
def desk(next_desk: Callable[[], Desk]) -> Desk:
    """A call that nobody has verified yet."""
    return next_desk()


@pytest.fixture
def reopened(opened: Callable[[Path], StateService], pack: Pack) -> Callable[[Desk], Desk]:
    """The same call after the service was stopped and started again."""

    def again(desk: Desk) -> Desk:
        desk.service.close()
        return Desk(opened(desk._root), pack, desk.call_id, desk._root)

    return again


@pytest.fixture
def own_desk(opened: Callable[[Path], StateService], pack: Pack, tmp_path: Path) -> Desk:
    """A call on a service of its own, for tests that stop it."""
    return Desk(opened(tmp_path), pack, "own", tmp_path)


@pytest.fixture
def slot() -> Callable[..., dict[str, Any]]:
    """Arguments that repeat one of the nine offers."""
    providers = {"park_ave": "prov_chen", "brooklyn_heights": "prov_ruiz", "windermere": "prov_patel"}
    times = {1: ("24T09:00", "24T09:30"), 2: ("25T11:30", "25T12:00"), 3: ("26T14:00", "26T14:30")}

    def fields(office: str = "park_ave", index: int = 1, **changes: Any) -> dict[str, Any]:
        start, end = times[index]
        return {
            "slot_id": f"slot_loc_{office}_{index}",
            "appointment_type_code": "NP_MED",
            "location_id": f"loc_{office}",
            "provider_id": providers[office],
            "start": f"2026-08-{start}",
            "end": f"2026-08-{end}",
        } | changes

    return fields


@pytest.fixture(scope="session")
def whole_cents() -> Callable[..., None]:
    return assert_whole_cents
