"""The HTTP face of the state service: the routes of runtime.md 3.5 and 8.8, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, NamedTuple, TypeAlias

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError
from starlette.types import Receive, Scope, Send

from mivas.errors import StateError
from mivas.state._openapi import DOCS, document, is_operators_path
from mivas.state._options import ServiceOptions
from mivas.state._requests import CallHeaders, Rejection, checked_call_id, is_operator, json_body, tool_arguments
from mivas.state._service import Answer, StateService
from mivas.state._snapshots import SnapshotStore
from mivas.state._tools_urls import OpenCall, ReportedCall, ToolsUrls
from mivas.state._workers import CallWorkers

logger = logging.getLogger(__name__)

MAX_BOUND = 100_000  # provider ids kept; the oldest goes, a call is over long before


class Reply(NamedTuple):
    """A JSON answer."""

    body: bytes
    status: int = 200


Handler: TypeAlias = Callable[[Scope, Receive], Awaitable[Reply]]

_REPORT = TypeAdapter(list[ReportedCall])


def create_app(
    service: StateService, options: ServiceOptions, *, snapshots: SnapshotStore, tools_urls: ToolsUrls
) -> FastAPI:
    """The application over a service, which it closes when it shuts down."""
    token = options.token_to_ask
    workers = CallWorkers(options.threads)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(workers.close)
        await asyncio.to_thread(service.close)

    app = _StateApp(
        title=f"{service.pack.title}: state service", version=service.pack.version, lifespan=lifespan,
        docs_url=None, redoc_url=None, openapi_url="/openapi.json", redirect_slashes=False,
    )  # fmt: skip
    app.router.route_class = _PlainRoute
    calls = _CallRoutes(service, workers, options.shared)
    app.post_tool, app.get_state, app.operator_token = calls.post_tool, calls.get_state, token
    evidence = _EvidenceRoutes(service, workers, snapshots)
    remote = _RemoteRoutes(service, workers, tools_urls)
    bindings = _Bindings()
    _add(app, "GET", "/health", _health)
    _add(app, "POST", "/tools/{name}", app.post_tool)
    _add(app, "GET", "/state", app.get_state)
    _add(app, "POST", "/snapshot", evidence.freeze)
    _add(app, "GET", "/snapshot/{id:path}", evidence.read)
    _add(app, "POST", "/bind", bindings.bind)
    _add(app, "GET", "/bind/{provider_call_id:path}", bindings.read)
    _add(app, "POST", "/calls/{token}/tools/{name}", remote.post_tool)
    _add(app, "POST", "/calls/{token}/tool_calls", remote.report)
    app.openapi = lambda: document(  # type: ignore[method-assign]
        app, service.tool_names, guarded=token is not None, shared=options.shared
    )
    return app


class _StateApp(FastAPI):
    """FastAPI, with a short way to the two routes that a call uses at every turn.

    FastAPI's middleware, routing and parameter parsing cost as much as a tool call on disk (`benchmarks/state.py`).
    The same handlers stand on its ordinary routes too, for the document, for 405 and for paths spelt oddly.
    """

    post_tool: Handler
    get_state: Handler
    operator_token: str | None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handler = _no_operator if self._keeps_out(scope) else self._short_way(scope)
        if handler is None:
            await super().__call__(scope, receive, send)
            return
        reply = await _reply(handler, scope, receive)
        await send({"type": "http.response.start", "status": reply.status, "headers": _headers(reply)})
        await send({"type": "http.response.body", "body": reply.body})

    def _keeps_out(self, scope: Scope) -> bool:
        """Whether the path is the operator's and the request isn't, whatever its method (runtime.md 3.5)."""
        if self.operator_token is None or scope["type"] != "http" or not is_operators_path(scope["path"]):
            return False
        return not is_operator(scope, self.operator_token)

    def _short_way(self, scope: Scope) -> Handler | None:
        if scope["type"] != "http":
            return None
        path: str = scope["path"]
        if scope["method"] == "POST":
            prefix, _, name = path.rpartition("/")
            if prefix == "/tools" and name:
                scope["path_params"] = {"name": name}
                return self.post_tool
        elif path == "/state" and scope["method"] == "GET":
            return self.get_state
        return None


class _PlainRoute(APIRoute):
    """A route with its place in FastAPI's document, but without parsing of parameters: that answers in other shapes."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        endpoint: Callable[[Request], Coroutine[Any, Any, Response]] = self.endpoint
        return endpoint


def _add(app: FastAPI, method: str, path: str, handler: Handler) -> None:
    async def endpoint(request: Request) -> Response:
        reply = await _reply(handler, request.scope, request.receive)
        response = Response(reply.body, reply.status)
        response.raw_headers = _headers(reply)
        return response

    doc = DOCS[method, path]
    app.add_api_route(
        path, endpoint, methods=[method], response_model=None, name=doc.operation_id, operation_id=doc.operation_id,
        summary=doc.summary, openapi_extra=doc.extra, responses=doc.responses, status_code=doc.success,
    )  # fmt: skip


class _CallRoutes:
    """Routes that belong to one call, named by header or query."""

    def __init__(self, service: StateService, workers: CallWorkers, shared: bool) -> None:
        self._service, self._workers, self._shared = service, workers, shared

    async def post_tool(self, scope: Scope, receive: Receive) -> Reply:
        headers = CallHeaders(scope)
        call_id = headers.call_id(self._shared)
        name = scope["path_params"]["name"]
        return await _post(self._service, self._workers, call_id, headers, name, receive)

    async def get_state(self, scope: Scope, _: Receive) -> Reply:
        call_id = CallHeaders(scope).call_id(self._shared)
        return Reply(await self._workers.run(call_id, lambda: self._service.state_json(call_id)))


