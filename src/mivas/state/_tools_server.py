"""The tools of one call on a port, for an agent that runs elsewhere: tools and reports, nothing else (runtime.md 8.8).

Lives on the call's own loop, where a tool call costs less than a frame of sound lasts, and on the call's own clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, nullcontext
from contextlib import suppress as suppressed
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson
import uvicorn
from pydantic import TypeAdapter, ValidationError
from starlette.types import Message, Receive, Scope, Send

from mivas.state._app import Handler, Reply, _headers, _reply
from mivas.state._requests import CallHeaders, Rejection, json_body, tool_arguments
from mivas.state._server import _url, listen_on
from mivas.state._service import StateService
from mivas.state._tools_urls import OpenCall, Report, ReportedCall, ToolsUrls

LARGEST_BODY = 2**20
"""Bytes of one request; a tool's arguments are below a thousandth of that."""
MOST_POSTS = 1_000
"""Tool calls of one call that are carried out: an agent that makes more is running away."""
LARGEST_REPORTS = 8 * 2**20
"""Bytes of all reports of a call."""
MOST_CONNECTIONS = 64
CLOSE_S = 5.0

_REPORT = TypeAdapter(list[ReportedCall])
_ROUTES = {"tools": 5, "tool_calls": 4}
"""Word behind the token -> parts of the whole path, split at slashes."""


class Posted(NamedTuple):
    """One tool call that came in by the URL, as it is answered."""

    name: str
    arguments: dict[str, Any]
    node: str | None
    key: str
    """The agent's own, or one made here, which no header can spell."""
    output: dict[str, Any]


@dataclass(slots=True)
class ToolsServer:
    """One call's address, and what its agent reports there."""

    url: str
    """`{base}/calls/{token}`."""
    completed: asyncio.Event
    """Set once the agent says that its report is complete."""
    _urls: ToolsUrls
    _call_id: str

    def hang_up(self) -> None:
        """Stop the tools; reports are taken for another 60 s."""
        self._urls.hang_up(self._call_id)

    @property
    def report(self) -> Report:
        """What was reported so far."""
        return self._urls.report(self._call_id)


@asynccontextmanager
async def serving_tools(
    service: StateService,
    call_id: str,
    *,
    host: str,
    port: int,
    base_url: str | None,
    posted: Callable[[Posted], None],
) -> AsyncIterator[ToolsServer]:
    """Serve one call's tools from the running loop.

    Args:
        port: 0 takes a free one.
        base_url: how the agent reaches that port; None: as it is.
        posted: told of every tool call once it is answered, repeats left out.
    Raises StateError when the port can't be had.
    """
    urls, completed = ToolsUrls(asyncio.get_running_loop().time), asyncio.Event()
    path = urls.open_tools_url(call_id)
    with closing(listen_on(host, port)) as listener:
        server = _QuietServer(
            uvicorn.Config(
                _ToolsApp(service, urls, posted, completed),
                log_config=None, access_log=False, lifespan="off", ws="none",
                timeout_graceful_shutdown=1, server_header=False, date_header=False, limit_concurrency=MOST_CONNECTIONS,
            )
        )  # fmt: skip
        serving = asyncio.create_task(server.serve(sockets=[listener]), name="tools of the call")
        try:
            yield ToolsServer((base_url or _url(listener)).rstrip("/") + path, completed, urls, call_id)
        finally:
            urls.close(call_id)
            server.should_exit = True
            with suppressed(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await serving


class _QuietServer(uvicorn.Server):
    """Leaves signals to whoever runs the loop."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        with nullcontext():
            yield


class _ToolsApp:
    """The two routes below a token. Everything else is 404."""

    def __init__(
        self, service: StateService, urls: ToolsUrls, posted: Callable[[Posted], None], completed: asyncio.Event
    ) -> None:
        self._service, self._urls, self._posted, self._completed = service, urls, posted, completed
        self._posts = 0
        self._report_bytes = 0
        self._keys: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        reply = await _reply(self._route(scope), scope, receive)
        await send({"type": "http.response.start", "status": reply.status, "headers": _headers(reply)})
        await send({"type": "http.response.body", "body": reply.body})

    def _route(self, scope: Scope) -> Handler:
        parts = scope["path"].split("/")
        known = len(parts) > 3 and parts[:2] == ["", "calls"] and _ROUTES.get(parts[3]) == len(parts)
        if not known:
            return _nothing
        if scope["method"] != "POST":
            return _only_post
        scope["path_params"] = {"token": parts[2], "name": parts[-1]}
        return self._post_tool if parts[3] == "tools" else self._take_report

    async def _post_tool(self, scope: Scope, receive: Receive) -> Reply:
        call = self._call(scope)
        self._check_on(call)
        self._posts += 1
        if self._posts > MOST_POSTS:
            raise Rejection(429, f"more than {MOST_POSTS} tool calls in one call")
        headers = CallHeaders(scope)
        # Not ASCII, so that no header can hold it: a post without a key is a call of its own (runtime.md 3.6).
        key = headers.idempotency_key() or f"post №{self._posts}"
        arguments = await tool_arguments(_Bounded(receive))
        self._check_on(call)  # it may have ended while the body came in
        name = scope["path_params"]["name"]
        answer = self._service.call_tool(call.call_id, name, arguments, node=headers.node, idempotency_key=key)
        if key not in self._keys and answer.status != 409:
            self._keys.add(key)
            self._posted(Posted(name, arguments, headers.node, key, answer.json))
        return Reply(answer.body, answer.status)

    async def _take_report(self, scope: Scope, receive: Receive) -> Reply:
        call = self._call(scope)
        if not self._urls.takes_reports(call):
            raise Rejection(410, "the call is over, and so is the time for reports")
        complaint = "body must be a JSON list of {name, start_offset_ms, parameters, output}"
        bounded = _Bounded(receive)
        body = await json_body(bounded, 422, complaint)
        self._report_bytes += bounded.bytes
        if self._report_bytes > LARGEST_REPORTS:
            raise Rejection(413, "the reports of one call are too long")
        try:
            entries = _REPORT.validate_python(body)
        except ValidationError:
            raise Rejection(422, complaint) from None
        if not self._urls.add(call, entries):
            raise Rejection(422, "more tool calls than one call can have")
        if not entries:
            self._completed.set()
        return Reply(orjson.dumps({"ok": True}), 202)

    def _call(self, scope: Scope) -> OpenCall:
        call = self._urls.find(scope["path_params"]["token"])
        if call is None:
            raise Rejection(404, "unknown call")
        return call

    def _check_on(self, call: OpenCall) -> None:
        if call.hung_up_at_s is not None:
            raise Rejection(410, "the call is over")


class _Bounded:
    """Reads a request's body up to a limit."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.bytes = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self.bytes += len(message.get("body", b""))
        if self.bytes > LARGEST_BODY:
            raise Rejection(413, f"body is longer than {LARGEST_BODY} bytes")
        return message


async def _nothing(_: Scope, __: Receive) -> Reply:
    raise Rejection(404, "Not Found")


async def _only_post(_: Scope, __: Receive) -> Reply:
    raise Rejection(405, "Method Not Allowed")
