"""A pack's world without a wire, for packs whose envelope has data and error code: each call has an id of its own."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mivas.pack import Pack
from mivas.state import CallStore, ServiceFolder, StateService, load_toolset, open_service

MACHINE_TIME = datetime(2027, 1, 5, 9, 30, 15, tzinfo=UTC)


class PhoneCall:
    """One phone call's tools. Every answer is checked against the catalogue before a test sees it."""

    def __init__(self, service: StateService, pack: Pack, call_id: str, root: Path) -> None:
        self.service, self.call_id, self._root, self._pack = service, call_id, root, pack
        self._schemas = {name: Draft202012Validator(tool.output_schema) for name, tool in pack.tools.items()}

    def post(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The whole envelope."""
        message = self._pack.envelope.message
        answer = self.service.call_tool(self.call_id, tool, arguments)
        assert answer.status == 200, answer
        envelope = answer.json
        self._schemas[tool].validate(envelope)
        assert set(envelope) == {"ok", "data", "error_code", message}
        if envelope["ok"]:
            assert envelope["data"] is not None
            assert envelope["error_code"] is envelope[message] is None
        else:
            assert envelope["error_code"]
            assert envelope[message]
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

    def state(self) -> dict[str, list[dict[str, Any]]]:
        return self.service.state(self.call_id)

    def broken(self) -> list[str]:
        """What broke in handlers, from the service's log: a refusal that was meant breaks nothing."""
        return [call.broke for call in self.service.calls(self.call_id) if call.broke is not None]

    def look(self, sql: str, *parameters: object) -> list[dict[str, Any]]:
        """Rows of the call's own database, the tables that `/state` leaves out included."""
        self.state()
        self.service.release(self.call_id)
        connection = sqlite3.connect(ServiceFolder(self._root).path(self.call_id))
        connection.row_factory = sqlite3.Row
        with connection:
            rows = [dict(row) for row in connection.execute(sql, parameters)]
        connection.close()
        return rows


@pytest.fixture(scope="session")
def world() -> Callable[[Pack, Path], StateService]:
    """Opens the service of a pack on a folder, at a machine time that is far from the world's clock."""

    def opened(pack: Pack, root: Path) -> StateService:
        def store(template: bytes) -> CallStore:
            return CallStore(ServiceFolder(root), template)

        return open_service(pack, load_toolset(pack), store, lambda: MACHINE_TIME)

    return opened


@pytest.fixture(scope="session")
def phone(
    world: Callable[[Pack, Path], StateService], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Pack], Callable[[], PhoneCall]]:
    """Rings a pack: every ring is a call nobody has used."""

    def rings(pack: Pack) -> Callable[[], PhoneCall]:
        root = tmp_path_factory.mktemp(pack.id)
        service, numbers = world(pack, root), itertools.count(1)

        def ring() -> PhoneCall:
            number = next(numbers)
            service.release(f"call-{number - 1}")  # its file is opened again when it is used again
            return PhoneCall(service, pack, f"call-{number}", root)

        return ring

    return rings
