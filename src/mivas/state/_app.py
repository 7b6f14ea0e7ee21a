"""The HTTP face of the state service: the routes of runtime.md 3.5 and 8.8, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, TypeAlias

import orjson
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError

from mivas.errors import StateError
from mivas.state._openapi import DOCS, document
from mivas.state._options import ServiceOptions, token_to_ask
from mivas.state._requests import CallHeaders, checked_call_id, is_operator, json_body, tool_arguments
from mivas.state._service import Answer, StateService
from mivas.state._snapshots import SnapshotStore
from mivas.state._tools_urls import OpenCall, ReportedCall, ToolsUrls
from mivas.state._workers import CallWorkers

logger = logging.getLogger(__name__)

MAX_BOUND = 100_000  # provider ids kept; the oldest goes, a call is over long before

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

_REPORT = TypeAdapter(list[ReportedCall])


def create_app(
    service: StateService, options: ServiceOptions, *, snapshots: SnapshotStore, tools_urls: ToolsUrls
) -> FastAPI:
    """The application over a service, which it closes when it shuts down.

    Raises StateError when it would listen off loopback without an operator token.
    """
    token = token_to_ask(options)
    workers = CallWorkers(options.threads)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(workers.close)
        await asyncio.to_thread(service.close)

    app = FastAPI(
        title=f"{service.pack.title}: state service", version=service.pack.version, lifespan=lifespan,
        docs_url=None, redoc_url=None, openapi_url="/openapi.json", redirect_slashes=False,
    )  # fmt: skip
    app.router.route_class = _PlainRoute
    calls = _CallRoutes(service, workers, options.shared)
    evidence = _EvidenceRoutes(service, workers, snapshots)
    remote = _RemoteRoutes(service, workers, tools_urls)
    bindings = _Bindings()
    _add(app, "GET", "/health", _health)
    _add(app, "POST", "/tools/{name}", calls.post_tool)
    _add(app, "GET", "/state", _operator_only(calls.get_state, token))
    _add(app, "POST", "/snapshot", _operator_only(evidence.freeze, token))
    _add(app, "GET", "/snapshot/{id:path}", _operator_only(evidence.read, token))
    _add(app, "POST", "/bind", _operator_only(bindings.bind, token))
    _add(app, "GET", "/bind/{provider_call_id:path}", _operator_only(bindings.read, token))
    _add(app, "POST", "/calls/{token}/tools/{name}", remote.post_tool)
    _add(app, "POST", "/calls/{token}/tool_calls", remote.report)
    app.add_exception_handler(StateError, _database_failed)
    app.add_exception_handler(Exception, _failed)
    app.openapi = lambda: document(app, service.tool_names, guarded=token is not None)  # type: ignore[method-assign]
    return app


class _PlainRoute(APIRoute):
    """A route with FastAPI's place in the OpenAPI document, but without its parsing of parameters.

    That parsing answers in shapes of its own, and costs more than the tool call itself.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler: Callable[[Request], Coroutine[Any, Any, Response]] = self.endpoint
        return handler


def _add(app: FastAPI, method: str, path: str, endpoint: Endpoint) -> None:
    doc = DOCS[method, path]
    app.add_api_route(
        path, endpoint, methods=[method], response_model=None, name=doc.operation_id, operation_id=doc.operation_id,
        summary=doc.summary, openapi_extra=doc.extra, responses=doc.responses, status_code=doc.success,
    )  # fmt: skip


def _operator_only(endpoint: Endpoint, token: str | None) -> Endpoint:
    if token is None:
        return endpoint

    async def guarded(request: Request) -> Response:
        if not is_operator(request, token):
            raise HTTPException(401, "operator token needed", headers={"WWW-Authenticate": "Bearer"})
        return await endpoint(request)

    return guarded


class _CallRoutes:
    """Routes that belong to one call, named by header or query."""

    def __init__(self, service: StateService, workers: CallWorkers, shared: bool) -> None:
        self._service, self._workers, self._shared = service, workers, shared

    async def post_tool(self, request: Request) -> Response:
        headers = CallHeaders(request)
        call_id = headers.call_id(self._shared)
        return await _post(self._service, self._workers, call_id, headers, request)

    async def get_state(self, request: Request) -> Response:
        call_id = CallHeaders(request).call_id(self._shared)
        return _json(await self._workers.run(call_id, lambda: self._service.state_json(call_id)))


