"""Where a call's tools and state are: in this process, at a state service, or at the caller's own URL."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Coroutine, Mapping
from typing import Any, Protocol, TypeVar
from urllib.parse import quote, urlsplit

import httpx
import orjson

from mivas.harness import Tools, ToolsUnreachable
from mivas.state import SnapshotStore, StateService

logger = logging.getLogger(__name__)

TOOL_S = 30.0
"""How long a tool may take (runtime.md 6)."""
STATE_S = 5.0
LAST_TOOLS_S = 35.0
"""How long the state of a finished call waits for tools that are still at work."""
ATTEMPTS = 4
Result = TypeVar("Result")


class CallState(Protocol):
    """The world that a server's calls act on."""

    def tools(self, call_id: str) -> Tools: ...

    async def freeze(self, call_id: str) -> None:
        """Keep the state of a finished call (runtime.md 5). Doesn't raise: a missing one is logged with its reason."""


class LastTools:
    """Work that is finished even when nobody waits for it any more: a tool call that began is carried out."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    async def finish(self, work: Coroutine[Any, Any, Result]) -> Result:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def settle(self) -> None:
        """Wait for what is still running."""
        if self._running:
            await asyncio.wait(set(self._running), timeout=LAST_TOOLS_S)


class LocalState:
    """A state service in this process."""

    def __init__(self, service: StateService, snapshots: SnapshotStore) -> None:
        self._service, self._snapshots = service, snapshots

    def tools(self, call_id: str) -> Tools:
        return _LocalTools(self._service, call_id)

    async def freeze(self, call_id: str) -> None:
        await asyncio.to_thread(self._freeze, call_id)

    def _freeze(self, call_id: str) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._snapshots.put_final(call_id, self._service.state_json(call_id))
                self._service.release(call_id)
                return
            except Exception as error:
                logger.warning("%s: state not frozen, attempt %d: %s", call_id, attempt, error)


class _LocalTools:
    def __init__(self, service: StateService, call_id: str) -> None:
        self._service, self._call_id = service, call_id

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Mapping[str, Any]:
        answer = await asyncio.to_thread(
            self._service.call_tool, self._call_id, name, arguments, node=node, idempotency_key=call_ref
        )
        return answer.json


class RemoteState:
    """A state service at a URL (`TOOL_SERVER_URL`).

    Args:
        operator_token: for a service off loopback, whose state isn't everybody's.
    """

    def __init__(
        self, url: str, client: httpx.AsyncClient, snapshots: SnapshotStore, operator_token: str | None = None
    ) -> None:
        self._url, self._client, self._snapshots = url.rstrip("/"), client, snapshots
        self._headers = {"Authorization": f"Bearer {operator_token}"} if operator_token else {}

    def tools(self, call_id: str) -> Tools:
        return HttpTools(self._client, self._url, {"X-Mivas-Call-Id": call_id})

    async def freeze(self, call_id: str) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = await self._client.get(
                    f"{self._url}/state", params={"call_id": call_id}, headers=self._headers, timeout=STATE_S
                )
                answer.raise_for_status()
                if not isinstance(orjson.loads(answer.content), dict):
                    raise ValueError("no JSON object")
                await asyncio.to_thread(self._snapshots.put_final, call_id, answer.content)
                return
            except (httpx.HTTPError, ValueError, OSError) as error:
                logger.warning("%s: state not frozen, attempt %d: %s", call_id, attempt, type(error).__name__)
                await asyncio.sleep(min(attempt, 2))


class HttpTools:
    """Tools behind HTTP. Implements `Tools`.

    Args:
        base_url: `/tools/{name}` stands below it.
    """

    def __init__(self, client: httpx.AsyncClient, base_url: str, headers: Mapping[str, str]) -> None:
        self._client, self._base_url, self._headers = client, base_url.rstrip("/"), headers

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Mapping[str, Any]:
        headers = {**self._headers, "X-Mivas-Node": quote(node), "Idempotency-Key": _key(call_ref)}
        try:
            answer = await self._client.post(
                f"{self._base_url}/tools/{quote(name, safe='')}",
                json={"arguments": arguments},
                headers=headers,
                timeout=TOOL_S,
            )
            body = orjson.loads(answer.content)
        except httpx.HTTPError as error:
            raise ToolsUnreachable(type(error).__name__) from None
        except (ValueError, TypeError) as error:
            raise ToolsUnreachable(f"no JSON ({type(error).__name__})") from None
        if not isinstance(body, dict):
            raise ToolsUnreachable("no JSON object")
        return body


class CallersTools(HttpTools):
    """Tools and reports at the URL that a caller engine gave for one call (runtime.md 8.8)."""

    async def report(self, calls: list[dict[str, Any]]) -> None:
        """Report tool calls and transfers, and that this is all. Doesn't raise."""
        for entries in ([calls] if calls else []) + [[]]:
            if not await self._post_report(entries):
                return

    async def _post_report(self, entries: list[dict[str, Any]]) -> bool:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = await self._client.post(f"{self._base_url}/tool_calls", json=entries, timeout=STATE_S)
                if answer.status_code < 500:
                    return answer.is_success
            except httpx.HTTPError as error:
                logger.warning("report not taken, attempt %d: %s", attempt, type(error).__name__)
            await asyncio.sleep(0.2 * attempt)
        return False


def is_tools_url(url: str) -> bool:
    """Whether a caller's URL can be one: http or https, with a path, nothing else.

    >>> is_tools_url("http://127.0.0.1:9000/calls/abc"), is_tools_url("http://127.0.0.1:99999/")
    (True, False)
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port  # a port beyond 65535 is no ValueError later, when it is dialled
    except ValueError:
        return False
    plain = not ("@" in parts.netloc or parts.query or parts.fragment) and url.isascii() and url.isprintable()
    return parts.scheme in ("http", "https") and bool(host) and plain and len(url) <= 2_000


def _key(call_ref: str) -> str:
    """A tool-call id as the header takes it: printable ASCII, at most 200 characters."""
    if 0 < len(call_ref) <= 200 and call_ref.isascii() and call_ref.isprintable():
        return call_ref
    return hashlib.sha256(call_ref.encode("utf-8", "surrogatepass")).hexdigest()
