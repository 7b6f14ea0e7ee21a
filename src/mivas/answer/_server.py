"""The server: who is admitted, how many at once, and one call for every connection."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from uuid import uuid4

import httpx
from websockets.asyncio.server import Server, ServerConnection, basic_auth, serve
from websockets.http11 import Request, Response

from mivas.answer._call import AnsweredCall, CallPlan
from mivas.answer._options import AnswerOptions
from mivas.answer._state import CallersTools, CallState, is_tools_url
from mivas.answer._voices import AgentMaker
from mivas.harness.chirp import CALL_ID_HEADER, LARGEST_FRAME, REPORTS_HEADER, TOOLS_URL_HEADER
from mivas.line import start_call_clock
from mivas.pack import Pack
from mivas.state import clean_call_id, listen_on

logger = logging.getLogger(__name__)
WIRE_LOG = logging.getLogger("mivas.chirp.wire")
WIRE_LOG.setLevel(logging.WARNING)  # below it, the library writes down headers, and with them the password


@dataclass(slots=True, kw_only=True)
class Answering:
    """What a running server answers with."""

    pack: Pack
    harness: str
    make_agent: AgentMaker = field(repr=False)
    """Not shown: behind it is the key to a model."""
    state: CallState = field(repr=False)
    options: AnswerOptions
    events_folder: Path
    """Gets `{call_id}.events.jsonl` of each call."""
    client: httpx.AsyncClient
    _admitted: set[str] = field(default_factory=set)
    """Ids of calls that are being set up."""
    _running: set[str] = field(default_factory=set)

    async def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Before the upgrade: 401 for strangers, 503 when all lines are busy, 409 for a call that is on already."""
        credentials = self.options.credentials
        if credentials is not None:
            refused = await basic_auth("mivas", check_credentials=credentials.admit)(connection, request)
            if refused is not None:
                return refused
        if len(self._admitted) + len(self._running) >= self.options.most_calls:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "all lines are busy\n")
        call_id = _call_id(request)
        if call_id in self._admitted | self._running:
            return connection.respond(HTTPStatus.CONFLICT, "a call of this id is on\n")
        # From here on the line is taken: calls that knock at the same moment must not both get the last one.
        self._admitted.add(call_id)
        connection.mivas_call_id = call_id  # type: ignore[attr-defined]
        connection.connection_lost_waiter.add_done_callback(lambda _: self._admitted.discard(call_id))
        return None

    def reports(self, _: ServerConnection, request: Request, response: Response) -> Response | None:
        """Tell a caller engine that takes reports that transfers will be among them."""
        if _tools_url(request) is not None:
            response.headers[REPORTS_HEADER] = "true"
        return response

    async def take(self, connection: ServerConnection) -> None:
        """One call, from accept to the frozen state."""
        call_id: str = connection.mivas_call_id  # type: ignore[attr-defined]
        self._admitted.discard(call_id)
        self._running.add(call_id)
        try:
            await self._call(connection, call_id)
        finally:
            self._running.discard(call_id)

    async def _call(self, connection: ServerConnection, call_id: str) -> None:
        start_call_clock()
        assert connection.request is not None
        tools_url = _tools_url(connection.request)
        logger.info("%s: accepted", call_id)
        with (self.events_folder / f"{call_id}.events.jsonl").open("ab", buffering=0) as file:
            plan = CallPlan(
                call_id=call_id,
                pack=self.pack,
                harness=self.harness,
                make_agent=self.make_agent,
                scope=self.options.scope,
                state=self.state,
                callers_tools=CallersTools(self.client, tools_url, {}) if tools_url is not None else None,
                longest_s=self.options.longest_call_s,
                write=file.write,
            )
            await AnsweredCall(plan, connection).take()
        logger.info("%s: over", call_id)


@asynccontextmanager
async def answering_calls(answering: Answering, listener: socket.socket | None = None) -> AsyncIterator[str]:
    """Answer calls from the running loop until left; yields the server's URL.

    Args:
        listener: where calls come in, closed in the end; None: one at the host and port of the options.
    Raises StateError for a port not to be had.
    """
    if listener is None:
        listener = listen_on(answering.options.host, answering.options.port)
    try:
        answering.events_folder.mkdir(parents=True, exist_ok=True)
        server: Server = await serve(
            answering.take,
            sock=listener,
            process_request=answering.admit,
            process_response=answering.reports,
            compression=None,
            max_size=LARGEST_FRAME,
            server_header=None,
            close_timeout=2,
            logger=WIRE_LOG,
        )
    except BaseException:
        listener.close()
        raise
    try:
        host, port = next(iter(server.sockets)).getsockname()[:2]
        yield f"ws://[{host}]:{port}/" if ":" in host else f"ws://{host}:{port}/"
    finally:
        server.close(close_connections=True)
        await server.wait_closed()


def _call_id(request: Request) -> str:
    """The caller engine's id, or a minted one where it gave none that can be one (runtime.md 4)."""
    given = request.headers.get_all(CALL_ID_HEADER)
    call_id = clean_call_id(given[0]) if len(given) == 1 else None
    if call_id is None:
        call_id = f"call_{uuid4().hex[:12]}"
        logger.info("%s: minted, the caller gave %s", call_id, "no id" if not given else "no valid id")
    return call_id


def _tools_url(request: Request) -> str | None:
    given = request.headers.get_all(TOOLS_URL_HEADER)
    return given[0] if len(given) == 1 and is_tools_url(given[0]) else None