class _RemoteRoutes:
    """Routes below a call's token; the token stands in for the call id."""

    def __init__(self, service: StateService, workers: CallWorkers, urls: ToolsUrls) -> None:
        self._service, self._workers, self._urls = service, workers, urls

    async def post_tool(self, request: Request) -> Response:
        call = self._call(request)
        if call.hung_up_at_s is not None:
            raise HTTPException(410, "the call is over")
        return await _post(self._service, self._workers, call.call_id, CallHeaders(request), request)

    async def report(self, request: Request) -> Response:
        call = self._call(request)
        if not self._urls.takes_reports(call):
            raise HTTPException(410, "the call is over, and so is the time for reports")
        complaint = "body must be a JSON list of {name, start_offset_ms, parameters, output}"
        body = await json_body(request, 422, complaint)
        try:
            entries = _REPORT.validate_python(body)
        except ValidationError:
            raise HTTPException(422, complaint) from None
        if not self._urls.add(call, entries):
            raise HTTPException(422, "more tool calls than one call can have")
        return _json_of({"ok": True}, 202)

    def _call(self, request: Request) -> OpenCall:
        call = self._urls.find(request.path_params["token"])
        if call is None:
            raise HTTPException(404, "unknown call")
        return call


class _EvidenceRoutes:
    """The frozen state of finished calls."""

    def __init__(self, service: StateService, workers: CallWorkers, snapshots: SnapshotStore) -> None:
        self._service, self._workers, self._snapshots = service, workers, snapshots

    async def freeze(self, request: Request) -> Response:
        body = await json_body(request, 400, 'body must be a JSON object {"call_id": id, "state": object}')
        match body:
            case {"call_id": str(text), "state": dict(state)}:
                call_id = checked_call_id(text)
            case _:
                raise HTTPException(400, 'body must be a JSON object {"call_id": id, "state": object}')
        try:
            await self._workers.run(call_id, lambda: self._put(call_id, state))
        except OSError as error:
            logger.error("%s: snapshot can't be written: %s", call_id, error)
            raise HTTPException(500, "the snapshot can't be written") from None
        return _json_of({"ok": True, "call_id": call_id}, 200)

    def _put(self, call_id: str, state: dict[str, Any]) -> None:
        self._snapshots.put_final(call_id, orjson.dumps(state))
        image = self._service.database_image(call_id)
        if image is not None:
            self._snapshots.put_database(call_id, image)

    async def read(self, request: Request) -> Response:
        call_id = checked_call_id(request.path_params["id"])
        try:
            text = await self._workers.run(call_id, lambda: self._snapshots.get_final(call_id))
            if text is None:
                raise HTTPException(404, "no snapshot of this call")
            orjson.loads(text)
        except (OSError, ValueError) as error:
            logger.error("%s: snapshot can't be read: %s", call_id, error)
            raise HTTPException(500, "the snapshot can't be read") from None
        return _json(text)


class _Bindings:
    """Which call a provider's own call id belongs to. In memory only."""

    def __init__(self) -> None:
        self._sim_ids: OrderedDict[str, str] = OrderedDict()

    async def bind(self, request: Request) -> Response:
        complaint = 'body must be a JSON object {"provider_call_id": text, "sim_id": text}'
        body = await json_body(request, 400, complaint)
        match body:
            case {"provider_call_id": str(provider_call_id), "sim_id": str(sim_id)} if provider_call_id and sim_id:
                self._sim_ids[provider_call_id] = sim_id
            case _:
                raise HTTPException(400, complaint)
        if len(self._sim_ids) > MAX_BOUND:
            self._sim_ids.popitem(last=False)
        return _json_of({"ok": "true", "provider_call_id": provider_call_id, "sim_id": sim_id}, 200)

    async def read(self, request: Request) -> Response:
        provider_call_id = request.path_params["provider_call_id"]
        sim_id = self._sim_ids.get(provider_call_id)
        if sim_id is None:
            raise HTTPException(404, "no call is bound to this id")
        return _json_of({"provider_call_id": provider_call_id, "sim_id": sim_id}, 200)


async def _post(
    service: StateService, workers: CallWorkers, call_id: str | None, headers: CallHeaders, request: Request
) -> Response:
    key = headers.idempotency_key()
    arguments = await tool_arguments(request)
    name = request.path_params["name"]

    def work() -> Answer:
        return service.call_tool(call_id, name, arguments, node=headers.node, idempotency_key=key)

    answer = await workers.run(call_id, work)
    return _json(answer.body, answer.status)


async def _health(_: Request) -> Response:
    return _json(b'{"status":"ok"}')


async def _database_failed(_: Request, error: Exception) -> Response:
    # The words name a folder of this machine: for the operator's log, not for an agent.
    logger.error("%s", error)
    return _json_of({"detail": "the call's database can't be used"}, 500)


async def _failed(_: Request, __: Exception) -> Response:
    return _json_of({"detail": "the service failed"}, 500)


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, media_type="application/json")


def _json_of(value: object, status: int) -> Response:
    return _json(orjson.dumps(value), status)
