"""A control-industry service in a temporary folder, and a client that speaks to it without a socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from mivas.pack import Pack, load_pack
from mivas.state import (
    ServiceOptions,
    StateService,
    ToolsUrls,
    create_app,
    load_snapshot_store,
    open_on_folder,
)


@dataclass
class Clock:
    """Seconds that pass when a test says so."""

    now_s: float = 1000.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Http:
    """Sends each request to the application in a loop of its own."""

    app: FastAPI
    service: StateService
    tools_urls: ToolsUrls
    clock: Clock = field(default_factory=Clock)

    def request(self, method: str, url: str, **options: Any) -> httpx.Response:
        return self.together([(method, url, options)])[0]

    def get(self, url: str, **options: Any) -> httpx.Response:
        return self.request("GET", url, **options)

    def post(self, url: str, **options: Any) -> httpx.Response:
        return self.request("POST", url, **options)

    def together(self, requests: list[tuple[str, str, dict[str, Any]]]) -> list[httpx.Response]:
        """All requests at once."""

        async def send() -> list[httpx.Response]:
            transport = httpx.ASGITransport(app=self.app)
            async with (
                httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
                asyncio.TaskGroup() as tasks,
            ):
                sent = [tasks.create_task(client.request(method, url, **more)) for method, url, more in requests]
            return [task.result() for task in sent]

        return asyncio.run(send())

    def book(self, call_id: str, date: str = "08/15/2026", **headers: str) -> httpx.Response:
        return self.post(
            "/tools/schedule_appointment",
            json={"arguments": {"date": date}},
            headers={"X-Mivas-Call-Id": call_id, **headers},
        )

    def dates(self, call_id: str) -> list[str]:
        state = self.get("/state", params={"call_id": call_id}).json()
        return [row["date"] for row in state["appointments"]]


@pytest.fixture(scope="session")
def pack() -> Pack:
    return load_pack("control-industry")


@pytest.fixture
def http_over(pack: Pack) -> Iterator[Callable[..., Http]]:
    """A function of a data folder and ServiceOptions fields."""
    opened: list[StateService] = []

    def make(folder: Path, **options: Any) -> Http:
        service = open_on_folder(pack, folder)
        opened.append(service)
        clock = Clock()
        tools_urls = ToolsUrls(clock)
        snapshots = load_snapshot_store("local")(folder)
        app = create_app(service, ServiceOptions(**options), snapshots=snapshots, tools_urls=tools_urls)
        return Http(app, service, tools_urls, clock)

    yield make
    for service in opened:
        service.close()


@pytest.fixture
def http(http_over: Callable[..., Http], tmp_path: Path) -> Http:
    return http_over(tmp_path)