class _RemoteRoutes:
    """Routes below a call's token; the token stands in for the call id."""

    def __init__(self, service: StateService, workers: CallWorkers, urls: ToolsUrls) -> None:
        self._service, self._workers, self._urls = service, workers, urls

    async def post_tool(self, scope: Scope, receive: Receive) -> Reply:
        call = self._call(scope)
        if call.hung_up_at_s is not None:
            raise Rejection(410, "the call is over")
        return await _post(
            self._service, self._workers, call.call_id, CallHeaders(scope), scope["path_params"]["name"], receive
        )

    async def report(self, scope: Scope, receive: Receive) -> Reply:
        call = self._call(scope)
        if not self._urls.takes_reports(call):
            raise Rejection(410, "the call is over, and so is the time for reports")
        complaint = "body must be a JSON list of {name, start_offset_ms, parameters, output}"
        body = await json_body(receive, 422, complaint)
        try:
            entries = _REPORT.validate_python(body)
        except ValidationError:
            raise Rejection(422, complaint) from None
        if not self._urls.add(call, entries):
            raise Rejection(422, "more tool calls than one call can have")
        return _json_of({"ok": True}, 202)

    def _call(self, scope: Scope) -> OpenCall:
        call = self._urls.find(scope["path_params"]["token"])
        if call is None:
            raise Rejection(404, "unknown call")
        return call


class _EvidenceRoutes:
    """The frozen state of finished calls."""

    def __init__(self, service: StateService, workers: CallWorkers, snapshots: SnapshotStore) -> None:
        self._service, self._workers, self._snapshots = service, workers, snapshots

    async def freeze(self, _: Scope, receive: Receive) -> Reply:
        body = await json_body(receive, 400, 'body must be a JSON object {"call_id": id, "state": object}')
        match body:
            case {"call_id": str(text), "state": dict(state)}:
                call_id = checked_call_id(text)
            case _:
                raise Rejection(400, 'body must be a JSON object {"call_id": id, "state": object}')
        try:
            await self._workers.run(call_id, lambda: self._put(call_id, state))
        except OSError as error:
            logger.error("%s: snapshot can't be written: %s", call_id, error)
            raise Rejection(500, "the snapshot can't be written") from None
        return _json_of({"ok": True, "call_id": call_id}, 200)

    def _put(self, call_id: str, state: dict[str, Any]) -> None:
        self._snapshots.put_final(call_id, orjson.dumps(state))
        image = self._service.database_image(call_id)
        if image is not None:
            self._snapshots.put_database(call_id, image)

    async def read(self, scope: Scope, _: Receive) -> Reply:
        call_id = checked_call_id(scope["path_params"]["id"])
        try:
            text = await self._workers.run(call_id, lambda: self._snapshots.get_final(call_id))
            if text is None:
                raise Rejection(404, "no snapshot of this call")
            orjson.loads(text)
        except (OSError, ValueError) as error:
            logger.error("%s: snapshot can't be read: %s", call_id, error)
            raise Rejection(500, "the snapshot can't be read") from None
        return Reply(text)


class _Bindings:
    """Which call a provider's own call id belongs to. In memory only."""

    def __init__(self) -> None:
        self._sim_ids: OrderedDict[str, str] = OrderedDict()

    async def bind(self, _: Scope, receive: Receive) -> Reply:
        complaint = 'body must be a JSON object {"provider_call_id": text, "sim_id": text}'
        body = await json_body(receive, 400, complaint)
        match body:
            case {"provider_call_id": str(provider_call_id), "sim_id": str(sim_id)} if provider_call_id and sim_id:
                self._sim_ids[provider_call_id] = sim_id
            case _:
                raise Rejection(400, complaint)
        if len(self._sim_ids) > MAX_BOUND:
            self._sim_ids.popitem(last=False)
        return _json_of({"ok": "true", "provider_call_id": provider_call_id, "sim_id": sim_id}, 200)

    async def read(self, scope: Scope, _: Receive) -> Reply:
        provider_call_id = scope["path_params"]["provider_call_id"]
        sim_id = self._sim_ids.get(provider_call_id)
        if sim_id is None:
            raise Rejection(404, "no call is bound to this id")
        return _json_of({"provider_call_id": provider_call_id, "sim_id": sim_id}, 200)


async def _post(
    service: StateService, workers: CallWorkers, call_id: str | None, headers: CallHeaders, name: str, receive: Receive
) -> Reply:
    key = headers.idempotency_key()
    arguments = await tool_arguments(receive)

    def work() -> Answer:
        return service.call_tool(call_id, name, arguments, node=headers.node, idempotency_key=key)

    answer = await workers.run(call_id, work)
    return Reply(answer.body, answer.status)


async def _no_operator(_: Scope, __: Receive) -> Reply:
    raise Rejection(401, "operator token needed")


async def _health(_: Scope, __: Receive) -> Reply:
    return Reply(b'{"status":"ok"}')


async def _reply(handler: Handler, scope: Scope, receive: Receive) -> Reply:
    """Run a handler; whatever goes wrong becomes a status and `{"detail": text}` here and nowhere else."""
    try:
        return await handler(scope, receive)
    except Rejection as rejection:
        return _json_of({"detail": rejection.text}, rejection.status)
    except StateError as error:
        # The words name a folder of this machine: for the operator's log, not for an agent.
        logger.error("%s", error)
        return _json_of({"detail": "the call's database can't be used"}, 500)
    except Exception:
        logger.exception("%s %s broke", scope["method"], scope["path"])
        return _json_of({"detail": "the service failed"}, 500)


def _headers(reply: Reply) -> list[tuple[bytes, bytes]]:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(reply.body))]
    if reply.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    return headers


def _json_of(value: object, status: int) -> Reply:
    return Reply(orjson.dumps(value), status)
